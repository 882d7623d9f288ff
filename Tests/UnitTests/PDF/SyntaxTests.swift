import Testing

@testable import commonplace_pdf

@Suite("The syntax of PDF values") struct SyntaxTests {
  /// The values one after the other, up to the first that cannot be read; a mark where that leaves something over.
  private func read(_ text: String, hasReferences: Bool = true) -> [String] {
    Array(text.utf8).withUnsafeBytes { bytes in
      var syntax = Syntax(bytes, hasReferences: hasReferences)
      var found: [String] = []
      while let value = syntax.value() { found.append(written(value)) }
      if !syntax.isAtEnd { found.append("!") }
      return found
    }
  }

  private func written(_ value: PDFValue) -> String {
    switch value {
    case .null: "null"
    case .boolean(let value): "\(value)"
    case .number(let value): "\(value)"
    case .name(let name): "/\(name)"
    case .text: "text"
    case .list(let list): "[" + list.map(written).joined(separator: " ") + "]"
    case .entries(let entries):
      "<<" + entries.sorted { $0.key < $1.key }.map { "/\($0.key) \(written($0.value))" }.joined(separator: " ") + ">>"
    case .reference(let object): "\(object)R"
    case .word(let word): word
    }
  }

  @Test(
    "values are read as they are spelled, and nothing behind one that cannot be",
    arguments: [
      ("", []), (" \t\r\n\u{C}\0", []), ("% nothing\n% more", []),
      ("true false null obj", ["true", "false", "null", "obj"]),
      ("1 -2 +3 .5 4. -.25", ["1.0", "-2.0", "3.0", "0.5", "4.0", "-0.25"]),
      ("/Name/Other /", ["/Name", "/Other", "/"]),
      ("/A#20B", []), ("(a(b)c\\)\\() 1", ["text", "1.0"]), ("(a", []), ("(a\\)", []), ("<41 4f> 1", ["text", "1.0"]),
      ("<4g>", ["!"]),
      ("<41", []), ("[1 [2]/A(b)<41>]", ["[1.0 [2.0] /A text text]"]), ("[1", []), ("[1 word]", ["!"]), ("]", ["!"]),
      ("<</A 1/B<</C 2>>>>", ["<</A 1.0 /B <</C 2.0>>>>"]), ("<</A 1/A 2>>", ["!"]), ("<</A>>", ["!"]),
      ("<<1 2>>", ["!"]),
      ("<</A 1>", []), ("<</A word>>", ["!"]), ("3 0 R 4 0 obj", ["3R", "4.0", "0.0", "obj"]), ("3 1 R", []),
      ("0 0 R", ["0.0", "0.0", "R"]),
      ("3 0 Rx", ["3.0", "0.0", "Rx"]), ("[3 0 R]", ["[3R]"]), ("3 0 R/A", ["3R", "/A"]), ("3 0", ["3.0", "0.0"]),
      ("-3 0 R", ["-3.0", "0.0", "R"]),
      ("1%c\n2", ["1.0", "2.0"]), ("1%c\r2", ["1.0", "2.0"]), ("{", ["!"]), (")", ["!"]),
      ("abcdefghijklmnop", ["abcdefghijklmnop"]),
      ("abcdefghijklmnopq", []), ("1 -", ["1.0"]), ("1.2.3", []), ("1e5", []),
      ("12345678901234567890", ["1.234567890123457e+19"]),
      ("123456789012345678901", []), ("q\u{B}", ["q\u{B}"]),
    ] as [(String, [String])])
  func values(text: String, expected: [String]) {
    #expect(read(text) == expected)
  }

  @Test("in a page's content two numbers and an operator are no reference")
  func content() {
    #expect(read("3 0 R", hasReferences: false) == ["3.0", "0.0", "R"])
  }

  @Test("values are read sixteen deep, names up to 127 bytes")
  func bounds() {
    func nested(_ count: Int) -> String {
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    }
    #expect(read(nested(16)) == [nested(16)] && read(nested(17)) == ["!"])
    let name = String(repeating: "n", count: 127)
    #expect(read("/" + name) == ["/" + name] && read("/" + name + "n") == [])
  }

  @Test("a word is taken where it stands, and the end is known behind blanks")
  func words() {
    Array("obj  % end".utf8).withUnsafeBytes { bytes in
      var syntax = Syntax(bytes)
      let isTaken = syntax.takes("obj")
      let isAtEnd = syntax.isAtEnd
      #expect(isTaken && isAtEnd && syntax.position == bytes.count)
      var other = Syntax(bytes)
      let isOther = other.takes("endobj")
      #expect(!isOther && PDFValue.number(3).integer == 3 && PDFValue.number(3.5).integer == nil)
      var later = Syntax(bytes, at: 3)
      let isEnd = later.isAtEnd
      #expect(isEnd)
    }
  }
}
