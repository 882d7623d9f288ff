import Contract
import Wire

/// A value of a field in the front matter of a file, in YAML or TOML.
///
///     Return the book         a text
///     "a: b"                  a text that would otherwise be parsed as another value
///     2026-11-21              a day is a text
///     [errands, "a, b"]       a list
///     {rule: FREQ=WEEKLY}     an object, in TOML {rule = "FREQ=WEEKLY"}
enum FieldValue {
  enum Style {
    case yaml, toml

    var fence: String { self == .yaml ? "---" : "+++" }
    var sign: String { self == .yaml ? ":" : " =" }
  }

  /// Why a value cannot be read.
  struct SyntaxError: Error {}

  static func text(of value: JSONValue, _ style: Style) -> String {
    switch value {
    case .string(let text): style == .yaml && isPlain(text) ? text : JSONValue.string(text).description
    case .array(let elements): "[" + elements.map { self.text(of: $0, style) }.joined(separator: ", ") + "]"
    case .object(let object):
      "{" + object.members.map { "\($0.key)\(style.sign) \(text(of: $0.value, style))" }.joined(separator: ", ") + "}"
    case .null: ""
    default: value.description
    }
  }

  /// Whether YAML reads a text as this text, also within brackets.
  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last,
      first.properties.isAlphabetic || ("0"..."9").contains(first), last != " ", last != ":",
      !["true", "false", "null", "yes", "no", "on", "off"].contains(text.lowercased()),
      (try? JSONParser.parse(text)) == nil, !text.contains(": "), !text.contains(" #")
    else { return false }
    return text.unicodeScalars.allSatisfy { scalar in
      scalar.value >= 0x20 && scalar.value != 0x7F && !",[]{}\"".unicodeScalars.contains(scalar)
    }
  }

  /// Parses a value by the field's shape; a scalar that does not fit stays a text, which the daemon refuses.
  ///
  /// - Throws: `SyntaxError`.
  static func value(of text: String, _ shape: Shape) throws(SyntaxError) -> JSONValue {
    var reader = Reader(rest: text[...])
    let value = try reader.value(shape, until: [])
    reader.skipBlanks()
    guard reader.rest.isEmpty || reader.rest.first == "#" else { throw SyntaxError() }
    return value
  }

  private struct Reader {
    var rest: Substring

    mutating func skipBlanks() { rest = rest.drop { $0 == " " || $0 == "\t" } }

    mutating func value(_ shape: Shape, until ends: Set<Character>) throws(SyntaxError) -> JSONValue {
      skipBlanks()
      switch rest.first {
      case nil, "#": return .null
      case "[": return try list(shape.element ?? .any)
      case "{": return try object(shape)
      case "\"": return .string(try quoted())
      case "'": return .string(try literal())
      default: return scalar(shape, until: ends)
      }
    }

    private mutating func list(_ element: Shape) throws(SyntaxError) -> JSONValue {
      rest.removeFirst()
      var elements: [JSONValue] = []
      while true {
        skipBlanks()
        if take("]") { return .array(elements) }
        elements.append(try value(element, until: [",", "]"]))
        skipBlanks()
        if take("]") { return .array(elements) }
        guard take(",") else { throw SyntaxError() }
      }
    }

    private mutating func object(_ shape: Shape) throws(SyntaxError) -> JSONValue {
      rest.removeFirst()
      var object = JSONObject()
      while true {
        skipBlanks()
        if take("}") { return .object(object) }
        let key: String
        if rest.first == "\"" {
          key = try quoted()
        } else {
          key = String(rest.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" })
          rest = rest.dropFirst(key.count)
        }
        skipBlanks()
        guard !key.isEmpty, take(":") || take("=") else { throw SyntaxError() }
        object[key] = try value(shape.field(at: [key])?.shape ?? .any, until: [",", "}"])
        skipBlanks()
        if take("}") { return .object(object) }
        guard take(",") else { throw SyntaxError() }
      }
    }

    private mutating func take(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest.removeFirst()
      return true
    }

    /// A JSON string, which YAML and TOML parse alike.
    private mutating func quoted() throws(SyntaxError) -> String {
      var end = rest.index(after: rest.startIndex)
      while end < rest.endIndex, rest[end] != "\"" {
        if rest[end] == "\\" { end = rest.index(after: end) }
        guard end < rest.endIndex else { throw SyntaxError() }
        end = rest.index(after: end)
      }
      guard end < rest.endIndex, let text = (try? JSONParser.parse(String(rest[...end])))?.stringValue else {
        throw SyntaxError()
      }
      rest = rest[rest.index(after: end)...]
      return text
    }

    /// A quotation mark is written twice.
    private mutating func literal() throws(SyntaxError) -> String {
      rest.removeFirst()
      var text = ""
      while let character = rest.popFirst() {
        guard character == "'" else {
          text.append(character)
          continue
        }
        guard rest.first == "'" else { return text }
        text.append(rest.removeFirst())
      }
      throw SyntaxError()
    }

    private mutating func scalar(_ shape: Shape, until ends: Set<Character>) -> JSONValue {
      var text = ""
      while let character = rest.first, !ends.contains(character) {
        if character == "#", text.last == " " { break }
        text.append(character)
        rest.removeFirst()
      }
      while text.last == " " || text.last == "\t" { text.removeLast() }
      if text == "~" || text == "null" { return .null }
      switch shape {
      case .string, .text, .choice: return .string(text)
      default: return (try? JSONParser.parse(text)) ?? .string(text)
      }
    }
  }
}
