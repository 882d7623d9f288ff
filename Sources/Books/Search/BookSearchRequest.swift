import Exchange
import Wire

extension BookSearches {
  /// The parameters of a search request.
  struct SearchRequest: Sendable {
    var view: ViewKey
    var query: BookQuery
    var catalogue: CatalogueName?
    /// The catalogue from which the list continues, if it was not the usual one.
    var standIn: String?
    var offset: Int
    var limit: Int
    var debounce: Duration?
    var isForced: Bool

    /// The index after the last requested book.
    var end: Int { offset + limit }

    /// Whether another catalogue is requested before an empty result: an ISBN names one book, whichever catalogue has
    /// it.
    func continues(after listing: BookListing) -> Bool {
      catalogue == nil && query.isbn != nil && listing.now.books.isEmpty
    }
  }

  struct ViewKey: Hashable, Sendable {
    var connection: String
    var name: String
  }

  /// A part of a list, and its difference from the view's previous content.
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
  /// The inserted and removed ids, and the moved ones: an id is moved if one that precedes it now followed it before.
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
