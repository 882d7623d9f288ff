import Display
import Wire

/// The part of a list that a reply contains, and how to continue after it.
struct ListPart {
  private let shown: Int
  private let counted: Int
  private let offset: Int
  private let total: Int
  private let isEstimate: Bool
  private let isFloor: Bool
  private let hasMore: Bool
  private let next: String?
  /// Of items that are out of sight until they are asked for: cards for someday.
  private let later: Int

  /// `list` is a page, a board's column, or a day. If it does not state whether there is more, its count shows it.
  ///
  /// - Parameter counted: for a list without `next`, how many of its items `offset` counts.
  init(_ list: JSONValue, shown: Int, counted: Int = 0) {
    self.shown = shown
    self.counted = list["offset"] == nil ? 0 : counted
    offset = list["offset"]?.integerValue.map(Int.init) ?? 0
    total = (list["total"] ?? list["count"])?.integerValue.map(Int.init) ?? offset + shown
    isEstimate = list["totalIsEstimate"]?.boolValue ?? false
    isFloor = list["totalIsFloor"]?.boolValue ?? false
    next = list["next"]?.stringValue.map { TerminalText.line($0) }
    let unseen = max(0, total - offset - shown)
    later = next == nil ? min(unseen, list["later"]?.integerValue.map(Int.init) ?? 0) : 0
    hasMore = list["hasMore"]?.boolValue ?? (unseen > later)
  }

  /// The message that the list is empty; after the end of a list, that there is nothing more.
  func nothing(on screen: Screen) -> Text { offset > 0 ? Text("table.noneMore") : screen.nothing }

  /// The message that the list is incomplete, and how to continue. An empty part has no continuation, whatever was
  /// estimated.
  func remainder(on screen: Screen) -> [String] {
    let hidden = later > 0 ? [screen.ink.faint(screen.say(Text("table.later", ["count": String(later)])))] : []
    guard hasMore, shown > 0 else { return hidden }
    let counts = [
      "shown": String(shown), "total": grouped(total), "next": next ?? "", "offset": String(offset + counted),
    ]
    return [screen.ink.faint(screen.say(text(of: counts)))] + hidden
  }

  private func text(of counts: [String: String]) -> Text {
    // Some replies only state that there is more; if no more were counted, only another request shows whether there
    // is.
    if next == nil { return Text(counted > 0 ? "table.moreByOffset" : "table.more", counts) }
    if total <= offset + shown { return Text("table.perhaps", counts) }
    return Text(isFloor ? "table.nextFloor" : isEstimate ? "table.nextAbout" : "table.next", counts)
  }
}
