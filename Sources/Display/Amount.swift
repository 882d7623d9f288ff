import Wire

/// Sizes and counts for people. All languages of the catalogue write numbers alike, so no ICU is needed.
package struct ByteCount: Sendable, Equatable {
  package var bytes: Int64

  package init(_ bytes: Int64) {
    self.bytes = bytes
  }

  /// "512 bytes", "1.2 MB", "34 GB": powers of 1000, one decimal below ten.
  package func string(in language: Language, catalogue: Catalogue) -> String {
    guard bytes >= 1000 else {
      return catalogue.string(for: Text("size.bytes", ["count": String(bytes)]), language: language)
    }
    let units = ["KB", "MB", "GB", "TB", "PB", "EB"]
    var unit = 0
    var size: Int64 = 1000
    // A size that rounds up to a thousand is written in the next unit.
    while rounded(bytes, by: size) >= 1000, unit + 1 < units.count {
      unit += 1
      size *= 1000
    }
    let tenths = rounded(bytes, by: size / 10)
    let number =
      tenths >= 100 || tenths % 10 == 0 ? "\(rounded(bytes, by: size))" : "\(tenths / 10).\(tenths % 10)"
    return "\(number) \(units[unit])"
  }

  private func rounded(_ value: Int64, by divisor: Int64) -> Int64 {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder * 2 >= divisor ? quotient + 1 : quotient
  }
}

/// A page's position in its document, "3 / 12"; `page` counts from 0 as the protocol does, the label from 1.
package func pageLabel(page: Int, of count: Int) -> String {
  "\(page + 1) / \(count)"
}

/// An integer with thousands separators: "12,345".
package func grouped(_ number: some BinaryInteger) -> String {
  let digits = String(number.magnitude)
  var result = number < 0 ? "-" : ""
  for (index, digit) in digits.enumerated() {
    if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { result.append(",") }
    result.append(digit)
  }
  return result
}
