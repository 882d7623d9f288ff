import Contract
import Display
import Kit
import Store
import Wire

/// Asks the whole library at once.
///
///     prepare   reads the question: what cannot be understood is refused in the client's order
///     fetch     looks, in one state of the library; the first hits go out before all are counted
///     finish    shows the part that was asked for
enum SearchEverything: ExternalReadMethod {
  static let name = "search/query"
  static let summary =
    "Looks for words in everything: pages of documents, highlights, memos, posts, the diary, cards and books, best "
    + "first. `\"a phrase\"`, `begin*`, `AND`, `OR`, `NOT`, parentheses, `title:`, `in:diary`, `tag:`, `is:overdue`, "
    + "`before:` and `after:` a day, a month or a year, `due:` for cards with a deadline then; anything else is text. "
    + "`after:2026-03` finds what is of its first day or later, `before:2026-03` what is of an earlier day: the day, "
    + "month or year behind `before:` is left out, and that behind `after:` is in. `2026-11-21`, `2026-03` and `2026` "
    + "are understood, and words as `yesterday`, `\"March 2026\"`, `3월` or `작년`; a month without a year is the latest "
    + "of that name that is not ahead. `due:` takes the same and weeks, said of what is to be done: `due:12월` is the "
    + "December to come, all of it, and `due:\"by friday\"` all up to that day. With a `partialResultToken` the first "
    + "hits come before all are counted."
  static let since = 1
  static let effects: Effects = [.reads, .writes]
  static let doing = Text("doing.searchEverything")
  static let errors: [ErrorKind] = [.superseded]

  struct Params: Payload {
    var text: String
    var collections: [String]?
    var offset: Int?
    var after: String?
    var limit: Int?
    var view: String?
    var remember: Bool?
    static let example = Params(
      text: "slow river in:diary", collections: nil, offset: nil, after: nil, limit: 20, view: nil, remember: nil)
    static let fields = [
      "text": "The question. White space asks nothing, and `state` is `prompt`.",
      "collections": "Where to look, by the names that hits have. Default: everywhere.",
      "offset": "How many hits to step over.",
      "after":
        "`next` of the part before, with the same `text` and `collections`, and a `view` or none as there; that of another "
        + "question is refused.",
      "limit": "How many hits at most. Default 20. A question has 400 at most, however many there are.",
      "view":
        "A newer request of the same client and view takes the place of this one. It says that somebody is typing: the last "
        + "word may go on, and the question is not noted.",
      "remember": "Whether it is noted for `search/history`. Default: unless there is a `view`.",
    ]
    static let limits: [String: FieldLimits] = [
      "text": .length(0...10_000), "collections": .length(1...32), "offset": .range(0...400),
      "after": .length(1...128), "limit": .range(1...200), "view": .length(1...256),
    ]
    static let atMostOne = [["offset", "after"]]
  }

  struct Count: Payload {
    var collection: String
    var count: Int
    var isEstimate: Bool
    var display: Display

    struct Display: Payload {
      var label: String
      static let example = Display(label: "Diary")
      static let terms = ["label": "name"]
      static let fields = ["label": "What the collection is called."]
    }

    static let example = Count(collection: "diary", count: 1, isEstimate: false, display: .example)
    static let fields = [
      "collection": "Where hits are.", "count": "How many.", "isEstimate": "Whether there may be more or fewer.",
      "display": "Strings for people.",
    ]
  }

  /// What to show.
  enum State: String, Choice {
    case prompt, results, noResults
  }

  struct Result: Payload {
    var items: [QueryHit]
    var offset: Int
    var limit: Int
    var total: Int
    var totalIsEstimate: Bool
    var hasMore: Bool
    var next: String?
    var counts: [Count]
    var state: State
    var display: Display

    struct Display: Payload {
      var heading: String?
      var message: String?
      var hint: String?
      static let example = Display(heading: "1 found", message: nil, hint: nil)
      static let fields = [
        "heading": "How many were found.", "message": "What to say where there are no hits.",
        "hint":
          "What to say below the hits or the message: that a field may be misspelled, as in `tilte:river`, and at the end "
          + "of a list of the best ones that there are others.",
      ]
    }

    static let example = Result(
      items: [.example], offset: 0, limit: 20, total: 1, totalIsEstimate: false, hasMore: false, next: nil,
      counts: [.example], state: .results, display: .example)
    static let fields = [
      "items":
        "The hits, best first, of a document three pages before what else was found; without those that were sent as "
        + "`{items}` under the `partialResultToken`.",
      "offset": "How many hits come before the first of this part.", "limit": "How many were asked for.",
      "total": "How many there are: items, and pages of documents.",
      "totalIsEstimate":
        "Whether `total` is not exact: of a word in thousands of texts no more than 1,000 of a collection are counted, "
        + "unless a `partialResultToken` was given, and fewer where a filter leaves very many; and a beginning of so "
        + "many words that they fill a good part of the index, as `a*` in a large library, or one letter of Han, kana "
        + "or Hangul, is found as a word, in titles and in the newest texts.",
      "hasMore": "Whether hits follow the last one here.",
      "next": "Given as `after`, continues behind the last hit here, whatever was written meanwhile.",
      "counts": "The same by collection.",
      "state": "What to show: `prompt` where nothing was asked, `results`, or `noResults`.",
      "display": "Strings for people.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    var query: LibraryQuery?
    var cursor: QueryCursor?
    var caller: any Caller
    /// What tells this question from others.
    var question: String
  }

  struct Fetched: Sendable {
    var findings = QueryFindings.none
    var list = 0
    var now: Int64 = 0
    /// Where the part begins, and how many of it were sent.
    var start = 0
    var sent = 0
    /// The others of the part, as they were in the state of the library that was looked through.
    var items: [QueryHit] = []
    var clock: Int64 = -1
  }

  static let usualLimit = 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let question = ([params.view == nil ? "" : "typing", params.text] + (params.collections ?? ["*"]))
      .joined(separator: "\n")
    var cursor: QueryCursor?
    if let after = params.after {
      cursor = QueryCursor(after)
      guard let cursor else {
        throw RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
      }
      guard sameBytes(cursor.question, QueryCursor.mark(of: question)) else {
        throw RPCError.invalidParams(field: "after", reason: Text("search.otherQuestion", ["value": after]))
      }
    }
    let query = try LibraryQuery(
      params.text, collections: params.collections, isTyping: params.view != nil, in: snapshot)
    return Plan(params: params, query: query, cursor: cursor, caller: snapshot.caller, question: question)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    guard let query = plan.query else { return Fetched() }
    let fetched = try await services.library.read(as: plan.caller) { snapshot in
      try look(plan, query, progress, in: snapshot)
    }
    if plan.cursor == nil, plan.params.offset ?? 0 == 0, plan.params.remember ?? (plan.params.view == nil) {
      services.searchNotes.add(
        RecordedSearch(
          plan.params.text, scope: .library, count: fetched.findings.totalIsEstimate ? nil : fetched.findings.total),
        with: services)
    }
    return fetched
  }

  private static func look(
    _ plan: Plan, _ query: LibraryQuery, _ progress: Progress, in snapshot: Snapshot
  ) throws -> Fetched {
    let services = snapshot.services
    var fetched = Fetched()
    fetched.now = plan.cursor?.now ?? services.now().milliseconds
    if let cursor = plan.cursor, let kept = services.queryLists.findings(cursor.list, of: plan.question) {
      (fetched.findings, fetched.list) = (kept, cursor.list)
      fetched.start = cursor.start(in: kept.hits)
      return fetched
    }
    let ranking = try query.ranking(now: fetched.now, in: snapshot)
    let hits = ranking.hits
    fetched.start = plan.cursor?.start(in: hits) ?? min(plan.params.offset ?? 0, hits.count)
    if progress.takesParts {
      let first = hits.dropFirst(fetched.start).prefix(min(plan.params.limit ?? usualLimit, usualLimit))
      let view = QueryView(query, in: snapshot)
      let items = try first.compactMap(view.hit).map { try JSONEncoding.value(of: $0) }
      progress.part(["items": .array(items)])
      fetched.sent = first.count
    }
    fetched.findings = try query.findings(ranking, isWhole: progress.takesParts, in: snapshot)
    fetched.list = services.queryLists.keep(fetched.findings, of: plan.question)
    // By the reader that has just read their texts: another one would read each of them again.
    fetched.items = try items(of: fetched, plan, query, in: snapshot)
    fetched.clock = snapshot.clock
    return fetched
  }

  /// What of the part was not sent.
  private static func items(
    of fetched: Fetched, _ plan: Plan, _ query: LibraryQuery, in snapshot: Snapshot
  ) throws -> [QueryHit] {
    let part = fetched.findings.hits.dropFirst(fetched.start).prefix(plan.params.limit ?? usualLimit)
    return try part.dropFirst(fetched.sent).compactMap(QueryView(query, in: snapshot).hit)
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    let limit = plan.params.limit ?? usualLimit
    var result = Result(
      items: [], offset: fetched.start, limit: limit, total: 0, totalIsEstimate: false, hasMore: false, next: nil,
      counts: [], state: .prompt, display: .init())
    guard let query = plan.query else {
      result.display.message = snapshot.words(Text("search.prompt.library"))
      return result
    }
    let findings = fetched.findings
    let end = min(fetched.start + limit, findings.hits.count)
    // What was written meanwhile may have changed or removed them.
    result.items =
      fetched.clock == snapshot.clock ? fetched.items : try items(of: fetched, plan, query, in: snapshot)
    (result.total, result.totalIsEstimate) = (findings.total, findings.totalIsEstimate)
    result.hasMore = end < findings.hits.count
    if result.hasMore, end > 0 {
      result.next =
        QueryCursor(
          question: QueryCursor.mark(of: plan.question), list: fetched.list, now: fetched.now, offset: end,
          row: findings.hits[end - 1].row
        ).text
    }
    let labels = Dictionary(query.sources.map { ($0.collection, $0.label) }) { first, _ in first }
    result.counts = findings.counts.map { count in
      Count(
        collection: count.collection, count: count.count, isEstimate: count.isEstimate,
        display: .init(label: labels[count.collection].map(snapshot.words) ?? count.collection))
    }
    result.state = findings.hits.isEmpty ? .noResults : .results
    if findings.hits.isEmpty {
      result.display.message = snapshot.words(Text("search.noResults"))
    } else {
      result.display.heading = snapshot.words(
        findings.totalIsEstimate
          ? Text("search.foundAbout", ["count": String(findings.total)])
          : Text("search.found", ["count": String(findings.total)]))
    }
    var hints = [QuerySlip.first(in: plan.params.text)?.hint].compactMap(\.self)
    if findings.isCut, !result.hasMore {
      let count = ["count": String(findings.hits.count)]
      // Without words no hit is better than another.
      hints.append(query.hasWords ? Text("search.onlyBest", count) : Text("search.onlySome", count))
    }
    if !hints.isEmpty { result.display.hint = hints.map(snapshot.words).joined(separator: " ") }
    return result
  }
}
