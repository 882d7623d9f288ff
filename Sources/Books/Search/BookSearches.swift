import Contract
import Display
import HTTP
import Kit
import Synchronization
import Wire

/// The searches of all clients: the content of each view, and the lists of all queries.
///
/// A view shows one query at a time. Another query replaces it at any stage:
///
///     view "default":  한 ──waits──╳ superseded
///                      한강 ──────────► page 1 ► page 2      generation 2
///                      (blank) ────────────────────────╳    generation 3: nothing is shown
///
/// Pages of one query do not replace each other: they wait for the same list.
final class BookSearches: Sendable {
  private struct View {
    var generation = 0
    /// nil if the view is empty.
    var query: BookQuery?
    var wanted: CatalogueName?
    var listing: BookListing?
    /// The ids of the shown books, in order.
    var shown: [String] = []
    var runs: [Int: Task<Found, any Error>] = [:]
  }

  private struct State {
    var views: [ViewKey: View] = [:]
    var runs = 0

    /// Switches the view to a request. Returns its generation, and the obsolete tasks.
    mutating func turn(to request: SearchRequest) -> (generation: Int, older: [Task<Found, any Error>]) {
      var view = views[request.view] ?? View()
      defer { views[request.view] = view }
      guard view.query != request.query || view.wanted != request.catalogue || request.isForced else {
        return (view.generation, [])
      }
      let older = Array(view.runs.values)
      view.runs = [:]
      view.generation += 1
      view.query = request.query
      view.wanted = request.catalogue
      view.listing = nil
      return (view.generation, older)
    }
  }

  private static let mostViews = 256

  private let state = Mutex(State())
  private let lists = BookLists()

  /// The number of views and lists in memory; views of disconnected clients are removed by the next request.
  var held: (views: Int, lists: Int) { (state.withLock(\.views.count), lists.count) }

  /// A book in one of the lists.
  func book(_ id: String) -> CatalogueBook? { lists.book(id) }

  // MARK: - Views

  /// Empties a view and cancels its searches.
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

  func search(_ request: SearchRequest, with services: Services) async throws -> Found {
    prune(services)
    let (number, task, older) = state.withLock { state in
      let (generation, older) = state.turn(to: request)
      state.runs += 1
      let number = state.runs
      let task = Task { try await self.run(request, generation, services) }
      state.views[request.view]?.runs[number] = task
      return (number, task, older)
    }
    for run in older { run.cancel() }
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isCurrent = state.withLock { $0.views[request.view]?.runs.removeValue(forKey: number) != nil }
    // A late page of an older query never appears.
    guard isCurrent || Task.isCancelled else { throw RPCError.superseded }
    return try result.get()
  }

  /// The result of a search that needs no request, since all of it is cached; else nil.
  func known(_ request: SearchRequest, with services: Services) throws -> Found? {
    guard !request.isForced else { return nil }
    prune(services)
    let (generation, older) = state.withLock { $0.turn(to: request) }
    for run in older { run.cancel() }
    let (catalogues, warnings) = asking(request, services)
    let listing = listing(request, catalogues, services)
    guard listing.has(request.end, after: request.offset), !request.continues(after: listing) else { return nil }
    return try part(of: listing, request, generation, isLive: false, warnings)
  }

  /// The maximal duration of a search: people who type do not wait longer.
  static let longestSearch: Duration = .seconds(8)
  /// The part of it for the usual catalogue, if another may replace it.
  static let longestWithoutStandIn: Duration = .seconds(4)

  private func run(_ request: SearchRequest, _ generation: Int, _ services: Services) async throws -> Found {
    var (catalogues, warnings) = asking(request, services)
    let others = BookCatalogues.usual(services.settings().books).filter { other in
      services.obstacle(of: other) == nil && !catalogues.contains { $0.name == other.name }
    }
    // A failed catalogue is replaced only if it was not requested by name and a list begins.
    let isReplaceable = request.catalogue == nil && request.standIn == nil && request.offset == 0 && !others.isEmpty
    var listing = listing(request, catalogues, services)
    let isFetched = !listing.has(request.end, after: request.offset)
    if isFetched, let debounce = request.debounce {
      await services.pause(debounce)
      try Task.checkCancellation()
    }
    let begin = ContinuousClock.now
    let client = CatalogueClient(
      services: services, end: begin + (isReplaceable ? Self.longestWithoutStandIn : Self.longestSearch))
    let patientClient = CatalogueClient(services: services, end: begin + Self.longestSearch)
    // After a recent failure a substitute is requested at the same time.
    let isDoubtful = isFetched && isReplaceable && catalogues.contains { services.isOut($0) }
    let spare = isDoubtful ? others.first.map { lists.list(request, [$0], services) } : nil
    async let spared = fetch(spare, request, patientClient)
    var answer = try await fetch(listing, request, client)
    if case .failure(let failure)? = answer {
      let titles = catalogues.map { type(of: $0).title }
      var failures: [(catalogue: String, failure: any Error)] = [(titles.first ?? "", failure)]
      for warning in warnings { failures.append((BookCatalogues.title(of: warning.catalogue), warning.obstacle)) }
      var obstacle = CatalogueObstacle(failure: failure, catalogue: titles.first ?? "", at: services.now())
      lists.forget(listing)
      // A catalogue that has refused to answer is replaced even if it was requested by name.
      guard obstacle.isRefusal || isReplaceable, request.catalogue != .all, let other = others.first else {
        throw RPCError(CatalogueFailures(failures: failures))
      }
      if !obstacle.isRefusal {
        obstacle.text = Text("books.stoodIn", ["catalogue": type(of: other).title]).saying(obstacle.text, at: "failure")
      }
      warnings.append((catalogues.map(\.name).joined(separator: "+"), obstacle))
      catalogues = [other]
      listing = show(spare ?? lists.list(request, catalogues, services), request)
      if spare == nil { answer = try await fetch(listing, request, patientClient) } else { answer = try await spared }
      if case .failure(let otherFailure)? = answer {
        lists.forget(listing)
        // The usual catalogue's failure comes first, except for a refusal: the client knows it, and cannot wait for its
        // end.
        failures.insert((type(of: other).title, otherFailure), at: obstacle.isRefusal ? 0 : 1)
        throw RPCError(CatalogueFailures(failures: failures))
      }
    }
    if case .success(.partly(let failure))? = answer, listing.now.problems.isEmpty {
      let titles = catalogues.map { type(of: $0).title }.joined(separator: ", ")
      let obstacle = CatalogueObstacle(failure: failure, catalogue: titles, at: services.now())
      warnings.append((listing.now.catalogues.joined(separator: "+"), obstacle))
    }
    if isReplaceable, request.continues(after: listing),
      let other = others.first(where: { !listing.now.catalogues.contains($0.name) })
    {
      let second = lists.list(request, [other], services)
      let found = try await fetch(second, request, patientClient)
      if case .failure(let failure)? = found {
        lists.forget(second)
        let title = type(of: other).title
        warnings.append((other.name, CatalogueObstacle(failure: failure, catalogue: title, at: services.now())))
      } else if !second.now.books.isEmpty {
        (listing, answer) = (show(second, request), found)
      }
    }
    return try part(of: listing, request, generation, isLive: answer != nil, warnings)
  }

  /// The requested part of a list, as far as the list goes.
  private func part(
    of listing: BookListing, _ request: SearchRequest, _ generation: Int, isLive: Bool,
    _ warnings: [(catalogue: String, obstacle: CatalogueObstacle)]
  ) throws -> Found {
    let now = listing.now
    guard request.offset <= now.books.count else {
      if now.isEnded { return shown(now, [], request, generation, isLive, warnings) }
      throw RPCError.invalidParams(
        field: "offset", reason: Text("books.offsetFar", ["count": String(now.books.count)]))
    }
    let part = Array(now.books[request.offset..<min(request.end, now.books.count)])
    return shown(now, part, request, generation, isLive && !now.isCached, warnings)
  }

  /// How much of the requested part was fetched.
  private enum Fetched: Sendable {
    case wholly
    /// A part was fetched, and then this failure occurred.
    case partly(any Error)
  }

  /// Fetches the requested part of a list; nil if it is cached, or if there is no list.
  ///
  /// - Throws: only `CancellationError`; failures of catalogues are returned.
  private func fetch(
    _ listing: BookListing?, _ request: SearchRequest, _ client: CatalogueClient
  ) async throws -> Result<Fetched, any Error>? {
    guard let listing, !listing.has(request.end, after: request.offset) else { return nil }
    do {
      let failure = try await listing.fetch(request.end, after: request.offset, with: client)
      return .success(failure.map(Fetched.partly) ?? .wholly)
    } catch {
      if Task.isCancelled { throw error }
      return .failure(error)
    }
  }

  /// Sets the view's content, and returns the difference from before.
  private func shown(
    _ now: BookListing.State, _ books: [CatalogueBook], _ request: SearchRequest, _ generation: Int, _ isLive: Bool,
    _ warnings: [(catalogue: String, obstacle: CatalogueObstacle)]
  ) -> Found {
    let difference = state.withLock { state -> Difference in
      guard var view = state.views[request.view], view.generation == generation else { return Difference() }
      let shownBefore = view.shown
      let isNew = request.offset == 0
      let ids = books.map(\.id)
      if isNew {
        // A repeated query keeps the length of the view's content.
        let isLonger = shownBefore.count > ids.count && shownBefore.starts(with: ids)
        view.shown = isLonger ? shownBefore : ids
      } else {
        view.shown += ids.filter { !shownBefore.contains($0) }
      }
      state.views[request.view] = view
      return Difference(from: shownBefore, to: view.shown)
    }
    return Found(
      state: now, books: books, generation: generation, difference: difference, isLive: isLive,
      warnings: warnings + now.problems, hasMore: request.offset + books.count < now.books.count || !now.isEnded)
  }

  // MARK: - Lists

  /// The catalogues of a request, and warnings for those that cannot be requested.
  private func choose(
    _ request: SearchRequest, _ services: Services
  ) -> (catalogues: [any BookCatalogue], warnings: [(catalogue: String, obstacle: CatalogueObstacle)]) {
    let all = BookCatalogues.all(services.settings().books)
    let asked: [any BookCatalogue] =
      switch request.catalogue {
      case nil, .all?: BookCatalogues.usual(services.settings().books)
      case let name?: all.filter { $0.name == name.rawValue }
      }
    // The client is warned about the usual catalogue and about the one that it requested.
    let isNamed = request.catalogue != nil && request.catalogue != .all
    func obstacle(of catalogue: any BookCatalogue) -> CatalogueObstacle? {
      services.obstacle(of: catalogue, isNamed: isNamed, isForced: request.isForced)
    }
    let warnings = asked.compactMap { catalogue in obstacle(of: catalogue).map { (catalogue.name, $0) } }
    let able = asked.filter { obstacle(of: $0) == nil }
    if able.isEmpty { return (Array(all.filter { services.obstacle(of: $0) == nil }.prefix(1)), warnings) }
    return (request.catalogue == .all ? able : Array(able.prefix(1)), warnings)
  }

  /// The catalogues of a request: a list continues with its first catalogue, even if others are available by now.
  private func asking(
    _ request: SearchRequest, _ services: Services
  ) -> (catalogues: [any BookCatalogue], warnings: [(catalogue: String, obstacle: CatalogueObstacle)]) {
    guard
      let standIn = request.standIn.flatMap({ name in
        BookCatalogues.all(services.settings().books).first { $0.name == name }
      })
    else { return choose(request, services) }
    return ([standIn], [])
  }

  /// The list of a query: the view's list while it pages, else a shared one.
  private func listing(_ request: SearchRequest, _ catalogues: [any BookCatalogue], _ services: Services) -> BookListing
  {
    let names = catalogues.map(\.name)
    if request.offset > 0, let listing = state.withLock({ $0.views[request.view]?.listing }),
      listing.now.catalogues == names
    {
      return listing
    }
    return show(lists.list(request, catalogues, services), request)
  }

  /// Sets the list whose pages the view shows.
  private func show(_ listing: BookListing, _ request: SearchRequest) -> BookListing {
    state.withLock { $0.views[request.view]?.listing = listing }
    return listing
  }

  /// Removes the views of disconnected clients.
  private func prune(_ services: Services) {
    state.withLock { state in
      for view in state.views.keys where !services.library.isConnected(view.connection) { state.views[view] = nil }
      while state.views.count > Self.mostViews, let idle = state.views.first(where: { $0.value.runs.isEmpty }) {
        state.views[idle.key] = nil
      }
    }
  }
}

extension Services {
  var bookSearches: BookSearches { memory.object(BookSearches.self) { BookSearches() } }
}
