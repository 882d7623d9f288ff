import Contract
import Store
import Wire

enum AddProject: WriteMethod {
  static let name = "projects/add"
  static let summary =
    "Adds a card at the end of the first column. The same again, by an id of the client's own, is answered with the card "
    + "that is there."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists]

  struct Params: Payload {
    var title: String
    var body: String?
    var deadline: Patch<GivenDay> = .absent
    var time: String?
    var tags: [String]?
    var blockedBy: [ProjectID]?
    var recurrence: Recurrence?
    var priority: Int?
    var id: ProjectID?
    static let example = Params(
      title: "Return the book", body: "To the library.", deadline: .value("2026-11-21"),
      time: nil, tags: ["errands"], blockedBy: [], recurrence: nil, priority: nil, id: "0192")
    static let fields = [
      "title": "What is to be done, on one line.", "body": "What else is to be said, kept byte for byte.",
      "deadline":
        "The day on which it is due. Default: today in the client's zone, from the library's `dayStartsAt` on, or today in "
        + "the library's where that is later, so that no card begins overdue; `null` is none. Also in words: tomorrow, next "
        + "friday, 내일; `this friday` is today or the coming one, never one that has gone by.",
      "time":
        "The time of that day: 18:30, or as it is said, 9am, noon, 오후 6시 30분, 저녁 7시, 午後3時半, 下午三点半; midnight is "
        + "its beginning, 00:00.",
      "tags": "Its tags; white space around them goes, and one that is there twice.",
      "blockedBy": "The cards that have to be done before.", "recurrence": "When it comes again once it is done.",
      "priority": "1, the highest, to 9.", "id": "An id of the client's own.",
    ]
    static let limits = ProjectContent.limits
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    var record = ProjectRecord()
    record.id = params.id?.text ?? transaction.services.newID()
    try ProjectContent.requireOneLine(params.title)
    record.title = params.title
    record.body = params.body ?? ""
    record.deadline = try deadline(params, in: snapshot)
    record.time = try params.time.map(TimeOfDay.kept)
    record.priority = params.priority
    record.writtenAt = transaction.now
    if let tags = params.tags { record.tags = try StoredJSON(TagList.kept(tags)) }
    if let recurrence = params.recurrence {
      record.recurrence = try StoredJSON(recurrence.kept(deadline: record.deadline)).json
    }
    try record.requireSense()
    if let known = try params.id.flatMap({ try snapshot.find(ProjectRecord.self, id: $0.text) }) {
      return try answer(known, for: record, params, in: snapshot)
    }
    if let blockers = params.blockedBy, !blockers.isEmpty {
      record.blockedBy = try StoredJSON(Blockers.kept(blockers, of: record.id, in: snapshot))
    }
    let added = try transaction.place(record, atEndOf: BoardColumns(in: snapshot).first.state)
    if params.id != nil {
      // Whom one of this id held up that was removed, it holds up again.
      try Blockers.tellWaiting(for: added.id, in: transaction)
    }
    try DraftTable.projects.settle(saving: added, over: nil, setting: params.setFields, in: transaction)
    return try ProjectView(in: snapshot).project(added)
  }

  private static func deadline(_ params: Params, in snapshot: Snapshot) throws -> CalendarDay? {
    try params.deadline.deadline(in: snapshot).applied(to: snapshot.services.usualDeadline(for: snapshot.reader))
  }

  /// An add that came twice is answered with what the first one made; another card is not overwritten in silence.
  private static func answer(
    _ known: ProjectRecord, for record: ProjectRecord, _ params: Params, in snapshot: Snapshot
  ) throws -> Project {
    let current = try ProjectView(in: snapshot).project(known)
    let waitsForSame = try Set(known.blockers) == Set(params.blockedBy.map { $0.map(\.text) } ?? [])
    let (kept, given) = (try known.recurrenceValue, try record.recurrenceValue)
    // Its `start` may be the day that was today then.
    let comesAgainAsOften = kept?.rule == given?.rule && kept?.from == given?.from && kept?.missed == given?.missed
    // The day may have turned between the two.
    let isSame =
      sameBytes(known.title, record.title) && sameBytes(known.body, record.body)
      && (params.deadline.isAbsent || known.deadline == record.deadline) && known.time == record.time
      && known.priority == record.priority && sameBytes(known.tags.json, record.tags.json) && waitsForSame
      && comesAgainAsOften
    if isSame { return current }
    throw RPCError(
      .exists, text: Text("projects.exists", ["id": known.id]), data: ["current": try JSONEncoding.value(of: current)])
  }
}

extension AddProject.Params {
  /// What it says of what a draft has: who gives no day, means the one that the card gets.
  fileprivate var setFields: Set<ProjectDraftContent.Field> {
    let given: [(ProjectDraftContent.Field, Bool)] = [(.body, body != nil), (.time, time != nil), (.tags, tags != nil)]
    return Set([.title, .deadline] + given.filter(\.1).map(\.0))
  }
}
