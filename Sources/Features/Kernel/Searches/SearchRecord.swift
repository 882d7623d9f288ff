import Contract
import Store
import Wire

/// A search that was made, as its row has it.
package struct SearchRecord: StoredItem {
  package static let collectionName = "searches"
  package static let tableName = "search"
  /// All of them: no old version of a search is kept.
  package static let quietColumns = ["text", "folded", "scope", "target", "place", "count", "searchedAt"]

  package var id = ""
  package var revision: Int64 = 0
  package var createdAt = Instant(milliseconds: 0)
  package var updatedAt = Instant(milliseconds: 0)
  /// As it was last typed, with single blanks.
  package var text = ""
  /// By this it is the same.
  package var folded = ""
  package var scope = ""
  package var target: String?
  package var place: String?
  package var count: Int?
  package var searchedAt = Instant(milliseconds: 0)

  package init() {}

  package mutating func columns(_ row: inout RowFields) throws {
    row("text", &text)
    row("folded", &folded)
    row("scope", &scope)
    row("target", &target)
    row("place", &place)
    row("count", &count)
    row("searchedAt", &searchedAt)
  }
}

extension SearchRecord {
  /// Whether this is the record of such a search.
  package func isSame(as search: MadeSearch) -> Bool {
    sameBytes(folded, foldedText(search.text)) && scope == search.scope.rawValue && target == search.target
      && place == search.place
  }
}
