import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Diary: for people") struct EntryDisplayTests {
  @Test("D15 D31 the date is written by the template dd MMM yyyy in the client's locale and zone")
  func date() async throws {
    let clock = TestClock(Instant(milliseconds: 1_608_651_333_000))
    let bench = try await DiaryBench(clock: clock, locale: "ko-KR", timeZone: "Asia/Seoul")
    let entry = try await bench.add("글")
    #expect(entry["display"]?["date"] == "2020년 12월 23일" && entry["day"] == "2020-12-23")
    let english = try await bench.daemon.client(locale: "en-US", timeZone: "America/New_York")
    #expect(try await english.call("diary/get", ["id": entry.id])["display"]?["date"] == "Dec 22, 2020")
    await bench.stop()
  }

  @Test("D16 D17 a change of locale, of zone and of day is seen with the next reply, by the client that made it alone")
  func follows() async throws {
    let clock = TestClock(Instant("2026-11-21T20:00:00Z")!)
    let bench = try await DiaryBench(clock: clock)
    let other = try await bench.daemon.client()
    let entry = try await bench.add("text")
    func display(_ client: Client) async throws -> [String] {
      let display = try await client.call("diary/get", ["id": entry.id])["display"]
      return [display?["date"].text ?? "", display?["day"].text ?? ""]
    }
    #expect(try await display(bench.client) == ["Nov 21, 2026", "today"])
    _ = try await bench.client.call("session/configure", ["locale": "ko-KR"])
    #expect(try await display(bench.client) == ["2026년 11월 21일", "오늘"])
    _ = try await bench.client.call("session/configure", ["timeZone": "Asia/Seoul"])
    #expect(try await display(bench.client) == ["2026년 11월 22일", "어제"])
    #expect(try await display(other) == ["Nov 21, 2026", "today"])
    clock.advance(milliseconds: 86_400_000)
    #expect(try await display(other) == ["Nov 21, 2026", "yesterday"])
    clock.advance(milliseconds: 86_400_000)
    #expect(try await display(other) == ["Nov 21, 2026", "Nov 21, 2026"])
    await bench.stop()
  }

  @Test("the day that an entry is about is written as everywhere else, and has a time only where it was written then")
  func dayAndTime() async throws {
    let bench = try await DiaryBench()
    let today = try await bench.add("Now")
    #expect(today["display"]?["day"] == "today" && today["display"]?["dayTime"] == "3:04\u{202F}AM")
    let former = try await bench.add("Then", day: "2025-03-01")
    #expect(former["display"]?["day"] == "Mar 1, 2025" && former["display"]?["dayTime"] == nil)
    #expect(former["display"]?["date"] == "Nov 21, 2026" && former["display"]?["time"] == "3:04\u{202F}AM")
    let told = try await bench.client.call("diary/day", ["day": "2025-03-01"])
    #expect(told["display"] == ["date": "Mar 1, 2025", "day": "Mar 1, 2025"])
    _ = try await bench.client.call("session/configure", ["locale": "ko-KR"])
    #expect(try await bench.get(former.id)["display"]?["day"] == "2025. 3. 1.")
    await bench.stop()
  }

  @Test("the time of the day is that of the clocks where the entry was written, and the date follows the reader")
  func timeThere() async throws {
    // 2026-11-21T03:04Z
    let bench = try await DiaryBench(timeZone: "America/New_York")
    let entry = try await bench.add("Late")
    #expect(entry["day"] == "2026-11-20" && entry["display"]?["dayTime"] == "10:04\u{202F}PM")
    _ = try await bench.client.call("session/configure", ["timeZone": "Asia/Seoul"])
    let display = try await bench.get(entry.id)["display"]
    #expect(display?["day"] == "yesterday" && display?["dayTime"] == "10:04\u{202F}PM", "\(display ?? .null)")
    #expect(display?["date"] == "Nov 21, 2026" && display?["time"] == "12:04\u{202F}PM")
    await bench.stop()
  }

  @Test("an entry is called by the words of its heading, whose signs stay in its title and text")
  func headings() async throws {
    let bench = try await DiaryBench()
    for (text, name) in [
      ("# Rain\nAll day.", "Rain"), ("###  Rain #1", "Rain #1"), ("#rain", "#rain"), ("# ", "# "),
      ("####### x", "####### x"),
    ] {
      let entry = try await bench.add(text)
      #expect(entry["display"]?["title"].text == name && entry["text"].text == text, "\(text)")
    }
    #expect(try await bench.add("# Rain", day: "2026-11-20")["title"] == "# Rain")
    let written = try await bench.client.call("diary/day")["items"].list
    #expect(written.map { $0["display"]?["title"].text } == ["Rain"])
    await bench.stop()
  }

  @Test("lists and searches call an entry by its words, without Markdown")
  func names() async throws {
    let bench = try await DiaryBench()
    let entry = try await bench.add("## **Rain** at 5\\.30 in [Wien](https://wien.example)\nAll day.")
    #expect(entry["display"]?["title"] == "Rain at 5.30 in Wien")
    let hits = try await bench.client.call("search/query", ["text": "wien"]).items
    #expect(hits.map { $0["display"]?["title"] } == ["Rain at 5.30 in Wien"], "\(hits)")
    try await bench.add("![](dayone-moment://A1)\n# A photo\nof snow")
    let photos = try await bench.client.call("search/query", ["text": "snow"]).items
    #expect(photos.map { $0["display"]?["title"] } == ["A photo"], "\(photos)")
    await bench.stop()
  }

  @Test("D14 what can be done with an entry is data, with its words")
  func actions() async throws {
    let bench = try await DiaryBench(locale: "ko")
    let entry = try await bench.add("글")
    #expect(entry["actions"] == ["share", "remove"] && entry["display"]?["actions"] == ["공유", "삭제"])
    await bench.stop()
  }

  @Test("D12 D28 a dry run asks in the client's language, removes nothing, and is undone by nobody")
  func confirmation() async throws {
    let bench = try await DiaryBench(locale: "ko")
    let entry = try await bench.add("글")
    let asked = try await bench.client.call("diary/remove", ["id": entry.id, "dryRun": true])
    #expect(asked["count"] == 1 && asked["removed"] == nil)
    #expect(
      asked["display"] == [
        "title": "진짜요?", "message": "정말로 삭제하시겠어요?", "confirm": "삭제", "cancel": "취소",
      ])
    let all = try await bench.client.call("diary/removeAll", ["dryRun": true])
    #expect(all["count"] == 1 && all["display"]?["title"] == "진짜요?" && all["display"]?["confirm"] == "삭제")
    #expect(try await bench.titles() == ["글"])
    await bench.stop()
  }
}
