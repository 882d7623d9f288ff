import Contract
import HTTP
import Synchronization
import Wire

/// The searches of all clients: what each of their views shows, and the lists that queries have brought.
///
/// A view shows one query at a time. Another query takes its place, wherever that was:
///
///     view "default":  한 ──waits──╳ superseded
///                      한강 ──────────► page 1 ► page 2      generation 2
///                      (blank) ────────────────────────╳    generation 3: nothing is shown
///
/// Pages of one query do not take each other's place: they wait for the same list.
final class BookSearches: Sendable {
  /// What a request wants of its view.
  struct Wish: Sendable {
    var view: ViewKey
    var query: BookQuery
    var catalogue: CatalogueName?
    var offset: Int
    var limit: Int
    var debounce: Duration?
    var isForced: Bool
  }

  struct ViewKey: Hashable, Sendable {
    var connection: String
    var name: String
  }

  /// A part of a list, and how it differs from what the view showed before.
  struct Found: Sendable {
    var state: BookListing.State?
    var books: [CatalogueBook] = []
    var generation: Int
    var difference: Difference
    var isLive = false
    var warnings: [(catalogue: String, obstacle: CatalogueObstacle)] = []
    var hasMore = false
  }

  struct Difference: Sendable {
    var inserted: [String] = []
    var removed: [String] = []
    var moved: [String] = []
  }

  private struct ListKey: Hashable {
    var query: BookQuery
    var catalogues: [String]
    /// The addresses that were asked; other ones are other lists.
    var configuration: String
  }

  private struct View {
    var generation = 0
    /// nil where nothing is shown.
    var query: BookQuery?
    var wanted: CatalogueName?
    var listing: BookListing?
    /// The ids of what it shows, in their order.
    var shown: [String] = []
    var runs: [Int: Task<Found, any Error>] = [:]
  }

  private struct State {
    var views: [ViewKey: View] = [:]
    var lists: [ListKey: (listing: BookListing, lastUse: Int)] = [:]
    var uses = 0
  }

  private static let mostLists = 64
  private static let mostViews = 256

  private let state = Mutex(State())

  /// How many views and lists are held; of clients that have gone none, once another asks.
  var held: (views: Int, lists: Int) { state.withLock { ($0.views.count, $0.lists.count) } }

  /// A book that one of the lists has.
  func book(_ id: String) -> CatalogueBook? {
    let lists = state.withLock { $0.lists.values.map(\.listing) }
    return lists.lazy.compactMap { list in list.now.books.first { $0.id == id } }.first
  }

  // MARK: - Views

  /// A view that shows nothing: what it was about to show is given up.
  func clear(_ view: ViewKey, with services: Services) -> Found {
    prune(services)
    let (found, runs) = state.withLock { state -> (Found, [Task<Found, any Error>]) in
      var entry = state.views[view] ?? View()
      if entry.query != nil { entry.generation += 1 }
      let removed = entry.shown
      let runs = Array(entry.runs.values)
      state.views[view] = View(generation: entry.generation)
      return (Found(generation: entry.generation, difference: Difference(removed: removed)), runs)
    }
    for run in runs { run.cancel() }
    return found
  }

  func search(_ wish: Wish, with services: Services) async throws -> Found {
    prune(services)
    let (number, task, older) = state.withLock { state in
      var view = state.views[wish.view] ?? View()
      let isSame = view.query == wish.query && view.wanted == wish.catalogue && !wish.isForced
      var older: [Task<Found, any Error>] = []
      if !isSame {
        older = Array(view.runs.values)
        view.runs = [:]
        view.generation += 1
        view.query = wish.query
        view.wanted = wish.catalogue
        view.listing = nil
      }
      let generation = view.generation
      state.uses += 1
      let number = state.uses
      let task = Task { try await self.run(wish, generation, services) }
      view.runs[number] = task
      state.views[wish.view] = view
      return (number, task, older)
    }
    for run in older { run.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isCurrent = state.withLock { $0.views[wish.view]?.runs.removeValue(forKey: number) != nil }
    // A late page of an older query never appears.
    guard isCurrent || Task.isCancelled else { throw RPCError.superseded }
    return try result.get()
  }

  private func run(_ wish: Wish, _ generation: Int, _ services: Services) async throws -> Found {
    let client = CatalogueClient(services: services)
    var (catalogues, warnings) = choose(wish.catalogue, services)
    let end = wish.offset + wish.limit
    var listing = listing(wish, catalogues, services)
    var isWaited = false
    func fetched(_ listing: BookListing) async throws -> Bool {
      if listing.has(end) { return false }
      if !isWaited, let debounce = wish.debounce {
        isWaited = true
        await services.pause(debounce)
        try Task.checkCancellation()
      }
      if let failure = try await listing.fetch(end, behind: wish.offset, with: client), listing.now.problems.isEmpty {
        let obstacle = CatalogueObstacle(failure: failure, catalogue: "")
        warnings.append((listing.now.catalogues.joined(separator: "+"), obstacle))
      }
      return true
    }
    var isLive = false
    do {
      isLive = try await fetched(listing)
    } catch {
      // A catalogue that has said that it will not answer leaves its place to those that do.
      let obstacle = CatalogueObstacle(failure: error, catalogue: catalogues.first.map { type(of: $0).title } ?? "")
      let others = BookCatalogues.all(services.books()).filter { other in
        services.obstacle(of: other) == nil && !catalogues.contains { $0.name == other.name }
      }
      guard !Task.isCancelled, obstacle.isRefusal, wish.catalogue != .all, let other = others.first else {
        forget(listing)
        throw RPCError(catalogue: error)
      }
      warnings.append((catalogues.map(\.name).joined(separator: "+"), obstacle))
      catalogues = [other]
      listing = self.listing(wish, catalogues, services)
      do {
        isLive = try await fetched(listing)
      } catch {
        forget(listing)
        throw RPCError(catalogue: error)
      }
    }
    let now = listing.now
    guard wish.offset <= now.books.count else {
      if now.isEnded { return shown(now, [], wish, generation, isLive, warnings) }
      throw RPCError.invalidParams(
        field: "offset", reason: Text("books.offsetFar", ["count": String(now.books.count)]))
    }
    let part = Array(now.books[wish.offset..<min(end, now.books.count)])
    return shown(now, part, wish, generation, isLive && !now.isCached, warnings)
  }

  /// What the view shows from now on, and how that differs from before.
  private func shown(
    _ now: BookListing.State, _ books: [CatalogueBook], _ wish: Wish, _ generation: Int, _ isLive: Bool,
    _ warnings: [(catalogue: String, obstacle: CatalogueObstacle)]
  ) -> Found {
    let difference = state.withLock { state -> Difference in
      guard var view = state.views[wish.view], view.generation == generation else { return Difference() }
      let shownBefore = view.shown
      let isNew = wish.offset == 0
      let ids = books.map(\.id)
      if isNew {
        // The same query again shows what it showed, and as far.
        let isLonger = shownBefore.count > ids.count && shownBefore.starts(with: ids)
        view.shown = isLonger ? shownBefore : ids
      } else {
        view.shown += ids.filter { !shownBefore.contains($0) }
      }
      state.views[wish.view] = view
      return Difference(from: shownBefore, to: view.shown)
    }
    return Found(
      state: now, books: books, generation: generation, difference: difference, isLive: isLive,
      warnings: warnings + now.problems, hasMore: wish.offset + books.count < now.books.count || !now.isEnded)
  }

  // MARK: - Lists

  /// The catalogues that a request asks, and what there is to say of those that it cannot.
  private func choose(
    _ wanted: CatalogueName?, _ services: Services
  ) -> (catalogues: [any BookCatalogue], warnings: [(catalogue: String, obstacle: CatalogueObstacle)]) {
    let all = BookCatalogues.all(services.books())
    let asked: [any BookCatalogue] =
      switch wanted {
      case nil: all
      case .all?: all
      case let name?: all.filter { $0.name == name.rawValue }
      }
    // Of the usual one and of the one that was asked for, whoever asks wants to know why it is missing.
    let warnings = asked.compactMap { catalogue in services.obstacle(of: catalogue).map { (catalogue.name, $0) } }
    let able = asked.filter { services.obstacle(of: $0) == nil }
    if able.isEmpty { return (Array(all.filter { services.obstacle(of: $0) == nil }.prefix(1)), warnings) }
    return (wanted == .all ? able : Array(able.prefix(1)), warnings)
  }

  /// The list of a query: of the view while it turns pages, else the one that another request made, else a new one.
  private func listing(_ wish: Wish, _ catalogues: [any BookCatalogue], _ services: Services) -> BookListing {
    let key = ListKey(
      query: wish.query, catalogues: catalogues.map(\.name), configuration: "\(services.books())")
    let now = services.now().milliseconds
    return state.withLock { state in
      state.uses += 1
      let names = catalogues.map(\.name)
      if wish.offset > 0, let listing = state.views[wish.view]?.listing, listing.now.catalogues == names {
        return listing
      }
      if !wish.isForced, let known = state.lists[key]?.listing, Self.isFresh(known, at: now) {
        state.lists[key]?.lastUse = state.uses
        state.views[wish.view]?.listing = known
        return known
      }
      let made = BookListing(wish.query, in: catalogues, isForced: wish.isForced)
      state.lists[key] = (made, state.uses)
      state.views[wish.view]?.listing = made
      if state.lists.count > Self.mostLists, let oldest = state.lists.min(by: { $0.value.lastUse < $1.value.lastUse }) {
        state.lists[oldest.key] = nil
      }
      return made
    }
  }

  /// A list that lacks a catalogue is asked for again, and so is one that is a day old.
  private static func isFresh(_ listing: BookListing, at now: Int64) -> Bool {
    let state = listing.now
    guard state.problems.isEmpty else { return false }
    guard let fetchedAt = state.fetchedAt?.milliseconds else { return true }
    return abs(now - fetchedAt) < BookListing.freshFor
  }

  /// One failure must not end later searches: the next one begins anew.
  private func forget(_ listing: BookListing) {
    guard listing.now.books.isEmpty else { return }
    state.withLock { state in
      state.lists = state.lists.filter { $0.value.listing !== listing }
    }
  }

  /// What clients that have gone had on their screens.
  private func prune(_ services: Services) {
    state.withLock { state in
      state.views = state.views.filter { services.library.isConnected($0.key.connection) }
      while state.views.count > Self.mostViews, let idle = state.views.first(where: { $0.value.runs.isEmpty }) {
        state.views[idle.key] = nil
      }
    }
  }
}

extension BookSearches.Difference {
  /// What came, what went, and what stands behind another than before. The longest run that kept its order stays.
  init(from old: [String], to new: [String]) {
    let before = Dictionary(uniqueKeysWithValues: old.enumerated().map { ($1, $0) })
    let after = Set(new)
    inserted = new.filter { before[$0] == nil }
    removed = old.filter { !after.contains($0) }
    var last = -1
    for id in new {
      guard let place = before[id] else { continue }
      if place < last { moved.append(id) } else { last = place }
    }
  }
}

extension Services {
  var bookSearches: BookSearches { memory.object(BookSearches.self) { BookSearches() } }
}
