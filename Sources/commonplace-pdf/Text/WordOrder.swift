import PDF

// What poppler 22.12 gets wrong between words from right to left.
//
// In a line that runs to the left each blank stands one word too late: poppler notes it with the word at its left side,
// and writes it behind that word, not before. The first two words have none between them.
//
//     given:   שלוםעולם מה     from the right: שלום ␣ עולם ␣ מה
//
// In a line that runs to the right, words that run to the left are given from left to right, as they stand on paper.

extension DirectedText {
  /// A word of a line, with the blanks behind it.
  private struct Word {
    var range: Range<Int>
    var blanks: Range<Int>
    var isRightToLeft: Bool
    var left: Int
    var right: Int
    var top: Int
    var bottom: Int

    /// The distance to another one, to whichever side it is; negative where they overlap.
    func gap(to other: Word) -> Int { max(left - other.right, other.left - right) }
    func isLevel(with other: Word) -> Bool {
      2 * (min(bottom, other.bottom) - max(top, other.top)) > min(bottom - top, other.bottom - other.top)
    }
  }

  /// Puts words and blanks in the order of reading. After ``putInTextOrder(_:)`` and ``mendBlanks(_:)``.
  mutating func orderWords(_ boxes: inout [CharacterBox]) {
    guard hasRightToLeft else { return }
    var page = Rewritten(scalars: scalars, boxes: boxes)
    var next = 0
    for line in scalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.indices) {
      let own = runs[next...].prefix { $0.lowerBound < line.upperBound }
      next += own.count
      if own.isEmpty { page.keep(line) } else { write(words(of: line, own, boxes), into: &page) }
      if line.upperBound < scalars.count { page.keep(line.upperBound..<line.upperBound + 1) }
    }
    scalars = page.newScalars
    boxes = page.newBoxes
    runs = page.runs
  }

  /// A page as it is put together anew from its parts.
  private struct Rewritten {
    let scalars: [Unicode.Scalar]
    let boxes: [CharacterBox]
    var newScalars: [Unicode.Scalar] = []
    var newBoxes: [CharacterBox] = []
    var runs: [Range<Int>] = []

    mutating func keep(_ range: Range<Int>) {
      newScalars += scalars[range]
      newBoxes += boxes[range]
    }

    mutating func keep(_ word: Word) {
      if word.isRightToLeft { runs.append(newScalars.count..<newScalars.count + word.range.count) }
      keep(word.range)
    }

    mutating func add(_ scalar: Unicode.Scalar, left: Int, right: Int, like word: Word) {
      newScalars.append(scalar)
      newBoxes.append(
        CharacterBox(
          left: Int16(clamping: left), top: Int16(clamping: word.top), right: Int16(clamping: right),
          bottom: Int16(clamping: word.bottom)))
    }
  }

  /// A word ends at a blank, and where a run begins or ends.
  private func words(of line: Range<Int>, _ runs: ArraySlice<Range<Int>>, _ boxes: [CharacterBox]) -> [Word] {
    let edges = Set(runs.flatMap { [$0.lowerBound, $0.upperBound] })
    var words: [Word] = []
    var start = line.lowerBound
    while start < line.upperBound {
      var end = start
      while end < line.upperBound, !isBlank(end), end == start || !edges.contains(end) { end += 1 }
      var rest = end
      while rest < line.upperBound, isBlank(rest) { rest += 1 }
      let own = boxes[start..<end]
      words.append(
        Word(
          range: start..<end, blanks: end..<rest,
          isRightToLeft: runs.contains { $0.contains(start) },
          left: own.map { Int(min($0.left, $0.right)) }.min() ?? 0,
          right: own.map { Int(max($0.left, $0.right)) }.max() ?? 0, top: own.map { Int($0.top) }.min() ?? 0,
          bottom: own.map { Int($0.bottom) }.max() ?? 0))
      start = rest
    }
    return words
  }

  private func isBlank(_ index: Int) -> Bool { scalars[index].isSpace }

  private func write(_ words: [Word], into page: inout Rewritten) {
    // A line that is written downwards, or begins with a blank, is none of those that are known to be wrong.
    let isPlain =
      words.allSatisfy { !$0.range.isEmpty && $0.right > $0.left && $0.bottom > $0.top }
      && zip(words, words.dropFirst()).allSatisfy { $0.isLevel(with: $1) }
    let toLeft = zip(words, words.dropFirst()).count { $1.left < $0.left }
    guard isPlain, 2 * toLeft > words.count - 1 else {
      for word in isPlain ? inReadingOrder(words) : words {
        page.keep(word)
        page.keep(word.blanks)
      }
      return
    }
    for (index, word) in words.enumerated() {
      page.keep(word)
      guard index + 1 < words.count else { break }
      let other = words[index + 1]
      let (gap, height) = (word.gap(to: other), min(word.bottom - word.top, other.bottom - other.top))
      if gap > 2 * height {
        // Two columns; see ``breakAtGaps(_:)``.
        page.add("\n", left: word.left, right: word.left, like: word)
      } else if 10 * gap > height {
        // poppler takes a tenth of the letters' height for a blank; less is kerning.
        page.add(" ", left: min(word.right, other.right), right: max(word.left, other.left), like: word)
      }
    }
    if let last = words.last { page.keep(last.blanks) }
  }

  /// In a line that runs to the right: words that run to the left, one after the other, are turned round; the blanks stay
  /// between them.
  private func inReadingOrder(_ words: [Word]) -> [Word] {
    var ordered: [Word] = []
    var index = 0
    while index < words.count {
      let group = words[index...].prefix { $0.isRightToLeft == words[index].isRightToLeft }
      if group.count > 1, words[index].isRightToLeft {
        // What stands between two stays between the same two.
        let blanks = Array(group.dropLast().map(\.blanks).reversed()) + [group[group.endIndex - 1].blanks]
        ordered += zip(group.reversed(), blanks).map { word, blanks in
          var word = word
          word.blanks = blanks
          return word
        }
      } else {
        ordered += group
      }
      index += group.count
    }
    return ordered
  }
}
