import Kit
import Store
import System

/// The state of one client's notifications: a cursor into the ring, and its filter.
struct Follower {
  private let notices: Notices
  private var filter: ChangeFilter?
  /// The clock up to which the ring was read.
  private var cursor: Int64 = 0
  /// The clock of the previous notification; with a filter the cursor is ahead of it.
  private var reported: Int64 = 0
  var isFollowing: Bool { filter != nil }
  /// Notifications begin with `initialized`, or with `changes/subscribe`.
  var hasStarted = false

  init(notices: Notices) {
    self.notices = notices
  }

  /// Sets the filter and returns the clock from which it applies. A client that already follows continues from its
  /// cursor: pending changes are reported with the new filter, and none are lost in between.
  mutating func follow(_ filter: ChangeFilter) -> Int64 {
    if self.filter == nil { cursor = notices.head }
    reported = cursor
    self.filter = filter
    return cursor
  }

  mutating func unfollow() {
    filter = nil
  }

  /// A notification of everything since the last one; nil if there is nothing to report.
  mutating func next() -> [UInt8]? {
    guard hasStarted, let filter, let notice = notices.next(after: cursor, reported: reported, filter: filter) else {
      return nil
    }
    cursor = notice.clock
    if notice.bytes != nil { reported = notice.clock }
    return notice.bytes
  }
}
