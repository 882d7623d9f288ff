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

extension TaskReading {
  func standIn(
    for task: ForeignTask, id: String, columns: BoardColumns, in snapshot: Snapshot
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
    let cards = try ProjectRecord.changed(at: number, in: snapshot)
    if let card = cards.first(where: { sameBytes(ConflictCopy.id(of: $0.id, from: epoch), uid) }) {
      // Its revisions say nothing of those of their own card.
      revision.epoch = FileRevision.epoch(history, ofCopy: uid)
      return .own(card, revision)
    }
    let isKnown = try cards.contains { card in
      let state = try card.states(in: snapshot).first { $0.clock == number }
      return try state.map { try ForeignTask($0.state, columns: columns).isSameCard(as: task) } ?? false
    }
    return isKnown ? .known : nil
  }
}
