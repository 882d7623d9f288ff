import GRDB
import GRDBSQLite
import Synchronization
import Wire

/// The compiled statements of a connection that runs the same few of them again and again.
///
/// GRDB keeps such statements too, by a hash over all of their text, and that hash alone costs as much as many a
/// statement of ours. Here a few bytes of the text say where to look, and comparing says the rest.
final class StatementTable {
  private struct Entry {
    let sql: String
    let statement: Statement
  }

  private static let slots = 256
  private var entries = [Entry?](repeating: nil, count: slots)
  private var kept: [(statement: Statement, pointer: OpaquePointer)?] = []
  let held = HeldTexts()

  func statement(_ statement: KeptStatement, in db: Database) throws -> OpaquePointer {
    if statement.number < kept.count, let known = kept[statement.number] { return known.pointer }
    let compiled = try db.makeStatement(sql: statement.text)
    while kept.count <= statement.number { kept.append(nil) }
    kept[statement.number] = (compiled, compiled.sqliteStatement)
    return compiled.sqliteStatement
  }

  /// The statement, or nil where another one has its place: that one is for GRDB to keep.
  func statement(_ sql: String, in db: Database) throws -> Statement? {
    let slot = Self.slot(of: sql)
    if let entry = entries[slot] { return sameBytes(entry.sql, sql) ? entry.statement : nil }
    let statement = try db.makeStatement(sql: sql)
    entries[slot] = Entry(sql: sql, statement: statement)
    return statement
  }

  /// Statements of one table begin alike and often end alike: what tells them apart is mostly their length.
  private static func slot(of sql: String) -> Int {
    var sql = sql
    return sql.withUTF8 { bytes in
      var hash = UInt(bitPattern: bytes.count)
      for index in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 16)) {
        hash = (hash ^ UInt(bytes[index])) &* 0x9E37_79B9_7F4A_7C15
      }
      return Int(hash >> 56)
    }
  }

  // MARK: - By connection

  private struct Attached: @unchecked Sendable {
    // `@unchecked`: a table is only used where its connection is, on one thread at a time.
    let connection: ObjectIdentifier
    let table: StatementTable
  }
  private static let attached = Mutex<[Attached]>([])

  /// The table of a connection; nil for those that have none.
  static func of(_ db: Database) -> StatementTable? {
    let connection = ObjectIdentifier(db)
    return attached.withLock { tables in tables.first { $0.connection == connection } }?.table
  }

  /// Gives the connection a table, until `detach`.
  static func attach(to db: Database) {
    let attached = Attached(connection: ObjectIdentifier(db), table: StatementTable())
    Self.attached.withLock { $0.append(attached) }
  }

  /// To be called before the connection is closed, and where it may be used.
  static func detach(from db: Database) {
    let connection = ObjectIdentifier(db)
    // Its statements are finalized when nobody else can see them any more, outside the lock.
    let gone = attached.withLock { tables in
      defer { tables.removeAll { $0.connection == connection } }
      return tables.filter { $0.connection == connection }
    }
    withExtendedLifetime(gone) {}
  }
}
