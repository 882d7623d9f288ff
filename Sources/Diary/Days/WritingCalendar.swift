import Contract
import Display
import Kit
import Store
import Wire

enum ShowCalendar: ReadMethod {
  static let name = "diary/calendar"
  static let summary = "The number of entries of each day of a month, and the number of consecutive days with entries."
  static let effects: Effects = .reads

  struct Params: Payload {
    var month: String?
    static let example = Params(month: "2026-11")
    static let fields = ["month": "The month. Default: the client's present one."]
    static let limits: [String: FieldLimits] = ["month": .form(.month)]
  }

  struct Day: Payload {
    var day: CalendarDay
    var count: Int
    static let example = Day(day: CalendarDay(year: 2026, month: 11, day: 21)!, count: 2)
    static let fields = ["day": "The day.", "count": "The number of its entries."]
  }

  struct Streaks: Payload {
    var current: Int
    var longest: Int
    static let example = Streaks(current: 3, longest: 12)
    static let fields = [
      "current": "Consecutive days up to today, or up to yesterday while today has no entry.",
      "longest": "The longest run of consecutive days.",
    ]
  }

  struct Result: Payload {
    var month: String
    var today: CalendarDay
    var days: [Day]
    var total: Int
    var streaks: Streaks
    static let example = Result(
      month: "2026-11", today: CalendarDay(year: 2026, month: 11, day: 21)!, days: [.example], total: 2,
      streaks: .example)
    static let fields = [
      "month": "The month.", "today": "Today for this client.",
      "days": "The days that have entries, in order.", "total": "The number of entries in the month.",
      "streaks": "Runs of consecutive days in the whole diary.",
    ]
  }

  /// Days are compared as texts, and no month has more than 31.
  static let monthStatement =
    "SELECT day, entries FROM diaryDay WHERE day BETWEEN ? AND ? AND entries > 0 ORDER BY day"
  static let daysStatement = "SELECT day FROM diaryDay WHERE entries > 0 ORDER BY day"

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let today = snapshot.services.today(for: snapshot.reader)
    let month = params.month ?? String(today.description.prefix(7))
    var days: [Day] = []
    try snapshot.db.each(
      monthStatement, [.text(month + "-01"), .text(month + "-31")]
    ) { row in
      guard let day = CalendarDay(row.text(0)) else { return }
      days.append(Day(day: day, count: row.int(1)))
    }
    return Result(
      month: month, today: today, days: days, total: days.reduce(0) { $0 + $1.count },
      streaks: try streaks(upTo: today, in: snapshot))
  }

  private static func streaks(upTo today: CalendarDay, in snapshot: Snapshot) throws -> Streaks {
    var streaks = Streaks(current: 0, longest: 0)
    var length = 0
    var previous = Int.min
    try snapshot.db.each(daysStatement) { row in
      let day = number(ofStored: row.bytes(0))
      length = day - 1 == previous ? length + 1 : 1
      previous = day
      streaks.longest = max(streaks.longest, length)
      if day == today.daysSince1970 || day == today.daysSince1970 - 1 { streaks.current = length }
    }
    return streaks
  }

  /// The number of days since 1970. A diary of decades has ten thousand days, and validating the stored days again
  /// would take most of the time.
  private static func number(ofStored day: UnsafeBufferPointer<UInt8>) -> Int {
    func digits(_ places: Range<Int>) -> Int {
      var number = 0
      for place in places where place < day.count { number = number * 10 + Int(day[place]) - 0x30 }
      return number
    }
    return CivilDate.number(of: (digits(0..<4), digits(5..<7), digits(8..<10)))
  }
}
