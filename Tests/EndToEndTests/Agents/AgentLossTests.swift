import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// The daemon is killed, or its connection lost, between and during the calls of one session.
@Suite("Agents: a daemon that ends more than once", .timeLimit(.minutes(10)))
struct AgentLossTests {
  @Test("a daemon killed twice between calls is started again: reads are answered, and each change is made once")
  func betweenCalls() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    let name = try await agent.name()
    for number in 1...2 {
      _ = try #require(await home.killDaemon())
      let walk = try await agent.structured("get", ["collection": "diary", "id": "walk"])
      #expect(walk["item"]?["text"] == "A walk along the river.")
      _ = try #require(await home.killDaemon())
      _ = try await agent.structured("add", ["collection": "projects", "item": ["title": .string("Card \(number)")]])
    }
    #expect(try await agent.name() == name)
    let log = try await home.call("changes/log", "client=\(name)")["items"]?.arrayValue ?? []
    #expect(log.map { $0["label"] } == ["projects/add", "projects/add"])
    #expect(try await home.call("projects/list")["total"] == 4)
    _ = try #require(await home.killDaemon())
    // The session's own changes are known by its name.
    _ = try await agent.structured("undo")
    #expect(try await home.call("projects/list")["total"] == 3)
    _ = await agent.end()
  }

  /// A server that answers its first requests with nothing until the peer has gone, and then with a document.
  private static func server(losing arrived: [ServerGate], _ document: Data) throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request.index < arrived.count else { return .answer(200, body: document) }
      return ServerReply([.open(arrived[request.index]), .waitForPeerToClose(ServerGate())])
    }
  }

  @Test("a daemon killed twice during one call does it once; killed three times, the answer says that it did not")
  func duringACall() async throws {
    let home = try await CommandLineHome.forAgents()
    let document = Data(SamplePDF(pages: [.init(["A page from afar."])]).bytes)
    for losses in 2...3 {
      let arrived = (0..<losses).map { _ in ServerGate() }
      let server = try Self.server(losing: arrived, document)
      let agent = try Agent(home, ["--allow", "write,network,files", "--files", home.work])
      let name = try await agent.name()
      let id: JSONValue = .string("fetched-\(losses)")
      let params: JSONValue = ["url": .string("\(server.origin)/far.pdf"), "id": id]
      let request = await agent.sendRequest(
        "tools/call", ["name": "call", "arguments": ["method": "documents/add", "params": params]])
      for gate in arrived {
        await gate.opened()
        _ = try #require(await home.killDaemon())
      }
      let result = try #require(try await agent.answer(to: request, of: "tools/call")["result"])
      let log = try await home.call("changes/log", "client=\(name)")["items"]?.arrayValue ?? []
      if losses == 2 {
        #expect(result["isError"] == false, "\(result)")
        #expect(log.map { $0["label"] } == ["documents/add"])
        #expect(try await home.call("documents/list")["total"] == 2)
      } else {
        #expect(result["isError"] == true && result["_meta"]?["commonplace/error"]?["made"] == false, "\(result)")
        #expect(result["content"]?[0]?["text"]?.stringValue?.contains("Nothing was changed") == true)
        #expect(log.isEmpty)
      }
      #expect(server.requests.count == losses + (losses == 2 ? 1 : 0))
      // The session goes on.
      #expect(try await agent.structured("get", ["collection": "diary", "id": "walk"])["id"] == "walk")
      _ = await agent.end()
      server.stop()
    }
  }

  @Test("a change is said to be unknown when no daemon can be started that would know, and never sent again")
  func unknown() async throws {
    let home = try await CommandLineHome.forAgents()
    let arrived = ServerGate()
    let server = try Self.server(losing: [arrived], Data())
    let agent = try Agent(home, ["--allow", "write,network,files", "--files", home.work])
    _ = try await agent.name()
    let params: JSONValue = ["url": .string("\(server.origin)/far.pdf")]
    let request = await agent.sendRequest(
      "tools/call", ["name": "call", "arguments": ["method": "documents/add", "params": params]])
    await arrived.opened()
    // No daemon starts with it.
    try home.configure("not a setting\n")
    _ = try #require(await home.killDaemon())
    let result = try #require(try await agent.answer(to: request, of: "tools/call")["result"])
    #expect(result["isError"] == true && result["_meta"]?["commonplace/error"]?["kind"] == "unknown", "\(result)")
    #expect(result["content"]?[0]?["text"]?.stringValue?.contains("documents/add was done is unknown") == true)
    // Nothing can be read either, and the answer says what to do.
    #expect(try await agent.refusal("get", ["collection": "diary", "id": "walk"]).contains("cannot be reached"))
    try home.configure("")
    #expect(try await agent.structured("get", ["collection": "diary", "id": "walk"])["id"] == "walk")
    #expect(try await home.call("documents/list")["total"] == 1)
    #expect(server.requests.count == 1)
    _ = await agent.end()
    server.stop()
  }

  /// Carries bytes between clients and the daemon. Each time the word passes to the daemon the next of the moments is
  /// what becomes of the connection: it is lost before the daemon gets it, or before its reply leaves, or it stays.
  private static let losing = """
    import contextlib, socket, sys, threading
    path, daemon, word, moments = sys.argv[1], sys.argv[2], sys.argv[3].encode(), sys.argv[4:]
    lock = threading.Lock()

    def carry(source, target, inspect):
        with contextlib.suppress(OSError):
            while data := source.recv(1 << 16):
                if inspect(data):
                    for end in (source, target):
                        end.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def join(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(daemon)
        seen, loses = [b"", 0], threading.Event()

        def request(data):
            seen[0] += data
            count = seen[0].count(word)
            moment = "stays"
            with lock:
                if count > seen[1] and moments:
                    seen[1], moment = count, moments.pop(0)
            if moment == "reply":
                loses.set()
            return moment == "request"

        for arguments in ((client, server, request), (server, client, lambda data: loses.is_set())):
            threading.Thread(target=carry, args=arguments, daemon=True).start()

    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()
    print("listening", flush=True)
    while True:
        join(listening.accept()[0])
    """

  private static func start(_ home: CommandLineHome, _ moments: [String]) async throws -> (ChildProcess, path: String) {
    let path = home.work + "/losing"
    let process = try ChildProcess(
      "/usr/bin/python3", ["-c", losing, path, home.socket, "Doomed"] + moments, environment: home.environment,
      folder: home.work)
    #expect(await process.line() == "listening")
    return (process, path)
  }

  @Test("a change lost before it arrived and then after it was made is made once, and the answer names its commit")
  func lostTwice() async throws {
    let home = try await CommandLineHome.forAgents()
    // What stays is the rehearsal, which waits for a change that may be in the daemon's queue.
    let (losing, path) = try await Self.start(home, ["request", "stays", "reply", "reply"])
    let agent = try Agent(home, ["--allow", "write", "--socket", path])
    let name = try await agent.name()
    let added = try await agent.call("add", ["collection": "projects", "item": ["title": "Doomed", "id": "doomed"]])
    let log = try await home.call("changes/log", "client=\(name)")["items"]?.arrayValue ?? []
    #expect(log.count == 1)
    #expect(added["isError"] == true && added["_meta"]?["commonplace/error"]?["made"] == true, "\(added)")
    #expect(added["_meta"]?["commonplace/error"]?["clock"] == log.first?["clock"])
    _ = try await agent.structured("undo")
    #expect(try await home.call("projects/list")["total"] == 2)
    _ = await agent.end()
    losing.kill(SIGKILL)
    _ = await losing.ended()
  }

  @Test("an export whose reply is lost is not written again, and said to be unknown")
  func export() async throws {
    let home = try await CommandLineHome.forAgents()
    let (losing, path) = try await Self.start(home, ["reply"])
    let agent = try Agent(home, ["--allow", "files", "--files", home.work, "--socket", path])
    let file = home.work + "/Doomed.jsonl"
    let export: JSONObject = ["method": "diary/export", "params": ["path": .string(file), "format": "jsonl"]]
    let lost = try await agent.call("call", export)
    #expect(lost["isError"] == true && lost["_meta"]?["commonplace/error"]?["kind"] == "unknown", "\(lost)")
    // It was written before the reply.
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("A walk along the river."))
    let again = try await agent.call("call", export)
    #expect(again["_meta"]?["commonplace/error"]?["kind"] == "exists", "\(again)")
    _ = await agent.end()
    losing.kill(SIGKILL)
    _ = await losing.ended()
  }
}
