import CStore
import Glibc

/// A database of another program, from a file that nobody has checked.
///
/// It is opened in memory: a file would get a log and locks beside it, and could change while it is read. Functions
/// and virtual tables that its schema names are not trusted, and the values have a limit. A table is read by a plain
/// scan with a bound of rows, so that a damaged tree ends too.
package struct ForeignDatabase: ~Copyable {
  private let db: Database

  /// The most bytes of a value.
  private static let longestValue: CInt = 4 << 20

  /// - Throws: `DatabaseError` for bytes that are no database.
  package init(_ bytes: [UInt8]) throws {
    db = try Database(path: Database.inMemory) { db in
      let code = Self.load(bytes, into: db.sqliteConnection)
      guard code == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: code)) }
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, Self.longestValue)
      sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
      try db.defend(true)
      try db.execute("PRAGMA trusted_schema = OFF")
      try db.execute("PRAGMA cell_size_check = ON")
    }
  }

  /// - Returns: a result code of SQLite.
  private static func load(_ bytes: [UInt8], into connection: OpaquePointer) -> CInt {
    guard let copy = sqlite3_malloc64(UInt64(max(bytes.count, 1))) else { return SQLITE_NOMEM }
    let start = copy.assumingMemoryBound(to: UInt8.self)
    bytes.withUnsafeBytes { if let source = $0.baseAddress { memcpy(copy, source, $0.count) } }
    // SQLite has no log for a database in memory; these two bytes of the header say whether the file had one.
    if bytes.count > 19 { (start[18], start[19]) = (1, 1) }
    let flags = CUnsignedInt(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)
    return sqlite3_deserialize(
      connection, "main", start, sqlite3_int64(bytes.count), sqlite3_int64(bytes.count), flags)
  }

  /// Whether bytes begin as every database of SQLite does.
  package static func isDatabase(_ bytes: [UInt8]) -> Bool { bytes.starts(with: Array("SQLite format 3\0".utf8)) }

  /// Passes the rows of a table to `body`, with the values of these columns by name; a column that the table does not
  /// have is missing in all.
  ///
  /// - Parameters:
  ///   - most: the most rows that are read.
  /// - Returns: false if there is no such table: a view or a virtual table does not count.
  /// - Throws: `DatabaseError` for a damaged file, and whatever `body` throws.
  package func each(
    of table: String, _ columns: [String], most: Int, _ body: (_ row: [String: SQLValue]) throws -> Void
  ) throws -> Bool {
    let isTable = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ? COLLATE NOCASE"
    guard try db.first(isTable, [.text(table)], { _ in true }) == true else { return false }
    // Generated columns run expressions of the schema.
    let plain = Set(try db.texts("SELECT name FROM pragma_table_xinfo(?) WHERE hidden = 0", [.text(table)]))
    let read = columns.filter(plain.contains)
    if read.isEmpty { return true }
    let names = read.map { "\"\($0)\"" }.joined(separator: ", ")
    try db.each("SELECT \(names) FROM \"\(table)\" LIMIT ?", [.integer(most)]) { row in
      var values: [String: SQLValue] = [:]
      for (index, name) in read.enumerated() { values[name] = row.storedValue(index) ?? .null }
      try body(values)
    }
    return true
  }
}
