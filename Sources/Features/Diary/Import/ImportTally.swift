import Contract
import Display
import Store
import Wire

/// How far an import has come, and what became of the entries until there.
struct ImportTally: Sendable {
  var index = 0
  var counts = ImportCounts()

  /// Puts the next entry in, unless it is there.
  ///
  ///     no such entry                    it comes
  ///     the same text is there           nothing; but the day, where it was edited in the file alone, is followed
  ///     another text, a file of ours     as `FileRevision` says: the entry follows, nothing, or both are kept
  ///     another text, a foreign file     nothing: what came from it before was changed here since
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    guard let record = try transaction.snapshot.find(EntryRecord.self, id: entry.id) else {
      counts.added += 1
      if !isDryRun { try entry.insert(as: entry.id, in: transaction) }
      return
    }
    guard case .own(_, let revision) = entry.identity else {
      counts.known += 1
      return
    }
    if sameBytes(record.text, entry.text) {
      let epoch = transaction.services.library.identity.epoch
      let isCurrent = revision == FileRevision(number: record.revision, epoch: epoch)
      guard isCurrent, entry.saysDay, entry.day != record.day else {
        counts.known += 1
        return
      }
      counts.updated += 1
      if !isDryRun { try transaction.change(record) { $0.day = entry.day } }
      return
    }
    switch try verdict(on: record, entry.text, at: revision, in: transaction.snapshot) {
    case .follow:
      counts.updated += 1
      if !isDryRun {
        try transaction.change(record) { record in
          record.text = entry.text
          if entry.saysDay { record.day = entry.day }
        }
      }
    case .known: counts.known += 1
    case .keepBoth where try transaction.snapshot.find(EntryRecord.self, id: entry.contentID) != nil: counts.known += 1
    case .keepBoth:
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: entry.place, title: EntryText(entry.text).title))
      if !isDryRun { try entry.insert(as: entry.contentID, in: transaction) }
    }
  }

  private func verdict(
    on record: EntryRecord, _ text: String, at revision: FileRevision?, in snapshot: Snapshot
  ) throws -> FileRevision.Verdict {
    guard let revision else { return .keepBoth }
    return try revision.verdict(
      onItemAt: record.revision, in: snapshot.services.library.identity.epoch,
      states: { try Self.texts(of: record, in: snapshot) }, says: { sameBytes($0, text) })
  }

  /// What the entry said, the newest first.
  private static func texts(of record: EntryRecord, in snapshot: Snapshot) throws -> [(clock: Int64, state: String)] {
    var state = record.text
    var texts: [(clock: Int64, state: String)] = []
    let versions = try ItemVersion.history(
      of: EntryRecord.collectionName, id: record.id, before: nil, limit: historyLimit, in: snapshot)
    for version in versions {
      texts.append((version.clock, state))
      guard version.kind == .updated, let before = version.before else { break }
      state = before["text"]?.stringValue ?? state
    }
    return texts
  }

  /// Farther back nobody's file is compared.
  private static let historyLimit = 1_000
}

extension ImportedEntry {
  fileprivate func insert(as id: String, in transaction: Transaction) throws {
    var record = EntryRecord()
    record.id = id
    record.text = text
    record.day = day
    record.timeZone = timeZone
    record.writtenAt = writtenAt
    try transaction.insert(record, found: EntrySearch.entries(of: record))
  }
}
