/// The times and limits of runs; times in milliseconds.
package struct SyncPolicy: Sendable {
  package static let hour: Int64 = 3_600_000
  package static let day = 24 * hour

  /// How long a file that another one includes stays.
  package var keeping = 7 * day
  /// How long an own file may be missing: listings lag.
  package var lag = hour
  /// How long others have to replace their files before anybody does; up to three times as long, by chance.
  package var grace = 7 * day
  /// Attempts before a file counts as damaged, at growing distances.
  package var attempts = 5
  package var firstRetry: Int64 = 60_000
  /// How often a damaged file is tried again.
  package var lateRetry = 45 * day
  /// Files and bytes that no other file includes, beyond which they are compacted.
  package var files = 64
  package var bytes = 1 << 20
  /// How often a device without changes writes a file, so that others see it; nil for never.
  package var heartbeat: Int64? = day

  package init() {}
}

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
  case done
  /// The operation failed, or its answer was lost: it may have happened.
  case failed
}

/// One run: decides what to fetch, to write and to remove.
///
/// It does no I/O. Each step is decided from the ledger and the listing, and each answer is one transaction on ledger
/// and states, so that a crash between any two repeats work and nothing else. The run itself is lost with a crash.
package struct SyncRun {
  private let policy: SyncPolicy
  private let sealing: any LogFileSealing
  private let device: (id: String, name: String, schema: Int64)
  private var listing: [FileName: Int]?
  private var tried: Set<FileName> = []
  private var isChecked = false
  private var isCompacted = false
  private var hasFailed = false

  package init(policy: SyncPolicy, sealing: any LogFileSealing, device: (id: String, name: String, schema: Int64)) {
    (self.policy, self.sealing, self.device) = (policy, sealing, device)
  }

  /// - Returns: nil if the run has ended.
  package mutating func next(
    _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) -> SyncStep? {
    if hasFailed { return nil }
    guard let listing else { return .list }
    if let name = unread(listing, ledger, now: now) { return .get(name) }
    if let staged = staged(ledger) { return .put(staged.name, staged.bytes) }
    if !isChecked {
      isChecked = true
      check(listing, &ledger, &states, now: now, using: &random)
      stageChanges(&ledger, &states, now: now)
      if let staged = staged(ledger) { return .put(staged.name, staged.bytes) }
    }
    if !isCompacted {
      isCompacted = true
      if shouldCompact(listing, ledger, states) {
        stageCompaction(&ledger, &states, now: now, using: &random)
        if let staged = staged(ledger) { return .put(staged.name, staged.bytes) }
      }
    }
    return removable(listing, ledger, now: now).map { .remove($0) }
  }

  package mutating func finish(
    _ step: SyncStep, _ answer: SyncAnswer, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    switch (step, answer) {
    case (.list, .listing(let files)): list(files, &ledger, now: now, using: &random)
    case (.get(let name), .content(let bytes)):
      tried.insert(name)
      read(name, bytes, &ledger, &states, now: now, using: &random)
    case (.get(let name), .failed): tried.insert(name)
    case (.put(let name, let bytes), .done):
      ledger.staged.removeAll { $0.name == name }
      ledger.records[name]?.missingSince = nil
      ledger.records[name]?.replacedAt = nil
      listing?[name] = bytes.count
    case (.remove(let name), .done): listing?[name] = nil
    default: hasFailed = true
    }
  }

  // MARK: - Listing

  private mutating func list(
    _ files: [(name: String, size: Int)], _ ledger: inout FileLedger, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    var listing: [FileName: Int] = [:]
    // Names of other programs are ignored.
    for (text, size) in files { if let name = FileName(text) { listing[name] = size } }
    let staged = Set(ledger.staged.map(\.name))
    let isReused = listing.keys.contains { name in
      name.file.writer == ledger.writer && ledger.records[name] == nil && !staged.contains(name)
        && (name.file.number >= ledger.next || ledger.records.keys.contains { $0.file == name.file })
    }
    if isReused { ledger.renewWriter(using: &random) }
    for (name, size) in listing {
      if ledger.records[name] == nil {
        let isSeen = ledger.seen.contains(name.file)
        ledger.records[name] = .init(size: size, reading: isSeen ? .read : .waiting(failures: 0, next: 0))
      } else if case .waiting = ledger.records[name]?.reading {
        ledger.records[name]?.size = size
      }
    }
    self.listing = listing
    noteClock(&ledger, now: now)
    notePresence(listing, &ledger, now: now, using: &random)
    noteInclusions(listing, &ledger, now: now)
  }

  /// Brings times of a clock that was ahead back to the present one: else files would be waited for until then.
  private func noteClock(_ ledger: inout FileLedger, now: Int64) {
    for (name, record) in ledger.records {
      if let since = record.includedSince { ledger.records[name]?.includedSince = min(since, now) }
      if let since = record.missingSince { ledger.records[name]?.missingSince = min(since, now) }
      if let time = record.replacedAt { ledger.records[name]?.replacedAt = min(time, now + 3 * policy.grace) }
      switch record.reading {
      case .waiting(let failures, let next):
        ledger.records[name]?.reading = .waiting(failures: failures, next: min(next, now + policy.grace))
      case .damaged(let next): ledger.records[name]?.reading = .damaged(next: min(next, now + policy.lateRetry))
      case .read, .newer: break
      }
    }
  }

  private func notePresence(
    _ listing: [FileName: Int], _ ledger: inout FileLedger, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    for (name, record) in ledger.records {
      if listing[name] == record.size {
        ledger.records[name]?.missingSince = nil
        if !record.isReported { ledger.records[name]?.replacedAt = nil }
      } else if record.reading != .read {
        // What is not here and was not read is nothing that could be missed.
        if listing[name] == nil { ledger.records[name] = nil }
      } else if record.missingSince == nil {
        ledger.records[name]?.missingSince = now
        if record.replacedAt == nil { ledger.records[name]?.replacedAt = deadline(now, using: &random) }
      }
    }
  }

  /// By chance, so that not all devices replace a file.
  private func deadline(_ now: Int64, using random: inout some RandomNumberGenerator) -> Int64 {
    now + policy.grace + Int64.random(in: 0...2 * policy.grace, using: &random)
  }

  /// Notes since when files are included by others, and forgets those that are gone for that reason.
  private func noteInclusions(_ listing: [FileName: Int], _ ledger: inout FileLedger, now: Int64) {
    let sources = ledger.records.filter { name, record in
      record.reading == .read && !record.includes.isEmpty && listing[name] == record.size
        && isComplete(name, record, listing, ledger)
    }
    for (name, record) in ledger.records {
      let isIncluded = sources.contains { source, its in
        // A compaction does not include its own parts.
        its.includes.contains(name.file) && !isPart(name.file, of: source, its)
      }
      if !isIncluded {
        ledger.records[name]?.includedSince = nil
      } else if listing[name] == nil {
        ledger.records[name] = nil
      } else if record.includedSince == nil {
        ledger.records[name]?.includedSince = now
      }
    }
  }

  private func isPart(_ file: FileID, of name: FileName, _ record: FileLedger.Record) -> Bool {
    file.writer == name.file.writer && file.number <= name.file.number
      && file.number > name.file.number - record.parts
  }

  /// Whether all parts lie there and were read.
  private func isComplete(
    _ name: FileName, _ record: FileLedger.Record, _ listing: [FileName: Int], _ ledger: FileLedger
  ) -> Bool {
    if record.parts == 1 { return true }
    let parts = ledger.records.filter { part, its in
      isPart(part.file, of: name, record) && its.reading == .read && listing[part] == its.size
    }
    return Set(parts.keys.map(\.file)).count == Int(record.parts)
  }

  // MARK: - Reading

  /// The next file to fetch: not yet read, or reported as damaged by a device; the oldest numbers first.
  private func unread(_ listing: [FileName: Int], _ ledger: FileLedger, now: Int64) -> FileName? {
    listing.filter { name, size in
      guard !tried.contains(name), let record = ledger.records[name], size <= sealing.maximumBytes else { return false }
      switch record.reading {
      case .waiting(_, let next), .damaged(let next):
        return next <= now && record.includedSince == nil && !ledger.seen.contains(name.file)
      case .read: return record.isReported && record.replacedAt == nil && record.includedSince == nil
      case .newer: return false
      }
    }.keys.min { ($0.file.number, $0) < ($1.file.number, $1) }
  }

  private func read(
    _ name: FileName, _ bytes: [UInt8]?, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    guard let record = ledger.records[name] else { return }
    let isIntact = bytes.map { name.matches($0) } ?? false
    if record.reading == .read {
      // A report: where it is damaged here too, it is replaced at once, else after some time.
      if isIntact {
        ledger.records[name]?.replacedAt = deadline(now, using: &random)
      } else {
        replace(name, &ledger, &states, now: now)
      }
      return
    }
    guard isIntact, let bytes else { return fail(name, &ledger, now: now) }
    let file: LogFile
    do throws(LogFileError) {
      file = try LogFile(try sealing.open(bytes))
    } catch {
      switch error {
      case .newerFormat: ledger.records[name]?.reading = .newer
      case .damaged: fail(name, &ledger, now: now)
      }
      return
    }
    states.join(file.items)
    ledger.seen.insert(name.file)
    ledger.records[name]?.size = bytes.count
    ledger.records[name]?.reading = .read
    ledger.records[name]?.includes = file.header.includes
    ledger.records[name]?.isCompaction = file.header.isCompaction
    ledger.records[name]?.parts = file.header.parts
    if file.header.parts > name.file.number { ledger.records[name]?.includes = FileSet() }
    ledger.hear(file.header, of: name.file)
    for file in file.header.unread where ledger.seen.contains(file) {
      for name in ledger.records.keys where name.file == file { ledger.records[name]?.isReported = true }
    }
    guard let listing else { return }
    // What a file includes was read with it, once all its parts were.
    for (name, record) in ledger.records
    where record.reading == .read && !record.includes.isEmpty && isComplete(name, record, listing, ledger) {
      ledger.seen.formUnion(record.includes)
    }
    for name in ledger.records.keys where ledger.seen.contains(name.file) { ledger.records[name]?.reading = .read }
    noteInclusions(listing, &ledger, now: now)
  }

  private func fail(_ name: FileName, _ ledger: inout FileLedger, now: Int64) {
    guard case .waiting(let failures, _) = ledger.records[name]?.reading, failures + 1 < policy.attempts else {
      if case .waiting = ledger.records[name]?.reading { ledger.needsReport = true }
      ledger.records[name]?.reading = .damaged(next: now + policy.lateRetry)
      return
    }
    let next = now + policy.firstRetry << Int64(2 * failures)
    ledger.records[name]?.reading = .waiting(failures: failures + 1, next: next)
  }

  // MARK: - Looking after files

  /// Has the items of lost files written again.
  private func check(
    _ listing: [FileName: Int], _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    for (name, record) in ledger.records where record.reading == .read && record.includedSince == nil {
      let isOwn = name.file.writer == ledger.writer
      if let replacedAt = record.replacedAt, replacedAt <= now {
        replace(name, &ledger, &states, now: now)
      } else if isOwn, let missing = record.missingSince, missing + policy.lag <= now {
        replace(name, &ledger, &states, now: now)
      }
    }
  }

  private func replace(
    _ name: FileName, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64
  ) {
    let isOfCompaction = ledger.records.contains { $0.value.isCompaction && isPart(name.file, of: $0.key, $0.value) }
    if name.file.writer == ledger.writer, !isOfCompaction {
      states.dirty(writtenTo: name.file)
      ledger.lost.insert(name.file)
      ledger.needsReport = true
      // The next file includes it; where it lies there again, it is listed anew.
      ledger.records[name] = nil
    } else {
      ledger.needsCompaction = true
      ledger.records[name]?.replacedAt = now + policy.grace
    }
  }

  // MARK: - Writing

  /// The first file that is not known to lie there. Putting it again is harmless: the same bytes, the same name.
  private func staged(_ ledger: FileLedger) -> FileLedger.Staged? { ledger.staged.first }

  /// Stages files with the dirty items. Numbers are taken and items are no longer dirty in the same transaction.
  private func stageChanges(_ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64) {
    let isSilent = policy.heartbeat.map { now - ledger.lastWrite >= $0 || now < ledger.lastWrite } ?? false
    var dirty = states.dirtyKeys[...]
    guard !dirty.isEmpty || ledger.needsReport || isSilent else { return }
    repeat {
      var header = header(ledger, now: now)
      let (keys, items) = Self.chunk(&dirty, states)
      if dirty.isEmpty {
        header.includes = FileSet(upTo: [:], also: ledger.lost)
        ledger.lost = []
        ledger.needsReport = false
      }
      let file = stage(header, items, &ledger, now: now)
      states.note(keys, writtenTo: file)
    } while !dirty.isEmpty
  }

  /// Takes as many items as one file can have.
  private static func chunk(
    _ keys: inout ArraySlice<ItemKey>, _ states: some ItemStates
  ) -> (keys: [ItemKey], items: [StatedItem]) {
    var (taken, items): ([ItemKey], [StatedItem]) = ([], [])
    var size = 0
    while let key = keys.first, let state = states.state(of: key) {
      size += StateLine.canonical(key, state).count
      if !items.isEmpty, size > LogFile.splitBytes || items.count >= LogFile.maximumEntries { break }
      keys.removeFirst()
      taken.append(key)
      items.append(StatedItem(key, state))
    }
    return (taken, items)
  }

  private func header(_ ledger: FileLedger, now: Int64) -> LogHeader {
    var header = LogHeader(
      schema: device.schema, device: device.id, name: device.name, at: min(max(0, now), StateLine.maximumNumber))
    header.reads = ledger.seen
    header.unread = ledger.damaged.map(\.file)
    return header
  }

  private func stage(
    _ header: LogHeader, _ items: [StatedItem], _ ledger: inout FileLedger, now: Int64
  ) -> FileID {
    let file = FileID(ledger.writer, ledger.next)
    let bytes = sealing.seal(LogFile(header, items).bytes)
    let name = FileName(file, of: bytes)
    ledger.next += 1
    ledger.lastWrite = now
    ledger.seen.insert(file)
    ledger.staged.append(.init(name: name, bytes: bytes))
    var record = FileLedger.Record(size: bytes.count, reading: .read)
    (record.includes, record.isCompaction, record.parts) = (header.includes, header.isCompaction, header.parts)
    ledger.records[name] = record
    return file
  }

  // MARK: - Compaction

  private func shouldCompact(_ listing: [FileName: Int], _ ledger: FileLedger, _ states: some ItemStates) -> Bool {
    if ledger.needsUpgrade || !ledger.staged.isEmpty || !states.dirtyKeys.isEmpty { return false }
    if ledger.needsCompaction { return true }
    let compactions = ledger.records.filter { $0.value.isCompaction && $0.value.includedSince == nil }
    let rest = ledger.records.filter { name, record in
      record.includedSince == nil && record.reading == .read && listing[name] != nil
        && !compactions.contains { isPart(name.file, of: $0.key, $0.value) }
    }
    if Double(rest.count) > Double(policy.files) * ledger.patience { return true }
    let compacted = ledger.records.filter { name, _ in
      compactions.contains { isPart(name.file, of: $0.key, $0.value) }
    }.reduce(0) { $0 + $1.value.size }
    let bytes = rest.reduce(0) { $0 + $1.value.size }
    return Double(bytes) > Double(max(2 * compacted, policy.bytes)) * ledger.patience
  }

  /// Stages files with all items. The last one states what they include.
  private func stageCompaction(
    _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    let includes = ledger.seen
    var keys = states.keys[...]
    var parts: Int64 = 0
    repeat {
      var header = header(ledger, now: now)
      let (taken, items) = Self.chunk(&keys, states)
      parts += 1
      if keys.isEmpty { (header.includes, header.isCompaction, header.parts) = (includes, true, parts) }
      let file = stage(header, items, &ledger, now: now)
      states.note(taken, writtenTo: file)
    } while !keys.isEmpty
    ledger.needsCompaction = false
    ledger.patience = Double.random(in: 1...2, using: &random)
  }

  /// A file that was included long enough, seen from here.
  private func removable(_ listing: [FileName: Int], _ ledger: FileLedger, now: Int64) -> FileName? {
    listing.keys.filter { name in
      guard let since = ledger.records[name]?.includedSince else { return false }
      return since + policy.keeping <= now
    }.min()
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
    return !run.hasFailed
  }
}
