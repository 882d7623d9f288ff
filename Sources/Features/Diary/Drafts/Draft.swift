import Contract
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

extension Draft {
  init(_ row: KeptDraft, withText: Bool, in snapshot: Snapshot) throws {
    let record = try snapshot.find(EntryRecord.self, id: row.item)
    id = EntryID(unchecked: row.item)
    connection = row.connection
    client = row.client
    startedAt = row.startedAt
    updatedAt = row.updatedAt
    isNew = record == nil
    isOutdated = record?.revision != row.revision
    revision = row.revision
    text = withText ? row.content : nil
    let shown = DiaryEntry.Display(
      title: EntryText(row.content).name, day: record?.day ?? snapshot.services.today(for: snapshot.reader),
      writtenAt: record?.writtenAt ?? snapshot.services.now(), in: snapshot)
    display = Display(heading: shown.date, title: shown.title)
  }
}

extension DraftTable {
  static let diary = DraftTable("diaryDraft", item: "entry", content: "text")

  /// Lets go of the drafts that have become this entry, of which the save set all the text or these parts; it had the
  /// revision `old`, or was none.
  func settle(
    saving entry: EntryRecord, over old: Int64?, text: String?, title: String?, body: String?,
    in transaction: Transaction
  ) throws {
    let setsAll = text != nil || title != nil && body != nil
    let revisions = (old: old, new: entry.revision)
    try settle(entry.id, saving: entry.text, revisions: revisions, in: transaction) { draft in
      setsAll ? entry.text : EntryText(draft).replacing(title: title, body: body)
    }
  }
}
