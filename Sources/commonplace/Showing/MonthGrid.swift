import Contract
import Display
import Wire

/// A month of a diary as a calendar page: a week per row, beginning on the first weekday of the audience's locale.
/// `·2` is the number of a day's entries, `>` precedes today.
///
///     November 2026  3
///      Sun   Mon   Tue   Wed   Thu   Fri   Sat
///        1     2     3     4     5     6     7
///     …
///       15    16    17    18    19    20·1 >21·2
struct MonthGrid {
  private let first: CalendarDay
  private let total: Int
  /// The number of entries of each of its days, from the first on.
  private let counts: [Int]
  /// The weekday of the first of the month, 0 for Sunday.
  private let firstWeekday: Int
  /// The number of today, if it is one of its days.
  private let today: Int?
  private let streaks: (current: Int, longest: Int)

  /// Nil for a reply that is not a month with its days.
  init?(_ reply: JSONValue) {
    guard let month = reply["month"]?.stringValue, let first = CalendarDay(month + "-01"),
      let days = reply["days"]?.arrayValue, let current = reply["streaks"]?["current"]?.integerValue,
      let longest = reply["streaks"]?["longest"]?.integerValue
    else { return nil }
    let length = (28...31).last { CalendarDay("\(month)-\($0)") != nil } ?? 28
    func number(of day: JSONValue?) -> Int? {
      guard let day = day?.stringValue.flatMap({ CalendarDay($0) }) else { return nil }
      let place = day.daysSince1970 - first.daysSince1970
      return (0..<length).contains(place) ? place : nil
    }
    var counts = [Int](repeating: 0, count: length)
    for day in days {
      guard let place = number(of: day["day"]), let count = day["count"]?.integerValue else { return nil }
      counts[place] = Int(count)
    }
    self.first = first
    self.counts = counts
    total = reply["total"]?.integerValue.map(Int.init) ?? counts.reduce(0, +)
    // 1 January 1970 was a Thursday.
    firstWeekday = (first.daysSince1970 % 7 + 11) % 7
    today = number(of: reply["today"]).map { $0 + 1 }
    streaks = (Int(current), Int(longest))
  }

  /// Nil if the terminal is too narrow for a week.
  func text(on screen: Screen) -> String? {
    let week = LocaleWeek(screen.locale)
    let begin = week.firstDay
    let names = (0..<7).map { week.names[(begin + $0) % 7] }
    let most = counts.max() ?? 0
    // A mark, two digits, and the count after its dot.
    let width = max(
      3 + (most > 0 ? 1 + String(most).count : 0), 1 + (names.map { TextWidth.columns(of: $0) }.max() ?? 0))
    guard 7 * (width + 1) - 1 <= screen.width else { return nil }
    var cells = [String](repeating: "", count: (firstWeekday - begin + 7) % 7)
    for (place, count) in counts.enumerated() {
      let text = (place + 1 < 10 ? " " : "") + String(place + 1) + (count > 0 ? "·\(count)" : "")
      let mark = place + 1 == today ? ">" : " "
      cells.append(TextWidth.padded(mark + text, to: width))
    }
    let ink = screen.ink
    // The locale's own order and words: “November 2026”, “2026년 11월”.
    let heading = DateWriter.string(.template("yMMMM"), on: (first.year, first.month, first.day), in: screen.locale)
    var lines = [ink.strong("\(heading)  \(total)")]
    lines.append(ink.faint(Self.row(names.map { TextWidth.padded(" " + $0, to: width) }, width)))
    for start in stride(from: 0, to: cells.count, by: 7) {
      lines.append(Self.row(Array(cells[start..<min(start + 7, cells.count)]), width))
    }
    lines += [
      "", screen.say(Text("table.streak", ["count": String(streaks.current)])),
      screen.say(Text("table.longestStreak", ["count": String(streaks.longest)])),
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  private static func row(_ cells: [String], _ width: Int) -> String {
    var row = cells.map { TextWidth.padded($0, to: width) }.joined(separator: " ")
    while row.last == " " { row.removeLast() }
    return row
  }
}
