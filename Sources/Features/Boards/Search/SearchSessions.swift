import Synchronization

/// What a service gave in the pages of a search so far, so that a post comes once though the service repeats; and which
/// search of a client is its newest. In memory: who goes on after a restart may meet a post again.
final class SearchSessions: Sendable {
  private struct Session {
    var seen: Set<String> = []
    var shown = 0
  }

  private struct Client {
    var search: String
    var generation: Int
  }

  private struct State {
    var sessions: [Int: Session] = [:]
    /// The numbers of the sessions, the oldest first.
    var order: [Int] = []
    var numbers = 0
    var clients: [String: Client] = [:]
  }

  private static let sessionLimit = 64
  private static let seenLimit = 10_000
  private static let clientLimit = 1_024

  private let state = Mutex(State())

  /// Begins another search.
  func begin() -> Int {
    state.withLock { state in
      state.numbers += 1
      state.sessions[state.numbers] = Session()
      state.order.append(state.numbers)
      if state.order.count > Self.sessionLimit { state.sessions[state.order.removeFirst()] = nil }
      return state.numbers
    }
  }

  /// Leaves those of a page that none before it had, and says how many came before them.
  func unseen(_ posts: [String], of number: Int) -> (posts: [String], offset: Int) {
    state.withLock { state in
      guard var session = state.sessions[number] else { return (posts, 0) }
      let offset = session.shown
      let new = posts.filter { session.seen.count >= Self.seenLimit || session.seen.insert($0).inserted }
      session.shown += new.count
      state.sessions[number] = session
      return (new, offset)
    }
  }

  /// Counts the searches of a client: another text, target or board is another one.
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
