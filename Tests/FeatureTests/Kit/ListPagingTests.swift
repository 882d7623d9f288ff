import Client
import Contract
import Features
import Kit
import TestSupport
import Testing
import Wire

/// What all lists promise of their parts, by their declarations, in one library that has something for most of them.
@Suite("Lists in parts") struct ListPagingTests {
  private static let count = 5

  private struct List {
    var method: MethodDescription
    /// The params that the method needs besides those of its parts.
    var params: JSONObject

    var name: String { method.name }
    func takes(_ param: String) -> Bool { method.params.field(at: [param]) != nil }
  }

  /// Every list that can be read in parts without asking a server.
  private static func lists(_ needed: [String: JSONObject]) -> [List] {
    AllFeatures.features.flatMap(\.routes).map(\.description).compactMap { method in
      guard case .object(let params) = method.params, method.result.field(at: ["items"]) != nil,
        method.result.field(at: ["next"]) != nil, params[field: "limit"] != nil, params[field: "after"] != nil,
        !method.effects.contains(.network)
      else { return nil }
      let own = needed[method.name] ?? [:]
      guard params.fields.allSatisfy({ $0.presence != .required || own[$0.name] != nil }) else { return nil }
      return List(method: method, params: own)
    }
  }

  private func fill(_ bench: DocumentBench) async throws -> [String: JSONObject] {
    let client = bench.client
    let pages = (1...Self.count).map { SamplePDF.Page(["line \($0) of the river", "another line"]) }
    let document = try await bench.id(of: SamplePDF(pages: pages), title: "Paper")
    for number in 0..<Self.count {
      bench.daemon.clock.advance(milliseconds: 1_000)
      let (page, text) = (JSONValue.integer(Int64(number)), JSONValue.string("Item \(number)"))
      if number > 0 {
        try await bench.add(SamplePDF(pages: [.init(["file \(number)"])]), title: "Document \(number)")
      }
      _ = try await client.call(
        "documents/toggleHighlight",
        ["id": document, "page": page, "lines": [.string("line \(number + 1) of the river")]])
      _ = try await client.call("documents/toggleBookmark", ["id": document, "page": page])
      _ = try await client.call("documents/setMemo", ["id": document, "page": page, "text": text])
      _ = try await client.call(
        "projects/add",
        [
          "id": .string("card\(number)"), "title": .string("Card \(number)"),
          "tags": .array([.string("tag\(number)")]),
          "body": .string("[[Paper]] [[Nothing \(number)]] [[Entry \(number)]]"),
        ])
      _ = try await client.call("projects/add", ["id": .string("gone\(number)"), "title": text])
      _ = try await client.call("projects/remove", ["id": .string("gone\(number)")])
      let links = (0..<Self.count).map { "[[Card \($0)]]" }.joined(separator: " ")
      _ = try await client.call(
        "diary/add", ["id": .string("entry\(number)"), "text": .string("Entry \(number)\n\(links)")])
      _ = try await client.call("projects/update", ["id": "card0", "priority": .integer(Int64(number + 1))])
      _ = try await client.call("notes/add", ["text": .string("Note \(number)")])
      for feature in ["diary", "notes"] { _ = try await client.call(feature + "/draft", ["text": text]) }
      _ = try await client.call("projects/draft", ["title": text])
      _ = try await client.call("books/addToShelf", ["byHand": ["title": text, "authors": ["Han Kang"]]])
      _ = try await client.call("boards/addRule", ["text": text, "read": true])
      _ = try await client.call("search/save", ["text": text])
      _ = try await client.call("search/query", ["text": text])
    }
    _ = try await client.indexed(document)
    return [
      "documents/bookmarks": ["id": document], "documents/memos": ["id": document], "documents/pages": ["id": document],
      "documents/find": ["id": document, "text": "line"],
      "changes/history": ["collection": "projects", "id": "card0"],
      "links/from": ["collection": "diary", "id": "entry0"], "links/to": ["collection": "projects", "id": "card0"],
      "search/query": ["text": "card OR entry", "remember": false],
    ]
  }

  @Test("parts of any size are the whole list in its order, and what is no part is refused")
  func parts() async throws {
    let bench = try await DocumentBench()
    let needed = try await fill(bench)
    var long: Set<String> = []
    for list in Self.lists(needed) {
      func call(_ more: JSONObject) async throws -> JSONValue {
        var params = list.params
        for member in more.members { params[member.key] = member.value }
        return try await bench.client.call(list.name, .object(params))
      }
      func refused(_ more: JSONObject) async throws -> String {
        var params = list.params
        for member in more.members { params[member.key] = member.value }
        let failure = try await bench.client.failure(list.name, .object(params))
        return "\(failure?.code ?? 0) \(failure?.data?["field"]?.stringValue ?? "")"
      }
      let most = try #require(list.method.params.field(at: ["limit"])?.limits.maximum, "\(list.name)")
      let whole = try await call(["limit": .integer(Int64(most))])
      let items = whole.items
      #expect(whole["hasMore"] == false && whole["next"] == nil, "\(list.name)")
      if items.count >= 3 { long.insert(list.name) }
      for limit in [1, 2] {
        var found: [JSONValue] = []
        var next: JSONValue?
        repeat {
          let part = try await call(["limit": .integer(Int64(limit)), "after": next ?? .null])
          #expect(part.items.count <= limit && part["limit"] == .integer(Int64(limit)), "\(list.name)")
          if part["totalIsEstimate"] != true { #expect(part["total"] == whole["total"], "\(list.name)") }
          #expect(part["offset"] == .integer(Int64(found.count)), "\(list.name)")
          #expect((part["hasMore"] == true) == (part["next"] != nil), "\(list.name)")
          found += part.items
          next = part["next"]
        } while next != nil && found.count <= items.count
        #expect(found == items, "\(list.name) \(limit)")
      }
      if !items.isEmpty {
        let full = try await call(["limit": .integer(Int64(items.count))])
        #expect(full.items == items && full["hasMore"] == false && full["next"] == nil, "\(list.name)")
      }
      if list.takes("offset"), items.count >= 3 {
        let part = try await call(["offset": 1, "limit": 1])
        #expect(part.items == [items[1]] && part["offset"] == 1 && part["hasMore"] == true, "\(list.name)")
        let end = try await call(["offset": .integer(Int64(items.count))])
        #expect(end.items.isEmpty && end["hasMore"] == false && end["total"] == whole["total"], "\(list.name)")
        #expect(try await refused(["offset": -1]) == "-32602 offset", "\(list.name)")
      }
      #expect(try await refused(["limit": 0]) == "-32602 limit", "\(list.name)")
      #expect(try await refused(["limit": .integer(Int64(most) + 1)]) == "-32602 limit", "\(list.name)")
      // The cursor of this list is a tag, and any text may be one.
      guard list.name != "tags/list" else { continue }
      #expect(try await refused(["after": "no place"]) == "-32602 after", "\(list.name)")
    }
    #expect(
      long.isSuperset(of: [
        "boards/rules", "books/shelf", "changes/history", "changes/log", "changes/removed", "diary/drafts",
        "diary/list",
        "documents/bookmarks",
        "documents/highlights", "documents/list", "documents/memos", "documents/pages", "links/broken", "links/from",
        "links/to", "notes/drafts", "notes/list", "projects/drafts", "projects/list", "search/history", "search/query",
        "search/saved", "tags/list",
      ]), "\(long)")
    await bench.stop()
  }

  @Test("a part that nobody limits is as long as the reference says")
  func usual() async throws {
    let bench = try await DocumentBench()
    let needed: [String: JSONObject] = try await fill(bench).merging([
      "boards/posts": ["all": true], "boards/search": ["query": "river", "remember": false],
    ]) { own, _ in own }
    var asked: Set<String> = []
    for method in AllFeatures.features.flatMap(\.routes).map(\.description)
    where method.result.field(at: ["limit"]) != nil {
      guard let note = method.params.field(at: ["limit"])?.note,
        let said = note.firstMatch(of: /Default ([0-9,]+)/)?.1.filter({ $0 != "," }), let usual = Int64(said)
      else { continue }
      let own = needed[method.name]
      guard own != nil || !method.effects.contains(.network) && Self.needsNothing(method) else { continue }
      let part = try await bench.client.call(method.name, .object(own ?? [:]))
      #expect(part["limit"] == .integer(usual), "\(method.name)")
      asked.insert(method.name)
    }
    #expect(
      asked.isSuperset(of: [
        "boards/posts", "boards/search", "books/shelf", "changes/log", "diary/list", "documents/highlights",
        "files/list", "links/to", "notes/list", "projects/list", "search/history", "search/query",
      ]), "\(asked.sorted())")
    await bench.stop()
  }

  private static func needsNothing(_ method: MethodDescription) -> Bool {
    guard case .object(let params) = method.params else { return false }
    return params.fields.allSatisfy { $0.presence != .required }
  }
}
