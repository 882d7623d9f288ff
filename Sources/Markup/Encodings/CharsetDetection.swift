/// Guesses among the three encodings that undeclared documents of our readers have: Korean, Japanese and western.
enum CharsetDetection {
  /// Called for what is neither ASCII nor UTF-8. Windows-1252 fits everything, so it is what is left.
  static func guess(_ bytes: UnsafeBufferPointer<UInt8>) -> Charset {
    // A document's beginning tells; sixty-four thousand bytes of it are more than anybody reads.
    let head = UnsafeBufferPointer(rebasing: bytes.prefix(1 << 16))
    if isKorean(head) { return .korean }
    if isJapanese(head) { return .shiftJIS }
    return .windows1252
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
