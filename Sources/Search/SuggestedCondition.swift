import Contract

/// A completion of a query's field, while the user types it.
struct SuggestedCondition: Payload {
  var field: QueryField
  var value: String
  var text: String
  var display: Display

  struct Display: Payload {
    var label: String
    static let example = Display(label: "Diary")
    static let terms = ["label": "name"]
    static let fields = ["label": "The value's label."]
  }

  static let example = SuggestedCondition(field: .in, value: "diary", text: "river in:diary", display: .example)
  static let fields = [
    "field": "The field that is being typed.", "value": "A possible value.",
    "text": "The query with this value instead of the typed beginning.", "display": "Strings for people.",
  ]
}
