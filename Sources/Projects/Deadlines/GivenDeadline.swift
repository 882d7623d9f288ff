import Contract
import Display
import Kit
import Store

extension GivenDay {
  /// The deadline that was meant, said of days to come: a Friday without its week is the next one, and this week's is the
  /// coming one. What is not understood is refused; it is never today.
  ///
  /// `this friday`, `이번 주 금요일`, `今週の金曜日`, `这周五` of something that is to be done is today or the coming one,
  /// as Todoist and Fantastical have it. On a Sunday it is over where weeks begin on Monday, as they do for us, and five
  /// days off where they begin on Sunday, as in Korea, Japan and the United States: who says it means the latter in all
  /// of them, and nobody a card that is overdue as soon as it is there.
  func deadline(in snapshot: Snapshot) throws -> CalendarDay {
    let day = try self.day("deadline", leaning: .ahead, in: snapshot)
    let today = snapshot.services.today(for: snapshot.reader)
    guard day < today, isWeekdayOfWeek(day, around: today, for: snapshot.reader) else { return day }
    return day.adding(days: 7)
  }

  /// Whether a day was named as one of this week: on its Monday the same words mean the same day, a week later that of the
  /// week then, as neither a date nor "yesterday" does.
  private func isWeekdayOfWeek(_ day: CalendarDay, around today: CalendarDay, for reader: Reader) -> Bool {
    let monday = today.adding(days: 1 - today.weekday)
    guard day >= monday else { return false }
    func said(on today: CalendarDay) -> CalendarDay? {
      SpokenDay.read(text, today: today.yearMonthDay, leaning: .ahead, locale: reader.locale)
        .flatMap { CalendarDay($0) }
    }
    return said(on: monday) == day && said(on: today.adding(days: 7)) == day.adding(days: 7)
  }
}

extension Services {
  /// The deadline of a card that is added without one: none if config.toml says so, else today for the client that writes
  /// it; for one west of the library, where the library's day has turned already, the library's today.
  ///
  /// Overdue is what the library's day says, in the same moment for everybody (`libraryToday`). So the earlier of the two
  /// days would be overdue at once, for a card that was to be done today. What a client says itself, in words too, is kept
  /// as it is said: who gives a day that has gone by where the library is, means that day.
  func defaultDeadline(for reader: Reader) -> CalendarDay? {
    switch settings().cards.defaultDeadline {
    case .today: max(today(for: reader), libraryToday)
    case .none: nil
    }
  }
}
