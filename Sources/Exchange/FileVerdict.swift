import Kit
import Store
import Wire

/// What a file of ours that says something else than its item is to it.
package enum FileVerdict<State> {
  /// Nobody edited the file since it was written or last taken over: it is old.
  case known
  /// The file was edited, of what the item said then. Where the item says the same still, whatever its number is now, it
  /// follows; what has changed on both sides is for the collection to merge. Where it cannot, both versions stand, but
  /// for what the item has said `later`, the newest first, and has moved on from; of a file that `wasSaid` that is all of
  /// it.
  case edited(since: State, later: [State], wasSaid: Bool)
  /// It may have been edited of anything: both versions stand. What the item said, as far as that is known, the newest
  /// first.
  case unknown(states: [State])
}

extension ExchangedItem {
  /// The rule of all formats. The base of a file is what its item said when the two last were the same:
  ///
  ///     this file was taken over since it was written        what the item said by then
  ///     another library wrote it, after one that was taken   the same
  ///     it is of this history                                what the item said at its revision
  ///     its library had the item from here                   what the item said at the revision that came there
  ///     the item came from another program, and was never    what the item says
  ///       changed here
  ///     it is of another history or of none                  nobody knows
  ///
  /// Of two that are known it is the later one: what went to and fro is an edit of what was handed over last.
  /// A file that says what its base says is old; anything else is an edit of its base. Of an unknown base a file is old
  /// that says what the item ever said. So is one that says what the item said since its base, where its library has
  /// written a later one that was taken over already.
  ///
  /// It is the words that count and not the numbers: who removes an item and brings it back, or undoes an import, has
  /// what there was before, under a higher number. And what was typed here is only ever replaced by an edit of exactly
  /// that. After a backup was restored its history is a new one, and what a file that was edited meanwhile
  /// says stands beside what is there.
  ///
  /// - Parameters:
  ///   - revision: what the file says that it is of.
  ///   - last: the file that the item was last taken from, as a row keeps it.
  ///   - isSame: whether a file is this one.
  ///   - says: whether a state of the item is what the file says.
  package func verdict(
    of revision: FileRevision?, after last: String?, isSame: (MergeBase) -> Bool, in snapshot: Snapshot,
    says: (Self) throws -> Bool
  ) throws -> FileVerdict<Self> {
    let epoch = snapshot.services.library.identity.epoch
    let last = try MergeBase(stored: last)
    var found: (base: Int, states: [Self])?
    for (place, revision) in (revision?.states ?? []).enumerated() {
      let taken = last.flatMap { last in
        // What its library had from there is what we had, unless somebody had written into ours.
        let isSame = place > 0 ? last.isEdited != true && !sameBytes(last.epoch, epoch) : isSame(last)
        return last.comes(before: revision, in: epoch, isSameFile: isSame) ? last : nil
      }
      // Of another history nobody knows the base, and need not read what the item said.
      guard taken != nil || revision.epoch == epoch else { continue }
      let states = try states(in: snapshot, after: taken)
      let base = revision.base(in: epoch, after: taken, among: states.map(\.clock))
      if let base, base < found?.base ?? .max { found = (base, states.map(\.state)) }
    }
    // What came from another program, and was never changed here, loses nothing by what its file became elsewhere.
    if found == nil, revision != nil, last == nil, isImported, createdAt == updatedAt { found = (0, [self]) }
    let verdict = try FileVerdict(
      base: found?.base, states: found?.states ?? states(in: snapshot).map(\.state), says: says)
    if case .edited(_, _, wasSaid: true) = verdict, let revision, last?.isLater(than: revision, in: epoch) == true {
      return .known
    }
    return verdict
  }
}

extension FileRevision {
  /// Which of an item's states, the newest first by the clocks that made them so, a file is an edit of.
  func base(in epoch: String, after taken: MergeBase?, among clocks: [Int64]) -> Int? {
    if let taken { return clocks.firstIndex { $0 <= taken.clock } }
    return self.epoch == epoch ? clocks.firstIndex(of: number) : nil
  }
}

extension FileVerdict {
  /// - Parameters:
  ///   - base: which of the states the file is an edit of, if that is known.
  ///   - states: what the item said, the newest first.
  init(base: Int?, states: [State], says: (State) throws -> Bool) rethrows {
    // Of a state that is too far back to be kept, any that is still known tells as much.
    guard let base else {
      self = try states.contains(where: says) ? .known : .unknown(states: states)
      return
    }
    let state = states[base]
    let later = states[..<base]
    self =
      try says(state)
      ? .known : .edited(since: state, later: Array(later), wasSaid: later.contains(where: says))
  }
}
