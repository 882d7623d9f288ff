import Contract
import SQLite
import SearchEngine
import Store
import Wire

/// A selection and an order of the items of a collection. Each page continues after the last item of the previous one,
/// even if items were inserted or deleted meanwhile.
package struct ItemListing<Item: StoredItem> {
  package let order: Keyset
  package private(set) var conditions: [String] = []
  private var values: [SQLValue] = []
  /// Whether the list contains all requested items.
  package private(set) var isWhole = true
  /// Counts for exactly these conditions.
  package var counts: (any ListingCounts)?

  package init(by order: Keyset) { self.order = order }

  /// Adds a condition.
  package mutating func narrow(_ condition: String, _ values: [SQLValue] = []) {
    conditions.append(condition)
    self.values += values
  }

  /// Restricts the list to items that contain all words of a query; the last word may be a prefix.
  ///
  /// - Throws: `invalidParams` of `query`.
  package mutating func narrow(toWords query: String, in db: Database) throws {
    if query.isBlank { return }
    let asked: MatchQuery
    do {
      asked = try MatchQuery(userText: query, lastIsPrefix: true)
    } catch .tooManyTerms(let limit, _), .tooLong(let limit, _) {
      throw RPCError.invalidParams(field: "query", reason: Text("param.count.maximum", ["maximum": String(limit)]))
    }
    // A query without words or letters matches nothing.
    guard let rows = try MatchingRows(asked, in: [Item.collectionName], db: db) else { return narrow("0") }
    narrow("id IN (SELECT item FROM search_entry WHERE rowid IN (\(rows.sql)))", rows.values)
    isWhole = isWhole && rows.isAll
  }

  /// A page of the list. It ends early at `size`, so that a client can receive every reply.
  ///
  /// - Parameters:
  ///   - size: approximate size in bytes.
  ///   - total: the number of items, if the caller knows it.
  /// - Throws: `RPCError` for a cursor of another list, `StoreError.broken`, `DatabaseError`, and whatever `show`
  ///   throws.
  package func page<Shown: ShownObject>(
    _ part: ListPart, upTo size: Int = ListPart.size, total: Int? = nil, in snapshot: Snapshot,
    _ show: (Item) throws -> ItemJSON<Shown>
  ) throws -> Page<ItemJSON<Shown>> {
    let (place, total, start) = try bounds(part, total, in: snapshot.db)
    let ids = try ids(after: place, part, in: snapshot.db)
    let items = try ItemJSON<Shown>.list(ids.prefix(part.limit), upTo: size, in: snapshot, show)
    let last = items.count < ids.count && !items.isEmpty ? ids[items.count - 1] : nil
    return Page(
      items: items, offset: start, limit: part.limit, total: total, totalIsEstimate: !isWhole,
      next: try last.map { try cursor(of: $0, in: snapshot.db) })
  }

  /// Only the ids: a hundred items may have a hundred megabytes, of which a list shows the beginnings.
  ///
  /// - Throws: `DatabaseError`.
  package func ids(after place: [SQLValue]?, _ part: ListPart, in db: Database) throws -> [String] {
    var (listing, part) = (self, part)
    if let counts, place == nil, let offset = part.offset, offset > 0 {
      let start = try counts.skipping(offset)
      listing.narrow(start.sql, start.values)
      part.offset = start.left
    }
    let (sql, values) = listing.idStatement(after: place, part)
    return try db.texts(sql, values)
  }

  package func idStatement(after place: [SQLValue]? = nil, _ part: ListPart) -> (sql: String, values: [SQLValue]) {
    let (rows, values) = rows(after: place, part)
    return ("SELECT id FROM \(Item.tableName) \(rows)", values)
  }

  private func bounds(
    _ part: ListPart, _ total: Int?, in db: Database
  ) throws -> (place: [SQLValue]?, total: Int, start: Int) {
    let place = try part.after.map { try order.place($0) }
    let total = try total ?? counts?.total() ?? count(in: db)
    let start = try place.map { try total - (counts?.count(after: $0) ?? count(after: $0, in: db)) }
    return (place, total, start ?? part.offset ?? 0)
  }

  /// - Throws: `DatabaseError`.
  package func count(after place: [SQLValue]? = nil, in db: Database) throws -> Int {
    let (sql, values) = countStatement(after: place)
    return try db.first(sql, values) { $0.int(0) } ?? 0
  }

  package func countStatement(after place: [SQLValue]? = nil) -> (sql: String, values: [SQLValue]) {
    let (condition, values) = selection(after: place)
    return ("SELECT count(*) FROM \(Item.tableName) WHERE \(condition)", values)
  }

  /// Selects one row more than the limit, to detect whether there are more.
  private func rows(after place: [SQLValue]?, _ part: ListPart) -> (sql: String, values: [SQLValue]) {
    let (condition, values) = selection(after: place)
    return (
      "WHERE \(condition) ORDER BY \(order.order) LIMIT ? OFFSET ?",
      values + [.integer(part.limit + 1), .integer(place == nil ? part.offset ?? 0 : 0)]
    )
  }

  private func selection(after place: [SQLValue]?) -> (condition: String, values: [SQLValue]) {
    guard let place else { return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), values) }
    let after = order.condition(after: place)
    return ((conditions + [after.sql]).joined(separator: " AND "), values + after.values)
  }

  /// - Throws: `DatabaseError`.
  package func cursor(of id: String, by order: Keyset? = nil, in db: Database) throws -> String {
    let order = order ?? self.order
    let statement = "SELECT \(order.columns) FROM \(Item.tableName) WHERE id = ?"
    return order.cursor(try db.first(statement, [.text(id)]) { order.place($0) } ?? [])
  }
}

extension ItemJSON {
  /// The items of these ids, as many as `size` bytes hold, and one at least.
  ///
  /// - Throws: `RPCError.notFound` for an id without an item, `StoreError.broken`, `DatabaseError`, and whatever `show`
  ///   throws.
  public static func list<Item: StoredItem>(
    _ ids: ArraySlice<String>, upTo size: Int, in snapshot: Snapshot, _ show: (Item) throws -> ItemJSON
  ) throws -> [ItemJSON] {
    var items: [ItemJSON] = []
    var total = 0
    for id in ids {
      let item = try show(snapshot.get(Item.self, id: id))
      total += item.bytes.count
      if total > size, !items.isEmpty { break }
      items.append(item)
    }
    return items
  }
}
