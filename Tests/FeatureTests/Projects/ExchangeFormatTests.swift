import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Projects: files that are not what they are said to be") struct ExchangeFormatTests {
  private static let ics = """
    BEGIN:VCALENDAR
    VERSION:2.0
    BEGIN:VTODO
    UID:1
    SUMMARY:Sow
    END:VTODO
    END:VCALENDAR

    """
  private static let taskwarrior =
    #"[{"uuid":"9f0b1c1e-0000-4000-8000-000000000001","status":"pending","description":"a"}]"#
  private static let jsonl = #"{"id":"a","title":"One","state":"todo"}"# + "\n"
  private static let markdown = "# Garden\n\n- [ ] Sow\n  in rows\n- [x] Dig\n"
  private static let stranger = #"[{"name": "One"}, {"name": "Two"}]"#

  @Test(
    "a file that certainly is of another format is refused by that format's name, and brings nothing",
    arguments: [
      ("todotxt", ics, "ics"), ("todotxt", taskwarrior, "taskwarrior"), ("todotxt", jsonl, "jsonl"),
      ("todotxt", markdown, "markdown"), ("todotxt", stranger, "JSON"),
      ("todotxt", "{\"a\": 1}\n\n{\"a\": 2}\n", "JSON"),
      ("markdown", ics, "ics"), ("markdown", taskwarrior, "taskwarrior"), ("markdown", jsonl, "jsonl"),
      ("ics", markdown, "markdown"), ("ics", jsonl, "jsonl"), ("taskwarrior", jsonl, "jsonl"),
      ("jsonl", taskwarrior, "taskwarrior"), ("jsonl", markdown, "markdown"), ("jsonl", ics, "ics"),
    ])
  func mistaken(format: String, file: String, found: String) async throws {
    let bench = try await ExchangeBench()
    for file in [file, "\u{FEFF}" + file] {
      let failure = try await bench.refusal(file, as: format)
      #expect(failure?.data?["kind"] == "corrupt", "\(file)")
      #expect(failure?.message.contains("given as \(format)") == true, "\(failure?.message ?? "")")
      #expect(failure?.message.contains(found) == true, "\(failure?.message ?? "")")
    }
    #expect(try await bench.cards().isEmpty && bench.client.commits.isEmpty)
    await bench.stop()
  }

  @Test(
    "what may be todo.txt is todo.txt",
    arguments: [
      ("[work] call Ann\n", 1), ("{ask Ben}\nCall Ann\n", 2), ("(A) - [ ] Sow\n", 1),
      ("2026-11-01 Sow\n- [ ] Dig\n", 2),
      ("[1]\n[2]\n", 2), ("[1, 2]\n", 1), ("Call Ann\nSow\n- [ ] Dig\n", 3), ("Read BEGIN:VCALENDAR again\n", 1),
      ("# Sow\n- Dig\n", 2),
    ])
  func anyText(file: String, count: Int64) async throws {
    let bench = try await ExchangeBench()
    #expect(try await bench.take(file, as: "todotxt")["added"] == .integer(count))
    await bench.stop()
  }

  @Test(
    "a list of todo.txt is found by its lines without a format",
    arguments: [
      "(A) Call Mom +family @phone due:2026-12-01\n", "(A) Call Mom @phone\nSow +garden\nDig\n",
      "Call Mom due:2026-12-01\nSow\n", "x 2026-11-02 2026-11-01 Dig +garden\n\u{FEFF}",
    ])
  func foundByLines(file: String) async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(file)
    #expect(report["format"] == "todotxt" && (report["added"]?.integerValue ?? 0) > 0, "\(report)")
    await bench.stop()
  }

  @Test(
    "a text that is no list of todo.txt is refused with the choices",
    arguments: [
      "Call Mom\nSow\n", "(A) The first answer\n(B) The second\n", "2026-11-01 12:00 started\n2026-11-01 12:01 ended\n",
      "--- a\n+++ b\n@@ -1 +1 @@\n-one\n+two\n", "Dear @ann,\nthe minutes.\nYours\n",
      "(A) One +a\nmany\nwords\nthat are\nno tasks\n",
    ])
  func notFound(file: String) async throws {
    let bench = try await ExchangeBench()
    let failure = try await bench.refusal(file)
    #expect(failure?.data?["field"] == "format", "\(file)")
    #expect(
      failure?.message.contains("ics, taskwarrior, todotxt, markdown, jsonl") == true, "\(failure?.message ?? "")")
    await bench.stop()
  }

  @Test(
    "a file named todo.txt is todo.txt, unless it holds another format",
    arguments: [
      ("todo.txt", "Call Mom\n", "todotxt"), ("Done.TXT", "x Call Mom\n", "todotxt"),
      ("work.todo.txt", "Call Mom\nSow\n- [ ] Dig\n", "todotxt"), ("todo.txt", markdown, "markdown"),
      ("todo.txt", ics, "ics"), ("todo.txt", "# List\n\nwords\n\n- [ ] Sow +a due:2026-12-01\n", "todotxt"),
    ])
  func foundByName(name: String, file: String, format: String) async throws {
    let bench = try await ExchangeBench()
    let folder = TemporaryFolder()
    let path = "\(folder.path)/\(name)"
    try Data(file.utf8).write(to: URL(filePath: path))
    let report = try await bench.client.call("projects/import", ["path": .string(path)])
    #expect(report["format"].text == format, "\(report)")
    await bench.stop()
  }

  @Test("a repetition without a due day counts from the day that was scheduled, or on which it starts")
  func scheduledRepetition() async throws {
    let bench = try await ExchangeBench(timeZone: "Etc/UTC")
    let file =
      "- [ ] Water 🔁 every week ⏳ 2026-11-16 🛫 2026-11-02\n- [ ] Sow 🔁 every month 🛫 2026-12-05\n- [ ] None 🔁 every week\n"
    let report = try await bench.take(file, as: "markdown")
    #expect(report["added"] == 3 && report["notes"].list.map { $0["field"] } == ["recurrence"])
    #expect(try await bench.card("Water")?["recurrence"]?["start"] == "2026-11-16")
    #expect(try await bench.card("None")?["recurrence"] == nil)
    #expect(try await bench.export("markdown") == file)
    let sow = try #require(try await bench.card("Sow"))
    _ = try await bench.client.call("projects/move", ["id": sow.id, "state": "done"])
    let next = try #require(try await bench.cards().first { $0["title"] == "Sow" && $0["state"] == "todo" })
    #expect(next["deadline"] == "2027-01-05")
    await bench.stop()
  }

  @Test("tasks in a block of code are none, also when the block stands in a quote")
  func quotedFences() async throws {
    let bench = try await ExchangeBench()
    let file = """
      > ```
      > - [ ] an example
      > ```
      > - [ ] quoted
      > > ~~~
      > > - [ ] deeper
      > - [ ] behind it

      ```
      > ```
      - [ ] code
      ```
      - [ ] plain

      """
    _ = try await bench.take(file, as: "markdown")
    #expect(try await bench.titles() == ["behind it", "plain", "quoted"])
    #expect(try await bench.export("markdown") == file)
    await bench.stop()
  }

  @Test("a file without one task says so in the report, and so does an empty one")
  func nothing() async throws {
    let bench = try await ExchangeBench()
    let prose = try await bench.take("# Garden\n\nWhat to sow.\n\n- seeds\n", as: "markdown")
    let note = try #require(prose["notes"].list.first, "\(prose)")
    #expect(prose["added"] == 0 && prose["skipped"] == 1 && prose["notes"].list.count == 1)
    #expect(note["reason"] == "notTask" && note["display"].text.contains("- [ ]"), "\(note)")
    for format in ["markdown", "todotxt", "jsonl"] {
      let empty = try await bench.take("\n \n", as: format)
      #expect(empty["notes"].list.map { $0["display"] } == ["The file is empty."], "\(format) \(empty)")
    }
    // As a program writes it that has nothing to hand on.
    let none = try await bench.take("[]\n", as: "todotxt")
    #expect(none["added"] == 0 && none["notes"].list.map { $0["display"] } == ["The file is empty."], "\(none)")
    let failure = try await bench.refusal("\n")
    #expect(failure?.data?["field"] == "data" && failure?.message.contains("is empty") == true)
    // What has tasks has nothing to be told.
    #expect(try await bench.take(Self.markdown, as: "markdown")["notes"] == [])
    await bench.stop()
  }
}
