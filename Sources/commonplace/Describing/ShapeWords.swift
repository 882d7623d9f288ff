import Contract
import Display
import Wire

extension Shape {
  /// The type as help texts write it.
  var words: String {
    switch self {
    case .any: Self.word("any")
    case .null: Self.word("null")
    case .boolean: Self.word("boolean")
    case .integer: Self.word("integer")
    case .number: Self.word("number")
    case .string: Self.word("string")
    case .text(let form): form.words
    case .choice(_, let words): words.joined(separator: " | ")
    case .array(let element): "\(Self.word("array")) of \(element.words)"
    case .dictionary(let element): "\(Self.word("object")) of \(element.words)"
    case .object(let object): object.pageItem.map { "page of \($0.words)" } ?? object.words
    case .recursion(let name): Self.words(ofType: name)
    }
  }

  /// The type names of error messages, so that both use one vocabulary.
  private static func word(_ type: String) -> String {
    catalogue.string(for: Text("type.\(type)"), language: .english)
  }

  private static let catalogue = Catalogue()

  /// A type's name as words: `ListPages.PageSummary` is “page summary”. A name of one word follows that of the type
  /// around it: `Post.Writer` is “post writer”.
  fileprivate static func words(ofType name: String) -> String {
    let parts = name.split(separator: ".").map { words(in: $0) }
    guard let last = parts.last else { return name }
    return (last.count == 1 ? parts.suffix(2).flatMap(\.self) : last).joined(separator: " ")
  }

  /// A capital begins a word, except within an abbreviation: `PDFPageLabel` is “PDF page label”.
  private static func words(in name: Substring) -> [String] {
    name.matches(of: /[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+/).map { match in
      match.output.count > 1 && match.output.allSatisfy(\.isUppercase)
        ? String(match.output) : match.output.lowercased()
    }
  }
}

extension ObjectShape {
  /// The type as help texts write it.
  var words: String { Shape.words(ofType: name) }
}

extension TextForm {
  var words: String {
    switch self {
    case .timeOfDay: "time of day (04:00)"
    case .language: "language (ko-KR)"
    case .absolutePath: "path"
    case .namingFiles: Shape.string.words
    case .day: "day (2026-11-21)"
    case .givenDay: "day (2026-11-21, tomorrow)"
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
    if let form = limits.form { parts = [shape.isList ? Shape.array(.text(form)).words : form.words] }
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
    parts += effects.names
    return parts.joined(separator: ", ")
  }

  private static func plain(_ number: Double) -> String {
    Int(exactly: number).map(String.init) ?? String(number)
  }
}
