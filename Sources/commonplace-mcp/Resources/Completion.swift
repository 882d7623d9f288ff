import Wire

/// Values for the arguments of prompts and of resource templates.
struct Completion: Sendable {
  let gate: Gate
  let catalog: Catalog

  static let most = 100

  /// - Parameter known: the arguments that are already filled in.
  func values(_ argument: String, beginning text: String, known: JSONObject) async throws -> [String] {
    switch argument {
    case "collection": return matching(catalog.collections.map(\.name).filter(gate.permissions.admits), text)
    case "document":
      return try await items(of: "documents") { holds(ItemText.name($0), text) }.map(ItemText.name)
    case "id":
      let collection = known["collection"]?.stringValue ?? "documents"
      return try await items(of: collection) { item in
        item["id"]?.stringValue?.hasPrefix(text) == true || !text.isEmpty && holds(ItemText.name(item), text)
      }.compactMap { $0["id"]?.stringValue }
    case "page":
      guard let id = known["id"]?.stringValue, gate.permissions.admits("documents") else { return [] }
      let document = try await gate.call(
        .init(method: "documents/get", params: ["id": .string(id)], tool: "completion/complete", isRestrained: true))
      let count = Int(document["pageCount"]?.integerValue ?? 0)
      return matching((0..<min(count, 10_000)).map(String.init), text)
    case "tag": return try await matching(tags(), text)
    case "board": return try await items(of: "boards") { holds(ItemText.name($0), text) }.map(ItemText.name)
    case "week": return matching(["this week", "last week"], text)
    default: return []
    }
  }

  private func matching(_ values: [String], _ text: String) -> [String] {
    values.filter { $0.lowercased().hasPrefix(text.lowercased()) }
  }

  private func holds(_ name: String, _ text: String) -> Bool {
    text.isEmpty || name.lowercased().firstRange(of: text.lowercased()) != nil
  }

  /// Pages of a list that are looked through.
  private static let mostPages = 50

  /// The items of a collection that match: all that its list has within `mostPages`, until there are more than are shown.
  private func items(
    of name: String, where matches: (JSONValue) -> Bool = { _ in true }
  ) async throws -> [JSONValue] {
    guard gate.permissions.admits(name), let collection = catalog.collection(name), let list = collection.list,
      gate.allows(list, in: catalog)
    else { return [] }
    var params: JSONObject = catalog.methods[list]?.takes("limit") == true ? ["limit": 100] : [:]
    var found: [JSONValue] = []
    for _ in 0..<Self.mostPages where found.count <= Self.most {
      let reply = try await gate.call(
        .init(method: list, params: params, tool: "completion/complete", isRestrained: true))
      found += (reply["items"]?.arrayValue ?? []).filter(matches)
      guard let next = reply["next"] else { break }
      params["after"] = next
    }
    return found
  }

  private func tags() async throws -> [String] {
    var tags: Set<String> = []
    for collection in catalog.collections where collection.schema["properties"]?["tags"] != nil {
      for item in try await items(of: collection.name) {
        tags.formUnion(item["tags"]?.arrayValue?.compactMap(\.stringValue) ?? [])
      }
    }
    return tags.sorted()
  }
}
