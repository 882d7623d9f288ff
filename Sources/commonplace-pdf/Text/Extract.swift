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
    guard let popplerText = PopplerText(of: page) else {
      return PageText(page: index, text: "", placement: .characters, boxes: [], unit: steps)
    }
    var text = popplerText.text
    // On some pages poppler's two results differ in length: boxes that may belong to another character are not used.
    guard popplerText.rectangles.count == text.scalars.count else {
      return PageText(page: index, text: text.string, placement: .unknown, boxes: [], unit: steps)
    }
    let unit = max(steps, max(page.width, page.height) / 32_000)
    var boxes = popplerText.rectangles.map { CharacterBox($0, unit: unit) }
    text.putInTextOrder(&boxes)
    text.withLeveled(&boxes) { $0.mendSharedGlyphs(&$1) }
    text.mendBlanks(&boxes)
    text.orderWords(&boxes)
    text.separateAtGaps(&boxes)
    text.orderColumns(&boxes)
    return PageText(page: index, text: text.string, placement: .characters, boxes: boxes, unit: unit)
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

  /// poppler's text of a page is the selection from one corner to the opposite one, in its reading order. On a page
  /// that it treats as right-to-left the selection begins at the upper right: from the upper left, whole blocks are
  /// missing. It does not report the direction; the longer text is the complete one. On rotated pages each of the two
  /// may have parts that the other lacks.
  init?(of page: Page) {
    guard let plain = PopplerText(page, from: nil) else { return nil }
    self = plain
    // On a page that is entirely right-to-left, no text follows the upper left corner.
    guard plain.text.hasRightToLeft || plain.text.scalars.isEmpty,
      let other = PopplerText(page, from: PopplerRectangle(x1: page.width, y1: 0, x2: 0, y2: page.height))
    else { return }
    if other.sharesNoPlace(with: plain) {
      self = other
      text.append(plain.text)
      let end = rectangles.last ?? PopplerRectangle()
      rectangles.append(PopplerRectangle(x1: end.x2, y1: end.y2, x2: end.x2, y2: end.y2))
      rectangles += plain.rectangles
    } else if other.text.scalars.count > plain.text.scalars.count {
      self = other
    }
  }

  private init?(_ page: Page, from area: PopplerRectangle?) {
    let bytes: UnsafeMutablePointer<CChar>?
    if var area {
      bytes = poppler_page_get_text_for_area(page.poppler, &area)
    } else {
      bytes = poppler_page_get_text(page.poppler)
    }
    guard let bytes else { return nil }
    defer { g_free(bytes) }
    text = DirectedText(UnsafeBufferPointer(start: bytes, count: strlen(bytes)))
    rectangles = Self.rectangles { rectangles, count in
      guard var area else { return poppler_page_get_text_layout(page.poppler, &rectangles, &count) }
      return poppler_page_get_text_layout_for_area(page.poppler, &area, &rectangles, &count)
    }
  }

  /// Whether both have letters with known positions, and no position occurs in both.
  private func sharesNoPlace(with other: PopplerText) -> Bool {
    guard text.scalars.count == rectangles.count, other.text.scalars.count == other.rectangles.count,
      !rectangles.isEmpty, !other.rectangles.isEmpty
    else { return false }
    func places(_ popplerText: PopplerText) -> Set<[Double]> {
      Set(popplerText.rectangles.map { [$0.x1, $0.y1, $0.x2, $0.y2] })
    }
    return places(self).isDisjoint(with: places(other))
  }

  private static func rectangles(
    _ ask: (inout UnsafeMutablePointer<PopplerRectangle>?, inout guint) -> gboolean
  ) -> [PopplerRectangle] {
    var rectangles: UnsafeMutablePointer<PopplerRectangle>?
    var count: guint = 0
    _ = ask(&rectangles, &count)
    defer { g_free(rectangles) }
    return Array(UnsafeBufferPointer(start: rectangles, count: rectangles == nil ? 0 : Int(count)))
  }
}
