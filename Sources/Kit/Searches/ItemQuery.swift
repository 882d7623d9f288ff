import SQLite
import SearchEngine
import Store

/// A query that is tested on single texts of one collection, such as posts that are being inserted, which the index
/// does not contain yet.
///
///     river OR lake     tag:trip NOT is:read
///     └ words: scanned  └ condition: SQL on a row made of the text's item
package struct ItemQuery: Sendable {
  /// Creates the query for a text in the language of `search/query`. Conditions on days are those of the snapshot's
  /// audience.
  ///
  /// - Parameters:
  ///   - field: the param with the text, for errors.
  ///   - collection: the collection of the texts.
  /// - Throws: `invalidParams` of `field`, with the place in the text; `DatabaseError`.
  package typealias Compiler =
    @Sendable (_ text: String, _ field: String, _ collection: String, _ snapshot: Snapshot) throws -> ItemQuery

  /// Nil for a query without words.
  fileprivate let words: MatchQuery.Node?
  private let condition: SearchCondition?

  /// - Parameters:
  ///   - words: the words; nil if there are none.
  ///   - condition: the other conditions; nil if there are none.
  package init(words: MatchQuery.Node?, condition: SearchCondition?) {
    (self.words, self.condition) = (words, condition)
  }

  /// Whether the conditions other than words hold for a text, whose item is in the library.
  fileprivate func meetsCondition(_ text: SearchEntry, in db: Database) throws -> Bool {
    guard let condition else { return true }
    return try db.first(
      "SELECT ifnull((\(condition.sql)), 0) FROM (SELECT ? AS collection, ? AS item, ? AS part, ? AS at) AS entry",
      condition.values + [.text(text.collection), .text(text.item), .integer(text.part), .integer(text.at)]
    ) { $0.integer(0) != 0 } ?? false
  }
}

/// Several queries that are tested on the same texts: each text is scanned once for the words of all of them.
package struct ItemQueries: Sendable {
  /// Queries whose terms have different numbers in one set of them.
  private struct Batch {
    var words: QueryWords
    /// The queries by their indices, with the number of their first term.
    var queries: [(index: Int, firstTerm: Int)]
  }

  private let queries: [ItemQuery]
  private var batches: [Batch] = []

  package init(_ queries: [ItemQuery]) {
    self.queries = queries
    var (terms, members): ([MatchQuery.Term], [(index: Int, firstTerm: Int)]) = ([], [])
    func batch() -> Batch {
      Batch(words: QueryWords(of: MatchQuery(.or(terms.map(MatchQuery.Node.term)))), queries: members)
    }
    for (index, query) in queries.enumerated() {
      guard let words = query.words else { continue }
      let more = Self.terms(of: words)
      if terms.count + more.count > MatchQuery.maximumTerms, !members.isEmpty {
        batches.append(batch())
        (terms, members) = ([], [])
      }
      members.append((index, terms.count))
      terms += more
    }
    if !members.isEmpty { batches.append(batch()) }
  }

  /// The queries that match a text, by their indices, ascending. Its item is in the library.
  ///
  /// - Parameter isTested: whether a query is to be tested.
  /// - Throws: `DatabaseError`.
  package func matching(
    _ text: SearchEntry, in db: Database, where isTested: (Int) -> Bool = { _ in true }
  ) throws -> [Int] {
    var isMatch = queries.indices.map { queries[$0].words == nil && isTested($0) }
    for batch in batches {
      let tested = batch.queries.filter { isTested($0.index) }
      if tested.isEmpty { continue }
      let title = Self.found(batch.words, in: text.title, isTitle: true)
      let all = title.union(Self.found(batch.words, in: text.body)).union(Self.found(batch.words, in: text.tags))
      for (index, firstTerm) in tested {
        guard let words = queries[index].words else { continue }
        var number = firstTerm
        isMatch[index] = Self.holds(words, inTitle: title, anywhere: all, &number)
      }
    }
    return try isMatch.indices.filter { try isMatch[$0] && queries[$0].meetsCondition(text, in: db) }
  }

  private static func found(_ words: QueryWords, in text: String, isTitle: Bool = false) -> MatchedTerms {
    if text.isEmpty { return [] }
    return TextRanges(of: words, in: text, isTitle: isTitle).terms.reduce(into: []) { $0.formUnion($1) }
  }

  /// - Parameter number: the number of the node's first term; afterwards of the term that follows the node.
  private static func holds(
    _ node: MatchQuery.Node, inTitle title: MatchedTerms, anywhere all: MatchedTerms, _ number: inout Int
  ) -> Bool {
    switch node {
    case .term(let term):
      defer { number += 1 }
      return (term.inTitle ? title : all).contains(MatchedTerms(number))
    // Every node is visited, so that terms are counted.
    case .and(let nodes): return nodes.reduce(true) { holds($1, inTitle: title, anywhere: all, &number) && $0 }
    case .or(let nodes): return nodes.reduce(false) { holds($1, inTitle: title, anywhere: all, &number) || $0 }
    case .without(let wanted, let unwanted):
      let isWanted = holds(wanted, inTitle: title, anywhere: all, &number)
      return !holds(unwanted, inTitle: title, anywhere: all, &number) && isWanted
    case .within: return true
    }
  }

  /// The terms of a query, excluded ones too, in the order in which `holds` visits them.
  private static func terms(of node: MatchQuery.Node) -> [MatchQuery.Term] {
    switch node {
    case .term(let term): [term]
    case .and(let nodes), .or(let nodes): nodes.flatMap(terms)
    case .without(let wanted, let unwanted): terms(of: wanted) + terms(of: unwanted)
    case .within: []
    }
  }
}
