/// A buffer for writing HTML.
struct HTMLText {
  private(set) var bytes: [UInt8] = []

  var text: String { String(decoding: bytes, as: UTF8.self) }
  var count: Int { bytes.count }

  mutating func begin(_ name: String) {
    bytes.append(UInt8(ascii: "<"))
    bytes += name.utf8
  }

  mutating func attribute(_ name: String, _ value: String) {
    bytes.append(UInt8(ascii: " "))
    bytes += name.utf8
    bytes += "=\"".utf8
    for byte in value.utf8 { escape(byte) }
    bytes.append(UInt8(ascii: "\""))
  }

  mutating func endOfTag() { bytes.append(UInt8(ascii: ">")) }

  mutating func end(_ name: String) {
    bytes += "</".utf8
    bytes += name.utf8
    bytes.append(UInt8(ascii: ">"))
  }

  mutating func write(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text { escape(byte) }
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "&"): bytes += "&amp;".utf8
    case UInt8(ascii: "<"): bytes += "&lt;".utf8
    case UInt8(ascii: ">"): bytes += "&gt;".utf8
    case UInt8(ascii: "\""): bytes += "&quot;".utf8
    // Old browsers treat it as a quote.
    case UInt8(ascii: "`"): bytes += "&#96;".utf8
    default: bytes.append(byte)
    }
  }
}
