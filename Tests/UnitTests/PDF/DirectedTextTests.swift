import PDF
import Testing

@testable import commonplace_pdf

@Suite("Text with runs of the other direction")
struct DirectedTextTests {
  /// The text without marks, and for each character the number of the box it got: boxes are numbered as poppler gives
  /// them, from left to right within a run.
  private func read(_ bytes: [UInt8]) -> (String, [Int16]) {
    let characters = bytes.map { CChar(bitPattern: $0) }
    let text = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = text.scalars.indices.map { number in
      CharacterBox(left: Int16(number), top: 0, right: Int16(number), bottom: 0)
    }
    text.putInTextOrder(&boxes)
    return (String(String.UnicodeScalarView(text.scalars)), boxes.map(\.left))
  }

  @Test("The boxes of a run from right to left are turned round, and the marks have none")
  func rightToLeft() {
    let (text, boxes) = read(Array("a \u{202B}שלום\u{202C} b".utf8))
    #expect(text == "a שלום b")
    #expect(boxes == [0, 1, 5, 4, 3, 2, 6, 7])
  }

  @Test("Digits and Latin within such a run keep their own direction")
  func nested() {
    let (text, boxes) = read(Array("\u{202B}שלו\u{202A}12\u{202C}ם\u{202C}".utf8))
    #expect(text == "שלו12ם")
    // On paper, from the left: ם 1 2 ו ל ש.
    #expect(boxes == [5, 4, 3, 1, 2, 0])
  }

  @Test(
    "Bytes that are no character become one that stands for them, and take none of the text behind",
    arguments: [
      ([0xe2, 0x41, 0x42], "\u{FFFD}AB"), ([0xf0, 0x9f, 0x41], "\u{FFFD}A"), ([0xc3, 0xc3, 0xa9], "\u{FFFD}é"),
      ([0x80, 0x41], "\u{FFFD}A"), ([0x41, 0xe2], "A\u{FFFD}"), ([0x41, 0xe2, 0x82], "A\u{FFFD}"),
      ([0xed, 0xa0, 0x80, 0x41], "\u{FFFD}A"), ([0x00, 0x41], "\u{FFFD}A"),
    ] as [([UInt8], String)])
  func brokenCharacters(bytes: [UInt8], shown: String) {
    #expect(read(bytes).0 == shown)
  }

  @Test("A blank between words that run to the left gets the gap between them, not both words")
  func blank() {
    func box(_ left: Int16, _ right: Int16) -> CharacterBox {
      CharacterBox(left: left, top: 0, right: right, bottom: 10)
    }
    let characters = Array("אב גד".utf8).map { CChar(bitPattern: $0) }
    let text = characters.withUnsafeBufferPointer { DirectedText($0) }
    // From right to left: א 90 to 100, ב 80 to 90, a gap, ג 60 to 70, ד 50 to 60. poppler's blank is 100 to 50.
    var boxes = [box(90, 100), box(80, 90), box(100, 50), box(60, 70), box(50, 60)]
    text.mendBlanks(&boxes)
    #expect(boxes == [box(90, 100), box(80, 90), box(70, 80), box(60, 70), box(50, 60)])
  }

  @Test("Marks without an end or a beginning change nothing else")
  func unbalanced() {
    let (text, boxes) = read(Array("\u{202C}a\u{202B}bc".utf8))
    #expect(text == "abc")
    #expect(boxes == [0, 1, 2])
  }

  @Test("What is no character of Unicode is replaced, so that the others keep their boxes")
  func noCharacters() {
    let (text, boxes) = read([0x61, 0xed, 0xa0, 0x80, 0x62, 0xff, 0xf7, 0xbf, 0xbf, 0xbf, 0x63, 0xe3])
    #expect(text == "a\u{FFFD}b\u{FFFD}\u{FFFD}c\u{FFFD}")
    #expect(boxes == [0, 1, 2, 3, 4, 5, 6])
  }
}
