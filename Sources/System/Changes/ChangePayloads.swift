import Contract
import Store
import Wire

/// `changes/didCommit`: one commit or several merged.
package enum DidCommit: Notification {
  package static let name = "changes/didCommit"
  package static let summary =
    "The library moved on. Sent to every client after `initialized`; on the line framing after `changes/subscribe`."
  package static let since = 1
  package static let direction = Direction.toClient

  package struct Params: Payload {
    package var epoch: String
    package var since: Int64
    package var clock: Int64
    package var changes: [ChangePayload]?
    package var reset: JSONValue?

    package static let example = Params(
      epoch: "0191", since: 41, clock: 42, changes: [.example], reset: nil)
    package static let fields = [
      "epoch": "The copy of the library that `clock` belongs to.",
      "since": "The clock of the notification before, so that a gap can be seen.",
      "clock": "The state that is told of.",
      "changes": "What changed, at most 1,000 items; absent where there is `reset`.",
      "reset": "`true`, or the collections to fetch again: too much changed to be listed.",
    ]

    package init(epoch: String, since: Int64, clock: Int64, changes: [ChangePayload]?, reset: JSONValue?) {
      self.epoch = epoch
      self.since = since
      self.clock = clock
      self.changes = changes
      self.reset = reset
    }

    package init(epoch: String, delta: Delta) {
      self.init(epoch: epoch, since: delta.since, clock: delta.clock, changes: nil, reset: nil)
      switch delta.content {
      case .changes(let changes): self.changes = changes.map(ChangePayload.init)
      case .reset(nil): reset = true
      case .reset(let collections?): reset = .array(collections.map(JSONValue.string))
      }
    }
  }
}

package struct ChangePayload: Payload {
  package enum Kind: String, Choice {
    case added, updated, removed
  }

  package var collection: String
  package var id: String
  package var kind: Kind
  package var revision: Int64
  package var fields: [String]?

  package static let example = ChangePayload(
    Change(collection: "documents", id: "0192", kind: .updated, revision: 42, fields: ["title"]))
  package static let fields = [
    "collection": "Where the item is.", "id": "The item.", "kind": "What happened to it.",
    "revision": "Its revision now; of a removed item its last.",
    "fields": "The names of the changed fields; absent means all.",
  ]

  package init(_ change: Change) {
    collection = change.collection
    id = change.id
    kind = Kind(rawValue: change.kind.rawValue) ?? .updated
    revision = change.revision
    fields = change.fields.isEmpty ? nil : change.fields
  }
}
