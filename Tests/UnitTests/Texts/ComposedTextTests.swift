import Kit
import Testing
import Wire

@testable import Texts

/// The text that a client has after a save that could not save all of it.
@Suite struct ComposedTextTests {
  private static func outcome(_ text: String, problems: some Sequence<Int>) throws -> TextSaveOutcome {
    var outcome = TextSaveOutcome(path: try #require(TextPath("board")), text: text)
    outcome.problems = problems.map { TextProblem(.unsaved, lines: $0..<($0 + 1), message: Text("text.unsaved")) }
    return outcome
  }

  @Test("what could not be saved stays below the heading where it was written, after the items before it")
  func headings() throws {
    let rendered = RenderedText(
      text: "# One\n\na\n\n# Two\n\nb",
      items: [
        TextItem(collection: "toys", id: "a", title: "a", lines: 2..<3, content: "a"),
        TextItem(collection: "toys", id: "b", title: "b", lines: 6..<7, content: "b"),
      ])
    var outcome = try Self.outcome("# One\n\na\nfirst\n\n# Two\n\nsecond\nb\nthird", problems: [3, 7, 9])
    outcome.written = [(2..<3, "a", true), (8..<9, "b", true)]
    #expect(ComposedText.make(rendered, after: outcome).text == "# One\n\na\nfirst\n\n# Two\n\nsecond\nb\nthird")
  }

  @Test("a hundred thousand lines of prose below a heading are put back at once", .timeLimit(.minutes(1)))
  func prose() throws {
    let text = (["# Today"] + (0..<100_000).map { "Line \($0)" }).joined(separator: "\n")
    let outcome = try Self.outcome(text, problems: 1...100_000)
    #expect(ComposedText.make(RenderedText(text: "# Today"), after: outcome).text == text)
  }
}
