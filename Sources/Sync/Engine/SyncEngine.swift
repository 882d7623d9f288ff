import Contract
import Kit
import Store
import Synchronization
import Wire

/// Runs of sync: one at a time, requested by clients or by the schedule.
final class SyncEngine: Sendable {
  /// What a run has done.
  struct Counts: Sendable, Equatable {
    /// Items that other devices have changed.
    var received = 0
    /// Log files that were read, and written.
    var read = 0
    var written = 0
    /// Whether changes were left to a later run, to be gathered.
    var isHeldBack = false
  }

  /// The last run.
  struct LastRun: Sendable {
    var at: Instant
    var problem: RPCError?
  }

  private struct State {
    var isRunning = false
    /// Whether a client waits for the run, and not the schedule alone.
    var isRequested = false
    /// The run that nobody waits for, if there is one.
    var begun: Task<Void, Never>?
    var last: LastRun?
    var ledgerChanges = 0
    var writer: WriterID?
    /// Items that are too large for a file.
    var oversized: Set<ItemKey> = []
    var pause: (@Sendable () async -> Void)?
    /// A daemon begins where another may have ended.
    var hasUnfinished = true
    /// The next notification; nil if the last one is still right.
    var announced: DidChangeSync.Params?
    var isAnnouncing = false
    var rest: @Sendable () async -> Void = { try? await Task.sleep(for: .seconds(1)) }
  }

  private let state = Mutex(State())
  private let work = SharedWork<Counts>()
  /// By hash: files that are being fetched.
  let fetches = SharedWork<Bool>()
  let fetchAttempts = FetchAttempts()
  let schedule = SyncSchedule()

  var isRunning: Bool { state.withLock(\.isRunning) }
  var last: LastRun? { state.withLock(\.last) }

  /// A number that changes with each change of the ledger that no run has made. Read it within a transaction.
  var ledgerChange: Int { state.withLock(\.ledgerChanges) }

  /// To be called within the transaction of such a change.
  func noteLedgerChange() { state.withLock { $0.ledgerChanges += 1 } }

  /// The writer of the files that this library writes now.
  var writer: WriterID? {
    get { state.withLock(\.writer) }
    set { state.withLock { $0.writer = newValue } }
  }

  /// Items that are too large to be shared, as far as this daemon has met them.
  var oversized: Set<ItemKey> { state.withLock(\.oversized) }

  /// - Parameter isAll: whether there are no others.
  /// - Returns: those that were not noted before; sorted.
  func noteOversized(_ keys: [ItemKey], isAll: Bool) -> [ItemKey] {
    state.withLock { state in
      let new = Set(keys).subtracting(state.oversized)
      if isAll { state.oversized = Set(keys) } else { state.oversized.formUnion(keys) }
      return new.sorted()
    }
  }

  /// Whether items may show something else than their states have, since a run ended before it had shown them.
  var hasUnfinished: Bool {
    get { state.withLock(\.hasUnfinished) }
    set { state.withLock { $0.hasUnfinished = newValue } }
  }

  /// Called between two transactions of a run, where others may write; tests supply a gate.
  var pause: (@Sendable () async -> Void)? {
    get { state.withLock(\.pause) }
    set { state.withLock { $0.pause = newValue } }
  }

  func betweenSlices() async { await pause?() }

  /// Runs once; a request that arrives meanwhile joins that run.
  ///
  /// - Parameter isRequested: false for the schedule, whose changes may be gathered (`SyncPolicy.gathering`).
  /// - Throws: `RPCError`, `CancellationError`.
  func run(
    with services: Services, isRequested: Bool = true, progress: Progress = .none
  ) async throws -> Counts {
    // For the run that it joins; the one that it begins may follow the end of another.
    if isRequested { state.withLock { $0.isRequested = true } }
    return try await work.value(for: "run", progress: progress) { [self] progress in
      state.withLock { ($0.isRunning, $0.isRequested) = (true, $0.isRequested || isRequested) }
      announce(.init(state: .running), to: services)
      do {
        let counts = try await perform(services, progress)
        await end(nil, services)
        schedule.noteSuccess()
        return counts
      } catch is CancellationError {
        await end(nil, services)
        throw CancellationError()
      } catch {
        let problem = RPCError(ofSync: error)
        await end(problem, services)
        throw problem
      }
    }
  }

  /// Begins a run that nobody waits for, or joins the one that is under way.
  func begin(with services: Services) {
    state.withLock { current in
      guard current.begun == nil else { return }
      current.begun = Task { [weak self, weak services] in
        guard let self, let services else { return }
        // Its problem is in `sync/status`.
        _ = try? await self.run(with: services)
        self.state.withLock { $0.begun = nil }
      }
    }
  }

  /// Ends the schedule, and runs that nobody waits for.
  func end() {
    schedule.end()
    state.withLock(\.begun)?.cancel()
  }

  /// Replaces the key of the space by a new one.
  ///
  /// - Parameter isForced: whether that is done although files cannot be read, of which nothing will be under the new key.
  /// - Returns: the new secret.
  /// - Throws: `RPCError`, `TargetError`, `FileFailure`, `CancellationError`.
  func renewKey(isForced: Bool, with services: Services) async throws -> SpaceSecret {
    let (library, file) = (SharedLibrary(services), SecretFile(services))
    guard let stored = try await library.space() else { throw SyncProblem.off }
    // If the lost device wrote them, nobody else can do that again.
    let unread = try await library.unreadFiles()
    guard isForced || unread.all == 0 else {
      throw unread.newer > 0 ? SyncProblem.newerFiles : SyncProblem.unreadFiles(unread.all)
    }
    let connection = try await SyncConnection(stored, with: services)
    let secret = SpaceSecret.make()
    let generation = connection.space.generation + 1
    guard generation <= Space.maximumGeneration else { throw SyncProblem.needsUpgrade }
    let space = Space(id: connection.space.id, generation: generation, secret: secret)
    // Both, since a crash may come before or after the new one is at the target.
    try await file.write([connection.secret, secret])
    try await connection.target.putSpace(space.fileName, space.bytes)
    try await library.share(in: space, name: nil, .renewed)
    try await file.write([secret])
    return secret
  }

  private func end(_ problem: RPCError?, _ services: Services) async {
    state.withLock { state in
      (state.isRunning, state.isRequested) = (false, false)
      state.last = LastRun(at: services.now(), problem: problem)
    }
    let conflicts = try? await services.library.read(as: SharedLibrary(services).caller) {
      try SyncConflict.count(in: $0.db)
    }
    announce(.init(state: SyncState(after: problem), conflicts: conflicts), to: services)
  }

  /// Called after an announcement, until which no other is made; tests supply a gate.
  var rest: @Sendable () async -> Void {
    get { state.withLock(\.rest) }
    set { state.withLock { $0.rest = newValue } }
  }

  /// Tells clients what has changed, at once or as soon as the last announcement is old enough.
  func announce(_ params: DidChangeSync.Params, to services: Services) {
    let isFirst = state.withLock { state in
      state.announced = params
      defer { state.isAnnouncing = true }
      return !state.isAnnouncing
    }
    guard isFirst else { return }
    announceNext(to: services.library)
    // Not retained while it waits: the daemon may shut down.
    Task { [weak self, weak services] in
      while let rest = self?.rest {
        await rest()
        guard let services, self?.announceNext(to: services.library) == true else { return }
      }
    }
  }

  /// - Returns: whether there was anything to tell.
  @discardableResult
  private func announceNext(to library: any LibraryServices) -> Bool {
    let params = state.withLock { state in
      defer { state.announced = nil }
      state.isAnnouncing = state.announced != nil
      return state.announced
    }
    guard let params, let notice = try? Notice(DidChangeSync.self, params) else { return false }
    library.notify(notice)
    return true
  }

  // MARK: - One run

  /// The most times that a run goes on with what was written meanwhile.
  private static let rounds = 3

  private func perform(_ services: Services, _ progress: Progress) async throws -> Counts {
    do {
      return try await exchange(services, progress)
    } catch is SharedLibrary.SpaceChanged {
      // The key was changed meanwhile, or the library was set up anew.
      return try await exchange(services, progress)
    }
  }

  private func exchange(_ services: Services, _ progress: Progress) async throws -> Counts {
    let library = SharedLibrary(services)
    guard let space = try await library.space() else { throw SyncProblem.off }
    var connection = try await SyncConnection(space, with: services)
    if connection.space.generation != space.generation {
      // A change of the key broke off after the new one lay at the target.
      try await library.share(in: connection.space, name: nil, .renewed)
      try await SecretFile(services).write([connection.secret])
    } else if connection.followsFormer {
      // Setting up broke off after the library noted the new key.
      try await SecretFile(services).write([connection.secret])
    }
    let device = try await library.begin()
    var counts = Counts()
    repeat {
      for _ in 0..<Self.rounds {
        try await run(library, device, &connection, &counts, services, progress)
        if counts.isHeldBack, !state.withLock(\.isRequested) { break }
        if try await !library.hasUnwritten() { break }
      }
      try await exchangeFiles(library, device, &connection, &counts, services, progress)
      // A client has joined meanwhile, for whom nothing is held back.
    } while counts.isHeldBack && state.withLock(\.isRequested)
    return counts
  }

  private func exchangeFiles(
    _ library: SharedLibrary, _ device: (id: String, name: String, schema: Int64), _ connection: inout SyncConnection,
    _ counts: inout Counts, _ services: Services, _ progress: Progress
  ) async throws {
    var files = FileExchange(connection, with: services)
    while try await files.exchange(progress) {
      // Between two files others may have written something.
      try await run(library, device, &connection, &counts, services, progress)
    }
    try await PieceSweep(
      services: services, target: connection.target, sealing: connection.pieces, caller: library.caller
    ).run()
    if let failure = files.failure { throw failure }
  }

  /// Fetches a file that a client has opened, whatever the schedule.
  func fetch(_ hash: String, with services: Services) {
    Task { [self] in
      do {
        _ = try await fetches.value(for: hash) { _ in
          guard let name = BlobHash(hash), let space = try await SharedLibrary(services).space() else { return false }
          let connection = try await SyncConnection(space, with: services)
          return try await FileExchange(connection, with: services).fetch(name)
        }
      } catch is CancellationError {
      } catch {
        services.log("sync: the file \(hash.prefix(8)) cannot be fetched now: \(RPCError(ofSync: error))")
      }
    }
  }

  private func run(
    _ library: SharedLibrary, _ device: (id: String, name: String, schema: Int64), _ connection: inout SyncConnection,
    _ counts: inout Counts, _ services: Services, _ progress: Progress
  ) async throws {
    var policy = SyncPolicy()
    if !state.withLock(\.isRequested) { policy.gathering = SyncPolicy.longGathering }
    var run = SyncRun(policy: policy, sealing: connection.sealing, device: device)
    var work: SyncWork? = .step(.list)
    var failure: (any Error)?
    var fetches = LogFetches()
    defer { fetches.keep([]) }
    while let next = work {
      try Task.checkCancellation()
      let advance: SharedLibrary.Advance
      switch next {
      case .stage(let kind):
        advance = try await library.stage(kind, run, in: connection.space, at: services.now().milliseconds)
      case .step(let step):
        let answer: SyncAnswer
        do {
          answer = try await Self.perform(step, run, &connection.target, &fetches)
          switch step {
          case .get: counts.read += 1
          case .put: counts.written += 1
          case .list, .remove: break
          }
        } catch let error as CancellationError {
          throw error
        } catch {
          failure = failure ?? error
          answer = (error as? TargetError)?.kind == .full ? .noRoom : .failed
        }
        advance = try await library.advance(
          run, (step, answer), in: connection.space, at: services.now().milliseconds)
      }
      (run, work) = (advance.run, advance.work)
      fetches.keep(advance.ahead, besides: work)
      counts.received += advance.received
      if advance.unread > 0 {
        let all = counts.read + advance.unread
        progress.report(
          message: Text("sync.progress", ["done": String(counts.read), "count": String(all)]),
          percentage: 100 * counts.read / all)
      }
    }
    // A file that cannot be read now is read later; all else ends the run.
    if let failure { throw failure }
    counts.isHeldBack = run.isHeldBack
  }

  private static func perform(
    _ step: SyncStep, _ run: SyncRun, _ target: inout any SyncTarget, _ fetches: inout LogFetches
  ) async throws -> SyncAnswer {
    switch step {
    case .list: return .listing(try await target.list())
    case .get(let name):
      let bytes = try await fetches.bytes(of: name, from: target, limit: run.sealing.maximumBytes)
      return .opened(run.open(name, bytes))
    case .put(let name, let bytes):
      try await target.put(name.description, bytes)
      return .done
    case .remove(let name):
      try await target.remove(name.description)
      return .done
    }
  }
}

extension Services {
  var sync: SyncEngine { memory.object(SyncEngine.self) { SyncEngine() } }
}
