import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@Suite("Agents: the account of what they did", .timeLimit(.minutes(10)))
struct AgentAccountTests {
  @Test("each change is logged with the session, the tool and the reason, and undo takes back the session's own alone")
  func log() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write", "--name", "helper"])
    let name = try await agent.name()
    #expect(name.hasPrefix("helper/") && name.count == "helper/".count + 8)
    let added = try await agent.structured(
      "add", ["collection": "projects", "item": ["title": "Buy seeds"], "reason": "As the user asked."])
    _ = try await agent.structured("update", ["collection": "diary", "id": "walk", "changes": ["text": "Changed."]])
    let log = try await home.call("changes/log", "client=\(name)")
    #expect(log["items"]?.arrayValue?.map { $0["reason"] } == ["update", "add: As the user asked."])
    #expect(log["items"]?.arrayValue?.map { $0["label"] } == ["diary/update", "projects/add"])
    #expect(try await agent.structured("history")["total"] == 2)
    // The user's own commit.
    let other = try await home.call("projects/update", "id=plants", "title=Mine")["clock"] ?? .null
    #expect(try await agent.call("undo", ["clock": other])["isError"] == true)
    #expect(try await agent.structured("undo", ["dryRun": true])["dryRun"]?["changes"]?[0]?["id"] == "walk")
    _ = try await agent.structured("undo")
    _ = try await agent.structured("undo", ["clock": added["clock"] ?? .null])
    #expect(try await agent.refusal("undo").isEmpty == false)
    #expect(try await home.call("diary/get", "id=walk")["text"] == "A walk along the river.")
    #expect(try await home.call("projects/get", "id=plants")["title"] == "Mine")
    _ = await agent.end()
  }

  @Test("a person may undo a sync by its clock, and an agent may not, whatever collections it may see")
  func sync() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (CommandLineHome(), CommandLineHome())
    for home in [laptop, phone] {
      try home.configure("[sync]\ntarget = \"folder\"\nurl = \"\(place.path)\"\nevery = 0\n")
    }
    let made = try await laptop.run(["sync", "set-up", "--name", "laptop"])
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue, "\(made)")
    #expect(try await phone.run(["sync", "join", "--name", "phone"], input: code + "\n").status == 0)
    _ = try await laptop.call("projects/add", "id=soup", "title=Soup")
    for home in [laptop, phone] { #expect(try await home.run(["sync", "run"]).status == 0) }
    let log = try await phone.call("changes/log", "client=sync")
    let received = try #require(log["items"]?.arrayValue?.first { $0["undoable"] == true }?["clock"], "\(log)")
    for collections in [[], ["--collections", "notes"], ["--collections", "projects"]] {
      let agent = try Agent(phone, ["--allow", "write"] + collections)
      for clock in [received, .integer(.max)] {
        for text in [
          try await agent.refusal("undo", ["clock": clock]),
          try await agent.refusal("undo", ["clock": clock, "dryRun": true]),
          try await agent.refusal("call", ["method": "changes/undo", "params": ["clock": clock]]),
        ] {
          #expect(text.contains("is not of this session"), "\(text)")
        }
      }
      _ = await agent.end()
    }
    #expect(try await phone.call("projects/get", "id=soup")["title"] == "Soup")
    #expect(try await phone.call("changes/undo", "clock=\(received)")["undone"] == received)
    #expect(try await phone.call("projects/list")["total"] == 0)
  }

  @Test("one command takes back all that a session did, except what somebody has changed since")
  func undoAll() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write,destroy"])
    let name = try await agent.name()
    for number in 1...3 {
      _ = try await agent.structured("add", ["collection": "projects", "item": ["title": .string("Card \(number)")]])
    }
    _ = try await agent.structured("remove", ["collection": "diary", "ids": ["walk"]])
    _ = try await agent.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "A"]])
    _ = await agent.end()
    let undone = try await home.run(["undo", "--client", name])
    #expect(undone.status == 0 && undone.output == "5 changes of “\(name)” undone.\n", "\(undone)")
    #expect(try await home.call("projects/list")["total"] == 2)
    #expect(try await home.call("diary/list")["total"] == 1)
    #expect(try await home.run(["undo", "--client", name]).output == "0 changes of “\(name)” undone.\n")

    let second = try Agent(home, ["--allow", "write"])
    let other = try await second.name()
    _ = try await second.structured("update", ["collection": "projects", "id": "book", "changes": ["title": "B"]])
    _ = try await second.structured("update", ["collection": "projects", "id": "plants", "changes": ["title": "B"]])
    _ = await second.end()
    _ = try await home.call("projects/update", "id=book", "title=Mine")
    let partly = try await home.run(["undo", "--client", other])
    #expect(partly.status == 5 && partly.output.hasPrefix("1 change of"), "\(partly)")
    #expect(try await home.call("projects/get", "id=book")["title"] == "Mine")
    #expect(try await home.call("projects/get", "id=plants")["title"] == "Water the plants")
  }

  @Test("watch shows the changes of one session alone, as they are made")
  func watch() async throws {
    let home = try await CommandLineHome.forAgents()
    try home.configure("[agents]\ncommitsPerMinute = 6000\n")
    let agent = try Agent(home, ["--allow", "write"])
    let name = try await agent.name()
    let watch = try home.start(["watch", "--json", "--client", name])
    // Nothing says from outside that it has begun to watch.
    let first = try await withThrowingTaskGroup(of: String?.self) { group in
      group.addTask { await watch.line() }
      group.addTask {
        while !Task.isCancelled {
          _ = try await home.call("projects/add", "title=Mine")
          _ = try await agent.structured("add", ["collection": "projects", "item": ["title": "Theirs"]])
        }
        return nil
      }
      defer { group.cancelAll() }
      return try await group.next() ?? nil
    }
    let params = try JSONParser.parse(try #require(first))["params"]
    #expect(params?["client"]?.stringValue?.split(separator: ", ").contains(Substring(name)) == true)
    #expect(params?["label"] == "projects/add")
    watch.kill(SIGTERM)
    _ = await watch.ended()
    _ = await agent.end()
  }

  @Test("a daemon that ends is joined again, by the next call and by the same session")
  func rejoins() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    let name = try await agent.name()
    let first = try #require(home.owner?.pid)
    _ = try await agent.structured("add", ["collection": "projects", "item": ["title": "A", "id": "a"]])
    #expect(try await home.run(["stop"]).status == 0)
    _ = try await agent.structured("add", ["collection": "projects", "item": ["title": "B", "id": "b"]])
    #expect(home.owner?.pid != first)
    #expect(try await agent.name() == name)
    #expect(try await agent.structured("history")["total"] == 2)
    _ = try await agent.structured("undo")
    _ = try await agent.structured("undo")
    #expect(try await home.call("projects/list")["total"] == 2)
    _ = await agent.end()
  }

  /// The processes that a process has started and that still run.
  private static func children(of parent: pid_t) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc").filter { name in
      guard Int(name) != nil, let status = try? String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8) else {
        return false
      }
      return status.contains("\nPPid:\t\(parent)\n")
    }
  }

  @Test("a session joins a daemon that listens without another process, and the next one through “connect”")
  func inherits() async throws {
    let home = try await CommandLineHome.forAgents()
    let agent = try Agent(home, ["--allow", "write"])
    _ = try await agent.structured("get", ["collection": "diary", "id": "walk"])
    #expect(try Self.children(of: agent.process.pid).isEmpty)
    _ = try #require(await home.killDaemon())
    _ = try await agent.structured("get", ["collection": "diary", "id": "walk"])
    #expect(try Self.children(of: agent.process.pid).count == 1)
    _ = await agent.end()
    // One that ends before it is needed is no failure.
    let second = try Agent(home, ["--allow", "write"])
    _ = try await second.request("server/discover")
    _ = try #require(await home.killDaemon())
    #expect(try await second.structured("get", ["collection": "diary", "id": "walk"])["id"] == "walk")
    _ = await second.end()
  }

  /// Carries bytes between clients and the daemon, and loses the connection on which a word passes: before the daemon
  /// gets it, or before its reply leaves.
  private static let losing = """
    import contextlib, socket, sys, threading
    path, daemon, moment, word = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4].encode()
    once = threading.Event()

    def carry(source, target, inspect):
        with contextlib.suppress(OSError):
            seen = b""
            while data := source.recv(1 << 16):
                seen += data
                if inspect(seen):
                    for end in (source, target):
                        end.shutdown(socket.SHUT_RDWR)
                    return
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)

    def join(client):
        server = socket.socket(socket.AF_UNIX)
        server.connect(daemon)
        loses = threading.Event()

        def request(seen):
            if word in seen and not once.is_set():
                once.set()
                loses.set()
            return moment == "request" and loses.is_set()

        for arguments in ((client, server, request), (server, client, lambda seen: loses.is_set())):
            threading.Thread(target=carry, args=arguments, daemon=True).start()

    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen()
    print("listening", flush=True)
    while True:
        join(listening.accept()[0])
    """

  @Test(
    "a change whose connection is lost is sent again if it was not made; if it was, the answer says so and names it",
    arguments: ["request", "reply"])
  func lostConnection(_ moment: String) async throws {
    let home = try await CommandLineHome.forAgents()
    let path = home.work + "/losing"
    let losing = try ChildProcess(
      "/usr/bin/python3", ["-c", Self.losing, path, home.socket, moment, "Doomed"], environment: home.environment,
      folder: home.work)
    #expect(await losing.line() == "listening")
    let agent = try Agent(home, ["--allow", "write", "--socket", path])
    let name = try await agent.name()
    let added = try await agent.call("add", ["collection": "projects", "item": ["title": "Doomed", "id": "doomed"]])
    let log = try await home.call("changes/log", "client=\(name)")["items"]?.arrayValue ?? []
    #expect(log.count == 1)
    if moment == "request" {
      #expect(added["isError"] == false, "\(added)")
    } else {
      let clock = log.first?["clock"]
      #expect(added["isError"] == true, "\(added)")
      #expect(added["_meta"]?["commonplace/error"]?["made"] == true)
      #expect(added["_meta"]?["commonplace/error"]?["clock"] == clock)
      let words = added["content"]?[0]?["text"]?.stringValue ?? ""
      #expect(words.contains("as commit \(clock ?? .null)") && words.contains("Do not repeat it"), "\(words)")
    }
    // The session goes on, and the change is its own.
    _ = try await agent.structured("undo")
    #expect(try await home.call("projects/list")["total"] == 2)
    _ = await agent.end()
    losing.kill(SIGKILL)
    _ = await losing.ended()
  }
}
