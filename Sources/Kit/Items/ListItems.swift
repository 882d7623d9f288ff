import Contract
import Store
import Wire

/// Lists the items of a collection, sorted by any sortable field, filtered by words.
package enum ListItems<Shown: SnapshotItem>: ReadMethod {
  package static var name: String { "\(Shown.Item.collectionName)/list" }
  package static var summary: String {
    "The items, in order of addition by default, filtered by words."
  }
  package static var effects: Effects { .reads }
  package typealias Params = ItemListParams<Shown>
  package typealias Result = Page<ItemJSON<Shown>>

  /// - Throws: `invalidParams` of `after`, `StoreError.broken`, `DatabaseError`.
  package static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let sort: String = try params.value("sort") ?? "added"
    var order = Shown.Item.orders.first { sameBytes($0.name, sort) }?.keys ?? .arrival
    if try params.value("descending") == true { order = order.descending }
    var listing = ItemListing<Shown.Item>(by: order)
    try listing.narrow(toWords: params.value("query") ?? "", in: snapshot.db)
    let part = ListPart(
      offset: try params.value("offset"), after: try params.value("after"), limit: try params.value("limit") ?? 100)
    return try listing.page(part, in: snapshot) { try ItemJSON(Shown($0, in: snapshot), isListed: true) }
  }
}

package struct ItemListParams<Shown: SnapshotItem>: FieldParams {
  package let given: JSONObject
  package init(given: JSONObject) { self.given = given }

  package static var typeName: String { "List\(Shown.name)" }
  package static var members: [ObjectShape.Field] {
    let orders = Shown.Item.orders.map(\.name)
    return [
      .param(
        "query", String.self, .optional, limits: .length(0...1_000),
        "Words that an item must contain, the last as a prefix. Empty matches all."),
      ObjectShape.Field(
        name: "sort", shape: .choice("\(typeName).Sort", orders), presence: .optional,
        note: "A field, or the time when items were `added` (default) or last `changed`."),
      .param("descending", Bool.self, .optional, "Whether the greatest come first."),
      .param("offset", Int.self, .optional, limits: .atLeast(0), PartFields.notes(usually: 100)["offset"] ?? ""),
      .param("after", String.self, .optional, limits: .length(1...4_096), "`next` of the previous page."),
      .param("limit", Int.self, .optional, limits: .range(1...1_000), PartFields.limitNote(usually: 100)),
    ]
  }
  package static var atMostOne: [[String]] { PartFields.atMostOne }
  package static var example: ItemListParams { ItemListParams(given: ["query": "reading", "limit": 20]) }
}

extension StoredItem {
  /// The orders in which its list can be requested: by creation or change, and by each visible field with one short
  /// value.
  fileprivate static var orders: [(name: String, keys: Keyset)] {
    [("added", .arrival), ("changed", .change)]
      + fields.all.filter { $0.isShown }.compactMap { field in
        guard let key = field.sortKey else { return nil }
        return (field.wireName, Keyset(key, .text("id")))
      }
  }
}

extension Field {
  /// The sorted length of a text, enough to distinguish most values; then the id decides.
  private static var sortedLength: Int { 60 }

  fileprivate var sortKey: Keyset.Key? {
    switch shape {
    case .integer, .boolean, .text(.instant): .integer("ifnull(\"\(name)\", 0)")
    case .string, .text, .choice:
      traits.contains(.isOmittedInLists) || traits.contains(.isJSON)
        ? nil : .text("substr(fold(ifnull(\"\(name)\", '')), 1, \(Self.sortedLength))")
    default: nil
    }
  }
}
