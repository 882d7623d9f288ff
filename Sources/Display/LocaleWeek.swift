import CICU

/// The week as the people of a locale see it.
package struct LocaleWeek {
  /// On which it begins; 0 is Sunday.
  package let firstDay: Int
  /// Short names of its days as they stand alone, from Sunday on: “Sun”, “일”.
  package let names: [String]

  /// Where ICU is not installed, the week of ISO 8601, by its numbers.
  package init(_ locale: LocaleTag) {
    let first = cicu_first_weekday(locale.identifier)
    firstDay = first < 0 ? 1 : Int(first)
    names = (0..<7).map { day in
      icuText { cicu_weekday(locale.identifier, CInt(day), $0, $1) } ?? String(day == 0 ? 7 : day)
    }
  }
}
