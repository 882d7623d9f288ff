import Wire

/// A reply as a terminal table, by its shape: a list of `items`, a board, which is a list of columns with items, a day
/// with `entries` and `items`, or an agenda (`ReplyAgenda`). Nil for any other reply.
///
///     DOING  2
///     ! yesterday  Return the book  #errands To the library.  0192f0c1-7b1e-7000-8000-000000000000
///       today      글을 읽기                                  0192f0c1-7b1e-7000-8000-000000000001
///
/// Failures of sources are shown above it: a list of cached items must not look like a current one.
struct ReplyTable {
  struct Section {
    var heading: String?
    var items: [ShownItem]
    var part: ListPart
  }

  private let heading: String?
  private let sections: [Section]
  private let remarks: Remarks
  /// Values without a row, such as how many posts were restored with a source.
  private let others: [String]

  /// `say` returns the sentences of the catalogue.
  init?(_ reply: JSONValue, say: (Text) -> String) {
    remarks = Remarks(reply, say)
    others = Self.others(reply, say)
    func items(_ value: JSONValue?, ofDay: Bool, inColumn: Bool) -> [ShownItem]? {
      guard let list = value?.arrayValue else { return nil }
      let items = list.compactMap { ShownItem($0, ofDay: ofDay, inColumn: inColumn, say: say) }
      guard items.count == list.count else { return nil }
      return Set(items.map(\.board)).count > 1 ? items.map { $0.onBoard() } : items
    }
    if let agenda = ReplyAgenda(reply) {
      (heading, sections) = (nil, Self.sections(of: agenda, reply, say))
      return
    }
    let lists = reply.objectValue?.members.compactMap(\.value.arrayValue) ?? []
    if let columns = lists.first(where: { $0.first?["items"]?.arrayValue != nil }) {
      let sections = columns.compactMap { column -> Section? in
        guard let title = column["title"]?.stringValue,
          let items = items(column["items"], ofDay: false, inColumn: true)
        else { return nil }
        let total = column["count"]?.integerValue.map(Int.init) ?? items.count
        let limit = column["limit"]?.integerValue.map { " / \($0)" } ?? ""
        return Section(
          heading: TerminalText.line(title) + "  \(total)" + limit, items: items,
          part: ListPart(column, shown: items.count))
      }
      guard sections.count == columns.count else { return nil }
      (heading, self.sections) = (nil, sections)
      return
    }
    let isDay = reply["entries"] != nil
    guard let listed = items(reply["items"], ofDay: isDay, inColumn: false) else { return nil }
    guard isDay else {
      heading = (reply["display"]?["heading"]?.stringValue ?? Self.undone(reply, say)).map { TerminalText.line($0) }
      sections = [Section(heading: nil, items: listed, part: ListPart(reply, shown: listed.count))]
      return
    }
    guard let entries = items(reply["entries"], ofDay: true, inColumn: false) else { return nil }
    let words = [reply["display"]?["date"]?.stringValue, reply["display"]?["day"]?.stringValue].compactMap {
      $0.map { TerminalText.line($0) }
    }
    let day = words.count == 2 && sameBytes(words[0], words[1]) ? words[0] : words.joined(separator: ", ")
    let others = reply["display"]?["otherYears"]?.stringValue.map { " (\(TerminalText.line($0)))" } ?? ""
    heading = day + others
    let all = entries + listed
    // The reply does not count the omitted items.
    sections = [Section(heading: nil, items: all, part: ListPart(reply, shown: all.count, counted: listed.count))]
  }

  /// The overdue items and each day that has any.
  private static func sections(of agenda: ReplyAgenda, _ reply: JSONValue, _ say: (Text) -> String) -> [Section] {
    var sections = agenda.sections.map { section in
      let items = section.parts.flatMap { part in
        part.items.compactMap { item -> ShownItem? in
          var shown = ShownItem(item, ofDay: section.day != nil, inColumn: false, say: say)
          // What is due is the rule, and an event names its calendar; other items state why they are listed.
          if !["overdue", "due", "events"].contains(part.member) { shown?.what = say(Text("field.\(part.member)")) }
          return shown
        }
      }
      let heading = TerminalText.line(section.day ?? say(Text("field.overdue")))
      return Section(
        heading: heading.prefix(1).uppercased() + heading.dropFirst(), items: items,
        part: ListPart(["hasMore": false], shown: items.count))
    }
    let part = ListPart(reply, shown: sections.reduce(0) { $0 + $1.items.count })
    if sections.isEmpty { return [Section(heading: nil, items: [], part: part)] }
    sections[sections.count - 1].part = part
    return sections
  }

  /// The description of an undone or redone change, whose items state what happened to them.
  private static func undone(_ reply: JSONValue, _ say: (Text) -> String) -> String? {
    guard let label = reply["label"]?.stringValue else { return nil }
    func words(_ text: (_ arguments: [String: String]) -> Text, _ clock: JSONValue?) -> String? {
      clock?.integerValue.map { say(text(["label": label, "clock": String($0)])) }
    }
    return words({ Text("table.undone", $0) }, reply["undone"])
      ?? words({ Text("table.redone", $0) }, reply["redone"])
  }

  /// Its other effects, such as `137 × post back`.
  private static func others(_ reply: JSONValue, _ say: (Text) -> String) -> [String] {
    (reply["others"]?.arrayValue ?? []).compactMap { other in
      guard let count = other["count"]?.integerValue, let words = ShownItem.change(other, say) else { return nil }
      return "  \(count) × \(words)"
    }
  }

  /// The lines, none wider than the terminal.
  func text(on screen: Screen) -> String {
    var labels = screen.labels
    let sections = sections.map { section in
      var section = section
      section.items = section.items.map { $0.labelled(&labels) }
      return section
    }
    let table = ItemTable(sections.flatMap(\.items), width: screen.width)
    let (ink, say) = (screen.ink, screen.say)
    func alarm(_ text: String) -> [String] {
      TerminalText.lines("! " + text, width: screen.width).map(ink.alarming)
    }
    var lines = remarks.problems.flatMap(alarm)
    if let heading { lines.append(ink.strong(heading)) }
    for section in sections {
      if let heading = section.heading {
        if !lines.isEmpty { lines.append("") }
        lines.append(ink.strong(heading))
      }
      lines += section.items.flatMap { table.lines(of: $0, ink) }
      if section.items.isEmpty, section.heading == nil {
        lines.append(
          remarks.hint ?? say(remarks.problems.isEmpty ? section.part.nothing(on: screen) : Text("table.noneKept")))
      }
      lines += others.isEmpty ? section.part.remainder(on: screen) : others.map(ink.faint)
      lines += failures(of: section).flatMap(alarm)
      if !section.items.isEmpty, let hint = remarks.hint { lines.append(ink.faint(hint)) }
    }
    if let advice = remarks.advice { lines += TerminalText.lines(advice, width: screen.width).map(ink.faint) }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let mostFailures = 10

  /// The failures for which the rows have no room.
  private func failures(of section: Section) -> [String] {
    section.items.compactMap { item in item.failure.map { "\(item.title.text): \($0)" } }.prefix(Self.mostFailures)
      .map(
        \.self)
  }

  /// The remarks of a reply besides its items.
  private struct Remarks {
    /// Why sources could not be fetched, or why nothing was done for an item.
    var problems: [String]
    /// Shown if there are no items, or below them.
    var hint: String?
    /// Shown below everything, whether there are items or not.
    var advice: String?

    init(_ reply: JSONValue, _ say: (Text) -> String) {
      problems = ([reply["failure"]].compactMap(\.self) + (reply["warnings"]?.arrayValue ?? []))
        .compactMap { ShownItem.sentences($0) }
      problems += (reply["failed"]?.arrayValue ?? []).compactMap { failed in
        let name = ["id", "path", "title"].lazy.compactMap { failed[$0]?.stringValue }.first ?? ""
        return ShownItem.sentences(failed["failure"]).map { "\(TerminalText.line(name)): \($0)" }
      }
      if let rest = reply["rest"]?.arrayValue, !rest.isEmpty {
        problems.append(say(Text("table.rest", ["count": String(rest.count)])))
      }
      // If a reply has a hint for a search field, that is its only hint.
      let isOfField = reply["display"]?["hint"] != nil
      let display = reply["display"]
      hint =
        (display?["state"]?.stringValue ?? display?["message"]?.stringValue
        ?? (isOfField ? nil : reply["hint"]?.stringValue)).map { TerminalText.line($0) }
      advice = reply["hint"] == nil ? display?["hint"]?.stringValue : nil
    }
  }
}
