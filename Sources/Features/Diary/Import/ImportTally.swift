import Contract
import Store
import Wire

/// How far an import has come, and what became of the entries until there.
struct ImportTally: Sendable {
  var index = 0
  var counts = ImportCounts()

  /// Puts the next entry in, or what was edited in it; see ``EntryFate``.
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    switch try entry.fate(in: transaction.snapshot) {
    case .add:
      counts.added += 1
      if try entry.hasNamesake(in: transaction) {
        counts.notes.append(
          ImportNote(
            .sameTitle, at: entry.place, title: EntryText(entry.text).title, text: Text("diary.import.namesake")))
      }
      if !isDryRun { try entry.insert(as: entry.id, in: transaction) }
    case .keepBoth(let id):
      counts.added += 1
      counts.notes.append(ImportNote(.conflict, at: entry.place, title: EntryText(entry.text).title))
      if !isDryRun { try entry.insert(as: id, in: transaction) }
    case .known(let record):
      counts.known += 1
      try noteDay(of: entry, nil, record, in: transaction)
      if !isDryRun { try entry.remember(for: record, in: transaction) }
    case .follow(let record, let text, let day):
      counts.updated += 1
      try noteDay(of: entry, day, record, in: transaction)
      guard !isDryRun else { return }
      try transaction.change(record) { record in
        if let text { record.text = text }
        if let day { record.day = day }
        guard let origin = entry.origin, entry.mayBecomeOrigin(of: record) else { return }
        (record.origin, record.came) = (origin, entry.state.stored)
      }
    }
  }

  private mutating func noteDay(
    of entry: ImportedEntry, _ taken: CalendarDay?, _ record: EntryRecord, in transaction: Transaction
  ) throws {
    guard try entry.keepsOut(taken, of: record, in: transaction.snapshot) else { return }
    counts.notes.append(
      ImportNote(
        .keptOwn, at: entry.place, title: EntryText(entry.text).title, field: "day",
        text: Text("diary.import.keptDay", ["day": entry.day.description])))
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
    if let origin { (record.origin, record.came) = (origin, state.stored) }
    try transaction.insert(record, found: EntrySearch.entries(of: record))
  }

  /// Whether an entry of its moment and its title says something else, where nothing tells whether it is the same one: it
  /// came without a path, or its file was moved and edited, or the one that is there came from a copy of the file too. What
  /// came just now is another entry of the same file. Of a moment with very many entries some are looked at.
  fileprivate func hasNamesake(in transaction: Transaction) throws -> Bool {
    guard case .content = identity else { return false }
    var isFound = false
    try transaction.db.each(
      "SELECT text, revision FROM diaryEntry WHERE writtenAt = ? LIMIT 20", [.integer(writtenAt.milliseconds)]
    ) { row in
      guard row.integer(1) < transaction.clock else { return }
      let other = row.text(0)
      if !sameBytes(other, text), sameBytes(EntryText(other).title, EntryText(text).title) { isFound = true }
    }
    return isFound
  }

  /// A file of ours tells by itself what it is of, and takes no entry away from the file that it came from.
  fileprivate func mayBecomeOrigin(of record: EntryRecord) -> Bool {
    !identity.isOwn || record.origin == nil || record.origin == origin
  }

  /// Notes that the file says this now. The entry itself does not change by that, and has no new revision.
  fileprivate func remember(for record: EntryRecord, in transaction: Transaction) throws {
    guard let origin, !identity.isOwn || record.origin == origin, isBehind(record) else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE diaryEntry SET origin = ?, came = ? WHERE id = ?",
      [.text(origin), .text(state.stored), .text(record.id)])
  }

  /// Whether what is known of the file is not what it says. Of an entry that was edited here, what it came from says the
  /// same as ever.
  private func isBehind(_ record: EntryRecord) -> Bool {
    record.origin != origin || record.came != state.stored
  }
}
