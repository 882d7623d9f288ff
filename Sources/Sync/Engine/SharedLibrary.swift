import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// The library as a run uses it: each call is one transaction.
final class SharedLibrary: Sendable {
  let services: Services
  let collections: SharedCollections
  let caller: FeatureCaller
  /// The ledger as the tables have it, since a change by somebody else; nil before the first transaction.
  private let ledger = Mutex<(change: Int, stored: StoredLedger)?>(nil)

  /// The most items that one transaction absorbs.
  private static let slice = 500

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
      try StoredLedger.read(in: snapshot.db).map { ($0.space, $0.generation) }
    }
  }

  /// Makes a new writer if the library may be a copy of the one that wrote before. To be called before each run.
  func begin() async throws {
    let identity = WriterIdentity(services)
    try await transact { sharing in
      var random = SystemRandomNumberGenerator()
      sharing.stored.ledger.begin(identity, using: &random)
    }
  }

  func device() async throws -> (id: String, name: String, schema: Int64) {
    try await transact { ($0.stored.ledger.identity.device, $0.stored.name, SharedCollections.version) }
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
    /// This device has changed the key: all is written as one compaction.
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
      if known != nil {
        switch sharing {
        case .joined: break
        case .anew: stored.ledger = FileLedger(identity, using: &random)
        case .rejoined, .renewed:
          stored.ledger.renewKey(
            compacts: sharing == .renewed, at: transaction.now.milliseconds, using: &random)
        }
        if sharing == .anew || sharing == .rejoined { try transaction.db.run("UPDATE syncItem SET file = NULL") }
      }
      try stored.write(over: known, in: transaction.db)
      transaction.changeSetting()
    }
  }

  /// The files that a newer version wrote.
  func newerFiles() async throws -> Int { try await transact { $0.stored.ledger.newer } }

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
  func counts(of space: Space, _ secret: SpaceSecret, at target: any SyncTarget, progress: Progress) async throws
    -> SetUpSync.Counts
  {
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
    return .init(onlyThere: theirs.count - both, onlyHere: here.count - both, both: both)
  }

  /// Whether items or files have to be written that no file at the target has.
  func hasUnwritten() async throws -> Bool {
    try await transact { sharing in
      try sharing.absorb()
      return try !sharing.stored.ledger.staged.isEmpty || sharing.states.hasUnwritten
    }
  }

  /// Brings all items of the library into states, slice by slice, if they are not; also if the log does not have all
  /// changes since the last time.
  func absorbAll() async throws {
    let items = try await transact { sharing -> (start: Int64, items: [ItemKey])? in
      if try sharing.logReaches() { return nil }
      sharing.stored.absorbed = nil
      return (sharing.transaction.clock - 1, try sharing.allItems())
    }
    guard let (start, keys) = items else { return }
    for first in stride(from: 0, to: keys.count, by: Self.slice) {
      try Task.checkCancellation()
      try await transact { try $0.absorbRows(of: keys[first..<min(keys.count, first + Self.slice)]) }
    }
    // What was written meanwhile is absorbed from the log.
    try await transact { $0.stored.absorbed = start }
  }

  struct Advance: Sendable {
    var run: SyncRun
    var step: SyncStep?
    var received = 0
    var unread = 0
  }

  /// Absorbs what was written here, ends a step with its answer, and returns the next one.
  ///
  /// - Throws: `SpaceChanged` if the library is not shared in this space any more.
  func advance(
    _ run: SyncRun, _ done: (step: SyncStep, answer: SyncAnswer)?, in space: Space, at now: Int64
  ) async throws -> Advance {
    try await transact { sharing in
      guard sharing.stored.space == space.hexadecimal, sharing.stored.generation == space.generation else {
        throw SpaceChanged()
      }
      var (next, random) = (Advance(run: run), SystemRandomNumberGenerator())
      // A copied disk finds in the listing that it has to write as another writer.
      if done?.step != .list, done != nil { try sharing.absorb() }
      if let done {
        let divergedAt = sharing.stored.ledger.divergedAt
        next.run.finish(
          done.step, done.answer, &sharing.stored.ledger, &sharing.states, now: now, using: &random)
        if let time = sharing.stored.ledger.divergedAt, time != divergedAt, case .get(let name) = done.step {
          let device = sharing.stored.ledger.peers[name.file.writer]?.name ?? "?"
          sharing.transaction.services.log("sync: this library differs from that of \(device); both are written anew")
        }
        var origin: String?
        if case .get(let name) = done.step { origin = sharing.stored.ledger.peers[name.file.writer]?.name }
        next.received = try sharing.showReceived(from: origin)
        if done.step == .list { try sharing.absorb() }
      }
      next.step = next.run.next(&sharing.stored.ledger, &sharing.states, now: now, using: &random)
      next.unread = sharing.stored.ledger.records.values.count {
        if case .waiting(_, let time) = $0.reading { time <= now } else { false }
      }
      return next
    }
  }

  func transact<Value: Sendable>(
    _ body: @escaping @Sendable (inout SharingTransaction) throws -> Value
  ) async throws -> Value {
    let (change, stored, value) = try await services.library.write(
      as: caller, label: SharingTransaction.label,
      returning: { [self] transaction in
        let change = transaction.services.sync.ledgerChange
        let known = ledger.withLock { $0?.change == change ? $0?.stored : nil }
        var sharing = try SharingTransaction(transaction, collections, known)
        let value = try body(&sharing)
        transaction.services.sync.writer = sharing.stored.ledger.writer
        try sharing.save()
        return (change, sharing.stored, value)
      })
    ledger.withLock { $0 = (change, stored) }
    return value
  }
}

extension SharingTransaction {
  /// Whether the log has all changes since the last time that they were absorbed.
  fileprivate func logReaches() throws -> Bool {
    guard let absorbed = stored.absorbed else { return false }
    let oldest = try transaction.db.first("SELECT min(clock) FROM commits") { $0.isNull(0) ? nil : $0.integer(0) }
    return (oldest ?? nil).map { absorbed >= $0 - 1 } ?? true
  }
}
