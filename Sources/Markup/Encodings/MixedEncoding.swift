/// Documents that were put together of UTF-8 and windows-1252: a program writes the one around texts in the other.
enum MixedEncoding {
  /// The text, where most letters above ASCII are UTF-8's and what is left is windows-1252; nil for everything else.
  static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
    var (letters, misfits) = (0, 0)
    var index = 0
    while index < bytes.count {
      let count = length(bytes, at: index)
      if count > 1 { letters += 1 } else if count == 0 { misfits += 1 }
      index += max(count, 1)
    }
    // Western text has hardly any two letters that look like one of UTF-8, so that a few are proof.
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

  /// How many bytes the character takes in UTF-8; 0 where it is none (Unicode, table 3-7).
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
