import Contract
import Display
import Kit
import Store
import Wire

/// A card written as one line: `Pay rent every month on 1 Dec at 9am #home !1`.
///
/// Tags, signs (``CardSign``) and words that name their field, such as `due:friday` (``QuickField``), may stand anywhere.
/// A day and a time stand together at the end, or at the beginning, where Korean, Japanese and Chinese have them: the
/// longest phrase that is a day, with a time or without one, or the time of today. A recurrence stands beside them. The
/// particles of a day or a time, such as "on" and "까지", belong to it. A word after a backslash is part of the title.
struct QuickLine {
  /// The fields that were read, as params of `projects/add`.
  private(set) var values: JSONObject = [:]
  /// The parts of the line that they were read from.
  private(set) var parts: [UnderstoodPart] = []
  /// What words of the title look like a day or a time, but are none, or why they are not read.
  private(set) var mistake: Text?

  /// The most words of a recurrence, a day and a time with their particles.
  static let longestPhrase = 11

  /// - Parameter params: those that are given apart from the line, which are not read from it.
  init(_ line: String, beside params: JSONObject, in snapshot: Snapshot) {
    let given = Set(params.members.map(\.key))
    self.init(line, given: given, mayRecur: true, snapshot)
    guard let words = parts.first(where: { $0.field == "recurrence" })?.text, !hasDay(beside: params, snapshot)
    else { return }
    let mistake = mistake ?? Text("projects.unreadRule", ["text": words])
    self.init(line, given: given, mayRecur: false, snapshot)
    self.mistake = mistake
  }

  /// Whether the card has a deadline that its recurrence can count from: not one before its start.
  private func hasDay(beside params: JSONObject, _ snapshot: Snapshot) -> Bool {
    func value(_ name: String) -> JSONValue? { values[name] ?? params[name] }
    let start = value("start")?.stringValue
    guard let deadline = value("deadline")?.stringValue else {
      // Otherwise it has the default one.
      return start == nil && value("someday") != true && !params.members.contains { $0.key == "deadline" }
        && snapshot.services.defaultDeadline(for: snapshot.reader) != nil
    }
    guard let start = start.flatMap(CalendarDay.init), let deadline = CalendarDay(deadline) else { return true }
    return start <= deadline
  }

  private init(_ line: String, given: Set<String>, mayRecur: Bool, _ snapshot: Snapshot) {
    var words: [Substring] = []
    var tags: [String] = []
    var unread: Text?
    for word in line.split(whereSeparator: \.isWhitespace) {
      if let field = QuickField(word), field.isRead(beside: given), mayRecur || field.param != "recurrence",
        field.param == "tags" || values[field.param] == nil
      {
        guard let value = field.value(in: snapshot) else {
          unread = unread ?? field.mistake
          words.append(word)
          continue
        }
        parts.append(UnderstoodPart(field: field.param, text: String(word)))
        if let tag = value["tags"]?.stringValue {
          tags.append(tag)
        } else {
          for member in value.members { values[member.key] = member.value }
        }
      } else if !given.contains("tags"), let tag = Self.tag(word) {
        tags.append(tag)
        parts.append(UnderstoodPart(field: "tags", text: String(word)))
      } else if let (sign, value) = CardSign.read(word), !given.contains(sign.name), values[sign.name] == nil {
        values[sign.name] = value
        parts.append(UnderstoodPart(field: sign.name, text: String(word)))
      } else {
        words.append(word)
      }
    }
    if !tags.isEmpty { values["tags"] = .array(tags.map { .string($0) }) }
    let reminders = given.contains("reminders") ? QuickReminders() : QuickReminders(removedFrom: &words, snapshot)
    parts += reminders.parts
    // A line of nothing but fields is a title.
    if words.isEmpty {
      (words, values, parts) = (line.split(whereSeparator: \.isWhitespace), [:], [])
    } else {
      // The day of "on 24 dec remind me of the cake" stands before the reminder, whatever the rest of the line is.
      var rest = reminders.end.map { Array(words[$0...]) } ?? []
      words.removeLast(rest.count)
      readDays(in: &words, given: given, mayRecur: mayRecur, snapshot)
      let isDue = values["deadline"] != nil || values["someday"] != nil
      let isRead = isDue || values["recurrence"] != nil
      if given.isDisjoint(with: ["deadline", "time", "start", "someday"]) {
        mistake = reminders.mistake(isBesideDay: isDue)
        if mistake == nil, !isRead, !rest.isEmpty { mistake = findMistake(in: words, snapshot) }
      }
      (words, rest) = (words + rest, [])
      if !isRead, reminders.end != nil { readDays(in: &words, given: given, mayRecur: mayRecur, snapshot) }
      if mistake == nil, given.isDisjoint(with: ["deadline", "time", "start", "someday"]) {
        mistake = findMistake(in: words, snapshot)
      }
    }
    mistake = unread ?? mistake
    let today = snapshot.services.today(for: snapshot.reader)
    let deadline = values["deadline"]?.stringValue.flatMap(CalendarDay.init)
    let texts = reminders.texts(deadline: deadline.flatMap { $0 == today ? nil : $0 })
    if !texts.isEmpty { values["reminders"] = .array(texts.map { .string($0) }) }
    let title = words.map { $0.first == "\\" && $0.utf8.count > 1 ? $0.dropFirst() : $0 }.joined(separator: " ")
    values["title"] = .string(title)
  }

  private static func tag(_ word: Substring) -> String? {
    let tag = word.dropFirst()
    // A number is an issue or a page.
    return word.first == "#" && !tag.contains("#") && !tag.allSatisfy({ $0.isNumber || $0.isPunctuation })
      ? String(tag) : nil
  }

  /// Reads `someday`, or the day, the time and the recurrence, and removes their words.
  private mutating func readDays(
    in words: inout [Substring], given: Set<String>, mayRecur: Bool, _ snapshot: Snapshot
  ) {
    if given.isDisjoint(with: ["deadline", "time", "start", "someday", "recurrence"]), readSomeday(in: &words) {
      // A card for someday has neither a day nor a recurrence.
      return
    }
    guard given.isDisjoint(with: ["deadline", "time"]) else { return }
    // A recurrence counts from the deadline, which a start or a later day replaces.
    let mayRecur = mayRecur && given.isDisjoint(with: ["recurrence", "start", "someday"])
    readDay(in: &words, mayRecur: mayRecur, snapshot)
    if mayRecur { readDay(in: &words, mayRecur: true, snapshot) }
  }

  /// The last word, or in languages that have it there the first one.
  private static let someday: (last: Set<String>, first: Set<String>) = (
    ["someday", "언젠가", "いつか", "改天", "某天", "有朝一日"], ["언젠가", "いつか", "改天", "某天", "有朝一日"]
  )

  /// - Returns: whether the card is for someday. The title keeps at least one word.
  private mutating func readSomeday(in words: inout [Substring]) -> Bool {
    guard words.count > 1, values["deadline"] == nil, values["start"] == nil else { return false }
    let isLast = Self.someday.last.contains(words[words.count - 1].lowercased())
    guard isLast || Self.someday.first.contains(words[0].lowercased()) else { return false }
    let word = words.remove(at: isLast ? words.count - 1 : 0)
    values["someday"] = true
    parts.append(UnderstoodPart(field: "someday", text: String(word)))
    return true
  }

  /// The meaning of a phrase.
  private struct Phrase {
    var recurrence: (rule: String, text: String)?
    var due: (day: CalendarDay, time: String?)?
    /// The words of the day and the time.
    var text = ""
    /// The weekdays of the recurrence, if there are several.
    var weekdays: [Int] = []
  }

  /// Reads the longest phrase at the end, else at the beginning, and removes it. The title keeps at least one word.
  private mutating func readDay(in words: inout [Substring], mayRecur: Bool, _ snapshot: Snapshot) {
    let sizes = (1...Self.longestPhrase).reversed().filter { $0 < words.count }
    let ends = sizes.map { words.count - $0..<words.count } + sizes.map { 0..<$0 }
    for range in ends {
      let found = words[range]
      if found.contains(where: { $0.first == "\\" }) { continue }
      let mayRecur = mayRecur && values["recurrence"] == nil
      if range.lowerBound == 0, found.count == 1, Self.shortWeekdays.contains(found[0].lowercased()) { continue }
      if Self.beginsWithVersion(found, snapshot) { continue }
      guard let phrase = Self.phrase(Array(found), mayRecur: mayRecur, mayBeDue: values["deadline"] == nil, snapshot)
      else { continue }
      // Half of a list or of a recurrence that is not understood.
      let neighbour = range.lowerBound == 0 ? words[range.upperBound] : words[range.lowerBound - 1]
      if (range.lowerBound == 0 ? Self.linking : Self.joining).contains(neighbour.lowercased()) { return }
      if let (day, time) = phrase.due {
        values["deadline"] = .string(day.description)
        if let time { values["time"] = .string(time) }
        parts.append(UnderstoodPart(field: "deadline", text: phrase.text))
      }
      if let (rule, text) = phrase.recurrence {
        // "Every weekday call Ann at 9am" on a Saturday.
        if let deadline = values["deadline"]?.stringValue.flatMap(CalendarDay.init),
          let first = Self.first(phrase.weekdays, from: deadline)
        {
          values["deadline"] = .string(first.description)
        }
        values["recurrence"] = ["rule": .string(rule)]
        parts.append(UnderstoodPart(field: "recurrence", text: text))
      }
      words.removeSubrange(range)
      return
    }
  }

  /// Words that a day after them belongs to: it has no meaning of its own in "every 1 May" and "mum and Friday".
  private static let joining = linking.union(["every", "each", "other"])
  private static let linking: Set = ["and", "&"]

  /// At the beginning of a line they are words of the title: "Sun cream".
  private static let shortWeekdays: Set = ["mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun"]

  /// Whether words begin with a number such as 18.04, which in English is a version or an amount.
  private static func beginsWithVersion(_ words: ArraySlice<Substring>, _ snapshot: Snapshot) -> Bool {
    snapshot.reader.locale.identifier.prefix { $0 != "-" } == "en"
      && words.first?.wholeMatch(of: /\d{1,2}\.\d{1,2}\.?/) != nil
  }

  /// The meaning of words: a recurrence, a day with its time, or a recurrence before or after those; nil for other
  /// words.
  private static func phrase(
    _ words: [Substring], mayRecur: Bool, mayBeDue: Bool, _ snapshot: Snapshot
  ) -> Phrase? {
    let text = words.joined(separator: " ")
    if mayBeDue, let due = DayAndTime.read(words[...], snapshot) { return Phrase(due: due, text: text) }
    guard mayRecur else { return nil }
    for start in words.indices {
      let tail = words[start...].joined(separator: " ")
      guard let recurrence = QuickRecurrence(beginning: tail) else { continue }
      let rest = recurrence.rest(of: tail)
      let part = (rule: recurrence.rule, text: recurrence.text)
      let today = snapshot.services.today(for: snapshot.reader)
      let first = recurrence.isMonthEnd ? Self.monthEnd(of: today) : Self.first(recurrence.days, from: today)
      if start == 0, rest.isEmpty {
        let due = mayBeDue ? first.map { (day: $0, time: String?.none) } : nil
        return Phrase(recurrence: part, due: due, text: text, weekdays: recurrence.days)
      }
      guard mayBeDue, start == 0 || rest.isEmpty else { continue }
      let others = start == 0 ? rest.split(separator: " ")[...] : words[..<start]
      if let first, start == 0 || !DayAndTime.isPartOfAnyDay(others), let time = DayAndTime.time(others) {
        return Phrase(recurrence: part, due: (first, time), text: text)
      }
      if let due = DayAndTime.read(others, snapshot) {
        if recurrence.isMonthEnd, due.day != Self.monthEnd(of: due.day) { continue }
        if !recurrence.days.isEmpty, !recurrence.days.contains(due.day.weekday) { continue }
        return Phrase(recurrence: part, due: due, text: others.joined(separator: " "))
      }
    }
    return nil
  }

  /// The first of some weekdays, from a day on.
  private static func first(_ weekdays: [Int], from day: CalendarDay) -> CalendarDay? {
    (0..<7).lazy.map { day.adding(days: $0) }.first { weekdays.contains($0.weekday) }
  }

  private static func monthEnd(of day: CalendarDay) -> CalendarDay {
    (0..<31).lazy.map { day.adding(days: $0) }.first { $0.adding(days: 1).month != day.month } ?? day
  }
}
