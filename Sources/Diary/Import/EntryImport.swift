import Contract
import Exchange
import Kit
import Store
import Wire

extension ItemImport<EntryRecord> {
  /// Adds the next entry, or updates the one that is there.
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    let (snapshot, title) = (transaction.snapshot, EntryText(entry.text).title)
    guard let decision = try entry.decision(in: snapshot) else {
      return try add(entry, title: title, isDryRun: isDryRun, in: transaction)
    }
    if decision.merge.wonByOurs.contains("day") {
      let text = Text("diary.import.keptDay", ["day": entry.day.description])
      counts.notes.append(ImportNote(.keptOwn, at: entry.place, title: title, field: "day", text: text))
    }
    count(decision, at: entry.place, title: title)
    if isDryRun { return }
    let revision = entry.identity.revision
    switch decision.effect {
    case .update, .storeSource: try entry.update(decision, in: transaction)
    case .noteFile: try transaction.noteFile(of: decision, at: revision, from: entry.path)
    case .nothing: break
    }
    if decision.effect != .update { try entry.noteOrigin(of: decision.item, in: transaction) }
    try storeConflicts(
      of: decision, at: revision, from: entry.path ?? entry.origin ?? entry.place.file ?? "", in: transaction
    ) { entry.record(over: decision.item) }
  }

  private mutating func add(
    _ entry: ImportedEntry, title: String, isDryRun: Bool, in transaction: Transaction
  ) throws {
    let neighbour = try entry.neighbour(in: transaction)
    if case .same(let record) = neighbour {
      counts.known += 1
      if !isDryRun { try entry.noteOrigin(of: record, in: transaction) }
      return
    }
    if case .namesake = neighbour {
      counts.notes.append(
        ImportNote(.sameTitle, at: entry.place, title: title, text: Text("diary.import.namesake")))
    }
    try countAdded(entry.id, at: entry.place, title: title, in: transaction.snapshot)
    if !isDryRun { try entry.insert(in: transaction) }
  }
}

extension ImportedEntry {
  fileprivate func insert(in transaction: Transaction) throws {
    var entry = record(over: EntryRecord())
    (entry.id, entry.day, entry.timeZone, entry.writtenAt) = (id, day, timeZone, writtenAt)
    try noteSource(in: &entry, clock: transaction.clock)
    try transaction.insert(entry, found: EntrySearch.entries(of: entry))
  }

  fileprivate func update(_ decision: ImportDecision<EntryRecord>, in transaction: Transaction) throws {
    try transaction.change(decision.item) { entry in
      entry = decision.merge.merged
      try noteSource(in: &entry, isCopy: entry.id != id, after: decision.merge, clock: transaction.clock)
    }
  }

  /// Notes where an entry was imported from. A file of ours names by itself the state that it is of, and takes no entry
  /// away from the external file that it came from; only a copy is matched by nothing else.
  private func noteSource(
    in entry: inout EntryRecord, isCopy: Bool = false, after merge: ItemMerge<EntryRecord>? = nil, clock: Int64
  ) throws {
    if identity.isOwn {
      entry.taken = try MergeBase(
        identity.revision, from: path, at: clock, after: entry.taken, by: merge
      )?.stored
      if !isCopy { return }
    }
    if let origin { (entry.origin, entry.came) = (origin, state.stored) }
  }

  /// Notes that another program's file contains this now. The entry itself does not change by that, and has no new
  /// revision.
  fileprivate func noteOrigin(of entry: EntryRecord, in transaction: Transaction) throws {
    guard let origin, !identity.isOwn || entry.origin == origin, entry.origin != origin || entry.came != state.stored
    else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE diaryEntry SET origin = ?, came = ? WHERE id = ?", [.text(origin), .text(state.stored), .text(entry.id)])
  }

  /// An entry of its moment that is there already, where nothing else tells whether it is the same one: it came without a
  /// path, or its file was moved, or the one that is there came from a copy of the file.
  fileprivate enum Neighbour {
    /// It has come to have the same text, as it was edited before its file was moved; or has it in another form of its
    /// program's.
    case same(EntryRecord)
    /// It has the same title and another text.
    case namesake
  }

  /// What came just now is another entry of the same file. Of a moment with very many entries some are looked at.
  fileprivate func neighbour(in transaction: Transaction) throws -> Neighbour? {
    guard case .content = identity else { return nil }
    var (twin, isNamesake): (String?, Bool) = (nil, false)
    try transaction.db.each(
      "SELECT text, revision, id FROM diaryEntry WHERE writtenAt = ? LIMIT 20", [.integer(writtenAt.milliseconds)]
    ) { row in
      guard row.integer(1) < transaction.clock else { return }
      let other = row.text(0)
      if sameBytes(other, text) || hasLooseTitle && TitleBreak.isAllBetween(other, text) {
        if isFirst { twin = row.text(2) }
      } else if sameBytes(EntryText(other).title, EntryText(text).title) {
        isNamesake = true
      }
    }
    if let twin { return .same(try transaction.snapshot.get(EntryRecord.self, id: twin)) }
    return isNamesake ? .namesake : nil
  }
}
