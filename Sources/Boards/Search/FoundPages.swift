import Wire

/// The posts that a service has returned so far in the pages of one search: each post once, though the service
/// repeats some, and for each the place from which it can be requested again. So a part may be of any size, whatever
/// size the service's pages have, and the same part can be requested twice.
///
///     the service's pages    a b c │ c d e │ f …
///     parts of two posts     a b   │   c d │ e f │ …
struct FoundPages: Sendable {
  /// The beginning of a part, as in its cursor.
  struct Place: Sendable, Equatable {
    /// The number of the search in memory.
    var number: Int
    /// How many posts precede it.
    var offset: Int
    /// The service's page that it is in; nil for the first.
    var page: String?
    /// How many posts of that page precede it.
    var skipped: Int
  }

  /// The most posts remembered of one search. After them a new search begins, without memory of these.
  private static let limit = 2_000

  /// The query, and its board.
  private let search: String
  /// How many posts precede the first that is remembered.
  private let start: Int
  private var posts: [String] = []
  private var seen: Set<String> = []
  /// The page of each post, and its index in that page.
  private var places: [(page: String?, skipped: Int)] = []
  /// The page to request next, and how many of its posts were shown before the first remembered one.
  private var following: (page: String?, skipped: Int)?
  private(set) var total: Int?
  private(set) var notice: Text?

  /// A search from a place on: its beginning, or the continuation of a search that is no longer remembered.
  init(_ search: String, from place: Place) {
    self.search = search
    start = place.offset
    following = (place.page, place.skipped)
  }

  /// How much is remembered.
  var reach: Int { start + posts.count }

  /// Whether the posts after a place of this search are remembered, or are the next to request. The number alone does
  /// not identify a search: after a restart another search may have it.
  func has(_ place: Place, of search: String) -> Bool {
    sameBytes(self.search, search) && place.offset >= start
      && (place.offset < reach || place.offset == reach && posts.count < Self.limit)
  }

  /// The page to request from the service for more posts after a place, or nil.
  func missing(after offset: Int, limit: Int) -> FetchStep? {
    guard let following, reach < offset + limit, posts.count < Self.limit else { return nil }
    return following.page.map(FetchStep.next) ?? .first
  }

  /// Adds a missing page.
  mutating func add(_ report: PageReport, at page: String?) {
    // A concurrent equal request may have added it.
    guard let following, following.page == page else { return }
    for (index, post) in report.posts.enumerated() where index >= following.skipped && seen.insert(post).inserted {
      posts.append(post)
      places.append((page, index))
    }
    self.following = report.next == page ? nil : report.next.map { ($0, 0) }
    (total, notice) = (report.total ?? total, report.notice ?? notice)
  }

  /// `limit` posts from a place on, and the beginning of the next part.
  func part(from place: Place, limit: Int) -> (posts: [String], next: Place?) {
    let here = Array(posts.dropFirst(place.offset - start).prefix(limit))
    let end = place.offset + here.count
    let next = end < reach ? places[end - start] : following
    return (here, next.map { Place(number: place.number, offset: end, page: $0.page, skipped: $0.skipped) })
  }
}
