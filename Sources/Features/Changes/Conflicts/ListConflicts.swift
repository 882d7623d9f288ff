import Contract
import Store
import Wire

enum ListConflicts: ReadMethod {
  static let name = "changes/conflicts"
  static let summary =
    "The fields of which two versions stand, the last first: an import, or another device, brought something else than was "
    + "written here. The items have the version of here until `changes/resolve`."
  static let since = 1
  static let effects: Effects = .reads

  struct Params: Payload {
    var collection: String?
    var id: ItemID?
    var limit: Int?
    var after: String?
    static let example = Params(collection: "projects", id: "0192", limit: 20, after: nil)
    static let fields = [
      "collection": "Only of items of this collection.", "id": "Only of this item.",
      "limit": "How many at most. Default 50.", "after": "`next` of the part before.",
    ]
    static let limits: [String: FieldLimits] = ["limit": .range(1...500), "after": .length(1...256)]
  }
  typealias Result = Page<Conflict>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Conflict> {
    try checkCollections(params.collection.map { [$0] }, field: "collection", in: snapshot.services)
    let conditions = [
      ("collection = ?", params.collection.map { SQLValue.text($0) }),
      ("item = ?", params.id.map { .text($0.text) }),
    ].compactMap { condition in condition.1.map { (condition.0, $0) } }
    let place = conditions.map(\.0).joined(separator: " AND ")
    // Without the versions, which may be long; and without those of items that are gone, which are nobody's to settle.
    var ids: [String] = []
    try snapshot.db.each(
      "SELECT id, collection, item FROM conflict \(place.isEmpty ? "" : "WHERE \(place)") ORDER BY createdAt DESC, id DESC",
      conditions.map(\.1)
    ) { row in
      if try isThere(row.text(2), of: row.text(1), in: snapshot) { ids.append(row.text(0)) }
    }
    let offset = try params.after.map { try start(behind: $0, in: ids) } ?? 0
    let limit = params.limit ?? 50
    let part = ids.dropFirst(offset).prefix(limit)
    let items = try part.compactMap { id in
      try snapshot.find(ConflictRecord.self, id: id).flatMap { try ShownConflict($0, in: snapshot) }.map {
        try Conflict($0)
      }
    }
    return Page(
      items: items, offset: offset, limit: limit, total: ids.count, next: part.endIndex < ids.endIndex ? part.last : nil
    )
  }

  private static func isThere(_ id: String, of collection: String, in snapshot: Snapshot) throws -> Bool {
    guard let table = snapshot.services.library.collection(collection)?.table else { return false }
    return try snapshot.db.first("SELECT 1 FROM \(table) WHERE id = ?", [.text(id)]) { _ in true } ?? false
  }

  private static func start(behind id: String, in ids: [String]) throws(RPCError) -> Int {
    guard let place = ids.firstIndex(where: { sameBytes($0, id) }) else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": id]))
    }
    return place + 1
  }
}
