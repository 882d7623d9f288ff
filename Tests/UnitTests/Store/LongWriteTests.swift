import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import SearchEngine
@testable import Store

/// Writes in slices: what gets between them, and what is left of one that fails.
@Suite(.timeLimit(.minutes(10))) struct LongWriteTests {
  private let folder = TemporaryFolder()
  private let caller = NamedCaller()

  private func open() throws -> Store { try Store.toys(in: folder, sliceRows: 10) }

  /// Queues a long write that adds so many toys; its end is the value. `before` is called in each slice with the number
  /// of toys that are there, and may throw.
  private func add(
    _ count: Int, to store: Store, token: WriteToken = WriteToken(),
    before: @escaping @Sendable (Int) throws -> Void = { _ in },
    inside: @escaping @Sendable (Int, Database) throws -> Void = { _, _ in }
  ) -> Task<Result<WriteOutcome, any Error>, Never> {
    let (stream, continuation) = AsyncStream.makeStream(of: Result<WriteOutcome, any Error>.self)
    store.add(
      LongWrite(caller: caller, label: "many", token: token) { position, transaction in
        var done = position as? Int ?? 0
        try before(done)
        try inside(done, transaction.db)
        while transaction.hasRoom, done < count {
          try transaction.insert(ToyRecord.named("m\(done)"))
          done += 1
        }
        return done == count ? .done(Array("{}".utf8)) : .more(done)
      } completion: {
        continuation.yield($0)
      })
    return Task { await stream.first { _ in true }! }
  }

  private func write<Value: Sendable>(
    to store: Store, _ body: @escaping @Sendable (Transaction) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      let value = Mutex<Value?>(nil)
      store.writes.add(
        WriteJob(caller: caller, label: "other") { transaction in
          let result = try body(transaction)
          value.withLock { $0 = result }
          return []
        } completion: { result in
          continuation.resume(with: result.map { _ in value.withLock { $0! } })
        })
    }
  }

  /// As `changes/undo` does: slice after slice.
  private func undo(_ clock: Int64, in store: Store) async throws {
    let _: WriteOutcome = try await withCheckedThrowingContinuation { continuation in
      store.add(
        LongWrite(caller: caller, label: "undo") { position, transaction in
          try transaction.undo(position as? Int64 ?? clock, force: false).map { .more($0) } ?? .done([])
        } completion: {
          continuation.resume(with: $0)
        })
    }
  }

  private func toys(in store: Store) throws -> Int {
    try store.pool.read { try $0.integer("SELECT count(*) FROM toy")! }
  }

  private func newestUndoable(in store: Store) async throws -> Int64? {
    try await write(to: store) { transaction in
      transaction.keepSilent()
      return try transaction.newestUndoable()
    }
  }

  @Test("Its slices leave few segments of the search index, so that none of them has to merge many at once")
  func segments() async throws {
    let store = try open()
    let most = Mutex(0)
    let result = await add(
      1_280, to: store,
      inside: { _, db in
        let segments = try db.integer("SELECT count(DISTINCT segid) FROM search_text_idx") ?? 0
        most.withLock { $0 = max($0, segments) }
      }
    ).value
    _ = try result.get()
    #expect((2..<20).contains(most.withLock(\.self)))
    store.close()
  }

  @Test("a damaged segment of the search index makes no long write fail, and the index is made anew")
  func damagedIndex() async throws {
    let store = try open()
    // Enough segments for a merge.
    for number in 0..<20 {
      let entry = SearchEntry(collection: "toys", item: "\(number)", at: 0, title: "", body: "River \(number)")
      try store.pool.write { try SearchIndex.put(entry, in: $0) }
    }
    try store.pool.write { db in
      try db.defend(false)
      try db.execute("UPDATE search_text_data SET block = x'00' WHERE id > 10")
      try db.defend(true)
    }
    _ = try await add(100, to: store).value.get()
    #expect(try toys(in: store) == 100)
    while try store.pool.write({ try SearchIndex.check($0) }) != [] { await Task.yield() }
    store.close()
  }

  @Test("another client's write gets in between the slices of a long one, and the long one is undone in one step")
  func slices() async throws {
    let store = try open()
    let long = add(100, to: store) { done in
      guard done == 10 else { return }
      // Queued while the second slice runs; so it is done before the last one.
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "other") { transaction in
          try transaction.insert(ToyRecord.named("other"))
          return []
        } completion: { _ in
        })
    }
    let outcome = try await long.value.get()
    let revision = try store.pool.read {
      try $0.integer("SELECT revision FROM toy WHERE id = 'other'")!
    }
    #expect(revision < outcome.clock - 5)
    #expect(try toys(in: store) == 101)
    let newest = try #require(try await newestUndoable(in: store))
    #expect(newest == outcome.clock)
    try await undo(newest, in: store)
    #expect(try toys(in: store) == 1)
    #expect(try await newestUndoable(in: store) == nil)
    // Brought back and taken back again, all of it each time.
    let redoable = try #require(
      try await write(to: store) { transaction in
        transaction.keepSilent()
        return try transaction.newestRedoable()
      })
    try await undo(redoable, in: store)
    #expect(try toys(in: store) == 101)
    try await undo(try #require(try await newestUndoable(in: store)), in: store)
    #expect(try toys(in: store) == 1)
    #expect(try store.check(CheckOptions(), progress: { _ in }).findings.isEmpty)
    store.close()
  }

  @Test("commits that continue each other are undone as one, and after an undo between two of them the next is its own")
  func continuedGroup() async throws {
    let store = try open()
    func add(_ name: String, _ first: Int64?) async throws -> Int64 {
      try await write(to: store) { transaction in
        if let first { try transaction.continueGroup(since: first, reported: Delta.limit) }
        try transaction.insert(ToyRecord.named(name))
        return transaction.clock
      }
    }
    let first = try await add("a", nil)
    #expect(try await newestUndoable(in: store) == first)
    _ = try await add("b", first)
    // Without a commit, nothing continues.
    try await write(to: store) { transaction in
      try transaction.continueGroup(since: first, reported: 0)
      transaction.keepSilent()
    }
    let last = try await add("c", first)
    #expect(store.feed.delta(since: last - 1)?.content == .reset(["toys"]))
    #expect(try await newestUndoable(in: store) == last)
    try await undo(last, in: store)
    #expect(try toys(in: store) == 0)
    #expect(try await newestUndoable(in: store) == nil)
    let next = try await add("d", first)
    let end = try await add("e", first)
    try await undo(end, in: store)
    #expect(try toys(in: store) == 0)
    let groups = try store.pool.read { db in
      try db.integers("SELECT series FROM commits WHERE clock IN (\(next), \(end))")
    }
    #expect(groups == [next, next])
    // Nothing of it is open, so a start rolls nothing back.
    #expect(try store.pool.read { try ChunkedCommitGroup.open($0) }.isEmpty)
    #expect(try store.check(CheckOptions(), progress: { _ in }).findings.isEmpty)
    store.close()
  }

  @Test("a long write that fails in a later slice, or is cancelled there, leaves nothing that undo or redo would find")
  func failing() async throws {
    let store = try open()
    let failed = await add(100, to: store) { done in if done == 50 { throw RPCError(.notAllowed) } }.value
    #expect(throws: RPCError(.notAllowed)) { try failed.get() }
    #expect(try toys(in: store) == 0)
    let token = WriteToken()
    let cancelled = await add(100, to: store, token: token) { done in
      if done == 30 { #expect(!token.cancel()) }
    }.value
    #expect(throws: RPCError.cancelled) { try cancelled.get() }
    #expect(try toys(in: store) == 0)
    #expect(try await newestUndoable(in: store) == nil)
    #expect(
      try await write(to: store) { transaction in
        transaction.keepSilent()
        return try transaction.newestRedoable()
      } == nil)
    #expect(try store.pool.read { try ChunkedCommitGroup.open($0) }.isEmpty)
    store.close()
  }

  @Test("what another client has changed of a long write's items stays when that is given up")
  func keptWhenGivenUp() async throws {
    let store = try open()
    let failed = await add(100, to: store) { done in
      if done == 30 {
        store.writes.add(
          WriteJob(caller: DaemonCaller(), label: "other") { transaction in
            try transaction.change(try transaction.snapshot.get(ToyRecord.self, id: "m3")) { $0.title = "theirs" }
            return []
          } completion: { _ in
          })
      }
      if done == 80 { throw RPCError(.notAllowed) }
    }.value
    #expect(throws: RPCError(.notAllowed)) { try failed.get() }
    let kept = try store.pool.read { try $0.texts("SELECT title FROM toy") }
    #expect(kept == ["theirs"])
    store.close()
  }

  @Test("a slice goes on while nobody waits, and ends soon when somebody does")
  func alone() async throws {
    let store = try Store.toys(in: folder)
    let alone = try await add(3_000, to: store).value.get()
    #expect(alone.clock == 1)
    store.close()
    let otherFolder = TemporaryFolder()
    let busy = try Store.toys(in: otherFolder)
    let seen = Mutex<[Int]>([])
    _ = await add(3_000, to: busy) { done in
      seen.withLock { $0.append(done) }
      busy.writes.add(
        WriteJob(caller: DaemonCaller(), label: "other") { transaction in
          transaction.keepSilent()
          return []
        } completion: { _ in
        })
      if seen.withLock(\.count) == 3 { throw RPCError(.notAllowed) }
    }.value
    #expect(seen.withLock { $0.count == 3 && $0[1] <= 512 })
    busy.close()
  }

  @Test("an undo that meets a conflict in a later slice leaves all as it was, and can be asked for again with force")
  func conflictInUndo() async throws {
    let store = try open()
    let outcome = try await add(50, to: store).value.get()
    _ = try await write(to: store) { transaction in
      try transaction.change(try transaction.snapshot.get(ToyRecord.self, id: "m3")) { $0.title = "changed" }
    }
    await #expect(throws: RPCError.self) { try await undo(outcome.clock, in: store) }
    #expect(try toys(in: store) == 50)
    #expect(
      try await write(to: store) { transaction in
        transaction.keepSilent()
        return try transaction.isUndoable(outcome.clock)
      })
    // Once the change is undone nothing stands in the way.
    try await undo(try #require(try await newestUndoable(in: store)), in: store)
    try await undo(outcome.clock, in: store)
    #expect(try toys(in: store) == 0)
    store.close()
  }

  @Test("a series that a crash has cut off is taken back before the library is served again")
  func cutOff() async throws {
    let store = try open()
    // Closed in the middle: no further slice is taken, nor can what is there be taken back.
    let ended = await add(100, to: store) { done in
      if done == 50 { store.writes.close(deadline: .now) }
    }.value
    #expect(throws: RPCError.stoppedWrite) { try ended.get() }
    #expect(try toys(in: store) == 60)
    store.close()
    let again = try open()
    #expect(try toys(in: again) == 0)
    #expect(try await newestUndoable(in: again) == nil)
    #expect(again.feed.head == 12)
    #expect(try again.check(CheckOptions(), progress: { _ in }).findings.isEmpty)
    again.close()
  }

  /// What a write sees of a long write's toys when it was queued while the slice ran that failed.
  private func toysSeenBehindFailure(in store: Store, failing: @escaping @Sendable (Int) throws -> Void) async -> Int? {
    let seen = Mutex<Int?>(nil)
    let failed = await add(100, to: store) { done in
      guard done == 50 else { return }
      store.writes.add(
        WriteJob(caller: DaemonCaller(), label: "other") { transaction in
          transaction.keepSilent()
          let count = try transaction.db.integer("SELECT count(*) FROM toy")
          seen.withLock { $0 = count }
          return []
        } completion: { _ in
        })
      try failing(done)
    }.value
    #expect(throws: (any Error).self) { try failed.get() }
    // The other one has been answered by now.
    _ = try? await write(to: store) { $0.keepSilent() }
    return seen.withLock(\.self)
  }

  @Test("a long write that fails is taken back before any other write runs")
  func takenBackFirst() async throws {
    let store = try open()
    #expect(await toysSeenBehindFailure(in: store) { _ in throw RPCError(.notAllowed) } == 0)
    store.close()
  }

  @Test("a long write that finds the disk full leaves nothing, also for the write that follows it")
  func fullDisk() async throws {
    let store = try open()
    let seen = await toysSeenBehindFailure(in: store) { _ in
      throw DatabaseError(.full)
    }
    #expect(seen == 0)
    #expect(try store.pool.read { try ChunkedCommitGroup.open($0) }.isEmpty)
    // What was taken back is kept nowhere: there may be no room for a copy of it.
    #expect(
      try store.pool.read { try $0.integer("SELECT count(*) FROM changes WHERE before IS NOT NULL") } == 0)
    #expect(!FileManager.default.fileExists(atPath: store.folder.path + "/reserve"))
    store.close()
  }

  @Test("the room that a first slice held for its taking back is given up when the slice fails")
  func roomOfFirstSlice() async throws {
    let store = try open()
    let reserve = store.folder.path + "/reserve"
    let wasHeld = Mutex(false)
    let (stream, continuation) = AsyncStream.makeStream(of: Result<WriteOutcome, any Error>.self)
    store.add(
      LongWrite(caller: caller, label: "many") { _, transaction in
        try transaction.insert(ToyRecord.named("m"))
        try store.recovery.prepare(bytes: 1)
        wasHeld.withLock { $0 = FileManager.default.fileExists(atPath: reserve) }
        // What the commit itself writes fails.
        try transaction.db.execute("PRAGMA query_only = 1")
        return .more(1)
      } completion: {
        continuation.yield($0)
      })
    let failed = await stream.first { _ in true }
    #expect(throws: (any Error).self) { try failed?.get() }
    #expect(wasHeld.withLock(\.self) && !FileManager.default.fileExists(atPath: reserve))
    try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 0") }
    #expect(try toys(in: store) == 0)
    store.close()
  }

  @Test("while a failed long write cannot be taken back, reads and writes are refused; then all is as it was before")
  func blocked() async throws {
    let store = try open()
    _ = try await write(to: store) { try $0.insert(ToyRecord.named("before")) }
    let failed = await add(
      100, to: store,
      inside: { done, db in
        guard done == 50 else { return }
        #expect(FileManager.default.fileExists(atPath: store.folder.path + "/reserve"))
        // From here on nothing can be written.
        try db.execute("PRAGMA query_only = 1")
      }
    ).value
    let unfinished = StoreError.unfinished(path: store.folder.path, isFull: false).rpcError
    #expect(throws: unfinished) { try failed.get() }
    #expect(throws: unfinished) { try toys(in: store) }
    let reader = try store.makeQuickReader()
    #expect(throws: unfinished) { try reader.read(for: caller) { $0.clock } }
    await #expect(throws: unfinished) { _ = try await write(to: store) { try $0.insert(ToyRecord.named("refused")) } }
    try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA query_only = 0") }
    // The next write takes back what is left before it runs, so it is built on nothing that goes again.
    let count = try await write(to: store) { transaction in
      try transaction.insert(ToyRecord.named("after"))
      return try transaction.db.integer("SELECT count(*) FROM toy")!
    }
    #expect(count == 2)
    store.close()
    let again = try open()
    #expect(
      try again.pool.read { try $0.texts("SELECT id FROM toy ORDER BY id") } == ["after", "before"])
    #expect(try again.check(CheckOptions(), progress: { _ in }).findings.isEmpty)
    again.close()
  }

  @Test("a slice ends when it has written four megabytes, so that the log stays short")
  func largeRows() async throws {
    let store = try Store.toys(in: folder)
    let seen = Mutex<[Int]>([])
    let body = String(repeating: "a long text ", count: 85_000)
    let (stream, continuation) = AsyncStream.makeStream(of: Result<WriteOutcome, any Error>.self)
    store.add(
      LongWrite(caller: caller, label: "large") { position, transaction in
        var done = position as? Int ?? 0
        seen.withLock { $0.append(done) }
        while transaction.hasRoom, done < 10 {
          var toy = ToyRecord.named("large\(done)")
          toy.body = body
          try transaction.insert(toy)
          done += 1
        }
        return done == 10 ? .done([]) : .more(done)
      } completion: {
        continuation.yield($0)
      })
    _ = try await stream.first { _ in true }!.get()
    #expect(seen.withLock(\.self) == [0, 5])
    store.close()
  }

  @Test("a library from before there were series is opened, and what was written in it can still be undone")
  func older() async throws {
    let store = try open()
    try await write(to: store) { _ = try $0.insert(ToyRecord.named("a")) }
    store.close()
    try OldLibraries.execute(
      """
      DROP TABLE openSeries; DROP INDEX commitsBySeries;
      ALTER TABLE commits DROP COLUMN series; ALTER TABLE commits DROP COLUMN isVoid;
      DELETE FROM grdb_migrations WHERE identifier = 'store/002';
      """, in: LibraryFolder(folder.file("library")))
    let again = try open()
    let newest = try #require(try await newestUndoable(in: again))
    try await undo(newest, in: again)
    #expect(try toys(in: again) == 0)
    again.close()
  }

  @Test("slices are told item by item up to a thousand items of all together, and then as a reset of their collections")
  func told() async throws {
    let store = try Store.toys(in: folder, sliceRows: 400)
    let deltas = Mutex<[Delta]>([])
    let seen = Mutex<Int64>(0)
    _ = store.feed.follow {
      guard let delta = store.feed.delta(since: seen.withLock(\.self)) else { return }
      seen.withLock { $0 = delta.clock }
      deltas.withLock { $0.append(delta) }
    }
    let outcome = try await add(1_500, to: store).value.get()
    var count = 0
    for delta in deltas.withLock(\.self) {
      if case .changes(let changes) = delta.content {
        count += changes.count
        #expect(count <= Delta.limit)
      } else {
        #expect(delta.content == .reset(["toys"]))
      }
    }
    #expect(count >= 256)
    #expect(store.feed.delta(since: outcome.clock - 1)?.content == .reset(["toys"]))
    store.close()
  }
}

private final class NamedCaller: Caller {
  let clientName = "test"
  let connectionID = "c1"
}
