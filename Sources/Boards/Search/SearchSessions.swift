import Kit
import Synchronization

/// The posts that services have returned in the pages of searches so far, and the newest search of each client. In
/// memory: a search that continues after a restart may return a post again.
final class SearchSessions: Sendable {
  private struct Client {
    var search: String
    var generation: Int
  }

  private struct State {
    var searches: [Int: FoundPages] = [:]
    /// The numbers of the searches, the oldest first.
    var order: [Int] = []
    var numbers = 0
    var clients: [String: Client] = [:]
  }

  private static let searchLimit = 64
  private static let clientLimit = 1_024

  private let state = Mutex(State())

  /// The search that continues at a place, and the place in it; a new search if it is no longer remembered.
  func find(_ search: String, at place: FoundPages.Place?) -> (found: FoundPages, place: FoundPages.Place) {
    state.withLock { state in
      if let place, let known = state.searches[place.number], known.has(place, of: search) { return (known, place) }
      state.numbers += 1
      let number = state.numbers
      let place = FoundPages.Place(
        number: number, offset: place?.offset ?? 0, page: place?.page, skipped: place?.skipped ?? 0)
      state.order.append(number)
      if state.order.count > Self.searchLimit { state.searches[state.order.removeFirst()] = nil }
      let found = FoundPages(search, from: place)
      state.searches[number] = found
      return (found, place)
    }
  }

  /// Remembers the results; of two concurrent continuations, the longer one.
  func store(_ found: FoundPages, of number: Int) {
    state.withLock { state in
      guard let known = state.searches[number], known.reach <= found.reach else { return }
      state.searches[number] = found
    }
  }

  /// The number of a client's current search: another text, target or board is a new search.
  func generation(of connection: String, search: String) -> Int {
    state.withLock { state in
      if let known = state.clients[connection], known.search == search { return known.generation }
      if state.clients.count >= Self.clientLimit { state.clients.removeAll() }
      let generation = (state.clients[connection]?.generation ?? 0) + 1
      state.clients[connection] = Client(search: search, generation: generation)
      return generation
    }
  }
}

extension Services {
  var boardSearches: SearchSessions { memory.object(SearchSessions.self) { SearchSessions() } }
}
