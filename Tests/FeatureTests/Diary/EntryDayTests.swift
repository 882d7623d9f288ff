import Client
import Contract
import TestSupport
import Testing
import Wire

/// Saturday, 21 November 2026, 03:04 in UTC.
@Suite("Diary: days in words") struct EntryDayTests {
  @Test("an entry's day may be said in words, and the reply has the day that was understood")
  func adding() async throws {
    let bench = try await DiaryBench()
    for (words, day) in [
      ("yesterday", "2026-11-20"), ("어제", "2026-11-20"), ("friday", "2026-11-20"), ("saturday", "2026-11-21"),
      ("dec 24", "2025-12-24"), ("2026-11-01", "2026-11-01"), ("사흘 전", "2026-11-18"),
    ] {
      #expect(try await bench.add("text", day: words)["day"] == .string(day), "\(words)")
    }
    let entry = try await bench.add("text")
    let moved = try await bench.client.call("diary/update", ["id": entry.id, "day": "last monday"])
    #expect(moved["day"] == "2026-11-16" && moved["text"] == "text")
    await bench.stop()
  }

  @Test("today is the client's: its zone, and the library's beginning of the day")
  func today() async throws {
    let bench = try await DiaryBench { $0.dayStartsAt = 4 * 60 }
    let seoul = try await bench.daemon.client(timeZone: "Asia/Seoul")
    #expect(try await bench.add("a", day: "today")["day"] == "2026-11-20")
    #expect(try await seoul.call("diary/add", ["text": "b", "day": "today"])["day"] == "2026-11-21")
    _ = try await bench.client.call("session/configure", ["timeZone": "Asia/Seoul"])
    #expect(try await bench.add("c", day: "today")["day"] == "2026-11-21")
    bench.daemon.clock.advance(milliseconds: 24 * 3_600_000)
    #expect(try await bench.add("d", day: "today")["day"] == "2026-11-22")
    await bench.stop()
  }

  @Test("lists and anniversaries take days in words too")
  func asking() async throws {
    let bench = try await DiaryBench()
    for day in ["2025-11-20", "2026-11-13", "2026-11-16", "2026-11-20", "2026-11-21"] {
      try await bench.add(day, day: day)
    }
    #expect(try await bench.titles(["from": "monday", "to": "yesterday"]) == ["2026-11-20", "2026-11-16"])
    #expect(try await bench.titles(["to": "지난주 금요일"]) == ["2026-11-13", "2025-11-20"])
    #expect(try await bench.titles(["day": "yesterday"], of: "diary/onThisDay") == ["2025-11-20"])
    await bench.stop()
  }

  @Test(
    "words that are no day are refused by the field's name, what was not understood, and examples in the client's language"
  )
  func refused() async throws {
    let bench = try await DiaryBench()
    let failure = try await bench.client.failure("diary/add", ["text": "a", "day": "31 february"])
    #expect(failure?.code == RPCError.Code.invalidParams)
    #expect(failure?.data?["field"] == "day" && failure?.data?["reason"] == "param.unknownDay")
    #expect(
      failure?.message
        == "“day” cannot be read as a date: 31 february. "
        + "Write it as 2026-11-21, or in words such as: tomorrow, next friday, in 3 days.")
    let korean = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    let words = try await korean.failure("diary/list", ["from": "언젠가"])
    #expect(words?.message.contains("언젠가") == true && words?.message.contains("다음 주 월요일") == true)
    for wrong in ["", String(repeating: "a", count: 65), "to\u{7}day"] {
      let failure = try await bench.client.failure("diary/list", ["to": .string(wrong)])
      #expect(failure?.data?["field"] == "to" && failure?.data?["reason"] == "param.givenDay")
    }
    let entry = try await bench.add("kept")
    #expect(try await bench.client.failure("diary/update", ["id": entry.id, "text": "b", "day": "soon"]) != nil)
    #expect(try await bench.titles() == ["kept"])
    await bench.stop()
  }
}
