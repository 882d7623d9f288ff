import PDF

/// Text as poppler returns it: with marks around runs of the opposite direction, and possibly with invalid code points.
///
/// Inside such a run the text is in reading order, the boxes are in visual order, and the marks have no box.
struct DirectedText {
  /// Without the marks. Invalid scalars are replaced by U+FFFD, so that boxes match their characters.
  var scalars: [Unicode.Scalar] = []
  /// Outermost right-to-left runs. poppler writes each word as one.
  var runs: [Range<Int>] = []
  /// The runs to be reversed; an outer one precedes those within it.
  private var reversed: [Range<Int>] = []

  init() {}

  init(_ bytes: UnsafeBufferPointer<CChar>) {
    scalars.reserveCapacity(bytes.count)
    // For each open mark: its position, whether its run is right-to-left, and its index in the reversed runs.
    var open: [(start: Int, isRightToLeft: Bool, slot: Int?)] = []
    var position = 0
    while position < bytes.count {
      let value = Self.codePoint(bytes, &position)
      switch value {
      case 0x202a, 0x202b, 0x202d, 0x202e:
        let isRightToLeft = value == 0x202b || value == 0x202e
        let turns = isRightToLeft != (open.last?.isRightToLeft ?? false)
        if turns {
          reversed.append(scalars.count..<scalars.count)
        }
        open.append((scalars.count, isRightToLeft, turns ? reversed.count - 1 : nil))
      case 0x202c:
        if let run = open.popLast(), let slot = run.slot {
          reversed[slot] = run.start..<scalars.count
          if open.isEmpty, run.isRightToLeft { runs.append(reversed[slot]) }
        }
      default:
        scalars.append(value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}")
      }
    }
  }

  mutating func endLine() { scalars.append("\n") }

  /// Appends a line of another text.
  mutating func append(_ other: DirectedText, _ line: Range<Int>) {
    let shift = scalars.count - line.lowerBound
    scalars += other.scalars[line]
    func parts(_ runs: [Range<Int>]) -> [Range<Int>] {
      runs.map { $0.clamped(to: line) }.filter { !$0.isEmpty }
        .map { $0.lowerBound + shift..<$0.upperBound + shift }
    }
    runs += parts(other.runs)
    reversed += parts(other.reversed)
  }

  var string: String { String(scalars: scalars[...]) }
  var hasRightToLeft: Bool { !runs.isEmpty }

  func putInTextOrder<Box>(_ boxes: inout [Box]) {
    for run in reversed {
      boxes[run].reverse()
    }
  }

  /// Corrects inverted boxes.
  ///
  /// poppler's box of a blank extends from the end of the preceding word to the beginning of the following one, as if
  /// every line ran to the right: in a right-to-left line it is inverted, and spans both words. The real gap is between
  /// them.
  func mendBlanks(_ boxes: inout [CharacterBox]) {
    for index in boxes.indices where boxes[index].left > boxes[index].right {
      let isBlank = scalars[index].isSpace
      if isBlank, index > 0, index + 1 < boxes.count {
        let end = boxes[index - 1].left
        let start = max(boxes[index + 1].left, boxes[index + 1].right)
        boxes[index].left = min(start, end)
        boxes[index].right = end
      } else {
        (boxes[index].left, boxes[index].right) = (boxes[index].right, boxes[index].left)
      }
    }
  }

  /// Decodes one character from poppler, which writes surrogates and numbers beyond Unicode unchanged.
  private static func codePoint(_ bytes: UnsafeBufferPointer<CChar>, _ position: inout Int) -> UInt32 {
    let first = UInt8(bitPattern: bytes[position])
    position += 1
    guard first >= 0x80 else { return UInt32(first) }
    let length = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : first >= 0xc0 ? 1 : 0
    guard length > 0 else { return .max }
    var value = UInt32(first) & (0x3f >> UInt32(length))
    for _ in 0..<length {
      guard position < bytes.count, UInt8(bitPattern: bytes[position]) & 0xc0 == 0x80 else { return .max }
      value = value << 6 | UInt32(UInt8(bitPattern: bytes[position]) & 0x3f)
      position += 1
    }
    return value
  }
}
