import Wire

/// JSON for people: a member a line, and short things on one.
package enum PrettyJSON {
  /// A value that fits into this width stays on its line.
  private static let width = 80

  package static func text(of value: JSONValue) -> String { text(of: value, indent: "") }

  private static func text(of value: JSONValue, indent: String) -> String {
    let inner = indent + "  "
    switch value {
    case .array(let elements) where !isShort(value, indent):
      let lines = elements.map { inner + text(of: $0, indent: inner) }
      return "[\n" + lines.joined(separator: ",\n") + "\n" + indent + "]"
    case .object(let object) where !isShort(value, indent):
      let lines = object.members.map { member in
        inner + JSONValue.string(member.key).description + ": " + text(of: member.value, indent: inner)
      }
      return "{\n" + lines.joined(separator: ",\n") + "\n" + indent + "}"
    case .array(let elements): return "[" + elements.map { text(of: $0, indent: "") }.joined(separator: ", ") + "]"
    case .object(let object):
      let members = object.members.map {
        JSONValue.string($0.key).description + ": " + text(of: $0.value, indent: "")
      }
      return "{" + members.joined(separator: ", ") + "}"
    default: return value.description
    }
  }

  /// Whether it holds nothing that holds something, and fits on a line.
  private static func isShort(_ value: JSONValue, _ indent: String) -> Bool {
    let parts: [JSONValue] =
      switch value {
      case .array(let elements): elements
      case .object(let object): object.members.map(\.value)
      default: []
      }
    let isFlat = parts.allSatisfy { $0.arrayValue?.isEmpty != false && $0.objectValue?.isEmpty != false }
    guard isFlat, parts.count <= 16 else { return false }
    if indent.isEmpty, value.objectValue?.isEmpty == false { return false }
    return indent.utf8.count + value.description.utf8.count + 2 * parts.count <= width
  }
}
