import Contract
import Kit
import Store
import Wire

/// Finds a text in a document.
///
/// In a document whose text is stored, everything is found at once. A document whose text is still being extracted is
/// searched page by page, starting with the visible page; missing pages are extracted for it.
enum FindInDocument: ExternalReadMethod {
  static let name = "documents/find"
  static let summary =
    "Where a text stands in a document, also across line ends, hyphens, ligatures and forms of letters. With a `partialResultToken` hits come as they are found."
  static let since = 1
  static let effects: Effects = .reads
  static let doing = Text("doing.findInDocument")
  static let errors: [ErrorKind] = [
    .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt, .busy,
  ]

  struct Params: Payload {
    var id: DocumentID
    var text: String
    var caseSensitive: Bool?
    var wholeWord: Bool?
    var regex: Bool?
    var from: Int?
    var after: String?
    var limit: Int?
    var password: String?
    static let example = Params(
      id: "0192", text: "a line", caseSensitive: nil, wholeWord: nil, regex: nil, from: nil, after: nil, limit: 100,
      password: nil)
    static let fields = [
      "id": "The document.", "text": "What to look for.", "caseSensitive": "Whether capitals matter. Default false.",
      "wholeWord": "Only what is no part of a longer word. Ideographs and Hiragana are words of one letter.",
      "regex":
        "`text` is a regular expression of PCRE2 with Unicode classes; `^` and `$` are the ends of lines, and a blank stands for a line end too.",
      "from": "The page to begin with, from 0. Hits on earlier pages are counted only.",
      "after": "`next` of the part before, instead of `from`.",
      "limit": "How many hits at most. Default 100.",
      "password": "What opens a protected document; kept in memory only.",
    ]
    static let atMostOne = [["from", "after"]]
    static let limits: [String: FieldLimits] = [
      "text": .length(1...10_000, notBlank: true), "from": .atLeast(0), "after": .length(1...64),
      "limit": .range(1...10_000),
    ]
    static let secrets: Set<String> = ["password"]
  }

  struct Result: Payload {
    var items: [FoundText]
    var offset: Int
    var limit: Int
    var total: Int
    var totalIsEstimate: Bool
    var hasMore: Bool
    var next: String?
    var unread: [Int]?
    /// The encoded `items`, if they were written directly and not built as values.
    var written: [UInt8]?
    static let example = Result(
      items: [.example], offset: 0, limit: 100, total: 1, totalIsEstimate: false, hasMore: false, next: nil, unread: nil
    )
    static let fields = [
      "items":
        "The hits in the order of the document; empty where they were sent as `{items}` under the `partialResultToken`, of a document that is still being indexed the pages that the reader sees first.",
      "offset": "How many hits come before the first one here.", "limit": "How many were asked for.",
      "total": "How many hits the document has.",
      "totalIsEstimate": "True where the search stopped at `limit` before all pages were read: there may be more.",
      "hasMore": "Whether hits follow the last one here.",
      "next": "Given as `after`, continues behind the last hit here.",
      "unread": "Pages whose text cannot be taken out, where nothing was found for that reason.",
    ]

    private enum CodingKeys: CodingKey {
      case items, offset, limit, total, totalIsEstimate, hasMore, next, unread
    }

    func write(to json: inout JSONWriter) throws {
      json.beginObject()
      if let written {
        json.member("items")
        json.write(raw: written)
      } else {
        try json.member("items", items)
      }
      json.member("offset", offset)
      json.member("limit", limit)
      json.member("total", total)
      json.member("totalIsEstimate", totalIsEstimate)
      json.member("hasMore", hasMore)
      json.member("next", next)
      if let unread {
        json.member("unread")
        json.write(.array(unread.map { .integer(Int64($0)) }))
      }
      json.endObject()
    }
  }

  struct Plan: Sendable {
    var supply: PageTextSupply
    var query: FindQuery
    /// The place of the first requested hit.
    var start: FindPlace
    /// The visible page, which is searched first when pages have yet to be read. Nil if the client determines the
    /// order.
    var visible: Int?
    var limit: Int
  }
  typealias Fetched = Result

  static let defaultLimit = 100

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    let supply = try PageTextSupply.plan(params.id.text, password: params.password, in: snapshot)
    let count = supply.document.pageCount
    if let from = params.from, from >= count { throw RPCError.pageOutOfRange(from, count: count, field: "from") }
    var start = FindPlace(page: params.from ?? 0)
    if let after = params.after {
      guard let place = FindPlace(cursor: after) else {
        throw RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": after]))
      }
      start = place
    }
    let isOrdered = params.from != nil || params.after != nil
    return Plan(
      supply: supply, query: try FindQuery(params), start: start, visible: isOrdered ? nil : supply.document.page,
      limit: params.limit ?? defaultLimit)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    try await FindRun(plan: plan, services: services, progress: progress).result()
  }

  static func finish(_ result: Result, of plan: Plan, in snapshot: Snapshot) throws -> Result {
    result
  }
}
