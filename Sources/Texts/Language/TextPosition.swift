import Display
import Wire

/// A position of LSP: a line from 0, and the offset in it in the client's position encoding.
struct TextPosition: Equatable, Comparable, Sendable {
  var line: Int
  var character: Int

  init(line: Int, character: Int) { (self.line, self.character) = (line, character) }

  /// Nil unless both numbers are there and not negative.
  init?(_ value: JSONValue?) {
    guard let line = value?["line"]?.integerValue, let character = value?["character"]?.integerValue,
      line >= 0, character >= 0
    else { return nil }
    // LSP has no greater numbers.
    self.init(line: Int(min(line, Int64(Int32.max))), character: Int(min(character, Int64(Int32.max))))
  }

  var json: JSONValue { ["line": .integer(Int64(line)), "character": .integer(Int64(character))] }

  static func < (left: TextPosition, right: TextPosition) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// A range of LSP; its end is exclusive.
struct PositionRange: Equatable, Sendable {
  var start: TextPosition
  var end: TextPosition

  init(_ start: TextPosition, _ end: TextPosition) { (self.start, self.end) = (start, end) }

  init?(_ value: JSONValue?) {
    guard let start = TextPosition(value?["start"]), let end = TextPosition(value?["end"]) else { return nil }
    self.init(min(start, end), max(start, end))
  }

  var json: JSONValue { ["start": start.json, "end": end.json] }
}

extension PositionEncoding {
  /// The offset in UTF-8 bytes of an offset in this encoding; the end of the line if that is shorter, and the beginning
  /// of a scalar for an offset inside it: an editor's position is never refused.
  func byteOffset(of character: Int, in line: String) -> Int {
    if self == .utf8 { return line.scalarStart(at: min(character, line.contentCount)) }
    var (units, bytes) = (0, 0)
    let end = line.contentCount
    for scalar in line.unicodeScalars {
      let width = self == .utf16 ? UTF16.width(scalar) : 1
      if units + width > character || bytes >= end { break }
      units += width
      bytes += UTF8.width(scalar)
    }
    return min(bytes, end)
  }

  /// The offset in this encoding of an offset in UTF-8 bytes.
  func character(ofByte byte: Int, in line: String) -> Int {
    if self == .utf8 { return byte }
    var (units, bytes) = (0, 0)
    for scalar in line.unicodeScalars {
      if bytes >= byte { break }
      units += self == .utf16 ? UTF16.width(scalar) : 1
      bytes += UTF8.width(scalar)
    }
    return units
  }
}

extension String {
  /// The length in UTF-8 bytes without the line end.
  var contentCount: Int {
    let utf8 = utf8
    guard utf8.last == UInt8(ascii: "\n") else { return utf8.count }
    let isCRLF = utf8.count > 1 && utf8[utf8.index(utf8.endIndex, offsetBy: -2)] == UInt8(ascii: "\r")
    return utf8.count - (isCRLF ? 2 : 1)
  }

  /// The start of the scalar that has the byte at this offset.
  fileprivate func scalarStart(at byte: Int) -> Int {
    let utf8 = utf8
    var index = utf8.index(utf8.startIndex, offsetBy: byte)
    var byte = byte
    while index < utf8.endIndex, utf8[index] & 0xC0 == 0x80 {
      index = utf8.index(before: index)
      byte -= 1
    }
    return byte
  }

  /// A part by offsets in UTF-8 bytes, which must be at scalars.
  func bytes(_ range: Range<Int>) -> String {
    let utf8 = utf8
    let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
    return String(decoding: utf8[start..<utf8.index(start, offsetBy: range.count)], as: UTF8.self)
  }
}
