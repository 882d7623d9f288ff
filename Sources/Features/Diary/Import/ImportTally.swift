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
  ///     another text, a file of ours     it changes the entry if its revision is still current, else both are kept
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
    } else if try transaction.snapshot.find(EntryRecord.self, id: entry.contentID) != nil {
      counts.known += 1
    } else {
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: entry.place, title: EntryText(entry.text).title))
      if !isDryRun { try entry.insert(as: entry.contentID, in: transaction) }
    }
  }
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
