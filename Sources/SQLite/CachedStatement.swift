import CStore
import Synchronization
import Wire

/// A frequent statement. Every connection compiles it once, and looks it up by its number without comparing its text.
/// For `static let`s: it is never dropped. A pragma can be one only if it reads its value when it runs, such as
/// `page_count`.
public final class CachedStatement: Sendable {
  package let text: String
  let number: Int

  private static let count = Atomic(0)

  package init(_ text: String) {
    self.text = text
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }
}

/// The texts bound to running statements; see `Binding`.
final class BoundTexts {
  fileprivate(set) var texts: [String] = []
}

/// Binds the parameters of a statement, one after the other.
///
/// SQLite reads a text in place; so the texts are retained until the statement has run.
public struct Binding {
  fileprivate let statement: OpaquePointer
  fileprivate let held: BoundTexts
  fileprivate var place: Int32 = 0
  fileprivate var code = SQLITE_OK

  fileprivate init(statement: OpaquePointer, held: BoundTexts) {
    self.statement = statement
    self.held = held
  }

  package mutating func add(_ integer: Int64) { note(sqlite3_bind_int64(statement, next(), integer)) }
  package mutating func add(_ integer: Int) { add(Int64(integer)) }
  package mutating func add(_ bool: Bool) { add(bool ? 1 : 0 as Int64) }
  package mutating func add(_ real: Double) { note(sqlite3_bind_double(statement, next(), real)) }
  package mutating func addNull() { note(sqlite3_bind_null(statement, next())) }

  package mutating func add(_ integer: Int64?) {
    if let integer { add(integer) } else { addNull() }
  }

  package mutating func add(_ text: String) {
    held.texts.append(text)
    note(bind(text, to: statement, at: next()))
  }

  package mutating func add(_ text: String?) {
    if let text { add(text) } else { addNull() }
  }

  package mutating func add(_ bytes: UnsafeRawBufferPointer) { note(bind(bytes, to: statement, at: next())) }
  package mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }

  package mutating func add(_ value: SQLValue) {
    switch value {
    case .null: addNull()
    case .integer(let integer): add(integer)
    case .real(let real): add(real)
    case .text(let text): add(text)
    }
  }

  private mutating func next() -> Int32 {
    place += 1
    return place
  }

  private mutating func note(_ result: Int32) {
    if result != SQLITE_OK { code = result }
  }
}

/// Each of these throws `DatabaseError`, and whatever its closures throw. A statement must not be run within the
/// iteration over its own rows.
extension Database {
  // MARK: - Statements by number

  /// Runs a statement without rows.
  ///
  /// - Throws: `DatabaseError`, and whatever `fill` throws.
  package func run(_ cached: CachedStatement, _ fill: (inout Binding) throws -> Void = { _ in }) throws {
    try each(cached, fill) { _ in }
  }

  /// The first row of a statement without parameters, or nil.
  ///
  /// - Throws: `DatabaseError`, and whatever `make` throws.
  public func first<Value>(_ cached: CachedStatement, _ make: (Columns) throws -> Value) throws -> Value? {
    try first(cached, { _ in }, make)
  }

  /// The first row of a statement, or nil.
  ///
  /// - Throws: `DatabaseError`, and whatever the closures throw.
  public func first<Value>(
    _ cached: CachedStatement, _ fill: (inout Binding) throws -> Void, _ make: (Columns) throws -> Value
  ) throws -> Value? {
    var value: Value?
    try withFirst(cached, fill) { value = try make($0) }
    return value
  }

  /// Calls `body` with the first row of a statement, if there is one. Not generic, so that it is compiled once.
  private func withFirst(
    _ cached: CachedStatement, _ fill: (inout Binding) throws -> Void, _ body: (Columns) throws -> Void
  ) throws {
    try running(
      statements.statement(cached, in: self), fill, { if try step($0) { try body(Columns(statement: $0)) } })
  }

  /// Every row of a statement.
  ///
  /// - Throws: `DatabaseError`, and whatever the closures throw.
  package func each(
    _ cached: CachedStatement, _ fill: (inout Binding) throws -> Void, _ body: (Columns) throws -> Void
  ) throws {
    try running(
      statements.statement(cached, in: self), fill, { while try step($0) { try body(Columns(statement: $0)) } })
  }

  /// Every row of a statement with one parameter, for each of some integers in turn, with the index of the integer.
  ///
  /// - Throws: `DatabaseError`, and whatever `body` throws.
  package func each(
    _ cached: CachedStatement, of integers: some Sequence<Int64>, _ body: (Int, Columns) throws -> Void
  ) throws {
    try running(
      statements.statement(cached, in: self), { $0.addNull() },
      { statement in
        for (place, integer) in integers.enumerated() {
          sqlite3_reset(statement)
          let code = sqlite3_bind_int64(statement, 1, integer)
          guard code == SQLITE_OK else { throw failure(code, of: statement) }
          while try step(statement) { try body(place, Columns(statement: statement)) }
        }
      })
  }

  // MARK: - Statements by text

  /// Runs a statement without rows.
  ///
  /// - Throws: `DatabaseError`.
  package func run(_ sql: String, _ values: [SQLValue] = []) throws {
    try run(sql) { places in for value in values { places.add(value) } }
  }

  /// The same for parameters beyond `SQLValue`, such as bytes.
  ///
  /// - Throws: `DatabaseError`, and whatever `fill` throws.
  package func run(_ sql: String, _ fill: (inout Binding) throws -> Void) throws {
    try running(statements.statement(sql, in: self), fill, { while try step($0) {} })
  }

  /// The first row of a statement, or nil.
  ///
  /// - Throws: `DatabaseError`, and whatever `make` throws.
  package func first<Value>(
    _ sql: String, _ values: [SQLValue] = [], _ make: (Columns) throws -> Value
  ) throws -> Value? {
    try running(sql, values) { try step($0) ? try make(Columns(statement: $0)) : nil }
  }

  /// Every row of a statement.
  ///
  /// - Throws: `DatabaseError`, and whatever `body` throws.
  package func each(_ sql: String, _ values: [SQLValue] = [], _ body: (Columns) throws -> Void) throws {
    try running(sql, values) { while try step($0) { try body(Columns(statement: $0)) } }
  }

  /// The rows of a statement until `isLast` returns true.
  ///
  /// - Throws: `DatabaseError`, and whatever `isLast` throws.
  package func scan(_ sql: String, _ values: [SQLValue] = [], until isLast: (Columns) throws -> Bool) throws {
    try running(sql, values) { while try step($0), try !isLast(Columns(statement: $0)) {} }
  }

  /// The first column of every row.
  ///
  /// - Throws: `DatabaseError`.
  package func texts(_ sql: String, _ values: [SQLValue] = []) throws -> [String] {
    var texts: [String] = []
    try each(sql, values) { texts.append($0.text(0)) }
    return texts
  }

  /// The first column of every row.
  ///
  /// - Throws: `DatabaseError`.
  package func integers(_ sql: String, _ values: [SQLValue] = []) throws -> [Int64] {
    var integers: [Int64] = []
    try each(sql, values) { integers.append($0.integer(0)) }
    return integers
  }

  // MARK: - Steps

  private func running<Value>(
    _ sql: String, _ values: [SQLValue], _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    try running(statements.statement(sql, in: self), { places in for value in values { places.add(value) } }, body)
  }

  @inline(__always)
  private func running<Value>(
    _ statement: OpaquePointer, _ fill: (inout Binding) throws -> Void, _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    // Each connection has only one compiled instance: running it within its own rows would restart it.
    precondition(sqlite3_stmt_busy(statement) == 0, "asked within its own rows: \(text(of: statement))")
    let texts = statements.held
    let held = texts.texts.count
    defer {
      sqlite3_reset(statement)
      texts.texts.removeLast(texts.texts.count - held)
    }
    var binding = Binding(statement: statement, held: texts)
    try fill(&binding)
    guard binding.code == SQLITE_OK else { throw failure(binding.code, of: statement) }
    precondition(
      sqlite3_bind_parameter_count(statement) == binding.place, "\(binding.place) values for \(text(of: statement))")
    return try body(statement)
  }

  /// Steps the statement; returns whether there is a row.
  func step(_ statement: OpaquePointer) throws -> Bool {
    switch sqlite3_step(statement) {
    case SQLITE_ROW: true
    case SQLITE_DONE: false
    case let code: throw failure(code, of: statement)
    }
  }

  private func failure(_ code: CInt, of statement: OpaquePointer) -> DatabaseError {
    failure(code, sql: text(of: statement))
  }

  private func text(of statement: OpaquePointer) -> String {
    sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}
