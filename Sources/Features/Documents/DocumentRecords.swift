import Contract
import GRDB
import Store
import Wire

/// A document as its row has it.
struct DocumentRecord: StoredItem {
  static let collectionName = "documents"
  static let tableName = "document"

  var id: String
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title: String
  /// Where `documents/refresh` would fetch it; nil for one that came as bytes.
  var url: String?
  /// The SHA-256 of its present bytes.
  var hash: String
  var size: Int64
  var pageCount: Int
  /// Opens only with a password.
  var isProtected: Bool
  /// Whether text and index rows may lie on disk: yes, unless it is protected and the user did not ask for it.
  var keepsText: Bool
  /// The reading position; not undoable.
  var page = 0
  /// How far down the page, 0 to 1.
  var y = 0.0
  /// The URLs and paths it came from, a JSON list.
  var origins: String

  /// Set by SQL of their own; see `ItemCollection.quietColumns`.
  static let quietColumns = ["page", "y", "origins"]
}

/// How far the text of a document is. It follows from the pages that have text, so nothing can contradict it: a document
/// that was removed and came back is as far as its bytes are.
enum DocumentState: String, Choice {
  /// Readable; the text of its later pages is still being taken out.
  case indexing
  case ready
  /// Its text could not be taken out of every page. Pages can still be drawn.
  case failed
}

/// What a mark keeps of its place, so that it can be found again in other bytes (design §5).
struct Anchor: Codable, Sendable {
  /// The SHA-256 of the bytes that it was made in.
  var hash: String
  /// The file's permanent /ID.
  var fileID: String?
  var pageLabel: String?
  /// The exact text; of a bookmark or memo the beginning of its page.
  var quote: String
  var prefix: String
  var suffix: String
  /// In Unicode scalars from the beginning of the page's text, and of the document's where all before it is known.
  var offset: Int
  var length: Int
  var documentOffset: Int?
  /// Of a bookmark or memo: SHA-256 of the page's folded text.
  var pageHash: String?
}

struct BookmarkRecord: StoredItem {
  static let collectionName = "bookmarks"
  static let tableName = "bookmark"
  var id: String
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document: String
  var page: Int
  var anchor: StoredJSON<Anchor>
}

struct MemoRecord: StoredItem {
  static let collectionName = "memos"
  static let tableName = "memo"
  var id: String
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document: String
  var page: Int
  var text: String
  var anchor: StoredJSON<Anchor>
}

struct HighlightRecord: StoredItem {
  static let collectionName = "highlights"
  static let tableName = "highlight"

  struct Line: Codable, Sendable {
    /// Empty where the text may not lie on disk.
    var text: String
    var quad: [Double]
    /// In Unicode scalars of the page's text.
    var offset: Int
    var length: Int
  }

  var id: String
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var document: String
  var page: Int
  /// `#rrggbb`.
  var color: String
  var note: String?
  var lines: [Line]
  var anchor: StoredJSON<Anchor>
}
