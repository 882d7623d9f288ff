import Testing

@testable import Kit

@Suite("Files that texts name") struct FileMentionsTests {
  private static let one = String(repeating: "0a", count: 32)
  private static let two = String(repeating: "f9", count: 32)

  private func found(in text: String) -> Set<String> {
    var mentions = FileMentions(of: [Self.one, Self.two])
    var text = text
    text.withUTF8 { mentions.look(in: $0) }
    return mentions.found
  }

  @Test(
    "a link names its file, wherever it stands",
    arguments: [
      "![a](commonplace:///files/\(one))", "files/\(one)", "///\(one)", "a/b/\(one)#page", #"{"text":"/\#(one)"}"#,
    ])
  func links(text: String) { #expect(found(in: text) == [Self.one]) }

  @Test("all files of a text are found in one pass")
  func several() {
    #expect(found(in: "/\(Self.one)/\(Self.two) and /\(Self.one)") == [Self.one, Self.two])
  }

  @Test(
    "other words, shorter ones and the names of other files are none",
    arguments: ["", "/", "/\(one.dropLast())", "/\(one.dropLast())g", "/\(String(repeating: "1", count: 64))"])
  func others(text: String) { #expect(found(in: text) == []) }
}
