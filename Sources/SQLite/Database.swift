import CStore
import Glibc

/// A connection to an SQLite database.
///
/// Used by one thread at a time, which its owner guarantees (`LibraryPool`, `Readers`). Only `interrupt` may be called
/// by another thread, as long as the connection is open.
///
/// Each statement is compiled once and stays compiled until the connection is closed, see `StatementTable`.
public final class Database: @unchecked Sendable {
  // `@unchecked`: see above. SQLite's own mutex of a connection is disabled for the same reason.
  package let sqliteConnection: OpaquePointer
  let statements = StatementTable()
  private var isOpen = true

  package enum Access: Sendable {
    /// SQLite refuses every write.
    case reading
    /// A file that no process changes, with the WAL beside it: nothing is created there or changed.
    case readingUnchanged
    /// The file is created if it is missing.
    case writing
  }

  package static let inMemory = ":memory:"
  /// An unlinked file in SQLite's temporary folder, which is deleted with the connection.
  package static let temporary = ""

  /// - Parameters:
  ///   - path: a file, `inMemory` or `temporary`.
  ///   - busyWait: how long a statement waits for a lock of another connection before it fails with `busy`.
  ///   - prepare: configures the connection, before anything is read from the file.
  /// - Throws: `DatabaseError`, also for a file that is not a database; whatever `prepare` throws.
  package init(
    path: String, access: Access = .writing, busyWait: Duration = .zero,
    prepare: (Database) throws -> Void = { _ in }
  ) throws {
    let (name, mode) =
      switch access {
      case .reading: (path, SQLITE_OPEN_READONLY)
      case .readingUnchanged: (Self.unchangedName(of: path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI)
      case .writing: (path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE)
      }
    var connection: OpaquePointer?
    let code = sqlite3_open_v2(name, &connection, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let connection else {
      // A connection that could not be opened must be closed all the same.
      sqlite3_close(connection)
      throw DatabaseError(ResultCode(rawValue: code))
    }
    sqliteConnection = connection
    cp_sqlite_forbid_quoted_strings(connection)
    wait(whenBusy: busyWait)
    // The index of the WAL is then in memory and not in a file.
    if access == .readingUnchanged { try execute("PRAGMA locking_mode = exclusive") }
    try prepare(self)
    // SQLite opens a file without reading it.
    try execute("SELECT 1 FROM sqlite_schema LIMIT 1")
  }

  /// The URI of a file that is opened as it is (https://sqlite.org/uri.html). With `immutable`, SQLite would ignore a
  /// WAL; without it, SQLite would create one that is missing.
  private static func unchangedName(of path: String) -> String {
    let escaped = path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
    let hasLog = access(path + "-wal", F_OK) == 0
    return "file:\(escaped)?" + (hasLog ? "vfs=unix-none" : "immutable=1")
  }

  deinit {
    guard isOpen else { return }
    statements.finalize()
    sqlite3_close_v2(sqliteConnection)
  }

  /// Closes the connection, which must not be used afterwards.
  ///
  /// - Throws: `DatabaseError` with `busy` while a backup from or to it runs; it stays open.
  package func close() throws {
    guard isOpen else { return }
    statements.finalize()
    let code = sqlite3_close(sqliteConnection)
    guard code == SQLITE_OK else { throw failure(code) }
    isOpen = false
  }

  /// Interrupts the running statement, which fails with `interrupt`. May be called by any thread.
  package func interrupt() {
    sqlite3_interrupt(sqliteConnection)
  }

  /// Sets how long a statement waits for a lock of another connection.
  package func wait(whenBusy duration: Duration) {
    sqlite3_busy_timeout(sqliteConnection, CInt(duration / .milliseconds(1)))
  }

  /// Releases unused memory of the page cache.
  package func releaseMemory() {
    sqlite3_db_release_memory(sqliteConnection)
  }

  /// Enables or disables SQLite's defensive mode, which refuses SQL that could damage the file, such as writes to the
  /// schema and to the tables of an index.
  ///
  /// - Throws: `DatabaseError`.
  package func defend(_ isOn: Bool) throws {
    let code = cp_sqlite_defend(sqliteConnection, isOn ? 1 : 0)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Moves the whole WAL into the database's file and truncates it.
  ///
  /// - Throws: `DatabaseError` with `busy` while another connection reads from the WAL or writes.
  package func truncateLog() throws {
    let code = sqlite3_wal_checkpoint_v2(sqliteConnection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  // MARK: - State

  package var isInsideTransaction: Bool { sqlite3_get_autocommit(sqliteConnection) == 0 }

  package var isReadOnly: Bool { sqlite3_db_readonly(sqliteConnection, "main") == 1 }

  /// The number of rows written by the last INSERT, UPDATE or DELETE.
  package var changesCount: Int { Int(sqlite3_changes(sqliteConnection)) }

  /// The number of rows written since the connection was opened.
  package var totalChangesCount: Int { Int(sqlite3_total_changes(sqliteConnection)) }

  package var lastInsertedRowID: Int64 { sqlite3_last_insert_rowid(sqliteConnection) }

  /// The error of this connection's last call.
  func failure(_ code: CInt, sql: String? = nil) -> DatabaseError {
    // The connection has the extended code of the last error; a call that runs no statement may not have set it.
    let extended = ResultCode(rawValue: sqlite3_extended_errcode(sqliteConnection))
    let code = ResultCode(rawValue: code)
    guard extended.primary == code.primary else { return DatabaseError(code, sql: sql) }
    return DatabaseError(extended, message: String(cString: sqlite3_errmsg(sqliteConnection)), sql: sql)
  }

  // MARK: - Transactions

  private static let begin = CachedStatement("BEGIN IMMEDIATE")
  private static let commit = CachedStatement("COMMIT")
  private static let rollback = CachedStatement("ROLLBACK")

  /// Runs `body` in a transaction that begins with the write lock, and rolls it back if `body` or COMMIT throws.
  ///
  /// - Throws: `DatabaseError` with `abort` if SQLite has ended the transaction itself and `body` continued; whatever
  ///   `body` throws.
  package func transaction<Result>(_ body: () throws -> Result) throws -> Result {
    try run(Self.begin)
    do {
      let result = try body()
      guard isInsideTransaction else { throw DatabaseError(.abort) }
      try run(Self.commit)
      return result
    } catch {
      rollBack()
      throw error
    }
  }

  /// Rolls back an open transaction.
  package func rollBack() {
    // On errors such as a full disk SQLite ends a transaction itself.
    if isInsideTransaction { try? run(Self.rollback) }
  }

  // MARK: - Schema

  /// - Throws: `DatabaseError`.
  package func tableExists(_ name: String) throws -> Bool {
    try first("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ? COLLATE NOCASE", [.text(name)]) { _ in
    } != nil
  }

  /// The defaults of a table's columns that cannot be null, by name.
  ///
  /// - Throws: `DatabaseError`.
  package func defaults(of table: String) throws -> [String: SQLValue] {
    var defaults: [String: SQLValue] = [:]
    let columns = "SELECT name, dflt_value FROM pragma_table_xinfo(?) WHERE \"notnull\" AND dflt_value IS NOT NULL"
    var expressions: [(column: String, value: String)] = []
    try each(columns, [.text(table)]) { expressions.append(($0.text(0), $0.text(1))) }
    for (column, value) in expressions {
      defaults[column] = try first("SELECT \(value)") { $0.storedValue(0) ?? .null }
    }
    return defaults
  }

  /// The names of a table's columns, in the order of `SELECT *`.
  ///
  /// - Throws: `DatabaseError` if there is no such table.
  package func columns(of table: String) throws -> [String] {
    let columns = try texts("SELECT name FROM pragma_table_xinfo(?) WHERE hidden <> 1", [.text(table)])
    guard !columns.isEmpty else { throw DatabaseError(.error, message: table) }
    return columns
  }
}
