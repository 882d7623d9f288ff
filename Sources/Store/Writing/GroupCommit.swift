import Contract
import SQLite
import SearchEngine
import Wire

/// Commits the writes that wait together: one transaction, one sync, a savepoint for each.
///
///     BEGIN IMMEDIATE
///       SAVEPOINT w … RELEASE w        per write; ROLLBACK TO w when it fails, and only it is answered so
///       index work                     after the last RELEASE: a savepoint makes FTS5 flush
///       UPDATE library SET clock
///     COMMIT                           the WAL is synced: synchronous = FULL
///     publish, then answer             the ring's order is the order of commits
struct GroupCommit: Sendable {
  let pool: LibraryPool
  let tenure: Tenure
  let schema: Schema
  let blobs: Blobs
  let feed: ChangeFeed
  let remembered: Remembered
  let path: String
  let now: @Sendable () -> Instant
  /// A group takes no further write after this long, so that those who wait for the sync do not wait for long.
  let longest: Duration
  let answerTogether: @Sendable (() -> Void) -> Void
  /// Called behind a write that has found the index to be made anew.
  let whenIndexIsDue: @Sendable () -> Void
  let room: RoomWatch
  let databaseRoom: DatabaseRoom
  /// Makes room on a full disk; false when it cannot.
  let makeRoom: @Sendable () -> Bool
  let log: Log

  static let usualDuration: Duration = .milliseconds(20)

  /// What the writer's connection has in memory.
  struct Memory {
    /// Pages of the library, in KiB.
    let pages: Int
    /// Whether what a savepoint or a statement would roll back is kept there too. In a file, which is hardly ever read, the
    /// pages that a group of writes touches are written once more than to the log.
    let holdsRollback: Bool

    /// A transaction must not be open.
    func set(in db: Database) throws {
      try db.execute("PRAGMA cache_size = -\(pages); PRAGMA temp_store = \(holdsRollback ? "MEMORY" : "DEFAULT")")
    }
  }

  /// Until nothing is written for a while (`LogCare`). In 2 MB, SQLite's own measure, the tables of a large library, which
  /// posts touch at random, are written to the log and read back many times over before the commit.
  static let usual = Memory(pages: 8_000, holdsRollback: true)
  /// Of a long write, which may touch all of the library.
  private static let long = Memory(pages: 32_000, holdsRollback: false)

  private static let begin = KeptStatement("BEGIN IMMEDIATE")
  private static let setClock = KeptStatement("UPDATE library SET clock = ?")
  private static let commit = KeptStatement("COMMIT")
  private static let savepoint = KeptStatement("SAVEPOINT w")
  private static let release = KeptStatement("RELEASE w")

  private typealias Answer = (job: WriteJob, result: Result<WriteOutcome, any Error>)

  /// What a write left to be done for the group: index work, and what follows the commit.
  private struct Remains {
    /// Of each item whether all of its parts are to be indexed anew, or only those that its row holds.
    var index: [ItemKey: Work] = [:]
    /// Its items as they came: whose rows lie beside each other are read and written one after the other.
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
        // What an earlier write gave of an item that this one removes, or of which all is made anew, must not come back.
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

  /// Runs the first of these jobs and, when none is left, those that join; answers them and returns how many they were.
  ///
  /// - Parameter isAgain: whether room was made for it on a full disk.
  func run(_ group: [WriteJob], joining next: () -> WriteJob? = { nil }, isAgain: Bool = false) -> Int {
    var jobs = group
    do {
      let (answers, commits, followUps) = try commit(&jobs, joining: next)
      if !commits.isEmpty { room.saved(to: .library) }
      feed.append(commits)
      // Before the answers, behind which a long write that failed is taken back.
      if let last = commits.last { remembered.note(clock: last.clock) }
      for followUp in followUps { followUp() }
      if answers.count > 1 {
        answerTogether { for answer in answers { answer.job.completion(answer.result) } }
      } else if let answer = answers.first, !isAnswered(answer) {
        answer.job.completion(answer.result)
      }
      return answers.count
    } catch let refusal as CannotBegin {
      // Another program holds the library, as a shell with an open transaction does. Each alone would wait as long again.
      for job in jobs { job.completion(.failure(asReply(refusal.reason, to: job))) }
      return jobs.count
    } catch let refusal as RPCError where refusal.isOfEnd {
      // They waited beyond the deadline of the end. One that says so itself is alone, and is answered so too.
      for job in jobs { job.completion(.failure(RPCError.stoppedWrite)) }
      return jobs.count
    } catch  where jobs.count > 1 {
      // SQLite left the transaction, or COMMIT failed: nothing of the group is there. Alone, only the guilty one fails.
      // A full disk is told of by the first that has no room alone either.
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

  /// Whether whoever waits has its reply already, without being woken for it.
  private func isAnswered(_ answer: Answer) -> Bool {
    guard case .success(let outcome) = answer.result, let reply = answer.job.reply else { return false }
    return reply(outcome)
  }

  /// Whoever joins is added to the jobs, so that they are known when the commit fails.
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
      var remains = Remains()
      let isLong = jobs.contains { $0.isLong }
      if isLong { try Self.long.set(in: db) }
      defer { if isLong { try? Self.usual.set(in: db) } }
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
            guard !isLong, let joining = next() else { break }
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
          if let transaction { remains.add(transaction) }
          if let commit {
            commits.append(commit)
            clock = commit.clock
          }
        }
        if try index(remains, db: db) { remains.followUps.append(whenIndexIsDue) }
        if !commits.isEmpty {
          try db.run(Self.setClock) { $0.add(clock) }
        }
        try databaseRoom.reserve(db)
        tenure.expect(clock: clock)
        try db.run(Self.commit)
      } catch {
        db.rollBack()
        databaseRoom.forget()
        tenure.expect(clock: feed.head)
        throw error
      }
      return (answers, commits, remains.followUps)
    }
  }

  /// One write in its savepoint. Throws only when the whole group is lost.
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
        ? try ChangeLog.write(transaction, device: remembered.device) : []
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
      // SQLite ends the transaction by itself on a full disk and the like; then all of the group is lost.
      guard db.isInsideTransaction, !isAlone else { throw error }
      try db.run("ROLLBACK TO w")
      try db.run(Self.release)
      return (.failure(asReply(error, to: job)), nil, nil)
    }
  }

  /// Whether the index is to be made anew.
  private func index(_ remains: Remains, db: Database) throws -> Bool {
    guard !remains.index.isEmpty || !remains.entries.isEmpty else { return false }
    var batch = try SearchBatch(in: db)
    for key in remains.order {
      guard let work = remains.index[key] else { continue }
      let collection = schema.collection(key.collection)
      guard collection.description.isSearched else { continue }
      let entries = try work.found ?? collection.description.searchEntries(key.id, work.isWhole, db)
      assert(try! work.found.map { try $0 == collection.description.searchEntries(key.id, true, db) } ?? true)
      // An item that has gone, or of which nothing is left to find, leaves nothing in the index.
      if entries.isEmpty || remains.cleared.contains(key) {
        try batch.remove(collection: key.collection, item: key.id)
      }
      for entry in entries { try batch.put(entry, isNew: work.found != nil) }
    }
    for entry in remains.entries { try batch.put(entry) }
    return try batch.finish()
  }

  private func asReply(_ error: any Error, to job: WriteJob) -> any Error {
    if StoreError.isDiskFull(error, path: path) { room.refused(job.label, to: .library) }
    if error is RPCError { return error }
    if pool.isEnd(error) { return RPCError.stoppedWrite }
    if let error = StoreError(error, path: path) { return error.rpcError }
    log("a write failed: \(error)")
    return RPCError.internalError
  }
}
