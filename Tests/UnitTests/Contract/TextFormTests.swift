import TestSupport
import Testing
import Wire

@testable import Contract

@Suite("Forms of values") struct TextFormTests {
  @Test("each form accepts its sample, its good texts and none of the others")
  func forms() throws {
    let rows: [(TextForm, good: [String], bad: [String])] = [
      (
        .id, ["a", "A.b-c_9", String(repeating: "a", count: 64)],
        ["", "a b", "a/b", "é", String(repeating: "a", count: 65)]
      ),
      (
        .day, ["2024-02-29", "0001-01-01", "9999-12-31"],
        [
          "2023-02-29", "2026-13-01", "2026-00-01", "2026-04-31", "0000-01-01", "2026-1-1", "2026-11-21x", "",
          "２０２６-11-21",
        ]
      ),
      (
        .givenDay, ["tomorrow", "a", "내일", String(repeating: "a", count: 64)],
        ["", "a\nb", "\u{7F}", "\u{1F}", String(repeating: "a", count: 65)]
      ),
      (
        .instant,
        ["2026-11-21T03:04:05Z", "2026-11-21T03:04:05.1Z", "2026-11-21T03:04:05+09:00", "2026-11-21T23:59:59-23:59"],
        [
          "2026-11-21 03:04:05Z", "2026-11-21t03:04:05Z", "2026-11-21T24:00:00Z", "2026-11-21T03:60:00Z",
          "2026-11-21T03:04:60Z", "2026-11-21T03:04:05", "2026-11-21T03:04:05.Z", "2026-11-21T03:04:05+24:00",
          "2026-11-21T03:04:05+09:60", "2026-11-21T03:04:05Zx", "0001-01-01T00:00:00+00:01",
          "9999-12-31T23:59:59-00:01",
        ]
      ),
      (.color, ["#000000", "#FFd60a"], ["", "000000", "#00000", "#0000000", "#00000g", "#é0000"]),
      (.month, ["2026-01", "2026-12"], ["2026-13", "2026-00", "2026-1", "2026-01-01", ""]),
      (.timeOfDay, ["00:00", "23:59"], ["24:00", "12:60", "1:00", "12:0", "12:00:00", ""]),
      (.language, ["ko", "ko-KR", "zh-Hant-TW"], ["", "k", "ko_KR", "ko-", "-ko"]),
      (.absolutePath, ["/", "/a b"], ["", "a", "~/a"]),
      (.namingFiles, ["", "/a b", "https://e.example/a", "phone"], []),
      (.base64, ["", "AAAA", "AA==", "AAA=", "+/+/"], ["A", "AA", "AA=", "AAAA=", "A===", "AA-_", "AAAA AAAA"]),
    ]
    #expect(Set(rows.map(\.0)) == Set(TextForm.allCases))
    for (form, good, bad) in rows {
      let pattern = try Regex(form.pattern)
      for text in good + [form.sample] { #expect(form.accepts(text), "\(form): \(text)") }
      for text in bad { #expect(!form.accepts(text), "\(form): \(text)") }
      // What is accepted fits the pattern that clients see.
      for text in good + [form.sample] { #expect(text.firstMatch(of: pattern) != nil, "\(form): \(text)") }
    }
  }

  @Test("an instant is read with any offset, its digits beyond the milliseconds dropped, and written in UTC")
  func instants() throws {
    for (text, written) in [
      ("2026-11-21T03:04:05+09:00", "2026-11-20T18:04:05.000Z"), ("2026-11-21T03:04:05.1Z", "2026-11-21T03:04:05.100Z"),
      ("2026-11-21T03:04:05.12-01:30", "2026-11-21T04:34:05.120Z"),
      ("2026-11-21T03:04:05.9999Z", "2026-11-21T03:04:05.999Z"),
      ("1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"),
      ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"), ("9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"),
    ] { #expect(try #require(Instant(text)).description == written) }
    let (first, last) = (Instant(milliseconds: .min), Instant(milliseconds: .max))
    #expect(first.description == "0001-01-01T00:00:00.000Z" && last.description == "9999-12-31T23:59:59.999Z")
    #expect(first.adding(milliseconds: -1) == first && last.adding(milliseconds: .max) == last && first < last)
    #expect(
      Instant(milliseconds: -1).day.description == "1969-12-31" && Instant(milliseconds: 0).day.daysSince1970 == 0)
  }

  @Test("a day is counted to and from 1970, with its weekday, over all years")
  func days() throws {
    var day = try #require(CalendarDay("1999-12-30"))
    for _ in 0..<800 {
      let next = day.adding(days: 1)
      #expect(next.daysSince1970 == day.daysSince1970 + 1 && next.weekday == day.weekday % 7 + 1 && day < next)
      #expect(CalendarDay(daysSince1970: day.daysSince1970) == day && CalendarDay(day.description) == day)
      day = next
    }
    #expect(try #require(CalendarDay("2026-11-27")).weekday == 5 && CalendarDay(daysSince1970: -1).weekday == 3)
    #expect(CalendarDay(daysSince1970: .min).description == "0001-01-01")
    #expect(CalendarDay(daysSince1970: .max).description == "9999-12-31")
    #expect(CalendarDay(daysSince1970: 0).adding(days: .max).description == "9999-12-31")
    #expect(CalendarDay(daysSince1970: -1).adding(days: .min).description == "0001-01-01")
    #expect(CalendarDay(daysSince1970: 5).days(until: CalendarDay(daysSince1970: 2)) == -3)
    for (year, isLeap) in [(1900, false), (2000, true), (2023, false), (2024, true), (2100, false)] {
      #expect(
        CalendarDay.isLeap(year: year) == isLeap && CalendarDay.length(ofMonth: 2, year: year) == (isLeap ? 29 : 28))
    }
    #expect(
      (1...12).map { CalendarDay.length(ofMonth: $0, year: 2023) } == [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
  }

  @Test("months are added to the same day, or to the last of a shorter month")
  func months() throws {
    for (day, months, sum) in [
      ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-01-31", -2, "2025-11-30"),
      ("2026-12-15", 1, "2027-01-15"), ("2026-01-15", -1, "2025-12-15"), ("9999-12-01", 1, "9999-12-31"),
      ("0001-01-31", -1, "0001-01-01"), ("2026-01-01", .max, "9999-12-31"), ("2026-01-01", .min, "0001-01-01"),
      ("9999-11-30", 1, "9999-12-30"), ("0001-02-01", -1, "0001-01-01"),
    ] { #expect(try #require(CalendarDay(day)).adding(months: months).description == sum, "\(day) \(months)") }
  }

  @Test("a title in a link keeps its signs")
  func titles() {
    #expect(WrittenTitle.link(to: "A title") == "[[A title]]")
    #expect(WrittenTitle.link(to: "See [[Dune]] \\ a|b") == "[[See \\[\\[Dune\\]\\] \\\\ a\\|b]]")
  }

  @Test("JSON for people has a member a line, and short things on one")
  func pretty() {
    let value: JSONValue = ["a": 1, "b": [1, 2], "c": [], "d": ["x": ["y": [1]]], "e": [[], [:]], "f": "é\"\n"]
    #expect(
      PrettyJSON.text(of: value) == """
        {
          "a": 1,
          "b": [1, 2],
          "c": [],
          "d": {
            "x": {
              "y": [1]
            }
          },
          "e": [[], {}],
          "f": "é\\"\\n"
        }
        """)
    #expect(
      PrettyJSON.text(of: [1, 2]) == "[1, 2]" && PrettyJSON.text(of: [:]) == "{}" && PrettyJSON.text(of: []) == "[]")
    func lines(_ value: JSONValue) -> Int { PrettyJSON.text(of: value).split(separator: "\n").count }
    #expect(lines(.array(Array(repeating: 1, count: 16))) == 1 && lines(.array(Array(repeating: 1, count: 17))) == 19)
    let long = JSONValue.string(String(repeating: "a", count: 70))
    #expect(lines([long]) == 1 && lines([.string(String(repeating: "a", count: 77))]) == 3)
    #expect(try! JSONParser.parse(PrettyJSON.text(of: value)) == value)
  }

  @Test("the least value of a text that must not be blank is not blank, and the most has characters of four bytes")
  func instances() {
    struct Named: Payload {
      var title: String
      var name: String
      var note: String?
      static let example = Named(title: "A", name: "B", note: nil)
      static let fields = ["title": "t", "name": "n", "note": "o"]
      static let limits: [String: FieldLimits] = ["title": FieldLimits(notBlank: true), "name": .length(2...3)]
    }
    #expect(SchemaInstances.minimum(of: Named.shape) == ["title": "a", "name": "aa"])
    #expect(SchemaInstances.maximum(of: Named.shape) == ["title": "𝄞𝄞𝄞", "name": "𝄞𝄞𝄞", "note": "𝄞𝄞𝄞"])
  }
}
