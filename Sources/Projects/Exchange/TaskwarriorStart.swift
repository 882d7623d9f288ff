import Contract
import Display
import Exchange
import Wire

/// When a Taskwarrior task comes into sight: its `wait`, an instant, and without one its `scheduled`. `wait:someday` is
/// the last day that Taskwarrior knows, in the year 9999.
struct TaskwarriorStart: Equatable {
  private(set) var day: CalendarDay?
  private(set) var isSomeday = false

  /// The value that Taskwarrior itself writes for `wait:someday`.
  private static let someday = "99991230T000000Z"

  init(_ task: ExternalTask) { (day, isSomeday) = (task.start, task.isSomeday) }

  init(_ object: JSONObject, reader: Zone) {
    let days = ["wait", "scheduled"].compactMap { key -> CalendarDay? in
      guard case .instant(let instant)? = object[key]?.stringValue.flatMap(CompactTime.init) else { return nil }
      return LocalDateTime(exactly: instant, in: reader)?.day
    }
    // In a zone west of Greenwich it is a day earlier.
    isSomeday = days.contains { $0.year >= 9999 }
    day = days.first { $0.year < 9999 }
  }

  /// Writes the attributes for a task that had this start before: an attribute that states the start already stays as
  /// it is, with its time of day.
  func put(over old: TaskwarriorStart, into object: inout JSONObject, zone: Zone) {
    if self == old { return }
    let begin = day.flatMap { LocalDateTime(day: $0, time: "00:00") }.map {
      JSONValue.string(CompactTime.instant($0.instant(in: zone)).text)
    }
    object["wait"] = isSomeday ? .string(Self.someday) : begin
    object["scheduled"] = isSomeday ? begin : object["scheduled"].flatMap { _ in begin }
    // Taskwarrior before 2.6 had a status for it.
    if object["status"]?.stringValue == "waiting", object["wait"] == nil { object["status"] = "pending" }
  }
}
