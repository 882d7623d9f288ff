import Wire

/// One row of the protocol without static types, from which the reference, `rpc.discover` and the tests are generated.
package struct MethodDescription: Sendable {
  package var name: String
  package var summary: String
  /// The protocol level that introduced it.
  package var since: Int
  /// How it is scheduled, as a term of the feature layer: read, write, external, control.
  package var kind: String
  package var effects: Effects
  package var canRehearse: Bool
  package var errors: [ErrorKind]
  package var isLanguageServer: Bool
  package var params: Shape
  package var result: Shape
  /// The result of a request with `ids`; nil for a method that takes no several items.
  package var resultOfMany: Shape?
  package var exampleParams: JSONValue
  /// Without the `clock` added by the daemon.
  package var exampleResult: JSONValue
  /// Returns the error of decoding an instance of its params, if any; for tests of the schema.
  package var readsParams: @Sendable (JSONValue) -> RPCError?
  /// Decodes checked params in both ways and encodes them again; nil for params that the check refuses. For the test
  /// that both ways agree.
  package var readsBothWays: @Sendable (JSONValue) throws -> (byItself: [UInt8], byCodable: [UInt8])?
  /// Decodes an instance of the result and encodes it again in both ways; for the test that both agree.
  package var writesResult: @Sendable (JSONValue) throws -> (byItself: [UInt8], byCodable: [UInt8])

  package init<Described: Method>(_ method: Described.Type, kind: String) {
    name = method.name
    summary = method.summary
    since = method.since
    self.kind = kind
    effects = method.effects
    canRehearse = method.canRehearse
    errors = method.errors
    isLanguageServer = method.isLanguageServer
    params = Described.Params.shape.adding(method.paramEffects)
    result = Described.Result.shape
    exampleParams = exampleValue(Described.Params.self)
    exampleResult = exampleValue(Described.Result.self)
    writesResult = {
      let result = try JSONDecoding.decode(Described.Result.self, from: $0)
      return (try result.json(), try JSONEncoding.bytes(of: result))
    }
    readsBothWays = { params in
      let params = try named(params)
      do { try Described.Params.shape.checkParams(params, strict: false) } catch { return nil }
      return (
        try JSONEncoding.bytes(of: Described.Params.read(checked: params)),
        try JSONEncoding.bytes(of: JSONDecoding.decode(Described.Params.self, from: params))
      )
    }
    readsParams = { refusal(of: $0, by: Described.Params.self, strict: !Described.isLanguageServer) }
  }

  /// The part of the name before the slash, by which the reference is grouped.
  package var area: String { methodArea(of: name) }

  /// The params without secrets, for a log or a trace.
  package func masked(_ params: JSONValue) -> JSONValue { Masking.masked(params, by: self.params) }
}

/// One notification of the protocol, without its types.
package struct NotificationDescription: Sendable {
  package var name: String
  package var summary: String
  package var since: Int
  package var direction: Direction
  package var params: Shape
  package var exampleParams: JSONValue

  package init<Described: Notification>(_ notification: Described.Type) {
    name = notification.name
    summary = notification.summary
    since = notification.since
    direction = notification.direction
    params = Described.Params.shape
    exampleParams = exampleValue(Described.Params.self)
  }

  package var area: String { methodArea(of: name) }
}

/// A failure as listed in the reference.
package struct ErrorDescription: Sendable {
  /// The kind, or a name for a code of JSON-RPC or LSP: `invalidParams`.
  package var name: String
  package var code: Int
  /// One sentence: when it happens, and what to do.
  package var meaning: String
  /// Members of the error's `data`, beside those that all have.
  package var data: [String]
  /// Whether the same request may be sent again.
  package var retry: String

  package init(
    name: String, code: Int = RPCError.Code.typed, meaning: String, data: [String] = [],
    retry: ErrorKind.Retry = .no
  ) {
    (self.name, self.code, self.meaning) = (name, code, meaning)
    (self.data, self.retry) = (data, retry.rawValue)
  }
}

extension Shape {
  /// A name that is no param is a programming error, detected by the first test or start.
  fileprivate func adding(_ effects: [String: Effects]) -> Shape {
    guard case .object(var object) = self, !effects.isEmpty else { return self }
    for (name, added) in effects {
      guard let index = object.fields.firstIndex(where: { sameBytes($0.name, name) }) else {
        fatalError("\(object.name) has no param \(name), which has effects")
      }
      object.fields[index].effects = added
    }
    return .object(object)
  }
}

/// The first parts of LSP's names for methods about texts.
private let textAreas: Set = [
  "codeAction", "codeLens", "completionItem", "documentLink", "textDocument", "workspace", "workspaceSymbol",
]

/// The area of a method; `session` for names without one: those of LSP's lifecycle and `rpc.discover`.
package func methodArea(of name: String) -> String {
  guard let slash = name.firstIndex(of: "/"), !name.hasPrefix("$"), !name.hasPrefix("window/") else { return "session" }
  let area = String(name[..<slash])
  return textAreas.contains(area) ? "text" : area
}

/// An example that cannot be encoded is a programming error, detected by the first test or start.
private func exampleValue<Example: Payload>(_ type: Example.Type) -> JSONValue {
  do {
    return try JSONEncoding.value(of: type.example)
  } catch {
    fatalError("the example of \(typeName(type)) cannot be written: \(error)")
  }
}

private func refusal<Params: Payload>(of value: JSONValue, by type: Params.Type, strict: Bool) -> RPCError? {
  do throws(RPCError) {
    _ = try Params.decode(from: value, strict: strict)
    return nil
  } catch {
    return error
  }
}
