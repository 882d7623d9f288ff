import Contract
import Testing

@testable import Features

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
}
