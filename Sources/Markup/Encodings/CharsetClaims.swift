/// The encodings that a document and its sender declare.
enum CharsetClaims {
  /// The byte order mark, and its size in bytes.
  static func byteOrderMark(of bytes: some Collection<UInt8>) -> (charset: Charset, count: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  /// Detects UTF-16 without a mark: no document begins with U+0000, and `<` and `{` show the byte order (XML, Appendix
  /// F; RFC 4627, section 3).
  static func width(of bytes: some RandomAccessCollection<UInt8>) -> Charset? {
    let head = Array(bytes.prefix(4))
    guard head.count == 4 else { return nil }
    if head[0] != 0, head[1] == 0, head[2] != 0, head[3] == 0 { return .utf16LittleEndian }
    if head[0] == 0, head[1] != 0, head[2] == 0, head[3] != 0 { return .utf16BigEndian }
    return nil
  }

  /// `charset` of a Content-Type: `text/xml; charset="euc-kr"`.
  static func parameter(of contentType: String?) -> Charset? {
    guard let contentType else { return nil }
    for part in contentType.split(separator: ";").dropFirst() {
      let pair = part.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, trimmed(pair[0]).lowercased() == "charset" else { continue }
      return Charset(label: trimmed(pair[1]))
    }
    return nil
  }

  /// The `encoding` of an XML declaration, or the `charset` of a page's `meta`, which must be among the first bytes.
  static func declaration(in bytes: some Collection<UInt8>) -> Charset? {
    let head = Array(bytes.prefix(2048))
    if let label = value(of: "encoding", inTag: "<?xml", of: head, isQuoted: true, end: "\"'>") {
      return Charset(label: label)
    }
    let lowercase = head.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    return value(of: "charset", inTag: "<meta", of: lowercase, isQuoted: false, end: "\"'>;/")
      .flatMap { Charset(label: $0) }
  }

  /// The value of the first such attribute, or of a text that looks like one: a page may have `charset` within another
  /// value. Hand-written, since compiling a regular expression takes longer than the rest of reading a feed.
  private static func value(
    of name: String, inTag tag: String, of head: [UInt8], isQuoted: Bool, end: String
  ) -> Substring? {
    var rest = head[...]
    while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
      rest = rest[start...]
      guard rest.starts(with: tag.utf8) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(tag.utf8.count)
      var inside = rest.prefix { $0 != UInt8(ascii: ">") }
      while let first = inside.firstIndex(where: { $0 == name.utf8.first }) {
        let isWord = isWordByte(head[first - 1])
        inside = inside[first...]
        guard !isWord, inside.starts(with: name.utf8) else {
          inside = inside.dropFirst()
          continue
        }
        inside = inside.dropFirst(name.utf8.count)
        if let value = value(after: inside, isQuoted: isQuoted, end: end) { return value }
      }
    }
    return nil
  }

  /// ` = "euc-kr"`; the quotes are optional unless `isQuoted`.
  private static func value(after name: ArraySlice<UInt8>, isQuoted: Bool, end: String) -> Substring? {
    var rest = name.drop(while: isBlank)
    guard rest.first == UInt8(ascii: "=") else { return nil }
    rest = rest.dropFirst().drop(while: isBlank)
    if let quote = rest.first, "\"'".utf8.contains(quote) {
      rest = rest.dropFirst()
    } else if isQuoted {
      return nil
    }
    let value = rest.drop(while: isBlank).prefix { !isBlank($0) && !end.utf8.contains($0) }
    return value.isEmpty ? nil : Substring(decoding: value, as: UTF8.self)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0d).contains(byte) }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
      || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func trimmed(_ text: Substring) -> Substring {
    let isBlank: (Character) -> Bool = { $0.isWhitespace || $0 == "\"" || $0 == "'" }
    guard let first = text.firstIndex(where: { !isBlank($0) }), let last = text.lastIndex(where: { !isBlank($0) })
    else {
      return ""
    }
    return text[first...last]
  }
}
