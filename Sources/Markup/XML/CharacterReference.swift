import CXML

/// What an ampersand begins: a character that is named or numbered, or nothing but itself.
struct CharacterReference {
  /// How many bytes it takes, the ampersand among them.
  let count: Int
  /// The character; nil for a bare ampersand.
  let scalar: Unicode.Scalar?

  /// Names longer than this there are none, and digits neither.
  private static let lengthLimit = 12

  /// Reads what stands at the ampersand, up to `end`.
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
    // As a number, or a parser would make a blank of it in a value.
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
    // Numbers of characters that no text has are U+FFFD, as in HTML.
    guard let value else { return nil }
    // Who writes &#146; means the apostrophe that Windows has there (HTML Standard, 13.2.5.80).
    if (0x80...0x9F).contains(value) { return Windows1252.scalar(UInt8(value)) }
    guard value >= 0x20 || value == 9 || value == 10 || value == 13, value != 0xFFFE, value != 0xFFFF else {
      return "\u{FFFD}"
    }
    return Unicode.Scalar(value) ?? "\u{FFFD}"
  }
}
