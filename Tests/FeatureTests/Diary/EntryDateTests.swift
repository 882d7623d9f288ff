import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Diary: dates of any year") struct EntryDateTests {
  @Test("entries are listed by a month or a date of any year, 29 February too, with all other filters")
  func dates() async throws {
    let bench = try await DiaryBench()
    for day in ["2024-02-29", "2024-11-21", "2025-11-01", "2025-12-21", "2026-11-21"] {
      try await bench.add("On \(day)", day: day)
    }
    func days(_ params: JSONValue) async throws -> [String] {
      let page = try await bench.client.call("diary/list", params)
      #expect(page["total"] == json(page.items.count))
      return page.items.map { $0["day"].text }
    }
    #expect(try await days(["date": "11"]) == ["2026-11-21", "2025-11-01", "2024-11-21"])
    #expect(try await days(["date": "11-21"]) == ["2026-11-21", "2024-11-21"])
    #expect(try await days(["date": "02-29"]) == ["2024-02-29"])
    #expect(try await days(["date": "11", "to": "2025-12-31", "sort": "oldest"]) == ["2024-11-21", "2025-11-01"])
    #expect(try await days(["date": "10"]) == [])
    for date in ["13", "11-31", "1-1", "11-", "xx", "11-2"] {
      let failure = try await bench.client.failure("diary/list", ["date": .string(date)])
      #expect(failure?.data?["field"] == "date", "\(date)")
    }
    await bench.stop()
  }
}
