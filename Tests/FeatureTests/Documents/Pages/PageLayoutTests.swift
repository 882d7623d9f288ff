import Display
import PDF
import Testing
import Wire

@testable import Documents
@testable import SearchEngine

/// The rules for the text of one page, without a daemon and a PDF.
@Suite("Documents: lines, words and selections of a page") struct PageLayoutTests {
  /// Characters of 10 × 12 points, in lines 20 points apart.
  private static func page(
    _ text: String, _ placement: PageText.Placement = .characters, apart: Int16 = 20
  ) -> PageText {
    var (column, line): (Int16, Int16) = (0, 0)
    let boxes = text.unicodeScalars.map { scalar in
      let box = CharacterBox(
        left: column * 10, top: line * apart, right: scalar == "\n" ? column * 10 : column * 10 + 10,
        bottom: line * apart + 12)
      (column, line) = scalar == "\n" ? (0, line + 1) : (column + 1, line)
      return box
    }
    return PageText(page: 0, text: text, placement: placement, boxes: boxes, unit: 1)
  }

  private static func layout(_ text: String) -> PageLayout { PageLayout(page(text)) }

  private static let selections: [(from: (Int, Int), to: (Int, Int), Granularity, String)] = [
    ((6, 0), (8, 0), .character, "ell"), ((8, 0), (6, 0), .character, "ell"), ((6, 0), (6, 0), .word, "well-known"),
    ((9, 0), (9, 0), .word, "well-known"), ((0, 0), (3, 0), .word, "It's"), ((2, 0), (2, 0), .word, "It's"),
    ((15, 0), (15, 0), .word, ":"), ((4, 0), (4, 0), .word, " "), ((6, 0), (17, 0), .word, "well-known: go"),
    ((17, 0), (0, 1), .word, "go\n東京都"), ((1, 1), (1, 1), .word, "東京都"), ((4, 1), (4, 1), .word, "3x"),
    ((6, 0), (6, 0), .line, "It's well-known: go"), ((18, 0), (18, 0), .line, "It's well-known: go"),
    ((5, 0), (1, 1), .line, "It's well-known: go\n東京都 3x"), ((1, 1), (2, 1), .line, "東京都 3x"),
  ]

  @Test("a selection is whole characters, words or lines, whichever way it is dragged", arguments: selections)
  func selecting(from: (Int, Int), to: (Int, Int), granularity: Granularity, expected: String) {
    let layout = Self.layout("It's well-known: go\n東京都 3x")
    func point(_ place: (Int, Int)) -> Point { Point(x: Double(place.0 * 10 + 5), y: Double(place.1 * 20 + 6)) }
    let range = PageRows(layout).selection(from: point(from), to: point(to), by: granularity)
    #expect(range.map(layout.string) == expected)
  }

  @Test("marks and joining punctuation are parts of a word, and punctuation at its end is none")
  func words() {
    func word(_ text: String) -> String? {
      let layout = Self.layout(text)
      return PageRows(layout).selection(from: Point(x: 5, y: 6), to: Point(x: 5, y: 6), by: .word).map(layout.string)
    }
    for (text, expected) in [
      ("dogs' x", "dogs"), ("a- b", "a"), ("a-b c", "a-b"), ("a’b c", "a’b"), ("a\u{AD}b c", "a\u{AD}b"),
      ("e\u{301}a b", "e\u{301}a"), ("a_b c", "a_b"), ("½x y", "½x"), ("3-4", "3"), ("-a", "-"), ("-", "-"),
    ] {
      #expect(word(text).map { Array($0.unicodeScalars) } == Array(expected.unicodeScalars), "\(text)")
    }
    #expect(Self.layout("ab  c\nd ").words == [0..<2, 4..<5, 6..<7] && Self.layout("ab").words == [0..<2])
    #expect(Self.layout("").words.isEmpty && Self.layout(" \n").words.isEmpty)
  }

  @Test("where lines overlap, the quads of marked text mean the characters that they were made of")
  func overlappingLines() throws {
    let layout = PageLayout(Self.page("RdoGrp1\nRdo1", apart: 5))
    func marked(_ quads: [[Double]]) throws -> [String] {
      try MarkedText(from: nil, to: nil, lines: nil, quads: quads).pieces(in: layout, page: 0).map(\.text)
    }
    #expect(try marked(layout.quads(of: 3..<12)) == ["Grp1", "Rdo1"])
    #expect(try marked(layout.quads(of: 3..<7)) == ["Grp1"] && marked(layout.quads(of: 8..<12)) == ["Rdo1"])
    // A quad that was drawn by hand selects whatever it covers.
    #expect(try marked([[29, -1, 71, -1, 71, 13, 29, 13]]) == ["Grp1", "1"])
  }

  @Test("characters without a place do not count for the usual size")
  func usualSize() {
    let lines: [(text: String, height: Int16)] = [
      ("A heading", 24), ("A line of the usual size, which ends here.", 12), (String(repeating: "none ", count: 40), 0),
    ]
    var boxes: [CharacterBox] = []
    for (row, line) in lines.enumerated() {
      for column in 0...Int16(line.text.unicodeScalars.count) {
        let (left, top) = line.height > 0 ? (column * 10, Int16(row) * 40) : (0, 0)
        boxes.append(
          CharacterBox(left: left, top: top, right: line.height > 0 ? left + 10 : 0, bottom: top + line.height))
      }
    }
    let text = lines.map { $0.text + "\n" }.joined()
    let page = PageText(page: 0, text: text, placement: .characters, boxes: boxes, unit: 1)
    let blocks = ReflowedPage(PageLayout(page)).blocks
    guard case .heading(level: 1)? = blocks.first?.kind else {
      Issue.record("\(blocks)")
      return
    }
    #expect(blocks[0].text == "A heading")
  }

  @Test("a margin, and a page whose characters have no places, has nothing to select")
  func nothing() {
    let margin = Point(x: 500, y: 6)
    #expect(PageRows(Self.layout("abc")).selection(from: margin, to: margin, by: .line) == nil)
    let unplaced = PageLayout(Self.page("abc", .unknown))
    let inside = Point(x: 5, y: 6)
    #expect(!unplaced.hasPlaces && PageRows(unplaced).selection(from: inside, to: inside, by: .line) == nil)
    #expect(unplaced.quads(of: 0..<3).isEmpty && unplaced.pieces(of: 0..<3).map(\.text) == ["abc"])
    #expect(unplaced.pieces(of: 0..<3).allSatisfy { $0.box == nil })
  }

  @Test("a range is the lines that it touches, without blanks at their ends")
  func pieces() {
    let layout = Self.layout(" ab \n\ncd")
    #expect(layout.lines == [0..<4, 6..<8])
    #expect(Array(layout.lines(touching: 2..<7)) == [0..<4, 6..<8] && Array(layout.lines(touching: 3..<4)) == [0..<4])
    #expect(layout.lines(touching: 4..<6).isEmpty && Array(layout.lines(touching: 6..<7)) == [6..<8])
    #expect(layout.pieces(of: 0..<8).map(\.range) == [1..<3, 6..<8])
    #expect(layout.pieces(of: 0..<8).map(\.text) == ["ab", "cd"] && layout.pieces(of: 0..<1).isEmpty)
    #expect(layout.pieces(of: 2..<7).map(\.text) == ["b", "c"])
    #expect(layout.box(around: 0..<4) == Box(left: 10, top: 0, right: 30, bottom: 12))
    #expect(layout.quads(of: 0..<8) == [[10, 0, 30, 0, 30, 12, 10, 12], [0, 40, 20, 40, 20, 52, 0, 52]])
  }

  @Test("an offset counts the units of the client's encoding")
  func units() {
    let scalars = Array("aé한😀".unicodeScalars)
    for (encoding, offsets) in [
      (PositionEncoding.utf8, [0, 1, 3, 6, 10]), (.utf16, [0, 1, 2, 3, 5]), (.utf32, [0, 1, 2, 3, 4]),
    ] {
      let starts = UnitOffsets(scalars, in: encoding)
      #expect((0...4).map { starts[$0] } == offsets)
    }
  }

  private static let joins: [(String, String)] = [
    ("one\ntwo", "one two"), ("exam-\nple", "example"), ("exam\u{2010}\nple", "example"),
    ("soft\u{AD}\nly", "soft\u{AD}ly"), ("Anglo-\nSaxons", "Anglo-Saxons"), ("see-\n3", "see-3"),
    ("3-\nfold", "3- fold"), ("-\nx", "- x"), ("state-of-the-\nart", "state-of-the-art"),
    ("state\u{2010}of-\nthe", "state\u{2010}of-the"), ("well-\nknown, well-known", "well-known, well-known"),
    ("東\n京", "東京"), ("東\n。", "東。"), ("、\n東", "、東"), ("、\n한", "、 한"), ("東\nabc", "東 abc"),
    ("한국\n사람", "한국 사람"), ("한국\n사람 한국사람", "한국사람 한국사람"),
  ]

  @Test("two lines are joined by a blank, unless a word is broken there or its script has none", arguments: joins)
  func joining(text: String, expected: String) {
    let layout = Self.layout(text)
    var joined = layout.string(layout.lines[0])
    LineJoin(layout).put(between: layout.lines[0], layout.lines[1], &joined)
    joined += layout.string(layout.lines[1])
    #expect(Array(joined.unicodeScalars) == Array(expected.unicodeScalars), "\(joined)")
  }

  @Test("a sentence goes on behind a hyphen, and with a small letter or a letter of a script without capitals")
  func goingOn() {
    for (text, goesOn, isBroken) in [
      ("a-\nX", true, false), ("a\nb", true, false), ("a\nB", false, false), ("a\n東", true, false),
      ("exam-\nple", true, true), ("exam-\nPle", true, false), ("3-\nfold", true, false), ("-\nx", true, false),
      ("東-\nx", true, false), ("a-\n東", true, false), ("a-\n3", true, false), ("a\n3", false, false),
    ] {
      let layout = Self.layout(text)
      #expect(LineJoin(layout).mayGoOn(layout.lines[0], layout.lines[1]) == goesOn, "\(text)")
      #expect(LineJoin.breaksWord(layout.lines[0], layout.lines[1], of: layout) == isBroken, "\(text)")
    }
  }

  @Test("a broken word is whole in plain text, with its line's end behind it")
  func wholeWords() {
    for (text, whole) in [
      ("an exam-\nple of it", "an example\nof it"), ("ex-\ntraor-\ndinary words", "extraordinary\nwords"),
      ("exam-\nple", "example"), ("exam-\n\nple", "exam-\n\nple"), ("exam- \n ple x", "example\nx"),
      ("well-\nknown x, well-known", "well-known\nx, well-known"), ("a\nb", "a\nb"), ("", ""),
    ] {
      #expect(Self.layout(text).wholeWords == whole, "\(text)")
    }
  }

  @Test("a marker of a list is a bullet, a number or a letter, with a blank behind it")
  func markers() {
    func length(_ text: String, isAlone: Bool = false) -> Int {
      ListMarker.length(in: Array(text.unicodeScalars)[...], isAlone: isAlone)
    }
    for (text, expected) in [
      ("• a", 2), ("-  x", 3), ("① a", 2), ("①a", 1), ("1. a", 3), ("12) a", 4), ("(a) b", 4), ("[3] b", 4),
      ("iv. x", 4), ("xvii. x", 6), ("a. x", 3), ("가. x", 3), ("1234. x", 6),
      ("•a", 0), ("1.a", 0), ("1 a", 0), ("(a b", 0), ("(1. x", 0), ("1] x", 0), ("ab. x", 0), ("word. x", 0),
      ("12345. x", 0), ("1.", 0), ("•", 0), ("", 0), (". x", 0), ("() x", 0),
    ] {
      #expect(length(text) == expected, "\(text)")
    }
    #expect(length("1.", isAlone: true) == 2 && length("•", isAlone: true) == 1 && length("ab", isAlone: true) == 0)
  }

  @Test("a word ends where Unicode says, and every ideograph is a word")
  func boundaries() {
    for (text, expected) in [
      ("ab 1_", [0, 2, 3, 5]), ("東京", [0, 3, 6]), ("가나", [0, 6]), ("カナ", [0, 6]), ("ひら", [0, 3, 6]),
      ("e\u{301}a", [0, 4]), ("a\0b", [0, 1, 2, 3]), (" \u{301}", [0, 3]), ("😀a", [0, 4, 5]), ("é½", [0, 4]),
      ("a‿b", [0, 5]), ("a東", [0, 1, 4]),
    ] {
      let bytes = Array(text.utf8)
      bytes.withUnsafeBufferPointer { bytes in
        let boundary = WordBoundary(bytes: bytes)
        let places = (0...bytes.count).filter { place in
          (place == bytes.count || bytes[place] & 0xC0 != 0x80) && boundary.isBoundary(place)
        }
        #expect(places == expected, "\(text)")
      }
    }
  }

  @Test("nothing is found across two pages: a byte that no query has is between them")
  func pages() {
    let text = SearchedText([(0, "ab"), (3, "cd"), (7, "exam-\nple")], as: .cased)
    #expect(Array(text.bytes.prefix(6)) == Array("ab\0cd\0".utf8) && text.bytes.last == 0)
    #expect(text.pages.map(\.page) == [0, 3, 7] && text.pages.prefix(2).map(\.end) == [2, 5])
    #expect([0, 1, 3, 4, 6].map(text.part) == [0, 0, 1, 1, 2])
    #expect(text.joins.count == 1 && text.isJoin(Int(text.joins[0])))
    #expect(!text.isJoin(Int(text.joins[0]) + 1) && !text.isJoin(Int(text.joins[0]) - 1))
  }

  @Test("a pattern of names has stars and question marks, and ignores case and width")
  func patterns() throws {
    for (pattern, name, matches) in [
      ("*.pdf", "A.PDF", true), ("*.pdf", "ａ.ＰＤＦ", true), ("*.pdf", "a.pdfx", false), ("*.pdf", ".pdf", true),
      ("a?c", "abc", true), ("a?c", "ac", false), ("a?c", "abbc", false), ("*a*b*", "xaxbx", true),
      ("*a*b", "ab.ab", true), ("*a*b", "abx", false), ("a*", "a", true), ("**", "x", true), ("a", "a", true),
      ("a", "b", false), ("a", "ab", false), ("ab", "a", false),
    ] {
      #expect(try NamePatterns([pattern]).matches(name) == matches, "\(pattern) \(name)")
    }
    #expect(try NamePatterns(["b", "a*"]).matches("ab") && !NamePatterns([]).matches("a"))
    for pattern in ["", " ", "a/b", String(repeating: "x", count: 101)] {
      let error = #expect(throws: RPCError.self) { try NamePatterns(["*", pattern]) }
      #expect(error?.data["field"] == "patterns[1]", "\(pattern)")
    }
    #expect(try NamePatterns([String(repeating: "x", count: 100)]).matches(String(repeating: "X", count: 100)))
  }

  @Test("a document's address is a URL of the web, or a file of this machine")
  func addresses() {
    func path(_ text: String) -> String? {
      guard case .file(let path)? = DocumentURL(text) else { return nil }
      return path
    }
    for text in ["file:///a%20b.pdf", "file://localhost/a%20b.pdf", " file:///a%20b.pdf\n"] {
      #expect(path(text) == "/a b.pdf", "\(text)")
    }
    for text in ["file://host/a.pdf", "file:a.pdf", "a.pdf", "ftp://a.example/b", ""] {
      #expect(DocumentURL(text) == nil, "\(text)")
    }
    guard case .web("https://a.example/b")? = DocumentURL(" https://a.example/b ") else {
      Issue.record("a URL of the web")
      return
    }
  }
}
