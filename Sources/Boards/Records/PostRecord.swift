import Contract
import Store
import Wire

package struct PostID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// The data of a post for lists: its whole row except the long texts.
struct PostHead: Sendable {
  /// The id in its first source.
  var remoteID = ""
  /// Its place in lists: see `PostPlace.at`.
  var at = Instant(milliseconds: 0)
  var title = ""
  var isTitleCut = false
  var writer: String?
  var address: String?
  var isAnonymous = false
  var publishedAt: Instant?
  var publishedText: String?
  var editedAt: Instant?
  var link: String?
  /// The source's word, `notice`.
  var kind: String?
  var hasReply = false
  /// Nil if the source does not state it; also the next two.
  var isNewPost: Bool?
  var isOwner: Bool?
  var hasInlineImage: Bool?
  var viewCount: Int?
  var commentsCount: Int?
  var attachmentsCount: Int?
  var attachments = StoredJSON<[PostAttachment]>(stored: "[]")
  var categories = StoredJSON<[String]>(stored: "[]")
  /// The boards that it is on; the first is the source of its content. Empty for a saved post whose source was
  /// removed.
  var placements = StoredJSON<[PostPlace]>(stored: "[]")
  /// Its keys besides the ids: see `PostIdentity`.
  var keys = StoredJSON<[String]>(stored: "[]")
  /// The beginning of its text.
  var preview = ""
  /// `listMark` when its whole body was fetched; a different current value means that the body is out of date.
  var bodyMark: String?
  /// Whether the text is complete.
  var isWhole = false

  /// The columns of a page's content.
  static let content = [
    "remoteID", "title", "isTitleCut", "writer", "address", "isAnonymous", "publishedAt", "publishedText", "editedAt",
    "link", "kind", "hasInlineImage", "categories", "preview", "isWhole",
  ]

  static let fields = Fields<Self> {
    Field("remoteID", as: "postId", \.remoteID, "The id given by its first source.")
    Field("at", \.at).quiet.shared(.quiet)
    Field("title", \.title, "Its title on one line; may be empty.")
    Field("isTitleCut", as: "titleCut", \.isTitleCut, .flag, "Whether the title was truncated.")
    Field("writer", \.writer)
    Field("address", \.address)
    Field("isAnonymous", \.isAnonymous, "Whether its author is hidden.")
    Field(
      "publishedAt", as: "date", \.publishedAt, "When it was written; absent if the date cannot be parsed.")
    Field("publishedText", as: "dateText", \.publishedText, "The date as the source states it.")
    Field("editedAt", \.editedAt, "When it was edited, as the source states.")
    Field("link", \.link, "Its URL for a browser.")
    Field("kind", as: "postType", \.kind, "The source's word for its type, such as `notice`.")
    Field("hasReply", \.hasReply, "Whether it has replies.").shared(.own)
    Field("isNewPost", \.isNewPost, "Whether the source calls it new; the badge depends on the client's day instead.")
      .quiet
    Field("isOwner", \.isOwner, "Whether the credential's owner wrote it.").shared(.own)
    Field("hasInlineImage", \.hasInlineImage, "Whether its text has images.")
    Field("viewCount", \.viewCount, "The number of views.").quiet
    Field("commentsCount", \.commentsCount, "The number of comments.").quiet
    Field("attachmentsCount", \.attachmentsCount, "The number of attachments.").shared(.own)
    Field(
      "attachments", \.attachments, StoredJSON.json(.array(PostAttachment.shape)),
      "The known attachments; for a single post only."
    ).omittedInLists.shared(.own)
    Field("categories", \.categories, .words, "The source's categories for it.")
    Field("placements", \.placements).shared(.own)
    Field("keys", \.keys).shared(.own)
    Field("preview", \.preview, "The beginning of its text, on one line.")
    Field("bodyMark", \.bodyMark).quiet
    Field("isWhole", as: "whole", \.isWhole, "Whether the stored text is complete.")
  }
}

extension FieldType where Value == StoredJSON<[String]> {
  /// Texts, in replies only if there are any.
  fileprivate static var words: FieldType {
    let type = StoredJSON<[String]>.json(.array(.string))
    return type.traveling(as: type.wire.omitted { sameBytes($0.json, "[]") })
  }
}

/// A row of a post, with the content of its first source. See `PostAccount`.
///
/// Devices share kept pages, not the posts of sources: each device fetches those itself. The content of a page is one
/// value, so that a title never stands above the text of another fetch.
struct PostRecord: StoredItem, PostContent {
  static let collectionName = "posts"
  static let tableName = "post"

  var id = ""
  var revision: Int64 = 0
  /// When it was first seen.
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var head = PostHead()
  var images = StoredJSON<[String]>(stored: "[]")
  var text = ""
  /// Safe.
  var html = ""
  var thread = StoredJSON<[ThreadPart]>(stored: "[]")

  static let fields = Fields<Self> {
    PostHead.fields.of(\.head)
    Field("images", \.images)
    Field("text", \.text).shared(.quiet, with: PostHead.content + ["images", "html"])
    Field("html", \.html)
    Field("thread", \.thread).shared(.own)
  }
}

/// The same without the long columns; read-only.
struct PostSummary: StoredItem {
  static let collectionName = PostRecord.collectionName
  static let tableName = PostRecord.tableName

  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var head = PostHead()

  static let fields = Fields<Self> {
    PostHead.fields.of(\.head)
  }

  init() {}

  init(_ record: PostRecord) {
    (id, revision, createdAt, updatedAt) = (record.id, record.revision, record.createdAt, record.updatedAt)
    head = record.head
  }
}

/// The place of a post on a board.
struct PostPlace: Codable, Sendable, Equatable {
  var source: String
  /// The source's own id of the post.
  var remoteID: String
  var board: String
  /// 1 if the board pins it.
  var pinned: Int
  /// The time that orders the board, in UTC milliseconds: the source's own ordering time, else when the post was
  /// written, else when it was first seen; never in the future.
  var at: Int64
  /// When it arrived on this board, in UTC milliseconds.
  var arrivedAt: Int64
}

extension PostRecord {
  /// The post that has this id in a source. There is one, unless two libraries were merged.
  static func known(as remoteID: String, of source: String, in snapshot: Snapshot) throws -> PostRecord? {
    try first(
      in: snapshot.db, "WHERE id = (SELECT post FROM postOrigin WHERE source = ? AND remoteID = ? LIMIT 1)",
      [.text(source), .text(remoteID)])
  }
}

/// The user's marks on a post.
struct PostMarkRecord: StoredItem {
  static let collectionName = "postMarks"
  static let tableName = "postMark"

  /// The post's.
  var id = ""
  var revision: Int64 = 0
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var readAt: Instant?
  var savedAt: Instant?
  var hiddenAt: Instant?
  /// The user's own tags, besides the source's categories.
  var tags: [String] = []
  /// The actions of rules on it.
  var rules = StoredJSON<[RuleTrace]>(stored: "[]")
  /// Passages of it that the user marked.
  var quotes = StoredJSON<[PostQuote]>(stored: "[]")
  /// What the user noted on it.
  var note: String?
  /// Its attachments that were downloaded.
  var files = StoredJSON<[DownloadedFile]>(stored: "[]")

  /// Whether its post stays when its source is removed: the user saved it, or added something to it.
  var isKept: Bool { savedAt != nil || note != nil || !tags.isEmpty || hasQuotes || hasFiles }

  static let fields = Fields<Self> {
    Field("readAt", \.readAt, "When it was read.").shared(.maximum)
    Field("savedAt", \.savedAt, "When it was saved.").shared(.maximum)
    Field("hiddenAt", \.hiddenAt, "When it was hidden. It is shown all the same while it is saved.").shared(.maximum)
    Field.tags("tags", \.tags, "The tags that the user and rules gave it.")
    Field("rules", \.rules, StoredJSON.json(.array(RuleTrace.shape)), "What rules did with it.")
      .shared(.quiet)
    Field("quotes", \.quotes, StoredJSON.json(.array(PostQuote.shape)), "Passages that the user marked.")
    Field("note", \.note, .text(1...longestNote, notBlank: true), "The user's note on it.")
    Field("files", \.files, StoredJSON.json(.array(DownloadedFile.shape)), "Its attachments that were downloaded.")
      .shared(.objects)
  }

  /// In Unicode scalars.
  static let longestNote = 100_000

  /// A saved post is never hidden.
  var isHidden: Bool { hiddenAt != nil && savedAt == nil }

  /// Whether it states nothing.
  var isEmpty: Bool { readAt == nil && hiddenAt == nil && !isKept }

  var hasQuotes: Bool { quotes.json != "[]" }
  var hasFiles: Bool { files.json != "[]" }
}
