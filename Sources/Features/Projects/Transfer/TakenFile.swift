import Contract
import Store
import Wire

/// Which file of ours a card was last taken from, and in which commit.
///
/// A file goes on saying of which revision it was written, however often it is edited and taken over: a task that lives
/// on in Taskwarrior or on a server does. So what it is an edit of then is what the card took over from it last.
struct TakenFile: Codable, Sendable {
  /// The revision and the history that the file said.
  var number: Int64
  var epoch: String
  /// The commit that took it over.
  var clock: Int64

  /// Nil of a file that does not say its history.
  init?(_ revision: FileRevision?, at clock: Int64) {
    guard let revision, let epoch = revision.epoch else { return nil }
    (number, self.epoch, self.clock) = (revision.number, epoch, clock)
  }

  /// nil where a card was taken from none.
  init?(_ record: ProjectRecord) throws {
    guard let came = record.came else { return nil }
    self = try StoredJSON<TakenFile>(stored: came).value()
  }

  /// Whether a file is that one, or a later one of the same library, if that is another than this.
  func isBefore(_ revision: FileRevision, in ownEpoch: String) -> Bool {
    guard let epoch = revision.epoch, sameBytes(epoch, self.epoch) else { return false }
    return number == revision.number || number < revision.number && !sameBytes(epoch, ownEpoch)
  }
}

extension TaskChange {
  /// What a file of ours does that says something else than it did when its card took it over: the card follows unless it
  /// was changed since, or where the file has all of that too.
  static func sinceTaken(
    _ record: ProjectRecord, by task: ForeignTask, _ revision: FileRevision, _ columns: BoardColumns,
    in snapshot: Snapshot
  ) throws -> TaskChange {
    // Which task of a template comes again is not for the card to say.
    guard task.series == nil, let taken = try TakenFile(record),
      taken.isBefore(revision, in: snapshot.services.library.identity.epoch)
    else { return .conflict }
    let states = try CardHistory(record, in: snapshot).states
    guard let place = states.firstIndex(where: { $0.clock <= taken.clock }) else { return .conflict }
    let since = try states[...place].map { try ForeignTask($0.state, columns: columns) }
    // The file again, or what went out as it since.
    if since.contains(where: { $0.isSameCard(as: task) }) { return .none }
    let (card, then) = (since[0], since[place])
    if card.isSameCard(as: then) { return .update }
    let staysInColumn = [then.column, task.column ?? card.column].contains(card.column)
    return staysInColumn && task.hasAll(of: card, since: then) ? .update : .conflict
  }
}
