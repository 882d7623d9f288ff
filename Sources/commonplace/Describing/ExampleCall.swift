import Contract
import Wire

/// A method's example as a line for a shell.
struct ExampleCall {
  private let method: MethodDescription

  init(_ method: MethodDescription) {
    self.method = method
  }

  var text: String {
    let pairs = (method.exampleParams.objectValue?.members ?? []).map { member in
      if let field = method.params.field(at: [member.key]), field.isSecret { return "\(member.key)=@FILE" }
      return Self.pair(member.key, member.value)
    }
    return (["commonplace", "call", method.name] + pairs).joined(separator: " ")
  }

  private static func pair(_ key: String, _ value: JSONValue) -> String {
    switch value {
    case .string(let text): key + "=" + quoted(text.first == "@" ? "@" + text : text)
    case .bool, .integer, .number: key + "=" + value.description
    case .array(let elements) where !elements.isEmpty && elements.allSatisfy({ $0.stringValue != nil }):
      elements.map { pair(key, $0) }.joined(separator: " ")
    default: key + ":=" + quoted(value.description)
    }
  }

  /// As a POSIX shell reads it back.
  static func quoted(_ text: String) -> String {
    let isPlain =
      !text.isEmpty
      && text.unicodeScalars.allSatisfy { scalar in
        scalar.value > 0x7F || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "-_./:@%+,#".unicodeScalars.contains(scalar)
      }
    return isPlain && text.first != "#" ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
  }
}
