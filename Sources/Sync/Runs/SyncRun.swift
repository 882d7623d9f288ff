/// The next operation of a run on the store.
package enum SyncStep: Equatable, Sendable {
  case list
  case get(FileName)
  case put(FileName, [UInt8])
  case remove(FileName)
}

/// The result of an operation.
package enum SyncAnswer: Sendable {
  case listing([(name: String, size: Int)])
  /// Nil for a file that does not exist.
  case content([UInt8]?)
  /// The same, checked and read by `SyncRun.open`.
  case opened(OpenedLog)
  case done
  /// The operation failed, or its answer was lost: it may have happened.
  case failed
  /// The target has no room for a file.
  case noRoom
}

/// What a run does next.
package enum SyncWork: Equatable, Sendable {
  case step(SyncStep)
  /// A file has to be planned and staged (`SyncRun.plan`).
  case stage(FilePlan.Kind)
}

/// One run: decides what to fetch, to write and to remove.
///
/// It does no I/O. Each step is decided from the ledger and the listing, and each answer is one transaction on ledger
/// and states, so that a crash between any two repeats work and nothing else. The run itself is lost with a crash.
///
/// A file is written in three transactions or more, none of which holds up others for long:
///
///     plan    reads ledger and states, and seals the file; changes nothing
///     stage   takes the number and stores the file's bytes
///     note    its items are dirty no more. Those that were not noted before a crash are written once more.
package struct SyncRun: Sendable {
  let policy: SyncPolicy
  let sealing: any LogFileSealing
  var device: (id: String, name: String, schema: Int64)
  var listing: [FileName: Int]?
  var tried: Set<FileName> = []
  private var isChecked = false
  /// Whether no more changes are written: those that arrive meanwhile are left to the next run.
  var isWritten = false
  /// Whether changes were left to a later run, to be gathered.
  private(set) var isHeldBack = false
  /// Whether no compaction is begun any more. What it includes is noted with the next listing.
  var isCompacted = false
  private var hasFailed = false
  /// Whether the target was full: then what others replaced is still removed, which makes room.
  private var hasNoRoom = false

  package init(policy: SyncPolicy, sealing: any LogFileSealing, device: (id: String, name: String, schema: Int64)) {
    (self.policy, self.sealing, self.device) = (policy, sealing, device)
  }

  /// - Returns: nil if the run has ended.
  package mutating func work(
    _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> SyncWork? {
    if hasFailed { return nil }
    guard let listing else { return .step(.list) }
    if let name = unread(listing, ledger, now: now) { return .step(.get(name)) }
    if hasNoRoom { return removable(listing, ledger, now: now).map { .step(.remove($0)) } }
    if let staged = staged(ledger) { return .step(.put(staged.name, staged.bytes)) }
    if !isChecked {
      isChecked = true
      check(listing, &ledger, &states, now: now, using: &random)
    }
    // Before anything else is written: the parts of a compaction have successive numbers.
    if let compaction = ledger.compaction {
      if hasAllParts(of: compaction, listing, ledger) { return .stage(.compaction) }
      (ledger.compaction, ledger.needsCompaction) = (nil, true)
    }
    if !isWritten {
      let hasDirty = states.hasDirty
      isHeldBack = hasDirty && isGathering(ledger, now: now)
      if hasDirty && !isHeldBack || ledger.needsReport || isSilent(ledger, now: now) { return .stage(.changes) }
      isWritten = true
    }
    if !isCompacted {
      isCompacted = true
      if shouldCompact(listing, ledger, states, now: now) {
        ledger.compaction = FileLedger.Compaction(first: ledger.next, includes: ledger.seen)
        return .stage(.compaction)
      }
    }
    return removable(listing, ledger, now: now).map { .step(.remove($0)) }
  }

  package mutating func finish(
    _ step: SyncStep, _ answer: SyncAnswer, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    switch (step, answer) {
    case (.list, .listing(let files)): list(files, &ledger, now: now, using: &random)
    case (.get(let name), .content(let bytes)):
      finish(step, .opened(open(name, bytes)), &ledger, &states, now: now, using: &random)
    case (.get(let name), .opened(let log)):
      tried.insert(name)
      read(name, log, &ledger, &states, now: now, using: &random)
    case (.get(let name), .failed): tried.insert(name)
    case (.put(let name, let bytes), .done):
      ledger.staged.removeAll { $0.name == name }
      ledger.records[name]?.missingSince = nil
      ledger.records[name]?.replacedAt = nil
      listing?[name] = bytes.count
    case (.put, .noRoom): hasNoRoom = true
    case (.remove(let name), .done): listing?[name] = nil
    default: hasFailed = true
    }
  }
}

extension SyncRun {
  /// The next step, when what has to be staged before it was staged; nil if the run has ended.
  package mutating func next(
    _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> SyncStep? {
    while let work = work(&ledger, &states, now: now, using: &random) {
      switch work {
      case .step(let step): return step
      case .stage(let kind):
        let plan = plan(kind, ledger, &states, now: now)
        stage(plan, &ledger, &states, now: now, using: &random)
        states.note(plan.keys, writtenTo: plan.file)
      }
    }
    return nil
  }
}

extension SyncRun {
  /// Runs to the end.
  ///
  /// - Returns: whether all operations succeeded.
  package static func run<States: ItemStates, Store: LogStore, Random: RandomNumberGenerator>(
    _ run: consuming SyncRun, _ ledger: inout FileLedger, _ states: inout States, on store: inout Store,
    now: () -> Int64, using random: inout Random
  ) async -> Bool {
    var run = run
    while let step = run.next(&ledger, &states, now: now(), using: &random) {
      let answer: SyncAnswer
      do {
        switch step {
        case .list: answer = .listing(try await store.list())
        case .get(let name):
          answer = .content(try await store.get(name.description, limit: run.sealing.maximumBytes))
        case .put(let name, let bytes):
          try await store.put(name.description, bytes)
          answer = .done
        case .remove(let name):
          try await store.remove(name.description)
          answer = .done
        }
      } catch { answer = .failed }
      run.finish(step, answer, &ledger, &states, now: now(), using: &random)
    }
    return !run.hasFailed && !run.hasNoRoom
  }
}
