import Kit
import Store
import System

/// How far one client was told of changes: a cursor into the ring, and what it wants to know.
struct Follower {
  private let notices: Notices
  private var filter: ChangeFilter?
  /// How far the ring was looked through.
  private var cursor: Int64 = 0
  /// The clock of the notification before; with a filter the cursor runs ahead of it.
  private var told: Int64 = 0
  var isFollowing: Bool { filter != nil }
  /// Nothing is told before `initialized`, or before `changes/subscribe`.
  var isTold = false

  init(notices: Notices) {
    self.notices = notices
  }

  /// From where the new filter holds. Who was followed before goes on from there: what waits to be told is told, by the
  /// new filter, and nothing falls between the two.
  mutating func follow(_ filter: ChangeFilter) -> Int64 {
    if self.filter == nil { cursor = notices.head }
    told = cursor
    self.filter = filter
    return cursor
  }

  mutating func unfollow() {
    filter = nil
  }

  /// Everything since the last notification, as one; nil when there is nothing to tell.
  mutating func next() -> [UInt8]? {
    guard isTold, let filter, let notice = notices.next(behind: cursor, told: told, filter: filter) else { return nil }
    cursor = notice.clock
    if notice.bytes != nil { told = notice.clock }
    return notice.bytes
  }
}
