import Foundation
import TestSupport
import Testing
import Wire

@Suite("Agents: the tools", .timeLimit(.minutes(10)))
struct AgentToolTests {
  @Test("the tools are few, in a fixed order, with schemas of the fields and hints of the effects")
  func list() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,destroy"])
    let names = [
      "search", "get", "read", "list", "day", "quote", "add", "update", "move", "remove", "link", "undo", "history",
      "call",
    ]
    #expect(try await agent.tools() == names)
    #expect(try await agent.tools() == names)
    let list = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    func tool(_ name: String) -> JSONValue? { list.first { $0["name"]?.stringValue == name } }
    #expect(tool("search")?["annotations"]?["readOnlyHint"] == true)
    #expect(tool("remove")?["annotations"]?["destructiveHint"] == true)
    #expect(tool("update")?["annotations"]?["destructiveHint"] == false)
    #expect(tool("add")?["annotations"]?["openWorldHint"] == false)
    for (name, isIdempotent) in [("search", true), ("add", false), ("update", true), ("remove", true), ("undo", false)]
    {
      #expect(tool(name)?["annotations"]?["idempotentHint"] == .bool(isIdempotent), "\(name)")
    }
    let schema = try MCPSchema()
    for tool in list {
      #expect(schema.problems(of: tool, as: "Tool") == [] && tool["outputSchema"]?["properties"] != nil)
    }
    let items = tool("add")?["inputSchema"]?["properties"]?["item"]?["anyOf"]?.arrayValue ?? []
    let card = try #require(items.first { $0["title"] == "projects" })
    #expect(card["properties"]?["title"] != nil && card["properties"]?["priority"]?["maximum"] == 9)
    #expect(items.first { $0["title"] == "cardBoards" }?["required"] == ["title"])
    #expect(items.contains { $0["title"] == "diary" } && !items.contains { $0["title"] == "documents" })
    // What a model has to read before it can begin.
    let size = JSONValue.array(list).description.utf8.count
    #expect(size < 150_000, "\(size) bytes")
    _ = await agent.end()
    let online = try Agent(home, ["--allow", "network"])
    let tools = try await online.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    let open = tools.filter { $0["annotations"]?["openWorldHint"] == true }
    #expect(open.map { $0["name"] } == ["call"])
    _ = await online.end()
  }

  @Test("a dry run of every tool that writes says what would change, and changes nothing")
  func dryRuns() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,destroy"])
    _ = try await agent.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "A"]])
    let clock = try await home.call("session/sync")["clock"]
    let tools = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    let calls: [(String, JSONObject, changed: JSONValue)] = [
      ("add", ["collection": "projects", "item": ["title": "Buy seeds", "id": "seeds"]], "seeds"),
      ("update", ["collection": "diary", "id": "walk", "changes": ["text": "A long walk."]], "walk"),
      ("move", ["collection": "projects", "ids": ["plants"], "place": ["state": "done"]], "plants"),
      ("remove", ["collection": "projects", "ids": ["plants"]], "plants"),
      ("link", ["collection": "diary", "id": "walk", "to": "commonplace:/documents/paper"], "walk"),
      ("undo", [:], "book"),
      ("call", ["method": "projects/update", "params": ["id": "plants", "title": "B"]], "plants"),
    ]
    #expect(
      calls.map { $0.0 }
        == tools.filter { $0["inputSchema"]?["properties"]?["dryRun"] != nil }.compactMap { $0["name"]?.stringValue })
    for (name, arguments, changed) in calls {
      var arguments = arguments
      arguments["dryRun"] = true
      let answer = try await agent.structured(name, arguments)
      #expect(answer["dryRun"]?["changes"]?.arrayValue?.contains { $0["id"] == changed } == true, "\(name): \(answer)")
      let schema = tools.first { $0["name"]?.stringValue == name }?["outputSchema"]
      #expect(try MCPSchema().problems(of: answer, schema: schema) == [], "\(name)")
    }
    #expect(try await home.call("session/sync")["clock"] == clock)
    _ = await agent.end()
  }

  @Test("the daemon's progress of a call is reported under the token of the request, ever larger, before the answer")
  func progress() async throws {
    let home = try await CommandLineHome.forAgents()
    let papers = home.work + "/papers"
    try FileManager.default.createDirectory(atPath: papers, withIntermediateDirectories: true)
    for number in 1...4 {
      try Data(SamplePDF(pages: [.init(["number \(number)"])]).bytes).write(
        to: URL(filePath: "\(papers)/\(number).pdf"))
    }
    let agent = try Agent(home, ["--allow", "write,destroy,files", "--files", papers])
    let call: JSONObject = ["method": "documents/addFiles", "params": ["paths": [.string(papers)]]]
    let answer = try await agent.request(
      "tools/call", ["name": "call", "arguments": .object(call)],
      meta: Agent.meta("2026-07-28", ["progressToken": "adding"]))
    #expect(answer["result"]?["structuredContent"]?["result"]?["added"] == 4, "\(answer)")
    let reports = await agent.notifications
    let schema = try MCPSchema()
    for report in reports { #expect(schema.problems(of: report, as: "ProgressNotification") == [], "\(report)") }
    #expect(!reports.isEmpty && reports.allSatisfy { $0["params"]?["progressToken"] == "adding" })
    let values = reports.compactMap { $0["params"]?["progress"]?.doubleValue }
    #expect(values == values.sorted() && Set(values).count == reports.count, "\(values)")
    // Without a token nothing is reported.
    _ = try await agent.structured("call", call)
    #expect(await agent.notifications.count == reports.count)
    _ = await agent.end()
  }

  /// One after the other in one library: those that only read come first, and none changes what a later one asks for.
  private static let examples: [(tool: String, arguments: JSONObject, member: String, value: JSONValue?)] = [
    ("search", ["text": "river", "limit": 3], "untrusted", true),
    ("get", ["collection": "diary", "id": "walk"], "id", "walk"),
    ("get", ["link": "commonplace:/documents/paper", "parts": true], "collection", "documents"),
    ("get", ["title": "Return the book"], "id", "book"), ("read", ["title": "Rivers", "from": 2], "untrusted", true),
    ("list", ["collection": "projects", "filter": ["tag": "errands"]], "total", 1), ("day", [:], "untrusted", true),
    ("quote", ["text": "A paper about rivers"], "untrusted", true),
    ("history", ["collection": "diary", "id": "walk"], "untrusted", true),
    ("call", ["method": "documents/pages", "params": ["id": "paper"]], "untrusted", true),
    ("call", ["method": "projects/add", "describe": true], "untrusted", nil),
    (
      "add", ["collection": "projects", "item": ["title": "Buy seeds"], "reason": "As the user asked."], "untrusted",
      true
    ),
    ("update", ["collection": "diary", "id": "walk", "changes": ["text": "A long walk."]], "untrusted", true),
    ("move", ["collection": "projects", "ids": ["book"], "place": ["state": "done"]], "untrusted", true),
    ("link", ["collection": "diary", "id": "walk", "to": "commonplace:/documents/paper"], "untrusted", true),
    ("remove", ["collection": "projects", "ids": ["book", "plants"]], "untrusted", true),
  ]

  @Test("each tool does what its example asks, and its answer has the form that it declares")
  func examples() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,destroy"])
    let list = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    for (tool, arguments, member, value) in Self.examples {
      let answer = try await agent.structured(tool, arguments)
      #expect(answer[member] == value, "\(tool): \(answer)")
      let schema = list.first { $0["name"]?.stringValue == tool }?["outputSchema"]
      #expect(try MCPSchema().problems(of: answer, schema: schema) == [], "\(tool)")
    }
    _ = await agent.end()
  }

  @Test("the answer of each tool to each collection, and of `call` to each method, has the form that the tool declares")
  func everyAnswer() async throws {
    let home = try await CommandLineHome.forAgents()
    try home.configure("[agents]\ncommitsPerMinute = 6000\nreadLimit = 65536\n[network]\noffline = true\n")
    _ = try await home.run(["stop"])
    let agent = try Agent(home, ["--allow", "write,destroy,network,files", "--files", home.work])
    let tools = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    let schema = try MCPSchema()
    var valid: Set<String> = []
    func check(_ tool: String, _ arguments: JSONObject) async throws -> JSONValue? {
      let answer = try await agent.call(tool, arguments)
      guard let structured = answer["structuredContent"] else { return nil }
      let form = tools.first { $0["name"]?.stringValue == tool }?["outputSchema"]
      #expect(schema.problems(of: structured, schema: form) == [], "\(tool) \(arguments)")
      valid.insert(tool)
      return structured
    }
    let input = tools.first { $0["name"] == "list" }?["inputSchema"]
    let collections = input?["properties"]?["collection"]?["enum"]?.arrayValue ?? []
    #expect(collections.count > 15)
    for collection in collections {
      let list = try await check("list", ["collection": collection, "limit": 3])
      for item in list?["items"]?.arrayValue ?? [] {
        _ = try await check("get", ["collection": collection, "id": item["id"] ?? "", "parts": true])
        _ = try await check("history", ["collection": collection, "id": item["id"] ?? ""])
      }
    }
    _ = try await check("search", ["text": "river"])
    _ = try await check("read", ["id": "paper"])
    _ = try await check("day", [:])
    _ = try await check("quote", ["text": "A paper about rivers."])
    _ = try await check("history", ["all": true])
    // Those that only have a number by this name, and those that change nothing.
    for (method, params) in [
      ("projects/refreshCalendars", [:]), ("boards/applyRules", [:]),
      ("diary/update", ["id": "walk", "text": "A walk along the river."]),
    ] as [(String, JSONObject)] {
      let answer = try await check("call", ["method": .string(method), "params": .object(params)])
      #expect(answer != nil, "\(method)")
    }
    let refreshed = try await agent.structured("call", ["method": "projects/refreshCalendars"])
    #expect(refreshed["result"]?["changed"] == 0 && refreshed["changed"] == nil, "\(refreshed)")
    for row in try await home.call("rpc.discover")["methods"]?.arrayValue ?? [] {
      var params: JSONObject = [:]
      for param in row["examples"]?[0]?["params"]?.arrayValue ?? [] {
        guard let name = param["name"]?.stringValue, let value = param["value"] else { continue }
        params[name] =
          switch name {
          case "id": "book"
          case "path": .string(home.work + "/none/at/all")
          case "paths": .array([.string(home.work + "/none")])
          default: value
          }
      }
      var call: JSONObject = ["method": row["name"] ?? "", "params": .object(params)]
      if row["x-kind"] == "write" || row["x-dryRun"] == true { call["dryRun"] = true }
      _ = try await check("call", call)
    }
    #expect(valid == ["list", "get", "history", "search", "read", "day", "quote", "call"])
    _ = await agent.end()
  }

  @Test(
    "the output schemas of search, list and history name the members of hits, items and commits, which answers have")
  func outputSchemas() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    _ = try await agent.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "River"]])
    let tools = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
    func schema(of tool: String) throws -> JSONValue {
      try #require(tools.first { $0["name"]?.stringValue == tool }?["outputSchema"])
    }
    func item(_ tool: String, _ title: String?) throws -> JSONValue {
      let items = try #require(try schema(of: tool)["properties"]?["items"]?["items"])
      guard let title else { return items }
      return try #require(items["anyOf"]?.arrayValue?.first { $0["title"]?.stringValue == title }, "\(tool), \(title)")
    }
    for (tool, title, names) in [
      ("search", nil, ["collection", "id", "snippet", "page", "link"]),
      ("list", "projects", ["title", "deadline", "state"]),
      ("list", "documents", ["pageCount", "tags"]), ("list", "posts", ["writer", "preview"]),
      ("history", "commit", ["clock", "client", "label", "reason"]), ("history", "version", ["clock", "kind"]),
    ] as [(String, String?, [String])] {
      let properties = try item(tool, title)["properties"]
      for name in names { #expect(properties?[name] != nil, "\(tool) \(title ?? ""): \(name)") }
    }
    #expect(try item("search", nil)["properties"]?["quads"] == nil)
    for (tool, arguments) in [
      ("search", ["text": "river"]), ("search", ["text": "tag:errands"]), ("list", ["collection": "projects"]),
      ("list", ["collection": "documents"]), ("list", ["collection": "diary"]), ("list", ["collection": "cardBoards"]),
      ("list", ["collection": "sources"]), ("history", [:]), ("history", ["all": true]),
      ("history", ["collection": "projects", "id": "book"]),
    ] as [(String, JSONObject)] {
      let answer = try await agent.structured(tool, arguments)
      #expect(try MCPSchema().problems(of: answer, schema: schema(of: tool)) == [], "\(tool) \(arguments)")
    }
    _ = await agent.end()
  }

  @Test(
    "methods that only read before their transaction have a dry run: a book for the shelf, the marks of a file, and adopting"
  )
  func rehearsed() async throws {
    let home = try await CommandLineHome.forAgents()
    var marked = SamplePDF(pages: [.init(["A paper about rivers."]), .init(["Another page."])])
    marked.objects = [
      "<</Type/Annot/Subtype/Highlight/Rect[10 10 90 30]/QuadPoints[10 30 90 30 10 10 90 10]/Contents(Look)>>"
    ]
    marked.pages[0].entries = "/Annots[20 0 R]"
    marked.identifier = "0b"
    try Data(marked.bytes).write(to: URL(filePath: home.work + "/marked.pdf"))
    _ = try await home.call("documents/add", "path=marked.pdf", "id=marked")
    let agent = try Agent(home, ["--allow", "write,network"])
    let clock = try await home.call("session/sync")["clock"]
    for (tool, arguments, collection) in [
      ("add", ["collection": "books", "item": ["byHand": ["title": "Rivers"]]], "books"),
      ("call", ["method": "documents/importMarks", "params": ["id": "marked"]], "highlights"),
      ("call", ["method": "documents/adopt", "params": ["id": "marked", "from": "paper"]], "highlights"),
    ] as [(String, JSONObject, JSONValue)] {
      var arguments = arguments
      arguments["dryRun"] = true
      let answer = try await agent.structured(tool, arguments)
      let changes = answer["dryRun"]?["changes"]?.arrayValue ?? []
      #expect(changes.contains { $0["collection"] == collection }, "\(arguments): \(answer)")
    }
    #expect(try await home.call("books/shelf")["total"] == 0)
    #expect(try await home.call("documents/highlights", "id=marked")["total"] == 0)
    #expect(try await home.call("documents/highlights", "id=paper")["total"] == 1)
    #expect(try await home.call("changes/log")["items"]?[0]?["clock"]?.integerValue ?? 0 <= clock?.integerValue ?? 0)
    // What a document keeps of its file is written before its transaction.
    let refused = try await agent.refusal(
      "call", ["method": "boards/addSource", "params": ["kind": "feed", "url": "http://127.0.0.1:1/"], "dryRun": true])
    #expect(refused.contains("has no dry run"))
    _ = await agent.end()
  }

  @Test("what a tool finds is there: pages with numbers and links, places of a passage, parts, the linked item")
  func contents() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    let pages = try await agent.structured("read", ["id": "paper"])
    #expect(pages["pages"]?.arrayValue?.map { $0["page"] } == [1, 2] && pages["next"] == nil)
    #expect(pages["pages"]?[1]?["link"] == "commonplace:/documents/paper#page=1")
    #expect(pages["pages"]?[0]?["text"]?.stringValue?.contains("A paper about rivers.") == true)
    let place = try await agent.structured("quote", ["text": "Sentence 12 is about the slow river."])
    #expect(place["items"]?[0]?["page"] == 2 && place["items"]?[0]?["document"] == "paper")
    let parts = try await agent.structured("get", ["collection": "documents", "id": "paper", "parts": true])
    #expect(parts["parts"]?["highlights"]?["total"] == 1)
    #expect(parts["item"]?["file"] == nil && parts["item"]?["origins"] == [])
    _ = try await agent.structured("link", ["collection": "diary", "id": "walk", "to": "commonplace:/documents/paper"])
    let again = try await agent.structured(
      "link", ["collection": "diary", "id": "walk", "to": "commonplace:/documents/paper"])
    #expect(again["changed"] == false)
    let entry = try await agent.structured("get", ["collection": "diary", "id": "walk"])
    #expect(entry["item"]?["text"] == "A walk along the river.\ncommonplace:/documents/paper")
    // The title of a recurring card means the open one.
    let item: JSONValue = ["title": "Water the figs", "id": "figs", "recurrence": ["rule": "FREQ=DAILY"]]
    _ = try await agent.structured("add", ["collection": "projects", "item": item])
    let done = try await home.call("projects/move", "id=figs", "state=done")
    let next = try await agent.structured("get", ["title": "Water the figs"])
    #expect(next["id"] == done["nextCard"] && done["nextCard"] != nil, "\(next)")
    _ = await agent.end()
  }

  @Test("wrong arguments are an error that names the argument and how to repair it")
  func wrongArguments() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    for (tool, arguments, words) in [
      ("search", ["txt": "a"], ["txt", "text"]), ("search", [:], ["text", "required"]),
      ("search", ["text": "a", "limit": 0], ["limit", "1", "50"]), ("search", ["text": 1], ["text", "string"]),
      ("get", [:], ["id", "link", "title"]), ("get", ["title": "No such thing"], ["search"]),
      ("get", ["collection": "diaries", "id": "a"], ["diaries", "diary"]),
      ("read", ["id": "paper", "from": 9], ["from", "2"]), ("read", ["link": "commonplace:/diary/walk"], ["get"]),
      ("list", ["collection": "projects", "filter": ["stat": "done"]], ["stat", "state"]),
      ("list", ["collection": "projects", "filter": ["limit": 5]], ["filter.limit"]),
      ("add", ["collection": "projects", "item": ["titel": "A"]], ["titel", "title"]),
      ("add", ["collection": "projects", "item": [:]], ["title"]),
      ("update", ["collection": "projects", "id": "none", "changes": ["title": "A"]], ["none"]),
      ("move", ["collection": "diary", "ids": ["walk"], "place": [:]], ["diary"]),
      ("call", ["method": "projects/ad"], ["projects/add"]),
      (
        "call", ["method": "documents/text", "params": ["id": "paper", "page": 0, "password": "x"]],
        ["password", "secret"]
      ),
    ] as [(String, JSONObject, [String])] {
      let text = try await agent.refusal(tool, arguments)
      for word in words { #expect(text.contains(word), "\(tool) \(arguments): \(text)") }
    }
    _ = await agent.end()
  }

  @Test("an answer over the budget is cut at a sentence, and what follows is the rest")
  func budget() async throws {
    let home = try await CommandLineHome.forAgents()
    try home.configure("[agents]\nanswerTokens = 500\n")
    let lines = (1...200).map { "Sentence \($0) is about the slow river." }
    let paper = SamplePDF(pages: [.init(["Rivers."]), .init(lines, height: 6_200, origin: (72, 6_100))])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/long.pdf"))
    _ = try await home.call("documents/add", "path=long.pdf", "title=Long", "id=long")
    let agent = try Agent(home)
    var text = ""
    var arguments: JSONObject = ["id": "long"]
    var count = 0
    while true {
      let part = try await agent.structured("read", arguments)
      let pages = part["pages"]?.arrayValue ?? []
      for page in pages {
        let piece = page["text"]?.stringValue ?? ""
        if page["cut"] == true { #expect(piece.hasSuffix(".") || piece.hasSuffix("\n"), "…\(piece.suffix(20))") }
        text += piece
      }
      count += 1
      guard let next = part["next"], count < 50 else { break }
      arguments["next"] = next
    }
    let first = try await home.call("documents/text", "id=long", "page=0")["text"]?.stringValue ?? ""
    let second = try await home.call("documents/text", "id=long", "page=1")["text"]?.stringValue ?? ""
    #expect(text == first + second && count > 2)
    let long = (1...200).map { "Sentence \($0) of the diary." }.joined(separator: " ")
    _ = try await home.call("diary/add", "text=\(long)", "id=long")
    let entry = try await agent.structured("get", ["collection": "diary", "id": "long"])
    let cut = try #require(entry["cut"]?.arrayValue?.first { $0["field"] == "text" })
    var read = entry["item"]?["text"]?.stringValue ?? ""
    #expect(read.hasSuffix(".") && cut["length"]?.integerValue == Int64(long.count))
    var from = cut["next"]
    while let start = from {
      let part = try await agent.structured(
        "get", ["collection": "diary", "id": "long", "field": "text", "from": start])
      read += part["text"]?.stringValue ?? ""
      from = part["next"]
    }
    #expect(read == long)
    // A list goes on where its items stopped fitting.
    for number in 1...30 {
      _ = try await home.call("projects/add", "title=Card number \(number) of many", "id=c\(number)")
    }
    var ids: [JSONValue] = []
    var list: JSONObject = ["collection": "projects", "limit": 30]
    repeat {
      let part = try await agent.structured("list", list)
      ids += part["items"]?.arrayValue?.compactMap { $0["id"] } ?? []
      list["next"] = part["next"]
    } while list["next"] != nil
    #expect(ids.count == 32 && Set(ids.compactMap(\.stringValue)).count == 32)
    _ = await agent.end()
  }
}
