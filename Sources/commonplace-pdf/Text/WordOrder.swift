import PDF

// poppler 22.12 gives text from right to left in the order of its words. In a line that it takes to run to the right that
// is their order on paper, and its words break wherever a vowel sign or a number stands between letters. The places of
// the characters are right. So each line with letters from right to left is read anew from the places.

extension DirectedText {
  /// Puts the characters of lines with right-to-left letters in logical order. After ``putInTextOrder(_:)``.
  ///
  /// Lines that are not horizontal stay as they are.
  mutating func orderWords(_ boxes: inout [CharacterBox]) {
    guard hasRightToLeft else { return }
    var page = Rewritten(scalars: scalars, boxes: boxes)
    var next = 0
    for line in scalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.indices) {
      let own = runs[next...].prefix { $0.lowerBound < line.upperBound }
      next += own.count
      if let visual = VisualLine(scalars, boxes, line) {
        page.write(visual)
      } else {
        page.keep(line, own)
      }
      if line.upperBound < scalars.count { page.keep(line.upperBound..<line.upperBound + 1, []) }
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

    mutating func keep(_ range: Range<Int>, _ runs: ArraySlice<Range<Int>>) {
      let shift = newScalars.count - range.lowerBound
      self.runs += runs.map { $0.lowerBound + shift..<$0.upperBound + shift }
      newScalars += scalars[range]
      newBoxes += boxes[range]
    }

    mutating func write(_ line: VisualLine) {
      let start = newScalars.count
      for (number, column) in line.columns.enumerated() {
        if number > 0, let box = newBoxes.last {
          newScalars.append("\n")
          newBoxes.append(CharacterBox(left: box.left, top: box.top, right: box.left, bottom: box.bottom))
        }
        let order = VisualLine.logicalOrder(of: column, isRightToLeft: line.isRightToLeft)
        let swaps = VisualLine.hasTurnedBrackets(order, scalars)
        for item in order {
          guard !item.isBlank else {
            newScalars.append(" ")
            newBoxes.append(item.box)
            continue
          }
          for index in item.indices {
            let scalar = swaps && item.turns ? scalars[index].otherBracket ?? scalars[index] : scalars[index]
            for (letter, box) in scalar.letters(in: boxes[index]) {
              newScalars.append(letter)
              newBoxes.append(box)
            }
          }
        }
      }
      if newScalars.count > start { runs.append(start..<newScalars.count) }
      for index in line.trailingBlanks {
        newScalars.append(scalars[index])
        newBoxes.append(boxes[index])
      }
    }
  }
}
