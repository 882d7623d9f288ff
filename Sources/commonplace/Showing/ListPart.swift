import Wire

/// Which part of a list a reply holds, and how to go on behind it.
struct ListPart {
  private let shown: Int
  private let offset: Int
  private let total: Int
  private let isEstimate: Bool
  private let hasMore: Bool
  private let next: String?

  /// `list` is a page, a board's column, or a day. Where it does not say whether there is more, its count does.
  init(_ list: JSONValue, shown: Int) {
    self.shown = shown
    offset = list["offset"]?.integerValue.map(Int.init) ?? 0
    total = (list["total"] ?? list["count"])?.integerValue.map(Int.init) ?? offset + shown
    isEstimate = list["totalIsEstimate"]?.boolValue ?? false
    next = list["next"]?.stringValue.map { TerminalText.line($0) }
    hasMore = list["hasMore"]?.boolValue ?? (offset + shown < total)
  }

  /// That there is nothing; behind the end of a list, that there is nothing more.
  var nothing: Text { Text(offset > 0 ? "table.noneMore" : "table.none") }

  /// That not everything is shown, and how to go on. Of an empty part nothing follows, whatever was guessed.
  func remainder(on screen: Screen) -> [String] {
    guard hasMore, shown > 0 else { return [] }
    let counts = ["shown": String(shown), "total": String(total), "next": next ?? ""]
    return [screen.ink.faint(screen.say(text(of: counts)))]
  }

  private func text(of counts: [String: String]) -> Text {
    // Of some replies it is only known that there is more; where no more were counted, nothing but asking tells.
    if next == nil { return Text("table.more", counts) }
    if total <= offset + shown { return Text("table.perhaps", counts) }
    return isEstimate ? Text("table.nextAbout", counts) : Text("table.next", counts)
  }
}
