import Contract
import Wire

/// The daemon's schemas as tools show them: references replaced by what they name, notes by their first sentence.
enum SchemaText {
  /// The schema that a reference names; any other schema as it is.
  static func target(_ schema: JSONValue, in schemas: [String: JSONValue]) -> JSONValue {
    let inner = schema["allOf"]?.arrayValue?.count == 1 ? schema["allOf"]?[0] ?? schema : schema
    guard let reference = inner["$ref"]?.stringValue, let name = reference.split(separator: "/").last else {
      return inner
    }
    return schemas[String(name)] ?? [:]
  }

  /// The properties of a method's params, without `excluded` and secrets.
  static func params(
    of method: Catalog.Method, without excluded: Set<String>, in catalog: Catalog, depth: Int = 3
  ) -> JSONValue {
    var properties: JSONObject = [:]
    var required: [JSONValue] = []
    for param in method.params where !excluded.contains(param.name) && !method.secrets.contains(param.name) {
      var schema = plain(param.schema, in: catalog.schemas, depth: depth).objectValue ?? [:]
      if !param.note.isEmpty { schema["description"] = .string(firstSentence(param.note)) }
      properties[param.name] = .object(schema)
      if param.isRequired { required.append(.string(param.name)) }
    }
    var object: JSONObject = ["type": "object", "description": .string(firstSentence(method.summary))]
    object["properties"] = .object(properties)
    if !required.isEmpty { object["required"] = .array(required) }
    object["additionalProperties"] = false
    return .object(object)
  }

  /// The members of an item, or of another object of a reply, none of them required: an answer leaves out paths, and what
  /// its budget cuts.
  static func members(
    of schema: JSONValue, titled title: String? = nil, without excluded: Set<String> = [], in catalog: Catalog
  ) -> JSONValue {
    var properties: JSONObject = [:]
    for member in schema["properties"]?.objectValue?.members ?? [] where !excluded.contains(member.key) {
      var schema: JSONObject = [:]
      schema["type"] = target(member.value, in: catalog.schemas)["type"]
      if member.key == "page" { schema["description"] = "Counted from 1; in links from 0" }
      properties[member.key] = .object(schema)
    }
    var object: JSONObject = ["type": "object"]
    object["title"] = title.map { .string($0) }
    object["properties"] = .object(properties)
    return .object(object)
  }

  private static let carried = [
    "type", "enum", "const", "minimum", "maximum", "minLength", "maxLength", "minItems", "maxItems", "required",
  ]

  private static func plain(_ schema: JSONValue, in schemas: [String: JSONValue], depth: Int) -> JSONValue {
    let schema = target(schema, in: schemas)
    guard depth > 0 else { return [:] }
    var result: JSONObject = [:]
    for name in carried { result[name] = schema[name] }
    if let items = schema["items"] { result["items"] = plain(items, in: schemas, depth: depth - 1) }
    if let alternatives = schema["anyOf"]?.arrayValue {
      result["anyOf"] = .array(alternatives.map { plain($0, in: schemas, depth: depth) })
    }
    // Two parts: a reference, and the limits beside it.
    for part in schema["allOf"]?.arrayValue ?? [] {
      for member in plain(part, in: schemas, depth: depth).objectValue?.members ?? [] {
        result[member.key] = member.value
      }
    }
    if let properties = schema["properties"]?.objectValue {
      result["properties"] = .object(
        JSONObject(
          properties.members.map { member in
            var inner = plain(member.value, in: schemas, depth: depth - 1).objectValue ?? [:]
            if let note = member.value["description"]?.stringValue {
              inner["description"] = .string(firstSentence(note))
            }
            return JSONObject.Member(key: member.key, value: .object(inner))
          }))
    }
    return .object(result)
  }

  private static let longestNote = 160

  static func firstSentence(_ text: String) -> String {
    let end = text.firstRange(of: ". ")?.lowerBound ?? text.endIndex
    let sentence = text[..<end]
    guard sentence.count > longestNote else { return String(sentence) }
    return sentence.prefix(longestNote - 1) + "…"
  }
}
