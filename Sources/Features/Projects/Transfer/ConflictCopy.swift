import Store
import Wire

/// The names of the cards that a task becomes beside one that was changed here too.
enum ConflictCopy {
  /// The card that follows the task's file from then on, and the next one where that was changed here too. What comes
  /// from another library is one card, whichever of its files brings it, and whenever.
  static func ids(of card: String, _ task: ForeignTask, from reading: TaskReading, in ownEpoch: String) -> [String] {
    let revision = task.revision.map { "\($0.number),\($0.epoch ?? "")" } ?? reading.format.rawValue
    let ofFile = DerivedID.text(of: ["copy", card, revision, reading.origin.path ?? ""].joined(separator: "\u{1F}"))
    guard let epoch = (task.revision ?? task.written)?.epoch, !sameBytes(epoch, ownEpoch) else { return [ofFile] }
    return [id(of: card, from: epoch), ofFile]
  }

  /// The same in any library, so that one knows by it what another has kept of its own.
  static func id(of card: String, from epoch: String) -> String {
    DerivedID.text(of: ["copy", card, epoch].joined(separator: "\u{1F}"))
  }

  /// The card that it becomes where all those were changed here too: another one whenever the file says something else.
  static func fixedID(
    of card: String, _ task: ForeignTask, waitingFor blockers: [String], in format: TaskFormat
  ) -> String {
    var parts = [
      card, task.source?.text ?? "", task.title, task.body, task.state.rawValue, task.due?.description ?? "",
    ]
    if format == .jsonl {
      // Whose text, if there is any, is that of the file in which the card came once.
      parts += [task.time, task.priority.map(String.init), task.recurrence, task.recurrenceDetails, task.column].map {
        $0 ?? ""
      }
      parts += [task.tags, blockers].map { $0.joined(separator: "\u{1F}") }
    }
    return DerivedID.text(of: parts.joined(separator: "/"))
  }
}

/// The card that a task without one of its own belongs to.
enum StandIn {
  /// The copy that was kept of its file: the card beside which it came is gone.
  case copy(ProjectRecord)
  /// What we said, in a card that another library keeps beside its own; what was changed of it there is an edit of ours.
  case own(ProjectRecord, FileRevision)
  /// What we said, and nothing else.
  case known
}

/// What cards of this library said once, and the names that another one gives to those that it keeps beside its own.
struct SaidCards: Sendable {
  private var copies = ChangedItems<ProjectRecord>()
  private var states = ChangedItems<ProjectRecord>()

  /// The card that a commit changed and whose copy has a name.
  fileprivate mutating func card(copiedAs name: String, at clock: Int64, in snapshot: Snapshot) throws -> ProjectRecord?
  {
    let epoch = snapshot.services.library.identity.epoch
    let ids = try copies.ids(changedAt: clock, key: name, in: snapshot) { ConflictCopy.id(of: $0, from: epoch) }
    return try ids.first.flatMap { try snapshot.find(ProjectRecord.self, id: $0) }
  }

  /// Whether a card that a commit changed said then what a task does.
  fileprivate mutating func said(
    _ task: ForeignTask, at clock: Int64, columns: BoardColumns, in snapshot: Snapshot
  ) throws -> Bool {
    func state(_ id: String) throws -> ForeignTask? {
      let card = try snapshot.find(ProjectRecord.self, id: id)
      return try card?.state(at: clock, in: snapshot).map { try ForeignTask($0, columns: columns) }
    }
    let ids = try states.ids(changedAt: clock, key: task.keyOfCard, in: snapshot) { try state($0)?.keyOfCard }
    return try ids.contains { try state($0)?.isSameCard(as: task) ?? false }
  }
}

extension ForeignTask {
  /// The same of all that are the same card, and of few others.
  fileprivate var keyOfCard: String {
    let due = [due?.description, time, priority.map(String.init)].map { $0 ?? "" }
    let texts = [title, body].map { TextLine.lines(of: $0).map(\.text).joined(separator: "\n") }
    return DerivedID.text(of: (texts + due + [state.rawValue] + tags.sorted()).joined(separator: "\u{1F}"))
  }
}

extension TaskReading {
  func standIn(
    for task: ForeignTask, id: String, among said: inout SaidCards, columns: BoardColumns, in snapshot: Snapshot
  ) throws -> StandIn? {
    if task.series != nil { return nil }
    let epoch = snapshot.services.library.identity.epoch
    for name in ConflictCopy.ids(of: id, task, from: self, in: epoch) {
      if let copy = try snapshot.find(ProjectRecord.self, id: name) { return .copy(copy) }
    }
    guard let uid = task.uid, var revision = task.revision, let history = revision.epoch, !sameBytes(history, epoch),
      let number = revision.number(in: epoch)
    else { return nil }
    // What came here once by its own name, and was removed, is no copy.
    if try RemovedItem(ProjectRecord.self, id: id, in: snapshot) != nil { return nil }
    if let card = try said.card(copiedAs: uid, at: number, in: snapshot) {
      // Its revisions say nothing of those of their own card.
      revision.epoch = FileRevision.epoch(history, ofCopy: uid)
      return .own(card, revision)
    }
    return try said.said(task, at: number, columns: columns, in: snapshot) ? .known : nil
  }
}
