import PDF
import Testing

@testable import commonplace_pdf

@Suite("Words from right to left")
struct WordOrderTests {
  /// The text and, for each letter, the left of its box: letters are 10 wide and high. `places` are the boxes as poppler
  /// gives them, and nil stands for a box that nobody may read.
  private func read(_ text: String, _ places: [Int16?]) -> (String, [Int16]) {
    let characters = Array(text.utf8).map { CChar(bitPattern: $0) }
    var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = places.map { place in
      CharacterBox(left: place ?? 999, top: 0, right: (place ?? 989) + 10, bottom: 10)
    }
    directed.putInTextOrder(&boxes)
    directed.orderWords(&boxes)
    return (String(String.UnicodeScalarView(directed.scalars)), boxes.map(\.left))
  }

  @Test("In a line that runs to the left blanks stand where there are gaps, not where poppler writes them")
  func blanks() {
    // On paper from the right: אב at 90 and 80, a gap, גד at 60 and 50, a gap, ה at 30. poppler has its blank a word late.
    let (text, lefts) = read(
      "\u{202B}אב\u{202C}\u{202B}גד\u{202C} \u{202B}ה\u{202C}", [80, 90, 50, 60, nil, 30])
    #expect(text == "אב גד ה")
    #expect(lefts == [90, 80, 70, 60, 50, 40, 30])
  }

  @Test("Words that touch have none between them, whatever poppler writes")
  func touching() {
    let (text, lefts) = read(
      "\u{202B}אב\u{202C} \u{202B}\u{202A}15\u{202C}\u{202C}\u{202B}(\u{202C}", [80, 90, nil, 60, 70, 50])
    // A bracket behind a number closes, whatever its name.
    #expect(text == "אב15)")
    #expect(lefts == [90, 80, 60, 70, 50])
  }

  @Test("Of words to the left within a line to the right the rightmost is read first, and the others stay")
  func within() {
    let (text, lefts) = read(
      "a \u{202B}אב\u{202C} \u{202B}ג\u{202C} b \u{202B}ד\u{202C}",
      [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
    #expect(text == "a ג אב b ד")
    #expect(lefts == [0, 10, 50, 40, 30, 20, 60, 70, 80, 90])
  }

  @Test("Other lines of the page, and lines that are not level, are left as they are")
  func others() {
    let (text, lefts) = read("ab c\n\u{202B}אב\u{202C}\nd  e", [0, 10, 20, 30, 40, 80, 90, 95, 0, 10, 20, 30])
    #expect(text == "ab c\nאב\nd  e")
    #expect(lefts == [0, 10, 20, 30, 40, 90, 80, 95, 0, 10, 20, 30])
    let characters = Array("\u{202B}א\u{202C} \u{202B}ב\u{202C}".utf8).map { CChar(bitPattern: $0) }
    var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = [0, 10, 20].map { CharacterBox(left: 0, top: $0, right: 10, bottom: $0 + 10) }
    directed.orderWords(&boxes)
    #expect(String(String.UnicodeScalarView(directed.scalars)) == "א ב" && boxes.count == 3)
  }

  @Test("Lines that run to other sides are never one, whatever their places")
  func otherTurns() {
    // The first from the right to 80; the second runs down, and would go on there if it were level.
    let characters = Array("\u{202B}אב\u{202C}\n\u{202B}גד\u{202C}".utf8).map { CChar(bitPattern: $0) }
    var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
    func box(_ left: Int16, _ top: Int16) -> CharacterBox {
      CharacterBox(left: left, top: top, right: left + 10, bottom: top + 10)
    }
    var boxes = [box(80, 0), box(90, 0), box(100, 0), box(-10, 50), box(-10, 60)]
    directed.putInTextOrder(&boxes)
    directed.orderWords(&boxes)
    #expect(String(String.UnicodeScalarView(directed.scalars)) == "אב\nגד")
    #expect(boxes.map(\.top) == [0, 0, 0, 60, 50])
  }

  @Test("Vowel signs between letters do not break a word, and each stands after its letter")
  func signs() {
    // On paper from the right: ك at 50, its vowel sign, ت at 40, ب at 30. poppler takes the line to run to the right.
    let (text, lefts) = read(
      "abc \u{202B}ب\u{202C}\u{202B}ت\u{202C}\u{064E}\u{202B}ك\u{202C} \u{202B}دار\u{202C}",
      [-20, -10, 0, 10, 30, 40, 48, 50, 60, 70, 80, 90])
    #expect(text == "abc دار كَتب")
    #expect(lefts == [-20, -10, 0, 10, 90, 80, 70, 60, 50, 48, 40, 30])
  }

  @Test("A number between words to the left keeps its digits, and the words on both sides stay in order")
  func number() {
    let (text, lefts) = read(
      "\u{202B}ב\u{202C} 15 \u{202B}א\u{202C}", [10, 20, 30, 40, 50, 60])
    #expect(text == "א 15 ב")
    #expect(lefts == [60, 50, 30, 40, 20, 10])
  }

  @Test("Presentation forms become letters, each with its part of the box")
  func presentationForms() {
    let (text, lefts) = read("\u{202B}\u{FEAD}\u{FEFB}\u{202C}", [10, 20])
    #expect(text == "رلا")
    #expect(lefts == [20, 15, 10])
  }

  /// The same with slices: each letter with the left and right of its box, ten times as high as a slice is wide.
  private func mend(_ text: String, _ places: [(Int16, Int16)]) -> (String, [[Int16]]) {
    let characters = Array(text.utf8).map { CChar(bitPattern: $0) }
    var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
    var boxes = places.map { CharacterBox(left: $0.0, top: 0, right: $0.1, bottom: 50) }
    directed.putInTextOrder(&boxes)
    directed.mendSharedGlyphs(&boxes)
    return (String(String.UnicodeScalarView(directed.scalars)), boxes.map { [$0.left, $0.right] })
  }

  @Test("The letters of one glyph from right to left are read in the order that the file gives, from its right side on")
  func oneGlyph() {
    let (text, boxes) = mend("\u{202B}זדגבא\u{202C}", [(10, 14), (14, 18), (18, 22), (22, 26), (26, 60)])
    // The first letter has a glyph of its own.
    #expect(text == "זאבגד")
    #expect(boxes == [[26, 60], [22, 26], [18, 22], [14, 18], [10, 14]])
  }

  @Test(
    "A word from right to left that a file names at a letter to the right is not repeated, and the letter has its box")
  func atAnother() {
    // גבא, which is אבג turned round, at its own glyph; and again at the h of "hi".
    let (text, boxes) = mend(
      "\u{202B}גבא\u{202C}\n\u{202B}\u{202A} hi\u{202C}גבא\u{202C}",
      [(80, 84), (84, 88), (88, 92), (92, 92), (0, 4), (4, 8), (8, 12), (12, 16), (16, 20), (20, 40)])
    #expect(text == "אבג\nhi")
    #expect(boxes == [[88, 92], [84, 88], [80, 84], [92, 92], [0, 20], [20, 40]])
  }

  @Test("Narrow letters of a script to the right, and two alone, are no glyph cut in slices")
  func narrow() {
    for text in ["ililil", "\u{202B}יו\u{202C}", "\u{202B}יווו\u{202C}"] {
      let plain = text.unicodeScalars.filter { !(0x202A...0x202E).contains($0.value) }
      let isWide = text.hasSuffix("ווו\u{202C}")
      let width: Int16 = isWide ? 6 : 4
      let places = plain.indices.enumerated().map { (Int16($0.offset) * width, Int16($0.offset + 1) * width) }
      #expect(mend(text, places).0 == String(String.UnicodeScalarView(plain)))
    }
  }

  @Test("Parts of a line that poppler gives as lines are one line")
  func brokenLine() {
    // On paper from the right: אב at 90 and 80, a gap, גד at 60 and 50, ה at 40; and a line below.
    let (text, lefts) = read(
      "\u{202B}גד\u{202C}\n\u{202B}ה\u{202C}\n\u{202B}אב\u{202C}", [50, 60, 60, 40, 40, 80, 90])
    #expect(text == "אב גדה")
    #expect(lefts == [90, 80, 70, 60, 50, 40])
  }

  @Test("A sign belongs to the letter at whose left edge it begins, also behind a blank")
  func nearestLetter() {
    // On paper from the right: ب at 60, a blank, ا at 40 with its sign at 42, ت at 30 with its sign at 29.
    let (text, _) = read(
      "\u{202B}ت\u{202C}\u{064E}\u{202B}ا\u{202C}\u{064F} \u{202B}ب\u{202C}", [30, 29, 40, 42, nil, 60])
    #expect(text == "ب ا\u{064F}ت\u{064E}")
  }

  @Test("A letter whose box ends at its own sign has no blank behind it, unless the gap is wide")
  func cutLetters() {
    // On paper from the left: ב from 55 to 60, where its sign begins; and א behind a gap.
    func word(_ gap: Int16) -> String {
      let characters = Array("\u{202B}ב\u{202C}\u{05B8}\u{202B}א\u{202C}".utf8).map { CChar(bitPattern: $0) }
      var directed = characters.withUnsafeBufferPointer { DirectedText($0) }
      var boxes = [(55, 60), (60, 60), (60 + gap, 90)].map {
        CharacterBox(left: $0.0, top: 0, right: $0.1, bottom: 40)
      }
      directed.orderWords(&boxes)
      return String(String.UnicodeScalarView(directed.scalars))
    }
    #expect(word(8) == "אב\u{05B8}")
    #expect(word(12) == "א ב\u{05B8}")
  }

  @Test("Where poppler writes blanks, gaps that are narrow beside high letters are blanks")
  func narrowGaps() {
    let places: [Int16?] = [42, 52, nil, 21, 31, nil, 0, 10]
    let (text, _) = read("\u{202B}אב\u{202C} \u{202B}גד\u{202C} \u{202B}הו\u{202C}", places)
    #expect(text == "אב גד הו")
    #expect(read("\u{202B}אבגדהו\u{202C}", [0, 10, 21, 31, 42, 52]).0 == "אבגדהו")
  }

  @Test("Brackets that a file names by their shape are turned round, also where one of them stands alone")
  func brackets() {
    let letters = "(U) \u{202B}ג\u{202C} (\u{202B}ב\u{202C} \u{202B}א\u{202C}"
    let (text, _) = read(letters, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90])
    #expect(text == "א ב) ג (U)")
    // Named by what they do, they stay.
    let named = letters.replacing("(", with: "<").replacing(")", with: "(").replacing("<", with: ")")
    #expect(read(named, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]).0 == "א ב) ג (U)")
  }

  @Test(
    "A box of a turned line is the same again after it was leveled",
    arguments: [
      (LineRotation.across, [10, 20, 40, 30]), (.upsideDown, [-40, -30, -10, -20]), (.upwards, [-30, 10, -20, 40]),
      (.downwards, [20, -40, 30, -10]),
    ])
  func leveled(turn: LineRotation, sides: [Int16]) {
    let box = CharacterBox(left: 10, top: 20, right: 40, bottom: 30)
    let leveled = turn.leveled(box)
    #expect([leveled.left, leveled.top, leveled.right, leveled.bottom] == sides)
    #expect(turn.turned(leveled) == box)
    let edge = CharacterBox(left: .min, top: .min, right: .max, bottom: .max)
    #expect(turn.leveled(edge).left <= turn.leveled(edge).right)
  }

  @Test("The letters of a sign are looked for nearby: the work grows with the line and not with its square")
  func boundedWork() {
    func item(_ left: Int16, _ direction: VisualLine.Direction) -> VisualLine.Item {
      VisualLine.Item(
        indices: [Int(left)], direction: direction,
        box: CharacterBox(left: left, top: 0, right: left + 1, bottom: 10))
    }
    for count in [Int16(100), 10_000] {
      var letters = (0..<count).map { item($0, .left) }
      let signs = (0..<count).map { item($0, .neutral) }
      #expect(VisualLine.add(signs, to: &letters) <= 16 * Int(count))
      #expect(letters.allSatisfy { $0.indices.count == 2 })
    }
  }
}
