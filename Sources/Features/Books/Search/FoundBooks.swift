import Contract
import Wire

/// A part of what a search has found.
struct FoundBooks: Payload {
  enum State: String, Choice {
    case prompt, results, noResults
  }

  enum Freshness: String, Choice {
    case live, cached
  }

  /// What there is to say of a catalogue, beside its books.
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

  struct Display: Payload {
    var heading: String?
    var hint: String
    var state: String?
    static let example = Display(heading: "Results (983)", hint: "Title or author", state: nil)
    static let fields = [
      "heading": "What to write above the list.", "hint": "What to write into an empty search field.",
      "state": "What to write where there is no list.",
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
  var prefetchHint = 4
  var inserted: [BookID]
  var removed: [BookID]
  var moved: [BookID]
  var catalogues: [String] = []
  var warnings: [Warning] = []
  var display: Display

  init(view: BookView, generation: Int, difference: BookSearches.Difference) {
    self.generation = generation
    hint = view.words("books.hint")
    inserted = difference.inserted.map(BookID.init(unchecked:))
    removed = difference.removed.map(BookID.init(unchecked:))
    moved = difference.moved.map(BookID.init(unchecked:))
    display = Display(heading: nil, hint: hint, state: view.words("books.prompt"))
  }

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    try json.member("items", items)
    json.member("offset", offset)
    json.member("limit", limit)
    json.member("total", total)
    json.member("totalIsEstimate", totalIsEstimate)
    json.member("hasMore", hasMore)
    json.member("next", next)
    json.member("generation", generation)
    json.member("state", state.rawValue)
    json.member("hint", hint)
    json.member("freshness", freshness.rawValue)
    json.member("fetchedAt", fetchedAt)
    json.member("prefetchHint", prefetchHint)
    json.member("inserted", inserted.map(\.text))
    json.member("removed", removed.map(\.text))
    json.member("moved", moved.map(\.text))
    json.member("catalogues", catalogues)
    try json.member("warnings", warnings)
    try json.member("display", display)
    json.endObject()
  }

  private init() {
    (generation, hint, inserted, removed, moved, display) = (
      2, "Title or author", ["google.zyTCAlFPjgYC"], [], [], .example
    )
  }

  static var example: FoundBooks {
    var example = FoundBooks()
    example.items = [.found]
    (example.limit, example.total, example.totalIsEstimate) = (20, 983, true)
    (example.hasMore, example.next) = (true, "20")
    (example.state, example.freshness) = (.results, .live)
    example.fetchedAt = Instant(milliseconds: 1_795_225_445_678)
    (example.catalogues, example.warnings) = (["google"], [.example])
    return example
  }

  static let fields = [
    "items": "The books, each once, whatever a catalogue repeats.",
    "offset": "How many books come before the first one here.", "limit": "How many books were asked for.",
    "total": "How many there are, as the catalogue says.",
    "totalIsEstimate": "Whether `total` is the catalogue's guess; the end of the list is known when it is reached.",
    "hasMore":
      "Whether books may follow. Catalogues say only with an empty page that none do, so the last part may be empty.",
    "next": "Given as `after`, continues behind the last book here.",
    "generation": "Rises with every other query of the view. What carries a lower one belongs to an older query.",
    "state": "`prompt`: nothing is asked; `noResults`: nothing was found.",
    "hint": "What to write into an empty search field.",
    "freshness": "Whether a service was asked for this reply.", "fetchedAt": "When the oldest part of it was fetched.",
    "prefetchHint": "Ask for the next part when so many books before the last are seen.",
    "inserted": "Books that the view did not show before.", "removed": "Books that it does not show any more.",
    "moved": "Books that stand in another order than before.",
    "catalogues": "Who was asked.", "warnings": "What there is to say of catalogues.", "display": "Strings for people.",
  ]
}
