import Contract
import Wire

/// The tools that change the library. They are only offered with the permission.
enum WritingTools {
  private static let rehearsal = "True: change nothing, and answer what would change"
  private static let dryRun: JSONValue = ["type": "boolean", "description": .string(rehearsal)]
  private static let why: JSONValue = [
    "type": "string", "maxLength": 400, "description": "Why; the user sees it in the log of changes",
  ]
  private static let output: JSONObject = [
    "result": ["type": "object"], "clock": ["type": "integer", "description": "The commit; undo takes it back"],
    "changed": ["type": "boolean"],
    "dryRun": ["type": "object", "description": "Of a dry run: the changes that it would make"],
    "ids": ids, "failed": failed, "untrusted": ReadingTools.untrusted, "cut": ["type": "array"],
  ]
  static let ids: JSONValue = [
    "type": "array", "items": ["type": "string"], "description": "The items, if `result` is left out",
  ]
  static let failed: JSONValue = [
    "type": "array", "items": ["type": "string"], "description": "The items that failed, if `result` is left out",
  ]

  static func all(_ catalog: Catalog, _ gate: Gate) -> [Tool] {
    let visible = catalog.collections.filter { gate.permissions.admits($0.name) }
    func those(_ method: KeyPath<Catalog.Collection, String?>) -> [Catalog.Collection] {
      visible.filter { gate.allows($0[keyPath: method], in: catalog) }
    }
    var tools: [Tool] = []
    let (added, updated, moved, removed) = (those(\.add), those(\.update), those(\.move), those(\.remove))
    if !added.isEmpty { tools.append(add(added, catalog, gate)) }
    if !updated.isEmpty { tools.append(update(updated, catalog)) }
    if !moved.isEmpty { tools.append(move(moved, catalog)) }
    if !removed.isEmpty { tools.append(remove(removed, catalog)) }
    let texts = updated.filter { textField(of: $0, catalog) != nil }
    if !texts.isEmpty { tools.append(link(texts)) }
    if gate.allows("changes/undo", in: catalog) { tools.append(undo) }
    return tools
  }

  /// The argument `dryRun`, with the collections whose method has none.
  private static func dryRun(
    _ collections: [Catalog.Collection], _ method: KeyPath<Catalog.Collection, String?>, _ catalog: Catalog
  ) -> JSONValue {
    let without = collections.filter { catalog.methods[$0[keyPath: method] ?? ""]?.hasDryRun == false }.map(\.name)
    guard !without.isEmpty else { return dryRun }
    return ["type": "boolean", "description": .string("\(rehearsal). Not for \(without.joined(separator: ", "))")]
  }

  private static func choice(_ collections: [Catalog.Collection]) -> JSONValue {
    [
      "type": "string", "enum": .array(collections.map { .string($0.name) }), "description": "The collection",
    ]
  }

  private static func alternatives(
    _ collections: [Catalog.Collection], _ method: KeyPath<Catalog.Collection, String?>, without: Set<String>,
    _ catalog: Catalog
  ) -> JSONValue {
    .array(
      collections.compactMap { collection in
        guard let method = catalog.methods[collection[keyPath: method] ?? ""] else { return nil }
        var schema = SchemaText.params(of: method, without: without, in: catalog).objectValue ?? [:]
        schema["title"] = .string(collection.name)
        return .object(schema)
      })
  }

  private static func effects(
    _ collections: [Catalog.Collection], _ method: KeyPath<Catalog.Collection, String?>, _ catalog: Catalog
  ) -> Effects {
    collections.compactMap { catalog.methods[$0[keyPath: method] ?? ""]?.effects }.reduce(into: []) { $0.formUnion($1) }
  }

  /// The parts of the reply to a call that may have changed something: its result, its commit, and its dry run. What does
  /// not fit is left out, never an error: the change was made.
  static func structured(_ reply: JSONValue, _ call: ToolCall) -> JSONObject {
    var result = reply.objectValue ?? ["value": reply]
    var structured: JSONObject = [:]
    if result["clock"]?.integerValue != nil {
      structured["clock"] = result["clock"]
      result["clock"] = nil
    }
    // The results of some methods have a number of this name.
    if result["changed"]?.boolValue != nil {
      structured["changed"] = result["changed"]
      result["changed"] = nil
    }
    var cut: [JSONValue] = []
    var budget = call.budget
    if let dryRun = result["dryRun"], dryRun.objectValue != nil {
      result["dryRun"] = nil
      let shortened = ItemText.shortened(dryRun, tokens: budget / 2)
      structured["dryRun"] = shortened.value
      budget -= min(budget / 2, TextBudget.tokens(of: shortened.value))
      for entry in shortened.cut {
        guard var place = entry.objectValue, let field = place["field"]?.stringValue else { continue }
        place["field"] = .string("dryRun.\(field)")
        cut.append(.object(place))
      }
    }
    do throws(ToolFailure) {
      let (fitted, places) = try ReadingTools.whole(.object(result), call, tokens: budget)
      structured["result"] = fitted
      cut += places
    } catch {
      structured["result"] = [:]
      cut.append(["field": "result", "shown": 0])
      for member in items(of: reply).members { structured[member.key] = member.value }
    }
    structured["untrusted"] = true
    if !cut.isEmpty { structured["cut"] = .array(cut) }
    return structured
  }

  private static let mostIDs = 100

  /// The ids of the items of a reply, and of those that failed.
  private static func items(of reply: JSONValue) -> JSONObject {
    func ids(_ items: [JSONValue]?) -> JSONValue? {
      let ids = (items ?? []).compactMap { $0["id"]?.stringValue }.prefix(mostIDs).map { JSONValue.string($0) }
      return ids.isEmpty ? nil : .array(ids)
    }
    var object: JSONObject = [:]
    object["ids"] = ids([reply]) ?? ids(reply["items"]?.arrayValue)
    object["failed"] = ids(reply["failed"]?.arrayValue)
    return object
  }

  /// The commit and the ids of what a call has done; nil if it has done nothing, or is a rehearsal.
  static func done(_ reply: JSONValue, _ structured: JSONObject, _ call: ToolCall) throws(ToolFailure) -> JSONObject? {
    let (isRehearsal, params) = (try call.arguments.flag("dryRun"), try call.arguments.object("params"))
    guard !isRehearsal, params?["dryRun"] != true, structured["changed"] != false else { return nil }
    var done = items(of: reply)
    done["clock"] = structured["clock"]
    done["result"] = [:]
    done["cut"] = [["field": "result", "shown": 0]]
    return done
  }

  /// The answer of a change: the reply, and one line about it.
  private static func answer(_ reply: JSONValue, _ done: String, _ call: ToolCall) throws -> ToolAnswer {
    let structured = structured(reply, call)
    let many = ManyItemsAnswer(reply)
    let name = ItemText.name(reply)
    let data = many?.lines ?? (name.isEmpty ? nil : name)
    let more = many.map { $0.summary.isEmpty ? "" : " " + $0.summary } ?? ""
    if many?.hasFailed == true {
      return ToolAnswer(structured: structured, summary: "Nothing was changed.\(more)", data: data, isError: true)
    }
    if let dryRun = reply["dryRun"], dryRun.objectValue != nil {
      let count = dryRun["changes"]?.arrayValue?.count
      let items = count.map { $0 == 1 ? "1 item" : "\($0) items" } ?? "more than 1,000 items"
      return ToolAnswer(
        structured: structured, summary: "Nothing was changed. It would change \(items).\(more)", data: data)
    }
    if try call.arguments.flag("dryRun") {
      // A method with a dry run of its own, whose result says what it would do.
      return ToolAnswer(
        structured: structured, summary: "Nothing was changed.\(more)", data: structured["result"]?.description)
    }
    if structured["changed"]?.boolValue == false {
      return ToolAnswer(
        structured: structured, summary: "Nothing changed: it was so already.\(more)", data: many?.lines)
    }
    let commit = structured["clock"]?.integerValue.map { " Commit \($0); undo takes it back." } ?? ""
    return ToolAnswer(
      structured: structured, summary: "\(done).\(commit)\(more)", data: data,
      done: try Self.done(reply, structured, call))
  }

  // MARK: add, update, move

  private static func add(_ collections: [Catalog.Collection], _ catalog: Catalog, _ gate: Gate) -> Tool {
    Tool(
      name: "add",
      description: "Adds an item to a collection. The members of `item` are those of its collection.",
      input: [
        "collection": choice(collections),
        "item": [
          "anyOf": alternatives(collections, \.add, without: ["password", "reason", "dryRun"], catalog),
          "description": "The item",
        ],
        "dryRun": dryRun(collections, \.add, catalog), "reason": why,
      ], required: ["collection", "item"], output: output, effects: effects(collections, \.add, catalog),
      isIdempotent: false
    ) { call in
      let collection = try call.collection(call.arguments.requiredText("collection"))
      guard let method = collection.add else {
        throw ToolArguments.failure("collection", "Nothing can be added to \(collection.name).")
      }
      let item = try call.arguments.object("item") ?? [:]
      return try answer(try await call.write(method, item), "Added", call)
    }
  }

  private static func update(_ collections: [Catalog.Collection], _ catalog: Catalog) -> Tool {
    Tool(
      name: "update",
      description:
        "Changes fields of an item. Fields that are not given stay as they are. With `ifRevision` in `changes` nothing is "
        + "written if the item has changed since you read it.",
      input: [
        "collection": choice(collections), "id": ["type": "string", "description": "The item"],
        "changes": [
          "anyOf": alternatives(collections, \.update, without: ["id", "ids", "password"], catalog),
          "description": "The new values",
        ],
        "dryRun": dryRun(collections, \.update, catalog), "reason": why,
      ], required: ["collection", "id", "changes"], output: output, effects: effects(collections, \.update, catalog)
    ) { call in
      let collection = try call.collection(call.arguments.requiredText("collection"))
      guard let method = collection.update else {
        throw ToolArguments.failure("collection", "Items of \(collection.name) cannot be changed.")
      }
      var changes = try call.arguments.object("changes") ?? [:]
      if changes["ids"] != nil || changes["id"] != nil {
        throw ToolArguments.failure("changes", "The item is named by the argument id, not in changes.")
      }
      changes["id"] = .string(try call.arguments.requiredText("id"))
      return try answer(try await call.write(method, changes), "Changed", call)
    }
  }

  private static func move(_ collections: [Catalog.Collection], _ catalog: Catalog) -> Tool {
    Tool(
      name: "move",
      description: "Moves items to another place, such as cards to a column, in the order of `ids`.",
      input: [
        "collection": choice(collections),
        "ids": ["type": "array", "items": ["type": "string"], "minItems": 1, "description": "The items"],
        "place": [
          "anyOf": alternatives(collections, \.move, without: ["id", "ids", "ifRevision"], catalog),
          "description": "Where to",
        ],
        "dryRun": dryRun(collections, \.move, catalog), "reason": why,
      ], required: ["collection", "ids", "place"], output: output, effects: effects(collections, \.move, catalog)
    ) { call in
      let collection = try call.collection(call.arguments.requiredText("collection"))
      guard let method = collection.move else {
        throw ToolArguments.failure("collection", "Items of \(collection.name) have no place to which they can move.")
      }
      guard let ids = try call.arguments.texts("ids", most: 1_000) else {
        throw ToolArguments.failure("ids", "ids is required: the items to move.")
      }
      var params = try call.arguments.object("place") ?? [:]
      params["ids"] = .array(ids.map { .string($0) })
      return try answer(try await call.write(method, params), "Moved", call)
    }
  }

  // MARK: remove, link, undo

  private static func remove(_ collections: [Catalog.Collection], _ catalog: Catalog) -> Tool {
    Tool(
      name: "remove",
      description: "Removes items. Undo brings them back, with their parts and files.",
      input: [
        "collection": choice(collections),
        "ids": ["type": "array", "items": ["type": "string"], "minItems": 1, "description": "The items"],
        "dryRun": dryRun(collections, \.remove, catalog), "reason": why,
      ], required: ["collection", "ids"], output: output, effects: effects(collections, \.remove, catalog)
    ) { call in
      let collection = try call.collection(call.arguments.requiredText("collection"))
      guard let name = collection.remove, let method = call.catalog.methods[name] else {
        throw ToolArguments.failure("collection", "Items of \(collection.name) cannot be removed.")
      }
      guard let ids = try call.arguments.texts("ids", most: 1_000) else {
        throw ToolArguments.failure("ids", "ids is required: the items to remove.")
      }
      guard method.takes("ids") || ids.count == 1 else {
        throw ToolArguments.failure("ids", "\(collection.name) are removed one by one: pass one id.")
      }
      let params: JSONObject = method.takes("ids") ? ["ids": .array(ids.map { .string($0) })] : ["id": .string(ids[0])]
      return try answer(try await call.write(name, params, needsCount: true), "Removed", call)
    }
  }

  /// The field of a collection's items in which the user writes text.
  private static func textField(of collection: Catalog.Collection, _ catalog: Catalog) -> String? {
    guard let method = catalog.methods[collection.update ?? ""] else { return nil }
    return ["text", "body", "note"].first(where: method.takes)
  }

  private static func link(_ collections: [Catalog.Collection]) -> Tool {
    Tool(
      name: "link",
      description:
        "Links an item to another: adds the link to the end of its text. links/to of the other then lists it.",
      input: [
        "collection": choice(collections),
        "id": ["type": "string", "description": "The item whose text gets the link"],
        "to": ["type": "string", "description": "The link of the other item, such as commonplace:/books/0192"],
        "dryRun": dryRun, "reason": why,
      ], required: ["collection", "id", "to"], output: output, effects: [.reads, .writes], isIdempotent: true
    ) { call in
      let collection = try call.collection(call.arguments.requiredText("collection"))
      guard let method = collection.update, let field = textField(of: collection, call.catalog) else {
        throw ToolArguments.failure("collection", "Items of \(collection.name) have no text for a link.")
      }
      let id = try call.arguments.requiredText("id")
      let to = try call.arguments.requiredText("to")
      // Fails if it leads nowhere.
      _ = try await ItemReference(ToolArguments(["link": .string(to)], of: "link", names: ["link"])).resolve(call)
      let reply = try await call.read(
        "changes/item", ["collection": .string(collection.name), "id": .string(id)], isVerbatim: true)
      guard reply["exists"]?.boolValue != false, let item = reply["item"] else {
        throw ToolArguments.failure("id", "There is no item \(id.prefix(64)) in \(collection.name).")
      }
      let text = item[field]?.stringValue ?? ""
      let isThere = text.split { $0.isWhitespace }.contains { sameBytes(String($0), to) }
      let new = isThere ? text : text.isEmpty ? to : text + (text.hasSuffix("\n") ? "" : "\n") + to
      var params: JSONObject = ["id": .string(id), field: .string(new)]
      params["ifRevision"] = item["revision"]
      return try answer(try await call.write(method, params), "Linked", call)
    }
  }

  private static let undo = Tool(
    name: "undo",
    description:
      "Takes back a change of this session: the newest, or the commit that `clock` names. Changes of others are out of "
      + "reach. If an item has changed since, nothing is undone and the error says which.",
    input: [
      "clock": ["type": "integer", "description": "The commit. Default: the newest"], "dryRun": dryRun, "reason": why,
    ], output: output, effects: [.reads, .writes], isIdempotent: false
  ) { call in
    var params: JSONObject = [:]
    params["clock"] = try call.arguments.integer("clock", in: 1 ... .max).map { .integer($0) }
    return try answer(try await call.write("changes/undo", params), "Undone", call)
  }
}
