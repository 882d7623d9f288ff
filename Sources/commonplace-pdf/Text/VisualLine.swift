import PDF

/// The characters of a level line in their order on paper, from left to right. A rotated line is leveled first; see
/// ``LineRotation``.
struct VisualLine {
  /// A character with the vowel signs above and below it, or a blank.
  struct Item {
    var indices: [Int]
    var direction: Direction
    var box: CharacterBox
    /// Whether the letter's box ends where its sign begins: the letter itself may be wider.
    var endsAtSign = false
    /// Whether the order of this item and its neighbors is the reverse of the one on paper.
    var turns = false
    var isBlank: Bool { indices.isEmpty }
    var isWordPart: Bool { direction == .left || direction == .right || direction == .digit }
    var left: Int { Int(box.left) }
    var right: Int { Int(box.right) }
    var height: Int { Int(box.bottom) - Int(box.top) }
    var center: Int { left + right }
  }

  enum Direction {
    case left, right, digit, separator, neutral
  }

  /// Parts of the line with wide gaps between them, in reading order.
  var columns: [[Item]]
  var isRightToLeft: Bool
  /// The blanks that poppler writes at the end of the line.
  var trailingBlanks: Range<Int>

  /// Returns nil for a line that poppler returns in the right order, and for one that is not level.
  init?(_ scalars: [Unicode.Scalar], _ boxes: [CharacterBox], _ line: Range<Int>) {
    var bases: [Item] = []
    var signs: [Item] = []
    for index in line where !scalars[index].isSpace {
      let box = boxes[index]
      let item = Item(
        indices: [index], direction: scalars[index].direction,
        box: CharacterBox(
          left: min(box.left, box.right), top: box.top, right: max(box.left, box.right), bottom: box.bottom))
      if scalars[index].isSign { signs.append(item) } else { bases.append(item) }
    }
    let (toLeft, toRight) = (bases.count { $0.direction == .left }, bases.count { $0.direction == .right })
    // poppler writes a page that it treats as right-to-left from the right. Elsewhere the letters decide.
    let words = scalars[line].split { $0.isSpace }.filter { word in word.contains { !$0.isSign } }.map(\.startIndex)
    let steps = zip(words, words.dropFirst()).map { boxes[$1].left < boxes[$0].left }
    let isTurned = steps.count { $0 } > steps.count { !$0 }
    guard toLeft > 0 || isTurned, Self.areLevel(bases) else { return nil }
    isRightToLeft = toLeft > 0 && (isTurned || toLeft > 2 * toRight)
    bases.sort { ($0.center, $0.indices[0]) < ($1.center, $1.indices[0]) }
    Self.add(signs, to: &bases)
    columns = Self.columns(bases)
    // Some letters are far lower than their font's height, and the gaps between words are as narrow. poppler knows the
    // font's size: if it wrote blanks they exist, though not always at the right position.
    if toLeft > 0, 2 * columns.joined().count(where: \.isBlank) < words.count - 1 {
      columns = Self.columns(bases, narrowest: 20)
    }
    if isRightToLeft { columns.reverse() }
    let end = line.reversed().first { !scalars[$0].isSpace }.map { $0 + 1 } ?? line.lowerBound
    trailingBlanks = end..<line.upperBound
  }

  /// Whether each character is beside the previous one, and the line is not a vertical column.
  private static func areLevel(_ items: [Item]) -> Bool {
    items.allSatisfy { $0.height > 0 && $0.left <= $0.right } && items.contains { $0.left < $0.right }
      && zip(items, items.dropFirst()).allSatisfy { first, second in
        2 * (min(Int(first.box.bottom), Int(second.box.bottom)) - max(Int(first.box.top), Int(second.box.top)))
          > min(first.height, second.height)
      }
  }

  /// Adds each sign to its letter: in right-to-left scripts to the letter whose left edge is nearest, since fonts begin a
  /// sign there, and a sign with a width ends there; in others to the letter that contains it.
  ///
  /// - Parameter bases: in the order of their centers.
  /// - Returns: how many letters were inspected.
  @discardableResult
  static func add(_ signs: [Item], to bases: inout [Item]) -> Int {
    guard !signs.isEmpty, !bases.isEmpty else { return 0 }
    let byLeft = bases.indices.sorted { (bases[$0].left, $0) < (bases[$1].left, $1) }
    var inspected = 0
    for sign in signs {
      let edge = byLeft.firstPlace { bases[$0].left >= sign.left }
      let nearby = byLeft[max(0, edge - Self.reach)..<min(byLeft.count, edge + Self.reach)]
      inspected += nearby.count
      func edgeDistance(_ index: Int) -> Int {
        min(abs(bases[index].left - sign.left), abs(bases[index].left - sign.right))
      }
      func distance(_ index: Int) -> Int {
        max(0, 2 * bases[index].left - sign.center, sign.center - 2 * bases[index].right)
      }
      let letter = nearby.filter { bases[$0].direction == .left }.min { edgeDistance($0) < edgeDistance($1) }
      let base: Int?
      if let letter, edgeDistance(letter) < max(1, bases[letter].height / 2) {
        base = letter
      } else {
        base = nearby.min { (distance($0), $0) < (distance($1), $1) }
      }
      guard let base else { continue }
      bases[base].indices.append(sign.indices[0])
      if abs(sign.left - bases[base].right) <= 1 { bases[base].endsAtSign = true }
    }
    return inspected
  }

  /// How many letters on each side of a sign may be its own. Only hostile files have more there.
  private static let reach = 8

  /// Splits a line at wide gaps and inserts blanks into narrower ones.
  ///
  /// - Parameter narrowest: the part of the letters' height from which a gap is a blank. poppler uses a tenth; less is
  ///   kerning.
  private static func columns(_ items: [Item], narrowest: Int = 10) -> [[Item]] {
    var columns: [[Item]] = []
    var end = Int.min
    for item in items {
      guard let last = columns.last?.last else {
        columns.append([item])
        end = item.right
        continue
      }
      let gap = item.left - end
      let height = min(item.height, last.height)
      if gap > 2 * height {
        columns.append([])
      } else if narrowest * gap > height, !last.endsAtSign || 4 * gap > height {
        let box = CharacterBox(
          left: Int16(clamping: end), top: last.box.top, right: item.box.left, bottom: last.box.bottom)
        columns[columns.count - 1].append(Item(indices: [], direction: .neutral, box: box))
      }
      columns[columns.count - 1].append(item)
      end = max(end, item.right)
    }
    return columns
  }

  /// Inverts the Unicode bidirectional algorithm for one line: from the order on paper to the logical one.
  static func logicalOrder(of items: [Item], isRightToLeft: Bool) -> [Item] {
    var items = items
    if isRightToLeft {
      turn(&items, 0..<items.count)
    } else {
      // From the first right-to-left letter to the last, without a left-to-right one between them.
      for run in runs(of: items, from: [.left], to: [.left], without: .right) { turn(&items, run) }
    }
    return items
  }

  /// Reverses a run; words and numbers within it keep their order.
  private static func turn(_ items: inout [Item], _ run: Range<Int>) {
    var part = items[run].map { item in
      var item = item
      item.turns = true
      return item
    }
    let words = runs(of: part, from: [.right], to: [.right, .digit], without: .left)
    var numbers = runs(of: part, from: [.digit], to: [.digit], without: .left)
      .flatMap { Self.numbers(in: part, $0) }
    numbers.removeAll { number in words.contains { $0.overlaps(number) } }
    for run in words + numbers {
      for index in run { part[index].turns = false }
      part[run].reverse()
    }
    items.replaceSubrange(run, with: part.reversed())
  }

  /// The longest runs that begin and end with the given directions and do not contain another one.
  private static func runs(
    of items: [Item], from first: [Direction], to last: [Direction], without other: Direction
  ) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var start: Int?
    var end = 0
    for (index, item) in items.enumerated() {
      if item.direction == other {
        if let start { runs.append(start..<end) }
        start = nil
        continue
      }
      if start == nil, first.contains(item.direction) { start = index }
      if start != nil, last.contains(item.direction) { end = index + 1 }
    }
    if let start { runs.append(start..<end) }
    return runs
  }

  /// Numbers: digits, with single separators between them.
  private static func numbers(in items: [Item], _ range: Range<Int>) -> [Range<Int>] {
    var numbers: [Range<Int>] = []
    for index in range where items[index].direction == .digit {
      if let last = numbers.last,
        last.upperBound == index || last.upperBound + 1 == index && items[index - 1].direction == .separator
      {
        numbers[numbers.count - 1] = last.lowerBound..<index + 1
      } else {
        numbers.append(index..<index + 1)
      }
    }
    return numbers
  }

  /// Whether the file encodes brackets by their shape on paper: in logical order they close before they open.
  ///
  /// The side on which a bracket is next to a letter shows whether it opens, even if the other one is on another line
  /// or missing, as in `1)`. Otherwise the pairs decide.
  static func hasTurnedBrackets(_ order: [Item], _ scalars: [Unicode.Scalar]) -> Bool {
    var (named, turned) = (0, 0)
    var brackets: [Unicode.Scalar] = []
    for (place, item) in order.enumerated() where item.turns {
      guard let index = item.indices.first, scalars[index].otherBracket != nil else { continue }
      brackets.append(scalars[index])
      let precedesLetter = place + 1 < order.count && order[place + 1].isWordPart
      let followsLetter = place > 0 && order[place - 1].isWordPart
      guard precedesLetter != followsLetter else { continue }
      if scalars[index].opens == precedesLetter { named += 1 } else { turned += 1 }
    }
    if named != turned { return turned > named }
    var (open, closed) = (0, 0)
    for (first, second) in zip(brackets, brackets.dropFirst()) {
      if first.opens, second == first.otherBracket { open += 1 }
      if !first.opens, second == first.otherBracket { closed += 1 }
    }
    guard let first = brackets.first else { return false }
    return closed > open || closed == open && closed > 0 && !first.opens
  }
}

extension [Int] {
  /// The first index whose element satisfies a condition that all later elements satisfy too.
  fileprivate func firstPlace(where isPast: (Int) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isPast(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
