import CXML
import FoundationEssentials

/// The bytes of a document as text, whatever encoding they are in.
///
/// In order: the byte order mark, the Content-Type's charset, the document's declaration (RFC 7303), UTF-8 if valid, a
/// guess. A claim that the bytes contradict gives way to one that they fit: servers say `charset=utf-8` of everything.
/// Bytes that fit nothing become U+FFFD; nothing is ever refused. U+0000 is left out, since nothing here can hold it.
package struct TextDecoding: Sendable {
  /// Valid UTF-8 without a byte order mark and without U+0000.
  package let bytes: [UInt8]
  /// iconv's name of the encoding the bytes were in.
  package let charset: String
  /// How many bytes had to be replaced.
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
    // Who writes ASCII alone says nothing by any claim of a superset.
    var claims = [CharsetClaims.parameter(of: contentType), CharsetClaims.declaration(in: bytes)].compactMap(\.self)
    claims.removeAll { $0.isWide }
    // Letters of two bytes that happen to be valid UTF-8 are hardly ever something else; but a title of one syllable
    // can be, where its document says so.
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
    // A claim with a few broken bytes is better than the guess that fits everything.
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

  /// `nil` where nobody knows the encoding.
  private static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, as charset: Charset, growth: Int = 3
  ) -> TextDecoding? {
    if charset == .utf8 { return repair(bytes) }
    var misfits = 0
    // UTF-16 gives at most three bytes for two, nearly all others three for one; a letter of TSCII may be twelve.
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

  /// Takes the bytes as UTF-8, and puts U+FFFD where they are not.
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

  /// Without U+0000, and with the letters that control characters stand for.
  private static func cleaned(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    let clean = bytes.contains(0) ? bytes.filter { $0 != 0 } : Array(bytes)
    return clean.withUnsafeBufferPointer { Windows1252.repaired($0) }.map { Array($0.utf8) } ?? clean
  }
}
