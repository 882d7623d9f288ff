/// Compares a listing of the store with the ledger.
extension SyncRun {
  /// A store may state any size. No file of ours has so many bytes, and sums of many such sizes do not overflow.
  private static var greatestSize: Int { 1 << 40 }

  mutating func list(
    _ files: [(name: String, size: Int)], _ ledger: inout FileLedger, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    var listing: [FileName: Int] = [:]
    // Names of other programs are ignored.
    for (text, size) in files { if let name = FileName(text) { listing[name] = min(size, Self.greatestSize) } }
    let staged = Set(ledger.staged.map(\.name))
    let isReused = listing.keys.contains { name in
      name.file.writer == ledger.writer && ledger.records[name] == nil && !staged.contains(name)
        && (name.file.number >= ledger.next || ledger.records.keys.contains { $0.file == name.file })
    }
    if isReused { ledger.renewWriter(using: &random) }
    if ledger.formats < policy.formats {
      for (name, record) in ledger.records where record.reading == .newer {
        ledger.records[name]?.reading = .waiting(failures: 0, next: 0)
      }
    }
    ledger.formats = policy.formats
    add(listing, to: &ledger)
    for (name, size) in listing {
      if let record = ledger.records[name], record.size != size {
        switch record.reading {
        // It was half there.
        case .waiting, .damaged:
          ledger.records[name] = .init(size: size, reading: .waiting(failures: 0, next: 0))
        case .read, .newer, .outdated: break
        }
      }
    }
    self.listing = listing
    noteClock(&ledger, now: now)
    notePresence(listing, &ledger, now: now, using: &random)
    noteInclusions(listing, &ledger, now: now)
  }

  /// Adds what was not listed before. A place can invent any number of names: of those that are not read yet, only so
  /// many are remembered, and of one file that was read only one name.
  private func add(_ listing: [FileName: Int], to ledger: inout FileLedger) {
    let new = listing.keys.filter { ledger.records[$0] == nil }
    if new.isEmpty { return }
    var known = Set(ledger.records.keys.map(\.file))
    var room = policy.unread - ledger.records.values.count { $0.reading != .read }
    func isOfStranger(_ name: FileName) -> Bool { ledger.peers[name.file.writer] == nil }
    let order = new.sorted { one, other in
      if isOfStranger(one) != isOfStranger(other) { return isOfStranger(other) }
      return (one.file.number, one) < (other.file.number, other)
    }
    for name in order {
      let isRead = ledger.seen.contains(name.file)
      guard isRead ? known.insert(name.file).inserted : room > 0 else { continue }
      if !isRead { room -= 1 }
      ledger.records[name] = .init(size: listing[name] ?? 0, reading: isRead ? .read : .waiting(failures: 0, next: 0))
    }
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
      case .read, .newer, .outdated: break
      }
    }
  }

  private func notePresence(
    _ listing: [FileName: Int], _ ledger: inout FileLedger, now: Int64,
    using random: inout some RandomNumberGenerator
  ) {
    var missing: [FileName] = []
    for (name, record) in ledger.records {
      if listing[name] == record.size {
        ledger.records[name]?.missingSince = nil
        if !record.isReported { ledger.records[name]?.replacedAt = nil }
      } else if record.reading != .read {
        // What is not here and was not read is nothing that could be missed.
        if listing[name] == nil { ledger.records[name] = nil }
      } else if record.missingSince == nil {
        ledger.records[name]?.missingSince = now
        if record.replacedAt == nil { missing.append(name) }
      }
    }
    // In one order, so that chance decides the same when a simulation is repeated.
    for name in missing.sorted() { ledger.records[name]?.replacedAt = deadline(now, using: &random) }
  }

  /// By chance, so that not all devices replace a file.
  func deadline(_ now: Int64, using random: inout some RandomNumberGenerator) -> Int64 {
    now + policy.grace + Int64.random(in: 0...2 * policy.grace, using: &random)
  }

  /// Notes since when files are included by others, and forgets those that are gone for that reason.
  func noteInclusions(_ listing: [FileName: Int], _ ledger: inout FileLedger, now: Int64) {
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

  func isPart(_ file: FileID, of name: FileName, _ record: FileLedger.Record) -> Bool {
    file.writer == name.file.writer && file.number <= name.file.number
      && file.number > name.file.number - record.parts
  }

  /// Whether all parts lie there and were read.
  func isComplete(
    _ name: FileName, _ record: FileLedger.Record, _ listing: [FileName: Int], _ ledger: FileLedger
  ) -> Bool {
    if record.parts == 1 { return true }
    let parts = ledger.records.filter { part, its in
      isPart(part.file, of: name, record) && its.reading == .read && listing[part] == its.size
    }
    return Set(parts.keys.map(\.file)).count == Int(record.parts)
  }
}
