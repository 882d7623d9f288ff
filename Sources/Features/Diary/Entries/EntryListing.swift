import Contract
import GRDB
import Store
import Wire

/// One way of going through the entries: which, and in what order.
///
/// A cursor is the sort key and the id of the last item, so that what is inserted meanwhile moves nothing.
struct EntryListing {
  private let sort: ListEntries.Sort
  private var conditions: [String] = []
  private var values: [SQLValue] = []

  init(_ sort: ListEntries.Sort) {
    self.sort = sort
  }

  /// Leaves only entries for which this holds.
  mutating func narrow(_ condition: String, _ values: SQLValue...) {
    conditions.append(condition)
    self.values += values
  }

  func page(after: String?, offset: Int?, limit: Int?, in snapshot: Snapshot) throws -> Page<DiaryEntry> {
    let db = snapshot.db
    let limit = limit ?? 100
    let cursor = try after.map(cursor)
    let total = try count(in: db)
    let start = try cursor.map { try total - count(behind: $0, in: db) } ?? offset ?? 0
    // The ids alone first: a hundred entries may have a hundred megabytes.
    let ids = try ids(behind: cursor, offset: offset ?? 0, limit: limit + 1, in: db)
    var items: [DiaryEntry] = []
    var last: EntryRecord?
    var bytes = 0
    for id in ids.prefix(limit) {
      let record = try snapshot.get(EntryRecord.self, id: id)
      let shown = ShownEntry(record, in: snapshot)
      bytes += shown.title.utf8.count
      if bytes > Self.titleBytes, !items.isEmpty { break }
      items.append(try DiaryEntry(shown, isListed: true))
      last = record
    }
    let next = items.count < ids.count ? last.map(cursor(of:)) : nil
    return Page(items: items, offset: start, limit: limit, total: total, next: next)
  }

  /// What the titles of one part may have together.
  private static let titleBytes = 1 << 20

  private func count(behind cursor: [SQLValue]? = nil, in db: Database) throws -> Int {
    let (sql, values) = countStatement(behind: cursor)
    return try db.first(sql, values) { $0.int(0) } ?? 0
  }

  private func ids(behind cursor: [SQLValue]?, offset: Int, limit: Int, in db: Database) throws -> [String] {
    let (sql, values) = idStatement(behind: cursor, offset: offset, limit: limit)
    var ids: [String] = []
    try db.each(sql, values) { ids.append($0.text(0)) }
    return ids
  }

  func countStatement(behind cursor: [SQLValue]? = nil) -> (sql: String, values: [SQLValue]) {
    let (condition, values) = selection(behind: cursor)
    return ("SELECT count(*) FROM diaryEntry WHERE \(condition)", values)
  }

  func idStatement(
    behind cursor: [SQLValue]? = nil, offset: Int, limit: Int
  ) -> (sql: String, values: [SQLValue]) {
    let (condition, values) = selection(behind: cursor)
    let order = keys.map { "\($0) \(isDescending ? "DESC" : "ASC")" }.joined(separator: ", ")
    return (
      "SELECT id FROM diaryEntry WHERE \(condition) ORDER BY \(order) LIMIT ? OFFSET ?",
      values + [.integer(limit), .integer(offset)]
    )
  }

  private func selection(behind cursor: [SQLValue]?) -> (condition: String, values: [SQLValue]) {
    var (conditions, values) = (conditions, values)
    if let cursor {
      let places = keys.map { _ in "?" }.joined(separator: ", ")
      conditions.append("(\(keys.joined(separator: ", "))) \(isDescending ? "<" : ">") (\(places))")
      values += cursor
    }
    return (conditions.isEmpty ? "1" : conditions.joined(separator: " AND "), values)
  }

  private var keys: [String] { sort == .changed ? ["updatedAt", "id"] : ["day", "writtenAt", "id"] }
  private var isDescending: Bool { sort != .oldest }

  /// `id/key`, or `id/key/day`: an id has no slash.
  private func cursor(of record: EntryRecord) -> String {
    sort == .changed
      ? "\(record.id)/\(record.updatedAt.milliseconds)"
      : "\(record.id)/\(record.writtenAt.milliseconds)/\(record.day)"
  }

  private func cursor(_ text: String) throws(RPCError) -> [SQLValue] {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    let isDated = sort != .changed
    guard parts.count == keys.count, let instant = Int64(parts[1]), !isDated || CalendarDay(parts[2]) != nil else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    }
    return (isDated ? [.text(parts[2])] : []) + [.integer(instant), .text(parts[0])]
  }
}
