import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import Display
@testable import Projects

@Suite("Projects: a project of Todoist") struct TodoistTests {
  private static let head = """
    TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,AUTHOR,RESPONSIBLE,DATE,DATE_LANG,TIMEZONE,DURATION,DURATION_UNIT,DEADLINE,DEADLINE_LANG

    """
  private static let file =
    head + """
      meta,view_style=board,,,,,,,,,,,,
      note,Of the whole project,,,,,,,,,,,,
      task,"Plan the garden, all of it @spring @home","In rows
      - [ ] of beans",1,1,Ann (1),,2026-11-30 09:00,en,Europe/Vienna,45,minute,2026-12-05,en
      task,Sow beans,,4,2,Ann (1),,every! 2 weeks,en,Europe/Vienna,,,,
      task,Buy seeds 📅 soon,,3,3,Ann (1),Ben (2),"every mon, fri at 20:00",en,Europe/Vienna,,,,
      note,"Not the dwarf ones [[file {""file_name"": ""beans.pdf"", ""file_url"": ""https://a.example/b""}]]",,,,,,,,,,,,
      section,Errands far,,,,,,,,,,,,
      task,* Call Mom,,2,1,Ann (1),,not a day,en,Europe/Vienna,,,,
      task,@home,,4,1,Ann (1),,내일 오후 3시,ko,Asia/Seoul,,,,

      """

  @Test("its tasks are cards with their parents, labels, days, recurrences, comments and other columns")
  func cards() async throws {
    let bench = try await ExchangeBench()
    let report = try await bench.take(Self.file)
    #expect(report["format"] == "todoist" && report["added"] == 5 && report["skipped"] == 1, "\(report)")
    let notes = report["notes"].list.map { "\($0["line"]?.description ?? "") \($0["reason"].text)" }
    #expect(notes == ["10 badDate", "3 notTask"], "\(report)")
    func card(_ title: String) async throws -> JSONValue {
      let id = try #require(try await bench.card(title)?.id)
      return try await bench.client.call("projects/get", ["id": id])
    }
    let plan = try await card("Plan the garden, all of it")
    #expect(plan["tags"] == ["spring", "home"] && plan["priority"] == 1 && plan["body"] == "In rows\n- [ ] of beans")
    #expect(plan["deadline"] == "2026-12-05" && plan["start"] == "2026-11-30" && plan["time"] == nil)
    #expect(
      plan["properties"] == [
        ["name": "date", "value": "2026-11-30 09:00"], ["name": "duration", "value": "45"],
        ["name": "duration_unit", "value": "minute"],
      ], "\(plan)")
    let sow = try await card("Sow beans")
    #expect(sow["parent"] == plan["id"] && sow["deadline"] == "2026-11-21" && sow["priority"] == nil)
    #expect(sow["recurrence"]?["rule"] == "FREQ=WEEKLY;INTERVAL=2" && sow["recurrence"]?["from"] == "completion")
    let buy = try await card("Buy seeds 📅 soon")
    #expect(buy["parent"] == sow["id"] && buy["deadline"] == "2026-11-23" && buy["time"] == "20:00")
    #expect(buy["recurrence"]?["rule"] == "FREQ=WEEKLY;BYDAY=MO,FR" && buy["priority"] == 5)
    #expect(buy["properties"] == [["name": "responsible", "value": "Ben (2)"]])
    #expect(buy["body"] == "Not the dwarf ones [beans.pdf](https://a.example/b)", "\(buy)")
    let call = try await card("Call Mom")
    #expect(call["tags"] == ["Errands far"] && call["deadline"] == nil && call["parent"] == nil)
    #expect(call["properties"] == [["name": "date", "value": "not a day"]])
    let home = try await card("@home")
    #expect(home["deadline"] == "2026-11-22" && home["time"] == "15:00" && home["tags"] == ["home", "Errands far"])

    let again = try await bench.take(Self.file)
    #expect(again["known"] == 5 && again["added"] == 0 && again["updated"] == 0, "\(again)")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.cards().isEmpty)
    await bench.stop()
  }

  @Test("a file that was edited changes its card, what was changed here stays, and the list goes out as Markdown")
  func edited() async throws {
    let bench = try await ExchangeBench()
    let path = bench.bench.daemon.folder.file("Garden.csv")
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path)) }
    try write(Self.head + "task,Sow beans,,4,1,,,2026-12-01,en,,,,,\ntask,Dig,,4,2,,,,,,,,,\n")
    _ = try await bench.client.call("projects/addBoard", ["title": "Garden"])
    let params: JSONValue = ["path": .string(path), "board": "Garden"]
    #expect(try await bench.client.call("projects/import", params)["added"] == 2)
    let cards = try await bench.client.call("projects/list", ["board": "Garden"]).items
    let id = try #require(cards.first { $0["title"] == "Sow beans" }?.id)
    _ = try await bench.client.call("projects/update", ["id": id, "tags": ["spring"]])
    try write(Self.head + "task,Sow beans,,4,1,,,2026-12-03,en,,,,,\ntask,Dig,,4,2,,,,,,,,,\n")
    let report = try await bench.client.call("projects/import", params)
    #expect(report["updated"] == 1 && report["known"] == 1, "\(report)")
    let card = try await bench.client.call("projects/get", ["id": id])
    #expect(card["deadline"] == "2026-12-03" && card["tags"] == ["spring"], "\(card)")
    let list = try await bench.client.call(
      "projects/export", ["format": "markdown", "inline": true, "board": "Garden"])
    let text = String(decoding: Data(base64Encoded: list["data"].text) ?? Data(), as: UTF8.self)
    #expect(text.contains("- [ ] Sow beans") && text.contains("\n  - [ ] Dig"), "\(text)")
    await bench.stop()
  }

  @Test("a table of other columns is refused as Todoist's, and Todoist's is none of another format")
  func mistaken() async throws {
    let bench = try await ExchangeBench()
    #expect(try await bench.refusal("A,B\n1,2\n", as: "todoist")?.kind == "corrupt")
    for format in ["todotxt", "markdown", "ics"] {
      let refusal = try await bench.refusal(Self.file, as: format)
      #expect(refusal?.kind == "corrupt" && refusal?.message.contains("todoist") == true, "\(format)")
    }
    let empty = try await bench.take(Self.head)
    #expect(empty["format"] == "todoist" && empty["added"] == 0 && empty.importReasons == ["blank"], "\(empty)")
    await bench.stop()
  }

  @Test(
    "days in the words of a user are days, times and rules, from today on",
    arguments: [
      ("2026-11-30", "2026-11-30"), ("2026-11-30 09:00", "2026-11-30 09:00"), ("30 Nov 2026 9am", "2026-11-30 09:00"),
      ("2026-11-30T09:00:00Z", "2026-11-30 18:00"), ("tomorrow at 6pm", "2026-11-22 18:00"),
      ("every day", "2026-11-21 FREQ=DAILY"), ("every 3 days", "2026-11-21 FREQ=DAILY;INTERVAL=3"),
      ("ev day at 7:30", "2026-11-21 07:30 FREQ=DAILY"), ("daily", "2026-11-21 FREQ=DAILY"),
      ("every workday", "2026-11-23 FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("Every Sunday", "2026-11-22 FREQ=WEEKLY;BYDAY=SU"), ("every 15th", "2026-12-15 FREQ=MONTHLY;BYMONTHDAY=15"),
      ("every 3rd friday", "2026-12-18 FREQ=MONTHLY;BYDAY=3FR"),
      ("every last day", "2026-11-30 FREQ=MONTHLY;BYMONTHDAY=-1"),
      ("every quarter", "2026-11-21 FREQ=MONTHLY;INTERVAL=3"),
      ("every 24 dec", "2026-12-24 FREQ=YEARLY;BYMONTH=12;BYMONTHDAY=24"),
      ("every month starting 2026-12-05", "2026-12-05 FREQ=MONTHLY"),
      ("every! week", "2026-11-21 FREQ=WEEKLY completion"),
      ("after 10 days", "2026-11-21 FREQ=DAILY;INTERVAL=10 completion"),
      ("매주 월요일", "2026-11-23 FREQ=WEEKLY"), ("", nil), ("sometime", nil), ("2026-02-30", nil), ("every", nil),
      ("every blue moon", nil),
    ] as [(String, String?)])
  func days(text: String, expected: String?) throws {
    let reading = TodoistDate.Reading(
      locale: .english, today: try #require(CalendarDay("2026-11-21")), zone: try #require(Zone("Asia/Seoul")))
    let read = TodoistDate(text, reading).map { date in
      [date.day.description, date.time, date.recurrence?.rule, date.recurrence?.from?.rawValue].compactMap(\.self)
        .joined(separator: " ")
    }
    #expect(read == expected)
  }
}
