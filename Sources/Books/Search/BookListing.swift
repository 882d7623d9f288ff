import Contract
import Exchange
import HTTP
import Kit
import Store
import Synchronization
import Wire

/// The results of one query so far, of one catalogue or several: a list without duplicates that only grows. It is
/// fetched page by page, each page once for all waiting requests.
final class BookListing: Sendable {
  /// Books per page. Requested by index, since the service's pages may be short in the middle.
  static let pageSize = 20
  /// The maximal number of pages for one request.
  static let mostPages = 10

  /// The state of one catalogue in the list.
  fileprivate struct Feed: Sendable {
    var catalogue: any BookCatalogue
    var start = 0
    /// Whether nothing follows: after an empty page, or by the service's contract.
    var isEnded = false
    /// Whether a short page agrees with the total. It may be the last; only the page after it can confirm that.
    var isLikelyOver = false
    /// The number of consecutive pages without a new book.
    var stalePages = 0
    var total: Int?
    var problem: CatalogueObstacle?
  }

  struct State: Sendable {
    fileprivate var feeds: [Feed]
    fileprivate(set) var books: [CatalogueBook] = []
    fileprivate var places: [String: Int] = [:]
    fileprivate var works: [String: [Int]] = [:]
    /// When the oldest part of it was fetched.
    fileprivate(set) var fetchedAt: Instant?
    /// Whether all of it was cached.
    fileprivate(set) var isCached = true

    var isEnded: Bool { feeds.allSatisfy(\.isEnded) }
    /// The total that the services state; the largest of several, since they have the same books.
    var total: Int { max(books.count, isEnded ? books.count : feeds.compactMap(\.total).max() ?? books.count) }
    var problems: [(catalogue: String, obstacle: CatalogueObstacle)] {
      feeds.compactMap { feed in feed.problem.map { (feed.catalogue.name, $0) } }
    }
    var catalogues: [String] { feeds.map(\.catalogue.name) }
    /// Whether no catalogue that has answered has more.
    fileprivate var onlyFailedAreOpen: Bool { feeds.allSatisfy { $0.isEnded || $0.problem != nil } }
    /// Whether the list seems complete, so that only a request beyond the last book fetches more.
    fileprivate var isLikelyWhole: Bool { feeds.allSatisfy { $0.isEnded || $0.isLikelyOver && $0.problem == nil } }
    /// The catalogues for the next page. A failed one is skipped while another works, and one that seems complete while
    /// another surely has more.
    fileprivate var open: [(offset: Int, element: Feed)] {
      let open = feeds.enumerated().filter { !$0.element.isEnded }
      let able = open.filter { $0.element.problem == nil }
      let sure = able.filter { !$0.element.isLikelyOver }
      return sure.isEmpty ? able.isEmpty ? open : able : sure
    }
  }

  let query: BookQuery
  /// Whether cached answers are used only if a request fails.
  private let isForced: Bool
  private let state: Mutex<State>
  private let work = SharedWork<Void>()

  init(_ query: BookQuery, in catalogues: [any BookCatalogue], isForced: Bool) {
    self.query = query
    self.isForced = isForced
    state = Mutex(State(feeds: catalogues.map { Feed(catalogue: $0) }))
  }

  var now: State { state.withLock(\.self) }

  /// A book in the list.
  func book(_ id: String) -> CatalogueBook? {
    state.withLock { state in state.places[id].map { state.books[$0] } }.flatMap { $0.id == id ? $0 : nil }
  }

  /// Whether a request for `count` books in total, of which those from `offset` on are new, needs no network.
  func has(_ count: Int, after offset: Int) -> Bool {
    state.withLock { $0.isEnded || $0.books.count >= count || $0.isLikelyWhole && $0.books.count > offset }
  }

  /// Fetches until there are `count` books in total, or no more.
  ///
  /// A short page may be the last; only an empty next one confirms it. If the total agrees, the next page is requested
  /// only when a client reads beyond the last book, so that most searches need one request; otherwise at once.
  ///
  /// - Returns: the failure after which only a part was fetched.
  /// - Throws: the failure, if nothing was fetched beyond `offset`, or `CancellationError`.
  func fetch(_ count: Int, after offset: Int, with client: CatalogueClient) async throws -> (any Error)? {
    for turn in 0..<Self.mostPages {
      // A failed catalogue is requested again by another call, not by the same one.
      if has(count, after: offset) || turn > 0 && now.onlyFailedAreOpen { break }
      do {
        try await round(client)
      } catch {
        guard !Task.isCancelled, now.books.count > offset else { throw error }
        return error
      }
    }
    return nil
  }

  /// Fetches one more page of each catalogue that has more.
  private func round(_ client: CatalogueClient) async throws {
    let key = state.withLock { state in state.feeds.map { "\($0.start)\($0.isEnded)" }.joined(separator: "/") }
    try await work.value(for: key) { [self] _ in
      let open = state.withLock(\.open)
      // Another call may have done this round meanwhile.
      let current = state.withLock { state in state.feeds.map { "\($0.start)\($0.isEnded)" }.joined(separator: "/") }
      guard current == key else { return }
      let pages = await self.pages(of: open, client)
      try Task.checkCancellation()
      let failures = pages.compactMap { page -> (catalogue: String, failure: any Error)? in
        guard case .failure(let error) = page.result else { return nil }
        return (open.first { $0.offset == page.feed }.map { type(of: $0.element.catalogue).title } ?? "", error)
      }
      if failures.count == pages.count, let first = failures.first {
        if failures.count > 1 { throw CatalogueFailures(failures: failures) }
        throw first.failure
      }
      state.withLock { $0.take(pages, at: client.services.now()) }
    }
  }

  /// The next page of each of these, in their order.
  private func pages(
    of open: [(offset: Int, element: Feed)], _ client: CatalogueClient
  ) async -> [(feed: Int, result: Result<Fetched, any Error>)] {
    // Most lists have one catalogue, and then no other task is needed.
    if open.count == 1 {
      let only = await result(of: open[0].element, client)
      return [(open[0].offset, only)]
    }
    return await withTaskGroup(of: (feed: Int, result: Result<Fetched, any Error>).self) { group in
      for (place, feed) in open {
        group.addTask {
          let result = await self.result(of: feed, client)
          return (place, result)
        }
      }
      var pages: [(feed: Int, result: Result<Fetched, any Error>)] = []
      for await page in group { pages.append(page) }
      return pages.sorted { $0.feed < $1.feed }
    }
  }

  private func result(of feed: Feed, _ client: CatalogueClient) async -> Result<Fetched, any Error> {
    do {
      return .success(try await page(of: feed.catalogue, from: feed.start, client))
    } catch {
      return .failure(error)
    }
  }

  /// A page and its origin.
  fileprivate struct Fetched: Sendable {
    var page: CataloguePage
    var fetchedAt: Instant
    var isCached: Bool
    var problem: CatalogueObstacle?
  }

  /// The age in milliseconds up to which a cached answer replaces a request.
  static let freshFor: Int64 = 86_400_000

  /// The maximal wait for a service's budget if an older answer is cached.
  private static let patienceWithCachedAnswer: Duration = .seconds(1)

  private func page(
    of catalogue: any BookCatalogue, from start: Int, _ client: CatalogueClient
  ) async throws -> Fetched {
    let services = client.services
    let key = "\(catalogue.name)/\(catalogue.base)/\(start)/\(String(decoding: query.key, as: UTF8.self))"
    let now = services.now()
    let cached = services.answerCache.find(CataloguePage.self, key, at: now)
    func old(_ cached: AnswerCache.Entry<CataloguePage>, _ problem: CatalogueObstacle? = nil) -> Fetched {
      Fetched(
        page: cached.value, fetchedAt: Instant(milliseconds: cached.fetchedAt), isCached: true, problem: problem)
    }
    if !isForced, let cached, abs(now.milliseconds - cached.fetchedAt) < Self.freshFor { return old(cached) }
    var client = client
    // A cached answer is better than a long wait for a service that is left alone.
    if cached != nil { client.patience = Self.patienceWithCachedAnswer }
    do {
      var page = try await catalogue.search(query, from: start, limit: Self.pageSize, with: client)
      page.base = catalogue.base
      services.answerCache.store(page, key, at: now, part: services.newID())
      return Fetched(page: page, fetchedAt: now, isCached: false)
    } catch {
      guard !Task.isCancelled, let cached else { throw error }
      // An old answer is better than none, and its age is shown.
      return old(cached, CatalogueObstacle(failure: error, catalogue: type(of: catalogue).title, at: now))
    }
  }
}

extension BookListing.State {
  fileprivate mutating func take(
    _ pages: [(feed: Int, result: Result<BookListing.Fetched, any Error>)], at now: Instant
  ) {
    var fresh: [[CatalogueBook]] = []
    for (place, result) in pages {
      switch result {
      case .failure(let error):
        feeds[place].problem = CatalogueObstacle(
          failure: error, catalogue: type(of: feeds[place].catalogue).title, at: now)
      case .success(let fetched):
        feeds[place].problem = fetched.problem
        fetchedAt = min(fetchedAt?.milliseconds ?? .max, fetched.fetchedAt.milliseconds).instant
        if !fetched.isCached { isCached = false }
        let new = fetched.page.books.reduce(into: [CatalogueBook]()) { new, book in
          if places[book.id] == nil, !new.contains(where: { $0.id == book.id }) { new.append(book) }
        }
        feeds[place].advance(fetched.page, isNew: !new.isEmpty)
        fresh.append(new)
      }
    }
    // Interleaved, so that the best of each catalogue come first.
    for turn in 0..<(fresh.map(\.count).max() ?? 0) {
      for list in fresh where turn < list.count { add(list[turn]) }
    }
  }

  /// Appends a book, or merges it into the same book of another catalogue.
  private mutating func add(_ book: CatalogueBook) {
    if places[book.id] != nil { return }
    if feeds.count > 1, let place = place(ofSame: book) {
      books[place].facts.fill(from: book.facts)
      books[place].sameAs.append(book.id)
      books[place].work = books[place].work ?? book.work
      note(book, at: place)
      return
    }
    books.append(book)
    note(book, at: books.count - 1)
  }

  private mutating func note(_ book: CatalogueBook, at place: Int) {
    places[book.id] = place
    // One catalogue has no duplicates of its own.
    guard feeds.count > 1 else { return }
    for isbn in book.facts.isbns { works["isbn/\(isbn)", default: []].append(place) }
    if let work = book.work { works["work/\(work)", default: []].append(place) }
    if let key = BookLikeness.key(title: book.facts.title, authors: book.facts.authors) {
      works["title/\(key)", default: []].append(place)
    }
  }

  /// Finds the same book by a common ISBN, by the work, or as a printing of a work with the same title and author. Two
  /// books of one catalogue are always different.
  private func place(ofSame book: CatalogueBook) -> Int? {
    let own = book.id.prefix { $0 != "." }
    func other(_ key: String) -> Int? {
      works[key]?.first { place in
        let ids = [books[place].id] + books[place].sameAs
        return !ids.contains { $0.prefix { $0 != "." } == own }
      }
    }
    for isbn in book.facts.isbns { if let place = other("isbn/\(isbn)") { return place } }
    if let work = book.work, let place = other("work/\(work)") { return place }
    guard let key = BookLikeness.key(title: book.facts.title, authors: book.facts.authors),
      let place = other("title/\(key)"), book.work != nil || books[place].work != nil
    else { return nil }
    return place
  }
}

extension BookListing.Feed {
  /// Advances to the next page. Totals are estimates, and pages may be short in the middle: only an empty page is the
  /// end, or repeated pages without new books, or the service's contract.
  fileprivate mutating func advance(_ page: CataloguePage, isNew: Bool) {
    let isShort = page.received < BookListing.pageSize
    total = page.total
    stalePages = isNew ? 0 : stalePages + 1
    let isCounted = page.total.map { $0 <= start + page.received } ?? false
    start += BookListing.pageSize
    isLikelyOver = isShort && isCounted
    isEnded = page.isLast || page.received == 0 || stalePages >= 2
  }
}

extension Int64 {
  fileprivate var instant: Instant { Instant(milliseconds: self) }
}

extension Services {
  /// One folder per library: several may share the cache directory.
  var answerCache: AnswerCache {
    memory.object(AnswerCache.self) { AnswerCache(folder: cacheFolder("books")) }
  }
}
