import CXML

/// A character reference at an ampersand: named, numeric, or a bare ampersand.
struct CharacterReference {
  /// Its length in bytes, including the ampersand.
  let count: Int
  /// The character; nil for a bare ampersand.
  let scalar: Unicode.Scalar?

  /// No valid name or number is longer.
  private static let lengthLimit = 12

  /// Parses the reference at the ampersand, up to `end`.
  static func read(_ source: UnsafeBufferPointer<UInt8>, at place: Int, end: Int) -> CharacterReference {
    let bare = CharacterReference(count: 1, scalar: nil)
    var stop = place + 1
    while stop < end, stop - place <= lengthLimit, source[stop] != UInt8(ascii: ";") {
      guard isPart(source[stop]) else { return bare }
      stop += 1
    }
    guard stop < end, stop > place + 1, source[stop] == UInt8(ascii: ";") else { return bare }
    let name = String(decoding: UnsafeBufferPointer(rebasing: source[place + 1..<stop]), as: UTF8.self)
    guard let scalar = scalar(named: name) else { return bare }
    return CharacterReference(count: stop + 1 - place, scalar: scalar)
  }

  /// Writes it as XML.
  func write(into result: inout [UInt8]) {
    switch scalar {
    case nil, "&": result += "&amp;".utf8
    case "<": result += "&lt;".utf8
    case ">": result += "&gt;".utf8
    case "\"": result += "&quot;".utf8
    // As a number, since a parser would replace it by a space in an attribute.
    case "\n": result += "&#10;".utf8
    case "\t": result += "&#9;".utf8
    case "\r": result += "&#13;".utf8
    case let scalar?: result += Character(scalar).utf8
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "#"):
      true
    default: false
    }
  }

  private static func scalar(named name: String) -> Unicode.Scalar? {
    guard name.hasPrefix("#") else {
      let value = name == "apos" ? 0x27 : cxml_html_entity(name)
      return value == 0 ? nil : Unicode.Scalar(value)
    }
    let digits = name.dropFirst()
    let value =
      digits.hasPrefix("x") || digits.hasPrefix("X")
      ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits, radix: 10)
    // Numbers of invalid characters become U+FFFD, as in HTML.
    guard let value else { return nil }
    // &#146; means the apostrophe of windows-1252 (HTML Standard, 13.2.5.80).
    if (0x80...0x9F).contains(value) { return Windows1252.scalar(UInt8(value)) }
    guard value >= 0x20 || value == 9 || value == 10 || value == 13, value != 0xFFFE, value != 0xFFFF else {
      return "\u{FFFD}"
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
