import Exchange
import SQLite

/// A row of another program's database. A column may have a value of any type, whatever it is declared as.
typealias ForeignRow = [String: SQLValue]

extension ForeignRow {
  /// The value as a readable text; nil for a blank one.
  func text(_ column: String) -> String? {
    switch self[column] {
    case .text(let text): text.readable
    case .integer(let number): String(number)
    case .real(let number): Int64(exactly: number).map(String.init) ?? String(number)
    case .null, nil: nil
    }
  }

  /// A finite number, which may be written as a text.
  func number(_ column: String) -> Double? {
    switch self[column] {
    case .integer(let number): Double(number)
    case .real(let number): number.isFinite ? number : nil
    case .text(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
    case .null, nil: nil
    }
  }

  /// The number of a row, to which other tables refer.
  func id(_ column: String) -> Int64? {
    if case .integer(let id)? = self[column] { id } else { nil }
  }
}
