import Contract
import Testing

@testable import Display

/// A day in a test: `2026-11-21`, and back.
private func written(_ day: YearMonthDay?) -> String {
  guard let day else { return "nil" }
  func padded(_ number: Int, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
  }
  return "\(padded(day.year, 4))-\(padded(day.month, 2))-\(padded(day.day, 2))"
}

/// Reads a phrase said on Wednesday, 18 November 2026, unless it is said on another day.
func spoken(
  _ text: String, on today: YearMonthDay = (2026, 11, 18), leaning: DayLeaning = .ahead, locale: String = "en"
) -> String {
  written(NaturalDate.read(text, today: today, leaning: leaning, locale: LocaleTag(locale) ?? .english))
}

@Suite("Days as people say them") struct NaturalDateTests {
  @Test("a day that is offered is one day, whichever way it leans", arguments: ["en", "ko", "ja", "zh"])
  func offered(locale: String) {
    let offers = NaturalDate.offers(
      beginning: "", today: (2026, 11, 18), locale: LocaleTag(locale) ?? .english)
    #expect(!offers.isEmpty)
    for offer in offers {
      for leaning in [DayLeaning.ahead, .back] {
        #expect(spoken(offer.words, leaning: leaning, locale: locale) == written(offer.day), "\(offer.words)")
      }
    }
  }

  @Test(
    "English phrases are the days that they name",
    arguments: [
      ("today", "2026-11-18"), ("tomorrow", "2026-11-19"), ("the day after tomorrow", "2026-11-20"),
      ("yesterday", "2026-11-17"), ("day before yesterday", "2026-11-16"), ("in 3 days", "2026-11-21"),
      ("3 days from now", "2026-11-21"), ("in a week", "2026-11-25"), ("two weeks ago", "2026-11-04"),
      ("a fortnight from today", "2026-12-02"), ("in one month", "2026-12-18"), ("2 years later", "2028-11-18"),
      ("friday", "2026-11-20"), ("on Fri", "2026-11-20"), ("wednesday", "2026-11-25"), ("this friday", "2026-11-20"),
      ("this monday", "2026-11-16"), ("next friday", "2026-11-27"), ("next monday", "2026-11-23"),
      ("friday next week", "2026-11-27"), ("last friday", "2026-11-13"), ("last wednesday", "2026-11-11"),
      ("next week friday", "2026-11-27"), ("next week on friday", "2026-11-27"), ("last week on tue", "2026-11-10"),
      ("on friday of next week", "2026-11-27"), ("this week monday", "2026-11-16"),
      ("tuesday last week", "2026-11-10"), ("this coming sunday", "2026-11-22"), ("monday week", "2026-11-30"),
      ("2 weeks from friday", "2026-12-04"), ("3 days after friday", "2026-11-23"), ("a month from sun", "2026-12-22"),
      ("eod", "2026-11-18"), ("end of the day", "2026-11-18"), ("next week", "2026-11-25"),
      ("next month", "2026-12-18"), ("last year", "2025-11-18"), ("eow", "2026-11-22"),
      ("end of month", "2026-11-30"), ("EOM", "2026-11-30"), ("the end of next month", "2026-12-31"),
      ("end of the year", "2026-12-31"), ("end of february", "2027-02-28"), ("dec 24", "2026-12-24"),
      ("Dec. 24th, 2027", "2027-12-24"), ("24 December 2027", "2027-12-24"), ("the 24th of december", "2026-12-24"),
      ("Thursday, 24 December 2026", "2026-12-24"), ("24 december next year", "2027-12-24"), ("may 2", "2027-05-02"),
      ("nov 18", "2026-11-18"), ("the 20th", "2026-11-20"), ("the 3rd", "2026-12-03"),
      ("the 1st of next month", "2026-12-01"), ("next month on the 1st", "2026-12-01"),
      ("the first of december", "2026-12-01"), ("december the twenty-first", "2026-12-21"),
      ("thirty first of january 2027", "2027-01-31"), ("on the third", "2026-12-03"), ("the first", "nil"),
      ("the thirty-first of november", "nil"),
    ])
  func english(text: String, day: String) {
    #expect(spoken(text) == day, "\(text)")
  }

  @Test(
    "A month or a year is known by its first day; without a year a month is the latest of that name that is not ahead",
    arguments: [
      ("2026", "2026-01-01"), ("2026-03", "2026-03-01"), ("2026/3", "2026-03-01"), ("2026.03.", "2026-03-01"),
      ("March 2019", "2019-03-01"), ("Mar. 2019", "2019-03-01"), ("2019 march", "2019-03-01"), ("March", "2026-03-01"),
      ("november", "2026-11-01"), ("December", "2025-12-01"), ("may last year", "2025-05-01"),
      ("last month", "2026-10-01"), ("this year", "2026-01-01"), ("2026년 3월", "2026-03-01"), ("2026년3월", "2026-03-01"),
      ("３월", "2026-03-01"), ("12월", "2025-12-01"), ("2019년", "2019-01-01"), ("작년 12월", "2025-12-01"),
      ("지난달", "2026-10-01"), ("올해", "2026-01-01"), ("3月", "2026-03-01"), ("2026年3月", "2026-03-01"),
      ("二〇一九年", "2019-01-01"), ("去年の12月", "2025-12-01"), ("去年十二月", "2025-12-01"), ("上个月", "2026-10-01"),
      ("13월", "nil"), ("2026-13", "nil"), ("3", "nil"), ("0", "nil"), ("march 5", "nil"), ("3월 5일", "nil"),
      ("2026-03-05", "nil"), ("yesterday", "nil"), ("", "nil"),
    ])
  func periods(text: String, day: String) {
    let first = NaturalDate.firstDay(ofPeriod: text, today: (2026, 11, 18), locale: .english)
    #expect(written(first) == day, "\(text)")
  }

  @Test(
    "a deadline is asked for by a day, by all of a week, a month or a year to come, or by all up to a limit",
    arguments: [
      ("2026-12-01", "2026-12-01", "2026-12-01"), ("friday", "2026-11-20", "2026-11-20"),
      ("오늘", "2026-11-18", "2026-11-18"), ("yesterday", "2026-11-17", "2026-11-17"),
      ("24 december", "2026-12-24", "2026-12-24"), ("2026", "2026-01-01", "2026-12-31"),
      ("2028-02", "2028-02-01", "2028-02-29"), ("march", "2027-03-01", "2027-03-31"),
      ("november", "2026-11-01", "2026-11-30"), ("12월", "2026-12-01", "2026-12-31"),
      ("March 2019", "2019-03-01", "2019-03-31"), ("last month", "2026-10-01", "2026-10-31"),
      ("来月", "2026-12-01", "2026-12-31"), ("올해", "2026-01-01", "2026-12-31"),
      ("this week", "2026-11-16", "2026-11-22"), ("next week", "2026-11-23", "2026-11-29"),
      ("다음 주", "2026-11-23", "2026-11-29"), ("下周", "2026-11-23", "2026-11-29"),
      ("9999", "9999-01-01", "9999-12-31"),
      ("by friday", "nil", "2026-11-20"), ("금요일까지", "nil", "2026-11-20"), ("before friday", "nil", "2026-11-19"),
      ("by next week", "nil", "2026-11-29"), ("12월까지", "nil", "2026-12-31"),
      ("weekend", "2026-11-21", "2026-11-22"), ("this weekend", "2026-11-21", "2026-11-22"),
      ("last weekend", "2026-11-14", "2026-11-15"), ("this coming weekend", "2026-11-21", "2026-11-22"),
      ("주말", "2026-11-21", "2026-11-22"), ("다음 주말", "2026-11-28", "2026-11-29"),
      ("週末", "2026-11-21", "2026-11-22"), ("今度の週末", "2026-11-21", "2026-11-22"),
      ("周末", "2026-11-21", "2026-11-22"), ("下周末", "2026-11-28", "2026-11-29"),
      ("by the weekend", "nil", "2026-11-22"), ("주말까지", "nil", "2026-11-22"),
      ("before the weekend", "nil", "2026-11-20"),
    ])
  func deadlines(text: String, first: String, last: String) {
    for locale in [LocaleTag.english, LocaleTag("ko")] {
      let days = NaturalDate.deadlines(in: text, today: (2026, 11, 18), locale: locale ?? .english)
      #expect(written(days?.first) == first && written(days?.last) == last, "\(text)")
    }
  }

  @Test(
    "a limit that is over asks for what is late, and stays in its week",
    arguments: [
      ("before today", "2026-11-17"), ("by yesterday", "2026-11-17"), ("어제까지", "2026-11-17"), ("오늘 전까지", "2026-11-17"),
      ("昨日まで", "2026-11-17"), ("昨天之前", "2026-11-16"), ("by 2026-11-01", "2026-11-01"),
      ("until 3 days ago", "2026-11-15"),
      ("3일 전까지", "2026-11-15"), ("by last friday", "2026-11-13"), ("by this monday", "2026-11-16"),
      ("before this week", "2026-11-15"), ("by last week", "2026-11-15"), ("지난달까지", "2026-10-31"),
      ("before this year", "2025-12-31"), ("by 2025", "2025-12-31"), ("2020년 전까지", "2019-12-31"),
      ("2020年前", "2019-12-31"), ("by last weekend", "2026-11-15"),
    ])
  func limitsThatAreOver(text: String, last: String) {
    for locale in [LocaleTag.english, LocaleTag("ko")] {
      let days = NaturalDate.deadlines(in: text, today: (2026, 11, 18), locale: locale ?? .english)
      #expect(written(days?.last) == last && days?.first == nil, "\(text)")
    }
  }

  @Test("a weekend that is under way is asked for with its Saturday")
  func weekendAskedForOnSunday() {
    for text in ["weekend", "this weekend", "주말", "今週末", "这个周末"] {
      let days = NaturalDate.deadlines(in: text, today: (2026, 11, 22), locale: .english)
      #expect(written(days?.first) == "2026-11-21" && written(days?.last) == "2026-11-22", "\(text)")
    }
  }

  @Test(
    "what names no days is no deadline",
    arguments: ["someday", "13월", "by someday", "by 2026-11-31", "13월까지", "0000", "2026-13", "3", ""])
  func noDeadlines(text: String) {
    #expect(NaturalDate.deadlines(in: text, today: (2026, 11, 18), locale: .english) == nil)
  }

  @Test(
    "Korean phrases are the days that they name",
    arguments: [
      ("오늘", "2026-11-18"), ("내일", "2026-11-19"), ("모레", "2026-11-20"), ("내일모레", "2026-11-20"),
      ("금일", "2026-11-18"), ("익일", "2026-11-19"), ("작일", "2026-11-17"), ("글피", "2026-11-21"), ("그글피", "2026-11-22"),
      ("어제", "2026-11-17"), ("그저께", "2026-11-16"),
      ("그끄저께", "2026-11-15"), ("다음 주 월요일", "2026-11-23"), ("다음주월요일", "2026-11-23"), ("이번 주 금요일", "2026-11-20"),
      ("이번 주 일요일", "2026-11-22"), ("지난주 토요일", "2026-11-14"), ("다다음 주 화요일", "2026-12-01"), ("금요일", "2026-11-20"),
      ("다음 금요일", "2026-11-27"), ("지난 금요일", "2026-11-13"), ("돌아오는 일요일", "2026-11-22"), ("3일 후", "2026-11-21"),
      ("삼일 뒤", "2026-11-21"), ("십일 후", "2026-11-28"), ("십일일 후", "2026-11-29"), ("2주 뒤", "2026-12-02"),
      ("일주일 후에", "2026-11-25"), ("두 주 뒤", "2026-12-02"), ("사흘 뒤", "2026-11-21"), ("보름 후", "2026-12-03"),
      ("이틀 전", "2026-11-16"), ("한 달 후", "2026-12-18"), ("3개월 뒤", "2027-02-18"), ("일 년 후", "2027-11-18"),
      ("다음 주", "2026-11-25"), ("월말", "2026-11-30"), ("다음 달 말", "2026-12-31"), ("연말", "2026-12-31"),
      ("2월 말일", "2027-02-28"), ("12월말에", "2026-12-31"), ("말일", "2026-11-30"), ("2월 말", "2027-02-28"),
      ("다음 달 1일", "2026-12-01"), ("20일", "2026-11-20"), ("12월 24일", "2026-12-24"),
      ("12월 24일(목)", "2026-12-24"), ("십이월 이십사일", "2026-12-24"), ("2027년 1월 3일", "2027-01-03"),
      ("내년 1월 3일", "2027-01-03"), ("올해 12월 24일", "2026-12-24"), ("2026. 12. 24.", "2026-12-24"),
      ("2013년08월04일에", "2013-08-04"), ("12월 24일(목)에", "2026-12-24"), ("다음 달 1일에", "2026-12-01"), ("20일에", "2026-11-20"),
    ])
  func korean(text: String, day: String) {
    #expect(spoken(text, locale: "ko-KR") == day, "\(text)")
    // Whatever the client speaks.
    #expect(spoken(text, locale: "en-US") == day, "\(text)")
  }

  @Test(
    "Japanese phrases are the days that they name",
    arguments: [
      ("今日", "2026-11-18"), ("明日", "2026-11-19"), ("あした", "2026-11-19"), ("明後日", "2026-11-20"),
      ("しあさって", "2026-11-21"), ("昨日", "2026-11-17"), ("一昨日", "2026-11-16"), ("来週", "2026-11-25"),
      ("来週の月曜日", "2026-11-23"), ("来週月曜", "2026-11-23"), ("再来週の火曜日", "2026-12-01"), ("今週の日曜日", "2026-11-22"),
      ("先週の金曜日", "2026-11-13"), ("金曜日", "2026-11-20"), ("次の金曜日", "2026-11-20"), ("この前の金曜日", "2026-11-13"),
      ("3日後", "2026-11-21"), ("三日後", "2026-11-21"), ("十日後", "2026-11-28"), ("2週間後", "2026-12-02"),
      ("1ヶ月後", "2026-12-18"), ("三か月前", "2026-08-18"), ("1年後", "2027-11-18"), ("月末", "2026-11-30"),
      ("来月末", "2026-12-31"), ("年末", "2026-12-31"), ("来月1日", "2026-12-01"), ("来月の一日", "2026-12-01"),
      ("2013年08月04日に", "2013-08-04"), ("20日に", "2026-11-20"),
      ("20日", "2026-11-20"), ("12月24日", "2026-12-24"), ("１２月２４日（木）", "2026-12-24"), ("十二月二十四日", "2026-12-24"),
      ("2027年1月3日", "2027-01-03"), ("来年の1月3日", "2027-01-03"), ("12月24日(金)", "nil"), ("2月30日", "nil"),
    ])
  func japanese(text: String, day: String) {
    for locale in ["ja-JP", "zh-Hans-CN", "en"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test(
    "Chinese phrases are the days that they name, in both scripts",
    arguments: [
      ("今天", "2026-11-18"), ("明天", "2026-11-19"), ("聽日", "2026-11-19"), ("尋日", "2026-11-17"), ("后天", "2026-11-20"),
      ("後天", "2026-11-20"),
      ("大后天", "2026-11-21"), ("昨天", "2026-11-17"), ("前天", "2026-11-16"), ("下周一", "2026-11-23"),
      ("下週一", "2026-11-23"), ("下个星期一", "2026-11-23"), ("下星期天", "2026-11-29"), ("这周日", "2026-11-22"),
      ("上週五", "2026-11-13"), ("下下周二", "2026-12-01"), ("星期五", "2026-11-20"), ("周三", "2026-11-25"),
      ("三天后", "2026-11-21"), ("3天後", "2026-11-21"), ("两周后", "2026-12-02"), ("两个星期之后", "2026-12-02"),
      ("一个月后", "2026-12-18"), ("两天前", "2026-11-16"), ("下周", "2026-11-25"), ("月底", "2026-11-30"),
      ("下个月底", "2026-12-31"), ("年底", "2026-12-31"), ("2月底", "2027-02-28"), ("下个月1号", "2026-12-01"),
      ("下月一日", "2026-12-01"), ("12月24日", "2026-12-24"), ("12月24号星期四", "2026-12-24"),
      ("二〇二六年十二月二十四日", "2026-12-24"), ("2027年1月3日", "2027-01-03"), ("明年1月3日", "2027-01-03"),
      ("12月24日星期五", "nil"), ("二月三十日", "nil"),
    ])
  func chinese(text: String, day: String) {
    for locale in ["zh-Hant-TW", "ja", "ko"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test(
    "a day with a name of its own is known by it, in its year, in that year or in the nearest",
    arguments: [
      ("christmas", "2026-12-25"), ("Christmas Day", "2026-12-25"), ("on christmas eve", "2026-12-24"),
      ("xmas 2028", "2028-12-25"), ("christmas next year", "2027-12-25"), ("new year's eve", "2026-12-31"),
      ("New Year’s Day", "2027-01-01"), ("크리스마스", "2026-12-25"), ("성탄절", "2026-12-25"), ("내년 성탄절", "2027-12-25"),
      ("크리스마스 이브", "2026-12-24"), ("2027년 크리스마스", "2027-12-25"), ("クリスマス", "2026-12-25"), ("来年のクリスマス", "2027-12-25"),
      ("クリスマス・イブ", "2026-12-24"), ("元日", "2027-01-01"), ("大晦日", "2026-12-31"), ("圣诞节", "2026-12-25"),
      ("聖誕節", "2026-12-25"), ("平安夜", "2026-12-24"), ("元旦", "2027-01-01"),
      // A new moon between the midnights of Seoul and Beijing.
      ("설날", "2027-02-07"), ("春节", "2027-02-06"), ("올해 설날", "2026-02-17"), ("2028년 설", "2028-01-27"),
      ("추석", "2027-09-15"), ("올해 추석", "2026-09-25"), ("작년 한가위", "2025-10-06"), ("明年中秋節", "2027-09-15"),
      ("除夕", "2027-02-05"), ("2028年除夕夜", "2028-01-25"), ("설 전날", "2027-02-06"), ("올해 추석 전날", "2026-09-24"),
      ("크리스마스 전날", "2026-12-24"), ("国庆节", "2027-10-01"), ("今年国庆", "2026-10-01"), ("中秋の名月", "2027-09-15"),
      ("2027 설날", "2027-02-07"), ("2028추석", "2028-10-03"), ("2027春节", "2027-02-06"), ("new year", "2027-01-01"),
      ("the new year", "2027-01-01"), ("new year's", "2027-01-01"), ("new year 2029", "2029-01-01"),
      ("New Year’s Eve", "2026-12-31"), ("next christmas", "2026-12-25"), ("last christmas", "2025-12-25"),
      ("다음 추석", "2027-09-15"),
      ("christmas tree", "nil"), ("크리스마스 이브 이브", "nil"), ("new year s s", "nil"), ("설 전날 전날", "nil"),
      // In Taipei on another day than in Hong Kong.
      ("國慶", "nil"),
    ])
  func feasts(text: String, day: String) {
    for locale in ["en", "ko", "zh-Hans-CN"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test("the next of a feast is the first behind today, the last the latest before it, whichever way the others lean")
  func turnsOfFeasts() {
    for leaning in [DayLeaning.ahead, .back] {
      #expect(spoken("next christmas", on: (2026, 12, 24), leaning: leaning) == "2026-12-25")
      #expect(spoken("next christmas", on: (2026, 12, 25), leaning: leaning) == "2027-12-25")
      #expect(spoken("last christmas", on: (2026, 12, 25), leaning: leaning) == "2025-12-25")
      #expect(spoken("this christmas", on: (2026, 12, 25), leaning: leaning) == "2026-12-25")
      #expect(spoken("다음 설날", on: (2027, 2, 7), leaning: leaning) == "2028-01-27")
    }
  }

  @Test(
    "the moon's feasts are known for the years whose reckoning was compared, and refused for others",
    arguments: [
      ("1950년 설날", "1950-02-17"), ("2050년 추석", "2050-09-30"), ("1950年春节", "1950-02-17"), ("2050年中秋节", "2050-09-30"),
      ("1949년 설날", "nil"), ("2051년 추석", "nil"), ("1949年春节", "nil"), ("1916年春节", "nil"), ("2089年中秋节", "nil"),
      ("2051年除夕", "nil"), ("2500년 설날", "nil"),
    ])
  func yearsOfFeasts(text: String, day: String) {
    #expect(spoken(text, leaning: .back) == day, "\(text)")
  }

  @Test(
    "a weekday has all of its names",
    arguments: [
      (
        "en",
        [
          ["monday", "mon"], ["tuesday", "tues", "tue"], ["wednesday", "wed"], ["thursday", "thurs", "thur", "thu"],
          ["friday", "fri"], ["saturday", "sat"], ["sunday", "sun"],
        ]
      ),
      ("ko", "월화수목금토일".map { ["\($0)요일", "\($0)욜"] }),
      ("ja", "月火水木金土日".map { ["\($0)曜日", "\($0)曜"] }),
      (
        "zh",
        ["一", "二", "三", "四", "五", "六", "日", "天"].map { day in
          ["周", "週", "星期", "礼拜", "禮拜"].map { $0 + day }
        }
      ),
    ])
  func weekdayNames(locale: String, names: [[String]]) {
    let days = (19...25).map { "2026-11-\($0)" }
    // From the Thursday after that Wednesday; Sunday has two Chinese names.
    for (number, names) in names.enumerated() {
      for name in names { #expect(spoken(name, locale: locale) == days[(min(number, 6) + 4) % 7], "\(name)") }
    }
  }

  @Test("a month has all of its English names")
  func monthNames() {
    let names = [
      ["january", "jan"], ["february", "feb"], ["march", "mar"], ["april", "apr"], ["may"], ["june", "jun"],
      ["july", "jul"], ["august", "aug"], ["september", "sept", "sep"], ["october", "oct"], ["november", "nov"],
      ["december", "dec"],
    ]
    for (number, names) in names.enumerated() {
      let ending = (number < 9 ? "-0" : "-") + "\(number + 1)-05"
      for name in names { #expect(spoken("5 \(name)").hasSuffix(ending), "\(name)") }
    }
  }

  @Test(
    "dates in numbers that have but one reading are the same in every language",
    arguments: [
      ("2026-12-24", "2026-12-24"), ("2026/12/24", "2026-12-24"), ("2026.12.24", "2026-12-24"), ("12-24", "2026-12-24"),
      ("12/24", "2026-12-24"), ("24/12", "2026-12-24"), ("24.12.", "2026-12-24"), ("24.12.2026", "2026-12-24"),
      ("24. 12. 2026", "2026-12-24"), ("12/24/2026", "2026-12-24"), ("25/12/2026", "2026-12-25"),
      ("31/2", "nil"), ("2/30", "nil"), ("24/13/2026", "nil"), ("29.2.2027", "nil"), ("+3d", "2026-11-21"),
      ("+2w", "2026-12-02"),
      ("+1m", "2026-12-18"), ("-1y", "2025-11-18"), ("\u{2212}2d", "2026-11-16"), ("２０２６／１２／２４", "2026-12-24"),
    ])
  func figures(text: String, day: String) {
    for locale in ["en", "ko", "de"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test(
    "month and day stand in the order of the reader's locale, with a year and without, whatever stands between them",
    arguments: [
      ("en", "5/6", "2027-05-06"), ("en-US", "5/6", "2027-05-06"), ("ko-KR", "5. 6.", "2027-05-06"),
      ("ja", "5/6", "2027-05-06"), ("en-GB", "5/6", "2027-06-05"), ("de-DE", "5/6", "2027-06-05"),
      ("fr-FR", "5/6", "2027-06-05"), ("de-DE", "6.5.", "2027-05-06"), ("nl", "6-5", "2027-05-06"),
      ("en-US", "5/6/2027", "2027-05-06"), ("en-GB", "5/6/2027", "2027-06-05"), ("de", "5.6.2027", "2027-06-05"),
      ("en-US", "5/6/27", "2027-05-06"), ("en-GB", "5/6/27", "2027-06-05"), ("ko", "27.5.6", "2027-05-06"),
      ("ja", "27/5/6", "2027-05-06"), ("sv", "27-05-06", "2027-05-06"), ("sv", "6/5", "2027-05-06"),
      // No other order is tried for three numbers of two digits.
      ("en-US", "24/12/26", "nil"), ("de", "12.24.26", "nil"),
    ])
  func orders(locale: String, text: String, day: String) {
    #expect(spoken(text, locale: locale) == day, "\(locale) \(text)")
  }

  @Test(
    "a year of two digits is within fifty years of today, and years of eras are those of the calendar",
    arguments: [
      ("1. Sept 2000", "2000-09-01"), ("1. sept. 00", "2000-09-01"), ("Friday, 1. September 2000", "2000-09-01"),
      ("Aug 9, 96", "1996-08-09"), ("9 aug ’27", "2027-08-09"), ("aug 9 75", "2075-08-09"), ("aug 9 76", "1976-08-09"),
      ("26년 12월 24일", "2026-12-24"), ("26年12月24日", "2026-12-24"),
      ("令和2年5月1日", "2020-05-01"), ("令和元年五月一日", "2019-05-01"), ("平成31年4月30日", "2019-04-30"),
      ("昭和64年1月7日", "1989-01-07"), ("昭和 39 年 10 月 10 日", "1964-10-10"), ("明治元年10月23日", "1868-10-23"),
      ("民國115年12月24日", "2026-12-24"), ("令和8年クリスマス", "2026-12-25"),
      ("平成32年1月1日", "nil"), ("令和0年1月1日", "nil"), ("慶応4年1月1日", "nil"),
    ])
  func years(text: String, day: String) {
    for locale in ["en", "ja", "zh-TW", "ko"] {
      #expect(spoken(text, leaning: .back, locale: locale) == day, "\(text)")
    }
    #expect(
      written(NaturalDate.firstDay(ofPeriod: "令和2年5月", today: (2026, 11, 18), locale: .english)) == "2020-05-01")
  }

  @Test(
    "within some time is until its last day, and until the end of a week or month",
    arguments: [
      ("within 3 days", "2026-11-21"), ("within a week", "2026-11-25"), ("within the next 2 weeks", "2026-12-02"),
      ("within this week", "2026-11-22"), ("3일 이내", "2026-11-21"), ("3일 안에", "2026-11-21"), ("사흘 내로", "2026-11-21"),
      ("이번 주 안에", "2026-11-22"), ("12월 안에", "2026-12-31"), ("3日以内", "2026-11-21"), ("2週間以内に", "2026-12-02"),
      ("今週中に", "2026-11-22"), ("今日中", "2026-11-18"), ("三天内", "2026-11-21"), ("3天之內", "2026-11-21"),
      ("本周内", "2026-11-22"),
    ])
  func withinSomeTime(text: String, last: String) {
    for locale in ["en", "ko", "ja", "zh-Hant-TW"] { #expect(spoken(text, locale: locale) == last, "\(text)") }
    #expect(spoken(text, leaning: .back) == "nil")
    let asked = NaturalDate.deadlines(in: text, today: (2026, 11, 18), locale: .english)
    #expect(asked?.first == nil && written(asked?.last) == last, "\(text)")
  }

  @Test(
    "what is not understood whole, or does not exist, is no day at all",
    arguments: [
      "", " ", "soon", "todayish", "tomorrow tomorrow", "31 february", "feb 30", "2026-02-29", "2026-13-01", "2월 30일",
      "13월 1일", "0월 1일", "11월 0일", "next", "week", "this week", "이번 주", "3", "3일후전", "friday, 24 december 2026",
      "12월 24일(금)", "in 9999999 days", "999999 years later", "in 999999 years", "999999 years ago",
      "20th december 99999",
      "2027-1-", "--1", "+d", "+3", "주말말", "weekends", "末", "일", "내일 모레글피", "dec 242027", "1 2 december", "다음 31일",
      "32. december", "1. 2 december", "1.", "2월 30일에",
    ])
  func unknown(text: String) {
    for leaning in [DayLeaning.ahead, .back] { #expect(spoken(text, leaning: leaning) == "nil", "\(text)") }
  }

  @Test(
    "an article is no day of a month, and the letters of a word are no number",
    arguments: ["and", "and 5", "a march", "an april", "a may", "5 a", "the a", "a of june", "intend", "inad"])
  func articles(text: String) {
    for locale in ["en", "ko", "ja", "zh"] { #expect(spoken(text, locale: locale) == "nil", "\(text)") }
  }

  @Test("case, width, composition and spaces do not count")
  func folding() {
    for text in ["NEXT FRIDAY", " next  friday ", "nextfriday", "ｎｅｘｔ　ｆｒｉｄａｙ", "Next\tFriday"] {
      #expect(spoken(text) == "2026-11-27", "\(text)")
    }
    let decomposed = "다음 주 월요일".decomposedStringWithCanonicalMapping
    #expect(decomposed.unicodeScalars.count > "다음 주 월요일".unicodeScalars.count)
    #expect(spoken(decomposed) == "2026-11-23" && spoken("３일　후") == "2026-11-21")
    // But digits that a space parts are two numbers.
    #expect(spoken("24 dec 2027") == "2027-12-24" && spoken("dec 24 2027") == "2027-12-24")
  }

  @Test(
    "a weekday alone, a date without a year and a day without a month lie ahead for what is to be done, back for what was"
  )
  func leaning() {
    let days = [
      "friday": ("2026-11-20", "2026-11-13"), "wednesday": ("2026-11-25", "2026-11-18"),
      "수요일": ("2026-11-25", "2026-11-18"),
      "dec 24": ("2026-12-24", "2025-12-24"), "11월 18일": ("2026-11-18", "2026-11-18"),
      "12/1": ("2026-12-01", "2025-12-01"),
      "20일": ("2026-11-20", "2026-10-20"), "the 3rd": ("2026-12-03", "2026-11-03"),
      "feb 29": ("2028-02-29", "2024-02-29"),
      "end of november": ("2026-11-30", "2025-11-30"),
      // What says which is the same for both.
      "next friday": ("2026-11-27", "2026-11-27"), "last friday": ("2026-11-13", "2026-11-13"),
    ]
    for (text, (ahead, back)) in days {
      #expect(spoken(text, leaning: .ahead) == ahead, "\(text)")
      #expect(spoken(text, leaning: .back) == back, "\(text)")
    }
  }

  @Test("weeks begin on Monday, also for somebody who speaks on a Sunday")
  func weeks() {
    let sunday = (2026, 11, 22)
    #expect(spoken("this sunday", on: sunday) == "2026-11-22" && spoken("이번 주 일요일", on: sunday) == "2026-11-22")
    #expect(spoken("next monday", on: sunday) == "2026-11-23" && spoken("next sunday", on: sunday) == "2026-11-29")
    #expect(spoken("this monday", on: sunday) == "2026-11-16" && spoken("eow", on: sunday) == "2026-11-22")
    #expect(spoken("sunday", on: sunday) == "2026-11-29")
  }

  @Test(
    "a weekend is its Saturday, in every language",
    arguments: [
      ("this weekend", "2026-11-21"), ("weekend", "2026-11-21"), ("on the weekend", "2026-11-21"),
      ("this coming weekend", "2026-11-21"), ("next weekend", "2026-11-28"), ("last weekend", "2026-11-14"),
      ("주말", "2026-11-21"), ("이번 주말", "2026-11-21"), ("이번 주 주말까지", "2026-11-21"), ("다음 주말", "2026-11-28"),
      ("다음주말에", "2026-11-28"), ("다다음 주말", "2026-12-05"), ("지난 주말", "2026-11-14"), ("돌아오는 주말", "2026-11-21"),
      ("週末", "2026-11-21"), ("今週末", "2026-11-21"), ("来週末", "2026-11-28"), ("来週の週末", "2026-11-28"),
      ("先週末", "2026-11-14"), ("今度の週末", "2026-11-21"), ("周末", "2026-11-21"), ("这个周末", "2026-11-21"),
      ("這個週末", "2026-11-21"), ("这周末", "2026-11-21"), ("下周末", "2026-11-28"), ("下个周末", "2026-11-28"),
      ("上週末", "2026-11-14"),
    ])
  func weekends(text: String, day: String) {
    for locale in ["en", "ko", "ja", "zh-Hant-TW"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test("a weekend that has begun is still this one, and none of its days that is over is a deadline")
  func weekendsUnderWay() {
    let (saturday, sunday, monday) = ((2026, 11, 21), (2026, 11, 22), (2026, 11, 23))
    for text in ["this weekend", "weekend", "이번 주말", "주말", "今週末", "这个周末"] {
      #expect(spoken(text, on: saturday) == "2026-11-21" && spoken(text, on: sunday) == "2026-11-22", "\(text)")
      #expect(spoken(text, on: monday) == "2026-11-28", "\(text)")
      #expect(spoken(text, on: sunday, leaning: .back) == "2026-11-21", "\(text)")
    }
    for text in ["next weekend", "다음 주말", "来週末", "下周末", "this coming weekend"] {
      for today in [saturday, sunday] { #expect(spoken(text, on: today) == "2026-11-28", "\(text)") }
    }
    #expect(spoken("last weekend", on: sunday) == "2026-11-14")
    #expect(spoken("weekend", leaning: .back) == "2026-11-14" && spoken("this weekend", leaning: .back) == "2026-11-21")
  }

  @Test("a month later is the same day of it, or its last; a day of the month that it has not is none")
  func months() {
    #expect(spoken("in a month", on: (2027, 1, 31)) == "2027-02-28")
    #expect(spoken("다음 달", on: (2028, 1, 30)) == "2028-02-29")
    #expect(spoken("next year", on: (2028, 2, 29)) == "2029-02-28")
    #expect(spoken("31일", on: (2027, 2, 10)) == "nil" && spoken("the 31st", on: (2027, 3, 31)) == "2027-03-31")
    #expect(
      spoken("dec 31 last year", on: (2027, 1, 1)) == "2026-12-31"
        && spoken("yesterday", on: (2027, 1, 1)) == "2026-12-31")
    #expect(spoken("tomorrow", on: (9999, 12, 31)) == "nil" && spoken("yesterday", on: (1, 1, 1)) == "nil")
  }

  @Test("an error shows phrases of the reader's language, and each of them is understood")
  func examples() {
    for locale in ["en", "ko", "ko-KR", "ja", "zh-TW", "de"] {
      let examples = NaturalDate.examples(for: LocaleTag(locale)!)
      #expect(examples.count == 3)
      for example in examples { #expect(spoken(example, locale: locale) != "nil", "\(example)") }
    }
    #expect(NaturalDate.examples(for: LocaleTag("ko-KR")!).contains("내일"))
    #expect(NaturalDate.examples(for: .english).contains("tomorrow"))
  }

  @Test("a text made to go astray in ends soon")
  func hostile() {
    for letter in ["일", "이", "십", "한", "1", "1 ", "a", "the", "next ", "다음", "一", "十", "下", "月"] {
      #expect(spoken(String(repeating: letter, count: 64)) == "nil")
    }
  }
}
