import Contract
import Kit
import SQLite
import Store
import Synchronization
import Wire

/// The library as a run uses it: each call is one transaction.
final class SharedLibrary: Sendable {
  private let services: Services
  private let collections: SharedCollections
  let caller: FeatureCaller
  /// The ledger as the tables have it; nil before the first transaction.
  private let ledger = Mutex<StoredLedger?>(nil)

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

  /// Shares the library in a space from now on.
  ///
  /// - Parameter isNew: whether the target has no files of this space any more, so that all items are written again.
  func share(in space: Space, name: String?, isNew: Bool) async throws {
    let identity = WriterIdentity(services)
    try await services.library.write(as: caller, label: SharingTransaction.label) { transaction in
      var random = SystemRandomNumberGenerator()
      let known = try StoredLedger.read(in: transaction.db)
      var stored =
        known
        ?? StoredLedger(
          space: space.hexadecimal, generation: space.generation, name: name ?? "",
          FileLedger(identity, using: &random))
      stored.generation = space.generation
      if let name { stored.name = name }
      if known != nil, isNew {
        stored.ledger = FileLedger(identity, using: &random)
        try transaction.db.run("UPDATE syncItem SET file = NULL")
      }
      try stored.write(over: known, in: transaction.db)
      transaction.changeSetting()
    }
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
  func advance(
    _ run: SyncRun, _ done: (step: SyncStep, answer: SyncAnswer)?, at now: Int64
  ) async throws -> Advance {
    try await transact { sharing in
      try sharing.absorb()
      var (next, random) = (Advance(run: run), SystemRandomNumberGenerator())
      if let done {
        next.run.finish(
          done.step, done.answer, &sharing.stored.ledger, &sharing.states, now: now, using: &random)
        var origin: String?
        if case .get(let name) = done.step { origin = sharing.stored.ledger.peers[name.file.writer]?.name }
        next.received = try sharing.showReceived(from: origin)
      }
      next.step = next.run.next(&sharing.stored.ledger, &sharing.states, now: now, using: &random)
      next.unread = sharing.stored.ledger.records.values.count {
        if case .waiting(_, let time) = $0.reading { time <= now } else { false }
      }
      return next
    }
  }

  private func transact<Value: Sendable>(
    _ body: @escaping @Sendable (inout SharingTransaction) throws -> Value
  ) async throws -> Value {
    let known = ledger.withLock(\.self)
    let result = Result<(StoredLedger, Value)>()
    try await services.library.write(as: caller, label: SharingTransaction.label) { [collections] transaction in
      var sharing = try SharingTransaction(transaction, collections, known)
      let value = try body(&sharing)
      try sharing.save()
      result.value.withLock { $0 = (sharing.stored, value) }
    }
    guard let (stored, value) = result.value.withLock(\.self) else { throw RPCError.internalError }
    ledger.withLock { $0 = stored }
    return value
  }

  /// What a transaction hands out. It may run twice; the last time counts.
  private final class Result<Value: Sendable>: Sendable {
    let value = Mutex<Value?>(nil)
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
