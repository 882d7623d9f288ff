import Contract
import Display
import Store
import Wire

/// A card in replies.
typealias Project = ItemJSON<ShownProject>

/// A card as one client sees it.
struct ShownProject: ShownItem {
  static let name = "Project"

  let item: ProjectRecord
  let view: ProjectView
  let isOpen: Bool
  /// Those of the cards that it waits for that are there, with their columns. A removed one holds nothing up.
  let blockers: [(id: String, state: String)]
  let isBlocked: Bool
  /// Where it can be moved, with the words for that.
  let moves: ProjectView.Targets
  /// The card that comes next, where this one has just been finished.
  var next: ProjectRecord?

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "preview", "The first lines of the body, three unless `preview` said otherwise.",
      example: "To the library.\nBefore six."
    ) { BodyPreview.text(of: $0.item.body, lines: $0.view.lines) },
    DerivedMember(
      "overdue",
      "Whether it is open and its deadline is before today, by whole days in the library's zone from its `dayStartsAt` on.",
      example: false
    ) { shown in shown.isOpen && shown.item.deadline.map { $0 < shown.view.today } ?? false },
    DerivedMember("blockedBy", "The cards that have to be done before it.", example: ["0191"]) { shown in
      shown.blockers.map { ProjectID(unchecked: $0.id) }
    },
    DerivedMember("blocked", "Whether one of those is open.", example: true) { $0.isBlocked },
    DerivedMember(
      "editable",
      "Whether this client has it open for writing: it keeps a draft of it. Otherwise a card opens to be read, until `projects/draft`.",
      example: false
    ) { $0.view.isDrafted($0.item) },
    DerivedMember(
      "actions", "The columns that it can be moved to by `projects/move`: all others.", example: ["doing", "done"]
    ) { $0.moves.columns },
    DerivedMember(
      "nextCard", "Of a recurring card that `projects/move` has just finished: the card that comes next.", example: nil
    ) { $0.next.map { ProjectID(unchecked: $0.id) } },
    DerivedMember("display", "Strings for people.", example: Display.exampleValue) {
      try $0.view.display($0)
    },
  ]

  static let example: ProjectRecord = {
    var card = ProjectRecord()
    (card.id, card.revision) = ("0192", 42)
    card.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (card.updatedAt, card.writtenAt) = (card.createdAt, card.createdAt)
    (card.title, card.body) = ("Return the book", "To the library.\nBefore six.")
    (card.state, card.rank) = ("todo", "a0")
    (card.deadline, card.time) = (CalendarDay(year: 2026, month: 11, day: 21), "17:30")
    card.tags = StoredJSON(stored: #"["errands"]"#)
    card.blockedBy = StoredJSON(stored: #"["0191"]"#)
    card.recurrence = (try? StoredJSON(Recurrence.example))?.json
    card.priority = 1
    return card
  }()

  /// Strings for people.
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
    fileprivate static let exampleValue = (try? JSONEncoding.value(of: example)) ?? .null

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
}
