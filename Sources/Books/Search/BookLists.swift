import Contract
import Kit
import Synchronization

/// The lists of all clients' queries: the same query gets the same list.
final class BookLists: Sendable {
  private struct Key: Hashable {
    var query: BookQuery
    var catalogues: [String]
    /// The base URLs; others make other lists.
    var configuration: BooksConfiguration
  }

  private struct State {
    var lists: [Key: (listing: BookListing, lastUse: Int)] = [:]
    var uses = 0
  }

  private static let most = 64

  private let state = Mutex(State())

  var count: Int { state.withLock(\.lists.count) }

  /// A book in one of the lists.
  func book(_ id: String) -> CatalogueBook? {
    let lists = state.withLock { $0.lists.values.map(\.listing) }
    return lists.lazy.compactMap { $0.book(id) }.first
  }

  /// The list of an earlier request, else a new one.
  func list(_ request: BookSearches.SearchRequest, _ catalogues: [any BookCatalogue], _ services: Services)
    -> BookListing
  {
    let key = Key(query: request.query, catalogues: catalogues.map(\.name), configuration: services.settings().books)
    let now = services.now().milliseconds
    return state.withLock { state in
      state.uses += 1
      if !request.isForced, let known = state.lists[key]?.listing, Self.isFresh(known, at: now) {
        state.lists[key]?.lastUse = state.uses
        return known
      }
      let made = BookListing(request.query, in: catalogues, isForced: request.isForced)
      state.lists[key] = (made, state.uses)
      if state.lists.count > Self.most, let oldest = state.lists.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        state.lists[oldest.key] = nil
      }
      return made
    }
  }

  /// A list that lacks a catalogue or is a day old is fetched anew.
  private static func isFresh(_ listing: BookListing, at now: Int64) -> Bool {
    let state = listing.now
    guard state.problems.isEmpty else { return false }
    guard let fetchedAt = state.fetchedAt?.milliseconds else { return true }
    return abs(now - fetchedAt) < BookListing.freshFor
  }

  /// Forgets an empty list after a failure, so that the next search starts anew.
  func forget(_ listing: BookListing) {
    guard listing.now.books.isEmpty else { return }
    state.withLock { state in
      state.lists = state.lists.filter { $0.value.listing !== listing }
    }
  }
}
