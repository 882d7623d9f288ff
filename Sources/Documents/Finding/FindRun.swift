import Kit
import PDF
import Store
import Wire

/// A running search.
struct FindRun: Sendable {
  let plan: FindInDocument.Plan
  let services: Services
  let progress: Progress

  private typealias Result = FindInDocument.Result

  /// Hits in one message, if they are sent as they are found.
  private static let batch = 100
  /// The pages of one step grow to this number, so that the first hit is sent soon and the last not much later.
  private static let widestStep = 24
  /// Pages with hits that are read at once.
  private static let pagesAtOnce = 64

  private var document: DocumentRecord { plan.supply.document }

  func result() async throws -> FindInDocument.Result {
    if let text = try await wholeText() { return try await search(text) }
    return try await searchAsItComes()
  }

  // MARK: - A document whose text is complete

  /// The document's text in one piece, nil while text of pages is missing.
  private func wholeText() async throws -> SearchedText? {
    guard plan.supply.password.isProven else { return nil }
    let (hash, form) = (document.hash, plan.query.form)
    if let known = services.searchedTexts.text(of: hash, as: form) { return known }
    guard let texts = try await wholeTexts() else { return nil }
    let text = try await onThread { _ in SearchedText(texts, as: form) }
    services.searchedTexts.store(text, of: hash)
    return text
  }

  private func wholeTexts() async throws -> [(page: Int, text: String)]? {
    let (hash, count) = (document.hash, document.pageCount)
    guard document.keepsText else {
      let texts = services.documents.pages(of: hash)
      return texts.count == count ? texts.map { (page: $0.page, text: $0.text) } : nil
    }
    return try await services.library.read(as: plan.supply.caller) { snapshot in
      guard try PageTextCoding.missing(in: hash, db: snapshot.db) == nil else { return nil }
      var texts: [(page: Int, text: String)] = []
      try snapshot.db.each(
        "SELECT page, text FROM pdfPage WHERE hash = ? AND page >= 0 AND page < ? ORDER BY page",
        [.text(hash), .integer(count)]
      ) { texts.append((page: $0.int(0), text: $0.text(1))) }
      return texts
    }
  }

  private func search(_ text: SearchedText) async throws -> Result {
    let plan = plan
    let known = services.searchedTexts.pages(of: document.hash, as: plan.query.form)
    let takesParts = progress.takesParts
    // Usually all pages with hits are cached: their JSON is written on the same thread.
    let (found, written) = try await onThread { checkCancelled in
      var collector = FindCollector(from: plan.start, limit: plan.limit)
      try plan.query.find(in: text, &collector, checkCancelled: checkCancelled)
      return (collector, takesParts ? nil : FoundPage.json(of: collector.places, on: known))
    }
    var result = Result(
      items: [], offset: found.before, limit: plan.limit, total: found.total, totalIsEstimate: false,
      hasMore: found.hasMore, next: found.hasMore ? found.next : nil, unread: nil)
    result.written = written
    if written == nil {
      let items = Self.items(at: found.places, on: try await pages(of: found.places, known: known))
      if takesParts {
        for start in stride(from: 0, to: items.count, by: Self.batch) {
          try send(Array(items[start..<min(start + Self.batch, items.count)]))
        }
      } else {
        result.items = items
      }
    }
    result.unread = try await unread()
    return result
  }

  /// Pages without text because its extraction failed.
  private func unread() async throws -> [Int]? {
    guard document.keepsText else { return nil }
    let hash = document.hash
    let pages = try await services.library.read(as: plan.supply.caller) { snapshot in
      let hasFailed = "SELECT 1 FROM pdf WHERE hash = ? AND failure IS NOT NULL"
      guard try snapshot.db.first(hasFailed, [.text(hash)], { _ in }) != nil else { return [Int]() }
      return try snapshot.db.integers(
        "SELECT page FROM pdfPage WHERE hash = ? AND placement = 0 ORDER BY page LIMIT 1000", [.text(hash)]
      ).map { Int($0) }
    }
    return pages.isEmpty ? nil : pages
  }

  /// The pages that have hits; missing ones are read and cached, as far as there is room.
  private func pages(of places: [FoundPlace], known: [Int: FoundPage]) async throws -> [Int: FoundPage] {
    let form = plan.query.form
    let missing = Set(places.map(\.page)).filter { known[$0] == nil }.sorted()
    var pages = known
    for start in stride(from: 0, to: missing.count, by: Self.pagesAtOnce) {
      let texts = try await texts(of: Array(missing[start..<min(start + Self.pagesAtOnce, missing.count)]))
      let new = try await onThread { _ in texts.mapValues { FoundPage($0, as: form) } }
      pages.merge(new) { _, new in new }
      services.searchedTexts.store(new, of: document.hash, as: form)
    }
    return pages
  }

  private func texts(of pages: [Int]) async throws -> [Int: PageText] {
    var texts = try await plan.supply.stored(pages, with: services)
    guard !document.keepsText else { return texts }
    // Another protected document may have taken this document's place in memory meanwhile.
    for page in pages where texts[page] == nil {
      texts[page] = try await plan.supply.texts(of: page..<page + 1, with: services).texts.first
    }
    return texts
  }

  private static func items(at places: some Sequence<FoundPlace>, on pages: [Int: FoundPage]) -> [FoundText] {
    places.compactMap { pages[$0.page]?.found($0.range) }
  }

  // MARK: - A document whose text is still being extracted

  /// Goes from page to page in steps, and sends or collects each page's hits.
  private func searchAsItComes() async throws -> Result {
    var found = FindCollector(from: plan.start, limit: plan.limit)
    var items: [FoundText] = []
    var unread: [Int] = []
    var done = 0
    var isWhole = true
    let runs = progress.takesParts ? order : [min(plan.start.page, document.pageCount)..<document.pageCount]
    let count = runs.reduce(0) { $0 + $1.count }
    for step in steps(of: runs) {
      guard found.places.count < plan.limit else {
        isWhole = false
        break
      }
      let supplied = try await plan.supply.texts(of: step, with: services)
      unread += supplied.unread
      let new = try await search(supplied.texts, &found)
      if progress.takesParts {
        if !new.isEmpty { try send(new) }
      } else {
        items += new
      }
      done += step.count
      progress.report(percentage: done * 100 / max(1, count))
    }
    let hasMore = found.hasMore || !isWhole
    // If the hits were not sent in the document's order, no cursor separates sent hits from others.
    let isOrdered = runs.count == 1
    return Result(
      items: items, offset: found.before, limit: plan.limit, total: found.total,
      totalIsEstimate: !isWhole || count < document.pageCount, hasMore: hasMore,
      next: hasMore && isOrdered ? found.next : nil, unread: unread.isEmpty ? nil : unread.sorted())
  }

  private func search(_ texts: [PageText], _ found: inout FindCollector) async throws -> [FoundText] {
    let plan = plan
    let before = found
    let (after, items) = try await onThread { checkCancelled in
      var collector = before
      let form = plan.query.form
      let text = SearchedText(texts.map { (page: $0.page, text: $0.text) }, as: form)
      try plan.query.find(in: text, &collector, checkCancelled: checkCancelled)
      let places = collector.places[before.places.count...]
      let numbers = Set(places.map(\.page))
      var pages: [Int: FoundPage] = [:]
      for text in texts where numbers.contains(text.page) { pages[text.page] = FoundPage(text, as: form) }
      return (collector, Self.items(at: places, on: pages))
    }
    found = after
    return items
  }

  /// From the visible page to the end, and then from the beginning.
  private var order: [Range<Int>] {
    guard let visible = plan.visible, visible > 0, visible < document.pageCount else {
      return [min(plan.start.page, document.pageCount)..<document.pageCount]
    }
    return [visible..<document.pageCount, 0..<visible]
  }

  private func steps(of runs: [Range<Int>]) -> [Range<Int>] {
    var steps: [Range<Int>] = []
    var width = 1
    for run in runs {
      var page = run.lowerBound
      while page < run.upperBound {
        let end = min(run.upperBound, page + width)
        steps.append(page..<end)
        page = end
        width = min(Self.widestStep, width * 2)
      }
    }
    return steps
  }

  private func send(_ items: [FoundText]) throws {
    progress.part(.object(["items": .array(try items.map { try JSONEncoding.value(of: $0) })]))
  }
}

extension FindCollector {
  /// The place after the last stored hit; without one, the place from which nothing was found.
  var next: String {
    guard let last = places.last else { return start.cursor }
    return FindPlace(page: last.page, offset: last.range.lowerBound + 1).cursor
  }
}
