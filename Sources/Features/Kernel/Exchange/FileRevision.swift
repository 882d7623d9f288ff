import Store

/// Which state of an item one of our own files has.
///
/// A revision counts within one history: in another library, and in one that was restored from a backup, the same number
/// is another state. So a file says both, and what it says of another history is believed only as far as the text itself
/// shows it.
struct FileRevision: Sendable, Equatable {
  var number: Int64
  /// The history in which the number means something (`LibraryIdentity.epoch`). Nil in files that were written before
  /// files had it; they are treated as another library's.
  var epoch: String?

  /// What a file says; nil where it is none of ours.
  init?(_ number: Int64?, epoch: String?) {
    guard let number else { return nil }
    self.init(number: number, epoch: epoch)
  }

  init(number: Int64, epoch: String?) {
    self.number = number
    self.epoch = epoch
  }

  /// What becomes of an item that says something else than its file.
  enum Verdict: Equatable {
    /// Only the file was edited since it was written: the item follows.
    case follow
    /// Nobody edited the file: it says what the item once said, and the item has moved on.
    case known
    /// Both may have been edited: both are kept, and the report says so.
    case keepBoth
  }

  /// The rule of all formats, for an item that says something else than the file:
  ///
  ///     the file is of this history, and of the item's present revision      the item follows
  ///     of this history, and the item said the same at that revision         nothing: the file is old
  ///     of another history or of none, and the item ever said the same       nothing: the file is old
  ///     anything else                                                        both are kept
  ///
  /// So what was typed here is only ever replaced by an edit of exactly that text. After a backup was restored its
  /// history is a new one, and a file that was edited meanwhile comes beside what is there.
  ///
  /// `states` are what the item said, the newest first, each with the clock that made it so; `says` tells whether one of
  /// them is what the file says.
  func verdict<State>(
    onItemAt revision: Int64, in epoch: String, states: () throws -> [(clock: Int64, state: State)],
    says: (State) throws -> Bool
  ) rethrows -> Verdict {
    let isOurs = self.epoch == epoch
    if isOurs, number == revision { return .follow }
    let states = try states()
    let then = isOurs ? states.filter { $0.clock == number } : []
    // Of a state that is too far back to be kept, any that is still known tells as much.
    return try (then.isEmpty ? states : then).contains { try says($0.state) } ? .known : .keepBoth
  }
}
