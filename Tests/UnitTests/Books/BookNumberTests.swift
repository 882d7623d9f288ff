import Contract
import Testing

@testable import Books
@testable import Exchange

@Suite("Books: numbers and dates") struct BookNumberTests {
  @Test(
    "G22 a number is known in both forms and with whatever stands around it",
    arguments: [
      "9780486269573", "978-0-486-26957-3", "0486269574", "0-486-26957-4", "ISBN 0486269574", "ISBN-13: 978-0486269573",
      "ISBN-10:0486269574", "=\"9780486269573\"", " 978 0486 269573 ", "９７８０４８６２６９５７３", "978‐0486‐269573",
    ])
  func forms(text: String) {
    #expect(ISBN(text)?.digits == "9780486269573")
    #expect(ISBN(text)?.ten == "0486269574")
  }

  @Test(
    "G22 what is no number, or has a mistake in it, is none",
    arguments: [
      "", "9780486269574", "0486269575", "978048626957", "97804862695733", "9770486269573", "97804862695a3",
      "BL:A0018116962", "X",
      "=\"\"",
      "978048626957X", "978048626X570", "0-486-26957-4 and more", "12345", "제목 9780486269573",
    ])
  func others(text: String) {
    #expect(ISBN(text) == nil)
  }

  @Test("G22 a check digit of ten is an X; numbers that begin with 979 have no old form")
  func checkDigits() {
    #expect(ISBN("097522980X")?.digits == "9780975229804")
    #expect(ISBN("9780975229804")?.ten == "097522980X")
    #expect(ISBN("9791162540640")?.ten == nil && ISBN("9791162540640") != nil)
    #expect(
      ISBN.all(in: ["0486269574", "x", "9780486269573", "097522980x"]).map(\.digits) == [
        "9780486269573", "9780975229804",
      ])
  }

  @Test("G10 the year of a date in any form is found, and its month and day where they are told")
  func dates() {
    let known: [(String, [Int]?)] = [
      ("1925", [1925]), ("2009-03", [2009, 3]), ("2009-03-04", [2009, 3, 4]), ("March 2009", [2009, 3]),
      ("Mar 4, 2009", [2009, 3, 4]), ("4 March 2009", [2009, 3, 4]), ("2009년 3월 4일", [2009, 3, 4]), ("c1998", [1998]),
      ("[1998]", [1998]), ("1998*", [1998]), ("20090304", [2009, 3, 4]), ("2009/3/4", [2009, 3, 4]),
      ("1998-05-01T00:00:00Z", [1998, 5, 1]), ("3/4/2009", [2009]), ("2009-13-40", [2009]), ("190?", nil),
      ("19??", nil),
      ("", nil), ("n.d.", nil), ("12345", nil), ("0999", nil), ("MMIX", nil), ("２００９", [2009]),
    ]
    for (text, parts) in known { #expect(PublicationDate(text)?.parts == parts, "\(text)") }
  }

  @Test("G11 stars go by halves, half a one from .5 on")
  func halves() {
    let known: [(Double, Int)] = [
      (0, 0), (0.4, 0), (0.5, 1), (0.99, 1), (1, 2), (4.49, 8), (4.5, 9), (4.99, 9), (5, 10),
    ]
    for (average, halves) in known { #expect(BookRating.halves(average) == halves, "\(average)") }
  }

  @Test("G5 a query is the same whatever blanks stand in it and however its letters are composed")
  func queries() {
    #expect(BookQuery(" a\u{3000}b ") == BookQuery("a b") && BookQuery("a b") != BookQuery("a  bc"))
    #expect(BookQuery("한강")?.text == "한강" && BookQuery("\u{1112}\u{1161}\u{11AB}강") == BookQuery("한강"))
    for blank in ["", " ", "\u{3000}", "\u{200B}\u{FEFF}", "\u{2003}\t\r\n", "\u{3164}"] {
      #expect(BookQuery(blank) == nil)
    }
    #expect(BookQuery("0-486-26957-4") == BookQuery("978 0486269573") && BookQuery("0486269574")?.isChecked == true)
    #expect(BookQuery("9780486269574")?.isbn == "9780486269574" && BookQuery("9780486269574")?.isChecked == false)
    #expect(BookQuery("1984")?.isbn == nil && BookQuery("1984")?.isChecked == true)
  }

  @Test("G16 the quota of a day is over at midnight in California")
  func quota() {
    let noon = Instant("2026-11-21T20:00:00.000Z")!
    #expect(GoogleErrorResponse.untilNextDay(noon) == .seconds(12 * 3_600))
    #expect(GoogleErrorResponse.untilNextDay(Instant("2026-11-21T08:00:00.000Z")!) == .seconds(24 * 3_600))
    #expect(GoogleErrorResponse.untilNextDay(Instant(milliseconds: -1)) == .milliseconds(8 * 3_600_000 + 1))
  }
}
