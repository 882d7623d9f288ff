import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: highlights of the library") struct LibraryHighlightsTests {
  /// Two documents with five highlights, each made a day after the one before.
  private struct Marked {
    let bench: DocumentBench
    let clock = TestClock()
    let one: JSONValue
    let two: JSONValue

    init() async throws {
      bench = try await DocumentBench(clock: clock)
      one = try await bench.id(of: SamplePDF(["alpha", "beta"], ["gamma"]), title: "One")
      two = try await bench.id(of: SamplePDF(["delta", "epsilon river"]), title: "Two")
      let marks: [(JSONValue, Int, String, String, String?)] = [
        (one, 0, "beta", "#ffd60a", nil), (two, 0, "delta", "#FF0000", "by the river"),
        (one, 1, "gamma", "#ff0000", nil),
        (two, 0, "epsilon river", "#ffd60a", nil), (one, 0, "alpha", "#00ff00", nil),
      ]
      for (id, page, line, color, note) in marks {
        var params: JSONObject = [
          "id": id, "page": json(page), "lines": [.string(line)], "color": .string(color),
        ]
        if let note { params["note"] = .string(note) }
        _ = try await bench.client.call("documents/addHighlight", .object(params))
        clock.advance(milliseconds: 86_400_000)
      }
    }

    func texts(_ params: JSONObject = [:]) async throws -> [String] {
      try await bench.client.call("documents/highlights", .object(params)).items.map { $0["text"].text }
    }
  }

  @Test("without a document they are those of all, the newest first, with the titles of their documents")
  func newest() async throws {
    let marked = try await Marked()
    #expect(try await marked.texts() == ["alpha", "epsilon river", "gamma", "delta", "beta"])
    let all = try await marked.bench.client.call("documents/highlights")
    #expect(all.items.map { $0["documentTitle"] } == ["One", "Two", "One", "Two", "One"])
    #expect(all["total"] == 5 && all["hasMore"] == false)
    // A document's own list is in reading order, as ever.
    #expect(try await marked.texts(["id": marked.one]) == ["alpha", "beta", "gamma"])
    #expect(try await marked.texts(["id": marked.one, "sort": "newest"]) == ["alpha", "gamma", "beta"])
    let own = try await marked.bench.client.call("documents/highlights", ["id": marked.one])
    #expect(own.items.allSatisfy { $0["documentTitle"] == nil })
    await marked.bench.stop()
  }

  @Test("they are narrowed by day, color and text, in the library and in one document")
  func narrowed() async throws {
    let marked = try await Marked()
    let cases: [(JSONObject, [String])] = [
      (["color": "#FF0000"], ["gamma", "delta"]), (["query": "river"], ["epsilon river", "delta"]),
      (["query": "riv", "color": "#ffd60a"], ["epsilon river"]), (["from": "2026-11-24"], ["alpha", "epsilon river"]),
      (["to": "2026-11-22"], ["delta", "beta"]), (["from": "2026-11-22", "to": "2026-11-23"], ["gamma", "delta"]),
      (["query": "zebra"], []), (["id": marked.one, "color": "#ff0000"], ["gamma"]),
      (["id": marked.one, "to": "2026-11-23"], ["beta", "gamma"]),
      (["id": marked.two, "query": "river"], ["delta", "epsilon river"]),
      (["id": marked.one, "page": 0, "sort": "newest"], ["alpha", "beta"]),
    ]
    for (params, texts) in cases { #expect(try await marked.texts(params) == texts, "\(params)") }
    let client = marked.bench.client
    for (params, field): (JSONObject, JSONValue) in [
      (["page": 0], "page"), (["sort": "page"], "sort"), (["color": "red"], "color"), (["from": "2026-13-01"], "from"),
      (["after": "x"], "after"),
    ] {
      let failure = try await client.failure("documents/highlights", .object(params))
      #expect(failure?.code == -32602 && failure?.data?["field"] == field, "\(params)")
    }
    await marked.bench.stop()
  }

  @Test("a cursor goes on after the last highlight, whatever is added or removed meanwhile")
  func cursors() async throws {
    let marked = try await Marked()
    let client = marked.bench.client
    let first = try await client.call("documents/highlights", ["limit": 2])
    #expect(first.items.map { $0["text"] } == ["alpha", "epsilon river"] && first["total"] == 5)
    _ = try await client.call(
      "documents/addHighlight", ["id": marked.two, "page": 0, "lines": ["delta"], "color": "#0000ff"])
    _ = try await client.call("documents/removeHighlight", ["id": first.items[1].id])
    var rest: [String] = []
    var next = first["next"]
    while let after = next {
      let part = try await client.call("documents/highlights", ["limit": 2, "after": after])
      rest += part.items.map { $0["text"].text }
      next = part["next"]
    }
    #expect(rest == ["gamma", "delta", "beta"])
    await marked.bench.stop()
  }

  @Test("the list of the library is read by the index of times, and its marks are counted without their rows")
  func plans() async throws {
    let bench = try await DocumentBench()
    await bench.stop()
    let list = try queryPlan(
      of: "SELECT id FROM highlight WHERE 1 ORDER BY createdAt DESC, id DESC LIMIT 3 OFFSET 0", in: bench.daemon.library
    )
    #expect(list.allSatisfy { $0.contains("highlightByCreation") }, "\(list)")
    for table in ["highlight", "bookmark", "memo"] {
      let count = try queryPlan(of: "SELECT count(*) FROM \(table) WHERE document = 'x'", in: bench.daemon.library)
      #expect(count.contains { $0.contains("COVERING INDEX \(table)ByPage") }, "\(count)")
    }
  }

  @Test("a document's marks by a frequent beginning may be incomplete, and the total says so")
  func frequentBeginning() async throws {
    let marked = try await Marked()
    let client = marked.bench.client
    for number in 0..<30 {
      let words = (0..<4_000).map { "b" + String(number * 4_000 + $0, radix: 36) + "x" }
      _ = try await client.call("diary/add", ["text": .string("entry\n" + words.joined(separator: " "))])
    }
    let few = try await client.call("documents/highlights", ["id": marked.one, "query": "b"])
    #expect(few.items.map { $0["text"] } == ["beta"] && few["totalIsEstimate"] == false)
    try await client.calls(
      "documents/addHighlight",
      Array(repeating: ["id": marked.two, "page": 0, "lines": ["delta"]], count: 1_000))
    let many = try await client.call("documents/highlights", ["id": marked.one, "query": "b"])
    #expect(many["totalIsEstimate"] == true)
    #expect(try await client.call("documents/highlights", ["id": marked.one])["totalIsEstimate"] == false)
    await marked.bench.stop()
  }
}
