import CXML
import FoundationEssentials

/// Decodes the bytes of a document, whatever its encoding.
///
/// In this order: the byte order mark, the Content-Type's charset, the document's declaration (RFC 7303), UTF-8 if
/// valid, a guess. A declaration that the bytes contradict is replaced by one that they fit, since servers send
/// `charset=utf-8` with everything. Undecodable bytes become U+FFFD; nothing is refused. U+0000 is removed, since it
/// cannot be stored.
package struct TextDecoding: Sendable {
  /// Valid UTF-8 without a byte order mark and without U+0000.
  package let bytes: [UInt8]
  /// iconv's name of the encoding.
  package let charset: String
  /// The number of bytes that were replaced.
  package let misfits: Int

  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package init(_ data: Data, contentType: String? = nil) {
    self = data.withUnsafeBytes { TextDecoding($0.assumingMemoryBound(to: UInt8.self), contentType: contentType) }
  }

  package init(_ bytes: [UInt8], contentType: String? = nil) {
    self = bytes.withUnsafeBufferPointer { TextDecoding($0, contentType: contentType) }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, contentType: String?) {
    if let mark = CharsetClaims.byteOrderMark(of: bytes) {
      let rest = UnsafeBufferPointer(rebasing: bytes.dropFirst(mark.count))
      self = Self.decode(rest, as: mark.charset) ?? Self.repair(rest)
      return
    }
    if let wide = CharsetClaims.width(of: bytes), let decoded = Self.decode(bytes, as: wide) {
      self = decoded
      return
    }
    let isUTF8 = Self.isValidUTF8(bytes)
    // Pure ASCII fits any superset, so that declarations do not matter.
    var claims = [CharsetClaims.parameter(of: contentType), CharsetClaims.declaration(in: bytes)].compactMap(\.self)
    claims.removeAll { $0.isWide }
    // Valid UTF-8 in a multibyte encoding is very unlikely, except in a title of one syllable: then a declaration
    // decides.
    if isUTF8, !claims.contains(where: \.isMultibyte) {
      self.init(bytes: Self.cleaned(bytes), charset: Charset.utf8.iconvName, misfits: 0)
      return
    }
    if !isUTF8, !claims.contains(where: { $0.isMultibyte || $0 == .utf8 }), let mixed = MixedEncoding.decode(bytes) {
      self.init(bytes: mixed, charset: Charset.utf8.iconvName, misfits: 0)
      return
    }
    var best: TextDecoding?
    for claim in claims {
      guard let decoded = Self.decode(bytes, as: claim) else { continue }
      if decoded.misfits == 0 {
        self = decoded
        return
      }
      if decoded.misfits < best?.misfits ?? .max { best = decoded }
    }
    if isUTF8 {
      self.init(bytes: Self.cleaned(bytes), charset: Charset.utf8.iconvName, misfits: 0)
      return
    }
    let guess = CharsetDetection.guess(bytes)
    // A declaration with a few broken bytes is better than the guess that fits anything.
    if let best, guess == .windows1252 || best.misfits * 100 < bytes.count {
      self = best
    } else {
      self = Self.decode(bytes, as: guess) ?? best ?? Self.repair(bytes)
    }
  }

  private init(bytes: [UInt8], charset: String, misfits: Int) {
    self.bytes = bytes
    self.charset = charset
    self.misfits = misfits
  }

  /// `nil` if iconv does not support the encoding.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, as charset: Charset, growth: Int = 3
  ) -> TextDecoding? {
    if charset == .utf8 { return repair(bytes) }
    var misfits = 0
    // UTF-16 needs at most three bytes for two, nearly all others three for one; a TSCII letter may need twelve.
    let room = bytes.count * growth + 16
    var (failed, isCut) = (false, false)
    let decoded = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      let written = buffer.withMemoryRebound(to: CChar.self) { result in
        bytes.withMemoryRebound(to: CChar.self) {
          cxml_decode(charset.iconvName, $0.baseAddress, $0.count, result.baseAddress, room, &misfits)
        }
      }
      (failed, isCut) = (written < 0, written == -2)
      count = max(written, 0)
    }
    if isCut, growth < 12 { return decode(bytes, as: charset, growth: 12) }
    guard !failed else { return nil }
    let clean = decoded.withUnsafeBufferPointer { cleaned($0) }
    return TextDecoding(bytes: clean, charset: charset.iconvName, misfits: misfits)
  }

  /// Decodes UTF-8, with U+FFFD for invalid bytes.
  private static func repair(_ bytes: UnsafeBufferPointer<UInt8>) -> TextDecoding {
    guard !isValidUTF8(bytes) else {
      return TextDecoding(bytes: cleaned(bytes), charset: Charset.utf8.iconvName, misfits: 0)
    }
    let before = replacements(in: bytes)
    let repaired = Array(String(decoding: bytes, as: UTF8.self).utf8)
    let misfits = repaired.withUnsafeBufferPointer { replacements(in: $0) } - before
    return TextDecoding(
      bytes: repaired.withUnsafeBufferPointer { cleaned($0) }, charset: Charset.utf8.iconvName, misfits: misfits)
  }

  private static func replacements(in bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    var index = 0
    while index + 2 < bytes.count {
      if bytes[index] == 0xEF, bytes[index + 1] == 0xBF, bytes[index + 2] == 0xBD { count += 1 }
      index += 1
    }
    return count
  }

  private static func isValidUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    String(validating: bytes, as: UTF8.self) != nil
  }

  /// Removes U+0000, and replaces C1 control characters by the characters of windows-1252.
  private static func cleaned(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let clean = bytes.contains(0) ? bytes.filter { $0 != 0 } : Array(bytes)
    return clean.withUnsafeBufferPointer { Windows1252.repaired($0) }.map { Array($0.utf8) } ?? clean
  }
}
