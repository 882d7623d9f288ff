import Contract
import Kit
import Store
import Wire

enum ListConflicts: ReadMethod {
  static let name = "changes/conflicts"
  static let summary =
    "Fields with two versions, newest first: the library's, and another from an import or a device. The item keeps the "
    + "library's version until `changes/resolve`."
  static let effects: Effects = .reads

  struct Params: Payload {
    var collection: String?
    var id: ItemID?
    var limit: Int?
    var after: String?
    static let example = Params(collection: "projects", id: "0192", limit: 20, after: nil)
    static let fields = [
      "collection": "Only items of this collection.", "id": "Only this item.",
      "limit": PartFields.limitNote(usually: 50),
      "after": "`next` of the previous page.",
    ]
    static let limits: [String: FieldLimits] = ["limit": .range(1...500), "after": .length(1...256)]
  }
  typealias Result = Page<Conflict>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Conflict> {
    try checkCollections(params.collection.map { [$0] }, field: "collection", in: snapshot.services)
    var listing = ItemListing<ConflictRecord>(by: Keyset.arrival.descending)
    if let collection = params.collection { listing.narrow("collection = ?", [.text(collection)]) }
    if let id = params.id { listing.narrow("item = ?", [.text(id.text)]) }
    // Conflicts of removed items cannot be resolved.
    let library = snapshot.services.library
    let isThere = library.collections.compactMap { library.collection($0) }.map { collection in
      "WHEN '\(collection.name)' THEN EXISTS (SELECT 1 FROM \(collection.table) x WHERE x.id = conflict.item)"
    }
    listing.narrow("CASE collection \(isThere.joined(separator: " ")) ELSE 0 END")
    let part = ListPart(after: params.after, limit: params.limit ?? 50)
    return try listing.page(part, in: snapshot) {
      guard let shown = try ShownConflict($0, in: snapshot) else { throw RPCError.notFound($0.collection, id: $0.item) }
      return try Conflict(shown, isListed: true)
    }
  }
}
