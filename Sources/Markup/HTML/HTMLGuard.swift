/// Cuts off a page before a tag that would keep libxml2 busy for minutes: it compares each attribute of a tag with all
/// preceding ones.
enum HTMLGuard {
  static let attributeLimit = 256

  /// The number of bytes of the page that may be parsed.
  static func safeCount(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { bytes in
      var place = 0
      while place < bytes.count {
        guard bytes[place] == UInt8(ascii: "<"), place + 1 < bytes.count, isLetter(bytes[place + 1]) else {
          place += 1
          continue
        }
        guard let end = tagEnd(bytes, from: place + 1) else { return place }
        place = end
      }
      return bytes.count
    }
  }

  /// The index after a tag, or nil if it has too many attributes. Tokenizes as the HTML Standard does (13.2.5), and
  /// never ends a tag earlier than libxml2 does.
  private static func tagEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    var words = 0
    var isInWord = false
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: ">"): return place + 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Only after `=` does a quote protect `>`; elsewhere it is part of a name.
        if lastVisible(bytes, before: place, from: start) == UInt8(ascii: "=") {
          place += 1
          while place < bytes.count, bytes[place] != byte { place += 1 }
          isInWord = false
        }
      case 0...0x20, UInt8(ascii: "/"): isInWord = false
      default:
        if !isInWord {
          words += 1
          isInWord = true
          if words > attributeLimit { return nil }
        }
      }
      place += 1
    }
    return bytes.count
  }

  private static func lastVisible(_ bytes: UnsafeBufferPointer<UInt8>, before place: Int, from start: Int) -> UInt8? {
    var index = place - 1
    // The limit of white space between `=` and a value, for speed; real values have little.
    while index >= start, index > place - 64, bytes[index] <= 0x20 { index -= 1 }
    return index >= start ? bytes[index] : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
