import Contract
import Store
import Wire

/// What was searched for, and what is offered to somebody who is about to search.
enum SearchFeature {
  static let feature = Feature(
    name: "search",
    routes: [
      Route(SearchEverything.self),
      Route(ShowSearchHistory.self), Route(ForgetSearches.self), Route(ConfigureSearch.self),
      Route(SuggestSearches.self),
    ],
    migrations: SearchTables.migrations,
    collections: [
      ItemCollection(
        name: SearchRecord.collectionName, table: SearchRecord.tableName, quietColumns: SearchRecord.quietColumns,
        payload: { id, snapshot in
          try snapshot.find(SearchRecord.self, id: id).map { try JSONEncoding.value(of: PastSearch($0, in: snapshot)) }
        })
    ],
    texts: SearchTexts.entries)
}
