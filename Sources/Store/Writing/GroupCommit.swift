import Contract
import SQLite
import SearchEngine
import Wire

/// Commits waiting writes as a group: one transaction, one sync, a savepoint for each write.
///
///     BEGIN IMMEDIATE
///       SAVEPOINT w … RELEASE w        per write; ROLLBACK TO w when it fails, and only that write fails
///       index work                     after the last RELEASE: a savepoint makes FTS5 flush
///       UPDATE library SET clock
///     COMMIT                           the WAL is synced: synchronous = FULL, unless the write is repeatable
///     publish, then reply              the order of the feed is the order of commits
struct GroupCommit: Sendable {
  let pool: LibraryPool
  let tenure: Tenure
  let schema: Schema
  let blobs: Blobs
  let feed: ChangeFeed
  let machineState: MachineState
  let path: String
  let now: @Sendable () -> Instant
  /// The longest time in which writes can join a group, so that the first ones do not wait long for the sync.
  let longest: Duration
  let answerTogether: @Sendable (() -> Void) -> Void
  /// Called after a write that found that the index needs a rebuild.
  let whenIndexIsDue: @Sendable () -> Void
  let diskSpace: DiskSpaceMonitor
  let databaseRoom: DatabaseRoom
  let logSync = LogSync()
  /// Frees space on a full disk; returns false if it cannot.
  let makeRoom: @Sendable () -> Bool
  let log: Log

  static let usualDuration: Duration = .milliseconds(20)

  /// The memory of the writer's connection.
  struct Memory {
    /// Pages of the library, in KiB.
    let pages: Int
    /// Whether rollback data of savepoints and statements is also in memory. In a file, which is hardly ever read, the
    /// pages that a group of writes touches are written once more than to the WAL.
    let holdsRollback: Bool

    /// Must not be called within a transaction.
    func set(in db: Database) throws {
      try db.execute("PRAGMA cache_size = -\(pages); PRAGMA temp_store = \(holdsRollback ? "MEMORY" : "DEFAULT")")
    }
  }

  /// Used until nothing is written for a while (`WALCheckpointer`). With 2 MB, SQLite's default, the tables of a large
  /// library, which posts touch at random, are written to the WAL and read back many times before the commit.
  static let usual = Memory(pages: 8_000, holdsRollback: true)
  /// Used for a long write, which may touch all of the library.
  private static let long = Memory(pages: 32_000, holdsRollback: false)
  /// Used between its slices: the next one finds the pages of this one.
  private static let between = Memory(pages: 32_000, holdsRollback: true)

  private static let begin = CachedStatement("BEGIN IMMEDIATE")
  private static let setClock = CachedStatement("UPDATE library SET clock = ?")
  private static let commit = CachedStatement("COMMIT")
  private static let savepoint = CachedStatement("SAVEPOINT w")
  private static let release = CachedStatement("RELEASE w")

  private typealias Answer = (job: WriteJob, result: Result<WriteOutcome, any Error>)

  /// Remaining work of a group's writes: indexing, and calls after the commit.
  private struct RemainingWork {
    /// For each item whether all of its parts have to be indexed again, or only those in its row.
    var index: [ItemKey: Work] = [:]
    /// The items in insertion order: items with adjacent rows are read and written one after another.
    var order: [ItemKey] = []
    /// Items that may have fewer parts than before.
    var cleared: Set<ItemKey> = []
    var entries: [SearchEntry] = []
    var followUps: [@Sendable () -> Void] = []

    struct Work {
      var isWhole = false
      var found: [SearchEntry]?
    }

    mutating func add(_ transaction: Transaction) {
      transaction.forEachIndexWork { key, isWhole, found in
        // Entries from an earlier write of the group must not reappear after this one removes the item or indexes all
        // of it again.
        if isWhole, !entries.isEmpty { entries.removeAll { $0.item == key.id && $0.collection == key.collection } }
        let earlier = index.updateValue(Work(isWhole: isWhole, found: found), forKey: key)
        if let earlier { index[key]?.isWhole = earlier.isWhole || isWhole } else { order.append(key) }
      }
      cleared.formUnion(transaction.reindexed)
      entries += transaction.newEntries
      followUps += transaction.followUps
    }
  }

  private struct CannotBegin: Error {
    var reason: any Error
  }

  /// Runs these jobs, then the jobs that join the group; sends their replies and returns how many jobs there were.
  ///
  /// - Parameter isAgain: whether this is the second attempt, after space was freed on a full disk.
  func run(_ group: [WriteJob], joining next: () -> WriteJob? = { nil }, isAgain: Bool = false) -> Int {
    var jobs = group
    do {
      let (answers, commits, followUps) = try commit(&jobs, joining: next)
      if !commits.isEmpty { diskSpace.saved(to: .library) }
      feed.append(commits)
      // Before the replies, after which a failed long write is rolled back.
      if let last = commits.last { machineState.note(clock: last.clock) }
      for followUp in followUps { followUp() }
      if answers.count > 1 {
        answerTogether { for answer in answers { answer.job.completion(answer.result) } }
      } else if let answer = answers.first, !isAnswered(answer) {
        answer.job.completion(answer.result)
      }
      return answers.count
    } catch let refusal as CannotBegin {
      // Another program locks the library, such as a shell with an open transaction. Each job alone would wait as long
      // again.
      for job in jobs { job.completion(.failure(asReply(refusal.reason, to: job))) }
      return jobs.count
    } catch let refusal as RPCError where refusal.isOfEnd {
      // They waited beyond the shutdown deadline. A job that throws this error itself is alone in its group, and gets
      // the same reply.
      for job in jobs { job.completion(.failure(RPCError.stoppedWrite)) }
      return jobs.count
    } catch  where jobs.count > 1 {
      // SQLite ended the transaction, or COMMIT failed: nothing of the group was committed. Run alone, only the faulty
      // write fails. A full disk is logged by the first write that does not fit alone either.
      if !StoreError.isDiskFull(error) {
        log("a group of \(jobs.count) writes was rolled back, each is run again alone: \(error)", as: .warning)
      }
      for job in jobs { _ = run([job]) }
      return jobs.count
    } catch {
      if !isAgain, error is DatabaseError, StoreError.isDiskFull(error, path: path), makeRoom() {
        return run(jobs, isAgain: true)
      }
      jobs[0].completion(.failure(asReply(error, to: jobs[0])))
      return 1
    }
  }

  /// Whether the waiting client already has its reply, so that `completion` need not run.
  private func isAnswered(_ answer: Answer) -> Bool {
    guard case .success(let outcome) = answer.result, let reply = answer.job.reply else { return false }
    return reply(outcome)
  }

  /// Jobs that join are added to `jobs`, so that they are known when the commit fails.
  private func commit(
    _ jobs: inout [WriteJob], joining next: () -> WriteJob?
  ) throws -> ([Answer], [Commit], [@Sendable () -> Void]) {
    do {
      try tenure.check()
    } catch {
      throw CannotBegin(reason: error)
    }
    return try pool.writeWithoutTransaction { db in
      let started = ContinuousClock.now
      var answers: [Answer] = []
      var commits: [Commit] = []
      var remains = RemainingWork()
      let isLong = jobs.contains { $0.isLong }
      let isRepeatable = jobs.allSatisfy { $0.priority == .repeatable }
      var goesOn = false
      do {
        try logSync.set(!isRepeatable, in: db)
      } catch {
        throw CannotBegin(reason: error)
      }
      // For maintenance too.
      defer { try? logSync.set(true, in: db) }
      if isLong { try Self.long.set(in: db) }
      defer { if isLong { try? (goesOn ? Self.between : Self.usual).set(in: db) } }
      do {
        try db.run(Self.begin)
      } catch {
        throw CannotBegin(reason: error)
      }
      do {
        var clock = try Snapshot.clock(of: db)
        do {
          try tenure.check(clock: clock)
        } catch {
          throw CannotBegin(reason: error)
        }
        let isAlone = jobs.count == 1
        while answers.count < WriteQueue.groupLimit {
          if !answers.isEmpty, ContinuousClock.now - started > longest { break }
          if answers.count == jobs.count {
            // What joins a write without a sync would have none.
            guard !isLong, !isRepeatable, let joining = next() else { break }
            jobs.append(joining)
          }
          let job = jobs[answers.count]
          guard job.token.begin() else {
            answers.append((job, .failure(RPCError.cancelled)))
            continue
          }
          let (result, commit, transaction) = try run(
            job, clock: clock + 1, isAlone: isAlone && answers.isEmpty, db: db)
          answers.append((job, result))
          if let transaction {
            remains.add(transaction)
            goesOn = transaction.series.map { !$0.isEnded } ?? false
          }
          if let commit {
            commits.append(commit)
            clock = commit.clock
          }
        }
        var indexIsDue = goesOn ? try !SearchMerging.stepOfWrite(in: db) : false
        if try index(remains, db: db) { indexIsDue = true }
        if indexIsDue { remains.followUps.append(whenIndexIsDue) }
        if !commits.isEmpty {
          if isRepeatable { throw RPCError.internalError }
          try db.run(Self.setClock) { $0.add(clock) }
        }
        try databaseRoom.reserve(db)
        tenure.expect(clock: clock)
        try db.run(Self.commit)
      } catch {
        goesOn = false
        db.rollBack()
        databaseRoom.forget()
        tenure.expect(clock: feed.head)
        throw error
      }
      return (answers, commits, remains.followUps)
    }
  }

  /// Runs one write in its savepoint. Throws only if the whole group is lost.
  private func run(
    _ job: WriteJob, clock: Int64, isAlone: Bool, db: Database
  ) throws -> (Result<WriteOutcome, any Error>, Commit?, Transaction?) {
    let transaction = Transaction(
      db: db, clock: clock, now: now(), caller: job.caller, label: job.label, request: job.token, schema: schema,
      blobs: blobs)
    if !isAlone { try db.run(Self.savepoint) }
    do {
      let before = db.totalChangesCount
      let output = try job.body(transaction)
      let changes =
        transaction.notes.contains { !$0.isVoid }
        ? try ChangeLog.write(transaction, device: machineState.device) : []
      if changes.isEmpty, db.totalChangesCount != before, !transaction.isSilent, transaction.notes.isEmpty {
        log("\(job.label) changed rows and reported nothing; it was rolled back")
        throw RPCError.internalError
      }
      let counts = try schema.counts(after: changes, in: transaction.snapshot)
      try transaction.settleSeries(hasCommit: !changes.isEmpty)
      if !isAlone { try db.run(Self.release) }
      let outcome = WriteOutcome(
        output: output, clock: changes.isEmpty ? clock - 1 : clock,
        changed: !changes.isEmpty || transaction.changesSetting)
      let commit =
        changes.isEmpty
        ? nil : Commit(clock: clock, changes: changes, isOfMany: transaction.isOfMany, counts: counts)
      return (.success(outcome), commit, transaction)
    } catch {
      // SQLite ends the transaction itself on a full disk and similar errors; then the whole group is lost.
      guard db.isInsideTransaction, !isAlone else { throw error }
      try db.run("ROLLBACK TO w")
      try db.run(Self.release)
      return (.failure(asReply(error, to: job)), nil, nil)
    }
  }

  /// Writes the search entries. Returns whether the index needs a rebuild.
  private func index(_ remains: RemainingWork, db: Database) throws -> Bool {
    guard !remains.index.isEmpty || !remains.entries.isEmpty else { return false }
    var batch = try SearchBatch(in: db)
    for key in remains.order {
      guard let work = remains.index[key] else { continue }
      let collection = schema.collection(key.collection)
      guard collection.description.isSearched else { continue }
      let entries = try work.found ?? collection.description.searchEntries(key.id, work.isWhole, db)
      assert(try! work.found.map { try $0 == collection.description.searchEntries(key.id, true, db) } ?? true)
      // A deleted item, or one without search entries, must leave none in the index.
      if entries.isEmpty || remains.cleared.contains(key) {
        try batch.remove(collection: key.collection, item: key.id)
      }
      for entry in entries { try batch.put(entry, isNew: work.found != nil) }
    }
    for entry in remains.entries { try batch.put(entry) }
    return try batch.finish()
  }

  private func asReply(_ error: any Error, to job: WriteJob) -> any Error {
    if StoreError.isDiskFull(error, path: path) { diskSpace.refused(job.label, to: .library) }
    if error is RPCError { return error }
    if pool.isEnd(error) { return RPCError.stoppedWrite }
    if let error = StoreError(error, path: path) { return error.rpcError }
    log("a write failed: \(error)")
    return RPCError.internalError
  }
}
