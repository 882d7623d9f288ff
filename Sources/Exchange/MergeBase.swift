import Contract
import Kit
import Store
import Wire

/// The file of ours from which an item was last imported, and the commit that imported it: the base of the next merge.
///
/// A file states the revision of which it was written, however often it is edited and imported: a task that lives on in
/// Taskwarrior or on a server does, and so does a diary in a folder. The next edit of the file is therefore an edit of what
/// was imported last.
package struct MergeBase: Codable, Sendable {
  /// The revision and the history that the file states.
  package var number: Int64
  package var epoch: String
  /// The commit that imported it.
  package var clock: Int64
  /// Its absolute path, without links; nil where it came as bytes.
  package var path: String?
  /// What it said else than the item then did, as values of columns: fields that had been changed here and stayed. Nil
  /// where the two said the same.
  package var said: JSONObject?
  /// Whether somebody had edited it, as far as is known: its library then never said what it says. Nil for no.
  package var isEdited: Bool?

  /// The revision on which both last agreed, where two versions of a field stand since; 0 where there is none. Nil where
  /// they agree.
  package var agreed: Int64?

  /// What it had been taken over of another library before.
  private var ancestor: FileRevision.Ancestor?

  /// Nil of a file that does not say its history.
  ///
  /// - Parameters:
  ///   - clock: the commit that takes it over; or the item's revision, where the two have come to say the same.
  ///   - last: what its item was taken from before, as a row keeps it.
  ///   - isLevel: whether the item said all of it by itself.
  ///   - isDisputed: whether two versions of a field stand.
  package init?(
    _ revision: FileRevision?, from path: String?, at clock: Int64, said: JSONObject = [:], after last: String?,
    isLevel: Bool = false, isDisputed: Bool = false
  ) throws {
    guard let revision, let epoch = revision.epoch else { return nil }
    (number, self.epoch, self.clock, self.path) = (revision.number, epoch, clock, path)
    self.said = said.isEmpty ? nil : said
    let last = try MergeBase(stored: last)
    if isDisputed { agreed = last.flatMap { sameBytes($0.epoch, epoch) ? $0.agreed ?? $0.number : nil } ?? 0 }
    guard let last else { return }
    guard sameBytes(last.epoch, epoch) else {
      ancestor = FileRevision.Ancestor(number: last.number, epoch: last.epoch)
      return
    }
    ancestor = last.ancestor
    // The same state of the same library, and other words.
    if last.number == number { isEdited = isLevel ? last.isEdited : true }
  }

  /// Of which state of another library an item is, that was last taken from this.
  package func ancestor(in ownEpoch: String) -> FileRevision.Ancestor? {
    if sameBytes(epoch, ownEpoch) || agreed == 0 { return ancestor }
    return FileRevision.Ancestor(number: agreed ?? number, epoch: epoch)
  }

  /// Whether it tells more than what is known of an item: its revision, and from what it was taken before, as a row keeps
  /// that.
  package func isNews(after last: String?, in snapshot: Snapshot) throws -> Bool {
    if number == clock, said == nil, sameBytes(epoch, snapshot.services.library.identity.epoch) { return false }
    guard let last = try MergeBase(stored: last), sameBytes(last.epoch, epoch) else { return true }
    // What was taken after it is what the next file of its library goes on from.
    if last.number > number, !sameBytes(epoch, snapshot.services.library.identity.epoch) { return false }
    guard last.number == number else { return true }
    return last.clock != clock || !last.isFile(at: path) || last.said != said || last.agreed != agreed
  }

  /// As a row keeps it; nil where an item was taken from none.
  package init?(stored: String?) throws {
    guard let stored else { return nil }
    self = try StoredJSON<MergeBase>(stored: stored).value()
  }

  package var stored: String {
    get throws { try StoredJSON(self).json }
  }

  /// Whether a file is that one, edited since or not, or what another library wrote later, unless that knows nothing of
  /// what somebody wrote into this one. Two files of one export are two: each is an edit of the item as it was when they
  /// were written, and not of what the other made of it; that is what the item took over of another library where nobody
  /// is known to have written into the first.
  package func comes(before revision: FileRevision, in ownEpoch: String, isSameFile: Bool) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    if number == revision.number, isSameFile { return true }
    return number <= revision.number && isEdited != true && !sameBytes(epoch, ownEpoch)
  }

  /// Whether another library wrote a file before this one.
  package func isLater(than revision: FileRevision, in ownEpoch: String) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    return number > revision.number && !sameBytes(epoch, ownEpoch)
  }

  /// The same of the file that an item was last taken from, as a row keeps it.
  package static func isLater(_ stored: String?, than revision: FileRevision?, in snapshot: Snapshot) throws -> Bool {
    guard let revision, let last = try MergeBase(stored: stored) else { return false }
    return last.isLater(than: revision, in: snapshot.services.library.identity.epoch)
  }

  /// Whether it is of this path. What came as bytes may be anything that came as bytes, and nothing that lies somewhere.
  package func isFile(at other: String?) -> Bool {
    guard let path, let other else { return path == nil && other == nil }
    return sameBytes(path, other)
  }
}
