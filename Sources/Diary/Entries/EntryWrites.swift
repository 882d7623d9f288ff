import Contract
import Display
import Kit
import Store
import Wire

enum AddEntry: WriteMethod {
  static let name = "diary/add"
  static let summary = "Adds an entry. A repeated request with the same `id` and values returns the existing entry."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.ambiguous, .exists, .notFound]

  struct Params: TextParts {
    let given: JSONObject
    static let typeName = "AddEntry.Params"
    static let members =
      EntryRecord.fields.added + parts + [
        .param("id", EntryID.self, .optional, "An id chosen by the client."),
        .param(
          "template", String.self, .optional, limits: .length(0...8_192),
          "The note, or another item with a text, from which the entry begins: its title, id or stable link; empty for "
            + "the one of the setting `diary.template`. Its text below the title is the entry's, in which `{date}`, "
            + "`{day}`, `{weekday}` and `{time}` are filled in, and `{prompt: one? | another?}` is one of the "
            + "questions, on each day the next. With `dryRun` the reply has the text, and nothing is added."),
      ]
    static let exactlyOne = [["text", "title", "template"]]
    static let atMostOne = [["text", "body"], ["template", "body"]]
    static let example = Params(given: [
      "title": "A walk", "body": "Along the river.", "day": "yesterday", "id": "0192",
    ])
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let snapshot = transaction.snapshot
    var record = try EntryRecord(writtenIn: transaction)
    try record.set(params.values, in: snapshot)
    let template = try params.value("template", as: String.self)
    let text =
      try template.map { name in
        let text = try TitledText(EntryTemplate(named: name, in: snapshot).filled(for: record.day, in: transaction))
        try text.requireLength(of: "template")
        return text
      } ?? params.newText()
    if text.isBlank { return try .empty }
    if let id = params.id, let known = try snapshot.find(EntryRecord.self, id: id) {
      // The time of a filled template is another now.
      guard template != nil || sameBytes(known.text, text.text) else {
        throw RPCError(
          .exists, text: Text("diary.exists", ["id": id]), data: ["current": try DiaryEntry(known, in: snapshot).value])
      }
      return try SavedEntry(known, in: snapshot)
    }
    if let id = params.id { record.id = id }
    record.text = text.text
    if !params.sets("tags") { record.tags = TextTags.adding(to: [], from: record.text) }
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
    try wanted.set(params.given, in: transaction.snapshot)
    wanted.text = text.text
    if !params.sets("tags"), params.version == nil {
      wanted.tags = TextTags.adding(to: record.tags, from: wanted.text, over: record.text)
    }
    let changed = try transaction.change(record) { $0 = wanted }
    // Restoring an old version saves no draft: the draft's base has been replaced.
    try EntryRecord.drafts.settle(
      saving: changed, over: params.version == nil ? record.revision : changed.revision, text: params.text,
      title: params.title, body: params.body, in: transaction)
    return try SavedEntry(changed, in: transaction.snapshot)
  }
}

extension EntryRecord {
  /// A new entry without text, written now and about today, both in the client's zone, in the usual journal.
  ///
  /// - Throws: `DatabaseError`.
  init(writtenIn transaction: Transaction) throws {
    self.init()
    id = transaction.services.newID()
    timeZone = transaction.reader.zone.identifier
    writtenAt = transaction.now
    day = transaction.services.day(of: transaction.now, in: transaction.reader.zone)
    details.journal = try Journals.name(transaction.services.settings().diary.journal ?? "", in: transaction.db)
  }
}
