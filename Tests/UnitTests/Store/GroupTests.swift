import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store

/// Which writes share a transaction.
@Suite(.timeLimit(.minutes(10))) struct GroupTests {
  private let folder = TemporaryFolder()

  /// However slow the machine, no group ends before its time.
  private func open(
    groupDuration: Duration = .seconds(60), answerTogether: (@Sendable (() -> Void) -> Void)? = nil
  ) throws -> Store {
    try Store.toys(in: folder, groupDuration: groupDuration, answerTogether: answerTogether)
  }

  private struct Refused: Error {}

  /// Writes one toy, and while that is being written queues so many others, `t1` and on. Returns by number whether each
  /// succeeded, and the library's clock as each of them found it written: in a group that is the clock before the
  /// group.
  private func write(
    joinedBy count: Int, refused: Int? = nil, long: Int? = nil, cancelled: Int? = nil, in store: Store
  ) async -> [(isWritten: Bool, clock: Int)] {
    let (ends, end) = AsyncStream.makeStream(of: (Int, Bool).self)
    let clocks = Mutex([Int](repeating: -1, count: count + 1))
    @Sendable func job(_ number: Int, then: @escaping @Sendable () -> Void = {}) -> WriteJob {
      let token = WriteToken()
      if number == cancelled { _ = token.cancel() }
      return WriteJob(caller: DaemonCaller(), label: "test", token: token, isLong: number == long) {
        transaction in
        let clock = try transaction.db.integer("SELECT clock FROM library")!
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
    store.close()
  }

  @Test("a write that joined and fails takes nothing with it, nor does the one that had begun alone")
  func failing() async throws {
    let store = try open()
    let writes = await write(joinedBy: 3, refused: 2, in: store)
    #expect(writes.map(\.isWritten) == [true, true, false, true])
    #expect(Set(writes.map(\.clock)) == [0])
    let names = try store.pool.read { try $0.texts("SELECT id FROM toy ORDER BY id") }
    #expect(names == ["t0", "t1", "t3"])
    store.close()
  }

  @Test("a group is full with sixty-four; who comes later is in the next")
  func full() async throws {
    let store = try open()
    let writes = await write(joinedBy: 100, in: store)
    #expect(writes.count { $0.isWritten } == writes.count)
    #expect(writes.filter { $0.clock == 0 }.count == WriteQueue.groupLimit)
    #expect(writes.filter { $0.clock == WriteQueue.groupLimit }.count == 101 - WriteQueue.groupLimit)
    store.close()
  }

  @Test("nobody joins a long write: who comes while it is written is in the next group")
  func long() async throws {
    let store = try open()
    let writes = await write(joinedBy: 10, long: 0, in: store)
    #expect(writes.count { $0.isWritten } == writes.count)
    #expect(writes.map(\.clock) == [0] + Array(repeating: 1, count: 10))
    store.close()
  }

  @Test("those who wait before and behind a long write are written without it")
  func around() async throws {
    let store = try open()
    let writes = await write(joinedBy: 4, long: 2, in: store)
    #expect(writes.count { $0.isWritten } == writes.count)
    #expect(writes.map(\.clock) == [0, 0, 2, 3, 3])
    store.close()
  }

  @Test("a cancelled write that is the first of a group takes none of it along, and is answered as cancelled")
  func cancelledFirst() async throws {
    let store = try open()
    // The long one has a group of its own, so that the cancelled one begins the next.
    let writes = await write(joinedBy: 5, long: 0, cancelled: 1, in: store)
    #expect(writes.map(\.isWritten) == [true, false, true, true, true, true])
    #expect(writes.map(\.clock) == [0, -1, 1, 1, 1, 1], "it never ran, and the others share a commit")
    let names = try store.pool.read { try $0.texts("SELECT id FROM toy ORDER BY id") }
    #expect(names == ["t0", "t2", "t3", "t4", "t5"])
    #expect(store.feed.head == 5)
    store.close()
  }

  @Test("a cancelled write that was alone when its group began lets others join it")
  func cancelledAlone() async throws {
    let store = try open()
    // Until this one lets go, the writer has a group and cannot begin it.
    let other = try Database(path: LibraryFolder(folder.file("library")).database)
    let (ends, end) = AsyncStream.makeStream(of: (number: Int, isCancelled: Bool).self)
    let token = WriteToken()
    #expect(token.cancel())
    @Sendable func job(_ number: Int, _ token: WriteToken = WriteToken()) -> WriteJob {
      WriteJob(caller: DaemonCaller(), label: "test", token: token) { transaction in
        try transaction.insert(ToyRecord.named("t\(number)"))
        return []
      } completion: { result in
        if case .failure(let error) = result {
          end.yield((number, error as? RPCError == .cancelled))
        } else {
          end.yield((number, false))
        }
      }
    }
    try other.execute("BEGIN IMMEDIATE")
    store.writes.add(job(0, token))
    for number in 1...3 { store.writes.add(job(number)) }
    try other.execute("COMMIT")
    var answers: [Int: Bool] = [:]
    for await (number, isCancelled) in ends {
      #expect(answers[number] == nil, "answered twice")
      answers[number] = isCancelled
      if answers.count == 4 { break }
    }
    #expect(answers == [0: true, 1: false, 2: false, 3: false])
    #expect(store.feed.head == 3)
    store.close()
  }

  @Test("a group whose time is over takes nobody more; those that wait are in the next, each written and answered once")
  func timeIsOver() async throws {
    let store = try open(groupDuration: .zero)
    let writes = await write(joinedBy: 10, refused: 4, in: store)
    #expect(writes.indices.filter { !writes[$0].isWritten } == [4])
    // Each alone: of those that were taken together too.
    #expect(writes.map(\.clock) == [0, 1, 2, 3, 4, 4, 5, 6, 7, 8, 9])
    #expect(store.feed.head == 10)
    store.close()
  }

  @Test("those of a group are answered together, and one that was written alone is not")
  func answeredTogether() async throws {
    let together = Mutex(0)
    let store = try open { body in
      body()
      together.withLock { $0 += 1 }
    }
    _ = await write(joinedBy: 10, refused: 3, in: store)
    // It is called in the group's last answer, and ends behind it: the next write is behind that.
    let (ends, end) = AsyncStream.makeStream(of: Int.self)
    store.writes.add(
      WriteJob(caller: DaemonCaller(), label: "test") { transaction in
        try transaction.insert(ToyRecord.named("alone"))
        return []
      } completion: { _ in
        end.yield(together.withLock(\.self))
      })
    #expect(await ends.first { _ in true } == 1)
    store.close()
    #expect(together.withLock(\.self) == 1)
  }
}
