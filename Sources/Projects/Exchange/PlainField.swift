import Contract
import Store
import Wire

/// A field of a card that a file states as one value, such as a number or a boolean. Formats do not list these fields
/// by name: a field that is declared as `followed` is in the files of all formats.
struct PlainField: Sendable {
  let field: Field<ProjectRecord>
  var name: String { field.name }

  /// All fields without a syntax of their own in any format.
  static let all = ExternalTask.fields.filter { field in
    !["title", "body", "board", "deadline", "time", "tags", "blockedBy", "parent", "recurrence"].contains(field.name)
  }.map(PlainField.init)

  static let reminders = all.first { $0.name == "reminders" }
  private static let empty = ProjectRecord()

  func isSame(_ one: ExternalTask, _ other: ExternalTask) -> Bool {
    // Reading values from memory cannot fail.
    (try? field.isSame(one.card, other.card)) ?? false
  }

  /// The value of a card as clients see it; nil if it is the default.
  func value(in card: ProjectRecord) -> JSONValue? {
    guard (try? field.isSame(card, Self.empty)) == false else { return nil }
    var json = JSONWriter()
    json.beginObject()
    try? field.write(card, &json)
    json.endObject()
    return (try? JSONParser.parse(json.bytes))?[field.wireName]
  }

  /// The value of a card as one token: `3`, `true`.
  func word(in card: ProjectRecord) -> String? { value(in: card).map { $0.stringValue ?? "\($0)" } }

  /// Whether a value in this format has a property of its own; otherwise the format's own syntax states it exactly.
  func hasProperty(in format: TaskFormat) -> Bool {
    format != .taskwarrior || !["start", "someday", "properties"].contains(name)
  }

  /// - Returns: false for a value that `projects/update` would refuse; then the card is unchanged.
  func assign(_ value: JSONValue, to card: inout ProjectRecord) -> Bool {
    let member = ObjectShape.Field(
      name: field.name, shape: field.shape, presence: .optional, note: "", limits: field.limits)
    do {
      try Shape.object(.described("Line", [member])).checkParams([field.name: value], strict: true)
      try field.assign(value, &card)
      return true
    } catch {
      return false
    }
  }

  /// The same for a value as one token.
  func assign(word: String, to card: inout ProjectRecord) -> Bool {
    switch field.shape {
    case .string, .text, .choice: assign(.string(word), to: &card)
    default: ((try? JSONParser.parse(word)) ?? nil).map { assign($0, to: &card) } ?? false
    }
  }

  func clear(in card: inout ProjectRecord) { field.copy(Self.empty, &card) }
}

/// Plain fields in the formats that have a property for each value. A program may have a property of its own for the
/// field (`programProperty`). The value in our extension property is the exact one, and is valid as long as the
/// program's property agrees with it.
extension PlainField {
  /// - Parameters:
  ///   - program: the value of a property of the program, by its name.
  ///   - ours: the value of our extension property for a field.
  static func read(
    into task: inout ExternalTask, of format: TaskFormat, program: (String) -> String?, ours: (String) -> String?
  ) {
    for plain in all where plain.hasProperty(in: format) {
      let exact = ours(plain.name)
      guard let (property, scale) = plain.programProperty(in: format) else {
        if let exact, !plain.assign(word: exact, to: &task.card) { task.cannotRead(plain.name, exact, .badValue) }
        continue
      }
      guard let word = program(property), !word.isEmpty, !scale.isNone(word) else { continue }
      if let exact, plain.assign(word: exact, to: &task.card), task[scale] == word { continue }
      task[scale] = word
      task.cannotRead(plain.name, word, .badValue)
    }
  }

  /// The properties to write for a task: those of the program that have changed, and all of ours. Nil removes a
  /// property.
  ///
  /// - Parameter current: the value of a property of the program, by its name.
  static func properties(
    of task: ExternalTask, since old: ExternalTask, in format: TaskFormat, current: (String) -> String?
  ) -> (program: [(name: String, value: String?)], ours: [(key: String, value: String?)]) {
    var program: [(name: String, value: String?)] = []
    let ours = all.filter { $0.hasProperty(in: format) }.map { plain -> (key: String, value: String?) in
      let exact = plain.word(in: task.card)
      guard let (property, scale) = plain.programProperty(in: format) else { return (plain.name, exact) }
      let isSame = plain.isSame(task, old)
      if !isSame { program.append((property, task[scale])) }
      var read = ExternalTask()
      read[scale] = isSame ? current(property) : task[scale]
      return (plain.name, plain.isSame(task, read) ? nil : exact)
    }
    return (program, ours)
  }
}
