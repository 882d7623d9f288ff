import Contract
import HTTP
import Store

/// A service with boards: groupware, a forum, a feed. Each kind is a plug-in, a folder beside this file and a line in
/// `BoardSources.usual`.
///
/// A source holds no state and stores nothing: data for its next request are returned as `SourceState`. It uses the
/// network through `Services.http` alone, with a budget of the whole service, and stops when its task is cancelled.
/// The library requests one page of a board at a time.
///
/// Its data are hostile until they are checked here: texts are well-formed without U+0000, bodies are sanitised,
/// numbers and instants are in range, and unreadable parts of a post are left out, never the post.
protocol BoardSource: Sendable {
  /// Whether `search` is supported; otherwise the library's own posts are searched.
  var canSearch: Bool { get }

  /// The boards. The first call for a source that is being added, and then once in a while.
  ///
  /// If one request returns boards and posts alike, as for a feed, the pages are included, so that nothing is
  /// requested twice.
  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards

  /// A page of a board: the first if `cursor` is nil, else the one that an earlier page named as `next`.
  ///
  /// `state` is from the first page; only the first page may be reported as unchanged.
  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage

  /// One post with its whole body, by its ids.
  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost

  /// A page of the service's search results. Only called if `canSearch` is true, never for a blank text.
  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage
}

/// The address of a source, from the user or an imported file.
struct SourceAddress: Sendable {
  var kind: SourceKind
  /// An http or https URL in the form that is sent (`WebURL.text`): without a user part, perhaps without a path.
  var url: String
  /// The name of a credential of config.toml. Its value is read when a request is made, and stored nowhere.
  var credential: String?
  /// The priority of the waiting caller.
  var priority = RequestPriority(.interactive)
  /// The URL that the user gave, if the source has moved since. The credential is for that place.
  var given: String?
  /// Whether a person typed the URL, rather than a file of unknown origin. See `HTTPRequest.isNamedByContent`.
  var isTyped = true
  /// The elements of a page without a feed that are its posts, as CSS.
  var items: String?
}

/// A query for a source.
struct SourceQuery: Sendable, Equatable {
  /// The source's own id of the board to search.
  var board: String
  var text: String
  var target: SearchTarget
}

/// Data that a source wants back with its next request of the same kind, such as validators: stored unchanged, and
/// read only by the source. It is dropped when the URL of the source changes.
struct SourceState: Sendable, Equatable {
  /// In a form of the source's own, at most 64 KiB.
  var text: String
}

/// The name of a source's kind in `boards/addSource`.
enum SourceKind: String, Choice, StoredWord {
  case mailplug, discourse, feed, greader

  /// Its name for people.
  var title: String {
    switch self {
    case .mailplug: "MailPlug"
    case .discourse: "Discourse"
    case .feed: "RSS"
    case .greader: "Google Reader API"
    }
  }

  /// Whether its service stores marks of the user, so that its posts and their marks are fetched for all boards at once.
  /// See `MarkingSource`.
  var isAccount: Bool { self == .greader }
}

/// The searched part of posts.
enum SearchTarget: String, Choice {
  case all, title, contents, writer
}
