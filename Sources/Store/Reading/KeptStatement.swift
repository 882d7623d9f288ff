import GRDB
import GRDBSQLite
import Synchronization
import Wire

/// A statement that is run again and again. Every connection with a `StatementTable` compiles it once, and finds it by
/// its number without a look at its text. For `static let`s: nothing ever forgets one.
package final class KeptStatement: Sendable {
  package let text: String
  let number: Int

  private static let count = Atomic(0)

  package init(_ text: String) {
    self.text = text
    number = Self.count.add(1, ordering: .relaxed).oldValue
  }
}

/// What the statements that run just now look at; see `Binding`.
final class HeldTexts {
  fileprivate(set) var texts: [String] = []
}

/// The places of a statement as they are filled, one after the other.
///
/// SQLite looks at a text where it lies; so the texts are held until the statement has run.
package struct Binding {
  fileprivate let statement: OpaquePointer
  fileprivate let held: HeldTexts
  fileprivate var place: Int32 = 0
  fileprivate var code = SQLITE_OK

  fileprivate init(statement: OpaquePointer, held: HeldTexts) {
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

extension Database {
  /// Runs a statement that gives no rows.
  package func run(_ kept: KeptStatement, _ fill: (inout Binding) throws -> Void = { _ in }) throws {
    try each(kept, fill) { _ in }
  }

  /// The first row of a statement without places, or nil.
  package func first<Value>(_ kept: KeptStatement, _ make: (Columns) throws -> Value) throws -> Value? {
    try first(kept, { _ in }, make)
  }

  /// The first row of a statement, or nil.
  package func first<Value>(
    _ kept: KeptStatement, _ fill: (inout Binding) throws -> Void, _ make: (Columns) throws -> Value
  ) throws -> Value? {
    try running(kept, fill) { try step($0) ? try make(Columns(statement: $0)) : nil }
  }

  /// Every row of a statement.
  package func each(
    _ kept: KeptStatement, _ fill: (inout Binding) throws -> Void, _ body: (Columns) throws -> Void
  ) throws {
    try running(kept, fill) { while try step($0) { try body(Columns(statement: $0)) } }
  }

  /// Every row of a statement with one place, for each of some integers in turn, with which of them it is.
  package func each(
    _ kept: KeptStatement, of integers: some Sequence<Int64>, _ body: (Int, Columns) throws -> Void
  ) throws {
    let unbound = { (places: inout Binding) in places.addNull() }
    try running(kept, unbound) { statement in
      for (place, integer) in integers.enumerated() {
        sqlite3_reset(statement)
        let code = sqlite3_bind_int64(statement, 1, integer)
        guard code == SQLITE_OK else { throw failure(code, of: statement) }
        while try step(statement) { try body(place, Columns(statement: statement)) }
      }
    }
  }

  private func running<Value>(
    _ kept: KeptStatement, _ fill: (inout Binding) throws -> Void, _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    if let table = StatementTable.of(self) {
      return try running(table.statement(kept, in: self), holding: table.held, fill, body)
    }
    // A connection of somebody else's: GRDB keeps its statements.
    return try running(cachedStatement(sql: kept.text).sqliteStatement, holding: HeldTexts(), fill, body)
  }

  /// The same for a statement that is known by its text only.
  func running<Value>(
    _ sql: String, _ values: [SQLValue], _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    let table = StatementTable.of(self)
    let statement = try table?.statement(sql, in: self) ?? cachedStatement(sql: sql)
    return try running(
      statement.sqliteStatement, holding: table?.held ?? HeldTexts(), { for value in values { $0.add(value) } }, body)
  }

  @inline(__always)
  private func running<Value>(
    _ statement: OpaquePointer, holding texts: HeldTexts, _ fill: (inout Binding) throws -> Void,
    _ body: (OpaquePointer) throws -> Value
  ) throws -> Value {
    // There is one of each on a connection: who asks the same again while it goes through the rows would begin anew.
    precondition(sqlite3_stmt_busy(statement) == 0, "asked within its own rows: \(text(of: statement))")
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

  private func text(of statement: OpaquePointer) -> String {
    sqlite3_sql(statement).map { String(cString: $0) } ?? ""
  }
}
