import Wire

/// A reply as people read it on a terminal, by its shape: a list of `items`, a board of `columns` that have them, or a
/// day with `entries` and `items`. Of any other reply there is none.
///
///     DOING  2
///     ! yesterday  Return the book  #errands To the library.  0192f0c1-7b1e-7000-8000-000000000000
///       today      글을 읽기                                  0192f0c1-7b1e-7000-8000-000000000001
///
/// What the reply says of sources that failed stands above it: a list of what was kept must not look like what there is.
struct ReplyTable {
  struct Section {
    var heading: String?
    var items: [ShownItem]
    /// How many there are in all, and how to go on where these are not all of them.
    var total: Int
    var next: String?
  }

  private let heading: String?
  private let sections: [Section]
  private let remarks: Remarks

  /// `say` has the sentences of the catalogue.
  init?(_ reply: JSONValue, say: (Text) -> String) {
    remarks = Remarks(reply)
    func items(_ value: JSONValue?, ofDay: Bool, inColumn: Bool) -> [ShownItem]? {
      guard let list = value?.arrayValue else { return nil }
      let items = list.compactMap { ShownItem($0, ofDay: ofDay, inColumn: inColumn, say: say) }
      return items.count == list.count ? items : nil
    }
    if let columns = reply["columns"]?.arrayValue {
      let sections = columns.compactMap { column -> Section? in
        guard let title = column["title"]?.stringValue,
          let items = items(column["items"], ofDay: false, inColumn: true)
        else { return nil }
        let total = column["count"]?.integerValue.map(Int.init) ?? items.count
        return Section(
          heading: TerminalText.line(title) + "  \(total)", items: items, total: total,
          next: column["next"]?.stringValue)
      }
      guard sections.count == columns.count, !columns.isEmpty else { return nil }
      (heading, self.sections) = (nil, sections)
      return
    }
    let isDay = reply["entries"] != nil
    guard let listed = items(reply["items"], ofDay: isDay, inColumn: false) else { return nil }
    guard isDay else {
      let total = reply["total"]?.integerValue.map(Int.init) ?? listed.count
      heading = reply["display"]?["heading"]?.stringValue.map { TerminalText.line($0) }
      sections = [Section(heading: nil, items: listed, total: total, next: reply["next"]?.stringValue)]
      return
    }
    guard let entries = items(reply["entries"], ofDay: true, inColumn: false) else { return nil }
    let words = [reply["display"]?["date"]?.stringValue, reply["display"]?["day"]?.stringValue].compactMap {
      $0.map { TerminalText.line($0) }
    }
    heading = words.count == 2 && sameBytes(words[0], words[1]) ? words[0] : words.joined(separator: ", ")
    let all = entries + listed
    // The reply does not count what it leaves out.
    let hasMore = reply["hasMore"]?.boolValue == true
    sections = [Section(heading: nil, items: all, total: all.count + (hasMore ? 1 : 0), next: nil)]
  }

  /// The lines, each of which fits.
  func text(on screen: Screen) -> String {
    let table = ItemTable(sections.flatMap(\.items), width: screen.width)
    let (ink, say) = (screen.ink, screen.say)
    var lines = remarks.problems.map { ink.alarming("! " + $0) }
    if let heading { lines.append(ink.strong(heading)) }
    for section in sections {
      if let heading = section.heading {
        if !lines.isEmpty { lines.append("") }
        lines.append(ink.strong(heading))
      }
      lines += section.items.flatMap { table.lines(of: $0, ink) }
      if section.items.isEmpty, section.heading == nil {
        lines.append(remarks.hint ?? say(Text(remarks.problems.isEmpty ? "table.none" : "table.noneKept")))
      }
      lines += Self.remainder(shown: section.items.count, of: section.total, next: section.next, on: screen)
      lines += failures(of: section).map(ink.alarming)
      if !section.items.isEmpty, let hint = remarks.hint { lines.append(ink.faint(hint)) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  /// That not everything is shown, and how to go on.
  static func remainder(shown: Int, of total: Int, next: String?, on screen: Screen) -> [String] {
    guard shown < total else { return [] }
    let counts = ["shown": String(shown), "total": String(total), "next": TerminalText.line(next ?? "")]
    // Of some replies it is only known that there is more.
    return [screen.ink.faint(screen.say(Text(next == nil ? "table.more" : "table.next", counts)))]
  }

  private static let mostFailures = 10

  /// What the rows have no room for.
  private func failures(of section: Section) -> [String] {
    section.items.compactMap { item in item.failure.map { "! \(item.title.text): \($0)" } }.prefix(Self.mostFailures)
      .map(
        \.self)
  }

  /// What a reply says besides its items.
  private struct Remarks {
    /// Why sources could not be asked.
    var problems: [String]
    /// What to say where there are no items, or below them.
    var hint: String?

    init(_ reply: JSONValue) {
      problems = ([reply["failure"]].compactMap(\.self) + (reply["warnings"]?.arrayValue ?? []))
        .compactMap { ShownItem.sentences($0) }
      // A reply that has a hint for a field to search in means nothing else by its hint.
      let isOfField = reply["display"]?["hint"] != nil
      let display = reply["display"]
      hint =
        (display?["state"]?.stringValue ?? display?["message"]?.stringValue
        ?? (isOfField ? nil : reply["hint"]?.stringValue)).map { TerminalText.line($0) }
    }
  }
}
