import Client
import Contract
import System
import TestSupport
import Testing
import Wire

/// `session/didChangeDay`.
@Suite struct DayTests {
  @Test("a client is told when its day or the library's turns, after a long sleep too, and never twice")
  func turns() async throws {
    // 2026-11-21T03:04:05Z, in Seoul 12:04.
    let daemon = try await TestDaemon { $0.dayCheck = .milliseconds(2) }
    let utc = try await daemon.client(name: "utc")
    let seoul = try await daemon.client(name: "seoul", timeZone: "Asia/Seoul")
    daemon.clock.advance(milliseconds: 12 * 3_600_000)
    let first = try await notification(seoul, after: 0)
    #expect(first == ["day": "2026-11-22", "libraryDay": "2026-11-21"])
    // Three days in a lid: one notification for all of them.
    daemon.clock.advance(milliseconds: 72 * 3_600_000)
    #expect(try await notification(utc, after: 0) == ["day": "2026-11-24", "libraryDay": "2026-11-24"])
    #expect(try await notification(seoul, after: 1) == ["day": "2026-11-25", "libraryDay": "2026-11-24"])
    _ = try await utc.call("session/sync")
    #expect(utc.heard("session/didChangeDay").count == 1)
    await daemon.stop()
  }

  @Test("a client that travels to another day is told at once")
  func zoneChange() async throws {
    let daemon = try await TestDaemon { $0.dayCheck = .seconds(3_600) }
    let client = try await daemon.client()
    _ = try await client.call("session/configure", ["timeZone": "Europe/Berlin"])
    #expect(client.heard("session/didChangeDay") == [])
    _ = try await client.call("session/configure", ["timeZone": "Pacific/Honolulu"])
    #expect(client.heard("session/didChangeDay") == [["day": "2026-11-20", "libraryDay": "2026-11-21"]])
    await daemon.stop()
  }

  @Test(
    "a client in another zone is told when its own day turns, however seldom days are looked at else",
    arguments: [
      // Midnight in Seoul; in New York, on the day on which clocks went back; and in Beirut, where the hour from midnight
      // on was left out.
      ("Asia/Seoul", "2026-11-21T14:59:59.900Z", "2026-11-22", "2026-11-21"),
      ("America/New_York", "2026-11-02T04:59:59.900Z", "2026-11-02", "2026-11-02"),
      ("Asia/Beirut", "2026-03-28T21:59:59.900Z", "2026-03-29", "2026-03-28"),
    ])
  func exactTurn(zone: String, before: String, day: String, libraryDay: String) async throws {
    let clock = TestClock(try #require(Instant(before)))
    let daemon = try await TestDaemon(clock: clock) { $0.dayCheck = .seconds(3_600) }
    let named = try await daemon.client(name: "named", timeZone: zone)
    let traveller = try await daemon.client(name: "traveller")
    _ = try await traveller.call("session/configure", ["timeZone": .string(zone)])
    let earlier = traveller.heard("session/didChangeDay").count
    clock.advance(milliseconds: 100)
    let turned: JSONValue = ["day": .string(day), "libraryDay": .string(libraryDay)]
    #expect(try await notification(named, after: 0) == turned)
    #expect(try await notification(traveller, after: earlier) == turned)
    await daemon.stop()
  }

  @Test("the day begins when the configuration says")
  func dayStartsAt() async throws {
    let daemon = try await TestDaemon {
      $0.dayCheck = .milliseconds(2)
      $0.dayStartsAt = 4 * 60
    }
    let client = try await daemon.client()
    // From 03:04 on the 21st, which still is the 20th, past 04:00.
    daemon.clock.advance(milliseconds: 3_600_000)
    #expect(try await notification(client, after: 0) == ["day": "2026-11-21", "libraryDay": "2026-11-21"])
    await daemon.stop()
  }

  private func notification(_ client: Client, after count: Int) async throws -> JSONValue {
    try await client.heard("session/didChangeDay", atLeast: count + 1)[count]
  }
}
