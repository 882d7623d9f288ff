import Contract
import Display
import Testing

@testable import Exchange
@testable import Projects

@Suite("Exchange: values and lines of calendars") struct CalendarValueTests {
  private let seoul = Zone("Asia/Seoul")!
  private let berlin = Zone("Europe/Berlin")!

  @Test(
    "a day or a time is the same in its text, and another form or a day that does not exist is none",
    arguments: [
      ("20261121", true), ("20240229", true), ("20261121T090503", true), ("20261121T235959", true),
      ("20261121T140000Z", true), ("20261131", false), ("20250229", false), ("20261321", false), ("2026112", false),
      ("2026112a", false), ("2026-11-21", false), ("20261121T2300", false), ("20261121X230000", false),
      ("20261121T240000", false), ("20261121T236000", false), ("20261121T235961", false), ("20261121T230000z", false),
      ("20261121T23000a", false), ("", false),
    ])
  func compact(text: String, isTime: Bool) {
    #expect(CompactTime(text)?.text == (isTime ? text : nil))
  }

  @Test("a leap second is the second before it")
  func leapSecond() {
    #expect(CompactTime("20261231T235960")?.text == "20261231T235959")
  }

  @Test("a time is shown in the reader's zone, from UTC or from the zone of its file")
  func shown() throws {
    func shown(_ text: String, _ zone: Zone?) -> String? {
      guard let shown = CompactTime(text)?.shown(in: seoul, writtenIn: zone) else { return nil }
      return shown.local.map { CompactTime.local($0).text } ?? CompactTime.day(shown.day).text
    }
    #expect(shown("20261121", berlin) == "20261121" && shown("20261121T200000Z", nil) == "20261122T050000")
    #expect(shown("20261121T200000", berlin) == "20261122T040000" && shown("20261121T200000", nil) == "20261121T200000")
    let moments: [(String, Zone?, Bool)] = [
      ("20261121", nil, false), ("20261121", berlin, false), ("20261121T200000", nil, false),
      ("20261121T200000", berlin, true), ("20261121T200000Z", nil, true),
    ]
    for (text, zone, isMoment) in moments { #expect(CompactTime(text)?.isMoment(writtenIn: zone) == isMoment) }
  }

  @Test("a time that is moved keeps its form, and its seconds at the same time of day")
  func moved() throws {
    let day = try #require(CalendarDay("2026-11-30"))
    func moved(_ text: String, _ time: String, _ zone: Zone?) -> String? {
      CompactTime(text)?.moved(to: day, time, in: seoul, writtenIn: zone)?.text
    }
    #expect(moved("20261121", "09:30", nil) == "20261130T093000")
    #expect(moved("20261121T200000", "09:30", nil) == "20261130T093000")
    #expect(moved("20261121T200000", "09:30", berlin) == "20261130T013000")
    #expect(moved("20261121T200000Z", "09:30", nil) == "20261130T003000Z")
    #expect(moved("20261121T003012Z", "09:30", nil) == "20261130T003012Z")
    #expect(moved("20261121T003012Z", "09:31", nil) == "20261130T003100Z")
    #expect(moved("20261121", "soon", nil) == nil)
  }

  private static let durations: [(String, [Int]?)] = [
    ("P15DT5H0M20S", [15, 18_020]), ("P7W", [49, 0]), ("P1W2D", [9, 0]), ("-PT15M", [0, -900]), ("+P1D", [1, 0]),
    ("-P1DT1H", [-1, -3_600]), ("PT1H1M1S", [0, 3_661]), ("P100000D", [100_000, 0]),
    ("PT100000000S", [0, 100_000_000]),
    ("P100001D", nil), ("P100001W", nil), ("PT100000001S", nil), ("P99999999999999999999D", nil), ("P", nil),
    ("PT", nil), ("P1DT", nil), ("P1", nil), ("1D", nil), ("P1H", nil), ("", nil), ("p1d", nil),
  ]

  @Test(
    "a duration is days and seconds, in its sign, and none that is too long or of another form", arguments: durations)
  func duration(text: String, expected: [Int]?) {
    #expect(ICalendarDuration(text).map { [$0.days, $0.seconds] } == expected)
  }

  @Test(
    "a span ends as many days and seconds behind its beginning",
    arguments: [
      ("P1DT24H", "20261121", "20261123"), ("PT23H", "20261121", "20261121"),
      ("PT2H", "20261121T230000", "20261122T010000"),
      ("-PT1H", "20261121T003000", "20261120T233000"), ("-P1D", "20261121T003000", "20261120T003000"),
      ("P1DT30S", "20261121T235959", "20261123T000029"), ("P1D", "20261121T140000Z", "20261122T140000Z"),
      ("-PT15H", "20261121T140000Z", "20261120T230000Z"), ("P1D", "99991231", nil), ("P1D", "99991231T000000", nil),
    ] as [(String, String, String?)])
  func spans(duration: String, start: String, end: String?) throws {
    let span = try #require(ICalendarDuration(duration))
    #expect(span.end(of: try #require(CompactTime(start)))?.text == end)
  }

  private func zones(_ text: String) throws -> ICalendarZones {
    let nodes = try ICalendarComponent.parse(
      ICalendarLine.lines(of: Array("BEGIN:VCALENDAR\n\(text)\nEND:VCALENDAR".utf8)))
    guard case .component(let calendar)? = nodes.first else { return ICalendarZones(nil) }
    return ICalendarZones(calendar)
  }

  private func observance(_ kind: String, _ from: String, _ to: String, _ start: String, _ more: String = "") -> String
  {
    "BEGIN:\(kind)\nDTSTART:\(start)\nTZOFFSETFROM:\(from)\nTZOFFSETTO:\(to)\n\(more)END:\(kind)\n"
  }

  private func definition(_ name: String, _ parts: String) -> String {
    "BEGIN:VTIMEZONE\nTZID:\(name)\n\(parts)END:VTIMEZONE"
  }

  /// A local time of a zone in UTC.
  private func utc(_ text: String, in zone: Zone?) -> String? {
    guard let zone else { return nil }
    return CompactTime(text)?.shown(in: .utc, writtenIn: zone)?.local.map { CompactTime.local($0).text }
  }

  @Test("a calendar's own zone has the offset of the last observance that began, whatever the order in the file")
  func ownZone() throws {
    let daylight = observance(
      "DAYLIGHT", "+0100", "+0200", "20260329T020000", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU\n")
    let standard = observance(
      "STANDARD", "+0200", "+0100", "20251026T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\n")
    for parts in [daylight + standard, standard + daylight] {
      let zone = try zones(definition("Own", parts)).zone(named: "Own")
      for (text, expected) in [
        ("20250101T120000", "20250101T100000"), ("20251201T120000", "20251201T110000"),
        ("20260701T120000", "20260701T100000"), ("20261201T120000", "20261201T110000"),
        ("20270701T120000", "20270701T100000"), ("20500701T120000", "20500701T100000"),
      ] {
        #expect(utc(text, in: zone) == expected, "\(text)")
      }
    }
    let dated = observance("STANDARD", "-0330", "+013045", "20260101T000000", "RDATE:20260301T000000,20260401T000000\n")
    let other = observance("STANDARD", "+013045", "-0330", "20260215T000000", "RDATE:20260315T000000\n")
    let zone = try zones(definition("Own", dated + other)).zone(named: "Own")
    for (text, expected) in [
      ("20251201T120000", "20251201T153000"), ("20260110T120000", "20260110T102915"),
      ("20260220T120000", "20260220T153000"), ("20260310T120000", "20260310T102915"),
      ("20260320T120000", "20260320T153000"), ("20260410T120000", "20260410T102915"),
    ] {
      #expect(utc(text, in: zone) == expected, "\(text)")
    }
  }

  @Test("a zone is found by its name in the database, at the end of a longer one or beside it, else as it is defined")
  func names() throws {
    let none = try zones("X:1")
    #expect(utc("20260701T120000", in: none.zone(named: "Europe/Berlin")) == "20260701T100000")
    #expect(
      utc("20260701T120000", in: none.zone(named: "/freeassociation.sourceforge.net/Europe/Berlin"))
        == "20260701T100000")
    #expect(none.zone(named: "Nowhere") == nil && none.zone(named: "") == nil)
    let part = observance("STANDARD", "+0000", "-0500", "20200101T000000")
    let seoul = try zones(definition("Mine", "X-LIC-LOCATION:Asia/Seoul\n" + part)).zone(named: "Mine")
    #expect(utc("20260701T120000", in: seoul) == "20260701T030000")
    let own = try zones(definition("Mine", "X-LIC-LOCATION:Nowhere\n" + part))
    #expect(utc("20260701T120000", in: own.zone(named: "Mine")) == "20260701T170000")
    #expect(own.zone(named: "Other") == nil && own.components(named: ["Mine", "Other"]).count == 1)
    for wrong in [
      "", "BEGIN:STANDARD\nDTSTART:20200101T000000\nTZOFFSETTO:-0500\nEND:STANDARD\n",
      observance("STANDARD", "+0000", "+2500", "20200101T000000"),
      observance("STANDARD", "+0000", "+0060", "20200101T000000"),
      observance("STANDARD", "0000", "+0100", "20200101T000000"),
      observance("STANDARD", "+0000", "+0100", "20200101T000000Z"),
    ] {
      #expect(try zones(definition("Own", wrong)).zone(named: "Own") == nil, "\(wrong)")
    }
  }

  @Test("a content line has a name, parameters and a value; one that cannot be read has no name")
  func contentLines() {
    func line(_ text: String) -> ICalendarLine { ICalendarLine(unfolded: text, text: text, number: 7) }
    let start = line("dtstart;tzid=\"Europe/Berlin\";VALUE=DATE:2026:x")
    #expect(start.name == "DTSTART" && start.value == "2026:x" && start.number == 7)
    #expect(start["TZID"] == "Europe/Berlin" && start["VALUE"] == "DATE" && start["X"] == nil)
    #expect(line("A;B=\"x:y;z\":v")["B"] == "x:y;z" && line("A;B=\"x:y;z\":v").value == "v")
    #expect(line("A;B=c=d:v")["B"] == "c=d" && line("A:").name == "A" && line("A:").value == "")
    for wrong in ["", "A", ":v", ";B=c:v", "A;B:v", "A;B=c", "A;B=\"c:v"] {
      #expect(line(wrong).name == "" && line(wrong).text == wrong && line(wrong).parameters.isEmpty, "\(wrong)")
    }
    #expect(ICalendarLine("A", [("B", "x:y"), ("C", "z")], "v;w").text == "A;B=\"x:y\";C=z:v;w")
    #expect(ICalendarLine("A", [("B", "x\"y")], "v").text == "A;B=xy:v")
  }

  @Test("a long line is folded behind 75 bytes, never within a character, and is one line again when it is read")
  func folding() throws {
    let x = { (count: Int) in String(repeating: "x", count: count) }
    #expect(ICalendarLine.folded(x(75)) == x(75) && ICalendarLine.folded(x(76)) == x(75) + "\r\n x")
    #expect(ICalendarLine.folded(x(149)) == x(75) + "\r\n " + x(74))
    #expect(ICalendarLine.folded(x(150)) == x(75) + "\r\n " + x(74) + "\r\n x")
    #expect(ICalendarLine.folded(x(74) + "é") == x(74) + "\r\n é")
    let text = "A:" + String(repeating: "é한", count: 100)
    #expect(ICalendarLine.folded(text).split(separator: "\r\n").allSatisfy { $0.utf8.count <= 75 })
    let back = try ICalendarLine.lines(of: Array(ICalendarLine.folded(text).utf8))
    #expect(back.map(\.value) == [String(text.dropFirst(2))])
    let lines = try ICalendarLine.lines(of: Array("\u{FEFF}A:1\r\nB:2\r\n  3\n\t4\r\n\r\nC:5".utf8))
    #expect(lines.map(\.name) == ["A", "B", "C"] && lines.map(\.value) == ["1", "2 34", "5"])
    #expect(lines.map(\.number) == [1, 2, 6])
    // Folded within a character.
    let cut = Array("A:".utf8) + [0xC3] + Array("\r\n ".utf8) + [0xA9]
    #expect(try ICalendarLine.lines(of: cut).map(\.text) == ["A:é"])
    #expect(throws: WrongFormat.self) { try ICalendarLine.lines(of: Array("A:".utf8) + [0xC3]) }
  }

  @Test("a text is escaped and read again, and a list is split where a comma is no part of a text")
  func texts() {
    #expect(ICalendarText.escaped("a,b;c\\d\ne\r\nf\rg:\"h\"") == #"a\,b\;c\\d\ne\nf\ng:"h""#)
    #expect(ICalendarText.unescaped(#"a\,b\;c\\d\ne\Nf\xg\"#) == "a,b;c\\d\ne\nf\\xg\\")
    #expect(ICalendarText.list(#"a\,b, c,,d\\,e"#) == ["a,b", "c", "d\\", "e"])
    #expect(ICalendarText.list("") == [])
  }

  @Test("a calendar means the same in another order, folded otherwise and stamped anew, and not with another value")
  func meaning() throws {
    let zone = "BEGIN:VTIMEZONE\nTZID:X\nEND:VTIMEZONE\n"
    let text = "A;B=1;C=2:v\nBEGIN:VTODO\nUID:1\nDTSTAMP:20260101T000000Z\nEND:VTODO\nBEGIN:VEVENT\nUID:2\nEND:VEVENT\n"
    let meant = try #require(ICalendarMeaning.parts(of: text))
    #expect(meant.lines == ["A;B=1;C=2:v"] && meant.components.count == 2)
    for same in [
      text.replacing("A;B=1;C=2:v", with: "VERSION:2.0\na;c=2;\r\n b=1:v\nPRODID:x\nCALSCALE:y\nMETHOD:z"),
      text.replacing("0101T", with: "0202T"), text.replacing("UID:1\nDTSTAMP:20260101T000000Z", with: "UID:1"),
      zone + "BEGIN:VEVENT\nUID:2\nEND:VEVENT\nBEGIN:VTODO\nUID:1\nEND:VTODO\nA;B=1;C=2:v\n",
    ] {
      let parts = try #require(ICalendarMeaning.parts(of: same))
      #expect(parts.lines == meant.lines && parts.components == meant.components, "\(same)")
    }
    for other in [
      text.replacing("UID:1", with: "UID:3"), text.replacing("C=2", with: "C=3"), text.replacing(":v", with: ":V"),
      text + "D:1\n", text.replacing("VEVENT", with: "VJOURNAL"),
    ] {
      let parts = try #require(ICalendarMeaning.parts(of: other))
      #expect(parts.lines != meant.lines || parts.components != meant.components, "\(other)")
    }
    #expect(ICalendarMeaning.parts(of: "BEGIN:VTODO\n") == nil)
    #expect(try #require(ICalendarMeaning.parts(of: "")).components.isEmpty)
  }

  @Test("components are closed in the order in which they were opened, and not nested without end")
  func components() {
    func parse(_ text: String) throws -> [ICalendarComponent.Node] {
      try ICalendarComponent.parse(ICalendarLine.lines(of: Array(text.utf8)))
    }
    #expect(throws: WrongFormat.self) { try parse("BEGIN:A\nEND:B") }
    #expect(throws: WrongFormat.self) { try parse("END:A") }
    #expect(throws: WrongFormat.self) { try parse("BEGIN:A") }
    let deep = { (count: Int) in
      String(repeating: "BEGIN:A\n", count: count) + String(repeating: "end:a\n", count: count)
    }
    #expect(throws: Never.self) { try parse(deep(32)) }
    #expect(throws: WrongFormat.self) { try parse(deep(33)) }
  }

  @Test(
    "a stored reminder is the same in its text, and another form is none",
    arguments: [
      ("-60m", "-60m"), ("+15m", "+15m"), ("+0m", "-0m"), ("-1d", "-1d"), ("-1d@18:00", "-1d@18:00"),
      ("start-0m", "start-0m"), ("start+2d@09:30", "start+2d@09:30"), ("-100000000m", "-100000000m"),
      ("2026-11-21T09:00:00.000Z", "2026-11-21T09:00:00.000Z"), ("60m", nil), ("-1h", nil), ("-1m@09:00", nil),
      ("-1d@9:00", nil), ("-1d@09:60", nil), ("start", nil), ("end-1d", nil), ("-100000001d", nil), ("-1d ", nil),
      ("", nil),
    ] as [(String, String?)])
  func reminder(text: String, stored: String?) {
    #expect(Reminder(text)?.text == stored)
  }

  @Test("of a file's reminders those count that can be read, each once, and no more than a card has")
  func possibleReminders() {
    #expect(Reminder.possible(["-60m", "x", "-60m", "+0d", "-0d"]) == ["-60m", "-0d"])
    #expect(Reminder.possible((1...30).map { "-\($0)m" }) == (1...20).map { "-\($0)m" })
    #expect(Reminder("start-1d")?.isOfStart == true && Reminder("-1d")?.isOfStart == false)
  }

  private static let times: [(String, Int?)] = [
    ("18:30", 1_110), ("0:05", 5), ("23:59", 1_439), ("24:00", nil), ("18:60", nil), ("9", nil), ("18:3", nil),
    ("9am", 540), ("9 a.m.", 540), ("12am", 0), ("12pm", 720), ("1pm", 780), ("6:30 PM", 1_110), ("13pm", nil),
    ("0am", nil), ("noon", 720), ("Midday", 720), ("midnight", 0), ("정오", 720), ("자정", 0), ("午夜", 0), ("真夜中", 0),
    ("오후 6시 30분", 1_110), ("오후 5:30", 1_050), ("오후 5pm", nil), ("오전 12시", 0), ("오후 12시", 720), ("오후 13시", 780),
    ("오전 13시", nil), ("새벽 여섯 시", 360), ("새벽 7시", nil), ("아침 9시", 540), ("아침 12시", nil), ("낮 1시", 780),
    ("낮 11시", 660), ("저녁 일곱 시 반", 1_170), ("저녁 3시", nil), ("밤 9시", 1_260), ("밤 12시", nil), ("밤 1시", nil),
    ("한 시", 60), ("열두 시", 720), ("십일시", 660), ("18시 30", 1_110), ("9시 5", nil), ("9시 5분", 545), ("9시 60분", nil),
    ("9시까지", 540), ("9시에", 540), ("9時まで", 540), ("午後3時半", 930), ("夕方5時", 1_020), ("早朝4時", 240), ("晩8時", 1_200),
    ("二十三時", 1_380), ("二十四時", nil), ("下午三点一刻", 915), ("下午三点三刻", 945), ("三点二十", 200), ("三点零五分", 185),
    ("三点整", 180), ("凌晨两点", 120), ("晚上8点", 1_200), ("夜里9点", 1_260), ("中午12点", 720), ("中午1点钟", 780),
    ("百時", nil), ("", nil), ("soon", nil), ("tonight", 1_200), ("this evening", 1_080), ("in the morning", 540),
    ("tonight at 8", 1_200), ("tonight 7:30", 1_170), ("evening 7pm", 1_140), ("8:15 this morning", 495),
    ("8 tonight", nil), ("tonight 3:00", nil), ("knight", nil), ("今晚", 1_200), ("저녁에", 1_080), ("저녁", nil),
  ]

  @Test("a time of day is read in four languages, within its part of the day", arguments: times)
  func timeOfDay(text: String, minutes: Int?) {
    #expect(TimeOfDay(parsing: text)?.minutes == minutes)
  }

  @Test("a preview is the first lines that are not blank, up to three hundred characters")
  func preview() {
    for (body, lines, expected) in [
      ("\n\n a\nb\nc", 2, " a\nb"), ("a\r\nb", 5, "a\nb"), ("a\rb", 5, "a\nb"), ("a  \n\n", 3, "a"), ("", 3, ""),
      ("a\n\nb", 2, "a"), ("a\n\nb", 3, "a\n\nb"), ("a\nb", 1, "a"),
    ] {
      #expect(BodyPreview.text(of: body, lines: lines) == expected, "\(body)")
    }
    let long = String(repeating: "x", count: 301)
    #expect(BodyPreview.text(of: long, lines: 9).count == 300)
  }

  private static let workdays = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"

  @Test(
    "a recurrence at the beginning of a line has its unit and its count, in four languages",
    arguments: [
      ("every day", "FREQ=DAILY"), ("each week x", "FREQ=WEEKLY"), ("Every Month", "FREQ=MONTHLY"),
      ("every year", "FREQ=YEARLY"), ("every 2 weeks", "FREQ=WEEKLY;INTERVAL=2"), ("every 1 day", "FREQ=DAILY"),
      ("every other day", "FREQ=DAILY;INTERVAL=2"), ("every 999 days", "FREQ=DAILY;INTERVAL=999"),
      ("매일", "FREQ=DAILY"), ("매주", "FREQ=WEEKLY"), ("매월", "FREQ=MONTHLY"), ("매달", "FREQ=MONTHLY"),
      ("매년", "FREQ=YEARLY"),
      ("2주마다", "FREQ=WEEKLY;INTERVAL=2"), ("3개월마다", "FREQ=MONTHLY;INTERVAL=3"), ("毎日", "FREQ=DAILY"),
      ("毎週", "FREQ=WEEKLY"), ("毎月", "FREQ=MONTHLY"), ("毎年", "FREQ=YEARLY"), ("3日ごと", "FREQ=DAILY;INTERVAL=3"),
      ("2週間ごとに", "FREQ=WEEKLY;INTERVAL=2"), ("2か月毎", "FREQ=MONTHLY;INTERVAL=2"), ("每天", "FREQ=DAILY"),
      ("每月", "FREQ=MONTHLY"), ("每年", "FREQ=YEARLY"), ("每2天", "FREQ=DAILY;INTERVAL=2"),
      ("每隔2周", "FREQ=WEEKLY;INTERVAL=2"),
      ("every weekday", workdays), ("each workday", workdays), ("매주 평일", workdays), ("평일마다", workdays),
      ("평일 매일", workdays), ("毎平日", workdays), ("平日毎日", workdays), ("平日ごとに", workdays), ("每个工作日", workdays),
      ("工作日每天", workdays),
      ("everyday", nil), ("every", nil), ("every 0 days", nil), ("every 1000 days", nil), ("every weekdays", nil),
      ("day", nil), ("2주", nil), ("", nil),
    ] as [(String, String?)])
  func recurrence(text: String, rule: String?) {
    #expect(QuickRecurrence(beginning: text)?.rule == rule)
  }
}
