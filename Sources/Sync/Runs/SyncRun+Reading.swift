/// A fetched file. Its items may be joined in several transactions before the one that notes it as read: after a crash
/// between two of them it is read again, which changes nothing.
package struct OpenedLog: Sendable {
  let size: Int
  /// Nil if the bytes are not those that the name states.
  var file: Result<LogFile, LogFileError>?

  /// The name of the device that wrote it; nil for a file that cannot be read.
  var device: String? { if case .success(let file) = file { file.header.name } else { nil } }

  /// The items that are not joined yet.
  var items: [StatedItem] {
    get { if case .success(let file) = file { file.items } else { [] } }
    set {
      guard case .success(var file) = file else { return }
      file.items = newValue
      self.file = .success(file)
    }
  }
}

/// Reads files, and has the items of lost and damaged ones written again.
extension SyncRun {
  /// The next file to fetch: not yet read, or reported as damaged by a device; the oldest numbers first.
  func unread(_ listing: [FileName: Int], _ ledger: FileLedger, now: Int64) -> FileName? {
    listing.filter { isUnread($0.key, $0.value, ledger, now: now) }.keys.min {
      ($0.file.number, $0) < ($1.file.number, $1)
    }
  }

  /// The files that are fetched next after this one, as far as is known before it is read.
  func unread(after name: FileName, _ ledger: FileLedger, now: Int64) -> [FileName] {
    let others = (listing ?? [:]).filter { $0.key != name && isUnread($0.key, $0.value, ledger, now: now) }.keys
    let next = others.sorted { ($0.file.number, $0) < ($1.file.number, $1) }
    return Array(next.prefix(SyncPolicy.fetches - 1))
  }

  private func isUnread(_ name: FileName, _ size: Int, _ ledger: FileLedger, now: Int64) -> Bool {
    guard !tried.contains(name), let record = ledger.records[name], size <= sealing.maximumBytes else { return false }
    switch record.reading {
    case .waiting(_, let next), .damaged(let next):
      return next <= now && record.includedSince == nil && !ledger.seen.contains(name.file)
    case .read: return record.isReported && record.replacedAt == nil && record.includedSince == nil
    case .newer, .outdated: return false
    }
  }

  /// Checks and reads what was fetched. It needs neither ledger nor states, so no transaction has to wait for it.
  package func open(_ name: FileName, _ bytes: [UInt8]?) -> OpenedLog {
    guard let bytes, name.matches(bytes) else { return OpenedLog(size: 0, file: nil) }
    do throws(LogFileError) {
      return OpenedLog(size: bytes.count, file: .success(try LogFile(try sealing.open(bytes, as: name.file))))
    } catch {
      return OpenedLog(size: bytes.count, file: .failure(error))
    }
  }

  /// Joins the items of a file that are not joined yet, and notes the file as read.
  func read(
    _ name: FileName, _ log: OpenedLog, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    guard let record = ledger.records[name] else { return }
    if record.reading == .read {
      // A report: where it is damaged here too, it is replaced at once, else after some time.
      if log.file != nil {
        ledger.records[name]?.replacedAt = deadline(now, using: &random)
      } else {
        replace(name, &ledger, &states, now: now)
      }
      return
    }
    guard let result = log.file else { return fail(name, &ledger, now: now) }
    let file: LogFile
    do throws(LogFileError) { file = try result.get() } catch {
      switch error {
      case .newerFormat: ledger.records[name]?.reading = .newer
      case .olderKey: ledger.records[name]?.reading = .outdated
      case .damaged: fail(name, &ledger, now: now)
      }
      return
    }
    states.join(file.items)
    ledger.seen.insert(name.file)
    ledger.records[name]?.size = log.size
    ledger.records[name]?.reading = .read
    ledger.records[name]?.includes = file.header.includes
    ledger.records[name]?.isCompaction = file.header.isCompaction
    ledger.records[name]?.parts = file.header.parts
    // The last file of some changes states the digest of all.
    ledger.records[name]?.isContinued = !file.header.isCompaction && file.header.digest == nil
    if file.header.parts > name.file.number { ledger.records[name]?.includes = FileSet() }
    ledger.hear(file.header, of: name.file, at: now)
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
    compare(file.header, of: name.file, &ledger, &states, now: now)
  }

  /// Compares the states with those of a device that had read the same files. If they differ, all items are written anew,
  /// here and there, so that both join the same again.
  private func compare(
    _ header: LogHeader, of file: FileID, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64
  ) {
    guard let theirs = header.digest, ledger.staged.isEmpty else { return }
    var files = header.reads
    files.insert(file)
    guard header.seen.map({ $0 == ledger.seen.digest }) ?? (files == ledger.seen), !states.hasDirty else { return }
    if theirs == states.digest() {
      ledger.divergedAt = nil
    } else if ledger.divergedAt.map({ now - $0 >= policy.grace || now < $0 }) ?? true {
      // Once in a while only: what a fault of ours makes differ would else be written again and again.
      ledger.divergedAt = now
      ledger.needsCompaction = true
    }
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

  // MARK: - Lost and damaged files

  /// Has the items of lost files written again.
  func check(
    _ listing: [FileName: Int], _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    for (name, record) in ledger.records where record.reading == .read && record.includedSince == nil {
      let isOwn = name.file.writer == ledger.writer
      if let replacedAt = record.replacedAt, replacedAt <= now {
        replace(name, &ledger, &states, now: now)
      } else if isOwn, let missing = record.missingSince,
        missing + policy.lag <= now || missing < now && isCutOff(name, record, listing)
      {
        replace(name, &ledger, &states, now: now)
      }
    }
  }

  /// Whether another file lies there under the name, such as the first part of one: no listing lags so. A place that
  /// states a wrong size of what replaces a file, too, states one of every file.
  private func isCutOff(_ name: FileName, _ record: FileLedger.Record, _ listing: [FileName: Int]) -> Bool {
    listing[name] != nil && record.includes.isEmpty
  }

  private func replace(
    _ name: FileName, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64
  ) {
    let isOfCompaction = ledger.records.contains { $0.value.isCompaction && isPart(name.file, of: $0.key, $0.value) }
    if name.file.writer == ledger.writer, !isOfCompaction {
      // A compaction without one of its parts would never count.
      if let compaction = ledger.compaction, name.file.number >= compaction.first {
        (ledger.compaction, ledger.needsCompaction) = (nil, true)
      }
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
}
