import Features
import Kit
import TestSupport
import Testing
import Wire

@testable import Daemon

/// Clients that send messages without replies while others ask.
@Suite struct FloodingClientTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("a request of one client counts for the clients of all loops")
  func counted() async throws {
    let daemon = try await TestDaemon(features: features)
    let client = try await daemon.client()
    _ = try await client.call("session/ping")
    // So long after the last request it counts no more.
    let late = ContinuousClock.now + .milliseconds(100)
    func othersAsk() async -> [Bool] {
      var all: [Bool] = []
      for host in daemon.daemon.hosts {
        all.append(
          await withCheckedContinuation { done in
            host.execute { host in
              done.resume(returning: host.requests.includesOthers(than: ObjectIdentifier(host), at: late))
            }
          })
      }
      return all
    }
    #expect(await othersAsk().allSatisfy { !$0 })
    _ = try await client.call("session/ping")
    #expect(await othersAsk().allSatisfy { $0 })
    await client.close()
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
            peer.connection(peer.connection, received: Frame(reading: Array(text.utf8)), byteCount: text.utf8.count)
            let (begun, ended) = (ContinuousClock.now, ContinuousClock.now + .seconds(1))
            // Another client asks.
            host.requests.add(of: ObjectIdentifier(host), at: ended)
            return peer.connection(peer.connection, restsAfter: begun, until: ended) != nil
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
