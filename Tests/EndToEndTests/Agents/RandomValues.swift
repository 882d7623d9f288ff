import TestSupport
import Wire

/// Values of JSON schemas, now and then one of another type. Texts are ids of the library for agents, days, links and
/// words, but never a URL or a path: nothing outside of the test is reached, whatever a server allows.
struct RandomValues {
  static let ids: [JSONValue] = ["walk", "book", "plants", "paper", "source", "none"]
  private static let texts: [JSONValue] =
    ids + [
      "2026-11-26", "2026-11-21T01:44:05.678Z", "04:00", "river", "commonplace:/diary/walk", "#ff0000", "en", "diary",
      "projects", "documents", "a\nb", "\u{202E}a", "Zm9v", "",
    ]
  private static let wrong: [JSONValue] = [.null, -1, "x", [], [:], true, 1e300]
  private static let deepest = 4

  let schemas: JSONValue

  func value(_ schema: JSONValue, _ random: inout SeededGenerator) -> JSONValue { value(schema, Self.deepest, &random) }

  /// Required members, and some of the others.
  func object(_ schema: JSONValue, _ random: inout SeededGenerator) -> JSONObject {
    object(schema, Self.deepest, &random)
  }

  private func object(_ schema: JSONValue, _ depth: Int, _ random: inout SeededGenerator) -> JSONObject {
    var object: JSONObject = [:]
    let required = schema["required"]?.arrayValue ?? []
    for member in schema["properties"]?.objectValue?.members ?? []
    where required.contains(.string(member.key)) || Int.random(in: 0..<5, using: &random) < 2 {
      object[member.key] = value(member.value, depth - 1, &random)
    }
    return object
  }

  private func value(_ schema: JSONValue, _ depth: Int, _ random: inout SeededGenerator) -> JSONValue {
    func one(_ values: [JSONValue]) -> JSONValue { values.randomElement(using: &random) ?? .null }
    if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
      return depth > 0 ? value(schemas[String(name)] ?? [:], depth, &random) : [:]
    }
    if Int.random(in: 0..<25, using: &random) == 0 { return one(Self.wrong) }
    // The limits beside a reference are left out: what exceeds them is refused.
    if let part = schema["allOf"]?[0] { return value(part, depth, &random) }
    if let alternatives = schema["anyOf"]?.arrayValue { return value(one(alternatives), depth, &random) }
    if let choices = schema["enum"]?.arrayValue { return one(choices) }
    switch (schema["type"]?.arrayValue.map(one) ?? schema["type"])?.stringValue {
    case "boolean": return .bool(Bool.random(using: &random))
    case "integer", "number":
      let least = schema["minimum"]?.integerValue ?? -1
      let most = max(least, min(schema["maximum"]?.integerValue ?? least + 40, least + 40))
      return .integer(Int64.random(in: least...most, using: &random))
    case "string": return one(Self.texts)
    case "array":
      guard depth > 0 else { return [] }
      let count = Int.random(in: 0...2, using: &random)
      return .array((0..<count).map { _ in value(schema["items"] ?? [:], depth - 1, &random) })
    case "object": return .object(depth > 0 ? object(schema, depth, &random) : [:])
    case "null": return .null
    default: return one(Self.wrong)
    }
  }
}
