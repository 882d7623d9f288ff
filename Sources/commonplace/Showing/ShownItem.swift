import Wire

/// What a table shows of an item of a reply. It knows no collection: every item has strings for people in `display`, and
/// these are the same wherever they mean the same.
struct ShownItem {
  /// When it is due, or what day it is about; in a list of one day, the time.
  var when: String
  /// What happened, or in which column it stands.
  var what: String
  var title: String
  /// What there is to say besides: tags, and how its text begins.
  var rest: String
  var id: String
  /// Whether it waits to be done since yesterday or longer.
  var isLate: Bool

  /// Nil for what has no title that people could be shown. `ofDay` says that all items are of one day.
  init?(_ item: JSONValue, ofDay: Bool, inColumn: Bool) {
    let display = item["display"]
    func shown(_ names: [String]) -> String {
      names.lazy.compactMap { display?[$0]?.stringValue }.first { !$0.isEmpty }.map(Self.line) ?? ""
    }
    guard let title = display?["title"]?.stringValue ?? item["title"]?.stringValue else { return nil }
    self.title = Self.line(title)
    when = shown(ofDay ? ["time"] : ["day", "due", "date"])
    what = shown(inColumn ? ["kind"] : ["kind", "state"])
    let tags = (item["tags"]?.arrayValue ?? []).compactMap(\.stringValue).map { ($0.hasPrefix("+") ? "" : "#") + $0 }
    rest = Self.line((tags + [item["preview"]?.stringValue ?? item["text"]?.stringValue ?? ""]).joined(separator: " "))
    id = item["id"]?.stringValue ?? ""
    isLate = item["overdue"]?.boolValue == true
  }

  /// On one line, and without what a terminal would take for a command.
  private static func line(_ text: String) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(500) {
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .spaceSeparator:
        if line.last.map({ $0 != " " }) ?? false { line.append(" ") }
      // Marks that turn the direction of the line would go on behind it.
      case .format where scalar.value != 0x200D: continue
      default: line.append(scalar)
      }
    }
    if line.last == " " { line.removeLast() }
    return String(line)
  }
}
