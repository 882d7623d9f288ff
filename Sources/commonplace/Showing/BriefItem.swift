import Wire

/// An item that was just added or finished, on a terminal: in one row with the columns of a list, and the message of
/// the reply below it.
///
///     Added  today  Return the book  #errands  %1 c892
///
/// The whole item is shown by `open`.
struct BriefItem {
  private let heading: Text
  private let item: ShownItem
  private let message: String?

  /// Nil for a reply that states more than the item, such as a warning or that the given title was not used.
  ///
  /// - Parameter heading: its first word, unless the item existed.
  init?(_ reply: JSONValue, heading: Text, say: (Text) -> String) {
    // The message in `display` is shown below the row.
    let isPlain = (reply.objectValue?.members ?? []).allSatisfy { member in
      sameBytes(member.key, "display") || ShownItem.sentences(member.value) == nil
    }
    let remarks = ["keptTitle", "warnings", "similar"].filter { name in
      reply[name].map { $0 != false && $0 != [] } ?? false
    }
    guard isPlain, remarks.isEmpty, reply["saved"] != false, reply["id"]?.stringValue != nil,
      var item = ShownItem(Self.unmarked(reply), ofDay: false, inColumn: false, say: say)
    else { return nil }
    // What was just added is unread, as a matter of course.
    if item.mark == .unread { item.mark = .none }
    self.heading = reply["existing"] == true ? Text("table.existing") : heading
    // Whether a known file was repaired is no news.
    let isRepaired = reply["repaired"] == true && reply["existing"] != true
    let reminders = (reply["display"]?["reminders"]?.arrayValue ?? []).compactMap(\.stringValue)
    let reminds = reminders.isEmpty ? nil : say(Text("table.reminds", ["times": reminders.joined(separator: ", ")]))
    let said = reply["display"]?["message"]?.stringValue ?? (isRepaired ? say(Text("table.repaired")) : nil)
    message = said == nil && reminds == nil ? nil : [said, reminds].compactMap(\.self).joined(separator: " ")
    self.item = item
  }

  /// In a reply `saved` means that the item was written, in a list that the user marked it.
  private static func unmarked(_ reply: JSONValue) -> JSONValue {
    var item = reply.objectValue ?? JSONObject()
    item["saved"] = nil
    return .object(item)
  }

  func text(on screen: Screen) -> String {
    let word = screen.say(heading)
    var labels = screen.labels
    let item = item.labelled(&labels)
    let lines = ItemTable([item], width: screen.width - TextWidth.columns(of: word)).lines(of: item, screen.ink)
    let below = message.map { TerminalText.lines($0, width: screen.width) } ?? []
    return screen.ink.strong(word) + (lines + below).map { $0 + "\n" }.joined()
  }
}
