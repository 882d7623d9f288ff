/// Documents in which UTF-8 and windows-1252 are mixed, as when a program inserts texts of one into a template of the
/// other.
enum MixedEncoding {
  /// The text, if most non-ASCII characters are UTF-8 and the rest is windows-1252; nil otherwise.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var (letters, misfits) = (0, 0)
    var index = 0
    while index < bytes.count {
      let count = length(bytes, at: index)
      if count > 1 { letters += 1 } else if count == 0 { misfits += 1 }
      index += max(count, 1)
    }
    // Western text hardly ever contains valid UTF-8 sequences, so that a few of them are proof.
    guard letters >= 3, misfits > 0, misfits * 2 <= letters else { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + misfits * 2)
    index = 0
    while index < bytes.count {
      let count = length(bytes, at: index)
      if count == 0 {
        result += Character(Windows1252.scalar(bytes[index])).utf8
      } else if bytes[index] != 0 {
        result += bytes[index..<index + count]
      }
      index += max(count, 1)
    }
    return result
  }

  /// The number of bytes of the UTF-8 character; 0 if it is invalid (Unicode, table 3-7).
  private static func length(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
    func isTrail(_ offset: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool {
      index + offset < bytes.count && range.contains(bytes[index + offset])
    }
    switch bytes[index] {
    case 0..<0x80: return 1
    case 0xC2...0xDF: return isTrail(1) ? 2 : 0
    case 0xE0: return isTrail(1, 0xA0...0xBF) && isTrail(2) ? 3 : 0
    case 0xED: return isTrail(1, 0x80...0x9F) && isTrail(2) ? 3 : 0
    case 0xE1...0xEF: return isTrail(1) && isTrail(2) ? 3 : 0
    case 0xF0: return isTrail(1, 0x90...0xBF) && isTrail(2) && isTrail(3) ? 4 : 0
    case 0xF1...0xF3: return isTrail(1) && isTrail(2) && isTrail(3) ? 4 : 0
    case 0xF4: return isTrail(1, 0x80...0x8F) && isTrail(2) && isTrail(3) ? 4 : 0
    default: return 0
    }
  }
}
