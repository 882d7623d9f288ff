import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store

/// Writes that run between those of clients.
@Suite(.timeLimit(.minutes(10))) struct YieldingWriteTests {
  private let folder = TemporaryFolder()

  /// A store for whose turns no time passes.
  private func open() throws -> Store {
    let start = ContinuousClock.now
    return try Store.toys(in: folder, groupDuration: .seconds(60), turnClock: { start })
  }

  /// Inserts a toy, and returns after its commit.
  private func insert(
    _ name: String, body: String = "", as priority: WritePriority = .yielding, in store: Store
  ) async throws {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "test", priority: priority) { transaction in
          var toy = ToyRecord.named(name)
          toy.body = body
          try transaction.insert(toy)
          return []
        } completion: {
          continuation.resume(with: $0.map { _ in })
        })
    }
  }

  /// What a write has seen: its name, the library's clock before its group, and the level of `PRAGMA synchronous`.
  private struct Seen: Equatable {
    var name: String
    var clock: Int?
    var synchronous: Int?
  }

  /// Runs a write, and those that it adds when it runs. Returns them in the order in which they ran.
  private func run(
    _ name: String, _ priority: WritePriority, adding others: [(name: String, priority: WritePriority)],
    in store: Store
  ) async -> [Seen] {
    let seen = Mutex<[Seen]>([])
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    @Sendable func job(_ name: String, _ priority: WritePriority, then: @escaping @Sendable () -> Void = {}) -> WriteJob
    {
      WriteJob(caller: DaemonCaller(), label: "test", priority: priority) { transaction in
        let (clock, level) = (
          try transaction.db.integer("SELECT clock FROM library"), try transaction.db.integer("PRAGMA synchronous")
        )
        seen.withLock { $0.append(Seen(name: name, clock: clock, synchronous: level)) }
        if priority == .repeatable {
          transaction.keepSilent()
        } else {
          try transaction.insert(ToyRecord.named(name))
        }
        then()
        return []
      } completion: { result in
        end.yield((try? result.get()) != nil)
      }
    }
    store.writes.add(
      job(name, priority) {
        for other in others { store.writes.add(job(other.name, other.priority)) }
      })
    var left = others.count + 1
    for await isWritten in ends {
      #expect(isWritten)
      left -= 1
      if left == 0 { break }
    }
    return seen.withLock(\.self)
  }

  @Test("a client's write that arrives later joins the running one, and a yielding write runs after both")
  func order() async throws {
    let store = try open()
    let seen = await run("a", .usual, adding: [("sync", .yielding), ("b", .usual)], in: store)
    #expect(seen.map(\.name) == ["a", "b", "sync"])
    #expect(seen.map(\.clock) == [0, 0, 2])
    store.close()
  }

  @Test("a client's write joins a yielding one, whose commit is synced to disk")
  func joining() async throws {
    let store = try open()
    let seen = await run("sync", .yielding, adding: [("a", .usual)], in: store)
    #expect(seen == [Seen(name: "sync", clock: 0, synchronous: 2), Seen(name: "a", clock: 0, synchronous: 2)])
    store.close()
  }

  @Test("the commit of a repeatable write is not synced to disk, that of each other write is")
  func repeatable() async throws {
    let store = try open()
    let seen = await run("sync", .repeatable, adding: [("a", .usual)], in: store)
    #expect(seen == [Seen(name: "sync", clock: 0, synchronous: 1), Seen(name: "a", clock: 0, synchronous: 2)])
    let more = await run("more", .repeatable, adding: [], in: store)
    #expect(more == [Seen(name: "more", clock: 1, synchronous: 1)])
    #expect(try store.pool.writeWithoutTransaction { try $0.integer("PRAGMA synchronous") } == 2)
    store.close()
  }

  @Test("a repeatable write that changes items is refused: a reply would promise them")
  func refused() async throws {
    let store = try open()
    let result = await withCheckedContinuation { continuation in
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "test", priority: .repeatable) { transaction in
          try transaction.insert(ToyRecord.named("a"))
          return []
        } completion: {
          continuation.resume(returning: $0)
        })
    }
    #expect(throws: RPCError.internalError) { try result.get() }
    #expect(try store.pool.read { try $0.integer("SELECT count(*) FROM toy") } == 0)
    store.close()
  }

  @Test("a yielding write that waits for its turn is still committed when the store closes")
  func closing() async throws {
    let store = try open()
    let isWritten = Mutex(false)
    // After writes without pauses there is no turn for a while.
    for number in 0..<8 { try await store.write { try $0.insert(ToyRecord.named("t\(number)")) } }
    store.writes.add(
      WriteJob(caller: DaemonCaller(), label: "test", priority: .yielding) { transaction in
        try transaction.insert(ToyRecord.named("later"))
        return []
      } completion: { result in
        isWritten.withLock { $0 = (try? result.get()) != nil }
      })
    store.close()
    let wasWritten = isWritten.withLock(\.self)
    #expect(wasWritten)
  }

  @Test("the log is moved into the library in short steps between yielding writes")
  func steps() async throws {
    var limits = WALLimits()
    limits.yieldingBytes = 32 << 10
    let store = try Store.toys(in: folder, limits: limits)
    store.checkpointer.empty()
    var longest: Int64 = 0
    for number in 0..<100 {
      try await insert("t\(number)", in: store)
      longest = max(longest, store.walSize)
    }
    #expect(longest > 128 << 10 && longest < 512 << 10)
    store.close()
  }

  @Test("a long step, for what clients wrote before, waits until none of them is expected to write")
  func overdue() async throws {
    var limits = WALLimits()
    limits.yieldingBytes = 16 << 10
    limits.idleCheckpoint = .seconds(3_600)
    let start = ContinuousClock.now
    let passed = Mutex(Duration.zero)
    let store = try Store.toys(in: folder, limits: limits, turnClock: { start + passed.withLock(\.self) })
    // Each adds a fifth of a megabyte to the log.
    let body = String(repeating: "a long text of letters and words ", count: 6_000)
    try await insert("a", body: body, as: .usual, in: store)
    let first = store.walSize
    try await insert("b", body: body, in: store)
    #expect(store.walSize > first + 128 << 10)
    passed.withLock { $0 = WriteTurns.quiet }
    try await insert("c", body: body, in: store)
    let third = store.walSize
    // The log has been moved, and is written from its beginning again.
    try await insert("d", body: body, in: store)
    #expect(store.walSize < third + 128 << 10)
    store.close()
  }

  @Test("while a client writes, the log is moved only at the beginning of a turn, so that the next write need not wait")
  func lateTurn() async throws {
    var limits = WALLimits()
    limits.yieldingBytes = 256 << 10
    limits.idleCheckpoint = .seconds(3_600)
    let start = ContinuousClock.now
    // Each look at the clock is later than the one before: that of a write than that of the reply before it.
    let passed = Mutex((now: Duration.zero, step: WriteTurns.beginning))
    let store = try Store.toys(
      in: folder, limits: limits,
      turnClock: {
        passed.withLock { passed in
          passed.now += passed.step
          return start + passed.now
        }
      })
    let body = String(repeating: "a long text of letters and words ", count: 6_000)
    try await insert("a", body: body, as: .usual, in: store)
    // A part of the turn is over.
    let first = store.walSize
    try await insert("b", in: store)
    #expect(store.walSize > first)
    passed.withLock { $0 = (.zero, .zero) }
    let second = store.walSize
    try await insert("c", in: store)
    // The log has been moved, and is written from its beginning again.
    try await insert("d", in: store)
    #expect(store.walSize == second)
    store.close()
  }

  @Test("a turn that is used for the log does not let a write wait as long again")
  func usedTurn() async {
    let start = ContinuousClock.now
    // Each takes ten milliseconds.
    let groups = Mutex(0)
    let isUsed = Mutex(false)
    let (ends, end) = AsyncStream.makeStream(of: Int.self)
    let queue = WriteQueue(
      commit: { jobs, _ in
        groups.withLock { $0 += 1 }
        for job in jobs { job.completion(.failure(RPCError.shuttingDown)) }
        return jobs.count
      },
      useTurn: { _ in
        isUsed.withLock { used in
          defer { used = true }
          return !used
        }
      }, now: { start + .milliseconds(10) * groups.withLock(\.self) })
    @Sendable func add(_ priority: WritePriority, whenDone: @escaping @Sendable (_ groups: Int) -> Void) {
      queue.add(
        WriteJob(caller: DaemonCaller(), label: "test", priority: priority) { _ in
          []
        } completion: { _ in
          whenDone(groups.withLock(\.self))
        })
    }
    // A client whose next write waits whenever one of twenty is done.
    @Sendable func write() {
      add(.usual) { count in
        if count == 1 { add(.yielding) { groups in end.yield(groups) } }
        if count < 20 { write() } else { end.finish() }
      }
    }
    write()
    var places: [Int] = []
    for await place in ends { places.append(place) }
    // After those of fifty milliseconds, and not after those of a hundred.
    #expect(places == [7])
    queue.close(deadline: .now + .seconds(3_600))
  }
}
