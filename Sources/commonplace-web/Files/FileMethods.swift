import Wire

/// The declarations of methods in `rpc.discover`, as far as `/file` depends on them.
struct FileMethods: Sendable {
  struct Method: Sendable {
    /// Whether it changes nothing, so that an image may cause the call.
    let isSafe: Bool
    let params: Set<String>
    /// The JSON Schema of its result.
    fileprivate let result: JSONValue
  }

  private let methods: [String: Method]
  private let schemas: JSONValue

  init(_ description: JSONValue) {
    var methods: [String: Method] = [:]
    for row in description["methods"]?.arrayValue ?? [] {
      guard let name = row["name"]?.stringValue else { continue }
      let effects = Set(row["x-effects"]?.arrayValue?.compactMap(\.stringValue) ?? [])
      methods[name] = Method(
        isSafe: effects.contains("reads") && effects.isDisjoint(with: ["writes", "destroys"]),
        params: Set(row["params"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []),
        result: row["result"]?["schema"] ?? .null)
    }
    self.methods = methods
    schemas = description["components"]?["schemas"] ?? .null
  }

  subscript(name: String) -> Method? { methods[name] }

  /// Whether a reply of the method may have the member, such as `images`, `0`, `path`.
  func declares(_ member: [String], of method: Method) -> Bool {
    contains(method.result, member[...])
  }

  private func contains(_ schema: JSONValue, _ member: ArraySlice<String>) -> Bool {
    guard let name = member.first else { return true }
    if let reference = schema["$ref"]?.stringValue?.split(separator: "/").last {
      return schemas[String(reference)].map { contains($0, member) } ?? false
    }
    for key in ["allOf", "anyOf", "oneOf"]
    where schema[key]?.arrayValue?.contains(where: { contains($0, member) }) == true {
      return true
    }
    if Int(name) != nil, let elements = schema["items"] { return contains(elements, member.dropFirst()) }
    return schema["properties"]?[name].map { contains($0, member.dropFirst()) } ?? false
  }
}
