import Contract
import Wire

/// A post as a source has it, already readable and safe.
struct FetchedPost: Sendable, Equatable {
  /// Who wrote it. The address is never shown of an anonymous writer.
  struct Writer: Sendable, Equatable {
    var name = ""
    var address: String?
  }

  /// A body that went through `SafeHTML.clean`.
  struct Body: Sendable, Equatable {
    /// An allow-list of HTML that loads nothing.
    var html: String
    /// The same as plain text.
    var text: String
    /// The pictures that the body shows, as http or https URLs in their order.
    var images: [String] = []
    /// Whether it is all of the post; of an excerpt the rest is fetched when somebody reads it.
    var isWhole = true
    /// The source gave all of it, and that was more than is kept.
    var isCut = false
  }

  typealias Attachment = PostAttachment

  /// The service's own id: the same for the same post, whatever else of it changes, and unique within the source.
  var id: String
  /// What the post is called in every feed that carries it: an id that is a URL or a `tag:`. See `PostIdentity`.
  var globalID: String?
  /// Where people read it, absolute.
  var link: String?
  /// Plain text, perhaps empty.
  var title = ""
  var writer: Writer?
  var isAnonymous = false
  /// Nil where the list does not tell it.
  var body: Body?
  /// When it was written; nil where that cannot be read.
  var publishedAt: Instant?
  /// The same as the service says it.
  var publishedText: String?
  /// When the service says it was edited.
  var editedAt: Instant?
  /// What it is listed by where that is not `publishedAt`, such as the last answer in a forum.
  var listedAt: Instant?
  /// The service's word, `notice`.
  var kind: String?
  /// Listed before all that are not, whatever its date.
  var isPinned = false
  var hasReply = false
  /// As the service says it; the badge goes by the reader's day.
  var isNewPost: Bool?
  var isOwner: Bool?
  var hasInlineImage: Bool?
  var viewCount: Int?
  var commentsCount: Int?
  /// May be known where the attachments are not.
  var attachmentsCount: Int?
  var attachments: [Attachment] = []
  var categories: [String] = []
}

/// A board as a source has it.
struct FetchedBoard: Sendable, Equatable {
  /// The service's own id, unique within the source. A feed has one board.
  var id: String
  /// Plain text; empty where the service has none.
  var displayName: String
  /// How many posts the service says there are.
  var total: Int?
}

/// All boards of a source.
struct FetchedBoards: Sendable, Equatable {
  /// In the service's order.
  var boards: [FetchedBoard]
  /// What the source is called, for one that has no title of its own.
  var title: String?
  /// The envelope of a list, as the service has it.
  var total: Int?
  /// First pages that came along, by board.
  var pages: [String: PostPage] = [:]
  /// Where the source is from now on: the feed that a page named, or the place that a permanent redirect named.
  var movedTo: String?
  /// Nothing has changed since `state`: `boards` and `pages` are empty.
  var isUnchanged = false
  var state: SourceState?
  /// How long what was answered holds, as far as the service says.
  var freshFor: Duration?
}

/// A page of posts.
struct PostPage: Sendable, Equatable {
  /// In the service's order; a post may be there that another page had already.
  var posts: [FetchedPost]
  /// Names the next page; nil at the end.
  var next: String?
  /// How many posts the service says there are; it may grow, shrink and be wrong.
  var total: Int?
  /// Nothing has changed since `state`: `posts` is empty.
  var isUnchanged = false
  /// To be given with the next request of the first page. Only of a page that was whole and could be read, and of one
  /// that is unchanged; nil keeps the one before.
  var state: SourceState?
  /// How long the page holds, as far as the service says.
  var freshFor: Duration?
  /// What the board is called, as a feed says it with every page.
  var title: String?
  /// Where the source is from now on, after a permanent redirect that gave this page.
  var movedTo: String?
  /// Why not all that the service sent is here; the reader is told. Such a page is given no `state`, since "as before"
  /// would be taken for all of it.
  var notice: RPCError?
}
