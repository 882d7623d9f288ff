import Features
import TestSupport
import Testing
import Wire

@testable import Daemon

/// What the daemon stores of the views that clients name.
@Suite struct OpenViewTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  /// How many requests with a view are open, over all clients.
  private func openViews(of daemon: TestDaemon) async -> Int {
    var count = 0
    for host in daemon.daemon.hosts {
      count += await withCheckedContinuation { done in
        host.execute { host in done.resume(returning: host.peers.values.reduce(0) { $0 + $1.dispatcher.openViews }) }
      }
    }
    return count
  }

  @Test("a view is stored until its request is answered, in whichever way, and never for an unknown method")
  func stored() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    let gate = ToyGate.make()
    let write = client.send("toys/holdAndAdd", ["gate": .string(gate.name), "view": "held"])
    await gate.reached()
    // A read that waits for the write, and behind it methods that do not exist, one with a name of a megabyte.
    let waiting = client.send("toys/waitAndCount", ["view": "read"])
    let names = (0..<3).map { "unknown/\($0)" + String(repeating: "x", count: $0 == 0 ? 1 << 20 : 1) }
    let unknown = names.map { client.send($0, ["view": "one"]) }
    waiting.cancel()
    #expect(try await waiting.failure()?.code == RPCError.Code.cancelled)
    for request in unknown { #expect(try await request.failure()?.code == RPCError.Code.methodNotFound) }
    #expect(await openViews(of: daemon) == 1, "the write alone is open")
    gate.open()
    _ = try await write.value()
    // Refused params, a quick read, a control method, a fetch, and a write that its own client alone waits for.
    for number in 0..<300 {
      let view = JSONValue.string("view \(number)")
      _ = try await client.failure("toys/add", ["title": 7, "view": view])
      _ = try await client.call("toys/countQuickly", ["view": view])
      _ = try await client.call("session/ping", ["view": view])
      _ = try await client.call("toys/add", ["title": "t", "view": view])
    }
    #expect(await openViews(of: daemon) == 0)
    await daemon.stop()
  }

  @Test("the newer of two requests of one method and view is the one that is stored")
  func newest() {
    var views = OpenViews()
    let key = OpenViews.Key(method: "m", view: "v")
    #expect(views.open(1, as: key) == nil)
    #expect(views.open(2, as: key) == 1)
    views.close(1)
    #expect(views.count == 1)
    #expect(views.open(3, as: key) == 2)
    #expect(views.open(4, as: OpenViews.Key(method: "n", view: "v")) == nil)
    views.close(3)
    views.close(4)
    #expect(views.count == 0)
    #expect(views.open(5, as: key) == nil)
  }
}
