import Contract
import Store
import Wire

/// Which file of ours an item was last taken from, and in which commit.
///
/// A file goes on saying of which revision it was written, however often it is edited and taken over: a task that lives
/// on in Taskwarrior or on a server does, and so does a diary in a folder. So what it is an edit of then is what the item
/// took over from it last.
struct TakenFile: Codable, Sendable {
  /// The revision and the history that the file said.
  var number: Int64
  var epoch: String
  /// The commit that took it over.
  var clock: Int64
  /// Its absolute path, without links; nil where it came as bytes.
  var path: String?
  /// What it said else than the item then did, as values of columns: fields that had been changed here and stayed. Nil
  /// where the two said the same.
  var said: JSONObject?

  /// Nil of a file that does not say its history.
  init?(_ revision: FileRevision?, from path: String?, at clock: Int64, said: JSONObject = [:]) {
    guard let revision, let epoch = revision.epoch else { return nil }
    (number, self.epoch, self.clock, self.path) = (revision.number, epoch, clock, path)
    self.said = said.isEmpty ? nil : said
  }

  /// As a row keeps it; nil where an item was taken from none.
  init?(stored: String?) throws {
    guard let stored else { return nil }
    self = try StoredJSON<TakenFile>(stored: stored).value()
  }

  var stored: String {
    get throws { try StoredJSON(self).json }
  }

  /// Whether a file is that one, edited since or not, or what another library wrote later. Two files of one export are
  /// two: each is an edit of the item as it was when they were written, and not of what the other made of it.
  func comes(before revision: FileRevision, in ownEpoch: String, isSameFile: Bool) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    return number == revision.number ? isSameFile : number < revision.number && !sameBytes(epoch, ownEpoch)
  }
}
