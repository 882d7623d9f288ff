import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: properties") struct DocumentPropertiesTests {
  private func set(_ bench: DocumentBench, _ id: JSONValue, _ properties: JSONValue) async throws -> JSONValue? {
    try await bench.client.call("documents/update", ["id": id, "properties": properties])["properties"]
  }

  private func list(_ bench: DocumentBench, _ params: JSONValue) async throws -> [JSONValue] {
    try await bench.client.call("documents/list", params).items.map(\.id)
  }

  @Test("an update sets the named properties and removes those that are null; others stay, and undo brings all back")
  func update() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(1))
    #expect(try await bench.client.call("documents/get", ["id": id])["properties"] == nil)
    #expect(try await set(bench, id, ["correspondent": " ACME ", "invoice": "2026-117"]) != nil)
    #expect(
      try await set(bench, id, ["invoice": .null, "paid": "yes"]) == ["correspondent": "ACME", "paid": "yes"])
    _ = try await bench.client.call("changes/undo")
    let stored = try await bench.client.call("documents/get", ["id": id])["properties"]
    #expect(stored == ["correspondent": "ACME", "invoice": "2026-117"])
    #expect(try await set(bench, id, ["correspondent": .null, "invoice": .null]) == nil)
    _ = try await set(bench, id, ["a": "b"])
    #expect(try await set(bench, id, .null) == nil)
    await bench.stop()
  }

  @Test(
    "a name or a value that is no line of text, or one too many, is refused by its place, and nothing changes",
    arguments: [
      ["": "a"], ["a\nb": "a"], ["a": ""], ["a": "b\nc"], ["a": 1], ["a": ["b"]],
    ] as [JSONObject])
  func refused(properties: JSONObject) async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(1))
    let failure = try await bench.client.failure("documents/update", ["id": id, "properties": .object(properties)])
    #expect(failure?.code == -32602 && failure?.data?["field"].text.hasPrefix("properties.") == true)
    let many = JSONObject((0...50).map { .init(key: "name \($0)", value: "value") })
    let second = try await bench.client.failure("documents/update", ["id": id, "properties": .object(many)])
    #expect(second?.data?["field"] == "properties")
    #expect(try await bench.client.call("documents/get", ["id": id])["properties"] == nil)
    await bench.stop()
  }

  @Test("documents are found by their properties and type, in any case and width, and names and values are counted")
  func found() async throws {
    let bench = try await DocumentBench()
    let first = try await bench.id(of: .numbered(1, salt: "a "), title: "First")
    let second = try await bench.id(of: .numbered(1, salt: "b "), title: "Second")
    _ = try await set(bench, first, ["Correspondent": "ACME", "year": "2025"])
    _ = try await set(bench, second, ["correspondent": "Acme", "year": "2026"])
    #expect(try await list(bench, ["properties": ["correspondent": "ａｃｍｅ"]]) == [first, second])
    #expect(try await list(bench, ["properties": ["correspondent": "acme", "YEAR": "2026"]]) == [second])
    #expect(try await list(bench, ["properties": ["correspondent": "nobody"]]) == [])
    #expect(try await bench.client.call("search/query", ["text": "2025"]).items.map { $0.id } == [first])
    let names = try await bench.client.call("documents/properties")
    #expect(names.items.map { $0["text"] } == ["Correspondent", "year"] && names["total"] == 2)
    let years = try await bench.client.call("documents/properties", ["name": "Year", "limit": 1])
    #expect(years.items == [["text": "2025", "count": 1]] && years["total"] == 2)
    _ = try await bench.client.call(
      "documents/update", ["id": first, "bibliography": ["type": "thesis", "title": "First"]])
    #expect(try await list(bench, ["type": "thesis"]) == [first])
    #expect(try await list(bench, ["type": "book"]) == [])
    _ = try await bench.client.call("documents/remove", ["id": first])
    #expect(try await bench.client.call("documents/properties").items.map { $0["count"] } == [1, 1])
    #expect(try await list(bench, ["properties": ["correspondent": "acme"]]) == [second])
    _ = try await bench.client.call("changes/undo")
    #expect(try await list(bench, ["properties": ["correspondent": "acme"]]) == [first, second])
    await bench.stop()
  }

  @Test("CSL-JSON has the properties as custom members, out and in")
  func csl() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(1), title: "A thesis")
    _ = try await bench.client.call(
      "documents/update", ["id": id, "bibliography": ["type": "thesis", "title": "A thesis", "custom": ["rank": 1]]])
    _ = try await set(bench, id, ["shelf": "B 12"])
    let written = try await bench.client.call("documents/exportBibliography", ["format": "csl", "inline": true])
    let bytes = Data(base64Encoded: written["data"].text) ?? Data()
    let exported = try JSONParser.parse(String(decoding: bytes, as: UTF8.self))[0]
    #expect(exported?["custom"] == ["rank": 1, "shelf": "B 12"])
    _ = try await bench.client.call("documents/update", ["id": id, "bibliography": .null, "properties": .null])
    _ = try await bench.client.call("documents/importBibliography", ["data": written["data"] ?? .null])
    let back = try await bench.client.call("documents/get", ["id": id])
    #expect(back["properties"] == ["shelf": "B 12"] && back["bibliography"]?["custom"] == ["rank": 1])
    await bench.stop()
  }
}
