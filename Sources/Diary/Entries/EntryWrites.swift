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

  struct Params: EntryParts {
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
    let text = params.text.map(EntryText.init) ?? EntryText(title: params.title ?? "", body: params.body)
    if text.isBlank { return try .empty }
    try text.requireLength(of: params.text == nil ? "body" : "text")
    let snapshot = transaction.snapshot
    if let id = params.id, let known = try snapshot.find(EntryRecord.self, id: id) {
      guard sameBytes(known.text, text.text) else {
        throw RPCError(
          .exists, text: Text("diary.exists", ["id": id]), data: ["current": try DiaryEntry(known, in: snapshot).value])
      }
      return try SavedEntry(known, in: snapshot)
    }
    var record = EntryRecord()
    record.id = params.id ?? transaction.services.newID()
    record.timeZone = transaction.reader.zone.identifier
    record.writtenAt = transaction.now
    record.day = transaction.services.day(of: transaction.now, in: transaction.reader.zone)
    try record.set(params.values, in: snapshot)
    record.text = text.text
    let added = try transaction.insert(record, found: EntrySearch.entries(of: record))
    try DraftTable.diary.settle(
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

  struct Params: EntryParts {
    let given: JSONObject
    static let typeName = "UpdateEntry.Params"
    static let members =
      [.param("id", EntryID.self, .required, "The entry.")] + EntryRecord.fields.updated + parts + [
        .param(
          "version", Int64.self, .optional, limits: .atLeast(1),
          "Restores the text as of this clock; `changes/history` lists the clocks."),
        .ifRevision,
      ]
    static let atMostOne = [["text", "title", "version"], ["text", "body", "version"]]
    static let example = Params(given: ["id": "0192", "text": "A walk along the river, and back.", "ifRevision": 42])

    var version: Int64? { given["version"]?.exactInteger }
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let record = try transaction.snapshot.get(EntryRecord.self, id: params.id ?? "")
    try transaction.require(record, at: params.ifRevision)
    let text = try newText(of: record, params, in: transaction)
    if EntryText(text).isBlank { return try .empty }
    try EntryText(text).requireLength(of: params.text != nil ? "text" : params.body != nil ? "body" : "title")
    var wanted = record
    try wanted.set(params.values, in: transaction.snapshot)
    wanted.text = text
    let changed = try transaction.change(record) { $0 = wanted }
    // Restoring an old version saves no draft: the draft's base has been replaced.
    try DraftTable.diary.settle(
      saving: changed, over: params.version == nil ? record.revision : changed.revision, text: params.text,
      title: params.title, body: params.body, in: transaction)
    return try SavedEntry(changed, in: transaction.snapshot)
  }

  private static func newText(of record: EntryRecord, _ params: Params, in transaction: Transaction) throws -> String {
    guard let version = params.version else {
      return params.text ?? EntryText(record.text).replacing(title: params.title, body: params.body)
    }
    let clock = ["id": record.id, "clock": String(version)]
    let data: JSONObject = ["id": .string(record.id), "version": .integer(version)]
    // There is no version for a future clock.
    guard version < transaction.clock else {
      let words = clock.merging(["current": String(record.revision)]) { own, _ in own }
      throw RPCError(.notFound, text: Text("diary.noVersionYet", words), data: data)
    }
    let old = try ItemVersion.text(
      "text", of: EntryRecord.collectionName, table: EntryRecord.tableName, id: record.id, after: version,
      in: transaction.snapshot)
    guard let old else { throw RPCError(.notFound, text: Text("diary.noVersion", clock), data: data) }
    return old
  }
}

/// Params with an entry's text, or its parts.
protocol EntryParts: FieldParams {}

extension EntryParts {
  static var parts: [ObjectShape.Field] {
    [
      .param(
        "title", String.self, .optional, limits: .length(0...EntryText.maximumLength / 2),
        "The title, without `text`. In an update the rest of the text stays."),
      .param(
        "body", String.self, .optional, limits: .length(0...EntryText.maximumLength / 2),
        "The text below the title. In an update the title stays."),
    ]
  }

  var text: String? { given["text"]?.stringValue }
  var title: String? { given["title"]?.stringValue }
  var body: String? { given["body"]?.stringValue }
}
