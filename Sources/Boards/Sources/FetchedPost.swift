import Contract
import Wire

/// A post from a source, already parsed and sanitised.
struct FetchedPost: Sendable, Equatable {
  /// The author. The address of an anonymous writer is never shown.
  struct Writer: Sendable, Equatable {
    var name = ""
    var address: String?
  }

  /// A body sanitised by `SafeHTML.clean`.
  struct Body: Sendable, Equatable {
    /// An allow-list of HTML that loads nothing.
    var html: String
    /// The same as plain text.
    var text: String
    /// The pictures that the body shows, as http or https URLs in their order.
    var images: [String] = []
    /// Whether it is the whole post; the rest of an excerpt is fetched when the post is read.
    var isWhole = true
    /// The source returned all of it, and that was longer than the stored part.
    var isCut = false
    /// The posts of a thread, whose texts `html` and `text` contain one after another; empty for a body of one post.
    var parts: [ThreadPart] = []
  }

  typealias Attachment = PostAttachment

  /// The service's own id: the same for the same post, whatever else of it changes, and unique within the source.
  var id: String
  /// The post's id in every feed that carries it: a URL or a `tag:`. See `PostIdentity`.
  var globalID: String?
  /// Where people read it, absolute.
  var link: String?
  /// Plain text, perhaps empty.
  var title = ""
  var writer: Writer?
  var isAnonymous = false
  /// Nil if the list does not contain it.
  var body: Body?
  /// When it was written; nil if that cannot be parsed.
  var publishedAt: Instant?
  /// The same in the service's own form.
  var publishedText: String?
  /// When it was edited, according to the service.
  var editedAt: Instant?
  /// The time that orders it if that is not `publishedAt`, such as the last answer in a forum.
  var listedAt: Instant?
  /// The service's word, `notice`.
  var kind: String?
  /// Listed before all unpinned ones, whatever its date.
  var isPinned = false
  var hasReply = false
  /// According to the service; the badge depends on the user's day.
  var isNewPost: Bool?
  var isOwner: Bool?
  var hasInlineImage: Bool?
  var viewCount: Int?
  var commentsCount: Int?
  /// May be known even if the attachments are not.
  var attachmentsCount: Int?
  var attachments: [Attachment] = []
  var categories: [String] = []
  /// The user's marks on it at the service; nil for a service that stores none.
  var mark: RemoteMark?
}

/// A board from a source.
struct FetchedBoard: Sendable, Equatable {
  /// The service's own id, unique within the source. A feed has one board.
  var id: String
  /// Plain text; empty if the service has none.
  var displayName: String
  /// The number of posts according to the service.
  var total: Int?
}

/// All boards of a source.
struct FetchedBoards: Sendable, Equatable {
  /// In the service's order.
  var boards: [FetchedBoard]
  /// The source's name, for a source that has no title of its own.
  var title: String?
  /// The envelope of a list, in the service's form.
  var total: Int?
  /// First pages that were included, by board.
  var pages: [String: PostPage] = [:]
  /// The source's new URL: the feed that a page named, or the target of a permanent redirect.
  var movedTo: String?
  /// Nothing has changed since `state`: `boards` and `pages` are empty.
  var isUnchanged = false
  var state: SourceState?
  /// How long the response is valid, if the service states it.
  var freshFor: Duration?
}

/// A page of posts.
struct PostPage: Sendable, Equatable {
  /// In the service's order; a post may be one that another page had already.
  var posts: [FetchedPost]
  /// Names the next page; nil at the end.
  var next: String?
  /// The number of posts according to the service; it may grow, shrink and be wrong.
  var total: Int?
  /// Nothing has changed since `state`: `posts` is empty.
  var isUnchanged = false
  /// To be sent with the next request of the first page. Only for a page that was complete and could be read, and for
  /// an unchanged one; nil leaves the previous state.
  var state: SourceState?
  /// How long the page is valid, if the service states it.
  var freshFor: Duration?
  /// The board's title, as a feed states it with every page.
  var title: String?
  /// The source's new URL, after a permanent redirect that led to this page.
  var movedTo: String?
  /// Why the page is incomplete; shown to the user. Such a page gets no `state`, since “not modified” would be
  /// understood as all of it.
  var notice: RPCError?
}
