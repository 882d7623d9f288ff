import Client
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
      return try await page(of: "documents", with: text).map(ItemText.name).filter { holds($0, text) }
    case "id": return try await ids(of: known["collection"]?.stringValue ?? "documents", text)
    case "page":
      guard let id = known["id"]?.stringValue, gate.permissions.admits("documents") else { return [] }
      let document = try await gate.call(
        .init(method: "documents/get", params: ["id": .string(id)], tool: "completion/complete", isRestrained: true))
      let count = Int(document["pageCount"]?.integerValue ?? 0)
      return matching((0..<min(count, 10_000)).map(String.init), text)
    case "tag": return try await matching(tags(), text)
    case "board": return try await page(of: "boards", with: text).map(ItemText.name).filter { holds($0, text) }
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

  /// The ids that begin with the text, or whose items have it in their titles: of the first page of the list, of those
  /// that the list finds, and the item of just this id.
  private func ids(of name: String, _ text: String) async throws -> [String] {
    var found = try await page(of: name, with: text).filter { item in
      text.isEmpty || holds(ItemText.name(item), text) || item["id"]?.stringValue?.hasPrefix(text) == true
    }.compactMap { $0["id"]?.stringValue }
    guard !text.isEmpty, gate.permissions.admits(name), catalog.collection(name) != nil else { return found }
    found += try await page(of: name).compactMap { $0["id"]?.stringValue }.filter { $0.hasPrefix(text) }
    do {
      let exact = try await gate.call(
        .init(
          method: "changes/item", params: ["collection": .string(name), "id": .string(text)],
          tool: "completion/complete", isRestrained: true))
      if exact["exists"] != false { found.append(text) }
    } catch is RemoteError {
      // A beginning is no id.
    }
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// A page of a collection's list; of the items that the list finds by the text, if it can.
  private func page(of name: String, with text: String = "") async throws -> [JSONValue] {
    guard gate.permissions.admits(name), let list = catalog.collection(name)?.list, let method = catalog.methods[list],
      gate.allows(method)
    else { return [] }
    var params: JSONObject = [:]
    if method.takes("query") {
      params["query"] = .string(text)
      if method.takes("match") { params["match"] = "substring" }
      if method.takes("limit") { params["limit"] = .integer(Int64(Self.most + 1)) }
    }
    let reply = try await gate.call(
      .init(method: list, params: params, tool: "completion/complete", isRestrained: true))
    return reply["items"]?.arrayValue ?? []
  }

  private func tags() async throws -> [String] {
    guard gate.allows("tags/list", in: catalog) else { return [] }
    var params: JSONObject = ["limit": 1_000]
    if gate.permissions.collections != nil {
      let tagged = try await gate.library.describedCatalog().collections.filter { collection in
        gate.permissions.admits(collection.name) && collection.schema["properties"]?["tags"] != nil
      }
      guard !tagged.isEmpty else { return [] }
      params["collections"] = .array(tagged.map { .string($0.name) })
    }
    let reply = try await gate.call(
      .init(method: "tags/list", params: params, tool: "completion/complete", isRestrained: true))
    return reply["items"]?.arrayValue?.compactMap { $0["tag"]?.stringValue } ?? []
  }
}
