import Kit
import SearchEngine
import Store
import Wire

extension ItemQuery {
  /// Creates the query for a text in the language of `search/query`, as far as one collection can answer it.
  ///
  /// - Throws: `invalidParams` of `field`, with the place in the text; `DatabaseError`.
  init(understood text: String, field: String, of collection: String, in snapshot: Snapshot) throws {
    guard
      let source = snapshot.services.library.searchSources.first(where: { sameBytes($0.collection, collection) })
    else { throw RPCError.internalError }
    do {
      guard let root = try QueryParser.parse(text) else {
        throw RPCError.invalidParams(field: field, reason: Text("param.blank"))
      }
      var parts = QueryParts()
      try parts.add(root)
      let filters = try parts.filters.map { try QueryCondition($0, snapshot) }
      // A query that matches nothing is a mistake where nobody sees its results.
      if let vain = filters.firstIndex(where: { !$0.mayHold(in: source) }), let filter = parts.filters[vain].firstFilter
      {
        throw QueryProblem(
          .neverHolds("\(filter.field.rawValue):\(filter.value)", collection: collection), at: filter.place)
      }
      if parts.words.isEmpty, filters.isEmpty { throw QueryProblem(.nothingToFind, at: 0..<text.utf8.count) }
      let conditions = try filters.filter { $0.mayFail(in: source) }.map { try $0.condition(in: [source], snapshot) }
      self.init(
        words: MatchQuery.Node(all: parts.words, within: source.indexed),
        condition: conditions.isEmpty ? nil : .all(conditions))
    } catch let problem as QueryProblem {
      throw problem.refusal(of: text, field: field, for: snapshot.reader)
    }
  }
}
