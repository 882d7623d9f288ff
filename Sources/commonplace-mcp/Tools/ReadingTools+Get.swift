import Contract
import Wire

extension ReadingTools {
  static func get(_ collection: JSONValue, _ names: [String], _ catalog: Catalog) -> Tool {
    let items = catalog.collections.filter { names.contains($0.name) }.map {
      SchemaText.members(of: $0.schema, titled: $0.name, in: catalog)
    }
    return Tool(
      name: "get",
      description:
        "Gets an item by collection and id, by its link, or by its title, optionally with its parts, such as the highlights "
        + "of a document. Long texts are cut at a sentence; `cut` says how to get the rest with `field` and `from`.",
      input: [
        "collection": collection, "id": ["type": "string", "description": "With collection"],
        "link": ["type": "string", "description": "A link such as commonplace:/diary/0193"],
        "title": ["type": "string", "description": "The exact title"],
        "parts": ["type": "boolean", "description": "Also the items that belong to it"],
        "field": ["type": "string", "description": "Only this text of the item, from `from` on"],
        "from": ["type": "integer", "minimum": 0, "description": "Where in the text to begin"],
      ],
      output: [
        "collection": ["type": "string"], "id": ["type": "string"], "link": ["type": "string"],
        "item": ["anyOf": .array(items)], "parts": ["type": "object"],
        "field": ["type": "string"], "text": ["type": "string"], "next": ["type": "integer"],
        "cut": ["type": "array", "items": ["type": "object"]], "untrusted": untrusted,
      ], effects: .reads
    ) { call in
      let end = try await ItemReference(call.arguments, readsMarks: true).resolve(call)
      let reply = try await call.read("changes/item", ["collection": .string(end.collection), "id": .string(end.id)])
      guard reply["exists"]?.boolValue != false, let item = reply["item"].map(pagesFromOne), !item.isNull else {
        throw ToolFailure("\(end.link) is gone: the item was removed.", data: ["kind": "notFound"])
      }
      var structured: JSONObject = [
        "collection": .string(end.collection), "id": .string(end.id), "link": .string(end.link),
      ]
      if let field = try call.arguments.text("field") {
        return try text(of: field, item, structured, call)
      }
      var budget = call.budget
      if try call.arguments.flag("parts") {
        let parts = try await parts(of: end, call)
        structured["parts"] = .object(parts)
        budget = max(budget / 4, budget - TextBudget.tokens(of: .object(parts)))
      }
      let (fitted, cut) = try whole(item, call, tokens: budget)
      structured["item"] = fitted
      if !cut.isEmpty { structured["cut"] = .array(cut) }
      structured["untrusted"] = true
      let rest = cut.isEmpty ? "" : " It is cut; `cut` says where each text goes on."
      return ToolAnswer(
        structured: structured, summary: "\(end.link).\(rest)",
        data: JSONValue.object(structured).description)
    }
  }

  private static func text(
    of field: String, _ item: JSONValue, _ base: JSONObject, _ call: ToolCall
  ) throws -> ToolAnswer {
    let value = field.split(separator: ".").reduce(Optional(item)) { value, name in
      Int(name).flatMap { value?[$0] } ?? value?[String(name)]
    }
    guard let text = value?.stringValue else {
      let names = item.objectValue?.members.filter { $0.value.stringValue != nil }.map(\.key) ?? []
      throw ToolArguments.failure(
        "field", "The item has no text “\(field.prefix(64))”. Its texts are: \(names.joined(separator: ", ")).")
    }
    let from = Int(try call.arguments.integer("from", in: 0...10_000_000) ?? 0)
    let scalars = text.unicodeScalars
    guard let start = scalars.index(scalars.startIndex, offsetBy: from, limitedBy: scalars.endIndex) else {
      throw ToolArguments.failure("from", "The text has \(scalars.count) characters; from is at most that.")
    }
    let piece = TextBudget.cut(text[start...], tokens: call.budget)
    var structured = base
    structured["field"] = .string(field)
    structured["text"] = .string(String(piece.text))
    structured["next"] = piece.rest.map { .integer(Int64(from + $0)) }
    structured["untrusted"] = true
    let rest = piece.rest == nil ? "" : " Pass `next` as `from` for the rest."
    return ToolAnswer(structured: structured, summary: "\(field).\(rest)", data: String(piece.text))
  }

  /// The items of other collections that belong to this one, by the lists that take its id.
  private static func parts(of end: ItemReference.End, _ call: ToolCall) async throws -> JSONObject {
    var parts: JSONObject = [:]
    for name in call.catalog.methods.keys.sorted() {
      guard let method = call.catalog.methods[name], sameBytes(method.area, end.collection), method.takes("id"),
        method.kind == "read", let listed = method.listed, !sameBytes(listed, end.collection),
        call.gate.permissions.admits(listed), call.gate.allows(method)
      else { continue }
      var params: JSONObject = ["id": .string(end.id)]
      if method.takes("limit") { params["limit"] = 50 }
      let reply = try await call.read(name, params)
      let items = (reply["items"]?.arrayValue ?? []).map(compact)
      var budget = TextBudget(tokens: call.budget / 6)
      let fitting = items.prefix { budget.take(TextBudget.tokens(of: $0)) }
      var part: JSONObject = ["items": .array(Array(fitting))]
      part["total"] = reply["total"]
      if fitting.count < reply["total"]?.integerValue.map(Int.init) ?? 0 {
        part["left"] = .string("list \(listed) with the filter id lists all")
      }
      parts[listed] = .object(part)
    }
    return parts
  }
}
