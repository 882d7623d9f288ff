import Contract
import Features
import TestSupport
import Testing
import Wire

/// Clients that go without waiting for what they asked.
@Suite("Leaving", .timeLimit(.minutes(10)))
struct LeavingTests {
  @Test("the writes of a client that has left are done, and their ends find nobody and harm nobody")
  func writes() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let stays = try await daemon.client(name: "stays")
    let leaves = try await daemon.client(name: "leaves")
    let gate = ToyGate.make()
    _ = leaves.send("toys/holdAndAdd", ["gate": .string(gate.name), "title": "begun"])
    _ = leaves.send("toys/add", ["title": "waiting"])
    await gate.reached()
    // Both have been read when this is answered: a message that is still in the socket goes with the connection.
    _ = try await leaves.call("session/ping")
    await leaves.close()
    // Its peer is gone as soon as the status does not name it any more; only then its writes end.
    while try await stays.call("session/status")["clients"]?.arrayValue?.count != 1 {}
    gate.open()
    // The writer takes writes in order: when this one is done, so are those before it.
    _ = try await stays.call("toys/add", ["title": "after"])
    let list = try await stays.call("toys/waitAndCount")
    #expect(list.count == 3)
    await daemon.stop()
  }

  @Test("a client that ends its input right behind a write gets the reply, whichever thread writes it")
  func inputEndsBehindWrite() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    for number in 1...100 {
      let client = try RawSocket(connectingTo: daemon.socket)
      client.write(#"{"jsonrpc":"2.0","id":\#(number),"method":"toys/add","params":{"title":"one"}}"# + "\n")
      if number.isMultiple(of: 2) { client.endInput() }
      let reply = try await client.readSome()
      #expect(reply.starts(with: Array(#"{"jsonrpc":"2.0","id":\#(number),"#.utf8)))
      // Its connection is as good as before: the read behind it sees the write.
      guard !number.isMultiple(of: 2) else { continue }
      client.write(#"{"jsonrpc":"2.0","id":\#(number),"method":"toys/waitAndCount"}"# + "\n")
      client.endInput()
      #expect(try await client.readToEnd().contains(#""count":\#(number)"#))
    }
    await daemon.stop()
  }

  @Test("a client that is gone in the middle of a message is a line for information, and no failure")
  func insideMessage() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let stays = try await daemon.client(name: "stays")
    do {
      let leaves = try RawSocket(connectingTo: daemon.socket)
      leaves.write("Content-Length: 100\r\n\r\n{\"jsonrpc\"")
    }
    while !daemon.logLines.contains(where: { $0.contains("insideFrame") }) { _ = try await stays.call("session/ping") }
    #expect(daemon.logLines.allSatisfy { $0.hasPrefix("info ") })
    await daemon.stop()
  }

  @Test(
    "a client whose bytes are no frame is told so and closed alone, and the log has a line",
    arguments: [
      ("Content-Type: application/json\r\n\r\n", "noLength"), ("Content-Length: 17825792\r\n\r\n", "tooLarge"),
      ("Content-Length: -1\r\n\r\n", "badLength"), ("nonsense\r\n\r\n", "badHeader"),
    ])
  func badFrames(bytes: String, name: String) async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let stays = try await daemon.client(name: "stays")
    let peer = try RawSocket(connectingTo: daemon.socket)
    peer.write(bytes)
    let reply = try await peer.readToEnd()
    #expect(reply.contains(#""id":null"#) && reply.contains("-32600"), "\(reply)")
    peer.endInput()
    while !daemon.logLines.contains(where: { $0.contains("badFrame") }) { _ = try await stays.call("session/ping") }
    let lines = daemon.logLines.filter { !$0.hasPrefix("info ") }
    #expect(lines.count == 1 && lines[0].hasPrefix("warning ") && lines[0].contains(name), "\(lines)")
    await daemon.stop()
  }

  @Test("a connection whose input has ended closes when its last request was cancelled, whatever that waited for")
  func cancelledFetch() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let (client, gate) = try await heldFetch(
      of: daemon, andThen: #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":1}}"# + "\n")
    let reply = try await client.readToEnd()
    #expect(reply.contains("-32800"))
    gate.open()
    await daemon.stop()
  }

  @Test("a connection whose input ended before its write was done closes behind the reply, and waits for nothing else")
  func writtenBehindTheEnd() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let (client, gate) = try await heldFetch(of: daemon)
    gate.open()
    let reply = try await client.readToEnd()
    #expect(reply.contains(#""result""#), "\(reply)")
    #expect(!daemon.logLines.contains { $0.contains("stalled") })
    await daemon.stop()
  }

  @Test("a request that waits for the world outside when the daemon ends is told that it was given up")
  func givenUp() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature])
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let reply = client.send("toys/fetchAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    async let end: Void = daemon.stop()
    let failure = try await reply.failure()
    #expect(failure?.data?["key"] == .string(RPCError.stoppedRequest.text.key))
    #expect(failure?.message.hasPrefix("The daemon is shutting down and stopped this") == true)
    gate.open()
    await end
  }

  @Test("nothing holds a daemon's library open that was shut down and let go of")
  func letGo() async throws {
    final class Held: Sendable {
      let released: AsyncStream<Void>.Continuation
      init(_ released: AsyncStream<Void>.Continuation) { self.released = released }
      deinit { released.finish() }
    }
    let (stream, released) = AsyncStream.makeStream(of: Void.self)
    do {
      let held = Held(released)
      let daemon = try await TestDaemon {
        // The store has the log as long as it has its files.
        let log = $0.log
        $0.log = Log { level, line in
          withExtendedLifetime(held) {}
          log(line, as: level)
        }
      }
      _ = try await daemon.client().call("diary/list")
      await daemon.stop()
    }
    for await _ in stream {}
  }

  /// A client whose fetch is held at the gate, and whose input has ended behind that and what it writes then.
  private func heldFetch(
    of daemon: TestDaemon, andThen more: String = ""
  ) async throws -> (client: RawSocket, gate: ToyGate) {
    let gate = ToyGate.make()
    let client = try RawSocket(connectingTo: daemon.socket)
    client.write(#"{"jsonrpc":"2.0","id":1,"method":"toys/fetchAndAdd","params":{"gate":"\#(gate.name)"}}"# + "\n")
    await gate.reached()
    client.write(more)
    client.endInput()
    return (client, gate)
  }
}
