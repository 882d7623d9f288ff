import Foundation
import GRDB
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Store

/// Which writes share a transaction.
@Suite(.timeLimit(.minutes(1))) struct GroupTests {
  private let folder = TemporaryFolder()

  /// However slow the machine, no group ends before its time.
  private func open() throws -> Store { try Store.toys(in: folder, groupDuration: .seconds(60)) }

  private struct Refused: Error {}

  /// Writes one toy, and while that is being written queues so many others, `t1` and on. Returns by number whether each
  /// succeeded, and the library's clock as each of them found it written: in a group that is the clock before the group.
  private func write(joinedBy count: Int, refused: Int? = nil, in store: Store) async -> [(isWritten: Bool, clock: Int)]
  {
    let (ends, end) = AsyncStream.makeStream(of: (Int, Bool).self)
    let clocks = Mutex([Int](repeating: -1, count: count + 1))
    @Sendable func job(_ number: Int, then: @escaping @Sendable () -> Void = {}) -> WriteJob {
      WriteJob(caller: DaemonCaller(), label: "test") { transaction in
        let clock = try Int.fetchOne(transaction.db, sql: "SELECT clock FROM library")!
        clocks.withLock { $0[number] = clock }
        try transaction.insert(ToyRecord.named("t\(number)"))
        then()
        if number == refused { throw Refused() }
        return []
      } completion: { result in
        end.yield((number, (try? result.get()) != nil))
      }
    }
    store.writes.add(
      job(0) {
        for number in 1...count { store.writes.add(job(number)) }
      })
    var written = [Bool](repeating: false, count: count + 1)
    var left = count + 1
    for await (number, isWritten) in ends {
      written[number] = isWritten
      left -= 1
      if left == 0 { break }
    }
    return zip(written, clocks.withLock(\.self)).map { (isWritten: $0, clock: $1) }
  }

  @Test("what comes while a write is being written joins it: one commit, one sync")
  func joining() async throws {
    let store = try open()
    let writes = await write(joinedBy: 10, in: store)
    #expect(writes.count { $0.isWritten } == writes.count)
    #expect(Set(writes.map(\.clock)) == [0])
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }

  @Test("a write that joined and fails takes nothing with it, nor does the one that had begun alone")
  func failing() async throws {
    let store = try open()
    let writes = await write(joinedBy: 3, refused: 2, in: store)
    #expect(writes.map(\.isWritten) == [true, true, false, true])
    #expect(Set(writes.map(\.clock)) == [0])
    let names = try store.pool.read { try String.fetchAll($0, sql: "SELECT id FROM toy ORDER BY id") }
    #expect(names == ["t0", "t1", "t3"])
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }

  @Test("a group is full with sixty-four; who comes later is in the next")
  func full() async throws {
    let store = try open()
    let writes = await write(joinedBy: 100, in: store)
    #expect(writes.count { $0.isWritten } == writes.count)
    #expect(writes.filter { $0.clock == 0 }.count == WriteQueue.groupLimit)
    #expect(writes.filter { $0.clock == WriteQueue.groupLimit }.count == 101 - WriteQueue.groupLimit)
    store.close(deadline: Date(timeIntervalSinceNow: 5))
  }
}
