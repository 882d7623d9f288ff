import Contract
import Display
import Testing
import Wire

@testable import commonplace

@Suite("A month of the diary on a terminal", .timeLimit(.minutes(10))) struct MonthTests {
  private func text(_ month: JSONValue, width: Int = 60, locale: String = "en") throws -> String? {
    let voice = try Voice(environment: [:], locale: locale)
    let screen = Screen(
      width: width, ink: Ink(isOn: false), zone: .utc, say: { voice.sentence($0) }, locale: voice.reader.locale)
    return ShownReply.text(of: month, to: try #require(MethodNames.describe("diary/calendar")), on: screen)
  }

  @Test(
    "a month is a leaf of a calendar: weeks begin where the reader's do, days have their entries counted, streaks below"
  )
  func month() throws {
    let month: JSONValue = [
      "month": "2026-11", "today": "2026-11-21", "total": 13,
      "days": [["day": "2026-11-20", "count": 1], ["day": "2026-11-21", "count": 12]],
      "streaks": ["current": 2, "longest": 1], "clock": 42,
    ]
    #expect(
      try text(month) == """
        November 2026  13
         Sun    Mon    Tue    Wed    Thu    Fri    Sat
          1      2      3      4      5      6      7
          8      9     10     11     12     13     14
         15     16     17     18     19     20·1  >21·12
         22     23     24     25     26     27     28
         29     30

        2 days in a row now.
        1 day in a row at most.

        """)
    let british = try text(month, locale: "en-GB")?.split(separator: "\n")
    #expect(british?[1] == " Mon    Tue    Wed    Thu    Fri    Sat    Sun")
    #expect(british?[2] == Substring(repeating: " ", count: 44) + "1")
    let korean = try text(month, locale: "ko-KR")?.split(separator: "\n")
    #expect(korean?.first == "2026년 11월  13" && korean?.last == "최장 연속 1일.")
    #expect(korean?[1] == " 일     월     화     수     목     금     토")
    // Where no week has room, it is told name by name.
    #expect(try text(month, width: 30)?.contains("2026-11-20") == true)
  }
}
