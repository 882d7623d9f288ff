import Contract
import Display
import Kit
import SQLite
import Store
import Wire

enum ShowStatistics: ReadMethod {
  static let name = "projects/statistics"
  static let summary =
    "How many cards were added and finished in each day, week or month, and how many were open at its end, as in a "
    + "burn-down chart. Removed cards are not counted."
  static let effects: Effects = .reads

  enum Span: String, Choice {
    case day, week, month
  }

  struct Params: Payload {
    var by: Span?
    var from: GivenDay?
    var to: GivenDay?
    var board: String?
    static let example = Params(by: .week, from: "2026-09-01", to: "2026-11-21", board: nil)
    static let fields = [
      "by": "The length of a period; a week begins on Monday. Default `week`.",
      "from": "A day of the first period. Default: eleven periods before the last.",
      "to": "A day of the last period. Default: today in the client's zone.",
      "board": "Only the cards of this board: its id or title. Default: all boards, also archived ones.",
    ]
    static let limits: [String: FieldLimits] = ["board": CardBoards.paramLimits]
  }

  struct Result: Payload {
    var items: [CardPeriod]
    var added: Int
    var finished: Int
    var medianDays: Int?
    static let example = Result(items: [.example], added: 12, finished: 9, medianDays: 3)
    static let fields = [
      "items": "The periods, earliest first.", "added": "The number of cards that were written in all of them.",
      "finished": "The number of cards that were finished in all of them.",
      "medianDays":
        "The median number of days from writing to finishing them, rounded down; absent if none was finished.",
    ]
  }

  /// The most periods of a reply.
  private static let most = 400
  private static let usual = 12

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let span = params.by ?? .week
    let last = span.start(of: try params.to?.day("to", leaning: .back, in: snapshot) ?? snapshot.readersToday)
    let first = try params.from.map { span.start(of: try $0.day("from", leaning: .back, in: snapshot)) }
    let starts = try starts(from: first ?? span.step(last, by: 1 - usual), through: last, span)
    var counts = CardCounts(starts + [span.step(last, by: 1)], in: snapshot)
    let boards = try CardBoards(in: snapshot)
    let board = try params.board.map { try boards.require(named: $0, in: snapshot).id }
    try snapshot.db.each(
      "SELECT writtenAt, completedAt FROM project WHERE \(board == nil ? "1" : "board = ?")",
      board.map { [.text($0)] } ?? []
    ) { counts.add(written: $0.integer(0), completed: $0.isNull(1) ? nil : $0.integer(1)) }
    return Result(
      items: starts.indices.map { index in
        let end = (index + 1 < starts.count ? starts[index + 1] : span.step(last, by: 1)).adding(days: -1)
        return CardPeriod(counts, index, from: starts[index], through: end, in: snapshot)
      }, added: counts.added.reduce(0, +), finished: counts.finished.reduce(0, +), medianDays: counts.medianDays)
  }

  private static func starts(
    from first: CalendarDay, through last: CalendarDay, _ span: Span
  ) throws(RPCError) -> [CalendarDay] {
    var starts: [CalendarDay] = []
    var day = first
    while day <= last {
      guard starts.count < most else {
        throw .invalidParams(field: "from", reason: Text("projects.tooManyPeriods", ["most": String(most)]))
      }
      starts.append(day)
      let next = span.step(day, by: 1)
      // There is no day after the last supported one.
      guard next > day else { break }
      day = next
    }
    guard !starts.isEmpty else {
      throw .invalidParams(field: "from", reason: Text("projects.periodsReversed"))
    }
    return starts
  }
}

/// A day, a week or a month of the statistics.
struct CardPeriod: Payload {
  var from: CalendarDay
  var to: CalendarDay
  var added: Int
  var finished: Int
  var open: Int
  var display: Display

  struct Display: Payload {
    var title: String
    var progress: String
    static let example = Display(title: "Nov 16, 2026", progress: "3 added, 5 finished, 12 open")
    static let fields = ["title": "Its first day.", "progress": "Its counts."]
  }

  static let example = CardPeriod(
    from: CalendarDay(daysSince1970: 20_773), to: CalendarDay(daysSince1970: 20_779), added: 3, finished: 5, open: 12,
    display: .example)
  static let fields = [
    "from": "Its first day.", "to": "Its last day.", "added": "The number of cards that were written in it.",
    "finished": "The number of cards that were finished in it, and are still.",
    "open": "The number of cards that were open at its end: written by then, and not finished by then.",
    "display": "Strings for people.",
  ]
}

extension CardPeriod {
  fileprivate init(
    _ counts: CardCounts, _ index: Int, from: CalendarDay, through to: CalendarDay, in snapshot: Snapshot
  ) {
    (self.from, self.to) = (from, to)
    (added, finished, open) = (counts.added[index], counts.finished[index], counts.open(atEndOf: index))
    let words = ["added": String(added), "finished": String(finished), "open": String(open)]
    display = Display(
      title: snapshot.services.dates.string(.mediumDate, on: from.yearMonthDay, for: snapshot.reader),
      progress: snapshot.words(Text("projects.periodCounts", words)))
  }
}

/// The counts of the cards in consecutive periods.
private struct CardCounts {
  /// The first instants of the periods, and the end of the last one, in milliseconds.
  private let bounds: [Int64]
  private(set) var added: [Int]
  private(set) var finished: [Int]
  /// Those that were open when the first period began.
  private var openBefore = 0
  /// How long the finished ones took, in milliseconds.
  private var durations: [Int64] = []

  /// - Parameter days: the first days of the periods, and the day after the last one.
  init(_ days: [CalendarDay], in snapshot: Snapshot) {
    bounds = days.map { snapshot.services.instants(of: $0, for: snapshot.reader).lowerBound }
    added = Array(repeating: 0, count: days.count - 1)
    finished = added
  }

  mutating func add(written: Int64, completed: Int64?) {
    if written < bounds[0] { openBefore += 1 } else if let place = period(of: written) { added[place] += 1 }
    guard let completed else { return }
    if completed < bounds[0] {
      // An imported card may be finished before it was written.
      if written < bounds[0] { openBefore -= 1 }
    } else if let place = period(of: completed) {
      finished[place] += 1
      durations.append(max(0, completed - written))
    }
  }

  /// The period of an instant that is not before the first one; nil after the last.
  private func period(of instant: Int64) -> Int? {
    var (low, high) = (0, bounds.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if bounds[middle] <= instant { low = middle } else { high = middle }
    }
    return low < added.count ? low : nil
  }

  func open(atEndOf index: Int) -> Int {
    max(0, openBefore + added[...index].reduce(0, +) - finished[...index].reduce(0, +))
  }

  var medianDays: Int? {
    durations.isEmpty ? nil : Int(durations.sorted()[(durations.count - 1) / 2] / 86_400_000)
  }
}

extension ShowStatistics.Span {
  /// The first day of the period of a day.
  fileprivate func start(of day: CalendarDay) -> CalendarDay {
    switch self {
    case .day: day
    case .week: day.adding(days: 1 - day.weekday)
    case .month: day.adding(days: 1 - day.day)
    }
  }

  /// The first day of a period before or after that which begins on a day.
  fileprivate func step(_ day: CalendarDay, by count: Int) -> CalendarDay {
    switch self {
    case .day: day.adding(days: count)
    case .week: day.adding(days: 7 * count)
    case .month: day.adding(months: count)
    }
  }
}

extension Snapshot {
  fileprivate var readersToday: CalendarDay { services.today(for: reader) }
}
