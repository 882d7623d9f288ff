import Contract
import Kit
import Store
import Wire

enum UpdateProject: WriteMethod, ManyItemsMethod {
  static let name = "projects/update"
  static let summary =
    "Changes fields of a card. Fields that are not given stay, so two clients that change different ones lose nothing; "
    + "for the same field the last write wins, and the history has the earlier one. On another `board` the card "
    + "lands as in `projects/move`."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  typealias Params = ItemUpdate<ShownProject>
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id ?? "")
    try transaction.require(record, at: params.ifRevision)
    var wanted = record
    try wanted.set(params.given, in: snapshot)
    // Without a day there is no time of day either.
    if params.given["deadline"]?.isNull == true, !params.sets("time") { wanted.time = nil }
    // A client that moves the deadline may not know of the start, which follows rather than prevents it.
    if !params.sets("start"), let deadline = wanted.deadline { wanted.start = wanted.start.map { min($0, deadline) } }
    try wanted.requireSense()
    let board = wanted.board
    wanted.board = record.board
    var changed = try transaction.change(record) { $0 = wanted }
    var (next, note): (ProjectRecord?, Text?)
    if !sameBytes(board, record.board) {
      let landing = try CardBoards(in: snapshot).landing(of: changed, on: board, in: snapshot)
      (changed, next) = try transaction.move(changed, to: landing.column, on: board)
      note = landing.note
    }
    if changed.parent != record.parent { try Parents.notify(of: changed.id, in: transaction) }
    try ProjectDraft.settle(saving: changed, over: record.revision, setting: params.sets, in: transaction)
    return try ProjectView(in: snapshot).project(changed, followedBy: next, note: note)
  }
}
