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
    Field("text", \.text, "What was searched for.").quiet
    Field("folded", \.folded).quiet
    Field("scope", \.scope).quiet
    Field("target", \.target, "In which part, in the word of its method.").quiet
    Field("place", \.place, "In which item alone, such as a board.").quiet
    Field("count", \.count, "How many were found the last time, if that is known.").quiet
    Field("searchedAt", \.searchedAt, "When it was last made.").quiet
  }
}

extension SearchRecord {
  /// Whether this is the record of an equal search.
  package func isSame(as search: RecordedSearch) -> Bool {
    sameBytes(folded, foldedText(search.text)) && scope == search.scope.rawValue && target == search.target
      && place == search.place
  }
}
