import Foundation
import TestSupport
import Testing
import Wire

/// Calls of any method with any params, in sessions with any permissions: what comes of them never exceeds those.
@Suite("Agents: random calls", .timeLimit(.minutes(10)))
struct RandomCallTests {
  /// The sessions, and the calls of each; `COMMONPLACE_RANDOM_CALLS` sets another number of calls in all.
  private static let sessions = number.map { max(1, $0 / calls) } ?? 8
  private static let calls = 60
  private static let number = ProcessInfo.processInfo.environment["COMMONPLACE_RANDOM_CALLS"].flatMap { Int($0) }

  @Test("random calls have no effect without its permission, and each answer has its schema and fits the budget")
  func neverExceed() async throws {
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    let home = try await CommandLineHome.forAgents()
    let feed =
      #"<rss version="2.0"><channel><title>News</title><item><title>A</title><guid>1</guid></item></channel></rss>"#
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/rss+xml")]) }
    // Only this server may be reached; the daemon itself is asked to fetch nothing.
    try home.configure(
      "[books.openLibrary]\nurl = \"\(server.origin)\"\ncovers = \"\(server.origin)\"\n[books.google]\nurl = \"\(server.origin)\"\n"
        + "[documents]\ndoi = \"\(server.origin)\"\ncrossref = \"\(server.origin)\"\n"
        + "[agents]\ncommitsPerMinute = 6000\n"
    )
    _ = try await home.run(["stop"])
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(server.origin)/feed.xml", "id=source")
    _ = try await home.call("boards/refresh")
    // Settings by which the daemon itself reads and writes files later on, whoever changes the library then.
    let lasting: Set = ["diary/mirror", "documents/watch", "notes/mirror", "projects/addCalendar"]
    let protocolDocument = try await home.call("rpc.discover")
    let values = RandomValues(schemas: protocolDocument["components"]?["schemas"] ?? [:])
    let methods = (protocolDocument["methods"]?.arrayValue ?? []).filter {
      !lasting.contains($0["name"]?.stringValue ?? "")
    }
    let schema = try MCPSchema()
    let collections: [String] = ["diary", "projects", "documents", "posts", "books", "highlights"]
    for session in 0..<Self.sessions {
      let effects = ["write", "destroy", "network", "files"].filter { _ in Bool.random(using: &random) }
      let admitted = Bool.random(using: &random) ? nil : collections.filter { _ in Bool.random(using: &random) }
      var arguments = ["--allow", (["read"] + effects).joined(separator: ",")]
      if let admitted {
        arguments += ["--collections", admitted.isEmpty ? "searches" : admitted.joined(separator: ",")]
      }
      if effects.contains("files") { arguments += ["--files", home.work] }
      let (requests, files) = (server.requests.count, try filesAndSizes(home.work))
      let agent = try Agent(home, arguments)
      let name = try await agent.name()
      let tools = try await agent.request("tools/list")["result"]?["tools"]?.arrayValue ?? []
      for _ in 0..<Self.calls {
        var tool = try #require(tools.first { $0["name"] == "call" })
        var call: JSONObject = [:]
        if Int.random(in: 0..<4, using: &random) == 0 {
          tool = try #require(tools.randomElement(using: &random))
          call = values.object(tool["inputSchema"] ?? [:], &random)
        } else {
          let method = try #require(methods.randomElement(using: &random))
          let url = "\(server.origin)/session-\(session)/feed.xml"
          call["method"] = method["name"]
          call["params"] = .object(params(of: method, in: home, url: url, values, &random))
          if Int.random(in: 0..<5, using: &random) == 0 { call["dryRun"] = true }
        }
        let result = try await agent.request("tools/call", ["name": tool["name"] ?? "", "arguments": .object(call)])[
          "result"]
        let about: Comment = "seed \(seed), session \(session): \(tool["name"] ?? "") \(call)"
        let content = try #require(result?["content"]?.arrayValue, about)
        if let structured = result?["structuredContent"] {
          #expect(schema.problems(of: structured, schema: tool["outputSchema"]) == [], about)
        } else {
          #expect(result?["isError"] == true && !content.isEmpty, about)
        }
        #expect(result.map(Agent.tokens) ?? 0 <= 8_000, about)
      }
      #expect(await agent.end().status == 0)
      let about: Comment = "seed \(seed), session \(session): \(arguments)"
      let log = try await home.call("changes/log", "client=\(name)", "limit=500")["items"]?.arrayValue ?? []
      if !effects.contains("write") { #expect(log.isEmpty, about) }
      for commit in log {
        let label = commit["label"]?.stringValue ?? ""
        let method = methods.first { $0["name"]?.stringValue == label }
        let needed = method?["x-effects"]?.arrayValue?.compactMap(\.stringValue) ?? []
        for (effect, permission) in [("destroys", "destroy"), ("network", "network"), ("files", "files")]
        where needed.contains(effect) {
          #expect(effects.contains(permission), "\(label), \(about)")
        }
      }
      if let admitted {
        var changed: Set<String> = []
        for case .integer(let clock) in log.compactMap({ $0["clock"] }) {
          let since = try await home.call("changes/since", "clock=\(clock - 1)", "limit=1")
          guard since["clock"] == .integer(clock) else { continue }
          changed.formUnion(since["changes"]?.arrayValue?.compactMap { $0["collection"]?.stringValue } ?? [])
        }
        // The marks of a document go and come with it.
        let parts = admitted.contains("documents") ? ["highlights"] : []
        #expect(changed.intersection(collections).subtracting(admitted + parts).isEmpty, about)
      }
      if !effects.contains("network") {
        // The daemon may still fetch what an earlier session let it fetch.
        let paths = server.requests.dropFirst(requests).map(\.path)
        #expect(paths.filter { !$0.hasPrefix("/session-") || $0.hasPrefix("/session-\(session)/") } == [], about)
      }
      if !effects.contains("files") { #expect(try filesAndSizes(home.work) == files, about) }
    }
  }

  /// The calls of the session that may only read.
  private static let readingCalls = number ?? 2_000
  /// The requests that are sent before their answers are read: fewer bytes than a pipe holds.
  private static let sentAhead = 40

  @Test("no random call of a session that may only read changes anything, reaches a server or writes a file")
  func readOnly() async throws {
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    let home = try await CommandLineHome.forAgents()
    try home.configure("[agents]\nreadLimit = 65536\n")
    let server = try ScriptedServer { _ in .text("") }
    let protocolDocument = try await home.call("rpc.discover")
    let values = RandomValues(schemas: protocolDocument["components"]?["schemas"] ?? [:])
    let methods = protocolDocument["methods"]?.arrayValue ?? []
    let (state, files) = (try await state(of: home), try filesAndSizes(home.work))
    let agent = try Agent(home)
    let name = try await agent.name()
    for start in stride(from: 0, to: Self.readingCalls, by: Self.sentAhead) {
      let count = min(Self.sentAhead, Self.readingCalls - start)
      for _ in 0..<count {
        let method = try #require(methods.randomElement(using: &random))
        let params = params(of: method, in: home, url: "\(server.origin)/feed.xml", values, &random)
        let call: JSONObject =
          Int.random(in: 0..<8, using: &random) == 0
          ? tool(params, &random)
          : ["name": "call", "arguments": ["method": method["name"] ?? "", "params": .object(params)]]
        _ = await agent.sendRequest("tools/call", call)
      }
      for _ in 0..<count {
        let answer = try await agent.message()
        try #require(answer?["id"] != nil, "seed \(seed), after \(start) calls: \(String(describing: answer))")
      }
    }
    _ = await agent.end()
    #expect(try await self.state(of: home) == state, "seed \(seed)")
    #expect(try await home.call("changes/log", "client=\(name)")["items"] == [], "seed \(seed)")
    #expect(try filesAndSizes(home.work) == files && server.requests.isEmpty, "seed \(seed)")
  }

  /// A call of a tool that writes, with arguments of another tool's form.
  private func tool(_ params: JSONObject, _ random: inout SeededGenerator) -> JSONObject {
    let tools = ["add", "link", "move", "remove", "undo", "update"]
    let collections = ["diary", "projects", "documents", "books", "highlights"]
    var arguments = params
    arguments["collection"] = collections.randomElement(using: &random).map { .string($0) }
    arguments["item"] = ["title": "Changed", "text": "Changed", "state": "done"]
    return ["name": .string(tools.randomElement(using: &random) ?? ""), "arguments": .object(arguments)]
  }

  /// The clock, and all items of the library.
  private func state(of home: CommandLineHome) async throws -> [String: JSONValue] {
    var state = ["clock": try await home.call("session/sync")["clock"] ?? .null]
    for collection in ["diary", "projects", "documents", "books", "highlights", "bookmarks", "memos", "sources"] {
      let export = try await home.call(
        "library/exportItems", "collection=\(collection)", "inline:=true", "format=jsonl")
      state[collection] = export["data"]
    }
    return state
  }

  /// Some of the params that a method takes, of the values that are there and others. Places are those of the test.
  private func params(
    of method: JSONValue, in home: CommandLineHome, url: String, _ values: RandomValues,
    _ random: inout SeededGenerator
  ) -> JSONObject {
    var params: JSONObject = [:]
    let example = method["examples"]?[0]?["params"]?.arrayValue ?? []
    for param in method["params"]?.arrayValue ?? [] {
      guard let name = param["name"]?.stringValue,
        param["required"] == true || Int.random(in: 0..<3, using: &random) == 0
      else { continue }
      let shown = example.first { $0["name"] == param["name"] }?["value"]
      let ids = RandomValues.ids
      let value: JSONValue? =
        switch name {
        case "id": ids.randomElement(using: &random)
        case "ids": .array([ids.randomElement(using: &random) ?? ""])
        case "path", "paths":
          name == "path"
            ? .string(home.work + "/written-\(Int.random(in: 0..<9, using: &random))") : .array([.string(home.work)])
        case "url": .string(url)
        case "confirm", "password", "ifRevision": nil
        case "before", "after": nil
        case "recursive": false
        default:
          shown != nil && Bool.random(using: &random) ? shown : values.value(param["schema"] ?? [:], &random)
        }
      if let value { params[name] = value }
    }
    return params
  }

  private func filesAndSizes(_ folder: String) throws -> [String: Int] {
    var files: [String: Int] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder) {
      files[path] = try FileManager.default.attributesOfItem(atPath: folder + "/" + path)[.size] as? Int
    }
    return files
  }
}
