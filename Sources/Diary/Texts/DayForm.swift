import Contract
import Kit
import Store
import Wire

/// `diary/2026-11-26.md`: the entries about a day, earliest first.
///
///     --- 09:12 ^k3f2
///     A walk
///
///     Along the river with [[Dune]].
///     --- 18:40 ^x0pt
///     Rain.
struct DayForm: LibraryTextForm {
  let collections: Set = [EntryRecord.collectionName]
  let grows = true
  var editing: (any TextEditing)? { DayEditing() }

  /// `today`, `yesterday` and how many days they are back.
  private static let aliases = ["today": 0, "yesterday": 1]

  func shows(_ path: TextPath) -> Bool {
    path.segments.count == 2 && path.segments[0] == "diary"
      && (Self.aliases[path.segments[1]] != nil || CalendarDay(path.segments[1]) != nil)
  }

  func canonical(_ path: TextPath, in snapshot: Snapshot) -> TextPath {
    guard let back = Self.aliases[path.segments[1]] else { return path }
    let today = snapshot.services.today(for: snapshot.reader)
    return TextPath("diary", today.adding(days: -back).description) ?? path
  }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let day = CalendarDay(canonical(path, in: snapshot).segments[1]) else { return nil }
    let records = try EntryRecord.all(
      in: snapshot.db, "WHERE day = ? ORDER BY writtenAt, id", [.text(day.description)])
    let anchors = try snapshot.services.anchors.anchors(
      of: records.map(\.id), in: EntryRecord.collectionName, for: snapshot)
    var rendered = RenderedText(text: "")
    var line = 0
    for (record, anchor) in zip(records, anchors) {
      let block = DayLines.text(
        of: ShownLines.shown(record.text), time: DayLines.time(of: record, in: snapshot), anchor: anchor)
      let count = TextLines.split(block).count - 1
      guard rendered.text.utf8.count + block.utf8.count <= RenderedText.mostBytes else {
        rendered.text += snapshot.words(Text("text.cut")) + "\n"
        rendered.isReadOnly = true
        break
      }
      rendered.text += block
      rendered.items.append(
        TextItem(
          collection: EntryRecord.collectionName, id: record.id, anchor: anchor,
          title: snapshot.name(of: TitledText(record.text)), revision: record.revision, lines: line..<(line + count),
          content: ShownLines.shown(record.text)))
      line += count
    }
    return rendered
  }
}

/// The lines of a day: separators, and the texts between them.
enum DayLines {
  /// A separator and the text after it. A line of the text that reads as a separator gets one `\` more.
  static func text(of entry: String, time: String, anchor: String) -> String {
    var text = "--- \(time) ^\(anchor)\n"
    for line in TextLines.split(entry) { text += (isSeparator(line) ? "\\" : "") + line + "\n" }
    return text
  }

  /// `--- ` and a time or `+`, after any number of `\`. Also with a damaged anchor, so that a slip removes no entry.
  static func isSeparator(_ line: Substring) -> Bool {
    let rest = line.utf8.drop { $0 == UInt8(ascii: "\\") }
    guard rest.starts(with: "--- ".utf8) else { return false }
    let sign = Array(rest.dropFirst(4).prefix(5))
    if sign.first == UInt8(ascii: "+") { return true }
    let isDigit = sign.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    return sign.count == 5 && sign[2] == UInt8(ascii: ":") && isDigit[0] && isDigit[1] && isDigit[3] && isDigit[4]
  }

  /// The time of an entry in the client's zone: `09:12`.
  static func time(of record: EntryRecord, in snapshot: Snapshot) -> String {
    let milliseconds = record.writtenAt.milliseconds
    let seconds = milliseconds / 1_000 - (milliseconds % 1_000 < 0 ? 1 : 0)
    let local = seconds + Int64(snapshot.reader.zone.offset(at: seconds))
    return clock(minutes: Int(local / 60 - (local % 60 < 0 ? 1 : 0)))
  }

  private static func clock(minutes: Int) -> String {
    let minutes = (minutes % 1_440 + 1_440) % 1_440
    func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
    return two(minutes / 60) + ":" + two(minutes % 60)
  }

  struct Entry {
    /// Nil for a new entry.
    var time: String?
    var anchor: String?
    var lines: Range<Int>
    var text: String
  }

  /// The entries of a text. What precedes the first separator is a new one, unless it is blank.
  static func parse(_ text: String) -> [Entry] {
    var lines = TextLines.split(text)
    // The text ends in LF; a missing one is added by most editors.
    if lines.last?.isEmpty == true { lines.removeLast() }
    var entries: [Entry] = []
    var content: [Substring] = []
    var start = 0
    var head: (time: String?, anchor: String?)?
    func end(at line: Int) {
      let text = content.joined(separator: "\n")
      if head != nil || !text.allSatisfy(\.isWhitespace) {
        entries.append(Entry(time: head?.time, anchor: head?.anchor, lines: start..<line, text: text))
      }
    }
    for (place, line) in lines.enumerated() {
      guard isSeparator(line) else {
        content.append(line)
        continue
      }
      guard line.first != "\\" else {
        content.append(line.dropFirst())
        continue
      }
      end(at: place)
      let (rest, anchor) = TextAnchor.split(line)
      let sign = rest.dropFirst(4).prefix { $0 != " " }
      head = (sign == "+" ? nil : String(sign), anchor)
      (content, start) = ([], place)
    }
    end(at: lines.count)
    return entries
  }
}

/// How a day is saved. The order of entries is that of their times, and is not saved.
private struct DayEditing: TextEditing {
  let collection = EntryRecord.collectionName
  let removesMissing = true

  func parse(
    _ text: String, of path: TextPath, since items: [TextItem], in snapshot: Snapshot
  ) throws -> ParsedText {
    var parsed = ParsedText()
    for entry in DayLines.parse(text) {
      parsed.items.append(ParsedTextItem(anchor: entry.anchor, lines: entry.lines, content: entry.text))
      guard let anchor = entry.anchor, let time = entry.time,
        let id = try snapshot.services.anchors.item(with: anchor, in: collection, for: snapshot),
        let record = try snapshot.find(EntryRecord.self, id: id), DayLines.time(of: record, in: snapshot) != time
      else { continue }
      let line = entry.lines.lowerBound
      parsed.problems.append(
        TextProblem(
          .readOnly, lines: line..<(line + 1), message: Text("text.timeStays"),
          item: ItemKey(collection: collection, id: id)))
    }
    return parsed
  }

  func add(_ item: ParsedTextItem, to path: TextPath, in transaction: Transaction) throws -> String {
    let text = TitledText(item.content)
    if text.isBlank { throw RPCError.invalidParams(field: "text", reason: Text("param.blank")) }
    try text.requireLength(of: "text")
    var record = try EntryRecord(writtenIn: transaction)
    if let id = item.id { record.id = id }
    record.day = try day(of: path)
    record.text = item.content
    record.tags = TextTags.adding(to: [], from: record.text)
    let added = try transaction.insert(record, found: EntrySearch.entries(of: record))
    try EntryRecord.drafts.settle(saving: added, over: nil, text: added.text, in: transaction)
    return added.id
  }

  func change(_ id: String, from old: String, to new: ParsedTextItem, in transaction: Transaction) throws -> TextChange
  {
    try transaction.changeText(of: EntryRecord.self, id, from: old, to: new.content)
  }

  func content(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    try snapshot.find(EntryRecord.self, id: id).map { ShownLines.shown($0.text) }
  }

  func lane(of id: String, on path: TextPath, in snapshot: Snapshot) throws -> String? {
    guard let record = try snapshot.find(EntryRecord.self, id: id) else { return nil }
    return try record.day == day(of: path) ? "" : nil
  }

  func move(
    _ id: String, to lane: String, after predecessor: String?, before successor: String?, on path: TextPath,
    in transaction: Transaction
  ) throws -> Bool {
    let record = try transaction.snapshot.get(EntryRecord.self, id: id)
    let day = try day(of: path)
    return try transaction.change(record) { $0.day = day }.day != record.day
  }

  func remove(_ id: String, in transaction: Transaction) throws {
    try transaction.remove(transaction.snapshot.get(EntryRecord.self, id: id))
  }

  /// Only separators have anchors.
  func anchored(_ line: String, with anchor: String) -> String? {
    DayLines.isSeparator(line[...]) ? line + " ^" + anchor : nil
  }

  func title(of id: String, in snapshot: Snapshot) throws -> String { try snapshot.title(of: EntryRecord.self, id) }

  private func day(of path: TextPath) throws -> CalendarDay {
    guard let day = CalendarDay(path.segments[1]) else { throw RPCError.noText(at: path) }
    return day
  }
}
