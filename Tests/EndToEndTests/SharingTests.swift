import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("One daemon is shared by all", .timeLimit(.minutes(10)))
struct SharingTests {
  private static func request(_ id: Int, _ method: String) -> String {
    #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)"}"# + "\n"
  }

  private static func pid(of bridge: ChildProcess) async throws -> Int64? {
    bridge.write(request(1, "session/status"))
    let line = try #require(await bridge.line())
    return try JSONParser.parse(line)["result"]?["server"]?["pid"]?.integerValue
  }

  @Test("three bridges started at once on an empty machine make one owner, and killing one disturbs no other")
  func threeBridges() async throws {
    let home = CommandLineHome()
    let bridges = try (0..<3).map { try home.start($0 == 0 ? ["serve", "--stdio"] : ["connect"]) }
    var pids: Set<Int64?> = []
    for bridge in bridges { pids.insert(try await Self.pid(of: bridge)) }
    #expect(pids == [home.owner.map { Int64($0.pid) }])
    #expect(home.owner?.isAutomatic == true)

    bridges[0].kill(SIGKILL)
    #expect(await bridges[0].ended().status == 128 + SIGKILL)
    for bridge in bridges.dropFirst() {
      bridge.write(Self.request(2, "session/ping"))
      #expect(await bridge.line() == #"{"jsonrpc":"2.0","id":2,"result":{}}"#)
    }
    #expect(await bridges[1].end().status == 0)
    #expect(try await Self.pid(of: bridges[2]) == home.owner.map { Int64($0.pid) })
  }

  @Test("language and zone are those of a bridge's own shell, wherever its client is silent")
  func surroundings() async throws {
    let home = CommandLineHome()
    // The daemon's shell.
    let newYork: [String: String?] = ["TZ": "America/New_York", "LANG": "en_US.UTF-8"]
    #expect(try await home.run(["call", "session/ping"], changing: newYork).status == 0)
    func written(_ first: String, _ changed: [String: String?]) async throws -> JSONValue {
      let add = #"{"jsonrpc":"2.0","id":1,"method":"diary/add","params":{"text":"A walk"}}"#
      let bridge = try await home.run(["connect"], input: first + add + "\n", changing: changed)
      let replies = try bridge.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
      return try #require(replies.first { $0["id"] == 1 }?["result"])
    }
    let seoul: [String: String?] = ["TZ": "Asia/Seoul", "LC_ALL": "ko_KR.UTF-8"]
    let korean = try await written("", seoul)
    #expect(korean["timeZone"] == "Asia/Seoul")
    #expect(korean["display"]?["date"]?.stringValue?.contains("년") == true, "\(korean)")
    let hello =
      #"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"x"},"timeZone":"Europe/Berlin"}}"#
    let berlin = try await written(hello + "\n", seoul)
    #expect(berlin["timeZone"] == "Europe/Berlin")
    #expect(berlin["display"]?["date"]?.stringValue?.contains("년") == true, "\(berlin)")
    let silent = try await written("", ["TZ": nil, "LANG": nil])
    #expect(silent["timeZone"] == "America/New_York")
  }

  @Test("a zone that TZ names and nobody knows is told, and the daemon's holds; POSIX's whole hours are understood")
  func unknownZone() async throws {
    let home = CommandLineHome()
    func zone(_ name: String) async throws -> (zone: JSONValue?, errors: String) {
      let result = try await home.run(["call", "diary/add", "text=x"], changing: ["TZ": name])
      return (try JSONParser.parse(result.output)["timeZone"], result.errors)
    }
    #expect(try await home.run(["call", "session/ping"], changing: ["TZ": "Asia/Seoul"]).status == 0)
    let unknown = try await zone("Asia/Nowhere")
    #expect(unknown.zone == "Asia/Seoul")
    #expect(
      unknown.errors
        == "commonplace: TZ is “Asia/Nowhere”, which is not a known time zone. The daemon's time zone is used; set TZ to one such as Asia/Seoul.\n"
    )
    let hours = try await zone("JST-10")
    #expect(hours.zone == "Etc/GMT-10" && hours.errors.isEmpty)
  }

  @Test("a terminal that says a name of its own is a client of its own: an undo elsewhere leaves its work alone")
  func ownClient() async throws {
    let home = CommandLineHome()
    func run(_ terminal: String?, _ arguments: String...) async throws -> ChildProcess.Result {
      try await home.run(["call"] + arguments, changing: ["COMMONPLACE_CLIENT": terminal])
    }
    _ = try await run("left", "diary/add", "id=a", "text=one")
    _ = try await run("right", "diary/add", "id=b", "text=two")
    #expect(try await run("left", "changes/undo").status == 0)
    #expect(try await run(nil, "diary/get", "id=a").status == 4)
    #expect(try await run(nil, "diary/get", "id=b").status == 0)
    #expect(try await run(nil, "changes/undo").status == 5)
    // One that is empty says nothing.
    _ = try await run("", "diary/add", "id=c", "text=three")
    #expect(try await run(nil, "changes/undo").status == 0)
    // What nobody could read in a log is refused by the variable's name, before anything is done.
    for name in ["  ", "\u{3000}\n", String(repeating: "이", count: 101)] {
      let refused = try await run(name, "diary/add", "id=d", "text=four")
      #expect(refused.status == 2 && refused.errors.contains("COMMONPLACE_CLIENT"), "\(refused)")
    }
    #expect(try await run(nil, "diary/get", "id=d").status == 4)
    #expect(try await run(String(repeating: "이", count: 100), "diary/add", "id=d", "text=four").status == 0)
  }

  @Test("when its owner is killed a bridge says so, the next command starts another, and the library is whole")
  func ownerKilled() async throws {
    let home = CommandLineHome()
    let bridge = try home.start(["connect"])
    let first = try #require(try await Self.pid(of: bridge))
    let library = try await home.call("session/status")["library"]?["id"]
    #expect(await home.killDaemon()?.pid == pid_t(first))
    let ended = await bridge.ended()
    #expect(ended.status == 3)
    #expect(ended.errors.hasPrefix("commonplace: The daemon has ended."))
    // What it left behind is taken for what it is.
    #expect(FileManager.default.fileExists(atPath: home.socket))
    #expect(home.owner?.pid == pid_t(first))

    let status = try await home.call("session/status")
    #expect(status["server"]?["pid"]?.integerValue != first)
    #expect(status["library"]?["id"] == library)
    #expect(try await home.call("library/check")["ok"] == true)
  }

  @Test("a daemon that a bridge started has a session of its own and none of the bridge's files or variables")
  func detached() async throws {
    let home = CommandLineHome()
    let bridge = try home.start(["connect"], changing: ["WORK_TOKEN": "s3cret"])
    let pid = try #require(try await Self.pid(of: bridge))
    #expect(getsid(pid_t(pid)) == pid_t(pid))
    let folder = "/proc/\(pid)"
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/cwd") == "/")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/0") == "/dev/null")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/1") == "/dev/null")
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder + "/fd/2") == home.log)
    let variables = try String(contentsOfFile: folder + "/environ", encoding: .utf8)
    #expect(variables.contains("HOME="))
    #expect(!variables.contains("WORK_TOKEN"))
  }

  @Test("a variable that config.toml names as a secret's place reaches the daemon")
  func credentialVariable() async throws {
    let home = CommandLineHome()
    try home.configure(
      """
      [credentials.work]
      origin = "https://groupware.example"
      env = "WORK_TOKEN"
      """)
    let bridge = try home.start(["connect"], changing: ["WORK_TOKEN": "s3cret"])
    let pid = try #require(try await Self.pid(of: bridge))
    let variables = try String(contentsOfFile: "/proc/\(pid)/environ", encoding: .utf8)
    #expect(variables.contains("WORK_TOKEN=s3cret"))
  }

  @Test("exit closes the connection, and the shared daemon goes on")
  func exit() async throws {
    let home = CommandLineHome()
    let bridge = try home.start(["connect"])
    let pid = try await Self.pid(of: bridge)
    bridge.write(#"{"jsonrpc":"2.0","method":"exit"}"# + "\n")
    #expect(await bridge.ended().status == 0)
    #expect(try await home.call("session/status")["server"]?["pid"]?.integerValue == pid)
  }

  @Test("an idle daemon of another version is replaced, a busy one is used with a warning")
  func succession() async throws {
    let home = CommandLineHome()
    let bridge = try home.start(["connect"])
    let old = try await Self.pid(of: bridge)
    try home.pretendOwnerVersion("0.0.9")

    let busy = try await home.run(["call", "session/status"])
    #expect(try JSONParser.parse(busy.output)["server"]?["pid"]?.integerValue == old)
    #expect(busy.errors.contains("has version 0.0.9"))

    #expect(await bridge.end().status == 0)
    // The daemon may take a moment to notice that the bridge has left.
    var (idle, new) = (busy, old)
    while new == old {
      idle = try await home.run(["call", "session/status"])
      new = try JSONParser.parse(idle.output)["server"]?["pid"]?.integerValue
    }
    #expect(new != nil)
    #expect(idle.errors == "")
  }
}
