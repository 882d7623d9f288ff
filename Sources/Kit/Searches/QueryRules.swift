import Contract
import SearchEngine
import Store
import Wire

/// A rule that the user gave: what happens to the items of a collection that match a query.
package protocol QueryRule: StoredItem {
  /// The collection of its items.
  static var ruled: String { get }
  /// The most rules of a library: each runs on every new item.
  static var most: Int { get }
  /// The query.
  var text: String { get }
}

extension QueryRule {
  /// The query of a rule.
  ///
  /// - Throws: `invalidParams` of `text`, with the place in it.
  package static func query(_ text: String, in snapshot: Snapshot) throws -> ItemQuery {
    guard let compile = snapshot.services.library.itemQuery else { throw RPCError.internalError }
    return try compile(text, "text", ruled, snapshot)
  }

  /// - Parameter refusal: the sentence for a library that has all it can have, with the number as `most`.
  /// - Throws: `RPCError` of the kind `notAllowed`, `DatabaseError`.
  package static func requireRoom(orElse refusal: String, in transaction: Transaction) throws {
    let count = try transaction.db.first("SELECT count(*) FROM \(tableName)") { $0.int(0) } ?? 0
    guard count < most else { throw RPCError(.notAllowed, text: Text(refusal, ["most": String(most)])) }
  }

  /// In the order in which they run: that of their addition. No more than a client can add, whatever an archive
  /// brought.
  ///
  /// - Throws: `DatabaseError`.
  package static func all(in snapshot: Snapshot) throws -> [Self] {
    try all(in: snapshot.db, "WHERE 1 ORDER BY createdAt, id LIMIT ?", [.integer(most)])
  }
}

/// The rules of a library that can run, in their order. A rule whose query has become invalid does nothing, and the list
/// of rules states why.
package struct QueryRules<Rule: QueryRule> {
  package private(set) var rules: [Rule] = []
  private let queries: ItemQueries

  /// - Parameter only: the id of the one rule to run; nil for all.
  /// - Throws: `DatabaseError`.
  package init(only: String? = nil, in snapshot: Snapshot) throws {
    var queries: [ItemQuery] = []
    for rule in try Rule.all(in: snapshot) where only.map({ sameBytes($0, rule.id) }) ?? true {
      do {
        queries.append(try Rule.query(rule.text, in: snapshot))
        rules.append(rule)
      } catch is RPCError {
        continue
      }
    }
    self.queries = ItemQueries(queries)
  }

  /// The rules that match an item, which is in the library, by their places in `rules`.
  ///
  /// - Parameter isTested: whether a rule is to be tested.
  /// - Throws: `DatabaseError`.
  package func matching(
    _ item: SearchEntry, in snapshot: Snapshot, where isTested: (Int) -> Bool = { _ in true }
  ) throws -> [Int] {
    try queries.matching(item, in: snapshot.db, where: isTested)
  }
}
