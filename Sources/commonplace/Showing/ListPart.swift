import Wire

/// Which part of a list a reply holds, and how to go on behind it.
struct ListPart {
  private let shown: Int
  private let counted: Int
  private let offset: Int
  private let total: Int
  private let isEstimate: Bool
  private let hasMore: Bool
  private let next: String?

  /// `list` is a page, a board's column, or a day. Where it does not say whether there is more, its count does.
  ///
  /// - Parameter counted: of a list without `next`, how many of its items `offset` counts.
  init(_ list: JSONValue, shown: Int, counted: Int = 0) {
    self.shown = shown
    self.counted = list["offset"] == nil ? 0 : counted
    offset = list["offset"]?.integerValue.map(Int.init) ?? 0
    total = (list["total"] ?? list["count"])?.integerValue.map(Int.init) ?? offset + shown
    isEstimate = list["totalIsEstimate"]?.boolValue ?? false
    next = list["next"]?.stringValue.map { TerminalText.line($0) }
    hasMore = list["hasMore"]?.boolValue ?? (offset + shown < total)
  }

  /// That there is nothing; behind the end of a list, that there is nothing more.
  func nothing(on screen: Screen) -> Text { offset > 0 ? Text("table.noneMore") : screen.nothing }

  /// That not everything is shown, and how to go on. Of an empty part nothing follows, whatever was guessed.
  func remainder(on screen: Screen) -> [String] {
    guard hasMore, shown > 0 else { return [] }
    let counts = [
      "shown": String(shown), "total": String(total), "next": next ?? "", "offset": String(offset + counted),
    ]
    return [screen.ink.faint(screen.say(text(of: counts)))]
  }

  private func text(of counts: [String: String]) -> Text {
    // Of some replies it is only known that there is more; where no more were counted, nothing but asking tells.
    if next == nil { return Text(counted > 0 ? "table.moreByOffset" : "table.more", counts) }
    if total <= offset + shown { return Text("table.perhaps", counts) }
    return isEstimate ? Text("table.nextAbout", counts) : Text("table.next", counts)
  }
}
