import SQLite

/// Rows among which is looked.
struct RowPiece {
  fileprivate var bounds: ClosedRange<Int64>?
  /// Only these of them; nil is all of them.
  fileprivate var rows: ArraySlice<Int64>?

  static let all = RowPiece()

  static func below(_ row: Int64) -> RowPiece { RowPiece(bounds: .min...row - 1) }

  /// Behind other conditions on rows of the index.
  var clause: String {
    if bounds == nil { return "" }
    // FTS5 leaps to the bounds. One by one it would begin anew for every row, so these are told apart as they come.
    return " AND search_text.rowid BETWEEN ? AND ?" + (rows == nil ? "" : " AND +search_text.rowid IN (\(Self.list))")
  }

  /// The rows one by one, the newest first, as a statement's one value; nil where they are not named.
  var named: SQLValue? { list.first }

  /// The same on rows of `entry`, which are found one by one.
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

/// What was found piece by piece.
struct Gathered<Part> {
  var parts: [Part] = []
  /// How many, of all parts.
  var found = 0
  /// Whether there are no others.
  var isAll = false
}

/// How texts are found that match, and for which a filter holds besides.
///
/// To look whether it holds reads a text's row, wherever that lies: some twenty microseconds in a large library. A filter
/// that few of the texts with a common word meet would so read most of the library. The places of a word are read a
/// hundred times faster. So the rows that the filter leaves are told by the tables of the items, and the index is asked for
/// these:
///
///     the filter leaves few     these are asked for
///     few texts match           each is looked at
///     many                      the newest are looked at; where they do not do, the rows of the filter are asked for
///     nothing but the filter    its rows are asked for
///
/// Where those rows are too many to be told in full the filter leaves much, and what is found among the first of them is
/// mostly enough to be shown; if not, each text is looked at after all, until there are enough.
extension SearchIndex {
  /// How many matches are looked at one by one.
  static let inspected = 3_000

  /// Between rows that lie so far apart places of words are leapt over: to leap costs as much as to read some thousands.
  private static let gap: Int64 = 50_000

  /// So many rows are named at once: what has enough of them does not read the others.
  private static let named = 3_000

  /// - Parameters:
  ///   - match: the right side of MATCH; nil is all texts.
  ///   - collections: where those that match are; nil is everywhere.
  ///   - isOpen: whether every text there matches.
  ///   - most: so many are looked for.
  ///   - enough: of so many it may be left open whether there are others.
  ///   - look: finds a number of texts in a piece at most. The pieces come with the newest texts first, but for those
  ///     that only the filter tells.
  static func gather<Part>(
    matching match: String?, within collections: [String]? = nil, isOpen: Bool = false,
    where filter: inout FilterRows?, most: Int, enough: Int, in db: Database,
    _ look: (_ piece: RowPiece, _ most: Int) throws -> (part: Part, found: Int)
  ) throws -> Gathered<Part> {
    var gathered = Gathered<Part>()
    /// Whether there are as many as are wanted.
    func add(_ piece: RowPiece) throws -> Bool {
      let (part, found) = try look(piece, most - gathered.found)
      gathered.parts.append(part)
      gathered.found += found
      return gathered.found >= most
    }
    // Without words nothing says less than the filter.
    if isOpen, filter?.areAsked == true { _ = try filter?.selected(in: db) }
    if let told = try filter?.known ?? filter?.few(in: db) {
      for piece in pieces(of: told.rows(of: collections)[...]) where try add(piece) { return gathered }
      gathered.isAll = true
      return gathered
    }
    guard filter?.condition.rows.isEmpty == false, let floor = try floor(matching: match, in: db) else {
      gathered.isAll = try !add(.all)
      return gathered
    }
    if try add(RowPiece(bounds: floor + 1...Int64.max)) { return gathered }
    guard let selected = try filter?.selected(in: db) else { return gathered }
    for piece in pieces(of: selected.rows(of: collections).drop { $0 > floor }) where try add(piece) { return gathered }
    if selected.isWhole || gathered.found >= enough {
      gathered.isAll = selected.isWhole
    } else {
      gathered = Gathered()
      gathered.isAll = try !add(.all)
    }
    return gathered
  }

  /// The newest of the rows that are not looked at one by one; nil where all are.
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

  /// Rows that lie close together are of one piece. They come in falling order.
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
