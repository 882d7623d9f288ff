import Contract
import Store
import Wire

/// One way of going through the shelf: which books, and in what order.
///
/// A cursor is the sort key and the id of the last book, so that what is added meanwhile moves nothing.
struct ShelfListing {
  private let sort: ShowShelf.Sort
  private let view: BookView
  private var conditions: [String] = []
  private var values: [SQLValue] = []
  /// Whether these are all books that were asked for.
  private var isWhole = true

  init(_ sort: ShowShelf.Sort, _ view: BookView) {
    self.sort = sort
    self.view = view
  }

  /// Leaves only books for which this holds.
  mutating func narrow(_ condition: String, _ values: [SQLValue] = []) {
    conditions.append(condition)
    self.values += values
  }

  /// Leaves only books that have this name of this kind.
  mutating func narrow(_ kind: String, _ name: String) {
    narrow("id IN (SELECT book FROM bookName WHERE kind = ? AND name = ?)", [.text(kind), .text(name)])
  }

  mutating func narrow(toWords query: String) throws {
    if query.isBlank { return }
    let asked: MatchQuery
    do {
      asked = try MatchQuery(userText: query, lastIsPrefix: true)
    } catch .tooManyTerms(let limit, _), .tooLong(let limit, _) {
      throw RPCError.invalidParams(field: "query", reason: Text("param.count.maximum", ["maximum": String(limit)]))
    }
    guard let rows = try MatchingRows(asked, in: [BookRecord.collectionName], db: view.snapshot.db) else {
      return narrow("0")
    }
    narrow("id IN (SELECT item FROM search_entry WHERE rowid IN (\(rows.sql)))", rows.values)
    if !rows.isAll { isWhole = false }
  }

  func page(after: String?, offset: Int?, limit: Int) throws -> Page<Book> {
    let db = view.snapshot.db
    let whole = conditions.isEmpty ? "1" : conditions.joined(separator: " AND ")
    let total = try db.first("SELECT count(*) FROM book WHERE \(whole)", values) { $0.int(0) } ?? 0
    var condition = whole
    var values = values
    var start = offset ?? 0
    if let after {
      let cursor = try cursor(after)
      condition += " AND (\(sort.key), id) \(sort.isDescending ? "<" : ">") (?, ?)"
      values += cursor
      start = try total - (db.first("SELECT count(*) FROM book WHERE \(condition)", values) { $0.int(0) } ?? 0)
    }
    let direction = sort.isDescending ? "DESC" : "ASC"
    var records = try BookRecord.all(
      in: db, "WHERE \(condition) ORDER BY \(sort.key) \(direction), id \(direction) LIMIT ? OFFSET ?",
      values + [.integer(limit + 1), .integer(after == nil ? start : 0)])
    let hasMore = records.count > limit
    if hasMore { records.removeLast() }
    return Page(
      items: try records.map { try view.book($0) }, offset: start, limit: limit, total: total,
      totalIsEstimate: !isWhole, next: hasMore ? records.last.map(cursor) : nil)
  }

  /// `id/key`; an id has no slash.
  private func cursor(_ record: BookRecord) -> String {
    let key =
      switch sort {
      case .added: String(record.addedAt.milliseconds)
      case .changed: String(record.updatedAt.milliseconds)
      case .started: record.content.started?.description ?? ""
      case .finished: record.content.finished?.description ?? ""
      case .rating: String(Int((record.content.rating ?? 0) * 2))
      // As much as tells it from others; of the same beginning the id decides.
      case .title: String(foldedText(record.title).unicodeScalars.prefix(Self.titleLength))
      }
    return "\(record.id)/\(key)"
  }

  fileprivate static let titleLength = 60

  private func cursor(_ text: String) throws(RPCError) -> [SQLValue] {
    let refusal = RPCError.invalidParams(field: "after", reason: Text("param.badCursor", ["value": text]))
    guard let slash = text.firstIndex(of: "/"), let id = BookID(validating: String(text[..<slash])) else {
      throw refusal
    }
    let key = String(text[text.index(after: slash)...])
    switch sort {
    case .added, .changed, .rating:
      guard let number = Int64(key) else { throw refusal }
      return [.integer(number), .text(id.text)]
    case .started, .finished, .title: return [.text(key), .text(id.text)]
    }
  }
}

extension ShowShelf {
  enum Sort: String, Choice {
    case added, changed, finished, rating, started, title

    static let note =
      "`added`: the last that came first (default), `changed`, `started`, `finished`: the last first, those without a day "
      + "last; `rating`: the best first; `title`."
  }
}

extension ShowShelf.Sort {
  fileprivate var key: String {
    switch self {
    case .added: "addedAt"
    case .changed: "updatedAt"
    case .started: "ifnull(started, '')"
    case .finished: "ifnull(finished, '')"
    case .rating: "CAST(ifnull(rating, 0) * 2 AS INTEGER)"
    case .title: "substr(fold(title), 1, \(ShelfListing.titleLength))"
    }
  }

  fileprivate var isDescending: Bool { self != .title }
}
