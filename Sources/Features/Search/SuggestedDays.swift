import Contract
import Display
import Store

/// What `before:` and `after:` may be ended with: today, its month and its year; of a year or a month that is begun the
/// months or the days of it; and the days that people say in words.
enum SuggestedDays {
  static func beginning(_ typed: String, in snapshot: Snapshot) -> [(value: String, label: String)] {
    let (services, reader) = (snapshot.services, snapshot.reader)
    let today = services.libraryToday.description
    let near = [today, String(today.dropLast(3)), String(today.dropLast(6))]
    let dates = (near + months(of: typed) + days(of: typed)).filter { $0.utf8.starts(with: typed.utf8) }
    var seen: Set<String> = []
    let spoken = SpokenDay.offers(
      beginning: typed, today: services.today(for: reader).yearMonthDay, leaning: .back, locale: reader.locale)
    return dates.filter { seen.insert($0).inserted }.map { ($0, $0) }
      + spoken.map { ($0.words, services.dates.string(.mediumDate, on: $0.day, for: reader)) }
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
