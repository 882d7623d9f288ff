import Client
import Foundation
import TestSupport
import Testing
import Wire

/// Lists that lie in files, and what people write into these.
@Suite("Projects: files by their paths") struct ExchangeFilesTests {
  private func write(_ text: String, to name: String, of bench: ExchangeBench) throws -> JSONValue {
    let path = bench.bench.daemon.folder.file(name)
    try text.write(toFile: path, atomically: true, encoding: .utf8)
    return .string(path)
  }

  private func take(_ path: JSONValue, as format: String, by bench: ExchangeBench) async throws -> JSONValue {
    try await bench.client.call("projects/import", ["path": path, "format": .string(format)])
  }

  @Test(
    "the same line in two lists is one card, as often as one list has it, and either list again brings none",
    arguments: [
      ("todotxt", "Milk\nMilk\n", "Eggs\nMilk\n"), ("markdown", "- [ ] Milk\n- [ ] Milk\n", "- [ ] Eggs\n- [ ] Milk\n"),
    ])
  func twoLists(format: String, groceries: String, party: String) async throws {
    let bench = try await ExchangeBench()
    let one = try write(groceries, to: "groceries", of: bench)
    let two = try write(party, to: "party", of: bench)
    #expect(try await take(one, as: format, by: bench)["added"] == 2)
    let second = try await take(two, as: format, by: bench)
    #expect(second["added"] == 1 && second["known"] == 1)
    #expect(try await bench.titles() == ["Eggs", "Milk", "Milk"])
    for (path, count) in [(one, 2), (two, 2), (one, 2)] as [(JSONValue, Int64)] {
      let again = try await take(path, as: format, by: bench)
      #expect(again["known"]?.integerValue == count && again["changed"] == false)
    }
    // One that is ticked off in either list is done; the other list is only old then.
    let ticked = party.replacing("- [ ] Milk", with: "- [x] Milk").replacing("\nMilk", with: "\nx Milk")
    _ = try write(ticked, to: "party", of: bench)
    #expect(try await take(two, as: format, by: bench)["updated"] == 1)
    let cards = try await bench.cards()
    #expect(cards.filter { $0["state"] == "done" }.count == 1)
    #expect(try await take(one, as: format, by: bench)["changed"] == false)
    await bench.stop()
  }

  @Test("a list that was moved, or is read through a link, is the same list; its bytes alone are too")
  func moved() async throws {
    let bench = try await ExchangeBench()
    let text = "- [ ] Milk\n"
    let old = try write(text, to: "list.md", of: bench)
    #expect(try await take(old, as: "markdown", by: bench)["added"] == 1)
    let link = bench.bench.daemon.folder.file("link.md")
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: old.text)
    #expect(try await take(.string(link), as: "markdown", by: bench)["known"] == 1)
    #expect(try await bench.take(text, as: "markdown")["known"] == 1)
    let new = bench.bench.daemon.folder.file("moved.md")
    try FileManager.default.moveItem(atPath: old.text, toPath: new)
    #expect(try await take(.string(new), as: "markdown", by: bench)["known"] == 1)
    #expect(try await bench.titles() == ["Milk"])
    await bench.stop()
  }

  @Test(
    "a list that was edited and taken over, and then moved, is the same list, also when it is edited in its new place",
    arguments: [
      ("todotxt", "Sow due:2026-12-01\nDig\nWeed\n"),
      ("markdown", "# Garden\n\n- [ ] Sow 📅 2026-12-01\n- [ ] Dig\n- [ ] Weed\n"),
    ])
  func editedAndMoved(format: String, text: String) async throws {
    let bench = try await ExchangeBench()
    var list = try write(text, to: "list", of: bench)
    _ = try await take(list, as: format, by: bench)
    func edit(_ day: String, in name: String) async throws -> JSONValue {
      let text = text.replacing("2026-12-01", with: day)
      return try await take(try write(text, to: name, of: bench), as: format, by: bench)
    }
    #expect(try await edit("2026-12-02", in: "list")["updated"] == 1)
    for (name, moved) in [("first", "2026-12-03"), ("second", "2026-12-04")] {
      let new = bench.bench.daemon.folder.file(name)
      try FileManager.default.moveItem(atPath: list.text, toPath: new)
      list = .string(new)
      let report = try await take(list, as: format, by: bench)
      #expect(report["known"] == 3 && report["changed"] == false && report["notes"].list.isEmpty, "\(report)")
      #expect(try await edit(moved, in: name)["updated"] == 1)
      #expect(try await bench.card("Sow")?["deadline"] == .string(moved))
    }
    // Moved and edited at once, of which the other lines tell.
    try FileManager.default.removeItem(atPath: list.text)
    #expect(try await edit("2026-12-05", in: "third")["updated"] == 1)
    #expect(try await bench.titles() == ["Dig", "Sow", "Weed"])
    // Another list that has one line of a list that is gone is another list.
    try FileManager.default.removeItem(atPath: bench.bench.daemon.folder.file("third"))
    let other = format == "markdown" ? "- [ ] Dig\n- [ ] Sow #later\n" : "Dig\nSow @later\n"
    let report = try await take(try write(other, to: "other", of: bench), as: format, by: bench)
    #expect(report["added"] == 1 && report["notes"].list.map { $0["reason"] } == ["sameTitle"], "\(report)")
    await bench.stop()
  }

  @Test(
    "a copy of a list, and what was exported of it, bring nothing twice; a line that was edited is the same card",
    arguments: [
      ("todotxt", "Sow due:2026-12-01\nDig\n", "Water\nSow due:2026-12-05\nDig\n", "Sow due:2026-12-09\n"),
      (
        "markdown", "- [ ] Sow 📅 2026-12-01\n- [ ] Dig\n", "- [ ] Water\n- [ ] Sow 📅 2026-12-05\n- [ ] Dig\n",
        "- [ ] Sow 📅 2026-12-09\n"
      ),
    ])
  func copies(format: String, file: String, edited: String, other: String) async throws {
    let bench = try await ExchangeBench()
    let list = try write(file, to: "list", of: bench)
    #expect(try await take(list, as: format, by: bench)["added"] == 2)
    let copy = try write(file, to: "copy", of: bench)
    let exported = try write(try await bench.export(format), to: "exported", of: bench)
    for path in [copy, exported, list] {
      let report = try await take(path, as: format, by: bench)
      #expect(report["known"] == 2 && report["changed"] == false && report["notes"].list.isEmpty, "\(path) \(report)")
    }
    _ = try write(edited, to: "list", of: bench)
    let report = try await take(list, as: format, by: bench)
    #expect(report["added"] == 1 && report["updated"] == 1 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.titles() == ["Dig", "Sow", "Water"])
    #expect(try await bench.card("Sow")?["deadline"] == "2026-12-05")
    #expect(try await take(list, as: format, by: bench)["changed"] == false)
    // Edited on both sides, both versions stand, once.
    _ = try await bench.client.call(
      "projects/update", ["id": #require(try await bench.card("Sow")).id, "deadline": "2026-12-24"])
    _ = try write(edited.replacing("12-05", with: "12-07"), to: "list", of: bench)
    let both = try await take(list, as: format, by: bench)
    #expect(both["conflicts"] == 1 && both["notes"].list.map { $0["reason"] } == ["conflict"], "\(both)")
    #expect(try await take(list, as: format, by: bench)["changed"] == false)
    #expect(try await bench.card("Sow")?["deadline"] == "2026-12-24")
    // In another file it may be another: it comes, with a word.
    let beside = try await take(try write(other, to: "other", of: bench), as: format, by: bench)
    #expect(beside["added"] == 1 && beside["notes"].list.map { $0["reason"] } == ["sameTitle"], "\(beside)")
    await bench.stop()
  }

  @Test("a card of a list that is removed here comes again out of any list that has it, once")
  func removed() async throws {
    let bench = try await ExchangeBench()
    let one = try write("Milk\n", to: "one", of: bench)
    let two = try write("Milk\n", to: "two", of: bench)
    _ = try await take(one, as: "todotxt", by: bench)
    let first = try #require(try await bench.card("Milk"))
    _ = try await take(two, as: "todotxt", by: bench)
    _ = try await bench.client.call("projects/remove", ["id": first.id])
    #expect(try await take(two, as: "todotxt", by: bench)["added"] == 1)
    #expect(try await take(one, as: "todotxt", by: bench)["known"] == 1)
    #expect(try await bench.titles() == ["Milk"])
    await bench.stop()
  }

  @Test("a date of todo.txt that is no day, in figures or in words, is told and stays in its line until it has another")
  func badDates() async throws {
    let bench = try await ExchangeBench()
    let file =
      "Pay due:2026-02-30\nCall due:tomorrow t:2026-01-01\nx 2026-13-01 Done\n2026-00-01 Write\nFine due:2026-12-01\n"
    let report = try await bench.take(file, as: "todotxt")
    #expect(report["added"] == 5 && report["skipped"] == 0)
    let notes = report["notes"].list
    #expect(notes.map { "\($0["line"]?.integerValue ?? 0) \($0["reason"].text)" } == (1...4).map { "\($0) badDate" })
    #expect(try await bench.export("todotxt") == file)
    let pay = try #require(try await bench.card("Pay"))
    #expect((pay["deadline"] ?? .null) == .null)
    _ = try await bench.client.call("projects/update", ["id": pay.id, "deadline": "2026-03-01"])
    let changed = try await bench.export("todotxt")
    #expect(changed.contains("due:2026-03-01") && !changed.contains("2026-02-30") && changed.contains("due:tomorrow"))
    await bench.stop()
  }

  @Test("text around tasks that somebody changes in their file is taken over, for tasks of other programs and for ours")
  func prose() async throws {
    let bench = try await ExchangeBench()
    let file = "# Plan\n\n- [ ] One\n\nBetween.\n\n- [ ] Two\n\nEnd.\n"
    _ = try await bench.take(file, as: "markdown")
    let edited = file.replacing("# Plan", with: "# The plan").replacing("Between", with: "In between")
      .replacing("End", with: "The end")
    let report = try await bench.take(edited, as: "markdown")
    #expect(report["updated"] == 2 && report["added"] == 0 && report["notes"].list.isEmpty, "\(report)")
    #expect(try await bench.export("markdown") == edited)
    #expect(try await bench.take(edited, as: "markdown")["changed"] == false)
    // A card that was changed here stays as it is, and gets its new surroundings all the same.
    let two = try #require(try await bench.card("Two"))
    _ = try await bench.client.call("projects/update", ["id": two.id, "title": "Second"])
    #expect(try await bench.take(edited.replacing("In between", with: "Amid"), as: "markdown")["updated"] == 1)
    let both = try await bench.export("markdown")
    #expect(both.contains("Amid.") && both.contains("Second") && !both.contains("In between"))
    await bench.stop()

    let own = try await ExchangeBench()
    _ = try await own.client.call("projects/add", ["title": "Card", "deadline": .null])
    let written = "# Mine\n\n" + (try await own.export("markdown")) + "\nWhy.\n"
    #expect(try await own.take(written, as: "markdown")["updated"] == 1)
    let again = try await own.export("markdown")
    #expect(again.hasPrefix("# Mine\n\n- [ ] Card") && again.hasSuffix("\nWhy.\n"), "\(again)")
    #expect(try await own.take(again, as: "markdown")["changed"] == false)
    #expect(try await own.titles() == ["Card"])
    await own.stop()
  }

  @Test("what stands between the tasks of a calendar is followed, but for the stamps that servers put on it")
  func events() async throws {
    let bench = try await ExchangeBench()
    func calendar(_ stamp: String, _ place: String) -> String {
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Example//EN
      BEGIN:VEVENT
      UID:e
      DTSTAMP:\(stamp)
      SUMMARY:A party
      LOCATION:\(place)
      END:VEVENT
      BEGIN:VTODO
      UID:t
      SUMMARY:Tidy up
      END:VTODO
      END:VCALENDAR

      """.replacing("\n", with: "\r\n")
    }
    _ = try await bench.take(calendar("20261102T101112Z", "Here"))
    #expect(try await bench.take(calendar("20261103T101112Z", "Here"))["changed"] == false)
    #expect(try await bench.take(calendar("20261103T101112Z", "There"))["updated"] == 1)
    #expect(try await bench.export("ics") == calendar("20261103T101112Z", "There"))
    await bench.stop()
  }

  @Test("a calendar that nobody touched is known, however it is folded and whatever cards stand between its parts")
  func untouchedCalendar() async throws {
    let bench = try await ExchangeBench()
    _ = try await bench.client.call("projects/add", ["title": "Before"])
    let file = """
      BEGIN:VCALENDAR
      X-WR-CALNAME:Mine
      BEGIN:VEVENT
      UID:e
      SUMMARY:A pa
       rty
      END:VEVENT
      BEGIN:VTODO
      UID:t
      SUMMARY:Tidy up
      CATEGORIES:home
      END:VTODO
      BEGIN:VEVENT
      UID:f
      SUMMARY:Another
      END:VEVENT
      END:VCALENDAR

      """.replacing("\n", with: "\r\n")
    #expect(try await bench.take(file)["added"] == 1)
    bench.bench.daemon.clock.advance(milliseconds: 5)
    _ = try await bench.client.call("projects/add", ["title": "Behind"])
    let exported = try await bench.export("ics")
    let folded = file.replacing("SUMMARY:A pa\r\n rty", with: "SUMMARY:A party")
      .replacing("SUMMARY:Tidy up\r\nCATEGORIES:home", with: "CATEGORIES:home\r\nSUMMARY:Tidy\r\n  up")
    for text in [exported, file, folded, exported] {
      let report = try await bench.take(text)
      #expect(report["updated"] == 0 && report["added"] == 0 && report["changed"] == false, "\(report) \(text)")
    }
    #expect(try await bench.export("ics") == exported)
    #expect(try await bench.take(file.replacing("Another", with: "A third"))["updated"] == 1)
    await bench.stop()
  }

  @Test("our own lines know when a card was last moved")
  func movedCards() async throws {
    let bench = try await ExchangeBench()
    let card = try await bench.client.call("projects/add", ["title": "Card"])
    bench.bench.daemon.clock.advance(milliseconds: 60_000)
    let moved = try await bench.client.call("projects/move", ["id": card.id, "state": "doing"])
    let other = try await ExchangeBench()
    _ = try await other.take(bench.export("jsonl"))
    let came = try await other.client.call("projects/get", ["id": card.id])
    #expect(moved["movedAt"] != nil && came["movedAt"] == moved["movedAt"])
    await bench.stop()
    await other.stop()
  }
}
