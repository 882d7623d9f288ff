/// Pages that only refer to other pages: a table of contents, a list of figures, an index with leaders.
///
///     2.1  Slow rivers . . . . . . . . 12        leaders, followed by the page number, or with it on a separate line
///     Banks and bridges 14                       or lines that end in ever greater numbers
///
/// Such a page contains the words of many headings in little text. Without a penalty it would rank above the pages to
/// which it refers.
package enum ListedPage {
  /// The factor for the rank of such a page: mostly ranks it below a page with one of the words in its text.
  package static let share = 0.4

  private static let leastLeaders = 4
  private static let leastNumbers = 6
  /// The fewest dots of leaders; `…` counts as three.
  private static let leastDots = 5
  fileprivate static let longestNumber = 6

  package static func holds(_ text: String) -> Bool {
    var (lines, leaders) = (0, 0)
    var numbers: [Int] = []
    for line in text.utf8.split(whereSeparator: { $0 == lineFeed || $0 == carriageReturn }) {
      guard let last = line.last(where: { $0 != blank }) else { continue }
      lines += 1
      // Most lines end in a letter that cannot end a number.
      guard mayEnd(last) else { continue }
      let line = Substring(line).unicodeScalars.trimmingBlanks
      let (number, rest) = line.trailingNumber
      if rest.endsInLeaders || line.endsInLeaders { leaders += 1 }
      if let number = Int(String(number)), rest.contains(where: \.properties.isAlphabetic) { numbers.append(number) }
    }
    // Page numbers may be on lines of their own, and chapter numbers too.
    if leaders >= leastLeaders, leaders * 4 >= lines { return true }
    guard numbers.count >= leastNumbers, numbers.count * 2 >= lines, numbers[0] < numbers[numbers.count - 1] else {
      return false
    }
    let falls = zip(numbers, numbers.dropFirst()).count { $1 < $0 }
    return falls * 10 <= numbers.count
  }

  private static func mayEnd(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), 0x80...: true
    default: romanDigits.contains(byte)
    }
  }

  private static let romanDigits = Array("ivxlcIVXLC".utf8)
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")
  private static let blank = UInt8(ascii: " ")

  fileprivate static func isLabel(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil || scalar == "-")
  }

  /// The number of dots in a character; 0 for other characters.
  private static func dots(_ scalar: Unicode.Scalar) -> Int {
    switch scalar {
    case ".", "·", "‧", "․", "・", "･": 1
    case "…", "⋯": 3
    default: 0
    }
  }

  /// Whether a line ends in leaders, with or without blanks between the dots.
  fileprivate static func areLeaders(_ line: Substring.UnicodeScalarView) -> Bool {
    var (count, wasBlank) = (0, false)
    for scalar in line.reversed() {
      let dots = dots(scalar)
      if dots == 0, wasBlank || !scalar.properties.isWhitespace { return false }
      wasBlank = dots == 0
      count += dots
      if count >= leastDots { return true }
    }
    return false
  }
}

extension Substring.UnicodeScalarView {
  fileprivate var trimmingBlanks: Self {
    var line = self
    while let last = line.last, last.properties.isWhitespace { line.removeLast() }
    while let first = line.first, first.properties.isWhitespace { line.removeFirst() }
    return line
  }

  /// The page number at the end, including roman ones, and the rest of the line. The number is empty if there is none.
  fileprivate var trailingNumber: (number: Self, rest: Self) {
    let label = suffix(ListedPage.longestNumber + 1)
    let start = label.lastIndex { !ListedPage.isLabel($0) }.map { index(after: $0) } ?? label.startIndex
    let rest = self[..<start]
    if rest.isEmpty || !rest.last!.properties.isWhitespace && !rest.endsInLeaders { return (self[endIndex...], self) }
    return (self[start...], rest.trimmingBlanks)
  }

  fileprivate var endsInLeaders: Bool { ListedPage.areLeaders(self) }
}
