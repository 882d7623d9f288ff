import Contract
import Kit
import SQLite
import Store
import Wire

enum UpdateSource: WriteMethod, ManyItemsMethod {
  static let name = "boards/updateSource"
  static let summary =
    "Changes a source's title, URL or credential, or its limits: how many of its posts are stored, how often it is fetched, "
    + "and whether it is quiet. A new URL is fetched; stored posts stay."
  static let effects: Effects = .writes
  /// The source is fetched from its new place, or at other times; whole texts are fetched from the places of its posts.
  /// Posts beyond the limits are dropped without undo.
  static let paramEffects: [String: Effects] = [
    "url": .network, "credential": .network, "items": .network, "every": .network, "wholeText": .network,
    "keepDays": .destroys, "keepPosts": .destroys,
  ]
  static let errors: [ErrorKind] = [.conflict, .exists, .invalidURL, .notFound]

  typealias Params = ItemUpdate<ShownSource>
  typealias Result = SourceReply

  static func run(_ params: Params, in transaction: Transaction) throws -> SourceReply {
    let snapshot = transaction.snapshot
    let (old, new) = try params.change(in: transaction) { source, _ in
      if let other = try SourceRecord.at(source.url, kind: source.kind, in: snapshot), other.id != source.id {
        throw RPCError(
          .exists, text: Text("boards.sourceThere", ["id": other.id]),
          data: ["current": try SourceReply(other, in: snapshot).value])
      }
    }
    // A person confirms the URL, and not the place to which its archive has moved it. A page is another source than the
    // feed that it names.
    let isElsewhere = new.url != old.url || new.isTyped != old.isTyped || new.items != old.items
    if isElsewhere || new.credential != old.credential {
      try askAnew(new, isElsewhere: isElsewhere, in: transaction)
    }
    if new.every != old.every { try reschedule(new, in: transaction) }
    if new.isQuiet != old.isQuiet { try SourceLimits.reportCounts(of: new.id, in: transaction) }
    return try SourceReply(snapshot.get(SourceRecord.self, id: old.id), in: snapshot)
  }

  /// Applies another interval to the next fetch.
  private static func reschedule(_ source: SourceRecord, in transaction: Transaction) throws {
    guard let heard = source.fetchedAt, source.failures == 0 else { return }
    let next = RefreshSchedule.next(after: heard, of: source.id, freshFor: nil, every: source.every)
    try SourceRecord.note([("nextAt", .integer(next.milliseconds))], of: source.id, in: transaction)
    transaction.wakeRefresher()
  }

  /// The same for a source whose place an undo or another device has changed. One that was never requested here, since
  /// another device has added it, is due.
  static func askRestored(_ id: String, in transaction: Transaction) throws {
    guard let record = try transaction.snapshot.find(SourceRecord.self, id: id) else { return }
    if record.nextAt == nil { transaction.wakeRefresher() }
    func isChanged(_ column: String) -> Bool {
      transaction.former(column, of: id, in: SourceRecord.collectionName) != nil
    }
    let isElsewhere = isChanged("url") || isChanged("items")
    guard isElsewhere || isChanged("credential") else { return }
    try askAnew(record, isElsewhere: isElsewhere, in: transaction)
  }

  /// The failures and validators of the old place do not apply to the new one.
  static func askAnew(_ record: SourceRecord, isElsewhere: Bool, in transaction: Transaction) throws {
    var values: [(column: String, value: SQLValue)] = [
      ("failures", .integer(0)), ("failure", .null), ("isStopped", .bool(false)), ("nextAt", .null),
    ]
    if isElsewhere { values += [("movedTo", .null), ("state", .null)] }
    try SourceRecord.note(values, of: record.id, in: transaction)
    for board in try BoardRecord.all(of: record.id, in: transaction.snapshot) {
      var values: [(column: String, value: SQLValue)] = [("failure", .null), ("freshUntil", .null)]
      if isElsewhere { values.append(("state", .null)) }
      try BoardRecord.note(values, of: board.id, in: transaction)
    }
    transaction.wakeRefresher()
  }
}
