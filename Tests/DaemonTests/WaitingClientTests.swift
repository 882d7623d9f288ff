import Features
import TestSupport
import Testing
import Wire

@testable import Daemon

/// The clients for which the notifications of others are slowed.
@Suite struct WaitingClientTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  private func othersWait(in daemon: TestDaemon) async -> Bool {
    await withCheckedContinuation { done in
      daemon.daemon.hosts[0].execute { done.resume(returning: $0.waiting.includesOthers(than: false)) }
    }
  }

  @Test("a client waits until it has its last reply, or has left")
  func counted() async throws {
    let daemon = try await TestDaemon(features: features)
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
    while await othersWait(in: daemon) { _ = try await client.call("session/ping") }
    second.open()
    _ = try await client.call("session/sync")
    #expect(await !othersWait(in: daemon))
    await daemon.stop()
  }
}
