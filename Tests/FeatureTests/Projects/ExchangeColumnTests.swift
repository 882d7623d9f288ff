import Client
import TestSupport
import Testing
import Wire

@Suite("Projects: columns and order in lists") struct ExchangeColumnTests {
  @Test(
    "lists bring the columns of the cards and the order that was made by hand, and nothing when they come again",
    arguments: ["todotxt", "markdown"])
  func ownColumns(format: String) async throws {
    let bench = try await ExchangeBench()
    let columns: JSONValue = [
      ["state": "todo"], ["state": "waiting", "title": "Waiting for others"], ["state": "doing"], ["state": "done"],
      ["state": "archive", "title": "보관, 끝", "isOpen": false],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    for title in ["a", "b", "c", "d", "e"] {
      _ = try await bench.client.call("projects/add", ["title": .string(title), "id": .string(title)])
    }
    for (id, state) in [("b", "waiting"), ("d", "archive"), ("e", "waiting")] {
      _ = try await bench.client.call("projects/move", ["id": .string(id), "state": .string(state)])
    }
    _ = try await bench.client.call("projects/move", ["id": "c", "state": "todo", "before": "a"])
    _ = try await bench.client.call("projects/move", ["id": "e", "state": "waiting", "before": "b"])
    func place(_ bench: ExchangeBench) async throws -> Set<String> {
      Set(
        try await bench.client.call("projects/board")["columns"].list.map { column in
          "\(column["state"].text) \(column["title"].text): \(column["items"].list.map { $0["title"].text })"
        })
    }
    let wanted = try await place(bench)
    #expect(wanted.contains(#"waiting Waiting for others: ["e", "b"]"#) && wanted.contains(#"todo TODO: ["c", "a"]"#))
    let file = try await bench.export(format)
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 5 && again["changed"] == false, "\(file)")
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 5)
    #expect(try await place(other) == wanted, "\(file)")
    #expect(try await other.take(file, as: format)["known"] == 5)
    // And from there on, also of a card that went on since.
    _ = try await other.client.call("projects/move", ["id": "a", "state": "waiting"])
    let next = try await other.export(format)
    let third = try await ExchangeBench()
    _ = try await third.take(next, as: format)
    let moved = try await third.client.call("projects/list", ["state": "waiting"]).items.map { $0["title"].text }
    #expect(Set(moved) == ["a", "b", "e"], "\(next)")
    // What a list of ours brought is ordered anew as on this board.
    _ = try await other.client.call("projects/move", ["id": "b", "state": "waiting", "before": "e"])
    let fourth = try await ExchangeBench()
    _ = try await fourth.take(other.export(format), as: format)
    #expect(try await place(fourth).contains(#"waiting Waiting for others: ["b", "e", "a"]"#))
    await fourth.stop()
    // What is ticked off in the list is done, whatever its column was.
    let ticked =
      format == "markdown"
      ? file.replacing("- [/] b", with: "- [x] b")
      : file.split(separator: "\n").map { $0.contains(" b due:") ? "x \($0)" : String($0) }.joined(separator: "\n")
    _ = try await bench.take(ticked, as: format)
    #expect(try await bench.client.call("projects/get", ["id": "b"])["state"] == "done", "\(ticked)")
    for bench in [bench, other, third] { await bench.stop() }
  }

  @Test("a column that a file brings and that is called almost as one that is there is named in the report")
  func almostTheSame() async throws {
    let bench = try await ExchangeBench()
    let columns: JSONValue = [
      ["state": "todo"], ["state": "waiting", "title": "Waiting for others"], ["state": "done"],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    func line(_ title: String, _ column: String) -> String { "- [/] \(title) <!-- commonplace column:\(column) -->\n" }
    let typo = line("Call", "waitng,Waiting%20for%20other")
    let plan = try await bench.take(typo, as: "markdown", ["dryRun": true])
    let report = try await bench.take(typo, as: "markdown")
    #expect(plan["notes"] == report["notes"] && report["added"] == 1 && report["skipped"] == 0, "\(plan) \(report)")
    let notes = report["notes"].list
    #expect(notes.map { $0["field"] } == ["state"] && notes.map { $0["title"] } == ["Call"])
    #expect(notes.first?["display"].text.contains("“Waiting for other”") == true, "\(report)")
    #expect(notes.first?["display"].text.contains("“Waiting for others”") == true, "\(report)")
    // It is there now, and one of quite another name is no mistake.
    #expect(try await bench.take(typo, as: "markdown")["notes"] == [])
    #expect(try await bench.take(line("Sort", "attic,Attic"), as: "markdown")["notes"] == [])
    await bench.stop()
  }

  @Test(
    "a column that was taken away comes with a card of its file, and not with a file that brings nothing",
    arguments: ["todotxt", "markdown", "jsonl"])
  func columnOfNothing(format: String) async throws {
    let bench = try await ExchangeBench()
    let usual: JSONValue = [["state": "todo"], ["state": "doing"], ["state": "done"]]
    let columns: JSONValue = [
      ["state": "todo"], ["state": "doing"], ["state": "review", "title": "Review"], ["state": "done"],
    ]
    func board() async throws -> [String] {
      try await bench.client.call("projects/columns")["columns"].list.map { $0["state"].text }
    }
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    for id in ["a", "b"] {
      _ = try await bench.client.call("projects/add", ["title": .string("Card \(id)"), "id": .string(id)])
    }
    _ = try await bench.client.call("projects/move", ["id": "a", "state": "review"])
    let file = try await bench.export(format)
    _ = try await bench.client.call("projects/move", ["id": "a", "state": "doing"])
    _ = try await bench.client.call("projects/columns", ["columns": usual])
    let again = try await bench.take(file, as: format)
    #expect(again["known"] == 2 && again["changed"] == false, "\(again) \(file)")
    #expect(try await board() == ["todo", "doing", "done"])
    // Nor does an edit of another card bring it back.
    let edited = file.replacing("Card b", with: "Card B")
    #expect(try await bench.take(edited, as: format)["updated"] == 1)
    #expect(try await board() == ["todo", "doing", "done"])
    // What a dry run tells is what then comes, and it adds no column.
    _ = try await bench.client.call("projects/remove", ["id": "a"])
    let plan = try await bench.take(edited, as: format, ["dryRun": true])
    #expect(plan["added"] == 1 && plan["known"] == 1, "\(plan)")
    #expect(try await board() == ["todo", "doing", "done"])
    #expect(try await bench.take(edited, as: format)["added"] == 1)
    #expect(try await board().contains("review"))
    #expect(try await bench.card("Card a")?["state"] == "review")
    await bench.stop()
  }

  @Test(
    "a card that came from a list goes on in its list when it stands in a column of one's own", arguments: ["", "b"])
  func listedColumn(body: String) async throws {
    let bench = try await ExchangeBench()
    let list = "# List\n\n- [/] a\n\(body.isEmpty ? "" : "  \(body)\n")- [ ] c\n"
    _ = try await bench.take(list, as: "markdown")
    let columns: JSONValue = [
      ["state": "todo"], ["state": "doing"], ["state": "review", "title": "Review"], ["state": "done"],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    let card = try #require(try await bench.card("a"))
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "review"])
    let file = try await bench.export("markdown")
    #expect(file.hasPrefix("# List\n\n- [/] a <!-- commonplace column:review,Review id:"), "\(file)")
    let again = try await bench.take(file, as: "markdown")
    #expect(again["known"] == 2 && again["changed"] == false, "\(again) \(file)")
    let other = try await ExchangeBench()
    _ = try await other.take(file, as: "markdown")
    #expect(try await other.card("a")?["state"] == "review")
    for bench in [bench, other] { await bench.stop() }
  }

  /// The columns from left to right, each with its cards.
  private func board(_ bench: ExchangeBench) async throws -> [String] {
    try await bench.client.call("projects/board")["columns"].list.map { column in
      "\(column["state"].text) \(column["title"].text) \(column["isOpen"] == true): "
        + column["items"].list.map { $0["title"].text }.joined(separator: " ")
    }
  }

  @Test(
    "a file brings the whole board into a library without one: a column where cards begin, empty ones, their order",
    arguments: ["jsonl", "todotxt", "markdown", "ics", "taskwarrior"])
  func wholeBoard(format: String) async throws {
    let bench = try await ExchangeBench()
    let columns: JSONValue = [
      ["state": "inbox", "title": "In, box"], ["state": "later", "title": "́나중"], ["state": "todo", "title": "Next"],
      ["state": "doing"], ["state": "done"], ["state": "archive", "title": "= old", "isOpen": false],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    for (id, state) in [("a", "inbox"), ("b", "inbox"), ("c", "todo"), ("d", "doing"), ("e", "archive")] {
      _ = try await bench.client.call("projects/add", ["title": .string(id), "id": .string(id)])
      guard state != "inbox" else { continue }
      _ = try await bench.client.call("projects/move", ["id": .string(id), "state": .string(state)])
    }
    let wanted = try await board(bench)
    #expect(wanted.first == "inbox In, box true: a b" && wanted.last == "archive = old false: e", "\(wanted)")
    let file = try await bench.export(format)
    #expect(try await bench.take(file, as: format)["changed"] == false)
    let other = try await ExchangeBench()
    #expect(try await other.take(file, as: format)["added"] == 5)
    #expect(try await board(other) == wanted, "\(file)")
    #expect(try await other.take(file, as: format)["changed"] == false)
    // And back, of a board that was arranged anew.
    _ = try await other.client.call(
      "projects/columns",
      [
        "columns": [
          ["state": "later", "title": "́나중"], ["state": "inbox", "title": "In, box"],
          ["state": "todo", "title": "Next"],
          ["state": "doing"], ["state": "done"], ["state": "archive", "title": "= old", "isOpen": false],
        ]
      ])
    let next = try await other.export(format)
    let third = try await ExchangeBench()
    _ = try await third.take(next, as: format)
    #expect(try await board(third) == board(other), "\(next)")
    // On a board of another order a card stands in its own column all the same.
    let report = try await bench.take(next, as: format)
    #expect(report["added"] == 0 && report["changed"] == false && report["notes"].list.isEmpty, "\(report)")
    #expect(try await board(bench) == wanted)
    for bench in [bench, other, third] { await bench.stop() }
  }

  @Test(
    "a board of one's own keeps its order when a file brings a column, and its cards stay where they are",
    arguments: ["jsonl", "todotxt", "markdown", "ics", "taskwarrior"])
  func intoBoard(format: String) async throws {
    let bench = try await ExchangeBench()
    let inbox: JSONValue = ["columns": [["state": "inbox", "title": "Inbox"], ["state": "todo"], ["state": "done"]]]
    _ = try await bench.client.call("projects/columns", inbox)
    _ = try await bench.client.call("projects/add", ["title": "new"])
    let file = try await bench.export(format)
    let other = try await ExchangeBench()
    _ = try await other.client.call(
      "projects/columns",
      ["columns": [["state": "todo"], ["state": "inbox", "title": "Eingang"], ["state": "done"]]])
    _ = try await other.client.call("projects/add", ["title": "old"])
    _ = try await other.take(file, as: format)
    #expect(
      try await board(other) == ["todo TODO true: old", "inbox Eingang true: new", "done DONE false: "], "\(file)")
    #expect(try await other.take(file, as: format)["changed"] == false)
    for bench in [bench, other] { await bench.stop() }
  }

  @Test(
    "a file of another program stays as it is on a board whose cards begin elsewhere, and says where a card went",
    arguments: [
      (
        "ics",
        "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:x\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:a\r\nSTATUS:NEEDS-ACTION\r\n"
          + "END:VTODO\r\nEND:VCALENDAR\r\n", "X-COMMONPLACE-COLUMN:waiting\\,Wait\\, here\r\n"
      ),
      (
        "taskwarrior",
        "[\n{\"uuid\":\"6dd6fd86-6e53-4d39-9a3a-7e1f0f7d0a11\",\"status\":\"pending\",\"entry\":\"20261101T000000Z\","
          + "\"description\":\"a\"}\n]\n", #""commonplacecolumn":"waiting,Wait, here"#
      ), ("markdown", "- [ ] a\n", "column:waiting,Wait,%20here"),
      ("todotxt", "2026-11-01 a\n", "cp-column:waiting,Wait,%20here"),
    ])
  func foreignFile(format: String, file: String, word: String) async throws {
    let bench = try await ExchangeBench()
    let columns: JSONValue = [
      ["state": "inbox", "title": "Inbox"], ["state": "waiting", "title": "Wait, here"], ["state": "done"],
    ]
    _ = try await bench.client.call("projects/columns", ["columns": columns])
    _ = try await bench.take(file, as: format)
    let card = try #require(try await bench.card("a"))
    #expect(card["state"] == "inbox")
    #expect(try await bench.export(format) == file)
    _ = try await bench.client.call("projects/move", ["id": card.id, "state": "waiting"])
    let moved = try await bench.export(format)
    #expect(moved.contains(word), "\(moved)")
    let other = try await ExchangeBench()
    _ = try await other.take(moved, as: format)
    #expect(try await other.card("a")?["state"] == "waiting", "\(moved)")
    // Who goes on with it in the other program says more than that word.
    let done =
      switch format {
      case "ics": moved.replacing("IN-PROCESS", with: "COMPLETED")
      case "taskwarrior": moved.replacing("pending", with: "completed")
      case "markdown": moved.replacing("[/]", with: "[x]")
      default: "x " + moved
      }
    _ = try await bench.take(done, as: format)
    #expect(try await bench.card("a")?["state"] == "done", "\(done)")
    // What was written here and comes back as it is brings nothing.
    let last = try await bench.export(format)
    #expect(!last.lowercased().contains("column:waiting"), "\(last)")
    let report = try await bench.take(last, as: format)
    #expect(report["known"] == 1 && report["updated"] == 0, "\(report) \(last)")
    #expect(try await bench.titles() == ["a"])
    for bench in [bench, other] { await bench.stop() }
  }
}
