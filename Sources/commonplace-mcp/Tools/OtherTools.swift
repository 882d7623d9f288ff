import Contract
import Wire

/// The account of what was changed, and all other methods.
enum OtherTools {
  static func history(_ catalog: Catalog, _ gate: Gate) -> Tool {
    let entries = ["changes/log", "changes/history"].compactMap { name in
      catalog.methods[name]?.element.map { (schema: $0, title: Optional(name == "changes/log" ? "commit" : "version")) }
    }
    return Tool(
      name: "history",
      description:
        "The changes of this session, newest first; with `all` those of every client; with collection and id the versions "
        + "of an item.",
      input: [
        "collection": ["type": "string", "description": "With id"],
        "id": ["type": "string", "description": "The item"],
        "all": ["type": "boolean", "description": "Changes of every client"],
        "limit": ["type": "integer", "minimum": 1, "maximum": 100, "description": "Default 20"],
        "next": ReadingTools.next,
      ],
      output: [
        "items": ReadingTools.paged(entries, in: catalog), "total": ["type": "integer"],
        "client": ["type": "string", "description": "The name of this session"], "next": ReadingTools.next,
        "cut": ReadingTools.cut,
        "untrusted": ReadingTools.untrusted,
      ], effects: .reads
    ) { call in
      var params: JSONObject = [:]
      params["after"] = try call.arguments.text("next").map { .string($0) }
      let limit = try call.arguments.integer("limit", in: 1...100) ?? 20
      let client = call.gate.library.clientName
      var method = "changes/log"
      if let id = try call.arguments.text("id") {
        method = "changes/history"
        params["collection"] = .string(try call.collection(call.arguments.requiredText("collection")).name)
        params["id"] = .string(id)
      } else if try !call.arguments.flag("all") {
        params["client"] = .string(client)
      } else if call.gate.permissions.collections != nil {
        throw ToolArguments.failure(
          "all", "This session may not see every collection, so that it sees only its own changes.")
      }
      var answer = try await ReadingTools.page(method, params, limit: limit, of: nil, call)
      answer.structured["client"] = .string(client)
      answer.data = answer.structured["items"]?.arrayValue?.map(line).joined(separator: "\n")
      answer.links = []
      return answer
    }
  }

  private static func line(_ entry: JSONValue) -> String {
    var line = "- \(entry["clock"]?.integerValue.map(String.init) ?? "")"
    for name in ["label", "kind", "client", "reason"] {
      if let text = entry[name]?.stringValue, !text.isEmpty { line += " \(text)" }
    }
    if let name = entry["display"]?["title"]?.stringValue, !name.isEmpty { line += ": \(name)" }
    return line
  }

  /// The schema of a method's params, as deep as it fits.
  private static func describe(
    _ method: Catalog.Method, in catalog: Catalog, _ call: ToolCall
  ) throws -> ToolAnswer {
    let summary = "\(method.name): \(method.summary) The schema of its params is `params`."
    let left = call.gate.limits.values.answerTokens - TextBudget.tokens(of: summary) - 20
    for depth in [3, 2, 1] {
      let schema = SchemaText.params(of: method, without: [], in: catalog, depth: depth)
      guard TextBudget.tokens(of: schema) <= left else { continue }
      return ToolAnswer(structured: ["params": schema], summary: summary, data: nil)
    }
    let names = method.params.filter { !method.secrets.contains($0.name) }.map { param in
      JSONObject.Member(key: param.name, value: .object(param.isRequired ? ["description": "Required"] : [:]))
    }
    return ToolAnswer(
      structured: ["params": ["type": "object", "properties": .object(JSONObject(names))]],
      summary: "\(method.name): its params by name; their schemas are too long for one answer.", data: nil)
  }

  /// How to get what an answer leaves out.
  private static func rest(of name: String, _ call: ToolCall) -> String {
    guard let method = call.catalog.methods[name], method.takes("limit") else {
      return "`cut` says where. Ask for less, or for one item with get."
    }
    let next = ["after", "offset"].first(where: method.takes).map { ", then with \($0)" } ?? ""
    return "`cut` says where. For the rest call it with a smaller limit\(next)."
  }

  static func call(_ catalog: Catalog, _ gate: Gate) -> Tool {
    let methods = catalog.methods.values.filter(gate.allows).sorted { $0.name < $1.name }
    return Tool(
      name: "call",
      description:
        "Calls any other method that the permissions cover. Without params `describe: true` answers what a method takes. "
        + "The methods: " + methods.map(\.name).joined(separator: ", ") + ".",
      input: [
        "method": ["type": "string", "description": "The method"],
        "params": ["type": "object", "description": "Its params"],
        "describe": ["type": "boolean", "description": "True: answer the schema of its params instead"],
        "dryRun": [
          "type": "boolean",
          "description": "True: change nothing, and answer what would change. Refused if the method has no dry run",
        ],
        "reason": ["type": "string", "maxLength": 400, "description": "Why; the user sees it in the log of changes"],
      ], required: ["method"],
      output: [
        "result": ["type": "object"], "clock": ["type": "integer"], "changed": ["type": "boolean"],
        "dryRun": ["type": "object"], "params": ["type": "object"], "ids": WritingTools.ids,
        "failed": WritingTools.failed, "cut": ["type": "array"], "untrusted": ReadingTools.untrusted,
      ], effects: methods.reduce(into: Effects.reads) { $0.formUnion(gate.mostEffects(of: $1)) }, isIdempotent: false
    ) { call in
      let name = try call.arguments.requiredText("method")
      if try call.arguments.flag("describe"), call.catalog.methods[name] != nil {
        let catalog = try await call.gate.library.describedCatalog()
        if let method = catalog.methods[name] { return try describe(method, in: catalog, call) }
      }
      let params = try call.arguments.object("params") ?? [:]
      for option in ["dryRun", "reason"]
      where params[option] != nil && call.catalog.methods[name]?.takes(option) != true {
        throw ToolArguments.failure("params.\(option)", "\(option) is an argument of call, not of the method.")
      }
      let reply = try await call.write(name, params, needsCount: true)
      let structured = WritingTools.structured(reply, call)
      let many = ManyItemsAnswer(reply)
      let rest = structured["cut"] == nil ? "" : " The result is cut; \(rest(of: name, call))"
      let failures = many.map { $0.summary.isEmpty ? "" : " " + $0.summary } ?? ""
      var answer = ToolAnswer(
        structured: structured, summary: "\(name).\(failures)\(rest)",
        data: [many?.lines, structured["result"]?.description].compactMap(\.self).joined(separator: "\n"),
        isError: many?.hasFailed == true)
      // A file that was written is done, too.
      if let method = call.catalog.methods[name], call.gate.effects(of: method) != .reads, !answer.isError {
        answer.done = try WritingTools.done(reply, structured, call)
      }
      return answer
    }
  }
}
