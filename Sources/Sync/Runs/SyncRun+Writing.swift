/// Plans and stages files with changed items, compacts many files into one, and removes those.
extension SyncRun {
  /// The first file that is not known to lie there. Putting it again is harmless: the same bytes, the same name.
  func staged(_ ledger: FileLedger) -> FileLedger.Staged? { ledger.staged.first }

  /// Whether others would not see that this device is alive.
  func isSilent(_ ledger: FileLedger, now: Int64) -> Bool {
    policy.heartbeat.map { now - ledger.lastWrite >= $0 || now < ledger.lastWrite } ?? false
  }

  /// Whether changes wait, since so many files were written today and one only just.
  func isGathering(_ ledger: FileLedger, now: Int64) -> Bool {
    policy.gathering > 0 && ledger.day.files >= policy.busy && now - ledger.day.began < SyncPolicy.day
      && (0..<policy.gathering).contains(now - ledger.lastWrite)
  }

  /// Plans the next file with dirty items, or the next part of a compaction.
  package func plan(
    _ kind: FilePlan.Kind, _ ledger: FileLedger, _ states: inout some ItemStates, now: Int64
  ) -> FilePlan {
    var plan = FilePlan(kind, FileID(ledger.writer, ledger.next), header(ledger, now: now))
    let compaction = kind == .compaction ? ledger.compaction : nil
    let lines = take(&plan, after: compaction?.last, states)
    switch kind {
    case .changes:
      guard lines.count > 0 || ledger.needsReport || isSilent(ledger, now: now) else { return plan }
      if plan.isLast, plan.oversized.isEmpty {
        plan.header.includes = FileSet(upTo: [:], also: ledger.lost)
        plan.header.digest = states.digest()
      }
    case .compaction:
      guard let compaction, plan.oversized.isEmpty else { return plan }
      if compaction.last == nil {
        plan.digest = states.hasDirty ? nil : states.digest()
      } else if let digest = compaction.digest {
        plan.digest = digest == states.digest() ? digest : nil
      }
      if plan.isLast {
        (plan.header.includes, plan.header.isCompaction) = (compaction.includes, true)
        plan.header.parts = ledger.next - compaction.first + 1
        plan.header.digest = plan.digest
      }
    }
    plan.bytes = sealing.seal(lines.file(after: plan.header), as: plan.file)
    return plan
  }

  /// Takes the number of a planned file, which is put from now on. Its items have to be noted after it.
  package mutating func stage(
    _ plan: FilePlan, _ ledger: inout FileLedger, _ states: inout some ItemStates, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    guard let bytes = plan.bytes else {
      switch plan.kind {
      case .changes: isWritten = true
      case .compaction:
        states.dirty(plan.oversized)
        ledger.compaction = nil
      }
      return
    }
    let name = FileName(plan.file, of: bytes)
    ledger.next += 1
    ledger.lastWrite = now
    ledger.seen.insert(plan.file)
    ledger.staged.append(.init(name: name, bytes: bytes))
    var record = FileLedger.Record(size: bytes.count, reading: .read)
    record.includes = plan.header.includes
    record.isContinued = plan.kind == .changes && !plan.isLast
    (record.isCompaction, record.parts) = (plan.header.isCompaction, plan.header.parts)
    ledger.records[name] = record
    switch plan.kind {
    case .changes:
      if !plan.keys.isEmpty { ledger.day.count(at: now) }
      guard plan.isLast else { return }
      isWritten = true
      if plan.oversized.isEmpty { ledger.lost = [] }
      ledger.needsReport = false
    case .compaction:
      guard !plan.isLast else {
        isCompacted = true
        (ledger.compaction, ledger.needsCompaction, ledger.forgottenAt) = (nil, false, nil)
        ledger.patience = Double.random(in: 1...2, using: &random)
        return
      }
      ledger.compaction?.last = plan.keys.last
      ledger.compaction?.digest = plan.digest
    }
  }

  /// How many items are listed at a time: of a file's items only the bytes are held.
  private static let page = 500

  /// Takes as many items as one file can have, and sets those aside that fit into none.
  private func take(_ plan: inout FilePlan, after last: ItemKey?, _ states: some ItemStates) -> LogLines {
    let limit = LogFile.maximumItemBytes(beside: plan.header)
    var lines = LogLines()
    var (size, last) = (0, last)
    while true {
      let keys =
        plan.kind == .changes
        ? states.dirtyKeys(after: last, limit: Self.page) : states.keys(after: last, limit: Self.page)
      for key in keys {
        // Without a state it could not be read: then all of this is given up.
        if let state = states.state(of: key) {
          let bytes = StateLine.canonical(key, state).count
          if bytes > limit {
            plan.oversized.append(key)
          } else {
            size += bytes
            if lines.count > 0, size > policy.fileBytes || lines.count >= LogFile.maximumEntries { return lines }
            lines.add(key, state)
            plan.keys.append(key)
          }
        }
        last = key
      }
      if keys.count < Self.page {
        plan.isLast = true
        return lines
      }
    }
  }

  /// The most damaged files that a header names.
  private static let maximumUnread = 1_000

  private func header(_ ledger: FileLedger, now: Int64) -> LogHeader {
    var header = LogHeader(
      schema: device.schema, device: device.id, name: device.name, at: min(max(0, now), StateLine.maximumNumber))
    header.reads = ledger.reads
    var seen = ledger.seen
    seen.insert(FileID(ledger.writer, ledger.next))
    header.seen = seen.digest
    // Once each, and not all that a hostile place invents: a header that repeats one, or names too many, is refused.
    let damaged = Set(ledger.damaged.map(\.file)).sorted()
    let known = damaged.filter { ledger.peers[$0.writer] != nil }
    header.unread = Array((known + damaged.filter { ledger.peers[$0.writer] == nil }).prefix(Self.maximumUnread))
    return header
  }

  // MARK: - Compaction

  func shouldCompact(
    _ listing: [FileName: Int], _ ledger: FileLedger, _ states: some ItemStates, now: Int64
  ) -> Bool {
    if ledger.needsUpgrade || !ledger.staged.isEmpty || states.hasDirty { return false }
    if ledger.needsCompaction { return true }
    // Gathered: each compaction has the whole library.
    if let time = ledger.forgottenAt, time + policy.forgetting <= now || time > now { return true }
    let compactions = ledger.records.filter { $0.value.isCompaction && $0.value.includedSince == nil }
    let rest = ledger.records.filter { name, record in
      record.includedSince == nil && record.reading == .read && listing[name] != nil
        && !compactions.contains { isPart(name.file, of: $0.key, $0.value) }
    }
    let compacted = ledger.records.filter { name, _ in
      compactions.contains { isPart(name.file, of: $0.key, $0.value) }
    }.reduce(0) { $0 + $1.value.size }
    let whole = max(compacted, Self.largestSeries(of: rest))
    let files = max(policy.files, min(SyncPolicy.mostFiles, whole / policy.bytesOfFile))
    if Double(rest.count) > Double(files) * ledger.patience { return true }
    let bytes = rest.reduce(0) { $0 + $1.value.size }
    return Double(bytes) > Double(max(2 * whole, policy.bytes)) * ledger.patience
  }

  /// The bytes of the most changes that were written at a time: none of their items is there twice. So a first sync, or
  /// an import, counts as a compaction, which would only have all of it once more.
  private static func largestSeries(of records: [FileName: FileLedger.Record]) -> Int {
    var (largest, bytes, next): (Int, Int, FileID?) = (0, 0, nil)
    for (name, record) in records.sorted(by: { $0.key.file < $1.key.file }) {
      bytes = (next == name.file ? bytes : 0) + record.size
      largest = max(largest, bytes)
      next = record.isContinued ? FileID(name.file.writer, name.file.number + 1) : nil
    }
    return largest
  }

  /// Whether the parts so far lie there, and no other device has included them: it removes what it includes.
  func hasAllParts(of compaction: FileLedger.Compaction, _ listing: [FileName: Int], _ ledger: FileLedger) -> Bool {
    let parts = ledger.records.filter { name, record in
      name.file.writer == ledger.writer && name.file.number >= compaction.first && record.includedSince == nil
        && record.reading == .read && listing[name] == record.size
    }
    return Set(parts.keys.map(\.file)).count == Int(ledger.next - compaction.first)
  }

  /// A file that was included long enough, seen from here.
  func removable(_ listing: [FileName: Int], _ ledger: FileLedger, now: Int64) -> FileName? {
    listing.keys.filter { name in
      guard let since = ledger.records[name]?.includedSince else { return false }
      return since + policy.keeping <= now
    }.min()
  }
}
