import Contract
import GRDB
import Store
import Wire

/// Text of an entry that was not saved, as clients see it.
struct Draft: Payload {
  var id: EntryID
  var connection: String
  var client: String
  var startedAt: Instant
  var updatedAt: Instant
  var isNew: Bool
  var isOutdated: Bool
  var revision: Int64?
  var text: String?
  var display: Display

  struct Display: Payload {
    var heading: String
    var title: String
    static let example = Display(heading: "Nov 21, 2026", title: "A walk")
    static let fields = [
      "heading": "The date that stands above the text: of a new entry today's, otherwise the entry's.",
      "title": "The title that it would have.",
    ]
  }

  static let example = Draft(
    id: "0192", connection: "0193", client: "nvim", startedAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), isNew: false, isOutdated: false, revision: 42, text: "A walk",
    display: .example)
  static let fields = [
    "id": "The entry; of a new one the id to add it by.", "connection": "The connection that wrote the draft.",
    "client": "The name of the client that wrote it.", "startedAt": "When it was begun.",
    "updatedAt": "When it was last kept.", "isNew": "There is no such entry yet, or no longer.",
    "isOutdated": "The entry has changed since the draft was begun.",
    "revision": "The entry's revision when the draft was begun, for `ifRevision`; absent for a new one.",
    "text": "What was not saved; absent in the answer to `diary/draft`.", "display": "Strings for people.",
  ]
}

/// A draft as its row has it. Each client has its own of an entry: what two people write at once is lost by neither.
struct DraftRow {
  var entry: String
  var connection: String
  var client: String
  var text: String
  var revision: Int64?
  var startedAt: Instant
  var updatedAt: Instant

  private static let columns = "entry, connection, client, text, revision, startedAt, updatedAt"

  static func find(_ entry: String, of connection: String, in db: Database) throws -> DraftRow? {
    try db.first(
      "SELECT \(columns) FROM diaryDraft WHERE entry = ? AND connection = ?", [.text(entry), .text(connection)],
      DraftRow.init)
  }

  /// The last kept first.
  static func all(in db: Database, behind cursor: [SQLValue]?, limit: Int) throws -> [DraftRow] {
    var rows: [DraftRow] = []
    let condition = cursor == nil ? "1" : "(updatedAt, entry, connection) < (?, ?, ?)"
    try db.each(
      "SELECT \(columns) FROM diaryDraft WHERE \(condition) ORDER BY updatedAt DESC, entry DESC, connection DESC LIMIT ?",
      (cursor ?? []) + [.integer(limit)]
    ) { rows.append(DraftRow($0)) }
    return rows
  }

  func keep(in db: Database) throws {
    try db.run(
      "INSERT OR REPLACE INTO diaryDraft (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(entry), .text(connection), .text(client), .text(text), .integer(revision),
        .integer(startedAt.milliseconds), .integer(updatedAt.milliseconds),
      ])
  }
}

extension DraftRow {
  fileprivate init(_ row: Columns) {
    entry = row.text(0)
    connection = row.text(1)
    client = row.text(2)
    text = row.text(3)
    revision = row.isNull(4) ? nil : row.integer(4)
    startedAt = Instant(milliseconds: row.integer(5))
    updatedAt = Instant(milliseconds: row.integer(6))
  }
}

extension Draft {
  init(_ row: DraftRow, withText: Bool, in snapshot: Snapshot) throws {
    let record = try snapshot.find(EntryRecord.self, id: row.entry)
    id = EntryID(unchecked: row.entry)
    connection = row.connection
    client = row.client
    startedAt = row.startedAt
    updatedAt = row.updatedAt
    isNew = record == nil
    isOutdated = record?.revision != row.revision
    revision = row.revision
    text = withText ? row.text : nil
    let shown = DiaryEntry.Display(
      title: EntryText(row.text).title, day: record?.day ?? snapshot.services.today(for: snapshot.reader),
      writtenAt: record?.writtenAt ?? snapshot.services.now(), in: snapshot)
    display = Display(heading: shown.date, title: shown.title)
  }
}

extension Transaction {
  /// Lets go of the drafts that a save makes needless: those of the client that saves, and any of the same text.
  /// Another client's unsaved text stays and is offered.
  func settleDrafts(of entry: String, saving text: String) throws {
    let condition = "entry = ? AND (connection = ? OR text = ?)"
    let values: [SQLValue] = [.text(entry), .text(caller.connectionID), .text(text)]
    guard try db.first("SELECT 1 FROM diaryDraft WHERE \(condition)", values, { $0.bool(0) }) == true else { return }
    keepSilent()
    try db.run("DELETE FROM diaryDraft WHERE \(condition)", values)
  }
}
