/// Parses JSON text according to RFC 8259, nothing more lenient.
///
/// Foundation's decoder cannot limit the depth, does not preserve the order, and takes ten times as long to build a
/// tree. A Swift string cannot contain a lone surrogate; it is replaced by U+0000, which every field refuses with its
/// name, so that the request gets an error instead of the whole message being discarded.
package struct JSONParser {
  package static let maximumDepth = 128
  /// The most values: sixteen megabytes of `[],[],` would take a hundred times as much memory.
  package static let maximumValues = 500_000

  let bytes: UnsafeBufferPointer<UInt8>
  var position = 0
  private var values = 0
  /// Whether a number that no double can represent is parsed as infinity, to find its path.
  var takesInfinity = false

  /// - Throws: `JSONSyntaxError` with its position.
  package static func parse(
    _ bytes: some ContiguousBytesView, takingInfinity: Bool = false
  ) throws(JSONSyntaxError) -> JSONValue {
    try bytes.withBytes { buffer throws(JSONSyntaxError) in
      var parser = JSONParser(bytes: buffer)
      parser.takesInfinity = takingInfinity
      return try parser.parseDocument()
    }
  }

  /// - Throws: `JSONSyntaxError` with its position.
  package static func parse(_ text: String) throws(JSONSyntaxError) -> JSONValue {
    try parse(Array(text.utf8))
  }

  init(bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
  }

  private mutating func parseDocument() throws(JSONSyntaxError) -> JSONValue {
    skipBlanks()
    let value = try parseValue(depth: 0)
    skipBlanks()
    guard position == bytes.count else { throw failure(.unexpected) }
    return value
  }

  mutating func parseValue(depth: Int) throws(JSONSyntaxError) -> JSONValue {
    guard position < bytes.count else { throw failure(.ended) }
    values += 1
    guard values <= Self.maximumValues else { throw failure(.tooMany) }
    switch bytes[position] {
    case UInt8(ascii: "{"):
      guard depth < Self.maximumDepth else { throw failure(.tooDeep) }
      return .object(try parseObject(depth: depth + 1))
    case UInt8(ascii: "["):
      guard depth < Self.maximumDepth else { throw failure(.tooDeep) }
      return .array(try parseArray(depth: depth + 1))
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    default: return try parseNumber()
    }
  }

  private mutating func parseObject(depth: Int) throws(JSONSyntaxError) -> JSONObject {
    var object = JSONObject()
    position += 1
    skipBlanks()
    if take(UInt8(ascii: "}")) { return object }
    while true {
      skipBlanks()
      guard position < bytes.count else { throw failure(.ended) }
      guard bytes[position] == UInt8(ascii: "\"") else { throw failure(.unexpected) }
      let key = try parseString()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw failure(position < bytes.count ? .unexpected : .ended) }
      skipBlanks()
      object.append(.init(key: key, value: try parseValue(depth: depth)))
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      if take(UInt8(ascii: "}")) { return object }
      throw failure(position < bytes.count ? .unexpected : .ended)
    }
  }

  private mutating func parseArray(depth: Int) throws(JSONSyntaxError) -> [JSONValue] {
    var elements: [JSONValue] = []
    position += 1
    skipBlanks()
    if take(UInt8(ascii: "]")) { return elements }
    while true {
      skipBlanks()
      elements.append(try parseValue(depth: depth))
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      if take(UInt8(ascii: "]")) { return elements }
      throw failure(position < bytes.count ? .unexpected : .ended)
    }
  }

  private mutating func parseWord(_ word: StaticString, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
    let length = word.utf8CodeUnitCount
    for offset in 0..<length {
      guard position + offset < bytes.count else { throw failure(.ended) }
      guard bytes[position + offset] == word.utf8Start[offset] else { throw failure(.unexpected) }
    }
    position += length
    return value
  }

  private mutating func parseNumber() throws(JSONSyntaxError) -> JSONValue {
    let start = position
    var whole = true
    _ = take(UInt8(ascii: "-"))
    let firstDigit = position
    try skipDigits()
    // Other parsers read a leading zero as octal; JSON forbids it.
    if bytes[firstDigit] == UInt8(ascii: "0"), position > firstDigit + 1 { throw failure(.unexpected) }
    if take(UInt8(ascii: ".")) {
      whole = false
      try skipDigits()
    }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      whole = false
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try skipDigits()
    }
    if whole, let integer = integer(in: start..<position) { return .integer(integer) }
    let text = text(from: start)
    guard let number = Double(text), number.isFinite || takesInfinity else { throw failure(.numberTooLarge) }
    return .number(number)
  }

  /// The value of a sign and digits; nil on overflow.
  private func integer(in range: Range<Int>) -> Int64? {
    let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
    var value: Int64 = 0
    for index in (isNegative ? range.dropFirst() : range) {
      let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let digit = Int64(bytes[index] &- UInt8(ascii: "0"))
      // Negative values are computed downwards, since Int64.min has no positive counterpart.
      let (next, isOver) =
        isNegative ? shifted.subtractingReportingOverflow(digit) : shifted.addingReportingOverflow(digit)
      if isTooLarge || isOver { return nil }
      value = next
    }
    return value
  }

  private mutating func skipDigits() throws(JSONSyntaxError) {
    let start = position
    while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) { position += 1 }
    if position == start { throw failure(position < bytes.count ? .unexpected : .ended) }
  }

  mutating func parseString() throws(JSONSyntaxError) -> String {
    position += 1
    let start = position
    var bits: UInt8 = 0
    while position < bytes.count {
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        let text = try string(of: UnsafeBufferPointer(rebasing: bytes[start..<position]), isASCII: bits < 0x80)
        position += 1
        return text
      case UInt8(ascii: "\\"): return try parseEscapedString(from: start)
      case 0..<0x20: throw failure(.controlCharacter)
      default:
        bits |= byte
        position += 1
      }
    }
    throw failure(.ended)
  }

  /// The slow path of a string, from its first backslash.
  private mutating func parseEscapedString(from start: Int) throws(JSONSyntaxError) -> String {
    var text = Array(bytes[start..<position])
    while position < bytes.count {
      let byte = bytes[position]
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try text.withBytes { buffer throws(JSONSyntaxError) in try string(of: buffer, isASCII: false) }
      case UInt8(ascii: "\\"): try parseEscape(into: &text)
      case 0..<0x20: throw failure(.controlCharacter)
      default: text.append(byte)
      }
    }
    throw failure(.ended)
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONSyntaxError) {
    guard position < bytes.count else { throw failure(.ended) }
    let byte = bytes[position]
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"): text.append(contentsOf: String(try parseUnicodeEscape()).utf8)
    default: throw failure(.unexpected)
    }
  }

  private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Unicode.Scalar {
    let unit = try parseHex()
    if let scalar = Unicode.Scalar(unit) { return scalar }
    if unit < 0xDC00, position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
      bytes[position + 1] == UInt8(ascii: "u")
    {
      let before = position
      position += 2
      let low = try parseHex()
      if (0xDC00..<0xE000).contains(low) {
        return Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))!
      }
      position = before
    }
    return "\u{0}"
  }

  private mutating func parseHex() throws(JSONSyntaxError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard position < bytes.count else { throw failure(.ended) }
      guard let digit = Character(Unicode.Scalar(bytes[position])).hexDigitValue, bytes[position] < 0x80 else {
        throw failure(.unexpected)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func string(of bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool) throws(JSONSyntaxError) -> String {
    // Validation takes ten times as long as decoding with repair, and ASCII needs no repair.
    if isASCII { return String(decoding: bytes, as: UTF8.self) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw failure(.invalidUTF8) }
    return text
  }

  mutating func skipBlanks() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D: position += 1
      default: return
      }
    }
  }

  mutating func take(_ byte: UInt8) -> Bool {
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    return true
  }

  private func failure(_ reason: JSONSyntaxError.Reason) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: position)
  }
}

/// Why a text is not JSON, and the offset in bytes.
package struct JSONSyntaxError: Error, Equatable {
  package enum Reason: String, Sendable {
    case ended, unexpected, tooDeep, tooMany, controlCharacter, invalidUTF8, numberTooLarge
  }

  package var reason: Reason
  package var offset: Int

  package init(reason: Reason, offset: Int) {
    self.reason = reason
    self.offset = offset
  }
}

/// Contiguous bytes of any owner.
package protocol ContiguousBytesView {
  func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> Result
  ) throws(JSONSyntaxError) -> Result
}

extension [UInt8]: ContiguousBytesView {
  /// - Throws: what `body` throws.
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> Result
  ) throws(JSONSyntaxError) -> Result {
    try withUnsafeBufferPointer { buffer throws(JSONSyntaxError) in try body(buffer) }
  }
}

extension UnsafeBufferPointer<UInt8>: ContiguousBytesView {
  /// - Throws: what `body` throws.
  package func withBytes<Result>(
    _ body: (UnsafeBufferPointer<UInt8>) throws(JSONSyntaxError) -> Result
  ) throws(JSONSyntaxError) -> Result {
    try body(self)
  }
}
