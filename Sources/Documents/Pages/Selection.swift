import Contract

/// The unit in which dragging from one point to another selects.
enum Granularity: String, Choice {
  case character, word, line
}

extension PageRows {
  /// The characters between two points in reading order, extended to whole words or lines if requested. Nil if there
  /// is no text between them, or if the places of the characters are unknown.
  func selection(from: Point, to: Point, by granularity: Granularity) -> Range<Int>? {
    guard layout.hasPlaces, let first = end(at: from), let second = end(at: to) else { return nil }
    let start = min(first.lowerBound, second.lowerBound)
    let end = max(first.upperBound, second.upperBound)
    guard start < end else { return nil }
    switch granularity {
    case .character: return start..<end
    case .word: return layout.word(around: start).lowerBound..<layout.word(around: end - 1).upperBound
    case .line: return layout.line(around: start).lowerBound..<layout.line(around: end - 1).upperBound
    }
  }
}

extension PageLayout {
  fileprivate func line(around index: Int) -> Range<Int> {
    lines(touching: index..<index + 1).first ?? index..<index + 1
  }

  /// Adjacent letters and digits, with the characters that join them inside a word. In scripts without blanks one
  /// letter would be too small a selection, so a run of Han, kana or Hangul counts as one word too.
  fileprivate func word(around index: Int) -> Range<Int> {
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
