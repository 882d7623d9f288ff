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
          heading: "\(title)  \(total)", items: items, total: total, next: column["next"]?.stringValue)
      }
      guard sections.count == columns.count, !columns.isEmpty else { return nil }
      (heading, self.sections) = (nil, sections)
      return
    }
    let isDay = reply["entries"] != nil
    guard let listed = items(reply["items"], ofDay: isDay, inColumn: false) else { return nil }
    guard isDay else {
      let total = reply["total"]?.integerValue.map(Int.init) ?? listed.count
      heading = reply["display"]?["heading"]?.stringValue.map(ShownItem.line)
      sections = [Section(heading: nil, items: listed, total: total, next: reply["next"]?.stringValue)]
      return
    }
    guard let entries = items(reply["entries"], ofDay: true, inColumn: false) else { return nil }
    let words = [reply["display"]?["date"]?.stringValue, reply["display"]?["day"]?.stringValue].compactMap(\.self)
    heading = words.count == 2 && sameBytes(words[0], words[1]) ? words[0] : words.joined(separator: ", ")
    let all = entries + listed
    // The reply does not count what it leaves out.
    let hasMore = reply["hasMore"]?.boolValue == true
    sections = [Section(heading: nil, items: all, total: all.count + (hasMore ? 1 : 0), next: nil)]
  }

  /// The lines for a terminal of this many columns.
  func text(width: Int, inColors: Bool, say: (Text) -> String) -> String {
    let layout = TableLayout(sections.flatMap(\.items), width: width)
    let ink = Ink(isOn: inColors)
    var lines = remarks.problems.map { ink.alarming("! " + $0) }
    if let heading { lines.append(ink.strong(heading)) }
    for section in sections {
      if let heading = section.heading {
        if !lines.isEmpty { lines.append("") }
        lines.append(ink.strong(heading))
      }
      lines += section.items.map { layout.line(of: $0, ink) }
      if section.items.isEmpty, section.heading == nil {
        lines.append(remarks.hint ?? say(Text(remarks.problems.isEmpty ? "table.none" : "table.noneKept")))
      }
      if section.items.count < section.total {
        let counts = ["shown": String(section.items.count), "total": String(section.total)]
        // Of some replies it is only known that there is more.
        let key = section.next == nil ? "table.more" : "table.next"
        lines.append(
          ink.faint(say(Text(key, counts.merging(["next": section.next ?? ""]) { own, _ in own }))))
      }
      lines += failures(of: section).map(ink.alarming)
      if !section.items.isEmpty, let hint = remarks.hint { lines.append(ink.faint(hint)) }
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private static let mostFailures = 10

  /// What the rows have no room for.
  private func failures(of section: Section) -> [String] {
    section.items.compactMap { item in item.failure.map { "! \(item.title): \($0)" } }.prefix(Self.mostFailures).map(
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
        ?? (isOfField ? nil : reply["hint"]?.stringValue)).map(ShownItem.line)
    }
  }
}

/// Which columns a table has room for. The id is what commands take, so it goes last; the title has what is left.
private struct TableLayout {
  private let when: Int
  private let what: Int
  private let by: Int
  private let id: Int
  private let title: Int
  private let rest: Int

  private static let gap = 2
  private static let mark = 2
  private static let leastTitle = 16
  private static let leastBy = 8
  private static let leastRest = 12

  init(_ items: [ShownItem], width: Int) {
    func widest(_ part: KeyPath<ShownItem, String>, atMost most: Int) -> Int {
      min(most, items.map { TextWidth.columns(of: $0[keyPath: part]) }.max() ?? 0)
    }
    func taken(_ width: Int) -> Int { width == 0 ? 0 : width + Self.gap }
    var room = max(width, 20) - Self.mark
    var (when, what, id) = (widest(\.when, atMost: 24), widest(\.what, atMost: 16), widest(\.id, atMost: 64))
    let needed = min(widest(\.title, atMost: 200), Self.leastTitle)
    if room - taken(when) - taken(what) - taken(id) < needed { what = 0 }
    if room - taken(when) - taken(id) < needed { id = 0 }
    if room - taken(when) < needed { when = 0 }
    room -= taken(when) + taken(what) + taken(id)
    var by = widest(\.by, atMost: 24)
    if room - taken(by) < needed { by = room - needed - Self.gap }
    if by < min(Self.leastBy, widest(\.by, atMost: 24)) { by = 0 }
    room -= taken(by)
    let title = min(room, widest(\.title, atMost: 200))
    let rest = room - title - Self.gap
    (self.when, self.what, self.by, self.id, self.title) = (when, what, by, id, title)
    self.rest = rest < Self.leastRest ? 0 : min(rest, widest(\.rest, atMost: 200))
  }

  func line(of item: ShownItem, _ ink: Ink) -> String {
    var cells: [String] = []
    func add(_ text: String, _ width: Int, _ draw: (String) -> String = { $0 }) {
      if width > 0 { cells.append(draw(TextWidth.padded(TextWidth.cut(text, to: width), to: width))) }
    }
    let isAlarm = item.mark == .alarm
    add(item.when, when) { isAlarm ? ink.alarming($0) : $0 }
    add(item.what, what)
    add(item.title, title)
    add(item.by, by)
    add(item.rest, rest, ink.faint)
    add(item.id, id, ink.faint)
    let mark = item.mark.rawValue
    let line = (isAlarm ? ink.alarming(mark) : mark) + " " + cells.joined(separator: "  ")
    return String(line.reversed().drop { $0 == " " }.reversed())
  }
}

/// Colours, where a terminal shows them and nobody has asked for none.
private struct Ink {
  let isOn: Bool

  func strong(_ text: String) -> String { drawn(text, "1") }
  func faint(_ text: String) -> String { drawn(text, "2") }
  func alarming(_ text: String) -> String { drawn(text, "31") }

  private func drawn(_ text: String, _ code: String) -> String {
    isOn && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
