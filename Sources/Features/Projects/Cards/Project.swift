import Contract
import Display
import Store
import Wire

/// A card as clients see it.
struct Project: Payload {
  var id: ProjectID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var title: String
  var body: String?
  var preview: String
  var state: ColumnID
  var rank: String
  var deadline: CalendarDay?
  var time: String?
  var overdue: Bool
  var tags: [String]
  var blockedBy: [ProjectID]
  var blocked: Bool
  var recurrence: Recurrence?
  var priority: Int?
  var writtenAt: Instant
  var startedAt: Instant?
  var movedAt: Instant?
  var completedAt: Instant?
  var editable: Bool
  var actions: [ColumnID]
  var nextCard: ProjectID?
  var display: Display

  struct Display: Payload {
    var state: String
    var due: String?
    var day: String?
    var dayTime: String?
    var badges: [String]?
    var actions: [String]
    var message: String?
    static let example = Display(
      state: "TODO", due: "Nov 21, 2026", day: "today", dayTime: "5:30 PM", badges: ["P1", "weekly", "waits"],
      actions: ["Move To DOING", "Move To DONE"], message: nil)
    static let fields = [
      "state": "The title of its column.",
      "due": "The deadline in the locale's medium style, with its time if it has one.",
      "day": "The day of it, or its word: yesterday, today, tomorrow.",
      "dayTime": "The time of that day, if it has one.",
      "badges":
        "What is to be seen in a list: its priority, how often it comes again, and that it waits for another card.",
      "actions": "The words for `actions`, in the same order.",
      "message": "What else came of a move: when the card comes again.",
    ]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      json.member("state", state)
      json.member("due", due)
      json.member("day", day)
      json.member("dayTime", dayTime)
      json.member("badges", badges)
      json.member("actions", actions)
      json.member("message", message)
      json.endObject()
    }
  }

  static let example = Project(
    id: "0192", revision: 42, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), title: "Return the book", body: "To the library.\nBefore six.",
    preview: "To the library.\nBefore six.", state: "todo", rank: "a0",
    deadline: CalendarDay(year: 2026, month: 11, day: 21), time: "17:30", overdue: false, tags: ["errands"],
    blockedBy: ["0191"], blocked: true, recurrence: .example, priority: 1,
    writtenAt: Instant(milliseconds: 1_795_225_445_678), startedAt: nil, movedAt: nil, completedAt: nil,
    editable: false,
    actions: ["doing", "done"], nextCard: nil, display: .example)

  static let fields = [
    "id": "The card.", "revision": "Changes with every update. Compared for equality only.",
    "createdAt": "When it came into the library.", "updatedAt": "When it last changed.", "title": "What is to be done.",
    "body": "What else is to be said, byte for byte; absent in lists.",
    "preview": "The first lines of the body, three unless `preview` said otherwise.",
    "state": "The column in which it stands.",
    "rank":
      "Its place in the column, before those that are greater byte by byte; of the same the lesser id comes first.",
    "deadline": "The day on which it is due, the same in every zone.",
    "time": "The time of that day, on the clock of wherever its reader is.",
    "overdue":
      "Whether it is open and its deadline is before today, by whole days in the library's zone from its `dayStartsAt` on.",
    "tags": "Its tags, in the order in which they were given.",
    "blockedBy": "The cards that have to be done before it.",
    "blocked": "Whether one of those is open.", "recurrence": "When it comes again.",
    "priority": "1, the highest, to 9.",
    "writtenAt": "When it was written; of an imported card what its file says.",
    "startedAt": "When work on it began: when it left the first column for another open one.",
    "movedAt": "When it last came from another column into an open one.",
    "completedAt": "When it came into a closed column, or its column was closed; absent in an open one.",
    "editable":
      "Whether this client has it open for writing: it keeps a draft of it. Otherwise a card opens to be read, until `projects/draft`.",
    "actions": "The columns that it can be moved to by `projects/move`: all others.",
    "nextCard": "Of a recurring card that `projects/move` has just finished: the card that comes next.",
    "display": "Strings for people.",
  ]

  func write(to json: inout JSONWriter) throws {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("title", title)
    json.member("body", body)
    json.member("preview", preview)
    json.member("state", state.text)
    json.member("rank", rank)
    json.member("deadline", deadline?.description)
    json.member("time", time)
    json.member("overdue", overdue)
    json.member("tags", tags)
    json.member("blockedBy", blockedBy.map(\.text))
    json.member("blocked", blocked)
    if let recurrence { try json.member("recurrence", recurrence) }
    json.member("priority", priority)
    json.member("writtenAt", writtenAt)
    json.member("startedAt", startedAt)
    json.member("movedAt", movedAt)
    json.member("completedAt", completedAt)
    json.member("editable", editable)
    json.member("actions", actions.map(\.text))
    json.member("nextCard", nextCard?.text)
    try json.member("display", display)
    json.endObject()
  }
}

/// How much of a card is told.
enum ProjectDetail {
  /// For a list.
  case summary
  case whole
}
