import Contract
import Display
import Exchange
import Testing

@testable import Projects

/// The events of subscribed calendars, and when they take place for a client in Seoul.
@Suite("Calendars: events and their days") struct CalendarReadingTests {
  private static let seoul = Zone("Asia/Seoul")!

  private static func calendar(_ events: String..., more: String = "") throws -> CalendarReading {
    let text =
      "BEGIN:VCALENDAR\n\(more)" + events.map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }.joined() + "END:VCALENDAR\n"
    return try CalendarReading(Array(text.utf8)) {}
  }

  /// The occurrences between two days: `2026-11-24 10:00 – 11:30`, with the last day where it is another one.
  private static func days(
    _ reading: CalendarReading, from first: String = "2026-11-21", through last: String = "2026-12-20"
  ) throws -> [String] {
    var top = ICalendarComponent(name: "VCALENDAR")
    top.nodes = try ICalendarComponent.parse(ICalendarLine.lines(of: Array(reading.zones.utf8)))
    let zones = ICalendarZones(top)
    let (first, last) = (CalendarDay(first)!, CalendarDay(last)!)
    return try reading.events.flatMap { event -> [String] in
      guard event.lastDay >= first, event.firstDay <= last else { return [] }
      let nodes = try ICalendarComponent.parse(ICalendarLine.lines(of: Array(event.times.utf8)))
      guard case .component(let times)? = nodes.first else { return ["none"] }
      let occurrences =
        EventTimes(times, zones: zones, reader: seoul)?
        .occurrences(from: first, through: last, limit: 100) ?? []
      return occurrences.map { found in
        let end = [found.lastDay == found.day ? nil : found.lastDay.description, found.endTime].compactMap(\.self)
        let begin = [found.day.description, found.time].compactMap(\.self)
        return ([begin.joined(separator: " ")] + (end.isEmpty ? [] : [end.joined(separator: " ")]))
          .joined(separator: " – ")
      }
    }
  }

  @Test(
    "an event takes place on the client's days, whatever zone it is in",
    arguments: [
      ("DTSTART;VALUE=DATE:20261124", ["2026-11-24"]),
      ("DTSTART;VALUE=DATE:20261124\nDTEND;VALUE=DATE:20261127", ["2026-11-24 – 2026-11-26"]),
      ("DTSTART;VALUE=DATE:20261119\nDURATION:P3D", ["2026-11-19 – 2026-11-21"]),
      ("DTSTART;VALUE=DATE:20261119\nDURATION:P2D", []),
      (
        "DTSTART;TZID=America/New_York:20261123T200000\nDTEND;TZID=America/New_York:20261123T213000",
        ["2026-11-24 10:00 – 11:30"]
      ),
      ("DTSTART:20261123T233000Z\nDURATION:PT1H", ["2026-11-24 08:30 – 09:30"]),
      ("DTSTART:20261124T090000\nDTEND:20261124T100000", ["2026-11-24 09:00 – 10:00"]),
      ("DTSTART:20261124T140000Z\nDTEND:20261124T170000Z", ["2026-11-24 23:00 – 2026-11-25 02:00"]),
      // One that ends at midnight is not of the next day.
      ("DTSTART:20261124T130000Z\nDTEND:20261124T150000Z", ["2026-11-24 22:00 – 00:00"]),
      ("DTSTART:20261124T090000", ["2026-11-24 09:00"]),
      ("DTSTART:20261124T090000\nDTEND:20261123T090000", ["2026-11-24 09:00"]),
      ("SUMMARY:No start", []), ("DTSTART:tomorrow", []),
    ] as [(String, [String])])
  func once(event: String, expected: [String]) throws {
    #expect(try Self.days(Self.calendar(event)) == expected)
  }

  @Test(
    "a series takes place by its rule, without its excluded days and with its added ones",
    arguments: [
      (
        "DTSTART;TZID=America/New_York:20261109T200000\nDURATION:PT1H\nRRULE:FREQ=WEEKLY\n"
          + "EXDATE;TZID=America/New_York:20261130T200000",
        ["2026-11-24 10:00 – 11:00", "2026-12-08 10:00 – 11:00", "2026-12-15 10:00 – 11:00"]
      ),
      ("DTSTART;VALUE=DATE:20200101\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", ["2026-11-26"]),
      ("DTSTART;VALUE=DATE:20261120\nRRULE:FREQ=DAILY;COUNT=3", ["2026-11-21", "2026-11-22"]),
      ("DTSTART;VALUE=DATE:20261101\nRRULE:FREQ=DAILY;UNTIL=20261122", ["2026-11-21", "2026-11-22"]),
      ("DTSTART;VALUE=DATE:20261101\nRDATE;VALUE=DATE:20261203,20261205", ["2026-12-03", "2026-12-05"]),
      // Each lasts three days, so the first that is seen began before the window.
      (
        "DTSTART;VALUE=DATE:20261006\nDURATION:P3D\nRRULE:FREQ=MONTHLY;BYMONTHDAY=6,19",
        ["2026-11-19 – 2026-11-21", "2026-12-06 – 2026-12-08", "2026-12-19 – 2026-12-21"]
      ),
      // A rule for times of a day is not supported: the event takes place once.
      ("DTSTART:20261124T090000\nRRULE:FREQ=HOURLY", ["2026-11-24 09:00"]),
      ("DTSTART;VALUE=DATE:20240101\nRRULE:FREQ=DAILY;COUNT=10", []),
    ] as [(String, [String])])
  func series(event: String, expected: [String]) throws {
    #expect(try Self.days(Self.calendar(event)) == expected)
  }

  @Test(
    "a moved occurrence is where it was moved to, a cancelled one nowhere, and the latest version of an event counts")
  func overrides() throws {
    let reading = try Self.calendar(
      "UID:a\nDTSTART;VALUE=DATE:20261122\nRRULE:FREQ=WEEKLY;COUNT=4\nSUMMARY:Choir",
      "UID:a\nRECURRENCE-ID;VALUE=DATE:20261129\nDTSTART;VALUE=DATE:20261201\nSUMMARY:Choir\\, in the hall",
      "UID:a\nRECURRENCE-ID;VALUE=DATE:20261206\nDTSTART;VALUE=DATE:20261206\nSTATUS:CANCELLED",
      "UID:b\nSEQUENCE:2\nDTSTART;VALUE=DATE:20261203\nSUMMARY:New",
      "UID:b\nSEQUENCE:1\nDTSTART;VALUE=DATE:20261202\nSUMMARY:Old")
    #expect(try Self.days(reading) == ["2026-11-22", "2026-12-13", "2026-12-01", "2026-12-03"])
    #expect(reading.events.map(\.title) == ["Choir", "Choir, in the hall", "New"])
  }

  @Test("a zone that the calendar defines itself is its zone, and other parts of a file are no events")
  func zones() throws {
    let reading = try Self.calendar(
      "DTSTART;TZID=Here:20261124T120000\nSUMMARY:Two\\nlines\nLOCATION:A hall\nURL:javascript:x",
      "DTSTART:20261125T000000Z\nURL:https://a.example/x",
      more: "X-WR-CALNAME:Mine\nBEGIN:VTIMEZONE\nTZID:Here\nBEGIN:STANDARD\nDTSTART:20200101T000000\n"
        + "TZOFFSETFROM:+0530\nTZOFFSETTO:+0530\nEND:STANDARD\nEND:VTIMEZONE\n"
        + "BEGIN:VTODO\nSUMMARY:A task\nEND:VTODO\n")
    #expect(reading.title == "Mine" && reading.zones.contains("TZID:Here"))
    #expect(try Self.days(reading) == ["2026-11-24 15:30", "2026-11-25 09:00"])
    #expect(reading.events[0].title == "Two lines" && reading.events[0].location == "A hall")
    #expect(reading.events.map(\.url) == [nil, "https://a.example/x"])
  }

  @Test("of a zone that a calendar describes the first 32 observances count")
  func observances() throws {
    func observance(_ year: Int, _ offset: String) -> String {
      "BEGIN:STANDARD\nDTSTART:\(year)0101T000000\nTZOFFSETFROM:+0000\nTZOFFSETTO:\(offset)\nEND:STANDARD\n"
    }
    let earlier = (1_970..<2_001).map { observance($0, "+0000") }
    let later = [observance(2_020, "+0530"), observance(2_021, "+0800")]
    #expect(earlier.count == 31)
    let zone = "BEGIN:VTIMEZONE\nTZID:Here\n" + (earlier + later).joined() + "END:VTIMEZONE\n"
    let reading = try Self.calendar("DTSTART;TZID=Here:20261124T120000", more: zone)
    #expect(try Self.days(reading) == ["2026-11-24 15:30"])
  }

  @Test("what is outside of a calendar does not hide its events, and an event there is read as well")
  func outside() throws {
    func event(_ title: String) -> String {
      "BEGIN:VEVENT\nSUMMARY:\(title)\nDTSTART;VALUE=DATE:20261124\nEND:VEVENT\n"
    }
    let text = "BEGIN:VCALENDAR\n\(event("Choir"))END:VCALENDAR\nBEGIN:VALARM\nEND:VALARM\n\(event("Market"))"
    #expect(try CalendarReading(Array(text.utf8)) {}.events.map(\.title) == ["Choir", "Market"])
    #expect(try CalendarReading(Array(event("Fair").utf8)) {}.events.map(\.title) == ["Fair"])
  }

  @Test(
    "a file that is no calendar is refused as a whole",
    arguments: ["", "<html>", "BEGIN:VCARD\nEND:VCARD\n", "BEGIN:VCALENDAR\nBEGIN:VEVENT\n"])
  func noCalendar(text: String) {
    #expect(throws: WrongFormat.self) { try CalendarReading(Array(text.utf8)) {} }
  }

  @Test("of more events than are stored, those that end last are stored, and its stamps do not make another calendar")
  func most() throws {
    let start = CalendarDay("2000-01-01")!
    func text(_ stamp: String) -> String {
      let events = (0..<CalendarReading.mostEvents + 5).map { number in
        let day = start.adding(days: number).description.filter { $0 != "-" }
        return "BEGIN:VEVENT\nUID:\(number)\nDTSTAMP:\(stamp)\nDTSTART;VALUE=DATE:\(day)\nEND:VEVENT\n"
      }
      return "BEGIN:VCALENDAR\n\(events.joined())END:VCALENDAR\n"
    }
    let reading = try CalendarReading(Array(text("20261121T000000Z").utf8)) {}
    #expect(reading.isCut && reading.events.count == CalendarReading.mostEvents)
    #expect(reading.events.first?.firstDay == start.adding(days: 4))
    #expect(try CalendarReading(Array(text("20261122T000000Z").utf8)) {}.hash == reading.hash)
  }

  @Test("a count or an interval that a hostile file states costs no more than the window")
  func hostile() throws {
    let reading = try Self.calendar(
      "DTSTART;VALUE=DATE:00010101\nRRULE:FREQ=DAILY;COUNT=100000",
      "DTSTART;VALUE=DATE:20261124\nDTEND;VALUE=DATE:99991231\nRRULE:FREQ=DAILY",
      "DTSTART;VALUE=DATE:20240229\nRRULE:FREQ=YEARLY;INTERVAL=9999;BYMONTH=2;BYMONTHDAY=30",
      "DTSTART:99991231T235959Z\nDURATION:P100000D", "DTSTART:00010101T000000Z\nRRULE:FREQ=WEEKLY;UNTIL=00010101")
    #expect(reading.events.count == 5)
    #expect(try Self.days(reading, through: "2026-11-25").allSatisfy { $0.hasPrefix("2026-11-2") })
  }
}
