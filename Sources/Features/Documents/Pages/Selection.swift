import Contract

/// What dragging from one point to another selects.
enum Granularity: String, Choice {
  case character, word, line
}

extension PageLayout {
  /// The characters between two points in reading order, whole words or lines if asked for. Empty where there is no
  /// text; nil where the places of the characters are not known.
  func selection(from: Point, to: Point, by granularity: Granularity) -> Range<Int>? {
    guard hasPlaces, let first = nearest(to: from), let second = nearest(to: to) else { return nil }
    let start = min(first, second)
    let end = max(first, second) + 1
    switch granularity {
    case .character: return start..<end
    case .word: return word(around: start).lowerBound..<word(around: end - 1).upperBound
    case .line: return line(around: start).lowerBound..<line(around: end - 1).upperBound
    }
  }

  /// The character under a point, else the nearest one of the line that the point is level with.
  private func nearest(to point: Point) -> Int? {
    var best: (index: Int, distance: Double)?
    for index in scalars.indices where scalars[index] != "\n" {
      let distance = boxes[index].distance(to: point)
      if distance == 0 { return index }
      if best == nil || distance < best!.distance { best = (index, distance) }
    }
    return best?.index
  }

  private func line(around index: Int) -> Range<Int> {
    lines.first { $0.contains(index) } ?? index..<index + 1
  }

  /// Letters and digits that stand together, with what joins them inside a word; one letter where scripts have no
  /// blanks would be too little to take, so a run of Han, kana or Hangul counts as one word too.
  private func word(around index: Int) -> Range<Int> {
    guard isWordPart(index) else { return index..<index + 1 }
    var start = index
    var end = index + 1
    while start > 0, isWordPart(start - 1) { start -= 1 }
    while end < scalars.count, isWordPart(end) { end += 1 }
    return start..<end
  }

  private func isWordPart(_ index: Int) -> Bool {
    let scalar = scalars[index]
    if scalar.properties.isAlphabetic || scalar.properties.numericType != nil { return true }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: return true
    default: break
    }
    // An apostrophe or hyphen between letters.
    guard "'’-\u{AD}".unicodeScalars.contains(scalar), index > 0, index + 1 < scalars.count else { return false }
    return scalars[index - 1].properties.isAlphabetic && scalars[index + 1].properties.isAlphabetic
  }
}
