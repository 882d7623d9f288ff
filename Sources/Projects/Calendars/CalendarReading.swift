import Contract
import Exchange
import Kit
import Store

/// An event of a calendar's file as it is stored.
struct ReadEvent: Sendable {
  var firstDay: CalendarDay
  var lastDay: CalendarDay
  var title: String
  var location: String?
  var url: String?
  /// A VEVENT with the lines that its occurrences are computed from.
  var times: String
}

/// The events of an iCalendar file (RFC 5545). Whatever else it has is not read.
struct CalendarReading: Sendable {
  /// Its own title (X-WR-CALNAME, or NAME of RFC 7986).
  private(set) var title: String?
  private(set) var events: [ReadEvent] = []
  /// The VTIMEZONE components that the events name.
  private(set) var zones = ""
  private(set) var isCut = false

  /// The largest file, in bytes.
  static let mostBytes = 8 << 20
  /// Of more events, those that end last are stored: the others are long past.
  static let mostEvents = 10_000
  private static let mostZoneBytes = 1 << 18
  /// In Unicode scalars.
  private static let (longestTitle, longestLocation, longestURL) = (500, 500, 2_000)

  /// - Throws: `WrongFormat` for a file that is no calendar; what `checkCancelled` throws.
  init(_ bytes: [UInt8], checkCancelled: () throws -> Void) throws {
    let top = try ICalendarComponent.parse(try ICalendarLine.lines(of: bytes))
    for calendar in try ICalendarComponent.calendars(of: top, with: "VEVENT") {
      try checkCancelled()
      title = title ?? (calendar["X-WR-CALNAME"] ?? calendar["NAME"]).flatMap { Self.line($0, Self.longestTitle) }
      try read(calendar, checkCancelled)
    }
    guard events.count > Self.mostEvents else { return }
    isCut = true
    let latest = events.enumerated().sorted { ($1.element.lastDay, $1.offset) < ($0.element.lastDay, $0.offset) }
    events = latest.prefix(Self.mostEvents).sorted { $0.offset < $1.offset }.map(\.element)
  }

  private mutating func read(_ calendar: ICalendarComponent, _ checkCancelled: () throws -> Void) throws {
    var parts: [ICalendarComponent] = []
    // Of several versions of one event or one moved occurrence, the latest counts.
    var known: [[String]: Int] = [:]
    // By UID of a series, where its moved and cancelled occurrences were.
    var moved: [String: [ICalendarLine]] = [:]
    for case .component(let part) in calendar.nodes where part.name == "VEVENT" {
      let occurrence = part["RECURRENCE-ID"]
      guard let uid = part["UID"]?.value else {
        parts.append(part)
        continue
      }
      if let occurrence { moved[uid, default: []].append(occurrence) }
      let key = [uid, occurrence?.value ?? ""]
      if let place = known[key] {
        if Self.sequence(of: part) >= Self.sequence(of: parts[place]) { parts[place] = part }
      } else {
        known[key] = parts.count
        parts.append(part)
      }
    }
    var zoneNames: Set<String> = []
    for part in parts where part["STATUS"]?.value.uppercased() != "CANCELLED" {
      try checkCancelled()
      let isSeries = part["RECURRENCE-ID"] == nil && (part["RRULE"] ?? part["RDATE"]) != nil
      let event = Self.event(part, moved: isSeries ? part["UID"].flatMap { moved[$0.value] } ?? [] : [])
      guard let event else { continue }
      events.append(event.stored)
      zoneNames.formUnion(event.zoneNames)
    }
    let ofCalendar = calendar.nodes.filter {
      if case .component(let part) = $0 {
        part.name == "VTIMEZONE" && zoneNames.contains(part["TZID"]?.value ?? "")
      } else {
        false
      }
    }
    let text = ICalendarComponent.text(of: ofCalendar)
    if zones.utf8.count + text.utf8.count <= Self.mostZoneBytes { zones += text }
  }

  /// Nil for an event without a readable start.
  private static func event(
    _ part: ICalendarComponent, moved: [ICalendarLine]
  ) -> (stored: ReadEvent, zoneNames: Set<String>)? {
    var times = ICalendarComponent(name: "VEVENT")
    let names = ["DTSTART", "DTEND", "DURATION", "RRULE", "RDATE", "EXDATE"]
    times.nodes = (part.lines.filter { names.contains($0.name) } + moved).filter { !$0.text.utf8.contains(0) }.map(
      ICalendarComponent.Node.line)
    guard let days = EventTimes.days(of: times) else { return nil }
    let url = part["URL"].flatMap { line($0, longestURL) }.flatMap { url in
      ["http://", "https://"].contains { url.lowercased().hasPrefix($0) } ? url : nil
    }
    let stored = ReadEvent(
      firstDay: days.first, lastDay: days.last, title: part["SUMMARY"].flatMap { line($0, longestTitle) } ?? "",
      location: part["LOCATION"].flatMap { line($0, longestLocation) }, url: url, times: times.text)
    return (stored, times.zoneNames)
  }

  private static func sequence(of part: ICalendarComponent) -> Int { part["SEQUENCE"].flatMap { Int($0.value) } ?? 0 }

  /// A text in one line; nil if it is empty.
  private static func line(_ line: ICalendarLine, _ limit: Int) -> String? {
    let words = ICalendarText.unescaped(line.value).split { $0.unicodeScalars.contains { $0.isLineEndOrControl } }
    let text = String(ProjectText.trimmed(words.joined(separator: " ")).unicodeScalars.prefix(limit))
    return text.isEmpty ? nil : text
  }

  /// The same for files with the same events, whatever a server stamps into each copy.
  var hash: String {
    var text = "\(title ?? "")\u{1F}\(zones)\u{1F}\(isCut)"
    for event in events {
      text += "\u{1E}\(event.title)\u{1F}\(event.location ?? "")\u{1F}\(event.url ?? "")\u{1F}\(event.times)"
    }
    return Blobs.hash(of: Array(text.utf8))
  }
}
