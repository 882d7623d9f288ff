import Contract
import Kit
import Store
import Wire

/// `day/2026-11-26.md`: everything of a day with its links, as `diary/day` has it: the entries, and the items that are
/// due, or were added, marked, read or finished that day.
///
///     # Nov 26, 2026
///
///     ## Diary
///
///     - 09:12 [[commonplace:/diary/0192][A walk]]
///
///     ## On this day
///
///     - due: [[commonplace:/projects/0193][Return the book]]
struct DayHubForm: LibraryTextForm {
  // A file of it is made anew when it is asked for: the items are of all collections.
  let collections: Set<String> = []

  /// The most entries, and the most items.
  private static let most = 1_000
  private let day = DayForm()

  /// The path of the day's entries, which has the same aliases.
  private static func entries(_ path: TextPath) -> TextPath? {
    path.segments.count == 2 && path.segments[0] == "day" ? TextPath("diary", path.segments[1]) : nil
  }

  func shows(_ path: TextPath) -> Bool { Self.entries(path).map(day.shows) ?? false }

  func canonical(_ path: TextPath, in snapshot: Snapshot) -> TextPath {
    Self.entries(path).flatMap { TextPath("day", day.canonical($0, in: snapshot).segments[1]) } ?? path
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let day = CalendarDay(canonical(path, in: snapshot).segments[1]) else { return nil }
    let shown = try ShowDay.run(
      ShowDay.Params(day: GivenDay(stringLiteral: day.description), offset: nil, limit: Self.most), in: snapshot)
    var text = HubText(heading: shown.display.date)
    text.add(section: snapshot.words(Text("text.dayEntries")))
    let records = try EntryRecord.all(
      in: snapshot.db, "WHERE day = ? ORDER BY writtenAt, id LIMIT ?", [.text(day.description), .integer(Self.most)])
    for record in records {
      text.add(
        DayLines.time(of: record, in: snapshot), EntryRecord.collectionName, record.id,
        snapshot.name(of: TitledText(record.text)))
    }
    text.add(section: snapshot.words(Text("text.dayItems")))
    for item in shown.items {
      let head = [item.display.time, item.display.kind].compactMap(\.self).joined(separator: " ") + ":"
      text.add(head, item.collection, item.id.text, item.display.title)
    }
    return text.rendered
  }
}

/// A list of links that is being written.
private struct HubText {
  private(set) var rendered: RenderedText
  private var line = 1

  init(heading: String) { rendered = RenderedText(text: "# \(heading)\n", isReadOnly: true) }

  mutating func add(section: String) {
    // One blank line separates sections, also below a heading without items.
    if !rendered.text.hasSuffix("\n\n") { append("") }
    rendered.sections.append(TextSection(title: section, lines: line..<line))
    append("## " + section)
    append("")
  }

  mutating func add(_ head: String, _ collection: String, _ id: String, _ title: String) {
    let link = StableLink(collection: collection, item: id).text
    rendered.items.append(
      TextItem(collection: collection, id: id, title: title, lines: line..<(line + 1), content: ""))
    append("- \(head) " + LabelledLink.text(to: link, labelled: ShownLines.shown(title)))
  }

  private mutating func append(_ text: String) {
    rendered.text += text + "\n"
    line += 1
    guard let last = rendered.sections.indices.last else { return }
    rendered.sections[last].lines = rendered.sections[last].lines.lowerBound..<line
  }
}
