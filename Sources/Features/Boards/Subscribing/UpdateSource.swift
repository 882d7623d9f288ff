import Contract
import Store
import Wire

enum UpdateSource: WriteMethod {
  static let name = "boards/updateSource"
  static let summary =
    "Changes what a source is called, where it is, or who asks it. At another URL it is asked anew; what was fetched "
    + "stays."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.conflict, .exists, .invalidURL, .notFound]

  struct Params: Payload {
    var id: SourceID
    var title: Patch<String> = .absent
    var url: String?
    var credential: Patch<String> = .absent
    var folder: Patch<[String]> = .absent
    var ifRevision: Int64?
    static let example = Params(
      id: "0191", title: .value("The groupware"), url: nil, credential: .value("work"), folder: .absent,
      ifRevision: nil)
    static let fields = [
      "id": "The source.", "title": "What to call it; null for what it calls itself.",
      "url":
        "Where it is now; the same URL again confirms one that came from a file. No user, password or token in it, but "
        + "`{credential}` where the credential goes.",
      "credential": "The name of its credential in config.toml; null for none.",
      "folder": "The folders around it in an OPML file, from the outside; null for none.",
      "ifRevision": "Refuse if the source has changed since this revision.",
    ]
    static let limits: [String: FieldLimits] = [
      "title": .length(1...1_000, notBlank: true), "url": .length(1...4_096, notBlank: true),
      "credential": .length(1...256, notBlank: true), "folder": .length(0...32),
    ]
  }
  typealias Result = ShownSource

  static func run(_ params: Params, in transaction: Transaction) throws -> ShownSource {
    let snapshot = transaction.snapshot
    let record = try snapshot.get(SourceRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let url = try params.url.map { try SourceURL.checked($0, field: "url") } ?? record.url
    if let other = try SourceRecord.at(url, kind: record.kind, in: snapshot), other.id != record.id {
      throw RPCError(
        .exists, text: Text("boards.sourceThere", ["id": other.id]),
        data: ["current": try JSONEncoding.value(of: ShownSource(other, in: snapshot))])
    }
    let changed = try transaction.change(record) { record in
      record.url = url
      if params.url != nil { record.isTyped = true }
      record.title = params.title.applied(to: record.title)
      record.credential = params.credential.applied(to: record.credential)
      if !params.folder.isAbsent {
        let folder = params.folder.applied(to: nil) ?? []
        record.folder = folder.isEmpty ? nil : try StoredJSON(folder).json
      }
    }
    if changed.url != record.url || changed.credential != record.credential || changed.isTyped != record.isTyped {
      try askAnew(changed, isElsewhere: changed.url != record.url, in: transaction)
    }
    return try ShownSource(snapshot.get(SourceRecord.self, id: record.id), in: snapshot)
  }

  /// What was known of the place and its failures is not known of the new one.
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
    let services = transaction.services
    transaction.afterCommit { services.boardRefresher.wake(services) }
  }
}
