import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("A daemon that a person starts", .timeLimit(.minutes(10)))
struct ServingTests {
  /// Started, and ready for clients.
  private func serve(_ home: CommandLineHome, _ options: [String] = []) async throws -> ChildProcess {
    let daemon = try home.start(["serve"] + options)
    let line = try #require(await daemon.errorLine())
    #expect(line.hasPrefix("Serving "), "\(line)")
    return daemon
  }

  @Test("ends in order at SIGTERM and SIGINT: status 0, the socket gone, the lock free", arguments: [SIGTERM, SIGINT])
  func ends(signal: Int32) async throws {
    let home = CommandLineHome()
    let daemon = try await serve(home)
    #expect(home.owner?.pid == daemon.pid)
    #expect(home.owner?.isAutomatic == false)
    daemon.kill(signal)
    #expect(await daemon.ended().status == 0)
    #expect(!FileManager.default.fileExists(atPath: home.socket))
    #expect(!home.isOwned)
    // What was in the write-ahead log has been put into the library; a page is there for the next start.
    let log = try? FileManager.default.attributesOfItem(atPath: home.library.database + "-wal")
    #expect(log?[.size] as? Int == 32 + 24 + 4_096)
  }

  @Test("stop ends the daemon that runs in order, and tells when there is none with a status of its own")
  func stops() async throws {
    let home = CommandLineHome()
    let daemon = try await serve(home)
    let stopped = try await home.run(["stop"])
    #expect(stopped.status == 0)
    #expect(stopped.output == "The daemon (\(daemon.pid)) has ended.\n" && stopped.errors == "")
    #expect(!home.isOwned)
    #expect(!FileManager.default.fileExists(atPath: home.socket))
    #expect(await daemon.ended().status == 0)
    let none = try await home.run(["stop"])
    #expect(none.status == 3 && none.output == "")
    #expect(none.errors == "commonplace: No daemon serves \(home.library.path).\n")
  }

  @Test("stop leaves a private daemon to its client")
  func stopsNoPrivateDaemon() async throws {
    let home = CommandLineHome()
    let daemon = try home.start(["serve", "--stdio", "--private"])
    daemon.write(#"{"jsonrpc":"2.0","id":1,"method":"session/ping"}"# + "\n")
    _ = try #require(await daemon.line())
    let refused = try await home.run(["stop"])
    #expect(refused.status == 10)
    #expect(refused.errors.hasPrefix("commonplace: The library is served to one program alone"))
    #expect(home.isOwned)
    #expect(await daemon.end().status == 1)
  }

  @Test("stop ends nobody whose number a killed daemon has left in the lock")
  func stopsNoStranger() async throws {
    let home = CommandLineHome()
    let stranger = try home.startProgram("sleep", ["600"], package: "coreutils")
    #expect(try await home.run(["check"]).status == 0)
    try "pid \(stranger.pid)\nsocket \(home.socket)\n".write(
      toFile: home.library.lock, atomically: false, encoding: .utf8)
    // A daemon that has the lock and has not announced itself yet.
    let lock = open(home.library.lock, O_RDWR | O_CLOEXEC)
    #expect(flock(lock, LOCK_EX | LOCK_NB) == 0)
    let refused = try await home.run(["stop"])
    #expect(refused.status == 10)
    #expect(refused.errors.hasPrefix("commonplace: The library is in use by another process."))
    close(lock)
    #expect(kill(stranger.pid, 0) == 0)
    #expect(try await home.run(["stop"]).status == 3)
    stranger.kill(SIGKILL)
  }

  @Test("a request that SIGTERM meets is answered or refused, never forgotten")
  func endsUnderLoad() async throws {
    let home = CommandLineHome()
    let daemon = try await serve(home)
    let bridge = try home.start(["connect"])
    for id in 1...500 {
      bridge.write(#"{"jsonrpc":"2.0","id":\#(id),"method":"changes/undo"}"# + "\n")
    }
    let first = try JSONParser.parse(try #require(await bridge.line()))
    #expect(first["error"]?["data"]?["kind"] == "nothingToUndo")
    daemon.kill(SIGTERM)
    let ended = await bridge.ended()
    #expect(ended.status == 3)
    #expect(await daemon.ended().status == 0)
    let answers = try ended.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    // Each once, from the first on without a gap, and none cut off; a refusal may overtake what has begun.
    #expect(answers.compactMap { $0["id"]?.integerValue }.sorted() == Array(2..<Int64(answers.count + 2)))
    let keys = Set(answers.compactMap { $0["error"]?["data"]?["key"]?.stringValue })
    #expect(keys.isSubset(of: ["error.nothingToUndo", "error.shuttingDown"]))
    #expect(!home.isOwned)
  }

  @Test("a socket that a killed daemon left is replaced")
  func staleSocket() async throws {
    let home = CommandLineHome()
    let first = try await serve(home)
    first.kill(SIGKILL)
    #expect(await first.ended().status == 128 + SIGKILL)
    #expect(FileManager.default.fileExists(atPath: home.socket))
    #expect(!home.isOwned)
    let second = try await serve(home)
    #expect(try await home.call("session/status")["server"]?["pid"]?.integerValue == Int64(second.pid))
  }

  @Test("something else at the socket's path is left alone, and said")
  func foreignFile() async throws {
    let home = CommandLineHome()
    try "a letter".write(toFile: home.socket, atomically: true, encoding: .utf8)
    let result = try await home.run(["serve"])
    #expect(result.status == 9)
    #expect(result.errors.contains("not a socket of yours"))
    #expect(try String(contentsOfFile: home.socket, encoding: .utf8) == "a letter")
    #expect(!home.isOwned)
  }

  @Test("a second one for the same library is refused with the first one's process")
  func second() async throws {
    let home = CommandLineHome()
    let first = try await serve(home)
    let result = try await home.run(["serve"])
    #expect(result.status == 10)
    #expect(result.errors.contains("(\(first.pid))"))
  }

  @Test("one in the background is there when the command returns, and a second call finds it")
  func background() async throws {
    let home = CommandLineHome()
    let first = try await home.run(["serve", "--background"])
    let owner = try #require(home.owner)
    #expect(first.output.contains("(\(owner.pid))") && first.output.contains(home.socket))
    #expect(!owner.isAutomatic)
    let second = try await home.run(["serve", "--background"])
    #expect(second.output == first.output)
  }

  @Test("of one in the background that cannot serve it is told as soon as it has ended, with its own sentence")
  func failedStart() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try "This is no library.".write(toFile: home.library.database, atomically: false, encoding: .utf8)
    let own = try await home.run(["serve"])
    let clock = ContinuousClock()
    let start = clock.now
    let result = try await home.run(["serve", "--background"])
    // The wait for one that neither serves nor ends is longer.
    #expect(clock.now - start < Reach.deadline)
    #expect(result.status == own.status && result.status != 0 && result.errors == own.errors, "\(result) \(own)")
  }

  @Test("another library has its own daemon, found through its lock file")
  func otherLibrary() async throws {
    let home = CommandLineHome()
    let other = home.work + "/other"
    let usual = try await home.call("session/status")
    #expect(try await home.run(["serve", "--background", "--library", "other"]).status == 0)
    let status = try await home.call("session/status", "--library", "other")
    #expect(status["library"]?["path"]?.stringValue == other)
    #expect(status["server"]?["socket"]?.stringValue == other + "/run/s")
    #expect(status["server"]?["pid"] != usual["server"]?["pid"])
    let again = try await home.call("session/status", "--library", "./other/")
    #expect(again["server"]?["pid"] == status["server"]?["pid"])
    kill(pid_t(try #require(status["server"]?["pid"]?.integerValue)), SIGKILL)
  }

  @Test("a lock that a killed daemon left leads to no other library, whoever listens at its socket by now")
  func inheritedSocket() async throws {
    let home = CommandLineHome()
    let daemon = try await serve(home)
    let other = LibraryFolder(home.work + "/other")
    for command in [["serve", "--background"], ["stop"]] {
      #expect(try await home.run(command + ["--library", "other"]).status == 0)
    }
    try "pid \(getpid())\nsocket \(home.socket)\n".write(toFile: other.lock, atomically: false, encoding: .utf8)
    let status = try await home.call("session/status", "--library", "other")
    defer { kill(pid_t(status["server"]?["pid"]?.integerValue ?? 0), SIGKILL) }
    #expect(status["library"]?["path"]?.stringValue == other.path)
    daemon.kill(SIGTERM)
    _ = await daemon.ended()
  }

  @Test("a socket at which another library is served is refused when the library is named")
  func wrongSocket() async throws {
    let home = CommandLineHome()
    #expect(try await home.run(["serve", "--background", "--library", "other"]).status == 0)
    let status = try await home.call("session/status", "--library", "other")
    defer { kill(pid_t(status["server"]?["pid"]?.integerValue ?? 0), SIGKILL) }
    let daemon = try await serve(home)
    let result = try await home.run(
      ["call", "session/ping", "--socket", home.socket, "--library", "other"])
    #expect(result.status == 2)
    #expect(result.errors.contains("serves another library"))
    let nobody = try await home.run(["call", "session/ping", "--socket", home.work + "/nobody"])
    #expect(nobody.status == 10)
    #expect(nobody.errors.contains("listens at \(home.socket). Leave out --socket"), "\(nobody)")
    daemon.kill(SIGTERM)
    _ = await daemon.ended()
  }
}
