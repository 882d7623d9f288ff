import Client
import Features
import System
import TestSupport
import Testing
import Wire

/// Promises 1 and 2: in which order things start, and what they see.
@Suite struct OrderTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("writes, reads on threads, quick reads, fetches and controls of one client start in the order sent")
  func startOrder() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    var counts: [(expected: Int, reply: PendingReply)] = []
    for round in 0..<40 {
      client.send("toys/add", ["title": .string("toy \(round)")])
      let written = 2 * round + 1
      counts.append((written, client.send("toys/waitAndCount")))
      counts.append((written, client.send("toys/countQuickly")))
      client.send("session/ping")
      counts.append((written, client.send("toys/fetchAndAdd")))
      // What comes later must not be seen by what was asked before.
      client.send("toys/add", ["title": .string("later \(round)")])
      counts.append((written + 1, client.send("toys/waitAndCount")))
    }
    for (expected, reply) in counts { #expect(try await reply.value().count == expected) }
    await daemon.stop()
  }

  @Test("a long read keeps its state while others write, and what follows it starts once that state is pinned")
  func pinnedSnapshot() async throws {
    let daemon = try await TestDaemon(features: features)
    let reader = try await daemon.client(name: "reader")
    let writer = try await daemon.client(name: "writer")
    _ = try await writer.call("toys/add", ["title": "one"])
    let gate = ToyGate.make()
    let long = reader.send("toys/waitAndCount", ["gate": .string(gate.name)])
    // Sent at once behind the read: it may start when the read has its state, and must not change what that shows.
    let own = reader.send("toys/add", ["title": "two"])
    #expect(try await own.value().clock == 2)
    await gate.reached()
    #expect(try await writer.call("toys/add", ["title": "three"]).clock == 3)
    gate.open()
    let seen = try await long.value()
    #expect(seen.count == 1)
    #expect(seen.clock == 1)
    #expect(try await reader.call("toys/countQuickly").count == 3)
    await daemon.stop()
  }

  @Test("a write waits until the read before it has its state, also when every reader is busy")
  func writeWaitsForPin() async throws {
    let daemon = try await TestDaemon(features: features)
    let gate = ToyGate.make()
    // Two long reads a client: these occupy all of the readers.
    var others: [Client] = []
    for _ in 0..<4 {
      let other = try await daemon.client()
      for _ in 0..<2 { other.send("toys/waitAndCount", ["gate": .string(gate.name)]) }
      others.append(other)
    }
    await gate.reached(8)
    let client = try await daemon.client(name: "late")
    let read = client.send("toys/waitAndCount")
    let write = client.send("toys/add", ["title": "after the read"])
    let foreign = try await daemon.client(name: "foreign")
    #expect(try await foreign.call("toys/add", ["title": "foreign"]).clock == 1)
    gate.open()
    // The read saw the foreign write, which came before its state, and not the own one, which was sent behind it.
    #expect(try await read.value().count == 1)
    #expect(try await write.value().clock == 2)
    await daemon.stop()
  }

  @Test("a write that is all its client waits for is answered though the client's loop stands still")
  func answeredByWriter() async throws {
    let daemon = try await TestDaemon(features: AllFeatures.features + [ToyFeature.feature]) { $0.loops = 1 }
    let writer = try RawSocket(connectingTo: daemon.socket)
    let holder = try await daemon.client(name: "holder")
    let write = ToyGate.make()
    let loop = ToyGate.make()
    writer.write(#"{"jsonrpc":"2.0","id":7,"method":"toys/holdAndAdd","params":{"gate":"\#(write.name)"}}"# + "\n")
    await write.reached()
    async let held = holder.call("toys/waitQuickly", ["gate": .string(loop.name)])
    await loop.reached()
    write.open()
    #expect(try await writer.readSome().starts(with: Array(#"{"jsonrpc":"2.0","id":7,"result":"#.utf8)))
    loop.open()
    _ = try await held
    await daemon.stop()
  }

  @Test("the second request with an id in use is refused, and the first is answered all the same")
  func idInUse() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let first = MessageBytes.request(id: .string("a"), method: "toys/fetchAndAdd", params: ["gate": .string(gate.name)])
    let second = MessageBytes.request(id: .string("a"), method: "session/ping", params: [:])
    client.sendRaw(framed(first) + framed(second))
    let refusal = try await client.firstReceived { frame in
      if case .single(.response(.string("a"), nil, let error?)) = frame { error["code"] == -32600 } else { false }
    }
    gate.open()
    _ = try await client.firstReceived { frame in
      if case .single(.response(.string("a"), .some, nil)) = frame { true } else { false }
    }
    let answers = client.received.filter { if case .single(.response(.string("a"), _, _)) = $0 { true } else { false } }
    #expect(answers.count == 2)
    #expect(answers.first == refusal)
    await daemon.stop()
  }

  @Test("an id beyond 64 bits is answered in its own digits, also where it was cancelled")
  func longID() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try RawSocket(connectingTo: daemon.socket)
    client.write(#"{"jsonrpc":"2.0","id":18446744073709551616,"method":"session/ping"}"# + "\n")
    let pong = #"{"jsonrpc":"2.0","id":18446744073709551616,"result":"#
    #expect(try await client.readSome().starts(with: Array(pong.utf8)))
    let gate = ToyGate.make()
    client.write(
      #"{"jsonrpc":"2.0","id":18446744073709551617,"method":"toys/fetchAndAdd","params":{"gate":"\#(gate.name)"}}"#
        + "\n"
        + #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":18446744073709551617}}"# + "\n")
    let cancelled = #"{"jsonrpc":"2.0","id":18446744073709551617,"error":{"code":-32800"#
    #expect(try await client.readSome().starts(with: Array(cancelled.utf8)))
    gate.open()
    await daemon.stop()
  }

  @Test("a batch is its members in order and is answered by one array when the last of them is")
  func batch() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let batch = """
      [{"jsonrpc":"2.0","id":"f","method":"toys/fetchAndAdd","params":{"gate":"\(gate.name)"}},
       {"jsonrpc":"2.0","id":"w","method":"toys/add","params":{"title":"one"}},
       {"jsonrpc":"2.0","method":"toys/add","params":{"title":"two"}},
       {"jsonrpc":"2.0","id":"x","method":"toys/add","params":{"title":"plain"}},
       {"jsonrpc":"2.0","id":"r","method":"toys/countQuickly","params":{}}]
      """
    client.sendRaw(framed(Array(batch.utf8)))
    await gate.reached()
    // The members ran although the first has not ended: no array yet, but the library has moved on.
    _ = try await client.call("session/sync")
    #expect(!client.received.contains { if case .batch = $0 { true } else { false } })
    gate.open()
    let frame = try await client.firstReceived { if case .batch = $0 { true } else { false } }
    guard case .batch(let members) = frame else { return }
    let ids = members.map { if case .response(let id, _, _) = $0 { id } else { RequestID?.none } }
    #expect(ids == [.string("f"), .string("w"), .string("x"), .string("r")])
    guard case .response(_, let count?, _) = members[3], case .response(_, nil, let refusal?) = members[2] else {
      Issue.record("the batch was answered otherwise: \(members)")
      return
    }
    // No transaction: one failed, the others stand.
    #expect(count.count == 2)
    #expect(refusal["data"]?["kind"] == "notAllowed")
    await daemon.stop()
  }

  @Test("every request is answered exactly once, whatever is cancelled when")
  func answeredOnce() async throws {
    let daemon = try await TestDaemon(features: features)
    let seed = SeededGenerator.seed
    var random = SeededGenerator(seed: seed)
    let client = try await daemon.client()
    let methods = ["toys/countQuickly", "toys/waitAndCount", "toys/add", "session/ping", "toys/list"]
    // No more fetches than may run at once: one more would be `busy`, which is another promise's test.
    let asked =
      (0..<568).map { _ in methods.randomElement(using: &random)! } + Array(repeating: "toys/fetchAndAdd", count: 32)
    var pending: [PendingReply] = []
    for (round, method) in asked.shuffled(using: &random).enumerated() {
      let params: JSONValue = method == "toys/add" ? ["title": .string("toy \(round)")] : [:]
      pending.append(client.send(method, params))
      if Bool.random(using: &random), let victim = pending.suffix(40).randomElement(using: &random) { victim.cancel() }
    }
    for reply in pending {
      if let error = try await reply.failure() { #expect(error.code == -32800, "seed \(seed)") }
    }
    _ = try await client.call("session/sync")
    var answers: [RequestID: Int] = [:]
    for case .single(.response(let id?, _, _)) in client.received { answers[id, default: 0] += 1 }
    #expect(answers.values.allSatisfy { $0 == 1 }, "seed \(seed)")
    #expect(pending.allSatisfy { answers[$0.id] == 1 }, "seed \(seed)")
    await daemon.stop()
  }

  @Test("a fetch that directly follows a write of its client is planned with that write in sight")
  func fetchAfterWrite() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let counts = (1...50).map { number in
      client.send("toys/add", ["title": .string("toy \(number)")])
      return client.send("toys/fetchAndAdd")
    }
    for (index, reply) in counts.enumerated() { #expect(try await reply.value().count == index + 1) }
    await daemon.stop()
  }
}

/// A message in LSP's frame.
func framed(_ message: [UInt8]) -> [UInt8] {
  Array("Content-Length: \(message.count)\r\n\r\n".utf8) + message
}
