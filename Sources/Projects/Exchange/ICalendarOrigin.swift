import Contract
import Display
import Wire

/// The original DTSTART, DUE and RRULE of a recurring task that had recurred before its export to iCalendar.
///
/// Other programs count the occurrences of a series from DTSTART. The exported task therefore has the DTSTART, DUE and
/// COUNT of the remaining series, and extension properties hold the original lines, from which we count. The original
/// lines are valid as long as the task still has the lines that were exported with them.
///
///     DTSTART;VALUE=DATE:20261203
///     DUE;VALUE=DATE:20261203
///     RRULE:FREQ=DAILY;COUNT=2
///     X-COMMONPLACE-SERIES;X-WRITTEN="20261203 20261203 FREQ=DAILY;COUNT=2":DTSTART\;VALUE=DATE:20261201\n…
///
/// For a card without an iCalendar series only the rule is stored: its start is in the recurrence details.
struct ICalendarOrigin {
  static let name = "X-COMMONPLACE-SERIES"
  private static let written = "X-WRITTEN"
  private static let names = ["DTSTART", "DUE", "DURATION", "RRULE"]

  private let lines: [ICalendarLine]

  /// nil if a task has no original lines, or was changed since its export.
  init?(_ component: ICalendarComponent) {
    guard let line = component[Self.name], let written = line[Self.written],
      sameBytes(written, Self.mark(of: component)),
      let lines = try? ICalendarLine.lines(of: Array(ICalendarText.unescaped(line.value).utf8)),
      lines.contains(where: { $0.name == "RRULE" })
    else { return nil }
    self.lines = lines.filter { Self.names.contains($0.name) }
  }

  private static func mark(of component: ICalendarComponent) -> String {
    ["DTSTART", "DUE", "RRULE"].map { component[$0]?.value ?? "-" }.joined(separator: " ")
  }

  var rule: String? { lines.first { $0.name == "RRULE" }?.value }

  /// Whether the original lines have a start, and not only the rule.
  var hasStart: Bool { lines.contains { ["DTSTART", "DUE"].contains($0.name) } }

  /// The task with its original lines.
  func component(of task: ICalendarComponent) -> ICalendarComponent {
    var first = task
    first.replace({ Self.names.contains($0.name) }, by: lines)
    return first
  }

  /// Stores the original lines of `first` beside the current ones; for nil only the rule.
  static func put(_ first: ICalendarComponent?, rule: String, into component: inout ICalendarComponent) {
    let lines = first?.lines.filter { names.contains($0.name) } ?? [ICalendarLine("RRULE", [], rule)]
    let text = lines.map(\.text).joined(separator: "\n")
    component.set(name, ICalendarLine(name, [(written, mark(of: component))], ICalendarText.escaped(text)))
  }
}

extension ICalendarComponent {
  /// Writes the recurrence: as the iCalendar series continues, if the card still follows it, else by the card's own
  /// rule.
  ///
  /// - Parameter before: the task as it was imported from its file.
  mutating func putSeries(
    of task: ExternalTask, before: ICalendarComponent, moved: [String], zones: ICalendarZones, reader: Zone
  ) {
    set(ICalendarOrigin.name, nil)
    guard let recurrence = task.recurrence, let rule = try? RecurrenceRule(recurrence.rule) else { return }
    let text = recurrence.rule
    let origin = ICalendarOrigin(before)
    let first = origin.map { $0.component(of: before) } ?? before
    var series: ICalendarSeries?
    if first["RRULE"].map({ sameBytes($0.value, text) }) ?? false, origin?.hasStart ?? true,
      let own = ICalendarSeries(first, moved: moved, zones: zones, reader: reader), own.governs(recurrence)
    {
      series = own
    }
    if let due = task.deadline, let begin = series?.begin(dueOn: due) { put(start: begin, of: first) }
    settleLateStart(zones: zones, reader: reader)
    setValue("RRULE", Self.rule(text, countedOn: Self.left(of: rule, recurrence, series, due: task.deadline)))
    let isAsAtFirst = series != nil && ["DTSTART", "DUE", "RRULE"].allSatisfy { self[$0]?.value == first[$0]?.value }
    if task.recurrenceDetails == nil, isAsAtFirst || series == nil { return }
    ICalendarOrigin.put(series == nil ? nil : first, rule: text, into: &self)
  }

  /// How many occurrences are left, including this one, if the rule has a count. The current deadline counts as one,
  /// whether or not the rule names it, as other programs count DTSTART.
  private static func left(
    of rule: RecurrenceRule, _ recurrence: Recurrence, _ series: ICalendarSeries?, due: CalendarDay?
  ) -> Int? {
    guard let count = rule.count else { return nil }
    if recurrence.from == .completion { return max(1, count - (recurrence.done ?? 0)) }
    guard let due else { return count }
    if let series { return max(1, count + 1 - series.count(dueBy: due)) }
    let start = recurrence.start ?? due
    var gone = 0
    _ = rule.day(after: start.adding(days: -1), from: start) { day in
      if day > due { return true }
      gone += 1
      return false
    }
    return max(1, count + 1 - gone)
  }

  /// The rule with another COUNT, otherwise unchanged.
  private static func rule(_ text: String, countedOn count: Int?) -> String {
    guard let count else { return text }
    return text.split(separator: ";", omittingEmptySubsequences: false).map { part in
      part.uppercased().hasPrefix("COUNT=") ? "\(part.prefix(6))\(count)" : String(part)
    }.joined(separator: ";")
  }
}
