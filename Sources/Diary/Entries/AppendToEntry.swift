import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

enum AppendToEntry: WriteMethod {
  static let name = "diary/append"
  static let summary =
    "Adds lines to the end of an entry, or to the last one written of a day; a day without an entry gets one."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: EntryID?
    var day: GivenDay?
    var journal: String?
    var text: String
    var ifRevision: Int64?
    static let example = Params(id: nil, day: "today", journal: nil, text: "- Rain at last.", ifRevision: nil)
    static let fields = [
      "id": "The entry.", "day": "The day, without `id`. Default today.",
      "journal":
        "The journal, without `id`: only an entry in it is continued, and a new one is put into it. Default: any.",
      "text": "The lines, stored byte for byte, on a line of their own.",
      "ifRevision": "Fails with `conflict` if the entry has another revision.",
    ]
    static let limits: [String: FieldLimits] = [
      "text": .length(1...TitledText.maximumLength, notBlank: true), "journal": .length(0...EntryDetails.longest),
    ]
    static let atMostOne = [["id", "day"], ["id", "journal"]]
  }
  typealias Result = DiaryEntry

  static func run(_ params: Params, in transaction: Transaction) throws -> DiaryEntry {
    let snapshot = transaction.snapshot
    if let id = params.id {
      let entry = try snapshot.get(EntryRecord.self, id: id.text)
      try transaction.require(entry, at: params.ifRevision)
      return try append(params.text, to: entry, in: transaction)
    }
    let day = try (params.day ?? "today").day("day", leaning: .back, in: snapshot)
    let journal = params.journal.map { SQLValue.text(foldedText(EntryDetails.oneLine($0))) } ?? .null
    let last = try snapshot.db.texts(
      """
      SELECT id FROM \(EntryRecord.tableName) WHERE day = ?1 AND (?2 IS NULL OR fold(journal) = ?2)
      ORDER BY writtenAt DESC, id DESC LIMIT 1
      """,
      [.text(day.description), journal]
    ).first
    if let last {
      let entry = try snapshot.get(EntryRecord.self, id: last)
      try transaction.require(entry, at: params.ifRevision)
      return try append(params.text, to: entry, in: transaction)
    }
    guard params.ifRevision == nil else {
      throw RPCError.invalidParams(field: "ifRevision", reason: Text("diary.noEntryYet", ["day": day.description]))
    }
    var entry = try EntryRecord(writtenIn: transaction)
    entry.day = day
    if let journal = params.journal { try entry.set(["journal": .string(journal)], in: snapshot) }
    entry.text = try TitledText("").appending(params.text)
    entry.tags = TextTags.adding(to: [], from: entry.text)
    return try DiaryEntry(transaction.insert(entry, found: EntrySearch.entries(of: entry)), in: snapshot)
  }

  private static func append(
    _ lines: String, to entry: EntryRecord, in transaction: Transaction
  ) throws -> DiaryEntry {
    let text = try TitledText(entry.text).appending(lines)
    let tags = TextTags.adding(to: entry.tags, from: text, over: entry.text)
    return try DiaryEntry(transaction.change(entry) { ($0.text, $0.tags) = (text, tags) }, in: transaction.snapshot)
  }
}
