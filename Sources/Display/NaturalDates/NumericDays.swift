import CICU

/// The order of numbers in a locale's dates, from CLDR's patterns (`d.M.y` for `de`, `y/M/d` for `ja`).
struct NumericOrder: Hashable, Sendable {
  /// 5/6 is 5 June.
  var isDayFirst = false
  /// 26/12/24 is in 2026.
  var isYearFirst = false

  init(_ locale: LocaleTag) {
    func pattern(_ skeleton: String) -> String {
      icuText { cicu_pattern(locale.identifier, skeleton, $0, $1) } ?? skeleton
    }
    isDayFirst = pattern("Md").first { "Md".contains($0) } == "d"
    isYearFirst = pattern("yMd").first { "yMd".contains($0) } == "y"
  }

  fileprivate init(isDayFirst: Bool, isYearFirst: Bool) {
    (self.isDayFirst, self.isYearFirst) = (isDayFirst, isYearFirst)
  }

  fileprivate static let all = [false, true].flatMap { isDayFirst in
    [false, true].map { NumericOrder(isDayFirst: isDayFirst, isYearFirst: $0) }
  }
}

extension DayLanguage {
  /// Numeric dates in the order of the user's locale. A date that is invalid in that order, such as 12/24 with the day
  /// first, is read in the other order, which is then unambiguous.
  static func numeric(for locale: LocaleTag, _ text: [Unicode.Scalar]) -> DayLanguage {
    // Querying the order loads ICU's patterns, which most phrases do not need.
    let hasNumber = text.contains { ("0"..."9").contains($0) }
    return numeric[hasNumber ? NumericOrder(locale) : NumericOrder.all[0]] ?? DayLanguage()
  }

  private static let numeric = Dictionary(uniqueKeysWithValues: NumericOrder.all.map { ($0, numeric($0)) })

  /// Forms of ISO 8601, forms with slashes or dots, and distances as in org-mode and Taskwarrior.
  private static func numeric(_ order: NumericOrder) -> DayLanguage {
    let (own, other) = order.isDayFirst ? (["<d>", "<m>"], ["<m>", "<d>"]) : (["<m>", "<d>"], ["<d>", "<m>"])
    let ownShort = order.isYearFirst ? ["<yy>", "<m>", "<d>"] : own + ["<yy>"]
    var language = DayLanguage()
    language.units = ["d": 1, "w": 7, "m": 30, "y": 365]
    let dates = [["<y>", "<m>", "<d>"], own, own + ["<y>"], ownShort, other, other + ["<y>"]]
    language.phrases = [
      (dates.map(written).joined(separator: "|"), .date), ("+<n><u>", .distance(1)), ("-<n><u>", .distance(-1)),
    ]
    language.periods = "\(written(["<y>", "<m>"]))|\(written(["<m>", "<y>"]))|<y>"
    return language
  }

  private static func written(_ places: [String]) -> String {
    let (dashes, slashes) = (places.joined(separator: "-"), places.joined(separator: "/"))
    return "\(dashes)|\(slashes)|\(places.joined(separator: "."))(.)?"
  }
}
