import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Agents: the Model Context Protocol", .timeLimit(.minutes(10)))
struct AgentProtocolTests {
  @Test("every message of the server is valid by the schema of the specification")
  func schema() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    let schema = try MCPSchema()
    let requests: [(String, JSONObject, String)] = [
      ("server/discover", [:], "DiscoverResult"), ("tools/list", [:], "ListToolsResult"),
      ("tools/call", ["name": "search", "arguments": ["text": "river"]], "CallToolResult"),
      ("tools/call", ["name": "search", "arguments": [:]], "CallToolResult"),
      ("resources/list", [:], "ListResourcesResult"),
      ("resources/templates/list", [:], "ListResourceTemplatesResult"),
      ("resources/read", ["uri": "commonplace:/diary/walk"], "ReadResourceResult"),
      ("resources/read", ["uri": "commonplace:/documents/paper#page=1"], "ReadResourceResult"),
      ("resources/read", ["uri": "commonplace:/documents/paper/picture?page=0"], "ReadResourceResult"),
      ("prompts/list", [:], "ListPromptsResult"),
      ("prompts/get", ["name": "summarize-document", "arguments": ["document": "Rivers"]], "GetPromptResult"),
      ("prompts/get", ["name": "weekly-review", "arguments": ["week": "last week"]], "GetPromptResult"),
      (
        "prompts/get", ["name": "plan-from-notes", "arguments": ["tag": "errands", "week": "last week"]],
        "GetPromptResult"
      ),
      ("prompts/get", ["name": "triage-unread", "arguments": ["board": "News"]], "GetPromptResult"),
      (
        "completion/complete",
        [
          "ref": ["type": "ref/prompt", "name": "summarize-document"],
          "argument": ["name": "document", "value": "riv"],
        ], "CompleteResult"
      ),
    ]
    for (method, params, definition) in requests {
      let message = try await agent.request(method, params)
      #expect(schema.problems(of: message, as: "JSONRPCResultResponse") == [], "\(method)")
      #expect(schema.problems(of: message["result"], as: definition) == [], "\(method)")
      #expect(message["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "commonplace")
      let isCacheable = method != "tools/call" && method != "prompts/get" && method != "completion/complete"
      #expect((message["result"]?["ttlMs"] != nil) == isCacheable, "\(method)")
      #expect((message["result"]?["cacheScope"] != nil) == isCacheable, "\(method)")
      // A prompt is about what its arguments name.
      for argument in params["arguments"]?.objectValue?.members ?? [] where method == "prompts/get" {
        let text = message["result"]?["messages"]?[0]?["content"]?["text"]?.stringValue
        #expect(text?.contains(argument.value.stringValue ?? "") == true, "\(params)")
      }
    }
    let picture = try await agent.request("resources/read", ["uri": "commonplace:/documents/paper/picture?page=0"])
    #expect(picture["result"]?["contents"]?[0]?["blob"]?.stringValue?.hasPrefix("iVBORw0KGgo") == true)
    _ = await agent.end()
  }

  @Test(
    "a request with an unknown version, without metadata, or of an unknown method is refused as the specification says")
  func refusals() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let agent = try Agent(home)
    let schema = try MCPSchema()
    let unknown = try await agent.request("tools/list", meta: Agent.meta("1900-01-01"))
    #expect(unknown["error"]?["code"] == -32_022)
    #expect(unknown["error"]?["data"]?["supported"] == ["2026-07-28", "2025-11-25"])
    #expect(unknown["error"]?["data"]?["requested"] == "1900-01-01")
    #expect(schema.problems(of: unknown, as: "UnsupportedProtocolVersionError") == [])
    #expect(try await agent.request("tools/list", meta: nil)["error"]?["code"] == -32_602)
    let bare: JSONValue = ["io.modelcontextprotocol/protocolVersion": "2026-07-28"]
    #expect(try await agent.request("tools/list", meta: bare)["error"]?["code"] == -32_602)
    let level = Agent.meta("2026-07-28", ["io.modelcontextprotocol/logLevel": "loud"])
    #expect(try await agent.request("tools/list", meta: level)["error"]?["code"] == -32_602)
    #expect(try await agent.request("tools/lists")["error"]?["code"] == -32_601)
    #expect(try await agent.request("ping")["error"]?["code"] == -32_601)
    #expect(try await agent.request("tools/list", ["cursor": "x"])["error"]?["code"] == -32_602)
    #expect(try await agent.request("resources/list", ["cursor": "x"])["error"]?["code"] == -32_602)
    #expect(try await agent.request("resources/list", ["cursor": 5])["error"]?["code"] == -32_602)
    let called = try await agent.request("tools/call", ["name": "search", "arguments": "text"])
    #expect(called["error"]?["code"] == -32_602)
    for wanted in [
      ["resourceSubscriptions": "commonplace:/diary/walk"], ["resourceSubscriptions": [1]],
      ["resourcesListChanged": "yes"],
    ] as [JSONObject] {
      let listened = try await agent.request("subscriptions/listen", ["notifications": .object(wanted)])
      #expect(listened["error"]?["code"] == -32_602, "\(wanted)")
    }
    let nameless = Agent.meta("2026-07-28", ["io.modelcontextprotocol/clientInfo": ["name": "a"]])
    #expect(try await agent.request("tools/list", meta: nameless)["error"]?["code"] == -32_602)
    #expect(try await agent.request("resources/read", ["uri": "commonplace:/diary/x"])["error"]?["code"] == -32_602)
    #expect(try await agent.request("resources/read", ["uri": "file:///etc/passwd"])["error"]?["code"] == -32_602)
    let tool = try await agent.request("tools/call", ["name": "serch"])
    #expect(tool["error"]?["code"] == -32_602)
    #expect(tool["error"]?["message"]?.stringValue?.contains("search") == true)
    #expect(try await agent.request("prompts/get", ["name": "weekly"])["error"]?["code"] == -32_602)
    #expect(try await agent.request("prompts/get", ["name": "summarize-document"])["error"]?["code"] == -32_602)
    for line in [
      "{", "[]", #"[{"jsonrpc":"2.0","id":1,"method":"ping"}]"#, #"{"jsonrpc":"2.0","id":null,"method":"a"}"#,
    ] {
      agent.process.write(line + "\n")
      let message = try #require(try await agent.message())
      #expect(message["id"] == nil && message["error"]?["code"]?.integerValue != nil, "\(line)")
      #expect(schema.problems(of: message, as: "JSONRPCErrorResponse") == [], "\(line)")
    }
    // What is no request is not answered, and an id is answered as it was sent.
    let count = await agent.messages.count
    for line in [
      #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"never"}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#, #"{"jsonrpc":"2.0","id":77,"result":{}}"#,
    ] { agent.process.write(line + "\n") }
    agent.send(["jsonrpc": "2.0", "id": "a", "method": "prompts/list", "params": ["_meta": Agent.meta()]])
    let named = try #require(try await agent.message())
    #expect(named["id"] == "a" && named["result"]?["resultType"] == "complete")
    #expect(await agent.messages.count == count + 1)
    let tokened = Agent.meta("2026-07-28", ["progressToken": 1.5])
    #expect(try await agent.request("prompts/list", meta: tokened)["error"]?["code"] == -32_602)
    // Nothing of it was written.
    #expect(try await home.call("changes/log")["total"] == 0)
    _ = await agent.end()
  }

  @Test("a line that is too long is refused, and the server ends")
  func longLine() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let agent = try Agent(home)
    let part = String(repeating: "a", count: 1 << 20)
    agent.process.write(#"{"jsonrpc":"2.0","id":1,"method":""#)
    for _ in 0..<5 { agent.process.write(part) }
    let message = try #require(try await agent.message())
    #expect(message["error"]?["code"] == -32_600)
    #expect(await agent.end().status == 0)
    #expect(home.owner == nil)
  }

  @Test("a client of the earlier revision begins with initialize, and is answered in its form")
  func legacy() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home)
    let hello: JSONObject = [
      "protocolVersion": "2025-11-25", "capabilities": [:], "clientInfo": ["name": "old", "version": "1"],
    ]
    let greeted = try await agent.request("initialize", hello, meta: nil)
    #expect(greeted["result"]?["protocolVersion"] == "2025-11-25")
    #expect(greeted["result"]?["resultType"] == nil && greeted["result"]?["serverInfo"]?["name"] == "commonplace")
    var older = hello
    older["protocolVersion"] = "2024-11-05"
    #expect(try await agent.request("initialize", older, meta: nil)["result"]?["protocolVersion"] == "2025-11-25")
    agent.send(["jsonrpc": "2.0", "method": "notifications/initialized"])
    #expect(try await agent.request("ping", meta: nil)["result"] == [:])
    let list = try await agent.request("tools/list", meta: nil)
    #expect(list["result"]?["resultType"] == nil && list["result"]?["tools"]?[0]?["name"] == "search")
    let params: JSONObject = ["name": "search", "arguments": ["text": "river"]]
    #expect(try await agent.request("tools/call", params, meta: nil)["result"]?["structuredContent"]?["total"] != 0)
    _ = try await agent.request("resources/subscribe", ["uri": "commonplace:/projects/book"], meta: nil)
    _ = try await home.call("projects/update", "id=book", "title=Return both books")
    let changed = try #require(try await agent.message())
    #expect(changed["method"] == "notifications/resources/updated")
    #expect(changed["params"] == ["uri": "commonplace:/projects/book"])
    // The list of resources that the client has read.
    _ = try await agent.request("resources/list", meta: nil)
    _ = try await home.call("projects/add", "title=New", "id=new")
    let added = try #require(try await agent.message())
    #expect(added["method"] == "notifications/resources/list_changed" && added["params"]?["_meta"] == nil)
    let gone = try await agent.request("resources/read", ["uri": "commonplace:/diary/none"], meta: nil)
    #expect(gone["error"]?["code"] == -32_002)
    // Hints of caching are of the other revision.
    let resources = try await agent.request("resources/list", meta: nil)["result"]
    #expect(resources?["ttlMs"] == nil && resources?["cacheScope"] == nil && resources?["resources"] != nil)
    let listen: JSONObject = ["notifications": ["resourcesListChanged": true]]
    #expect(try await agent.request("subscriptions/listen", listen, meta: nil)["error"]?["code"] == -32_601)
    // Both revisions at once.
    #expect(try await agent.request("tools/list")["result"]?["resultType"] == "complete")
    _ = await agent.end()
  }

  @Test("sixteen subscriptions are open at once, and another one takes the place of one that has ended")
  func mostSubscriptions() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home)
    let wanted: JSONObject = ["notifications": ["resourceSubscriptions": ["commonplace:/projects/book"]]]
    func listen() async throws -> (id: JSONValue, answer: JSONValue) {
      (await agent.sendRequest("subscriptions/listen", wanted), try #require(try await agent.message()))
    }
    let first = try await listen()
    for _ in 0..<15 {
      #expect(try await listen().answer["method"] == "notifications/subscriptions/acknowledged")
    }
    let refused = try await listen().answer
    #expect(refused["error"]?["code"] == -32_602)
    #expect(refused["error"]?["message"]?.stringValue?.contains("16 subscriptions") == true, "\(refused)")
    agent.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": first.id]])
    // Answered after the cancellation has been read.
    _ = try await agent.request("prompts/list")
    #expect(try await listen().answer["method"] == "notifications/subscriptions/acknowledged")
    _ = await agent.end()
  }

  @Test("a subscription is acknowledged first, notifies of its resources alone, and ends with an answer")
  func subscriptions() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home)
    let schema = try MCPSchema()
    let wanted: JSONObject = [
      "notifications": [
        "resourceSubscriptions": ["commonplace:/projects/book", "file:///etc/passwd"], "resourcesListChanged": true,
        "toolsListChanged": true,
      ]
    ]
    let id = await agent.sendRequest("subscriptions/listen", wanted)
    let acknowledged = try #require(try await agent.message())
    #expect(acknowledged["method"] == "notifications/subscriptions/acknowledged")
    #expect(schema.problems(of: acknowledged, as: "SubscriptionsAcknowledgedNotification") == [])
    #expect(
      acknowledged["params"]?["notifications"]
        == ["resourcesListChanged": true, "resourceSubscriptions": ["commonplace:/projects/book"]])
    // The id of an open stream is in use.
    agent.send([
      "jsonrpc": "2.0", "id": id, "method": "prompts/list", "params": ["_meta": Agent.meta()],
    ])
    #expect(try await agent.message()?["error"]?["code"] == -32_600)
    let other = await agent.sendRequest(
      "subscriptions/listen", ["notifications": ["resourceSubscriptions": ["commonplace:/projects/plants"]]])
    _ = try await agent.message()
    _ = try await home.call("projects/update", "id=book", "title=Return both books")
    let changed = try #require(try await agent.message())
    #expect(changed["params"]?["uri"] == "commonplace:/projects/book")
    #expect(changed["params"]?["_meta"]?["io.modelcontextprotocol/subscriptionId"] == id)
    #expect(schema.problems(of: changed, as: "ResourceUpdatedNotification") == [])
    agent.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": other]])
    // Answered after the cancellation has been read.
    _ = try await agent.request("prompts/list")
    _ = try await home.call("projects/update", "id=plants", "title=Water all plants")
    _ = try await home.call("projects/add", "title=New", "id=new")
    let added = try #require(try await agent.message())
    #expect(added["method"] == "notifications/resources/list_changed")
    agent.process.closeInput()
    let last = try #require(try await agent.message())
    #expect(last["id"] == id && schema.problems(of: last["result"], as: "SubscriptionsListenResult") == [])
    #expect(last["result"]?["_meta"]?["io.modelcontextprotocol/serverInfo"]?["name"] == "commonplace")
    #expect(try await agent.message() == nil)
  }

  @Test("lists without a limit are listed too, and an item that is not there is not found")
  func lists() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home)
    let boards = try await agent.structured("list", ["collection": "cardBoards", "limit": 1])
    #expect(boards["items"]?.arrayValue?.count == 1)
    let page = try await agent.request("resources/list")["result"]
    #expect(page?["resources"]?.arrayValue?.isEmpty == false)
    _ = try await home.call("diary/remove", "id=walk")
    let gone = try await agent.request("resources/read", ["uri": "commonplace:/diary/walk"])
    #expect(gone["error"]?["code"] == -32_602)
    _ = await agent.end()
  }

  @Test("a cancelled request is not answered, and a cancelled subscription never opens")
  func cancellation() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    // The first needs the daemon, which the server has not joined yet, so that the cancellation precedes the answer.
    let id = await agent.sendRequest(
      "subscriptions/listen", ["notifications": ["resourceSubscriptions": ["commonplace:/projects/book"]]])
    agent.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id]])
    _ = try await agent.structured("list", ["collection": "projects"])
    _ = try await agent.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "A"]])
    agent.process.closeInput()
    while try await agent.message() != nil {}
    let messages = await agent.messages
    #expect(!messages.contains { $0["id"] == id || $0["method"] == "notifications/resources/updated" })
  }

  @Test("a running tool that is cancelled ends in the daemon, too: nothing is answered, and nothing comes of it")
  func cancelledTool() async throws {
    let home = try await CommandLineHome.forAgents()
    let (arrived, gone) = (ServerGate(), ServerGate())
    let server = try ScriptedServer { _ in ServerReply([.open(arrived), .waitForPeerToClose(gone)]) }
    let agent = try Agent(home, ["--allow", "write,network,files", "--files", home.work])
    let params: JSONValue = ["url": .string("\(server.origin)/slow.pdf"), "id": "slow"]
    let id = await agent.sendRequest(
      "tools/call", ["name": "call", "arguments": ["method": "documents/add", "params": params]])
    await arrived.opened()
    agent.send(["jsonrpc": "2.0", "method": "notifications/cancelled", "params": ["requestId": id]])
    // The daemon has given up its request.
    await gone.opened()
    // A change waits for the one before it, which has ended.
    _ = try await agent.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "A"]])
    #expect(try await agent.structured("history")["total"] == 1)
    #expect(try await home.call("documents/list")["total"] == 1)
    agent.process.closeInput()
    while try await agent.message() != nil {}
    #expect(await !agent.messages.contains { $0["id"] == id })
    server.stop()
  }

  @Test("resources are listed to their end, and prompts and templates complete their arguments")
  func resources() async throws {
    let home = try await CommandLineHome.forAgents()
    // More than a page.
    let cards = (1...260).map { "{\"title\":\"Card \($0)\",\"id\":\"card-\($0)\"}" }.joined(separator: "\n")
    #expect(try await home.run(["call", "projects/add", "--lines"], input: cards).status == 0)
    let agent = try Agent(home, ["--collections", "documents,projects"])
    var uris: [String] = []
    var cursor: JSONValue?
    var pages = 0
    repeat {
      var params: JSONObject = [:]
      params["cursor"] = cursor
      let page = try await agent.request("resources/list", params)["result"]
      uris += page?["resources"]?.arrayValue?.compactMap { $0["uri"]?.stringValue } ?? []
      cursor = page?["nextCursor"]
      pages += 1
    } while cursor != nil
    let expected = ["documents/paper", "projects/book", "projects/plants"] + (1...260).map { "projects/card-\($0)" }
    #expect(uris.sorted() == expected.map { "commonplace:/\($0)" }.sorted() && pages >= 3, "\(pages)")
    #expect(try await agent.request("resources/read", ["uri": "commonplace:/diary/walk"])["error"] != nil)
    func values(_ ref: JSONValue, _ name: String, _ value: String, _ known: JSONValue = [:]) async throws -> JSONValue?
    {
      let params: JSONObject = [
        "ref": ref, "argument": ["name": .string(name), "value": .string(value)], "context": ["arguments": known],
      ]
      return try await agent.request("completion/complete", params)["result"]?["completion"]?["values"]
    }
    let item: JSONValue = ["type": "ref/resource", "uri": "commonplace:/{collection}/{id}"]
    #expect(try await values(item, "collection", "p") == ["projects"])
    #expect(try await values(item, "id", "bo", ["collection": "projects"]) == ["book"])
    // Those behind the first page of the list, too, by id and by title.
    for text in ["card-259", "Card 259"] {
      #expect(try await values(item, "id", text, ["collection": "projects"]) == ["card-259"], "\(text)")
    }
    // Of more than a client may get at once the number is not known.
    let many = try await agent.request(
      "completion/complete",
      [
        "ref": item, "argument": ["name": "id", "value": "Card"],
        "context": ["arguments": ["collection": "projects"]],
      ])["result"]?["completion"]
    #expect(many?["values"]?.arrayValue?.count == 100 && many?["hasMore"] == true && many?["total"] == nil)
    let page: JSONValue = ["type": "ref/resource", "uri": "commonplace:/documents/{id}#page={page}"]
    #expect(try await values(page, "page", "", ["id": "paper"]) == ["0", "1"])
    #expect(try await values(["type": "ref/prompt", "name": "plan-from-notes"], "tag", "er") == ["errands"])
    #expect(
      try await values(["type": "ref/prompt", "name": "weekly-review"], "week", "") == ["this week", "last week"])
    #expect(
      try await values(["type": "ref/prompt", "name": "summarize-document"], "document", "riv") == ["Rivers"])
    // Boards are of a collection that this session may not see.
    #expect(try await values(["type": "ref/prompt", "name": "triage-unread"], "board", "") == [])
    _ = await agent.end()
  }

  @Test("Ctrl-C and SIGTERM end the server", arguments: [SIGINT, SIGTERM])
  func isEndedBySignals(_ signal: Int32) async throws {
    let home = CommandLineHome(hasLibrary: true)
    let agent = try Agent(home)
    #expect(try await agent.request("server/discover")["result"] != nil)
    agent.process.kill(signal)
    #expect(await agent.process.ended().status == 128 + signal)
  }
}
