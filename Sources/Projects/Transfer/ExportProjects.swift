import Contract
import Display
import Exchange
import Kit
import Store
import Wire

enum ExportProjects: ExportMethod {
  static let name = "projects/export"
  static let summary =
    "Writes the cards of all boards, or of one, from one snapshot of the library, in the format of another program. A card "
    + "that was imported from a file of that format is exported with everything that was in it."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportProjects")

  struct Params: ExportParams {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: TaskFormat
    var board: String?
    static let example = Params(path: "/home/ann/tasks.ics", inline: nil, overwrite: nil, format: .ics, board: nil)
    static let fields = notes([
      "format":
        "`ics`, `taskwarrior` (for `task import`), `todotxt`, `markdown`, or `jsonl`: everything, a card a line, before them "
        + "the boards and columns. "
        + "`projects/import` reads all of them back.",
      "board": "Only the cards of this board: its id or title.",
    ])
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath), "board": CardBoards.paramLimits]
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var cards: Int
    static let example = Result(path: "/home/ann/tasks.ics", data: nil, cards: 12)
    static let fields = [
      "path": "The path of the file.", "data": "The file in base64.", "cards": "The number of cards.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  struct Plan: Sendable {
    var params: Params
    var caller: any Caller
    var zone: Zone
  }

  static func prepare(_ params: Params, in snapshot: Snapshot) throws -> Plan {
    try ExportPlace.require(params)
    return Plan(params: params, caller: snapshot.caller, zone: snapshot.reader.zone)
  }

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let cards = try await services.library.read(as: plan.caller) { snapshot in
      let boards = try CardBoards(in: snapshot)
      let board = try params.board.map { try boards.require(named: $0, in: snapshot) }
      let cards =
        try board.map {
          try ProjectRecord.all(in: snapshot.db, "WHERE board = ? ORDER BY createdAt, id", [.text($0.id)])
        } ?? ProjectRecord.all(in: snapshot.db, "ORDER BY createdAt, id")
      return try ExportedCards(
        cards, boards: board.map { boards.only([$0]) } ?? boards, epoch: services.library.identity.epoch)
    }
    let (now, remindAt) = (services.now(), services.settings().cards.remindAt)
    let written = try await ExportPlace(params, services: services).write(
      progress
    ) {
      let tasks = try cards.tasks(as: params.format, zone: plan.zone)
      let text = try TaskExchange.write(
        tasks, as: params.format, boards: cards.boards, zone: plan.zone, now: now, remindAt: remindAt)
      return (Array(text.utf8), tasks.count)
    }
    return Result(path: written.path, data: written.data, cards: written.count)
  }
}
