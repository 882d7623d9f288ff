import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: similar ones") struct SimilarDocumentsTests {
  /// Papers of three subjects that share the words of their language, and the ids of those with titles.
  private func library(_ bench: DocumentBench) async throws -> [String: JSONValue] {
    let texts: [(String, [[String]])] = [
      (
        "Deltas",
        [["the sediment of a river delta is silt", "the estuary and the floodplain"], ["silt in the estuary"]]
      ),
      ("Estuaries", [["the estuary of the river has silt and brackish water"]]),
      ("Floods", [["the floodplain of the river in the spring"], ["and the weather of the year"]]),
      ("Bread", [["the dough of the bread and the oven"], ["the sourdough and the flour"]]),
      ("Baking", [["the flour and the oven of the baker"]]),
      ("Letters", [["the letter of the year and the weather"]]),
    ]
    var ids: [String: JSONValue] = [:]
    for (title, pages) in texts {
      let id = try await bench.id(of: SamplePDF(pages: pages.map { .init($0) }), title: title)
      ids[title] = try await bench.indexed(id).id
    }
    return ids
  }

  private func similar(_ bench: DocumentBench, _ id: JSONValue?) async throws -> JSONValue {
    try await bench.client.call("documents/similar", ["id": id ?? .null])
  }

  @Test("the documents of one subject come first, with the words that they share; others of the language do not come")
  func subject() async throws {
    let bench = try await DocumentBench()
    let ids = try await library(bench)
    let rivers = try await similar(bench, ids["Deltas"])
    #expect(rivers.items.map { $0["title"] } == ["Estuaries", "Floods"])
    #expect(rivers.items.map(\.id) == [ids["Estuaries"], ids["Floods"]])
    let words = Set(rivers.items[0]["words"].list.map(\.text))
    #expect(words.isSuperset(of: ["estuary", "silt"]) && !words.contains("the"))
    let scores = rivers.items.compactMap { $0["score"]?.doubleValue }
    #expect(scores.count == 2 && scores[0] > scores[1] && scores.allSatisfy { (0.1...1).contains($0) })
    #expect(rivers["words"].list.contains("floodplain") && !rivers["words"].list.contains("sediment"))
    #expect(try await similar(bench, ids["Bread"]).items.map { $0["title"] } == ["Baking"])
    let one = try await bench.client.call("documents/similar", ["id": ids["Deltas"] ?? .null, "limit": 1])
    #expect(one.items == Array(rivers.items.prefix(1)))
    await bench.stop()
  }

  @Test("Korean documents are similar by their words, also with endings")
  func korean() async throws {
    let bench = try await DocumentBench()
    let first = try await bench.id(of: .numbered(1, salt: "a "), title: "양자역학의 기초")
    let second = try await bench.id(of: .numbered(1, salt: "b "), title: "쉬운 양자역학은 없다")
    let third = try await bench.id(of: .numbered(1, salt: "c "), title: "한강의 역사")
    for id in [first, second, third] { _ = try await bench.indexed(id) }
    let found = try await similar(bench, first).items
    #expect(found.map(\.id) == [second] && found.first?["words"].list.contains("양자") == true)
    await bench.stop()
  }

  @Test("a document is not similar to itself, a removed one is gone, and without text or company the answer says so")
  func bounds() async throws {
    let bench = try await DocumentBench()
    let alone = try await bench.id(of: SamplePDF(["a lonely paper about estuaries"]), title: "Alone")
    _ = try await bench.indexed(alone)
    let nothing = try await similar(bench, alone)
    #expect(nothing.items == [] && nothing["words"] == [])
    let twin = try await bench.id(of: SamplePDF(["another paper about estuaries"]), title: "Twin")
    _ = try await bench.indexed(twin)
    #expect(try await similar(bench, alone).items.map(\.id) == [twin])
    _ = try await bench.client.call("documents/remove", ["id": twin])
    #expect(try await similar(bench, alone).items == [])
    #expect(try await bench.client.failure("documents/similar", ["id": twin])?.kind == "notFound")
    await bench.stop()
  }
}
