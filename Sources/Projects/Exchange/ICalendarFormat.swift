import Contract
import Display
import Exchange
import Kit
import Wire

/// Tasks in iCalendar: the VTODO components of RFC 5545, 3.6.2, with DEPENDS-ON of RFC 9253.
enum ICalendarFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> TaskFile {
    let top = try ICalendarComponent.parse(try ICalendarLine.lines(of: bytes))
    var file = TaskFile()
    var between: [ICalendarComponent.Node] = []
    for var calendar in try ICalendarComponent.calendars(of: top, with: "VTODO") {
      if calendar.name.isEmpty { complete(&calendar, in: &file) }
      let zones = ICalendarZones(calendar)
      let moved = moved(in: calendar)
      for node in calendar.nodes {
        try checkCancelled()
        guard case .component(let component) = node, component.name == "VTODO" else {
          if case .component(let component) = node { skip(component, in: &file) }
          between.append(node)
          continue
        }
        // A moved occurrence is a task of its own with the same UID.
        let ofSeries = component["RRULE"] == nil ? nil : component["UID"].flatMap { moved[$0.value] }
        var task = ICalendarTask(component, moved: ofSeries ?? [], zones: zones, reader: zone).task
        // A task keeps a copy of the zones that it names: the task after which they follow may be removed.
        let needed = zones.components(named: component.zoneNames).filter { !between.contains(.component($0)) }
        task.source = TaskSource(
          format: .ics, text: component.text,
          before: ICalendarComponent.text(of: needed.map { .component($0) } + between), moved: ofSeries)
        file.add(task, line: component.number)
        between = []
      }
    }
    file.end(with: ICalendarComponent.text(of: between))
    return file
  }

  /// Leaves out the lines outside of any calendar, and reports the first of them and that the calendar's own are missing.
  private static func complete(_ calendar: inout ICalendarComponent, in file: inout TaskFile) {
    if let line = calendar.lines.first { file.skip(.unreadable, line: line.number) }
    calendar.nodes.removeAll { if case .line = $0 { true } else { false } }
    let first = calendar.nodes.first { if case .component(let part) = $0 { part.name == "VTODO" } else { false } }
    if let first { file.note(.cutOff, line: first.number, text: Text("import.outsideCalendar")) }
  }

  /// By UID of a recurring task, the RECURRENCE-ID lines of its moved occurrences.
  private static func moved(in calendar: ICalendarComponent) -> [String: [String]] {
    var moved: [String: [String]] = [:]
    for case .component(let component) in calendar.nodes where component.name == "VTODO" {
      if let line = component["RECURRENCE-ID"], let uid = component["UID"]?.value {
        moved[uid, default: []].append(line.text)
      }
    }
    return moved
  }

  /// A component that is no task becomes no card, and a note reports it. It is stored with the tasks around it and
  /// exported with them.
  private static func skip(_ component: ICalendarComponent, in file: inout TaskFile) {
    guard component.name != "VTIMEZONE" else { return }
    let title = component["SUMMARY"].map { ICalendarText.unescaped($0.value) } ?? ""
    file.skip(.notTask, line: component.number, title: ProjectText.title(title))
  }

  /// - Parameters:
  ///   - now: the time of writing, for tasks that have no iCalendar source.
  ///   - remindAt: when a day without a time reminds, in minutes after midnight.
  static func write(
    _ tasks: [ExternalTask], boards: CardBoards = CardBoards(), zone: Zone, now: Instant,
    remindAt: Int = CardSettings().remindAt
  ) throws(WrongFormat) -> String {
    var head: [ICalendarLine] = []
    var body = ""
    var knownZones: Set<String> = []
    func put(_ text: String) throws(WrongFormat) {
      for node in try ICalendarComponent.parse(try ICalendarLine.lines(of: Array(text.utf8))) {
        switch node {
        case .line(let line):
          // Of properties that can occur only once the first file's wins; other properties are retained from all files.
          let isKnown = head.contains { $0.name == line.name && (isUnique(line.name) || $0.text == line.text) }
          if !isKnown { head.append(line) }
        case .component(let component):
          if component.name == "VTIMEZONE", !knownZones.insert(component["TZID"]?.value ?? component.text).inserted {
            continue
          }
          body += component.text
        }
      }
    }
    for task in tasks {
      guard let source = task.source, source.format == .ics else {
        body += ICalendarTask.component(of: task, boards: boards, now: now, remindAt: remindAt).text
        continue
      }
      try put(source.before)
      body += try ICalendarTask.text(of: task, in: source, boards: boards, zone: zone, remindAt: remindAt)
      try put(source.after)
    }
    if !head.contains(where: { $0.name == "VERSION" }) { head.insert(ICalendarLine("VERSION", [], "2.0"), at: 0) }
    if !head.contains(where: { $0.name == "PRODID" }) {
      head.insert(ICalendarLine("PRODID", [], "-//Commonplace//Projects//EN"), at: 1)
    }
    return "BEGIN:VCALENDAR\r\n" + head.map { $0.text + "\r\n" }.joined() + body + "END:VCALENDAR\r\n"
  }

  private static func isUnique(_ name: String) -> Bool {
    ["VERSION", "PRODID", "CALSCALE", "METHOD"].contains(name)
  }
}
