import Contract
import TestSupport
import Testing
import Wire

@Suite("Days and instants")
struct ValuesTests {
  @Test("every day from year 1 to 9999 follows the one before") func everyDay() {
    var expected = CalendarDay(year: 1, month: 1, day: 1)!
    var weekday = 1
    let first = expected.daysSince1970
    for number in first...CalendarDay(year: 9999, month: 12, day: 31)!.daysSince1970 {
      let day = CalendarDay(daysSince1970: number)
      guard day == expected, day.daysSince1970 == number, day.weekday == weekday else {
        Issue.record("\(number) is \(day), not \(expected)")
        return
      }
      expected = next(expected)
      weekday = weekday % 7 + 1
    }
  }

  @Test("known days have their numbers and weekdays") func known() {
    #expect(CalendarDay("1970-01-01")?.daysSince1970 == 0)
    #expect(CalendarDay("2000-03-01")?.daysSince1970 == 11_017)
    #expect(CalendarDay("2026-11-21")?.weekday == 6)
    #expect(CalendarDay("2026-11-21")?.description == "2026-11-21")
    #expect(CalendarDay("0007-01-02")?.description == "0007-01-02")
  }

  @Test(
    "days that do not exist and other forms are refused",
    arguments: [
      "2026-02-29", "2100-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "2026-01-00", "2026-1-01", "26-01-01",
      "2026-01-01 ", "+2026-01-01", "2026-01-01T", "２026-01-01", "", "2026/01/01",
      "0000-01-01", "0000-12-31", "10000-01-01",
    ]) func noDay(_ text: String)
  { #expect(CalendarDay(text) == nil) }

  @Test("arithmetic goes over months and years, and stops at the ends of the calendar") func arithmetic() {
    let day = CalendarDay("2024-01-31")!
    #expect(day.adding(days: 30) == CalendarDay("2024-03-01"))
    #expect(day.adding(days: -31) == CalendarDay("2023-12-31"))
    #expect(day.adding(months: 1) == CalendarDay("2024-02-29"))
    #expect(day.adding(months: -11) == CalendarDay("2023-02-28"))
    #expect(day.adding(months: 12) == CalendarDay("2025-01-31"))
    #expect(day.days(until: CalendarDay("2025-01-31")!) == 366)
    #expect(day.adding(days: .max) == CalendarDay("9999-12-31"))
    #expect(day.adding(days: .min) == CalendarDay("0001-01-01"))
    #expect(day.adding(months: .max) == CalendarDay("9999-12-31"))
    #expect(day.adding(months: .min) == CalendarDay("0001-01-01"))
    #expect(day < CalendarDay("2024-02-01")!)
  }

  @Test("an instant is written in UTC with milliseconds, and read with any offset") func instants() {
    #expect(Instant(milliseconds: 0).description == "1970-01-01T00:00:00.000Z")
    #expect(Instant(milliseconds: -1).description == "1969-12-31T23:59:59.999Z")
    #expect(Instant("1970-01-01T00:00:00Z")?.milliseconds == 0)
    #expect(Instant("2026-11-21T12:04:05.6789+09:00")?.description == "2026-11-21T03:04:05.678Z")
    #expect(Instant("2026-11-21T00:00:00.5-05:30")?.description == "2026-11-21T05:30:00.500Z")
    #expect(Instant("2026-01-01T00:30:00+01:00")?.description == "2025-12-31T23:30:00.000Z")
    #expect(Instant("1969-12-31T23:59:59.999Z")?.milliseconds == -1)
    #expect(Instant("2001-09-09T01:46:40Z")?.milliseconds == 1_000_000_000_000)
    #expect(Instant(milliseconds: -1).day == CalendarDay("1969-12-31"))
    #expect(Instant(milliseconds: 1) < Instant(milliseconds: 2))
  }

  @Test("an instant stays within the years that can be written") func instantBounds() {
    #expect(Instant(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
    #expect(Instant(milliseconds: .min).description == "0001-01-01T00:00:00.000Z")
    #expect(Instant("9999-12-31T23:59:59.999Z") == Instant(milliseconds: .max))
    #expect(Instant("0001-01-01T00:00:00Z") == Instant(milliseconds: .min))
    #expect(Instant("9999-12-31T23:59:59-00:01") == nil)
    #expect(Instant("0001-01-01T00:00:00+00:01") == nil)
    #expect(Instant(milliseconds: 0).adding(milliseconds: .max) == Instant(milliseconds: .max))
    #expect(Instant(milliseconds: -1).adding(milliseconds: .min) == Instant(milliseconds: .min))
  }

  @Test(
    "instants that do not exist and other forms are refused",
    arguments: [
      "2026-11-21", "2026-11-21T03:04:05", "2026-11-21t03:04:05Z", "2026-11-21T03:04:05z", "2026-11-21 03:04:05Z",
      "2026-11-21T24:00:00Z", "2026-11-21T03:60:00Z", "2026-11-21T03:04:60Z", "2026-02-29T00:00:00Z",
      "2026-11-21T03:04:05.Z", "2026-11-21T03:04Z", "2026-11-21T03:04:05+9:00", "2026-11-21T03:04:05+0900",
      "2026-11-21T03:04:05+24:00", "2026-11-21T03:04:05ZZ", "",
    ]) func noInstant(_ text: String)
  { #expect(Instant(text) == nil) }

  @Test("days, instants, ids and revisions are read as they were written") func roundTrip() throws {
    let box = Shelf.Box.example
    let value = try JSONEncoding.value(of: box)
    #expect(
      value.description
        == #"{"id":"box-1","revision":3,"size":"small","due":"2026-11-21","at":"1970-01-01T00:00:00.000Z","place":{"x":1.5,"y":2}}"#
    )
    #expect(try Shelf.Box.decode(from: value, strict: true) == box)
  }

  @Test("a patch tells keeping from clearing on both ways") func patches() throws {
    struct Update: Codable, Equatable {
      var a: Patch<Int> = .absent
      var b: Patch<CalendarDay> = .absent
      var c: Patch<[String]> = .absent
    }
    let update = try JSONDecoding.decode(Update.self, from: ["b": nil, "c": ["x"]])
    #expect(update == Update(b: .null, c: .value(["x"])))
    #expect(try JSONEncoding.value(of: update).description == #"{"b":null,"c":["x"]}"#)
    #expect(update.a.applied(to: 7) == 7)
    #expect(update.b.applied(to: CalendarDay("2026-11-21")) == nil)
    #expect(update.c.applied(to: nil) == ["x"])
    let error = #expect(throws: RPCError.self) { try JSONDecoding.decode(Update.self, from: ["c": [1]]) }
    #expect(error?.data["field"] == "c[0]")
  }

  private func next(_ day: CalendarDay) -> CalendarDay {
    CalendarDay(year: day.year, month: day.month, day: day.day + 1)
      ?? CalendarDay(year: day.year, month: day.month + 1, day: 1) ?? CalendarDay(year: day.year + 1, month: 1, day: 1)
      ?? day
  }
}

@Suite("Ids")
struct IdentifierTests {
  @Test("a UUIDv7 says its moment, version and variant") func layout() throws {
    var uuids = UUIDs()
    var random = Counting()
    let id = uuids.next(at: Instant(milliseconds: 0x0192_f0c1_7b1e), using: &random)
    #expect(id.hasPrefix("0192f0c1-7b1e-7"))
    #expect(id.utf8.count == 36)
    #expect("89ab".contains(id[id.index(id.startIndex, offsetBy: 19)]))
    #expect(ItemID(validating: id) != nil)
  }

  @Test("later ids are greater: within a millisecond, beyond its count, and when the clock was set back") func order() {
    var uuids = UUIDs()
    var random = SeededGenerator()
    var last = uuids.next(at: Instant(milliseconds: 1_000_000), using: &random)
    for step in 0..<10_000 {
      let next = uuids.next(at: Instant(milliseconds: step < 9_000 ? 1_000_000 : 5), using: &random)
      guard last < next else {
        Issue.record("\(next) is not behind \(last)")
        return
      }
      last = next
    }
  }

  @Test("a client's id is 1 to 64 characters that need no quoting") func clientMade() throws {
    #expect(ItemID(validating: "a") != nil)
    #expect(ItemID(validating: String(repeating: "z", count: 64)) != nil)
    #expect(ItemID(validating: "A-b_c.9") != nil)
    for text in ["", String(repeating: "z", count: 65), "a b", "a/b", "é", "a\u{0}", "a\n"] {
      #expect(ItemID(validating: text) == nil)
      #expect(throws: RPCError.self) { try JSONDecoding.decode(ItemID.self, from: .string(text)) }
    }
    #expect(ItemID("a") < ItemID("b"))
  }
}

private struct Counting: RandomNumberGenerator {
  var value: UInt64 = .max
  mutating func next() -> UInt64 {
    value &-= 1
    return value
  }
}
