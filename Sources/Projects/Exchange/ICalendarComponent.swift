import Exchange
import Kit

/// A component of iCalendar (RFC 5545, 3.6), with its lines and components in their order.
struct ICalendarComponent: Sendable, Equatable {
  enum Node: Sendable, Equatable {
    case line(ICalendarLine)
    case component(ICalendarComponent)

    /// The number of its first line in the file, from 1.
    var number: Int {
      switch self {
      case .line(let line): line.number
      case .component(let component): component.number
      }
    }
  }

  var name: String
  var nodes: [Node] = []
  /// The number of its first line in the file, from 1.
  var number = 0

  /// The format needs three levels: a calendar, a task, its alarm. The limit bounds the recursion.
  private static let deepest = 32

  /// Parses the top level of a file: components, with nothing between them.
  ///
  /// - Throws: `WrongFormat` if `BEGIN` and `END` do not match, or if components are nested too deeply.
  static func parse(_ lines: [ICalendarLine]) throws(WrongFormat) -> [Node] {
    var open = [ICalendarComponent(name: "")]
    for line in lines {
      switch line.name {
      case "BEGIN":
        guard open.count <= deepest else { throw WrongFormat(reason: "tooDeep", line: line.number) }
        open.append(ICalendarComponent(name: line.value.uppercased(), number: line.number))
      case "END":
        let name = open[open.count - 1].name
        guard open.count > 1, name == line.value.uppercased(), let closed = open.popLast() else {
          throw WrongFormat(missing: open.count > 1 ? "END:\(name)" : "BEGIN:\(line.value)", line: line.number)
        }
        open[open.count - 1].nodes.append(.component(closed))
      default: open[open.count - 1].nodes.append(.line(line))
      }
    }
    guard open.count == 1 else {
      throw WrongFormat(missing: "END:\(open[open.count - 1].name)")
    }
    return open[0].nodes
  }

  /// The calendars of a file. What is outside of any, as in a file of a task alone, is a calendar without a name, whose
  /// first and last lines are missing.
  ///
  /// - Parameter part: the name of the components that are read.
  /// - Throws: `WrongFormat` for a file that has neither a calendar nor such a component.
  static func calendars(of top: [Node], with part: String) throws(WrongFormat) -> [ICalendarComponent] {
    var calendars: [ICalendarComponent] = []
    var isCalendar = false
    for node in top {
      if case .component(let component) = node {
        isCalendar = isCalendar || ["VCALENDAR", part].contains(component.name)
        if component.name == "VCALENDAR" {
          calendars.append(component)
          continue
        }
      }
      if calendars.last?.name.isEmpty != true { calendars.append(ICalendarComponent(name: "")) }
      calendars[calendars.count - 1].nodes.append(node)
    }
    guard isCalendar else { throw WrongFormat(reason: "noCalendar", line: top.first?.number) }
    return calendars
  }

  /// The text of nodes, in the form that `parse` reads.
  static func text(of nodes: [Node]) -> String {
    var text = ""
    for node in nodes {
      switch node {
      case .line(let line): text += line.text + "\r\n"
      case .component(let component): text += component.text
      }
    }
    return text
  }

  /// The VTIMEZONE components in a text.
  static func zones(in text: String) -> String {
    let nodes = (try? parse(ICalendarLine.lines(of: Array(text.utf8)))) ?? []
    return Self.text(of: nodes.filter { if case .component(let part) = $0 { part.name == "VTIMEZONE" } else { false } })
  }

  var text: String { "BEGIN:\(name)\r\n" + Self.text(of: nodes) + "END:\(name)\r\n" }

  var lines: [ICalendarLine] {
    nodes.compactMap { if case .line(let line) = $0 { line } else { nil } }
  }

  subscript(name: String) -> ICalendarLine? { lines.first { $0.name == name } }

  /// Replaces the chosen properties, at the place of the first of them; without any the new ones go after all lines.
  mutating func replace(_ choose: (ICalendarLine) -> Bool, by new: [ICalendarLine]) {
    func isChosen(_ node: Node) -> Bool { if case .line(let line) = node { choose(line) } else { false } }
    let endOfLines = nodes.lastIndex { if case .line = $0 { true } else { false } }.map { $0 + 1 } ?? 0
    let place = nodes.firstIndex(where: isChosen) ?? endOfLines
    nodes.removeAll(where: isChosen)
    nodes.insert(contentsOf: new.map(Node.line), at: min(place, nodes.count))
  }

  mutating func set(_ name: String, _ line: ICalendarLine?) {
    replace({ $0.name == name }, by: line.map { [$0] } ?? [])
  }

  /// The names of the zones of its times.
  var zoneNames: Set<String> {
    nodes.reduce(into: []) { names, node in
      switch node {
      case .line(let line): if let name = line["TZID"] { names.insert(name) }
      case .component(let component): names.formUnion(component.zoneNames)
      }
    }
  }
}
