/// Stages files with changed items, compacts many files into one, and removes those.
extension SyncRun {
  /// The first file that is not known to lie there. Putting it again is harmless: the same bytes, the same name.
  func staged(_ ledger: FileLedger) -> FileLedger.Staged? { ledger.staged.first }

  /// Stages files with the dirty items. Numbers are taken and items are no longer dirty in the same transaction.
  func stageChanges(_ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64) {
    let isSilent = policy.heartbeat.map { now - ledger.lastWrite >= $0 || now < ledger.lastWrite } ?? false
    var dirty = states.dirtyKeys[...]
    guard !dirty.isEmpty || ledger.needsReport || isSilent else { return }
    repeat {
      var header = header(ledger, now: now)
      let (keys, items) = Self.chunk(&dirty, states)
      if dirty.isEmpty {
        header.includes = FileSet(upTo: [:], also: ledger.lost)
        header.digest = states.digest()
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

  /// The most damaged files that a header names.
  private static let maximumUnread = 1_000

  private func header(_ ledger: FileLedger, now: Int64) -> LogHeader {
    var header = LogHeader(
      schema: device.schema, device: device.id, name: device.name, at: min(max(0, now), StateLine.maximumNumber))
    header.reads = ledger.seen
    // Once each, and not all that a hostile place invents: a header that repeats one, or names too many, is refused.
    let damaged = Set(ledger.damaged.map(\.file)).sorted()
    let known = damaged.filter { ledger.peers[$0.writer] != nil }
    header.unread = Array((known + damaged.filter { ledger.peers[$0.writer] == nil }).prefix(Self.maximumUnread))
    return header
  }

  private func stage(
    _ header: LogHeader, _ items: [StatedItem], _ ledger: inout FileLedger, now: Int64
  ) -> FileID {
    let file = FileID(ledger.writer, ledger.next)
    let bytes = sealing.seal(LogFile(header, items).bytes, as: file)
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

  func shouldCompact(_ listing: [FileName: Int], _ ledger: FileLedger, _ states: some ItemStates) -> Bool {
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
  func stageCompaction(
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
      if keys.isEmpty {
        (header.includes, header.isCompaction, header.parts) = (includes, true, parts)
        header.digest = states.digest()
      }
      let file = stage(header, items, &ledger, now: now)
      states.note(taken, writtenTo: file)
    } while !keys.isEmpty
    ledger.needsCompaction = false
    ledger.patience = Double.random(in: 1...2, using: &random)
  }

  /// A file that was included long enough, seen from here.
  func removable(_ listing: [FileName: Int], _ ledger: FileLedger, now: Int64) -> FileName? {
    listing.keys.filter { name in
      guard let since = ledger.records[name]?.includedSince else { return false }
      return since + policy.keeping <= now
    }.min()
  }
}
