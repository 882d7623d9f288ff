import Contract
import Display
import Kit
import SQLite
import Store
import Wire

enum ShowAgenda: ReadMethod {
  static let name = "projects/agenda"
  static let summary =
    "Coming days with the cards that are due and those that can be started, when recurring cards will be due again, and "
    + "the events of subscribed calendars; before them the overdue cards. Only open cards of boards that are not archived."
  static let effects: Effects = .reads

  struct Params: Payload {
    var from: GivenDay?
    var days: Int?
    var board: String?
    var limit: Int?
    static let example = Params(from: "2026-11-21", days: 7, board: nil, limit: nil)
    static let fields = [
      "from":
        "The first day; or a week, a weekend, a month or a year; or a limit such as “until friday”, from today. Default: "
        + "today in the library's zone.",
      "days": "The number of days, with the first one. Default: those of `from` if it means several, else 7.",
      "board":
        "Only the cards of this board, and no events: its id or title. Default: all boards that are not archived.",
      "limit":
        "The maximum number of cards that are overdue, due and starting, of foreseen ones, and of events. Default 200.",
    ]
    static let limits: [String: FieldLimits] = [
      "days": .range(1...366), "board": CardBoards.paramLimits, "limit": .range(1...1_000),
    ]
  }

  struct Result: Payload {
    var overdue: [Project]
    var days: [AgendaDay]
    var hasMore: Bool
    static let example = Result(overdue: [], days: [.example], hasMore: false)
    static let fields = [
      "overdue": "Cards whose deadline is before today and before the first day, earliest first.",
      "days": "All days in their order.",
      "hasMore":
        "Whether there are more cards or events than `limit`: the overdue cards come first, then those that are due, then "
        + "those that start, and of events the earliest.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let view = try ProjectView(in: snapshot)
    let period = params.from?.period(in: snapshot)
    let first = try period?.first ?? params.from?.firstDay("from", in: snapshot) ?? view.today
    // A year, as by `days`.
    let most = first.adding(days: 365)
    let last = params.days.map { first.adding(days: $0 - 1) } ?? min(period?.last ?? first.adding(days: 6), most)
    let boards = try params.board.map { [try view.board(named: $0)] } ?? view.boards.current
    var cards = AgendaCards(in: CardLanes(of: view.boards, boards), limit: params.limit ?? 200, view)
    let eve = min(first, view.today).adding(days: -1)
    // There is no day before the first supported one.
    let overdue = eve < first ? try cards.read(by: .deadline, from: nil, through: eve) : []
    let due = try cards.read(by: .deadline, from: first, through: last)
    let starting = try cards.read(by: .start, from: first, through: last)
    let foreseen = try cards.foreseen(from: first, to: last)
    let events =
      params.board == nil
      ? try AgendaEvents(from: first, through: last, limit: params.limit ?? 200, in: snapshot) : nil
    var days: [AgendaDay] = []
    var day = first
    while day <= last {
      days.append(
        AgendaDay(
          day: day, due: due.lazy.filter { $0.day == day }.map(\.card),
          starting: starting.lazy.filter { $0.day == day }.map(\.card), foreseen: foreseen.filter { $0.day == day },
          events: events?.on(day) ?? [], display: .init(day: view.day(day) ?? day.description)))
      let next = day.adding(days: 1)
      // There is no day after the last supported one.
      if next <= day { break }
      day = next
    }
    return Result(overdue: overdue.map(\.card), days: days, hasMore: cards.hasMore || events?.hasMore ?? false)
  }
}

/// A day of the agenda.
struct AgendaDay: Payload {
  var day: CalendarDay
  var due: [Project]
  var starting: [Project]
  var foreseen: [ForeseenCard]
  var events: [AgendaEvent]
  var display: Display

  struct Display: Payload {
    var day: String
    static let example = Display(day: "today")
    static let fields = ["day": "The day, or its word: today, tomorrow."]
  }

  static let example = AgendaDay(
    day: CalendarDay(daysSince1970: 20_778), due: [.example], starting: [], foreseen: [.example],
    events: [.example], display: .example)
  static let fields = [
    "day": "The day.", "due": "The cards whose deadline it is, by their time, then by \(CardPriority.name).",
    "starting": "The cards whose `start` it is.",
    "foreseen":
      "The cards that recur on it, if they are done until then. Not those that count from completion, whose day is not "
      + "known before.",
    "events": "The events of subscribed calendars that take place on it, those of the whole day first.",
    "display": "Strings for people.",
  ]
}

/// A deadline of a recurring card that is to come after its present one.
struct ForeseenCard: Payload {
  var card: ProjectID
  var title: String
  var day: CalendarDay
  var time: String?
  var display: Display

  struct Display: Payload {
    var time: String?
    static let example = Display(time: "5:30 PM")
    static let fields = ["time": "The time of that day in the locale's style, if it has one."]
  }

  static let example = ForeseenCard(
    card: "0192", title: "Return the book", day: CalendarDay(daysSince1970: 20_778), time: "17:30", display: .example)
  static let fields = [
    "card": "The card that recurs.", "title": "Its title.", "day": "The day.",
    "time": "The time of that day, if it has one.", "display": "Strings for people.",
  ]
}

extension ForeseenCard {
  /// Selects the cards that may recur by the end of a day: their ids, titles, deadlines, times, recurrences, and for
  /// cards from a calendar their sources, by deadline.
  ///
  /// A year or a month after its deadline is the earliest day of a yearly or monthly rule without further parts whose
  /// days the deadline is one of. So the many cards for birthdays and rents are not read for a window of days. All
  /// others are likely to recur within it, and the reader stops at its limit. The index is named, since SQLite would
  /// prefer one of all cards that are due, and read all of them.
  ///
  /// - Parameter open: the condition for open cards.
  static func candidates(
    through last: CalendarDay, _ open: (sql: String, values: [SQLValue])
  ) -> (sql: String, values: [SQLValue]) {
    let (rule, start) = ("json_extract(recurrence, '$.rule')", "ifnull(json_extract(recurrence, '$.start'), deadline)")
    let sql = """
      SELECT id, title, deadline, time, recurrence, \
        CASE WHEN json_extract("foreign", '$.source.format') = 'ics' THEN "foreign" END \
      FROM project INDEXED BY projectRecurring WHERE recurrence IS NOT NULL AND deadline <= ? AND \(open.sql) \
        AND ifnull(json_extract(recurrence, '$.from'), '') <> 'completion' \
        AND (json_extract("foreign", '$.source.format') = 'ics' OR \(rule) LIKE '%BY%' OR NOT ( \
          \(rule) LIKE '%FREQ=YEARLY%' AND substr(\(start), 5) = substr(deadline, 5) AND deadline > ? \
          OR \(rule) LIKE '%FREQ=MONTHLY%' AND substr(\(start), 8) = substr(deadline, 8) AND deadline > ?)) \
      ORDER BY deadline, id
      """
    let days = [last.adding(days: -365), last.adding(days: -28)].map { SQLValue.text($0.description) }
    return (sql, [.text(last.description)] + open.values + days)
  }
}

extension ProjectRecord {
  /// The deadlines of the cards that will follow this one, within a window.
  func foreseen(
    from first: CalendarDay, to last: CalendarDay, zone: Zone
  ) throws -> [(day: CalendarDay, time: String?)] {
    guard let recurrence, recurrence.from != .completion, var day = deadline else { return [] }
    let source = try StoredSource(self)?.source
    let series = source.flatMap { ICalendarSeries($0, rule: recurrence.rule, reader: zone) }
      .flatMap { $0.governs(recurrence) ? $0 : nil }
    let (rule, start) = (try RecurrenceRule(recurrence.rule), recurrence.start ?? day)
    var days: [(day: CalendarDay, time: String?)] = []
    while true {
      let next =
        series.map { $0.next(after: day, notBefore: first) }
        ?? rule.day(after: day, notBefore: first, from: start, years: 1).map { ($0, time) }
      guard let next, next.day > day, next.day <= last else { return days }
      days.append((next.day, next.time))
      day = next.day
    }
  }
}
