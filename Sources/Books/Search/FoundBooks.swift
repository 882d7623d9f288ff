import Contract
import Exchange
import Kit
import Store
import Wire

/// A part of a search result, in replies.
typealias FoundBooks = ItemJSON<ShownFoundBooks>

/// A part of a search result.
struct ShownFoundBooks: ShownObject {
  static let name = "FoundBooks"

  enum State: String, Choice {
    case prompt, results, noResults
  }

  enum Freshness: String, Choice {
    case live, cached
  }

  /// A warning about a catalogue, shown beside its books.
  struct Warning: Payload {
    var catalogue: String?
    var kind: CatalogueObstacle.Kind
    var display: String
    var advice: String?
    static let example = Warning(
      catalogue: "google", kind: .keyNeeded, display: "Google Books requires a key.",
      advice: "Name one in config.toml.")
    static let fields = [
      "catalogue": "The catalogue concerned, if one.",
      "kind":
        "`keyNeeded`: the catalogue requires a key; `closed`: it announced that it will not answer for now; "
        + "`unavailable`: the request failed or the reply was invalid; `misprint`: the query is an ISBN with a wrong "
        + "check digit; `configuration`: config.toml has an error, so its present contents have no effect.",
      "display": "The warning as a sentence.", "advice": "What to do about it.",
    ]
  }

  var items: [Book] = []
  var offset = 0
  var limit = 0
  var total = 0
  var totalIsEstimate = false
  var hasMore = false
  var next: String?
  var generation: Int
  var state = State.prompt
  var hint: String
  var freshness = Freshness.cached
  var fetchedAt: Instant?
  var inserted: [BookID]
  var removed: [BookID]
  var moved: [BookID]
  var catalogues: [String] = []
  var warnings: [Warning] = []
  /// The text above the list.
  var heading: String?
  /// The text in place of the list.
  var notice: String?

  init(view: BookView, generation: Int, difference: BookSearches.Difference) {
    self.generation = generation
    hint = view.words("books.hint")
    inserted = difference.inserted.map(BookID.init(unchecked:))
    removed = difference.removed.map(BookID.init(unchecked:))
    moved = difference.moved.map(BookID.init(unchecked:))
    notice = view.words("books.prompt")
  }

  static let members = Members<Self> {
    DerivedMember(
      "items", "The books, each once, even if a catalogue repeats them.",
      example: (try? Book.example.value).map { [$0] }
    ) { $0.items }
    DerivedMember("offset", "The number of books before the first one here.", example: 0) { $0.offset }
    DerivedMember("limit", "The requested number of books.", example: 20) { $0.limit }
    DerivedMember("total", "The number of books, as the catalogue states.", example: 983) { $0.total }
    DerivedMember(
      "totalIsEstimate",
      "Whether `total` is the catalogue's estimate; the end of the list is known when it is reached.", example: true
    ) { $0.totalIsEstimate }
    DerivedMember(
      "hasMore",
      "Whether more books may follow. Catalogues signal the end only by an empty page, so the last page may be empty.",
      example: true
    ) { $0.hasMore }
    DerivedMember("next", "Cursor for the next page: pass it as `after`.", example: "20") { $0.next }
    DerivedMember(
      "generation", "Increases with each new query of the view. A reply with a lower value belongs to an older query.",
      example: 2
    ) { $0.generation }
    DerivedMember("state", "`prompt`: the query is blank; `noResults`: nothing matched.", example: "results") {
      $0.state
    }
    DerivedMember("hint", "The placeholder of an empty search field.", example: "Title or author") { $0.hint }
    DerivedMember("freshness", "Whether a service was queried for this reply.", example: "live") { $0.freshness }
    DerivedMember("fetchedAt", "When the oldest part of the reply was fetched.", example: "2026-11-21T01:44:05.678Z") {
      $0.fetchedAt
    }
    DerivedMember("prefetchHint", "Request the next page when this many books before the last are visible.", example: 4)
    {
      _ in 4
    }
    DerivedMember("inserted", "Books that the view did not show before.", example: ["google.zyTCAlFPjgYC"]) {
      $0.inserted
    }
    DerivedMember("removed", "Books that the view no longer shows.", example: []) { $0.removed }
    DerivedMember("moved", "Books whose order has changed.", example: []) { $0.moved }
    DerivedMember("catalogues", "The catalogues queried.", example: ["google"]) { $0.catalogues }
    DerivedMember("warnings", "Warnings about catalogues.", example: []) { $0.warnings }
    DerivedMember("display", of: "FoundBooks.Display", "Strings for people.") {
      DerivedMember("heading", "The heading of the list.", example: nil) { $0.heading }
      DerivedMember("hint", "The placeholder of an empty search field.", example: "Title or author") { $0.hint }
      DerivedMember("state", "The message to show without a list.", example: nil) { $0.notice }
    }
  }
}

extension ShownFoundBooks.Warning {
  init(_ catalogue: String?, _ obstacle: CatalogueObstacle, in snapshot: Snapshot) {
    (self.catalogue, kind) = (catalogue, obstacle.kind)
    let text = obstacle.text(at: snapshot.services.now())
    display = snapshot.words(text)
    advice = snapshot.services.catalogue.advice(on: text, language: snapshot.reader.language)
  }
}
