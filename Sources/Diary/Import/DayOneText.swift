import Store

/// The Markdown of Day One, which puts a backslash before almost every punctuation mark.
///
///     It was 5\.30 pm \- finally\!      It was 5.30 pm - finally!
///     2\. May, \#home, \*no emphasis\*  stay: without the backslash they would be a list, a tag and an emphasis
///
/// Only those backslashes are removed that change nothing in Markdown, so that the text reads well as it is written.
/// Code, and the destinations of links, stay byte for byte.
struct DayOneText {
  static func readable(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var text = text
    return text.withUTF8 { bytes in
      var scan = Self(bytes)
      scan.run()
      return String(decoding: scan.result, as: UTF8.self)
    }
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var code: CodeSpans
  private var result: [UInt8] = []
  /// The offset of the first byte of the line that is no blank.
  private var start = 0

  private init(_ bytes: UnsafeBufferPointer<UInt8>) {
    self.bytes = bytes
    code = CodeSpans(bytes)
    result.reserveCapacity(bytes.count)
  }

  private mutating func run() {
    var place = copy(to: code.endOfFence(from: 0) ?? 0, from: 0)
    beginLine(at: 0)
    while place < bytes.count {
      switch bytes[place] {
      case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
        let line = place + 1
        beginLine(at: line)
        place = copy(to: code.endOfFence(from: line) ?? line, from: place)
      case UInt8(ascii: "`"): place = copy(to: code.endOfSpan(from: place), from: place)
      case UInt8(ascii: "]") where byte(place + 1) == UInt8(ascii: "("):
        place = copy(to: endOfDestination(from: place + 2), from: place)
      case UInt8(ascii: "\\") where place + 1 < bytes.count:
        if isNeeded(at: place) { result.append(bytes[place]) }
        // A line end after a backslash begins a line.
        let isLineEnd = [0x0A, 0x0D].contains(bytes[place + 1])
        place = isLineEnd ? place + 1 : copy(to: place + 2, from: place + 1)
      default: place = copy(to: place + 1, from: place)
      }
    }
  }

  private mutating func beginLine(at line: Int) {
    start = line
    while let byte = byte(start), byte == 0x20 || byte == 0x09 { start += 1 }
  }

  private mutating func copy(to end: Int, from start: Int) -> Int {
    result += bytes[start..<end]
    return end
  }

  private func byte(_ place: Int) -> UInt8? { bytes.indices.contains(place) ? bytes[place] : nil }

  private func endOfDestination(from start: Int) -> Int {
    var place = start
    while let byte = byte(place), byte > 0x20, byte != UInt8(ascii: ")") {
      place += byte == UInt8(ascii: "\\") && (self.byte(place + 1) ?? 0) > 0x20 ? 2 : 1
    }
    return min(place, bytes.count)
  }

  /// The most digits of a number in a list.
  private static let mostDigits = 9

  /// Whether the backslash here changes the meaning of the character after it.
  private func isNeeded(at place: Int) -> Bool {
    let (before, next) = (byte(place - 1), byte(place + 2))
    switch bytes[place + 1] {
    case UInt8(ascii: "."), UInt8(ascii: ")"):
      // `2\. May` would be a list.
      return (1...Self.mostDigits).contains(place - start) && bytes[start..<place].allSatisfy(isDigit) && isBlank(next)
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: ">"):
      return place == start
    case UInt8(ascii: "("): return before == UInt8(ascii: "]")
    case UInt8(ascii: "!"): return next == UInt8(ascii: "[")
    case UInt8(ascii: "#"):
      // Before a word it would be a tag.
      return place == start || !(isBlank(next) || isDigit(next))
    case UInt8(ascii: "_"): return !(isWord(before) && isWord(next))
    case UInt8(ascii: "*"): return place == start || !(isBlank(before) && isBlank(next))
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "?"),
      UInt8(ascii: "/"), UInt8(ascii: "@"), UInt8(ascii: "%"), UInt8(ascii: "$"), UInt8(ascii: "^"),
      UInt8(ascii: "{"), UInt8(ascii: "}"):
      return false
    default: return true
    }
  }

  private func isBlank(_ byte: UInt8?) -> Bool {
    byte.map { [0x20, 0x09, 0x0A, 0x0D].contains($0) } ?? true
  }

  private func isDigit(_ byte: UInt8?) -> Bool { byte.map { (0x30...0x39).contains($0) } ?? false }

  /// A letter or a digit; of other scripts than Latin any character.
  private func isWord(_ byte: UInt8?) -> Bool {
    guard let byte else { return false }
    return isDigit(byte) || byte >= 0x80 || (0x41...0x5A).contains(byte & 0xDF)
  }
}
