import Contract
import Testing
import Wire

@Suite("Checking params")
struct CheckTests {
  private typealias Params = Shelf.UpdateBox.Params

  struct Refusal: Sendable, CustomTestStringConvertible {
    var members: String
    var field: String
    var text: Text
    var testDescription: String { members }

    init(_ members: String, _ field: String, _ key: String, _ arguments: [String: String] = [:]) {
      self.members = members
      self.field = field
      text = Text(key, arguments)
      text.arguments["field"] = field
    }
  }

  static let refusals: [Refusal] = [
    Refusal(#"{"titel":"x"}"#, "titel", "param.unknown", ["nearest": "title"]),
    Refusal(
      #"{"nonsense":1}"#, "nonsense", "param.unknownAmong",
      [
        "names": "id, ifRevision, size, due, note, title, limit, places, labels, url, path, data, before, after, "
          + "tree, anything, password"
      ]),
    Refusal(#"{"Title":"x"}"#, "Title", "param.unknown", ["nearest": "title"]),
    Refusal(#"{"places":[{"x":1},{"x":1,"z":2}]}"#, "places[1].z", "param.unknownAmong", ["names": "x, y"]),
    Refusal(
      #"{"tree":{"name":"a","children":[{"name":"b","children":[{"nam":"c"}]}]}}"#, "tree.children[0].children[0].nam",
      "param.unknown", ["nearest": "name"]),
    Refusal(#"{"id":null}"#, "id", "param.wrongType", ["expected": "string", "found": "null"]),
    Refusal(#"{"id":3}"#, "id", "param.wrongType", ["expected": "string", "found": "integer"]),
    Refusal(#"{"labels":{"ko":1}}"#, "labels.ko", "param.wrongType", ["expected": "string", "found": "integer"]),
    Refusal(
      #"{"places":[{"x":"1"}]}"#, "places[0].x", "param.wrongType", ["expected": "number", "found": "string"]),
    Refusal(#"{"places":[{"y":1}]}"#, "places[0].x", "param.missing"),
    Refusal(#"{"id":"a b"}"#, "id", "param.id"),
    Refusal(#"{"due":"2026-02-30"}"#, "due", "param.day"),
    Refusal(#"{"size":"huge"}"#, "size", "param.choice", ["found": "huge", "choices": "small, medium, large"]),
    Refusal(#"{"title":" \u3000\n"}"#, "title", "param.blank"),
    Refusal(#"{"title":""}"#, "title", "param.blank"),
    Refusal(#"{"title":"123456789012345678901"}"#, "title", "param.length", ["minimum": "1", "maximum": "20"]),
    Refusal(#"{"note":"123456"}"#, "note", "param.length", ["minimum": "0", "maximum": "5"]),
    Refusal(#"{"note":"a\u0000"}"#, "note", "param.nul"),
    Refusal(#"{"limit":0}"#, "limit", "param.range", ["minimum": "1", "maximum": "500"]),
    Refusal(#"{"limit":501}"#, "limit", "param.range", ["minimum": "1", "maximum": "500"]),
    Refusal(#"{"places":[{"x":101}]}"#, "places[0].x", "param.range", ["minimum": "0", "maximum": "100"]),
    Refusal(#"{"limit":1.5}"#, "limit", "param.integer"),
    Refusal(#"{"limit":9223372036854775807}"#, "limit", "param.range", ["minimum": "1", "maximum": "500"]),
    Refusal(#"{"places":[{"x":1},{"x":1},{"x":1}]}"#, "places", "param.count", ["minimum": "0", "maximum": "2"]),
    Refusal(#"{"url":"u","path":"/p"}"#, "path", "param.exactlyOne", ["fields": "url, path, data"]),
    Refusal(#"{"url":null}"#, "url", "param.exactlyOne", ["fields": "url, path, data"]),
    Refusal(#"{"url":null,"path":"p"}"#, "path", "param.absolutePath"),
    Refusal(#"{"url":null,"data":"???"}"#, "data", "param.base64"),
    Refusal(#"{"before":"a","after":"b"}"#, "after", "param.atMostOne", ["fields": "before, after"]),
  ]

  @Test("what is wrong is named by field and reason", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let params = valid(with: try JSONParser.parse(refusal.members))
    let error = #expect(throws: RPCError.self) { try Params.decode(from: params, strict: true) }
    #expect(error?.code == -32602)
    #expect(error?.text == refusal.text)
    #expect(error?.data["field"] == .string(refusal.field))
    #expect(error?.data["reason"] == .string(refusal.text.key))
  }

  @Test("a missing field is named") func missing() {
    let error = #expect(throws: RPCError.self) { try Params.decode(from: ["url": "u"], strict: true) }
    #expect(error?.text == Text("param.missing", ["field": "id"]))
  }

  @Test("what is right is read, with null read as absent in an optional and kept in a patch") func accepted() throws {
    let params = try Params.decode(
      from: valid(with: ["due": nil, "note": "word", "size": nil, "anything": [1, nil], "limit": 500.0]), strict: true)
    #expect(params.due == .null)
    #expect(params.note == .value("word"))
    #expect(params.size == nil)
    #expect(params.limit == 500)
    #expect(params.anything == [1, nil])
  }

  @Test("params that are a list are refused, params that are absent are an empty object") func byName() throws {
    let error = #expect(throws: RPCError.self) { try Empty.decode(from: [], strict: true) }
    #expect(error?.code == -32602)
    #expect(error?.text.key == "param.byName")
    #expect(try Empty.decode(from: .null, strict: true) == Empty())
  }

  @Test("a method without params names no nearest field") func takesNone() {
    let error = #expect(throws: RPCError.self) { try Empty.decode(from: ["a": 1], strict: true) }
    #expect(error?.text == Text("param.takesNone", ["field": "a"]))
  }

  @Test("LSP's own methods ignore what they do not know") func lenient() throws {
    #expect(throws: Never.self) { try Shelf.Greet.Params.decode(from: ["processId": 1], strict: false) }
    #expect(throws: RPCError.self) { try Shelf.Greet.Params.decode(from: ["locale": 1], strict: false) }
  }

  @Test("the members that every request may carry are let through, at the top only") func options() throws {
    let params: JSONValue = valid(with: ["view": "a", "workDoneToken": 7])
    #expect(throws: Never.self) { try Params.decode(from: params, strict: true) }
    #expect(throws: RPCError.self) { try Params.decode(from: valid(with: ["view": 1]), strict: true) }
    #expect(throws: RPCError.self) {
      try Params.decode(from: valid(with: ["places": [["x": 1, "view": "a"]]]), strict: true)
    }
  }

  private func valid(with members: JSONValue) -> JSONValue {
    var object: JSONObject = ["id": "box-1", "url": "https://a.example"]
    for member in members.objectValue?.members ?? [] { object[member.key] = member.value }
    return .object(object)
  }
}
