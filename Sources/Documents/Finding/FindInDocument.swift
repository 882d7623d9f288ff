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
    "Finds a text in a document, also across line ends, hyphens, ligatures and character variants. With a "
    + "`partialResultToken`, hits are sent as they are found."
  static let effects: Effects = .reads
  static let doing = Text("doing.findInDocument")
  static let errors: [ErrorKind] = [
    .elsewhere, .noFile, .notFound, .passwordRequired, .workerCrashed, .sandboxUnavailable, .timedOut, .corrupt, .busy,
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
      "id": "The document.", "text": "The text to find.", "caseSensitive": "Whether case matters. Default false.",
      "wholeWord": "Whether to match whole words only. Each ideograph or Hiragana character is a word.",
      "regex":
        "`text` is a regular expression of PCRE2 with Unicode classes; `^` and `$` match at line ends, and a space "
        + "also matches a line end.",
      "from": "The first page to search, from 0. Hits on earlier pages are only counted.",
      "after": "`next` of the previous page, instead of `from`.",
      "limit": "Maximum number of hits. Default 100.",
      "password": "The password of a protected document; stored in memory only.",
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
        "The hits in document order; empty if they were sent as `{items}` under the `partialResultToken`. While the "
        + "document is being indexed, those begin at the reading position.",
      "offset": "The number of hits before the first one here.", "limit": "The requested number of hits.",
      "total": "The number of hits in the document.",
      "totalIsEstimate": "True if the search stopped at `limit` before all pages were read: there may be more.",
      "hasMore": "Whether more hits follow.",
      "next": "Cursor for the next page: pass it as `after`.",
      "unread": "Pages whose text cannot be extracted and was therefore not searched.",
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
      json.pageMembers(
        offset: offset, limit: limit, total: total, totalIsEstimate: totalIsEstimate, hasMore: hasMore, next: next)
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
