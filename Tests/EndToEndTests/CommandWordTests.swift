import Contract
import Display
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

/// A method whose params and result have a field of each kind.
private enum Everything: Contract.Method {
  static let name = "try/shown"
  static let summary = "Shows one of everything."
  static let since = 2
  static let effects: Effects = [.writes]

  enum Mood: String, Choice { case glad, sad }

  struct Part: Payload {
    var depth: Int
    var name: String?
    static let example = Part(depth: 1, name: nil)
    static let fields = ["depth": "A number.", "name": "A text."]
  }

  struct Params: Payload {
    var id: String
    var count: Int?
    var least: Int?
    var most: Int?
    var ratio: Double?
    var note: Patch<String>
    var path: String?
    var paths: [String]?
    var secret: String?
    var mood: Mood?
    static let example = Params(
      id: "0192", count: nil, least: nil, most: nil, ratio: nil, note: .absent, path: nil, paths: nil, secret: nil,
      mood: nil)
    static let fields = Dictionary(
      uniqueKeysWithValues: [
        "id", "count", "least", "most", "ratio", "note", "path", "paths", "secret", "mood",
      ].map { ($0, "A field.") })
    static let limits: [String: FieldLimits] = [
      "count": .range(1...9), "least": FieldLimits(minimum: 2), "most": FieldLimits(maximum: 3),
      "ratio": .range(0.5...1.5), "path": .form(.absolutePath), "paths": .form(.absolutePath),
    ]
    static let secrets: Set<String> = ["secret"]
    static let exactlyOne = [["path", "paths"]]
    static let atMostOne = [["least", "most"]]
  }

  struct Result: Payload {
    var part: Part
    var parts: [Part]
    static let example = Result(part: .example, parts: [])
    static let fields = ["part": "A part.", "parts": "Parts."]
  }
}

private enum NoParams: Contract.Method {
  static let name = "try/nothing"
  static let summary = "Takes nothing."
  static let effects: Effects = []
  typealias Params = Empty
  typealias Result = Empty
}

@Suite("Words of the command line") struct CommandWordTests {
  @Test("a field is described by its type, its limits, its presence and its effects")
  func fields() throws {
    guard case .object(let params) = MethodDescription(Everything.self, kind: "write").params else {
      return #expect(Bool(false))
    }
    let words = Dictionary(uniqueKeysWithValues: params.fields.map { ($0.name, $0.words) })
    #expect(
      words == [
        "id": "text, required", "count": "whole number, 1 to 9", "least": "whole number, at least 2",
        "most": "whole number, at most 3", "ratio": "number, 0.5 to 1.5", "note": "text, null clears it",
        "path": "path", "paths": "list of path", "secret": "text, secret", "mood": "glad | sad",
      ])
  }

  @Test("a method's page has its params, what excludes what, its result, and the parts of that")
  func page() {
    #expect(
      MethodPage(MethodDescription(Everything.self, kind: "write")).text == """
        try/shown

          Shows one of everything.
          Since level 2, writes.

        PARAMETERS
          id  (text, required)
              A field.
          count  (whole number, 1 to 9)
              A field.
          least  (whole number, at least 2)
              A field.
          most  (whole number, at most 3)
              A field.
          ratio  (number, 0.5 to 1.5)
              A field.
          note  (text, null clears it)
              A field.
          path  (path)
              A field. The daemon requires it to be absolute; with this command it may
              be relative.
          paths  (list of path)
              A field. The daemon requires it to be absolute; with this command it may
              be relative.
          secret  (text, secret)
              A field.
          mood  (glad | sad)
              A field.
          Exactly one of: path, paths
          At most one of: least, most

        ANSWER
          part  (everything part, required)
              A part.
          parts  (list of everything part, required)
              Parts.

        EVERYTHING PART
          depth  (whole number, required)
              A number.
          name  (text)
              A text.

        EXAMPLE
          commonplace call try/shown id=0192

          {
            "part": {"depth": 1},
            "parts": []
          }

        """)
    let nothing = MethodPage(MethodDescription(NoParams.self, kind: "read")).text
    #expect(nothing.contains("PARAMETERS\n  none\n\nANSWER\n  none\n"))
  }

  @Test("a paragraph is wrapped between words, and a long word is not cut")
  func paragraphs() {
    #expect(Paragraph.lines("aa bb cc", indent: "  ", width: 7) == ["  aa bb", "  cc"])
    #expect(Paragraph.lines("aa bb cc", indent: "  ", width: 6) == ["  aa", "  bb", "  cc"])
    #expect(Paragraph.lines("aa bb", indent: "  ", first: "x  ", width: 9) == ["x  aa bb"])
    #expect(Paragraph.lines("abcdefgh b", indent: " ", width: 4) == [" abcdefgh", " b"])
    #expect(
      Paragraph.lines("한글 b", indent: "", width: 5) == ["한글", "b"]
        && Paragraph.lines("한글 b", indent: "", width: 6).count == 1)
    #expect(Paragraph.lines("", indent: "  ").isEmpty && Paragraph.lines(" a  b ", indent: "") == ["a b"])
  }

  @Test("the area is meant where its name is written, or the only one that begins so, and never for a method's name")
  func areas() {
    for (name, area) in [
      ("projects", "projects"), ("projects/zzzzzzzz", "projects"), ("dia", "diary"), ("di", nil), ("projects/add", nil),
      ("projects/ad", nil), ("add", nil), ("zzzzzzzz", nil), ("projcts", "projects"), ("zzzzzzzz/zzzzzzzz", nil),
    ] { #expect(MethodNames.likelyArea(for: name) == area, "\(name)") }
    for (name, area) in [
      ("projects/add", "projects"), ("initialize", "session"), ("$/cancelRequest", "session"),
      ("rpc.discover", "session"),
      ("textDocument/hover", "text"), ("text/open", "text"),
    ] { #expect(methodArea(of: name) == area, "\(name)") }
    #expect(
      MethodNames.named("add").contains("projects/add") && MethodNames.named("add") == MethodNames.named("add").sorted()
    )
    #expect(Set(MethodNames.areas).count == MethodNames.areas.count && MethodNames.areas.contains("diary"))
    // The ending that only one method has means that one.
    #expect(
      MethodNames.likely(for: "resolveConflict") == nil
        || MethodNames.likely(for: "resolveConflict")?.hasSuffix("Conflict") == true)
    // Only the whole name without its area is such an ending.
    for name in ["addCalendar", "toggleBookmark"] {
      #expect(MethodNames.likely(for: name)?.hasSuffix("/" + name) == true, "\(name)")
    }
    for name in ["dCalendar", "eBookmark"] { #expect(MethodNames.likely(for: name) == nil, "\(name)") }
    #expect(MethodNames.likely(for: "projects/ad") == "projects/add")
    #expect(RPCError.unknownMethod("diary").text.key == "command.methodIsArea")
    #expect(
      RPCError.unknownMethod("projects/ad").text
        == Text("command.unknownMethodNearest", ["method": "projects/ad", "nearest": "projects/add"]))
    #expect(RPCError.unknownMethod("zzzzzzzz").text.key == "command.unknownMethod")
  }

  @Test("an added item is shown in one row, unless its reply says more than that")
  func added() {
    let say: (Text) -> String = { $0.key }
    func row(_ more: JSONObject) -> String? {
      var reply: JSONObject = [
        "id": "0192f0c1-6a00-7000-8000-00000000c892", "title": "Return the book",
        "createdAt": "2026-11-21T22:44:05.678Z",
      ]
      for member in more.members { reply[member.key] = member.value }
      let screen = Screen(width: 80, ink: Ink(isOn: false), zone: .utc, say: say)
      return BriefItem(.object(reply), heading: Text("table.added"), say: say)?.text(on: screen)
    }
    #expect(row([:])?.hasPrefix("table.added") == true && row(["existing": true])?.hasPrefix("table.existing") == true)
    for plain: JSONObject in [
      ["existing": false], ["keptTitle": false], ["repaired": false], ["warnings": []], ["similar": []],
      ["saved": true],
    ] { #expect(row(plain)?.hasPrefix("table.added") == true, "\(plain)") }
    for more: JSONObject in [
      ["keptTitle": true], ["similar": [["id": "1"]]], ["saved": false], ["id": 7],
      ["warnings": [["kind": "keyNeeded", "display": "It wants a key."]]],
      ["failure": ["kind": "timedOut", "display": "It took too long."]],
    ] { #expect(row(more) == nil, "\(more)") }
    #expect(row(["repaired": true])?.contains("table.repaired") == true)
    #expect(row(["repaired": true, "existing": true])?.contains("table.repaired") == false)
    // A saved item is marked by the user, not by the reply.
    #expect(row(["saved": true]) == row([:]))
    // What was just added is unread, and its first word stands apart from the row.
    #expect(row(["read": false]) == row([:]))
    #expect(row(["display": ["reminders": ["1 hour before"]]])?.contains("table.reminds") == true)
    #expect(row(["display": ["message": "Again.", "reminders": ["at 9"]]])?.contains("Again. table.reminds") == true)
  }

  @Test("a reply that is one text is that text, and a text beside other members is one only with its format")
  func alone() throws {
    let voice = try Voice(environment: [:], locale: "en")
    let screen = Screen(width: 60, ink: Ink(isOn: false), zone: .utc, say: { voice.sentence($0) })
    func text(_ reply: JSONValue, _ fields: [(String, Shape)]) -> String? {
      var method = MethodDescription(NoParams.self, kind: "read")
      method.name = "try/text"
      guard case .object(var object) = method.result else { return nil }
      object.fields = fields.map { name, shape in
        guard case .object(let params) = MethodDescription(Everything.self, kind: "write").params,
          var field = params.fields.first
        else { fatalError("no field") }
        (field.name, field.shape, field.presence) = (name, shape, .optional)
        return field
      }
      method.result = .object(object)
      return ShownReply.text(of: reply, to: method, on: screen)
    }
    let format = Shape.choice("Format", ["markdown", "text"])
    #expect(
      text(["text": "a\nb"], [("text", .string)]) == "a\nb\n" && text(["text": "a\n"], [("text", .string)]) == "a\n")
    #expect(text(["text": "a", "format": "text"], [("text", .string), ("format", format)]) == "a\n")
    #expect(text(["text": "a", "other": "b"], [("text", .string), ("other", .string)]) != "a\n")
  }

  @Test("a folder's outcome is not that of a folder that only begins alike")
  func folders() throws {
    let voice = try Voice(environment: [:], locale: "en")
    let folder = TemporaryFolder()
    let (a, ab) = (folder.file("a"), folder.file("ab"))
    for path in [a, ab] { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
    func failed(_ path: String) -> [String] {
      var outcome = AddingReport()
      outcome.add(["added": 1, "files": [["path": .string(path), "outcome": "added", "id": "1"]]], of: [a], voice)
      return outcome.failed.map(\.source)
    }
    #expect(failed(ab + "/x.pdf") == [a] && failed(a + "/x.pdf") == [] && failed(a) == [])
  }

  @Test("a daemon inherits only the variables that its work and its secrets need")
  func environment() {
    let kept = Launch.environment(
      from: [
        "HOME": "/h", "LANG": "ko_KR", "PATH": "/p", "TZ": "UTC", "LC_TIME": "en", "XDG_DATA_HOME": "/d", "KEY": "k",
        "LD_PRELOAD": "x", "HOMEX": "x", "SHELL": "x", "XDG": "x",
      ], variables: ["KEY"])
    #expect(kept == ["HOME=/h", "KEY=k", "LANG=ko_KR", "LC_TIME=en", "PATH=/p", "TZ=UTC", "XDG_DATA_HOME=/d"])
  }

  @Test("a file name at the end of a method's own text is an address only with its scheme")
  func addresses() {
    for text in ["http://a", "HTTPS://a", "https://"] { #expect(text.isURL) }
    for text in ["ftp://a", "http:/a", "a http://b", ""] { #expect(!text.isURL) }
  }
}
