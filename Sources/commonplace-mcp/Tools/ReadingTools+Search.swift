import Contract
import Wire

extension ReadingTools {
  static func search(_ catalog: Catalog) -> Tool {
    let hit = catalog.methods["search/query"]?.element ?? [:]
    return Tool(
      name: "search",
      description:
        "Searches everything in the library: pages of documents, highlights, memos, posts, the diary, notes, cards, books. "
        + "Takes words, \"phrases\", AND, OR, NOT, begin*, title:, tag:, from:, in:diary, before: and after: a day, is:overdue. Answers "
        + "the best hits with a snippet, a link and, of a document, the page, counted from 1; `hint` repairs the query.",
      input: [
        "text": ["type": "string", "description": "The query"],
        "collections": ["type": "array", "items": ["type": "string"], "description": "Only these collections"],
        "limit": ["type": "integer", "minimum": 1, "maximum": 50, "description": "Default 10"], "next": next,
      ], required: ["text"],
      output: [
        "items": paged([(hit, nil)], in: catalog), "total": ["type": "integer"],
        "totalIsFloor": ["type": "boolean", "description": "True: there may be more than the total"],
        "hint": ["type": "string", "description": "What to do about the query"], "next": next, "cut": cut,
        "untrusted": untrusted,
      ], effects: .reads
    ) { call in
      var params: JSONObject = ["text": .string(try call.arguments.requiredText("text"))]
      params["after"] = try call.arguments.text("next").map { .string($0) }
      let limit = try call.arguments.integer("limit", in: 1...50) ?? 10
      var wanted = try call.arguments.texts("collections", most: 32)
      for name in wanted ?? [] { _ = try call.collection(name) }
      let isRestricted = wanted == nil && call.gate.permissions.collections != nil
      if isRestricted { wanted = call.catalog.collections.map(\.name).filter(call.gate.permissions.admits) }
      // Of a restricted session's collections only some are searched; the daemon refuses the others one by one.
      for _ in 0..<32 {
        params["collections"] = wanted.map { .array($0.map { .string($0) }) }
        do {
          return try await page("search/query", params, limit: limit, of: nil, call)
        } catch {
          guard isRestricted, let place = refusedPlace(ToolFailure(error)), wanted?.indices.contains(place) == true,
            wanted?.count != 1
          else { throw error }
          wanted?.remove(at: place)
        }
      }
      throw ToolFailure("None of the collections can be searched.")
    }
  }

  /// The place in `collections[2]`.
  private static func refusedPlace(_ failure: ToolFailure) -> Int? {
    guard let field = failure.data["field"]?.stringValue, field.hasPrefix("collections[") else { return nil }
    return Int(field.dropFirst("collections[".count).dropLast())
  }
}
