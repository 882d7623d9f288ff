import Contract
import Markup
import Testing

@Suite("dates of feeds") struct FeedDatesTests {
  @Test(
    "every form of a date that feeds are seen with is read",
    arguments: [
      ("Wed, 29 Dec 2004 03:05:06 +0900", "2004-12-28T18:05:06.000Z"),
      ("29 Dec 2004 03:05:06 GMT", "2004-12-29T03:05:06.000Z"),
      ("Mon, 29 Dec 2004 03:05:06 GMT", "2004-12-29T03:05:06.000Z"),
      ("Wed, 29 Dec 04 03:05:06 UT", "2004-12-29T03:05:06.000Z"),
      ("Wed, 29 Dec 97 03:05 EST", "1997-12-29T08:05:00.000Z"),
      ("29 Dec 49 03:05:06 GMT", "2049-12-29T03:05:06.000Z"), ("29 Dec 50 03:05:06 GMT", "1950-12-29T03:05:06.000Z"),
      ("29 Dec 104 03:05:06 GMT", "2004-12-29T03:05:06.000Z"),
      ("Wed, 1 Dec 2004 3:05:06 PDT", "2004-12-01T10:05:06.000Z"),
      ("Wed, 29 Dec 2004", "2004-12-29T00:00:00.000Z"),
      ("Wednesday, 29-Dec-04 03:05:06 GMT", "2004-12-29T03:05:06.000Z"),
      ("Wed Dec 29 03:05:06 2004", "2004-12-29T03:05:06.000Z"),
      ("December 29, 2004 3:05 PM EST", "2004-12-29T20:05:00.000Z"),
      ("29 Sept 2004 03:05:06 Z", "2004-09-29T03:05:06.000Z"),
      ("2004-12-29T03:05:06Z", "2004-12-29T03:05:06.000Z"),
      ("2004-12-29T03:05:06.789+09:00", "2004-12-28T18:05:06.789Z"),
      ("2004-12-29T03:05:06+0900", "2004-12-28T18:05:06.000Z"),
      ("2004-12-29 03:05:06", "2004-12-29T03:05:06.000Z"),
      ("2004-12-29t03:05z", "2004-12-29T03:05:00.000Z"),
      ("2004-12-29T03:05:60Z", "2004-12-29T03:06:00.000Z"),
      ("2004-12-29T24:00:00Z", "2004-12-30T00:00:00.000Z"),
      ("2004-12-29", "2004-12-29T00:00:00.000Z"), ("2004-12", "2004-12-01T00:00:00.000Z"),
      ("2004", "2004-01-01T00:00:00.000Z"), ("20041229", "2004-12-29T00:00:00.000Z"),
      ("2004/12/29 03:05", "2004-12-29T03:05:00.000Z"),
      ("1518478934", "2018-02-12T23:42:14.000Z"), ("1518478934000", "2018-02-12T23:42:14.000Z"),
      ("2004년 12월 29일 오후 3:05:06", "2004-12-29T15:05:06.000Z"),
      ("2004.12.29 오전 12:05", "2004-12-29T00:05:00.000Z"),
      ("Τετ, 29 Ιουλ 2004 12:53:00 GMT", "2004-07-29T12:53:00.000Z"),
      ("mié, 29 dic 2004 12:53:00 +0100", "2004-12-29T11:53:00.000Z"),
      ("  Wed, 29 Dec 2004 03:05:06 -0000\n", "2004-12-29T03:05:06.000Z"),
    ])
  func forms(text: String, expected: String) {
    #expect(FeedDates.instant(text)?.description == expected)
  }

  @Test(
    "M14: what is no date, or could be two, is none",
    arguments: [
      "", " ", "yesterday", "29/12/2004", "2004-13-01", "2004-02-30T00:00:00Z", "2004-12-29T25:00:00Z", "0", "-5",
      "99999999999999999999", "Wed, 32 Dec 2004 00:00:00 GMT", "???, 29 ???? 2004 12:53:00 GMT", "12:53:00", "Dec",
      "2004-12-29T03:61:00Z", "\u{FFFD}\u{FFFD}", "[object Object]", "null",
    ])
  func nonsense(text: String) {
    #expect(FeedDates.instant(text) == nil)
  }

  @Test("texts of every kind and length are read without harm")
  func anything() {
    let pieces = [
      "29", "Dec", "2004", ":", "+", "-", "T", "Z", "999999999999", "오후", "\u{0}", ".", ",", "é", "PM", "04",
    ]
    // Each piece behind each other, three deep.
    for first in pieces {
      for second in pieces {
        for third in pieces {
          for text in [first + second + third, "\(first) \(second) \(third)"] {
            let instant = FeedDates.instant(text)
            #expect(instant.map { $0.milliseconds > -62_167_219_200_001 } ?? true)
          }
        }
      }
    }
    #expect(FeedDates.instant(String(repeating: "1", count: 1 << 20)) == nil)
  }
}
