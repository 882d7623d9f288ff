import Contract
import GRDB
import Store
import Wire

enum RemoveEntry: WriteMethod {
  static let name = "diary/remove"
  static let summary = "Removes an entry. `changes/undo` brings it back."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: EntryID
    var ifRevision: Int64?
    var dryRun: Bool?
    static let example = Params(id: "0192", ifRevision: nil, dryRun: nil)
    static let fields = [
      "id": "The entry.", "ifRevision": "Refuse if the entry has changed since this revision.",
      "dryRun": "Only answer what to ask the reader before.",
    ]
  }

  struct Result: Payload {
    var removed: EntryID?
    var count: Int?
    var display: Confirmation?
    static let example = Result(removed: "0192", count: nil, display: nil)
    static let fields = [
      "removed": "The entry that was.", "count": "Of a dry run: how many entries would go.",
      "display": "Of a dry run: what to ask the reader.",
    ]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(EntryRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    if params.dryRun == true {
      let display = Confirmation.deleting(
        Text("diary.confirmRemove"), for: transaction.reader, services: transaction.services)
      return Result(removed: nil, count: 1, display: display)
    }
    try transaction.remove(record)
    return Result(removed: params.id, count: nil, display: nil)
  }
}

enum RemoveAllEntries: LongWriteMethod {
  static let name = "diary/removeAll"
  static let summary =
    "Removes every entry, in one step for `changes/undo`. A dry run tells how many and gives the `confirm` it wants."
  static let since = 1
  static let effects: Effects = [.writes, .destroys]

  struct Params: Payload {
    var dryRun: Bool?
    var confirm: String?
    static let example = Params(dryRun: true, confirm: nil)
    static let fields = [
      "dryRun": "Only answer what would go.",
      "confirm": "The `confirm` of a dry run since which no entry has changed.",
    ]
    static let limits: [String: FieldLimits] = ["confirm": .length(1...64)]
    static let atMostOne = [["dryRun", "confirm"]]
  }

  struct Result: Payload {
    var removed: Int?
    var count: Int?
    var display: Confirmation?
    var confirm: String?
    static let example = Result(
      removed: nil, count: 3, display: .example, confirm: "0f343b0931126a20f133d67c2b018a3b")
    static let fields = [
      "removed": "How many entries went.", "count": "Of a dry run: how many would go.",
      "display": "Of a dry run: what to ask the reader.", "confirm": "Of a dry run: to be given back.",
    ]
  }

  /// Where a slice ended.
  struct Position: Sendable {
    var removed: Int
    /// What was written after the first slice had begun stays.
    var newest: Int64
  }

  static func run(
    _ params: Params, from position: Position?, in transaction: Transaction
  ) throws -> Sliced<Position, Result> {
    let snapshot = transaction.snapshot
    if params.dryRun == true { return .done(try dryRun(in: snapshot)) }
    if position == nil { try ConfirmToken.everything(of: EntryRecord.self, in: snapshot).require(params.confirm) }
    var position = position ?? Position(removed: 0, newest: transaction.clock - 1)
    while let record = try EntryRecord.first(
      in: transaction.db, "WHERE revision <= ? ORDER BY revision LIMIT 1", [.integer(position.newest)])
    {
      guard transaction.hasRoom else { return .more(position) }
      try transaction.remove(record)
      position.removed += 1
    }
    return .done(Result(removed: position.removed, count: nil, display: nil, confirm: nil))
  }

  private static func dryRun(in snapshot: Snapshot) throws -> Result {
    let count = try snapshot.db.first("SELECT count(*) FROM diaryEntry") { $0.int(0) } ?? 0
    return Result(
      removed: nil, count: count,
      display: Confirmation.deleting(
        Text("diary.confirmRemoveAll", ["count": String(count)]), for: snapshot.reader, services: snapshot.services),
      confirm: try ConfirmToken.everything(of: EntryRecord.self, in: snapshot).text)
  }
}
