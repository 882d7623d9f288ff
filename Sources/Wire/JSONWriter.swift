/// Writes JSON bytes, compact, in the order in which it is told.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init(reservingCapacity capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
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
      write(byte: UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { write(byte: UInt8(ascii: ",")) }
        write(element)
      }
      write(byte: UInt8(ascii: "]"))
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
    bytes.append(byte)
  }

  package mutating func write(literal: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Bytes that are JSON already.
  package mutating func write(raw: [UInt8]) {
    bytes.append(contentsOf: raw)
  }

  package mutating func write(raw: ArraySlice<UInt8>) {
    bytes.append(contentsOf: raw)
  }

  package mutating func write(integer: some FixedWidthInteger) {
    guard let small = Int64(exactly: integer), small >= 0 else { return bytes.append(contentsOf: String(integer).utf8) }
    // At most nineteen digits, from the last.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 19) { digits in
      var rest = UInt64(small)
      var start = 19
      repeat {
        start -= 1
        digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(digits)[start...]))
    }
  }

  /// JSON has no infinity and no NaN; whoever computes one has made a mistake that must not reach a client as text.
  package mutating func write(number: Double) {
    guard number.isFinite else { return write(literal: "null") }
    if let integer = Int64(exactly: number), abs(number) < 1e15 {
      write(integer: integer)
    } else {
      bytes.append(contentsOf: number.description.utf8)
    }
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

  /// In stretches between what has to be escaped; most texts are one.
  private mutating func write(text: UnsafeBufferPointer<UInt8>) {
    var clean = 0
    var index = 0
    while index < text.count {
      if index + 8 <= text.count, isPlain(UnsafeRawPointer(text.baseAddress! + index).loadUnaligned(as: UInt64.self)) {
        index += 8
        continue
      }
      // One of the next eight, or the last few: byte by byte.
      for index in index..<min(index + 8, text.count) {
        let byte = text[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean..<index]))
        write(escapeOf: byte)
        clean = index + 1
      }
      index += 8
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[clean...]))
  }

  /// Whether none of eight bytes has to be escaped. It may say no of some that need not: of a byte behind one that must.
  @inline(__always)
  private func isPlain(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    // In each byte the highest bit is set where the byte is less than the number; bytes of 0x80 and more never are.
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
}

/// Objects written member by member, for values that are written too often to go through `Codable`:
///
///     json.beginObject()
///     json.member("title", title)
///     json.member("url", url)          // left out where there is none
///     json.endObject()
extension JSONWriter {
  package mutating func beginObject() {
    write(byte: UInt8(ascii: "{"))
  }

  package mutating func endObject() {
    write(byte: UInt8(ascii: "}"))
  }

  /// The key of a member, whose value is to follow. Keys are letters only.
  package mutating func member(_ key: StaticString) {
    let isFirst = bytes.last == UInt8(ascii: "{")
    let count = key.utf8CodeUnitCount
    // In one piece: each append looks anew whether there is room.
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: count + 4) { piece in
      piece[0] = UInt8(ascii: ",")
      piece[1] = UInt8(ascii: "\"")
      (piece.baseAddress! + 2).update(from: key.utf8Start, count: count)
      piece[count + 2] = UInt8(ascii: "\"")
      piece[count + 3] = UInt8(ascii: ":")
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: UnsafeBufferPointer(piece)[(isFirst ? 1 : 0)...]))
    }
  }

  package mutating func member(_ key: StaticString, _ value: String?) {
    guard let value else { return }
    member(key)
    write(string: value)
  }

  package mutating func member(_ key: StaticString, _ value: Int64?) {
    guard let value else { return }
    member(key)
    write(integer: value)
  }

  package mutating func member(_ key: StaticString, _ value: Int?) {
    member(key, value.map(Int64.init))
  }

  package mutating func member(_ key: StaticString, _ value: Bool?) {
    guard let value else { return }
    member(key)
    write(literal: value ? "true" : "false")
  }

  package mutating func member(_ key: StaticString, _ value: Double?) {
    guard let value else { return }
    member(key)
    write(number: value)
  }

  package mutating func member(_ key: StaticString, _ values: [String]?) {
    guard let values else { return }
    member(key)
    write(byte: UInt8(ascii: "["))
    var isFirst = true
    for value in values {
      if !isFirst { write(byte: UInt8(ascii: ",")) }
      isFirst = false
      write(string: value)
    }
    write(byte: UInt8(ascii: "]"))
  }
}

extension JSONValue: CustomStringConvertible {
  package var description: String {
    String(decoding: JSONWriter.bytes(of: self), as: UTF8.self)
  }
}
