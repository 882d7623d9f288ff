import Contract

/// The fields of the Tasks plug-in of Obsidian after a title: a sign and a value, or a Dataview field
/// (https://publish.obsidian.md/tasks/Reference/Task+Formats).
///
///     📅 2026-11-30 ⏫ 🔁 every 2 weeks when done 🆔 ab12 ⛔ cd34,ef56
///     [due:: 2026-11-30] [repeat:: every 2 weeks when done]
enum TasksPlugin {
  /// The meaning of a sign with a value; nil for an unknown sign or an invalid value.
  static func meaning(of sign: String, _ value: String) -> MarkdownTaskLine.Meaning? {
    switch sign {
    case "🆔": return isName(value) ? .name(value) : nil
    case "⛔": return waits(for: value)
    case "🏁": return ["keep", "delete"].contains(value.lowercased()) ? .other : nil
    case "🔁": return TasksRepetition.meaning(of: value)
    default: break
    }
    guard let row = days.first(where: { $0.signs.contains(sign) }) else { return nil }
    if let day = CalendarDay(value) { return row.meaning(day) }
    return row.key == "due" && value.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil ? .badDay(value) : nil
  }

  /// Whether it is a sign that has a value.
  static func isSign(_ text: String) -> Bool { signsWithValue.contains(text) }

  /// The signs for days, and Dataview's keys for them.
  private static let days: [DaySigns] = [
    (["📅", "📆", "🗓"], "due", { .due($0) }), (["➕"], "created", { .created($0) }),
    (["✅"], "completion", { .completed($0) }), (["❌"], "cancelled", { .cancelled($0) }),
    (["⏳", "⌛"], "scheduled", { .scheduled($0) }), (["🛫"], "start", { .starts($0) }),
  ]
  private typealias DaySigns = (
    signs: [String], key: String, meaning: @Sendable (CalendarDay) -> MarkdownTaskLine.Meaning
  )
  /// The other signs with a value, by Dataview's keys.
  private static let others = ["repeat": "🔁", "id": "🆔", "dependsOn": "⛔", "onCompletion": "🏁"]

  private static let daySigns = Set(days.flatMap(\.signs))
  private static let signsWithValue = daySigns.union(others.values)

  /// Reads only as many names as a card can have blockers: a line may have any number of them.
  private static func waits(for value: String) -> MarkdownTaskLine.Meaning? {
    var names = value.split(separator: ",", maxSplits: Blockers.most, omittingEmptySubsequences: false)
    let rest = names.count > Blockers.most ? names.removeLast() : nil
    let trimmed = names.map { ProjectText.trimmed($0) }
    guard trimmed.allSatisfy(isName) else { return nil }
    return .waits(trimmed, more: rest.map { rest in rest.utf8.count { $0 == UInt8(ascii: ",") } + 1 } ?? 0)
  }

  /// A day after a sign that is still in the title, since it is followed by words that are no field of the plug-in.
  static func unreadDay(in title: String) -> String? {
    let words = title.split(separator: " ")
    for (place, word) in words.enumerated() where word.utf8.first ?? 0 >= 0xE2 {
      var rest = String(String.UnicodeScalarView(word.unicodeScalars.filter { $0 != "\u{FE0F}" }))
      guard let first = rest.first, daySigns.contains(String(first)) else { continue }
      rest.removeFirst()
      let value = rest.isEmpty && place + 1 < words.count ? String(words[place + 1]) : rest
      if value.prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil { return "\(first) \(value.prefix(10))" }
    }
    return nil
  }

  /// `[due:: 2026-11-30]` or `(due:: 2026-11-30)`; nil for text that is no field of a task.
  static func meaning(ofField text: String) -> MarkdownTaskLine.Meaning? {
    guard let match = text.wholeMatch(of: /\[([A-Za-z]+)::(.*)\]|\(([A-Za-z]+)::(.*)\)/),
      let key = match.output.1 ?? match.output.3, let value = match.output.2 ?? match.output.4
    else { return nil }
    if let sign = PriorityScale.sign(ofField: key, ProjectText.trimmed(value)) { return .ranked(sign) }
    let sign = others[String(key)] ?? days.first { $0.key == key }?.signs[0]
    return sign.flatMap { meaning(of: $0, ProjectText.trimmed(value)) }
  }

  static func isName(_ text: String) -> Bool {
    (1...100).contains(text.utf8.count)
      && text.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
  }
}

/// A recurrence in the words of the plug-in, which are those of rrule.js.
///
///     every 2 weeks on Tuesday, Friday       FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR
///     every month on the 2nd last Friday     FREQ=MONTHLY;BYDAY=-2FR
///     every January on the 15th when done    FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=15, from completion
enum TasksRepetition {
  /// Words of a recurrence that are not understood give `badRepetition`.
  static func meaning(of text: String) -> MarkdownTaskLine.Meaning {
    var words = text.lowercased().split { " ,".contains($0) }.map(String.init)
    let isFromDue = words.suffix(2) != ["when", "done"]
    if !isFromDue { words.removeLast(2) }
    guard let rule = rule(words[...]) else { return .badRepetition(text) }
    return .repeats(rule: rule, isFromDue: isFromDue)
  }

  private static func rule(_ given: ArraySlice<String>) -> String? {
    var words = given
    guard words.popFirst() == "every" else { return nil }
    var interval = 1
    if let first = words.first, let number = first == "other" ? 2 : Int(first) {
      guard (1...999).contains(number) else { return nil }
      interval = number
      words = words.dropFirst()
    }
    guard let unit = words.first else { return nil }
    var parts: [String]
    switch unit {
    case "day", "days": parts = ["FREQ=DAILY"]
    case "week", "weeks": parts = ["FREQ=WEEKLY"]
    case "month", "months": parts = ["FREQ=MONTHLY"]
    case "year", "years": parts = ["FREQ=YEARLY"]
    case "weekday", "weekdays": parts = ["FREQ=WEEKLY", "BYDAY=MO,TU,WE,TH,FR"]
    default:
      return named(words, interval: interval)
    }
    if interval > 1 { parts.insert("INTERVAL=\(interval)", at: 1) }
    return finished(parts, words.dropFirst())
  }

  /// `every Monday and Thursday`, `every other Friday`, `every January on the 15th`
  private static func named(_ given: ArraySlice<String>, interval: Int) -> String? {
    let list = given.prefix { $0 != "on" }.filter { $0 != "and" }
    let rest = given.dropFirst(given.prefix { $0 != "on" }.count)
    let days = list.compactMap(weekday)
    if days.count == list.count {
      let weeks = interval > 1 ? ";INTERVAL=\(interval)" : ""
      return rest.isEmpty ? "FREQ=WEEKLY\(weeks);BYDAY=\(days.joined(separator: ","))" : nil
    }
    let months = list.compactMap(month)
    guard interval == 1, months.count == list.count else { return nil }
    let numbers = months.map(String.init).joined(separator: ",")
    return finished(["FREQ=YEARLY", "BYMONTH=\(numbers)"], rest)
  }

  /// Adds the days: `on Tuesday, Friday`, `on the 1st and 15th`, `on the last Friday`.
  private static func finished(_ parts: [String], _ given: ArraySlice<String>) -> String? {
    if given.isEmpty { return parts.joined(separator: ";") }
    guard given.first == "on", !parts.contains(where: { $0.hasPrefix("BYDAY") }) else { return nil }
    var rest = given.dropFirst().filter { !["the", "and"].contains($0) }[...]
    var (days, monthDays): ([String], [Int]) = ([], [])
    while let word = rest.popFirst() {
      if let day = weekday(word) {
        days.append(day)
        continue
      }
      guard var number = ordinal(word) else { return nil }
      if number > 0, rest.first == "last" {
        number = -number
        rest = rest.dropFirst()
      }
      if let day = rest.first.flatMap(weekday) {
        days.append("\(number)\(day)")
        rest = rest.dropFirst()
      } else {
        monthDays.append(number)
      }
    }
    let isWeekly = parts[0] == "FREQ=WEEKLY"
    guard days.isEmpty != monthDays.isEmpty, parts[0] != "FREQ=DAILY", !isWeekly || days.allSatisfy({ $0.count == 2 }),
      !isWeekly || monthDays.isEmpty
    else { return nil }
    let last =
      days.isEmpty
      ? "BYMONTHDAY=" + monthDays.map(String.init).joined(separator: ",") : "BYDAY=" + days.joined(separator: ",")
    return (parts + [last]).joined(separator: ";")
  }

  /// 15 for `15th`, -1 for `last`.
  private static func ordinal(_ word: String) -> Int? {
    if word == "last" { return -1 }
    guard let match = word.wholeMatch(of: /([0-9]{1,2})(?:st|nd|rd|th)/), let number = Int(match.output.1) else {
      return nil
    }
    return (1...31).contains(number) ? number : nil
  }

  private static func weekday(_ word: String) -> String? {
    let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
    guard let name = names.first(where: { $0 == word || $0 + "s" == word || $0.prefix(3) == word }) else { return nil }
    return name.prefix(2).uppercased()
  }

  private static func month(_ word: String) -> Int? {
    let names = [
      "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
      "december",
    ]
    return names.firstIndex { $0 == word || $0.prefix(3) == word }.map { $0 + 1 }
  }
}
