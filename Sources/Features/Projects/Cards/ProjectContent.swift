import Contract
import Store
import Wire

/// What a reader writes into a card, before it is checked together.
enum ProjectContent {
  static let longestTitle = 1_000
  /// Unicode scalars, as of an entry of the diary.
  static let longestBody = 1_000_000

  /// The limits of its fields, wherever they are params.
  static let limits: [String: FieldLimits] = [
    "title": .length(1...longestTitle, notBlank: true), "body": .length(0...longestBody),
    "time": .length(1...TimeOfDay.longestSaid, notBlank: true),
    "tags": FieldLimits(minimumLength: 0, maximumLength: TagList.most, notBlank: true),
    "blockedBy": .length(0...Blockers.most), "priority": .range(1...9),
  ]

  static func requireOneLine(_ title: String) throws(RPCError) {
    try requireOneLine(title, field: "title")
  }

  static func requireOneLine(_ text: String, field: String) throws(RPCError) {
    let wrong = text.unicodeScalars.filter(\.isLineEndOrControl)
    if wrong.isEmpty { return }
    let breaks = wrong.contains { Character($0).isNewline }
    throw .invalidParams(field: field, reason: breaks ? Text("projects.oneLine") : Text("projects.noControl"))
  }
}

extension ProjectRecord {
  /// What its fields must be together, whichever of them was given.
  func requireSense() throws {
    if time != nil, deadline == nil {
      throw RPCError.invalidParams(field: "time", reason: Text("projects.timeWithoutDeadline"))
    }
    if deadline == nil, let recurrence = try recurrenceValue, recurrence.from != .completion {
      throw RPCError.invalidParams(field: "recurrence", reason: Text("projects.ruleWithoutDeadline"))
    }
  }
}
