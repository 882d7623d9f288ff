import PDF

// poppler 22.12 returns right-to-left text in the order of its words. In a line that it treats as left-to-right that is
// their order on paper, and it breaks words wherever a vowel sign or a number is between letters. The positions of the
// characters are right. So each line with right-to-left letters is reconstructed from the positions.

extension DirectedText {
  /// Puts the characters of lines with right-to-left letters in logical order. After ``putInTextOrder(_:)``.
  ///
  /// Rotated lines are processed as if they were level. Those with other angles stay unchanged.
  mutating func orderWords(_ boxes: inout [CharacterBox]) {
    guard hasRightToLeft else { return }
    var page = Rewritten(scalars: scalars, boxes: boxes, leveled: boxes)
    let turns = level(&page.leveled)
    var next = 0
    for (lines, turn) in levelLines(page.leveled, turns) {
      let all = lines[0].lowerBound..<lines[lines.count - 1].upperBound
      let whole = lines.count > 1 ? VisualLine(scalars, page.leveled, all) : nil
      for line in whole == nil ? lines : [all] {
        let own = runs[next...].prefix { $0.lowerBound < line.upperBound }
        next += own.count
        if let visual = whole ?? VisualLine(scalars, page.leveled, line) {
          page.write(visual, turn)
        } else {
          page.keep(line, own)
        }
        if line.upperBound < scalars.count { page.keep(line.upperBound..<line.upperBound + 1, []) }
      }
    }
    scalars = page.newScalars
    boxes = page.newBoxes
    runs = page.runs
  }

  /// Applies a change to the text with the boxes of each line leveled. The change must preserve the lines.
  mutating func withLeveled(
    _ boxes: inout [CharacterBox], _ change: (inout DirectedText, inout [CharacterBox]) -> Void
  ) {
    let turns = hasRightToLeft ? level(&boxes).map(\.turn) : []
    change(&self, &boxes)
    guard turns.contains(where: { $0 != .across }) else { return }
    for (line, turn) in zip(lines, turns) where turn != .across {
      for index in line { boxes[index] = turn.turned(boxes[index]) }
    }
  }

  private var lines: [Range<Int>] {
    scalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.indices)
  }

  /// Levels the boxes of each line.
  ///
  /// - Returns: the lines, and their rotations.
  private func level(_ boxes: inout [CharacterBox]) -> [(line: Range<Int>, turn: LineRotation)] {
    lines.map { line in
      let turn = turn(of: line, boxes)
      if turn != .across {
        for index in line { boxes[index] = turn.leveled(boxes[index]) }
      }
      return (line, turn)
    }
  }

  private func turn(of line: Range<Int>, _ boxes: [CharacterBox]) -> LineRotation {
    var steps = LineSteps()
    for index in line.dropFirst() {
      let isToLeft: Bool
      switch (scalars[index - 1].direction, scalars[index].direction) {
      case (.left, .left): isToLeft = true
      case (.right, .right): isToLeft = false
      default: continue
      }
      guard !scalars[index - 1].isSign, !scalars[index].isSign else { continue }
      let (first, second) = isToLeft ? (boxes[index], boxes[index - 1]) : (boxes[index - 1], boxes[index])
      steps.add(
        x: Double(Int(second.left) + Int(second.right) - Int(first.left) - Int(first.right)) / 2,
        y: Double(Int(second.top) + Int(second.bottom) - Int(first.top) - Int(first.bottom)) / 2,
        size: Double(max(abs(Int(first.right) - Int(first.left)), Int(first.bottom) - Int(first.top))))
    }
    return steps.turn
  }

  /// The lines of the text. Consecutive lines that are side by side are combined: poppler ends a line at a letter with
  /// vowel signs.
  private func levelLines(
    _ boxes: [CharacterBox], _ turns: [(line: Range<Int>, turn: LineRotation)]
  ) -> [(lines: [Range<Int>], turn: LineRotation)] {
    var groups: [(lines: [Range<Int>], turn: LineRotation)] = []
    var end: Extent?
    for (line, turn) in turns {
      let extent = Extent(scalars, boxes, line)
      if let extent, let last = end, groups.last?.turn == turn, last.isBeside(extent) {
        groups[groups.count - 1].lines.append(line)
        end = last.union(extent)
      } else {
        groups.append(([line], turn))
        end = extent
      }
    }
    return groups
  }

  /// The bounds of a line, without its vowel signs.
  private struct Extent {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
    /// A line without right-to-left letters is not combined.
    var isRightToLeft = false

    init?(_ scalars: [Unicode.Scalar], _ boxes: [CharacterBox], _ line: Range<Int>) {
      var edges: (left: Int, top: Int, right: Int, bottom: Int)?
      for index in line where !scalars[index].isSpace && !scalars[index].isSign {
        let box = boxes[index]
        let (left, right) = (Int(min(box.left, box.right)), Int(max(box.left, box.right)))
        let known = edges ?? (left, Int(box.top), right, Int(box.bottom))
        edges = (
          min(known.left, left), min(known.top, Int(box.top)), max(known.right, right),
          max(known.bottom, Int(box.bottom))
        )
        isRightToLeft = isRightToLeft || scalars[index].direction == .left
      }
      guard let edges else { return nil }
      (left, top, right, bottom) = edges
    }

    /// Whether both are parts of one line, with at most a blank between them.
    func isBeside(_ other: Extent) -> Bool {
      let height = min(bottom - top, other.bottom - other.top)
      guard height > 0, isRightToLeft, other.isRightToLeft else { return false }
      let shared = min(bottom, other.bottom) - max(top, other.top)
      let gap = max(other.left - right, left - other.right)
      return 4 * shared > 3 * height && abs(gap) <= height
    }

    func union(_ other: Extent) -> Extent {
      var whole = self
      whole.left = min(left, other.left)
      whole.top = min(top, other.top)
      whole.right = max(right, other.right)
      whole.bottom = max(bottom, other.bottom)
      return whole
    }
  }

  /// A page that is reconstructed from its parts.
  private struct Rewritten {
    let scalars: [Unicode.Scalar]
    let boxes: [CharacterBox]
    /// The boxes with each line leveled.
    var leveled: [CharacterBox]
    var newScalars: [Unicode.Scalar] = []
    var newBoxes: [CharacterBox] = []
    var runs: [Range<Int>] = []

    mutating func keep(_ range: Range<Int>, _ runs: ArraySlice<Range<Int>>) {
      let shift = newScalars.count - range.lowerBound
      self.runs += runs.map { $0.lowerBound + shift..<$0.upperBound + shift }
      newScalars += scalars[range]
      newBoxes += boxes[range]
    }

    mutating func write(_ line: VisualLine, _ turn: LineRotation) {
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
            newBoxes.append(turn.turned(item.box))
            continue
          }
          for index in item.indices {
            let scalar = swaps && item.turns ? scalars[index].otherBracket ?? scalars[index] : scalars[index]
            for (letter, box) in scalar.letters(in: leveled[index]) {
              newScalars.append(letter)
              newBoxes.append(turn.turned(box))
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
