import Contract
import Exchange
import Kit
import Store
import Wire

enum AppendToProject: WriteMethod {
  static let name = "projects/append"
  static let summary =
    "Adds a note to the end of a card's body, on a line of its own that begins with the day and the time: "
    + "`2026-11-21 14:05 Called, nobody there.` An export to Taskwarrior makes an annotation of it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var text: String
    var dated: Bool?
    var ifRevision: Int64?
    static let example = Params(id: "0192", text: "Called, nobody there.", dated: nil, ifRevision: nil)
    static let fields = [
      "id": "The card.", "text": "The note. It may have several lines.",
      "dated": "False for the text alone, without the day and the time in the client's zone. Default: true.",
      "ifRevision": "Fails with `conflict` if the card has another revision.",
    ]
    static let limits: [String: FieldLimits] = ["text": .length(1...ProjectRecord.longestBody, notBlank: true)]
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let now = LocalDateTime(transaction.now, in: snapshot.reader.zone)
    let note = params.dated == false ? params.text : "\(now.day) \(now.clock) \(params.text)"
    let body = try TitledText(record.body).appending(note)
    let changed = try transaction.change(record) { $0.body = body }
    try ProjectDraft.settle(saving: changed, over: record.revision, setting: { $0 == "body" }, in: transaction)
    return try ProjectView(in: snapshot).project(changed)
  }
}
