import Contract
import Display
import Kit
import Store
import Wire

enum AddEntry: WriteMethod {
  static let name = "diary/add"
  static let summary = "Adds an entry. A repeated request with the same `id` and values returns the existing entry."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists]

  struct Params: TextParts {
    let given: JSONObject
    static let typeName = "AddEntry.Params"
    static let members =
      EntryRecord.fields.added + parts + [.param("id", EntryID.self, .optional, "An id chosen by the client.")]
    static let exactlyOne = [["text", "title"]]
    static let atMostOne = [["text", "body"]]
    static let example = Params(given: [
      "title": "A walk", "body": "Along the river.", "day": "yesterday", "id": "0192",
    ])
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let text = try params.newText()
    if text.isBlank { return try .empty }
    let snapshot = transaction.snapshot
    if let id = params.id, let known = try snapshot.find(EntryRecord.self, id: id) {
      guard sameBytes(known.text, text.text) else {
        throw RPCError(
          .exists, text: Text("diary.exists", ["id": id]), data: ["current": try DiaryEntry(known, in: snapshot).value])
      }
      return try SavedEntry(known, in: snapshot)
    }
    var record = EntryRecord(writtenIn: transaction)
    if let id = params.id { record.id = id }
    try record.set(params.values, in: snapshot)
    record.text = text.text
    let added = try transaction.insert(record, found: EntrySearch.entries(of: record))
    try EntryRecord.drafts.settle(
      saving: added, over: nil, text: params.text, title: params.title, body: params.body, in: transaction)
    return try SavedEntry(added, in: snapshot)
  }
}

enum UpdateEntry: WriteMethod, ManyItemsMethod {
  static let name = "diary/update"
  static let summary =
    "Changes an entry's text or day. The time and zone of writing stay; the old text stays in its history."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: TextParts {
    let given: JSONObject
    static let typeName = "UpdateEntry.Params"
    static let members =
      [.param("id", EntryID.self, .required, "The entry.")] + EntryRecord.fields.updated + parts + [
        versionParam, .ifRevision,
      ]
    static let atMostOne = [["text", "title", "version"], ["text", "body", "version"]]
    static let example = Params(given: ["id": "0192", "text": "A walk along the river, and back.", "ifRevision": 42])
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let record = try transaction.snapshot.get(EntryRecord.self, id: params.id ?? "")
    try transaction.require(record, at: params.ifRevision)
    let text = try params.newText(of: record, in: transaction)
    if text.isBlank { return try .empty }
    var wanted = record
    try wanted.set(params.values, in: transaction.snapshot)
    wanted.text = text.text
    let changed = try transaction.change(record) { $0 = wanted }
    // Restoring an old version saves no draft: the draft's base has been replaced.
    try EntryRecord.drafts.settle(
      saving: changed, over: params.version == nil ? record.revision : changed.revision, text: params.text,
      title: params.title, body: params.body, in: transaction)
    return try SavedEntry(changed, in: transaction.snapshot)
  }
}

extension EntryRecord {
  /// A new entry without text, written now and about today, both in the client's zone.
  init(writtenIn transaction: Transaction) {
    self.init()
    id = transaction.services.newID()
    timeZone = transaction.reader.zone.identifier
    writtenAt = transaction.now
    day = transaction.services.day(of: transaction.now, in: transaction.reader.zone)
  }
}
