import Contract
import Exchange
import Kit
import Store
import Wire

/// What becomes of an entry of a file.
///
///     no such entry                                           it is added
///     it came before                                          see `ImportDecision`; a day that both sides changed stays
///                                                               as it is here, and the report notes that
///     one of the same moment and text, or of the same name    nothing
extension ImportedEntry {
  /// Nil for an entry that is to be added.
  func decision(in snapshot: Snapshot) throws -> ImportDecision<EntryRecord>? {
    let named = try snapshot.find(EntryRecord.self, id: id)
    if let named, identity.isOwn, isSame(as: named) { return ImportDecision(.noteFile, of: named) }
    if let came = try origin.flatMap({ try EntryRecord.newest(from: $0, in: snapshot) }), try goesOn(with: came),
      let decision = try decision(of: came, in: snapshot)
    {
      return decision
    }
    guard let named else { return nil }
    return identity.isOwn ? try decision(ofOwn: named, in: snapshot) : ImportDecision(.nothing, of: named)
  }

  /// Of one that came from there before. Nil where another entry is there now: what has another day and another text is
  /// the next of a file that is written anew for every day.
  private func decision(of came: EntryRecord, in snapshot: Snapshot) throws -> ImportDecision<EntryRecord>? {
    guard let last = EntryState(stored: came.came) else { return nil }
    let isEdited = state.hash != last.hash
    if case .content = identity, isEdited, saysDay, day != last.day { return nil }
    var base = came
    base.day = last.day
    base.text = isEdited ? try came.text(hashed: last.hash, in: snapshot) : text
    let merge = try ItemMerge(EntryRecord.fields, base: base, ours: came, theirs: record(over: came))
    // The file's text is another entry's already: that is the one.
    if !sameBytes(merge.merged.text, came.text), contentID != came.id,
      let other = try snapshot.find(EntryRecord.self, id: contentID), sameBytes(other.text, text)
    {
      return ImportDecision(.nothing, of: other)
    }
    return ImportDecision(merge, of: came)
  }

  /// Of one that a file of ours names.
  private func decision(ofOwn record: EntryRecord, in snapshot: Snapshot) throws -> ImportDecision<EntryRecord> {
    let revision = identity.revision
    let verdict = try record.verdict(
      of: revision, after: record.taken, isSame: { $0.isFile(at: path) }, in: snapshot, says: isSame)
    let theirs = self.record(over: record)
    switch verdict {
    case .known: return ImportDecision(.nothing, of: record)
    case .edited(let base, let later, _):
      let isOld = try MergeBase.isLater(record.taken, than: revision, in: snapshot)
      return ImportDecision(
        try ItemMerge(EntryRecord.fields, base: base, ours: record, theirs: theirs, later: later, isOld: isOld),
        of: record)
    case .unknown(let states):
      // A day or a text that the entry once had is old.
      let merge = try ItemMerge(EntryRecord.fields, base: nil, ours: record, theirs: theirs, later: states)
      return ImportDecision(merge.conflicts.isEmpty ? .nothing : .noteFile, of: record, merge: merge)
    }
  }

  /// An entry with what the file contains of it.
  func record(over record: EntryRecord) -> EntryRecord {
    var record = record
    record.text = text
    if saysDay { record.day = day }
    return record
  }

  private func isSame(as record: EntryRecord) -> Bool {
    sameBytes(record.text, text) && (!saysDay || record.day == day)
  }

  /// Whether this file is the one that came before from the same place. Of ours the same place may have the file of a
  /// later export: then that is what it is an edit of, and not the copy that was stored of the one before.
  private func goesOn(with record: EntryRecord) throws -> Bool {
    guard identity.isOwn, let taken = try MergeBase(stored: record.taken) else { return true }
    return taken.number == identity.revision?.number && taken.epoch == identity.revision?.epoch
  }
}

extension EntryRecord {
  /// Until lately a copy was stored where both had changed, and the file goes on with that.
  fileprivate static func newest(from origin: String, in snapshot: Snapshot) throws -> EntryRecord? {
    try first(in: snapshot.db, "WHERE origin = ? ORDER BY createdAt DESC, rowid DESC", [.text(origin)])
  }

  /// The text that it has or had, by its hash; empty where that is not known any more, and shares nothing with any.
  fileprivate func text(hashed hash: String, in snapshot: Snapshot) throws -> String {
    if EntryState(of: self).hash == hash { return text }
    return try states(in: snapshot).first { EntryState(of: $0.state).hash == hash }?.state.text ?? ""
  }
}

extension EntryRecord: ExchangedItem {
  var isImported: Bool { origin != nil }
}
