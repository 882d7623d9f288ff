import Contract
import Kit
import Store
import Wire

enum RemoveProject: RemoveItemMethod {
  static let name = "projects/remove"
  static let summary =
    "Removes a card, without confirmation. Its sub-tasks stay. `changes/undo` restores its place, its sub-tasks and the "
    + "cards it was blocking."

  static func remove(_ record: ProjectRecord, in transaction: Transaction) throws {
    // Waiting cards keep its id: it blocks nobody while it is removed, and blocks again when it is restored.
    if try BoardColumns(in: transaction.snapshot, of: record.board).isOpen(record.state) {
      try Blockers.notifyWaiting(for: record.id, in: transaction)
    }
    try transaction.remove(record)
    try Parents.notify(of: record.id, in: transaction)
    try Parents.notifyParts(of: record.id, in: transaction)
  }
}

enum RemoveAllProjects: RemoveEverythingMethod {
  static let name = "projects/removeAll"
  static let summary =
    "Removes every card of all boards, in one step for `changes/undo`. A dry run returns their number and the `confirm` "
    + "to send."
  static let question = "projects.confirmRemoveAll"
  typealias Item = ProjectRecord
}
