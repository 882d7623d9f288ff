import Client
import Features
import Foundation
import System
import TestSupport
import Testing
import Wire

/// What one client can cost: promise 7's slow client, and the bounds of what waits.
@Suite struct BoundsTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("ten thousand requests sent at once are all answered")
  func pipelined() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let replies = (0..<10_000).map { _ in client.send("toys/countQuickly") }
    for reply in replies { #expect(try await reply.value().count == 0) }
    await daemon.stop()
  }

  @Test(
    "a client's socket is not read while 1,024 of its messages wait, or 4 MiB",
    arguments: [(2_500, 1_000), (100, 60_000)])
  func readingStops(count: Int, size: Int) async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let held = client.send("toys/holdAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    // Each waits for the write; more than fit into what waits and the socket's buffers together.
    let padding = JSONValue.string(String(repeating: "x", count: size))
    let waiting = (0..<count).map { _ in client.send("toys/countQuickly", ["workDoneToken": padding]) }
    let late = client.send("toys/countQuickly")
    late.cancel()
    let other = try await daemon.client(name: "other")
    // The cancel lies behind what was not read: its request is not answered, while another client's are.
    for _ in 0..<2_000 { _ = try await other.call("session/ping") }
    let answered = client.received.contains { frame in
      if case .single(.response(late.id, _, _)) = frame { true } else { false }
    }
    #expect(!answered)
    gate.open()
    _ = try await held.value()
    for reply in waiting { #expect(try await reply.value().count == 1) }
    _ = try await late.failure()
    await daemon.stop()
  }

  @Test(
    "beside 64 fetches of one client another request is busy, what is done at once is done, and one that ends makes room"
  )
  func fetchLimit() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let (one, others) = (ToyGate.make(), ToyGate.make())
    let first = client.send("toys/fetchAndAdd", ["gate": .string(one.name)])
    let fetches = (0..<62).map { _ in client.send("toys/fetchAndAdd", ["gate": .string(others.name)]) }
    // Reads and writes are not held back.
    #expect(try await client.call("toys/add", ["title": "one"]).clock == 1)
    let last = client.send("toys/fetchAndAdd", ["gate": .string(others.name)])
    for method in ["toys/fetchAndAdd", "toys/waitAndCount", "changes/undo"] {
      #expect(try await client.failure(method)?.code == -32000, "\(method)")
    }
    #expect(try await client.call("toys/countQuickly").count == 1)
    _ = try await client.call("session/ping")
    one.open()
    _ = try await first.value()
    #expect(try await client.call("toys/fetchAndAdd").count == 1)
    others.open()
    for fetch in fetches + [last] { _ = try await fetch.value() }
    await daemon.stop()
  }

  @Test("the memory that a large message took comes back when it was answered", .timeLimit(.minutes(10)))
  func memoryComesBack() async throws {
    let daemon = try await DaemonProcess(in: TemporaryFolder())
    let client = try await daemon.client()
    // Many small values, which are what an allocator keeps.
    let row: JSONValue = ["title": "a text that no string holds inline", "numbers": [1, 2, 3, 4, 5, 6]]
    let message: JSONValue = ["rows": .array(Array(repeating: row, count: 50_000))]
    _ = try await client.call("session/status")
    let (before, mostBefore) = (try daemon.residentKiB(), try daemon.mostResidentKiB())
    // Twice, so that more than one arena of the allocator has to give back.
    for _ in 0..<2 { #expect(try await client.failure("toys/add", message)?.code == -32602) }
    #expect(try daemon.mostResidentKiB() > mostBefore + 25_000)
    while try daemon.residentKiB() > before + 15_000 { _ = try await client.call("session/status") }
    await client.close()
    await daemon.stop()
  }

  @Test(
    "of a client with many messages so many start in one turn of the loop, of those that take long fewer, then others do",
    .timeLimit(.minutes(10)), arguments: [("toys/countQuickly", 400), ("toys/spinBriefly", 100)])
  func turns(method: String, count: Int) async throws {
    let daemon = try await TestDaemon(features: features) { $0.loops = 1 }
    let client = try await daemon.client()
    let other = try RawSocket(connectingTo: daemon.socket)
    other.write(#"{"jsonrpc":"2.0","id":0,"method":"session/ping"}"# + "\n")
    #expect(String(decoding: try await other.readSome(), as: UTF8.self).contains(#""id":0"#))
    let (write, start, end) = (ToyGate.make(), ToyGate.make(), ToyGate.make())
    let held = client.send("toys/holdAndAdd", ["gate": .string(write.name)])
    await write.reached()
    // All of them wait for the write. The first holds the loop until the other has spoken, the last one again.
    let first = client.send("toys/waitQuickly", ["gate": .string(start.name)])
    let reads = (0..<count).map { _ in client.send(method) }
    let last = client.send("toys/waitQuickly", ["gate": .string(end.name)])
    // The answer to a cancel tells that all before it was read.
    let marker = client.send("toys/countQuickly")
    marker.cancel()
    _ = try await marker.failure()
    write.open()
    await start.reached()
    other.write(#"{"jsonrpc":"2.0","id":1,"method":"session/ping"}"# + "\n")
    let began = ContinuousClock.now
    start.open()
    #expect(String(decoding: try await other.readSome(), as: UTF8.self).contains(#""id":1"#))
    // A gate that nobody opens opens by itself after five minutes.
    #expect(ContinuousClock.now - began < .seconds(240))
    end.open()
    for reply in [first, last] + reads { #expect(try await reply.value().count == 1) }
    _ = try await held.value()
    await daemon.stop()
  }

  @Test("a client that reads nothing is owed at most 4 MiB and one reply, and slows nobody")
  func stalledClient() async throws {
    let daemon = try await TestDaemon(features: features)
    let stalled = try StalledClient(socket: daemon.socket)
    // 16 MB of replies asked for, none of them read.
    for id in 0..<16 {
      stalled.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"toys/text","params":{"bytes":1000000}}"#)
    }
    let client = try await daemon.client(name: "other")
    var unsent: Int64 = 0
    var running: Int64 = 0
    for round in 0..<15 {
      #expect(try await client.call("toys/add", ["title": .string("toy \(round)")]).clock == Int64(round + 1))
      let status = try await client.call("session/status")
      let theirs = status["clients"]?.arrayValue?.first { $0["name"] == "" }
      unsent = max(unsent, theirs?["unsentBytes"]?.integerValue ?? 0)
      running = max(running, theirs?["running"]?.integerValue ?? 0)
    }
    #expect(unsent > 0)
    #expect(unsent <= 4 << 20 + 1_100_000)
    // It reads at last: all replies, each once, and one notification for all that it missed.
    #expect(try await stalled.readUntil(replies: 16) == Set(0..<16))
    await daemon.stop()
  }

  @Test("a batch is owed at most 16 MiB of replies, and a member beyond them says that it is too much")
  func largeBatch() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try StalledClient(socket: daemon.socket)
    let members = (0..<40).map {
      #"{"jsonrpc":"2.0","id":\#($0),"method":"toys/text","params":{"bytes":1000000}}"#
    }
    client.send("[" + members.joined(separator: ",") + "]")
    let batch = try #require(try await client.readLine().arrayValue)
    #expect(batch.count == 40)
    let refused = batch.filter { $0["error"]?["data"]?["kind"] == "tooLarge" }
    #expect(batch.count { $0["result"] != nil } == 16)
    #expect(refused.count == 24)
    await daemon.stop()
  }

  @Test("a view that is too long is refused, and what is kept of a client's name has a bound")
  func longNames() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let long = JSONValue.string(String(repeating: "v", count: 5_000))
    #expect(try await client.failure("toys/countQuickly", ["view": long])?.code == -32602)
    let raw = try StalledClient(socket: daemon.socket)
    raw.send(#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":{"name":\#(long)}}}"#)
    #expect(try await raw.readLine()["result"] != nil)
    let names = try await client.call("session/status")["clients"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
    #expect(names?.map(\.count).max() == 200)
    await daemon.stop()
  }

  @Test("a client that takes no byte of what it is owed is closed when its time is over")
  func stalledForGood() async throws {
    let daemon = try await TestDaemon(features: features) { $0.stallLimit = .milliseconds(100) }
    let stalled = try StalledClient(socket: daemon.socket)
    stalled.send(#"{"jsonrpc":"2.0","id":1,"method":"toys/text","params":{"bytes":8000000}}"#)
    let client = try await daemon.client(name: "other")
    var isThere = true
    while isThere {
      let status = try await client.call("session/status")
      isThere = status["clients"]?.arrayValue?.contains { $0["name"] == "" } == true
    }
    #expect(daemon.logLines.contains { $0.hasPrefix("warning") && $0.contains("stalled") })
    await daemon.stop()
  }

  @Test("a client that has begun a message and sends no byte of it is told so and closed, an idle one is not")
  func halfFrame() async throws {
    let daemon = try await TestDaemon(features: features) { $0.frameLimit = .milliseconds(100) }
    // Behind whole messages stands a line's end that belongs to none.
    let idle = try StalledClient(socket: daemon.socket)
    idle.send(#"{"jsonrpc":"2.0","id":1,"method":"session/ping"}"# + "\n")
    _ = try await idle.readLine()
    let halves = try (0..<2).map { _ in try RawSocket(connectingTo: daemon.socket) }
    halves[0].write(#"{"jsonrpc":"2.0","id":1,"#)
    halves[1].write("Content-Length: 16000000\r\n\r\n{")
    for half in halves {
      var answer: [UInt8] = []
      while true {
        let piece = try await half.readSome()
        if piece.isEmpty { break }
        answer += piece
      }
      #expect(String(decoding: answer, as: UTF8.self).contains("not completed in time"))
    }
    idle.send(#"{"jsonrpc":"2.0","id":2,"method":"session/ping"}"#)
    #expect(try await idle.readLine()["id"] == 2)
    await daemon.stop()
  }

  @Test("input that ends loses no pending reply")
  func halfClosed() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let fetch = client.send("toys/fetchAndAdd", ["gate": .string(gate.name), "title": "fetched"])
    let write = client.send("toys/add", ["title": "written"])
    let read = client.send("toys/waitAndCount")
    client.closeInput()
    await gate.reached()
    gate.open()
    #expect(try await write.value()["title"] == "written")
    _ = try await fetch.value()
    _ = try await read.value()
    try await client.closed()
    await daemon.stop()
  }

  @Test("a client that leaves in the middle of a write, a read and a fetch leaves the daemon as it was")
  func vanished() async throws {
    let daemon = try await TestDaemon(features: features)
    let other = try await daemon.client(name: "other")
    for round in 1...5 {
      let client = try await daemon.client(name: "leaving")
      let gates = (0..<3).map { _ in ToyGate.make() }
      client.send("toys/waitAndCount", ["gate": .string(gates[0].name)])
      client.send("toys/fetchAndAdd", ["gate": .string(gates[1].name)])
      client.send("toys/holdAndAdd", ["gate": .string(gates[2].name), "title": "promised"])
      for gate in gates { await gate.reached() }
      await client.close()
      var isThere = true
      while isThere {
        let status = try await other.call("session/status")
        isThere = status["clients"]?.arrayValue?.contains { $0["name"] == "leaving" } == true
      }
      for gate in gates { gate.open() }
      // The write was taken, so it is done, although nobody hears of it.
      _ = try await other.call("toys/add", ["title": "after"])
      #expect(try await other.call("toys/countQuickly").count == 2 * round)
    }
    await daemon.stop()
  }

  @Test("what was asked before exit is answered before the connection ends, and the daemon goes on")
  func exit() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let write = client.send("toys/add", ["title": "written"])
    let shutdown = client.send("shutdown")
    client.notify("exit", [:])
    #expect(try await write.value().clock == 1)
    #expect(try await shutdown.value() == .null)
    try await client.closed()
    #expect(try await daemon.client().call("toys/countQuickly").count == 1)
    await daemon.stop()
  }

  @Test("a daemon that ends answers what was asked, gives up fetches, and empties the log but for a page to begin with")
  func orderlyEnd() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let fetch = client.send("toys/fetchAndAdd", ["gate": .string(gate.name), "title": "never"])
    let hold = ToyGate.make()
    let write = client.send("toys/holdAndAdd", ["gate": .string(hold.name)])
    await gate.reached()
    await hold.reached()
    async let end: Void = daemon.stop()
    #expect(try await fetch.failure() != nil)
    hold.open()
    #expect(try await write.value().clock == 1)
    await end
    let wal = try? FileManager.default.attributesOfItem(atPath: daemon.library + "/library.sqlite-wal")
    // The log's head, and one page with its own; see `StoreTests.opensWithoutWriting`.
    #expect(wal?[.size] as? Int == 32 + 24 + 4_096)
    #expect(!FileManager.default.fileExists(atPath: daemon.socket))
    let again = try await TestDaemon(features: features, in: daemon.folder)
    #expect(try await again.client().call("toys/countQuickly").count == 1)
    await again.stop()
  }

  @Test("searches beyond 64 of one client wait for their turn, since they ask nobody outside")
  func manySearches() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await client.call("diary/add", ["text": "a river"])
    let replies = (0..<1_000).flatMap { number in
      [
        client.send("search/query", ["text": .string("river \(number)")]),
        client.send("search/suggest", ["scope": "boards", "text": "ri"]),
        client.send("search/history"),
      ]
    }
    for reply in replies { #expect(try await reply.failure() == nil) }
    await daemon.stop()
  }
}
