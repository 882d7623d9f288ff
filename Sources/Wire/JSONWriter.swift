/// Writes JSON bytes, compact, in the order of the calls.
///
/// It manages its memory itself: an array checks at every append whether it is shared, which costs more than appending
/// the short pieces of JSON.
public struct JSONWriter: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity: Int

  package init(reservingCapacity capacity: Int = 256) {
    self.capacity = max(16, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit {
    start.deallocate()
  }

  /// A copy of the written bytes.
  package var bytes: [UInt8] {
    Array(UnsafeBufferPointer(start: start, count: count))
  }

  package static func bytes(of value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }

  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: write(literal: "null")
    case .bool(let bool): write(literal: bool ? "true" : "false")
    case .integer(let integer): write(integer: integer)
    case .number(let number): write(number: number)
    case .string(let string): write(string: string)
    case .array(let elements):
      write(list: elements) { $1.write($0) }
    case .object(let object):
      write(byte: UInt8(ascii: "{"))
      for (index, member) in object.members.enumerated() {
        if index > 0 { write(byte: UInt8(ascii: ",")) }
        write(string: member.key)
        write(byte: UInt8(ascii: ":"))
        write(member.value)
      }
      write(byte: UInt8(ascii: "}"))
    }
  }

  @inline(__always)
  package mutating func write(byte: UInt8) {
    reserve(1)
    start[count] = byte
    count += 1
  }

  package mutating func write<Element>(
    list: [Element], _ write: (Element, inout JSONWriter) throws -> Void
  ) rethrows {
    self.write(byte: UInt8(ascii: "["))
    var isFirst = true
    for element in list {
      if !isFirst { self.write(byte: UInt8(ascii: ",")) }
      isFirst = false
      try write(element, &self)
    }
    self.write(byte: UInt8(ascii: "]"))
  }

  package mutating func write(literal: StaticString) {
    write(raw: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Writes bytes that are already JSON.
  package mutating func write(raw: [UInt8]) {
    raw.withUnsafeBufferPointer { write(raw: $0) }
  }

  package mutating func write(raw: ArraySlice<UInt8>) {
    raw.withUnsafeBufferPointer { write(raw: $0) }
  }

  private mutating func write(raw: UnsafeBufferPointer<UInt8>) {
    guard let first = raw.baseAddress else { return }
    reserve(raw.count)
    (start + count).update(from: first, count: raw.count)
    count += raw.count
  }

  /// Writes `length` bytes that are already JSON, which `fill` stores in place.
  package mutating func write(bytes length: Int, _ fill: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
    reserve(length)
    fill(UnsafeMutableBufferPointer(start: start + count, count: length))
    count += length
  }

  package mutating func write(integer: some FixedWidthInteger) {
    guard let small = Int64(exactly: integer), small >= 0 else { return write(raw: Array(String(integer).utf8)) }
    var rest = UInt64(small)
    var digits = 1
    var bound: UInt64 = 10
    while rest >= bound, digits < 19 {
      digits += 1
      bound *= 10
    }
    reserve(digits)
    var place = count + digits
    repeat {
      place -= 1
      start[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    } while place > count
    count += digits
  }

  /// Writes `null` for infinity and NaN, which JSON does not have: a programming error that must not reach a client as
  /// text.
  package mutating func write(number: Double) {
    guard number.isFinite else { return write(literal: "null") }
    if let integer = Int64(exactly: number), abs(number) < 1e15 {
      write(integer: integer)
    } else if let thousandths = Self.thousandths(number) {
      write(thousandths: thousandths)
    } else {
      write(raw: Array(number.description.utf8))
    }
  }

  /// The number times a thousand if it has at most three decimals, as positions on a page have. Its decimal form is
  /// then the shortest that represents this double, since different texts of up to fifteen digits represent different
  /// doubles.
  private static func thousandths(_ number: Double) -> Int64? {
    guard abs(number) < 1e9 else { return nil }
    let thousandths = (number * 1_000).rounded()
    return thousandths / 1_000 == number ? Int64(thousandths) : nil
  }

  /// Writes a number given in thousandths: the same text as for the number itself.
  package mutating func write(thousandths number: Int64) {
    if number < 0 { write(byte: UInt8(ascii: "-")) }
    let (whole, rest) = number.magnitude.quotientAndRemainder(dividingBy: 1_000)
    write(integer: whole)
    guard rest > 0 else { return }
    write(byte: UInt8(ascii: "."))
    func digit(_ value: UInt64) -> UInt8 { UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value % 10) }
    write(byte: digit(rest / 100))
    if rest % 100 > 0 { write(byte: digit(rest / 10)) }
    if rest % 10 > 0 { write(byte: digit(rest)) }
  }

  package mutating func write(string: String) {
    write(byte: UInt8(ascii: "\""))
    let isWritten: Void? = string.utf8.withContiguousStorageIfAvailable { write(text: $0) }
    if isWritten == nil {
      var native = string
      native.withUTF8 { write(text: $0) }
    }
    write(byte: UInt8(ascii: "\""))
  }

  /// Writes a string of valid UTF-8, for many pieces of text that need not become a `String` first.
  package mutating func write(utf8 text: UnsafeBufferPointer<UInt8>) {
    write(byte: UInt8(ascii: "\""))
    write(text: text)
    write(byte: UInt8(ascii: "\""))
  }

  /// Copies runs between characters that have to be escaped; most texts are a single run.
  private mutating func write(text: UnsafeBufferPointer<UInt8>) {
    var clean = 0
    var index = 0
    while index < text.count {
      if index + 8 <= text.count, isPlain(UnsafeRawPointer(text.baseAddress! + index).loadUnaligned(as: UInt64.self)) {
        index += 8
        continue
      }
      // At least one of the next eight bytes may need an escape, or fewer than eight are left: byte by byte.
      for index in index..<min(index + 8, text.count) {
        let byte = text[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        write(raw: UnsafeBufferPointer(rebasing: text[clean..<index]))
        write(escapeOf: byte)
        clean = index + 1
      }
      index += 8
    }
    write(raw: UnsafeBufferPointer(rebasing: text[clean...]))
  }

  /// Whether none of eight bytes has to be escaped. May return false although none has to: for a byte after one that
  /// does.
  @inline(__always)
  private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // In each byte the highest bit is set if the byte is less than the number; never for bytes of 0x80 and more.
    func below(_ bytes: UInt64, _ number: UInt64) -> UInt64 { (bytes &- ones &* number) & ~bytes }
    let found =
      below(word, 0x20) | below(word ^ ones &* UInt64(UInt8(ascii: "\"")), 1)
      | below(word ^ ones &* UInt64(UInt8(ascii: "\\")), 1)
    return found & (ones << 7) == 0
  }

  private mutating func write(escapeOf byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""): write(literal: "\\\"")
    case UInt8(ascii: "\\"): write(literal: "\\\\")
    case 0x0A: write(literal: "\\n")
    case 0x0D: write(literal: "\\r")
    case 0x09: write(literal: "\\t")
    default:
      let digits = Array("0123456789abcdef".utf8)
      write(literal: "\\u00")
      write(byte: digits[Int(byte >> 4)])
      write(byte: digits[Int(byte & 15)])
    }
  }

  // MARK: - Memory

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if capacity - count < more { grow(by: more) }
  }

  @inline(never)
  private mutating func grow(by more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: count)
    start.deallocate()
    start = larger
  }

  /// Writes the key of a member; its value must follow. Keys contain only letters.
  package mutating func member(_ key: StaticString) {
    let length = key.utf8CodeUnitCount
    reserve(length + 4)
    if count == 0 || start[count - 1] != UInt8(ascii: "{") { write(byte: UInt8(ascii: ",")) }
    start[count] = UInt8(ascii: "\"")
    (start + count + 1).update(from: key.utf8Start, count: length)
    start[count + length + 1] = UInt8(ascii: "\"")
    start[count + length + 2] = UInt8(ascii: ":")
    count += length + 3
  }
}

/// The encoded key of a member, created once for many objects.
package struct MemberKey: Sendable {
  fileprivate let bytes: [UInt8]

  /// - Parameter name: letters and digits.
  package init(_ name: String) { bytes = Array("\"\(name)\":".utf8) }
}

extension JSONWriter {
  /// Writes the key of a member; its value must follow.
  package mutating func member(_ key: borrowing MemberKey) {
    if count == 0 || start[count - 1] != UInt8(ascii: "{") { write(byte: UInt8(ascii: ",")) }
    write(raw: key.bytes)
  }
}

extension JSONValue: CustomStringConvertible {
  public var description: String {
    String(decoding: JSONWriter.bytes(of: self), as: UTF8.self)
  }
}
