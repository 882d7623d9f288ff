import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store

/// The end of a library, beside those who look after it.
@Suite(.timeLimit(.minutes(10))) struct ClosingTests {
  private let folder = TemporaryFolder()

  private func open() throws -> Store { try Store.toys(in: folder) }

  private func close(_ store: Store, in seconds: TimeInterval = 60) {
    store.close(deadline: .now + .seconds(seconds))
  }

  @Test("who looks after a library that was closed is refused, as one who comes behind the daemon's end")
  func closed() async throws {
    let store = try open()
    try store.pool.write { try $0.execute("INSERT INTO toy SELECT 'kept', 1, 1, 1, 't', 'b', NULL, NULL") }
    close(store)
    let care: [() throws -> Void] = [
      { try store.rebuildIndex { _ in } }, { try store.fillLinks() }, { try store.pruneFetched() },
      { try store.pruneLog() }, { _ = try store.sweepBlobs(olderThan: 0) },
      { _ = try store.check(CheckOptions()) { _ in } },
    ]
    for step in care { #expect(throws: RPCError.shuttingDown) { try step() } }
    // The last step of a long work.
    store.checkpointer.empty()
    // And who closes it again.
    close(store)
    let again = try open()
    #expect(try again.pool.read { try $0.texts("SELECT id FROM toy") } == ["kept"])
    close(again)
  }

  @Test("a library is closed behind who is in it, and the next one is refused meanwhile")
  func closedBehind() async throws {
    let store = try open()
    let gate = DispatchSemaphore(value: 0)
    let (events, tell) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      try? store.pool.write { db in
        tell.yield("in")
        gate.wait()
        try db.execute("INSERT INTO toy SELECT 'late', 1, 1, 1, 't', 'b', NULL, NULL")
        tell.yield("done")
      }
    }
    var told = events.makeAsyncIterator()
    #expect(await told.next() == "in")
    Thread.detachNewThread {
      store.close(deadline: .now + .seconds(60))
      tell.yield("closed")
    }
    while (try? store.pool.read { _ in }) != nil { await Task.yield() }
    gate.signal()
    #expect(await told.next() == "done")
    #expect(await told.next() == "closed")
    let again = try open()
    #expect(try again.pool.read { try $0.texts("SELECT id FROM toy") } == ["late"])
    close(again)
  }

  /// A statement that ends only when it is stopped.
  private static let endless =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"

  @Test("what still runs in a library at the deadline of its end is stopped, and the log says so")
  func stopped() async throws {
    let lines = Mutex<[String]>([])
    let store = try Store.toys(in: folder, log: Log { _, line in lines.withLock { $0.append(line) } })
    let (ins, isIn) = AsyncStream.makeStream(of: Void.self)
    let (ends, end) = AsyncStream.makeStream(of: (name: String, failure: RPCError?).self)
    let users: [(String, @Sendable () throws -> Void)] = [
      (
        "care",
        {
          try store.pool.write { db in
            try db.execute("INSERT INTO toy SELECT 'half', 1, 1, 1, 't', 'b', NULL, NULL")
            isIn.yield()
            _ = try db.integer(Self.endless)
          }
        }
      ),
      (
        "read",
        {
          try store.pool.read { db in
            isIn.yield()
            _ = try db.integer(Self.endless)
          }
        }
      ),
      (
        // It runs no statement, and looks at its interruption.
        "copy",
        {
          try store.reads.readWhole { _, interruption in
            isIn.yield()
            while interruption.reason == nil { sched_yield() }
            throw CancellationError()
          }
        }
      ),
    ]
    for (name, body) in users {
      Thread.detachNewThread {
        do {
          try body()
          end.yield((name, nil))
        } catch {
          end.yield((name, error as? RPCError))
        }
      }
    }
    var entered = ins.makeAsyncIterator()
    for _ in users { await entered.next() }
    Thread.detachNewThread {
      store.close(deadline: .now + .milliseconds(50))
      end.yield(("close", nil))
    }
    var ended: [String] = []
    for await (name, failure) in ends {
      ended.append(name)
      if name == "close" { break }
      #expect(failure == .shuttingDown, "\(name): \(String(describing: failure))")
    }
    #expect(ended.count == 4, "the library was closed before it was left: \(ended)")
    #expect(
      lines.withLock(\.self) == [
        "the library is closed after the time limit: its running operations are stopped"
      ])
    let again = try open()
    #expect(try again.pool.read { try $0.texts("SELECT id FROM toy") } == [])
    close(again)
  }

  @Test("a write that is stopped at the deadline is told that nothing of it is kept, also within a group")
  func stoppedWrites() async throws {
    let lines = Mutex<[String]>([])
    let store = try Store.toys(in: folder, log: Log { _, line in lines.withLock { $0.append(line) } })
    let (ends, end) = AsyncStream.makeStream(of: (name: String, failure: (any Error)?).self)
    @Sendable func add(_ name: String, _ body: @escaping @Sendable (Database) throws -> Void) {
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "test") { transaction in
          try transaction.insert(ToyRecord.named(name))
          try body(transaction.db)
          return []
        } completion: { result in
          if case .failure(let error) = result { end.yield((name, error)) } else { end.yield((name, nil)) }
        })
    }
    let gate = DispatchSemaphore(value: 0)
    add("first") { _ in
      // They join the group of the first, each in a savepoint.
      add("stopped") { db in
        gate.signal()
        _ = try db.integer(Self.endless)
      }
    }
    Thread.detachNewThread {
      gate.wait()
      store.close(deadline: .now + .milliseconds(50))
      end.yield(("close", nil))
    }
    var failures: [String: (any Error)?] = [:]
    for await (name, failure) in ends {
      failures[name] = .some(failure)
      if failures.count == 3 { break }
    }
    #expect(failures["stopped"]! as? RPCError == .stoppedWrite)
    #expect(!lines.withLock { $0.contains { $0.contains("failed") } })
    // An interrupt may come into its commit too. Either way it was told the truth.
    let isWritten = failures["first"]! == nil
    if !isWritten { #expect(failures["first"]! as? RPCError == .stoppedWrite) }
    let again = try open()
    #expect(try again.pool.read { try $0.texts("SELECT id FROM toy") } == (isWritten ? ["first"] : []))
    close(again)
  }

  @Test("who is in a library and runs nothing that could be stopped does not keep its end from coming")
  func hanging() async throws {
    let lines = Mutex<[String]>([])
    let store = try Store.toys(in: folder, log: Log { _, line in lines.withLock { $0.append(line) } })
    let gate = DispatchSemaphore(value: 0)
    let (events, tell) = AsyncStream.makeStream(of: String.self)
    Thread.detachNewThread {
      try? store.pool.read { db in
        tell.yield("in")
        gate.wait()
        // Its file is still there.
        tell.yield((try? db.text("SELECT 'read'")) ?? "lost")
      }
      tell.yield("left")
    }
    var told = events.makeAsyncIterator()
    #expect(await told.next() == "in")
    let started = ContinuousClock.now
    close(store, in: 0.05)
    #expect(ContinuousClock.now - started < .seconds(240))
    #expect(lines.withLock { $0.contains { $0.hasPrefix("the library was not closed cleanly: ") } })
    gate.signal()
    #expect(await told.next() == "read")
    #expect(await told.next() == "left")
  }
}
