import Wire

/// Paragraphs of a page, with one empty line between them.
struct MarkdownPage {
  private var paragraphs: [String] = []

  var text: String { paragraphs.joined(separator: "\n\n") + "\n" }

  mutating func line(_ text: String) { paragraphs.append(text) }
  mutating func block(_ lines: [String]) { paragraphs.append(lines.joined(separator: "\n")) }
  mutating func code(_ lines: [String]) { block(["```json"] + lines + ["```"]) }

  mutating func table(of shape: Shape) {
    var objects = SharedObjects()
    table(of: shape, &objects)
  }

  /// A table of the fields of an object, followed by the conditions between fields.
  mutating func table(of shape: Shape, _ objects: inout SharedObjects) {
    guard case .object(let object) = shape else { return line("Params: \(type(of: shape, &objects))") }
    guard !object.fields.isEmpty else { return }
    block(["| field | type | |", "|---|---|---|"] + rows(of: object, path: "", &objects))
    let groups =
      object.exactlyOne.map { "Exactly one of \(Self.list($0))." }
      + object.atMostOne.map { "At most one of \(Self.list($0))." }
    if !groups.isEmpty { line(groups.joined(separator: " ")) }
  }

  /// Strings for people stand in the table of what they belong to: `display.title`.
  private func rows(of object: ObjectShape, path: String, _ objects: inout SharedObjects) -> [String] {
    object.fields.flatMap { field in
      let name = path + field.name
      if field.name == "display", case .object(let display) = field.shape, !display.fields.isEmpty {
        return rows(of: display, path: path + name + ".", &objects)
      }
      var type = type(of: field.shape, &objects)
      let limits = field.limits.words(for: field.shape)
      if !limits.isEmpty { type += ", \(limits)" }
      if field.presence == .patch { type += ", or null" }
      var note = field.isSecret ? "\(field.note) Never shown again." : field.note
      if !field.effects.isEmpty { note += " Adds the effect *\(field.effects.names.joined(separator: ", "))*." }
      return ["| `\(name)`\(field.presence == .required ? "" : "?") | \(type) | \(Self.cell(note)) |"]
    }
  }

  /// Escapes characters that would end a table cell.
  static func cell(_ text: String) -> String {
    var cell = ""
    for character in text {
      switch character {
      case "|": cell += "\\|"
      case "\n", "\r", "\r\n": cell += " "
      default: cell.append(character)
      }
    }
    return cell
  }

  private static func list(_ names: [String]) -> String {
    names.map { "`\($0)`" }.joined(separator: ", ")
  }

  /// A type as the page shows it; an object is a link to its table.
  func type(of shape: Shape, _ objects: inout SharedObjects) -> String {
    switch shape {
    case .any: return "any"
    case .null: return "null"
    case .boolean: return "boolean"
    case .integer: return "integer"
    case .number: return "number"
    case .string: return "string"
    case .text(let form): return form.name
    case .choice(_, let words): return words.map { "`\"\($0)\"`" }.joined(separator: " or ")
    case .array(let element): return "list of \(type(of: element, &objects))"
    case .dictionary(let element): return "object of \(type(of: element, &objects)) by name"
    case .recursion(let name): return "[\(name)](#\(Self.anchor(name)))"
    case .object(let object):
      if object.fields.isEmpty { return "`{}`" }
      if let item = object.pageItem { return "[page](#pages) of \(type(of: item, &objects))" }
      objects.add(object)
      return "[\(object.name)](#\(Self.anchor(object.name)))"
    }
  }

  /// The anchor that common renderers create for a heading: lower case, and of punctuation only `-` and `_`.
  static func anchor(_ heading: String) -> String {
    String(heading.lowercased().filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
  }
}

extension TextForm {
  /// The name in the reference's tables.
  fileprivate var name: String {
    switch self {
    case .givenDay: "[day](#days)"
    case .timeOfDay: "time of day"
    case .language: "language tag"
    case .absolutePath: "absolute path"
    case .namingFiles: "string"
    default: rawValue
    }
  }
}

extension FieldLimits {
  /// `1 to 500`, `not blank`; empty if there are none.
  fileprivate func words(for shape: Shape) -> String {
    let unit =
      switch shape {
      case .array, .dictionary: " elements"
      default: " characters"
      }
    var words: [String] = []
    if let range = Self.range(minimum.map(plain), maximum.map(plain)) { words.append(range) }
    if let range = Self.range(minimumLength.map(String.init), maximumLength.map(String.init)) {
      words.append(range + unit)
    }
    if notBlank { words.append("not blank") }
    if let form { words.append(form == .namingFiles ? "may name files" : form.name) }
    return words.joined(separator: ", ")
  }

  private static func range(_ minimum: String?, _ maximum: String?) -> String? {
    switch (minimum, maximum) {
    case (let minimum?, let maximum?): "\(minimum) to \(maximum)"
    case (let minimum?, nil): "at least \(minimum)"
    case (nil, let maximum?): "at most \(maximum)"
    case (nil, nil): nil
    }
  }
}

/// The objects that tables refer to, in the order in which they are met. Each is written once, after the methods of the
/// area that refers to it first.
struct SharedObjects {
  private var found: [ObjectShape] = []
  private var writtenCount = 0

  mutating func add(_ shape: ObjectShape) {
    if !found.contains(where: { $0.name == shape.name && $0.fields == shape.fields }) { found.append(shape) }
  }

  /// The next that has not been written.
  mutating func next() -> ObjectShape? {
    guard writtenCount < found.count else { return nil }
    defer { writtenCount += 1 }
    return found[writtenCount]
  }
}
