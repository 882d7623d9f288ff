import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Store

@Suite("Links: where an item leads, and what is around it", .timeLimit(.minutes(10))) struct LinkGraphTests {
  @Test(
    "the links of an item are listed with their targets, those of its marks too, in parts, and what is wrong is said")
  func from() async throws {
    let bench = try await LinksBench()
    _ = try await bench.client.call(
      "documents/add", ["id": "d1", "data": .string(SamplePDF(["first"], ["second"]).base64), "title": "A paper"])
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": "d1", "page": 1, "lines": ["second"], "highlight": "h1"])
    try await bench.card("p1", "Dune")
    try await bench.card("p2", "Twice")
    try await bench.card("p3", "Twice")
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h1", "note": "as [[Dune]] has it"])
    try await bench.entry(
      "e1", "A day [[Dune]], [[Twice]], [[Nothing]], commonplace:/documents/d1#highlight=h1, commonplace:/projects/p9")
    let links = try await bench.client.call("links/from", ["id": "e1"])
    #expect(links["total"] == 5 && links.items.allSatisfy { $0["collection"] == "diary" && $0["id"] == "e1" })
    let leads = Dictionary(
      uniqueKeysWithValues: links.items.map { ($0["written"].text, ($0["target"]?["link"].text, $0["trouble"]?.text)) })
    #expect(leads["[[Dune]]"]! == ("commonplace:/projects/p1", nil))
    #expect(leads["[[Twice]]"]! == ("commonplace:/projects/p2", "ambiguous"))
    #expect(leads["[[Nothing]]"]! == (nil, "unknown"))
    #expect(leads["commonplace:/documents/d1#highlight=h1"]! == ("commonplace:/documents/d1#highlight=h1", nil))
    #expect(leads["commonplace:/projects/p9"]! == (nil, "gone"))
    #expect(links.items.first { $0["written"] == "[[Dune]]" }?["target"]?["title"] == "Dune")

    let ofMarks = try await bench.client.call("links/from", ["id": "d1", "collection": "documents"])
    #expect(ofMarks["total"] == 1 && ofMarks.items[0]["id"] == "h1" && ofMarks.items[0]["target"]?["id"] == "p1")
    #expect(try await bench.client.call("links/from", ["id": "h1"]).items == ofMarks.items)
    #expect(try await bench.client.call("links/from", ["id": "p1"])["total"] == 0)

    var seen: [JSONValue] = []
    var next: JSONValue?
    repeat {
      var params: JSONObject = ["id": "e1", "limit": 2]
      if let next { params["after"] = next }
      let part = try await bench.client.call("links/from", .object(params))
      seen += part.items
      next = part["next"]
    } while next != nil
    #expect(seen == links.items)
    #expect(try await bench.client.failure("links/from", ["id": "none"])?.kind == "notFound")
    await bench.daemon.stop()
  }

  @Test("the items around an item come nearest first, a mark stands for its document, and each link is there once")
  func graph() async throws {
    let bench = try await LinksBench()
    _ = try await bench.client.call(
      "documents/add", ["id": "d1", "data": .string(SamplePDF(["first"]).base64), "title": "A paper"])
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": "d1", "page": 0, "lines": ["first"], "highlight": "h1"])
    try await bench.card("p1", "Dune", body: "of commonplace:/documents/d1#highlight=h1")
    try await bench.card("p2", "Messiah", body: "after [[Dune]], and again [[dune]]; itself [[Messiah]]")
    try await bench.entry("e1", "[[Messiah]]")
    try await bench.entry("e2", "[[Dune]] and [[Messiah]]")
    try await bench.entry("e3", "alone")
    func graph(_ id: String, _ more: JSONObject = [:]) async throws -> (
      items: [String], edges: Set<String>, whole: Bool
    ) {
      var params: JSONObject = ["id": .string(id)]
      for member in more.members { params[member.key] = member.value }
      let reply = try await bench.client.call("links/graph", .object(params))
      let items = reply["items"].list.map { $0["id"].text }
      let edges = reply["edges"].list.map { edge in
        "\(items[Int(edge["from"]!.integerValue!)])→\(items[Int(edge["to"]!.integerValue!)])"
      }
      #expect(Set(edges).count == edges.count)
      return (items, Set(edges), reply["isWhole"] == true)
    }
    let near = try await graph("p1")
    #expect(near.items.first == "p1" && Set(near.items) == ["p1", "d1", "p2", "e2"] && near.whole)
    #expect(near.edges == ["p1→d1", "p2→p1", "e2→p1", "e2→p2"])
    let far = try await graph("d1", ["depth": 3])
    #expect(far.items[0...1] == ["d1", "p1"] && Set(far.items) == ["d1", "p1", "p2", "e1", "e2"] && far.whole)
    #expect(far.edges == ["p1→d1", "p2→p1", "e2→p1", "e2→p2", "e1→p2"])
    let cut = try await graph("d1", ["depth": 3, "limit": 2])
    #expect(cut.items == ["d1", "p1"] && cut.edges == ["p1→d1"] && !cut.whole)
    let alone = try await graph("e3", ["depth": 5])
    #expect(alone.items == ["e3"] && alone.edges == [] && alone.whole)
    #expect(try await bench.client.failure("links/graph", ["id": "none"])?.kind == "notFound")
    await bench.daemon.stop()
  }

  @Test("the links in a document's memos are the document's, and the graph around a mark is the document's")
  func marks() async throws {
    let bench = try await LinksBench()
    _ = try await bench.client.call(
      "documents/add", ["id": "d1", "data": .string(SamplePDF(["first"], ["second"]).base64), "title": "A paper"])
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": "d1", "page": 1, "lines": ["second"], "highlight": "h1"])
    try await bench.card("p1", "Dune")
    try await bench.card("p2", "Messiah")
    let memo = try await bench.client.call("documents/setMemo", ["id": "d1", "page": 0, "text": "as [[Dune]] has it"])
    let id = try #require(memo["memo"]?["id"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": "h1", "note": "see [[Messiah]]"])
    try await bench.entry("e1", "commonplace:/memos/\(id.text)")
    try await bench.entry("e2", "commonplace:/highlights/h1")

    let from = try await bench.client.call("links/from", ["id": "d1", "collection": "documents"])
    #expect(from["total"] == 2 && Set(from.items.map { $0["target"]?["id"].text }) == ["p1", "p2"])
    let ofMemo = try #require(from.items.first { $0["collection"] == "memos" })
    #expect(ofMemo["id"] == id && ofMemo["title"] == "A paper" && ofMemo["page"] == 0 && ofMemo["field"] == "text")
    #expect(try await bench.client.call("links/from", ["id": id]).items == [ofMemo])
    #expect(try await bench.sources(of: "d1") == ["diary/e2", "diary/e1"])
    #expect(try await bench.findings() == [])

    let whole = try await bench.client.call("links/graph", ["id": "d1"])
    #expect(whole["items"].list.map { $0["id"].text }.first == "d1")
    #expect(Set(whole["items"].list.map { $0["id"].text }) == ["d1", "p1", "p2", "e1", "e2"])
    #expect(whole["edges"].list.count == 4 && whole["isWhole"] == true)
    for mark in [id, "h1"] {
      let graph = try await bench.client.call("links/graph", ["id": mark])
      #expect(graph["items"] == whole["items"] && graph["edges"] == whole["edges"])
    }
    await bench.daemon.stop()
  }

  @Test("the links of a document's marks are found by the document, not among the links of all marks")
  func plan() async throws {
    let bench = try await LinksBench()
    let library = bench.daemon.daemon.services.library
    let places = library.collections.compactMap { library.links(of: $0) }.filter { $0.linking.place != nil }
    await bench.daemon.stop()
    let statement = LinkReads.from("documents", places)
      .replacing("?1", with: "'documents'").replacing("?2", with: "'d'")
    let plan = try queryPlan(of: statement, in: bench.daemon.library)
    for table in ["highlight", "memo"] {
      #expect(plan.contains { $0.contains("SEARCH x USING COVERING INDEX \(table)ByPage (document=?") }, "\(plan)")
    }
    let links = plan.filter { $0.contains(" l ") }
    #expect(links.count == 3 && links.allSatisfy { $0.contains("(collection=? AND item=?") }, "\(plan)")
  }

  @Test("a graph has at most 5,000 edges, however many items link to each other, and reports that there are more")
  func manyEdges() async throws {
    let bench = try await LinksBench()
    let links = (0..<80).map { "[[card \($0)]]" }.joined(separator: " ")
    for number in 0..<70 { try await bench.card("p\(number)", "Card \(number)", body: links) }
    let whole = try await bench.client.call("links/graph", ["id": "p0"])
    #expect(whole["items"].list.count == 70 && whole["edges"].list.count == 70 * 69 && whole["isWhole"] == true)
    for number in 70..<80 { try await bench.card("p\(number)", "Card \(number)", body: links) }
    for depth: JSONValue in [1, 2] {
      let cut = try await bench.client.call("links/graph", ["id": "p0", "depth": depth])
      #expect(cut["items"].list.count == 80 && cut["edges"].list.count == 5_000 && cut["isWhole"] == false)
    }
    await bench.daemon.stop()
  }
}
