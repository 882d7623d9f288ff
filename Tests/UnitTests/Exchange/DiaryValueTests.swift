import Contract
import Display
import Testing

@testable import Books
@testable import Diary
@testable import Exchange

@Suite("Exchange: moments, titles and cells of other programs") struct DiaryValueTests {
  private let seoul = Zone("Asia/Seoul")!

  private static let moments: [(String, instant: String?, saysOffset: Bool)] = [
    ("2026-10-01T21:30:00.123456", "2026-10-01T12:30:00.123Z", false),
    ("2026-10-01 21:30", "2026-10-01T12:30:00.000Z", false), ("2026-10-01  21:30", "2026-10-01T12:30:00.000Z", false),
    ("2026-10-01, 21:30:07", "2026-10-01T12:30:07.000Z", false),
    ("2026-10-01 9:30 PM", "2026-10-01T12:30:00.000Z", false), ("2026-10-01t21:30", "2026-10-01T12:30:00.000Z", false),
    ("2026-10-01 21:30:00 +0900", "2026-10-01T12:30:00.000Z", true),
    ("2026-10-01T21:30Z", "2026-10-01T21:30:00.000Z", true), ("2026-10-01T21:30z", "2026-10-01T21:30:00.000Z", true),
    ("2026-10-01T21:30+09", "2026-10-01T12:30:00.000Z", true),
    ("2026-10-01T21:30-05:30", "2026-10-02T03:00:00.000Z", true),
    ("2026-10-01T21:30:00,5Z", "2026-10-01T21:30:00.500Z", true),
  ]

  @Test("a moment is read as other programs write it, in their offset or in the zone of the file", arguments: moments)
  func moment(text: String, instant: String?, saysOffset: Bool) throws {
    let moment = try #require(LooseMoment(text))
    #expect(moment.instant(in: seoul)?.description == instant && moment.saysOffset == saysOffset)
  }

  @Test(
    "a day alone, and what does not exist, is no moment",
    arguments: [
      "", "2026-10-01", "2026-10-01T", "2026-10-01x21:30", "2026-13-01 10:00", "2026-10-01 25:00", "2026-10-01 21:60",
      "2026-10-01T 21:30", "2026-10-01 21:30 x", "2026-10-01 21", "10:00",
    ])
  func noMoment(text: String) {
    #expect(LooseMoment(text) == nil)
  }

  @Test("a day begins at midnight of its zone, and an offset that no place has is no instant")
  func edges() throws {
    let day = try #require(CalendarDay("2026-10-01"))
    #expect(LooseMoment(startOf: day).instant(in: seoul)?.description == "2026-09-30T15:00:00.000Z")
    #expect(!LooseMoment(startOf: day).saysOffset)
    #expect(try #require(LooseMoment("2026-10-01 21:30:00 +99:00")).instant(in: seoul) == nil)
  }

  @Test("two texts differ in what separates the title from the rest, or in more")
  func titles() {
    for (left, right, isAll) in [
      ("Title. Body", "Title.\nBody", true), ("Title.\nBody", "Title. Body", true),
      ("Title\nBody", "Title\n\nBody", true),
      ("Title.  Body", "Title. Body", false), ("Title Body", "Title\nBodx", false), ("A\nB C", "A\nB\nC", false),
      ("Title", "Title\n", false), ("x", "\nx", false), ("a\nb", "a\nb", false), ("Title Body", "TitleBody", false),
      ("", "", false), ("Title\nBody", "TitleBody", false),
    ] {
      #expect(TitleBreak.isAllBetween(left, right) == isAll, "\(left) / \(right)")
    }
  }

  @Test("an entry of jrnl begins with a date in brackets")
  func heads() {
    for (line, date, rest) in [
      ("[2020-12-23 00:35] Title", "2020-12-23 00:35", "Title"), ("[2020-12-23]Title", "2020-12-23", "Title"),
      ("[2020-12-23 09:00 AM] a ] b", "2020-12-23 09:00 AM", "a ] b"), ("[2020-13-40]", "2020-13-40", ""),
    ] {
      let head = ImportReading.entryHead(line[...])
      #expect(head.map { String($0.date) } == date && head.map { String($0.rest) } == rest, "\(line)")
    }
    for line in [
      "", "[note] x", "2020-12-23", "[2020/12/23] x", "[2020-12-2] x", "[2020-12-23x] y", "[2020-12-23 x",
      " [2020-12-23]",
    ] {
      #expect(ImportReading.entryHead(line[...]) == nil, "\(line)")
    }
  }

  @Test("days, words for states and lists of a table of books are read as programs and spreadsheets write them")
  func cells() throws {
    for text in ["2019/07/04", "2019-7-4", "2019.07.04", "2019-07-04T10:00", "2019-07-04 10:00"] {
      #expect(BookCells.day(text)?.description == "2019-07-04", "\(text)")
    }
    for text in ["", "04/07/2019", "2019-07", "2019-02-30", "19-07-04", "soon"] {
      #expect(BookCells.day(text) == nil, "\(text)")
    }
    #expect(BookCells.instant(try #require(CalendarDay("2019-07-04"))).description == "2019-07-04T12:00:00.000Z")
    for (texts, status) in [
      (["read", "Finished", "읽음", "완독"], BookStatus.read),
      (["currently-reading", "Reading", "paused", "on hold", "읽는 중"], .reading),
      (["to-read", "want", "Want to read", "wishlist", "읽고 싶은 책"], .want),
      (["did-not-finish", "DNF", "abandoned", "given up", "gave-up", "unfinished", "중단"], .abandoned),
    ] {
      for text in texts { #expect(BookCells.status(text) == status, "\(text)") }
    }
    #expect(BookCells.status("owned") == nil && BookCells.status("") == nil)
    #expect(BookCells.list(" a, b,,c ", by: ",") == ["a", "b", "c"] && BookCells.list(nil, by: ",").isEmpty)
  }
}
