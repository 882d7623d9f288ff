import CStore
import Contract
import Glibc
import SQLite
import SearchEngine
import Synchronization
import Wire

/// An open library: its SQLite file, its blobs, its writer, its readers, its change feed.
package final class Store: Sendable {
  package let folder: LibraryFolder
  package let identity: LibraryIdentity
  package let schema: Schema
  package let blobs: Blobs
  package let feed: ChangeFeed
  package let writes: WriteQueue
  package let reads: ReaderThreads
  package let diskSpace: DiskSpaceMonitor
  let pool: LibraryPool
  let isRebuilding = Atomic(false)
  /// Whether the library needs a rebuild that has not begun yet.
  let isRebuildExpected = Atomic(false)
  let maintenance: MaintenanceWriter
  let pendingReindex: PendingReindex
  let reclaimer: SpaceReclaimer
  let abandonedTables = AbandonedTables()
  let checkpointer: WALCheckpointer
  let recovery: LongWriteRecovery
  private let gate = LibraryGate()
  private let commits = CommitCount()
  package let tenure: Tenure
  package let snapshotHolders = SnapshotHolders()
  let textStatistics = TextStatistics()
  let now: @Sendable () -> Instant
  let log: Log
  /// The state that this machine stores about libraries.
  let machineState: MachineState
  /// The most rows in a slice of a long write.
  let sliceRows: Int

  /// The parts of a library beyond the store's own tables; the features provide them.
  package struct Parts: Sendable {
    package var migrations: [Migration]
    package var collections: [ItemCollection]

    package init(migrations: [Migration], collections: [ItemCollection]) {
      self.migrations = migrations
      self.collections = collections
    }
  }

  /// The dependencies of the store on its environment, which tests can replace.
  package struct Surroundings: Sendable {
    package var now: @Sendable () -> Instant
    package var newID: @Sendable () -> String
    /// Writes a sentence to the log. Sentences never quote user-written text.
    package var log: Log
    package var limits: WALLimits
    /// The clock of the turns of yielding writes.
    package var turnClock: @Sendable () -> ContinuousClock.Instant = { .now }
    /// How many changes are stored in memory for lagging clients.
    package var feedCapacity = ChangeFeed.usualCapacity
    /// The most rows in a slice of a long write.
    package var sliceRows = 10_000
    package var groupDuration = GroupCommit.usualDuration
    /// Calls the function that sends the replies of a group's writes.
    package var answerTogether: @Sendable (() -> Void) -> Void = { $0() }
    /// The free bytes on the disk of a folder; nil if the system does not report it.
    package var freeBytes: @Sendable (_ path: String) -> Int64? = { FreeSpace.bytes(at: $0) }
    /// Makes sure that the lock is still held (`Ownership.hold`).
    package var holdLock: @Sendable () throws(StoreError) -> Void = {}
    /// Called by the first request that finds the library moved, deleted or owned by another process.
    package var whenLost: @Sendable () -> Void = {}

    package init(
      now: @escaping @Sendable () -> Instant, newID: @escaping @Sendable () -> String,
      log: Log, limits: WALLimits = WALLimits()
    ) {
      self.limits = limits
      self.now = now
      self.newID = newID
      self.log = log
    }
  }

  /// Opens the library in a folder that the caller owns (`Ownership`).
  ///
  /// - Throws: `StoreError`.
  package init(
    folder: LibraryFolder, parts: Parts, machineState: MachineState, surroundings: Surroundings
  ) throws(StoreError) {
    self.folder = folder
    self.machineState = machineState
    self.log = surroundings.log
    now = surroundings.now
    sliceRows = surroundings.sliceRows
    blobs = Blobs(folder: folder.blobs)
    do {
      guard Self.sqlite == SQLITE_OK else { throw DatabaseError(ResultCode(rawValue: Self.sqlite)) }
      try folder.refuseLostDatabase()
      try folder.refuseCutDatabase()
      try Migrations.refuseNewer(parts.migrations, at: folder.database, path: folder.path)
      let opened = try Self.openWriter(folder.database, textStatistics)
      let origin = try LibraryIdentity.origin(of: opened, machineState: machineState)
      func hasPrograms(isCurrent: Bool) throws -> Bool {
        try Migrations.refuseForeignPrograms(parts.migrations, in: opened, path: folder.path, isCurrent: isCurrent)
      }
      let isToBeChecked = try origin != .here && hasPrograms(isCurrent: false)
      try Migrations.run(
        parts.migrations, on: opened, path: folder.path, freeBytes: surroundings.freeBytes, log: surroundings.log)
      if isToBeChecked { _ = try hasPrograms(isCurrent: true) }
      if let notice = machineState.notice { surroundings.log(notice, as: .info) }
      identity = try LibraryIdentity.settle(in: opened, machineState: machineState, newID: surroundings.newID)
      schema = try Schema(collections: parts.collections, db: opened)
      if origin == .elsewhere { try schema.setImportedValues(in: opened) }
      chmod(folder.database, 0o600)
      pool = LibraryPool(
        writer: opened,
        readers: Readers { [path = folder.database, textStatistics] in
          let reader = try Self.openReader(path, textStatistics)
          try reader.execute("PRAGMA mmap_size = \(Self.mapped)")
          return ReaderConnection(reader)
        }, gate: gate)
    } catch {
      throw StoreError(error, path: folder.path) ?? .broken(path: folder.path, reason: "\(error)")
    }
    machineState.follow(epoch: identity.epoch, clock: identity.clock)
    feed = ChangeFeed(clock: identity.clock, capacity: surroundings.feedCapacity)
    let pendingReindex = PendingReindex()
    self.pendingReindex = pendingReindex
    let diskSpace = DiskSpaceMonitor(path: folder.path, now: surroundings.now, log: surroundings.log)
    self.diskSpace = diskSpace
    tenure = Tenure(
      folder, clock: identity.clock, holdLock: surroundings.holdLock, whenLost: surroundings.whenLost,
      log: surroundings.log)
    let reads = ReaderThreads(pool: pool, tenure: tenure)
    self.reads = reads
    let checkpointer: WALCheckpointer
    let databaseRoom: DatabaseRoom
    do {
      checkpointer = try WALCheckpointer(
        pool: pool, limits: surroundings.limits, commits: commits, holders: snapshotHolders,
        stopOldestRead: { reads.stopOldest() }, log: surroundings.log)
      databaseRoom = try pool.writeWithoutTransaction { try DatabaseRoom($0) }
    } catch {
      throw StoreError(error, path: folder.path) ?? .broken(path: folder.path, reason: "\(error)")
    }
    self.checkpointer = checkpointer
    let group = GroupCommit(
      pool: pool, tenure: tenure, schema: schema, blobs: blobs, feed: feed,
      machineState: machineState, path: folder.path, now: surroundings.now, longest: surroundings.groupDuration,
      answerTogether: surroundings.answerTogether, whenIndexIsDue: pendingReindex.begin, diskSpace: diskSpace,
      databaseRoom: databaseRoom, makeRoom: { checkpointer.makeRoom() },
      log: surroundings.log)
    let commit: @Sendable ([WriteJob], () -> WriteJob?) -> Int = { [pool, textStatistics] jobs, joining in
      let count = group.run(jobs, joining: joining)
      try? pool.writeWithoutTransaction { textStatistics.follow($0) }
      checkpointer.afterCommit()
      return count
    }
    let recovery = LongWriteRecovery(folder: folder, gate: gate, log: surroundings.log) { _ = commit([$0], { nil }) }
    self.recovery = recovery
    do {
      // Rolls back long writes that a crash has interrupted, before anybody can see a part of one.
      for first in try pool.writeWithoutTransaction({ try ChunkedCommitGroup.open($0) }) {
        _ = recovery.takeBack(first)
      }
      isRebuildExpected.store(
        try pool.writeWithoutTransaction { try SearchIndex.needsRebuild($0) }, ordering: .relaxed)
      if try pool.writeWithoutTransaction({ try DiscardedTables.areThere(in: $0) }) { abandonedTables.note() }
    } catch {
      throw StoreError(error, path: folder.path) ?? .broken(path: folder.path, reason: "\(error)")
    }
    let maintenance = MaintenanceWriter(
      pool: pool, tenure: tenure, databaseRoom: databaseRoom, checkpointer: checkpointer, path: folder.path)
    self.maintenance = maintenance
    let merging = SearchMerging(writer: maintenance, asked: { reads.begunReads })
    let merge: IdleSchedule.Step = (SearchMerging.pause, { merging.run() })
    let reclaimer = SpaceReclaimer(
      writer: maintenance, freeBytes: surroundings.freeBytes, log: surroundings.log, asked: { reads.begunReads })
    self.reclaimer = reclaimer
    let giveBack: IdleSchedule.Step = (SpaceReclaimer.pause, { reclaimer.run() })
    let takeBack: IdleSchedule.Step = (.seconds(1), { recovery.retry() == nil })
    let removeTables: IdleSchedule.Step = (
      AbandonedTables.pause, { [abandonedTables] in abandonedTables.step(with: maintenance) }
    )
    let readStatistics: IdleSchedule.Step = (
      TextStatistics.pause,
      { [pool, textStatistics] in
        let isDone = try? pool.writeWithoutTransaction { db in
          let isDone = textStatistics.step(db)
          // Not earlier: pages that are read here at startup would fill the larger cache, and there may be no write for
          // a long time.
          if isDone { try GroupCommit.usual.set(in: db) }
          return isDone
        }
        return isDone ?? true
      }
    )
    writes = WriteQueue(
      commit: { jobs, joining in
        guard let refusal = recovery.retry() else { return commit(jobs, joining) }
        for job in jobs { job.completion(.failure(refusal.rpcError)) }
        return jobs.count
      }, useTurn: { checkpointer.useTurn($0) },
      whenIdle: [readStatistics, merge, removeTables, giveBack] + checkpointer.whenIdle + [takeBack],
      atStart: [readStatistics, SearchMerging.atStart, merge, removeTables, giveBack] + checkpointer.whenIdle
        + [takeBack],
      now: surroundings.turnClock)
    pendingReindex.serve(
      PendingReindex.Rebuild(
        run: { [weak self] in try self?.rebuildIndex { _ in } },
        isDue: { [weak self] in
          guard let self else { return false }
          return !isRebuilding.load(ordering: .acquiring) && needsIndexRebuild
        }, log: log))
  }

  /// The WAL's length in bytes.
  package var walSize: Int64 {
    var information = stat()
    return stat(folder.database + "-wal", &information) == 0 ? Int64(information.st_size) : 0
  }

  /// A reader for one thread's short reads.
  ///
  /// - Throws: `DatabaseError` or `StoreError`.
  package func makeQuickReader() throws -> QuickReader {
    let connection = try Self.openReader(folder.database, textStatistics)
    return QuickReader(ReaderConnection(connection), commits: commits, gate: gate, tenure: tenure)
  }

  /// Finishes waiting requests, checkpoints the WAL into the library and closes it. Statements that run at the deadline
  /// are interrupted. Maintenance finishes its current transaction, and the next one is refused.
  package func close(deadline: ContinuousClock.Instant) {
    snapshotHolders.removeAll()
    writes.close(deadline: deadline)
    reads.close(deadline: deadline)
    do {
      try pool.close(deadline: deadline) {
        log("the library is closed after the time limit: its running operations are stopped", as: .warning)
        reads.stopAll()
      } last: { db in
        // A reader of another process, such as a backup, keeps the WAL: no error, and the next opening continues with
        // it.
        do {
          try db.truncateLog()
        } catch  where (error as? DatabaseError)?.code != .busy {
          log("the write-ahead log could not be moved into the library, and stays beside it: \(error)")
        } catch {}
        // The WAL must not stay empty: if a library's file is lost, the WAL shows that there was one. Setting the
        // version to its current value writes a page; setting a row to its current value writes none.
        try? db.execute("PRAGMA user_version = 0")
        textStatistics.detach(from: db)
      } end: { close in
        // The last connection to close deletes the WAL; a read-only connection cannot.
        let reader = try? makeQuickReader()
        defer { withExtendedLifetime(reader) {} }
        try close()
      }
    } catch {
      log("the library was not closed cleanly: \(error)")
    }
  }

  /// The number of bytes at the beginning of the library that each reader maps, so that a query over a hundred uncached
  /// pages does not take a hundred calls. Tools count them as memory of the daemon, once for each reader, though the
  /// kernel can reclaim them.
  ///
  /// An I/O error in the mapping, of a failing disk or a truncated file, ends the daemon (SIGBUS) instead of one read,
  /// as it does with the shared memory of every WAL.
  private static let mapped = 256 << 20

  /// The process-wide configuration of SQLite, set before the first connection of a store: later it is refused.
  private static let sqlite = cp_sqlite_configure()

  /// Configures a connection to the library.
  private static func prepare(_ db: Database, _ textStatistics: TextStatistics) throws {
    try SearchIndex.prepare(db, with: textStatistics)
    // An external library may contain triggers.
    try db.defend(true)
    // Undo records blobs by hash and restores rows one by one; no table of ours has foreign keys.
    try db.execute("PRAGMA foreign_keys = OFF")
  }

  private static func openReader(_ path: String, _ textStatistics: TextStatistics) throws -> Database {
    try Database(path: path, access: .reading, busyWait: LibraryPool.busyWait) { try prepare($0, textStatistics) }
  }

  private static func openWriter(_ path: String, _ textStatistics: TextStatistics) throws -> Database {
    let old = umask(0o077)
    defer { umask(old) }
    let db = try Database(path: path, busyWait: LibraryPool.busyWait) { db in
      try prepare(db, textStatistics)
      try SpaceReclaimer.enable(in: db)
    }
    guard try db.texts("PRAGMA journal_mode = WAL") == ["wal"] else {
      throw DatabaseError(.error, message: "journal_mode")
    }
    // SQLite opens a read-only file without an error, and the first write would be the first to fail.
    guard !db.isReadOnly else { throw DatabaseError(.readOnly) }
    // An acknowledged write must survive a power failure.
    try db.execute("PRAGMA synchronous = FULL; PRAGMA journal_size_limit = \(16 << 20)")
    textStatistics.attach(to: db)
    return db
  }
}
