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
      let neighbour = try entry.neighbour(in: transaction)
      if case .same(let record) = neighbour {
        counts.known += 1
        if !isDryRun { try entry.remember(EntryEdit(record: record), in: transaction) }
        return
      }
      counts.added += 1
      if case .namesake = neighbour {
        counts.notes.append(
          ImportNote(
            .sameTitle, at: entry.place, title: EntryText(entry.text).title, text: Text("diary.import.namesake")))
      }
      try noteReturn(of: entry.id, entry, in: transaction.snapshot)
      if !isDryRun { try entry.insert(as: entry.id, in: transaction) }
    case .edit(let edit):
      if edit.isNothing { counts.known += 1 } else { counts.updated += 1 }
      if edit.keepsOwnDay {
        counts.notes.append(
          ImportNote(
            .keptOwn, at: entry.place, title: EntryText(entry.text).title, field: "day",
            text: Text("diary.import.keptDay", ["day": entry.day.description])))
      }
      if edit.isInConflict {
        counts.conflicts += 1
        counts.notes.append(.conflict(in: ["text"], at: entry.place, title: EntryText(entry.text).title))
      }
      if isDryRun { return }
      try edit.isNothing ? entry.remember(edit, in: transaction) : entry.take(edit, in: transaction)
      try entry.keepConflict(edit, in: transaction)
    }
  }
}

extension ImportTally {
  /// Tells of an entry that comes that it was removed here.
  private mutating func noteReturn(of id: String, _ entry: ImportedEntry, in snapshot: Snapshot) throws {
    guard let removed = try RemovedItem(EntryRecord.self, id: id, in: snapshot) else { return }
    counts.notes.append(
      removed.note(at: entry.place, title: EntryText(entry.text).title, zone: snapshot.reader.zone))
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
    try note(in: &record, clock: transaction.clock)
    try transaction.insert(record, found: EntrySearch.entries(of: record))
  }

  fileprivate func take(_ edit: EntryEdit, in transaction: Transaction) throws {
    try transaction.change(edit.record) { record in
      if let text = edit.text { record.text = text }
      if let day = edit.day { record.day = day }
      try note(in: &record, isCopy: record.id != id, isDisputed: edit.isInConflict, clock: transaction.clock)
    }
  }

  /// Keeps the file's text beside that of its entry, where both stand.
  fileprivate func keepConflict(_ edit: EntryEdit, in transaction: Transaction) throws {
    // What was written here just now is nobody's word on what two versions stand of.
    if case .own(_, let revision?) = identity, edit.isNothing, !edit.isInConflict,
      revision.isPresent(of: edit.record, in: transaction.snapshot)
    {
      return
    }
    var theirs = edit.record
    theirs.text = text
    try transaction.keepConflicts(
      in: edit.isInConflict ? ["text"] : [], of: theirs, from: path ?? origin ?? place.file ?? "")
  }

  /// Notes where the record was taken from. A file of ours tells by itself what it is of, and takes no entry away from the
  /// foreign file that it came from; only a copy has nothing else by which it is found again.
  private func note(
    in record: inout EntryRecord, isCopy: Bool = false, isDisputed: Bool = false, clock: Int64
  ) throws {
    if case .own(_, let revision) = identity {
      record.taken = try TakenFile(
        revision, from: path, at: clock, said: said(besides: record), after: record.taken, isDisputed: isDisputed
      )?.stored
      if !isCopy { return }
    }
    if let origin { (record.origin, record.came) = (origin, state.stored) }
  }

  /// Who is there already of its moment, where nothing else tells whether it is the same one: it came without a path, or
  /// its file was moved, or the one that is there came from a copy of the file too.
  fileprivate enum Neighbour {
    /// It has come to say the same, as it was edited before its file was moved; or says the same in another form of its
    /// program's.
    case same(EntryRecord)
    /// It has the same title, and says something else.
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

  /// What the file says else than its entry does.
  private func said(besides record: EntryRecord) -> JSONObject {
    var said: JSONObject = [:]
    if !sameBytes(record.text, text) { said["text"] = .string(text) }
    if saysDay, record.day != day { said["day"] = .string(day.description) }
    return said
  }

  /// Notes that the file says this now. The entry itself does not change by that, and has no new revision. Of an entry
  /// that was edited here, what it came from says the same as ever.
  fileprivate func remember(_ edit: EntryEdit, in transaction: Transaction) throws {
    let record = edit.record
    if case .own(_, let revision) = identity, edit.isLevel,
      let taken = try TakenFile(
        revision, from: path, at: record.revision, said: said(besides: record), after: record.taken,
        isLevel: !edit.isInConflict, isDisputed: edit.isInConflict),
      try taken.isNews(after: record.taken, in: transaction.snapshot)
    {
      transaction.keepSilent()
      try transaction.db.run(
        "UPDATE diaryEntry SET taken = ? WHERE id = ?", [.text(taken.stored), .text(record.id)])
    }
    guard let origin, !identity.isOwn || record.origin == origin,
      record.origin != origin || record.came != state.stored
    else { return }
    transaction.keepSilent()
    try transaction.db.run(
      "UPDATE diaryEntry SET origin = ?, came = ? WHERE id = ?",
      [.text(origin), .text(state.stored), .text(record.id)])
  }
}
