import Contract
import Display
import Kit
import Store
import Wire

/// The reminders of a line: the longest one after each "remind", which belongs to it.
struct QuickReminders {
  /// The parts of the line that they were read from.
  private(set) var parts: [UnderstoodPart] = []
  /// Where the first "remind" stood: the words before it are a line of their own. Nil for a line without one.
  private(set) var end: Int?
  /// "remind" with the words after it, if they are no reminder.
  private var unread: String?
  private var reminders: [(reminder: Reminder, time: TimeOfDay?)] = []

  /// Before a reminder; as the first word of a line it is the task itself.
  private static let words: Set = ["remind", "알림", "リマインド", "提醒"]

  init() {}

  init(removedFrom words: inout [Substring], _ snapshot: Snapshot) {
    for place in words.indices.dropFirst().reversed() where Self.words.contains(words[place].lowercased()) {
      end = place
      let first = words[(place + 1)...].first?.lowercased() == "me" ? place + 2 : place + 1
      let last = min(first + QuickLine.longestPhrase, words.count)
      let read = stride(from: last, to: first, by: -1).lazy.compactMap { end in
        GivenReminder.reminder(words[first..<end].joined(separator: " "), in: snapshot).map { (end, $0) }
      }.first
      guard let (end, reminder) = read else {
        unread = words[place...].joined(separator: " ")
        continue
      }
      reminders.insert((reminder, Self.time(words[first..<end])), at: 0)
      parts.append(UnderstoodPart(field: "reminders", text: words[place..<end].joined(separator: " ")))
      words.removeSubrange(place..<end)
    }
  }

  /// `at 8am`, which has no day of its own.
  private static func time(_ words: ArraySlice<Substring>) -> TimeOfDay? {
    guard words.first?.lowercased() == "at" else { return nil }
    return TimeOfDay(parsing: words.dropFirst().joined(separator: " "))
  }

  /// The stored forms.
  ///
  /// - Parameter deadline: a later day, on which "remind at 8am" reminds.
  func texts(deadline: CalendarDay?) -> [String] {
    reminders.map { reminder, time in
      guard deadline != nil, let time else { return reminder.text }
      return Reminder.around(.deadline, .daysAt(0, minutes: time.minutes)).text
    }
  }

  /// What to say of words after "remind" that are no reminder. "Ask Ann to remind Bob" is a title.
  ///
  /// - Parameter isBesideDay: whether a day stands before them.
  func mistake(isBesideDay: Bool) -> Text? {
    guard let unread, isBesideDay || unread.contains(where: \.isNumber) || unread.hasSuffix(" before")
    else { return nil }
    return Text("projects.unreadReminder", ["text": unread])
  }
}
