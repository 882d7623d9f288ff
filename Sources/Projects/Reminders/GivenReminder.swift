import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// Reads reminders and times as clients give them: in the stored form, as RFC 3339, and in words.
enum GivenReminder {
  /// The reminders to store, of a card with these days: without duplicates.
  ///
  /// - Throws: `invalidParams` for a text that is no reminder, and for a distance from a day that the card does not have.
  static func checked(
    _ texts: [String], known: [String], start: CalendarDay?, deadline: CalendarDay?, in snapshot: Snapshot
  ) throws -> [String] {
    var checked: [String] = []
    for (index, text) in texts.enumerated() {
      let field = "reminders[\(index)]"
      guard let reminder = reminder(text, in: snapshot) else {
        throw RPCError.invalidParams(field: field, reason: Text("projects.noReminder", ["value": text]))
      }
      if case .around(let anchor, _) = reminder, !known.contains(reminder.text),
        anchor == .start ? start == nil : deadline == nil
      {
        throw RPCError.invalidParams(
          field: field,
          reason: Text(anchor == .start ? "projects.reminderWithoutStart" : "projects.reminderWithoutDeadline"))
      }
      if !checked.contains(reminder.text) { checked.append(reminder.text) }
    }
    return checked
  }

  /// The longest text, in Unicode scalars.
  static let longest = 64

  /// Nil for a text that is none.
  static func reminder(_ text: String, in snapshot: Snapshot) -> Reminder? {
    guard text.unicodeScalars.prefix(longest + 1).count <= longest else { return nil }
    if let reminder = Reminder(text) ?? distance(text.lowercased()) { return reminder }
    if let instant = soon(text.lowercased(), in: snapshot) { return .at(instant) }
    return moment(text, in: snapshot).map(Reminder.at)
  }

  // MARK: - Distances

  /// `-2h`, `1h before`, `2 days before at 6pm`, `1 day before the start`, `at the deadline`, `30분 전`, `1時間前`, `1小时前`.
  private static func distance(_ text: String) -> Reminder? {
    if text.wholeMatch(of: /(?:at|on) (?:the )?deadline/) != nil { return .around(.deadline, .minutes(0)) }
    if text.wholeMatch(of: /(?:at|on) (?:the )?start/) != nil { return .around(.start, .minutes(0)) }
    if let match = text.wholeMatch(of: /(start)?([+\-])([0-9]{1,6})([mhdw])/) {
      guard let span = Span(match.output.3, match.output.4) else { return nil }
      return .around(match.output.1 == nil ? .deadline : .start, span.distance(isAfter: match.output.2 == "+", at: nil))
    }
    let words =
      /([0-9]{1,6}|the|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve) ?([a-z]+) before(?: the)?(?: (deadline|start|due date))?(?:,? (?:at )?(.+))?/
    let glued = /([0-9]{1,6}) ?(분|시간|일|주|分鐘|分钟|分|時間|小時|小时|日|天|週間|週|周) ?(?:전|前)(?:에|に)?(?: (.+))?/
    if let match = text.wholeMatch(of: /(?:the|on the) (morning|afternoon|evening|night) before/),
      let time = TimeOfDay(parsing: String(match.output.1))
    {
      return .around(.deadline, .daysAt(-1, minutes: time.minutes))
    }
    if text.wholeMatch(of: /(?:on )?the (?:same )?day/) != nil { return .around(.deadline, .days(0)) }
    if text.wholeMatch(of: /(?:하루 ?전|전날)(?:에)?|前日(?:に)?|前一天|提前一天/) != nil {
      return .around(.deadline, .days(-1))
    }
    if let match = text.wholeMatch(of: words) {
      return distance(
        Span(match.output.1, match.output.2), of: match.output.3 == "start" ? .start : .deadline, at: match.output.4)
    }
    if let match = text.wholeMatch(of: glued) {
      return distance(Span(match.output.1, match.output.2), of: .deadline, at: match.output.3)
    }
    return nil
  }

  private static func distance(_ span: Span?, of anchor: Reminder.Anchor, at time: Substring?) -> Reminder? {
    guard let span else { return nil }
    guard let time else { return .around(anchor, span.distance(isAfter: false, at: nil)) }
    // Only a whole number of days has a time of its own.
    guard span.days != nil, let time = TimeOfDay(parsing: String(time)) else { return nil }
    return .around(anchor, span.distance(isAfter: false, at: time))
  }

  /// `in 10 minutes`, `in an hour`, `30분 뒤`, `30分後`, `30分钟后`: from now. Days are read as days.
  private static func soon(_ text: String, in snapshot: Snapshot) -> Instant? {
    let words = /in ([0-9]{1,6}|an?|one) ?([a-z]+)/
    let glued = /([0-9]{1,6}) ?(분|시간|分鐘|分钟|分|時間|小時|小时) ?(?:뒤|후|後|后|之後|之后)(?:에|に)?/
    guard let match = text.wholeMatch(of: words) ?? text.wholeMatch(of: glued),
      let minutes = Span(match.output.1, match.output.2)?.minutes
    else { return nil }
    return snapshot.services.now().adding(milliseconds: Int64(minutes) * 60_000)
  }

  /// A number of minutes or days.
  private struct Span {
    var minutes: Int?
    var days: Int?

    private static let numbers: [Substring: Int] = [
      "the": 1, "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
      "nine": 9, "ten": 10, "twelve": 12,
    ]

    /// Nil for an unknown unit.
    init?(_ number: Substring, _ unit: Substring) {
      let number = Self.numbers[number] ?? Int(number) ?? 0
      switch unit {
      case "m", "min", "mins", "minute", "minutes", "분", "分", "分钟", "分鐘": minutes = number
      case "h", "hr", "hrs", "hour", "hours", "시간", "時間", "小时", "小時": minutes = number * 60
      case "d", "day", "days", "일", "日", "天": days = number
      case "w", "week", "weeks", "주", "週", "週間", "周": days = number * 7
      default: return nil
      }
    }

    func distance(isAfter: Bool, at time: TimeOfDay?) -> Reminder.Distance {
      let sign = isAfter ? 1 : -1
      if let minutes { return .minutes(sign * minutes) }
      let days = sign * (days ?? 0)
      return time.map { .daysAt(days, minutes: $0.minutes) } ?? .days(days)
    }
  }

  // MARK: - Moments

  /// An instant: as RFC 3339, or a day, a day with a time, or a time in words, in the client's zone. A day without a time
  /// is at `projects.remindAt`, and a time that has passed today is tomorrow's. Nil for another text.
  static func moment(_ text: String, in snapshot: Snapshot) -> Instant? {
    if let instant = Instant(text) { return instant }
    let words = text.split(whereSeparator: \.isWhitespace)
    guard let (day, time) = DayAndTime.read(words[...], snapshot) else { return nil }
    let services = snapshot.services
    let minutes = time.flatMap { TimeOfDay($0) }?.minutes ?? services.settings().cards.remindAt
    func instant(of day: CalendarDay) -> Instant {
      LocalDateTime(day: day, minutes: minutes, seconds: 0).instant(in: snapshot.reader.zone)
    }
    let isTimeAlone = DayAndTime.time(words[...]) != nil
    let instant = instant(of: day)
    if !isTimeAlone { return instant }
    return instant > services.now()
      ? instant
      : LocalDateTime(day: day.adding(days: 1), minutes: minutes, seconds: 0)
        .instant(in: snapshot.reader.zone)
  }

  /// The end of a span that begins now: `10m`, `1h`, `2 days`, `30분`; nil for another text. After days it is the same
  /// local time.
  static func end(of text: String, in snapshot: Snapshot) -> Instant? {
    guard let match = text.lowercased().wholeMatch(of: /([0-9]{1,6}|an?|one) ?([^\s0-9]{1,8})/),
      let span = Span(match.output.1, match.output.2)
    else { return nil }
    let now = snapshot.services.now()
    if let minutes = span.minutes { return now.adding(milliseconds: Int64(minutes) * 60_000) }
    var local = LocalDateTime(now, in: snapshot.reader.zone)
    local.day = local.day.adding(days: span.days ?? 0)
    return local.instant(in: snapshot.reader.zone)
  }
}

extension String {
  /// A stored reminder in words.
  func reminderWords(in snapshot: Snapshot) -> String {
    guard let reminder = Reminder(self) else { return self }
    let (dates, reader) = (snapshot.services.dates, snapshot.reader)
    switch reminder {
    case .at(let instant): return dates.string(.dateAndTime, at: instant.milliseconds, for: reader)
    case .around(let anchor, let distance):
      let suffix = anchor == .start ? "Start" : "Deadline"
      switch distance {
      case .minutes(0), .days(0): return snapshot.words(Text("projects.remindAt\(suffix)"))
      case .minutes(let minutes):
        let (unit, count) = minutes % 60 == 0 ? ("Hours", minutes / 60) : ("Minutes", minutes)
        return snapshot.words(Self.words(unit, count, suffix))
      case .days(let days): return snapshot.words(Self.words("Days", days, suffix))
      case .daysAt(let days, let minutes):
        var reader = reader
        reader.zone = .utc
        let time = dates.string(.time, at: Int64(minutes) * 60_000, for: reader)
        let days = days == 0 ? Text("projects.remindAt\(suffix)") : Self.words("Days", days, suffix)
        return snapshot.words(Text("projects.remindWithTime", ["day": snapshot.words(days), "time": time]))
      }
    }
  }

  private static func words(_ unit: String, _ count: Int, _ suffix: String) -> Text {
    let side = count < 0 ? "Before" : "After"
    return Text("projects.remind\(unit)\(side)\(suffix)", ["count": String(abs(count))])
  }
}
