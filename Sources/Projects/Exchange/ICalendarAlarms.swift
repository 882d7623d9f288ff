import Contract
import Display
import Exchange
import Kit
import Wire

/// The reminders of a task as VALARM components (RFC 5545, 3.6.6), with a TRIGGER at an instant or relative to the start or
/// the deadline. A trigger relative to a whole day counts from its midnight.
///
///     BEGIN:VALARM
///     ACTION:DISPLAY
///     DESCRIPTION:Return the book
///     TRIGGER;RELATED=END:-PT15H
///     X-COMMONPLACE-REMINDER;X-WRITTEN="-PT15H DATE":-1d
///     END:VALARM
///
/// The extension property has the reminder that the trigger cannot state exactly, and is valid as long as the trigger is
/// the one that was written with it. Alarms that cannot be read as reminders, such as those by mail, stay as they are.
extension ICalendarComponent {
  private static let alarm = "VALARM"
  private static let exact = "X-COMMONPLACE-REMINDER"
  private static let written = "X-WRITTEN"

  /// The reminders that its alarms state, for a task with these days.
  func reminders(of task: ExternalTask, zones: ICalendarZones, reader: Zone) -> [String] {
    nodes.compactMap { node in
      guard case .component(let alarm) = node else { return nil }
      return reminder(of: alarm, task, zones, reader)?.text
    }
  }

  /// Nil for a component that is no alarm or cannot be read as a reminder.
  private func reminder(
    of alarm: ICalendarComponent, _ task: ExternalTask, _ zones: ICalendarZones, _ reader: Zone
  ) -> Reminder? {
    guard alarm.name == Self.alarm, ["DISPLAY", "AUDIO"].contains(alarm["ACTION"]?.value.uppercased()),
      let trigger = alarm["TRIGGER"]
    else { return nil }
    if let line = alarm[Self.exact], let written = line[Self.written], sameBytes(written, mark(of: trigger)),
      let reminder = Reminder(ICalendarText.unescaped(line.value))
    {
      return reminder
    }
    if case .instant(let instant)? = CompactTime(trigger.value) { return .at(instant) }
    guard let span = ICalendarDuration(trigger.value), span.seconds % 60 == 0 else { return nil }
    let minutes = span.days * 1_440 + span.seconds / 60
    guard trigger["RELATED"]?.uppercased() != "END", let start = self["DTSTART"], let begin = CompactTime(start.value)
    else {
      return task.deadline == nil ? nil : .around(.deadline, Self.distance(minutes, span, isDay: task.time == nil))
    }
    switch begin {
    case .day(let day):
      if task.start == day { return .around(.start, Self.distance(minutes, span, isDay: true)) }
      guard case .day(let due)? = self["DUE"].flatMap({ CompactTime($0.value) }) else { return nil }
      return .around(.deadline, Self.distance(minutes + due.days(until: day) * 1_440, span, isDay: true))
    case .local, .instant:
      if let due = self["DUE"] {
        guard let from = Self.instant(start, zones, reader), let to = Self.instant(due, zones, reader) else {
          return nil
        }
        let lead = Int((from.milliseconds - to.milliseconds) / 60_000)
        return .around(.deadline, lead == 0 ? Self.distance(minutes, span, isDay: false) : .minutes(minutes + lead))
      }
      let zone = start["TZID"].flatMap { zones.zone(named: $0) }
      guard task.start != nil, let local = begin.shown(in: reader, writtenIn: zone)?.local else { return nil }
      return .around(.start, Self.distance(local.minutes + minutes, span, isDay: true))
    }
  }

  /// - Parameter isDay: whether the minutes count from the midnight of a day.
  private static func distance(_ minutes: Int, _ span: ICalendarDuration, isDay: Bool) -> Reminder.Distance {
    if !isDay { return span.seconds == 0 && span.days != 0 ? .days(span.days) : .minutes(minutes) }
    let ofDay = (minutes % 1_440 + 1_440) % 1_440
    return .daysAt((minutes - ofDay) / 1_440, minutes: ofDay)
  }

  /// Nil for a whole day.
  private static func instant(_ line: ICalendarLine, _ zones: ICalendarZones, _ reader: Zone) -> Instant? {
    switch CompactTime(line.value) {
    case .instant(let instant): instant
    case .local(let local): local.instant(in: line["TZID"].flatMap { zones.zone(named: $0) } ?? reader)
    case .day, nil: nil
    }
  }

  /// The trigger with the form of the time that it counts from.
  private func mark(of trigger: ICalendarLine) -> String {
    let base = self[trigger["RELATED"]?.uppercased() == "END" ? "DUE" : "DTSTART"] ?? self["DUE"]
    return "\(trigger.value) \(base.map { $0.value.contains("T") ? "DATE-TIME" : "DATE" } ?? "NONE")"
  }

  /// Writes the reminders that differ from `old` as alarms, after the days of the task were written. The other alarms stay
  /// as they are, unless they would remind at another time now.
  ///
  /// - Parameters:
  ///   - before: the task before its days were written.
  ///   - remindAt: when a day without a time reminds, in minutes after midnight.
  /// - Returns: the reminders that no alarm can state.
  mutating func putAlarms(
    of task: ExternalTask, over old: ExternalTask, before: ICalendarComponent, zones: ICalendarZones, reader: Zone,
    remindAt: Int
  ) -> [String] {
    let current = self
    var stated: Set<String> = []
    nodes = nodes.compactMap { node in
      guard case .component(let alarm) = node, let text = before.reminder(of: alarm, old, zones, reader)?.text else {
        return node
      }
      guard task.reminders.contains(text) else { return old.reminders.contains(text) ? nil : node }
      if current.reminder(of: alarm, task, zones, reader)?.text == text {
        stated.insert(text)
        return node
      }
      guard let alarm = current.alarm(alarm, for: text, task, zones, reader, remindAt) else { return nil }
      stated.insert(text)
      return .component(alarm)
    }
    for text in task.reminders where !stated.contains(text) {
      var alarm = ICalendarComponent(name: Self.alarm)
      alarm.set("ACTION", ICalendarLine("ACTION", [], "DISPLAY"))
      alarm.set("DESCRIPTION", ICalendarLine("DESCRIPTION", [], ICalendarText.escaped(task.title)))
      guard let alarm = current.alarm(alarm, for: text, task, zones, reader, remindAt) else { continue }
      nodes.append(.component(alarm))
      stated.insert(text)
    }
    return task.reminders.filter { !stated.contains($0) }
  }

  /// The alarm with the trigger of a reminder; nil if a trigger cannot state it.
  private func alarm(
    _ alarm: ICalendarComponent, for text: String, _ task: ExternalTask, _ zones: ICalendarZones, _ reader: Zone,
    _ remindAt: Int
  ) -> ICalendarComponent? {
    guard let reminder = Reminder(text), let trigger = trigger(of: reminder, task, zones, reader, remindAt) else {
      return nil
    }
    var alarm = alarm
    alarm.set(Self.exact, nil)
    alarm.set("TRIGGER", trigger)
    if self.reminder(of: alarm, task, zones, reader) != reminder {
      let written = [(Self.written, mark(of: trigger))]
      alarm.set(Self.exact, ICalendarLine(Self.exact, written, ICalendarText.escaped(text)))
    }
    return alarm
  }

  private func trigger(
    of reminder: Reminder, _ task: ExternalTask, _ zones: ICalendarZones, _ reader: Zone, _ remindAt: Int
  ) -> ICalendarLine? {
    switch reminder {
    case .at(let instant):
      return ICalendarLine("TRIGGER", [("VALUE", "DATE-TIME")], CompactTime.instant(instant).text)
    case .around(.deadline, let distance):
      guard task.deadline != nil, self["DUE"] != nil || self["DURATION"] != nil else { return nil }
      let base = task.time.flatMap { TimeOfDay($0) }?.minutes
      return ICalendarLine("TRIGGER", [("RELATED", "END")], Self.duration(distance, from: base, remindAt))
    case .around(.start, let distance):
      guard let line = self["DTSTART"], let start = task.start,
        startDay(zones: zones, reader: reader, due: task.deadline) == start
      else { return nil }
      let zone = line["TZID"].flatMap { zones.zone(named: $0) }
      let local = CompactTime(line.value)?.shown(in: reader, writtenIn: zone)?.local?.minutes
      let minutes = Self.minutes(distance, from: remindAt) - (local ?? 0)
      return ICalendarLine("TRIGGER", [], ICalendarDuration.text(minutes: minutes))
    }
  }

  /// - Parameter base: the time of the day from which it counts; nil for midnight, from which whole days count.
  private static func duration(_ distance: Reminder.Distance, from base: Int?, _ remindAt: Int) -> String {
    if case .days(let days) = distance, base != nil, days != 0 { return "\(days < 0 ? "-" : "")P\(abs(days))D" }
    return ICalendarDuration.text(minutes: minutes(distance, from: base ?? remindAt) - (base ?? 0))
  }

  /// The minutes from the midnight of the day to the reminder.
  private static func minutes(_ distance: Reminder.Distance, from time: Int) -> Int {
    switch distance {
    case .minutes(let minutes): time + minutes
    case .days(let days): days * 1_440 + time
    case .daysAt(let days, let minutes): days * 1_440 + minutes
    }
  }
}

extension ICalendarDuration {
  /// `-PT15H`, `PT1H30M`, `PT0S`.
  fileprivate static func text(minutes: Int) -> String {
    if minutes == 0 { return "PT0S" }
    let (hours, rest) = (abs(minutes) / 60, abs(minutes) % 60)
    return (minutes < 0 ? "-PT" : "PT") + (hours > 0 ? "\(hours)H" : "") + (rest > 0 ? "\(rest)M" : "")
  }
}
