import Contract
import Store
import Wire

/// What becomes of an entry of a file.
///
///     no such entry                                           it comes
///     it came before, and its text was edited on one side     the entry follows, or stays
///     it came before, and its text was edited on both         the entry has what either side changed; of the same lines
///                                                               the file's version stands beside that of the entry
///     it came before, and its day was changed on one side     the entry follows, or stays
///     it came before, and its day was changed on both         the entry's stays, and the report says so
///     one of the same moment and text, or of the same name    nothing
///
/// "Before" is what a foreign file said when it last came (`EntryState`); of a file of ours, which says the revision and
/// the history that it was written of, it is what `FileVerdict` says.
enum EntryFate {
  case add
  /// The entry that is there takes over what was edited in the file, if anything was.
  case edit(EntryEdit)
}

/// What an entry takes over from its file.
struct EntryEdit {
  var record: EntryRecord
  var text: String?
  var day: CalendarDay?
  /// Whether the day was changed in the file, and stays out as it was changed here too.
  var keepsOwnDay = false
  /// Whether both texts stand from now on, that of the entry and that of the file.
  var isInConflict = false
  /// Whether the two say the same now, but for a day of its own, so that an edit of the file is known by that.
  var isLevel = false

  var isNothing: Bool { text == nil && day == nil }
}

extension ImportedEntry {
  func fate(in snapshot: Snapshot) throws -> EntryFate {
    let named = try snapshot.find(EntryRecord.self, id: id)
    if let named, identity.isOwn, saysSame(as: named) { return .edit(EntryEdit(record: named, isLevel: true)) }
    if let came = try origin.flatMap({ try EntryRecord.newest(from: $0, in: snapshot) }), try goesOn(with: came),
      let fate = try fate(of: came, in: snapshot)
    {
      return fate
    }
    guard let named else { return .add }
    guard case .own(_, let revision) = identity else { return .edit(EntryEdit(record: named)) }
    return try fate(ofOwn: named, revision, in: snapshot)
  }

  /// Of one that came from there before. Nil where another entry is there now: what says another day and another text is
  /// the next of a file that is written anew for every day.
  private func fate(of came: EntryRecord, in snapshot: Snapshot) throws -> EntryFate? {
    guard let last = EntryState(stored: came.came) else { return nil }
    let isEdited = state.hash != last.hash
    if case .content = identity, isEdited, saysDay, day != last.day { return nil }
    let base = try came.states(in: snapshot).first { EntryState(of: $0.state).hash == last.hash }
    let edit = edit(of: came, since: last, saying: base?.state.text)
    // What was made of it is another entry's text already: that is the one.
    if edit.text != nil, contentID != came.id, let other = try snapshot.find(EntryRecord.self, id: contentID),
      sameBytes(other.text, text)
    {
      return .edit(EntryEdit(record: other))
    }
    return .edit(edit)
  }

  /// Of one that a file of ours names.
  private func fate(ofOwn record: EntryRecord, _ revision: FileRevision?, in snapshot: Snapshot) throws -> EntryFate {
    let verdict = try record.verdict(
      of: revision, after: record.taken, isSame: { $0.isFile(at: path) }, in: snapshot, says: saysSame)
    switch verdict {
    case .known: return .edit(EntryEdit(record: record))
    case .edited(let base, let later, _):
      let isOld = try TakenFile.isLater(record.taken, than: revision, in: snapshot)
      return .edit(
        edit(of: record, since: EntryState(of: base), saying: base.text, later: later, isOld: isOld))
    case .unknown(let states):
      // Of another day, but of no other text.
      let isKnown = states.contains { sameBytes($0.text, text) }
      let isKnownDay = !saysDay || states.contains { $0.day == day }
      return .edit(EntryEdit(record: record, keepsOwnDay: !isKnownDay, isInConflict: !isKnown, isLevel: !isKnown))
    }
  }

  /// What a record takes over, where it and the file last said the same as `base`.
  ///
  /// - Parameters:
  ///   - text: what the base said, where that is still known.
  ///   - later: what it said since: a text that is among that is old, and not changed in the file.
  ///   - isOld: whether the file is one that its library wrote before another that was taken over.
  private func edit(
    of record: EntryRecord, since base: EntryState, saying baseText: String?, later: [EntryRecord] = [],
    isOld: Bool = false
  ) -> EntryEdit {
    var edit = EntryEdit(record: record, isLevel: true)
    var isOld = isOld
    if state.hash != base.hash, !sameBytes(record.text, text) {
      let isAsBefore = EntryState(of: record).hash == base.hash
      if isOld || !isAsBefore, later.contains(where: { sameBytes($0.text, text) }) {
        isOld = true
      } else if isAsBefore {
        edit.text = text
      } else {
        edit.merge(text, since: baseText)
      }
    }
    if isOld, later.contains(where: { $0.day == day }) { return edit }
    if saysDay, day != base.day, day != record.day {
      if record.day == base.day { edit.day = day } else { edit.keepsOwnDay = true }
    }
    return edit
  }

  private func saysSame(as record: EntryRecord) -> Bool {
    sameBytes(record.text, text) && (!saysDay || record.day == day)
  }

  /// Whether this file is the one that came before from the same place. Of ours the same place may have the file of a
  /// later export: then that is what it is an edit of, and not the copy that was kept of the one before.
  private func goesOn(with record: EntryRecord) throws -> Bool {
    guard case .own(_, let revision) = identity, let taken = try TakenFile(stored: record.taken) else { return true }
    return taken.number == revision?.number && taken.epoch == revision?.epoch
  }
}

extension EntryEdit {
  /// Takes over what a file's text changed, beside what was changed here.
  fileprivate mutating func merge(_ theirs: String, since base: String?) {
    let merge = base.map { TextMerge(base: $0, older: record.text, newer: theirs) }
    isInConflict = merge?.overlaps ?? true
    if let merge, !merge.overlaps, !sameBytes(merge.text, record.text) { text = merge.text }
  }
}

extension EntryRecord {
  /// Until lately a copy was kept where both had changed, and the file goes on with that.
  fileprivate static func newest(from origin: String, in snapshot: Snapshot) throws -> EntryRecord? {
    try first(in: snapshot.db, "WHERE origin = ? ORDER BY createdAt DESC, rowid DESC", [.text(origin)])
  }
}

extension EntryRecord: ExchangedItem {
  var isImported: Bool { origin != nil }
}
