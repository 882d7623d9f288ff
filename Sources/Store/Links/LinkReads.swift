import SQLite
import Wire

/// A link in the library, with the item whose text contains it.
package struct StoredLink: Sendable {
  package var source: ItemKey
  /// The field of the source that contains it.
  package var field: String
  /// Identifies the link within its field.
  package var name: String
  /// For `[[title]]`: the title in the form in which titles are compared.
  package var key: String?
  package var target: ItemKey?

  /// Its position in a list of links, in `LinkReads.order`.
  package var place: [SQLValue] { [.text(source.id), .text(source.collection), .text(field), .text(name)] }
}

/// The target of a title.
package struct ResolvedTitle: Sendable, Equatable {
  /// Nil if no item has the title or had it.
  package var item: ItemKey?
  /// All possible targets, with `item` first; at most one if the title is unambiguous.
  package var candidates: [ItemKey] = []
  /// Whether they had the title, and no item has it now.
  package var isFormer = false

  package var isAmbiguous: Bool { candidates.count > 1 }
}

/// Queries the tables of links.
///
/// A title means, in this order:
///
/// 1. in an item whose link led to another item that has given the title up since: that item, even if another one has
/// the title now;
/// 2. the item that has the title;
/// 3. the item that gave the title up, where its collection keeps former titles or a link led to it by that title.
///
/// If several items match, the item that was created first is meant, so that a newer item takes no link from another;
/// and the link is reported as ambiguous, with all candidates.
package struct LinkReads {
  private let db: Database

  package init(_ snapshot: Snapshot) {
    db = snapshot.db
  }

  // MARK: - Titles

  /// The most candidates that are reported.
  package static let mostCandidates = 10

  /// - Parameter source: the item that contains the title; nil for user input.
  /// - Throws: `DatabaseError`.
  package func resolve(key: String, in source: ItemKey?) throws -> ResolvedTitle {
    if let pinned = try source.flatMap({ try self.pinned(key, in: $0) }) {
      return ResolvedTitle(item: pinned, candidates: [pinned])
    }
    for isFormer in [false, true] {
      var items: [ItemKey] = []
      try db.each(
        "SELECT collection, item FROM linkTitle WHERE key = ? AND isFormer = ? ORDER BY at, collection, item LIMIT ?",
        [.text(key), .bool(isFormer), .integer(Self.mostCandidates)]
      ) { items.append(Self.key($0)) }
      if let first = items.first { return ResolvedTitle(item: first, candidates: items, isFormer: isFormer) }
    }
    return ResolvedTitle()
  }

  /// The same for a title as it was written, before normalization.
  ///
  /// - Throws: `DatabaseError`.
  package func resolve(title: String, in source: ItemKey?) throws -> ResolvedTitle {
    guard let key = LinkRow.key(of: title) else { return ResolvedTitle() }
    return try resolve(key: key, in: source)
  }

  /// The items that have a title, the newest first, at most `mostCandidates`.
  ///
  /// - Throws: `DatabaseError`.
  package func newest(called title: String) throws -> [ItemKey] {
    guard let key = LinkRow.key(of: title) else { return [] }
    var items: [ItemKey] = []
    try db.each(
      "SELECT collection, item FROM linkTitle WHERE key = ? AND isFormer = 0 ORDER BY at DESC, collection, item LIMIT ?",
      [.text(key), .integer(Self.mostCandidates)]
    ) { items.append(Self.key($0)) }
    return items
  }

  /// The item that gave a title up and that the title still means in `source`; nil in most cases.
  ///
  /// - Throws: `DatabaseError`.
  package func pinned(_ key: String, in source: ItemKey) throws -> ItemKey? {
    try db.first(
      """
      SELECT collection, item FROM linkPin WHERE sourceCollection = ? AND source = ? AND key = ?
      ORDER BY collection, item LIMIT 1
      """, [.text(source.collection), .text(source.id), .text(key)], Self.key)
  }

  /// The items of a collection that have a title, the oldest first, at most `mostCandidates`; if there is none, those
  /// that had it.
  ///
  /// - Throws: `DatabaseError`.
  package func items(of collection: String, called title: String) throws -> [String] {
    guard let key = LinkRow.key(of: title) else { return [] }
    for isFormer in [false, true] {
      let items = try db.texts(
        """
        SELECT item FROM linkTitle WHERE key = ? AND isFormer = ? AND collection = ? ORDER BY at, item LIMIT ?
        """, [.text(key), .bool(isFormer), .text(collection), .integer(Self.mostCandidates)])
      if !items.isEmpty { return items }
    }
    return []
  }

  /// Links to items: for each `[[title]]` if that leads to the item and to nothing else, else
  /// `[[commonplace:/…][title]]`. One statement resolves all titles.
  ///
  /// - Parameter items: each with its title and its stable link.
  /// - Throws: `DatabaseError`.
  package func written(to items: [(item: ItemKey, title: String, link: String)]) throws -> [String] {
    let shorts = items.map { Self.short($0.title) }
    let asked = zip(items, shorts).enumerated().compactMap { place, found -> JSONValue? in
      found.1.key.map {
        [.integer(Int64(place)), .string(found.0.item.collection), .string(found.0.item.id), .string($0)]
      }
    }
    var isOnly = Array(repeating: false, count: items.count)
    if !asked.isEmpty {
      let json = String(decoding: JSONWriter.bytes(of: .array(asked)), as: UTF8.self)
      try db.each(Self.only, { $0.add(json) }, { isOnly[$0.int(0)] = true })
    }
    return items.indices.map { place in
      if isOnly[place] { return shorts[place].text }
      let label = items[place].title.replacing("[", with: "(").replacing("]", with: ")")
        .split(whereSeparator: \.isNewline).joined(separator: " ")
      return "[[\(items[place].link)][\(label)]]"
    }
  }

  /// Of a list of places, collections, ids and keys, the places of the items whose titles lead to them alone: no other
  /// item has the title now, or if none has it, had it.
  private static let only = CachedStatement(
    """
    SELECT asked.value ->> 0 FROM json_each(?) asked CROSS JOIN linkTitle t
    ON t.collection = asked.value ->> 1 AND t.item = asked.value ->> 2 AND t.key = asked.value ->> 3
    WHERE NOT EXISTS (
      SELECT 1 FROM linkTitle o WHERE o.key = t.key AND o.isFormer <= t.isFormer
        AND NOT (o.collection = t.collection AND o.item = t.item))
    """)

  /// `[[title]]`, with the key of the title; nil as the key if that is no link, or only a part of it.
  private static func short(_ title: String) -> (text: String, key: String?) {
    // For each title of a completion, and few have one.
    let hasBar = title.utf8.contains(UInt8(ascii: "|"))
    let text = "[[\(hasBar ? title.replacing("|", with: "\\|") : title)]]"
    let links = LinkScan.links(in: text, atMost: 2)
    guard links.count == 1, case .title(let written) = links[0].target, links[0].range.count == text.utf8.count else {
      return (text, nil)
    }
    return (text, LinkRow.key(of: written))
  }

  // MARK: - Links

  private static let columns = "l.collection, l.item, l.field, l.name, l.key, l.targetCollection, l.target"
  private static let pins = """
    SELECT 1 FROM linkPin p WHERE p.sourceCollection = l.collection AND p.source = l.item AND p.key = l.key
    """

  /// Parameters: ?1 is the collection, ?2 the item.
  private static let toItem = """
    SELECT \(columns) FROM link l WHERE l.target = ?2 AND l.targetCollection = ?1
    UNION SELECT \(columns) FROM linkTitle t JOIN link l ON l.key = t.key
      WHERE t.collection = ?1 AND t.item = ?2 AND CASE
        WHEN EXISTS (\(pins)) THEN EXISTS (\(pins) AND p.collection = ?1 AND p.item = ?2)
        ELSE (SELECT m.collection = ?1 AND m.item = ?2 FROM linkTitle m WHERE m.key = l.key
          ORDER BY m.isFormer, m.at, m.collection, m.item LIMIT 1)
        END
    """

  /// Links to a place lead to the item that contains it now, which can differ from the link after the marks of a
  /// document moved to another; a link to a deleted place leads to the item that the link names. A link may also have
  /// the place's own collection and id, and no other item.
  private static func toPlaces(in collection: String, _ places: [CollectionLinks]) -> String {
    let places = places.filter { $0.linking.place?.collection == collection }
    let gone = places.filter { $0.linking.place?.name != nil }.map { place in
      " AND NOT (l.targetCollection = '\(place.name)' "
        + "AND EXISTS (SELECT 1 FROM \(place.table) x WHERE x.id = l.target))"
    }
    let there = places.map { place in
      """
       UNION SELECT \(columns) FROM \(place.table) x JOIN link l ON l.target = x.id
      WHERE x.\(place.linking.place!.column) = ?2 AND l.targetCollection = '\(place.name)'
      """
    }
    return " UNION SELECT \(columns) FROM link l WHERE l.whole = ?2 AND l.wholeCollection = ?1" + gone.joined()
      + there.joined()
  }

  /// The links that lead to an item: by its id, by a place in it, by its title. Newest source first.
  ///
  /// - Parameter places: the collections whose items are places in other items.
  /// - Throws: `DatabaseError`.
  package func links(
    to item: ItemKey, places: [CollectionLinks], after place: [SQLValue]?, offset: Int, limit: Int
  ) throws -> (links: [StoredLink], total: Int, before: Int) {
    let key: [SQLValue] = [.text(item.collection), .text(item.id)]
    return try part(
      of: Self.toItem + Self.toPlaces(in: item.collection, places), key, after: place, offset: offset, limit: limit)
  }

  /// The links in the texts of an item, and of its places.
  ///
  /// - Parameter places: the collections whose items are places in other items.
  /// - Throws: `DatabaseError`.
  package func links(
    from item: ItemKey, places: [CollectionLinks], after place: [SQLValue]?, offset: Int, limit: Int
  ) throws -> (links: [StoredLink], total: Int, before: Int) {
    try part(
      of: Self.from(item.collection, places), [.text(item.collection), .text(item.id)], after: place, offset: offset,
      limit: limit)
  }

  /// Parameters: ?1 is the collection, ?2 the item. `CROSS JOIN` fixes the order: SQLite would read the links of all
  /// places of the library, since `link` has an index for their collection alone.
  static func from(_ collection: String, _ places: [CollectionLinks]) -> String {
    let own = "SELECT \(columns) FROM link l WHERE l.collection = ?1 AND l.item = ?2"
    let ofPlaces = places.filter { $0.linking.place?.collection == collection }.map { place in
      """
       UNION ALL SELECT \(columns) FROM \(place.table) x
      CROSS JOIN link l ON l.collection = '\(place.name)' AND l.item = x.id
      WHERE x.\(place.linking.place!.column) = ?2
      """
    }
    return own + ofPlaces.joined()
  }

  /// The links without a target, and the ambiguous ones.
  ///
  /// - Parameter tables: the table of each collection.
  /// - Throws: `DatabaseError`.
  package func broken(
    tables: [(collection: String, table: String)], after place: [SQLValue]?, offset: Int, limit: Int
  ) throws -> (links: [StoredLink], total: Int, before: Int) {
    let isThere = tables.map { collection, table in
      "WHEN '\(collection)' THEN EXISTS (SELECT 1 FROM \(table) x WHERE x.id = l.target)"
    }.joined(separator: "\n")
    func named(_ isFormer: Int) -> String {
      "(SELECT count(*) FROM (SELECT 1 FROM linkTitle t WHERE t.key = l.key AND t.isFormer = \(isFormer) LIMIT 2))"
    }
    let broken = """
      SELECT \(Self.columns) FROM link l WHERE CASE
        WHEN l.key IS NULL THEN NOT CASE l.targetCollection \(isThere) ELSE 0 END
        WHEN EXISTS (\(Self.pins)) THEN 0
        ELSE CASE \(named(0)) WHEN 1 THEN 0 WHEN 0 THEN \(named(1)) <> 1 ELSE 1 END
        END
      """
    return try part(of: broken, [], after: place, offset: offset, limit: limit)
  }

  /// The item that contains a place.
  ///
  /// - Parameters:
  ///   - column: the column of the place's table with the id of that item.
  /// - Throws: `DatabaseError`.
  package func whole(of place: String, column: String, table: String) throws -> String? {
    try db.texts("SELECT \(column) FROM \(table) WHERE id = ?", [.text(place)]).first
  }

  /// Newest source first.
  package static let order = Keyset(.text("item").descending, .text("collection"), .text("field"), .text("name"))

  private static let found = "found (collection, item, field, name, key, targetCollection, target)"

  private func part(
    of selection: String, _ values: [SQLValue], after place: [SQLValue]?, offset: Int, limit: Int
  ) throws -> (links: [StoredLink], total: Int, before: Int) {
    let with = "WITH \(Self.found) AS (\(selection)) "
    let after = place.map(Self.order.condition) ?? (sql: "1", values: [])
    var links: [StoredLink] = []
    try db.each(
      with + "SELECT * FROM found WHERE \(after.sql) ORDER BY \(Self.order.order) LIMIT ? OFFSET ?",
      values + after.values + [.integer(limit), .integer(offset)]
    ) { row in
      links.append(
        StoredLink(
          source: Self.key(row), field: row.text(2), name: row.text(3), key: row.optionalText(4),
          target: row.isNull(6) ? nil : ItemKey(collection: row.text(5), id: row.text(6))))
    }
    let total = try db.first(with + "SELECT count(*) FROM found", values) { $0.int(0) } ?? 0
    guard place != nil else { return (links, total, offset) }
    let rest =
      try db.first(with + "SELECT count(*) FROM found WHERE \(after.sql)", values + after.values) { $0.int(0) } ?? 0
    return (links, total, total - rest)
  }

  private static func key(_ row: Columns) -> ItemKey { ItemKey(collection: row.text(0), id: row.text(1)) }
}
