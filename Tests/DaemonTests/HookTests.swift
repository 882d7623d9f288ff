import Client
import Foundation
import Kit
import TestSupport
import Testing
import Wire

@Suite("Hooks: a program that is run after changes", .timeLimit(.minutes(5))) struct HookTests {
  /// Pipes with names, by which a program hands over its input and waits to be let go.
  private struct Pipes {
    let folder = TemporaryFolder()
    var output: String { folder.file("output") }
    var gate: String { folder.file("gate") }

    init() throws {
      for path in [output, gate] { try #require(mkfifo(path, 0o600) == 0) }
    }

    /// The input of the next program, once it has written it.
    func next() async throws -> JSONValue {
      try JSONParser.parse(Array(try await text(of: output).utf8))
    }

    /// What the programs write that have a pipe open, until the last of them closes it.
    func text(of pipe: String) async throws -> String {
      try await onThread { _ in
        // Foundation reads whole files of `contentsOf` only if they are regular ones.
        let file = try FileHandle(forReadingFrom: URL(filePath: pipe))
        defer { try? file.close() }
        return String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
      }
    }

    /// Lets a program end that reads the gate.
    func open() async throws { try await held().close() }

    /// The gate, once a program reads it, which waits until this is closed.
    func held() async throws -> FileHandle {
      let path = gate
      return try await onThread { _ in try FileHandle(forWritingTo: URL(filePath: path)) }
    }
  }

  private func daemon(
    in folder: TemporaryFolder = TemporaryFolder(), _ script: String, _ arguments: [String]
  ) async throws -> TestDaemon {
    let daemon = try await TestDaemon(in: folder) { settings in
      settings.configure { $0.hooks.changed = ["/bin/sh", "-c", script] + arguments }
    }
    daemon.daemon.startBackgroundWork()
    return daemon
  }

  @Test("its input is the notification of the changes, and it can reach the library")
  func input() async throws {
    let pipes = try Pipes()
    let daemon = try await daemon(#"cat > "$0"; printf %s "$COMMONPLACE_LIBRARY" > "$1""#, [pipes.output, pipes.gate])
    let client = try await daemon.client()
    let added = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    let notification = try await pipes.next()
    #expect(notification["method"] == "changes/didCommit")
    let change = try #require(notification["params"]?["changes"]?.arrayValue?.first)
    #expect(change["collection"] == "diary" && change["id"] == "a" && change["kind"] == "added", "\(notification)")
    #expect(notification["params"]?["clock"] == added["revision"])
    #expect(try await pipes.text(of: pipes.gate) == daemon.library)
    await daemon.stop()
  }

  @Test("one runs at a time, and changes that are made meanwhile are the input of the next")
  func meanwhile() async throws {
    let pipes = try Pipes()
    let daemon = try await daemon(#"cat > "$0"; cat "$1""#, [pipes.output, pipes.gate])
    let client = try await daemon.client()
    _ = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    let first = try await pipes.next()
    for id in ["b", "c"] { _ = try await client.call("diary/add", ["id": .string(id), "text": "Home"]) }
    try await pipes.open()
    let second = try await pipes.next()
    #expect(second["params"]?["since"] == first["params"]?["clock"])
    #expect(second["params"]?["changes"]?.arrayValue?.map { $0["id"]?.stringValue } == ["b", "c"], "\(second)")
    try await pipes.open()
    await daemon.stop()
  }

  @Test("one that fails, or is none, is a warning and no failure of the write")
  func failures() async throws {
    let failing = try await daemon("exit 3", [])
    _ = try await failing.client().call("diary/add", ["text": "A walk"])
    // The shutdown waits for it.
    await failing.stop()
    #expect(failing.logLines.contains { $0.contains("hooks.changed: /bin/sh failed with the status 3") })
    let missing = try await TestDaemon { settings in settings.configure { $0.hooks.changed = ["/none/such"] } }
    missing.daemon.startBackgroundWork()
    _ = try await missing.client().call("diary/add", ["text": "A walk"])
    await missing.stop()
    #expect(missing.logLines.contains { $0.contains("hooks.changed: /none/such cannot be started") })
  }

  @Test("one that takes too long is killed with the programs that it started, and the next one runs")
  func tooLong() async throws {
    let pipes = try Pipes()
    let limit = Duration.seconds(77)
    let (isOver, over) = AsyncStream.makeStream(of: Void.self)
    let daemon = try await TestDaemon { settings in
      settings.configure {
        $0.hooks.changed = ["/bin/sh", "-c", #"exec > "$0"; cat; cat "$1" | cat"#, pipes.output, pipes.gate]
        $0.hooks.limit = limit
      }
      settings.pause = { pause in
        if pause != limit { try? await Task.sleep(for: pause) } else { for await _ in isOver { return } }
      }
    }
    daemon.daemon.startBackgroundWork()
    let client = try await daemon.client()
    _ = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    async let first = pipes.next()
    // A program that the shell started reads the gate, so it runs until it is killed.
    let gate = try await pipes.held()
    over.yield()
    // The output ends with the last program that has it open.
    let killed = try await first
    #expect(killed["params"]?["changes"]?.arrayValue?.map { $0["id"]?.stringValue } == ["a"], "\(killed)")
    try gate.close()
    _ = try await client.call("diary/add", ["id": "b", "text": "Home"])
    async let second = pipes.next()
    try await pipes.open()
    let ended = try await second
    #expect(ended["params"]?["changes"]?.arrayValue?.map { $0["id"]?.stringValue } == ["b"], "\(ended)")
    await daemon.stop()
    #expect(daemon.logLines.count { $0.contains("hooks.changed: /bin/sh was killed, as it took too long") } == 1)
  }

  @Test("a daemon that ends kills the one that hangs, and starts none for the changes that wait")
  func ending() async throws {
    let pipes = try Pipes()
    let starts = pipes.folder.file("starts")
    let daemon = try await daemon(#"echo run >> "$2"; cat > "$0"; cat "$1""#, [pipes.output, pipes.gate, starts])
    let client = try await daemon.client()
    _ = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    _ = try await pipes.next()
    _ = try await client.call("diary/add", ["id": "b", "text": "Home"])
    await daemon.stop()
    #expect(try String(contentsOfFile: starts, encoding: .utf8) == "run\n")
  }

  @Test("the input that another program has open, and does not read, holds no descriptor of the daemon")
  func unreadInput() async throws {
    let pipes = try Pipes()
    let input = pipes.folder.file("input")
    let daemon = try await TestDaemon { settings in
      // The shell ends, and leaves a program in a group of its own that has its input open.
      settings.configure {
        $0.hooks.changed = [
          "/bin/sh", "-c",
          #"stat -L -c %d:%i /proc/$$/fd/0 > "$2"; exec 3<&0; setsid cat "$1" <&3 & exec 3<&-; echo null > "$0""#,
          pipes.output, pipes.gate, input,
        ]
      }
    }
    let client = try await daemon.client()
    // More than a pipe holds. The first run has all changes from before it.
    for number in 0..<700 {
      _ = try await client.call(
        "diary/add", ["id": .string("\(number)-" + String(repeating: "a", count: 60)), "text": "A walk"])
    }
    daemon.daemon.startBackgroundWork()
    _ = try await pipes.next()
    // It waits for the shell.
    await daemon.stop()
    let held = try String(contentsOfFile: input, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { number in
      var file = stat()
      return Int32(number).flatMap { fstat($0, &file) == 0 ? "\(file.st_dev):\(file.st_ino)" : nil }
    }
    try await pipes.open()
    #expect(!held.isEmpty && !files.contains(held), "\(held)")
  }

  @Test("the search history is no change, and a library without a program runs none")
  func silent() async throws {
    let pipes = try Pipes()
    let daemon = try await daemon(#"cat > "$0""#, [pipes.output])
    let client = try await daemon.client()
    _ = try await client.call("search/query", ["text": "walk", "remember": true])
    _ = try await client.call("diary/add", ["id": "a", "text": "A walk"])
    let changes = try await pipes.next()["params"]?["changes"]?.arrayValue
    #expect(changes?.map { $0["collection"]?.stringValue } == ["diary"])
    await daemon.stop()
    let quiet = try await TestDaemon()
    quiet.daemon.startBackgroundWork()
    _ = try await quiet.client().call("diary/add", ["text": "A walk"])
    await quiet.stop()
    #expect(!quiet.logLines.contains { $0.contains("hooks") })
  }
}
