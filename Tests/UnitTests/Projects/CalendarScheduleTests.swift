import Contract
import Testing
import Wire

@testable import Projects

@Suite("Projects: when calendars are fetched") struct CalendarScheduleTests {
  private static let now = Instant(milliseconds: 1_795_219_200_000)
  private static let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)

  @Test("a calendar is fetched again in an hour, or when the user or its server states it, and never within minutes")
  func answered() {
    for (every, freshFor, wait) in [
      (nil, nil, Self.hour), (15, nil, 15 * Self.minute), (120, nil, 2 * Self.hour), (nil, 7_200, 2 * Self.hour),
      (nil, 60, Self.hour), (15, 60, 15 * Self.minute), (nil, 864_000, Self.day), (99_999, nil, 30 * Self.day),
    ] as [(Int?, Int64?, Int64)] {
      var calendar = CalendarRecord()
      calendar.every = every
      let next = CalendarSchedule.next(after: Self.now, of: calendar, freshFor: freshFor.map { .seconds($0) })
      #expect(next == Self.now.adding(milliseconds: wait), "\(every ?? 0) \(freshFor ?? 0)")
    }
  }

  @Test("a calendar that fails is fetched later each time, and not before its server's own time")
  func failed() {
    for (failures, retryAfter, every, wait) in [
      (1, nil, nil, 15 * Self.minute), (2, nil, nil, 30 * Self.minute), (8, nil, nil, Self.day),
      (99, nil, nil, Self.day), (1, 7_200, nil, 2 * Self.hour), (1, 9_999_999, nil, 7 * Self.day),
      (1, -5, nil, 15 * Self.minute), (1, nil, 60, Self.hour),
    ] as [(Int, Int64?, Int?, Int64)] {
      var calendar = CalendarRecord()
      calendar.every = every
      let error = RPCError(.unreachable, data: retryAfter.map { ["retryAfter": .integer($0)] } ?? [:])
      let next = CalendarSchedule.next(after: Self.now, of: calendar, failures: failures, error)
      #expect(next == Self.now.adding(milliseconds: wait), "\(failures) \(retryAfter ?? 0)")
    }
  }
}
