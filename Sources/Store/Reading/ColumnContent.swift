import GRDB

/// What a column of a derived table holds beside null.
package enum ColumnContent: Sendable {
  case text
  case bytes
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)

  func admits(_ value: DatabaseValue) -> Bool {
    switch (self, value.storage) {
    case (_, .null), (.text, .string), (.bytes, .blob): true
    case (.integer(let range), .int64(let integer)): range.contains(integer)
    case (.number(let range), .int64(let integer)): range.contains(Double(integer))
    case (.number(let range), .double(let number)): range.contains(number)
    default: false
    }
  }
}
