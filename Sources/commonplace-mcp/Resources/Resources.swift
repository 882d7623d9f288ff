import Wire

/// Items as resources.
struct Resources: Sendable {
  let gate: Gate
  let catalog: Catalog

  /// There is no such resource.
  struct NotFound: Error {}
  struct InvalidCursor: Error {}

  private static let pageSize: Int64 = 50

  private var listed: [Catalog.Collection] {
    catalog.collections.filter { collection in
      guard let method = collection.list.flatMap({ catalog.methods[$0] }) else { return false }
      return gate.permissions.admits(collection.name) && gate.allows(method)
        && !method.params.contains(where: \.isRequired)
    }
  }

  var templates: [JSONValue] {
    var templates: [JSONValue] = [
      [
        "uriTemplate": "commonplace:/{collection}/{id}", "name": "item", "mimeType": "application/json",
        "description": "An item of the library",
      ]
    ]
    if gate.permissions.admits("documents"), gate.allows("documents/text", in: catalog) {
      templates += [
        [
          "uriTemplate": "commonplace:/documents/{id}#page={page}", "name": "page", "mimeType": "text/plain",
          "description": "The text of a page of a document; pages are counted from 0",
        ],
        [
          "uriTemplate": "commonplace:/documents/{id}/picture?page={page}", "name": "picture", "mimeType": "image/png",
          "description": "A page of a document as a picture; pages are counted from 0",
        ],
      ]
    }
    return templates
  }

  // MARK: Listing

  /// A page of all items, one collection after the other. A cursor is the collection and the list's own `next`.
  ///
  /// - Throws: `InvalidCursor`, and the errors of `Gate.call`.
  func page(after cursor: String?) async throws -> (items: [JSONValue], next: String?) {
    let collections = listed
    var place = 0
    var after: String?
    if let cursor {
      let parts = cursor.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, let found = collections.firstIndex(where: { $0.name == parts[0] }) else {
        throw InvalidCursor()
      }
      place = found
      after = parts[1].isEmpty ? nil : parts[1]
    }
    while place < collections.count {
      let collection = collections[place]
      var params: JSONObject = [:]
      if catalog.methods[collection.list ?? ""]?.takes("limit") == true { params["limit"] = .integer(Self.pageSize) }
      params["after"] = after.map { .string($0) }
      let reply: JSONValue
      do {
        reply = try await gate.call(
          .init(method: collection.list ?? "", params: params, tool: "resources/list", isRestrained: true))
      } catch {
        guard after != nil, ToolFailure(error).data["field"] != nil else { throw error }
        throw InvalidCursor()
      }
      let items = (reply["items"]?.arrayValue ?? []).compactMap { resource($0, of: collection.name) }
      let following = place + 1 < collections.count ? "\(collections[place + 1].name):" : nil
      let next = reply["next"]?.stringValue.map { "\(collection.name):\($0)" } ?? following
      if !items.isEmpty || next == nil { return (items, next) }
      (place, after) = reply["next"] == nil ? (place + 1, nil) : (place, reply["next"]?.stringValue)
    }
    return ([], nil)
  }

  private func resource(_ item: JSONValue, of collection: String) -> JSONValue? {
    guard let uri = ItemText.link(item, collection: collection), ResourceLink(uri) != nil else { return nil }
    var resource: JSONObject = ["uri": .string(uri), "name": .string(ItemText.name(item))]
    resource["mimeType"] = "application/json"
    // The name may be anybody's.
    resource["_meta"] = ["commonplace/untrusted": true]
    if let updated = item["updatedAt"]?.stringValue { resource["annotations"] = ["lastModified": .string(updated)] }
    return .object(resource)
  }

  // MARK: Reading

  /// The contents of a resource, its texts cut to the budget of an answer.
  ///
  /// - Throws: `NotFound`, and the errors of `Gate.call`.
  func contents(of uri: String) async throws -> JSONValue {
    guard let link = ResourceLink(uri), gate.permissions.admits(link.collection) else { throw NotFound() }
    do {
      return try await contents(of: link, uri)
    } catch let error as NotFound {
      throw error
    } catch let failure as ToolFailure where failure.data["kind"] == "notFound" {
      throw NotFound()
    } catch {
      let failure = ToolFailure(error)
      let isUnknown =
        failure.data["kind"] == "notFound" || ["page", "collection", "id"].contains(failure.data["field"])
      if isUnknown { throw NotFound() }
      throw failure
    }
  }

  private func contents(of link: ResourceLink, _ uri: String) async throws -> JSONValue {
    let tokens = gate.limits.values.answerTokens
    func call(_ method: String, _ params: JSONObject) async throws -> JSONValue {
      try await gate.call(.init(method: method, params: params, tool: "resources/read", isRestrained: true))
    }
    var meta: JSONObject = ["commonplace/untrusted": true]
    if let page = link.page {
      guard sameBytes(link.collection, "documents") else { throw NotFound() }
      let place: JSONObject = ["id": .string(link.id), "page": .integer(Int64(page))]
      guard link.form == .text else {
        var params = place
        params["width"] = 1_000
        let picture = try await call("documents/render", params)
        return [
          "uri": .string(uri), "mimeType": "image/png", "blob": picture["data"] ?? "", "_meta": .object(meta),
        ]
      }
      let text = try await call("documents/text", place)["text"]?.stringValue ?? ""
      let piece = TextBudget.cut(text[...], tokens: tokens)
      if piece.rest != nil { meta["commonplace/cut"] = "read continues" }
      return [
        "uri": .string(uri), "mimeType": "text/plain", "text": .string(String(piece.text)), "_meta": .object(meta),
      ]
    }
    let reply = try await call("changes/item", ["collection": .string(link.collection), "id": .string(link.id)])
    guard reply["exists"]?.boolValue != false, let item = reply["item"], !item.isNull else { throw NotFound() }
    let (fitted, cut) = ItemText.fitted(item, tokens: tokens)
    if !cut.isEmpty { meta["commonplace/cut"] = .array(cut) }
    return [
      "uri": .string(uri), "mimeType": "application/json", "text": .string(fitted.description), "_meta": .object(meta),
    ]
  }
}
