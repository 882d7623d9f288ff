import Contract
import Store

/// A service where the user also reads: it stores what is read and saved, and accepts marks that were made here.
///
/// Its posts are requested by their ids, all boards at once. See `AccountFetch`.
protocol MarkingSource: BoardSource {
  /// The ids of the unread and of the saved posts, and of the posts that have arrived at the service since a moment;
  /// without one, of its newest posts.
  func listing(since: Instant?) async throws(SourceFailure) -> AccountListing

  /// These posts, with their boards and marks. Posts that the service no longer has are left out.
  func posts(_ ids: [String]) async throws(SourceFailure) -> [PlacedPost]

  /// Sets or removes one mark of posts. Repeating it is harmless.
  func mark(_ ids: [String], _ change: MarkChange) async throws(SourceFailure)
}

/// The marks of the user on a post, as its service stores them.
struct RemoteMark: Sendable, Equatable {
  var isRead = false
  var isSaved = false
}

/// A change of one mark.
enum MarkChange: String, CaseIterable, Sendable {
  case read, unread, saved, unsaved
}

/// A post, and the service's own id of its board.
struct PlacedPost: Sendable, Equatable {
  var board: String
  var post: FetchedPost
}

/// The ids of an account's posts, newest first.
struct AccountListing: Sendable, Equatable {
  var unread: [String]
  var saved: [String]
  var recent: [String]
  /// Whether a post that is not in `unread` is read.
  var hasAllUnread = true
  /// Whether a post that is not in `saved` is unsaved.
  var hasAllSaved = true
}
