import Wire

/// The rows of a reply that is a list of days with lists of items, with the overdue items before them, in the order in
/// which a table shows them. Days without items are skipped.
///
///     Overdue
///     ! Nov 19  Return the book  %1 c892
///
///     Today
///       14:00   Dentist          Family
///       17:30   Call Ann         %2 4b20
struct ReplyAgenda {
  struct Part {
    /// The member of the reply or of the day: `overdue`, `events`, `due`, `starting`, `foreseen`.
    var member: String
    var items: [JSONValue]
  }

  struct Section {
    /// The day in words; nil for the overdue items.
    var day: String?
    var parts: [Part]
  }

  let sections: [Section]

  /// The lists of a day.
  private static let lists = ["events", "due", "starting", "foreseen"]

  /// Nil for a reply of another shape.
  init?(_ reply: JSONValue) {
    guard let overdue = reply["overdue"]?.arrayValue, let days = reply["days"]?.arrayValue,
      days.allSatisfy({ $0["day"] != nil && $0["due"]?.arrayValue != nil })
    else { return nil }
    let first = Section(day: nil, parts: [Part(member: "overdue", items: overdue)])
    let others = days.map { day in
      let parts = Self.lists.map { Part(member: $0, items: (day[$0]?.arrayValue ?? []).map(Self.item)) }
      return Section(day: (day["display"]?["day"] ?? day["day"])?.stringValue ?? "", parts: parts)
    }
    sections = ([first] + others).filter { section in section.parts.contains { !$0.items.isEmpty } }
  }

  /// A later occurrence of an item as that item: it has no id of its own. An event has no id at all.
  private static func item(_ element: JSONValue) -> JSONValue {
    if element["calendar"] != nil, let display = element["display"]?.objectValue {
      var shown: JSONObject = ["title": display["title"] ?? "", "source": display["calendar"] ?? ""]
      if let time = display["time"] { shown["time"] = time }
      return ["display": .object(shown)]
    }
    guard element["id"] == nil, let id = element["card"], let title = element["title"] else { return element }
    var display: JSONObject = ["title": title]
    if let time = element["display"]?["time"] ?? element["time"] { display["time"] = time }
    return ["id": id, "title": title, "display": .object(display)]
  }
}
