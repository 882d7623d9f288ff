import Contract
import Exchange
import Kit
import SearchEngine
import Store
import Wire

/// The decision on an entry of a file.
///
///     the entry does not exist                               it is added
///     it was imported before                                 see `ImportDecision`; a day that both sides changed stays
///                                                              as it is here, with a note in the report
///     one with the same time and text, or the same id,       nothing
///       exists
extension ImportedEntry {
  /// Nil for an entry to be added.
  func decision(in snapshot: Snapshot) throws -> ImportDecision<EntryRecord>? {
    let named = try snapshot.find(EntryRecord.self, id: id)
    if let named, identity.isOwn, isSame(as: named) { return ImportDecision(.noteFile, of: named) }
    if let previous = try origin.flatMap({ try EntryRecord.newest(from: $0, in: snapshot) }),
      try goesOn(with: previous),
      let decision = try decision(of: previous, in: snapshot)
    {
      return decision
    }
    guard let named else { return nil }
    return identity.isOwn || identity.isKnown
      ? try decision(ofOwn: named, in: snapshot) : ImportDecision(.nothing, of: named)
  }

  /// The decision for an entry that was imported from there before. Nil if the file has another entry there now: one
  /// with another day and another text is the next entry of a file that is overwritten every day.
  private func decision(of previous: EntryRecord, in snapshot: Snapshot) throws -> ImportDecision<EntryRecord>? {
    guard let last = EntryState(stored: previous.importedState) else { return nil }
    let isEdited = state.hash != last.hash
    if case .content = identity, isEdited, saysDay, day != last.day { return nil }
    var base = previous
    (base.day, base.tags, base.isStarred) = (last.day, last.tags, last.isStarred)
    (base.details, base.frontMatter) = (last.details, last.frontMatter)
    base.text = isEdited ? try previous.text(hashed: last.hash, in: snapshot) : text
    // Earlier versions imported all backslashes. The entry itself has them still, if nobody edited it.
    if isOfDayOne, !sameBytes(base.text, previous.text) { base.text = DayOneText.readable(base.text) }
    let merge = try ItemMerge(EntryRecord.fields, base: base, ours: previous, theirs: record(over: previous))
    // The file's text is already that of another entry, which is the matching one.
    if !sameBytes(merge.merged.text, previous.text), contentID != previous.id,
      let other = try snapshot.find(EntryRecord.self, id: contentID), sameBytes(other.text, text)
    {
      return ImportDecision(.nothing, of: other)
    }
    return ImportDecision(merge, of: previous)
  }

  /// The decision for an entry that a file of ours names.
  private func decision(ofOwn record: EntryRecord, in snapshot: Snapshot) throws -> ImportDecision<EntryRecord> {
    let revision = identity.revision
    let comparison = try record.comparison(
      of: revision, after: record.mergeBase, isSame: { $0.isFile(at: path) }, in: snapshot, says: isSame)
    let theirs = self.record(over: record)
    switch comparison {
    case .known: return ImportDecision(.nothing, of: record)
    case .edited(let base, let later, _):
      let isOld = try MergeBase.isLater(record.mergeBase, than: revision, in: snapshot)
      return ImportDecision(
        try ItemMerge(EntryRecord.fields, base: base, ours: record, theirs: theirs, later: later, isOld: isOld),
        of: record)
    case .unknown(let states):
      // A day or a text that the entry had before is old.
      let merge = try ItemMerge(EntryRecord.fields, base: nil, ours: record, theirs: theirs, later: states)
      return ImportDecision(merge.conflicts.isEmpty ? .nothing : .noteFile, of: record, merge: merge)
    }
  }

  /// An entry with the values of the file. A file of another program states only some of its details; the others stay.
  /// Coordinates that cannot be read change none, and another spelling of the entry's journal is no other journal.
  func record(over record: EntryRecord) -> EntryRecord {
    var record = record
    (record.text, record.tags, record.isStarred) = (text, tags, isStarred)
    let (journal, coordinates) = (record.details.journal, record.details.coordinates)
    record.details = identity.isOwn ? details : details.filled(from: record.details)
    if !sameBytes(record.details.journal, journal),
      sameBytes(foldedText(record.details.journal), foldedText(journal))
    {
      record.details.journal = journal
    }
    if hasUnreadableCoordinates { record.details.coordinates = coordinates }
    if let frontMatter { record.frontMatter = frontMatter }
    if saysDay { record.day = day }
    return record
  }

  private func isSame(as record: EntryRecord) -> Bool {
    // What comes back from Day One has lost the needless backslashes.
    let isSameText = sameBytes(record.text, text) || isOfDayOne && sameBytes(DayOneText.readable(record.text), text)
    return isSameText && record.tags.elementsEqual(tags, by: sameBytes) && record.isStarred == isStarred
      && record.details == self.record(over: record).details && (!saysDay || record.day == day)
      && (frontMatter.map { sameBytes($0, record.frontMatter) } ?? true)
  }

  /// Whether this file continues the one that was imported from the same place. For our own files, a later export may
  /// be in that place: then the file is an edit of that export, and not of the stored copy.
  private func goesOn(with record: EntryRecord) throws -> Bool {
    guard identity.isOwn, let taken = try MergeBase(stored: record.mergeBase) else { return true }
    return taken.number == identity.revision?.number && taken.epoch == identity.revision?.epoch
  }
}

extension EntryRecord {
  /// Earlier versions stored a copy if both sides had changed, and the file continues with that.
  fileprivate static func newest(from origin: String, in snapshot: Snapshot) throws -> EntryRecord? {
    try first(in: snapshot.db, "WHERE origin = ? ORDER BY createdAt DESC, rowid DESC", [.text(origin)])
  }

  /// A current or former text by its hash; empty, without anything in common with other texts, if it is not recorded.
  fileprivate func text(hashed hash: String, in snapshot: Snapshot) throws -> String {
    if EntryState(of: self).hash == hash { return text }
    return try states(in: snapshot).first { EntryState(of: $0.state).hash == hash }?.state.text ?? ""
  }
}

extension EntryRecord: ExchangedItem {
  var isImported: Bool { origin != nil }
}
