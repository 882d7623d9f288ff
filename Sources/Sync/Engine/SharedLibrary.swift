import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// The library as a run uses it.
///
/// No transaction of it holds the writer for long (`SlicePace`): what is larger is distributed over several, between which
/// other clients write. What need not be in a transaction is read from snapshots. Only one run changes the states at a
/// time, so what a snapshot has shown of them is still so in the next transaction.
///
///     absorb    the library's changes, slice by slice; the clock of the last one is noted after all of them
///     join      a file's items, slice by slice, each after what was written meanwhile was absorbed; then the file is noted
///     stage     see `SyncRun`
///
/// A crash between any two transactions repeats work and nothing else. So the slices that write no items need no sync
/// to disk of their own (`WritePriority.repeatable`): the transaction that ends a step makes them durable.
final class SharedLibrary: Sendable {
  let services: Services
  let collections: SharedCollections
  let caller: FeatureCaller
  /// The ledger as the tables have it, since a change by somebody else; nil before the first transaction.
  private let ledger = Mutex<(change: Int, stored: StoredLedger)?>(nil)

  init(_ services: Services) {
    self.services = services
    collections = SharedCollections(services.library)
    caller = FeatureCaller(
      clientName: "sync", connectionID: "", reader: FeatureCaller.daemon(services).reader, services: services)
  }

  /// The space in which the library is shared; nil if it is not.
  ///
  /// - Throws: `StoreError`, `DatabaseError`.
  func space() async throws -> (space: String, generation: Int)? {
    try await services.library.read(as: caller) { snapshot in
      try StoredLedger.readRow(in: snapshot.db).map { ($0.space, $0.generation) }
    }
  }

  /// Makes a new writer if the library may be a copy of the one that wrote before, and absorbs all items if the log does
  /// not have all changes since the last time. To be called before each run.
  ///
  /// - Returns: how the run's files name this device.
  /// - Throws: `RPCError` if the library is not shared, `StoreError`, `DatabaseError`, `CancellationError`.
  func begin() async throws -> (id: String, name: String, schema: Int64) {
    let identity = WriterIdentity(services)
    let (stored, gap) = try await services.library.read(as: caller) { [collections] snapshot in
      guard let stored = try StoredLedger.read(in: snapshot.db) else { throw SyncProblem.off }
      let gap = try stored.isInLog(of: snapshot) ? nil : (snapshot.clock, try collections.allItems(in: snapshot.db))
      return (stored, gap)
    }
    if stored.ledger.identity != identity {
      try await transact { sharing in
        var random = SystemRandomNumberGenerator()
        sharing.stored.ledger.begin(identity, using: &random)
      }
    }
    try await moveCopiedWrites()
    try await removeAbandonedParts()
    let adopted = try await adoptAddedFields()
    if let (clock, items) = gap { try await absorb(items, at: clock) }
    if let adopted { try await finishAdoption(of: adopted) }
    try await forgetStates()
    try await showHidden()
    return (identity.device, stored.name, SharedCollections.version)
  }

  /// Absorbs all items of the library, of which the log does not have all changes.
  private func absorb(_ items: [ItemKey], at clock: Int64) async throws {
    try await transact { $0.stored.absorbed = nil }
    try await inSlices(of: items, priority: .repeatable) { sharing, items, end in
      try sharing.absorbRows(of: items, until: end)
    }
    // What was written meanwhile is absorbed from the log.
    try await transact { $0.stored.absorbed = clock }
  }

  /// Whether runs have to be requested; nil if the library is not shared.
  func isPaused() async throws -> Bool? {
    try await services.library.read(as: caller) { snapshot in
      try snapshot.db.first("SELECT isPaused FROM syncSpace") { $0.integer(0) != 0 }
    }
  }

  /// What the target has of the library when it is shared.
  enum Sharing: Sendable {
    /// What other devices have written.
    case joined
    /// Nothing any more: all items are written again.
    case anew
    /// Another device has changed the key: what it did not write itself is written again.
    case rejoined
    /// This device has changed the key: all items are written again.
    case renewed
  }

  /// A run found that the library is shared otherwise than when the run began.
  struct SpaceChanged: Error {}

  /// Shares the library in a space from now on.
  func share(in space: Space, name: String?, _ sharing: Sharing) async throws {
    let identity = WriterIdentity(services)
    try await services.library.write(as: caller, label: SharingTransaction.label) { transaction in
      var random = SystemRandomNumberGenerator()
      transaction.services.sync.noteLedgerChange()
      let known = try StoredLedger.read(in: transaction.db)
      if sharing == .renewed, known?.generation == space.generation { return }
      var stored =
        known
        ?? StoredLedger(
          space: space.hexadecimal, generation: space.generation, name: name ?? "",
          FileLedger(identity, using: &random))
      stored.generation = space.generation
      if let name { stored.name = name }
      if known == nil {
        stored.sharedAt = transaction.now.milliseconds
        stored.isUnknown = sharing == .joined
        // What was forgotten here until now was meant for this library alone, not for the history of the others.
        try ForgottenVersions.removeAll(from: transaction.db)
      } else {
        switch sharing {
        case .joined: break
        case .anew: stored.ledger = FileLedger(identity, using: &random)
        case .rejoined, .renewed:
          stored.ledger.renewKey(using: &random)
        }
        if sharing != .joined { try transaction.db.run("UPDATE syncItem SET file = NULL") }
      }
      try stored.write(over: known, in: transaction.db)
      transaction.changeSetting()
    }
  }

  /// The files that cannot be read, and those of them that a newer version wrote.
  func unreadFiles() async throws -> (all: Int, newer: Int) {
    try await services.library.read(as: caller) { snapshot in
      let ledger = try StoredLedger.read(in: snapshot.db)?.ledger
      return (ledger?.unread ?? 0, ledger?.newer ?? 0)
    }
  }

  /// The shared items of this library.
  func items() async throws -> Set<ItemKey> {
    try await services.library.read(as: caller) { [collections] snapshot in
      var items: Set<ItemKey> = []
      for collection in collections.all {
        try snapshot.db.each("SELECT id FROM \(collection.items.table) WHERE \(collection.condition)") {
          items.insert(ItemKey(collection.name, ByteKey($0.text(0))))
        }
      }
      return items
    }
  }

  /// Compares the ids of the items at the target with those of this library, and stores nothing.
  func counts(
    of space: Space, _ secret: SpaceSecret, at target: any SyncTarget, progress: Progress
  ) async throws -> (onlyThere: Int, onlyHere: Int, both: Int) {
    var outlines: [ItemKey: ItemState] = [:]
    let sealing = space.sealing(secret)
    let files = try await target.list().compactMap { FileName($0.name) }.sorted()
    for (number, name) in files.enumerated() {
      progress.report(percentage: 100 * number / files.count)
      guard let bytes = try await target.get(name.description, limit: sealing.maximumBytes),
        let content = try? sealing.open(bytes, as: name.file), let file = try? LogFile(content)
      else { continue }
      for item in file.items { outlines[item.key, default: ItemState()].join(item.state.outline) }
    }
    let theirs = outlines.filter { key, state in
      collections[key.collection].map { state.isAlive(in: $0.synced) } ?? false
    }
    let here = try await items()
    let both = theirs.keys.count(where: here.contains)
    return (theirs.count - both, here.count - both, both)
  }

  /// Whether items or files have to be written that no file at the target has.
  func hasUnwritten() async throws -> Bool {
    let oversized = services.sync.oversized.count
    return try await services.library.read(as: caller) { [collections] snapshot in
      guard let stored = try StoredLedger.read(in: snapshot.db) else { return false }
      if !stored.ledger.staged.isEmpty { return true }
      let states = LibraryStates(snapshot.db, collections.schema)
      if try states.dirtyCount(limit: oversized + 1) > oversized { return true }
      if try !ForgottenVersions.pending(in: snapshot.db).isEmpty { return true }
      return try stored.absorbed.map { try collections.hasWritten(since: $0, in: snapshot.db) } ?? true
    }
  }

  /// How long changes are still gathered; nil if the library is not shared.
  func gathering(at now: Instant) async throws -> Duration? {
    try await services.library.read(as: caller) { snapshot in
      try StoredLedger.readRow(in: snapshot.db).map {
        .milliseconds(max(0, $0.ledger.lastWrite + SyncPolicy.longGathering - now.milliseconds))
      }
    }
  }

  // MARK: - Steps of a run

  struct Advance: Sendable {
    var run: SyncRun
    var work: SyncWork?
    var received = 0
    var unread = 0
    /// The files that are read after that of the next step.
    var ahead: [FileName] = []
  }

  /// A transaction of a step.
  fileprivate enum Slice: Sendable {
    /// It is a copy that goes on as another writer: what it wrote before has to be moved first.
    case copied
    /// Too much was written here: it has to be absorbed first.
    case behind(SyncRun)
    /// So many items were joined, and there are more.
    case joined(Int, received: Int, clock: Int64)
    case done(Advance)
  }

  /// Absorbs what was written here, ends a step with its answer, and returns what is next.
  ///
  /// - Throws: `SpaceChanged` if the library is not shared in this space any more.
  func advance(
    _ run: SyncRun, _ done: (step: SyncStep, answer: SyncAnswer), in space: Space, at now: Int64
  ) async throws -> Advance {
    var (run, received, pace) = (run, 0, SlicePace())
    let answer = done.answer
    var group: (first: Int64, items: Int)?
    var joined = 0
    while true {
      let (slice, work) = try await timed { [run, answer, joined, received, group, count = pace.count] sharing in
        try sharing.require(space)
        var (run, random) = (run, SystemRandomNumberGenerator())
        // Before anything is absorbed: a copied disk finds in the listing that it has to write as another writer.
        if case .list = done.step, run.listing == nil {
          run.finish(done.step, answer, &sharing.stored.ledger, &sharing.states, now: now, using: &random)
        }
        if case .opened(let log) = answer, case .success(let file) = log.file {
          if sharing.leaveCopiedWriter(after: file.header) { return Slice.copied }
        }
        guard try sharing.absorb() else { return Slice.behind(run) }
        return try sharing.slice(
          run, (done.step, answer), joining: count, after: joined, in: group, received, at: now)
      }
      switch slice {
      case .copied: try await moveCopiedWrites()
      case .behind(let listed):
        run = listed
        try await absorbWritten()
      case .joined(let count, let shown, let clock):
        joined += count
        received += shown
        group = (group?.first ?? clock, received)
        pace.note(work)
        await services.sync.betweenSlices()
        try Task.checkCancellation()
      case .done(let advance):
        if case .put = done.step { try await removeAbandonedParts() }
        return advance
      }
    }
  }

  /// Plans a file and stages it.
  ///
  /// - Throws: as `advance`.
  func stage(_ kind: FilePlan.Kind, _ run: SyncRun, in space: Space, at now: Int64) async throws -> Advance {
    guard let ledger = ledger.withLock({ $0?.stored }) else { throw SpaceChanged() }
    var run = run
    run.device.name = ledger.distinctName
    let plan = try await services.library.read(as: caller) { [collections, run] snapshot in
      var states = LibraryStates(snapshot.db, collections.schema, digest: ledger.digest)
      let plan = run.plan(kind, ledger.ledger, &states, now: now)
      // A part of the items must never be written as all of them.
      try states.requireWhole()
      return plan
    }
    report(plan)
    if let bytes = plan.bytes { try await write(StagedParts.others(of: bytes), of: FileName(plan.file, of: bytes)) }
    let (isStaged, advance) = try await transact { [run] sharing in
      try sharing.require(space)
      // Unless it was renamed meanwhile.
      if sharing.stored.name == ledger.name { sharing.stored.name = run.device.name }
      var (run, random) = (run, SystemRandomNumberGenerator())
      let isCurrent = plan.isCurrent(in: sharing.stored.ledger)
      if isCurrent { run.stage(plan, &sharing.stored.ledger, &sharing.states, now: now, using: &random) }
      if isCurrent, plan.bytes != nil {
        sharing.stored.isUnknown = false
        if plan.kind == .changes, plan.isLast { sharing.stored.written = ledger.absorbed }
      }
      let work = run.work(&sharing.stored.ledger, &sharing.states, now: now, using: &random)
      return (isCurrent && plan.bytes != nil, Advance(run: run, work: work))
    }
    if isStaged {
      try await inSlices(of: plan.keys, priority: .repeatable) { sharing, keys, end in
        try sharing.require(space)
        // Set up anew meanwhile: all items have to be written again.
        guard sharing.stored.ledger.writer == plan.file.writer else { throw SpaceChanged() }
        return keys.inGroups(until: end) { sharing.states.note(Array($0), writtenTo: plan.file) }
      }
    }
    return advance
  }

  /// How many parts of a file a transaction writes or removes: its time is that of the disk.
  private static let partCount = 2

  private func write(_ parts: [(number: Int, bytes: ArraySlice<UInt8>)], of name: FileName) async throws {
    try await inSlices(of: parts, priority: .repeatable) { sharing, parts, _ in
      let parts = parts.prefix(Self.partCount)
      for part in parts { try StagedParts.write(part, of: name, in: sharing.transaction.db) }
      return parts.count
    }
  }

  /// Removes the parts of files that lie at the target, or that a crash has kept from being staged.
  private func removeAbandonedParts() async throws {
    let rows = try await services.library.read(as: caller) { try StagedParts.abandoned(in: $0.db) }
    try await inSlices(of: rows, priority: .repeatable) { sharing, rows, _ in
      let rows = rows.prefix(Self.partCount)
      for row in rows { try StagedParts.remove(row: row, in: sharing.transaction.db) }
      return rows.count
    }
  }

  /// Reports items that no other device could read, once.
  private func report(_ plan: FilePlan) {
    for key in services.sync.noteOversized(plan.oversized, isAll: plan.kind == .changes && plan.isLast) {
      services.log("sync: \(key.collection)/\(key.id) is too large to be shared with other devices")
    }
  }

  /// Absorbs from the log what is too much for one transaction.
  private func absorbWritten() async throws {
    var listed: Set<ItemKey> = []
    while true {
      let (start, end, written) = try await services.library.read(as: caller) { [collections] snapshot in
        guard let absorbed = try StoredLedger.readRow(in: snapshot.db)?.absorbed else { throw SpaceChanged() }
        return (absorbed, snapshot.clock, try collections.written(since: absorbed, in: snapshot.db) ?? [])
      }
      let found = Mutex<Set<ItemKey>>([])
      try await inSlices(of: written, priority: .repeatable) { sharing, written, time in
        let (count, listed) = try sharing.absorb(written, until: time)
        found.withLock { $0.formUnion(listed) }
        return count
      }
      listed.formUnion(found.withLock(\.self))
      let isDone = try await transact { sharing in
        if sharing.stored.absorbed == start { sharing.stored.absorbed = end }
        return try sharing.absorb()
      }
      if isDone { break }
    }
    try await show(listed.sorted())
  }

  /// Shows items as their states have them. A view overwrites what was not absorbed, so each transaction absorbs what was
  /// written since.
  func show(_ keys: [ItemKey]) async throws {
    try await inSlices(of: keys) { sharing, keys, _ in
      guard try sharing.absorb() else { return 0 }
      try sharing.show(Set(keys))
      return keys.count
    }
  }

  // MARK: - Transactions

  /// Runs `body` over all elements, as many in each transaction as are done within a few milliseconds.
  ///
  /// - Parameter body: returns how many elements it has done until the given end; 0 if too much was written here that
  ///   has to be absorbed first.
  func inSlices<Element: Sendable>(
    of all: [Element], priority: WritePriority = .yielding,
    _ body: @escaping @Sendable (inout SharingTransaction, ArraySlice<Element>, SliceEnd) throws -> Int
  ) async throws {
    var (rest, pace) = (all[...], SlicePace())
    while !rest.isEmpty {
      try Task.checkCancellation()
      let slice = rest.prefix(pace.count)
      let (count, work) = try await timed(priority) { [duration = pace.duration] sharing in
        let othersWait = sharing.transaction.othersWait
        return try body(&sharing, slice, SliceEnd(after: duration, othersWait: othersWait))
      }
      if count == 0 { try await absorbWritten() }
      rest.removeFirst(count)
      pace.note(work, isCut: count < slice.count)
      await services.sync.betweenSlices()
    }
  }

  /// Runs a transaction, and measures the processor time of its own work.
  private func timed<Value: Sendable>(
    _ priority: WritePriority = .yielding, _ body: @escaping @Sendable (inout SharingTransaction) throws -> Value
  ) async throws -> (value: Value, work: SlicePace.Slice) {
    try await transact(priority) { sharing in
      let start = ThreadTime.now
      let value = try body(&sharing)
      return (value, .init(time: .now - start, clock: sharing.transaction.clock, hasShown: sharing.hasShown))
    }
  }

  func transact<Value: Sendable>(
    _ priority: WritePriority = .yielding, _ body: @escaping @Sendable (inout SharingTransaction) throws -> Value
  ) async throws -> Value {
    let (change, stored, value, unfinished, reception) = try await services.library.write(
      as: caller, label: SharingTransaction.label, priority: priority,
      returning: { [self] transaction in
        let change = transaction.services.sync.ledgerChange
        let known = ledger.withLock { $0?.change == change ? $0?.stored : nil }
        var sharing = try SharingTransaction(transaction, collections, known)
        let value = try body(&sharing)
        transaction.services.sync.writer = sharing.stored.ledger.writer
        try sharing.save()
        return (change, sharing.stored, value, sharing.unfinished, sharing.reception)
      })
    ledger.withLock { $0 = (change, stored) }
    if !unfinished.isEmpty {
      services.sync.hasUnfinished = true
      try await inSlices(of: unfinished.sorted()) { sharing, keys, _ in
        guard try sharing.absorb() else { return 0 }
        try sharing.finish(Set(keys), of: reception)
        return keys.count
      }
    }
    return value
  }

  /// Shows items that could not be shown as their states have them when that was tried last: a run may have ended before
  /// it had finished them, and this version may be another than the one that tried.
  private func showHidden() async throws {
    guard services.sync.hasUnfinished else { return }
    let keys = try await services.library.read(as: caller) { try SharingTransaction.hidden(in: $0.db) }
    try await show(keys)
    services.sync.hasUnfinished = false
  }
}

extension SharingTransaction {
  /// - Throws: `SharedLibrary.SpaceChanged` if the library is not shared in this space.
  fileprivate func require(_ space: Space) throws {
    guard stored.space == space.hexadecimal, stored.generation == space.generation else {
      throw SharedLibrary.SpaceChanged()
    }
  }

  /// A transaction of a step, after everything was absorbed: joins some items of a fetched file. With the last of them
  /// it ends the step.
  fileprivate mutating func slice(
    _ run: SyncRun, _ done: (step: SyncStep, answer: SyncAnswer), joining count: Int, after joined: Int,
    in group: (first: Int64, items: Int)?, _ received: Int, at now: Int64
  ) throws -> SharedLibrary.Slice {
    var (next, answer) = (SharedLibrary.Advance(run: run, received: received), done.answer)
    var random = SystemRandomNumberGenerator()
    var origin: String?
    if case .get(let name) = done.step {
      if case .opened(let log) = answer { origin = log.device }
      if case .opened(var log) = answer, stored.ledger.records[name]?.reading != .read {
        let items = log.items.dropFirst(joined).prefix(count).prefix(ofBytes: SlicePace.bytes)
        states.join(Array(items))
        if items.endIndex < log.items.endIndex {
          let shown = try showReceived(from: origin, in: group)
          return .joined(items.count, received: shown, clock: transaction.clock)
        }
        log.items = []
        answer = .opened(log)
      }
    }
    if done.step != .list {
      let divergedAt = stored.ledger.divergedAt
      next.run.finish(done.step, answer, &stored.ledger, &states, now: now, using: &random)
      if let time = stored.ledger.divergedAt, time != divergedAt, case .get(let name) = done.step {
        let device = stored.ledger.peers[name.file.writer]?.name ?? "?"
        transaction.services.log("sync: this library differs from that of \(device); both are written anew")
      }
      next.received += try showReceived(from: origin, in: group)
    }
    next.work = next.run.work(&stored.ledger, &states, now: now, using: &random)
    if case .step(.get(let name)) = next.work { next.ahead = next.run.unread(after: name, stored.ledger, now: now) }
    next.unread = stored.ledger.records.values.count {
      if case .waiting(_, let time) = $0.reading { time <= now } else { false }
    }
    return .done(next)
  }
}

extension StoredLedger {
  /// Whether the log has all changes since the last time that they were absorbed.
  fileprivate func isInLog(of snapshot: Snapshot) throws -> Bool {
    guard let absorbed else { return false }
    let oldest = try snapshot.db.first("SELECT min(clock) FROM commits") { $0.isNull(0) ? nil : $0.integer(0) }
    return absorbed >= ((oldest ?? nil) ?? snapshot.clock + 1) - 1
  }
}

extension ArraySlice<StatedItem> {
  /// The first items with so many bytes of text, but at least one: what they have beside texts is small.
  fileprivate func prefix(ofBytes most: Int) -> ArraySlice {
    var (count, bytes) = (0, 0)
    for item in self {
      for heads in item.state.texts.values { for head in heads.values { bytes += head.text.utf8.count } }
      if count > 0, bytes > most { break }
      count += 1
    }
    return prefix(count)
  }
}

extension ArraySlice {
  /// Calls `body` for some elements after the others, until a transaction has to end.
  ///
  /// - Returns: how many elements that were; at least one group.
  fileprivate func inGroups(until end: SliceEnd, _ body: (ArraySlice) throws -> Void) rethrows -> Int {
    var rest = self
    while !rest.isEmpty {
      let group = rest.prefix(SharingTransaction.group)
      try body(group)
      rest.removeFirst(group.count)
      if end.isReached { break }
    }
    return count - rest.count
  }
}
