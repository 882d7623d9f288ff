import Contract
import Kit
import Store
import Wire

enum AddProject: WriteMethod {
  static let name = "projects/add"
  static let summary =
    "Adds a card at the end of the first column of its board. The same again, by an id of the client's own, is answered with the card "
    + "that is there. A `line` is taken apart, and the reply states what was understood; with `dryRun` nothing is added."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists]

  typealias Params = NewProject
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    guard let text = try params.value("line", as: String.self) else {
      return try add(params, understood: nil, in: transaction)
    }
    let line = QuickLine(text, beside: params.given, in: transaction.snapshot)
    var given = params.given
    given["line"] = nil
    for member in line.values.members { given[member.key] = member.value }
    // The limits of the fields apply to the line too.
    let whole = try Params.decode(from: .object(given), strict: true)
    return try add(whole, understood: line.parts, mistake: line.mistake, in: transaction)
  }

  private static func add(
    _ params: Params, understood: [UnderstoodPart]?, mistake: Text? = nil, in transaction: Transaction
  ) throws -> Project {
    let snapshot = transaction.snapshot
    var values = params.values
    // Checked only if nobody added this card before: its parent or its blockers may have been removed since.
    var others: JSONObject = [:]
    for name in ["parent", "blockedBy"] {
      others[name] = values[name]
      values[name] = nil
    }
    var record = ProjectRecord()
    record.id = params.id ?? transaction.services.newID()
    // The default would often be before the start, and somebody who says when to begin has said enough.
    let isForLater = values["someday"] == true || values["start"].map { !$0.isNull } ?? false
    record.deadline = isForLater ? nil : snapshot.services.defaultDeadline(for: snapshot.reader)
    record.writtenAt = transaction.now
    try record.set(values, in: snapshot)
    try record.requireSense()
    if let known = try params.id.flatMap({ try snapshot.find(ProjectRecord.self, id: $0) }) {
      return try answer(known, for: record, params, in: snapshot)
    }
    try record.set(others, in: snapshot)
    let added = try transaction.place(
      record, atEndOf: BoardColumns(in: snapshot, of: record.board).first.state)
    if params.id != nil {
      // Cards that were blocked by a removed card with this id, or parts of it, are so again.
      try Blockers.notifyWaiting(for: added.id, in: transaction)
      try Parents.notifyParts(of: added.id, in: transaction)
    }
    // A client that gives no day accepts the default.
    try ProjectDraft.settle(
      saving: added, over: nil, setting: { ["title", "deadline"].contains($0) || params.sets($0) }, in: transaction)
    var shown = try ProjectView(in: snapshot).shown(added)
    shown.understood = understood
    shown.note = mistake
    shown.hasDefaultDeadline = added.deadline != nil && !params.sets("deadline")
    return try Project(shown)
  }

  /// A repeated add returns the card of the first one. Another card with this id is not overwritten silently.
  private static func answer(
    _ known: ProjectRecord, for record: ProjectRecord, _ params: Params, in snapshot: Snapshot
  ) throws -> Project {
    let current = try ProjectView(in: snapshot).project(known)
    let blockers = params.given["blockedBy"]?.arrayValue ?? []
    let waitsForSame = Set(known.blockedBy) == Set(blockers.compactMap(\.stringValue))
    let (old, given) = (known.recurrence, record.recurrence)
    // Its `start` may be the current day of that time.
    let hasSameRecurrence = old?.rule == given?.rule && old?.from == given?.from && old?.missed == given?.missed
    let isSame = try ProjectRecord.fields.all.allSatisfy { field in
      if field.input == nil || ["parent", "blockedBy", "recurrence"].contains(field.name) { return true }
      // The day may have changed between the two.
      if field.name == "deadline", !params.sets(field.name) { return true }
      return try field.isSame(known, record)
    }
    let hasSameParent = known.parent == params.given["parent"]?.stringValue
    if isSame, waitsForSame, hasSameRecurrence, hasSameParent { return current }
    throw RPCError(
      .exists, text: Text("projects.exists", ["id": known.id]), data: ["current": try current.value])
  }
}
