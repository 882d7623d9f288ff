import Contract
import Display
import Kit
import Store
import Wire

enum ListReminders: ReadMethod {
  static let name = "projects/reminders"
  static let summary =
    "The open cards whose reminders are due and neither dismissed nor snoozed, and the reminders to come. Finished cards, "
    + "cards of archived boards, and cards that are put off do not remind."
  static let effects: Effects = .reads

  struct Params: Payload {
    var since: Instant?
    var limit: Int?
    static let example = Params(since: nil, limit: 20)
    static let fields = [
      "since": "Only what is due since this instant, which itself is not included.",
      "limit": "The maximum number of cards that are due, and of reminders to come. Default 100.",
    ]
    static let limits: [String: FieldLimits] = ["limit": .range(1...1_000)]
  }

  struct Result: Payload {
    var due: [DueReminder]
    var coming: [DueReminder]
    var hasMore: Bool
    var at: Instant
    static let example = Result(
      due: [.example], coming: [], hasMore: false, at: Instant(milliseconds: 1_795_225_445_678))
    static let fields = [
      "due": "The cards that are due, each with its last reminder, the earliest first; of more than `limit` the last.",
      "coming": "The next reminders, earliest first.", "hasMore": "Whether more cards are due than `limit`.",
      "at": "The instant at which this was so. As `since` it asks for what is due later.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let now = snapshot.services.now()
    let limit = params.limit ?? 100
    let times = try ReminderTimes(in: snapshot)
    let due = try times.due(after: params.since, through: now)
    return Result(
      due: due.suffix(limit).map { DueReminder($0, in: snapshot) },
      coming: try times.coming(after: now, limit: limit).map { DueReminder($0, in: snapshot) },
      hasMore: due.count > limit, at: now)
  }
}

/// A reminder with the instant at which it is due.
struct DueReminder: Payload, Equatable {
  var id: ProjectID
  var title: String
  var at: Instant
  var reminder: String?
  var display: Display?

  struct Display: Payload, Equatable {
    var at: String
    var reminder: String?
    static let example = Display(at: "Nov 21, 2026, 9:00 AM", reminder: "1 hour before")
    static let fields = [
      "at": "The day and time in the client's zone.", "reminder": "The reminder in words, if there is one.",
    ]
  }

  static let example = DueReminder(
    id: "0192", title: "Return the book", at: Instant(milliseconds: 1_795_225_445_678), reminder: "-60m",
    display: .example)
  static let fields = [
    "id": "The card.", "title": "Its title.", "at": "When it is due.",
    "reminder": "The reminder, as the card has it; absent for a card that was snoozed until then.",
    "display": "Strings for people; absent in notifications.",
  ]
}

extension DueReminder {
  init(_ found: ReminderTimes.Found) {
    self.init(
      id: ProjectID(unchecked: found.card), title: found.title, at: found.at, reminder: found.reminder, display: nil)
  }

  init(_ found: ReminderTimes.Found, in snapshot: Snapshot) {
    self.init(found)
    let at = snapshot.services.dates.string(.dateAndTime, at: found.at.milliseconds, for: snapshot.reader)
    display = Display(at: at, reminder: found.reminder.map { $0.reminderWords(in: snapshot) })
  }
}
