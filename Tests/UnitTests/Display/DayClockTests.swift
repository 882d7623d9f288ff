import Foundation
import Testing

@testable import Display

@Suite("The day clock")
struct DayClockTests {
  /// Milliseconds since 1970 of an RFC 3339 instant.
  private func instant(_ text: String) throws -> Int64 {
    Int64(try Date(text, strategy: .iso8601).timeIntervalSince1970 * 1000)
  }

  private func clock(_ zone: String, _ dayStartsAt: Int = 0) throws -> DayClock {
    DayClock(zone: try #require(Zone(zone)), dayStartsAt: dayStartsAt)
  }

  @Test("J9 a day lasts from its first millisecond to its last")
  func boundaries() throws {
    let clock = try clock("Asia/Seoul")
    let midnight = try instant("2026-11-21T15:00:00Z")
    #expect(clock.day(of: midnight - 1) == (2026, 11, 21))
    #expect(clock.day(of: midnight) == (2026, 11, 22))
    #expect(clock.nextTurn(after: midnight - 1) == midnight)
    #expect(clock.nextTurn(after: midnight) == midnight + 86_400_000)
    #expect(clock.start(of: (2026, 11, 22)) == midnight)
  }

  @Test("for night owls the small hours belong to yesterday")
  func dayStartsAt() throws {
    let clock = try clock("Asia/Seoul", 240)
    #expect(clock.day(of: try instant("2026-11-21T18:59:59Z")) == (2026, 11, 21))
    #expect(clock.day(of: try instant("2026-11-21T19:00:00Z")) == (2026, 11, 22))
    #expect(clock.nextTurn(after: try instant("2026-11-21T18:59:59Z")) == (try instant("2026-11-21T19:00:00Z")))
  }

  @Test("J9 another zone has another day at the same instant, and turns at another one")
  func zoneChange() throws {
    var clock = try clock("Asia/Seoul")
    let now = try instant("2026-11-21T16:00:00Z")
    #expect(clock.day(of: now) == (2026, 11, 22))
    clock.zone = try #require(Zone("America/New_York"))
    #expect(clock.day(of: now) == (2026, 11, 21))
    #expect(clock.nextTurn(after: now) == (try instant("2026-11-22T05:00:00Z")))
    #expect(DayClock(zone: .utc).day(of: now) == (2026, 11, 21))
  }

  @Test("days are 23 and 25 hours long when clocks change")
  func daylightSaving() throws {
    let clock = try clock("Europe/Berlin")
    #expect(clock.nextTurn(after: try instant("2024-03-30T23:00:00Z")) == (try instant("2024-03-31T22:00:00Z")))
    #expect(clock.nextTurn(after: try instant("2024-10-26T22:00:00Z")) == (try instant("2024-10-27T23:00:00Z")))
  }

  @Test("a day whose start falls into a gap begins when the gap ends")
  func gap() throws {
    // 02:00 becomes 03:00 at 01:00Z.
    let clock = try clock("Europe/Berlin", 150)
    let gap = try instant("2024-03-31T01:00:00Z")
    #expect(clock.start(of: (2024, 3, 31)) == gap)
    #expect(clock.day(of: gap - 1) == (2024, 3, 30))
    #expect(clock.day(of: gap) == (2024, 3, 31))
    #expect(clock.nextTurn(after: gap - 1) == gap)
    // Midnight itself did not exist in Cairo on this day.
    let cairo = try self.clock("Africa/Cairo")
    #expect(cairo.start(of: (2024, 4, 26)) == (try instant("2024-04-25T22:00:00Z")))
  }

  @Test("a day does not go back when clocks do")
  func overlap() throws {
    // 03:00 becomes 02:00 at 01:00Z, so 02:30 comes twice.
    let clock = try clock("Europe/Berlin", 150)
    let first = try instant("2024-10-27T00:30:00Z")
    #expect(clock.start(of: (2024, 10, 27)) == first)
    #expect(clock.day(of: first - 1) == (2024, 10, 26))
    for minutes in stride(from: Int64(0), to: 180, by: 10) {
      #expect(clock.day(of: first + minutes * 60_000) == (2024, 10, 27))
    }
    #expect(clock.nextTurn(after: first) == (try instant("2024-10-28T01:30:00Z")))
    // Where midnight becomes 23:00, the evening goes on.
    let havana = try self.clock("America/Sao_Paulo")
    #expect(havana.day(of: try instant("2018-02-18T02:00:00Z")) == (2018, 2, 17))
    #expect(havana.nextTurn(after: try instant("2018-02-18T01:00:00Z")) == (try instant("2018-02-18T03:00:00Z")))
  }

  @Test("a day that the zone left out is never today")
  func leftOut() throws {
    let clock = try clock("Pacific/Apia")
    let turn = try instant("2011-12-30T10:00:00Z")
    #expect(clock.day(of: turn - 1) == (2011, 12, 29))
    #expect(clock.nextTurn(after: turn - 1) == turn)
    #expect(clock.day(of: turn) == (2011, 12, 31))
  }

  @Test("every turn begins the next day, through seven years of a zone", arguments: [0, 90, 150, 240, 1439])
  func turns(dayStartsAt: Int) throws {
    for zone in ["Asia/Seoul", "Europe/London", "America/New_York", "Australia/Lord_Howe"] {
      let clock = try clock(zone, dayStartsAt)
      var now = try instant("2005-01-01T12:00:00Z")
      let end = try instant("2012-01-01T00:00:00Z")
      while now < end {
        let turn = clock.nextTurn(after: now)
        let before = CivilDate.number(of: clock.day(of: turn - 1))
        try #require(turn > now && CivilDate.number(of: clock.day(of: turn)) == before + 1)
        try #require(clock.start(of: clock.day(of: turn)) == turn)
        now = turn
      }
    }
  }

  @Test("times before 1970 and in the year 9999 have their day")
  func farAway() throws {
    #expect(DayClock(zone: .utc).day(of: -1) == (1969, 12, 31))
    #expect(try clock("Asia/Seoul").day(of: try instant("9999-12-31T14:59:59Z")) == (9999, 12, 31))
    #expect(try clock("Asia/Seoul").day(of: try instant("1900-01-01T00:00:00Z")) == (1900, 1, 1))
    #expect(try clock("Europe/Berlin").day(of: try instant("9999-07-01T22:30:00Z")) == (9999, 7, 2))
  }

  @Test("dates and their numbers agree over eight centuries")
  func civilDates() {
    #expect(CivilDate.number(of: (1970, 1, 1)) == 0)
    #expect(CivilDate.number(of: (2000, 2, 29)) == 11_016)
    #expect(CivilDate.day(11_017) == (2000, 3, 1))
    var previous: YearMonthDay = CivilDate.day(-146_098)
    for number in -146_097...146_097 {
      let day = CivilDate.day(number)
      #expect(CivilDate.number(of: day) == number)
      #expect(previous < day)
      previous = day
    }
  }
}
