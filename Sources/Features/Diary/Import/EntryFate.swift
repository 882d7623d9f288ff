import Contract
import Store
import Wire

/// What becomes of an entry of a file.
///
///     the file is of ours and of the entry's present revision     the entry follows
///     it came from there before, and only one side was edited     the entry follows, or stays
///     it came from there before, and both were edited             both are kept
///     no such entry                                               it comes
///     one of the same moment and text, or of the same name        nothing
///     a file of ours that never came, of another revision         as `FileRevision` says
enum EntryFate {
  case add
  /// It comes beside the one that is there, under this id.
  case keepBoth(id: String)
  /// Nothing becomes of it; this entry is what it was, or is.
  case known(EntryRecord)
  /// The entry takes over what was edited in the file.
  case follow(EntryRecord, text: String?, day: CalendarDay?)
}

extension ImportedEntry {
  func fate(in snapshot: Snapshot) throws -> EntryFate {
    let named = try snapshot.find(EntryRecord.self, id: id)
    let epoch = snapshot.services.library.identity.epoch
    if case .own(_, let revision) = identity, let named,
      revision == FileRevision(number: named.revision, epoch: epoch)
    {
      return follow(named, text: text, day: saysDay ? day : nil)
    }
    if let came = try origin.flatMap({ try EntryRecord.newest(from: $0, in: snapshot) }),
      let fate = try fate(of: came, named: named, in: snapshot)
    {
      return fate
    }
    guard let named else { return .add }
    return sameBytes(named.text, text) ? .known(named) : try fateOfOwn(named, in: snapshot) ?? .known(named)
  }

  /// Of one that came from there before. Nil where another entry is there now: what says another day and another text is
  /// the next of a file that is written anew for every day.
  private func fate(of came: EntryRecord, named: EntryRecord?, in snapshot: Snapshot) throws -> EntryFate? {
    guard let last = EntryState(stored: came.came) else { return nil }
    let isEdited = state.hash != last.hash
    let saysOtherDay = saysDay && day != last.day
    if case .content = identity, isEdited, saysOtherDay { return nil }
    let newDay = saysOtherDay && came.day == last.day ? day : nil
    guard isEdited, !sameBytes(came.text, text) else { return follow(came, text: nil, day: newDay) }
    guard EntryState(day: came.day, text: came.text).hash == last.hash else {
      return try named.flatMap { try fateOfOwn($0, in: snapshot) } ?? both(in: snapshot)
    }
    // What was made of it is another entry's text already: that is the one.
    if contentID != came.id, let other = try snapshot.find(EntryRecord.self, id: contentID),
      sameBytes(other.text, text)
    {
      return .known(other)
    }
    return follow(came, text: text, day: newDay)
  }

  private func follow(_ record: EntryRecord, text: String?, day: CalendarDay?) -> EntryFate {
    let text = text.flatMap { sameBytes($0, record.text) ? nil : $0 }
    let day = day == record.day ? nil : day
    return text == nil && day == nil ? .known(record) : .follow(record, text: text, day: day)
  }

  /// By the revision that the file says; nil of a foreign one.
  private func fateOfOwn(_ record: EntryRecord, in snapshot: Snapshot) throws -> EntryFate? {
    guard case .own(_, let revision) = identity else { return nil }
    let verdict = try revision?.verdict(
      onItemAt: record.revision, in: snapshot.services.library.identity.epoch,
      states: { try record.states(in: snapshot) }, says: { sameBytes($0.text, text) })
    switch verdict {
    case .follow: return follow(record, text: text, day: nil)
    case .known: return .known(record)
    case .keepBoth, nil: return try both(in: snapshot)
    }
  }

  /// Once: the copy that was kept is there the next time, edited or not. An entry that said the same when it first came,
  /// and says something else now, is no such copy.
  private func both(in snapshot: Snapshot) throws -> EntryFate {
    var id = contentID
    var number = 1
    while let there = try snapshot.find(EntryRecord.self, id: id) {
      let isCopy = there.origin == nil || EntryState(stored: there.came)?.hash == state.hash
      if sameBytes(there.text, text) || isCopy && there.id != self.id { return .known(there) }
      number += 1
      id = Self.id(of: "\(number)/\(contentID)")
    }
    return .keepBoth(id: id)
  }

  /// Whether the day was changed in the file and stays out, as it was changed here too. `taken` is the one that the entry
  /// takes over, if any.
  func keepsOut(_ taken: CalendarDay?, of record: EntryRecord, in snapshot: Snapshot) throws -> Bool {
    guard saysDay, day != taken ?? record.day else { return false }
    if origin != nil, record.origin == origin, let last = EntryState(stored: record.came) { return day != last.day }
    guard case .own(let own, let revision) = identity, own.text == record.id else { return false }
    let verdict = try revision?.verdict(
      onItemAt: record.revision, in: snapshot.services.library.identity.epoch,
      states: { try record.states(in: snapshot) }, says: { $0.day == day })
    return verdict == .keepBoth
  }
}

extension EntryRecord {
  /// Where both were kept, the copy is what the file goes on with: also when the other was removed and brought back.
  fileprivate static func newest(from origin: String, in snapshot: Snapshot) throws -> EntryRecord? {
    try first(in: snapshot.db, "WHERE origin = ? ORDER BY createdAt DESC, rowid DESC", [.text(origin)])
  }

  /// What it said, and of which day, the newest first.
  fileprivate func states(in snapshot: Snapshot) throws -> [(clock: Int64, state: (text: String, day: CalendarDay))] {
    var state = (text: text, day: day)
    var states: [(clock: Int64, state: (text: String, day: CalendarDay))] = []
    let versions = try ItemVersion.history(
      of: Self.collectionName, id: id, before: nil, limit: Self.historyLimit, in: snapshot)
    for version in versions {
      states.append((version.clock, state))
      guard version.kind == .updated, let before = version.before else { break }
      state.text = before["text"]?.stringValue ?? state.text
      state.day = before["day"]?.stringValue.flatMap { CalendarDay($0) } ?? state.day
    }
    return states
  }

  /// Farther back nobody's file is compared.
  private static let historyLimit = 1_000
}
