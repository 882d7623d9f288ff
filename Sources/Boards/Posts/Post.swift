import Contract
import Kit
import Store
import Wire

/// A post in replies.
typealias Post = ItemJSON<ShownPost>

/// The badges of a post in lists.
enum PostBadge: String, Choice {
  case new, notice, pinned, reply, attachment
}

/// A post for one client, on one of its boards.
struct ShownPost: ShownItem, Sendable {
  static let name = "Post"

  let item: PostSummary
  /// The board that it is on.
  let board: BoardRecord?
  let source: String?
  let isPinned: Bool
  let mark: PostMarkRecord?
  let badges: [PostBadge]
  var display: Display
  let isSinceVisit: Bool
  let listedAt: Instant?
  var matches: [PostMatch]?
  // Only in the reply for one post.
  var text: String?
  var html: String?
  var images: [PostPicture]?
  var versions: [PostVersion]?
  var article: PostArticle?
  var quotes: [PlacedQuote]?
  var freshness: Freshness?
  var failure: RemoteProblem?

  /// The name and the address of an anonymous writer are never disclosed.
  private var namesWriter: Bool {
    !item.head.isAnonymous && (item.head.writer != nil || item.head.address != nil)
  }

  /// Strings for people.
  struct Display: Sendable {
    let title: String
    let writer: String
    let date: String
    let listed: String?
    let badges: [String]
    var board: String?
    var source: String?
  }

  static let headNotes = [
    "id": "The post; the same on every board.",
    "revision": "Changes with every update of its content. Compare for equality only.",
    "createdAt": "When it was first seen.", "updatedAt": "When its content last changed.",
  ]

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "board",
      "The board it is listed on: the requested one, else its first; absent for a saved post whose source was removed.",
      example: "0192"
    ) { $0.board.map { BoardID(unchecked: $0.id) } },
    DerivedMember("boardDisplayName", "The name of that board.", example: "Notices") { $0.board?.displayName },
    DerivedMember("source", "The source that it comes from.", example: "0191") {
      $0.source.map { SourceID(unchecked: $0) }
    },
    DerivedMember(
      "writer", of: "Post.Writer", "The author; absent if anonymous.", where: \.namesWriter
    ) {
      DerivedMember("displayName", "The author's name.", example: "Ann") { $0.item.head.writer }
      DerivedMember("emailAddress", "The author's address, if the source states it.", example: "ann@example.org") {
        $0.item.head.address
      }
    },
    DerivedMember(
      "listedAt",
      "The time by which the board orders it, if that is not `date`: of the last reply, or of arrival.",
      example: nil
    ) { $0.listedAt },
    DerivedMember("contents", "The whole text; for a single post only.", example: nil) { $0.text }.omittedInLists,
    DerivedMember(
      "html", "The text as safe HTML that loads nothing; for a single post only.", example: nil
    ) { $0.html },
    DerivedMember("pinned", "Whether the board pins it.", example: false) { $0.isPinned },
    DerivedMember(
      "badges",
      "In this order: `new`, if of the client's today; `notice`, or else `pinned` if the board pins it and `reply` if "
        + "it was answered; `attachment`.", example: ["new", "notice", "attachment"]
    ) { $0.badges },
    DerivedMember("read", "Whether it was marked read here.", example: false) { $0.mark?.readAt != nil },
    DerivedMember("saved", "Whether it was saved here.", example: false) { $0.mark?.savedAt != nil },
    DerivedMember("hidden", "True if it is hidden, by a rule or the user; absent otherwise.", example: nil) {
      $0.mark?.isHidden == true ? true : nil
    },
    DerivedMember("tags", "The tags that the user and rules gave it; absent if none.", example: nil) { post in
      post.mark.flatMap { $0.tags.isEmpty ? nil : $0.tags }
    },
    DerivedMember("note", "The user's note on it; absent if none.", example: nil) { $0.mark?.note },
    DerivedMember("recording", "Its first audio or video; absent if it has none.", example: nil) {
      try PostRecording(of: $0)
    },
    DerivedMember("files", "Its attachments that were downloaded; absent if none.", example: nil) { post in
      try post.mark.flatMap { try $0.hasFiles ? DownloadedFile.distinct($0.files.value()) : nil }
    },
    DerivedMember("rules", "What rules did with it; absent if nothing.", example: nil) { post in
      try post.mark.flatMap { try $0.rules.json == "[]" ? nil : $0.rules.value() }
    },
    DerivedMember(
      "sinceVisit", "Whether it arrived since this client's previous visit to the board.", example: true
    ) { $0.isSinceVisit },
    DerivedMember("matches", "For a search: the matches.", example: nil) { $0.matches },
    DerivedMember(
      "images",
      "The images in its text, in order, with `path` if requested; the HTML loads none of them. For a single post "
        + "only.",
      example: nil
    ) { $0.images },
    DerivedMember(
      "article", "The whole article, if it is shown in place of the source's own text. For a single post only.",
      example: nil
    ) { $0.article },
    DerivedMember(
      "quotes", "The passages that the user marked, with their places. For a single post only.", example: nil
    ) { $0.quotes },
    DerivedMember(
      "versions", "Its versions before each edit seen, newest first; only if requested.", example: nil
    ) { $0.versions },
    DerivedMember(
      "freshness", "For a single post: `live` if the source was fetched for this reply.", example: nil
    ) { $0.freshness }.omittedInLists,
    DerivedMember(
      "failure", "For a single post: why the source could not be fetched; the stored post is returned.", example: nil
    ) { $0.failure },
    DerivedMember("display", of: "Post.Display", "Strings for people.") {
      DerivedMember("title", "The title, or its placeholder.", example: "Lunch") { $0.display.title }
      DerivedMember("writer", "The author's name, or the word for an anonymous one.", example: "Ann") {
        $0.display.writer
      }
      DerivedMember("date", "Its date, in the requested `style`.", example: "3:04 AM") {
        $0.display.date
      }
      DerivedMember("listed", "`listedAt` in the same style.", example: nil) { $0.display.listed }
      DerivedMember("badges", "The words for `badges`, in the same order.", example: ["New"]) { $0.display.badges }
      DerivedMember(
        "board", "The title of its board, or a placeholder; absent in lists of one board, whose reply names it.",
        example: "Notices"
      ) { $0.display.board }
      DerivedMember("source", "The title of its source; absent in lists of one board.", example: "The groupware") {
        $0.display.source
      }
    },
  ]

  static let example: PostSummary = {
    var post = PostSummary()
    (post.id, post.revision) = ("0193", 43)
    post.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (post.updatedAt, post.head.publishedAt) = (post.createdAt, post.createdAt)
    post.head.publishedText = "2026-11-21T12:04:05+0900"
    (post.head.remoteID, post.head.title) = ("4711", "Lunch")
    (post.head.writer, post.head.address) = ("Ann", "ann@example.org")
    (post.head.preview, post.head.isWhole) = ("At noon, as always.", true)
    (post.head.link, post.head.kind) = ("https://groupware.example/posts/4711", "notice")
    (post.head.viewCount, post.head.commentsCount, post.head.attachmentsCount) = (17, 2, 1)
    post.head.attachments = (try? StoredJSON([PostAttachment.example])) ?? post.head.attachments
    post.head.categories = StoredJSON(stored: #"["food"]"#)
    (post.head.isNewPost, post.head.hasInlineImage, post.head.isOwner) = (true, false, false)
    return post
  }()
}

/// The places of the query's words in a post.
struct PostMatch: Payload {
  enum Field: String, Choice {
    case title, writer, contents
  }

  struct Part: Payload {
    var offset: Int
    var length: Int
    static let example = Part(offset: 0, length: 5)
    static let fields = [
      "offset": "In the client's position encoding, from the start of `text`.", "length": "In the same units.",
    ]
  }

  var field: Field
  var text: String
  var ranges: [Part]
  var cutBefore: Bool?
  var cutAfter: Bool?

  static let example = PostMatch(
    field: .title, text: "Lunch", ranges: [.example], cutBefore: nil, cutAfter: nil)
  static let fields = [
    "field": "The part of the post.",
    "text": "The text that the ranges refer to: the whole title or name, or the best matching excerpt of the contents.",
    "ranges": "All matches in it, ascending, without overlap; no grapheme is split.",
    "cutBefore": "For contents: whether text precedes the excerpt.", "cutAfter": "Whether text follows it.",
  ]
}
