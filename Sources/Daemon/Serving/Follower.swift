import Contract
import Features
import Store
import Wire

/// How far one client was told of changes: a cursor into the ring, and what it wants to know.
struct Follower {
  private let feed: ChangeFeed
  private let epoch: String
  private var filter: ChangeFilter?
  /// How far the ring was looked through.
  private var cursor: Int64 = 0
  /// The clock of the notification before; with a filter the cursor runs ahead of it.
  private var told: Int64 = 0
  var isFollowing: Bool { filter != nil }
  /// Nothing is told before `initialized`, or before `changes/subscribe`.
  var isTold = false

  init(feed: ChangeFeed, epoch: String) {
    self.feed = feed
    self.epoch = epoch
  }

  /// From where the new filter holds. Who was followed before goes on from there: what waits to be told is told, by the
  /// new filter, and nothing falls between the two.
  mutating func follow(_ filter: ChangeFilter) -> Int64 {
    if self.filter == nil { cursor = feed.head }
    told = cursor
    self.filter = filter
    return cursor
  }

  mutating func unfollow() {
    filter = nil
  }

  /// Everything since the last notification, as one; nil when there is nothing to tell.
  mutating func next() -> [UInt8]? {
    guard isTold, let filter, let delta = feed.delta(since: cursor) else { return nil }
    cursor = delta.clock
    guard let content = filtered(delta.content, by: filter) else { return nil }
    let params = DidCommit.Params(epoch: epoch, delta: Delta(since: told, clock: delta.clock, content: content))
    told = delta.clock
    guard let bytes = try? JSONEncoding.bytes(of: params) else { return nil }
    return MessageBytes.notification(method: DidCommit.name, rawParams: bytes)
  }

  private func filtered(_ content: Delta.Content, by filter: ChangeFilter) -> Delta.Content? {
    switch content {
    case .changes(let changes):
      let admitted = filter == .everything ? changes : changes.filter(filter.admits)
      return admitted.isEmpty ? nil : .changes(admitted)
    case .reset(nil): return .reset(filter.collections?.sorted())
    case .reset(let collections?):
      guard let wanted = filter.collections else { return .reset(collections) }
      let both = collections.filter(wanted.contains)
      return both.isEmpty ? nil : .reset(both)
    }
  }
}
