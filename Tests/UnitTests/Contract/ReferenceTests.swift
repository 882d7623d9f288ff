import Contract
import TestSupport
import Testing
import Wire

@Suite("The reference")
struct ReferenceTests {
  private let document = Shelf.reference.openRPC(title: "Commonplace", version: "1")

  @Test("a complete protocol has no problems") func noProblems() {
    #expect(Shelf.reference.problems == [])
  }

  @Test("what a row lacks is found") func problems() {
    enum Bad: Method {
      static let name = "bad"
      static let summary = "no sentence"
      static let since = 0
      static let effects: Effects = []
      static let errors: [ErrorKind] = [.busy, .busy]
      struct Part: Codable { var a: Int }
      struct Params: Payload {
        var id: ItemID
        var extra: Int?
        var part: [Part]?
        static let example = Params(id: "not an id")
        static let fields = ["id": "The item.", "gone": "No field."]
        static let exactlyOne = [["id", "extra"]]
      }
      struct Result: Payload {
        init(from decoder: any Decoder) throws { _ = try decoder.singleValueContainer().decode(Int.self) }
        init() {}
        func encode(to encoder: any Encoder) throws {
          var container = encoder.singleValueContainer()
          try container.encode(1)
        }
        static let example = Result()
        static let fields: [String: String] = [:]
      }
    }
    let bad = MethodDescription(Bad.self, kind: "")
    let problems = Reference(methods: [bad, bad], notifications: [], errors: [], promises: []).problems
    for part in [
      "bad is there twice", "no kind", "no sentence", "never brought", "an error twice", "extra has no note",
      "speaks of gone", "id is an alternative", "Part is no Payload", "refuses its own example",
      "result that is no object",
      "busy, which is not described",
    ] {
      #expect(problems.contains { $0.contains(part) }, "\(part) is missing in \(problems)")
    }
  }

  // MARK: OpenRPC

  @Test("the document has what OpenRPC 1.3 demands of each of its objects") func structure() throws {
    #expect(document["openrpc"]?.stringValue?.hasPrefix("1.3.") == true)
    #expect(document["info"]?["title"] == "Commonplace")
    #expect(document["info"]?["version"] == "1")
    let methods = try #require(document["methods"]?.arrayValue)
    #expect(methods.map { $0["name"] } == ["initialize", "shelf/list", "shelf/update"])
    let rowMembers: Set = ["name", "summary", "paramStructure", "params", "result", "errors", "examples"]
    for method in methods {
      let extra = method.objectValue?.keys.filter { !rowMembers.contains($0) && !$0.hasPrefix("x-") }
      #expect(extra == [])
      #expect(method["paramStructure"] == "by-name")
      let params = try #require(method["params"]?.arrayValue)
      #expect(Set(params.compactMap { $0["name"]?.stringValue }).count == params.count)
      #expect(params.allSatisfy { $0["schema"]?.objectValue != nil && $0["description"]?.stringValue != "" })
      let required = params.map { $0["required"] == true }
      #expect(required == required.sorted { $0 && !$1 })
      #expect(method["result"]?["name"] == "result")
      #expect(method["result"]?["schema"]?.objectValue != nil)
      for error in method["errors"]?.arrayValue ?? [] {
        let name = try #require(error["$ref"]?.stringValue?.split(separator: "/").last)
        #expect(document["components"]?["errors"]?[String(name)]?["code"] == 1)
      }
      for example in try #require(method["examples"]?.arrayValue) {
        #expect(example["name"]?.stringValue != nil)
        #expect(example["params"]?.arrayValue?.allSatisfy { $0["name"] != nil && $0["value"] != nil } == true)
      }
    }
    for name in document["components"]?["schemas"]?.objectValue?.keys ?? [] {
      #expect(try Regex("^[a-zA-Z0-9._-]+$").wholeMatch(in: name) != nil, "\(name) is no component's name")
    }
    #expect(methods[2]["x-effects"] == ["writes"])
    #expect(methods[2]["x-kind"] == "write")
    #expect(methods[2]["x-secrets"] == ["password"])
    let added = methods[2]["params"]?.arrayValue?.compactMap { $0["x-effects"] == nil ? nil : $0["name"] }
    #expect(added == ["url"])
    let url = methods[2]["params"]?.arrayValue?.first { $0["name"] == "url" }
    #expect(url?["x-effects"] == ["destroys", "network"])
    #expect(document["x-notifications"]?[0]?["direction"] == "toClient")
  }

  @Test("examples fit the schemas, results with the clock that every reply has") func examples() throws {
    let validator = try validator()
    for method in try #require(document["methods"]?.arrayValue) {
      let schema = try #require(method["result"]?["schema"])
      let value = try #require(method["examples"]?[0]?["result"]?["value"])
      guard case .object(var object) = value else { continue }
      let isLanguageServer = method["name"] == "initialize"
      #expect(try validator.accepts(value, schema) == isLanguageServer)
      object["clock"] = 12
      #expect(try validator.accepts(.object(object), schema))
    }
  }

  @Test("least, most and wrong instances are decoded or refused as the schema says") func instances() throws {
    let validator = try validator()
    for description in Shelf.reference.methods {
      let row = document["methods"]?.arrayValue?.first { $0["name"]?.stringValue == description.name }
      let schema = paramsSchema(try #require(row), isClosed: !description.isLanguageServer)
      for instance in SchemaInstances.all(of: description.params) {
        let error = description.readsParams(instance.value)
        let place: Comment = "\(description.name): \(instance.label): \(instance.value), \(String(describing: error))"
        if description.isLanguageServer, instance.label.hasPrefix("a member") {
          #expect(error == nil, place)
          continue
        }
        #expect((error == nil) == instance.isAccepted, place)
        // Draft 7 has no word for a text without U+0000.
        if instance.label.contains("U+0000") { continue }
        #expect(try validator.accepts(instance.value, schema) == instance.isAccepted, place)
      }
    }
  }

  @Test("there are instances for every kind of mistake") func kindsOfMistakes() {
    let labels = Set(SchemaInstances.refused(by: Shelf.update.params).map(\.label))
    for label in [
      "a member that no field takes", "no id", "id is null", "id has not its form", "size is no choice",
      "title is too long", "title is blank", "limit is below its least", "limit is above its greatest",
      "limit is not whole", "places is too long", "places holds what is a list", "path has not its form",
      "note holds U+0000", "none of [\"url\", \"path\", \"data\"]", "two of [\"before\", \"after\"]",
    ] {
      #expect(labels.contains(label), "\(label) is missing in \(labels)")
    }
  }

  @Test("a payload that contains itself refers to itself") func recursion() throws {
    let schemas = try #require(document["components"]?["schemas"])
    #expect(schemas["Shelf.Node"]?["properties"]?["children"]?["items"]?["$ref"] == "#/components/schemas/Shelf.Node")
    let validator = try validator()
    let node: JSONValue = ["$ref": "#/components/schemas/Shelf.Node"]
    #expect(try validator.accepts(["name": "a", "children": [["name": "b", "children": []]]], node))
    #expect(try !validator.accepts(["name": "a", "children": [["nam": "b"]]], node))
  }

  // MARK: The page

  @Test("the page shows fields with type, limits and note, an example and the errors") func page() {
    let page = Shelf.reference.markdown
    for line in [
      "1. Every request is answered once.", "## shelf", "### shelf/update",
      "Changes a box. *write, since 1*",
      "| `id` | id | The box. |", "| `title`? | string, 1 to 20 characters, not blank | Its title. |",
      "| `limit`? | integer, 1 to 500 | How many. |", "| `due`? | day, or null | Its day. |",
      "| `size`? | `\"small\"` or `\"medium\"` or `\"large\"` | How big it is. |",
      "| `places`? | list of [Shelf.Place](#shelfplace), 0 to 2 elements | Where it stands. |",
      "| `password`? | string | Opens it. Never shown again. |",
      "| `url`? | string | Where it comes from. Adds the effect *destroys, network*. |",
      "Exactly one of `url`, `path`, `data`. At most one of `before`, `after`.",
      #"  "method": "shelf/update","#, #"    "id": "box-1","#, "## Index",
      "| [shelf/update](#shelfupdate) | write | Changes a box. |", "## Connecting",
      "Result: [page](#pages) of [Shelf.Box](#shelfbox)", "Errors: `notFound`, `conflict`", "### Shelf.Box",
      "### Shelf.Place", "### Shelf.Node",
      "| `conflict` | 1 |  | no | The item has moved on; \\| `current` says how. |",
      "A box has been moved. *notification to the client, since 1*",
    ] {
      #expect(page.split(separator: "\n").contains { $0 == line }, "\(line)")
    }
  }

  @Test("the page does not depend on the order in which rows are given") func sorted() {
    var methods = Shelf.reference.methods
    methods.reverse()
    let other = Reference(
      methods: methods, notifications: Shelf.reference.notifications, errors: Shelf.reference.errors,
      promises: Shelf.reference.promises
    ).markdown
    #expect(other == Shelf.reference.markdown)
  }

  @Test("every link of the page leads to a heading of the page") func links() throws {
    let page = Shelf.reference.markdown
    let headings = page.split(separator: "\n").filter { $0.hasPrefix("#") }.map { heading in
      heading.drop { $0 == "#" || $0 == " " }.lowercased().filter { $0.isLetter || $0.isNumber || "-_".contains($0) }
    }
    let links = page.matches(of: /\]\(#([^)]*)\)/).map { String($0.output.1) }
    #expect(!links.isEmpty)
    for link in links { #expect(headings.contains(link), "\(link)") }
  }

  private func validator() throws -> SchemaValidator {
    SchemaValidator(schemas: try #require(document["components"]?["schemas"]?.objectValue))
  }

  /// The params of a row as one schema.
  private func paramsSchema(_ row: JSONValue, isClosed: Bool) -> JSONValue {
    var properties: JSONObject = [:]
    var required: [JSONValue] = []
    for param in row["params"]?.arrayValue ?? [] {
      guard let name = param["name"]?.stringValue else { continue }
      properties[name] = param["schema"]
      if param["required"] == true { required.append(.string(name)) }
    }
    var schema: JSONObject = [
      "type": "object", "properties": .object(properties), "required": .array(required),
    ]
    if isClosed { schema["additionalProperties"] = false }
    if let alternatives = row["x-alternatives"] { schema["allOf"] = [alternatives] }
    return .object(schema)
  }
}
