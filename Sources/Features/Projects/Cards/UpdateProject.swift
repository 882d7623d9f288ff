import Contract
import Store
import Wire

enum UpdateProject: WriteMethod {
  static let name = "projects/update"
  static let summary =
    "Changes what a card says. Fields that are not given stay, so two clients that change different ones lose nothing; "
    + "of the same field the later holds, and the earlier stays in the history."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var title: Patch<String> = .absent
    var body: Patch<String> = .absent
    var deadline: Patch<GivenDay> = .absent
    var time: Patch<String> = .absent
    var tags: Patch<[String]> = .absent
    var blockedBy: Patch<[ProjectID]> = .absent
    var recurrence: Patch<Recurrence> = .absent
    var priority: Patch<Int> = .absent
    var ifRevision: Int64?
    static let example = Params(
      id: "0192", title: .value("Return both books"), deadline: .null, time: .null, tags: .value(["errands"]),
      ifRevision: 42)
    static let fields = [
      "id": "The card.", "title": "What is to be done, on one line; a card always has a title.",
      "body": "What else is to be said.",
      "deadline": "The day on which it is due, also in words, as in `projects/add`; without one it has no time either.",
      "time": "The time of that day: 18:30, or as it is said, as in `projects/add`.", "tags": "All of its tags.",
      "blockedBy": "All cards that have to be done before.",
      "recurrence": "When it comes again once it is done.", "priority": "1, the highest, to 9.",
      "ifRevision": "Refuse if the card has changed since this revision.",
    ]
    static let limits = ProjectContent.limits
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    var wanted = record
    switch params.title {
    case .absent: break
    case .null: throw RPCError.invalidParams(field: "title", reason: Text("param.blank"))
    case .value(let title):
      try ProjectContent.requireOneLine(title)
      wanted.title = title
    }
    wanted.body = params.body.applied(to: record.body) ?? ""
    wanted.deadline = try params.deadline.deadline(in: snapshot).applied(to: record.deadline)
    wanted.time = try params.time.time().applied(to: record.time)
    if case .null = params.deadline, params.time.isAbsent { wanted.time = nil }
    wanted.priority = params.priority.applied(to: record.priority)
    if !params.tags.isAbsent {
      wanted.tags = try StoredJSON(TagList.kept(params.tags.applied(to: nil) ?? []))
    }
    if !params.blockedBy.isAbsent {
      wanted.blockedBy = try StoredJSON(
        Blockers.kept(
          params.blockedBy.applied(to: nil) ?? [], of: record.id, known: record.blockers, in: snapshot))
    }
    if !params.recurrence.isAbsent {
      wanted.recurrence = try params.recurrence.applied(to: nil).map {
        try StoredJSON($0.kept(deadline: wanted.deadline)).json
      }
    }
    try wanted.requireSense()
    let changed = try transaction.change(record) { $0 = wanted }
    try DraftTable.projects.settle(saving: changed, over: record.revision, setting: params.setFields, in: transaction)
    return try ProjectView(in: snapshot).project(changed)
  }
}

extension UpdateProject.Params {
  /// What it sets of what a draft has.
  fileprivate var setFields: Set<ProjectDraftContent.Field> {
    let given: [(ProjectDraftContent.Field, Bool)] = [
      (.title, !title.isAbsent), (.body, !body.isAbsent), (.deadline, !deadline.isAbsent), (.time, !time.isAbsent),
      (.tags, !tags.isAbsent),
    ]
    return Set(given.filter(\.1).map(\.0))
  }
}
