import Foundation
import TestSupport
import Testing
import Wire

@Suite("Agents: what answers say, and how long they are", .timeLimit(.minutes(10)))
struct AgentAnswerTests {
  private static func home(cards: Int, _ configuration: String = "") async throws -> CommandLineHome {
    let home = try await CommandLineHome.forAgents()
    if !configuration.isEmpty { try home.configure(configuration) }
    try await add(0..<cards, to: home)
    return home
  }

  private static func add(_ cards: Range<Int>, to home: CommandLineHome) async throws {
    let lines = cards.map { "{\"title\":\"Card number \($0)\",\"id\":\"card-\($0)\"}" }.joined(separator: "\n")
    if !cards.isEmpty { #expect(try await home.run(["call", "projects/add", "--lines"], input: lines).status == 0) }
  }

  private static func text(of result: JSONValue) -> String {
    result["content"]?.arrayValue?.compactMap { $0["text"]?.stringValue }.joined(separator: "\n") ?? ""
  }

  @Test("a change of several items says how many failed, which and why, and is an error if all of them did")
  func failures() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,destroy"])
    for (tool, arguments, isError, words) in [
      (
        "move", ["collection": "projects", "ids": ["book", "plants"], "place": ["state": "dun"]], true,
        ["Nothing was changed", "2 of 2 failed", "book", "plants", "dun"]
      ),
      ("remove", ["collection": "projects", "ids": ["nope"]], true, ["Nothing was changed", "1 of 1 failed", "nope"]),
      (
        "call", ["method": "projects/remove", "params": ["ids": ["nope"]]], true, ["1 of 1 failed", "nope", "notFound"]
      ),
      (
        "remove", ["collection": "projects", "ids": ["nope", "book"], "dryRun": true], false,
        ["would change 1 item", "1 of 2 failed", "nope"]
      ),
      (
        "remove", ["collection": "projects", "ids": ["nope", "book"]], false,
        ["Removed", "1 of 2 failed", "nope", "notFound"]
      ),
    ] as [(String, JSONObject, Bool, [String])] {
      let result = try await agent.call(tool, arguments)
      let text = Self.text(of: result)
      #expect(result["isError"] == .bool(isError), "\(tool) \(arguments)")
      for word in words { #expect(text.contains(word), "\(tool) \(arguments): \(text)") }
      #expect(!text.contains("it was so already"))
      // The words of the daemon may quote titles.
      #expect(result["content"]?[1]?["_meta"]?["commonplace/untrusted"] == true)
    }
    #expect(try await home.call("projects/list")["total"] == 1)
    _ = await agent.end()
  }

  @Test("a day of more than an answer holds goes on with next, to its end")
  func day() async throws {
    let home = try await Self.home(cards: 0, "[agents]\nanswerTokens = 4000\n")
    // A day shows more cards of one commit as one item.
    for first in stride(from: 0, to: 312, by: 12) { try await Self.add(first..<first + 12, to: home) }
    let agent = try Agent(home)
    var arguments: JSONObject = [:]
    var items: [JSONValue] = []
    var entries: [JSONValue] = []
    var parts = 0
    repeat {
      let part = try await agent.structured("day", arguments)
      items += part["items"]?.arrayValue ?? []
      entries += part["entries"]?.arrayValue ?? []
      arguments["next"] = part["next"]
      parts += 1
    } while arguments["next"] != nil && parts < 200
    let whole = try await home.call("diary/day", "limit:=1000")["items"]?.arrayValue ?? []
    // Agents count pages from 1.
    func withoutPages(_ items: [JSONValue]) -> [String] { items.map { "\($0)".replacing(/"page":\d+/, with: "") } }
    #expect(withoutPages(items) == withoutPages(whole))
    #expect(Set(whole.compactMap { $0["id"]?.stringValue }).count > 300 && parts > 2, "\(parts)")
    #expect(entries.map { $0["id"] } == ["walk"])
    #expect(try await agent.refusal("day", ["next": "x"]).contains("next"))
    _ = await agent.end()
  }

  @Test("a long list inside a result keeps its beginning, and the answer says where it is cut and how to go on")
  func longColumn() async throws {
    let home = try await Self.home(cards: 300)
    let agent = try Agent(home, ["--allow", "write"])
    let params: JSONValue = ["limit": 300]
    let result = try await agent.call("call", ["method": "projects/board", "params": params])
    let columns = result["structuredContent"]?["result"]?["columns"]?.arrayValue ?? []
    #expect(columns.map { $0["state"] } == ["todo", "doing", "done"], "\(columns)")
    let shown = columns.first?["items"]?.arrayValue?.count ?? 0
    let cut = result["structuredContent"]?["cut"]?.arrayValue?.first { $0["field"] == "columns.0.items" }
    #expect(shown > 5 && cut?["shown"] == .integer(Int64(shown)) && cut?["length"] == 300, "\(cut ?? .null)")
    let text = Self.text(of: result)
    #expect(text.contains("smaller limit") && text.contains("after"), "\(text.prefix(300))")
    // The dry run of a change of many items, too.
    let ids = JSONValue.array((0..<100).map { .string("card-\($0)") })
    let moved = try await agent.structured(
      "move", ["collection": "projects", "ids": ids, "place": ["state": "done"], "dryRun": true])
    #expect(moved["dryRun"]?["changes"]?.arrayValue?.isEmpty == false)
    _ = await agent.end()
  }

  @Test("no answer is longer than the budget, with its texts and its structured content together")
  func budget() async throws {
    let home = try await Self.home(cards: 100, "[agents]\nanswerTokens = 1500\n")
    let long = (1...400).map { "Sentence \($0) of the diary." }.joined(separator: " ")
    _ = try await home.call("diary/add", "text=\(long)", "id=long")
    let agent = try Agent(home, ["--allow", "write"])
    let ids = JSONValue.array((0..<50).map { .string("card-\($0)") })
    for (tool, arguments) in [
      ("read", ["id": "paper"]), ("get", ["collection": "diary", "id": "long"]),
      ("get", ["collection": "diary", "id": "long", "field": "text"]), ("day", [:]),
      ("get", ["collection": "documents", "id": "paper", "parts": true]), ("search", ["text": "card", "limit": 50]),
      ("list", ["collection": "projects", "limit": 100]), ("history", [:]), ("quote", ["text": "the slow river"]),
      ("call", ["method": "projects/board"]), ("call", ["method": "projects/add", "describe": true]),
      ("call", ["method": "search/query", "describe": true]), ("call", ["method": "diary/list"]),
      ("move", ["collection": "projects", "ids": ids, "place": ["state": "done"], "dryRun": true]),
      ("move", ["collection": "projects", "ids": ids, "place": ["state": "done"]]),
    ] as [(String, JSONObject)] {
      let result = try await agent.call(tool, arguments)
      #expect(result["isError"] == false, "\(tool) \(arguments): \(result)")
      // As the server estimates: four ASCII characters are a token.
      let content = result["content"]?.arrayValue?.map { block in
        block["text"]?.stringValue?.utf8.count ?? block.description.utf8.count
      }
      let bytes = (content ?? []).reduce(result["structuredContent"]?.description.utf8.count ?? 0, +)
      #expect(bytes <= 4 * 1_500 + 16, "\(tool) \(arguments): \(bytes) bytes")
    }
    let described = try await agent.call("call", ["method": "projects/add", "describe": true])
    #expect(described["structuredContent"]?["params"]?["properties"]?["title"] != nil)
    #expect(Self.text(of: described).firstRange(of: "\"properties\"") == nil)
    #expect(try await home.call("projects/list", "state=done", "includeClosed:=true")["total"] == 50)
    _ = await agent.end()
  }

  @Test("pages are counted from 1 in all answers, and the links of hits and marks lead to the page and to the mark")
  func pages() async throws {
    let home = try await CommandLineHome.forAgents()
    _ = try await home.call(
      "documents/addHighlight", "id=paper", "page=1", "lines=Sentence 12 is about the slow river.")
    let agent = try Agent(home)
    let found = try await agent.call("search", ["text": "\"Sentence 12\"", "collections": ["documents"]])
    let hit = found["structuredContent"]?["items"]?[0]
    #expect(hit?["page"] == 2 && hit?["link"] == "commonplace:/documents/paper#page=1", "\(found)")
    #expect(Self.text(of: found).contains("p. 2 <commonplace:/documents/paper#page=1>"))
    #expect(found["content"]?.arrayValue?.contains { $0["uri"] == "commonplace:/documents/paper#page=1" } == true)
    let marks = try await agent.structured("list", ["collection": "highlights", "filter": ["id": "paper"]])["items"]
    #expect(marks?.arrayValue?.map { $0["page"] } == [1, 2], "\(marks ?? .null)")
    let link = try #require(marks?[1]?["link"]?.stringValue)
    let mark = try await agent.structured("get", ["link": .string(link)])
    #expect(mark["collection"] == "highlights" && mark["id"] == marks?[1]?["id"] && mark["item"]?["page"] == 2)
    let resource = try await agent.request("resources/read", ["uri": .string(link)])["result"]?["contents"]?[0]
    #expect(resource?["text"]?.stringValue?.contains("Sentence 12 is about") == true, "\(resource ?? .null)")
    // The link of a mark is one to its document for the tool that reads documents.
    #expect(try await agent.structured("read", ["link": .string(link)])["document"]?["id"] == "paper")
    let wrong = try await agent.call("read", ["id": "paper", "from": 2, "to": 1])
    #expect(wrong["isError"] == true && wrong["_meta"]?["commonplace/error"]?["field"] == "to")
    _ = await agent.end()
  }

  @Test("what the daemon advises is said in the server's own words, what it quotes in a block of its own")
  func advice() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    let found = try await agent.call("search", ["text": "tilte:x"])
    #expect(found["structuredContent"]?["hint"]?.stringValue?.contains("title:") == true, "\(found)")
    #expect(found["content"]?[0]?["text"]?.stringValue?.contains("Did you mean") == true)
    let wrong = try await agent.call("add", ["collection": "projects", "item": ["titel": "A"]])
    let words = wrong["content"]?[0]?["text"]?.stringValue ?? ""
    #expect(words.contains("Did you mean “title”?") && words.contains("titel"), "\(words)")
    #expect(wrong["content"]?[1]?["text"]?.stringValue?.contains("Did you mean") == false)
    #expect(wrong["content"]?[1]?["_meta"]?["commonplace/untrusted"] == true)
    _ = await agent.end()
  }

  @Test("a tool says which collections have no dry run, and refuses it there")
  func withoutDryRun() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,network"])
    let tools = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    func note(_ name: String) -> String {
      let tool = tools.first { $0["name"]?.stringValue == name }
      return tool?["inputSchema"]?["properties"]?["dryRun"]?["description"]?.stringValue ?? ""
    }
    #expect(note("add").contains("Not for") && note("add").contains("sources"), "\(note("add"))")
    #expect(!note("move").contains("Not for"))
    let source: JSONValue = ["kind": "feed", "url": "http://127.0.0.1:9/feed.xml"]
    let text = try await agent.refusal("add", ["collection": "sources", "item": source, "dryRun": true])
    #expect(text.contains("has no dry run") && text.contains("nothing was done"), "\(text)")
    #expect(try await home.call("boards/sources")["total"] == 0)
    _ = await agent.end()
  }

  @Test("the bytes that a session may read are those of texts and structured content together")
  func readLimit() async throws {
    let home = try await CommandLineHome.forAgents()
    try home.configure("[agents]\nreadLimit = 1\n")
    let agent = try Agent(home)
    var bytes = 0
    var isOver = false
    for _ in 0..<2_000 where !isOver {
      let result = try await agent.call("read", ["id": "paper"])
      isOver = result["isError"] == true
      if !isOver {
        bytes +=
          (result["content"]?.description.utf8.count ?? 0) + (result["structuredContent"]?.description.utf8.count ?? 0)
      }
    }
    #expect(isOver && bytes <= 1 << 20 && bytes > 1 << 19, "\(bytes)")
    _ = await agent.end()
  }
}
