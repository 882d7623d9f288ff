import Contract
import Kit
import Store
import Wire

enum ShowItem: ReadMethod {
  static let name = "changes/item"
  static let summary =
    "The current item of a change, in any collection, as in other replies, with its title. It serves clients that have "
    + "no code for the collection. Works offline. An item that is removed, or that no reply shows, has its stored "
    + "fields."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var collection: String
    var id: ItemID
    var listed: Bool?
    static let example = Params(collection: "projects", id: "0192", listed: nil)
    static let fields = [
      "collection": "The item's collection.", "id": "The item.",
      "listed": "`true` omits long fields as lists do, such as the body of a card.",
    ]
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
      static let fields = ["title": "The item's title, or empty."]
    }

    static let example = Result(
      collection: "projects", id: "0192", exists: true, item: ["id": "0192", "title": "Return the book"],
      display: .example)
    static let fields = [
      "collection": "The item's collection.", "id": "The item.", "exists": "False if the item was removed.",
      "item": "The item. The schema with this `x-collection` describes it.", "display": "Strings for people.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let (name, id) = (params.collection, params.id.text)
    try checkCollections([name], field: "collection", in: snapshot.services)
    guard let collection = snapshot.services.library.collection(name) else { throw RPCError.notFound(name, id: id) }
    let stored = try collection.values(id, collection.columns.labels.keys.sorted(), snapshot.db)
    guard var item = try collection.payload(id, snapshot) ?? fields(stored, of: id, collection, in: snapshot) else {
      throw RPCError.notFound(name, id: id)
    }
    let title = collection.title(of: item) ?? ""
    if params.listed == true, case .object(let shape) = collection.shape(), case .object(var members) = item {
      for member in shape.fields where !member.isListed { members[member.name] = nil }
      item = .object(members)
    }
    return Result(
      collection: name, id: params.id, exists: stored != nil, item: item, display: .init(title: title))
  }

  /// The stored fields of an item that no reply shows, or the fields that it had when it was removed.
  private static func fields(
    _ stored: JSONObject?, of id: String, _ collection: ItemCollection, in snapshot: Snapshot
  ) throws -> JSONValue? {
    guard let stored else {
      return try ItemVersion.history(of: collection.name, id: id, before: nil, limit: 1, in: snapshot).first?.before
        .map(collection.visible)
    }
    return collection.visible(.object(JSONObject([.init(key: "id", value: .string(id))] + stored.members)))
  }
}
