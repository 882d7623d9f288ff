import Contract
import Display
import Store
import Wire

/// The completions of `before:`, `after:`, `due:` and `start:`: today, its month and its year; for an incomplete year
/// or month its months or days; and natural-language dates.
enum SuggestedDays {
  static func beginning(_ typed: String, in snapshot: Snapshot) -> [(value: String, label: String)] {
    let (services, reader) = (snapshot.services, snapshot.reader)
    let spoken = NaturalDate.offers(
      beginning: typed, today: services.today(for: reader).yearMonthDay, locale: reader.locale)
    return dates(beginning: typed, in: snapshot).map { ($0, $0) }
      + spoken.map { ($0.words, services.dates.string(.mediumDate, on: $0.day, for: reader)) }
  }

  /// The same for `due:` and `start:`, which accept whole weeks, months and years.
  static func dates(
    of field: QueryField, beginning typed: String, in snapshot: Snapshot
  ) -> [(value: String, label: Text)] {
    let isStart = field == .start
    func label(_ day: String) -> Text { Text(isStart ? "search.startDay" : "search.dueDay", ["day": day]) }
    let (services, reader) = (snapshot.services, snapshot.reader)
    func written(_ day: YearMonthDay) -> String { services.dates.string(.mediumDate, on: day, for: reader) }
    let spoken = NaturalDate.deadlineOffers(
      beginning: typed, today: services.today(for: reader).yearMonthDay, locale: reader.locale)
    return dates(beginning: typed, in: snapshot).map { ($0, label($0)) }
      + spoken.map { words, first, last in
        let label =
          first == last
          ? label(written(last))
          : Text(
            isStart ? "search.startDays" : "search.dueDays", ["first": written(first), "last": written(last)])
        return (words, label)
      }
  }

  private static func dates(beginning typed: String, in snapshot: Snapshot) -> [String] {
    let today = snapshot.services.libraryToday.description
    let near = [today, String(today.dropLast(3)), String(today.dropLast(6))]
    var seen: Set<String> = []
    return (near + months(of: typed) + days(of: typed))
      .filter { $0.utf8.starts(with: typed.utf8) && seen.insert($0).inserted }
  }

  private static func months(of typed: String) -> [String] {
    guard let match = typed.wholeMatch(of: /([0-9]{4})-[0-9]?/) else { return [] }
    return (1...12).map { "\(match.output.1)-\(twoDigits($0))" }
  }

  private static func days(of typed: String) -> [String] {
    guard let match = typed.wholeMatch(of: /([0-9]{4}-[0-9]{2})-[0-9]/) else { return [] }
    return (1...31).map { "\(match.output.1)-\(twoDigits($0))" }.filter { CalendarDay($0) != nil }
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
