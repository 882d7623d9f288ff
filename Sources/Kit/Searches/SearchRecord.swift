import Contract
import SearchEngine
import Store
import Wire

/// A search of the history, as stored.
package struct SearchRecord: StoredItem {
  package static let collectionName = "searches"
  package static let tableName = "search"

  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  /// The text as last typed, with single blanks.
  package var text = ""
  /// The folded text, by which searches are compared.
  package var folded = ""
  package var scope = ""
  package var target: String?
  package var place: String?
  package var count: Int?
  package var searchedAt = Instant(milliseconds: 0)

  package init() {}

  package static let fields = Fields<Self> {
    Field("text", \.text, "The query.").quiet
    Field("folded", \.folded).quiet
    Field("scope", \.scope).quiet
    Field("target", \.target, "The part searched, by the method's own word.").quiet
    Field("place", \.place, "The only item searched, such as a board.").quiet
    Field("count", \.count, "The number of results of the last time, if known.").quiet
    Field("searchedAt", \.searchedAt, "When the search was last made.").quiet
  }
}

extension SearchRecord {
  /// Whether this is the record of an equal search.
  package func isSame(as search: RecordedSearch) -> Bool {
    sameBytes(folded, foldedText(search.text)) && scope == search.scope.rawValue && target == search.target
      && place == search.place
  }
}
