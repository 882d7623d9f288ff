import Client
import Features
import Store
import System
import TestSupport
import Testing
import Wire

/// Promise 8, and the bounds of reads.
@Suite struct CancelTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("a running read is interrupted and answered, and its reader serves the next one")
  func runningRead() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    // More often than there are readers: each of them must come back.
    for _ in 0..<12 {
      let gate = ToyGate.make()
      let read = client.send("toys/spin", ["gate": .string(gate.name)])
      await gate.reached()
      gate.open()
      read.cancel()
      #expect(try await read.failure()?.code == -32800)
    }
    #expect(try await client.call("toys/waitAndCount").count == 0)
    await daemon.stop()
  }

  @Test("a cancelled fetch is answered at once, and what it would have written is never written")
  func fetch() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let fetch = client.send("toys/fetchAndAdd", ["gate": .string(gate.name), "title": "never"])
    await gate.reached()
    fetch.cancel()
    #expect(try await fetch.failure()?.code == -32800)
    gate.open()
    #expect(try await client.call("toys/waitAndCount").count == 0)
    #expect(try await client.call("session/status")["jobs"]?.arrayValue?.count == 1)
    await daemon.stop()
  }

  @Test("a write that waits is answered −32800 and never runs; one that has begun is answered with what happened")
  func writes() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let begun = client.send("toys/holdAndAdd", ["gate": .string(gate.name), "title": "begun"])
    await gate.reached()
    let waiting = client.send("toys/add", ["title": "waiting"])
    begun.cancel()
    waiting.cancel()
    #expect(try await waiting.failure()?.code == -32800)
    gate.open()
    #expect(try await begun.value()["title"] == "begun")
    let list = try await client.call("toys/list")
    #expect(list["items"]?.arrayValue?.map { $0["title"] } == ["begun"])
    await daemon.stop()
  }

  @Test("a cancel overtakes a thousand waiting messages")
  func overtakes() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let held = client.send("toys/holdAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    let waiting = (0..<1_000).map { _ in client.send("toys/waitAndCount") }
    let last = try #require(waiting.last)
    last.cancel()
    // The writer is held, so no read before it can have been answered.
    #expect(try await last.failure()?.code == -32800)
    gate.open()
    _ = try await held.value()
    for reply in waiting.dropLast() { #expect(try await reply.value().count == 1) }
    await daemon.stop()
  }

  @Test("a newer request of the same client, method and view answers the older one as superseded")
  func superseding() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let other = try await daemon.client(name: "other")
    let gate = ToyGate.make()
    let params: JSONValue = ["gate": .string(gate.name), "view": "main"]
    let older = client.send("toys/fetchAndAdd", params)
    let foreign = other.send("toys/fetchAndAdd", params)
    let elsewhere = client.send("toys/fetchAndAdd", ["gate": .string(gate.name), "view": "side"])
    let without = client.send("toys/fetchAndAdd", ["gate": .string(gate.name)])
    await gate.reached(4)
    let newer = client.send("toys/fetchAndAdd", params)
    let error = try await older.failure()
    #expect(error?.code == -32800)
    #expect(error?.kind == "superseded")
    gate.open()
    for reply in [foreign, elsewhere, without, newer] { _ = try await reply.value() }
    await daemon.stop()
  }

  @Test("a read that takes too long is stopped and says so, and holds nobody back", .timeLimit(.minutes(10)))
  func deadline() async throws {
    let daemon = try await TestDaemon(features: features) { $0.readDeadline = .milliseconds(200) }
    let client = try await daemon.client()
    /// A machine that is busy may make these take as long, too.
    func toys() async throws -> Int {
      while true {
        do {
          return try await client.call("toys/waitAndCount").count
        } catch let error as RemoteError where error.kind == "timedOut" {}
      }
    }
    let slow = client.send("toys/spin")
    let next = client.send("toys/add", ["title": "after"])
    #expect(try await slow.failure()?.kind == "timedOut")
    #expect(try await next.value().clock == 1)
    #expect(try await toys() == 1)
    // Its thread is free again: as many as there are threads for keep nobody from reading.
    let many = (0..<ReaderThreads.count + ReaderThreads.wholeCount).map { _ in client.send("toys/spin") }
    for reply in many { #expect(try await reply.failure()?.kind == "timedOut") }
    #expect(try await toys() == 1)
    await daemon.stop()
  }

  @Test("a long read that keeps the log from ending is stopped, and the log is emptied when nobody writes")
  func longReaderAndLog() async throws {
    let daemon = try await TestDaemon(features: features) { settings in
      settings.logLimits.checkpointBytes = 64 << 10
      settings.logLimits.readerBytes = 512 << 10
      settings.logLimits.idleCheckpoint = .milliseconds(5)
      settings.logLimits.idleTruncate = .milliseconds(5)
    }
    let reader = try await daemon.client(name: "reader")
    let writer = try await daemon.client(name: "writer")
    _ = try await writer.call("toys/addMany", ["count": 10])
    let gate = ToyGate.make()
    let long = reader.send("toys/spin", ["gate": .string(gate.name)])
    await gate.reached()
    gate.open()
    for _ in 0..<20 { _ = try await writer.call("toys/addMany", ["count": 200]) }
    #expect(try await long.failure()?.kind == "timedOut")
    var wal = try await reader.call("session/status")["wal"]
    while wal != 0 { wal = try await reader.call("session/status")["wal"] }
    #expect(try await reader.call("toys/countQuickly").count == 4_010)
    await daemon.stop()
  }

  @Test("progress is begun once and ended once, before the reply, however the request ends")
  func progress() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    for number in 0..<50 {
      let gate = ToyGate.make()
      let token = JSONValue.string("t\(number)")
      let reply = client.send("toys/fetchAndAdd", ["gate": .string(gate.name), "workDoneToken": token])
      if number.isMultiple(of: 2) { gate.open() } else { reply.cancel() }
      _ = try await reply.failure()
      gate.open()
      let kinds = client.heard("$/progress").filter { $0["token"] == token }.map { $0["value"]?["kind"]?.text ?? "" }
      // A request that was cancelled before it began has no progress at all.
      guard !kinds.isEmpty else { continue }
      #expect(kinds.first == "begin")
      #expect(kinds.last == "end")
      #expect(kinds.dropFirst().dropLast().allSatisfy { $0 == "report" })
    }
    let begun = client.heard("$/progress").filter { $0["value"]?["kind"] == "begin" }
    // A method that has no words of its own is called something that people can read all the same.
    #expect(!begun.isEmpty && begun.allSatisfy { $0["value"]?["title"] == "Working" }, "\(begun)")
    await daemon.stop()
  }

  @Test("the same view on two methods supersedes neither of them")
  func supersedingPerMethod() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let params: JSONValue = ["gate": .string(gate.name), "view": "main"]
    let fetch = client.send("toys/fetchAndAdd", params)
    await gate.reached()
    let read = client.send("toys/waitAndCount", params)
    await gate.reached(2)
    gate.open()
    #expect(try await fetch.failure() == nil)
    #expect(try await read.failure() == nil)
    await daemon.stop()
  }
}
