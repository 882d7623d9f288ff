import Kit
import Store
import Wire

/// The comparison of one of our own files with its item.
package enum FileComparison<State> {
  /// The file is old: nobody has edited it since it was exported or last imported.
  case known
  /// The file is an edit of the item's state `since`. If the item is still in that state, whatever its revision, it
  /// follows the file. Changes on both sides are merged by the collection. For fields that cannot be merged both
  /// versions are stored, unless the file's version is one that the item had in a `later` state (newest first) and has
  /// changed since. With `isFormerState`, the whole file equals such a state.
  case edited(since: State, later: [State], isFormerState: Bool)
  /// The base of the file is unknown: both versions are stored. The known states of the item, newest first.
  case unknown(states: [State])
}

extension ExchangedItem {
  /// The rule of all formats. The base of a file is the state of its item when the two were last the same:
  ///
  ///     this file was imported since it was exported         the state after that import
  ///     another library exported it, after an imported one   the same
  ///     it is of this history                                the state at its revision
  ///     its library had imported the item from here          the state at the revision that was imported there
  ///     the item was imported from another program, and      the current state
  ///       never changed here
  ///     it is of another history or of none                  unknown
  ///
  /// Of two known bases the later one counts, since a file that was exchanged to and fro is an edit of its last
  /// version. A file that equals its base is old; any other is an edit of its base. If the base is unknown, a file is
  /// old if it equals any state of the item. A file is also old if it equals a state since its base, and a later file
  /// of its library was imported already.
  ///
  /// Contents are compared, not revisions: removing and restoring an item, or undoing an import, restores old contents
  /// under a higher number. Text that was typed here is only ever replaced by an edit of exactly that text. Restoring a
  /// backup starts a new history; then the version in a file that was edited meanwhile is stored beside the item's.
  ///
  /// - Parameters:
  ///   - revision: the revision that the file states.
  ///   - last: the merge base of the item, as stored in its row.
  ///   - isSame: whether a file is this one.
  ///   - says: whether a state of the item equals the file.
  /// - Throws: `StoreError.broken` for an invalid row, `DatabaseError`, and whatever `says` throws.
  package func comparison(
    of revision: FileRevision?, after last: String?, isSame: (MergeBase) -> Bool, in snapshot: Snapshot,
    says: (Self) throws -> Bool
  ) throws -> FileComparison<Self> {
    let epoch = snapshot.services.library.identity.epoch
    let last = try MergeBase(stored: last)
    var found: (base: Int, states: [Self])?
    for (place, revision) in (revision?.states ?? []).enumerated() {
      let taken = last.flatMap { last in
        // An import there included this library's state, unless somebody had edited the file.
        let isSame = place > 0 ? last.isEdited != true && !sameBytes(last.epoch, epoch) : isSame(last)
        return last.comes(before: revision, in: epoch, isSameFile: isSame) ? last : nil
      }
      // Without this history the base is unknown, and no states need to be read.
      guard taken != nil || revision.epoch == epoch else { continue }
      let states = try states(in: snapshot, after: taken)
      let base = revision.base(in: epoch, after: taken, among: states.map(\.clock))
      if let base, base < found?.base ?? .max { found = (base, states.map(\.state)) }
    }
    // An item of another program that was never changed here loses nothing by following its file.
    if found == nil, revision != nil, last == nil, isImported, createdAt == updatedAt { found = (0, [self]) }
    let comparison = try FileComparison(
      base: found?.base, states: found?.states ?? states(in: snapshot).map(\.state), says: says)
    if case .edited(_, _, isFormerState: true) = comparison, let revision,
      last?.isLater(than: revision, in: epoch) == true
    {
      return .known
    }
    return comparison
  }
}

extension FileRevision {
  /// The index of the state of which a file is an edit. `clocks` are the commits of the states, newest first.
  func base(in epoch: String, after taken: MergeBase?, among clocks: [Int64]) -> Int? {
    if let taken { return clocks.firstIndex { $0 <= taken.clock } }
    return self.epoch == epoch ? clocks.firstIndex(of: number) : nil
  }
}

extension FileComparison {
  /// - Parameters:
  ///   - base: the index of the state of which the file is an edit; nil if unknown.
  ///   - states: the states of the item, newest first.
  init(base: Int?, states: [State], says: (State) throws -> Bool) rethrows {
    // If the state itself is not recorded any more, any recorded state serves.
    guard let base else {
      self = try states.contains(where: says) ? .known : .unknown(states: states)
      return
    }
    let state = states[base]
    let later = states[..<base]
    self =
      try says(state)
      ? .known : .edited(since: state, later: Array(later), isFormerState: later.contains(where: says))
  }
}
