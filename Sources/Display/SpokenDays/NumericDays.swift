extension DayLanguage {
  /// Dates in numbers, which no language has for itself: ISO 8601's, those with slashes or dots, and distances as
  /// org-mode and Taskwarrior have them.
  static let numeric: DayLanguage = {
    var language = DayLanguage()
    language.units = ["d": 1, "w": 7, "m": 30, "y": 365]
    language.phrases = [
      ("<y>-<m>-<d>|<y>/<m>/<d>|<y>.<m>.<d>(.)?|<m>-<d>|<m>/<d>|<m>.<d>(.)?", .date),
      ("+<n><u>", .distance(1)), ("-<n><u>", .distance(-1)),
    ]
    language.periods = "<y>-<m>|<y>/<m>|<y>.<m>(.)?|<y>"
    return language
  }()
}
