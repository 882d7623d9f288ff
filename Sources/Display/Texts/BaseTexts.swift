extension Catalogue {
  /// The texts that belong to no feature.
  package static let base: [Entry] =
    messageTexts + errorTexts + libraryTexts + checkTexts + parameterTexts + formTexts + typeTexts + dayTexts

  /// Days and amounts.
  static let dayTexts: [Entry] = [
    Entry("day.today", en: "today", ko: "오늘"),
    Entry("day.yesterday", en: "yesterday", ko: "어제"),
    Entry("day.tomorrow", en: "tomorrow", ko: "내일"),
    Entry("size.bytes", en: "{count} {count|byte|bytes}", ko: "{count}바이트"),
  ]
}
