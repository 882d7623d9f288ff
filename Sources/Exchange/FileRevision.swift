import Kit
import Store
import Wire

/// The revision of an item in one of our own files.
///
/// A revision is valid within one history: in another library, and in one that was restored from a backup, the same
/// number is another state. So a file states both, and a revision of another history is used only as far as the item's
/// states confirm it. If its library had imported the item from another one, the file also states the revision there,
/// so that the other library can recognise its own state.
///
///     42  0192f0c1-6a00-7000-8000-000000000000
///     42  0192f0c1-6a00-7000-8000-000000000000 from 10 0188a4d2-5b00-7000-8000-000000000000
package struct FileRevision: Sendable, Equatable {
  /// A revision in another history.
  package struct Ancestor: Sendable, Equatable, Codable {
    var number: Int64
    var epoch: String
  }

  package var number: Int64
  /// The history in which the number is valid (`LibraryIdentity.epoch`). Nil in files from before it was written; they
  /// are treated as another library's.
  package var epoch: String?
  /// The revision that its library had last imported from another one.
  var ancestor: Ancestor?

  /// The revision in a file; nil if the file is none of ours.
  package init?(_ number: Int64?, history: String?) {
    guard let number else { return nil }
    self.init(number: number, history: history)
  }

  /// - Parameter history: in the form of the property `history`.
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

  /// For a file of ours without a valid revision: no library has this history.
  package static let lost = FileRevision(number: 0, epoch: "none")

  /// For a file of another program, which states no revision: it is an edit of what was imported last from its path.
  package static let external = FileRevision(number: 0, epoch: "external")

  /// The history and the ancestor, in the form of files.
  package var history: String? {
    epoch.map { epoch in ancestor.map { "\(epoch) from \($0.number) \($0.epoch)" } ?? epoch }
  }

  /// Number and history as one token: `42,0192f0c1-6a00-7000-8000-000000000000`. Nil if it is invalid.
  package init?(word: String) {
    let parts = word.split(separator: ",", maxSplits: 1)
    self.init(parts.first.flatMap { Int64($0) }, history: parts.count > 1 ? String(parts[1]) : nil)
  }

  package var word: String { [String(number), history].compactMap(\.self).joined(separator: ",") }

  /// The ancestor to state in an export of this history, for an item that was last imported with this revision.
  package func ancestor(in ownEpoch: String) -> Ancestor? {
    guard let epoch, !sameBytes(epoch, ownEpoch) else { return ancestor }
    return Ancestor(number: number, epoch: epoch)
  }

  /// Whether a file has the current revision of an item.
  func isPresent(of item: some StoredItem, in snapshot: Snapshot) -> Bool {
    number == item.revision && epoch == snapshot.services.library.identity.epoch
  }

  /// The latest commit of a history that this revision includes.
  package func number(in epoch: String) -> Int64? { states.first { $0.epoch == epoch }?.number }

  /// The revisions of which the file may be an edit: its own, and its ancestor.
  var states: [FileRevision] {
    [self] + (ancestor.map { [FileRevision(number: $0.number, epoch: $0.epoch)] } ?? [])
  }
}
