import Contract
import SQLite
import Wire

/// The order of a list, by keys of which the last is unique, and positions in it.
///
/// A position consists of the keys of a row, so insertions and deletions do not move it; a cursor is a position as a
/// client stores it.
package struct Keyset: Sendable {
  /// A column, or an expression that is never null.
  package struct Key: Sendable {
    enum Kind: Sendable {
      case integer, text, day
    }

    let sql: String
    let kind: Kind
    var isDescending = false

    package static func text(_ sql: String) -> Key { Key(sql: sql, kind: .text) }
    package static func integer(_ sql: String) -> Key { Key(sql: sql, kind: .integer) }
    package static func day(_ sql: String) -> Key { Key(sql: sql, kind: .day) }
    package var descending: Key { Key(sql: sql, kind: kind, isDescending: true) }

    /// Nil for a text that is no valid value of this key.
    func value(_ text: String) -> SQLValue? {
      switch kind {
      case .integer: Int64(text).map { .integer($0) }
      case .text: .text(text)
      case .day: CalendarDay(text).map { .text($0.description) }
      }
    }
  }

  private let keys: [Key]

  package init(_ keys: Key...) { self.init(keys) }
  private init(_ keys: [Key]) { self.keys = keys }

  /// The same keys in reverse order.
  package var descending: Keyset { Keyset(keys.map(\.descending)) }

  /// SQL for `ORDER BY`.
  package var order: String {
    keys.map { $0.isDescending ? "\($0.sql) DESC" : $0.sql }.joined(separator: ", ")
  }

  /// SQL for the columns that give the position of a row.
  package var columns: String { keys.map(\.sql).joined(separator: ", ") }

  /// The position of a row of a statement that selects `columns` from this index on.
  package func place(_ row: Columns, from index: Int = 0) -> [SQLValue] {
    keys.indices.map { keys[$0].kind == .integer ? .integer(row.integer(index + $0)) : .text(row.text(index + $0)) }
  }

  /// SQL condition for the rows after a position.
  package func condition(after place: [SQLValue]) -> (sql: String, values: [SQLValue]) {
    func comparison(_ key: Key) -> String { key.isDescending ? "<" : ">" }
    guard let last = keys.last, keys.contains(where: { $0.isDescending != last.isDescending }) else {
      let places = keys.map { _ in "?" }.joined(separator: ", ")
      return ("(\(columns)) \(keys.first.map(comparison) ?? ">") (\(places))", place)
    }
    // SQLite compares several values at once only in one direction.
    var (sql, values) = ("\(last.sql) \(comparison(last)) ?", Array(place.suffix(1)))
    for (key, value) in zip(keys, place).dropLast().reversed() {
      sql = "(\(key.sql) \(comparison(key)) ? OR \(key.sql) = ? AND \(sql))"
      values = [value, value] + values
    }
    return (sql, values)
  }

  // MARK: - Cursors

  /// The keys separated by slashes; slashes in texts are escaped.
  package func cursor(_ place: [SQLValue]) -> String {
    place.map { value in
      switch value {
      case .integer(let number): String(number)
      case .text(let text): Self.escaped(text)
      default: ""
      }
    }.joined(separator: "/")
  }

  /// - Throws: `invalidParams` of `after`.
  package func place(_ cursor: String) throws(RPCError) -> [SQLValue] {
    // Splits bytes: for Swift a slash with a combining mark is one character.
    let parts = cursor.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    let place = zip(keys, parts).compactMap { key, part -> SQLValue? in
      key.value(Self.unescaped(part))
    }
    guard parts.count == keys.count, place.count == keys.count else {
      throw .invalidParams(field: "after", reason: Text("param.badCursor", ["value": cursor]))
    }
    return place
  }

  private static func escaped(_ text: String) -> String {
    var escaped = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": escaped.append(contentsOf: "%25".unicodeScalars)
      case "/": escaped.append(contentsOf: "%2F".unicodeScalars)
      default: escaped.append(scalar)
      }
    }
    return String(escaped)
  }

  private static func unescaped(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.starts(with: "25".utf8) || rest.starts(with: "2F".utf8) {
        bytes.append(rest.starts(with: "25".utf8) ? byte : UInt8(ascii: "/"))
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
