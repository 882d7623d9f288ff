import Contract
import GRDB

// For statements that go through GRDB; rows of items go through `RowFields`.

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
