/// Reads the fixed columns of dates and times, which are all ASCII.
///
/// Every item has a few, so bytes are read one by one instead of as substrings.
struct DigitReader {
  private var rest: String.UTF8View.Iterator
  private var next: UInt8?

  init(_ text: String) {
    rest = text.utf8.makeIterator()
    next = rest.next()
  }

  var isAtEnd: Bool { next == nil }

  /// Reads exactly `count` digits. If there are fewer, those are consumed and the result is nil.
  mutating func number(_ count: Int) -> Int? {
    var value = 0
    for _ in 0..<count {
      guard let byte = next, byte &- UInt8(ascii: "0") < 10 else { return nil }
      value = value * 10 + Int(byte - UInt8(ascii: "0"))
      next = rest.next()
    }
    return value
  }

  /// The digits after a decimal point as thousandths; `nil` if there are none.
  mutating func fraction() -> Int? {
    var value = 0
    var count = 0
    while let digit = number(1) {
      if count < 3 { value = value * 10 + digit }
      count += 1
    }
    guard count > 0 else { return nil }
    for _ in count..<max(count, 3) { value *= 10 }
    return value
  }

  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: character) else { return false }
    next = rest.next()
    return true
  }
}

/// Writes a text of fixed columns, each a number with leading zeros: `("2026", "-", "11")`, without creating texts for
/// the parts.
///
/// Every item of a reply has two instants, so these are written without interpolation, ten times as fast.
struct DigitWriter {
  private var buffer: UnsafeMutableBufferPointer<UInt8>
  private var count = 0

  static func text(ofBytes count: Int, _ write: (inout DigitWriter) -> Void) -> String {
    String(unsafeUninitializedCapacity: count) { buffer in
      var writer = DigitWriter(buffer: buffer)
      write(&writer)
      return writer.count
    }
  }

  init(buffer: UnsafeMutableBufferPointer<UInt8>) { self.buffer = buffer }

  /// Writes a number that is not negative and has no more digits than the column.
  mutating func number(_ number: Int, _ width: Int) {
    var rest = UInt32(truncatingIfNeeded: number)
    var place = count + width
    while place > count {
      place -= 1
      buffer[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += width
  }

  mutating func put(_ character: Unicode.Scalar) {
    buffer[count] = UInt8(ascii: character)
    count += 1
  }
}

/// Division that rounds down, so that days before 1970 are handled like those after it. `divisor` is positive.
func floorDivide(_ dividend: Int, _ divisor: Int) -> Int {
  dividend / divisor - (dividend % divisor < 0 ? 1 : 0)
}
