import Contract
import Kit
import SQLite
import Store
import Wire

enum ClockProject: WriteMethod {
  static let name = "projects/clock"
  static let summary =
    "Starts the clock of a card, or with `stop` stops it and adds the minutes to `spent`. Only one clock runs at a time: "
    + "starting one stops the other. A card that is finished stops its clock."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: ProjectID
    var stop: Bool?
    var ifRevision: Int64?
    static let example = Params(id: "0192", stop: nil, ifRevision: nil)
    static let fields = [
      "id": "The card.", "stop": "Stop its clock. Default: start it, which changes nothing if it runs.",
      "ifRevision": "Fails with `conflict` if the card has another revision.",
    ]
  }
  typealias Result = Project

  static func run(_ params: Params, in transaction: Transaction) throws -> Project {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(ProjectRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let now = transaction.now
    if params.stop != true, record.clockedSince == nil {
      let running = try ProjectRecord.all(
        in: transaction.db, "WHERE clockedSince IS NOT NULL ORDER BY clockedSince, id")
      for other in running { try transaction.change(other) { $0.stopClock(at: now) } }
    }
    let changed = try transaction.change(record) { card in
      if params.stop == true { card.stopClock(at: now) } else { card.clockedSince = card.clockedSince ?? now }
    }
    return try ProjectView(in: snapshot).project(changed)
  }
}

extension ProjectRecord {
  /// Adds the time since its clock was started, in whole minutes. Nothing if it does not run.
  mutating func stopClock(at now: Instant) {
    guard let since = clockedSince else { return }
    // The computer's clock may have been set back.
    let minutes = Int(max(0, now.milliseconds - since.milliseconds + 30_000) / 60_000)
    spent = min((spent ?? 0) + minutes, Self.mostSpent)
    clockedSince = nil
  }
}
