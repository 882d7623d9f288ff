import Client
import Contract
import Display
import Features
import Kit
import TestSupport
import Testing
import Wire

@Suite("Several items in one request") struct ManyItemsTests {
  @Test("get answers the items of ids in their order, and reports those that are not there")
  func get() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c"] { try await bench.add("Card \(id)", id: id) }
    let reply = try await bench.client.call("projects/get", ["ids": ["c", "x", "a"]])
    #expect(reply.items.map { $0["id"] } == ["c", "a"])
    #expect(reply["failed"]?.arrayValue?.map { $0["id"] } == ["x"])
    #expect(reply["failed"]?[0]?["failure"]?["kind"] == "notFound")
    #expect(reply["failed"]?[0]?["failure"]?["message"]?.stringValue?.isEmpty == false)
    #expect(reply["clock"] != nil)
    await bench.stop()
  }

  @Test("update changes all items of ids in one commit, which one undo takes back")
  func update() async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b"] { try await bench.add("Card \(id)", id: id) }
    let before = try await bench.client.call("session/sync")["clock"]?.integerValue ?? 0
    let reply = try await bench.client.call("projects/update", ["ids": ["a", "b", "x"], "tags": ["home"]])
    #expect(reply.items.map { $0["tags"] } == [["home"], ["home"]])
    #expect(reply["failed"]?.arrayValue?.map { $0["id"] } == ["x"])
    #expect(reply["clock"]?.integerValue == before + 1)
    _ = try await bench.client.call("changes/undo")
    let restored = try await bench.client.call("projects/get", ["ids": ["a", "b"]])
    #expect(restored.items.map { $0["tags"] } == [[], []])
    await bench.stop()
  }

  @Test("a request of which every item fails changes nothing and says so")
  func allFail() async throws {
    let bench = try await ProjectBench()
    let reply = try await bench.client.call("projects/remove", ["ids": ["x", "y"]])
    #expect(reply.items == [])
    #expect(reply["failed"]?.arrayValue?.count == 2)
    #expect(reply["changed"] == false)
    await bench.stop()
  }

  @Test("an item whose params cannot be has the error of a request for it alone: its code and field, and no kind")
  func invalidParams() async throws {
    let bench = try await ProjectBench()
    try await bench.add("Card", id: "a")
    let alone = try #require(try await bench.client.failure("projects/move", ["id": "a", "state": "dun"]))
    let reply = try await bench.client.call("projects/move", ["ids": ["a", "x"], "state": "dun"])
    let failure = try #require(reply["failed"]?[0]?["failure"])
    #expect(failure["code"] == -32_602 && failure["kind"] == nil && failure["field"] == "state", "\(failure)")
    #expect(failure["message"]?.stringValue == alone.message && failure["code"] == .integer(Int64(alone.code)))
    #expect(failure["advice"] == alone.data?["advice"])
    let missing = try await bench.client.call("projects/remove", ["ids": ["x"]])["failed"]?[0]?["failure"]
    #expect(missing?["code"] == 1 && missing?["kind"] == "notFound" && missing?["field"] == nil)
    await bench.stop()
  }

  @Test(
    "moved cards stand in the order of ids, at the end, before a card and after one",
    arguments: [
      ([:], ["x", "y", "c", "a", "b"]),
      (["before": "y"], ["x", "c", "a", "b", "y"]),
      (["after": "x"], ["x", "c", "a", "b", "y"]),
    ] as [(JSONObject, [String])])
  func move(_ place: JSONObject, _ order: [String]) async throws {
    let bench = try await ProjectBench()
    for id in ["a", "b", "c", "x", "y"] { try await bench.add(id, id: id) }
    for id in ["x", "y"] { try await bench.move(id, to: "doing") }
    var params: JSONObject = ["ids": ["c", "a", "b"], "state": "doing"]
    for member in place.members { params[member.key] = member.value }
    let reply = try await bench.client.call("projects/move", .object(params))
    #expect(reply.items.map { $0["id"] } == ["c", "a", "b"])
    #expect(try await bench.board()["doing"] == order)
    await bench.stop()
  }

  @Test("remove takes a thousand items away at once, and undo brings all of them back")
  func removeThousand() async throws {
    let bench = try await ProjectBench()
    let ids = (0..<1_000).map { "c\($0)" }
    for id in ids { bench.client.send("projects/add", ["id": .string(id), "title": "Card"]) }
    let reply = try await bench.client.call("projects/remove", ["ids": .array(ids.map { .string($0) })])
    #expect(reply.items.count == 1_000 && reply["failed"] == [])
    #expect(try await bench.client.call("projects/list")["total"] == 0)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("projects/list")["total"] == 1_000)
    await bench.stop()
  }

  @Test("a reply that has no room for all items names the ids that are left")
  func rest() async throws {
    let bench = try await ProjectBench()
    let body = String(repeating: "x", count: 1_000_000)
    for id in ["a", "b", "c", "d", "e", "f"] {
      _ = try await bench.client.call("projects/add", ["id": .string(id), "title": "Long", "body": .string(body)])
    }
    let ids: JSONValue = ["a", "b", "c", "d", "e", "f"]
    let first = try await bench.client.call("projects/get", ["ids": ids])
    let rest = try #require(first["rest"])
    #expect(first.items.count == 5 && rest == ["f"])
    #expect(try await bench.client.call("projects/get", ["ids": rest]).items.map { $0["id"] } == ["f"])
    await bench.stop()
  }

  @Test(
    "ids that cannot be used are refused before anything is done",
    arguments: [
      (["ids": []], "ids"), (["ids": "a"], "ids"), (["ids": ["a"], "id": "a"], "ids"),
      (["ids": ["a"], "ifRevision": 1], "ifRevision"), (["ids": ["a"], "tilte": "x"], "tilte"),
      (["ids": ["a"], "title": ""], "title"), ([:], "id"),
    ] as [(JSONValue, String)])
  func refused(_ params: JSONValue, _ field: String) async throws {
    let bench = try await ProjectBench()
    try await bench.add("a", id: "a")
    let failure = try await bench.client.failure("projects/update", params)
    #expect(failure?.code == -32602)
    #expect(failure?.data?["field"]?.stringValue == field)
    #expect(try await bench.get("a")["title"] == "a")
    await bench.stop()
  }

  @Test("long params are sent for few items at once, and the refusal says for how many")
  func longParams() async throws {
    let bench = try await ProjectBench()
    let ids = JSONValue.array((0..<10).map { .string("c\($0)") })
    let body = JSONValue.string(String(repeating: "x", count: 1_000_000))
    let failure = try await bench.client.failure("projects/update", ["ids": ids, "body": body])
    #expect(failure?.code == -32602 && failure?.data?["field"] == "ids")
    #expect(failure?.message.contains("4") == true)
    let few = JSONValue.array((0..<4).map { .string("c\($0)") })
    #expect(
      try await bench.client.call("projects/update", ["ids": few, "body": body])["failed"]?.arrayValue?.count == 4)
    await bench.stop()
  }

  @Test("documents are removed some at a time, and the reply names the others")
  func removeDocuments() async throws {
    let bench = try await DocumentBench()
    var ids: [JSONValue] = []
    for number in 0..<27 {
      let paper = SamplePDF(pages: [.init(["Paper \(number)."])])
      ids.append(try await bench.id(of: paper))
    }
    let reply = try await bench.client.call("documents/remove", ["ids": .array(ids)])
    #expect(reply.items.count == 25 && reply["rest"] == .array(Array(ids.suffix(2))))
    #expect(try await bench.client.call("documents/list")["total"] == 2)
    await bench.stop()
  }

  @Test("more than a thousand ids are refused")
  func tooMany() async throws {
    let bench = try await ProjectBench()
    let ids = JSONValue.array((0...1_000).map { .string("c\($0)") })
    #expect(try await bench.client.failure("projects/get", ["ids": ids])?.data?["field"] == "ids")
    await bench.stop()
  }

  @Test("every method that takes one item takes several, but for those that ask a source or answer a part of one")
  func allMethods() {
    let methods = Protocol.reference(of: AllFeatures.features, catalogue: Catalogue()).methods
    let many = Set(methods.filter { $0.resultOfMany != nil }.map(\.name))
    for verb in ["get", "update", "move", "remove", "updateOnShelf", "removeFromShelf"] {
      for method in methods
      where method.name.hasSuffix("/\(verb)") && !method.effects.contains(.network)
        && method.params.field(at: ["id"]) != nil
      {
        #expect(many.contains(method.name), "\(method.name)")
      }
    }
    #expect(many.count >= 14 && many.isSuperset(of: ["books/get", "boards/updateSource"]))
  }
}
