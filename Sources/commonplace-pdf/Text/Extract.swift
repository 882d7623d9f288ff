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
    readShownText(of: page)
    guard var popplerText = PopplerText(of: page) else {
      return PageText(page: index, text: "", placement: .characters, boxes: [], unit: steps)
    }
    var text = popplerText.text
    // On some pages poppler's two results differ in length: boxes that may belong to another character are not used.
    guard popplerText.rectangles.count == text.scalars.count else {
      return PageText(page: index, text: text.string, placement: .unknown, boxes: [], unit: steps)
    }
    let unit = max(steps, max(page.width, page.height) / 32_000)
    text.putInTextOrder(&popplerText.rectangles)
    let precise = popplerText.rectangles.map(PreciseBox.init)
    text.turnLigatures(precise)
    var boxes = popplerText.rectangles.map { CharacterBox($0, unit: unit) }
    text.joinSigns(&boxes, precise)
    text.withLeveled(&boxes) { $0.mendSharedGlyphs(&$1) }
    text.mendBlanks(&boxes)
    text.orderWords(&boxes)
    text.separateAtGaps(&boxes)
    text.orderColumns(&boxes)
    return PageText(page: index, text: text.string, placement: .characters, boxes: boxes, unit: unit)
  }
}

extension PreciseBox {
  fileprivate init(_ rectangle: PopplerRectangle) {
    self.init(
      left: min(rectangle.x1, rectangle.x2), top: min(rectangle.y1, rectangle.y2),
      right: max(rectangle.x1, rectangle.x2), bottom: max(rectangle.y1, rectangle.y2))
  }
}

extension CharacterBox {
  /// The box in steps of `unit`; its left may still exceed its right, see ``DirectedText/mendBlanks(_:)``. Values
  /// beyond the range are clamped, and NaN becomes 0.
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

/// poppler's data for a page: its text, and rectangles without those of the marks.
private struct PopplerText {
  var text: DirectedText
  var rectangles: [PopplerRectangle]

  private init(text: DirectedText, rectangles: [PopplerRectangle]) {
    (self.text, self.rectangles) = (text, rectangles)
  }

  /// poppler's text of a page is the selection from one corner to the opposite one, in its reading order. On a page
  /// that it treats as right-to-left the selection begins at the upper right: from the upper left, whole blocks are
  /// missing. It does not report the direction; the longer text is the complete one. Each of the two may have lines
  /// that the other lacks.
  ///
  /// The corners are far outside of the page: of a block that extends beyond its edge, a selection that ends there has
  /// only a part. poppler discards characters off the page itself.
  init?(of page: Page) {
    let (width, height) = (page.width, page.height)
    guard let plain = PopplerText(page, PopplerRectangle(x1: -width, y1: -height, x2: 2 * width, y2: 2 * height))
    else { return nil }
    self = plain
    // On a page that is entirely right-to-left, no text follows the upper left corner.
    guard plain.text.hasRightToLeft || plain.text.scalars.isEmpty,
      let other = PopplerText(page, PopplerRectangle(x1: 2 * width, y1: -height, x2: -width, y2: 2 * height))
    else { return }
    guard text.scalars.count == rectangles.count, other.text.scalars.count == other.rectangles.count else {
      if other.text.scalars.count > text.scalars.count { self = other }
      return
    }
    let isOtherFirst = other.text.scalars.count > text.scalars.count || places.isDisjoint(with: other.places)
    self = isOtherFirst ? other.withLines(of: self) : withLines(of: other)
  }

  private init?(_ page: Page, _ area: PopplerRectangle) {
    var area = area
    guard let bytes = poppler_page_get_text_for_area(page.poppler, &area) else { return nil }
    defer { g_free(bytes) }
    text = DirectedText(UnsafeBufferPointer(start: bytes, count: strlen(bytes)))
    rectangles = Self.rectangles(page, &area)
  }

  /// This selection with the lines of the other one that have no place in it, each next to the line that it follows or
  /// precedes there.
  private func withLines(of other: PopplerText) -> PopplerText {
    let lines = text.scalars.split(separator: "\n", omittingEmptySubsequences: false).map(\.indices)
    var numbers: [[Double]: Int] = [:]
    for (number, line) in lines.enumerated() {
      for place in line.compactMap(place) { numbers[place] = number }
    }
    var added: [Int: [Range<Int>]] = [:]
    var (last, unplaced): (Int?, [Range<Int>]) = (nil, [])
    for line in other.text.scalars.split(separator: "\n").map(\.indices) {
      let known = line.lazy.compactMap(other.place).compactMap { numbers[$0] }.first
      if let known {
        if !unplaced.isEmpty { added[known - 1, default: []] += unplaced }
        (last, unplaced) = (known, [])
      } else if let last {
        added[last, default: []].append(line)
      } else {
        unplaced.append(line)
      }
    }
    if !unplaced.isEmpty { added[lines.count - 1, default: []] += unplaced }
    guard !added.isEmpty else { return self }
    var whole = PopplerText(text: DirectedText(), rectangles: [])
    for line in added[-1] ?? [] { whole.add(line, of: other) }
    for (number, line) in lines.enumerated() {
      whole.add(line, of: self)
      for line in added[number] ?? [] { whole.add(line, of: other) }
    }
    return whole
  }

  private mutating func add(_ line: Range<Int>, of other: PopplerText) {
    if let end = rectangles.last {
      text.endLine()
      rectangles.append(PopplerRectangle(x1: end.x2, y1: end.y2, x2: end.x2, y2: end.y2))
    }
    text.append(other.text, line)
    rectangles += other.rectangles[line]
  }

  private var places: Set<[Double]> { Set(text.scalars.indices.compactMap(place)) }

  /// The position of a character, or nil for a blank.
  private func place(_ index: Int) -> [Double]? {
    guard !text.scalars[index].isSpace else { return nil }
    let rectangle = rectangles[index]
    return [rectangle.x1, rectangle.y1, rectangle.x2, rectangle.y2]
  }

  private static func rectangles(_ page: Page, _ area: inout PopplerRectangle) -> [PopplerRectangle] {
    var rectangles: UnsafeMutablePointer<PopplerRectangle>?
    var count: guint = 0
    _ = poppler_page_get_text_layout_for_area(page.poppler, &area, &rectangles, &count)
    defer { g_free(rectangles) }
    return Array(UnsafeBufferPointer(start: rectangles, count: rectangles == nil ? 0 : Int(count)))
  }
}
