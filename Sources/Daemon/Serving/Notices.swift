import Contract
import Kit
import Store
import System
import Wire

/// The commit notifications for the clients of one loop. Confined to that loop.
///
/// Clients that keep up get the same notification, so the last one is cached: a hundred clients cost one merge and one
/// encoding.
final class Notices {
  struct Notice {
    /// The clock up to which it reports.
    var clock: Int64
    /// Nil if nothing passes the filter.
    var bytes: [UInt8]?
  }

  private struct CacheKey: Equatable {
    var cursor: Int64
    var reported: Int64
    var filter: ChangeFilter
  }

  private let feed: ChangeFeed
  private let epoch: String
  private var last: (key: CacheKey, notice: Notice)?

  init(feed: ChangeFeed, epoch: String) {
    self.feed = feed
    self.epoch = epoch
  }

  var head: Int64 { feed.head }

  /// The changes after `cursor` for a client whose last notification reported up to `reported`; nil if there are none.
  func next(after cursor: Int64, reported: Int64, filter: ChangeFilter) -> Notice? {
    let key = CacheKey(cursor: cursor, reported: reported, filter: filter)
    let head = feed.head
    guard cursor < head else { return nil }
    if let last, last.notice.clock == head, last.key == key { return last.notice }
    guard let delta = feed.delta(since: cursor) else { return nil }
    let notice = Notice(clock: delta.clock, bytes: bytes(of: delta, reported: reported, filter: filter))
    last = (key, notice)
    return notice
  }

  private func bytes(of delta: Delta, reported: Int64, filter: ChangeFilter) -> [UInt8]? {
    let counts = filter == .everything ? delta.counts : delta.counts.filter(filter.admits)
    guard let content = filtered(delta.content, by: filter) ?? (counts.isEmpty ? nil : .changes([])) else { return nil }
    let admitted = Delta(since: reported, clock: delta.clock, content: content, counts: counts)
    let params = DidCommit.Params(epoch: epoch, delta: admitted)
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
