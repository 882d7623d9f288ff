import Contract
import Store
import Wire

/// `changes/didCommit`: one commit or several merged.
package enum DidCommit: Notification {
  package static let name = "changes/didCommit"
  package static let summary =
    "The library changed. Sent to every client after `initialized`; with line framing after `changes/subscribe`."
  package static let direction = Direction.toClient

  package struct Params: Payload {
    package var epoch: String
    package var since: Int64
    package var clock: Int64
    package var changes: [ChangePayload]?
    package var reset: JSONValue?
    package var counts: [CountPayload]?

    package static let example = Params(
      epoch: "0191", since: 41, clock: 42, changes: [.example], reset: nil, counts: [.example])
    package static let fields = [
      "epoch": "The copy of the library that `clock` belongs to.",
      "since": "The clock of the previous notification, so that a gap can be detected.",
      "clock": "The state after these changes.",
      "changes": "The changed items, at most 1,000; absent if there is `reset`.",
      "reset": "`true`, or the collections to refetch: too many items changed to list them.",
      "counts":
        "Counts that changed, as of `clock`, also beside `reset`: unread posts of boards, of their sources, and of the "
        + "library. Absent if none changed, and in the reply of `changes/since`.",
    ]

    package init(
      epoch: String, since: Int64, clock: Int64, changes: [ChangePayload]?, reset: JSONValue?,
      counts: [CountPayload]? = nil
    ) {
      self.epoch = epoch
      self.since = since
      self.clock = clock
      self.changes = changes
      self.reset = reset
      self.counts = counts
    }

    package init(epoch: String, delta: Delta) {
      self.init(epoch: epoch, since: delta.since, clock: delta.clock, changes: nil, reset: nil)
      switch delta.content {
      case .changes(let changes): self.changes = changes.map(ChangePayload.init)
      case .reset(nil): reset = true
      case .reset(let collections?): reset = .array(collections.map(JSONValue.string))
      }
      if !delta.counts.isEmpty { counts = delta.counts.map(CountPayload.init) }
    }
  }
}

/// A changed count, for a badge.
package struct CountPayload: Payload {
  package var collection: String
  package var id: String?
  package var field: String
  package var count: Int

  package static let example = CountPayload(
    ItemCount(ItemCount.Key(collection: "boards", id: "0192", field: "unread"), 12))
  package static let fields = [
    "collection": "The item's collection; for the library's count, the collection counted.",
    "id": "The item; absent for the library's count.",
    "field": "The member of the item that is the count, such as `unread`.", "count": "The count now.",
  ]

  package init(_ count: ItemCount) {
    (collection, id, field) = (count.key.collection, count.key.id, count.key.field)
    self.count = count.count
  }
}
