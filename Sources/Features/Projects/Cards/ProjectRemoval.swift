import Contract
import Store
import Wire

enum RemoveProject: WriteMethod {
  static let name = "projects/remove"
  static let summary =
    "Removes a card, without a question. `changes/undo` brings it back to its place, and whom it held up."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var ifRevision: Int64?
    static let example = Params(id: "0192", ifRevision: nil)
    static let fields = ["id": "The card.", "ifRevision": "Refuse if the card has changed since this revision."]
  }

  struct Result: Payload {
    var removed: ProjectID
    static let example = Result(removed: "0192")
    static let fields = ["removed": "The card that was."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    // Who waits for it keeps its id: it blocks nobody while it is gone, and blocks again when it comes back.
    if try BoardColumns(in: transaction.snapshot).isOpen(record.state) {
      try Blockers.tellWaiting(for: record.id, in: transaction)
    }
    try transaction.remove(record)
    return Result(removed: params.id)
  }
}

enum RemoveAllProjects: RemoveEverythingMethod {
  static let name = "projects/removeAll"
  static let summary =
    "Removes every card, in one step for `changes/undo`. A dry run tells how many and gives the `confirm` it wants."
  static let question = "projects.confirmRemoveAll"
  typealias Item = ProjectRecord
}
