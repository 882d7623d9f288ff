import Contract
import Kit
import Store
import Wire

enum ResolveConflict: WriteMethod {
  static let name = "changes/resolve"
  static let summary = "Resolves a field that has two versions, in one commit. Undoing it restores the conflict."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  enum Take: String, Choice {
    case ours, theirs, both, value
  }

  struct Params: Payload {
    var id: ItemID
    var field: String
    var take: Take
    var value: JSONValue?
    var collection: String?
    var source: String?
    var ifRevision: Int64?
    static let example = Params(
      id: "0192", field: "deadline", take: .theirs, value: nil, collection: nil, source: nil, ifRevision: 42)
    static let fields = [
      "id": "The item.", "field": "The field.",
      "take":
        "`ours` keeps the item's value, `theirs` takes the other version, `both` combines the lines of two texts or "
        + "the elements of two sets, `value` takes the given value. Of the field `removed`, `theirs` removes the item.",
      "value": "With `value`: the field's new value, as in the collection's `update`.",
      "collection": "The item's collection, if several have an item with this id.",
      "source": "Which version, if several sources have one. Default: the newest.",
      "ifRevision": "Fails with `conflict` if the item has another revision.",
    ]
    static let limits: [String: FieldLimits] = ["field": .length(1...64)]
  }

  struct Result: Payload {
    var collection: String
    var id: ItemID
    var item: JSONValue
    static let example = Result(collection: "projects", id: "0192", item: ["id": "0192", "revision": 43])
    static let fields = [
      "collection": "The item's collection.", "id": "The item.",
      "item": "The item as it is now, as its `get` shows it.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    try checkCollections(params.collection.map { [$0] }, field: "collection", in: snapshot.services)
    let id = params.id.text
    let conflicts = try ConflictRecord.all(
      in: snapshot.db, "WHERE item = ? AND field = ? ORDER BY createdAt DESC, id DESC",
      [.text(id), .text(params.field)]
    ).filter { params.collection == nil || $0.collection == params.collection }
    let named = conflicts.first { params.source == nil || $0.source == params.source }
    guard let named, let collection = snapshot.services.library.collection(named.collection) else {
      throw RPCError(
        .notFound, text: Text("changes.noConflict", ["id": id, "field": params.field]),
        data: ["id": .string(id), "field": .string(params.field)])
    }
    if named.field == ConflictRecord.removal {
      try resolveRemoval(of: id, in: collection, params, transaction)
    } else {
      try collection.settle(
        named.field, id, params.ifRevision, choice(params), JSONParser.parse(named.theirs).objectValue ?? [:],
        transaction)
    }
    // The values of other sources differed from the item's too; a user who resolves one has seen the item. Between
    // devices the field is one: what is written now replaces the versions of all.
    for conflict in conflicts where conflict.collection == named.collection {
      let isOfDevices = named.device != nil && conflict.device != nil
      if params.source == nil || conflict.id == named.id || isOfDevices { try transaction.remove(conflict) }
    }
    return Result(
      collection: named.collection, id: params.id, item: try collection.payload(id, snapshot) ?? .null)
  }

  /// Removes the item as the other device did, or keeps it.
  private static func resolveRemoval(
    of id: String, in collection: ItemCollection, _ params: Params, _ transaction: Transaction
  ) throws {
    switch try choice(params) {
    case .ours: return
    case .theirs: try collection.sharing.remove(id, transaction)
    case .both, .value:
      throw RPCError.invalidParams(field: "take", reason: Text("changes.notBoth"))
    }
  }

  private static func choice(_ params: Params) throws(RPCError) -> FieldChoice {
    switch (params.take, params.value) {
    case (.value, let value?): return .value(value)
    case (.value, nil): throw .invalidParams(field: "value", reason: Text("param.missing", ["field": "value"]))
    case (_, .some): throw .invalidParams(field: "value", reason: Text("param.invalid", ["field": "value"]))
    case (.ours, nil): return .ours
    case (.theirs, nil): return .theirs
    case (.both, nil): return .both
    }
  }
}
