import Store

/// What a file of ours that says something else than its item is to it.
enum FileVerdict<State> {
  /// Nobody edited the file since it was written or last taken over: it is old.
  case known
  /// The file was edited, of what the item said then. Where the item says the same still, whatever its number is now, it
  /// follows; what has changed on both sides is for the collection to merge. Where it cannot, both are kept, but for a
  /// file that `wasSaid`: that the item has said the same since, and has moved on.
  case edited(since: State, wasSaid: Bool)
  /// It may have been edited of anything: both are kept.
  case unknown
}

extension FileRevision {
  /// The rule of all formats. The base of a file is what its item said when the two last were the same:
  ///
  ///     this file was taken over since it was written        what the item said by then
  ///     another library wrote it, after one that was taken   the same
  ///     it is of this history                                what the item said at its revision
  ///     it is of another history or of none                  nobody knows
  ///
  /// A file that says what its base says is old; anything else is an edit of its base. Of an unknown base a file is old
  /// that says what the item ever said.
  ///
  /// It is the words that count and not the numbers: who removes an item and brings it back, or undoes an import, has
  /// what there was before, under a higher number. And what was typed here is only ever replaced by an edit of exactly
  /// that. After a backup was restored its history is a new one, and a file that was edited meanwhile comes beside what
  /// is there.
  ///
  /// - Parameters:
  ///   - taken: the file that the item was last taken from, if that is this one or of before it
  ///     (`TakenFile.comes(before:in:isSameFile:)`).
  ///   - states: what the item said, the newest first, each with the clock that made it so; as `ItemStates` has them.
  ///   - says: whether one of them is what the file says.
  func verdict<State>(
    in epoch: String, after taken: TakenFile?, states: [(clock: Int64, state: State)], says: (State) throws -> Bool
  ) rethrows -> FileVerdict<State> {
    let isOurs = self.epoch == epoch
    let base =
      if let taken {
        states.firstIndex { $0.clock <= taken.clock }
      } else {
        isOurs ? states.firstIndex { $0.clock == number } : nil
      }
    // Of a state that is too far back to be kept, any that is still known tells as much.
    guard let base else { return try states.contains { try says($0.state) } ? .known : .unknown }
    let state = states[base].state
    if try says(state) { return .known }
    return .edited(since: state, wasSaid: try states[..<base].contains { try says($0.state) })
  }
}
