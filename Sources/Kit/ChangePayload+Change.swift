import Contract
import Store

extension ChangePayload {
  package init(_ change: Change) {
    self.init(
      collection: change.collection, id: change.id, kind: Kind(rawValue: change.kind.rawValue) ?? .updated,
      revision: change.revision, fields: change.fields.isEmpty ? nil : change.fields)
  }
}
