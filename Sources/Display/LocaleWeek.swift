import CICU

/// The week of a locale.
package struct LocaleWeek {
  /// The weekday on which it begins; 0 is Sunday.
  package let firstDay: Int
  /// Short stand-alone names of its days, from Sunday on: “Sun”, “일”.
  package let names: [String]

  /// Without ICU, the week of ISO 8601, with numbers as names.
  package init(_ locale: LocaleTag) {
    let first = cicu_first_weekday(locale.identifier)
    firstDay = first < 0 ? 1 : Int(first)
    names = (0..<7).map { day in
      icuText { cicu_weekday(locale.identifier, CInt(day), $0, $1) } ?? String(day == 0 ? 7 : day)
    }
  }
}
