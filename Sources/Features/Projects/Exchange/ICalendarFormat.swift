import Contract
import Display

/// Tasks as iCalendar has them: the VTODO components of RFC 5545, 3.6.2, with DEPENDS-ON of RFC 9253.
enum ICalendarFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> ForeignFile {
    let top = try ICalendarComponent.parse(try ICalendarLine.lines(of: bytes))
    guard !top.isEmpty else { throw WrongFormat(reason: "noCalendar") }
    var file = ForeignFile()
    var between: [ICalendarComponent.Node] = []
    for node in top {
      guard case .component(let calendar) = node, calendar.name == "VCALENDAR" else {
        throw WrongFormat(reason: "noCalendar")
      }
      let zones = ICalendarZones(calendar)
      for node in calendar.nodes {
        try checkCancelled()
        guard case .component(let component) = node, component.name == "VTODO" else {
          if case .component(let component) = node { skip(component, in: &file) }
          between.append(node)
          continue
        }
        var task = ICalendarTask(component, zones: zones, reader: zone).task
        // A task takes the zones that it names along: the task that they stand before may be removed.
        let needed = zones.components(named: component.zoneNames).filter { !between.contains(.component($0)) }
        task.source = ForeignSource(
          format: .ics, text: component.text,
          before: ICalendarComponent.text(of: needed.map { .component($0) } + between))
        file.add(task, line: component.number)
        between = []
      }
    }
    file.end(with: ICalendarComponent.text(of: between))
    return file
  }

  /// What is no task becomes no card, and that is said. It goes along with the tasks that it stands between, and comes
  /// out again with them.
  private static func skip(_ component: ICalendarComponent, in file: inout ForeignFile) {
    guard component.name != "VTIMEZONE" else { return }
    let title = component["SUMMARY"].map { ICalendarText.unescaped($0.value) } ?? ""
    file.skip(.notTask, line: component.number, title: ForeignTask.title(title))
  }

  /// `now` is the moment of writing, which tasks that come from elsewhere carry.
  static func write(
    _ tasks: [ForeignTask], columns: [KeptColumn] = [], zone: Zone, now: Instant
  ) throws(WrongFormat) -> String {
    var head: [ICalendarLine] = []
    var body = ""
    var knownZones: Set<String> = []
    func put(_ text: String) throws(WrongFormat) {
      for node in try ICalendarComponent.parse(try ICalendarLine.lines(of: Array(text.utf8))) {
        switch node {
        case .line(let line):
          // Of what can be there once, the first file's holds; what others say besides is kept.
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
        body += ICalendarTask.component(of: task, columns: columns, now: now).text
        continue
      }
      try put(source.before)
      body += try ICalendarTask.text(of: task, in: source, columns: columns, zone: zone)
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

/// The zones of a calendar by the names that it gives them.
final class ICalendarZones {
  private var components: [ICalendarComponent] = []
  /// A zone is a file, which is not read anew for every task.
  private var known: [String: Zone?] = [:]

  init(_ calendar: ICalendarComponent?) {
    for case .component(let component) in calendar?.nodes ?? [] where component.name == "VTIMEZONE" {
      components.append(component)
    }
  }

  func components(named names: Set<String>) -> [ICalendarComponent] {
    components.filter { names.contains($0["TZID"]?.value ?? "") }
  }

  /// Names are the tz database's, or have its name at their end (`/freeassociation.sourceforge.net/Europe/Berlin`), or
  /// the calendar says what is meant (`X-LIC-LOCATION`).
  func zone(named name: String) -> Zone? {
    if let zone = known[name] { return zone }
    let zone = find(name)
    known[name] = .some(zone)
    return zone
  }

  private func find(_ name: String) -> Zone? {
    let words = name.split(separator: "/")
    for count in stride(from: min(words.count, 3), through: 1, by: -1) {
      if let zone = Zone(words.suffix(count).joined(separator: "/")) { return zone }
    }
    return components(named: [name]).lazy.compactMap { $0["X-LIC-LOCATION"].flatMap { Zone($0.value) } }.first
  }
}
