/// The separator between the end of a line and the beginning of the next when both are joined: a blank, or nothing if
/// a word was broken or the script writes no blanks.
struct LineJoin {
  private let layout: PageLayout
  /// The page's words, to check whether a word that may have been broken also occurs whole.
  private let words: Set<String>

  init(_ layout: PageLayout) {
    self.layout = layout
    words = Set(layout.words.map { layout.string($0).trimmingPunctuation() })
  }

  /// Whether a sentence can continue from the end of a line to the beginning of the next.
  func mayGoOn(_ line: Range<Int>, _ next: Range<Int>) -> Bool {
    guard let last = line.last, let first = next.first else { return false }
    if Self.isHyphen(layout.scalars[last]) { return true }
    let scalar = layout.scalars[first]
    return scalar.properties.isLowercase || WrappedLetters.isRunLetter(scalar)
  }

  /// Appends the separator between two lines to the text of the first, which may lose its hyphen.
  func put(between line: Range<Int>, _ next: Range<Int>, _ text: inout String) {
    guard let last = line.last, let first = next.first else { return }
    let (end, begin) = (layout.scalars[last], layout.scalars[first])
    // A soft hyphen was removed already; it occurs only where a word is broken.
    if end == "\u{AD}" { return }
    if Self.isHyphen(end), line.count > 1, layout.scalars[last - 1].properties.isAlphabetic {
      guard begin.properties.isAlphabetic else { return }
      if begin.properties.isLowercase, !keepsHyphen(line, next) {
        text.unicodeScalars.removeLast()
      }
      return
    }
    if WrappedLetters.isRunLetter(end), WrappedLetters.isRunLetter(begin) || begin.isWidePunctuation {
      if end.isHangul, begin.isHangul, !standsElsewhere(line, next) { text += " " }
      return
    }
    if end.isWidePunctuation, WrappedLetters.isRunLetter(begin), !begin.isHangul { return }
    text += " "
  }

  /// Whether the line ends within a word whose rest begins the next line. A broken word never continues with a capital,
  /// and scripts without blanks break their words without a hyphen.
  static func breaksWord(_ line: Range<Int>, _ next: Range<Int>, of layout: PageLayout) -> Bool {
    guard let last = line.last, let first = next.first, line.count > 1, isHyphen(layout.scalars[last]) else {
      return false
    }
    let (before, begin) = (layout.scalars[last - 1], layout.scalars[first])
    return before.properties.isAlphabetic && begin.properties.isAlphabetic && !begin.properties.isUppercase
      && !WrappedLetters.isRunLetter(before) && !WrappedLetters.isRunLetter(begin)
  }

  /// Whether the hyphen at the end of a line is part of the word, as in `well-⏎known` on a page that also has
  /// `well-known`, and in `state-of-the-⏎art`.
  func keepsHyphen(_ line: Range<Int>, _ next: Range<Int>) -> Bool {
    if layout.scalars[line.upperBound - 1] == "\u{AD}" { return false }
    return layout.scalars[lastWord(of: line).dropLast()].contains { $0 == "-" || $0 == "\u{2010}" }
      || standsElsewhere(line, next)
  }

  private static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{2010}" || scalar == "\u{AD}"
  }

  /// Whether the page has the two ends as one word elsewhere: `well-⏎known` is a compound if `well-known` also
  /// occurs. In Korean, which breaks lines within words as well as between them, a word that also occurs whole was
  /// broken here.
  private func standsElsewhere(_ line: Range<Int>, _ next: Range<Int>) -> Bool {
    let whole = layout.string(lastWord(of: line)) + layout.string(firstWord(of: next))
    return words.contains(whole.trimmingPunctuation())
  }

  private func lastWord(of line: Range<Int>) -> Range<Int> {
    var start = line.upperBound
    while start > line.lowerBound, !layout.scalars[start - 1].properties.isWhitespace { start -= 1 }
    return start..<line.upperBound
  }

  private func firstWord(of line: Range<Int>) -> Range<Int> {
    var end = line.lowerBound
    while end < line.upperBound, !layout.scalars[end].properties.isWhitespace { end += 1 }
    return line.lowerBound..<end
  }
}

extension Unicode.Scalar {
  fileprivate var isHangul: Bool {
    switch value {
    case 0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF: true
    default: false
    }
  }

  /// 。、「 and the like, which include their own space.
  fileprivate var isWidePunctuation: Bool {
    (0x3001...0x301F).contains(value) || (0xFF01...0xFF5E).contains(value)
  }
}

extension String {
  fileprivate func trimmingPunctuation() -> String {
    var scalars = Substring(self).unicodeScalars
    while let last = scalars.last, !last.properties.isAlphabetic, last.properties.numericType == nil {
      scalars.removeLast()
    }
    while let first = scalars.first, !first.properties.isAlphabetic,
      first.properties.numericType == nil
    {
      scalars.removeFirst()
    }
    return String(scalars)
  }
}
