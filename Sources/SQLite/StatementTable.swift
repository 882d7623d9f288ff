import CStore
import Wire

/// The compiled statements of one connection.
///
/// A `CachedStatement` is looked up by its number. Any other statement is looked up by its text: some of its bytes
/// select the bucket, in which the texts are compared. A hash over the whole text would cost as much as many a statement.
final class StatementTable {
  private struct Entry {
    let sql: String
    let statement: OpaquePointer
  }

  private static let bucketCount = 256
  /// Texts that are generated per request, such as those with a list of columns, must not fill the memory.
  private static let mostInBucket = 8

  private var numbered: [OpaquePointer?] = []
  private var buckets = [[Entry]](repeating: [], count: bucketCount)
  /// The texts bound to running statements; see `Binding`.
  let held = BoundTexts()

  /// - Throws: `DatabaseError` if the statement cannot be compiled.
  func statement(_ cached: CachedStatement, in db: Database) throws -> OpaquePointer {
    if cached.number < numbered.count, let known = numbered[cached.number] { return known }
    let statement = try Self.compile(cached.text, in: db)
    while numbered.count <= cached.number { numbered.append(nil) }
    numbered[cached.number] = statement
    return statement
  }

  /// - Throws: `DatabaseError` if the text cannot be compiled, or is not one statement.
  func statement(_ sql: String, in db: Database) throws -> OpaquePointer {
    let place = Self.bucket(of: sql)
    if let known = buckets[place].firstIndex(where: { sameBytes($0.sql, sql) }) {
      let statement = buckets[place][known].statement
      // Most pragmas run, or read their value, when they are compiled.
      guard sql.utf8.starts(with: "PRAGMA".utf8), sqlite3_stmt_busy(statement) == 0 else { return statement }
      buckets[place].remove(at: known)
      sqlite3_finalize(statement)
    }
    let statement = try Self.compile(sql, in: db)
    if buckets[place].count == Self.mostInBucket,
      let oldest = buckets[place].firstIndex(where: { sqlite3_stmt_busy($0.statement) == 0 })
    {
      sqlite3_finalize(buckets[place].remove(at: oldest).statement)
    }
    buckets[place].append(Entry(sql: sql, statement: statement))
    return statement
  }

  /// Finalizes all statements. None may be running.
  func finalize() {
    for statement in numbered { sqlite3_finalize(statement) }
    for entry in buckets.joined() { sqlite3_finalize(entry.statement) }
    numbered = []
    buckets = Array(repeating: [], count: Self.bucketCount)
  }

  /// Statements of one table have similar beginnings and often similar ends: they mostly differ in length.
  private static func bucket(of sql: String) -> Int {
    var sql = sql
    return sql.withUTF8 { bytes in
      var hash = UInt(bitPattern: bytes.count)
      for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
        hash = (hash ^ UInt(bytes[index])) &* 0x9E37_79B9_7F4A_7C15
      }
      return Int(hash >> 56)
    }
  }

  private static func compile(_ sql: String, in db: Database) throws -> OpaquePointer {
    let (statement, rest) = try db.compile(Array(sql.utf8)[...], mode: SQLITE_PREPARE_PERSISTENT)
    guard let statement, rest.allSatisfy(\.endsStatement) else {
      sqlite3_finalize(statement)
      throw DatabaseError(.misuse, sql: sql)
    }
    return statement
  }
}

extension UInt8 {
  /// A blank or a semicolon.
  fileprivate var endsStatement: Bool { self == 0x20 || (0x09...0x0D).contains(self) || self == UInt8(ascii: ";") }
}

extension Database {
  /// Compiles the first statement of a text.
  ///
  /// - Returns: the statement, or nil if the text contains only blanks and comments; and the remaining bytes.
  /// - Throws: `DatabaseError`.
  fileprivate func compile(
    _ sql: ArraySlice<UInt8>, mode: CInt = 0
  ) throws -> (statement: OpaquePointer?, rest: ArraySlice<UInt8>) {
    try sql.withUnsafeBytes { bytes in
      let start = bytes.bindMemory(to: CChar.self).baseAddress
      var statement: OpaquePointer?
      var end: UnsafePointer<CChar>?
      let code = sqlite3_prepare_v3(sqliteConnection, start, CInt(bytes.count), CUnsignedInt(mode), &statement, &end)
      guard code == SQLITE_OK else { throw failure(code, sql: String(decoding: bytes, as: UTF8.self)) }
      guard let start, let end else { return (statement, []) }
      return (statement, sql.dropFirst(end - start))
    }
  }

  /// Runs the statements of a text one after the other, without caching them. For migrations and other one-time work;
  /// otherwise use `run`.
  ///
  /// - Throws: `DatabaseError` of the first statement that fails; the preceding ones have run.
  package func execute(_ script: String) throws {
    var rest = Array(script.utf8)[...]
    while !rest.isEmpty {
      let (statement, following) = try compile(rest)
      defer { sqlite3_finalize(statement) }
      rest = following
      guard let statement else { continue }
      while try step(statement) {}
    }
  }
}
