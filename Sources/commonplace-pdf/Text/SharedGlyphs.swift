import PDF

// Glyphs for several characters: a ligature, or a glyph to which a program assigned a whole word. poppler splits the
// glyph's box into slices of equal width, in their order on paper.

extension DirectedText {
  /// Corrects the effects on right-to-left words. After ``putInTextOrder(_:)``.
  ///
  /// - The characters of one glyph are in reading order, and poppler reverses them with their word: they are reversed
  ///   back.
  /// - No glyph contains both right-to-left and left-to-right letters. If a file states that, the right-to-left letters
  ///   belong to a word elsewhere: if that word exists separately it is not repeated, and the other letters get the
  ///   box.
  mutating func mendSharedGlyphs(_ boxes: inout [CharacterBox]) {
    guard hasRightToLeft else { return }
    let slices = sliceRuns(boxes)
    guard !slices.isEmpty else { return }
    var removed: Set<Int> = []
    let mixed = slices.filter { run in
      !run.contains { runsToRight($0) }
        && slices.contains { isOneGlyph($0, run, boxes) && $0.contains { runsToRight($0) } }
    }
    for run in slices where run.allSatisfy({ !runsToRight($0) }) {
      let letters = Array(scalars[run].reversed())
      scalars.replaceSubrange(run, with: letters)
    }
    for run in mixed {
      let word = letters(of: run)
      let isElsewhere = slices.contains { !mixed.contains($0) && letters(of: $0) == word }
      if isElsewhere, !word.isEmpty { removed.formUnion(run) }
    }
    for run in slices where run.contains(where: { runsToRight($0) }) {
      let others = mixed.filter { isOneGlyph($0, run, boxes) }
      guard !others.isEmpty, let letter = run.first(where: { runsToRight($0) }) else { continue }
      let all = others.flatMap(Array.init) + Array(run)
      boxes[letter].left = all.map { min(boxes[$0].left, boxes[$0].right) }.min() ?? boxes[letter].left
      boxes[letter].right = all.map { max(boxes[$0].left, boxes[$0].right) }.max() ?? boxes[letter].right
      // There is no room beside the letter for a blank of the same glyph.
      removed.formUnion(run.filter { scalars[$0].isSpace })
    }
    remove(removed, &boxes)
  }

  /// Runs of characters whose boxes are slices of one box: of equal width, too narrow for letters, and adjacent.
  private func sliceRuns(_ boxes: [CharacterBox]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start = 0
    while start < boxes.count {
      var end = start + 1
      while end < boxes.count, isSlice(boxes[start]), isSlice(boxes[end]), touches(boxes[end - 1], boxes[end]),
        abs(width(boxes[end]) - width(boxes[start])) <= 1
      {
        end += 1
      }
      if end - start > 1 { found.append(start..<end) }
      start = end
    }
    // Two alone may be the dots of an i; beside others they belong to the same glyph.
    return found.filter { run in
      run.count > 2 || found.contains { $0 != run && $0.count > 2 && isOneGlyph($0, run, boxes) }
    }
  }

  private func width(_ box: CharacterBox) -> Int { abs(Int(box.right) - Int(box.left)) }

  private func isSlice(_ box: CharacterBox) -> Bool {
    width(box) > 0 && 10 * width(box) < Int(box.bottom) - Int(box.top)
  }

  private func touches(_ a: CharacterBox, _ b: CharacterBox) -> Bool {
    a.top == b.top && a.bottom == b.bottom
      && (abs(Int(a.right) - Int(b.left)) <= 1 || abs(Int(b.right) - Int(a.left)) <= 1)
  }

  private func isOneGlyph(_ a: Range<Int>, _ b: Range<Int>, _ boxes: [CharacterBox]) -> Bool {
    abs(width(boxes[a.lowerBound]) - width(boxes[b.lowerBound])) <= 1
      && [a.lowerBound, a.upperBound - 1].contains { first in
        [b.lowerBound, b.upperBound - 1].contains { touches(boxes[first], boxes[$0]) }
      }
  }

  private func letters(of run: Range<Int>) -> [Unicode.Scalar] {
    scalars[run].filter { !$0.isSpace }
  }

  /// Whether a character is a letter of a left-to-right script, or a digit.
  private func runsToRight(_ index: Int) -> Bool {
    let value = scalars[index].value
    return scalars[index].properties.isAlphabetic && !(0x590...0x8FF).contains(value)
      && !(0xFB1D...0xFEFC).contains(value) && !(0x10800...0x10FFF).contains(value)
      && !(0x1E800...0x1EFFF).contains(value)
  }

  private mutating func remove(_ removed: Set<Int>, _ boxes: inout [CharacterBox]) {
    guard !removed.isEmpty else { return }
    let remaining = scalars.indices.filter { !removed.contains($0) }
    // Adjusts the bounds of each run to the remaining characters.
    func place(_ index: Int) -> Int { index - removed.count { $0 < index } }
    runs = runs.map { place($0.lowerBound)..<place($0.upperBound) }.filter { !$0.isEmpty }
    scalars = remaining.map { scalars[$0] }
    boxes = remaining.map { boxes[$0] }
  }
}
