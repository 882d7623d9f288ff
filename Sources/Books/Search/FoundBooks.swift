import Contract
import Kit
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
      catalogue: "google", kind: .keyNeeded, display: "Google Books answers only with a key.",
      advice: "Name one in config.toml.")
    static let fields = [
      "catalogue": "Which one, if it concerns one.",
      "kind":
        "`keyNeeded`: it answers nobody without a key; `closed`: it has said that it will not answer for now; "
        + "`unavailable`: it could not be asked, or what it answered made no sense; `misprint`: the query is an ISBN whose "
        + "check digit does not fit; `configuration`: config.toml has a mistake, so that what it says now does not count.",
      "display": "That in words.", "advice": "What to do about it.",
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
      "items", "The books, each once, whatever a catalogue repeats.",
      example: (try? Book.example.value).map { [$0] }
    ) { $0.items }
    DerivedMember("offset", "How many books come before the first one here.", example: 0) { $0.offset }
    DerivedMember("limit", "How many books were asked for.", example: 20) { $0.limit }
    DerivedMember("total", "How many there are, as the catalogue says.", example: 983) { $0.total }
    DerivedMember(
      "totalIsEstimate",
      "Whether `total` is the catalogue's guess; the end of the list is known when it is reached.", example: true
    ) { $0.totalIsEstimate }
    DerivedMember(
      "hasMore",
      "Whether books may follow. Catalogues say only with an empty page that none do, so the last part may be empty.",
      example: true
    ) { $0.hasMore }
    DerivedMember("next", "Given as `after`, continues behind the last book here.", example: "20") { $0.next }
    DerivedMember(
      "generation", "Rises with every other query of the view. What carries a lower one belongs to an older query.",
      example: 2
    ) { $0.generation }
    DerivedMember("state", "`prompt`: nothing is asked; `noResults`: nothing was found.", example: "results") {
      $0.state
    }
    DerivedMember("hint", "What to write into an empty search field.", example: "Title or author") { $0.hint }
    DerivedMember("freshness", "Whether a service was asked for this reply.", example: "live") { $0.freshness }
    DerivedMember("fetchedAt", "When the oldest part of it was fetched.", example: "2026-11-21T01:44:05.678Z") {
      $0.fetchedAt
    }
    DerivedMember("prefetchHint", "Ask for the next part when so many books before the last are seen.", example: 4) {
      _ in 4
    }
    DerivedMember("inserted", "Books that the view did not show before.", example: ["google.zyTCAlFPjgYC"]) {
      $0.inserted
    }
    DerivedMember("removed", "Books that it does not show any more.", example: []) { $0.removed }
    DerivedMember("moved", "Books that stand in another order than before.", example: []) { $0.moved }
    DerivedMember("catalogues", "Who was asked.", example: ["google"]) { $0.catalogues }
    DerivedMember("warnings", "What there is to say of catalogues.", example: []) { $0.warnings }
    DerivedMember("display", of: "FoundBooks.Display", "Strings for people.") {
      DerivedMember("heading", "What to write above the list.", example: nil) { $0.heading }
      DerivedMember("hint", "What to write into an empty search field.", example: "Title or author") { $0.hint }
      DerivedMember("state", "What to write where there is no list.", example: nil) { $0.notice }
    }
  }
}
