import Foundation
import GRDB
import TestSupport
import Testing
import Wire

@testable import Store

/// The end of a library, beside those who look after it.
@Suite(.timeLimit(.minutes(1))) struct ClosingTests {
  private let folder = TemporaryFolder()

  private func open() throws -> Store { try Store.toys(in: folder) }

  private func close(_ store: Store) {
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }

  @Test("who looks after a library that was closed is refused, as one who comes behind the daemon's end")
  func closed() async throws {
    let store = try open()
    try store.pool.write { try $0.execute(sql: "INSERT INTO toy SELECT 'kept', 1, 1, 1, 't', 'b', NULL, NULL") }
    close(store)
    let care: [() throws -> Void] = [
      { try store.rebuildIndex { _ in } }, { try store.fillLinks() }, { try store.pruneFetched() },
      { try store.pruneLog() }, { _ = try store.sweepBlobs(olderThan: 0) },
      { _ = try store.check(CheckOptions()) { _ in } },
    ]
    for step in care { #expect(throws: RPCError.shuttingDown) { try step() } }
    // The last step of a long work.
    store.care.empty()
    // And who closes it again.
    close(store)
    let again = try open()
    #expect(try again.pool.read { try String.fetchAll($0, sql: "SELECT id FROM toy") } == ["kept"])
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
        try db.execute(sql: "INSERT INTO toy SELECT 'late', 1, 1, 1, 't', 'b', NULL, NULL")
        tell.yield("done")
      }
    }
    var told = events.makeAsyncIterator()
    #expect(await told.next() == "in")
    Thread.detachNewThread {
      store.close(deadline: Date(timeIntervalSinceNow: 5))
      tell.yield("closed")
    }
    while (try? store.pool.read { _ in }) != nil { await Task.yield() }
    gate.signal()
    #expect(await told.next() == "done")
    #expect(await told.next() == "closed")
    let again = try open()
    #expect(try again.pool.read { try String.fetchAll($0, sql: "SELECT id FROM toy") } == ["late"])
    close(again)
  }
}
