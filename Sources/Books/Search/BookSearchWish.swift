import Wire

extension BookSearches {
  /// What a request wants of its view.
  struct Wish: Sendable {
    var view: ViewKey
    var query: BookQuery
    var catalogue: CatalogueName?
    /// Who began the list that goes on here, where that was not the usual one.
    var standIn: String?
    var offset: Int
    var limit: Int
    var debounce: Duration?
    var isForced: Bool

    /// Behind the last book that is wanted.
    var end: Int { offset + limit }

    /// Whether another catalogue is asked before it is said that there is nothing: a number names one book, whoever has
    /// it.
    func goesOn(behind listing: BookListing) -> Bool {
      catalogue == nil && query.isbn != nil && listing.now.books.isEmpty
    }
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
