/// Word boundaries, after Unicode's rule for text segmentation (UAX #29) as far as whole-word search needs it:
/// letters, digits and marks are not separated, nor are syllables of Hangul and characters of Katakana; every
/// ideograph and every character of Hiragana is a word of its own.
struct WordBoundary {
  let bytes: UnsafeBufferPointer<UInt8>

  /// Whether an occurrence neither begins nor ends within a word.
  func isWhole(_ range: Range<Int>) -> Bool {
    isBoundary(range.lowerBound) && isBoundary(range.upperBound)
  }

  func isBoundary(_ place: Int) -> Bool {
    guard let before = scalar(before: place), let after = scalar(at: place) else { return true }
    let (left, right) = (Self.kind(of: before), Self.kind(of: after))
    switch (left, right) {
    case (_, .mark): return false
    case (.mark, .letter), (.letter, .letter): return false
    default: return true
    }
  }

  private enum Kind { case letter, alone, mark, other }

  private static func kind(of scalar: Unicode.Scalar) -> Kind {
    if scalar.isASCII {
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": return .letter
      default: return .other
      }
    }
    switch scalar.value {
    case 0x3041...0x3096, 0x309D...0x309F, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      return .alone
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: return .mark
    case .connectorPunctuation: return .letter
    default: return scalar.properties.isAlphabetic || scalar.properties.numericType != nil ? .letter : .other
    }
  }

  private func scalar(at place: Int) -> Unicode.Scalar? {
    guard place >= 0, place < bytes.count, bytes[place] != 0 else { return nil }
    let lead = UInt32(bytes[place])
    if lead < 0x80 { return Unicode.Scalar(lead) }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard place + length <= bytes.count else { return nil }
    var value = lead & (0x7F >> UInt32(length))
    for offset in 1..<length { value = value << 6 | UInt32(bytes[place + offset] & 0x3F) }
    return Unicode.Scalar(value)
  }

  private func scalar(before place: Int) -> Unicode.Scalar? {
    var start = place - 1
    while start > 0, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }
}
