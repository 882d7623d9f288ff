import Contract
import Wire

/// The daemon's methods and collections, from `rpc.discover`, whole or without schemas.
struct Catalog: Sendable {
  struct Method: Sendable {
    var name: String
    var summary: String
    var kind: String
    var effects: Effects
    var params: [Param]
    var secrets: Set<String>
    /// The members of its result that may name files.
    var files: Set<String>
    /// The collection of the items that the result lists.
    var listed: String?
    /// The schema of the elements that the result lists; nil without schemas.
    var element: JSONValue?
    /// The collection of the result, if that is an item.
    var answered: String?

    var area: String { methodArea(of: name) }
    var verb: String { String(name.drop { $0 != "/" }.dropFirst()) }

    func takes(_ param: String) -> Bool { params.contains { sameBytes($0.name, param) } }

    /// Whether the daemon can run it and roll it back, although it is no plain write.
    var canRehearse: Bool
    /// Whether it can say what it would change: every plain write can, another method if it is marked or has the param.
    var hasDryRun: Bool { kind == "write" || canRehearse || takes("dryRun") }
  }

  struct Param: Sendable {
    var name: String
    var note: String
    var isRequired: Bool
    var schema: JSONValue
    /// Whether it is the path of a file, or a list of them.
    var isPath: Bool
    /// The effects that it adds to those of its method, unless it is `false`.
    var effects: Effects
  }

  /// A collection, and the methods that do something to its items.
  struct Collection: Sendable {
    var name: String
    var schema: JSONValue
    var list: String?
    var add: String?
    var update: String?
    var move: String?
    var remove: String?
  }

  let methods: [String: Method]
  /// In the order of their names.
  private(set) var collections: [Collection]
  /// The members of items that may name files: some methods answer items of any collection.
  let filesOfItems: Set<String>
  let schemas: [String: JSONValue]

  init(_ document: JSONValue) {
    // A dictionary: each method looks several up.
    let members = document["components"]?["schemas"]?.objectValue?.members ?? []
    let schemas = Dictionary(members.map { ($0.key, $0.value) }) { $1 }
    self.schemas = schemas
    var methods: [String: Method] = [:]
    for row in document["methods"]?.arrayValue ?? [] {
      guard let method = Method(row, schemas) else { continue }
      methods[method.name] = method
    }
    self.methods = methods
    collections = []
    filesOfItems = Set(
      schemas.values.flatMap { $0["x-files"]?.arrayValue?.compactMap(\.stringValue) ?? [] })
    let sorted = methods.values.sorted { $0.name < $1.name }
    let touching = Dictionary(grouping: sorted) { collections(touchedBy: $0)?.first }
    let listing = Dictionary(grouping: sorted, by: \.listed)
    collections = schemas.values.compactMap { schema in
      schema["x-collection"]?.stringValue.map {
        Collection($0, schema, own: touching[$0] ?? [], lists: listing[$0] ?? [])
      }
    }.sorted { $0.name < $1.name }
  }

  func collection(_ name: String) -> Collection? { collections.first { sameBytes($0.name, name) } }

  /// The members of a method's reply that may name files.
  func files(of method: Method) -> Set<String> { method.files.union(filesOfItems) }
}

extension Catalog.Method {
  init?(_ row: JSONValue, _ schemas: [String: JSONValue]) {
    // Without its effects nobody can say whether the permissions cover it.
    guard let name = row["name"]?.stringValue, let kind = row["x-kind"]?.stringValue,
      let effects = row["x-effects"]?.arrayValue
    else { return nil }
    self.name = name
    self.kind = kind
    summary = row["summary"]?.stringValue ?? ""
    self.effects = Effects(names: effects.map { $0.stringValue ?? "" })
    canRehearse = row["x-dryRun"] == true
    secrets = Set(row["x-secrets"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    files = Set(row["x-files"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    params = (row["params"]?.arrayValue ?? []).compactMap { param in
      param["name"]?.stringValue.map {
        Catalog.Param(
          name: $0, note: param["description"]?.stringValue ?? "", isRequired: param["required"]?.boolValue ?? false,
          schema: param["schema"] ?? [:], isPath: param["x-files"] == true,
          effects: Effects(names: param["x-effects"]?.arrayValue?.map { $0.stringValue ?? "" } ?? []))
      }
    }
    answered = row["x-returns"]?.stringValue
    listed = row["x-lists"]?.stringValue
    let schema = row["result"]?["schema"] ?? [:]
    let whole = schema["allOf"]?[0] ?? schema
    let result = SchemaText.target(whole["anyOf"]?[0] ?? whole, in: schemas)
    element = result["properties"]?["items"]?["items"].map { SchemaText.target($0, in: schemas) }
  }
}

extension Catalog.Collection {
  /// - Parameters:
  ///   - own: the methods that touch this collection first, in the order of their names. Their verbs say what they do:
  ///     `diary/add`, `documents/addHighlight`, `books/addToShelf`, `documents/setMemo`.
  ///   - lists: the methods that list its items, in the order of their names.
  init(_ name: String, _ schema: JSONValue, own: [Catalog.Method], lists: [Catalog.Method]) {
    self.name = name
    self.schema = schema
    func one(_ verbs: [String]) -> String? {
      for verb in verbs {
        if let method = own.first(where: { sameBytes($0.verb, verb) }) { return method.name }
        let phrases = own.filter { $0.verb.hasPrefix(verb) && Self.isOfOne($0.verb.dropFirst(verb.count), name) }
        if phrases.count == 1 { return phrases[0].name }
      }
      return nil
    }
    add = one(["add", "set"])
    update = one(["update", "set"])
    move = one(["move"])
    remove = one(["remove"])
    let optional = lists.filter { !$0.params.contains(where: \.isRequired) }
    let found =
      optional.first { sameBytes($0.name, schema["x-list"]?.stringValue ?? "\(name)/list") }
      ?? optional.first { !$0.effects.contains(.network) } ?? optional.first ?? lists.first
    list = found?.name
  }

  /// Whether the rest of a verb means one item: `Highlight`, `Board` of cardBoards, `ToShelf`.
  private static func isOfOne(_ rest: Substring, _ name: String) -> Bool {
    let singular = name.hasSuffix("s") ? name.dropLast() : Substring(name)
    let item = singular.prefix(1).uppercased() + singular.dropFirst()
    return !rest.isEmpty && (item.hasSuffix(rest) || ["To", "On", "From"].contains { rest.hasPrefix($0) })
  }
}
