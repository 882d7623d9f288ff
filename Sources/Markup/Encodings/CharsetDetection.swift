import CXML

/// Guesses the encoding of documents without a declaration: by libuchardet's statistics for scripts other than Latin,
/// else among Korean, Japanese and Western.
enum CharsetDetection {
  /// Called for bytes that are neither ASCII nor UTF-8. Windows-1252 fits any bytes, so it is the fallback.
  static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset {
    // The first 64 KiB suffice.
    let head = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))
    if let charset = byStatistics(head) { return charset }
    if isKorean(head) { return .korean }
    if isJapanese(head) { return .shiftJIS }
    return .windows1252
  }

  /// libuchardet's result, if it is an encoding of another script than Latin. It is wrong about short Western texts,
  /// whose few non-ASCII letters fit many encodings; but there they are isolated, while here they must form words.
  private static func byStatistics(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset? {
    guard hasNonLatinWords(bytes) else { return nil }
    var name = [CChar](repeating: 0, count: 32)
    let isFound = bytes.withMemoryRebound(to: CChar.self) {
      cxml_detect($0.baseAddress, $0.count, &name, name.count)
    }
    guard isFound else { return nil }
    let label = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
    return otherLetters.contains(label) ? Charset(label: label) : nil
  }

  /// By libuchardet's names, in lower case.
  private static let otherLetters: Set<String> = [
    "big5", "euc-jp", "euc-kr", "euc-tw", "gb18030", "ibm855", "ibm866", "iso-8859-5", "iso-8859-6", "iso-8859-7",
    "iso-8859-8", "koi8-r", "shift_jis", "tis-620", "uhc", "windows-1251", "windows-1253", "windows-1255",
    "windows-1256",
  ]

  /// Whether most non-ASCII bytes are next to another one.
  private static func hasNonLatinWords(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (all, beside) = (0, 0)
    for (index, byte) in bytes.enumerated() where byte >= 0x80 {
      all += 1
      if index > 0 && bytes[index - 1] >= 0x80 || index + 1 < bytes.count && bytes[index + 1] >= 0x80 { beside += 1 }
    }
    return all >= 4 && beside * 4 >= all * 3
  }

  /// Whether non-ASCII bytes come in pairs, most of which are the 2,350 usual syllables (lead bytes B0 to C8) or signs
  /// (A1 to AC) of KS X 1001. Western text has single non-ASCII letters between ASCII ones.
  private static func isKorean(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (pairs, usual, misfits) = (0, 0, 0)
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      guard lead >= 0x80 else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count else { break }
      let trail = bytes[index + 1]
      guard (0x81...0xFE).contains(lead), isKoreanTrail(trail) else {
        misfits += 1
        index += 1
        continue
      }
      pairs += 1
      if trail >= 0xA1, (0xB0...0xC8).contains(lead) || (0xA1...0xAC).contains(lead) { usual += 1 }
      index += 2
    }
    return pairs > 0 && usual * 10 >= pairs * 8 && misfits * 20 <= pairs
  }

  private static func isKoreanTrail(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x41...0x5A, 0x61...0x7A, 0x81...0xFE: true
    default: false
    }
  }

  /// Whether the pairs are valid, and at least a fifth of them are kana (82 9F to F1, 83 40 to 96): hardly any Japanese
  /// sentence has none.
  private static func isJapanese(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (pairs, kana, misfits) = (0, 0, 0)
    var index = 0
    while index < bytes.count {
      let lead = bytes[index]
      // A0 to DF are half-width kana, of one byte.
      guard lead >= 0x80, !(0xA0...0xDF).contains(lead) else {
        index += 1
        continue
      }
      guard index + 1 < bytes.count else { break }
      let trail = bytes[index + 1]
      guard (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead), (0x40...0xFC).contains(trail), trail != 0x7F
      else {
        misfits += 1
        index += 1
        continue
      }
      pairs += 1
      if (lead == 0x82 && (0x9F...0xF1).contains(trail)) || (lead == 0x83 && (0x40...0x96).contains(trail)) {
        kana += 1
      }
      index += 2
    }
    return pairs > 0 && kana * 5 >= pairs && misfits * 20 <= pairs
  }
}
