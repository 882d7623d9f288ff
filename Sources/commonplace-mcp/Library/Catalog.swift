import Contract
import Wire

/// The daemon's methods and collections, from `rpc.discover`.
struct Catalog: Sendable {
  struct Method: Sendable {
    var name: String
    var summary: String
    var kind: String
    var effects: Effects
    var params: [Param]
    var secrets: Set<String>
    /// The collection of the items that the result lists.
    var listed: String?
    /// The collection of the result, if that is an item.
    var answered: String?

    /// The part of the name before the slash.
    var area: String { String(name.prefix { $0 != "/" }) }
    var verb: String { String(name.drop { $0 != "/" }.dropFirst()) }

    func takes(_ param: String) -> Bool { params.contains { sameBytes($0.name, param) } }
  }

  struct Param: Sendable {
    var name: String
    var note: String
    var isRequired: Bool
    var schema: JSONValue
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
  let collections: [Collection]
  let schemas: JSONObject

  init(_ document: JSONValue) {
    let schemas = document["components"]?["schemas"]?.objectValue ?? [:]
    self.schemas = schemas
    var methods: [String: Method] = [:]
    for row in document["methods"]?.arrayValue ?? [] {
      guard let method = Method(row, schemas) else { continue }
      methods[method.name] = method
    }
    self.methods = methods
    let items = schemas.members.compactMap { member in
      member.value["x-collection"]?.stringValue.map { (name: $0, schema: member.value) }
    }.sorted { $0.name < $1.name }
    let names = items.map(\.name)
    let all = methods.values.sorted { $0.name < $1.name }
    collections = items.map { Collection($0.name, $0.schema, among: all, others: names) }
  }

  func collection(_ name: String) -> Collection? { collections.first { sameBytes($0.name, name) } }
}

extension Catalog.Method {
  init?(_ row: JSONValue, _ schemas: JSONObject) {
    guard let name = row["name"]?.stringValue, let kind = row["x-kind"]?.stringValue else { return nil }
    self.name = name
    self.kind = kind
    summary = row["summary"]?.stringValue ?? ""
    effects = Effects(names: row["x-effects"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    secrets = Set(row["x-secrets"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    params = (row["params"]?.arrayValue ?? []).compactMap { param in
      param["name"]?.stringValue.map {
        Catalog.Param(
          name: $0, note: param["description"]?.stringValue ?? "", isRequired: param["required"]?.boolValue ?? false,
          schema: param["schema"] ?? [:])
      }
    }
    let schema = row["result"]?["schema"] ?? [:]
    let whole = schema["allOf"]?[0] ?? schema
    let result = SchemaText.target(whole["anyOf"]?[0] ?? whole, in: schemas)
    answered = result["x-collection"]?.stringValue
    let items = result["properties"]?["items"]
    listed = SchemaText.target(items?["items"] ?? [:], in: schemas)["x-collection"]?.stringValue
  }
}

extension Catalog.Collection {
  /// The methods follow from their names: `diary/add`, `documents/addHighlight`, `books/addToShelf`,
  /// `documents/setMemo`.
  init(_ name: String, _ schema: JSONValue, among methods: [Catalog.Method], others: [String]) {
    self.name = name
    self.schema = schema
    func one(_ verbs: [String]) -> String? {
      for verb in verbs {
        let singular = verb + Self.capitalized(Self.singular(name))
        if let method = methods.first(where: { $0.verb == singular }) { return method.name }
        let own = methods.filter { sameBytes($0.area, name) }
        if let method = own.first(where: { $0.verb == verb }) { return method.name }
        let foreign = Set(others.filter { $0 != name }.map { verb + Self.capitalized(Self.singular($0)) })
        let phrases = own.filter { method in
          guard method.verb.hasPrefix(verb), !foreign.contains(method.verb) else { return false }
          return ["To", "On", "From"].contains { method.verb.dropFirst(verb.count).hasPrefix($0) }
        }
        if phrases.count == 1 { return phrases[0].name }
      }
      return nil
    }
    add = one(["add", "set"])
    update = one(["update", "set"])
    move = one(["move"])
    remove = one(["remove"])
    let lists = methods.filter { $0.listed.map { sameBytes($0, name) } ?? false }
    let optional = lists.filter { !$0.params.contains(where: \.isRequired) }
    let found =
      optional.first { sameBytes($0.name, schema["x-list"]?.stringValue ?? "\(name)/list") }
      ?? optional.first { !$0.effects.contains(.network) } ?? optional.first ?? lists.first
    list = found?.name
  }

  private static func singular(_ name: String) -> String { name.hasSuffix("s") ? String(name.dropLast()) : name }

  private static func capitalized(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
