import Exchange
import Kit
import SQLite
import Wire

/// The tables of calibre's `metadata.db`, by the number of the book. Its views and triggers call functions of calibre,
/// and are not used.
struct CalibreLibrary {
  /// In all tables. A library of fifty thousand books has some hundred thousand rows in the largest one.
  private static let mostRows = 4_000_000
  /// Of one book in one table.
  private static let mostValues = 1_000

  /// A value of a book, with the number that some tables have beside it: the place in a series.
  struct Value: Equatable {
    var text: String
    var extra: String?
  }

  /// A column that the user of calibre has added.
  struct Column {
    /// `readstatus`, without the `#`.
    var label: String
    /// The title in calibre's list.
    var name: String
    /// `text`, `comments`, `datetime`, `int`, `float`, `bool`, `series`, `enumeration`, `composite`, or `Stars.name`.
    var type: String
    var isMultiple: Bool
    var values: [Int64: [Value]]
  }

  private(set) var books: [ForeignRow] = []
  /// `authors`, `publishers`, `ratings`, `series`, `tags`, `languages`.
  private(set) var values: [String: [Int64: [Value]]] = [:]
  private(set) var identifiers: [Int64: [(type: String, value: String)]] = [:]
  private(set) var comments: [Int64: String] = [:]
  /// The names of its files, without the folder: `Sabriel - Garth Nix.pdf`.
  private(set) var files: [Int64: [String]] = [:]
  private(set) var columns: [Column] = []
  /// The highlights of calibre's viewer.
  private(set) var annotations: [Int64: [CalibreMark]] = [:]
  /// Where the book was last open in calibre's viewer: 0 to 1.
  private(set) var positions: [Int64: (time: Double, fraction: Double)] = [:]
  /// What may still be read: a small file can refer to a long text from very many rows, or from many tables.
  private var rowsLeft = Self.mostRows
  private var bytesLeft: Int

  /// - Parameter size: the bytes of the file.
  /// - Returns: nil for the database of another program.
  /// - Throws: `DatabaseError` for a damaged file, or the error of `checkCancelled`.
  init?(_ database: borrowing ForeignDatabase, size: Int, checkCancelled: () throws -> Void) throws {
    bytesLeft = 8 * size + (16 << 20)
    let links = try rows(of: "books_authors_link", ["book", "author"], in: database, checkCancelled)
    let books = try rows(
      of: "books", ["id", "title", "timestamp", "pubdate", "series_index", "path", "uuid", "has_cover"], in: database,
      checkCancelled)
    guard links != nil, let books else { return nil }
    self.books = books
    for (table, column, value) in [
      ("authors", "author", "name"), ("publishers", "publisher", "name"), Stars.calibreTable,
      ("series", "series", "name"), ("tags", "tag", "name"), ("languages", "lang_code", "lang_code"),
    ] {
      values[table] = try linked(
        table, value: value, by: "books_\(table)_link", column, in: database, checkCancelled)
    }
    for row in try rows(of: "identifiers", ["book", "type", "val"], in: database, checkCancelled) ?? [] {
      guard let book = row.id("book"), let type = row.text("type"), let value = row.text("val") else { continue }
      identifiers[book, default: []].append((type.lowercased(), value))
    }
    for row in try rows(of: "comments", ["book", "text"], in: database, checkCancelled) ?? [] {
      if let book = row.id("book") { comments[book] = row.text("text") }
    }
    for row in try rows(of: "data", ["book", "format", "name"], in: database, checkCancelled) ?? [] {
      guard let book = row.id("book"), let format = row.text("format"), let name = row.text("name") else { continue }
      files[book, default: []].append("\(name).\(format.lowercased())")
    }
    try readReading(database, checkCancelled)
    try readColumns(database, checkCancelled)
  }

  private mutating func readReading(
    _ database: borrowing ForeignDatabase, _ checkCancelled: () throws -> Void
  ) throws {
    let marks = try rows(
      of: "annotations", ["book", "annot_type", "annot_data"], in: database, checkCancelled)
    for row in marks ?? [] where row.text("annot_type") == "highlight" {
      guard let book = row.id("book"), let json = row.text("annot_data"), json.utf8.first == UInt8(ascii: "{") else {
        continue
      }
      try checkCancelled()
      if let mark = try? JSONParser.parse(json), mark["removed"]?.boolValue != true {
        annotations[book, default: []].append(CalibreMark(mark))
      }
    }
    let places = try rows(
      of: "last_read_positions", ["book", "epoch", "pos_frac"], in: database, checkCancelled)
    for row in places ?? [] {
      guard let book = row.id("book"), let fraction = row.number("pos_frac"), (0...1).contains(fraction) else {
        continue
      }
      let time = row.number("epoch") ?? 0
      if time >= positions[book]?.time ?? -.infinity { positions[book] = (time, fraction) }
    }
  }

  private mutating func readColumns(
    _ database: borrowing ForeignDatabase, _ checkCancelled: () throws -> Void
  ) throws {
    let declared = try rows(
      of: "custom_columns", ["id", "label", "name", "datatype", "is_multiple", "mark_for_delete"], in: database,
      checkCancelled)
    var ids: Set<Int64> = []
    for row in (declared ?? []).prefix(Self.mostColumns) where row.number("mark_for_delete") ?? 0 == 0 {
      // Several columns with one id would be the same table.
      guard let id = row.id("id"), ids.insert(id).inserted, let label = row.text("label"),
        let type = row.text("datatype")
      else { continue }
      let table = "custom_column_\(id)"
      let values =
        try linked(table, value: "value", by: "books_\(table)_link", "value", in: database, checkCancelled)
        ?? plain(table, in: database, checkCancelled)
      columns.append(
        Column(
          label: Self.short(label).lowercased(), name: Self.short(row.text("name") ?? label), type: type,
          isMultiple: row.number("is_multiple") ?? 0 != 0, values: values))
    }
  }

  private static let mostColumns = 200

  /// The values of a table with one row for each value, and another table that links them to books.
  ///
  /// - Returns: nil if there is no such link table.
  private mutating func linked(
    _ table: String, value: String, by link: String, _ column: String, in database: borrowing ForeignDatabase,
    _ checkCancelled: () throws -> Void
  ) throws -> [Int64: [Value]]? {
    guard
      let links = try rows(
        of: link, ["id", "book", column, "extra", "item_order"], in: database, checkCancelled)
    else { return nil }
    var names: [Int64: String] = [:]
    for row in try rows(of: table, ["id", value], in: database, checkCancelled) ?? [] {
      if let id = row.id("id") { names[id] = row.text(value).map(Self.short) }
    }
    func order(_ row: ForeignRow) -> (Double, Int64) { (row.number("item_order") ?? 0, row.id("id") ?? 0) }
    var values: [Int64: [Value]] = [:]
    for row in links.sorted(by: { order($0) < order($1) }) {
      guard let book = row.id("book"), let name = row.id(column).flatMap({ names[$0] }) else { continue }
      guard values[book]?.count ?? 0 < Self.mostValues else { continue }
      values[book, default: []].append(Value(text: name, extra: row.text("extra").map(Self.short)))
    }
    return values
  }

  /// The values of a table that names the book in each row.
  private mutating func plain(
    _ table: String, in database: borrowing ForeignDatabase, _ checkCancelled: () throws -> Void
  ) throws -> [Int64: [Value]] {
    var values: [Int64: [Value]] = [:]
    for row in try rows(of: table, ["book", "value"], in: database, checkCancelled) ?? [] {
      guard let book = row.id("book"), let text = row.text("value") else { continue }
      guard values[book]?.count ?? 0 < Self.mostValues else { continue }
      values[book, default: []].append(Value(text: text))
    }
    return values
  }

  /// - Returns: nil if there is no such table.
  private mutating func rows(
    of table: String, _ columns: [String], in database: borrowing ForeignDatabase, _ checkCancelled: () throws -> Void
  ) throws -> [ForeignRow]? {
    var rows: [ForeignRow] = []
    let isThere = try database.each(of: table, columns, most: rowsLeft + 1) { row in
      if rows.count.isMultiple(of: 1_024) { try checkCancelled() }
      rowsLeft -= 1
      try spend(row.values.reduce(0) { if case .text(let text) = $1 { $0 + text.utf8.count } else { $0 } })
      rows.append(row)
    }
    return isThere ? rows : nil
  }

  /// Counts bytes that were read, or that the books store.
  ///
  /// - Throws: `DatabaseError` for more than any library has whose tables are sound.
  mutating func spend(_ bytes: Int) throws {
    bytesLeft -= bytes
    guard bytesLeft >= 0, rowsLeft >= 0 else { throw DatabaseError(.corrupt) }
  }

  /// A name, of which every book can have many.
  private static func short(_ text: String) -> String { text.shortened(to: BookFacts.longestLine).text }
}
