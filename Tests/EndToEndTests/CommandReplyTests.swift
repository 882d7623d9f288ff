import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("Parts of replies on the command line") struct CommandReplyTests {
  private let screen = Screen(
    width: 60, ink: Ink(isOn: false), zone: .utc,
    say: { text in
      text.key + text.arguments.sorted { $0.key < $1.key }.map { " \($0.key)=\($0.value)" }.joined()
    })

  private func remainder(_ list: JSONValue, shown: Int, counted: Int = 0) -> [String] {
    ListPart(list, shown: shown, counted: counted).remainder(on: screen)
  }

  @Test("a part of a list says how much of it is shown, and how to go on, in the way that the list has")
  func parts() {
    #expect(remainder(["hasMore": false, "total": 9], shown: 2) == [] && remainder(["total": 2], shown: 2) == [])
    #expect(remainder(["hasMore": true, "total": 9], shown: 0) == [])
    let next: JSONValue = ["hasMore": true, "next": "x", "total": 1_234, "offset": 4]
    #expect(remainder(next, shown: 2) == ["table.next next=x offset=4 shown=2 total=1,234"])
    func changed(_ members: JSONObject) -> [String] {
      var list = next.objectValue ?? [:]
      for member in members.members { list[member.key] = member.value }
      return remainder(.object(list), shown: 2, counted: 3)
    }
    #expect(changed(["totalIsEstimate": true]).first?.hasPrefix("table.nextAbout ") == true)
    #expect(changed(["totalIsFloor": true]).first?.hasPrefix("table.nextFloor ") == true)
    #expect(changed(["total": 6]).first?.hasPrefix("table.perhaps ") == true)
    #expect(changed(["total": 7]).first?.hasPrefix("table.next ") == true)
    #expect(changed(["next": .null]) == ["table.moreByOffset next= offset=7 shown=2 total=1,234"])
    // A list without a cursor that counts nothing of its own, such as a board's column.
    #expect(remainder(["count": 5], shown: 2) == ["table.more next= offset=0 shown=2 total=5"])
    // Cards for someday are counted and out of sight.
    #expect(remainder(["count": 5, "later": 3], shown: 2) == ["table.later count=3"])
    #expect(remainder(["count": 5, "later": 3], shown: 0) == ["table.later count=3"])
    #expect(
      remainder(["count": 9, "later": 3], shown: 2)
        == ["table.more next= offset=0 shown=2 total=9", "table.later count=3"])
    #expect(remainder(["count": 5, "later": 3], shown: 5) == [])
    #expect(ListPart(["offset": 3], shown: 0).nothing(on: screen).key == "table.noneMore")
    #expect(ListPart(["offset": 0], shown: 0).nothing(on: screen) == screen.nothing)
  }

  @Test("the failures of a reply are counted against what was tried, and a whole failure is one without any success")
  func failures() throws {
    func failures(_ reply: JSONValue, _ method: String, ofMany: Bool = false) throws -> String {
      let description = try #require(MethodNames.describe(method))
      let shape = ofMany ? try #require(description.resultOfMany) : description.result
      guard let failures = ReplyFailures(reply, of: shape) else { return "none" }
      return "\(failures.failed)/\(failures.tried) \(failures.isAll)"
    }
    let failed: JSONValue = ["id": "x", "failure": ["kind": "notFound"]]
    #expect(try failures(["items": [["id": "a"]], "failed": [failed]], "projects/get", ofMany: true) == "1/2 false")
    #expect(try failures(["items": [], "failed": [failed, failed]], "projects/get", ofMany: true) == "2/2 true")
    #expect(try failures(["items": [["id": "a"]], "failed": []], "projects/get", ofMany: true) == "none")
    #expect(try failures(["items": [["id": "a"]]], "projects/get", ofMany: true) == "none")
    #expect(try failures(["failed": [failed]], "projects/get") == "none")
    // Items that were not reached are not done either.
    #expect(
      try failures(["items": [], "failed": [failed], "rest": ["y", "z"]], "projects/get", ofMany: true) == "3/3 true")
    let imported: JSONObject = ["added": 0, "updated": 0, "known": 0, "skipped": 2, "notes": []]
    #expect(try failures(.object(imported), "diary/import") == "2/2 true")
    for name in ["added", "updated", "known", "undecided"] {
      var other = imported
      other[name] = 1
      #expect(try failures(.object(other), "diary/import") == "2/3 false", "\(name)")
    }
    #expect(try failures(["added": 1, "skipped": 0, "notes": []], "diary/import") == "none")
  }

  @Test("a dry run's result is done by the same call with its token, and no other call is offered")
  func nextCalls() throws {
    let method = try #require(MethodNames.describe("diary/import"))
    func line(_ reply: JSONObject, _ words: String...) -> String? {
      NextCall.line(confirming: reply, of: method, asked: words)
    }
    let token: JSONObject = ["confirm": "abc"]
    #expect(
      line(token, "path=/a b", "dryRun:=true", "format=jrnl", "confirm=old")
        == "commonplace call diary/import path='/a b' format=jrnl confirm=abc")
    #expect(line(token, "dryRun=true") == "commonplace call diary/import confirm=abc")
    #expect(line([:], "path=/a") == nil && line(token, "{\"path\":\"/a\"}") == nil && line(token, "-") == nil)
    #expect(line(token, "path") == nil)
    let other = try #require(MethodNames.describe("projects/get"))
    #expect(NextCall.line(confirming: token, of: other, asked: []) == nil)
  }

  @Test("notes on items are a paragraph each, with their place, and what was left out is said so")
  func notes() {
    func lines(_ notes: JSONObject..., width: Int = 60) -> [String]? {
      NoteLines(notes, on: screen, width: width)?.lines
    }
    let label = screen.label("line")
    #expect(lines(["display": "It is so."]) == ["– It is so."])
    #expect(lines(["display": "It is so.", "line": 2, "number": 1, "title": "A"]) == ["– \(label) 2, A: It is so."])
    #expect(
      lines(["display": "So.", "file": "b.md", "number": 1, "skipped": true])
        == ["– b.md, \(screen.label("number")) 1: So. (\(screen.label("skipped")))"])
    #expect(lines(["display": "So.", "skipped": false]) == ["– So."])
    #expect(lines(["display": "aa bb cc"], width: 7) == ["– aa bb", "  cc"])
    #expect(lines(["display": "So.", "id": "x"]) == nil && lines(["title": "A"]) == nil && lines() == [])
    #expect(lines(["display": "So."], ["title": "A"]) == nil)
  }

  @Test("a difference of texts is shown with its removed and added pieces, or with the words for its values")
  func differences() throws {
    let value: JSONValue = [
      "pieces": [
        ["kind": "same", "text": "Return "], ["kind": "removed", "text": "the"], ["kind": "added", "text": "both"],
        ["kind": "same", "text": " books"],
      ]
    ]
    let diff = try #require(ShownDiff(value))
    #expect(
      diff.older == "Return the books" && diff.lines(width: 60, Ink(isOn: false)) == ["Return [-the-]{+both+} books"])
    let ink = Ink(isOn: true)
    #expect(diff.lines(width: 60, ink) == ["Return " + ink.alarming("the") + ink.fresh("both") + " books"])
    for odd: JSONValue in [
      .null, ["pieces": []], ["pieces": [["kind": "odd", "text": "a"]]], ["pieces": [["kind": "same"]]], [:],
    ] { #expect(ShownDiff(odd) == nil) }
    #expect(ShownDiff(nil) == nil)
    let field = ShownDiff(of: ["display": ["before": "today", "after": "tomorrow"], "diff": value])
    #expect(field?.lines(width: 60, Ink(isOn: false)) == ["[-today-]{+tomorrow+}"])
    let new = ShownDiff(of: ["display": ["before": "", "after": "tomorrow"]])
    #expect(new?.lines(width: 60, Ink(isOn: false)) == ["{+tomorrow+}"])
    #expect(ShownDiff(of: ["display": ["before": "today"], "diff": value])?.older == "Return the books")
  }

  @Test("the commits of a notification are named by what they have in common")
  func commits() {
    func commit(_ clock: Int64, _ client: String, _ label: String = "diary/add", _ action: String = "write")
      -> JSONValue
    {
      [
        "clock": .integer(clock), "client": .string(client), "label": .string(label), "action": .string(action),
        "at": .string("2026-11-21T03:04:0\(clock).000Z"),
      ]
    }
    let two = ReportedCommits(log: [commit(5, "b"), commit(4, "a"), commit(3, "x")], since: 3, clock: 5)
    #expect(two.names == ["a", "b"] && two.client == "a, b" && two.label == "diary/add" && two.turn == nil)
    #expect(two.at?.description == "2026-11-21T03:04:05.000Z")
    let same = ReportedCommits(log: [commit(5, "a"), commit(4, "a", "diary/remove")], since: 3, clock: 5)
    #expect(same.names == ["a"] && same.label == nil)
    #expect(ReportedCommits(log: [commit(5, "", "")], since: 4, clock: 5).label == nil)
    #expect(ReportedCommits(log: [commit(5, "")], since: 4, clock: 5).names == [])
    let undone = [commit(5, "a", "diary/add", "undo"), commit(4, "a", "diary/add", "undo")]
    #expect(ReportedCommits(log: undone, since: 3, clock: 5).turn == .undone)
    #expect(ReportedCommits(log: [commit(5, "a", "diary/add", "redo")], since: 4, clock: 5).turn == .redone)
    // Where a commit is missing from the log, or is another's turn, nothing is said of it.
    #expect(ReportedCommits(log: undone, since: 2, clock: 5).turn == nil)
    #expect(ReportedCommits(log: undone + [commit(2, "a")], since: 2, clock: 5).turn == .undone)
    #expect(ReportedCommits(log: [undone[0], commit(4, "a")], since: 3, clock: 5).turn == nil)
    #expect(ReportedCommits(log: [], since: 0, clock: 0).at == nil)
    let kinds = ["added", "removed", "updated"].map { ["kind": .string($0)] as JSONValue }
    #expect(kinds.map { ReportedCommits.Turn.undone.original(of: $0)["kind"] } == ["removed", "added", "updated"])
    #expect(kinds.map { ReportedCommits.Turn.redone.original(of: $0)["kind"] } == ["added", "removed", "updated"])
    #expect(ReportedCommits.Turn.undone.text(of: "a") == Text("watch.undone", ["what": "a"]))
    #expect(ReportedCommits.Turn.redone.text(of: "a") == Text("watch.redone", ["what": "a"]))
  }

  @Test("the places of an ambiguous quote are numbered, with the param that names each")
  func places() {
    let place: JSONValue = [
      "prefix": " so we\nsay it ", "text": "again", "suffix": " and then", "quads": [[1, 2, 3, 4, 5, 6, 7, 8]],
    ]
    #expect(
      Places(["places": [place, ["text": "a\u{1B}"]]]).lines == [
        "  1. so we say it [again] and then", "     quads:='[[1,2,3,4,5,6,7,8]]'", "  2. [a\\u{1b}]",
      ])
    #expect(Places(nil).lines == [] && Places(["places": [["text": "a", "quads": []]]]).lines == ["  1. [a]"])
  }

  @Test("a file that a reply names is copied to the place that was asked for, and replaces another only if it may")
  func files() throws {
    let folder = TemporaryFolder()
    let place = try Place(locale: "en")
    let method = try #require(MethodNames.describe("documents/render"))
    let (source, target) = (folder.file("source.png"), folder.file("page.png"))
    try Data("new".utf8).write(to: URL(filePath: source))
    func copy(_ more: JSONObject = [:]) throws -> (reply: JSONValue, params: JSONObject)? {
      var params: JSONObject = ["id": "a", "page": 0, "path": .string(target)]
      for member in more.members { params[member.key] = member.value }
      guard let file = try FileOfReply(takenFrom: &params, of: method, in: place) else { return nil }
      return (try file.copied(from: ["path": .string(source), "width": 3]), params)
    }
    let copied = try #require(try copy())
    #expect(copied.reply == ["path": .string(target), "width": 3] && copied.params == ["id": "a", "page": 0])
    #expect(try Data(contentsOf: URL(filePath: target)) == Data("new".utf8))
    try Data("old".utf8).write(to: URL(filePath: target))
    #expect(throws: Failure.self) { try copy() }
    #expect(throws: Failure.self) { try copy(["overwrite": false]) }
    #expect(try Data(contentsOf: URL(filePath: target)) == Data("old".utf8))
    for word: JSONValue in [true, "true"] {
      try Data("old".utf8).write(to: URL(filePath: target))
      #expect(try copy(["overwrite": word])?.params == ["id": "a", "page": 0])
      #expect(try Data(contentsOf: URL(filePath: target)) == Data("new".utf8))
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(Set(names).isSubset(of: ["source.png", "page.png"]), "\(names)")
    // A method that takes a path itself writes the file itself.
    var own: JSONObject = ["path": .string(target)]
    let export = try #require(MethodNames.describe("diary/export"))
    #expect(try FileOfReply(takenFrom: &own, of: export, in: place) == nil && own["path"] != nil)
    var none: JSONObject = ["id": "a"]
    #expect(try FileOfReply(takenFrom: &none, of: method, in: place) == nil)
  }
}
