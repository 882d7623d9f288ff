import Testing

@testable import Texts

@Suite("Fields in a line of a text") struct LineFieldTests {
  @Test(
    "a value in quotes may have blanks, and quotes and backslashes after a backslash each",
    arguments: [
      (#"due:"in two weeks" at noon"#, "in two weeks"), (#"due:"a \"b\" \\ c""#, #"a "b" \ c"#),
      (#"due:"\\\\ \"\"""#, #"\\ """#), (#"due:"tomorrow"#, "tomorrow"), ("due:2026-11-24T09:30 x", "2026-11-24"),
      ("due:tomorrow x", "tomorrow"),
    ])
  func value(line: String, value: String) {
    let fields = "Call \(line)".fields
    #expect(fields.map(\.value) == [value] && fields.first?.name == .due)
  }
}
