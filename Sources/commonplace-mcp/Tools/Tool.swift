import Contract
import Wire

/// A tool of the server: how it is described to the model, and what it does.
struct Tool: Sendable {
  var name: String
  var description: String
  var input: JSONObject
  var required: [String] = []
  var output: JSONObject
  /// The effects that a call may have.
  var effects: Effects
  /// Whether the same call a second time changes nothing.
  var isIdempotent = true
  var run: @Sendable (ToolCall) async throws -> ToolAnswer

  /// As `tools/list` lists it.
  var json: JSONValue {
    // Exporting files is writing, too.
    let isRead = effects.isDisjoint(with: [.writes, .files])
    return [
      "name": .string(name), "description": .string(description),
      "inputSchema": [
        "type": "object", "properties": .object(input), "required": .array(required.map { .string($0) }),
        "additionalProperties": false,
      ],
      "outputSchema": ["type": "object", "properties": .object(output)],
      "annotations": [
        "readOnlyHint": .bool(isRead), "destructiveHint": .bool(effects.contains(.destroys)),
        "idempotentHint": .bool(isRead || isIdempotent), "openWorldHint": .bool(effects.contains(.network)),
      ],
    ]
  }
}

/// One call of a tool.
struct ToolCall: Sendable {
  var tool: String
  var arguments: ToolArguments
  var gate: Gate
  var catalog: Catalog
  var onProgress: (@Sendable (JSONValue) -> Void)?

  /// The tokens of the structured content. The text beside it has the others: most clients show the model one of them,
  /// some both.
  var budget: Int { wholeBudget / 2 }

  /// The tokens of the structured content if it does not fit into `budget`.
  var wholeBudget: Int { gate.limits.values.answerTokens - Self.wordTokens }

  /// The tokens that the words of the server may take.
  private static let wordTokens = 120

  func read(_ method: String, _ params: JSONObject, isVerbatim: Bool = false) async throws -> JSONValue {
    try await gate.call(
      Gate.Request(
        method: method, params: params, tool: tool, isRestrained: true, isVerbatim: isVerbatim, onProgress: onProgress))
  }

  /// A change, with the arguments `dryRun` and `reason` of the call.
  func write(_ method: String, _ params: JSONObject, needsCount: Bool = false) async throws -> JSONValue {
    try await gate.call(
      Gate.Request(
        method: method, params: params, tool: tool, why: arguments.text("reason"),
        isDryRun: arguments.flag("dryRun"), needsCount: needsCount, onProgress: onProgress))
  }

  /// The collection that an argument names.
  ///
  /// - Throws: `ToolFailure` for one that does not exist, or that this session may not see.
  func collection(_ name: String) throws(ToolFailure) -> Catalog.Collection {
    let visible = catalog.collections.filter { gate.permissions.admits($0.name) }
    if let found = visible.first(where: { sameBytes($0.name, name) }) { return found }
    throw ToolArguments.failure(
      "collection",
      "There is no collection “\(name.prefix(64))”. The collections are: "
        + visible.map(\.name).joined(separator: ", ") + ".")
  }
}
