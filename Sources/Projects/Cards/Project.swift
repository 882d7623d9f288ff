import Contract
import Display
import Kit
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
  /// The ids of the existing cards that it waits for. A removed card blocks nothing.
  let blockers: [String]
  let isBlocked: Bool
  /// The card that it is a part of, if that exists.
  let parent: (id: String, title: String)?
  let children: DoneCount?
  /// Its parts that are open although it has just been finished.
  var openChildren: [String] = []
  let columnTitle: String
  /// The columns that it can be moved to, with the words for that.
  let moves: ProjectView.Targets
  /// The next card of its series, if this one has just been finished.
  var next: ProjectRecord?
  /// A further effect of a move, or a mistake in the line that it was just added from, for people.
  var note: Text?
  /// The parts that were read as fields of the line that it was just added from.
  var understood: [UnderstoodPart]?
  /// Whether it was just added without a deadline and got the default.
  var hasDefaultDeadline = false

  static let derived: [DerivedMember<Self>] = [
    DerivedMember(
      "preview", "The first lines of the body, three unless `preview` specifies otherwise.",
      example: "To the library."
    ) { BodyPreview.text(of: $0.item.body, lines: $0.view.lines) },
    DerivedMember(
      "overdue",
      "Whether it is open and its deadline is before today in the library's zone, by whole days from its "
        + "`dayStartsAt`.",
      example: false
    ) { shown in shown.isOpen && shown.item.deadline.map { $0 < shown.view.today } ?? false },
    DerivedMember(
      "later",
      "True while it is open and out of sight: for someday, or with a `start` after today in the library's zone.",
      example: nil
    ) { $0.view.isLater($0.item) ? true : nil },
    DerivedMember("blockedBy", "The cards that must be done before it.", example: ["0191"]) { shown in
      shown.blockers.map { ProjectID(unchecked: $0) }
    },
    DerivedMember("blocked", "Whether one of those is open.", example: true) { $0.isBlocked },
    DerivedMember("parent", "The card that it is a part of; absent if it is part of none.", example: nil) { shown in
      shown.parent.map { ProjectID(unchecked: $0.id) }
    },
    DerivedMember("children", "How many of its sub-tasks are done; absent if it has none.", example: nil) {
      $0.children
    },
    DerivedMember(
      "checklist", "How many of its `steps` are done; absent if it has none.", example: ["done": 1, "of": 2]
    ) { $0.item.steps.count },
    DerivedMember(
      "openChildren",
      "For a card that `projects/move` has just finished: its sub-tasks that are still open, at most 100; absent if there "
        + "are none.", example: nil
    ) { $0.openChildren.isEmpty ? nil : $0.openChildren.map { ProjectID(unchecked: $0) } },
    DerivedMember(
      "editable",
      "Whether this client has a draft of it, so that it opens for editing. Otherwise a card opens for reading, until "
        + "`projects/draft`.",
      example: false
    ) { $0.view.isDrafted($0.item) },
    DerivedMember(
      "actions", "The columns that `projects/move` can move it to: all others.", example: ["doing", "done"]
    ) { $0.moves.columns },
    DerivedMember(
      "nextCard", "For a recurring card that `projects/move` has just finished: the next card.", example: nil
    ) { $0.next.map { ProjectID(unchecked: $0.id) } },
    DerivedMember(
      "hasDefaultDeadline",
      "In the reply of `projects/add`: true if no deadline was given, so that it has the default.",
      example: nil
    ) { $0.hasDefaultDeadline ? true : nil },
    DerivedMember(
      "understood", "In the reply of `projects/add` with a `line`: the parts of it that were read as fields.",
      example: nil
    ) { $0.understood },
    DerivedMember("display", of: "Project.Display", "Strings for people.") {
      DerivedMember("state", "The title of its column.", example: "TODO") { $0.columnTitle }
      DerivedMember("board", "The title of its board; absent on the default board.", example: nil) {
        $0.view.boardTitle($0.item)
      }
      DerivedMember(
        "due", "The deadline in the locale's medium style, with its time if it has one.",
        example: "Nov 21, 2026"
      ) { $0.view.due($0.item.deadline, $0.item.time) }
      DerivedMember("day", "The day of the deadline, or its word: yesterday, today, tomorrow.", example: "today") {
        $0.view.day($0.item.deadline)
      }
      DerivedMember("dayTime", "The time of the deadline, if it has one.", example: "5:30 PM") {
        $0.view.time($0.item)
      }
      DerivedMember("parent", "The title of the card that it is a part of.", example: nil) { $0.parent?.title }
      DerivedMember("reminders", "Its reminders in words, in their order.", example: nil) { shown in
        shown.item.reminders.isEmpty ? nil : shown.item.reminders.map { $0.reminderWords(in: shown.view.snapshot) }
      }
      DerivedMember("start", "The day of its start, or its word: tomorrow.", example: nil) {
        $0.view.day($0.item.start)
      }
      DerivedMember(
        "badges",
        "Badges for a list: its priority, its recurrence, that it is blocked, until when it is out of sight, the time spent on "
          + "it, and how much of its sub-tasks and steps is done.",
        example: ["P1", "weekly", "waits", "1 of 2 steps"]
      ) { $0.badges }
      DerivedMember(
        "actions", "The words for `actions`, in the same order.", example: ["Move To DOING", "Move To DONE"]
      ) { $0.moves.words }
      DerivedMember(
        "message",
        "Further effects of a move: when the card recurs, which column it is in if the other board does not have its own, "
          + "and how many of its sub-tasks are still open.", example: nil
      ) { $0.message }
    },
  ]

  private var message: String? {
    let due = next.flatMap { view.due($0.deadline, $0.time) }
    let open = openChildren.isEmpty ? nil : Text("projects.openChildren", ["count": String(openChildren.count)])
    let texts = [note, due.map { Text("projects.comesAgain", ["due": $0]) }, open].compactMap(\.self)
    return texts.isEmpty ? nil : texts.map(view.words).joined(separator: " ")
  }

  /// Nil if there are none, as for most cards.
  private var badges: [String]? {
    var texts: [Text] = []
    if let badge = CardPriority.badge(of: item) { texts.append(badge) }
    if let recurrence = item.recurrence { texts.append(recurrence.word) }
    if isOpen && isBlocked { texts.append(Text("projects.waits")) }
    if view.isLater(item) {
      let day = item.isSomeday ? nil : view.day(item.start)
      texts.append(day.map { Text("projects.startsOn", ["day": $0]) } ?? Text("projects.someday"))
    }
    if let spent = item.spent { texts.append(Text("projects.spent", ["time": Self.time(spent)])) }
    if item.clockedSince != nil { texts.append(Text("projects.clockRuns")) }
    for (count, key) in [(children, "projects.childrenDone"), (item.steps.count, "projects.stepsDone")] {
      if let count { texts.append(Text(key, ["done": String(count.done), "of": String(count.of)])) }
    }
    return texts.isEmpty ? nil : texts.map(view.words)
  }

  /// A number of minutes as hours and minutes: `1:05`.
  private static func time(_ minutes: Int) -> String {
    "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60)"
  }

  static let example: ProjectRecord = {
    var card = ProjectRecord()
    (card.id, card.revision) = ("0192", 42)
    card.createdAt = Instant(milliseconds: 1_795_225_445_678)
    (card.updatedAt, card.writtenAt) = (card.createdAt, card.createdAt)
    (card.title, card.body) = ("Return the book", "To the library.")
    (card.state, card.rank) = ("todo", "a0")
    (card.deadline, card.time) = (CalendarDay(year: 2026, month: 11, day: 21), "17:30")
    card.tags = ["errands"]
    card.blockedBy = ["0191"]
    card.steps = [.example, ProjectStep(text: "Put it into the bag", done: nil)]
    card.recurrence = .example
    card.priority = 1
    return card
  }()
}
