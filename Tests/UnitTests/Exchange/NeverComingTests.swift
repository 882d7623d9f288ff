import Contract
import Testing

@testable import Projects

@Suite("Rules that name no day that there is") struct NeverComingTests {
  @Test(
    "a rule is found never to come within forty years exactly where four hundred have no day of it",
    arguments: [
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=4,6",
      "FREQ=DAILY;BYMONTH=9;BYMONTHDAY=-31",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", "FREQ=YEARLY;BYYEARDAY=366;BYDAY=WE",
      "FREQ=YEARLY;BYWEEKNO=53;BYDAY=TU",
      "FREQ=YEARLY;BYYEARDAY=1;BYMONTH=2", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2",
    ])
  func within(text: String) throws {
    let rule = try RecurrenceRule(text)
    let start = CalendarDay(daysSince1970: 0)
    #expect(rule.neverComes == (rule.day(after: start, from: start) == nil))
  }

  @Test(
    "a rule whose interval leaves out every year or month with a day of it is given up after each kind of them once",
    arguments: [
      ("FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYMONTHDAY=29", 28),
      ("FREQ=YEARLY;INTERVAL=2;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366", 28),
      ("FREQ=YEARLY;INTERVAL=2;BYYEARDAY=366", 28),
      ("FREQ=MONTHLY;INTERVAL=12;BYMONTHDAY=31;BYMONTH=4", 14),
      ("FREQ=MONTHLY;INTERVAL=12;BYDAY=MO;BYSETPOS=6", 14),
      ("FREQ=DAILY;INTERVAL=14;BYDAY=SU", 0),
      ("FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30", 0),
      ("FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=3", 0),
    ])
  func steps(text: String, most: Int) throws {
    let rule = try RecurrenceRule(text)
    // A Thursday of an odd year.
    let start = try #require(CalendarDay("2021-04-01"))
    var empty = EmptyPeriods()
    #expect(rule.day(after: start, from: start, skipping: &empty) == nil)
    #expect(empty.visited <= most)
  }

  @Test("what is skipped is empty: a search that knows empty kinds finds the days that one without finds")
  func skipped() throws {
    let rules = [
      "FREQ=YEARLY;INTERVAL=3;BYMONTH=2;BYMONTHDAY=29;BYDAY=SU", "FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR",
      "FREQ=YEARLY;BYWEEKNO=-53;BYDAY=SA", "FREQ=YEARLY;BYWEEKNO=1;BYMONTH=12;BYDAY=MO",
      "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=1;BYDAY=SU", "FREQ=MONTHLY;INTERVAL=5;BYMONTHDAY=31;BYDAY=MO",
      "FREQ=MONTHLY;BYDAY=5FR;BYMONTH=2",
    ]
    for text in rules {
      let rule = try RecurrenceRule(text)
      let start = try #require(CalendarDay("2020-01-01"))
      var empty = EmptyPeriods()
      var (one, other) = (start, start)
      for _ in 0..<40 {
        // No kind comes twice in so few years, so nothing is skipped in these; the other keeps what it has learnt.
        var found = rule.day(after: one, from: start, years: 1)
        while found == nil {
          one = one.adding(days: 365)
          found = rule.day(after: one, from: start, years: 1)
        }
        one = try #require(found)
        other = try #require(rule.day(after: other, from: start, skipping: &empty))
        #expect(one == other, "\(text)")
      }
    }
  }
}
