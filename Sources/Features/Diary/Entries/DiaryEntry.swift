import Contract
import Display
import Store
import Wire

/// An entry as clients see it.
struct DiaryEntry: Payload {
  var id: EntryID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var day: CalendarDay
  var timeZone: String
  var writtenAt: Instant
  var title: String
  var preview: String
  var text: String?
  var body: String?
  var actions: [EntryAction]
  var display: Display

  struct Display: Payload {
    var title: String
    var date: String
    var time: String
    var day: String
    var dayTime: String?
    var actions: [String]
    static let example = Display(
      title: "A walk", date: "Nov 21, 2026", time: "3:04 AM", day: "today", dayTime: "3:04 AM",
      actions: ["Share", "Delete"])
    static let fields = [
      "title":
        "What it is called: the title without the signs of a heading, cut off where it is too long for a list.",
      "date": "The day on which it was written, on the client's calendar.",
      "time": "When on that day it was written.",
      "day": "The day that it is about, in the locale's medium style, or its word: today, yesterday.",
      "dayTime": "When on that day it was written; absent where it was written on another.",
      "actions": "The words for `actions`, in the same order.",
    ]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("title", title)
      json.member("date", date)
      json.member("time", time)
      json.member("day", day)
      json.member("dayTime", dayTime)
      json.member("actions", actions)
      json.endObject()
    }
  }

  static let example = DiaryEntry(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), day: CalendarDay(year: 2026, month: 11, day: 21)!,
    timeZone: "Etc/UTC", writtenAt: Instant(milliseconds: 1_795_225_445_678), title: "A walk",
    preview: "Along the river.", text: "A walk\nAlong the river.", body: "Along the river.",
    actions: EntryAction.allCases, display: .example)

  static let fields = [
    "id": "The entry.", "revision": "Changes with every update. Compared for equality only.",
    "createdAt": "When it came into the library.", "updatedAt": "When it last changed.",
    "day": "The day that it is about, the same in every zone.",
    "timeZone": "The zone in which it was written.",
    "writtenAt": "When it was written; no update changes it. Of an imported entry, what its file says.",
    "title": "The first line that is not blank.", "preview": "The beginning of the body, on one line.",
    "text": "All of it, byte for byte; absent in lists.", "body": "What stands below the title; absent in lists.",
    "actions": "What can be done with it: `diary/share`, `diary/remove`.", "display": "Strings for people.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("day", day.description)
    json.member("timeZone", timeZone)
    json.member("writtenAt", writtenAt)
    json.member("title", title)
    json.member("preview", preview)
    json.member("text", text)
    json.member("body", body)
    json.member("actions", actions.map(\.rawValue))
    try json.member("display", display)
    json.endObject()
  }
}

/// What a client offers for an entry.
enum EntryAction: String, Choice {
  case share, remove
}

/// How much of an entry is told.
enum EntryDetail {
  /// For a list.
  case summary
  case whole
}

extension DiaryEntry {
  init(_ record: EntryRecord, _ detail: EntryDetail = .whole, in snapshot: Snapshot) {
    let parts = EntryText(record.text)
    id = EntryID(unchecked: record.id)
    revision = record.revision
    createdAt = record.createdAt
    updatedAt = record.updatedAt
    day = record.day
    timeZone = record.timeZone
    writtenAt = record.writtenAt
    title = parts.title
    preview = parts.preview
    text = detail == .whole ? record.text : nil
    body = detail == .whole ? parts.body : nil
    actions = EntryAction.allCases
    display = Display(title: parts.name, day: day, writtenAt: writtenAt, in: snapshot)
  }
}

extension DiaryEntry.Display {
  init(title: String, day: CalendarDay, writtenAt: Instant, in snapshot: Snapshot) {
    let (reader, services) = (snapshot.reader, snapshot.services)
    func words(_ key: String) -> String { services.catalogue.string(for: Text(key), language: reader.language) }
    self.title = title.isEmpty ? words("diary.noTitle") : Self.shortened(title)
    date = services.dates.string(.heading, at: writtenAt.milliseconds, for: reader)
    time = services.dates.string(.time, at: writtenAt.milliseconds, for: reader)
    self.day = services.dates.relativeString(
      .mediumDate, on: day.yearMonthDay, today: services.today(for: reader).yearMonthDay, for: reader)
    dayTime = services.day(of: writtenAt, in: reader.zone) == day ? time : nil
    actions = [words("diary.share"), words("confirm.delete")]
  }

  private static func shortened(_ title: String) -> String {
    let beginning = title.prefix(120)
    return beginning.endIndex == title.endIndex ? title : beginning + "…"
  }
}
