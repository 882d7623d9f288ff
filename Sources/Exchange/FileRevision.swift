import Kit
import Store
import Wire

/// Which state of an item one of our own files has.
///
/// A revision counts within one history: in another library, and in one that was restored from a backup, the same number
/// is another state. So a file says both, and what it says of another history is believed only as far as the text itself
/// shows it. Where its library had the item from another one, it says of which state of that, too: so that other one
/// knows what came back to it.
///
///     42  0192f0c1-6a00-7000-8000-000000000000
///     42  0192f0c1-6a00-7000-8000-000000000000 from 10 0188a4d2-5b00-7000-8000-000000000000
package struct FileRevision: Sendable, Equatable {
  /// A state of another history.
  package struct Ancestor: Sendable, Equatable, Codable {
    var number: Int64
    var epoch: String
  }

  package var number: Int64
  /// The history in which the number means something (`LibraryIdentity.epoch`). Nil in files that were written before
  /// files had it; they are treated as another library's.
  package var epoch: String?
  /// What its library had taken over of another one last.
  var ancestor: Ancestor?

  /// What a file says; nil where it is none of ours.
  package init?(_ number: Int64?, history: String?) {
    guard let number else { return nil }
    self.init(number: number, history: history)
  }

  /// - Parameter history: as a file has it, see `history`.
  init(number: Int64, history: String?) {
    self.init(number: number, epoch: history)
    guard let parts = history?.split(separator: " from ", maxSplits: 1), parts.count == 2 else { return }
    let words = parts[1].split(separator: " ", maxSplits: 1)
    guard words.count == 2, let number = Int64(words[0]) else { return }
    (epoch, ancestor) = (String(parts[0]), Ancestor(number: number, epoch: String(words[1])))
  }

  package init(number: Int64, epoch: String?, ancestor: Ancestor? = nil) {
    self.number = number
    self.epoch = epoch
    self.ancestor = ancestor
  }

  /// Of a file of ours that lost its own: no library counts in this history.
  package static let lost = FileRevision(number: 0, epoch: "none")

  /// The history and the ancestor, as a file has them beside the number.
  package var history: String? {
    epoch.map { epoch in ancestor.map { "\(epoch) from \($0.number) \($0.epoch)" } ?? epoch }
  }

  /// Both as one word: `42,0192f0c1-6a00-7000-8000-000000000000`. Nil where it makes no sense.
  package init?(word: String) {
    let parts = word.split(separator: ",", maxSplits: 1)
    self.init(parts.first.flatMap { Int64($0) }, history: parts.count > 1 ? String(parts[1]) : nil)
  }

  package var word: String { [String(number), history].compactMap(\.self).joined(separator: ",") }

  /// What a file says that is written in this history now, where this is what the item came with last.
  package func ancestor(in ownEpoch: String) -> Ancestor? {
    guard let epoch, !sameBytes(epoch, ownEpoch) else { return ancestor }
    return Ancestor(number: number, epoch: epoch)
  }

  /// Whether a file was written of an item as that is now.
  func isPresent(of item: some StoredItem, in snapshot: Snapshot) -> Bool {
    number == item.revision && epoch == snapshot.services.library.identity.epoch
  }

  /// The latest commit of a history of which it knows.
  package func number(in epoch: String) -> Int64? { states.first { $0.epoch == epoch }?.number }

  /// The states that it is known to be an edit of, or to have come from.
  var states: [FileRevision] {
    [self] + (ancestor.map { [FileRevision(number: $0.number, epoch: $0.epoch)] } ?? [])
  }
}
