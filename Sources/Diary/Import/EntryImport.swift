import Contract
import Exchange
import Kit
import SQLite
import Store
import Wire

extension ItemImport<EntryRecord> {
  /// Adds the next entry, or updates an existing one.
  mutating func take(_ entry: ImportedEntry, isDryRun: Bool, in transaction: Transaction) throws {
    index += 1
    if try entry.isSurelyNew(in: transaction) {
      counts.added += 1
      if !isDryRun { try entry.insert(in: transaction) }
      return
    }
    let (snapshot, title) = (transaction.snapshot, TitledText(entry.text).title)
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
  private static let anythingKnown = CachedStatement(
    """
    SELECT EXISTS (SELECT 1 FROM diaryEntry WHERE id = ?1) OR EXISTS (SELECT 1 FROM diaryEntry WHERE origin = ?2)
      OR EXISTS (SELECT 1 FROM diaryEntry WHERE writtenAt = ?3 AND revision < ?4)
      OR EXISTS (SELECT 1 FROM changes WHERE collection = ?5 AND id = ?1)
    """)

  /// Whether nothing in the library or its log can be this entry, or near it: most entries of a file, for which one
  /// statement takes the place of those of `decision`, `neighbour` and `countAdded`.
  fileprivate func isSurelyNew(in transaction: Transaction) throws -> Bool {
    try transaction.db.first(
      Self.anythingKnown,
      {
        $0.add(id)
        $0.add(origin)
        $0.add(writtenAt.milliseconds)
        $0.add(transaction.clock)
        $0.add(EntryRecord.collectionName)
      }, { $0.integer(0) == 0 }) ?? false
  }

  fileprivate func insert(in transaction: Transaction) throws {
    var entry = record(over: EntryRecord())
    (entry.id, entry.day, entry.timeZone, entry.writtenAt) = (id, day, timeZone, writtenAt)
    entry.details.journal = try Journals.name(entry.details.journal, in: transaction.db)
    try noteSource(in: &entry, clock: transaction.clock)
    try transaction.insert(entry, found: EntrySearch.entries(of: entry))
  }

  fileprivate func update(_ decision: ImportDecision<EntryRecord>, in transaction: Transaction) throws {
    var merged = decision.merge.merged
    if !sameBytes(merged.details.journal, decision.item.details.journal) {
      merged.details.journal = try Journals.name(merged.details.journal, in: transaction.db)
    }
    try transaction.change(decision.item) { entry in
      entry = merged
      try noteSource(in: &entry, isCopy: entry.id != id, after: decision.merge, clock: transaction.clock)
    }
  }

  /// Stores where an entry was imported from. A file of ours states its revision itself, and does not detach the entry
  /// from the external file of its import; only a copy has no other match.
  private func noteSource(
    in entry: inout EntryRecord, isCopy: Bool = false, after merge: ItemMerge<EntryRecord>? = nil, clock: Int64
  ) throws {
    if let dayOne { entry.dayOne = dayOne }
    if identity.isOwn {
      entry.mergeBase = try MergeBase(
        identity.revision, from: path, at: clock, after: entry.mergeBase, by: merge
      )?.stored
      if !isCopy { return }
    }
    if let origin { (entry.origin, entry.importedState) = (origin, state.stored) }
  }

  /// Stores the current state of another program's file. The entry itself does not change by that, and gets no new
  /// revision.
  fileprivate func noteOrigin(of entry: EntryRecord, in transaction: Transaction) throws {
    guard let origin, !identity.isOwn || entry.origin == origin,
      entry.origin != origin || entry.importedState != state.stored || dayOne != nil && entry.dayOne != dayOne
    else { return }
    // It was exported with another uuid than the one of its origin, which still names it.
    if identity.isKnown, entry.origin != nil, entry.origin != origin { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE diaryEntry SET origin = ?, came = ?, dayOne = coalesce(?, dayOne) WHERE id = ?",
      [.text(origin), .text(state.stored), dayOne.map(SQLValue.text) ?? .null, .text(entry.id)])
  }

  /// An existing entry of the same time that may be the same one: it was imported without a path, its file was moved,
  /// or the existing entry was imported from a copy of the file.
  fileprivate enum Neighbour {
    /// It has the same text, for example after an edit before its file was moved; or the same text in another format of
    /// its program.
    case same(EntryRecord)
    /// It has the same title and another text.
    case namesake
  }

  /// Skips entries of this import, which are other entries of the same file. Checks at most 20 entries of one time.
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
      } else if sameBytes(TitledText(other).title, TitledText(text).title) {
        isNamesake = true
      }
    }
    if let twin { return .same(try transaction.snapshot.get(EntryRecord.self, id: twin)) }
    return isNamesake ? .namesake : nil
  }
}
