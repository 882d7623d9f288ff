import Contract
import Kit
import Wire

/// Reminders of cards are due.
enum DidRemind: Notification {
  static let name = "projects/didRemind"
  static let summary =
    "Reminders are due. A client gets each of them once. What was due before it connected, and was neither dismissed nor "
    + "snoozed, comes in one notification after `initialized`; so does what was due while the computer slept."
  static let direction = Direction.toClient

  struct Params: Payload, Equatable {
    var reminders: [DueReminder]
    var all: Bool?
    static let example = Params(reminders: [.example], all: nil)
    static let fields = [
      "reminders": "The cards that are due, each with its last reminder, the earliest first.",
      "all": "True if there are more than 1,000; then `reminders` is empty, and `projects/reminders` returns them.",
    ]
  }

  /// The notification for what is due; nil if nothing is.
  static func notice(_ due: [ReminderTimes.Found]) throws -> Notice? {
    if due.isEmpty { return nil }
    let isLong = due.count > DidBecomeOverdue.most
    return try Notice(
      DidRemind.self,
      isLong
        ? Params(reminders: [], all: true)
        : Params(reminders: due.map { DueReminder($0) }, all: nil))
  }
}
