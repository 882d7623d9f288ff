import Wire

/// All tools of a session, in a fixed order.
struct Toolbox: Sendable {
  let tools: [Tool]
  /// The tools as `tools/list` lists them, if the catalog has schemas.
  var list: JSONValue { .array(tools.map(\.json)) }
  private let gate: Gate
  private let catalog: Catalog

  init(_ catalog: Catalog, _ gate: Gate) {
    self.catalog = catalog
    self.gate = gate
    var tools = ReadingTools.all(catalog, gate) + WritingTools.all(catalog, gate)
    if gate.allows("changes/log", in: catalog) { tools.append(OtherTools.history(catalog, gate)) }
    tools.append(OtherTools.call(catalog, gate))
    self.tools = tools
  }

  func tool(_ name: String) -> Tool? { tools.first { sameBytes($0.name, name) } }

  /// Runs a tool. Errors that the model can repair are results with `isError`.
  ///
  /// - Throws: `CancellationError`.
  func call(
    _ tool: Tool, _ arguments: JSONValue?, onProgress: (@Sendable (JSONValue) -> Void)?
  ) async throws -> JSONObject {
    do {
      let call = ToolCall(
        tool: tool.name, arguments: try ToolArguments(arguments, of: tool.name, names: tool.input.keys), gate: gate,
        catalog: catalog, onProgress: onProgress)
      if let missing = tool.required.first(where: { call.arguments.members[$0] == nil }) {
        throw ToolArguments.failure(missing, "\(missing) is required. Add it and call \(tool.name) again.")
      }
      let answer = try await tool.run(call)
      let content = JSONValue.array(answer.content(tokens: gate.limits.values.answerTokens))
      let structured = JSONValue.object(answer.structured)
      try gate.limits.read(bytes: JSONWriter.bytes(of: structured).count + JSONWriter.bytes(of: content).count)
      return ["content": content, "structuredContent": structured, "isError": .bool(answer.isError)]
    } catch {
      try Task.checkCancellation()
      let failure = ToolFailure(error)
      var result: JSONObject = ["content": .array(failure.content), "isError": true]
      if !failure.data.isEmpty {
        var data = failure.data
        if failure.quoted != nil { data["untrusted"] = true }
        result["_meta"] = ["commonplace/error": .object(data)]
      }
      return result
    }
  }
}
