import Contract
import Display
import Kit
import SearchEngine
import Store
import Synchronization
import Wire

/// The results of a saved search when it was last executed.
struct SeenSearch: Sendable {
  var id: String
  var title: String
  /// The query: another one starts anew.
  var question: String
  var places: Set<DidChangeSearch.Params.Place>
  var count: Int

  /// Nil if the query is no longer valid.
  init?(_ record: SavedSearchRecord, in snapshot: Snapshot) throws {
    guard let query = try record.query(in: snapshot) else { return nil }
    let findings = try query.findings(in: snapshot)
    (id, title) = (record.id, record.title ?? record.text)
    question = record.text + "\n" + (record.collections ?? "")
    places = Set(
      try findings.hits.compactMap { text in
        try query.hit(of: text, in: snapshot).map { hit in
          .init(
            collection: query.collection(of: text), id: ItemID(unchecked: hit.owner ?? hit.item),
            page: hit.part > 0 ? hit.part - 1 : nil)
        }
      })
    count = findings.total
  }

  /// The notification for clients that know the earlier results; nil if nothing has changed.
  func change(since earlier: SeenSearch, clock: Int64) -> DidChangeSearch.Params? {
    let added = places.subtracting(earlier.places)
    let removed = earlier.places.subtracting(places)
    if added.isEmpty, removed.isEmpty, count == earlier.count { return nil }
    func listed(_ places: Set<DidChangeSearch.Params.Place>) -> [DidChangeSearch.Params.Place] {
      Array(
        places.sorted { ($0.collection, $0.id.text, $0.page ?? -1) < ($1.collection, $1.id.text, $1.page ?? -1) }
          .prefix(DidChangeSearch.most))
    }
    let isWhole = added.count <= DidChangeSearch.most && removed.count <= DidChangeSearch.most
    // If there are more hits than are ranked, a hit may displace another that still exists.
    let isRanked = max(count, earlier.count) <= SearchIndex.mostHits
    return DidChangeSearch.Params(
      id: SearchID(unchecked: id), title: title, clock: clock, count: count, added: listed(added),
      removed: listed(removed), hasMore: isWhole && isRanked ? nil : true)
  }
}

/// Executes the saved searches after commits, and notifies clients if the results of one have changed.
///
///     commit ──► wake ──► pass ──► commit during the pass ──► wake ──► one more pass after it
///
/// However many commits arrive meanwhile, at most one pass waits. Without saved searches no commits are followed.
final class SearchWatch: Sendable {
  private struct State {
    var isOn = true
    var isFollowing = false
    /// A pass is waiting to begin.
    var isWoken = false
    var seen: [String: SeenSearch] = [:]
    var last: Task<Void, Never>?
  }

  private let state = Mutex(State())

  /// Starts with the searches that an earlier daemon saved.
  func begin(with services: Services) async {
    let seen = try? await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try SavedSearchRecord.all(in: snapshot).compactMap { try SeenSearch($0, in: snapshot) }
    }
    guard let seen, !seen.isEmpty else { return }
    state.withLock { state in
      for search in seen where state.seen[search.id] == nil { state.seen[search.id] = search }
    }
    follow(with: services)
    wake(services)
  }

  /// Starts with a search that was just saved.
  func begin(from seen: SeenSearch?, with services: Services) {
    if let seen { state.withLock { $0.seen[seen.id] = seen } }
    follow(with: services)
    // Items written in the same transaction are in the index only now.
    wake(services)
  }

  func end() { state.withLock { $0.isOn = false } }

  private func follow(with services: Services) {
    let isFirst = state.withLock { state in
      defer { state.isFollowing = true }
      return !state.isFollowing
    }
    guard isFirst else { return }
    services.library.follow { [weak services] in
      guard let services else { return }
      services.searchWatch.wake(services)
    }
  }

  /// Only hands on: it is called on the writer's thread.
  func wake(_ services: Services) {
    state.withLock { state in
      guard state.isOn, state.isFollowing, !state.isWoken else { return }
      state.isWoken = true
      let previous = state.last
      state.last = Task { [self] in
        await previous?.value
        await pass(with: services)
      }
    }
  }

  private func pass(with services: Services) async {
    // From here on a commit may not be seen by this pass, and wakes the next.
    let isOn = state.withLock { state in
      state.isWoken = false
      return state.isOn
    }
    guard isOn else { return }
    do {
      let (now, clock) = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
        (try SavedSearchRecord.all(in: snapshot).compactMap { try SeenSearch($0, in: snapshot) }, snapshot.clock)
      }
      let changes = state.withLock { state in
        let earlier = state.seen
        state.seen = Dictionary(now.map { ($0.id, $0) }) { _, last in last }
        return now.compactMap { search -> DidChangeSearch.Params? in
          guard let known = earlier[search.id], sameBytes(known.question, search.question) else { return nil }
          return search.change(since: known, clock: clock)
        }
      }
      for change in changes { services.library.notify(try Notice(DidChangeSearch.self, change)) }
    } catch {
      services.log("saved searches could not be updated: \(error)", as: .warning)
    }
  }
}

extension Services {
  var searchWatch: SearchWatch { memory.object(SearchWatch.self) { SearchWatch() } }
}
