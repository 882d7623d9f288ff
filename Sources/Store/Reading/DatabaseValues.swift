import Contract
import GRDB

// For statements that go through GRDB; rows of items go through `RowFields`.

extension Row {
  /// The value of a column of the log. GRDB's own subscript traps where the column holds something else, and others may
  /// have made the library.
  ///
  /// - Throws: `StoreError.broken` with the column.
  func value<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value {
    guard let value = Value.fromDatabaseValue(self[column]) else { throw .broken(path: "", reason: column) }
    return value
  }

  /// The same for a column that may be null.
  func optionalValue<Value: DatabaseValueConvertible>(_ column: String) throws(StoreError) -> Value? {
    let stored: DatabaseValue = self[column]
    return stored.isNull ? nil : try value(column)
  }
}

extension Instant: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { milliseconds.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> Instant? {
    Int64.fromDatabaseValue(value).map(Instant.init(milliseconds:))
  }
}

extension CalendarDay: DatabaseValueConvertible {
  package var databaseValue: DatabaseValue { description.databaseValue }

  package static func fromDatabaseValue(_ value: DatabaseValue) -> CalendarDay? {
    String.fromDatabaseValue(value).flatMap { CalendarDay($0) }
  }
}
