import PDF

/// The characters of a page with their places, in the order in which they are read.
struct PageLayout {
  let scalars: [Unicode.Scalar]
  /// One for each scalar; empty when their places are not known.
  let boxes: [Box]

  init(_ text: PageText) {
    scalars = Array(text.text.unicodeScalars)
    boxes = text.placement == .characters ? text.boxes.map { Box($0, unit: text.unit) } : []
  }

  var hasPlaces: Bool { boxes.count == scalars.count && !boxes.isEmpty }

  func string(_ range: Range<Int>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars[range])
    return String(view)
  }

  /// The ranges of the lines, without their ends.
  var lines: [Range<Int>] {
    var lines: [Range<Int>] = []
    var start = 0
    for (index, scalar) in scalars.enumerated() where scalar == "\n" {
      if index > start { lines.append(start..<index) }
      start = index + 1
    }
    if start < scalars.count { lines.append(start..<scalars.count) }
    return lines
  }

  /// A range as the lines that it touches, without blanks at their ends; each with the box around its letters.
  func pieces(of range: Range<Int>) -> [Piece] {
    lines.compactMap { line in
      let part = trimmed(line.clamped(to: range))
      guard !part.isEmpty else { return nil }
      return Piece(range: part, text: string(part), box: box(around: part))
    }
  }

  struct Piece {
    var range: Range<Int>
    var text: String
    /// Nil where the places of the characters are not known.
    var box: Box?
  }

  func box(around range: Range<Int>) -> Box? {
    guard hasPlaces else { return nil }
    let inked = range.filter { !scalars[$0].properties.isWhitespace && boxes[$0].area > 0 }
    guard let first = inked.first else { return nil }
    return inked.dropFirst().reduce(boxes[first]) { $0.union(boxes[$1]) }
  }

  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var range = range
    while let first = range.first, scalars[first].properties.isWhitespace { range = (first + 1)..<range.upperBound }
    while let last = range.last, scalars[last].properties.isWhitespace { range = range.lowerBound..<last }
    return range
  }
}
