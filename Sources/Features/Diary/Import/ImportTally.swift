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
  ///     the same text is there           nothing
  ///     another text, a file of ours     it changes the entry if its revision is still current; nothing if the entry
  ///                                      had this text then; else both are kept
  ///     another text, a foreign file     nothing: what came from it before was changed here since
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    guard let record = try transaction.snapshot.find(EntryRecord.self, id: entry.id) else {
      counts.added += 1
      if !isDryRun { try entry.insert(as: entry.id, in: transaction) }
      return
    }
    guard case .own(_, let revision) = entry.identity, !sameBytes(record.text, entry.text) else {
      counts.known += 1
      return
    }
    if revision == record.revision {
      counts.updated += 1
      if !isDryRun {
        try transaction.change(record) { record in
          record.text = entry.text
          record.day = entry.day
        }
      }
    } else if try had(record, entry.text, at: revision, in: transaction.snapshot)
      || transaction.snapshot.find(EntryRecord.self, id: entry.contentID) != nil
    {
      counts.known += 1
    } else {
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: entry.place, title: EntryText(entry.text).title))
      if !isDryRun { try entry.insert(as: entry.contentID, in: transaction) }
    }
  }

  /// Whether the entry had this text at some revision: then nobody has edited the file since it was written.
  private func had(_ record: EntryRecord, _ text: String, at revision: Int64?, in snapshot: Snapshot) throws -> Bool {
    guard let revision else { return false }
    var state = record.text
    var texts: [(clock: Int64, text: String)] = []
    let versions = try ItemVersion.history(
      of: EntryRecord.collectionName, id: record.id, before: nil, limit: Self.historyLimit, in: snapshot)
    for version in versions {
      texts.append((version.clock, state))
      guard version.kind == .updated, let before = version.before else { break }
      state = before["text"]?.stringValue ?? state
    }
    // In another library the numbers of the file mean nothing. There it is enough that the entry came with this text, or,
    // where it never had such a revision, that it ever had the text.
    let then = texts.filter { $0.clock == revision }
    return (then.isEmpty ? texts : then + texts.suffix(1)).contains { sameBytes($0.text, text) }
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
    try transaction.insert(record)
  }
}
