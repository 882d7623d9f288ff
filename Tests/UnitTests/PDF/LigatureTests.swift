import PDF
import Testing

@testable import commonplace_pdf

@Suite("Ligatures of Arabic letters")
struct LigatureTests {
  /// The text, whose words are given in the order of the letters as poppler's are, and the width of each letter from
  /// the left. The letters touch and are 20 high.
  private func read(_ words: [(String, [Double])], isTurned: Bool = false) -> String {
    let marked = words.map { "\u{202B}\($0.0)\u{202C}" }.joined(separator: " ")
    let characters = Array(marked.utf8).map { CChar(bitPattern: $0) }
    var text = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes: [PreciseBox] = []
    var end = 500.0
    for (number, (_, widths)) in words.enumerated() {
      if number > 0 { boxes.append(PreciseBox(left: end, top: 0, right: end, bottom: 20)) }
      var left = end - widths.reduce(0, +)
      end = left - 5
      for width in widths {
        boxes.append(PreciseBox(left: left, top: 0, right: left + width, bottom: 20))
        left += width
      }
    }
    if isTurned { boxes = boxes.map { PreciseBox(left: $0.top, top: $0.left, right: $0.bottom, bottom: $0.right) } }
    text.putInTextOrder(&boxes)
    text.turnLigatures(boxes)
    return String(String.UnicodeScalarView(text.scalars))
  }

  @Test(
    "Slices of one width are turned where the letters have other widths elsewhere, also on lines that are turned",
    arguments: [false, true])
  func lamAlef(isTurned: Bool) {
    // The end of a slice is that of the next glyph, which may be rounded.
    #expect(
      read([("سالم", [9, 4.001, 4, 12]), ("ما", [5, 7])], isTurned: isTurned) == "سلام ما")
    #expect(read([("ألن", [9, 6, 6]), ("أو", [8, 5])], isTurned: isTurned) == "لأن أو")
  }

  @Test("The article stays, whose letters have glyphs of their own and of one width")
  func article() {
    // An alef that is joined has another width.
    #expect(read([("الكتاب", [9, 7, 5, 5, 4, 4])]) == "الكتاب")
    #expect(read([("الدار", [9, 4, 9, 4, 4]), ("ورد", [9, 9, 9])]) == "الدار ورد")
  }

  @Test("One of the letters with another width elsewhere suffices, and an alef wasla is always the article's")
  func oneLetter() {
    #expect(read([("ال", [4, 4]), ("دا", [4, 9]), ("ورل", [9, 9, 9])]) == "لا دا ورل")
    #expect(read([("ٱل", [4, 4]), ("دا", [4, 9]), ("ورل", [9, 9, 9])]) == "ٱل دا ورل")
    // The lam has the width too, in another form.
    #expect(read([("ال", [4, 4]), ("دا", [4, 9]), ("ورل", [9, 9, 9]), ("لم", [9, 4])]) == "ال دا ورل لم")
  }

  @Test("Where nothing on the page shows the widths of the letters, and where they differ, the order stays")
  func unknown() {
    #expect(read([("سال", [4, 4, 9])]) == "سال")
    #expect(read([("سال", [4, 5, 9]), ("ما", [7, 5])]) == "سال ما")
  }

  @Test("The end of the name of God is one ligature too")
  func god() {
    #expect(read([("اهلل", [3, 3, 3, 4]), ("جلم", [9, 7, 8])]) == "الله جلم")
  }

  @Test("Signs that are slices of their letter's glyph follow the letter, and all have the glyph's box")
  func signs() {
    // On paper from the left: the letter, its sign, and its second sign; then a letter of its own.
    let characters = Array("\u{202B}אּ\u{05B8}ב\u{202C}".utf8).map { CChar(bitPattern: $0) }
    var text = characters.withUnsafeBufferPointer { DirectedText($0) }
    let places: [Int16] = [10, 14, 18, 22, 32]
    var boxes = zip(places, places.dropFirst()).map { CharacterBox(left: $0, top: 0, right: $1, bottom: 20) }
    var precise = zip(places, places.dropFirst()).map {
      PreciseBox(left: Double($0), top: 0, right: Double($1), bottom: 20)
    }
    text.putInTextOrder(&boxes)
    text.putInTextOrder(&precise)
    text.joinSigns(&boxes, precise)
    #expect(text.scalars.map(\.value) == [0x5D0, 0x5D1, 0x5B8, 0x5BC])
    #expect(boxes.map { [$0.left, $0.right] } == [[22, 32], [10, 22], [10, 22], [10, 22]])
    // A glyph for a word is not a letter's.
    precise[0].right = 26
    precise[0].left = 22
    text.scalars = Array("א\u{05B8}\u{05BC}ב".unicodeScalars)
    text.joinSigns(&boxes, precise)
    #expect(text.scalars.map(\.value) == [0x5D0, 0x5B8, 0x5BC, 0x5D1])
  }
}
