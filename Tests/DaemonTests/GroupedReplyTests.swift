import Client
import Features
import Foundation
import Link
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Daemon

/// Writes that share a commit, and their replies.
@Suite("Replies of a group", .timeLimit(.minutes(10)))
struct GroupedReplyTests {
  private let features = AllFeatures.features + [ToyFeature.feature]

  @Test("what a group's writes hand to a loop is handed over behind the last of them, in one hop")
  func oneHop() async throws {
    let daemon = try await TestDaemon(features: features)
    let store = daemon.daemon.library.store
    let loops = Loops(count: 1)
    let loop = loops.next()
    var order: [String] = []
    // On a slow machine a group may be over before all have joined it.
    repeat { order = await handedOver(by: store, to: loop) } while order.isEmpty
    #expect(order == ["nobody's", "first", "second"])
    try await loops.shutdown()
    await daemon.stop()
  }

  /// Writes two toys in one group, whose ends hand their names to a loop; in the second end somebody else does so too,
  /// and waits until that has run. Nothing if they were not in one group.
  private func handedOver(by store: Store, to loop: Loop) async -> [String] {
    let order = Mutex<[String]>([])
    let clocks = Mutex<[Int64]>([])
    let (ends, end) = AsyncStream.makeStream(of: Void.self)
    @Sendable func note(_ name: String) {
      loop.execute {
        order.withLock { $0.append(name) }
        end.yield()
      }
    }
    @Sendable func job(
      _ then: @escaping @Sendable () -> Void = {}, completion: @escaping @Sendable () -> Void
    ) -> WriteJob {
      WriteJob(caller: DaemonCaller(), label: "test") { transaction in
        clocks.withLock { $0.append(store.feed.head) }
        try transaction.insert(ToyRecord.named(UUID().uuidString))
        then()
        return []
      } completion: { _ in
        completion()
      }
    }
    let second = job {
      let done = DispatchSemaphore(value: 0)
      Thread.detachNewThread {
        loop.execute {
          order.withLock { $0.append("nobody's") }
          done.signal()
        }
      }
      done.wait()
      note("second")
    }
    store.writes.add(job({ store.writes.add(second) }, completion: { note("first") }))
    var seen = ends.makeAsyncIterator()
    for _ in 0..<2 { await seen.next() }
    guard Set(clocks.withLock(\.self)).count == 1 else { return [] }
    return order.withLock(\.self)
  }

  @Test(
    "each client of a group gets its replies exactly once, also when the connection of another closes in between",
    arguments: [1, 2])
  func exactlyOnce(loops: Int) async throws {
    let daemon = try await TestDaemon(features: features) { $0.loops = loops }
    let gate = ToyGate.make()
    // What a client asks comes behind what it has asked before.
    let watcher = try await daemon.client(name: "watcher")
    let holder = try await daemon.client(name: "holder")
    let held = holder.send("toys/holdAndAdd", ["gate": .string(gate.name)])
    await gate.reached()
    var stay: [Client] = []
    var leave: [Client] = []
    var replies: [PendingReply] = []
    for number in 0..<6 {
      let client = try await daemon.client(name: "client \(number)")
      for round in 0..<5 {
        let reply = client.send("toys/add", ["title": .string("\(number).\(round)")])
        if number.isMultiple(of: 2) { replies.append(reply) }
      }
      if number.isMultiple(of: 2) { stay.append(client) } else { leave.append(client) }
    }
    func waiting() async throws -> Int64 {
      let status = try await watcher.call("session/status")
      return (status["clients"]?.arrayValue ?? []).reduce(0) { $0 + ($1["running"]?.integerValue ?? 0) }
    }
    // Theirs, the one that is held, and the question itself.
    while try await waiting() < 32 {}
    for client in leave { await client.close() }
    while try await watcher.call("session/status")["clients"]?.arrayValue?.count != 5 {}
    gate.open()
    _ = try await held.value()
    for reply in replies { _ = try await reply.value() }
    // What was written for those who have left is there too, and nobody's reply came to another.
    _ = try await holder.call("toys/add", ["title": "after"])
    #expect(try await holder.call("toys/waitAndCount").count == 32)
    for client in stay {
      _ = try await client.call("session/sync")
      var answers: [RequestID: Int] = [:]
      for case .single(.response(let id?, _, _)) in client.received { answers[id, default: 0] += 1 }
      #expect(answers.values.allSatisfy { $0 == 1 })
      #expect(answers.count == 7, "initialize, five writes and the sync")
    }
    await daemon.stop()
  }
}
