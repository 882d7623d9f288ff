import Contract
import Kit
import Store
import Wire

package struct ProjectID: Identifier {
  package let text: String
  package init(unchecked text: String) { self.text = text }
}

/// A card as it is stored, and the declaration of its fields.
struct ProjectRecord: StoredItem {
  static let collectionName = "projects"
  static let tableName = "project"

  var id = ""
  var revision: Int64 = 0
  /// When it was inserted into the library.
  var createdAt = Instant(milliseconds: 0)
  var updatedAt = Instant(milliseconds: 0)
  var title = ""
  /// Empty if there is none.
  var body = ""
  /// The state of its column.
  var state = ""
  /// The id of its board.
  var board = CardBoardRecord.defaultID
  /// Its place in the column: a text that sorts by its bytes (`Rank`). Two cards may have the same rank after an undo;
  /// then their ids decide.
  var rank = ""
  var deadline: CalendarDay?
  /// `09:30`, local time wherever the user is; only with a deadline.
  var time: String?
  /// The day from which work on it can begin; before that day it is out of sight. Not after the deadline.
  var start: CalendarDay?
  /// Whether it is out of sight until somebody takes it up again, without a day for that.
  var isSomeday = false
  /// In the user's order, without duplicates; see `TagList`.
  var tags: [String] = []
  /// The ids of the cards that have to be done before. Ids of removed cards stay, so that undo restores them all.
  var blockedBy: [String] = []
  /// The id of the card that it is a part of. The id of a removed card stays.
  var parent: String?
  /// Its checklist, from top to bottom.
  var steps: [ProjectStep] = []
  /// In the user's order, each name once.
  var properties: [ProjectProperty] = []
  /// When it reminds, without duplicates, in the user's order: the texts of `Reminder`.
  var reminders: [String] = []
  /// When it reminds once more, after it was snoozed.
  var snoozedUntil: Instant?
  /// Reminders that were due by then are over.
  var dismissedAt: Instant?
  var recurrence: Recurrence?
  /// 1, the highest, to 9, as in iCalendar.
  var priority: Int?
  /// In minutes.
  var spent: Int?
  /// Since when its clock runs.
  var clockedSince: Instant?
  /// When it was written. For an imported card the time in its file, which may be long before `createdAt`.
  var writtenAt = Instant(milliseconds: 0)
  /// When it left the first column for another open one.
  var startedAt: Instant?
  /// When it last moved from one column into an open one.
  var movedAt: Instant?
  /// When it moved into a closed column.
  var completedAt: Instant?
  /// The parts of its imported file that no field holds, as JSON, for an export without loss.
  var foreign: String?
  /// Its id in the program that it was imported from.
  var foreignID: String?
  /// The Commonplace file that it was last imported from, as JSON (`MergeBase`).
  var mergeBase: String?

  static let fields = Fields<Self> {
    Field("title", \.title, .text(1...longestTitle, notBlank: true), "The task, in one line.")
      .settable(check: { try ProjectText.requireOneLine($0, field: "title") })
      .required.drafted.followed.searched(.title)
    Field("body", \.body, .text(0...longestBody), "Further text, byte for byte; absent in lists.")
      .settable("Further text, stored byte for byte.").drafted.omittedInLists.followed.merged(.text)
      .alike { ProjectText.isSame($0.body, $1.body) }.searched(.body)
    Field("state", \.state, .form(.id), "The column that it is in.")
      .followed.leading("startedAt", "movedAt", "completedAt").lane
    Field("board", \.board, .form(.id), "The board on which it stands.")
      .settable(
        as: String.self, "The board: its id or title. A card that is added without one is put on the default board.",
        limits: CardBoards.paramLimits
      ) { name, card, snapshot in
        card.board = try CardBoards(in: snapshot).require(named: name, in: snapshot).id
      }.drafted.followed.alike { $0.board.isEmpty || $1.board.isEmpty || sameBytes($0.board, $1.board) }
      .called("cardBoard").shared(.reference(CardBoardRecord.collectionName))
    Field(
      "rank", \.rank,
      "Its position in the column. Cards are ordered by rank, byte by byte, then by id."
    ).place
    Field("deadline", \.deadline, "The due date, the same in every zone.")
      .settable(
        as: GivenDay.self,
        "The due date. Default for a new card: today in the client's zone, where a day begins at the library's "
          + "`dayStartsAt`, or today in the library's if that is later, so that no card is added overdue; none with a "
          + "`start` or `someday`. `null` is none. A natural-language date is accepted: tomorrow, next friday, 내일; `this friday` is today or in the "
          + "future."
      ) { day, card, snapshot in
        card.deadline = try day.deadline(in: snapshot)
      }.defaulted.drafted.followed.with("time")
    Field("time", \.time, "The time of that day, as local time wherever the user is.")
      .settable(
        as: String.self,
        "The time of that day: 18:30, or in words, 9am, noon, 오후 6시 30분, 저녁 7시, 午後3時半, 下午三点半; midnight is the start of "
          + "the day, 00:00.", limits: .length(1...TimeOfDay.longestText, notBlank: true)
      ) { time, card, _ in
        card.time = try TimeOfDay.stored(time)
      }.drafted
    Field("start", \.start, "The day from which work on it can begin. Until then it is out of sight: see `later`.")
      .settable(
        as: GivenStart.self,
        "The day from which work on it can begin, not after the deadline. A natural-language date is accepted, and the "
          + "distance from the deadline: `-3d`, `-2w`."
      ) { day, card, snapshot in
        card.start = try day.start(deadline: card.deadline, in: snapshot)
      }.drafted.followed
    Field(
      "someday", \.isSomeday,
      "Whether it is out of sight without a day on which it returns: something for later, not planned yet."
    ).settable(clearable: false).drafted.followed
    Field.tags("tags", \.tags, "Its tags, in the order given.").drafted
    Field("blockedBy", \.blockedBy, .ids, "The cards that must be done before it.")
      .settable(as: [ProjectID].self, limits: .length(0...Blockers.most)) { blockers, card, snapshot in
        card.blockedBy = try Blockers.checked(blockers, of: card.id, known: card.blockedBy, in: snapshot)
      }.followed.merged(.elements).alike { ProjectText.areSame($0.blockedBy.sorted(), $1.blockedBy.sorted()) }
      .shared(.references(collectionName))
    Field("parent", \.parent, FieldType<String>.form(.id).optional, "The card that it is a part of.")
      .settable(as: ProjectID.self) { parent, card, snapshot in
        card.parent = try Parents.checked(parent, of: card.id, known: card.parent, in: snapshot)
      }.drafted.followed.shared(.reference(collectionName))
    Field("steps", \.steps, "Its checklist, from top to bottom; absent in lists.")
      .settable(
        as: [ProjectStep].self, "All steps of its checklist, from top to bottom. `projects/steps` changes single ones.",
        limits: .length(0...ProjectStep.most)
      ) { steps, card, _ in
        card.steps = try steps.enumerated().map { try $1.checked(field: "steps[\($0)]") }
      }.drafted.omittedInLists.followed.merged(.list(name: "text"))
    Field(
      "properties", \.properties,
      [ProjectProperty].fieldType.traveling(as: [ProjectProperty].wireType.omitted(where: \.isEmpty)),
      "Fields of the user's own, by name: in Taskwarrior its user-defined attributes. Absent in lists, and without any."
    ).settable(
      as: [ProjectProperty].self, "All fields of the user's own. `null` removes all.",
      limits: .length(0...ProjectProperty.most)
    ) { properties, card, _ in
      card.properties = try ProjectProperty.checked(properties, field: "properties")
    }.omittedInLists.followed.merged(.list(name: "name")).alike { $0.properties.isAlike($1.properties) }
    Field(
      "reminders", \.reminders,
      [String].fieldType.traveling(as: [String].wireType.omitted(where: \.isEmpty)),
      "When it reminds: an instant, or a distance from the deadline, `-60m`, `-1d`, `-1d@18:00`, or from the start, "
        + "`start-0m`. Without a time the deadline and the start remind relative to `projects.remindAt`. Absent without "
        + "reminders."
    ).settable(
      as: [String].self,
      "When it reminds, each as an instant, as a distance, `-60m`, `-2h`, `-1d`, `-1d@18:00`, `start-1d`, or in words: 1h "
        + "before, 2 days before at 6pm, tomorrow 9am, 30분 전, 1時間前.",
      limits: .length(0...Reminder.most)
    ) { reminders, card, snapshot in
      card.reminders = try GivenReminder.checked(
        reminders, known: card.reminders, start: card.start, deadline: card.deadline, in: snapshot)
    }.followed.merged(.elements).alike { ProjectText.areSame($0.reminders.sorted(), $1.reminders.sorted()) }
    Field("snoozedUntil", \.snoozedUntil, "When it reminds once more, after `projects/snooze`.").shared(.quiet)
    Field("dismissedAt", \.dismissedAt, "When its reminders were last dismissed or snoozed: earlier ones are over.")
      .shared(.quiet)
    Field("recurrence", \.recurrence, "When it recurs after it is done.")
      .settable(as: Recurrence.self) { recurrence, card, _ in
        card.recurrence = try recurrence.checked(deadline: card.deadline)
      }.followed.alike { $0.recurs(as: $1) }
    Field("priority", \.priority, .integer(1...9), "1, the highest, to 9, as in iCalendar.").settable().followed
    Field(
      "spent", \.spent, .integer(0...mostSpent),
      "The number of minutes spent on it, without those since `clockedSince`."
    ).settable("The number of minutes spent on it; null for none. `projects/clock` measures them.").followed
    Field("clockedSince", \.clockedSince, "Since when its clock runs; absent while it does not.").shared(.quiet)
    Field("writtenAt", \.writtenAt, "When it was written; for an imported card, as its file states.").shared(.quiet)
    Field(
      "startedAt", \.startedAt, "When work on it began: when it was moved from the first column to another open one.")
    Field("movedAt", \.movedAt, "When it was last moved from another column to an open one.")
    Field(
      "completedAt", \.completedAt,
      "When it was moved to a closed column, or its column was closed; absent in an open one.")
    Field("foreign", \.foreign).internal
    Field("foreignID", \.foreignID).internal
    Field("came", \.mergeBase).internal
  }

  static let longestTitle = 1_000
  /// The most minutes spent on a card.
  static let mostSpent = 10_000_000
  /// Unicode scalars, as for a diary entry.
  static let longestBody = 1_000_000
}

extension ProjectRecord {
  /// Checks the fields that depend on each other, whichever of them was given.
  ///
  /// - Throws: `invalidParams` for a time without a deadline, a start after the deadline, or a recurrence that needs a
  ///   deadline without one.
  func requireSense() throws {
    if time != nil, deadline == nil {
      throw RPCError.invalidParams(field: "time", reason: Text("projects.timeWithoutDeadline"))
    }
    if let start, let deadline, start > deadline {
      throw RPCError.invalidParams(
        field: "start",
        reason: Text("projects.startAfterDeadline", ["start": start.description, "deadline": deadline.description]))
    }
    if deadline == nil, let recurrence, recurrence.from != .completion {
      throw RPCError.invalidParams(field: "recurrence", reason: Text("projects.ruleWithoutDeadline"))
    }
  }
}

extension CardBoards {
  /// Whether a card is still to be done.
  func isOpen(_ card: ProjectRecord) -> Bool { columns(of: card.board).isOpen(card.state) }
}
