/// The type of the values in a column of a derived table, apart from null.
package enum ColumnContent: Sendable {
  case text
  case bytes
  case integer(ClosedRange<Int64>)
  case number(ClosedRange<Double>)

  func admits(_ value: ArchiveValue) -> Bool {
    switch (self, value) {
    case (_, .value(.null)), (.text, .value(.text)), (.bytes, .bytes): true
    case (.integer(let range), .value(.integer(let integer))): range.contains(integer)
    case (.number(let range), .value(.integer(let integer))): range.contains(Double(integer))
    case (.number(let range), .value(.real(let number))): range.contains(number)
    default: false
    }
  }
}
