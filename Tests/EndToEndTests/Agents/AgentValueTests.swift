import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import commonplace_mcp

/// The rules of the server for agents, without an agent and a server.
@Suite("Agents: budgets, links, permissions and arguments") struct AgentValueTests {
  @Test("four ASCII characters or one of another script are a token, and what does not fit is not counted")
  func tokens() {
    for (text, count) in [("", 0), ("abcd", 1), ("abcde", 2), ("한국", 2), ("a한", 2), ("😀", 1)] {
      #expect(TextBudget.tokens(of: text) == count, "\(text)")
    }
    var budget = TextBudget(tokens: 5)
    #expect(budget.take(3) && !budget.take(3) && budget.left == 2 && budget.take(2) && budget.left == 0)
    #expect(budget.take(0) && !budget.take(1))
  }

  @Test("a text is cut at the end of a sentence, a line or a word in its second half, with at least one character")
  func cuts() {
    for (text, tokens, beginning, rest) in [
      ("abc", 1, "abc", nil), ("One two. Three four five.", 3, "One two.", 8), ("abcdefgh", 1, "abcd", 4),
      ("aa bb cc dd ee", 2, "aa bb ", 6), ("a. bcdefghijkl", 2, "a. bcdef", 8), ("aa bb\ncc dd ee", 2, "aa bb\n", 6),
      ("한국어", 1, "한", 1), ("한국", 0, "한", 1), ("봄。여름", 2, "봄。", 2),
    ] as [(String, Int, String, Int?)] {
      let cut = TextBudget.cut(text[...], tokens: tokens)
      #expect(cut.text == beginning && cut.rest == rest, "\(text): \(cut)")
    }
  }

  private static let links: [(String, String?)] = [
    ("commonplace:/diary/0193", "diary/0193 item"),
    ("commonplace:/documents/0192#highlight=0193", "highlights/0193 item"),
    ("commonplace:/documents/0192#page=2", "documents/0192 text 2"),
    ("commonplace:/documents/0192/picture?page=2", "documents/0192 picture 2"),
    ("commonplace:/documents/1#page=999999", "documents/1 text 999999"),
    ("commonplace:/documents/1#x=1&page=2", "documents/1 text 2"), ("commonplace:/a/B_c.d-1", "a/B_c.d-1 item"),
    ("commonplace:/documents/1#page=-1", nil), ("commonplace:/documents/1#page=1000000", nil),
    ("commonplace:/documents/1#x", nil), ("commonplace:/documents/1#page=x", nil), ("commonplace:/diary", nil),
    ("commonplace:/a/b/c", nil), ("commonplace:/a/", nil), ("commonplace://b", nil), ("commonplace:/a/b?page=1", nil),
    ("http:/a/b", nil), ("commonplace:/diary/1#highlight=2", nil), ("commonplace:/documents/1#highlight=2#page=1", nil),
    ("commonplace:/documents/1#highlight=", nil), ("commonplace:/a/b c", nil), ("commonplace:/a/한", nil),
    ("commonplace:/a/" + String(repeating: "b", count: 65), nil),
    ("commonplace:/a/b#page=1&x=" + String(repeating: "b", count: 500), nil), ("", nil),
  ]

  @Test("a link is an item, a page as text or as a picture, or nothing", arguments: links)
  func link(uri: String, expected: String?) {
    let link = ResourceLink(uri)
    #expect(link.map { "\($0.collection)/\($0.id) \($0.form)" + ($0.page.map { " \($0)" } ?? "") } == expected)
  }

  @Test("what nobody would see in a text is shown as missing, one for one, in names of members too")
  func hidden() {
    #expect(
      HiddenScalars.replaced(in: "a\u{202E}b\u{7}\tc\nd\re\u{E0041}é\u{2066}\u{FFF9}\u{85}\u{0}")
        == "a\u{FFFD}b\u{FFFD}\tc\nd e\u{FFFD}é\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}")
    #expect(HiddenScalars.replaced(in: "plain\ntext") == "plain\ntext")
    // A selector after a character is its form; a row of them spells something.
    #expect(HiddenScalars.replaced(in: "葛\u{E0100}❤\u{FE0F}👩\u{200D}💻") == "葛\u{E0100}❤\u{FE0F}👩\u{200D}💻")
    #expect(
      HiddenScalars.replaced(in: "😀\u{E0158}\u{E0159}\u{FE01}a\u{2063}") == "😀\u{E0158}\u{FFFD}\u{FFFD}a\u{FFFD}")
    let value: JSONValue = ["a\u{7F}": ["b\u{202A}", 1, .null]]
    #expect(HiddenScalars.replaced(in: value) == ["a\u{FFFD}": ["b\u{FFFD}", 1, .null]])
  }

  @Test("permissions are effects and collections; an effect that is not known is all of them")
  func permissions() {
    var permissions = Permissions()
    #expect(permissions.allows(.reads) && !permissions.allows([.reads, .writes]) && permissions.admits("diary"))
    #expect(
      permissions.missing([.reads, .writes, .network, .files, .destroys]) == ["write", "destroy", "network", "files"])
    permissions.collections = ["diary"]
    #expect(permissions.admits("diary") && !permissions.admits("posts"))
    #expect(Effects(names: ["reads", "files"]) == [.reads, .files] && Effects(names: []) == [])
    #expect(Effects(names: ["reads", "sends"]) == [.reads, .writes, .destroys, .files, .network])
  }

  @Test("a session makes so many changes a minute, of so many items each, and reads so many bytes")
  func limits() throws {
    let time = Mutex(ContinuousClock.now)
    var values = SessionLimits.Values()
    (values.commitsPerMinute, values.itemsPerCommit, values.readBytes) = (2, 3, 10)
    let limits = SessionLimits(values) { time.withLock(\.self) }
    try limits.beginCommit()
    time.withLock { $0 += .seconds(30) }
    try limits.beginCommit()
    let refused = #expect(throws: ToolFailure.self) { try limits.beginCommit() }
    #expect(refused?.text.contains("Wait 31 seconds") == true, "\(refused?.text ?? "")")
    time.withLock { $0 += .seconds(30) }
    try limits.beginCommit()
    #expect(throws: ToolFailure.self) { try limits.beginCommit() }
    try limits.check(items: 3)
    #expect(throws: ToolFailure.self) { try limits.check(items: 4) }
    try limits.read(bytes: 6)
    // A refused answer was not read, and is not counted.
    for _ in 0..<3 { #expect(throws: ToolFailure.self) { try limits.read(bytes: 5) } }
    try limits.requireReads()
    try limits.read(bytes: 4)
    #expect(throws: ToolFailure.self) { try limits.read(bytes: 1) }
    #expect(throws: ToolFailure.self) { try limits.requireReads() }
    // The answer to a change that was made is counted, whatever is left.
    let others = SessionLimits(values)
    others.note(bytes: 11)
    #expect(throws: ToolFailure.self) { try others.requireReads() }
  }

  @Test("an answer that may not be read is refused; of a change that was made its commit and ids are left")
  func answersAtLimit() async throws {
    var options = try Options([String]())
    options.limits.readBytes = 2_000
    let gate = Gate(
      library: Library(options) { _ in }, permissions: options.permissions, limits: SessionLimits(options.limits))
    let toolbox = Toolbox(Catalog([:]), gate)
    let runs = Mutex(0)
    func tool(done: JSONObject?) -> Tool {
      Tool(name: "tool", description: "", input: [:], output: [:], effects: .reads) { _ in
        runs.withLock { $0 += 1 }
        return ToolAnswer(
          structured: ["text": .string(String(repeating: "a", count: 3_000))], summary: "Added. Commit 5.", done: done)
      }
    }
    for _ in 0..<3 {
      let refused = try await toolbox.call(tool(done: nil), nil, onProgress: nil)
      #expect(refused["isError"] == true && JSONValue.object(refused).description.firstRange(of: "aaa") == nil)
    }
    var answers = 0
    for count in 4... {
      let answer = JSONValue.object(
        try await toolbox.call(tool(done: ["clock": 5, "ids": ["a"]]), nil, onProgress: nil))
      guard answer["isError"] == false else {
        #expect(answer["content"]?[0]?["text"]?.stringValue?.contains("Nothing was done") == true)
        // It was not run.
        #expect(runs.withLock(\.self) == count - 1)
        break
      }
      answers += 1
      #expect(answer["structuredContent"] == ["clock": 5, "ids": ["a"], "untrusted": true])
      #expect(answer["content"]?[0]?["text"]?.stringValue?.hasPrefix("Added. Commit 5.") == true)
    }
    #expect((2...20).contains(answers))
  }

  @Test("an argument is read as its type, within its bounds, or refused by its name")
  func arguments() throws {
    let names = ["text", "blank", "long", "number", "flag", "object", "list", "mixed", "empty", "null", "absent"]
    let arguments = try ToolArguments(
      [
        "text": "a", "blank": " ", "long": .string(String(repeating: "x", count: 100_001)), "number": 5, "flag": true,
        "object": ["a": 1], "list": ["a", "b"], "mixed": ["a", 1], "empty": [], "null": .null,
      ], of: "tool", names: names)
    #expect(try arguments.text("text") == "a" && arguments.text("absent") == nil && arguments.text("null") == nil)
    #expect(try arguments.requiredText("text") == "a" && arguments.integer("number", in: 1...5) == 5)
    #expect(try arguments.flag("flag") && !arguments.flag("absent") && arguments.object("object") == ["a": 1])
    #expect(try arguments.texts("list", most: 2) == ["a", "b"] && arguments.texts("absent", most: 2) == nil)
    #expect(try arguments.integer("absent", in: 1...5) == nil && arguments.object("absent") == nil)
    let wrong: [(String, () throws -> Void)] = [
      ("blank", { _ = try arguments.text("blank") }), ("long", { _ = try arguments.text("long") }),
      ("number", { _ = try arguments.text("number") }), ("absent", { _ = try arguments.requiredText("absent") }),
      ("number", { _ = try arguments.integer("number", in: 1...4) }),
      ("number", { _ = try arguments.integer("number", in: 6...9) }),
      ("text", { _ = try arguments.integer("text", in: 1...4) }), ("text", { _ = try arguments.flag("text") }),
      ("list", { _ = try arguments.object("list") }), ("list", { _ = try arguments.texts("list", most: 1) }),
      ("mixed", { _ = try arguments.texts("mixed", most: 9) }),
      ("empty", { _ = try arguments.texts("empty", most: 9) }),
      ("text", { _ = try arguments.texts("text", most: 9) }),
    ]
    for (name, read) in wrong {
      let failure = #expect(throws: ToolFailure.self) { try read() }
      #expect(failure?.data["field"] == .string(name) && failure?.text.contains(name) == true, "\(name)")
    }
    #expect(try ToolArguments(nil, of: "tool", names: []).members.isEmpty)
    #expect(try ToolArguments(.null, of: "tool", names: []).members.isEmpty)
    #expect(throws: ToolFailure.self) { try ToolArguments([1], of: "tool", names: []) }
    let slip = #expect(throws: ToolFailure.self) {
      try ToolArguments(["titles": 1], of: "tool", names: ["title", "id"])
    }
    #expect(slip?.text.contains("Did you mean “title”?") == true && slip?.data["field"] == "titles")
  }

  @Test("a file is reached below the folders that the user named, without links, and not in the daemon's own")
  func reach() throws {
    let folder = TemporaryFolder()
    let root = try #require(FileReach.realPath(folder.path))
    for name in ["open/sub", "closed", "other"] {
      try FileManager.default.createDirectory(atPath: "\(root)/\(name)", withIntermediateDirectories: true)
    }
    try Data().write(to: URL(filePath: root + "/open/there"))
    try FileManager.default.createSymbolicLink(atPath: root + "/open/out", withDestinationPath: root + "/other")
    try FileManager.default.createSymbolicLink(atPath: root + "/open/in", withDestinationPath: root + "/open/sub")
    try FileManager.default.createSymbolicLink(atPath: root + "/open/gone", withDestinationPath: root + "/open/none")
    let reach = FileReach(folders: [root + "/open", root + "/closed"], closed: [root + "/closed"])
    func path(_ path: String, _ reach: FileReach = reach) -> String? {
      (try? reach.resolved(["path": .string(path), "title": "x"], paths: ["path"]))?["path"]?.stringValue
    }
    for (given, real) in [
      ("/open/new", "/open/new"), ("/open/there", "/open/there"), ("/open", "/open"), ("/open/sub/../new", "/open/new"),
      ("/open/in/new", "/open/sub/new"), ("/open//new", "/open/new"),
    ] {
      #expect(path(root + given) == root + real, "\(given)")
    }
    for given in [
      "/other/a", "/openly", "/open/out/a", "/open/gone", "/open/none/a", "/closed/a", "/closed", "/open/..",
      "/open/../other/a", "", "/open/new\0",
    ] {
      #expect(path(root + given) == nil, "\(given)")
    }
    #expect(path("open/new") == nil && path(root + "/open/new", FileReach()) == nil)
    let both = try reach.resolved(["paths": [.string(root + "/open/in/a"), 5]], paths: ["paths"])
    #expect(both["paths"] == [.string(root + "/open/sub/a"), 5])
    #expect(throws: ToolFailure.self) {
      try reach.resolved(["paths": [.string(root + "/open/a"), .string(root + "/other/a")]], paths: ["paths"])
    }
    for url in ["FILE:///etc/passwd", " \n\tfile:/etc/passwd"] {
      #expect(throws: ToolFailure.self) { try reach.resolved(["url": .string(url)], paths: []) }
      #expect(throws: ToolFailure.self) { try reach.resolved(["field": "url", "value": .string(url)], paths: []) }
    }
    for params in [
      ["url": "https://a.example/file:"], ["field": "text", "value": "File: a note"], ["value": "file:/a"],
    ] as [JSONObject] {
      #expect(try reach.resolved(params, paths: []) == params)
    }
    // No path of the user's files, such as that of a text of the library.
    #expect(try reach.resolved(["path": "diary/today.md"], paths: []) == ["path": "diary/today.md"])
  }

  @Test("a tool is offered where the daemon has the methods that it calls, and these are permitted")
  func offered() throws {
    let options = try Options([String]())
    let gate = Gate(
      library: Library(options) { _ in }, permissions: options.permissions, limits: SessionLimits(options.limits))
    func tools(_ method: String, effect: JSONValue = "reads") -> Set<String> {
      let row: JSONValue = ["name": .string(method), "x-kind": "read", "x-effects": [effect]]
      return Set(Toolbox(Catalog(["methods": [row]]), gate).tools.map(\.name))
    }
    for (method, tool) in [("diary/day", "day"), ("changes/undo", "undo"), ("changes/log", "history")] {
      #expect(tools(method) == [tool, "call"], "\(method)")
      // Of a newer daemon.
      #expect(tools(method, effect: "explodes") == ["call"], "\(method)")
    }
  }

  @Test("the arguments of the program set permissions and limits, and wrong ones are refused")
  func options() throws {
    let options = try Options([
      "--program", "/c", "--version", "3", "--library", "l", "--socket", "s", "--connection", "7", "--locale", "ko",
      "--time-zone", "Asia/Seoul", "--allow", "write,files", "--allow", "network", "--collections", "diary, notes",
      "--files", "/", "--closed", "/nowhere", "--name", "bot", "--commits-per-minute", "1", "--items-per-commit", "2",
      "--read-limit", "3", "--answer-tokens", "1000000",
    ])
    #expect(options.program == "/c" && options.version == "3" && options.library == "l" && options.socket == "s")
    #expect(
      options.connection == 7 && options.locale == "ko" && options.timeZone == "Asia/Seoul" && options.name == "bot")
    #expect(options.permissions.effects == [.reads, .writes, .files, .network])
    #expect(options.permissions.collections == ["diary", "notes"] && options.permissions.files.folders == ["/"])
    #expect(options.permissions.files.closed == ["/nowhere"])
    #expect(options.limits.commitsPerMinute == 1 && options.limits.itemsPerCommit == 2)
    #expect(options.limits.readBytes == 3 << 20 && options.limits.answerTokens == 1_000_000)
    let usual = try Options([String]())
    #expect(usual.permissions.effects == .reads && usual.permissions.collections == nil && usual.name == "agent")
    for wrong in [
      ["--name"], ["--none", "x"], ["--allow", "everything"], ["--files", "/nowhere/at/all"], ["--name", "a/b"],
      ["--name", "a b"], ["--name", ""], ["--name", String(repeating: "a", count: 65)], ["--answer-tokens", "0"],
      ["--answer-tokens", "1000001"], ["--read-limit", "x"],
    ] {
      #expect(throws: Options.Invalid.self, "\(wrong)") { try Options(wrong) }
    }
  }

  @Test("of many items those that failed are named, up to twenty of them")
  func manyItems() throws {
    func failed(_ id: String) -> JSONValue {
      ["id": .string(id), "failure": ["message": "No.", "advice": "Try.", "kind": "notFound", "field": "id"]]
    }
    let some = try #require(ManyItemsAnswer(["items": [1, 2], "failed": [failed("a")], "rest": ["x", "y"]]))
    #expect(!some.hasFailed && some.lines == "- a: No. Try. (notFound, id)")
    #expect(
      some.summary
        == "1 of 3 failed; the next block says which and why. 2 more were not reached: send the ids in `rest` again.")
    let all = try #require(ManyItemsAnswer(["items": [], "failed": .array((1...21).map { failed("\($0)") })]))
    #expect(all.hasFailed && all.lines?.split(separator: "\n").count == 21)
    #expect(all.lines?.hasSuffix("- 1 more, which the structured content names.") == true)
    let none = try #require(ManyItemsAnswer(["items": [1], "failed": []]))
    #expect(!none.hasFailed && none.summary == "" && none.lines == nil)
    let bare = try #require(ManyItemsAnswer(["items": [], "failed": [["id": "a", "failure": ["message": "No."]]]]))
    #expect(bare.lines == "- a: No.")
    for other in [["items": []], ["failed": []], ["items": [], "failed": [["id": "a"]]], ["id": "a"]] as [JSONValue] {
      #expect(ManyItemsAnswer(other) == nil, "\(other)")
    }
  }
}
