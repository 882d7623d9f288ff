import Contract
import Display
import Features
import Kit
import Testing
import Wire

/// The names that were promised before there was code, compared with what the daemon says of itself.
@Suite struct OutlineTests {
  private let reference = Protocol.reference(of: AllFeatures.features, catalogue: Catalogue())

  private struct Outline {
    var areas: [String: Set<String>] = [:]
    var later: Set<String> = []

    init(_ text: String) {
      var area = ""
      for line in text.split(separator: "\n") where !line.hasPrefix("#") {
        if let match = line.wholeMatch(of: /\[(\w+)\]( later)?/) {
          area = String(match.output.1)
          if match.output.2 != nil { later.insert(area) }
        } else if !line.hasSuffix(" later") {
          areas[area, default: []].insert(String(line))
        }
      }
    }
  }

  private func outline() throws -> Outline {
    Outline(try #require(Repository.text("Tests/ProtocolTests/outline-methods.txt")))
  }

  @Test("rpc.discover names the methods of the outline, all of them and no others")
  func names() throws {
    let outline = try outline()
    let document = reference.openRPC(title: "Commonplace", version: "1")
    let named = document["methods"]?.arrayValue?.compactMap { $0["name"]?.stringValue } ?? []
    let byArea = Dictionary(grouping: named) { name in
      name.contains("/") ? String(name.prefix { $0 != "/" }) : "session"
    }.mapValues(Set.init)
    for (area, methods) in outline.areas where area != "notifications" {
      if outline.later.contains(area) {
        #expect(byArea[area] == nil, "\(area) is there: it is not one of later any more")
      } else {
        #expect(byArea[area] ?? [] == methods, "\(area)")
      }
    }
    #expect(Set(byArea.keys).subtracting(outline.areas.keys) == [])
  }

  @Test("the notifications are those of the outline")
  func notifications() throws {
    #expect(Set(reference.notifications.map(\.name)) == (try outline().areas["notifications"]))
  }

  @Test("every param that overwrites, forces or repairs declares that it destroys")
  func paramEffects() throws {
    let destroying: Set = ["force", "overwrite", "rebuildIndex", "repair"]
    var found: Set<String> = []
    for method in reference.methods {
      guard case .object(let params) = method.params else { continue }
      for field in params.fields where destroying.contains(field.name) {
        #expect(field.effects == .destroys, "\(method.name): \(field.name)")
        found.insert(field.name)
      }
      for field in params.fields { #expect(method.effects.isDisjoint(with: field.effects), "\(method.name)") }
    }
    #expect(found == destroying)
  }

  @Test("rpc.discover is a whole OpenRPC document: what must be there is, and every reference leads somewhere")
  func openRPC() throws {
    let document = reference.openRPC(title: "Commonplace", version: "1")
    #expect(document["openrpc"]?.stringValue?.hasPrefix("1.3") == true)
    #expect(document["info"]?["title"] == "Commonplace")
    #expect(document["info"]?["version"] == "1")
    for method in try #require(document["methods"]?.arrayValue) {
      let name = method["name"]?.stringValue ?? ""
      #expect(!name.isEmpty && method["paramStructure"] == "by-name" && method["summary"] != nil)
      let params = try #require(method["params"]?.arrayValue, "\(name)")
      let names = params.compactMap { $0["name"]?.stringValue }
      #expect(names.count == params.count && Set(names).count == names.count, "\(name)")
      for param in params { #expect(param["schema"]?.objectValue != nil, "\(name)") }
      // OpenRPC 1.3: required params come before optional ones.
      let required = params.map { $0["required"] == true }
      #expect(required == required.sorted { $0 && !$1 }, "\(name)")
      #expect(method["result"]?["name"] != nil && method["result"]?["schema"] != nil, "\(name)")
      #expect(method["x-effects"]?.arrayValue != nil, "\(name)")
    }
    for reference in references(in: document) {
      let steps = reference.split(separator: "/").dropFirst()
      #expect(steps.reduce(document) { $0[String($1)] ?? .null } != .null, "\(reference) leads nowhere")
    }
  }

  @Test("rpc.discover without schemas has the same methods, effects, params and collections")
  func withoutSchemas() throws {
    let whole = reference.openRPC(title: "Commonplace", version: "1")
    let outline = reference.outline(title: "Commonplace", version: "1")
    let rows = try #require(outline["methods"]?.arrayValue)
    let others = try #require(whole["methods"]?.arrayValue)
    #expect(rows.count == others.count)
    for (row, other) in zip(rows, others) {
      for member in row.objectValue?.members ?? [] where member.key != "params" {
        #expect(member.value == other[member.key], "\(other["name"] ?? .null): \(member.key)")
      }
      for name in ["x-effects", "x-files", "x-secrets", "x-lists", "x-returns"] { #expect(row[name] == other[name]) }
      #expect(row["params"]?.arrayValue?.count == other["params"]?.arrayValue?.count)
      for (param, described) in zip(row["params"]?.arrayValue ?? [], other["params"]?.arrayValue ?? []) {
        for name in ["name", "required", "x-effects", "x-files"] { #expect(param[name] == described[name]) }
      }
    }
    func collections(_ document: JSONValue) -> [String: [JSONValue?]] {
      let schemas = document["components"]?["schemas"]?.objectValue?.members.map(\.value) ?? []
      return schemas.reduce(into: [:]) { found, schema in
        guard let name = schema["x-collection"]?.stringValue else { return }
        found[name] = [schema["x-get"], schema["x-list"], schema["x-files"]]
      }
    }
    #expect(collections(outline) == collections(whole) && collections(whole).count > 10)
    #expect(JSONWriter.bytes(of: outline).count < JSONWriter.bytes(of: whole).count / 5)
  }

  @Test("a path in an example of a result is in a member that is declared to name files")
  func pathsOfResults() throws {
    let document = reference.openRPC(title: "Commonplace", version: "1")
    func paths(in value: JSONValue, of member: String) -> [(member: String, text: String)] {
      switch value {
      case .string(let text): text.hasPrefix("/") || text.hasPrefix("file:/") ? [(member, text)] : []
      case .array(let elements): elements.flatMap { paths(in: $0, of: member) }
      case .object(let object): object.members.flatMap { paths(in: $0.value, of: $0.key) }
      default: []
      }
    }
    var found = 0
    for row in document["methods"]?.arrayValue ?? [] where row["x-kind"] != "control" {
      let declared = row["x-files"]?.arrayValue ?? []
      for path in paths(in: row["examples"]?[0]?["result"]?["value"] ?? .null, of: "") {
        #expect(declared.contains(.string(path.member)), "\(row["name"] ?? .null): \(path)")
        found += 1
      }
    }
    #expect(found > 20)
    let schemas = document["components"]?["schemas"]?.objectValue?.members.map(\.value) ?? []
    func files(of collection: String) -> Set<String> {
      let schema = schemas.first { $0["x-collection"]?.stringValue == collection }
      return Set(schema?["x-files"]?.arrayValue?.compactMap(\.stringValue) ?? [])
    }
    #expect(files(of: "documents").isSuperset(of: ["file", "origins"]))
    #expect(files(of: "calendars").isSuperset(of: ["message", "path"]) && files(of: "diary").isEmpty)
  }

  @Test("the collection that a method returns or lists is that of the schema of its result")
  func collectionsOfResults() throws {
    let document = reference.openRPC(title: "Commonplace", version: "1")
    let schemas = try #require(document["components"]?["schemas"])
    func target(_ schema: JSONValue?) -> JSONValue {
      guard let name = schema?["$ref"]?.stringValue?.split(separator: "/").last else { return schema ?? .null }
      return schemas[String(name)] ?? .null
    }
    var (returning, listing) = (0, 0)
    for row in document["methods"]?.arrayValue ?? [] {
      let schema = row["result"]?["schema"]
      let own = schema?["allOf"]?[0] ?? schema
      let result = target(own?["anyOf"]?[0] ?? own)
      #expect(row["x-returns"] == result["x-collection"], "\(row["name"] ?? .null)")
      let element = target(result["properties"]?["items"]?["items"])
      #expect(row["x-lists"] == element["x-collection"], "\(row["name"] ?? .null)")
      if row["x-returns"] != nil { returning += 1 }
      if row["x-lists"] != nil { listing += 1 }
    }
    #expect(returning > 10 && listing > 10)
  }

  private func references(in value: JSONValue) -> Set<String> {
    switch value {
    case .object(let object):
      object.members.reduce(into: []) { found, member in
        if member.key == "$ref", let target = member.value.stringValue { found.insert(target) }
        found.formUnion(references(in: member.value))
      }
    case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
    default: []
    }
  }
}
