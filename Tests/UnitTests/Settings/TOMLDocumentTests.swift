import Testing

@testable import Daemon

@Suite("The lines of keys")
struct TOMLDocumentTests {
  private func line(_ path: String..., in text: String) -> Int? {
    try? TOMLDocument(Array(text.utf8)).line(of: path)
  }

  @Test("keys are found behind comments, strings and sections that only look like them")
  func disguises() {
    let text = #"""
      # a = 1
      note = "a = 1 # [x]"   # a = 2
      long = """
      a = 3
      [fake]
      ends with two more quotes"""""
      literal = '''
      a = 4 \'''
      a = 5
      [ x . "y.z" ] # ]
      a = 6
      """#
    #expect(line("a", in: text) == 9)
    #expect(line("literal", in: text) == 7)
    #expect(line("fake", in: text) == nil)
    #expect(line("", in: text) == nil)
    #expect(line("x", "y.z", in: text) == 10)
    #expect(line("x", "y.z", "a", in: text) == 11)
  }

  @Test("quoted keys are the text that they stand for")
  func quoted() {
    let text = #"""
      "b\u0061\t\"]" = 1
      'c\u0061' = 2
      "" = 3
      d . "e f" . 'g' = 4
      """#
    #expect(line("ba\t\"]", in: text) == 1)
    #expect(line(#"c\u0061"#, in: text) == 2)
    #expect(line("", in: text) == 3)
    #expect(line("d", "e f", "g", in: text) == 4)
    #expect(line("d", in: text) == 4)
  }

  @Test("inline tables, lists and their elements have their own lines")
  func values() {
    let text = """
      list = [ # one, two
        "a]", 1979-05-27 07:32:00, [ 1,
        2 ],
        { x = "}", y.z = 3 },
      ]
      inline = { p = { q = [ '}', 1 ] }, r = "" }
      after = 1
      """
    #expect(line("list", "[0]", in: text) == 2)
    #expect(line("list", "[1]", in: text) == 2)
    #expect(line("list", "[2]", "[1]", in: text) == 3)
    #expect(line("list", "[3]", "y", "z", in: text) == 4)
    #expect(line("list", "[4]", in: text) == nil)
    #expect(line("inline", "p", "q", in: text) == 6)
    #expect(line("inline", "r", in: text) == 6)
    #expect(line("after", in: text) == 7)
  }

  @Test("carriage returns, a byte order mark and repeated sections count nothing twice")
  func lineEnds() {
    let text = "\u{FEFF}[a]\r\nb = 1\r\n\r\n[[c]]\r\nd = 1\r\n[[c]]\r\nd = 2\r\n"
    #expect(line("a", "b", in: text) == 2)
    #expect(line("c", in: text) == 4)
    #expect(line("c", "[1]", "d", in: text) == 7)
  }

  @Test("an escaped NUL is refused with the line of its key, in keys too; an escaped backslash before u0000 is none")
  func nul() {
    func nulLine(_ text: String) -> Int? {
      do {
        _ = try TOMLDocument(Array(text.utf8))
        return nil
      } catch {
        return error.text.key == "configuration.nul" ? error.line : -1
      }
    }
    #expect(nulLine("a = 1\nb = [\"\\u0000\"]") == 2)
    #expect(nulLine("\"\\U00000000\" = 1") == 1)
    #expect(nulLine("\na = \"\"\"\n\\u0000\"\"\"") == 2)
    #expect(nulLine("a = \"\\\\u0000\"\nb = '\\u0000'\nc = \"\\u0001\"") == nil)
  }

  @Test(
    "what is no TOML is refused with its line",
    arguments: [
      "[", "[a", "a", "a =", "a = [", "a = [}", "a = {b", "a = {]", "a = \"", "= 1", "]]", "a = '''", ",", "\"\\u",
    ])
  func nonsense(text: String) {
    let failure = #expect(throws: ConfigurationError.self) { try TOMLDocument(Array(text.utf8)) }
    #expect(failure?.text.key == "configuration.syntax")
    #expect(failure?.line == 1)
  }
}
