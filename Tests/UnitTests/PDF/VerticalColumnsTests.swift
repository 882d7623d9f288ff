import PDF
import Testing

@testable import commonplace_pdf

@Suite("Text in columns from the top")
struct VerticalColumnsTests {
  /// The text in the order of reading. Each character is 10 wide and high, at a column from the left and a row.
  private func read(_ text: String, _ places: [(column: Int16, row: Int16)]) -> (String, [CharacterBox]) {
    let characters = Array(text.utf8).map { CChar(bitPattern: $0) }
    var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = places.map { place in
      CharacterBox(
        left: place.column * 20, top: place.row * 10, right: place.column * 20 + 10, bottom: place.row * 10 + 10)
    }
    directed.orderColumns(&boxes)
    return (String(String.UnicodeScalarView(directed.scalars)), boxes)
  }

  @Test("The column at the right is read first, and the upper half of a page before the lower")
  func order() {
    // As poppler gives them: the left column before the right one, and a column below between them.
    let (text, boxes) = read(
      "風景や透明な\n正しく春と修羅",
      [
        (0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (9, 9), (0, 10), (0, 11), (0, 12), (2, 0), (2, 1), (2, 2),
        (2, 3),
      ])
    #expect(text == "春と修羅\n透明な\n風景や\n正しく")
    #expect(boxes.count == 16)
    #expect(boxes[0] == CharacterBox(left: 40, top: 0, right: 50, bottom: 10))
    #expect(boxes[4].left == boxes[4].right && boxes[4].bottom == 40, "a line end has a place and no width")
    #expect(boxes[13] == CharacterBox(left: 0, top: 100, right: 10, bottom: 110))
  }

  @Test("A column that is parted by a gap is read from its top")
  func gap() {
    let whole = (0..<10).map { (column: Int16(2), row: Int16($0)) }
    let (text, _) = read("二月一日いろはにほへとちりぬ", [(0, 6), (0, 7), (0, 1), (0, 2)] + whole)
    #expect(text == "いろはにほへとちりぬ\n一日\n二月")
  }

  @Test("Lines to the right stay as they are, and a page that has only a few characters in columns")
  func others() {
    let lines = "春は曙\n夏は夜"
    let places = (0..<7).map { (column: Int16($0 % 4), row: Int16($0 / 4)) }
    #expect(read(lines, places).0 == lines)
    // Latin letters below each other are a sign or a turned line, which poppler knows how to read.
    #expect(read("down up", [(0, 0), (0, 1), (0, 2), (0, 3), (0, 9), (1, 0), (1, 1)]).0 == "down up")
  }
}
