import Wire

/// What a table shows of an item of a reply. It knows no collection: every item has strings for people in `display`, and
/// these are the same wherever they mean the same.
struct ShownItem {
  /// When it is due, by what day it is listed, or what day it is about; in a list of one day, the time.
  var when: String
  /// What happened or what it is, in which column it stands, and what the reader made of it: `★` is saved.
  var what: String
  var title: String
  /// Who wrote it, or where it comes from.
  var by: String
  /// What there is to say besides: stars, tags, and how its text begins.
  var rest: String
  var id: String
  /// What stands before it.
  var mark: Mark
  /// Why it could not be asked.
  var failure: String?

  enum Mark: String {
    /// It waits to be done since yesterday or longer, or could not be asked.
    case alarm = "!"
    /// It was not read.
    case unread = "•"
    case none = " "
  }

  /// Nil for what has no title that people could be shown. `ofDay` says that all items are of one day.
  init?(_ item: JSONValue, ofDay: Bool, inColumn: Bool, say: (Text) -> String) {
    let display = item["display"]
    func shown(_ names: [String]) -> String {
      names.lazy.compactMap { display?[$0]?.stringValue }.first { !$0.isEmpty }.map(Self.line) ?? ""
    }
    func words(_ list: JSONValue?) -> [String] { (list?.arrayValue ?? []).compactMap(\.stringValue) }
    guard let title = display?["title"]?.stringValue ?? item["title"]?.stringValue else { return nil }
    self.title = Self.line(title)
    when = shown(ofDay ? ["time"] : ["day", "due", "listed", "date"])
    let kinds = [shown(inColumn ? ["kind"] : ["kind", "state", "status"])] + words(display?["badges"]).map(Self.line)
    let saved = item["saved"]?.boolValue == true ? ["★"] : []
    what = (saved + [kinds.filter { !$0.isEmpty }.joined(separator: ", ")]).filter { !$0.isEmpty }.joined(
      separator: " ")
    by = shown(["authors", "writer", "source"])
    let unread = item["unread"]?.integerValue.flatMap {
      $0 > 0 ? say(Text("table.unread", ["count": String($0)])) : nil
    }
    let failure = Self.sentences(item["failure"])
    let tags = words(item["tags"] ?? item["shelf"]?["tags"]).map { ($0.hasPrefix("+") ? "" : "#") + $0 }
    let beginning = failure ?? ["preview", "snippet", "text"].lazy.compactMap { item[$0]?.stringValue }.first ?? ""
    rest = Self.line(
      ([unread ?? "", shown(["ownStars", "stars"]), shown(["progress"])] + tags + [beginning])
        .filter { !$0.isEmpty }.joined(separator: " "))
    id = item["id"]?.stringValue ?? ""
    let isLate = item["overdue"]?.boolValue == true || failure != nil
    mark = isLate ? .alarm : item["read"]?.boolValue == false ? .unread : .none
    self.failure = failure
  }

  /// What a failure or a warning says, and what to do about it.
  static func sentences(_ problem: JSONValue?) -> String? {
    guard let says = (problem?["message"] ?? problem?["display"])?.stringValue else { return nil }
    return line([says, problem?["advice"]?.stringValue].compactMap(\.self).joined(separator: " "), longest: 1_000)
  }

  /// On one line, and without what a terminal would take for a command.
  static func line(_ text: String) -> String { line(text, longest: 500) }

  private static func line(_ text: String, longest: Int) -> String {
    var line = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(longest) {
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
