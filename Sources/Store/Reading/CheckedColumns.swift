import Contract
import SQLite

/// Checked access to columns of a library that may be external: a value of a type that no daemon writes makes the
/// library broken.
extension Columns {
  /// - Throws: `StoreError.broken` with the column's name for bytes, which no daemon writes into an item's column.
  package func value(_ index: Int) throws(StoreError) -> SQLValue {
    guard let value = storedValue(index) else { throw broken(index) }
    return value
  }

  /// The text of a column that is a text in every library of a daemon.
  ///
  /// - Throws: `StoreError.broken` with the column's name.
  package func requiredText(_ index: Int) throws(StoreError) -> String {
    guard isText(index) else { throw broken(index) }
    return text(index)
  }

  /// The integer of a column that is an integer in every library of a daemon.
  ///
  /// - Throws: `StoreError.broken` with the column's name.
  package func requiredInteger(_ index: Int) throws(StoreError) -> Int64 {
    guard isInteger(index) else { throw broken(index) }
    return integer(index)
  }

  /// The instant of a column that is one in every library of a daemon.
  ///
  /// - Throws: `StoreError.broken` with the column's name, also for one outside the allowed years.
  package func requiredInstant(_ index: Int) throws(StoreError) -> Instant {
    guard let instant = Instant(exactly: try requiredInteger(index)) else { throw broken(index) }
    return instant
  }

  private func broken(_ index: Int) -> StoreError {
    .broken(path: "", reason: name(index))
  }
}
