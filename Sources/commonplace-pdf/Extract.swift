import CPoppler
import Glibc
import PDF

extension Document {
  /// The text of a page with the box of each character.
  func text(of index: Int) -> PageText {
    let steps = 1.0 / 16
    guard let page = page(index) else {
      return PageText(page: index, text: "", placement: .unavailable, boxes: [], unit: steps)
    }
    guard let bytes = poppler_page_get_text(page.poppler) else {
      return PageText(page: index, text: "", placement: .characters, boxes: [], unit: steps)
    }
    defer { g_free(bytes) }
    var rectangles: UnsafeMutablePointer<PopplerRectangle>?
    var count: guint = 0
    poppler_page_get_text_layout(page.poppler, &rectangles, &count)
    defer { g_free(rectangles) }

    var text = DirectedText(UnsafeBufferPointer(start: bytes, count: strlen(bytes)))
    let string = String(String.UnicodeScalarView(text.scalars))
    // poppler's two answers differ in length on some pages: boxes that may be another character's are no boxes.
    guard text.scalars.count == Int(count) else {
      return PageText(page: index, text: string, placement: .unknown, boxes: [], unit: steps)
    }
    let unit = max(steps, max(page.width, page.height) / 32_000)
    var boxes = (0..<Int(count)).map { CharacterBox(rectangles![$0], unit: unit) }
    text.putInTextOrder(&boxes)
    text.mendBlanks(&boxes)
    text.breakAtGaps(&boxes)
    return PageText(
      page: index, text: String(String.UnicodeScalarView(text.scalars)), placement: .characters, boxes: boxes,
      unit: unit)
  }
}

/// Text as poppler gives it: with marks around runs of the other direction, and perhaps with code points that are none.
///
/// Inside such a run the text is in reading order, the boxes are in visual order, and the marks have no box.
struct DirectedText {
  /// Without the marks. What is no Unicode scalar is U+FFFD, so that boxes keep their characters.
  private(set) var scalars: [Unicode.Scalar] = []
  /// The runs to be reversed; an outer one comes before those within it.
  private var reversed: [Range<Int>] = []

  init(_ bytes: UnsafeBufferPointer<CChar>) {
    scalars.reserveCapacity(bytes.count)
    // For each open mark: where it is, whether its run is right to left, and its place among the reversed ones.
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
        }
      default:
        scalars.append(value == 0 ? "\u{FFFD}" : Unicode.Scalar(value) ?? "\u{FFFD}")
      }
    }
  }

  func putInTextOrder(_ boxes: inout [CharacterBox]) {
    for run in reversed {
      boxes[run].reverse()
    }
  }

  /// Turns boxes the right side out.
  ///
  /// poppler's box of a blank goes from the end of the word before to the beginning of the word behind, as if every line
  /// ran to the right: in one that runs to the left it is inside out, and spans both words. The gap lies between them.
  func mendBlanks(_ boxes: inout [CharacterBox]) {
    for index in boxes.indices where boxes[index].left > boxes[index].right {
      let isBlank = scalars[index].properties.isWhitespace
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

  /// Ends the line where poppler writes what stands in two columns, or in two cells of a table, without anything between:
  /// `2right` is no word, and who selects a line of the right column does not mean the left one.
  ///
  /// Such a gap is wider than the line is high; poppler writes blanks into narrower ones.
  mutating func breakAtGaps(_ boxes: inout [CharacterBox]) {
    for index in boxes.indices.dropFirst().reversed() {
      let (left, right) = (boxes[index - 1], boxes[index])
      guard !scalars[index - 1].properties.isWhitespace, !scalars[index].properties.isWhitespace else { continue }
      let height = Int(min(left.bottom, right.bottom)) - Int(max(left.top, right.top))
      let gap = max(Int(right.left) - Int(left.right), Int(left.left) - Int(right.right))
      guard height > 0, gap > max(height, Int(left.bottom) - Int(left.top)) else { continue }
      scalars.insert("\n", at: index)
      // A line end has a place and no width, as poppler's own.
      boxes.insert(
        CharacterBox(left: left.right, top: left.top, right: left.right, bottom: left.bottom), at: index)
    }
  }

  /// One character of poppler's, which writes surrogates and numbers beyond Unicode just as it finds them.
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

extension CharacterBox {
  /// The box in steps of `unit`; its left may still be its right, see ``DirectedText/mendBlanks(_:)``. What lies beyond the farthest step, or nowhere at all, is moved to it.
  init(_ rectangle: PopplerRectangle, unit: Double) {
    func step(_ value: Double) -> Int16 {
      guard !value.isNaN else { return 0 }
      return Int16(max(-32_768, min(32_767, (value / unit).rounded())))
    }
    self.init(
      left: step(rectangle.x1), top: step(min(rectangle.y1, rectangle.y2)),
      right: step(rectangle.x2), bottom: step(max(rectangle.y1, rectangle.y2)))
  }
}
