import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What was changed in a file and here since the two last said the same, with removals and undos in between.
@Suite("Projects: a file and its card, each edited for itself") struct ExchangeMergeTests {
  private static let formats = ["ics", "taskwarrior", "todotxt", "markdown", "jsonl"]

  /// How many came, were updated and were known, and the reasons of the notes.
  private func summary(of report: JSONValue) -> String {
    let counts = ["added", "updated", "known"].map { String(report[$0]?.integerValue ?? -1) }
    return (counts + report["notes"].list.map { $0["reason"].text }).joined(separator: " ")
  }

  private func take(_ file: String, as format: String, into bench: ExchangeBench) async throws -> String {
    summary(of: try await bench.take(file, as: format))
  }

  /// A library with the card `a`, and a file of it.
  private func exported(_ format: String) async throws -> (bench: ExchangeBench, file: String) {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": "2026-12-01"])
    return (bench, try await bench.export(format))
  }

  private func removeAndBringBack(_ bench: ExchangeBench, all: Bool) async throws {
    if all {
      let plan = try await bench.client.call("projects/removeAll", ["dryRun": true])
      _ = try await bench.client.call("projects/removeAll", ["confirm": try #require(plan["confirm"])])
    } else {
      _ = try await bench.client.call("projects/remove", ["id": "a"])
    }
    _ = try await bench.client.call("changes/undo")
  }

  @Test(
    "J8 a card that was removed and brought back is the one that its file is of, whatever its revision is by now",
    arguments: formats)
  func broughtBack(format: String) async throws {
    let (bench, file) = try await exported(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    try await removeAndBringBack(bench, all: false)
    #expect(try await take(file, as: format, into: bench) == "0 0 1", "\(file)")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "One"])
    try await removeAndBringBack(bench, all: true)
    #expect(try await take(file.replacing("One", with: "There"), as: format, into: bench) == "0 1 0", "\(file)")
    #expect(try await bench.titles() == ["There"])
    await bench.stop()
  }

  @Test(
    "J8 an import that was undone can be done again, as it is or edited anew, and makes no copies", arguments: formats)
  func undone(format: String) async throws {
    let (bench, file) = try await exported(format)
    for title in ["Two", "Two", "Three"] {
      #expect(try await take(file.replacing("One", with: title), as: format, into: bench) == "0 1 0", "\(file)")
      #expect(try await bench.titles() == [title])
      _ = try await bench.client.call("changes/undo")
      #expect(try await bench.titles() == ["One"])
    }
    // What somebody changed and took back is as it was.
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await take(file.replacing("One", with: "Four"), as: format, into: bench) == "0 1 0")
    #expect(try await bench.titles() == ["Four"])
    await bench.stop()
  }

  @Test("J8 what was edited in a file is taken back by editing it back", arguments: formats)
  func editedBack(format: String) async throws {
    let (bench, file) = try await exported(format)
    for title in ["Two", "One", "Two", "One"] {
      #expect(try await take(file.replacing("One", with: title), as: format, into: bench) == "0 1 0", "\(title)")
      #expect(try await bench.titles() == [title])
    }
    await bench.stop()
  }

  @Test(
    "J8 what is done in a file and is not done there any more is open again",
    arguments: [("todotxt", "", "x "), ("markdown", "- [ ] ", "- [x] ")])
  func undoneInFile(format: String, open: String, done: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null])
    let file = try await bench.export(format)
    #expect(file.hasPrefix(open))
    let ticked = done + file.dropFirst(open.count)
    #expect(try await take(ticked, as: format, into: bench) == "0 1 0")
    #expect(try await bench.cards().map { $0["state"] } == ["done"])
    #expect(try await take(file, as: format, into: bench) == "0 1 0")
    #expect(try await bench.cards().map { $0["state"] } == ["todo"])
    await bench.stop()
  }

  @Test(
    "J8 different fields that were changed in the file and here merge; of the same field both versions stand",
    arguments: formats)
  func merged(format: String) async throws {
    let (bench, file) = try await exported(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "tags": ["here"], "deadline": "2026-12-24"])
    _ = try await bench.client.call("projects/move", ["id": "a", "state": "doing"])
    let edited = file.replacing("One", with: "There")
    #expect(try await take(edited, as: format, into: bench) == "0 1 0", "\(file)")
    let card = try #require(try await bench.card("There"))
    #expect(card["tags"] == ["here"] && card["deadline"] == "2026-12-24" && card["state"] == "doing", "\(card)")
    #expect(try await take(edited, as: format, into: bench) == "0 0 1")
    // Edited again it still says what it said before of what was changed here.
    #expect(try await take(file.replacing("One", with: "Over there"), as: format, into: bench) == "0 1 0")
    #expect(try await take(edited, as: format, into: bench) == "0 1 0")
    let still = try #require(try await bench.card("There"))
    #expect(still["tags"] == ["here"] && still["deadline"] == "2026-12-24" && still["state"] == "doing", "\(still)")
    // The next file has all of it, and is followed.
    let next = try await bench.export(format)
    #expect(try await take(next, as: format, into: bench) == "0 0 1", "\(next)")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    let report = try await bench.take(next.replacing("There", with: "Where"), as: format)
    #expect(summary(of: report) == "0 0 1 conflict")
    #expect(report["notes"].list.map { $0["field"] } == ["title"])
    #expect(report["notes"].list[0]["display"].text.hasPrefix("Its title was changed here"), "\(report)")
    #expect(try await bench.titles() == ["Here"])
    await bench.stop()
  }

  @Test("J8 a day that was taken away here is no day from which a rule of the file could count") func ruleWithoutDay()
    async throws
  {
    let (bench, file) = try await exported("ics")
    _ = try await bench.client.call("projects/update", ["id": "a", "deadline": .null])
    let edited = file.replacing("SUMMARY:One", with: "SUMMARY:One\r\nRRULE:FREQ=DAILY")
    #expect(try await take(edited, as: "ics", into: bench) == "0 0 1 conflict")
    let conflicts = try await bench.client.call("changes/conflicts").items
    #expect(Set(conflicts.map { $0["field"].text }) == ["deadline", "recurrence"], "\(conflicts)")
    await bench.stop()
  }

  @Test("J8 of several fields that were changed on both sides all are named, in the reader's language")
  func severalFields() async throws {
    let (bench, file) = try await exported("jsonl")
    _ = try await bench.client.call(
      "projects/update",
      ["id": "a", "title": "Here", "body": "here", "deadline": "2026-12-24", "tags": ["here"]])
    let two = file.replacing("One", with: "There").replacing("2026-12-01", with: "2026-12-31")
    let three = two.replacing(#""title":"There""#, with: #""title":"Over there","body":"there""#)
    #expect(three != two, "\(file)")
    let korean = try await bench.bench.daemon.client(locale: "ko-KR")
    for (edited, english, spoken) in [
      (two, "Its title and deadline were changed here", "제목과 마감일이 여기서도 파일에서도 바뀌었습니다"),
      (three, "Its title, text and deadline were changed here", "제목과 내용과 마감일이 여기서도 파일에서도 바뀌었습니다"),
    ] {
      let params: JSONValue = [
        "data": .string(Data(edited.utf8).base64EncodedString()), "format": "jsonl", "dryRun": true,
      ]
      for (client, words) in [(bench.client, english), (korean, spoken)] {
        let note = try #require(try await client.call("projects/import", params)["notes"].list.first)
        #expect(note["field"] == "title" && note["display"].text.contains(words), "\(note)")
      }
    }
    await bench.stop()
  }

  @Test("J8 two files of one state are two: what one of them brought is not taken back by an edit of the other")
  func twoFiles() async throws {
    let (bench, file) = try await exported("markdown")
    let folder = bench.bench.daemon.folder
    func take(_ name: String, _ text: String) async throws -> String {
      try Data(text.utf8).write(to: URL(filePath: folder.file(name)))
      return summary(
        of: try await bench.client.call(
          "projects/import", ["path": .string(folder.file(name)), "format": "markdown"]))
    }
    #expect(try await take("first.md", file.replacing("One", with: "Two")) == "0 1 0")
    let dated = file.replacing("2026-12-01", with: "2026-12-31")
    #expect(try await take("second.md", dated) == "0 1 0")
    let card = try #require(try await bench.card("Two"))
    #expect(card["deadline"] == "2026-12-31")
    // The one that nobody touched is old, and one that was moved is still the one that it was.
    #expect(try await take("third.md", file) == "0 0 1")
    try FileManager.default.removeItem(atPath: folder.file("second.md"))
    #expect(try await take("moved.md", dated.replacing("2026-12-31", with: "2027-01-02")) == "0 1 0")
    let later = try #require(try await bench.card("Two"))
    #expect(later["deadline"] == "2027-01-02")
    #expect(try await take("moved.md", dated.replacing("One", with: "Three")) == "0 1 0 conflict")
    await bench.stop()
  }

  @Test("J8 a foreign list in which one thing was changed keeps what was changed of another here") func foreign()
    async throws
  {
    let bench = try await ExchangeBench()
    let list = "(B) Call Ann due:2026-12-01\n"
    #expect(try await take(list, as: "todotxt", into: bench) == "1 0 0")
    let id = try #require(try await bench.card("Call Ann")).id
    _ = try await bench.client.call("projects/update", ["id": id, "tags": ["phone"]])
    #expect(
      try await take(list.replacing("(B)", with: "(A)"), as: "todotxt", into: bench).hasPrefix("0 1 0"))
    let card = try #require(try await bench.card("Call Ann"))
    #expect(card["tags"] == ["phone"] && card["priority"] == 1, "\(card)")
    await bench.stop()
  }

  @Test(
    "J8 a list of another program into which this library wrote is known, whatever became of its cards since",
    arguments: [
      ("todotxt", "(B) One due:2026-12-01\n"), ("markdown", "- [ ] One 📅 2026-12-01\n"),
      (
        "taskwarrior",
        #"[{"description":"One","status":"pending","uuid":"40000000-0000-0000-0000-000000000000"}]"# + "\n"
      ),
    ])
  func writtenInto(format: String, list: String) async throws {
    let bench = try await ExchangeBench()
    #expect(try await take(list, as: format, into: bench) == "1 0 0")
    let id = try #require(try await bench.cards().first).id
    _ = try await bench.client.call("projects/update", ["id": id, "title": "Two"])
    let written = try await bench.export(format)
    _ = try await bench.client.call("projects/update", ["id": id, "title": "Three"])
    #expect(try await take(written, as: format, into: bench) == "0 0 1", "\(written)")
    #expect(try await bench.titles() == ["Three"])
    #expect(try await take(written.replacing("Two", with: "Four"), as: format, into: bench) == "0 0 1 conflict")
    await bench.stop()
  }

  @Test(
    "J8 a value that means nothing takes no place of one that this library wrote into its file",
    arguments: [false, true])
  func unreadIntoWritten(isChanged: Bool) async throws {
    let bench = try await ExchangeBench()
    let list =
      #"[{"description":"One","priority":"H","status":"pending","uuid":"40000000-0000-0000-0000-000000000000"}]"#
    #expect(try await take(list, as: "taskwarrior", into: bench) == "1 0 0")
    let id = try #require(try await bench.cards().first).id
    _ = try await bench.client.call("projects/update", ["id": id, "title": "Two"])
    let written = try await bench.export("taskwarrior")
    if isChanged { _ = try await bench.client.call("projects/update", ["id": id, "title": "Three"]) }
    let edited = written.replacing("\"H\"", with: "\"urgent\"")
    #expect(edited != written)
    #expect(try await take(edited, as: "taskwarrior", into: bench) == "0 0 1 badValue", "\(written)")
    #expect(try await bench.export("taskwarrior").contains("\"priority\":\"H\""))
    await bench.stop()
  }

  @Test("J8 Taskwarrior sorts the tags of a task, which changes nothing") func sortedTags() async throws {
    let bench = try await ExchangeBench()
    let task =
      #"[{"description":"t","status":"pending","tags":["b","a"],"uuid":"40000000-0000-0000-0000-000000000000"}]"#
    #expect(try await take(task, as: "taskwarrior", into: bench) == "1 0 0")
    let sorted = task.replacing(#""b","a""#, with: #""a","b""#)
    _ = try await take(sorted, as: "taskwarrior", into: bench)
    _ = try await take(sorted.replacing(#""t""#, with: #""u""#), as: "taskwarrior", into: bench)
    #expect(try await bench.card("u")?["tags"] == ["b", "a"])
    await bench.stop()
  }

  @Test(
    "J8 what is told of a card, as that it is free now, makes no edit of its file one of another card",
    arguments: formats)
  func told(format: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["id": "b", "title": "Before", "deadline": .null])
    _ = try await bench.client.call(
      "projects/add", ["id": "a", "title": "One", "deadline": .null, "blockedBy": ["b"]])
    _ = try await bench.client.call("projects/move", ["id": "b", "state": "done"])
    let file = try await bench.export(format)
    #expect(try await take(file.replacing("One", with: "Two"), as: format, into: bench) == "0 1 1", "\(file)")
    _ = try await bench.client.call("projects/move", ["id": "b", "state": "todo"])
    #expect(try await take(file.replacing("One", with: "Three"), as: format, into: bench) == "0 1 1", "\(file)")
    #expect(try await bench.titles() == ["Before", "Three"])
    await bench.stop()
  }

  @Test(
    "J8 what came of a file and was undone comes of it again, whatever else was changed meanwhile", arguments: formats)
  func undoneAndChanged(format: String) async throws {
    let (bench, file) = try await exported(format)
    let edited = file.replacing("One", with: "Two")
    #expect(try await take(edited, as: format, into: bench) == "0 1 0")
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("projects/update", ["id": "a", "tags": ["here"]])
    #expect(try await take(edited, as: format, into: bench) == "0 1 0")
    let card = try #require(try await bench.card("Two"))
    #expect(card["tags"] == ["here"])
    await bench.stop()
  }

  @Test("J8 the version that was kept of a file goes on with it, and is one", arguments: formats)
  func versionFollows(format: String) async throws {
    let (bench, file) = try await exported(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Here"])
    let there = file.replacing("One", with: "There")
    #expect(try await take(there, as: format, into: bench) == "0 0 1 conflict")
    #expect(try await take(there, as: format, into: bench) == "0 0 1")
    let later = file.replacing("One", with: "There, later")
    #expect(try await take(later, as: format, into: bench) == "0 0 1 conflict", "\(file)")
    #expect(try await take(later, as: format, into: bench) == "0 0 1", "\(file)")
    #expect(try await bench.titles() == ["Here"])
    let conflicts = try await bench.client.call("changes/conflicts").items
    #expect(conflicts.map { $0["theirs"] } == [["title": "There, later"]])
    #expect(try await bench.take(bench.export(format), as: format)["changed"] == false)
    await bench.stop()
  }

  @Test("J8 stamps that a program writes anew each time make no further conflicts") func stamps() async throws {
    let bench = try await ExchangeBench()
    func task(_ title: String, urgency: Int) -> String {
      """
      [{"id":1,"description":"\(title)","status":"pending","urgency":\(urgency),\
      "uuid":"40000000-0000-0000-0000-000000000000"}]
      """
    }
    #expect(try await take(task("One", urgency: 1), as: "taskwarrior", into: bench) == "1 0 0")
    let id = try #require(try await bench.cards().first).id
    _ = try await bench.client.call("projects/update", ["id": id, "title": "Here"])
    #expect(try await take(task("There", urgency: 2), as: "taskwarrior", into: bench) == "0 0 1 conflict")
    for urgency in 3...5 {
      let report = try await bench.take(task("There", urgency: urgency), as: "taskwarrior")
      #expect(report["added"] == 0 && report["conflicts"] == nil, "\(report)")
    }
    #expect(try await bench.titles() == ["Here"])
    await bench.stop()
  }

  @Test("J8 a file and its card that came to say the same by themselves are level from there on", arguments: formats)
  func level(format: String) async throws {
    let (bench, file) = try await exported(format)
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "Two"])
    let clock = try await bench.client.call("session/sync").clock
    for _ in 0..<2 {
      #expect(try await take(file.replacing("One", with: "Two"), as: format, into: bench) == "0 0 1")
    }
    for title in ["Three", "One"] {
      #expect(try await take(file.replacing("One", with: title), as: format, into: bench) == "0 1 0", "\(file)")
      #expect(try await bench.titles() == [title])
    }
    // What is noted is nothing that an undo would find.
    _ = try await bench.client.call("changes/undo", ["force": true])
    #expect(try await bench.titles() == ["Three"])
    #expect(clock > 0)
    await bench.stop()
  }

  @Test("J8 a foreign task that was ticked off and is not any more is open again, beside what was changed here")
  func untickedElsewhere() async throws {
    let bench = try await ExchangeBench()
    #expect(try await take("Call Ann\n", as: "todotxt", into: bench) == "1 0 0")
    let id = try #require(try await bench.card("Call Ann")).id
    _ = try await bench.client.call("projects/update", ["id": id, "tags": ["phone"]])
    #expect(try await take("x Call Ann\n", as: "todotxt", into: bench) == "0 1 0")
    #expect(try await bench.card("Call Ann")?["state"] == "done")
    #expect(try await take("Call Ann\n", as: "todotxt", into: bench) == "0 1 0")
    let card = try #require(try await bench.card("Call Ann"))
    #expect(card["state"] == "todo" && card["tags"] == ["phone"], "\(card)")
    await bench.stop()
  }

  @Test("J8 a later file of another library takes back nothing that somebody wrote into an earlier one")
  func editedFileOfAnother() async throws {
    let (first, file) = try await exported("jsonl")
    let second = try await ExchangeBench()
    #expect(try await take(file, as: "jsonl", into: second) == "1 0 0")
    #expect(try await take(file.replacing("One", with: "Typed"), as: "jsonl", into: second) == "0 1 0")
    _ = try await first.client.call("projects/update", ["id": "a", "title": "Later"])
    #expect(try await take(first.export("jsonl"), as: "jsonl", into: second) == "0 0 1 conflict")
    #expect(try await second.titles() == ["Typed"])
    for bench in [first, second] { await bench.stop() }
  }

  @Test("J8 what was sent as bytes is no file that lies somewhere: each is an edit of what was exported")
  func bytesAndFile() async throws {
    let (bench, file) = try await exported("jsonl")
    let path = bench.bench.daemon.folder.file("cards.jsonl")
    try Data(file.replacing("One", with: "Two").utf8).write(to: URL(filePath: path))
    let report = try await bench.client.call("projects/import", ["path": .string(path), "format": "jsonl"])
    #expect(summary(of: report) == "0 1 0")
    #expect(try await take(file, as: "jsonl", into: bench) == "0 0 1")
    #expect(try await take(file.replacing("One", with: "Three"), as: "jsonl", into: bench) == "0 0 1 conflict")
    #expect(try await bench.titles() == ["Two"])
    await bench.stop()
  }

  @Test(
    "J8 two libraries that hand a card to and fro follow each other, and merge what each has changed",
    arguments: formats)
  func toAndFro(format: String) async throws {
    let (first, file) = try await exported(format)
    let second = try await ExchangeBench()
    #expect(try await take(file, as: format, into: second) == "1 0 0")
    let benches = [first, second]
    for round in 1...4 {
      let (writer, reader) = (benches[round % 2], benches[(round + 1) % 2])
      _ = try await writer.client.call("projects/update", ["id": "a", "title": .string("Round \(round)")])
      _ = try await reader.client.call("projects/update", ["id": "a", "tags": [.string("r\(round)")]])
      #expect(try await take(writer.export(format), as: format, into: reader) == "0 1 0", "\(round)")
      #expect(try await take(reader.export(format), as: format, into: writer) == "0 1 0", "\(round)")
      for bench in benches {
        #expect(try await bench.cards().map { "\($0["title"].text) \($0["tags"].list)" }.count == 1)
        #expect(try await bench.card("Round \(round)")?["tags"] == [.string("r\(round)")])
      }
    }
    for bench in benches { await bench.stop() }
  }

  @Test(
    "J8 a recurring card that is ticked off, open again and ticked off in its file comes again once",
    arguments: [("markdown", "- [ ] ", "- [x] "), ("todotxt", "", "x ")])
  func tickedTwice(format: String, open: String, done: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add", ["id": "w", "title": "Water", "deadline": "2026-12-04", "recurrence": ["rule": "FREQ=WEEKLY"]])
    let file = try await bench.export(format)
    #expect(file.hasPrefix(open))
    let ticked = done + file.dropFirst(open.count)
    for step in [ticked, file, file, ticked, ticked] { _ = try await bench.take(step, as: format) }
    let days = try await bench.cards().map { $0["deadline"].text }.sorted()
    #expect(days == ["2026-12-04", "2026-12-11"], "\(file)")
    await bench.stop()
  }

  @Test("J8 a foreign file that says itself that it is older than what came last takes nothing back") func older()
    async throws
  {
    let bench = try await ExchangeBench()
    func task(_ day: String, modified: String) -> String {
      """
      [{"description":"t","due":"\(day)T000000Z","status":"pending","modified":"\(modified)T000000Z",\
      "uuid":"40000000-0000-0000-0000-000000000000"}]
      """
    }
    let first = task("20261201", modified: "20261101")
    #expect(try await take(first, as: "taskwarrior", into: bench) == "1 0 0")
    #expect(try await take(task("20261231", modified: "20261102"), as: "taskwarrior", into: bench) == "0 1 0")
    #expect(try await take(first, as: "taskwarrior", into: bench) == "0 0 1")
    #expect(try await take(task("20261201", modified: "20261103"), as: "taskwarrior", into: bench) == "0 1 0")
    await bench.stop()
  }

  @Test(
    "J8 a tag is taken away and put in where people see it, also beside one that no word can say",
    arguments: [("markdown", "#"), ("todotxt", "@")])
  func shownTags(format: String, sign: String) async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call(
      "projects/add", ["id": "a", "title": "One", "deadline": .null, "tags": ["x y", "q"]])
    let file = try await bench.export(format)
    #expect(file.contains("\(sign)x_y") && file.contains("\(sign)q"), "\(file)")
    #expect(try await take(file.replacing("\(sign)q", with: "\(sign)r"), as: format, into: bench) == "0 1 0")
    #expect(try await bench.card("One")?["tags"] == ["x y", "r"])
    #expect(
      try await take(file.replacing("\(sign)x_y ", with: ""), as: format, into: bench) == "0 1 0", "\(file)")
    #expect(try await bench.card("One")?["tags"] == ["q"])
    await bench.stop()
  }

  @Test("J8 a tag with a blank stays in every file that goes on to another library and comes back", arguments: formats)
  func blankTags(format: String) async throws {
    let first = try await ExchangeBench()
    let second = try await ExchangeBench()
    let tags: JSONValue = ["a b", "c", "d e"]
    _ = try await first.client.call("projects/add", ["id": "a", "title": "One", "deadline": .null, "tags": tags])
    #expect(try await take(first.export(format), as: format, into: second) == "1 0 0")
    let file = try await second.export(format)
    #expect(try await take(file, as: format, into: first) == "0 0 1", "\(file)")
    for bench in [first, second] {
      let card = try #require(try await bench.card("One"))
      #expect(card["tags"] == tags, "\(file)")
    }
    // Each is written where people see it, and once.
    if format == "markdown" {
      for word in ["#a_b ", "#c ", "#d_e "] { #expect(file.split(separator: word).count == 2, "\(file)") }
    }
    for bench in [first, second] { await bench.stop() }
  }

  @Test("a deadline that is the same on every clock has no zone, whoever takes its file over") func floating()
    async throws
  {
    let bench = try await ExchangeBench(timeZone: "America/New_York")
    let seoul = try await bench.bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    _ = try await bench.client.call(
      "projects/add", ["title": "One", "body": "text", "deadline": "2026-12-01", "time": "09:30"])
    for format in ["ics", "taskwarrior"] {
      let edited = try await bench.export(format).replacing("text", with: "text, \(format)")
      let report = try await seoul.call(
        "projects/import",
        ["data": .string(Data(edited.utf8).base64EncodedString()), "format": .string(format)])
      #expect(summary(of: report) == "0 1 0")
      let written = try await bench.export("taskwarrior")
      #expect(
        written.contains("2026-12-01 09:30 America/New_York") && written.contains("20261201T143000Z"), "\(written)")
    }
    await bench.stop()
  }
}
