import Contract
import Store
import Wire

/// What became of a text that was to be stored: the entry, or the reason why there is none.
///
/// The fields of the entry stand beside `saved`, as every write answers its item; a text of white space only has none.
struct SavedEntry: Payload {
  /// Why nothing was stored.
  enum Reason: String, Choice {
    case empty
  }

  var saved: Bool
  var reason: Reason?
  var id: EntryID?
  var revision: Int64?
  var createdAt: Instant?
  var updatedAt: Instant?
  var day: CalendarDay?
  var timeZone: String?
  var writtenAt: Instant?
  var title: String?
  var preview: String?
  var text: String?
  var body: String?
  var actions: [EntryAction]?
  var display: DiaryEntry.Display?

  static let example = SavedEntry(DiaryEntry.example)
  static let fields = DiaryEntry.fields.merging([
    "saved": "False when the text is white space only: nothing was stored or changed, and there is no entry here.",
    "reason": "Why nothing was saved.",
  ]) { own, _ in own }

  static let empty = SavedEntry(saved: false, reason: .empty)

  private init(saved: Bool, reason: Reason?) {
    self.saved = saved
    self.reason = reason
  }

  init(_ entry: DiaryEntry) {
    self.init(saved: true, reason: nil)
    id = entry.id
    revision = entry.revision
    createdAt = entry.createdAt
    updatedAt = entry.updatedAt
    day = entry.day
    timeZone = entry.timeZone
    writtenAt = entry.writtenAt
    title = entry.title
    preview = entry.preview
    text = entry.text
    body = entry.body
    actions = entry.actions
    display = entry.display
  }

  init(_ record: EntryRecord, in snapshot: Snapshot) { self.init(DiaryEntry(record, in: snapshot)) }

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("saved", saved)
    json.member("reason", reason?.rawValue)
    json.member("id", id?.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("day", day?.description)
    json.member("timeZone", timeZone)
    json.member("writtenAt", writtenAt)
    json.member("title", title)
    json.member("preview", preview)
    json.member("text", text)
    json.member("body", body)
    json.member("actions", actions.map { $0.map(\.rawValue) })
    if let display { try json.member("display", display) }
    json.endObject()
  }
}
