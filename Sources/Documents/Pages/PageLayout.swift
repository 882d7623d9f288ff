import PDF

/// The characters of a page with their places, in reading order.
struct PageLayout: Sendable {
  let scalars: [Unicode.Scalar]
  /// One for each scalar; empty if their places are unknown.
  let boxes: [Box]
  /// The ranges of the lines, without their ends.
  let lines: [Range<Int>]

  init(_ text: PageText) {
    scalars = Array(text.text.unicodeScalars)
    boxes = text.placement == .characters ? text.boxes.map { Box($0, unit: text.unit) } : []
    lines = Self.lines(of: scalars)
  }

  var hasPlaces: Bool { boxes.count == scalars.count && !boxes.isEmpty }

  func string(_ range: Range<Int>) -> String { String(scalars: scalars[range]) }

  private static func lines(of scalars: [Unicode.Scalar]) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      if index > start { lines.append(start..<index) }
      start = index + 1
    }
    if start < scalars.count { lines.append(start..<scalars.count) }
    return lines
  }

  /// The lines that a range touches.
  func lines(touching range: Range<Int>) -> ArraySlice<Range<Int>> {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].upperBound <= range.lowerBound { low = middle + 1 } else { high = middle }
    }
    let rest = lines[low...]
    return rest.prefix { $0.lowerBound < range.upperBound }
  }

  /// A range as the lines that it touches, without blanks at their ends; each with the box around its characters.
  func pieces(of range: Range<Int>) -> [Piece] {
    lines(touching: range).compactMap { line in
      let part = trimmed(line.clamped(to: range))
      guard !part.isEmpty else { return nil }
      return Piece(range: part, text: string(part), box: box(around: part))
    }
  }

  /// One quad for each line that a range touches; none if the places of the characters are unknown.
  func quads(of range: Range<Int>) -> [[Double]] {
    guard hasPlaces else { return [] }
    return lines(touching: range).compactMap { box(around: trimmed($0.clamped(to: range)))?.quad }
  }

  struct Piece {
    var range: Range<Int>
    var text: String
    /// Nil if the places of the characters are unknown.
    var box: Box?
  }

  func box(around range: Range<Int>) -> Box? {
    guard hasPlaces else { return nil }
    var whole: Box?
    for index in range where boxes[index].area > 0 && !scalars[index].isBlank {
      whole = whole?.union(boxes[index]) ?? boxes[index]
    }
    return whole
  }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, scalars[first].isBlank { range = (first + 1)..<range.upperBound }
    while let last = range.last, scalars[last].isBlank { range = range.lowerBound..<last }
    return range
  }
}

extension Unicode.Scalar {
  /// White space. Checked for every character of a page; most are decided without Unicode's tables.
  var isBlank: Bool {
    if isASCII { return value == 0x20 || (0x09...0x0D).contains(value) }
    // U+3000 is the last of all.
    if value > 0x3000 { return false }
    return properties.isWhitespace
  }
}
