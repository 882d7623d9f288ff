import Contract
import Store
import Wire

enum ShowSearchHistory: ExternalReadMethod {
  static let name = "search/history"
  static let summary = "The searches that were made, the last first, each once."
  static let since = 1
  static let effects: Effects = .reads

  struct Params: Payload {
    var scope: SearchScope?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(scope: .boards, offset: nil, after: nil, limit: 20)
    static let fields = [
      "scope": "Only searches made there: `boards`, `books` or `library`.", "offset": "How many to step over.",
      "after": "`next` of the part before.", "limit": "How many at most. Default 50.",
    ]
    static let limits: [String: FieldLimits] = [
      "offset": .atLeast(0), "after": .length(1...256), "limit": .range(1...200),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = Page<PastSearch>

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Params {
    _ = try params.after.map(cursor)
    return params
  }

  static func known(_ params: Params, in snapshot: Snapshot) -> Void? {
    snapshot.services.searchNotes.isEmpty ? () : nil
  }

  static func fetch(_ params: Params, with services: Services, progress: Progress) async {
    await services.searchNotes.settle(with: services)
  }

  static func finish(_: Void, of params: Params, in snapshot: Snapshot) throws -> Page<PastSearch> {
    let condition = params.scope == nil ? "1" : "scope = ?"
    let values: [SQLValue] = params.scope.map { [.text($0.rawValue)] } ?? []
    let limit = params.limit ?? 50
    let cursor = try params.after.map(cursor)
    let behind = cursor == nil ? "" : " AND (searchedAt, id) < (?, ?)"
    let records = try SearchRecord.all(
      in: snapshot.db, "WHERE \(condition)\(behind) ORDER BY searchedAt DESC, id DESC LIMIT ? OFFSET ?",
      values + (cursor ?? []) + [.integer(limit + 1), .integer(params.offset ?? 0)])
    func count(_ more: String, _ moreValues: [SQLValue]) throws -> Int {
      try snapshot.db.first("SELECT count(*) FROM search WHERE \(condition)\(more)", values + moreValues) { $0.int(0) }
        ?? 0
    }
    return Page(
      items: try records.prefix(limit).map { try PastSearch($0, in: snapshot) },
      offset: try cursor.map { try count(" AND (searchedAt, id) >= (?, ?)", $0) } ?? params.offset ?? 0, limit: limit,
      total: try count("", []),
      next: records.count > limit
        ? records.prefix(limit).last.map { "\($0.searchedAt.milliseconds)/\($0.id)" } : nil)
  }

  /// `instant/id`: neither has a slash.
  private static func cursor(_ text: String) throws(RPCError) -> [SQLValue] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, let instant = Int64(parts[0]) else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    }
    return [.integer(instant), .text(parts[1])]
  }
}
