import PDF

/// How a line is turned on the displayed page: the direction in which text from left to right would run in it.
enum LineTurn {
  case across, upsideDown, upwards, downwards

  /// A box of the page as it would be if the line were level. It may lie at negative places.
  func leveled(_ box: CharacterBox) -> CharacterBox {
    switch self {
    case .across: box
    case .upsideDown: Self.box(-Int(box.right), -Int(box.bottom), -Int(box.left), -Int(box.top))
    case .upwards: Self.box(-Int(box.bottom), Int(box.left), -Int(box.top), Int(box.right))
    case .downwards: Self.box(Int(box.top), -Int(box.right), Int(box.bottom), -Int(box.left))
    }
  }

  /// Undoes ``leveled(_:)``.
  func turned(_ box: CharacterBox) -> CharacterBox {
    switch self {
    case .across: box
    case .upsideDown: leveled(box)
    case .upwards: LineTurn.downwards.leveled(box)
    case .downwards: LineTurn.upwards.leveled(box)
    }
  }

  private static func box(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> CharacterBox {
    CharacterBox(
      left: Int16(clamping: left), top: Int16(clamping: top), right: Int16(clamping: right),
      bottom: Int16(clamping: bottom))
  }
}

/// Counts in which directions the letters of a line follow each other, to find out how it is turned.
struct LineSteps {
  private var across = 0
  private var down = 0

  /// Counts the step between the centers of two letters that follow each other from left to right in their word. Those
  /// that do not stand beside each other are of two words, whose order may be another one.
  ///
  /// - Parameter size: the larger side of the first letter.
  mutating func add(x: Double, y: Double, size: Double) {
    guard max(abs(x), abs(y)) <= 1.5 * size else { return }
    if abs(x) > abs(y) { across += x > 0 ? 1 : -1 } else if abs(y) > abs(x) { down += y > 0 ? 1 : -1 }
  }

  var turn: LineTurn {
    if abs(down) > abs(across) { return down < 0 ? .upwards : .downwards }
    return across < 0 ? .upsideDown : .across
  }
}
