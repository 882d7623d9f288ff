/// How a date is written for people.
package enum DateStyle: Sendable, Hashable {
  /// The locale's order and words for an ICU skeleton such as `dd MMM yyyy`. It cannot include the zone.
  case template(String)
  /// The locale's medium date, without a time: "Nov 21, 2026".
  case mediumDate
  /// The locale's short time: "3:05 PM", "오후 3:05".
  case time
  /// The medium date with the short time.
  case dateAndTime

  /// Day, short month and year, for the headings of diary entries.
  package static let heading = DateStyle.template("dd MMM yyyy")
  /// The same without a zero before the day, for the heading of a day's events.
  package static let day = DateStyle.template("d MMM yyyy")

  /// The interval in seconds within which all instants are written alike.
  var resolution: Int64 {
    switch self {
    case .mediumDate: 86_400
    case .time, .dateAndTime: 60
    // The letters of ICU's skeletons for parts of a day.
    case .template(let skeleton): skeleton.utf8.contains(where: Self.partsOfDay.contains) ? 1 : 86_400
    }
  }

  private static let partsOfDay = Array("abBhHkKjJCmsSA".utf8)
}
