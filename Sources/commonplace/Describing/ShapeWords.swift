import Contract

extension Shape {
  /// The type as help texts write it.
  var words: String {
    switch self {
    case .any: "any JSON"
    case .null: "null"
    case .boolean: "true or false"
    case .integer: "whole number"
    case .number: "number"
    case .string: "text"
    case .text(let form): form.words
    case .choice(_, let words): words.joined(separator: " | ")
    case .array(let element): "list of \(element.words)"
    case .dictionary(let element): "object of \(element.words)"
    case .object(let object): object.pageItem.map { "page of \($0.words)" } ?? object.name
    case .recursion(let name): name
    }
  }
}

extension TextForm {
  var words: String {
    switch self {
    case .timeOfDay: "time of day (04:00)"
    case .language: "language (ko-KR)"
    case .absolutePath: "path"
    case .day: "day (2026-11-21)"
    case .month: "month (2026-11)"
    case .color: "colour (#ffd60a)"
    default: rawValue
    }
  }
}

extension ObjectShape.Field {
  /// Type, limits and presence in a few words.
  var words: String {
    var parts = [shape.words]
    if let form = limits.form { parts = [shape.isList ? "list of \(form.words)" : form.words] }
    switch (limits.minimum, limits.maximum) {
    case (let low?, let high?): parts.append("\(Self.plain(low)) to \(Self.plain(high))")
    case (let low?, nil): parts.append("at least \(Self.plain(low))")
    case (nil, let high?): parts.append("at most \(Self.plain(high))")
    case (nil, nil): break
    }
    switch presence {
    case .required: parts.append("required")
    case .optional: break
    case .patch: parts.append("null clears it")
    }
    if isSecret { parts.append("secret") }
    return parts.joined(separator: ", ")
  }

  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}
