/// The change of one item, as notifications and dry runs list it.
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
    collection: "documents", id: "0192", kind: .updated, revision: 42, fields: ["title"])
  package static let fields = [
    "collection": "The item's collection.", "id": "The item.", "kind": "What happened to it.",
    "revision": "Its revision now; for a removed item, its last.",
    "fields": "The names of the changed fields; absent if all.",
  ]

  package init(collection: String, id: String, kind: Kind, revision: Int64, fields: [String]?) {
    (self.collection, self.id, self.kind, self.revision, self.fields) = (collection, id, kind, revision, fields)
  }
}
