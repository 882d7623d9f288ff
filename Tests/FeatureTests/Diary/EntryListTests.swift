import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Diary: lists and days") struct EntryListTests {
  private static let day: Int64 = 86_400_000

  @Test("D2 entries are listed newest day first, of one day the last written first, always in the same order")
  func order() async throws {
    let bench = try await DiaryBench()
    for (text, day) in [("b", "2026-11-20"), ("a", "2026-11-21"), ("z", "2025-01-01"), ("c", "2026-11-20")] {
      try await bench.add(text, day: day)
      bench.daemon.clock.advance(milliseconds: 1)
    }
    // Two of one moment are told apart by their ids.
    try await bench.add("d", day: "2026-11-20", id: "d")
    try await bench.add("e", day: "2026-11-20", id: "e")
    #expect(try await bench.titles() == ["a", "e", "d", "c", "b", "z"])
    #expect(try await bench.titles(["sort": "oldest"]) == ["z", "b", "c", "d", "e", "a"])
    bench.daemon.clock.advance(milliseconds: 1)
    _ = try await bench.client.call("diary/update", ["id": "d", "text": "d, changed"])
    #expect(try await bench.titles(["sort": "changed", "limit": 1]) == ["d, changed"])
    #expect(try await bench.titles(["limit": 3]) == ["a", "e", "d, changed"])
    await bench.stop()
  }

  @Test("any range of days is listed, both ends included, and narrowed by what stands in the text")
  func ranges() async throws {
    let bench = try await DiaryBench()
    for day in 10...20 { try await bench.add("한국어 Entry \(day)\nÄrger", day: "2026-11-\(day)") }
    #expect(
      try await bench.titles(["from": "2026-11-12", "to": "2026-11-13"]) == ["한국어 Entry 13", "한국어 Entry 12"])
    #expect(try await bench.client.call("diary/list", ["from": "2026-11-15"])["total"] == 6)
    #expect(try await bench.client.call("diary/list", ["to": "2026-11-10"])["total"] == 1)
    #expect(try await bench.client.call("diary/list", ["from": "2026-11-15", "to": "2026-11-14"])["total"] == 0)
    #expect(try await bench.titles(["query": "entry 1", "from": "2026-11-19"]) == ["한국어 Entry 19"])
    #expect(try await bench.client.call("diary/list", ["query": "ärg"])["total"] == 11)
    #expect(try await bench.client.call("diary/list", ["query": "국어"])["total"] == 11)
    #expect(try await bench.client.call("diary/list", ["query": "zebra"]).items.isEmpty)
    #expect(try await bench.client.failure("diary/list", ["from": "2026-13-01"])?.data?["field"] == "from")
    await bench.stop()
  }

  @Test(
    "a cursor goes on behind the last entry whatever comes or goes meanwhile",
    arguments: ["newest", "oldest", "changed"])
  func cursors(sort: String) async throws {
    let bench = try await DiaryBench()
    for number in 1...5 {
      try await bench.add("\(number)", day: "2026-11-0\(number)", id: "e\(number)")
      bench.daemon.clock.advance(milliseconds: 10)
    }
    let expected = sort == "oldest" ? ["1", "2", "3", "4", "5"] : ["5", "4", "3", "2", "1"]
    let first = try await bench.client.call("diary/list", ["sort": .string(sort), "limit": 2])
    #expect(first.items.map { $0["title"].text } == Array(expected.prefix(2)) && first["hasMore"] == true)
    _ = try await bench.client.call("diary/remove", ["id": first.items[1].id])
    let rest = try await bench.client.call("diary/list", ["sort": .string(sort), "after": first["next"]!])
    #expect(rest.items.map { $0["title"].text } == Array(expected.dropFirst(2)))
    #expect(rest["hasMore"] == false && rest["total"] == 4 && rest["offset"] == 1)
    for after in ["nonsense", "a/b/c", "e1/1/2026-99-01"] {
      let failure = try await bench.client.failure("diary/list", ["sort": .string(sort), "after": .string(after)])
      #expect(failure?.data?["field"] == "after")
    }
    await bench.stop()
  }

  @Test(
    "of any days, in both orders, a part says its place and the number of all, whatever was moved, removed and undone",
    arguments: ["newest", "oldest"])
  func counted(sort: String) async throws {
    let bench = try await DiaryBench()
    let days = ["2024-02-29", "2025-12-31", "2026-01-01", "2026-01-01", "2026-01-15", "2026-02-01", "9999-12-31"]
    for (number, day) in days.enumerated() { try await bench.add("\(number)", day: day, id: "e\(number)") }
    try await bench.add("gone", day: "2026-01-02", id: "gone")
    _ = try await bench.client.call("diary/remove", ["id": "gone"])
    _ = try await bench.client.call("diary/update", ["id": "e4", "day": "2026-02-02"])
    _ = try await bench.client.call("diary/update", ["id": "e5", "day": "2026-03-01"])
    _ = try await bench.client.call("changes/undo")
    let end = try await bench.client.call("diary/list", ["sort": .string(sort), "limit": 1])["next"]!
    let narrowed = try await bench.client.call(
      "diary/list", ["sort": .string(sort), "from": "2026-01-01", "to": "2026-01-15", "after": end])
    #expect(narrowed.items.count == 2 && narrowed["total"] == 2 && narrowed["offset"] == 0)
    let bounds: [JSONValue?] = [nil, "2024-02-29", "2026-01-01", "2026-01-02", "2026-02-02", "9999-12-31"]
    for from in bounds {
      for to in bounds {
        var params: JSONObject = ["sort": .string(sort)]
        params["from"] = from
        params["to"] = to
        let all = try await bench.client.call("diary/list", .object(params)).items.map(\.id)
        for offset in 0...all.count + 1 {
          params["offset"] = .integer(Int64(offset))
          params["limit"] = 2
          let part = try await bench.client.call("diary/list", .object(params))
          #expect(part.items.map(\.id) == Array(all.dropFirst(offset).prefix(2)), "\(params)")
          #expect(part["total"]?.integerValue == Int64(all.count), "\(params)")
          #expect(part["offset"]?.integerValue == Int64(offset))
          guard let next = part["next"], next != .null else { continue }
          params["offset"] = nil
          params["after"] = next
          let rest = try await bench.client.call("diary/list", .object(params))
          #expect(rest["offset"]?.integerValue == Int64(offset + 2) && rest["total"]?.integerValue == Int64(all.count))
          params["after"] = nil
        }
      }
    }
    await bench.stop()
  }

  @Test("a part of a list ends early where titles are very long, and the next goes on")
  func longTitles() async throws {
    let bench = try await DiaryBench()
    for letter in ["a", "b", "c"] { try await bench.add(String(repeating: letter, count: 700_000)) }
    var (seen, next) = (0, JSONValue?.none)
    repeat {
      var params: JSONObject = [:]
      if let next { params["after"] = next }
      let part = try await bench.client.call("diary/list", .object(params))
      #expect(part.items.count == 1)
      seen += part.items.count
      next = part["next"]
    } while next != nil
    #expect(seen == 3)
    await bench.stop()
  }

  @Test(
    "on this day are the entries of the same date in other years; those of 29 February stand on the 28th where there is none"
  )
  func onThisDay() async throws {
    let bench = try await DiaryBench()
    for day in ["2020-11-21", "2024-11-21", "2026-11-21", "2027-11-21", "2024-11-22", "2024-02-29", "2023-02-28"] {
      try await bench.add(day, day: day)
    }
    #expect(try await bench.titles(of: "diary/onThisDay") == ["2027-11-21", "2024-11-21", "2020-11-21"])
    let days = [
      "2025-02-28": ["2024-02-29", "2023-02-28"], "2028-02-28": ["2023-02-28"], "2028-02-29": ["2024-02-29"],
      "2025-03-01": [], "2020-11-22": ["2024-11-22"],
    ]
    for (day, titles) in days {
      #expect(try await bench.titles(["day": .string(day)], of: "diary/onThisDay") == titles, "\(day)")
    }
    #expect(try await bench.client.failure("diary/onThisDay", ["day": "2025-02-29"])?.data?["field"] == "day")
    #expect(try await bench.titles(["limit": 1, "offset": 1], of: "diary/onThisDay") == ["2024-11-21"])
    let today = try await bench.client.call("diary/day")
    #expect(today["otherYears"] == 3)
    #expect(today["display"]?["otherYears"] == "3 entries on this day in other years")
    let lonely = try await bench.client.call("diary/day", ["day": "2025-03-01"])
    #expect(lonely["otherYears"] == 0 && lonely["display"]?["otherYears"] == nil)
    await bench.stop()
  }

  @Test("the calendar counts the entries of each day, and the days in a row up to today or yesterday")
  func calendar() async throws {
    let bench = try await DiaryBench()
    for day in ["2026-10-30", "2026-10-31", "2026-11-01", "2026-11-02", "2026-11-19", "2026-11-20", "2026-11-20"] {
      try await bench.add(day, day: day)
    }
    func calendar(_ month: String) async throws -> JSONValue {
      try await bench.client.call("diary/calendar", ["month": .string(month)])
    }
    var november = try await calendar("2026-11")
    // Without a month it is the present one.
    let present = try await bench.client.call("diary/calendar")
    #expect(present["month"] == "2026-11" && present["days"] == november["days"])
    #expect(november["days"].list.map { $0["count"] } == [1, 1, 1, 2] && november["total"] == 5)
    #expect(november["today"] == "2026-11-21" && november["streaks"] == ["current": 2, "longest": 4])
    try await bench.add("today")
    november = try await calendar("2026-11")
    #expect(november["streaks"] == ["current": 3, "longest": 4])
    bench.daemon.clock.advance(milliseconds: 2 * Self.day)
    #expect(try await calendar("2026-02")["streaks"] == ["current": 0, "longest": 4])
    #expect(try await calendar("2026-02")["days"] == [])
    let seoul = try await bench.daemon.client(timeZone: "Asia/Seoul")
    bench.daemon.clock.advance(milliseconds: 7 * Self.day + 13 * 3_600_000)
    #expect(try await seoul.call("diary/calendar")["month"] == "2026-12")
    #expect(try await bench.client.call("diary/calendar")["month"] == "2026-11")
    #expect(try await bench.client.failure("diary/calendar", ["month": "0000-01"])?.data?["field"] == "month")
    #expect(try await bench.client.failure("diary/calendar", ["month": "2026-13"])?.data?["field"] == "month")
    await bench.stop()
  }

  @Test("D18 an entry keeps its day and zone wherever it is read, and a night owl's day begins when the library says")
  func days() async throws {
    // 2026-11-21T03:04Z is 12:04 in Seoul, and three in the morning in UTC.
    let bench = try await DiaryBench { $0.dayStartsAt = 4 * 60 }
    let seoul = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    let night = try await bench.add("night")
    #expect(night["day"] == "2026-11-20" && night["timeZone"] == "Etc/UTC")
    #expect(night["display"]?["day"] == "today" && night["display"]?["date"] == "Nov 21, 2026")
    let noon = try await seoul.call("diary/add", ["text": "noon"])
    #expect(noon["day"] == "2026-11-21" && noon["timeZone"] == "Asia/Seoul" && noon["display"]?["day"] == "오늘")
    let read = try await seoul.call("diary/get", ["id": night.id])
    #expect(read["day"] == "2026-11-20" && read["timeZone"] == "Etc/UTC" && read["writtenAt"] == night["writtenAt"])
    #expect(read["display"]?["day"] == "어제")
    #expect(try await bench.get(noon.id)["display"]?["day"] == "tomorrow")
    await bench.stop()
  }
}
