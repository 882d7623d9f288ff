import Contract
import Display
import Kit
import Store

extension GivenDay {
  /// Parses a day as a deadline, with a preference for days to come: a Friday without a week is the next one, and this
  /// week's Friday is the coming one.
  ///
  /// `this friday`, `이번 주 금요일`, `今週の金曜日`, `这周五` as a deadline is today or the coming Friday, as in Todoist and
  /// Fantastical. On a Sunday, this week's Friday has passed if weeks begin on Monday, as they do here, and is five
  /// days ahead if they begin on Sunday, as in Korea, Japan and the United States. People in all these countries mean
  /// the coming Friday: nobody wants a card that is overdue from the start.
  ///
  /// - Throws: `invalidParams` for a text that is no day; it is never read as today.
  func deadline(in snapshot: Snapshot) throws -> CalendarDay {
    let day = try self.day("deadline", leaning: .ahead, in: snapshot)
    let today = snapshot.services.today(for: snapshot.reader)
    guard day < today, isWeekdayOfWeek(day, around: today, for: snapshot.reader) else { return day }
    return day.adding(days: 7)
  }

  /// Whether the text named a weekday of this week. Such words mean the same day when they are read on this week's
  /// Monday, and the day a week later when they are read next week; neither a date nor "yesterday" does.
  private func isWeekdayOfWeek(_ day: CalendarDay, around today: CalendarDay, for reader: Reader) -> Bool {
    let monday = today.adding(days: 1 - today.weekday)
    guard day >= monday else { return false }
    func parsed(on today: CalendarDay) -> CalendarDay? {
      NaturalDate.read(text, today: today.yearMonthDay, leaning: .ahead, locale: reader.locale)
        .flatMap { CalendarDay($0) }
    }
    return parsed(on: monday) == day && parsed(on: today.adding(days: 7)) == day.adding(days: 7)
  }
}

extension Services {
  /// The deadline of a card that is added without one: none if config.toml says so, else today for the client. For a client
  /// west of the library, where the library's day has begun already, it is the library's today.
  ///
  /// The library's day decides what is overdue, at the same moment for everybody (`libraryToday`). So the earlier of
  /// the two days would be overdue at once, for a card that was to be done today. A day that a client gives itself, in
  /// words too, is stored as given: a client that gives a day that has passed for the library means that day.
  func defaultDeadline(for reader: Reader) -> CalendarDay? {
    switch settings().cards.defaultDeadline {
    case .today: max(today(for: reader), libraryToday)
    case .none: nil
    }
  }
}
