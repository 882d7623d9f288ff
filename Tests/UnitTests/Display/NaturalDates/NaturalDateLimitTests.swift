import Testing

@testable import Display

@Suite("Days by when and before when something is to be done") struct NaturalDateLimitTests {
  @Test(
    "the last day for something is said as people say it, in every language",
    arguments: [
      ("by friday", "2026-11-20"), ("until friday", "2026-11-20"), ("due friday", "2026-11-20"),
      ("Due by tomorrow", "2026-11-19"), ("due on friday", "2026-11-20"), (" by  the end of the month ", "2026-11-30"),
      ("by 2026-12-24", "2026-12-24"), ("by christmas", "2026-12-25"), ("no later than dec 24", "2026-12-24"),
      ("by today", "2026-11-18"), ("by eod", "2026-11-18"), ("by in 3 days", "2026-11-21"),
      ("금요일까지", "2026-11-20"), ("다음 주 월요일 까지", "2026-11-23"), ("12월 24일까지는", "2026-12-24"), ("이번 달 말까지", "2026-11-30"),
      ("크리스마스까지", "2026-12-25"), ("12/24까지", "2026-12-24"), ("3일 후까지", "2026-11-21"), ("설 전날까지", "2027-02-06"),
      ("金曜まで", "2026-11-20"), ("金曜日までに", "2026-11-20"), ("来週の月曜日まで", "2026-11-23"), ("5日までに", "2026-12-05"),
      ("月底为止", "2026-11-30"), ("周五为止", "2026-11-20"), ("周五截止", "2026-11-20"),
      ("by", "nil"), ("due", "nil"), ("까지", "nil"), ("by by friday", "nil"), ("금요일까지까지", "nil"),
      ("by 31 february", "nil"), ("bye friday", "nil"), ("2월 30일까지", "nil"),
    ])
  func until(text: String, day: String) {
    for locale in ["en", "ko", "ja", "zh"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test(
    "what is to be done before a day is to be done the day before it, in every language",
    arguments: [
      ("before friday", "2026-11-19"), ("due before friday", "2026-11-19"), ("before tomorrow", "2026-11-18"),
      ("before christmas", "2026-12-24"), ("before the new year", "2026-12-31"),
      ("금요일 전까지", "2026-11-19"), ("금요일 전에", "2026-11-19"), ("설 전까지", "2027-02-06"), ("추석 전까지는", "2027-09-14"),
      ("金曜日の前に", "2026-11-19"), ("金曜前まで", "2026-11-19"), ("クリスマス前までに", "2026-12-24"),
      ("周五之前", "2026-11-19"), ("周五前", "2026-11-19"), ("下周一前", "2026-11-22"), ("12月24日之前", "2026-12-23"),
      ("春节前", "2027-02-05"), ("5日之前", "2026-12-04"), ("5号前", "2026-12-04"),
      // The end is no day of its own.
      ("before the end of the month", "2026-11-30"), ("月底前", "2026-11-30"), ("before eod", "2026-11-18"),
      // What counts back still does.
      ("3天前", "2026-11-15"), ("3天之前", "2026-11-15"), ("两个星期之前", "2026-11-04"), ("3일 전", "2026-11-15"),
      ("3日前に", "2026-11-15"),
      ("before", "nil"), ("前", "nil"), ("전까지", "nil"), ("before before friday", "nil"),
    ])
  func before(text: String, day: String) {
    for locale in ["en", "ko", "ja", "zh"] { #expect(spoken(text, locale: locale) == day, "\(text)") }
  }

  @Test("five 日 before now are that to who speaks Japanese, and the 5th that something is before to who speaks Chinese")
  func daysInHan() {
    for locale in ["ja", "en", "ko"] { #expect(spoken("5日前", locale: locale) == "2026-11-13") }
    #expect(spoken("5日前", locale: "zh-Hans-CN") == "2026-12-04")
    #expect(spoken("5日前", leaning: .back, locale: "zh-Hans-CN") == "2026-11-13")
  }

  @Test(
    "a week, a month or a year ends with its last day, and what is before it with the day before its first",
    arguments: [
      ("by this week", "2026-11-29"), ("by next week", "2026-12-06"), ("by the week after next", "2026-12-13"),
      ("by this month", "2026-11-30"), ("by next month", "2026-12-31"), ("by this year", "2026-12-31"),
      ("by next year", "2027-12-31"), ("by december", "2026-12-31"), ("by november", "2026-11-30"),
      ("by march", "2027-03-31"), ("by february 2028", "2028-02-29"), ("by 2027", "2027-12-31"),
      ("before next week", "2026-11-29"), ("before next month", "2026-11-30"), ("before next year", "2026-12-31"),
      ("before december", "2026-11-30"),
      ("이번 주까지", "2026-11-29"), ("다음 주까지", "2026-12-06"), ("다음 주 전까지", "2026-11-29"), ("다음 달까지", "2026-12-31"),
      ("올해까지", "2026-12-31"), ("12월까지", "2026-12-31"), ("2027년까지", "2027-12-31"),
      ("今週まで", "2026-11-29"), ("来週まで", "2026-12-06"), ("来週の前に", "2026-11-29"), ("来月までに", "2026-12-31"),
      ("下周为止", "2026-12-06"), ("下周前", "2026-11-29"), ("下个月之前", "2026-11-30"), ("明年前", "2026-12-31"),
      ("before this week", "nil"), ("before this year", "nil"), ("by last week", "nil"), ("지난달까지", "nil"),
      ("by 2025", "nil"), ("13월까지", "nil"),
    ])
  func periods(text: String, day: String) {
    for locale in ["en", "ko", "ja", "zh"] {
      #expect(spoken(text, on: (2026, 11, 23), locale: locale) == day, "\(text)")
    }
  }

  @Test(
    "nothing is to be done by a day that is over",
    arguments: [
      "until 3 days ago", "by yesterday", "by last friday", "before today", "by 2026-11-17", "3일 전까지", "이틀 전까지는",
      "어제까지",
      "5日前まで", "昨日まで", "5天前为止", "昨天之前",
    ])
  func over(text: String) {
    for locale in ["en", "ko", "ja", "zh"] { #expect(spoken(text, locale: locale) == "nil", "\(text)") }
  }

  @Test("on a Sunday this week ends today, and the Friday of this week by which something is to be done is to come")
  func sundays() {
    let sunday = (2026, 11, 22)
    for text in ["by this week", "before next week"] { #expect(spoken(text, on: sunday) == "2026-11-22", "\(text)") }
    for text in ["by this friday", "이번 주 금요일까지"] { #expect(spoken(text, on: sunday) == "2026-11-27", "\(text)") }
    #expect(spoken("before this friday", on: sunday) == "2026-11-26")
  }

  @Test(
    "what was done has no limit",
    arguments: [
      "until friday", "by friday", "before friday", "by next week", "금요일까지", "설 전까지", "金曜まで", "周五之前", "5号前",
    ])
  func past(text: String) {
    for locale in ["en", "ko", "ja", "zh"] {
      #expect(spoken(text, leaning: .back, locale: locale) == "nil", "\(text)")
    }
  }
}
