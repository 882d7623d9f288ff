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

  private struct Question: Equatable {
    var cursor: Int64
    var told: Int64
    var filter: ChangeFilter
  }

  private let feed: ChangeFeed
  private let epoch: String
  private var last: (question: Question, notice: Notice)?

  init(feed: ChangeFeed, epoch: String) {
    self.feed = feed
    self.epoch = epoch
  }

  var head: Int64 { feed.head }

  /// The changes after `cursor`; nil if there are none. The second clock is that of the client's last notification.
  func next(behind cursor: Int64, told: Int64, filter: ChangeFilter) -> Notice? {
    let question = Question(cursor: cursor, told: told, filter: filter)
    let head = feed.head
    guard cursor < head else { return nil }
    if let last, last.notice.clock == head, last.question == question { return last.notice }
    guard let delta = feed.delta(since: cursor) else { return nil }
    let notice = Notice(clock: delta.clock, bytes: bytes(of: delta, told: told, filter: filter))
    last = (question, notice)
    return notice
  }

  private func bytes(of delta: Delta, told: Int64, filter: ChangeFilter) -> [UInt8]? {
    let counts = filter == .everything ? delta.counts : delta.counts.filter(filter.admits)
    guard let content = filtered(delta.content, by: filter) ?? (counts.isEmpty ? nil : .changes([])) else { return nil }
    let admitted = Delta(since: told, clock: delta.clock, content: content, counts: counts)
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
