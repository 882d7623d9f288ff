import Foundation
import Wire

/// The definitions of the specification's `schema.json`, as far as a server sends them, without their descriptions.
struct MCPSchema {
  private let definitions: JSONObject

  init() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "mcp-2026-07-28.json")
    definitions = try JSONParser.parse(Array(Data(contentsOf: file)))["$defs"]?.objectValue ?? [:]
  }

  /// Why a value is no instance of a definition; empty if it is one.
  func problems(of value: JSONValue?, as definition: String) -> [String] {
    problems(value ?? .null, definitions[definition] ?? .bool(false), at: definition)
  }

  /// Why a tool's result does not have the tool's own output schema.
  func problems(of value: JSONValue?, schema: JSONValue?) -> [String] {
    problems(value ?? .null, schema ?? .bool(false), at: "")
  }

  private func problems(_ value: JSONValue, _ schema: JSONValue, at path: String) -> [String] {
    if schema.boolValue == true { return [] }
    guard let schema = schema.objectValue else { return ["\(path): no schema"] }
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last.map(String.init) {
      return problems(value, definitions[name] ?? .bool(false), at: "\(path)<\(name)>")
    }
    var found: [String] = []
    if let types = schema["type"] {
      let names = types.arrayValue?.compactMap(\.stringValue) ?? [types.stringValue ?? ""]
      if !names.contains(where: { isOf($0, value) }) { found.append("\(path): \(value.typeName), not \(names)") }
    }
    if let constant = schema["const"], constant != value { found.append("\(path): not \(constant)") }
    if let choices = schema["enum"]?.arrayValue, !choices.contains(value) {
      found.append("\(path): not one of \(choices)")
    }
    if let least = schema["minimum"]?.doubleValue, let number = value.doubleValue, number < least {
      found.append("\(path): below \(least)")
    }
    if let object = value.objectValue {
      for name in schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? [] where object[name] == nil {
        found.append("\(path): no \(name)")
      }
      for member in object.members {
        if let inner = schema["properties"]?[member.key] {
          found += problems(member.value, inner, at: "\(path).\(member.key)")
        } else if let inner = schema["additionalProperties"], inner.objectValue?.isEmpty != true {
          found += inner.boolValue == false ? ["\(path): \(member.key)"] : problems(member.value, inner, at: path)
        }
      }
    }
    if let elements = value.arrayValue, let inner = schema["items"] {
      found += elements.enumerated().flatMap { problems($1, inner, at: "\(path)[\($0)]") }
    }
    for part in schema["allOf"]?.arrayValue ?? [] { found += problems(value, part, at: path) }
    if let alternatives = schema["anyOf"]?.arrayValue {
      let each = alternatives.map { problems(value, $0, at: path) }
      if !each.contains(where: \.isEmpty) { found.append("\(path): none of \(alternatives.count): \(each)") }
    }
    return found
  }

  private func isOf(_ type: String, _ value: JSONValue) -> Bool {
    type == value.typeName || type == "integer" && value.integerValue != nil
      || type == "number" && value.doubleValue != nil
  }
}
