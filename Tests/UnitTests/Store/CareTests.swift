import Contract
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import SearchEngine
@testable import Store

/// Copies and repairs of a library, and what disturbs them.
@Suite(.timeLimit(.minutes(10))) struct CareTests {
  private let folder = TemporaryFolder()

  private func open() throws -> Store { try Store.toys(in: folder) }

  private func close(_ store: Store) {
    store.close()
  }

  /// Queues a write; its end is the value.
  private func write(
    to store: Store, _ body: @escaping @Sendable (Transaction) throws -> Void
  ) -> Task<Result<WriteOutcome, any Error>, Never> {
    let (stream, continuation) = AsyncStream.makeStream(of: Result<WriteOutcome, any Error>.self)
    store.writes.add(
      WriteJob(caller: DaemonCaller(), label: "test") { transaction in
        try body(transaction)
        return []
      } completion: { result in
        continuation.yield(result)
      })
    return Task { await stream.first { _ in true }! }
  }

  private func names(in path: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }

  @Test("a backup and an archive touch nothing that lies beside them, whatever its name")
  func neighbours() throws {
    let store = try open()
    for name in ["copy.partial", "archive.partial"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: true)
      try "precious".write(toFile: folder.file(name + "/precious"), atomically: true, encoding: .utf8)
    }
    _ = try store.backUp(to: folder.file("copy"), newEpoch: "e") { _ in }
    _ = try store.export(to: folder.file("archive")) { _ in }
    for name in ["copy.partial", "archive.partial"] {
      #expect(try String(contentsOfFile: folder.file(name + "/precious"), encoding: .utf8) == "precious")
    }
    #expect(
      try names(in: folder.path) == ["archive", "archive.partial", "copy", "copy.partial", "library", "state"])
    close(store)
  }

  @Test("where the folder above it is missing a copy is refused with the path that was asked for, and none is made")
  func missingParent() throws {
    let store = try open()
    let path = folder.file("none/copy")
    #expect(throws: FileFailure(path: path, ENOENT)) { try store.backUp(to: path, newEpoch: "e") { _ in } }
    #expect(throws: FileFailure(path: path, ENOENT)) { try store.export(to: path) { _ in } }
    #expect(try names(in: folder.path) == ["library", "state"])
    close(store)
  }

  @Test("a backup of a file that is not what its name promises is refused, and leaves nothing")
  func damagedBlob() async throws {
    let store = try open()
    let part = store.folder.parts + "/part"
    try Data("bytes of a file".utf8).write(to: URL(fileURLWithPath: part))
    let blob = try store.blobs.adopt(file: part)
    _ = await write(to: store) {
      $0.keepSilent()
      try $0.keep(blob)
    }.value
    let path = try store.blobs.path(named: blob.hash)
    chmod(path, 0o600)
    try Data("bytes of a fale".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: BackupError.damaged(reason: "blobs/\(blob.hash)")) {
      try store.backUp(to: folder.file("copy"), newEpoch: "e") { _ in }
    }
    #expect(try names(in: folder.path) == ["library", "state"])
    close(store)
  }

  @Test("a backup of a damaged database is refused, and leaves nothing")
  func damagedDatabase() async throws {
    let first = try open()
    _ = await write(to: first) { try $0.insert(ToyRecord.named("one")) }.value
    close(first)
    // An index that lacks a row: every page is well formed, and every table whole.
    let database = try Database(path: first.folder.database)
    try database.write { db in
      try db.execute(
        """
        CREATE INDEX broken ON toy (title);
        PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = 'CREATE INDEX broken ON toy (body)' WHERE name = 'broken';
        PRAGMA writable_schema = RESET;
        """)
    }
    try database.close()
    let store = try open()
    let error = #expect(throws: BackupError.self) {
      try store.backUp(to: folder.file("copy"), newEpoch: "e") { _ in }
    }
    guard case .damaged? = error else {
      Issue.record("the error is \(String(describing: error))")
      return
    }
    #expect(try names(in: folder.path) == ["library", "state"])
    close(store)
  }

  @Test("a copy that is cancelled at any step leaves nothing behind")
  func cancelled() async throws {
    let store = try open()
    _ = await write(to: store) { for number in 0..<50 { try $0.insert(ToyRecord.named("\(number)")) } }.value
    for kind in ["backup", "export"] {
      var step = 0
      var isDone = false
      while !isDone {
        let left = Mutex(step)
        let progress: @Sendable (Int) throws -> Void = { _ in
          try left.withLock {
            if $0 == 0 { throw CancellationError() }
            $0 -= 1
          }
        }
        do {
          if kind == "backup" {
            _ = try store.backUp(to: folder.file(kind), newEpoch: "e", progress: progress)
          } else {
            _ = try store.export(to: folder.file(kind), progress: progress)
          }
          isDone = true
        } catch is CancellationError {
          #expect(try names(in: folder.path).allSatisfy { !$0.hasPrefix(kind) })
        }
        step += 1
      }
      #expect(step > 1, "\(kind) was never cancelled")
      #expect(try names(in: folder.path).filter { $0.hasPrefix(kind) } == [kind])
    }
    close(store)
  }

  @Test("a backup has the state of the moment in which it began, whatever is written between its steps")
  func oneState() async throws {
    let store = try open()
    let body = String(repeating: "a long text of letters and words ", count: 4_000)
    _ = await write(to: store) { transaction in
      for number in 0..<50 {
        var toy = ToyRecord.named("\(number)")
        toy.body = body
        try transaction.insert(toy)
      }
    }.value
    let written = Mutex(0)
    let report = try store.backUp(to: folder.file("copy"), newEpoch: "e") { _ in
      // While pages are copied, which is the first part; bounded, so that one that begins anew each time ends too.
      let number = written.withLock {
        $0 += 1
        return $0
      }
      guard number <= 10 else { return }
      try store.pool.write { try $0.execute("INSERT INTO toy SELECT 'w\(number)', 1, 1, 1, 't', 'b', NULL, NULL") }
    }
    #expect(written.withLock(\.self) > 2, "there was only one step")
    #expect(report.items == 50)
    close(store)
  }

  /// A store whose log a reader may hold for a quarter of a megabyte only, with a file of more than one step.
  private func openSmall(longWait: Duration = .milliseconds(500)) async throws -> Store {
    var limits = WALLimits()
    limits.checkpointBytes = 64 << 10
    limits.readerBytes = 256 << 10
    limits.longWait = longWait
    let store = try Store.toys(in: folder, limits: limits)
    for number in 0..<40 { await fill(store, "first\(number)") }
    return store
  }

  /// Writes a fifth of a megabyte, and returns when the log was looked after.
  @discardableResult
  private func fill(_ store: Store, _ id: String) async -> Result<WriteOutcome, any Error> {
    let result = await write(to: store) { transaction in
      var toy = ToyRecord.named(id)
      toy.body = String(repeating: "a long text of letters and words ", count: 6_000)
      try transaction.insert(toy)
    }.value
    // The log is looked after behind the answers, and before the next write.
    _ = await write(to: store) { $0.keepSilent() }.value
    return result
  }

  @Test("the log stays short beside reads that overlap without a gap, and none of them is stopped for it")
  func overlappingReads() async throws {
    var limits = WALLimits()
    limits.checkpointBytes = 64 << 10
    limits.restartBytes = 512 << 10
    limits.readerBytes = 4 << 20
    let store = try Store.toys(in: folder, limits: limits)
    for number in 0..<20 { await fill(store, "first\(number)") }
    let isDone = Atomic(false)
    let failed = Atomic(0)
    let readers = DispatchGroup()
    for _ in 0..<3 {
      readers.enter()
      Thread.detachNewThread {
        defer { readers.leave() }
        while !isDone.load(ordering: .acquiring) {
          let sum = try? store.pool.read { try $0.integer("SELECT sum(length(body)) FROM toy") }
          if sum == nil { failed.add(1, ordering: .relaxed) }
        }
      }
    }
    var longest: Int64 = 0
    for number in 0..<100 {
      await fill(store, "second\(number)")
      longest = max(longest, store.walSize)
    }
    isDone.store(true, ordering: .releasing)
    await withCheckedContinuation { continuation in readers.notify(queue: .global()) { continuation.resume() } }
    // A hundred times a fifth of a megabyte, and the index beside it.
    #expect(longest < 12 << 20, "\(longest)")
    #expect(failed.load(ordering: .relaxed) == 0)
    close(store)
  }

  @Test("a quick read that began while the log was moved lets go of its snapshot, and no other read is stopped for it")
  func quickReadMeanwhile() async throws {
    // On a busy machine an attempt may take long.
    let store = try await openSmall(longWait: .seconds(60))
    let reader = try store.makeQuickReader()
    let asked = Mutex(0)
    // Another read comes at once, as on a busy loop, and keeps a snapshot of the log.
    store.snapshotHolders.add {
      reader.letGo()
      let isFirst = asked.withLock { count -> Bool in
        count += 1
        return count % 2 == 1
      }
      if isFirst { _ = try? reader.read(for: DaemonCaller()) { $0.clock } }
    }
    let isDone = Atomic(false)
    let failed = Atomic(0)
    let readers = DispatchGroup()
    readers.enter()
    Thread.detachNewThread {
      defer { readers.leave() }
      while !isDone.load(ordering: .acquiring) {
        let sum = try? store.reads.readWhole { db, _ in try db.integer("SELECT sum(length(body)) FROM toy") }
        if sum == nil { failed.add(1, ordering: .relaxed) }
      }
    }
    for number in 0..<20 { await fill(store, "second\(number)") }
    isDone.store(true, ordering: .releasing)
    await withCheckedContinuation { continuation in readers.notify(queue: .global()) { continuation.resume() } }
    #expect(asked.withLock(\.self) > 2)
    #expect(failed.load(ordering: .relaxed) == 0)
    store.snapshotHolders.removeAll()
    reader.letGo()
    close(store)
  }

  @Test("the library's file has room for all that the log holds, before a commit is acknowledged")
  func roomForCheckpoint() async throws {
    var limits = WALLimits()
    limits.checkpointBytes = 1 << 30
    limits.restartBytes = 1 << 30
    limits.idleCheckpoint = .seconds(3_600)
    let store = try Store.toys(in: folder, limits: limits)
    for number in 0..<30 { await fill(store, "first\(number)") }
    var information = stat()
    try #require(stat(store.folder.database, &information) == 0)
    let size = try store.pool.read {
      try Int64(($0.integer("PRAGMA page_count") ?? 0) * ($0.integer("PRAGMA page_size") ?? 0))
    }
    #expect(size > 4 << 20)
    #expect(Int64(information.st_size) >= size)
    close(store)
  }

  @Test("a backup that keeps the log from ending begins anew, and has the newer state")
  func restartedBackup() async throws {
    let store = try await openSmall()
    let isFirst = Mutex(true)
    let report = try store.backUp(to: folder.file("copy"), newEpoch: "e") { _ in
      guard
        isFirst.withLock({ first in
          defer { first = false }
          return first
        })
      else { return }
      #expect(store.reads.heldStates == 1)
      let done = DispatchSemaphore(value: 0)
      Task {
        for number in 0..<5 { await fill(store, "second\(number)") }
        done.signal()
      }
      done.wait()
    }
    #expect(report.items == 45)
    close(store)
  }

  @Test("an export holds no state of the library while it writes rows, however much is written beside it")
  func exportHoldsNothing() async throws {
    let store = try await openSmall()
    _ = await write(to: store) { for number in 0..<2_000 { try $0.insert(ToyRecord.named("\(number)")) } }.value
    let held = Mutex<[Int]>([])
    let report = try store.export(to: folder.file("archive")) { percentage in
      if percentage > 0 { held.withLock { $0.append(store.reads.heldStates) } }
    }
    #expect(report.items == 2_040)
    #expect(held.withLock { $0.count > 1 && $0.allSatisfy { $0 == 0 } })
    close(store)
  }

  @Test("a read of the whole library is stopped when it keeps the log from ending, and says so")
  func stoppedWholeRead() async throws {
    let store = try await openSmall()
    #expect(throws: RPCError.readTimedOut) {
      try store.reads.readWhole { db, _ in
        store.reads.stopOldest()
        let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
        // SQLite has nothing to stop between two statements, so this begins first.
        let stopper = Task {
          while !Task.isCancelled {
            store.reads.stopOldest()
            await Task.yield()
          }
        }
        defer { stopper.cancel() }
        _ = try db.integer(sql)
      }
    }
    #expect(store.reads.heldStates == 0)
    close(store)
  }

  @Test("reads of the whole library take no reader from others, and wait for each other beyond two")
  func wholeReadsApart() async throws {
    let store = try open()
    let gate = DispatchSemaphore(value: 0)
    let third = Mutex(false)
    let pinned = AsyncStream.makeStream(of: Int.self)
    func readWhole(_ number: Int) {
      Thread.detachNewThread {
        try? store.reads.readWhole { _, _ in
          if number == 3 { third.withLock { $0 = true } }
          pinned.continuation.yield(number)
          gate.wait()
        }
        pinned.continuation.yield(-number)
      }
    }
    var events = pinned.stream.makeAsyncIterator()
    for number in 1...2 {
      readWhole(number)
      #expect(await events.next() == number)
    }
    readWhole(3)
    for number in 10..<10 + ReaderThreads.count {
      store.reads.read(for: DaemonCaller(), interruption: Interruption()) {
        pinned.continuation.yield(number)
      } body: { _ in
        gate.wait()
      } completion: { _ in
      }
      #expect(await events.next() == number)
    }
    #expect(third.withLock { !$0 })
    for _ in 0..<ReaderThreads.count + 3 { gate.signal() }
    var seen: Set<Int> = []
    while !seen.isSuperset(of: [-1, -2, 3, -3]) { seen.insert(try #require(await events.next())) }
    close(store)
  }

  @Test("while the index is rebuilt a second rebuild is refused, and the index is whole afterwards")
  func oneRebuild() async throws {
    let store = try open()
    _ = await write(to: store) { for number in 0..<300 { try $0.insert(ToyRecord.named("\(number)")) } }.value
    var refusals = 0
    try store.rebuildIndex { _ in
      let error = #expect(throws: RPCError.self) { try store.rebuildIndex { _ in } }
      #expect(error?.kind == .busy)
      refusals += 1
    }
    #expect(refusals > 1)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    // And the next one may.
    try store.rebuildIndex { _ in }
    close(store)
  }

  @Test("a rebuild that fails is told in the log as an error, one that was given up as no more than a line")
  func failedRebuild() async throws {
    struct Failure: Error {}
    let lines = Mutex<[String]>([])
    let store = try Store.toys(in: folder, log: Log { level, line in lines.withLock { $0.append("\(level) \(line)") } })
    _ = await write(to: store) { try $0.insert(ToyRecord.named("one")) }.value
    #expect(throws: Failure.self) { try store.rebuildIndex { _ in throw Failure() } }
    #expect(throws: CancellationError.self) { try store.rebuildIndex { _ in throw CancellationError() } }
    let told = lines.withLock(\.self).filter { $0.contains("search index") }
    #expect(told.count == 2 && told[0].hasPrefix("error ") && told[0].contains("Failure"), "\(told)")
    #expect(told.last?.hasPrefix("info ") == true)
    // It is begun anew, and as one that nothing stopped.
    #expect(store.needsIndexRebuild)
    try store.rebuildIndex { _ in }
    #expect(!store.needsIndexRebuild)
    close(store)
  }

  @Test("a rebuild tells how far it is, lets others read the old index meanwhile, and leaves no log of it")
  func toldRebuild() async throws {
    let store = try open()
    _ = await write(to: store) { for number in 0..<1_000 { try $0.insert(ToyRecord.named("\(number)")) } }.value
    let query = try MatchQuery(userText: "999")
    var told: [Int] = []
    try store.rebuildIndex { percentage in
      told.append(percentage)
      let found = try store.pool.read { try SearchIndex.count(matching: query, in: $0) }
      #expect(found == 1)
      // What is put together of it afterwards is written to the log again.
      if percentage == 100 { #expect(store.walSize == 0) }
    }
    #expect(told == told.sorted() && told.last == 100 && Set(told).count >= 10, "\(told)")
    close(store)
  }

  @Test("an index that lacks texts is found, and mended by repair")
  func repairedIndex() async throws {
    let store = try open()
    _ = await write(to: store) { for number in 0..<3 { try $0.insert(ToyRecord.named("\(number)")) } }.value
    try store.pool.write { try SearchIndex.remove(collection: "toys", item: "1", in: $0) }
    #expect(try store.check(CheckOptions()) { _ in }.findings.map(\.key) == ["check.index"])
    let repair = try store.check(CheckOptions(repair: true)) { _ in }
    #expect(repair.isIndexRebuilt)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    close(store)
  }

  @Test("whatever is wrong with the index is found, and gone when it is made anew")
  func rebuiltIndex() async throws {
    let store = try open()
    _ = await write(to: store) { for name in ["slow", "river"] { try $0.insert(ToyRecord.named(name)) } }.value
    let damages: [(String, (Database) throws -> Void)] = [
      ("an entry and its words are missing", { try SearchIndex.remove(collection: "toys", item: "slow", in: $0) }),
      (
        "an entry is missing, its words are not",
        { try $0.execute("DELETE FROM search_entry WHERE item = 'slow'") }
      ),
      (
        "the words are missing, their entry is not",
        { try $0.execute("INSERT INTO search_text (search_text) VALUES ('delete-all')") }
      ),
      (
        "an entry too many",
        {
          try SearchIndex.put(
            SearchEntry(collection: "toys", item: "gone", at: 0, title: "slow", body: "boat"), in: $0)
        }
      ),
      (
        "a page too many",
        { db in
          try SearchIndex.put(
            SearchEntry(collection: "toys", item: "slow", part: 1, at: 0, title: "", body: "a page"), in: db)
        }
      ),
      (
        "a stale text",
        {
          try SearchIndex.put(
            SearchEntry(collection: "toys", item: "slow", at: 1_000, title: "as it was", body: ""), in: $0)
        }
      ),
      ("a text behind the back of the words", { try $0.execute("UPDATE search_body SET body = 'other'") }),
      (
        "an entry whose texts are missing",
        {
          try $0.execute("DELETE FROM search_body WHERE rowid IN (SELECT rowid FROM search_entry WHERE item = 'slow')")
        }
      ),
      (
        "texts whose entry is missing",
        { try $0.execute("INSERT INTO search_body (title, tags, body) VALUES ('slow', '', 'boat')") }
      ),
      ("another moment", { try $0.execute("UPDATE search_entry SET at = 1 WHERE item = 'slow'") }),
      ("a list that is none", { try $0.execute("UPDATE search_entry SET lists = 1 WHERE item = 'slow'") }),
    ]
    let query = try MatchQuery(userText: "slow")
    for (name, damage) in damages {
      try store.pool.write { try damage($0) }
      let found = try store.check(CheckOptions()) { _ in }.findings
      #expect(!found.isEmpty && found.allSatisfy { $0.key == "check.index" }, "\(name): \(found)")
      #expect(try store.check(CheckOptions(rebuildIndex: true)) { _ in }.findings == [], "\(name)")
      #expect(try store.pool.read { try SearchIndex.count(matching: query, in: $0) } == 1, "\(name)")
    }
    close(store)
  }

  @Test("what one write gives to search of an item that the next one removes, in one commit, is not found again")
  func orderOfIndexWork() async throws {
    let store = try open()
    _ = await write(to: store) { try $0.insert(ToyRecord.named("a")) }.value
    let gate = DispatchSemaphore(value: 0)
    // Holds the writer until the two that follow wait together.
    let holder = write(to: store) { _ in gate.wait() }
    let page = SearchEntry(collection: "toys", item: "a", part: 7, at: 0, title: "", body: "the text of a page")
    let index = write(to: store) { transaction in
      transaction.keepSilent()
      transaction.index([page])
    }
    let remove = write(to: store) { transaction in
      try transaction.remove(transaction.snapshot.get(ToyRecord.self, id: "a"))
    }
    gate.signal()
    for task in [holder, index, remove] { _ = try await task.value.get() }
    let left = try store.pool.read { try $0.integer("SELECT count(*) FROM search_entry") }
    #expect(left == 0)
    #expect(try store.check(CheckOptions()) { _ in }.findings == [])
    close(store)
  }

  @Test("while another program holds the library all writes that wait are answered busy after one wait, not one each")
  func lockedByOthers() async throws {
    let store = try open()
    let other = try Database(path: store.folder.database)
    try other.execute("BEGIN IMMEDIATE")
    let tasks = (0..<20).map { number in write(to: store) { try $0.insert(ToyRecord.named("\(number)")) } }
    for task in tasks {
      guard case .failure(let error as RPCError) = await task.value else {
        Issue.record("a write went through")
        continue
      }
      #expect(error.kind == .busy)
      #expect(error.text.key == "error.libraryBusy")
    }
    try other.execute("ROLLBACK")
    _ = try await write(to: store) { try $0.insert(ToyRecord.named("after")) }.value.get()
    close(store)
  }

  @Test("a log is not taken for empty while somebody reads, nor where the disk fails; that is told once, and its end")
  func emptiedLog() async {
    // In a process of its own: it takes every descriptor of the library, and other tests have left some.
    await #expect(processExitsWith: .success) { try await CareTests().emptyLog() }
  }

  private func emptyLog() async throws {
    let told = Told()
    var limits = WALLimits()
    limits.idleCheckpoint = .seconds(3_600)
    let store = try Store.toys(in: folder, limits: limits, log: told.log)
    _ = try await write(to: store) { try $0.insert(ToyRecord.named("a")) }.value.get()
    let reader = try Database(path: store.folder.database)
    try reader.execute("BEGIN")
    _ = try reader.integer("SELECT count(*) FROM toy")
    try #require(store.checkpointer.truncate() == .busy)
    try reader.execute("COMMIT")
    try reader.close()
    try #require(told.lines == [])
    _ = try await write(to: store) { try $0.insert(ToyRecord.named("b")) }.value.get()

    let writing = try closeForWriting(store.folder.database)
    for _ in 0..<3 { try #require(store.checkpointer.truncate() == .failed) }
    // It waits for readers, and there are none.
    store.checkpointer.empty()
    try #require(store.walSize > 0)
    try #require(told.lines.count == 1 && told.lines[0].hasPrefix("error the write-ahead log could not be moved"))
    for (number, original) in writing {
      dup2(original, number)
      Foundation.close(original)
    }
    try #require(store.checkpointer.truncate() == .done, "\(told.lines)")
    try #require(store.walSize == 0)
    try #require(told.lines.dropFirst() == ["warning the write-ahead log is moved into the library again"])
    close(store)
  }

  /// Lets every descriptor that this process has of a file be one that only reads. The value is those that they were.
  private func closeForWriting(_ path: String) throws -> [(number: Int32, original: Int32)] {
    let closed = Foundation.open(path, O_RDONLY | O_CLOEXEC)
    try #require(closed >= 0)
    defer { Foundation.close(closed) }
    var (here, there) = (stat(), stat())
    try #require(fstat(closed, &here) == 0)
    let numbers = try names(in: "/proc/self/fd").compactMap { Int32($0) }.filter { $0 != closed }
    return numbers.compactMap { number in
      guard fstat(number, &there) == 0, there.st_dev == here.st_dev, there.st_ino == here.st_ino else { return nil }
      let original = fcntl(number, F_DUPFD_CLOEXEC, 0)
      dup2(closed, number)
      return (number, original)
    }
  }

  @Test("a full disk is told of once however many writes it refuses, and so is that there is room again")
  func fullDisk() async throws {
    let told = Told()
    let store = try Store.toys(in: folder, log: told.log)
    _ = try await write(to: store) { try $0.insert(ToyRecord.named("first")) }.value.get()
    try store.pool.writeWithoutTransaction { db in
      let pages = try db.integer("PRAGMA page_count") ?? 0
      try db.execute("PRAGMA max_page_count = \(pages)")
    }
    let body = String(repeating: "a long text of letters and words ", count: 6_000)
    let tasks = (0..<100).map { number in
      write(to: store) { transaction in
        var toy = ToyRecord.named("\(number)")
        toy.body = body
        try transaction.insert(toy)
      }
    }
    for task in tasks {
      guard case .failure(let error as RPCError) = await task.value else {
        Issue.record("a write went through")
        continue
      }
      #expect(error.kind == .diskFull)
    }
    let place = store.folder.path
    #expect(
      told.lines == [
        "error the disk of the library \(place) is full: test was not saved, nor is what follows until there is room"
      ])
    try store.pool.writeWithoutTransaction { try $0.execute("PRAGMA max_page_count = 1000000") }
    for id in ["second", "third"] { _ = try await write(to: store) { try $0.insert(ToyRecord.named(id)) }.value.get() }
    #expect(
      told.lines.dropFirst() == [
        "warning the library \(place) is written again: 100 writes were refused since 1970-01-01T00:00:01.000Z, "
          + "for want of room"
      ])
    close(store)
  }

  /// What the store told its log.
  private final class Told: Sendable {
    private let kept = Mutex<[String]>([])
    var lines: [String] { kept.withLock(\.self) }
    var log: Log { Log { [self] level, sentence in kept.withLock { $0.append("\(level.rawValue) \(sentence)") } } }
  }
}
