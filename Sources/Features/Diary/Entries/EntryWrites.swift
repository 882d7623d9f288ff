import Contract
import Display
import Store
import Wire

enum AddEntry: WriteMethod {
  static let name = "diary/add"
  static let summary =
    "Writes an entry. The same again, by an id of the client's own, is answered with the entry that is there."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.exists]

  struct Params: Payload {
    var text: String?
    var title: String?
    var body: String?
    var day: GivenDay?
    var id: EntryID?
    static let example = Params(text: nil, title: "A walk", body: "Along the river.", day: "yesterday", id: "0192")
    static let fields = [
      "text": "All of it, kept byte for byte. Its first line that is not blank is the title.",
      "title": "The title, where there is no `text`.", "body": "What stands below the title.",
      "day": "The day that it is about. Default: today in the client's zone, from the library's `dayStartsAt` on.",
      "id": "An id of the client's own.",
    ]
    static let limits: [String: FieldLimits] = [
      "text": .length(0...EntryText.maximumLength), "title": .length(0...EntryText.maximumLength / 2),
      "body": .length(0...EntryText.maximumLength / 2),
    ]
    static let exactlyOne = [["text", "title"]]
    static let atMostOne = [["text", "body"]]
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let text = params.text.map(EntryText.init) ?? EntryText(title: params.title ?? "", body: params.body)
    if text.isBlank { return .empty }
    try text.requireLength(of: params.text == nil ? "body" : "text")
    let snapshot = transaction.snapshot
    if let id = params.id, let known = try snapshot.find(EntryRecord.self, id: id.text) {
      guard sameBytes(known.text, text.text) else {
        throw RPCError(
          .exists, text: Text("diary.exists", ["id": id.text]),
          data: ["current": try JSONEncoding.value(of: DiaryEntry(known, in: snapshot))])
      }
      return SavedEntry(known, in: snapshot)
    }
    var record = EntryRecord()
    record.id = params.id?.text ?? transaction.services.newID()
    record.text = text.text
    record.timeZone = transaction.reader.zone.identifier
    record.writtenAt = transaction.now
    record.day =
      try params.day?.day("day", leaning: .back, in: snapshot)
      ?? transaction.services.day(of: transaction.now, in: transaction.reader.zone)
    let added = try transaction.insert(record, found: EntrySearch.entries(of: record))
    try DraftTable.diary.settle(
      saving: added, over: nil, text: params.text, title: params.title, body: params.body, in: transaction)
    return SavedEntry(added, in: snapshot)
  }
}

enum UpdateEntry: WriteMethod {
  static let name = "diary/update"
  static let summary =
    "Changes an entry's text or day. When and where it was written stays; the text before stays in its history."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: EntryID
    var text: String?
    var title: String?
    var body: String?
    var version: Int64?
    var day: GivenDay?
    var ifRevision: Int64?
    static let example = Params(
      id: "0192", text: "A walk along the river, and back.", title: nil, body: nil, version: nil, day: nil,
      ifRevision: 42)
    static let fields = [
      "id": "The entry.", "text": "All of its new text.", "title": "Its new title; the rest of the text stays.",
      "body": "What is to stand below the title; the title stays.",
      "version": "Restores the text as it was after this clock; `changes/history` lists the clocks.",
      "day": "The day that it is about.",
      "ifRevision": "Refuse if the entry has changed since this revision.",
    ]
    static let limits = AddEntry.Params.limits.merging(["version": .atLeast(1)]) { own, _ in own }
    static let atMostOne = [["text", "title", "version"], ["text", "body", "version"]]
  }
  typealias Result = SavedEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> SavedEntry {
    let record = try transaction.snapshot.get(EntryRecord.self, id: params.id.text)
    try transaction.require(record, at: params.ifRevision)
    let text = try newText(of: record, params, in: transaction)
    if EntryText(text).isBlank { return .empty }
    try EntryText(text).requireLength(of: params.text != nil ? "text" : params.body != nil ? "body" : "title")
    let day = try params.day?.day("day", leaning: .back, in: transaction.snapshot)
    let changed = try transaction.change(record) { record in
      record.text = text
      if let day { record.day = day }
    }
    // Who brings an old text back has not written it: what the draft was begun on is gone.
    try DraftTable.diary.settle(
      saving: changed, over: params.version == nil ? record.revision : changed.revision, text: params.text,
      title: params.title, body: params.body, in: transaction)
    return SavedEntry(changed, in: transaction.snapshot)
  }

  private static func newText(of record: EntryRecord, _ params: Params, in transaction: Transaction) throws -> String {
    guard let version = params.version else {
      return params.text ?? EntryText(record.text).replacing(title: params.title, body: params.body)
    }
    let clock = ["id": record.id, "clock": String(version)]
    let data: JSONObject = ["id": .string(record.id), "version": .integer(version)]
    // After a clock that is still to come nobody knows how it will be.
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
