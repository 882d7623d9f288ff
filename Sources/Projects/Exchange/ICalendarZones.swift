import Contract
import Display

/// The zones of a calendar, by the names that it gives them.
final class ICalendarZones {
  private var components: [ICalendarComponent] = []
  /// A cache: loading a zone reads a file.
  private var known: [String: Zone?] = [:]

  init(_ calendar: ICalendarComponent?) {
    for case .component(let component) in calendar?.nodes ?? [] where component.name == "VTIMEZONE" {
      components.append(component)
    }
  }

  func components(named names: Set<String>) -> [ICalendarComponent] {
    components.filter { names.contains($0["TZID"]?.value ?? "") }
  }

  /// Finds a zone by the name of the tz database, by that name at the end of a longer one
  /// (`/freeassociation.sourceforge.net/Europe/Berlin`), or by the calendar's own definition: the database's name
  /// (`X-LIC-LOCATION`), or the times at which each offset begins.
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
    let own = components(named: [name])
    return own.lazy.compactMap { $0["X-LIC-LOCATION"].flatMap { Zone($0.value) } }.first
      ?? own.lazy.compactMap { Self.zone($0, named: name) }.first
  }

  /// Times before and after these years are treated as if they were in the first or the last of them.
  private static let years = 1970...2199
  private static let mostObservances = 32

  /// A zone from its observances (RFC 5545, 3.6.5), which state from when on which UTC offset applies.
  private static func zone(_ component: ICalendarComponent, named name: String) -> Zone? {
    var onsets: [(at: Int64, from: Int, to: Int)] = []
    var count = 0
    for case .component(let observance) in component.nodes
    where ["STANDARD", "DAYLIGHT"].contains(observance.name) && count < mostObservances {
      count += 1
      guard let from = observance["TZOFFSETFROM"].flatMap({ offset($0.value) }),
        let to = observance["TZOFFSETTO"].flatMap({ offset($0.value) }),
        case .local(let start)? = observance["DTSTART"].flatMap({ CompactTime($0.value) })
      else { return nil }
      for day in days(of: observance, from: start.day) {
        let seconds = Int64(day.daysSince1970) * 86_400 + Int64(start.minutes * 60 + start.seconds)
        onsets.append((seconds - Int64(from), from, to))
      }
    }
    onsets.sort { $0.at < $1.at }
    guard let first = onsets.first else { return nil }
    return Zone(
      named: name, offset: first.from, changes: onsets.map { ($0.at, $0.to) })
  }

  private static func days(of observance: ICalendarComponent, from start: CalendarDay) -> [CalendarDay] {
    var days = [start]
    for line in observance.lines where line.name == "RDATE" {
      for text in line.value.split(separator: ",").prefix(years.count) {
        if case .local(let local)? = CompactTime(String(text)) { days.append(local.day) }
      }
    }
    guard let rule = observance["RRULE"].flatMap({ try? RecurrenceRule($0.value) }), rule.frequency == .yearly,
      !rule.neverComes
    else { return days }
    var day = max(start, CalendarDay(year: years.lowerBound, month: 1, day: 1) ?? start)
    for _ in years {
      guard let next = rule.day(after: day, from: start), next.year <= years.upperBound else { break }
      days.append(next)
      day = next
    }
    return days
  }

  /// `-0500`, `+013045`: seconds east of UTC.
  private static func offset(_ text: String) -> Int? {
    guard let match = text.wholeMatch(of: /([+\-])([0-9]{2})([0-9]{2})([0-9]{2})?/), let hours = Int(match.output.2),
      let minutes = Int(match.output.3), hours < 24, minutes < 60
    else { return nil }
    let seconds = hours * 3_600 + minutes * 60 + (match.output.4.flatMap { Int($0) } ?? 0)
    return match.output.1 == "-" ? -seconds : seconds
  }
}
