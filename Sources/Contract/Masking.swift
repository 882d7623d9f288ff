import Wire

/// Removes secrets from params before they reach a log, a trace or an error.
package enum Masking {
  package static let mask: JSONValue = "•••"

  /// Masks the values of secret fields. Unknown members are masked as well: a misspelled `pasword` contains a password.
  package static func masked(_ value: JSONValue, by shape: Shape) -> JSONValue {
    masked(value, by: shape, within: [])
  }

  private static func masked(_ value: JSONValue, by shape: Shape, within outer: [ObjectShape]) -> JSONValue {
    switch (shape, value) {
    case (.object(let object), .object(let members)):
      .object(masked(members, by: object, within: outer))
    case (.recursion(let name), .object(let members)):
      outer.last { $0.name == name }.map { .object(masked(members, by: $0, within: outer)) } ?? mask
    case (.array(let element), .array(let elements)):
      .array(elements.map { masked($0, by: element, within: outer) })
    case (.dictionary(let element), .object(let members)):
      .object(
        JSONObject(members.members.map { .init(key: $0.key, value: masked($0.value, by: element, within: outer)) }))
    // A value of an unexpected type may contain anything: params passed by position, a secret in the wrong place.
    case (_, .object) where shape != .any, (_, .array) where shape != .any: mask
    default: value
    }
  }

  private static func masked(_ members: JSONObject, by shape: ObjectShape, within outer: [ObjectShape]) -> JSONObject {
    JSONObject(
      members.members.map { member in
        guard let field = shape[field: member.key], !field.isSecret else {
          let isSafe = outer.isEmpty && RequestOptions.names.contains(member.key)
          return JSONObject.Member(key: member.key, value: isSafe || member.value.isNull ? member.value : mask)
        }
        return JSONObject.Member(key: member.key, value: masked(member.value, by: field.shape, within: outer + [shape]))
      })
  }
}
