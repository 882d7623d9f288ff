import Contract
import Display
import Store
import Wire

/// The days behind `due:`, said of what is to be done: a day, or a week, a month or a year as a whole. Of a limit, such as
/// `"by friday"` or `금요일까지`, all up to its last. A deadline is a day in no zone; a word such as `today` is that of the
/// client, as behind `before:`.
struct QueryDue {
  /// Nil where nothing is too early.
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
