import Wire

/// What `rpc.discover` declares about the methods, as far as `/file` depends on it.
struct FileMethods: Sendable {
  struct Method: Sendable {
    /// Whether it changes nothing, so that an image may cause the call.
    let isSafe: Bool
    let params: Set<String>
  }

  private let methods: [String: Method]

  init(_ description: JSONValue) {
    var methods: [String: Method] = [:]
    for row in description["methods"]?.arrayValue ?? [] {
      guard let name = row["name"]?.stringValue else { continue }
      let effects = Set(row["x-effects"]?.arrayValue?.compactMap(\.stringValue) ?? [])
      methods[name] = Method(
        isSafe: effects.contains("reads") && effects.isDisjoint(with: ["writes", "destroys"]),
        params: Set(row["params"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []))
    }
    self.methods = methods
  }

  subscript(name: String) -> Method? { methods[name] }
}
