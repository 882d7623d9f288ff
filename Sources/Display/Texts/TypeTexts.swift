extension Catalogue {
  /// The types of JSON as people call them: in help, and in an error that names a type. `type.` and the JSON Schema's
  /// word.
  static let typeTexts: [Entry] = [
    Entry("type.any", en: "any JSON", ko: "모든 JSON"),
    Entry("type.array", en: "list", ko: "목록"),
    Entry("type.boolean", en: "true or false", ko: "true 또는 false"),
    Entry("type.integer", en: "whole number", ko: "정수"),
    Entry("type.null", en: "null", ko: "빈 값(null)"),
    Entry("type.number", en: "number", ko: "수"),
    Entry("type.object", en: "object", ko: "객체"),
    Entry("type.string", en: "text", ko: "글"),
  ]
}
