import Wire

/// As much of JSON Schema draft 7 as the documents here use; an unknown keyword is an error, so none goes unchecked.
struct SchemaValidator {
  var schemas: JSONObject

  struct UnknownKeyword: Error { var name: String }

  func accepts(_ value: JSONValue, _ schema: JSONValue) throws -> Bool {
    if schema == false { return false }
    for member in schema.objectValue?.members ?? [] where try !accepts(value, member.key, member.value, schema) {
      return false
    }
    return true
  }

  private func accepts(_ value: JSONValue, _ keyword: String, _ rule: JSONValue, _ schema: JSONValue) throws -> Bool {
    switch keyword {
    case "description": return true
    case "$ref": return try accepts(value, resolved(rule))
    case "allOf": return try all(rule) { try accepts(value, $0) }
    case "anyOf": return try rule.arrayValue?.contains { try accepts(value, $0) } ?? false
    case "oneOf": return try rule.arrayValue?.filter { try accepts(value, $0) }.count == 1
    case "not": return try !accepts(value, rule)
    case "type":
      let isWhole = rule == "number" && value.typeName == "integer"
      return isWhole || rule.stringValue == value.typeName
    case "enum": return rule.arrayValue?.contains(value) ?? false
    case "items": return try value.arrayValue?.allSatisfy { try accepts($0, rule) } ?? true
    case "required": return value.objectValue == nil || all(rule) { value[$0.stringValue ?? ""] != nil }
    case "properties":
      return try rule.objectValue?.members.allSatisfy { member in
        try value[member.key].map { try accepts($0, member.value) } ?? true
      }
        ?? false
    case "additionalProperties":
      let known = schema["properties"]?.objectValue?.keys ?? []
      return try value.objectValue?.members.allSatisfy { try known.contains($0.key) || accepts($0.value, rule) } ?? true
    case "pattern":
      guard let text = value.stringValue, let pattern = rule.stringValue else { return true }
      return try Regex(pattern).firstMatch(in: text) != nil
    case "minimum": return try compare(value.doubleValue, rule) { $0 >= $1 }
    case "maximum": return try compare(value.doubleValue, rule) { $0 <= $1 }
    case "minLength": return try compare(value.stringValue.map { Double($0.unicodeScalars.count) }, rule) { $0 >= $1 }
    case "maxLength": return try compare(value.stringValue.map { Double($0.unicodeScalars.count) }, rule) { $0 <= $1 }
    case "minItems": return try compare(value.arrayValue.map { Double($0.count) }, rule) { $0 >= $1 }
    case "maxItems": return try compare(value.arrayValue.map { Double($0.count) }, rule) { $0 <= $1 }
    case "minProperties": return try compare(value.objectValue.map { Double($0.count) }, rule) { $0 >= $1 }
    case "maxProperties": return try compare(value.objectValue.map { Double($0.count) }, rule) { $0 <= $1 }
    default: throw UnknownKeyword(name: keyword)
    }
  }

  private func resolved(_ reference: JSONValue) throws -> JSONValue {
    let prefix = "#/components/schemas/"
    guard let text = reference.stringValue, text.hasPrefix(prefix),
      let schema = schemas[String(text.dropFirst(prefix.count))]
    else { throw UnknownKeyword(name: "$ref \(reference)") }
    return schema
  }

  private func all(_ rule: JSONValue, _ holds: (JSONValue) throws -> Bool) rethrows -> Bool {
    try rule.arrayValue?.allSatisfy(holds) ?? false
  }

  private func compare(_ value: Double?, _ rule: JSONValue, _ holds: (Double, Double) -> Bool) throws -> Bool {
    guard let limit = rule.doubleValue else { throw UnknownKeyword(name: "a limit that is no number") }
    return value.map { holds($0, limit) } ?? true
  }
}
