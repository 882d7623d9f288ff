import Foundation
import Synchronization
import TestSupport
import Testing

@testable import SQLite
@testable import SearchEngine
@testable import Store

@Suite struct ReadersTests {
  private let folder = TemporaryFolder()

  private struct Stopped: Error {}

  /// Readers of a library, and how many connections they have opened.
  private static func readers(of store: Store) -> (readers: Readers, opened: @Sendable () -> Int) {
    let opened = Counter()
    let readers = Readers { [path = store.folder.database] in
      opened.add()
      return try ReaderConnection(SearchLibrary.open(path, access: .reading))
    }
    return (readers, { opened.value })
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  private static let clock: @Sendable (Database) throws -> Int64 = { try Snapshot.clock(of: $0) }

  private static func move(_ store: Store) throws {
    try store.pool.write { try $0.execute("UPDATE library SET clock = clock + 1") }
  }

  @Test("A read that was stopped before it begins does not begin, and the first reason stays")
  func stoppedEarly() throws {
    let interruption = Interruption()
    interruption.interrupt(.timedOut)
    interruption.interrupt(.cancelled)
    #expect(interruption.reason == .timedOut)
    try Database(path: Database.inMemory).write { db in
      #expect(throws: CancellationError.self) {
        try interruption.guarding(db) { Issue.record("It has begun.") }
      }
      let number = try Interruption().guarding(db) { try db.first("SELECT 1") { $0.int(0) } }
      #expect(number == 1)
    }
  }

  @Test("There are as many connections as reads at once, and whoever comes next has the one that was used last")
  func count() throws {
    let store = try Store.toys(in: folder)
    let (readers, opened) = Self.readers(of: store)
    for _ in 0..<3 { _ = try readers.read(Self.clock) }
    #expect(opened() == 1)
    try readers.read { outer in
      let first = try Self.clock(outer)
      try Self.move(store)
      // Each sees its own state.
      #expect(try readers.read(Self.clock) == first + 1)
      #expect(try Self.clock(outer) == first)
    }
    for _ in 0..<3 { _ = try readers.read(Self.clock) }
    #expect(opened() == 2)
    readers.close()
    store.close()
  }

  @Test("A read that fails holds no state behind it, and its connection is used again")
  func failure() throws {
    let store = try Store.toys(in: folder)
    let (readers, opened) = Self.readers(of: store)
    #expect(throws: Stopped.self) {
      try readers.read { db in
        _ = try Self.clock(db)
        throw Stopped()
      }
    }
    #expect(throws: DatabaseError.self) { try readers.read { try $0.execute("DELETE FROM library") } }
    let before = try readers.read(Self.clock)
    try Self.move(store)
    #expect(try readers.read(Self.clock) == before + 1)
    #expect(opened() == 1)
    readers.close()
    store.close()
  }

  @Test("A read of a library that lost its clock is refused as broken, and never sees a clock of 0")
  func lostClock() throws {
    let store = try Store.toys(in: folder)
    let (readers, _) = Self.readers(of: store)
    try store.pool.write { try $0.execute("DELETE FROM library") }
    #expect(throws: StoreError.broken(path: "", reason: "noClock")) { try readers.read(Self.clock) }
    readers.close()
    store.close()
  }

  @Test("A connection on which a state was left open reads the newest one all the same")
  func leftOpen() throws {
    let store = try Store.toys(in: folder)
    let reader = try ReaderConnection(SearchLibrary.open(store.folder.database, access: .reading))
    let before = try reader.use { db in
      try ReaderConnection.begin(db)
      return try Self.clock(db)
    }
    try Self.move(store)
    #expect(try reader.read(Self.clock) == before + 1)
    #expect(reader.use { !$0.isInsideTransaction })
    store.close()
  }

  @Test("What a connection has asked of an index it asks of the one that was made in its place")
  func rebuilt() throws {
    let store = try Store.toys(in: folder)
    try store.pool.write { try SearchIndex.put(.diary(1, body: "slow river"), in: $0) }
    let (readers, opened) = Self.readers(of: store)
    func found() throws -> [String] {
      try readers.read { db in
        try SearchIndex.candidates(matching: MatchQuery(userText: "river"), limit: 9, now: 0, in: db).map(\.item)
      }
    }
    #expect(try found() == ["1"])
    try store.rebuildIndex { _ in }
    // It has what the features give it, and the diary is none of theirs here.
    #expect(try found() == [])
    try store.pool.write { try SearchIndex.put(.diary(2, body: "fast river"), in: $0) }
    #expect(try found() == ["2"])
    #expect(opened() == 1)
    readers.close()
    store.close()
  }

  @Test("A library that was closed has no file open any more")
  func descriptors() throws {
    let store = try Store.toys(in: folder)
    for _ in 0..<3 { _ = try store.pool.read { try store.pool.read(Self.clock) + Self.clock($0) } }
    let path = store.folder.database
    func open() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)"))?.hasPrefix(path) == true
      }
    }
    #expect(try open() > 2)
    store.close()
    #expect(try open() == 0)
  }
}
