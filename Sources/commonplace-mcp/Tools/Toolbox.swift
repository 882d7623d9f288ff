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
      // A change whose answer could not be read is not made.
      try gate.limits.requireReads()
      let call = ToolCall(
        tool: tool.name, arguments: try ToolArguments(arguments, of: tool.name, names: tool.input.keys), gate: gate,
        catalog: catalog, onProgress: onProgress)
      if let missing = tool.required.first(where: { call.arguments.members[$0] == nil }) {
        throw ToolArguments.failure(missing, "\(missing) is required. Add it and call \(tool.name) again.")
      }
      return try result(of: try await tool.run(call))
    } catch {
      try Task.checkCancellation()
      let failure = ToolFailure(error)
      var result: JSONObject = ["content": .array(failure.content), "isError": true]
      if !failure.data.isEmpty {
        var data = failure.data
        if failure.quoted != nil { data["untrusted"] = true }
        result["_meta"] = ["commonplace/error": .object(data)]
      }
      // What the server says by itself is no reading.
      if failure.quoted != nil { gate.limits.note(bytes: JSONWriter.bytes(of: .object(result)).count) }
      return result
    }
  }

  /// An answer as a result. Of a change that was made, an answer that is too long for the session is replaced by what
  /// says that it was made.
  private func result(of answer: ToolAnswer) throws(ToolFailure) -> JSONObject {
    let result = JSONObject(answer, tokens: gate.limits.values.answerTokens)
    do throws(ToolFailure) {
      try gate.limits.read(bytes: JSONWriter.bytes(of: .object(result)).count)
      return result
    } catch {
      guard var done = answer.done else { throw error }
      done["untrusted"] = true
      let short = ToolAnswer(
        structured: done,
        summary: "\(answer.summary) The rest of the answer is left out: this session has read its share.",
        isError: answer.isError)
      let result = JSONObject(short, tokens: gate.limits.values.answerTokens)
      gate.limits.note(bytes: JSONWriter.bytes(of: .object(result)).count)
      return result
    }
  }
}

extension JSONObject {
  /// The result of `tools/call`.
  fileprivate init(_ answer: ToolAnswer, tokens: Int) {
    self = [
      "content": .array(answer.content(tokens: tokens)), "structuredContent": .object(answer.structured),
      "isError": .bool(answer.isError),
    ]
  }
}
