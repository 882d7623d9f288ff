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
}
