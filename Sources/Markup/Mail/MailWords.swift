/// Words of a header in another encoding (RFC 2047): `=?utf-8?B?7KO87Iah?=`.
enum MailWords {
  /// - Parameter bytes: a field, whose other words may be in any encoding, as some programs write them.
  static func decoded(_ bytes: [UInt8]) -> String {
    var (text, plain, rest) = ("", [UInt8](), bytes[...])
    // Programs cut a character in two, so that adjacent words of one encoding are decoded together.
    var (charset, word) = (String?.none, [UInt8]())
    func flush() {
      if let charset { text += self.text(word, charset: charset) }
      (charset, word) = (nil, [])
    }
    while let byte = rest.first {
      if byte == UInt8(ascii: "="), let found = encodedWord(rest) {
        // Blanks between encoded words are no part of the text.
        if !plain.isEmpty, charset == nil || !plain.allSatisfy({ $0 <= 0x20 }) {
          flush()
          text += self.text(plain, charset: nil)
        }
        plain = []
        if charset != found.charset { flush() }
        charset = found.charset
        word += found.bytes
        rest = rest.dropFirst(found.length)
      } else {
        plain.append(byte)
        rest = rest.dropFirst()
      }
    }
    flush()
    return text + self.text(plain, charset: nil)
  }

  static func text(_ bytes: [UInt8], charset: String?) -> String {
    TextDecoding(bytes, contentType: charset.map { "text/plain; charset=\"\($0)\"" }).text
  }

  /// The longest encoded word that is read. The standard allows 75 bytes, and programs write more.
  private static let longest = 2_000

  private static func encodedWord(
    _ bytes: ArraySlice<UInt8>
  ) -> (charset: String, bytes: [UInt8], length: Int)? {
    let start = bytes.startIndex
    guard bytes.dropFirst().first == UInt8(ascii: "?") else { return nil }
    let marks = bytes.prefix(longest).indices.dropFirst(2).lazy.filter { bytes[$0] == UInt8(ascii: "?") }
    let ends = Array(marks.prefix(3))
    guard ends.count == 3, ends[1] == ends[0] + 2, ends[2] + 1 < bytes.endIndex,
      bytes[ends[2] + 1] == UInt8(ascii: "=")
    else { return nil }
    // A language may follow the charset: `utf-8*ko`.
    let charset = String(decoding: bytes[(start + 2)..<ends[0]], as: UTF8.self).prefix { $0 != "*" }.lowercased()
    let body = bytes[(ends[1] + 1)..<ends[2]]
    guard !charset.isEmpty, body.allSatisfy({ $0 > 0x20 }) else { return nil }
    let length = ends[2] + 2 - start
    switch bytes[ends[0] + 1] {
    case UInt8(ascii: "B"), UInt8(ascii: "b"): return (charset, MailCoding.base64(body), length)
    case UInt8(ascii: "Q"), UInt8(ascii: "q"):
      let spaced = body.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
      return (charset, MailCoding.quotedPrintable(spaced[...]), length)
    default: return nil
    }
  }
}

/// How the bytes of a part are written.
enum MailCoding {
  static func decoded(_ bytes: ArraySlice<UInt8>, _ encoding: String?) -> [UInt8] {
    switch encoding?.lowercased() {
    case "base64": base64(bytes)
    case "quoted-printable": quotedPrintable(bytes)
    default: Array(bytes)
    }
  }

  /// Ignores all bytes that are no digit, and a last group that is cut.
  static func base64(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (result, group, count) = ([UInt8](), UInt32(0), 0)
    result.reserveCapacity(bytes.count * 3 / 4)
    for byte in bytes {
      let digit: UInt8
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit = byte - UInt8(ascii: "A")
      case UInt8(ascii: "a")...UInt8(ascii: "z"): digit = byte - UInt8(ascii: "a") + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0") + 52
      case UInt8(ascii: "+"): digit = 62
      case UInt8(ascii: "/"): digit = 63
      default: continue
      }
      (group, count) = (group << 6 | UInt32(digit), count + 1)
      if count == 4 {
        result += [UInt8(group >> 16 & 0xff), UInt8(group >> 8 & 0xff), UInt8(group & 0xff)]
        (group, count) = (0, 0)
      }
    }
    if count >= 2 { result.append(UInt8(group >> (UInt32(count) * 6 - 8) & 0xff)) }
    if count == 3 { result.append(UInt8(group >> 2 & 0xff)) }
    return result
  }

  /// A `=` that no two hexadecimal digits follow stays.
  static func quotedPrintable(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var (result, index) = ([UInt8](), bytes.startIndex)
    result.reserveCapacity(bytes.count)
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      guard byte == UInt8(ascii: "=") else {
        result.append(byte)
        continue
      }
      // A soft line end, perhaps after blanks.
      let rest = bytes[index...].drop { $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }
      if rest.first == 0x0a || rest.isEmpty {
        index = min(rest.startIndex + 1, bytes.endIndex)
      } else if let high = hexadecimal(bytes[index]), index + 1 < bytes.endIndex,
        let low = hexadecimal(bytes[index + 1])
      {
        result.append(high << 4 | low)
        index += 2
      } else {
        result.append(byte)
      }
    }
    return result
  }

  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
