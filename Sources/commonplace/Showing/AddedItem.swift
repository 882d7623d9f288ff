import Wire

/// An added item on a terminal, in one row with the columns of a list:
///
///     Added  today  Return the book  #errands  %1 c892
///
/// The whole item is shown by `open`.
struct AddedItem {
  private let heading: Text
  private let item: ShownItem

  /// Nil for a reply that states more than the item, such as a warning or that the given title was not used.
  init?(_ reply: JSONValue, say: (Text) -> String) {
    let isPlain = (reply.objectValue?.members ?? []).allSatisfy { ShownItem.sentences($0.value) == nil }
    let remarks = ["keptTitle", "repaired", "warnings", "similar"].filter { name in
      reply[name].map { $0 != false && $0 != [] } ?? false
    }
    guard isPlain, remarks.isEmpty, reply["saved"] != false, reply["id"]?.stringValue != nil,
      let item = ShownItem(Self.unmarked(reply), ofDay: false, inColumn: false, say: say)
    else { return nil }
    heading = Text(reply["existing"] == true ? "table.existing" : "table.added")
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
    return screen.ink.strong(word) + lines.map { $0 + "\n" }.joined()
  }
}
