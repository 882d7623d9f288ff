import Contract
import Kit
import Store
import Wire

enum SnoozeReminders: WriteMethod {
  static let name = "projects/snooze"
  static let summary =
    "Has a card remind once more, at an instant or after a while. Its reminders until now are over, and so is an earlier "
    + "snooze."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: ProjectID
    var until: String?
    var `for`: String?
    static let example = Params(id: "0192", until: nil, for: "10m")
    static let fields = [
      "id": "The card.",
      "until": "When it reminds: an instant, or in words, tomorrow 9am, monday, 6pm, 내일 오전 9시.",
      "for": "The time until it reminds: `10m`, `1h`, `2d`, `1w`.",
    ]
    static let limits: [String: FieldLimits] = [
      "until": .length(1...GivenReminder.longest, notBlank: true), "for": .length(1...32, notBlank: true),
    ]
    static let exactlyOne = [["until", "for"]]
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    let (field, given) = params.until.map { ("until", $0) } ?? ("for", params.for ?? "")
    let end =
      params.until.map { GivenReminder.moment($0, in: snapshot) } ?? GivenReminder.end(of: given, in: snapshot)
    guard let end else {
      throw RPCError.invalidParams(field: field, reason: Text("projects.noSnooze.\(field)", ["value": given]))
    }
    guard end > transaction.now else {
      throw RPCError.invalidParams(field: field, reason: Text("projects.snoozePast", ["value": given]))
    }
    let changed = try transaction.change(record) { card in
      (card.snoozedUntil, card.dismissedAt) = (end, transaction.now)
    }
    return try ProjectView(in: snapshot).project(changed)
  }
}

enum DismissReminders: WriteMethod {
  static let name = "projects/dismiss"
  static let summary = "Ends the reminders of a card until now, and a snooze. Later reminders stay."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound]

  struct Params: Payload {
    var id: ProjectID
    static let example = Params(id: "0192")
    static let fields = ["id": "The card."]
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let record = try transaction.snapshot.get(ProjectRecord.self, id: params.id.text)
    let changed = try transaction.change(record) { card in
      (card.snoozedUntil, card.dismissedAt) = (nil, transaction.now)
    }
    return try ProjectView(in: transaction.snapshot).project(changed)
  }
}
