/// A line of a page for forming paragraphs: with its box rotated so that the text runs to the right and down the
/// page, whatever its direction.
struct ReflowedLine {
  var range: Range<Int>
  /// Nil if the places of the characters are unknown.
  var box: Box?

  /// Whether it runs across the others, as text in a margin sometimes does.
  var isSideways: Bool { range.count > 2 && box.map { $0.height > $0.width } == true }

  /// The height of its characters.
  var height: Double { box.map { isSideways ? $0.width : $0.height } ?? 0 }

  /// Whether the next line begins beside this one, on the same baseline.
  func isBeside(_ next: ReflowedLine) -> Bool {
    guard let box, let other = next.box, !isSideways, !next.isSideways else { return false }
    let shared = min(box.bottom, other.bottom) - max(box.top, other.top)
    return shared > 0.5 * min(box.height, other.height) && other.left >= box.right - 1
  }

  /// Whether a line beside this one is far enough away to be another cell of a table.
  func isParted(from next: ReflowedLine) -> Bool {
    guard let box, let other = next.box else { return false }
    return other.left - box.right > 2 * min(box.height, other.height)
  }
}

extension PageLayout {
  /// The lines with their boxes rotated, in the order of the text.
  var reflowedLines: [ReflowedLine] {
    let lines = lines.map(trimmed).filter { !$0.isEmpty }.map {
      ReflowedLine(range: $0, box: box(around: $0))
    }
    let turn = direction(of: lines)
    return lines.map { ReflowedLine(range: $0.range, box: $0.box.map(turn.apply)) }
  }

  private enum Direction {
    case right, left, down

    /// Text that runs to the left is mirrored; lines that run down the page and continue to the left are rotated.
    func apply(_ box: Box) -> Box {
      switch self {
      case .right: box
      case .left: Box(left: -box.right, top: box.top, right: -box.left, bottom: box.bottom)
      case .down: Box(left: box.top, top: -box.right, right: box.bottom, bottom: -box.left)
      }
    }
  }

  private func direction(of lines: [ReflowedLine]) -> Direction {
    var (upright, down, leftwards, letters) = (0, 0, 0, 0)
    for line in lines where line.range.count > 1 {
      if let box = line.box { if box.height > box.width { down += 1 } else { upright += 1 } }
    }
    for scalar in scalars where scalar.properties.isAlphabetic {
      letters += 1
      if scalar.runsToTheLeft { leftwards += 1 }
    }
    if down > upright { return .down }
    return leftwards * 2 > letters ? .left : .right
  }
}

extension Unicode.Scalar {
  /// Characters of Hebrew, Arabic and the scripts beside them in Unicode's blocks.
  fileprivate var runsToTheLeft: Bool {
    switch value {
    case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
  }
}
