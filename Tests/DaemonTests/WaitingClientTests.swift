import Features
import Kit
import TestSupport
import Testing
import Wire

@testable import Daemon

/// The clients for which others are slowed that send messages without replies.
@Suite struct WaitingClientTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  private func othersWait(in daemon: TestDaemon) async -> Bool {
    await withCheckedContinuation { done in
      daemon.daemon.hosts[0].execute { host in
        // A moment after the last reply nobody waits any more.
        let isWaiting = host.waiting.includesOthers(
          than: ObjectIdentifier(host), isCounted: false, at: .now + .seconds(1))
        done.resume(returning: isWaiting)
      }
    }
  }

  @Test("a client waits until it has its last reply, or has left")
  func counted() async throws {
    let (departures, depart) = AsyncStream.makeStream(of: Void.self)
    var watching = Feature(name: "departures")
    watching.clientLeft = { _, _ in depart.yield() }
    let daemon = try await TestDaemon(features: features + [watching])
    let (client, other) = (try await daemon.client(), try await daemon.client())
    #expect(await !othersWait(in: daemon))
    let (gate, reading) = (ToyGate.make(), ToyGate.make())
    // Two requests, so that the writer does not send the reply itself.
    let (write, read) = (
      client.send("toys/holdAndAdd", ["gate": .string(gate.name)]),
      client.send("toys/waitAndCount", ["gate": .string(reading.name)])
    )
    await gate.reached()
    _ = try await client.call("session/ping")
    #expect(await othersWait(in: daemon))
    for _ in 0..<100 {
      _ = try await other.call("toys/countQuickly")
      _ = try await other.call("session/ping")
    }
    gate.open()
    reading.open()
    _ = try await write.value()
    _ = try await read.value()
    #expect(await !othersWait(in: daemon))
    // One that leaves waits no longer, whatever becomes of its requests.
    let second = ToyGate.make()
    _ = other.send("toys/holdAndAdd", ["gate": .string(second.name)])
    _ = other.send("toys/waitAndCount", ["gate": .string(reading.name)])
    await second.reached()
    await other.close()
    for await _ in departures { break }
    #expect(await !othersWait(in: daemon))
    second.open()
    _ = try await client.call("session/sync")
    #expect(await !othersWait(in: daemon))
    await daemon.stop()
  }
  @Test(
    "a client that floods the daemon with messages without replies rests, whether they are notifications or responses",
    arguments: [
      (#"{"jsonrpc":"2.0","method":"$/unknown"}"#, true),
      (#"{"jsonrpc":"2.0","id":1,"result":0}"#, true),
      (#"{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}"#, true),
      (#"[{"jsonrpc":"2.0","method":"$/unknown"},{"jsonrpc":"2.0","id":1,"result":0}]"#, true),
      (#"[{"jsonrpc":"2.0","id":1,"result":0},{"jsonrpc":"2.0","id":2,"method":"session/ping"}]"#, false),
      (#"{"jsonrpc":"2.0","id":2,"method":"session/ping"}"#, false),
    ])
  func withoutReply(_ text: String, rests: Bool) async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    var hasRested: Bool?
    for host in daemon.daemon.hosts where hasRested == nil {
      hasRested = await withCheckedContinuation { done in
        host.execute { host in
          let rest = host.peers.values.first.map { peer in
            // Somebody waits.
            host.waiting.enter()
            peer.connection(peer.connection, received: Frame(reading: Array(text.utf8)), byteCount: text.utf8.count)
            let now = ContinuousClock.now
            return peer.connection(peer.connection, restsAfter: now, until: now + .seconds(1)) != nil
          }
          done.resume(returning: rest)
        }
      }
    }
    #expect(hasRested == rests)
    await client.close()
    await daemon.stop()
  }
}
