import Contract
import Wire

/// The account of what was changed, and all other methods.
enum OtherTools {
  static func history(_ gate: Gate) -> Tool {
    Tool(
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
        "items": ["type": "array", "items": ["type": "object"]], "total": ["type": "integer"],
        "client": ["type": "string", "description": "The name of this session"], "next": ReadingTools.next,
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
        "dryRun": ["type": "boolean", "description": "True: change nothing, and answer what would change"],
        "reason": ["type": "string", "maxLength": 400, "description": "Why; the user sees it in the log of changes"],
      ], required: ["method"],
      output: [
        "result": ["type": "object"], "clock": ["type": "integer"], "changed": ["type": "boolean"],
        "dryRun": ["type": "object"], "params": ["type": "object"], "cut": ["type": "array"],
        "untrusted": ReadingTools.untrusted,
      ], effects: methods.reduce(into: Effects.reads) { $0.formUnion(gate.mostEffects(of: $1)) }, isIdempotent: false
    ) { call in
      let name = try call.arguments.requiredText("method")
      if try call.arguments.flag("describe"), let method = call.catalog.methods[name] {
        let schema = SchemaText.params(of: method, without: [], in: call.catalog)
        return ToolAnswer(
          structured: ["params": schema], summary: "\(name): \(method.summary) Params: \(schema.description)", data: nil
        )
      }
      let params = try call.arguments.object("params") ?? [:]
      for option in ["dryRun", "reason"]
      where params[option] != nil && call.catalog.methods[name]?.takes(option) != true {
        throw ToolArguments.failure("params.\(option)", "\(option) is an argument of call, not of the method.")
      }
      let reply = try await call.write(name, params, needsCount: true)
      let (fitted, cut) = try ReadingTools.whole(reply, call)
      var result = fitted.objectValue ?? ["value": fitted]
      var structured: JSONObject = [:]
      for member in ["clock", "changed", "dryRun"] {
        structured[member] = result[member]
        result[member] = nil
      }
      structured["result"] = .object(result)
      structured["untrusted"] = true
      if !cut.isEmpty { structured["cut"] = .array(cut) }
      return ToolAnswer(
        structured: structured, summary: "\(name).\(cut.isEmpty ? "" : " The result is cut; see `cut`.")",
        data: JSONValue.object(result).description)
    }
  }
}
