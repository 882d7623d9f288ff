import Contract
import Kit
import Store
import Wire

/// The file of ours from which an item was last imported, and the commit that imported it: the base of the next merge.
///
/// A file states the revision of its export, however often it is edited and imported afterwards: for example a task in
/// Taskwarrior or on a server, or a diary in a folder. The next edit of the file is therefore an edit of the state that
/// was imported last.
package struct MergeBase: Codable, Sendable {
  /// The revision and the history that the file states.
  package var number: Int64
  package var epoch: String
  /// The commit that imported it.
  package var clock: Int64
  /// Its absolute path, with symbolic links resolved; nil for an import of bytes.
  package var path: String?
  /// The values of the file that differed from the item's, by column: fields that had been changed here and stayed.
  /// Nil if there are none.
  package var said: JSONObject?
  /// Whether the file was known to be edited, so that its library never had this content. Nil means no.
  package var isEdited: Bool?

  /// The revision on which both last agreed, if two versions of a field are stored; 0 if there is none. Nil if they
  /// agree.
  package var agreed: Int64?

  /// The revision that was imported from another library before.
  private var ancestor: FileRevision.Ancestor?

  /// Nil for a file that does not state its history.
  ///
  /// - Parameters:
  ///   - clock: the commit that imports it; or the item's revision, if both have the same content.
  ///   - last: the item's previous merge base, as stored in its row.
  ///   - isLevel: whether the item had the file's content already.
  ///   - isDisputed: whether two versions of a field are stored.
  /// - Throws: `StoreError.broken` if `last` is invalid.
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
      // Another program has no history that a file could be an edit of.
      ancestor =
        last.epoch == FileRevision.external.epoch
        ? last.ancestor : FileRevision.Ancestor(number: last.number, epoch: last.epoch)
      return
    }
    ancestor = last.ancestor
    // The same revision of the same library, but another content.
    if last.number == number { isEdited = isLevel ? last.isEdited : true }
  }

  /// The revision in another library from which an item with this merge base comes.
  package func ancestor(in ownEpoch: String) -> FileRevision.Ancestor? {
    if sameBytes(epoch, ownEpoch) || agreed == 0 || epoch == FileRevision.external.epoch { return ancestor }
    return FileRevision.Ancestor(number: agreed ?? number, epoch: epoch)
  }

  /// Whether storing it adds information to the item's revision and its previous merge base, as stored in its row.
  ///
  /// - Throws: `StoreError.broken` if `last` is invalid.
  package func isNews(after last: String?, in snapshot: Snapshot) throws -> Bool {
    if number == clock, said == nil, sameBytes(epoch, snapshot.services.library.identity.epoch) { return false }
    guard let last = try MergeBase(stored: last), sameBytes(last.epoch, epoch) else { return true }
    // The next file of that library will be based on the later revision.
    if last.number > number, !sameBytes(epoch, snapshot.services.library.identity.epoch) { return false }
    guard last.number == number else { return true }
    return last.clock != clock || !last.isFile(at: path) || last.said != said || last.agreed != agreed
  }

  /// Parses the stored form; nil for an item without a merge base.
  ///
  /// - Throws: `StoreError.broken` for JSON that no daemon writes.
  package init?(stored: String?) throws {
    guard let stored else { return nil }
    self = try StoredJSON<MergeBase>(stored: stored).value()
  }

  package var stored: String {
    get throws { try StoredJSON(self).json }
  }

  /// Whether this is the base of a file: the file is the same one, edited since or not, or a later export of the same
  /// other library. The latter does not hold if this file had been edited, since its library does not know that edit.
  /// Of two files of one export of this library, each is an edit of the item at the export, not of the other file. For
  /// an export of another library the imported file counts as the base, unless it had been edited.
  package func comes(before revision: FileRevision, in ownEpoch: String, isSameFile: Bool) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    if number == revision.number, isSameFile { return true }
    return number <= revision.number && isEdited != true && !sameBytes(epoch, ownEpoch)
  }

  /// Whether the other library exported the file `revision` before this one.
  package func isLater(than revision: FileRevision, in ownEpoch: String) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    return number > revision.number && !sameBytes(epoch, ownEpoch)
  }

  /// The same for an item's merge base as stored in its row.
  ///
  /// - Throws: `StoreError.broken` if `stored` is invalid.
  package static func isLater(_ stored: String?, than revision: FileRevision?, in snapshot: Snapshot) throws -> Bool {
    guard let revision, let last = try MergeBase(stored: stored) else { return false }
    return last.isLater(than: revision, in: snapshot.services.library.identity.epoch)
  }

  /// Whether it has this path. An import of bytes matches any import of bytes, and no path.
  package func isFile(at other: String?) -> Bool {
    guard let path, let other else { return path == nil && other == nil }
    return sameBytes(path, other)
  }
}
