import Contract
import HTTP
import Store

/// A service that boards come from, seen from the boards: a groupware, a forum, a feed. Each kind is a plug-in, a folder
/// beside this file and a line in `BoardSources.usual`.
///
/// A source holds no state and keeps nothing: what it wants to know the next time it hands out as `SourceState`. It asks
/// the world through `Services.http` alone, with a budget of the whole service, and stops when its task is cancelled.
/// The library asks for one page of a board at a time.
///
/// What comes from here is hostile until it was looked at: texts are well-formed without U+0000, bodies were made safe,
/// numbers and instants are in range, and whatever of a post cannot be read is left out, never the post.
protocol BoardSource: Sendable {
  /// Whether `search` is answered; otherwise the library searches in what it has.
  var canSearch: Bool { get }

  /// The boards. The first call for a source that is being added, and then once in a while.
  ///
  /// Where one request gives boards and posts alike, as of a feed, the pages come along, so that nothing is asked twice.
  func boards(_ state: SourceState?) async throws(SourceFailure) -> FetchedBoards

  /// A page of a board: the first where `cursor` is nil, else the one that a page before named as `next`.
  ///
  /// `state` is what the first page had given; only the first page may be answered as unchanged.
  func posts(of board: String, at cursor: String?, state: SourceState?) async throws(SourceFailure) -> PostPage

  /// One post with its whole body, by the ids that it came with.
  func post(_ id: String, of board: String) async throws(SourceFailure) -> FetchedPost

  /// A page of what the service finds. Only asked where `canSearch` is true, never for a blank text.
  func search(_ query: SourceQuery, at cursor: String?) async throws(SourceFailure) -> PostPage
}

/// Where a source is, as the reader or an imported file gave it.
struct SourceAddress: Sendable {
  var kind: SourceKind
  /// An http or https URL in the form that is sent (`WebURL.text`): without a user part, perhaps without a path.
  var url: String
  /// The name of a credential of config.toml. Its value is asked for when a request is made, and kept nowhere.
  var credential: String?
  /// Who waits for the answer.
  var priority = RequestPriority(.interactive)
  /// The URL that the reader gave, where the source has moved since. His credential is for that place.
  var given: String?
  /// Whether a person typed the URL, rather than a file that somebody may have sent. See `HTTPRequest.isNamedByContent`.
  var isTyped = true
}

/// What a source is asked to look for.
struct SourceQuery: Sendable, Equatable {
  /// The source's own id of the board to look in.
  var board: String
  var text: String
  var target: SearchTarget
}

/// What a source wants to be given back with its next request of the same kind, such as validators: kept as it is, and
/// read by nobody else. It is dropped when the URL of the source changes.
struct SourceState: Sendable, Equatable {
  /// In a form of the source's own, at most 64 KiB.
  var text: String
}

/// What a source is called by `boards/addSource`.
enum SourceKind: String, Choice, StoredWord {
  case mailplug, discourse, feed

  /// Its name for people.
  var title: String {
    switch self {
    case .mailplug: "MailPlug"
    case .discourse: "Discourse"
    case .feed: "RSS"
    }
  }

  /// The URL that every request to the service at `url` begins with: the same for all addresses of one service.
  func service(at url: String) -> String {
    switch self {
    case .mailplug: MailplugSource.base(url)
    case .discourse: DiscourseSource.base(url)
    case .feed: url
    }
  }
}

/// Where a word is looked for.
enum SearchTarget: String, Choice {
  case all, title, contents, writer
}
