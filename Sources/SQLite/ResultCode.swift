import CStore

/// A result code of SQLite, primary or extended: https://www.sqlite.org/rescode.html
package struct ResultCode: RawRepresentable, Hashable, Sendable {
  package let rawValue: CInt

  package init(rawValue: CInt) { self.rawValue = rawValue }

  /// The low eight bits; a primary code is unchanged.
  package var primary: ResultCode { ResultCode(rawValue: rawValue & 0xFF) }

  package static let ok = ResultCode(rawValue: SQLITE_OK)
  package static let error = ResultCode(rawValue: SQLITE_ERROR)
  package static let permission = ResultCode(rawValue: SQLITE_PERM)
  package static let abort = ResultCode(rawValue: SQLITE_ABORT)
  package static let busy = ResultCode(rawValue: SQLITE_BUSY)
  package static let locked = ResultCode(rawValue: SQLITE_LOCKED)
  package static let readOnly = ResultCode(rawValue: SQLITE_READONLY)
  package static let interrupt = ResultCode(rawValue: SQLITE_INTERRUPT)
  package static let ioError = ResultCode(rawValue: SQLITE_IOERR)
  package static let corrupt = ResultCode(rawValue: SQLITE_CORRUPT)
  package static let full = ResultCode(rawValue: SQLITE_FULL)
  package static let cannotOpen = ResultCode(rawValue: SQLITE_CANTOPEN)
  package static let constraint = ResultCode(rawValue: SQLITE_CONSTRAINT)
  package static let misuse = ResultCode(rawValue: SQLITE_MISUSE)
  package static let notADatabase = ResultCode(rawValue: SQLITE_NOTADB)

  // The extended codes are macros that Swift does not import: the primary code plus a number in the higher bits.
  package static let ioErrorWrite = ResultCode(rawValue: SQLITE_IOERR | 3 << 8)
  package static let ioErrorTruncate = ResultCode(rawValue: SQLITE_IOERR | 6 << 8)
  package static let ioErrorSharedMemoryOpen = ResultCode(rawValue: SQLITE_IOERR | 18 << 8)
  package static let ioErrorSharedMemorySize = ResultCode(rawValue: SQLITE_IOERR | 19 << 8)
}

/// An error that SQLite reports. It never contains bound values.
package struct DatabaseError: Error, Sendable, CustomStringConvertible {
  package let extendedCode: ResultCode
  package let message: String
  /// The text of the statement, or nil if no statement failed.
  package let sql: String?

  package var code: ResultCode { extendedCode.primary }

  /// - Parameter message: SQLite's message for the code if nil.
  package init(_ code: ResultCode, message: String? = nil, sql: String? = nil) {
    extendedCode = code
    self.message = message ?? String(cString: sqlite3_errstr(code.rawValue))
    self.sql = sql
  }

  package var description: String {
    let reason = "SQLite error \(code.rawValue): \(message)"
    return sql.map { "\(reason) - while executing `\($0)`" } ?? reason
  }
}
