/// Cuts a page off before the tag that would keep libxml2 busy for minutes: it compares every attribute of a tag with
/// all before it.
enum HTMLGuard {
  static let attributeLimit = 256

  /// How many bytes of the page may be read.
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

  /// The place behind a tag, or nil where it has too many attributes. Read as the HTML Standard has it (13.2.5), and
  /// never shorter than libxml2 would read it.
  private static func tagEnd(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var place = start
    var words = 0
    var isInWord = false
    while place < bytes.count {
      let byte = bytes[place]
      switch byte {
      case UInt8(ascii: ">"): return place + 1
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        // Only behind `=` does a quote hold `>` together; elsewhere it is a letter of a name.
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
    // Blanks between `=` and the value are few, or the value is none that anybody meant.
    while index >= start, index > place - 64, bytes[index] <= 0x20 { index -= 1 }
    return index >= start ? bytes[index] : nil
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
