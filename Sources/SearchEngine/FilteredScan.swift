import SQLite

/// A set of rows to scan.
struct RowPiece {
  fileprivate var bounds: ClosedRange<Int64>?
  /// Only these rows within `bounds`; nil means all of them.
  fileprivate var rows: ArraySlice<Int64>?

  static let all = RowPiece()

  static func below(_ row: Int64) -> RowPiece { RowPiece(bounds: .min...row - 1) }

  /// SQL that is appended to other conditions on rows of the index.
  var clause: String {
    if bounds == nil { return "" }
    // FTS5 seeks to the bounds. A list of rows would make it seek for every row, so the list filters its output.
    return " AND search_text.rowid BETWEEN ? AND ?" + (rows == nil ? "" : " AND +search_text.rowid IN (\(Self.list))")
  }

  /// The listed rows, newest first, as one value of a statement; nil without a list.
  var named: SQLValue? { list.first }

  /// The same on rows of `entry`, which are looked up one by one.
  var entryClause: String {
    if rows != nil { return " AND entry.rowid IN (\(Self.list))" }
    return bounds == nil ? "" : " AND entry.rowid BETWEEN ? AND ?"
  }

  private static let list = "SELECT value FROM json_each(?)"

  var values: [SQLValue] { limits + list }
  var entryValues: [SQLValue] { rows == nil ? limits : list }

  private var limits: [SQLValue] { bounds.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? [] }
  private var list: [SQLValue] {
    rows.map { [.text("[" + $0.map(String.init).joined(separator: ",") + "]")] } ?? []
  }
}

/// The results of a scan in pieces.
struct ScanResult<Part> {
  var parts: [Part] = []
  /// The number of matches in all parts.
  var found = 0
  /// Whether there are no other matches.
  var isAll = false
}

/// Finds texts that match a query and a filter.
///
/// Testing the filter on a text reads its row at a random position: some twenty microseconds in a large library. For a
/// filter that few of the texts with a common word pass, this would read most of the library. Positions of a word are
/// read a hundred times faster. So the rows that pass the filter are computed from the tables of the items, and the
/// index is queried for these:
///
///     the filter passes few     the index is queried for these rows
///     few texts match           each is tested
///     many                      the newest are tested; if they are not enough, the rows of the filter are queried
///     only a filter             its rows are scanned
///
/// If these rows are too many to be listed completely, the filter passes many texts, and the matches among the first
/// rows are mostly enough to be shown; if not, texts are tested one by one after all, until there are enough.
extension SearchIndex {
  /// The most matches that are tested one by one.
  static let inspected = 3_000

  /// Row distance beyond which the index seeks: a seek costs as much as reading some thousands of positions.
  private static let gap: Int64 = 50_000

  /// The most rows in one list: a scan that has enough after them does not read the others.
  private static let named = 3_000

  /// - Parameters:
  ///   - match: the right side of MATCH; nil means all texts.
  ///   - collections: the collections of the matching texts; nil means all.
  ///   - isOpen: whether every text of these collections matches.
  ///   - most: the number of texts after which the scan stops.
  ///   - enough: the number of texts after which it may remain unknown whether there are others.
  ///   - look: finds at most the given number of texts in a piece. Pieces are passed newest first, except those that
  ///     only the filter determines.
  static func gather<Part>(
    matching match: String?, within collections: [String]? = nil, isOpen: Bool = false,
    where filter: inout FilterRows?, most: Int, enough: Int, in db: Database,
    _ look: (_ piece: RowPiece, _ most: Int) throws -> (part: Part, found: Int)
  ) throws -> ScanResult<Part> {
    var result = ScanResult<Part>()
    /// Whether there are as many as requested.
    func add(_ piece: RowPiece) throws -> Bool {
      let (part, found) = try look(piece, most - result.found)
      result.parts.append(part)
      result.found += found
      return result.found >= most
    }
    // Without words the filter is the most selective condition.
    if isOpen, filter?.areAsked == true { _ = try filter?.selected(in: db) }
    if let listed = try filter?.known ?? filter?.few(in: db) {
      for piece in pieces(of: listed.rows(of: collections)[...]) where try add(piece) { return result }
      result.isAll = true
      return result
    }
    guard filter?.condition.rows.isEmpty == false, let floor = try floor(matching: match, in: db) else {
      result.isAll = try !add(.all)
      return result
    }
    if try add(RowPiece(bounds: floor + 1...Int64.max)) { return result }
    guard let selected = try filter?.selected(in: db) else { return result }
    for piece in pieces(of: selected.rows(of: collections).drop { $0 > floor }) where try add(piece) { return result }
    if selected.isWhole || result.found >= enough {
      result.isAll = selected.isWhole
    } else {
      result = ScanResult()
      result.isAll = try !add(.all)
    }
    return result
  }

  /// The newest row below those that are tested one by one; nil if all are.
  private static func floor(matching match: String?, in db: Database) throws -> Int64? {
    guard let match else {
      let row = try Int64(lastRow(in: db) - inspected)
      return row > 0 ? row : nil
    }
    return try db.first(
      "SELECT rowid FROM search_text WHERE search_text MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?",
      [.text(match), .integer(inspected)]
    ) { $0.integer(0) }
  }

  /// Splits rows, in descending order, into pieces of rows that are close together.
  static func pieces(of rows: ArraySlice<Int64>) -> [RowPiece] {
    var pieces: [RowPiece] = []
    var start = rows.startIndex
    for place in rows.indices {
      let next = place + 1
      if next < rows.endIndex, rows[place] - rows[next] < gap, next - start < named { continue }
      let bounds = rows[place]...rows[start]
      let isDense = bounds.upperBound - bounds.lowerBound == Int64(place - start)
      pieces.append(RowPiece(bounds: bounds, rows: isDense ? nil : rows[start..<next]))
      start = next
    }
    return pieces
  }
}
