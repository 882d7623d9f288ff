import Glibc

/// Scripts without blanks wrap lines anywhere, but a word that continues on the next line is one word for a search.
/// A line end between two such characters is removed. All others stay, so that no other words are joined.
enum WrappedLetters {
  /// On bytes, and copied only if a line end is removed: most pages have none.
  static func joined(_ text: String) -> String {
    var text = text
    let joined = text.withUTF8 { bytes in
      let ends = lineEnds(in: bytes)
      return ends.isEmpty ? nil : self.text(bytes, without: ends)
    }
    return joined ?? text
  }

  static func text(_ bytes: UnsafeBufferPointer<UInt8>, without lineEnds: [Int]) -> String {
    var remaining: [UInt8] = []
    remaining.reserveCapacity(bytes.count)
    var start = 0
    for end in lineEnds {
      remaining += bytes[start..<end]
      start = end + 1
    }
    remaining += bytes[start...]
    return String(decoding: remaining, as: UTF8.self)
  }

  /// The places of the removed line ends, ascending.
  static func lineEnds(in bytes: UnsafeBufferPointer<UInt8>) -> [Int] {
    guard let start = bytes.baseAddress else { return [] }
    var ends: [Int] = []
    var next = 0
    while let end = memchr(start + next, 0x0A, bytes.count - next) {
      next = UnsafeRawPointer(end) - UnsafeRawPointer(start)
      if isBetweenRunLetters(next, in: bytes) { ends.append(next) }
      next += 1
    }
    return ends
  }

  private static func isBetweenRunLetters(_ lineEnd: Int, in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    // U+1100, the first of them, begins with E1; a character with another lead byte is not part of a run.
    guard lineEnd > 0, bytes[lineEnd - 1] >= 0x80, lineEnd + 1 < bytes.count, bytes[lineEnd + 1] >= 0xE1,
      let first = bytes[..<lineEnd].lastIndex(where: { $0 & 0xC0 != 0x80 })
    else { return false }
    return startsWithRunLetter(bytes[first...]) && startsWithRunLetter(bytes[(lineEnd + 1)...])
  }

  private static func startsWithRunLetter(_ bytes: some Sequence<UInt8>) -> Bool {
    var iterator = bytes.makeIterator()
    var decoder = UTF8()
    guard case .scalarValue(let scalar) = decoder.decode(&iterator) else { return false }
    return isRunLetter(scalar)
  }

  /// Han, kana and Hangul.
  static func isRunLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
