import Contract

/// A part of a line that was read as a field.
struct UnderstoodPart: Payload, Equatable {
  var field: String
  var text: String
  static let example = UnderstoodPart(field: "deadline", text: "tomorrow 9am")
  static let fields = [
    "field":
      "The field: `deadline`, with its time if it has one, `start`, `recurrence`, `someday`, `tags`, "
      + CardSign.all.map { "`\($0.name)`" }.joined(separator: ", ") + " or `reminders`.",
    "text": "The words of the line.",
  ]
}
