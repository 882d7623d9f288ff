import PDF
import Testing

@testable import commonplace_pdf

@Suite("Gaps between words that poppler glues")
struct GapTests {
  /// The text after separation, and the boxes. Each character is 8 wide and 10 high unless its box states otherwise.
  private func separate(_ string: String, _ boxes: [CharacterBox]) -> (text: String, boxes: [CharacterBox]) {
    let characters = Array(string.utf8).map { CChar(bitPattern: $0) }
    var text = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = boxes
    text.separateAtGaps(&boxes)
    #expect(boxes.count == text.scalars.count)
    return (text.string, boxes)
  }

  private func box(_ left: Int16, _ top: Int16 = 0) -> CharacterBox {
    CharacterBox(left: left, top: top, right: left + 8, bottom: top + 10)
  }

  @Test("Between two columns the line ends")
  func columns() {
    let (text, boxes) = separate("abcd", [box(0), box(12), box(40), box(0)])
    #expect(text == "ab\nc\nd")
    #expect(boxes[2] == CharacterBox(left: 20, top: 0, right: 20, bottom: 10))
    #expect(boxes[3] == box(40))
  }

  @Test("A heading's number and its title are separated by a blank that spans the gap")
  func heading() {
    let (text, boxes) = separate("2In", [box(0), box(15), box(23)])
    #expect(text == "2 In")
    #expect(boxes[1] == CharacterBox(left: 8, top: 0, right: 15, bottom: 10))
    #expect(boxes[2] == box(15))
  }

  @Test("Kerning, and the gaps around the signs of a formula, separate nothing")
  func formula() {
    #expect(separate("a=b", [box(0), box(13), box(26)]).text == "a=b")
    #expect(separate("LA", [box(0), box(4)]).text == "LA")
  }

  @Test("A word with wide letter spacing stays one word")
  func letterSpacing() {
    #expect(separate("WORD", [box(0), box(15), box(30), box(45)]).text == "WORD")
  }

  @Test("A number far to the left of the word before it, and the text of another line, begin a line")
  func jumps() {
    #expect(separate("ab1", [box(40), box(48), box(20)]).text == "ab\n1")
    #expect(separate("ab.c", [box(40), box(48), box(56), box(0, 30)]).text == "ab.\nc")
    #expect(separate("ab", [box(0), box(60, 40)]).text == "a\nb")
  }

  @Test("The characters of a vertical line, and indices beside a letter, stay together")
  func vertical() {
    #expect(separate("abc", [box(0), box(0, 10), box(0, 20)]).text == "abc")
    let low = CharacterBox(left: 8, top: 9, right: 12, bottom: 15)
    #expect(separate("xi", [box(0), low]).text == "xi")
  }
}
