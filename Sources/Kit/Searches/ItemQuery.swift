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
  private let root: MatchQuery.Node?
  /// The terms of `root`, excluded ones too. A term's number is its index.
  private let terms: [MatchQuery.Term]
  private let words: QueryWords
  private let condition: SearchCondition?

  /// - Parameters:
  ///   - words: the words; nil if there are none.
  ///   - condition: the other conditions; nil if there are none.
  package init(words root: MatchQuery.Node?, condition: SearchCondition?) {
    (self.root, self.condition) = (root, condition)
    terms = root.map(Self.terms) ?? []
    words = QueryWords(of: MatchQuery(.or(terms.map(MatchQuery.Node.term))))
  }

  /// Whether a text matches. Its item is in the library.
  ///
  /// - Throws: `DatabaseError`.
  package func matches(_ text: SearchEntry, in db: Database) throws -> Bool {
    if let root {
      let title = found(in: text.title, isTitle: true)
      let all = title.union(found(in: text.body)).union(found(in: text.tags))
      var number = 0
      guard holds(root, inTitle: title, anywhere: all, &number) else { return false }
    }
    guard let condition else { return true }
    return try db.first(
      "SELECT ifnull((\(condition.sql)), 0) FROM (SELECT ? AS collection, ? AS item, ? AS part, ? AS at) AS entry",
      condition.values + [.text(text.collection), .text(text.item), .integer(text.part), .integer(text.at)]
    ) { $0.integer(0) != 0 } ?? false
  }

  private func found(in text: String, isTitle: Bool = false) -> MatchedTerms {
    if text.isEmpty { return [] }
    return TextRanges(of: words, in: text, isTitle: isTitle).terms.reduce(into: []) { $0.formUnion($1) }
  }

  /// - Parameter number: the number of the node's first term; afterwards of the term that follows the node.
  private func holds(
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

  private static func terms(of node: MatchQuery.Node) -> [MatchQuery.Term] {
    switch node {
    case .term(let term): [term]
    case .and(let nodes), .or(let nodes): nodes.flatMap(terms)
    case .without(let wanted, let unwanted): terms(of: wanted) + terms(of: unwanted)
    case .within: []
    }
  }
}
