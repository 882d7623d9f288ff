import CXML

/// Guesses the encoding of documents that declare none: by the statistics of libuchardet where the letters are no Latin
/// ones, else among Korean, Japanese and western.
enum CharsetDetection {
  /// Called for what is neither ASCII nor UTF-8. Windows-1252 fits everything, so it is what is left.
  static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset {
    // A document's beginning tells; sixty-four thousand bytes of it are more than anybody reads.
    let head = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))
    if let charset = byStatistics(head) { return charset }
    if isKorean(head) { return .korean }
    if isJapanese(head) { return .shiftJIS }
    return .windows1252
  }

  /// What libuchardet finds, if that is an encoding of other letters than Latin ones. It is wrong about short western
  /// texts, whose few letters above ASCII fit many encodings; but there they stand alone, and here they stand in words.
  private static func byStatistics(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset? {
    guard hasForeignWords(bytes) else { return nil }
    var name = [CChar](repeating: 0, count: 32)
    let isFound = bytes.withMemoryRebound(to: CChar.self) {
      cxml_detect($0.baseAddress, $0.count, &name, name.count)
    }
    guard isFound else { return nil }
    let label = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self).lowercased()
    return otherLetters.contains(label) ? Charset(label: label) : nil
  }

  /// As libuchardet names them, in lower case.
  private static let otherLetters: Set<String> = [
    "big5", "euc-jp", "euc-kr", "euc-tw", "gb18030", "ibm855", "ibm866", "iso-8859-5", "iso-8859-6", "iso-8859-7",
    "iso-8859-8", "koi8-r", "shift_jis", "tis-620", "uhc", "windows-1251", "windows-1253", "windows-1255",
    "windows-1256",
  ]

  /// Whether most bytes above ASCII stand beside another one.
  private static func hasForeignWords(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var (all, beside) = (0, 0)
    for (index, byte) in bytes.enumerated() where byte >= 0x80 {
      all += 1
      if index > 0 && bytes[index - 1] >= 0x80 || index + 1 < bytes.count && bytes[index + 1] >= 0x80 { beside += 1 }
    }
    return all >= 4 && beside * 4 >= all * 3
  }

  /// Whether the letters above ASCII come in pairs, most of which are the 2,350 usual syllables (lead B0 to C8) or signs
  /// (A1 to AC), as they stand in KS X 1001. Western text has single letters between ASCII ones.
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

  /// Whether the pairs fit, and a good part of them are kana (82 9F to F1, 83 40 to 96): hardly a Japanese sentence has
  /// none.
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
