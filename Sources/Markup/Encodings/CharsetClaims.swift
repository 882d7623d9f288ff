/// What a document and those who sent it say about its encoding.
enum CharsetClaims {
  /// The mark at the beginning, and how many bytes it takes.
  static func byteOrderMark(of bytes: some Collection<UInt8>) -> (charset: Charset, count: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32LittleEndian, 4) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32BigEndian, 4) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
    return nil
  }

  /// Two bytes a character without a mark: no document begins with U+0000, and `<` and `{` tell which byte is which
  /// (XML, Appendix F; RFC 4627, section 3).
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

  /// `encoding` of an XML declaration, or `charset` of a page's `meta`, in the first bytes, where both must stand.
  static func declaration(in bytes: some Collection<UInt8>) -> Charset? {
    let head = String(decoding: bytes.prefix(2048).map { $0 < 0x80 ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    if let match = head.firstMatch(of: /<\?xml[^>]*?\bencoding\s*=\s*["']\s*([^"'>\s]+)/) {
      return Charset(label: match.output.1)
    }
    if let match = head.lowercased().firstMatch(of: /<meta[^>]*?\bcharset\s*=\s*["']?\s*([^"'>;\s\/]+)/) {
      return Charset(label: match.output.1)
    }
    return nil
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
