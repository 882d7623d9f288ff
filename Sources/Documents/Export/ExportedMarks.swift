import Exchange
import FoundationEssentials
import Kit
import Store
import Wire

/// A document and its marks for an export, in reading order, from one state of the library.
struct ExportedMarks: Sendable {
  let document: DocumentRecord
  let highlights: [ExportedHighlight]
  let bookmarks: [BookmarkRecord]
  let memos: [MemoRecord]
  /// The pages' labels in the file.
  let labels: [Int: String]

  init(of id: String, in snapshot: Snapshot) throws {
    let document = try snapshot.get(DocumentRecord.self, id: id)
    let marks = try DocumentMarks(of: id, in: snapshot)
    self.document = document
    highlights = try marks.highlights.sorted { $0.place < $1.place }.map { record in
      ExportedHighlight(
        record: record, anchor: try record.anchor.value(),
        shown: try ShownHighlight(record, of: document, in: snapshot))
    }
    bookmarks = marks.bookmarks.sorted { $0.place < $1.place }
    memos = marks.memos.sorted { $0.place < $1.place }
    var labels: [Int: String] = [:]
    try snapshot.db.each(
      "SELECT page, label FROM pdfPage WHERE hash = ? AND label IS NOT NULL", [.text(document.hash)]
    ) { labels[$0.int(0)] = $0.text(1) }
    self.labels = labels
  }

  var count: Int { highlights.count + bookmarks.count + memos.count }

  /// Pages with highlights whose text is not available, ascending. An orphan is on no page of this file.
  var lockedPages: [Int] {
    Set(highlights.filter { $0.shown.isLocked && !$0.record.isOrphan }.map(\.record.page)).sorted()
  }

  /// The most bytes of all pictures of an export.
  private static let mostPictures = 64 << 20

  /// The pictures of areas in base64, by the marks' ids, except those that only another device has.
  ///
  /// - Throws: `tooLarge` if all of them together are larger than 64 MiB, `FileFailure` if one cannot be read.
  func pictures(in blobs: Blobs) throws -> [String: String] {
    var rest = Self.mostPictures
    var pictures: [String: String] = [:]
    for highlight in highlights {
      guard let hash = highlight.record.picture, blobs.contains(hash) else { continue }
      let bytes = try GivenFile(opening: blobs.path(named: hash), limit: Self.mostPictures).bytes()
      rest -= bytes.count
      guard rest >= 0 else { throw GivenFile.tooLarge(Self.mostPictures) }
      pictures[highlight.record.id] = Data(bytes).base64EncodedString()
    }
    return pictures
  }

  /// The pages that have marks, ascending.
  var pages: [Int] {
    let pages =
      highlights.map(\.record).filter { !$0.isOrphan }.map(\.page) + bookmarks.filter { !$0.isOrphan }.map(\.page)
      + memos.filter { !$0.isOrphan }.map(\.page)
    return Set(pages).sorted()
  }
}

struct ExportedHighlight: Sendable {
  let record: HighlightRecord
  let anchor: Anchor
  /// For clients: with its text, even if that is in memory only.
  let shown: ShownHighlight

  var link: String { shown.link }
}
