import Testing

@testable import Projects

@Suite("Projects: signs of a line") struct CardSignTests {
  @Test("a word is a sign only as it is written, with a value that a card may have")
  func read() throws {
    let found = try #require(CardSign.read("!3"))
    #expect(found.field.name == "priority" && found.value == 3 && found.field.word(found.value) == "!3")
    for word in ["", "!", "3", "!0", "!10", "!03", "!3.0", "!+3", "!x", "!!3", "!3!", "!3\u{301}", "#3"] {
      #expect(CardSign.read(Substring(word)) == nil, "\(word)")
    }
  }

  @Test("a field with a sign is found by its names, and in the scales of other programs")
  func names() throws {
    let sign = try #require(CardSign.all.first { $0.names.contains("pri") })
    #expect(["5", "H", "h", "M", "l"].map(sign.parse) == [5, 1, 1, 5, 9])
    #expect(["0", "10", "", "high"].map(sign.parse) == [nil, nil, nil, nil])
  }
}
