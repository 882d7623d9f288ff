import Contract
import Kit
import SearchEngine
import Store
import Wire

/// The search history, the suggestions for a search field, and the search.
package enum SearchFeature {
  package static let feature = Feature(
    name: "search",
    routes: [
      Route(SearchEverything.self),
      Route(ShowSearchHistory.self), Route(ForgetSearches.self), Route(ConfigureSearch.self),
      Route(SuggestSearches.self), Route(SaveSearch.self), Route(ListSavedSearches.self), Route(ShowRandom.self),
    ],
    notifications: [{ NotificationDescription(DidChangeSearch.self) }],
    migrations: SearchTables.migrations,
    collections: [
      ItemCollection(SearchRecord.self, isSilent: true, payload: ShownPastSearch.payload),
      ItemCollection(SavedSearchRecord.self, payload: ShownSavedSearch.payload).shared(),
    ],
    itemQuery: { try ItemQuery(understood: $0, field: $1, of: $2, in: $3) }, texts: [SearchForm()],
    start: { services in await services.searchWatch.begin(with: services) },
    stop: { services in
      services.memory.known(SearchWatch.self)?.end()
      services.memory.known(SearchNotes.self)?.write(with: services)
    },
    dayTurned: { _, _, snapshot in
      // Items become overdue with a new day, without a commit.
      snapshot.services.searchWatch.wake(snapshot.services)
      return []
    })
}
