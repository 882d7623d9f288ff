import PDF

/// The rotation of a line on the displayed page: the direction in which left-to-right text would run in it.
enum LineRotation {
  case across, upsideDown, upwards, downwards

  /// A box of the page rotated so that the line is level. It may have negative coordinates.
  func leveled(_ box: CharacterBox) -> CharacterBox {
    switch self {
    case .across: box
    case .upsideDown: Self.box(-Int(box.right), -Int(box.bottom), -Int(box.left), -Int(box.top))
    case .upwards: Self.box(-Int(box.bottom), Int(box.left), -Int(box.top), Int(box.right))
    case .downwards: Self.box(Int(box.top), -Int(box.right), Int(box.bottom), -Int(box.left))
    }
  }

  /// The inverse of ``leveled(_:)``.
  func turned(_ box: CharacterBox) -> CharacterBox {
    switch self {
    case .across: box
    case .upsideDown: leveled(box)
    case .upwards: LineRotation.downwards.leveled(box)
    case .downwards: LineRotation.upwards.leveled(box)
    }
  }

  private static func box(_ left: Int, _ top: Int, _ right: Int, _ bottom: Int) -> CharacterBox {
    CharacterBox(
      left: Int16(clamping: left), top: Int16(clamping: top), right: Int16(clamping: right),
      bottom: Int16(clamping: bottom))
  }
}

/// Counts the directions from letter to letter in a line, to determine its rotation.
struct LineSteps {
  private var across = 0
  private var down = 0

  /// Counts the step between the centers of two consecutive letters of a left-to-right word. Letters that are not
  /// adjacent belong to different words, whose order may differ.
  ///
  /// - Parameter size: the larger side of the first letter.
  mutating func add(x: Double, y: Double, size: Double) {
    guard max(abs(x), abs(y)) <= 1.5 * size else { return }
    if abs(x) > abs(y) { across += x > 0 ? 1 : -1 } else if abs(y) > abs(x) { down += y > 0 ? 1 : -1 }
  }

  var turn: LineRotation {
    if abs(down) > abs(across) { return down < 0 ? .upwards : .downwards }
    return across < 0 ? .upsideDown : .across
  }
}
