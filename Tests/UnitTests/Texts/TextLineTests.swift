import Testing
import Wire

@testable import Texts

@Suite("What lines of open texts mean") struct TextLineTests {
  @Test(
    "the fields of a line are found with their values and places",
    arguments: [
      ("- [ ] a due:2026-11-24 #errands after:^p9qx", ["due=2026-11-24@8", "tag=errands@23", "after=p9qx@32"]),
      ("due:\"next fri\" start:-3d", ["due=next fri@0", "start=-3d@15"]),
      ("due:\"a \\\"b\\\\\" #c", ["due=a \"b\\@0", "tag=c@14"]), ("due:\"open #c", ["due=open #c@0"]),
      ("due:2026-11-24T17:30 x", ["due=2026-11-24@0"]), ("due:xT17", ["due=xT17@0"]),
      ("start:2026-11-24T17:30", ["start=2026-11-24T17:30@0"]), ("due: #a\t#b", ["tag=a@5", "tag=b@8"]),
      ("xdue:1 a#b C#", []), ("# Heading", []), ("## a #b", ["tag=b@5"]), ("#", []), ("after:p9qx", []),
      ("한 #책", ["tag=책@4"]), ("", []),
    ])
  func fields(line: String, expected: [String]) {
    let fields = line.fields
    #expect(fields.map { "\($0.name.rawValue)=\($0.value)@\($0.range.lowerBound)" } == expected, "\(line)")
    for field in fields {
      #expect(
        field.valueRange.upperBound == field.range.upperBound && field.valueRange.lowerBound > field.range.lowerBound)
      #expect(field.contains(field.range.lowerBound) && field.contains(field.range.upperBound))
      #expect(!field.contains(field.range.upperBound + 1) && !field.contains(field.range.lowerBound - 1))
    }
  }

  @Test("a due day and a start are days, but neither someday nor a distance from the deadline is one")
  func days() {
    for (line, isDay) in [
      ("due:x", true), ("start:monday", true), ("start:someday", false), ("start:-3d", false), ("start:-1234w", false),
      ("start:-12345d", true), ("start:3d", true), ("start:-3m", true), ("#a", false), ("after:^a", false),
    ] { #expect(line.fields.first?.isDay == isDay, "\(line)") }
  }

  private func outline(
    _ text: String, language: String = "markdown", isLibraryText: Bool = false, hasCards: Bool = true
  ) -> [String] {
    let open = OpenText(uri: "a", languageID: language, version: 0, text: text)
    return TextOutline(of: open, isLibraryText: isLibraryText, hasCards: hasCards).entries.map {
      "\($0.name) \($0.kind) \($0.level) \($0.line)-\($0.end)"
    }
  }

  @Test("a heading has the lines up to the next of its level or a higher one")
  func headings() {
    #expect(
      outline("# A\ntext\n## B\n### C\n## D\n# E\n") == [
        "A 15 1 0-5", "B 15 2 2-4", "C 15 3 3-4", "D 15 2 4-5", "E 15 1 5-7",
      ])
    #expect(outline("#A\n####### B\n# \n ## C\n```\n# D\n```\n") == [])
    #expect(outline("* A\n** B\n# C", language: "org") == ["A 15 1 0-3", "B 15 2 1-3"])
    #expect(outline("* A\n# C") == ["C 15 1 1-2"])
  }

  @Test("in a text of the library the items stand below its headings, by their titles")
  func items() {
    let board = "## Doing\n- [ ] One #a ^p9qx\n  more\n- [x] Two ^k3mz\n- [ ] Three\n## Done\n"
    #expect(
      outline(board, isLibraryText: true) == [
        "Doing 3 2 0-5", "One #a 23 10 1-3", "Two 23 10 3-5", "Done 3 2 5-7",
      ])
    #expect(outline(board) == ["Doing 15 2 0-5", "Done 15 2 5-7"])
    #expect(
      outline("--- 09:05 ^p9qx\nA walk\nmore\n--- 10:00 ^k3mz\n\n", isLibraryText: true) == [
        "09:05 A walk 1 10 0-3", "10:00 1 10 3-6",
      ])
    #expect(outline("- [ ] Hours — Ben ^p9qx\n", isLibraryText: true, hasCards: false) == ["Hours — Ben 24 10 0-2"])
  }

  @Test("the outline is a tree by its levels")
  func tree() {
    let open = OpenText(uri: "a", languageID: "markdown", version: 0, text: "## A\n#### B\n### C\n# D\n## E\n")
    let tree = TextOutline(of: open, isLibraryText: false).tree { entry, children in
      .string(
        entry.name + (children.isEmpty ? "" : "(" + children.compactMap(\.stringValue).joined(separator: " ") + ")"))
    }
    #expect(tree == ["A(B C)", "D(E)"])
  }

  @Test("a quote is a block of lines, or a long text in marks; what is shorter may be anything")
  func quotes() {
    func quote(_ text: String, _ line: Int) -> String? {
      Quote.around(line, in: OpenText(uri: "a", languageID: "markdown", version: 0, text: text))
    }
    let long = "The spice must flow along all the roads"
    let block = "x\n> The spice must flow\n  >along all   the roads\ny"
    #expect(quote(block, 1) == long && quote(block, 2) == long && quote(block, 0) == nil && quote(block, 3) == nil)
    for (open, close) in [("“", "”"), ("„", "“"), ("«", "»"), ("「", "」"), ("『", "』"), ("\"", "\"")] {
      #expect(quote("He says \(open)\(long)\(close).", 0) == long, "\(open)")
    }
    #expect(quote("\"short\" and “\(long)”", 0) == long && quote("“\(long)", 0) == nil && quote("\(long)”", 0) == nil)
    #expect(quote("“" + String(repeating: "a", count: 25) + "”", 0)?.count == 25)
    #expect(quote("“" + String(repeating: "a", count: 24) + "”", 0) == nil)
    #expect(quote("“" + String(repeating: "a", count: 3_000) + "”", 0)?.count == 2_000)
    // No more than fifty lines before and after the one.
    let lines = (0..<200).map { "> line \($0) of it" }.joined(separator: "\n")
    #expect(
      quote(lines, 100)?.hasPrefix("line 50 of it") == true && quote(lines, 100)?.hasSuffix("line 150 of it") == true)
  }
}
