import Wire

/// What a service gave in the pages of one search so far: each post once, though the service repeats, and for each the
/// place from which the service can be asked for it again. So a part may be of any size, whatever size the service's
/// pages have, and asking for a part twice gives it twice.
///
///     the service's pages    a b c │ c d e │ f …
///     parts of two posts     a b   │   c d │ e f │ …
struct FoundPages: Sendable {
  /// Where a part begins, as its cursor says it.
  struct Place: Sendable, Equatable {
    /// The number of the search in memory.
    var number: Int
    /// How many posts come before it.
    var offset: Int
    /// The service's page that it is in; nil for the first.
    var page: String?
    /// How many posts of that page come before it.
    var skipped: Int
  }

  /// So many posts are remembered of one search. Behind them another one begins, which knows nothing of these.
  private static let limit = 2_000

  /// What is looked for, and where.
  private let search: String
  /// How many posts come before the first that is remembered.
  private let start: Int
  private var posts: [String] = []
  private var seen: Set<String> = []
  /// In which page each stands, and how many are before it there.
  private var places: [(page: String?, skipped: Int)] = []
  /// The page that is to be asked for next, and how many of its posts were shown before anything is remembered.
  private var following: (page: String?, skipped: Int)?
  private(set) var total: Int?
  private(set) var notice: Text?

  /// A search from a place on: its beginning, or where one goes on of which nothing is remembered.
  init(_ search: String, from place: Place) {
    self.search = search
    start = place.offset
    following = (place.page, place.skipped)
  }

  /// How much is remembered.
  var reach: Int { start + posts.count }

  /// Whether what is behind a place of this search is remembered, or is the next that can be asked for. The number alone
  /// does not tell: after a restart another search may have it.
  func has(_ place: Place, of search: String) -> Bool {
    sameBytes(self.search, search) && place.offset >= start
      && (place.offset < reach || place.offset == reach && posts.count < Self.limit)
  }

  /// Whether the service has to be asked for more of what is behind a place, and for which page.
  func missing(behind offset: Int, limit: Int) -> FetchStep? {
    guard let following, reach < offset + limit, posts.count < Self.limit else { return nil }
    return following.page.map(FetchStep.next) ?? .first
  }

  /// Takes a page in that was missing.
  mutating func add(_ report: PageReport, at page: String?) {
    // Who asked for the same at the same time may have brought it.
    guard let following, following.page == page else { return }
    for (index, post) in report.posts.enumerated() where index >= following.skipped && seen.insert(post).inserted {
      posts.append(post)
      places.append((page, index))
    }
    self.following = report.next == page ? nil : report.next.map { ($0, 0) }
    (total, notice) = (report.total ?? total, report.notice ?? notice)
  }

  /// So many posts from a place on, and where the part behind them begins.
  func part(from place: Place, limit: Int) -> (posts: [String], next: Place?) {
    let here = Array(posts.dropFirst(place.offset - start).prefix(limit))
    let end = place.offset + here.count
    let behind = end < reach ? places[end - start] : following
    return (here, behind.map { Place(number: place.number, offset: end, page: $0.page, skipped: $0.skipped) })
  }
}
