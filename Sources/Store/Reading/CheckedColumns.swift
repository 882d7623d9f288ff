import SQLite

/// Columns of a library that others may have made: each holds what it holds in every library of a daemon, or the library
/// is said to be broken.
extension Columns {
  /// - Throws: `StoreError.broken` with the column's name for bytes, which no daemon writes into a column of an item.
  package func value(_ index: Int) throws(StoreError) -> SQLValue {
    guard let value = storedValue(index) else { throw broken(index) }
    return value
  }

  /// A text, of a column that holds one in every library of a daemon.
  ///
  /// - Throws: `StoreError.broken` with the column's name.
  package func requiredText(_ index: Int) throws(StoreError) -> String {
    guard isText(index) else { throw broken(index) }
    return text(index)
  }

  /// An integer, of a column that holds one in every library of a daemon.
  ///
  /// - Throws: `StoreError.broken` with the column's name.
  package func requiredInteger(_ index: Int) throws(StoreError) -> Int64 {
    guard isInteger(index) else { throw broken(index) }
    return integer(index)
  }

  private func broken(_ index: Int) -> StoreError {
    .broken(path: "", reason: name(index))
  }
}
