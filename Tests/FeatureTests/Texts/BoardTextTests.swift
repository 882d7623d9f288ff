import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Texts: boards and cards") struct BoardTextTests {
  @Test(
    "a board shows each card in a line, and a line that is moved, renamed, added or taken away is that card's change")
  func board() async throws {
    let bench = try await TextBench()
    for title in ["One", "Two", "Three"] { try await bench.card(title) }
    var board = try await bench.open("projects/board.md")
    let cards = board.lines.filter { $0.hasPrefix("- ") }
    #expect(cards.map { $0.dropLast(6) } == ["- [ ] One", "- [ ] Two", "- [ ] Three"])
    let todo = board.lines.firstIndex { $0.hasPrefix("- ") }!
    var lines = board.lines
    // Two goes to the next column, One below Three, which has a new title; a new card is the first.
    let doing = lines.lastIndex { $0.hasPrefix("## ") }! - 2
    #expect(lines[doing].hasPrefix("## "))
    lines.insert(cards[1], at: doing + 2)
    lines.replaceSubrange(
      todo..<(todo + 3),
      with: ["- [ ] New due:2026-12-24T18:30 !2 #home", cards[2].replacing("Three", with: "Third"), cards[0]])
    board.lines = lines
    let reply = try await bench.save(&board)
    #expect(reply["saved"] == true && reply["added"] == 1 && reply["removed"].list.isEmpty)
    let saved = try await bench.board()
    #expect(saved["todo"] == ["New", "Third", "One"] && saved["doing"] == ["Two"])
    let new = try await bench.client.call("projects/list", ["query": "New"]).items[0]
    #expect(
      new["deadline"] == "2026-12-24" && new["time"] == "18:30" && new["priority"] == 2 && new["tags"] == ["home"])
    #expect(board.lines.filter { $0.hasPrefix("- ") && $0.contains(" ^") }.count == 4)
    // Nothing is left to save, and one undo takes all of it back.
    #expect(try await bench.save(&board)["undo"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board()["todo"] == ["One", "Two", "Three"])
    await bench.stop()
  }

  @Test("a field that is written after the anchor, which editors hide, is the card's, and all before it stays")
  func afterAnchor() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One", ["deadline": "2027-01-02", "tags": ["a"]])
    var board = try await bench.open("projects/board.md")
    let line = try #require(board.lines.first { $0.hasPrefix("- ") })
    board.text = board.text.replacing(line, with: line + " #b !1 ")
    _ = try await bench.save(&board)
    let card = try await bench.client.call("projects/get", ["id": .string(id)])
    #expect(card["title"] == "One" && card["deadline"] == "2027-01-02")
    #expect(card["tags"] == ["a", "b"] && card["priority"] == 1)
    #expect(board.lines.contains(line.replacing("#a", with: "!1 #a #b")))
    await bench.stop()
  }

  @Test("a save that is sent again after its reply was lost adds nothing twice, also on another connection")
  func again() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    let opened = try await bench.open("projects/board.md")
    var first = opened
    first.text = opened.text.replacing("- [ ] One", with: "- [ ] New\n- [ ] New\n- [ ] One")
    var second = first
    let reply = try await bench.save(&first)
    try await bench.card("Another")
    let clock = try await bench.clock()
    let other = try await bench.daemon.client()
    #expect(try await bench.save(&second, [:], other)["edits"] == reply["edits"])
    #expect(second.text == first.text && second.base == first.base)
    #expect(try await bench.clock() == clock)
    // Another text of the same version is another save.
    var third = opened
    third.text = opened.text.replacing("- [ ] One", with: "- [ ] Third\n- [ ] One")
    try await bench.save(&third)
    #expect(try await bench.board()["todo"]?.sorted() == ["Another", "New", "New", "One", "Third"])
    await bench.stop()
  }

  @Test("a save that was undone is done when it is sent again, and one that was redone is not")
  func undone() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    let opened = try await bench.open("projects/board.md")
    func save() async throws -> JSONValue {
      var text = opened
      text.text = opened.text.replacing("- [ ] One", with: "- [ ] One changed")
      return try await bench.save(&text)
    }
    let first = try await save()
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/redo")
    #expect(try await save()["undo"] == first["undo"])
    #expect(try await bench.board()["todo"] == ["One changed"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.board()["todo"] == ["One"])
    let again = try await save()
    #expect(again["changed"] == 1 && again["undo"] != first["undo"])
    #expect(try await bench.board()["todo"] == ["One changed"])
    await bench.stop()
  }

  @Test("the same lines that are written anew into the same version are new cards")
  func anew() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    for _ in 0..<2 {
      var board = try await bench.open("projects/board.md")
      board.text = board.text.replacing("- [ ] One", with: "- [ ] New\n- [ ] One")
      #expect(try await bench.save(&board)["added"] == 1)
      let new = try await bench.client.call("projects/list", ["query": "New"]).items.map { $0["id"] ?? .null }
      #expect(new.count == 1)
      _ = try await bench.client.call("projects/remove", ["ids": .array(new)])
    }
    await bench.stop()
  }

  @Test("what others have changed since a board was opened stays, and is in the text after the save")
  func threeWays() async throws {
    let bench = try await TextBench()
    let one = try await bench.card("One", ["deadline": .null, "tags": ["a"]])
    let two = try await bench.card("Two")
    var board = try await bench.open("projects/board.md")
    _ = try await bench.client.call("projects/update", ["id": .string(one), "tags": ["a", "theirs"], "priority": 1])
    _ = try await bench.client.call("projects/move", ["id": .string(two), "state": "doing"])
    try await bench.card("Three")
    board.text = board.text.replacing("One #a", with: "First #a #mine")
    #expect(try await bench.save(&board)["saved"] == true)
    let card = try await bench.client.call("projects/get", ["id": .string(one)])
    #expect(card["title"] == "First" && card["priority"] == 1 && card["tags"] == ["a", "theirs", "mine"])
    #expect(try await bench.board()["todo"] == ["First", "Three"])
    #expect(board.text.contains("Three"))
    #expect(board.text == (try await bench.open("projects/board.md")).text)
    await bench.stop()
  }

  @Test("a box that is ticked finishes the card, and one that is emptied reopens it")
  func box() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    try await bench.card("Two")
    var board = try await bench.open("projects/board.md")
    board.text = board.text.replacing("- [ ] One", with: "- [x] One")
    _ = try await bench.save(&board)
    #expect(try await bench.board()["done"] == ["One"])
    board.text = board.text.replacing("- [x] One", with: "- [ ] One")
    _ = try await bench.save(&board)
    #expect(try await bench.board()["todo"] == ["Two", "One"])
    await bench.stop()
  }

  @Test("a line that is deleted removes its card although another card waits for it")
  func blocking() async throws {
    let bench = try await TextBench()
    let first = try await bench.card("Call Ann")
    try await bench.card("Meet Ann", ["deadline": .null, "blockedBy": [.string(first)]])
    var board = try await bench.open("projects/board.md")
    try #require(board.text.contains("after:^"))
    board.lines.removeAll { $0.hasPrefix("- [ ] Call Ann") }
    let reply = try await bench.save(&board)
    #expect(reply["removed"].list.map { $0["title"] } == ["Call Ann"] && reply["held"].list.isEmpty)
    #expect(try await bench.board()["todo"] == ["Meet Ann"])
    #expect(board.text == (try await bench.open("projects/board.md")).text)
    await bench.stop()
  }

  @Test("a card that is put below one that is ticked stays in its column, at its place")
  func belowTicked() async throws {
    let bench = try await TextBench()
    for title in ["Old", "Older", "Oldest"] { try await bench.card(title) }
    var board = try await bench.open("projects/board.md")
    board.text = board.text.replacing("- [ ] ", with: "- [x] ")
    _ = try await bench.save(&board)
    for title in ["One", "Two", "Three"] { try await bench.card(title) }
    board = try await bench.open("projects/board.md")
    let one = try #require(board.lines.firstIndex { $0.hasPrefix("- [ ] One") })
    board.lines[one] = board.lines[one].replacing("- [ ]", with: "- [x]")
    let three = board.lines.remove(at: one + 2)
    board.lines.insert(three, at: one + 1)
    _ = try await bench.save(&board)
    let saved = try await bench.board()
    #expect(saved["todo"] == ["Three", "Two"] && saved["done"]?.contains("One") == true, "\(saved)")
    await bench.stop()
  }

  @Test("a card that is put before one that another client has moved away stands before the next one")
  func beforeMoved() async throws {
    let bench = try await TextBench()
    let one = try await bench.card("One")
    for title in ["Two", "Three", "Four"] { try await bench.card(title) }
    var board = try await bench.open("projects/board.md")
    _ = try await bench.client.call("projects/move", ["id": .string(one), "state": "doing"])
    let first = try #require(board.lines.firstIndex { $0.hasPrefix("- [ ] One") })
    let four = board.lines.remove(at: first + 3)
    board.lines.insert(four, at: first)
    _ = try await bench.save(&board)
    #expect(try await bench.board()["todo"] == ["Four", "Two", "Three"])
    #expect(try await bench.board()["doing"] == ["One"])
    await bench.stop()
  }

  @Test("lines that are no card, and headings that name no column, change nothing and stay in the text")
  func loose() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    try await bench.card("Two")
    var board = try await bench.open("projects/board.md")
    board.text = board.text.replacing("## TODO", with: "## Later")
    let first = board.lines.firstIndex { $0.hasPrefix("- ") }!
    board.lines.insert("  a thought", at: first + 1)
    let reply = try await bench.save(&board)
    #expect(reply["saved"] == false && reply["undo"] == nil)
    #expect(Set(reply["unsaved"].list.map { $0["kind"].text }) == ["readOnly", "unsaved"])
    #expect(board.lines[first + 1] == "  a thought" && board.text.contains("## TODO"))
    #expect(try await bench.board()["todo"] == ["One", "Two"])
    // A day that is none is told, and the rest is saved.
    board.lines[first] = board.lines[first].replacing("One", with: "First due:someday")
    board.lines[first + 2] = board.lines[first + 2].replacing("Two", with: "Second")
    let second = try await bench.save(&board)
    #expect(second["unsaved"].list.contains { $0["kind"] == "day" })
    #expect(try await bench.board()["todo"] == ["One", "Second"])
    await bench.stop()
  }

  @Test("a day in words is no other value than the same day that another client has written")
  func sameDay() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One", ["deadline": "2026-12-24"])
    var board = try await bench.open("projects/board.md")
    let phone = try await bench.daemon.client(name: "phone")
    _ = try await phone.call("projects/update", ["id": .string(id), "title": "Other", "deadline": "2026-11-22"])
    board.text = board.text.replacing("One due:2026-12-24", with: "First due:tomorrow")
    let reply = try await bench.save(&board)
    let card = try await bench.client.call("projects/get", ["id": .string(id)])
    #expect(card["title"] == "First" && card["deadline"] == "2026-11-22")
    let former = reply["replaced"]?[0]?["former"]
    #expect(former?["title"] == "Other" && former?["deadline"] == nil && former?["ifRevision"] == card["revision"])
    await bench.stop()
  }

  @Test("what is appended after the anchor of a line is of its card, on the board, in the agenda and in its own text")
  func appended() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One")
    _ = try await bench.client.call("projects/update", ["id": .string(id), "deadline": .null, "tags": ["home"]])
    func append(_ words: String, to path: String) async throws -> JSONValue {
      var text = try await bench.open(path)
      let place = try #require(text.lines.firstIndex { $0.hasPrefix("- ") })
      let line = text.lines[place]
      text.lines[place] += words
      let reply = try await bench.save(&text)
      #expect(reply["saved"] == true && reply["added"] == 0 && reply["unsaved"].list.isEmpty, "\(path)")
      #expect(line.split(separator: " ").last == text.lines[place].split(separator: " ").last, "\(path)")
      #expect(try await bench.client.call("projects/list")["total"] == 1)
      return try await bench.client.call("projects/get", ["id": .string(id)])
    }
    let dated = try await append(" due:2026-12-24", to: "projects/board.md")
    #expect(dated["title"] == "One" && dated["deadline"] == "2026-12-24" && dated["tags"] == ["home"])
    #expect(try await append(" !2", to: "projects/agenda.md")["priority"] == 2)
    let tagged = try await append(" #garden", to: "projects/card/\(id).md")
    #expect(tagged["title"] == "One" && tagged["tags"] == ["home", "garden"] && tagged["deadline"] == "2026-12-24")
    await bench.stop()
  }

  @Test("an anchor that is there twice is that of the unchanged line, and one that nobody knows is none; both are told")
  func anchors() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("One")
    var board = try await bench.open("projects/board.md")
    let line = try #require(board.lines.first { $0.hasPrefix("- ") })
    let place = try #require(board.lines.firstIndex(of: line))
    let anchor = try #require(line.split(separator: " ").last)
    board.lines.insert("- [ ] Another \(anchor)", at: place)
    board.lines.insert("- [ ] From elsewhere ^zzzzzzz8", at: place)
    let reply = try await bench.save(&board)
    #expect(reply["saved"] == true && reply["added"] == 2)
    #expect(reply["unsaved"].list.map { $0["kind"] } == ["anchor", "anchor"])
    #expect(try await bench.board()["todo"] == ["From elsewhere", "Another", "One"])
    #expect(try await bench.client.call("projects/get", ["id": .string(id)])["title"] == "One")
    #expect(board.lines.filter { $0.hasSuffix(anchor) } == [line] && !board.text.contains("^zzzzzzz8"))
    // A line that was copied and not changed is one card still.
    board.lines.insert(line, at: board.lines.count - 1)
    _ = try await bench.save(&board)
    #expect(try await bench.client.call("projects/list")["total"] == 3)
    await bench.stop()
  }

  @Test("tabs and blanks that an editor leaves or takes away are no change, and those after a new line no part of it")
  func blanks() async throws {
    let bench = try await TextBench()
    try await bench.card("One two", ["deadline": "2026-12-24", "tags": ["home"]])
    try await bench.card("Three")
    var board = try await bench.open("projects/board.md")
    let (text, clock) = (board.text, try await bench.clock())
    let written = [
      String(text.dropLast()), text.replacing("\n", with: "  \n"), text.replacing("\n", with: "\t\n"),
      text.replacing(" due:", with: "\tdue:"), text.replacing(" ^", with: "\t^"), text.replacing("\n\n", with: "\n"),
      "\n\n" + text + "\n\n", text.replacing("- [", with: "* ["),
    ]
    for each in written {
      board.text = each
      let reply = try await bench.save(&board)
      #expect(reply["saved"] == true && reply["unsaved"].list.isEmpty && reply["undo"] == nil, "\(each)")
      #expect(board.text == text, "\(each)")
    }
    #expect(try await bench.clock() == clock)
    board.text = text.replacing("## TODO\n\n", with: "## TODO\n\n- [ ] Buy\tbread \t\n")
    #expect(try await bench.save(&board)["added"] == 1)
    #expect(try await bench.board()["todo"] == ["Buy bread", "One two", "Three"])
    await bench.stop()
  }

  @Test("a line that is no card stays below its heading, whether cards follow there or not")
  func belowHeadings() async throws {
    let bench = try await TextBench()
    try await bench.card("One")
    var board = try await bench.open("projects/board.md")
    for (heading, gap) in [("## TODO", 1), ("## DOING", 1), ("## DONE", 2)] {
      let place = try #require(board.lines.firstIndex(of: heading))
      board.lines.insert("a thought below \(heading.dropFirst(3))", at: place + gap)
    }
    let reply = try await bench.save(&board)
    #expect(reply["unsaved"].list.count == 3)
    #expect(
      board.lines.filter { !$0.isEmpty && !$0.hasPrefix("- ") } == [
        "## TODO", "a thought below TODO", "## DOING", "a thought below DOING", "## DONE", "a thought below DONE",
      ])
    let done = try #require(board.lines.firstIndex(of: "## DONE"))
    #expect(board.lines[done + 1] == "", "the blank line between them stays")
    // With a box, they become cards where they are.
    for place in board.lines.indices where board.lines[place].hasPrefix("a thought") {
      board.lines[place] = "- " + board.lines[place]
    }
    #expect(try await bench.save(&board)["saved"] == true)
    let cards = try await bench.board()
    #expect(Set(cards["todo"] ?? []) == ["a thought below TODO", "One"] && cards["doing"] == ["a thought below DOING"])
    #expect(cards["done"] == ["a thought below DONE"])
    await bench.stop()
  }

  @Test("a start, its distance from the deadline, and someday are fields of a line; a start after the deadline is told")
  func start() async throws {
    let bench = try await TextBench()
    try await bench.card("Learn Icelandic someday", ["deadline": .null, "someday": true])
    var board = try await bench.open("projects/board.md")
    let line = try #require(board.lines.first { $0.hasPrefix("- ") })
    #expect(line.hasPrefix("- [ ] Learn Icelandic someday start:someday ^"))
    let place = try #require(board.lines.firstIndex(of: line))
    board.lines[place] = line.replacing("start:someday", with: "start:2026-12-01")
    board.lines.insert("- [ ] Book the train start:-1w due:2026-12-24", at: place)
    #expect(try await bench.save(&board)["saved"] == true)
    #expect(board.lines[place].hasPrefix("- [ ] Book the train due:2026-12-24 start:2026-12-17 ^"))
    let cards = try await bench.client.call("projects/list", ["later": true]).items
    #expect(Set(cards.map { $0["start"].text }) == ["2026-12-01", "2026-12-17"])
    #expect(cards.allSatisfy { $0["someday"] != true })
    let late = board.lines[place].replacing("start:2026-12-17", with: "start:2026-12-25")
    board.lines[place] = late
    let reply = try await bench.save(&board)
    #expect(reply["saved"] == false && reply["undo"] == nil && reply["unsaved"].list[0]["kind"] == "day")
    #expect(board.lines[place] == late)
    await bench.stop()
  }

  @Test("a card is its line, its column, and its body byte for byte")
  func card() async throws {
    let bench = try await TextBench()
    let id = try await bench.card("Return the book", ["deadline": "2026-11-24", "body": "To the library."])
    var card = try await bench.open("projects/card/\(id).md")
    #expect(card.lines.dropFirst() == ["column: TODO", "", "To the library."])
    card.text = card.text.replacing("TODO", with: "DOING").replacing("library.", with: "library, before six.")
    #expect(try await bench.save(&card)["saved"] == true)
    let saved = try await bench.client.call("projects/get", ["id": .string(id)])
    #expect(saved["body"] == "To the library, before six." && saved["state"] == "doing")
    card.lines[0] = "no card"
    let reply = try await bench.save(&card)
    #expect(reply["saved"] == false && reply["removed"].list.isEmpty)
    await bench.stop()
  }

  @Test("the steps of a card are a checklist above its body, in which they are ticked, written and removed")
  func steps() async throws {
    let bench = try await TextBench()
    let steps: JSONValue = [["text": "Find the receipt", "done": true], ["text": "Go"]]
    let id = try await bench.card("Return the book", ["steps": steps, "body": "  - [ ] of the body"])
    func saved() async throws -> [String] {
      try await bench.client.call("projects/get", ["id": .string(id)])["steps"].list.map {
        ($0["done"] == true ? "+" : "-") + $0["text"].text
      }
    }
    var card = try await bench.open("projects/card/\(id).md")
    #expect(
      card.lines.dropFirst() == [
        "column: TODO", "  - [x] Find the receipt", "  - [ ] Go", "", "  - [ ] of the body",
      ])
    card.lines[2] = "  - [x] Find the old receipt"
    card.lines[3] = "  - [X] Go"
    card.lines.insert("  - [ ] Pay the fine", at: 4)
    // Another client unticks one of them meanwhile.
    _ = try await bench.client.call("projects/steps", ["id": .string(id), "toggle": 0])
    #expect(try await bench.save(&card)["saved"] == true)
    #expect(try await saved() == ["-Find the old receipt", "+Go", "-Pay the fine"])
    #expect(try await bench.client.call("projects/get", ["id": .string(id)])["body"] == "  - [ ] of the body")
    card = try await bench.open("projects/card/\(id).md")
    card.lines.removeSubrange(2..<5)
    #expect(try await bench.save(&card)["saved"] == true)
    #expect(try await saved() == [])
    #expect(
      try await bench.open("projects/card/\(id).md").lines.dropFirst() == ["column: TODO", "", "  - [ ] of the body"])
    await bench.stop()
  }

  @Test("hostile titles and tags come back byte for byte, and no character that is lost removes a card")
  func hostile() async throws {
    let bench = try await TextBench()
    var random = SeededGenerator(seed: 11)
    let words = [
      "due:2026-11-24", "\\due:x", "#tag", "\\\\#tag", "^k3f2", "\\^k3f2", "!1", "!!", "after:^k3f2", "rec:FREQ=DAILY",
      "[x]", "-", "\"", "#\"two", "words\"", "\\", "𝄞", "e\u{301}", "", "일", "due:\"next", "friday\"",
    ]
    for number in 0..<60 {
      let title = (0..<Int.random(in: 0...5, using: &random)).map { _ in words.randomElement(using: &random)! }
      let tags = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        JSONValue.string("t" + words.randomElement(using: &random)! + " " + words.randomElement(using: &random)!)
      }
      try await bench.card("\(number) " + title.joined(separator: " "), ["deadline": .null, "tags": .array(tags)])
    }
    let board = try await bench.open("projects/board.md")
    var same = board
    let clock = try await bench.clock()
    let reply = try await bench.save(&same)
    #expect(reply["undo"] == nil && reply["saved"] == true && same.text == board.text)
    // A line is read as the card that it shows: written into another library, it is the same card.
    let other = try await TextBench()
    var copy = try await other.open("projects/board.md")
    let lines = board.lines.filter { $0.hasPrefix("- ") }.map { String($0[..<$0.lastIndex(of: "^")!].dropLast()) }
    copy.lines.insert(contentsOf: lines, at: 2)
    #expect(try await other.save(&copy)["added"]?.integerValue == 60)
    let (cards, copies) = (
      try await bench.client.call("projects/list", ["limit": 100]).items,
      try await other.client.call("projects/list", ["limit": 100]).items
    )
    // Blanks at the end of a new line are nothing.
    func parts(_ cards: [JSONValue]) -> Set<String> {
      Set(
        cards.map { card in
          var title = card["title"]?.stringValue ?? ""
          while title.last == " " { title.removeLast() }
          return "\(title) \(card["tags"] ?? .null)"
        })
    }
    #expect(parts(cards) == parts(copies))
    await other.stop()
    let scalars = Array(board.text.unicodeScalars)
    for _ in 0..<150 {
      var damaged = board
      var changed = scalars
      let place = Int.random(in: 0..<scalars.count, using: &random)
      if Bool.random(using: &random) { changed.remove(at: place) } else { changed[place] = "x" }
      damaged.text = String(String.UnicodeScalarView(changed))
      let reply = try await bench.save(&damaged, ["dryRun": true])
      #expect(reply["removed"].list.isEmpty, "\(place)")
    }
    #expect(try await bench.clock() == clock)
    await bench.stop()
  }
}
