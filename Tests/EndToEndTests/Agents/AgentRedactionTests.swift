import Glibc
import TestSupport
import Testing
import Wire

@testable import Client
@testable import commonplace_mcp

/// What replies, errors and notifications do not show to agents, without an agent and a server.
@Suite("Agents: names of files and items out of reach") struct AgentRedactionTests {
  private static let files: Set = ["path", "paths", "file", "missingFiles", "origins", "source", "message", "advice"]

  private static func redaction(_ effects: Permissions = Permissions()) -> Redaction {
    Redaction(permissions: effects, files: files)
  }

  @Test("a reply has no items of other collections, and no paths for agents that may use no files")
  func replies() {
    let reply: JSONValue = [
      "items": [["collection": "diary", "id": "1"], ["collection": "posts", "id": "2"]], "path": "/a b",
      "file": ["path": "/b", "size": 3], "paths": ["/c"], "origins": ["/d", "https://e.example/"],
    ]
    #expect(
      Self.redaction().visible(reply) == [
        "items": [["collection": "diary", "id": "1"], ["collection": "posts", "id": "2"]], "file": ["size": 3],
        "paths": [], "origins": ["https://e.example/"],
      ])
    var permissions = Permissions()
    permissions.effects = [.reads, .files]
    #expect(Self.redaction(permissions).visible(reply) == reply)
    permissions.collections = ["diary"]
    let visible = Self.redaction(permissions).visible(reply)
    #expect(visible?["items"] == [["collection": "diary", "id": "1"]] && visible?["path"] == "/a b")
    #expect(visible?["origins"] == ["/d", "https://e.example/"])
    #expect(Self.redaction(permissions).visible(["collection": "posts"]) == nil)
  }

  @Test("versions, conflicts and failures have no paths either, and texts of the user keep theirs")
  func versions() {
    let reply: JSONValue = [
      "before": ["path": "/home/ann/a.ics", "title": "A"], "text": "I keep it in /home/ann.",
      "diffs": [["field": "path", "diff": ["parts": ["ann"]]], ["field": "title", "diff": []]],
      "theirs": ["path": "/home/ann/b.ics"], "source": "/home/ann/tasks.ics", "missingFiles": ["/home/ann/a b.pdf"],
      "failure": ["kind": "notFound", "message": "/home/ann/my files/a.ics cannot be read.", "advice": "Try again."],
    ]
    #expect(
      Self.redaction().visible(reply) == [
        "before": ["title": "A"], "text": "I keep it in /home/ann.", "diffs": [["field": "title", "diff": []]],
        "theirs": [:], "missingFiles": [],
        "failure": [
          "kind": "notFound", "message": "The daemon's sentence names a file, which this session may not see.",
          "advice": "Try again.",
        ],
      ])
  }

  @Test("an error names no file, in its sentence and its data, to agents that may use no files")
  func errors() {
    let error = RemoteError([
      "code": -32_000, "message": "There is no folder /home/ann/my papers. Try /home/ann.",
      "data": [
        "kind": "notFound", "advice": "Try /home/ann.", "field": "id",
        "conflicts": [["collection": "diary", "id": "1"], ["collection": "posts", "id": "2"]],
      ],
    ])
    var permissions = Permissions()
    permissions.collections = ["diary"]
    let visible = Self.redaction(permissions).visible(error)
    #expect(visible.message == "The daemon's sentence names a file, which this session may not see.")
    #expect(
      visible.data == ["kind": "notFound", "field": "id", "conflicts": [["collection": "diary", "id": "1"]]])
    permissions.effects = [.reads, .files]
    permissions.collections = nil
    #expect(Self.redaction(permissions).visible(error) == error)
  }

  @Test(
    "a slash that begins a word, and a file URI, name a file; links, dates, tags and alternatives do not",
    arguments: [
      ("/home/ann", true), ("No file at /a.", true), ("“/a b” is gone", true), ("(/a)", true), ("~ /a", true),
      ("파일 /홈", true), ("文件/a", true), ("see file:///etc/passwd", true), ("x=/a", true),
      ("config.toml:/home/ann", true), ("</home/ann>", true), ("</home/ann", true), ("//home/ann", true),
      ("FILE:/etc", true), ("see File:///etc/passwd", true), ("x:///home/ann", true), ("my.commonplace:/a", true),
      ("", false), ("/", false), ("a / b", false), ("and/or", false), ("https://a.example/b/", false),
      ("commonplace:/diary/1", false), ("[a](commonplace:///text/a)", false), ("https://a.example:80//b", false),
      ("see <h1>a</h1>", false), ("11/27", false), ("<p>a</p>", false), ("../a", false), ("//", false),
    ])
  func names(_ text: String, _ isFile: Bool) {
    #expect(Redaction.namesFile(text) == isFile, "\(text)")
  }

  @Test("progress grows, names no file, and ends before the answer")
  func progress() throws {
    var ends: [Int32] = [0, 0]
    try #require(pipe(&ends) == 0)
    let report = ProgressReport("token", Output(ends[1]), Permissions())
    let reports: [(Int64, String?)] = [(10, "A title"), (10, "again"), (5, "less"), (20, "/home/ann/a.pdf"), (30, nil)]
    for (percentage, message) in reports {
      var value: JSONObject = ["percentage": .integer(percentage)]
      value["message"] = message.map { .string($0) }
      report.report(.object(value))
    }
    report.end()
    report.report(["percentage": 90])
    close(ends[1])
    var buffer = [UInt8](repeating: 0, count: 4_096)
    let count = read(ends[0], &buffer, buffer.count)
    close(ends[0])
    let lines = try buffer.prefix(max(0, count)).split(separator: UInt8(ascii: "\n")).map {
      try JSONParser.parse(Array($0))["params"] ?? .null
    }
    #expect(lines.map { $0["progress"]?.doubleValue } == [10, 20, 30])
    #expect(lines.map { $0["message"] } == ["A title", nil, nil])
    #expect(lines.first?["_meta"]?["commonplace/untrusted"] == true && lines.first?["progressToken"] == "token")
  }
}
