import Wire

/// A normal form of parts of a calendar: independent of order, folds and the stamps that servers set.
enum ICalendarMeaning {
  /// The normal form of each part of a text; nil if it cannot be parsed.
  static func parts(of text: String) -> (lines: Set<String>, components: [String])? {
    if text.isEmpty { return ([], []) }
    guard let nodes = try? ICalendarComponent.parse(try ICalendarLine.lines(of: Array(text.utf8))) else { return nil }
    var lines: Set<String> = []
    var components: [String] = []
    for node in nodes {
      switch node {
      case .line(let line): if let line = meaning(of: line) { lines.insert(line) }
      // A zone accompanies whichever task names it.
      case .component(let component): if component.name != "VTIMEZONE" { components.append(meaning(of: component)) }
      }
    }
    return (lines, components.sorted())
  }

  private static func meaning(of component: ICalendarComponent) -> String {
    let parts = component.nodes.compactMap { node in
      switch node {
      case .line(let line): meaning(of: line)
      case .component(let component): meaning(of: component)
      }
    }
    return "BEGIN:\(component.name)\n" + parts.sorted().joined(separator: "\n") + "\nEND:\(component.name)"
  }

  /// nil for properties that every program sets by itself when it writes a calendar.
  private static func meaning(of line: ICalendarLine) -> String? {
    if ["DTSTAMP", "VERSION", "PRODID", "CALSCALE", "METHOD"].contains(line.name) { return nil }
    if line.name.isEmpty { return line.text }
    let parameters = line.parameters.map { ";\($0.name)=\($0.value)" }.sorted().joined()
    return "\(line.name)\(parameters):\(line.value)"
  }
}

extension TaskSource {
  /// Whether two tasks of iCalendar have the same normal form.
  func meansSame(as other: TaskSource) -> Bool {
    guard let left = ICalendarMeaning.parts(of: text), let right = ICalendarMeaning.parts(of: other.text) else {
      return false
    }
    return left == right
  }

  /// Whether a file has nothing else around a task than this stored source. In a file with cards of other files, the
  /// text around this task may have moved: so the stored parts may be anywhere in the file, whose components are
  /// `components`.
  func hasSameSurroundings(as other: TaskSource, among components: Set<String>) -> Bool {
    if sameBytes(before, other.before), sameBytes(after, other.after) { return true }
    guard let stored = ICalendarMeaning.parts(of: before + after + (head ?? "")),
      let own = ICalendarMeaning.parts(of: before + after),
      let read = ICalendarMeaning.parts(of: other.before + other.after)
    else { return false }
    return read.lines.isSubset(of: stored.lines) && Set(read.components).isSubset(of: stored.components)
      && components.isSuperset(of: own.components)
  }
}
