import CStore
import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import Store

/// The store without a daemon around it.
@Suite struct StoreTests {
  private let folder = TemporaryFolder()

  private func open() throws -> Store { try Store.toys(in: folder) }

  @Test("the writer really syncs each commit, whatever the pool set before, and leaves checkpoints to us")
  func synchronous() throws {
    let store = try open()
    let values = try store.pool.writeWithoutTransaction { db in
      try ["synchronous", "journal_mode", "wal_autocheckpoint"].map { try db.text("PRAGMA \($0)") }
    }
    // FULL is 2. The hook that counts pages has taken the place of SQLite's own, which is read as 0.
    #expect(values == ["2", "wal", "0"])
    store.close()
  }

  @Test("the library, its log and its blobs are the user's alone")
  func permissions() throws {
    let store = try open()
    for name in ["library.sqlite", "library.sqlite-wal", "library.sqlite-shm"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("library/" + name))
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o077 } == 0, "\(name)")
    }
    #expect(
      try FileManager.default.attributesOfItem(atPath: folder.file("library"))[.posixPermissions] as? Int == 0o700)
    store.close()
  }

  @Test("a library that was closed in order is opened again without a byte being written, or a sync waited for")
  func opensWithoutWriting() throws {
    try open().close()
    let files = ["library.sqlite", "library.sqlite-wal"].map { URL(fileURLWithPath: folder.file("library/" + $0)) }
    let closed = try files.map { try Data(contentsOf: $0) }
    #expect(!closed[1].isEmpty)
    let again = try open()
    #expect(try files.map { try Data(contentsOf: $0) } == closed)
    again.close()
  }

  @Test("SQLite counts none of its memory, in a library that was there as in a new one: that costs a lock each time")
  func countsNoMemory() async {
    // In a process of its own, since only what comes before SQLite's first use is heard.
    await #expect(processExitsWith: .success) {
      let tests = StoreTests()
      // A library that is there, without a log: it is looked at before it is opened.
      try FileManager.default.createDirectory(atPath: tests.folder.file("library"), withIntermediateDirectories: true)
      try Data().write(to: URL(fileURLWithPath: tests.folder.file("library/library.sqlite")))
      let store = try tests.open()
      guard sqlite3_memory_used() == 0 else { exit(2) }
      store.close()
    }
  }

  @Test("a write or a statement that touches megabytes of pages goes through at once, also in a group")
  func largeSavepoint() async {
    // In a process of its own, as above.
    await #expect(processExitsWith: .success) {
      let tests = StoreTests()
      let store = try tests.open()
      try store.pool.write { db in
        try db.execute(
          """
          CREATE TABLE ballast (number INTEGER UNIQUE, bytes BLOB NOT NULL);
          WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
          INSERT INTO ballast SELECT i, zeroblob(3000) FROM n;
          """)
      }
      // A statement that may fail in the middle.
      try store.pool.write { try $0.execute("UPDATE ballast SET number = -number") }
      let gate = DispatchSemaphore(value: 0)
      let runs = Mutex(0)
      let (ended, ends) = AsyncStream.makeStream(of: Bool.self)
      func add(_ body: @escaping @Sendable (Transaction) throws -> Void) {
        store.writes.add(
          WriteJob(caller: DaemonCaller(), label: "test") { transaction in
            transaction.keepSilent()
            try body(transaction)
            return []
          } completion: { result in
            ends.yield((try? result.get()) != nil)
          })
      }
      // Holds the writer until the two that follow wait together.
      add { _ in gate.wait() }
      add { transaction in
        try transaction.db.execute("UPDATE ballast SET bytes = zeroblob(3001)")
        runs.withLock { $0 += 1 }
      }
      add { _ in }
      gate.signal()
      var endings = ended.makeAsyncIterator()
      for _ in 0..<3 {
        guard await endings.next() == true else { exit(2) }
      }
      guard runs.withLock(\.self) == 1 else { exit(3) }
      store.close()
    }
  }

  @Test("a check for whose copy there is no room looks at the library itself")
  func checkWithoutRoom() async {
    // In a process of its own, since the limit holds for all that it does.
    await #expect(processExitsWith: .success) {
      let tests = StoreTests()
      let store = try tests.open()
      // More than SQLite keeps in memory of a temporary file.
      try store.pool.write { db in
        try db.execute("CREATE TABLE ballast AS SELECT zeroblob(\(8 << 20)) AS bytes")
      }
      signal(SIGXFSZ, SIG_IGN)
      let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
      var limit = rlimit()
      getrlimit(resource, &limit)
      limit.rlim_cur = 1 << 20
      setrlimit(resource, &limit)
      let copy = try Database(path: Database.temporary)
      let copied: Void? = try? store.pool.read { source in
        try source.backUp(to: copy, pagesPerStep: -1)
      }
      guard copied == nil else { exit(2) }
      guard try store.check(CheckOptions(), progress: { _ in }).findings.isEmpty else { exit(3) }
      withExtendedLifetime(tests) {}
    }
  }

  @Test("a file that a row names, or that is young, survives a sweep; one that nothing names does not")
  func sweep() throws {
    let store = try open()
    func adopt(_ text: String) throws -> Blobs.Blob {
      let path = store.folder.parts + "/" + text
      try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      return try store.blobs.adopt(file: path)
    }
    let named = try adopt("named")
    let young = try adopt("young")
    let old = try adopt("old")
    try store.pool.write { db in
      try db.run("INSERT INTO blob (hash, size, addedAt) VALUES (?, 5, 0)", [.text(named.hash)])
      try db.run(
        "INSERT INTO toy (id, revision, createdAt, updatedAt, title, body, file) VALUES ('t', 1, 0, 0, '', '', ?)",
        [.text(named.hash)])
    }
    for blob in [named, old] { try setAge(of: store.blobs.path(named: blob.hash), seconds: -100_000) }
    try setAge(of: store.blobs.path(named: young.hash), seconds: 0)
    #expect(try store.sweepBlobs(olderThan: 3_600_000) == 1)
    #expect(store.blobs.contains(named.hash))
    #expect(store.blobs.contains(young.hash))
    #expect(!store.blobs.contains(old.hash))
    // Given again, an old file is young again, so that no sweep takes it before its row is there.
    try setAge(of: store.blobs.path(named: young.hash), seconds: -100_000)
    _ = try adopt("young")
    #expect(try store.sweepBlobs(olderThan: 3_600_000) == 0)
    store.close()
  }

  @Test("a file that took hours to arrive is young when it becomes a blob, so that its row still comes in time")
  func sweepAfterLongDownload() throws {
    let store = try open()
    let path = store.folder.parts + "/slow"
    try Data("slow".utf8).write(to: URL(fileURLWithPath: path))
    setAge(of: path, seconds: -7_200)
    let slow = try store.blobs.adopt(file: path)
    #expect(try store.sweepBlobs(olderThan: 3_600_000) == 0)
    #expect(store.blobs.contains(slow.hash))
    store.close()
  }

  @Test("no row names a blob whose file is not there")
  func absentBlob() async throws {
    let store = try open()
    let absent = Blobs.Blob(hash: Blobs.hash(of: Array("absent".utf8)), size: 6)
    let (stream, continuation) = AsyncStream.makeStream(of: Result<WriteOutcome, any Error>.self)
    store.writes.add(
      WriteJob(caller: DaemonCaller(), label: "test") { transaction in
        transaction.keepSilent()
        try transaction.keep(absent)
        return []
      } completion: {
        continuation.yield($0)
      })
    let result = await stream.first { _ in true }
    #expect(throws: RPCError.internalError) { try result?.get() }
    #expect(try store.pool.read { try $0.integer("SELECT count(*) FROM blob") } == 0)
    store.close()
  }

  @Test("what was taken from files that went goes with them, and the look for it goes from file to file")
  func sweepingRows() throws {
    let store = try open()
    let sweeping = Store.sweeping("sheet", by: "hash")
    try store.pool.write { db in
      try db.execute(
        """
        CREATE TABLE sheet (hash TEXT NOT NULL, page INTEGER NOT NULL, text TEXT, PRIMARY KEY (hash, page));
        INSERT INTO blob (hash, size, addedAt) VALUES ('b', 5, 0);
        INSERT INTO sheet (hash, page) VALUES ('a', 0), ('a', 1), ('b', 0), ('b', 1), ('c', 0);
        """)
      let plan = try db.plan(of: sweeping)
      #expect(!plan.contains { $0.hasPrefix("SCAN sheet") }, "\(plan)")
      try db.execute(sweeping)
      #expect(try db.texts("SELECT hash || page FROM sheet ORDER BY 1") == ["b0", "b1"])
      try db.execute("DELETE FROM sheet; " + sweeping)
    }
    store.close()
  }

  /// Seconds after the store's own present, which is one second after 1970.
  private func setAge(of path: String, seconds: Int) {
    var times = [timespec(tv_sec: 1 + seconds, tv_nsec: 0), timespec(tv_sec: 1 + seconds, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, &times, 0)
  }

  @Test("merging follows the rules for each pair of kinds, and names the fields of all updates")
  func merging() {
    func merged(_ kinds: [Change.Kind]) -> [Change] {
      var merger = ChangeMerger()
      for (number, kind) in kinds.enumerated() {
        merger.add(
          Change(
            collection: "toys", id: "a", kind: kind, revision: Int64(number),
            fields: kind == .updated ? ["f\(number)"] : []))
      }
      return merger.changes
    }
    #expect(merged([.added, .updated]).map(\.kind) == [.added])
    #expect(merged([.added, .removed]).isEmpty)
    #expect(merged([.added, .removed, .added]).map(\.kind) == [.added])
    #expect(merged([.removed, .added]).map(\.kind) == [.updated])
    #expect(merged([.removed, .added]).map(\.fields) == [[]])
    #expect(merged([.updated, .removed]).map(\.kind) == [.removed])
    #expect(merged([.updated, .updated]).map(\.fields) == [["f0", "f1"]])
    #expect(merged([.updated, .updated]).map(\.revision) == [1])
  }

  @Test("the ring gives what it has, and a reset of everything to whom it has left behind")
  func ring() {
    let feed = ChangeFeed(clock: 10, capacity: 3)
    func commit(_ clock: Int64) -> Commit {
      Commit(clock: clock, changes: [Change(collection: "toys", id: "\(clock)", kind: .added, revision: clock)])
    }
    #expect(feed.delta(since: 10) == nil)
    feed.append([commit(11), commit(12)])
    #expect(feed.delta(since: 11)?.content == .changes(commit(12).changes))
    feed.append([commit(13), commit(14), commit(15)])
    #expect(feed.delta(since: 12)?.content == .changes(commit(13).changes + commit(14).changes + commit(15).changes))
    #expect(feed.delta(since: 11) == Delta(since: 11, clock: 15, content: .reset(nil)))
    #expect(feed.head == 15)
  }

  @Test("of a commit too large to be told one by one the ring keeps the collections, whatever room it has")
  func bulk() {
    let feed = ChangeFeed(clock: 0, capacity: 3)
    let changes = (0...Delta.limit).map { number in
      Change(collection: number.isMultiple(of: 2) ? "toys" : "toyParts", id: "\(number)", kind: .added, revision: 1)
    }
    feed.append([Commit(clock: 1, changes: changes)])
    let small = [Change(collection: "memos", id: "m", kind: .added, revision: 2)]
    feed.append([Commit(clock: 2, changes: small)])
    #expect(feed.delta(since: 0)?.content == .reset(["memos", "toyParts", "toys"]))
    #expect(feed.delta(since: 1)?.content == .changes(small))
  }

  @Test("as many changes as are told one by one are told, and one more is a reset of their collections")
  func limit() {
    var merger = ChangeMerger()
    for number in 0..<Delta.limit {
      merger.add(Change(collection: "toys", id: "\(number)", kind: .added, revision: 1))
    }
    let all = merger.changes
    #expect(all.count == Delta.limit && merger.delta(since: 1, clock: 2).content == .changes(all))
    merger.add(Change(collection: "memos", id: "m", kind: .added, revision: 1))
    #expect(merger.delta(since: 1, clock: 2).content == .reset(["memos", "toys"]))
  }
}
