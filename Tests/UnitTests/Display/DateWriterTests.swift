import Foundation
import Testing

@testable import Display

@Suite("Dates for people")
struct DateWriterTests {
  private let writer = DateWriter(catalogue: Catalogue(), capacity: 4)
  /// 22 December 2020, 15:35:33 in UTC.
  private let instant: Int64 = 1_608_651_333_000

  private func reader(_ locale: String, _ zone: String) throws -> Reader {
    Reader(locale: try #require(LocaleTag(locale)), zone: try #require(Zone(zone)))
  }

  @Test("D15 the heading is in the order and the words of the reader's locale, on the day of the reader's zone")
  func heading() throws {
    #expect(writer.string(.heading, at: instant, for: try reader("ko-KR", "Asia/Seoul")) == "2020년 12월 23일")
    #expect(writer.string(.heading, at: instant, for: try reader("ko-KR", "America/New_York")) == "2020년 12월 22일")
    #expect(writer.string(.heading, at: instant, for: try reader("en-US", "Asia/Seoul")) == "Dec 23, 2020")
    #expect(writer.string(.heading, at: instant, for: try reader("en-GB", "Asia/Seoul")) == "23 Dec 2020")
    #expect(writer.string(.heading, at: instant, for: try reader("de-DE", "Asia/Seoul")) == "23. Dez. 2020")
    #expect(writer.string(.heading, at: instant, for: try reader("th-TH", "Asia/Seoul")) == "23 ธ.ค. 2563")
  }

  @Test("D17 a reader that changes locale or zone sees it with the next string")
  func follows() throws {
    var reader = try reader("en-US", "Etc/UTC")
    #expect(writer.string(.mediumDate, at: instant, for: reader) == "Dec 22, 2020")
    try reader.configure(locale: "ko-KR")
    #expect(writer.string(.mediumDate, at: instant, for: reader) == "2020. 12. 22.")
    try reader.configure(timeZone: "Asia/Seoul")
    #expect(writer.string(.mediumDate, at: instant, for: reader) == "2020. 12. 23.")
  }

  @Test("M13 times have two digits of minutes and the locale's own clock")
  func times() throws {
    let afternoon: Int64 = 1_608_620_700_000  // 07:05 in UTC
    #expect(writer.string(.time, at: afternoon, for: try reader("ko-KR", "Asia/Seoul")) == "오후 4:05")
    #expect(writer.string(.time, at: afternoon, for: try reader("de-DE", "Asia/Seoul")) == "16:05")
    #expect(
      writer.string(.dateAndTime, at: afternoon, for: try reader("ko-KR", "Asia/Seoul")) == "2020. 12. 22. 오후 4:05")
  }

  @Test("J11 a calendar day is the same day in every zone")
  func days() throws {
    for zone in ["Pacific/Kiritimati", "Pacific/Pago_Pago", "Asia/Seoul"] {
      #expect(writer.string(.mediumDate, on: (2026, 11, 21), for: try reader("en-US", zone)) == "Nov 21, 2026")
      #expect(writer.string(.heading, on: (9999, 12, 31), for: try reader("ko-KR", zone)) == "9999년 12월 31일")
    }
  }

  @Test("days before 1582 and instants before 1970 are counted as ISO 8601 does")
  func longAgo() throws {
    let reader = try reader("en-US", "Etc/UTC")
    #expect(writer.string(.mediumDate, on: (1446, 10, 9), for: reader) == "Oct 9, 1446")
    #expect(writer.string(.mediumDate, at: -1, for: reader) == "Dec 31, 1969")
  }

  @Test("where it is the year 0 or 10000 for a reader, the first or the last day is written, and no year before Christ")
  func ends() throws {
    let (first, last): (Int64, Int64) = (-62_135_596_800_000, 253_402_300_799_999)
    #expect(writer.string(.heading, at: first, for: try reader("en-US", "America/New_York")) == "Jan 01, 0001")
    #expect(writer.string(.heading, at: last, for: try reader("ko-KR", "Asia/Seoul")) == "9999년 12월 31일")
  }

  @Test("the days beside today have names")
  func relative() throws {
    func string(_ day: YearMonthDay, _ locale: String) throws -> String {
      writer.relativeString(.mediumDate, on: day, today: (2024, 3, 1), for: try reader(locale, "Asia/Seoul"))
    }
    #expect(try string((2024, 3, 1), "en-US") == "today")
    #expect(try string((2024, 2, 29), "ko-KR") == "어제")
    #expect(try string((2024, 3, 2), "ko-KR") == "내일")
    #expect(try string((2024, 2, 28), "en-US") == "Feb 28, 2024")
  }

  @Test("nothing is made before the first date, and no more is kept than fits")
  func bounded() throws {
    let writer = DateWriter(catalogue: Catalogue(), capacity: 2)
    let reader = try reader("en-US", "Etc/UTC")
    _ = writer.relativeString(.mediumDate, on: (2024, 3, 1), today: (2024, 3, 1), for: reader)
    #expect(writer.count == 0)
    for style in [DateStyle.mediumDate, .time, .mediumDate, .heading, .mediumDate, .dateAndTime] {
      _ = writer.string(style, at: instant, for: reader)
      #expect(writer.count <= 2)
    }
    #expect(writer.keeps(.mediumDate, in: reader.locale), "The most recently used is kept.")
    #expect(!writer.keeps(.heading, in: reader.locale))
  }

  @Test("many tasks may write at once")
  func concurrently() async throws {
    let readers = [try reader("ko-KR", "Asia/Seoul"), try reader("en-US", "Etc/UTC"), try reader("de-DE", "Etc/UTC")]
    let expected = ["2020년 12월 23일", "Dec 22, 2020", "22. Dez. 2020"]
    let writer = DateWriter(catalogue: Catalogue(), capacity: 2)
    await withTaskGroup(of: Bool.self) { group in
      for index in 0..<60 {
        group.addTask { writer.string(.heading, at: instant, for: readers[index % 3]) == expected[index % 3] }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}

@Suite("Amounts for people")
struct AmountTests {
  @Test(
    "sizes have the unit that keeps them short",
    arguments: [
      (0, "0 bytes", "0바이트"), (1, "1 byte", "1바이트"), (999, "999 bytes", "999바이트"), (1000, "1 KB", "1 KB"),
      (1_234_567, "1.2 MB", "1.2 MB"), (12_450, "12 KB", "12 KB"), (999_450, "999 KB", "999 KB"),
      (999_500, "1 MB", "1 MB"), (9_960, "10 KB", "10 KB"), (34_000_000_000, "34 GB", "34 GB"),
      (Int64.max, "9.2 EB", "9.2 EB"),
    ])
  func sizes(bytes: Int64, english: String, korean: String) {
    let catalogue = Catalogue()
    #expect(ByteCount(bytes).string(in: .english, catalogue: catalogue) == english)
    #expect(ByteCount(bytes).string(in: .korean, catalogue: catalogue) == korean)
  }

  @Test("P14 a page's label counts from 1")
  func pages() {
    #expect(pageLabel(page: 2, of: 12) == "3 / 12")
  }

  @Test("thousands stand apart")
  func thousands() {
    #expect(grouped(0) == "0")
    #expect(grouped(999) == "999")
    #expect(grouped(1000) == "1,000")
    #expect(grouped(-1_234_567) == "-1,234,567")
    #expect(grouped(Int64.min) == "-9,223,372,036,854,775,808")
  }
}
