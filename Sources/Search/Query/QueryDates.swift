import Contract
import Display
import Store
import Wire

/// The days after `due:` or `start:`, for cards to be done: a day, or a week, a month or a year as a whole. For a
/// limit, such as `"by friday"` or `금요일까지`, everything up to its last day. Such a date is a day without a time zone; a
/// word such as `today` is in the client's, as after `before:`.
struct QueryDates {
  /// Nil if there is no first day.
  let first: CalendarDay?
  let last: CalendarDay

  init(_ filter: QueryFilter, _ snapshot: Snapshot) throws(QueryProblem) {
    if let day = CalendarDay(filter.value) {
      (first, last) = (day, day)
      return
    }
    let reader = snapshot.reader
    let today = snapshot.services.today(for: reader).yearMonthDay
    guard TextForm.givenDay.accepts(filter.value),
      let days = NaturalDate.deadlines(in: filter.value, today: today, locale: reader.locale)
    else { throw QueryProblem(unreadableDay: filter, for: reader) }
    (first, last) = (days.first.map { CalendarDay($0) }, CalendarDay(days.last))
  }
}
