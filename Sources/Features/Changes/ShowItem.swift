import Contract
import Store
import Wire

enum ShowItem: ReadMethod {
  static let name = "changes/item"
  static let summary =
    "The item of a change, whatever its collection, as a client needs it that has no code for the collection: as replies "
    + "show it, with its title. Nobody outside is asked. Of a removed item the columns that were kept last."
  static let since = 1
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var collection: String
    var id: ItemID
    static let example = Params(collection: "projects", id: "0192")
    static let fields = ["collection": "The item's collection.", "id": "The item."]
  }

  struct Result: Payload {
    var collection: String
    var id: ItemID
    var exists: Bool
    var item: JSONValue
    var display: Display

    struct Display: Payload {
      var title: String
      static let example = Display(title: "Return the book")
      static let fields = ["title": "The item's title; empty where it has none."]
    }

    static let example = Result(
      collection: "projects", id: "0192", exists: true, item: ["id": "0192", "title": "Return the book"],
      display: .example)
    static let fields = [
      "collection": "The item's collection.", "id": "The item.", "exists": "False of a removed item.",
      "item": "The item; the schema with this `x-collection` describes it.", "display": "Strings for people.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let (name, id) = (params.collection, params.id.text)
    try checkCollections([name], field: "collection", in: snapshot.services)
    guard let collection = snapshot.services.library.collection(name) else { throw RPCError.notFound(name, id: id) }
    let payload = try collection.payload(id, snapshot)
    let kept =
      try payload == nil
      ? ItemVersion.history(of: name, id: id, before: nil, limit: 1, in: snapshot).first?.before : nil
    guard let item = payload ?? kept.map(collection.columns.visible) else { throw RPCError.notFound(name, id: id) }
    return Result(
      collection: name, id: params.id, exists: payload != nil, item: item,
      display: .init(title: collection.title(of: item) ?? ""))
  }
}
