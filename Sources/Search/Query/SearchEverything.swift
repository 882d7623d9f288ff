import Contract
import Display
import Kit
import SearchEngine
import Store
import Wire

/// Searches the whole library at once.
///
///     prepare   parses the query: an invalid one is refused in the client's order
///     fetch     searches, in one state of the library; the first hits are sent before all are counted
///     finish    shows the requested part
enum SearchEverything: ExternalReadMethod {
  static let name = "search/query"
  static let summary =
    "Searches pages of documents, highlights, memos, posts, the diary, cards and books, best hits first. Operators: "
    + "`\"a phrase\"`, `begin*`, `AND`, `OR`, `NOT`, parentheses, `title:`, `in:diary`, `tag:`, `journal:`, `from:`, "
    + "`is:overdue`, "
    + "`before:` and `after:` a day, month or year, `due:` for cards with that deadline; anything else is text. "
    + "`after:2026-03` matches items of its first day or later, `before:2026-03` items of an earlier day: `before:` "
    + "excludes its day, month or year, `after:` includes it. Both accept `2026-11-21`, `2026-03`, `2026` and "
    + "natural-language dates such as `yesterday`, `\"March 2026\"`, `3월` or `작년`; a month without a year is the "
    + "latest that is not in the future. `due:` accepts the same and weeks, as future dates: `due:12월` is all of the "
    + "next December, `due:\"by friday\"` every day up to that one. With a `partialResultToken` the first hits are "
    + "sent before all are counted. The other hits follow the best 400, so that a list can be paged to its end."
  static let effects: Effects = [.reads, .writes]
  static let doing = Text("doing.searchEverything")
  static let errors: [ErrorKind] = [.notFound, .superseded]

  /// The unit that one hit represents.
  enum Grouping: String, Choice {
    case item
  }

  struct Params: Payload {
    var text: String?
    var saved: SearchID?
    var collections: [String]?
    var group: Grouping?
    var offset: Int?
    var after: String?
    var limit: Int?
    var view: String?
    var remember: Bool?
    static let example = Params(
      text: "slow river in:diary", saved: nil, collections: nil, group: nil, offset: nil, after: nil, limit: 20,
      view: nil, remember: nil)
    static let fields = [
      "text": "The query. A blank query searches nothing, and `state` is `prompt`. Required without `saved`.",
      "saved": "A saved search (`search/saved`), whose query and collections replace `text`.",
      "collections": "The collections to search, by their names in hits. Default: all.",
      "group":
        "`item`: one hit per item, its best, with `count` and for a document its `pages`. Default: each page of a "
        + "document is a hit.",
      "offset": "The number of hits to skip; `after` reaches further.",
      "after":
        "`next` of the previous page, with the same `text`, `collections` and `group`, and with a `view` exactly if "
        + "there was one. A cursor of another query is refused.",
      "limit": "Maximum number of hits. Default 20.",
      "view":
        "A newer request of the same client and view supersedes this one. The query is treated as being typed: the "
        + "last word matches as a prefix, an unfinished end (`\"the`, `(riv`, `in:di`) is ignored instead of an error, "
        + "and the query is not recorded.",
      "remember": "Whether the query is recorded for `search/history`. Default: unless there is a `view` or `saved`.",
    ]
    static let limits: [String: FieldLimits] = [
      "text": .length(0...10_000), "collections": .length(1...32), "offset": .range(0...400),
      "after": .length(1...128), "limit": .range(1...200), "view": .length(1...256),
    ]
    static let atMostOne = [["offset", "after"], ["text", "saved"], ["saved", "collections"]]
  }

  struct Count: Payload {
    var collection: String
    var count: Int
    var isEstimate: Bool
    var isFloor: Bool?
    var display: Display

    struct Display: Payload {
      var label: String
      static let example = Display(label: "Diary")
      static let terms = ["label": "name"]
      static let fields = ["label": "The collection's label."]
    }

    static let example = Count(
      collection: "diary", count: 1, isEstimate: false, isFloor: nil, display: .example)
    static let fields = [
      "collection": "The collection of the hits.", "count": "The number of hits.",
      "isEstimate": "Whether the number is inexact.",
      "isFloor": "True if the number is a lower bound; absent otherwise.",
      "display": "Strings for people.",
    ]
  }

  /// The state to show.
  enum State: String, Choice {
    case prompt, results, noResults
  }

  struct Result: Payload {
    var items: [QueryHit]
    var offset: Int
    var limit: Int
    var total: Int
    var totalIsEstimate: Bool
    var totalIsFloor: Bool?
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
        "heading": "The number of hits, as a sentence.", "message": "The message to show without hits.",
        "hint":
          "A hint below the hits or the message: that a field may be misspelled, as in `tilte:river`, or that `-word` excludes nothing, or, at the end "
          + "of the best hits, that there are others.",
      ]
    }

    static let example = Result(
      items: [.example], offset: 0, limit: 20, total: 1, totalIsEstimate: false, totalIsFloor: nil, hasMore: false,
      next: nil, counts: [.example], state: .results, display: .example)
    static let fields = [
      "items":
        "The hits, best first; of a document, hits after the third page follow the other results. Without those sent "
        + "as `{items}` under the `partialResultToken`.",
      "offset": "The number of hits before the first of this page.", "limit": "The requested number of hits.",
      "total": "The total number of hits: items, and pages of documents; with `group` items only.",
      "totalIsEstimate":
        "Whether `total` is inexact. For a word in thousands of texts, at most 1,000 hits of a collection are counted, "
        + "unless there is a `partialResultToken`, and fewer if a filter excludes very many. An expensive prefix, such "
        + "as `a*` in a large library or a single character of Han, kana or Hangul, only matches whole words, titles "
        + "and the newest texts.",
      "totalIsFloor":
        "True if `total` is a lower bound, such as the 1,000 of a frequent word. Absent otherwise. `totalIsEstimate` "
        + "is then true as well.",
      "hasMore": "Whether more hits follow.",
      "next": "Cursor for the next page: pass it as `after`. Texts written meanwhile do not disturb it.",
      "counts": "Hits by collection, also with `group`.",
      "state": "What to show: `prompt` for a blank query, `results`, or `noResults`.",
      "display": "Strings for people.",
    ]
  }

  struct Plan: Sendable {
    var params: Params
    /// The query; for a saved search, its own.
    var text: String
    var query: LibraryQuery?
    var cursor: QueryCursor?
    var caller: any Caller
    /// Distinguishes this query from others.
    var question: String

    var limit: Int { params.limit ?? usualLimit }
    var isGrouped: Bool { params.group == .item }
  }

  struct Fetched: Sendable {
    var findings = QueryFindings.none
    var list = 0
    var now: Int64 = 0
    /// Where the part begins, and how many of its hits were sent.
    var start = 0
    var sent = 0
    /// The remaining items of the part, as they were in the searched state of the library.
    var items: [QueryHit] = []
    /// Where the list continues; nil at its end.
    var next: QueryPart.Place?
    var clock: Int64 = -1
  }

  static let usualLimit = 20

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let saved = try params.saved.map { try snapshot.get(SavedSearchRecord.self, id: $0.text) }
    guard let text = saved?.text ?? params.text else {
      throw RPCError.invalidParams(field: "text", reason: Text("param.missing"))
    }
    let collections = try saved.map { try $0.collectionList } ?? params.collections
    let kind = [params.view == nil ? "" : "typing", params.group?.rawValue].compactMap(\.self).joined(separator: " ")
    let question = ([kind, text] + (collections ?? ["*"])).joined(separator: "\n")
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
    let query = try LibraryQuery(text, collections: collections, isTyping: params.view != nil, in: snapshot)
    return Plan(
      params: params, text: text, query: query, cursor: cursor, caller: snapshot.caller, question: question)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Fetched {
    guard let query = plan.query else { return Fetched() }
    let fetched = try await services.library.read(as: plan.caller) { snapshot in
      try look(plan, query, progress, in: snapshot)
    }
    let isNoted = plan.params.remember ?? (plan.params.view == nil && plan.params.saved == nil)
    if plan.cursor == nil, plan.params.offset ?? 0 == 0, isNoted {
      services.searchNotes.add(
        RecordedSearch(
          plan.text, scope: .library, count: fetched.findings.totalIsEstimate ? nil : fetched.findings.total),
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
    if let cursor = plan.cursor, let cached = services.queryLists.findings(cursor.list, of: plan.question) {
      (fetched.findings, fetched.list) = (cached, cursor.list)
      fetched.start = start(of: plan, in: cached.hits)
      try fill(&fetched, plan, query, in: snapshot)
      return fetched
    }
    let ranking = try query.ranking(now: fetched.now, in: snapshot)
    fetched.start = start(of: plan, in: ranking.hits)
    // Groups are counted before they are shown.
    if progress.takesParts, !plan.isGrouped, plan.cursor?.isFurther != true {
      let first = ranking.hits.dropFirst(fetched.start).prefix(min(plan.limit, usualLimit))
      let view = QueryView(query, in: snapshot)
      let items = try first.compactMap(view.hit).map { try JSONEncoding.value(of: $0) }
      progress.part(["items": .array(items)])
      fetched.sent = first.count
    }
    fetched.findings = try query.findings(ranking, isWhole: progress.takesParts, in: snapshot)
    fetched.list = services.queryLists.store(
      fetched.findings, of: plan.question, for: plan.caller.connectionID, in: plan.params.view)
    // By the reader that has just read their texts: another one would read each of them again.
    try fill(&fetched, plan, query, in: snapshot)
    return fetched
  }

  /// How many hits precede the part.
  private static func start(of plan: Plan, in hits: [RankedText]) -> Int {
    let hits = plan.isGrouped ? QueryPart.firsts(of: hits) : hits
    guard let cursor = plan.cursor else { return min(plan.params.offset ?? 0, hits.count) }
    return cursor.isFurther ? cursor.offset : cursor.start(in: hits)
  }

  /// Reads the part, without the hits that were sent already.
  private static func fill(
    _ fetched: inout Fetched, _ plan: Plan, _ query: LibraryQuery, in snapshot: Snapshot
  ) throws {
    let part = try QueryPart(
      of: fetched.findings, query, from: fetched.start, after: plan.cursor.flatMap { $0.isFurther ? $0.row : nil },
      limit: plan.limit, isGrouped: plan.isGrouped, now: fetched.now, in: snapshot)
    let view = QueryView(query, in: snapshot)
    fetched.items = try part.hits.dropFirst(fetched.sent).compactMap { try view.hit($0) }
    fetched.next = part.next
    fetched.clock = snapshot.clock
  }

  static func finish(_ fetched: Fetched, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    var fetched = fetched
    var result = Result(
      items: [], offset: fetched.start, limit: plan.limit, total: 0, totalIsEstimate: false, hasMore: false, next: nil,
      counts: [], state: .prompt, display: .init())
    guard let query = plan.query else {
      result.display.message = snapshot.words(Text("search.prompt.library"))
      return result
    }
    let findings = plan.isGrouped ? fetched.findings.ofItems : fetched.findings
    // Later writes may have changed or removed them.
    if fetched.clock != snapshot.clock { try fill(&fetched, plan, query, in: snapshot) }
    result.items = fetched.items
    (result.total, result.totalIsEstimate) = (findings.total, findings.totalIsEstimate)
    result.totalIsFloor = findings.totalIsFloor ? true : nil
    result.hasMore = fetched.next != nil
    result.next = fetched.next.map { place in
      QueryCursor(
        question: QueryCursor.mark(of: plan.question), list: fetched.list, now: fetched.now, offset: place.offset,
        row: place.row, isFurther: place.isFurther
      ).text
    }
    let labels = Dictionary(query.sources.map { ($0.collection, $0.label) }) { first, _ in first }
    result.counts = findings.counts.map { count in
      Count(
        collection: count.collection, count: count.count, isEstimate: count.isEstimate,
        isFloor: count.isFloor ? true : nil,
        display: .init(label: labels[count.collection].map(snapshot.words) ?? count.collection))
    }
    result.state = findings.hits.isEmpty ? .noResults : .results
    if findings.hits.isEmpty {
      result.display.message = snapshot.words(Text("search.noResults"))
    } else {
      result.display.heading = snapshot.words(findings.heading)
    }
    var hints = [QuerySlip.first(in: plan.text)?.hint, SignedWord.first(in: plan.text)?.hint].compactMap(\.self)
    if findings.isCut, !result.hasMore {
      let count = ["count": String(findings.hits.count)]
      // Without words all hits rank equally.
      hints.append(query.hasWords ? Text("search.onlyBest", count) : Text("search.onlySome", count))
    }
    if !hints.isEmpty { result.display.hint = snapshot.reader.language.joined(hints.map(snapshot.words)) }
    return result
  }
}
