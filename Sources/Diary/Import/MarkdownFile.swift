import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// An entry as a file: its data as front matter, then its text, byte for byte.
///
/// Keys that no field of an entry states are stored as they are, and written again below ours.
///
/// A text file ends with a line end; otherwise text that is appended (`echo more >> file`) would continue its last
/// line. If the entry itself has none there, the front matter states that.
///
///     ---
///     id: 0192f0c1-7b1e-7000-8000-000000000000
///     revision: 42
///     epoch: 0192f0c1-6a00-7000-8000-000000000000
///     day: 2026-11-21
///     timeZone: Asia/Seoul
///     writtenAt: 2026-11-21T03:04:05.678Z
///     tags: ["river","to read"]
///     starred: true
///     journal: "Work"
///     place: "Café Central, Vienna"
///     finalNewline: no
///     sleep: 7
///     ---
///     A walk
struct MarkdownFile {
  var matter: [String: String] = [:]
  private(set) var tags: [String] = []
  private(set) var details = EntryDetails()
  /// The lines of the front matter that no other field states.
  private(set) var frontMatter = ""
  private(set) var otherKeys: [String] = []
  /// The moment in `created`, which other programs write, unless the file's name has another day.
  private(set) var created: String?
  var text: String

  private static let fence = "---\n"

  /// - Parameters:
  ///   - revision: the revision, with the ancestor in another library if there is one.
  ///   - text: the entry's text in its exported form (`FileEmbeds`); nil if it shows no files.
  init(_ record: EntryRecord, as revision: FileRevision, text exported: String? = nil) {
    matter = [
      "id": record.id, "revision": String(revision.number), "epoch": revision.history ?? "",
      "day": record.day.description,
      "timeZone": record.timeZone, "writtenAt": record.writtenAt.description,
    ]
    (text, tags, details) = (exported ?? record.text, record.tags, record.details)
    frontMatter = record.frontMatter
    if record.isStarred { matter["starred"] = "true" }
    if let last = text.utf8.last, !Self.lineEnds.contains(last) { matter[Self.finalNewline] = "no" }
  }

  private static let finalNewline = "finalNewline"
  private static let lineEnds: Set<UInt8> = [0x0A, 0x0D]

  /// A file without front matter is all text. Links to files beside it are those to the library's.
  ///
  /// - Parameter day: the day in the file's name.
  init(parsing file: String, named day: String? = nil) {
    self.init(splitting: file, named: day)
    text = FileEmbeds.imported(text)
  }

  private init(splitting file: String, named day: String? = nil) {
    text = file
    // Editors of other systems end lines with CRLF.
    guard file.utf8.starts(with: Self.fence.utf8) || file.utf8.starts(with: "---\r\n".utf8) else { return }
    var lines: [Substring] = []
    var rest = file.utf8.drop { $0 != UInt8(ascii: "\n") }.dropFirst()
    while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
      let isLong = end > rest.startIndex && rest[rest.index(before: end)] == UInt8(ascii: "\r")
      let line = Substring(rest[..<(isLong ? rest.index(before: end) : end)])
      rest = rest[rest.index(after: end)...]
      if line == "---" {
        read(Self.blocks(lines), named: day)
        text = Self.text(of: rest, endsOpen: matter[Self.finalNewline] == "no")
        return
      }
      lines.append(line)
    }
  }

  /// The lines of a key: indented lines and elements of a list belong to the key before, and comments that nothing of
  /// it follows to none.
  private struct Block {
    var key: String
    var lines: [Substring]
    /// Whether an earlier one has the same key. Another program may have keys of our names below ours.
    var isRepeated: Bool
  }

  private static func blocks(_ lines: [Substring]) -> [Block] {
    var blocks: [Block] = []
    var seen: Set<String> = []
    for line in lines {
      if let first = line.first, !" \t-#".contains(first), let colon = line.firstIndex(of: ":") {
        let key = String(line[..<colon])
        blocks.append(Block(key: key, lines: [line], isRepeated: !seen.insert(key).inserted))
      } else if blocks.isEmpty {
        blocks.append(Block(key: "", lines: [line], isRepeated: false))
      } else {
        blocks[blocks.count - 1].lines.append(line)
      }
    }
    return blocks.flatMap { block -> [Block] in
      let value = block.lines.dropFirst().lastIndex { !$0.isEmpty && $0.first != "#" } ?? 0
      let comments = block.lines[(value + 1)...]
      guard !block.key.isEmpty, comments.contains(where: { !$0.isEmpty }) else { return [block] }
      return [
        Block(key: block.key, lines: Array(block.lines[...value]), isRepeated: block.isRepeated),
        Block(key: "", lines: Array(comments), isRepeated: false),
      ]
    }
  }

  private mutating func read(_ blocks: [Block], named day: String?) {
    var read = FrontMatter()
    for block in blocks where !block.isRepeated { for line in block.lines { read.add(line) } }
    matter = read.values
    created = matter["created"].flatMap { moment in
      CalendarDay(String(moment.prefix(10))) != nil && moment.hasPrefix(day?.prefix(10) ?? "") ? moment : nil
    }
    details = EntryDetails { matter[$0] ?? ($0 == "place" && !isOurs ? matter["location"] : nil) }
    tags = blocks.filter { Self.tagKeys.contains($0.key) }.flatMap { FrontMatterList.elements($0.lines, isTags: true) }
    let others = blocks.filter { block in
      !isRead(block) || block.isRepeated && !Self.tagKeys.contains(block.key)
    }
    otherKeys = others.map(\.key).filter { !$0.isEmpty }
    frontMatter = Self.trimmed(others.flatMap(\.lines).joined(separator: "\n"))
  }

  /// Without line ends at its beginning and its end.
  private static func trimmed(_ frontMatter: String) -> String {
    var lines = frontMatter[...].drop(while: \.isNewline)
    while lines.last?.isNewline == true { lines.removeLast() }
    return String(lines)
  }

  private static let tagKeys: Set = ["tags", "tag"]
  /// The keys of our files, in their order.
  private static let keys = [
    "id", "revision", "epoch", "day", "timeZone", "writtenAt", "starred", finalNewline,
  ]
  private static let ownKeys = Set(keys).union(tagKeys)

  /// Whether a field of the entry states what a key of the front matter does.
  private func isRead(_ block: Block) -> Bool {
    switch block.key {
    case "date": matter["day"] == nil
    case "created":
      matter["day"] == nil && matter["date"]?.isBlank != false
        && isStated(block, by: EntryDetails.oneLine(created ?? ""))
    case "title": !isOurs
    case "location": !isOurs && matter["place"] == nil && isStated(block, by: details.place)
    case let key:
      EntryDetails.texts.first { $0.name == key }.map { isStated(block, by: details[keyPath: $0.path]) }
        ?? Self.ownKeys.contains(key)
    }
  }

  /// Whether a value of the entry, in one line, states all of a block. A list, nested keys, coordinates that are none and the end of
  /// a long text would otherwise be lost when the file is written again.
  private func isStated(_ block: Block, by text: String) -> Bool {
    let value = EntryDetails.oneLine(matter[block.key] ?? "")
    let more = block.lines.dropFirst().filter { !$0.allSatisfy(\.isWhitespace) }
    if value.isEmpty { return more.isEmpty }
    let isWhole = block.key == "coordinates" ? !text.isEmpty : sameBytes(text, value)
    // Lines that are not indented do not continue the value.
    return isWhole && more.allSatisfy { $0.first?.isWhitespace == true }
  }

  /// Editors add a missing line end again, so a missing one has no meaning.
  private static func text(of rest: Substring.UTF8View, endsOpen: Bool) -> String {
    guard endsOpen, rest.last == UInt8(ascii: "\n") else { return String(Substring(rest)) }
    let line = rest.dropLast()
    return String(Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
  }

  var bytes: [UInt8] {
    var lines = Self.keys.compactMap { key in matter[key].map { "\(key): \($0)\n" } }
    lines += details.stated.map { "\($0.name): \(JSONValue.string($0.text))\n" }
    if !tags.isEmpty { lines.append("tags: \(JSONList.json(tags))\n") }
    if !frontMatter.isEmpty { lines.append(frontMatter + "\n") }
    let end = matter[Self.finalNewline] == "no" ? "\n" : ""
    return Array((Self.fence + lines.joined() + Self.fence + text + end).utf8)
  }

  /// Other programs give their notes an id too, but no time of writing under our name.
  private var isOurs: Bool { matter["id"] != nil && matter["writtenAt"] != nil }

  /// The text with the title in another program's front matter, unless the text begins with it. Ours has no title
  /// there.
  fileprivate var textWithTitle: String {
    guard let title = matter["title"], !isOurs, !title.isBlank else { return text }
    let first = TitledText(text).title
    let plain = first.drop { $0 == "#" }.drop { $0 == " " }
    return sameBytes(String(plain), title) || sameBytes(first, title) ? text : title + "\n" + text
  }

  /// Front matter of a client as it is stored.
  ///
  /// - Throws: `invalidParams` if a file that contains it would be read as other front matter.
  static func checked(frontMatter text: String) throws(RPCError) -> String {
    let frontMatter = trimmed(text.replacing("\r\n", with: "\n"))
    guard frontMatter.isEmpty || isPossible(frontMatter) else {
      throw .invalidParams(field: "frontMatter", reason: Text("param.invalid"))
    }
    return frontMatter
  }

  /// That of a file, which is empty if no entry can have it.
  static func possible(frontMatter text: String) -> String {
    guard text.unicodeScalars.count <= EntryRecord.longestFrontMatter, !text.hasNUL else { return "" }
    return (try? checked(frontMatter: text)) ?? ""
  }

  /// Whether it comes back from a file of ours as it is.
  private static func isPossible(_ frontMatter: String) -> Bool {
    let head = "---\nid: a\nday: 2026-11-21\nwrittenAt: 2026-11-21T03:04:05Z\n"
    return sameBytes(MarkdownFile(splitting: head + frontMatter + "\n---\n").frontMatter, frontMatter)
  }

  var isStarred: Bool { matter["starred"] == "true" }

  /// The revision of its entry that it states.
  var revision: FileRevision? {
    FileRevision(matter["revision"].flatMap { Int64($0) }, history: matter["epoch"])
  }

  /// The file name: in a folder the files are sorted by day.
  static func name(of record: EntryRecord) -> String { "\(record.day)-\(record.id).md" }
}

extension ImportReading {
  /// The day in a file's name: `2026-11-21.md`, `2026-11-21 A walk.md`, `20261121.md`, `2026/11/21.md`; with a time
  /// after it if there is one: `20261121-1530.md`.
  private static func day(ofFile name: String) -> String? {
    let parts = name.split(separator: "/")
    guard var stem = parts.last else { return nil }
    if let dot = stem.lastIndex(of: ".") { stem = stem[..<dot] }
    if let match = stem.prefixMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) { return String(match.output) }
    let digits = stem.prefix { $0.isASCII && $0.isNumber }
    if digits.count == 8 {
      let day = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
      let time = stem[digits.endIndex...].prefixMatch(of: /[\-_T](?<hour>[0-9]{2})(?<minute>[0-9]{2})(?![0-9])/)
      let timed = time.map { "\(day) \($0.hour):\($0.minute)" }
      return timed.flatMap { LooseMoment($0) == nil ? nil : $0 } ?? day
    }
    guard parts.count >= 3, digits.count == 2 else { return nil }
    let day = "\(parts[parts.count - 3])-\(parts[parts.count - 2])-\(digits)"
    return CalendarDay(day) == nil ? nil : day
  }

  /// If the file states no day, its name does; `created`, which other programs write, is used only if it agrees with
  /// the name or the name has no day. A time may follow a day (`LooseMoment`). The `title` of another program, which is
  /// not in the text, becomes the first line.
  ///
  /// - Throws: `FileFailure` if the library's folder cannot be written.
  mutating func readMarkdown(_ bytes: [UInt8], file name: String?, number: Int, path: String? = nil) throws {
    let place = ImportNote.Place(file: name, number: number)
    guard let content = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      return note(.notText, at: place)
    }
    let named = name.flatMap(Self.day(ofFile:))
    let file = MarkdownFile(parsing: content, named: named)
    // Templates leave it empty.
    let given = file.matter["date"].flatMap { $0.isBlank ? nil : $0 }
    guard let date = file.matter["day"] ?? given ?? file.created ?? named
    else { return note(.missingDate, at: place, text: file.text) }
    let isLong = file.matter["day"] == nil && date.utf8.count > 10
    let written = file.matter["writtenAt"]
    guard let day = CalendarDay(isLong ? String(date.prefix(10)) : date), written == nil || Instant(written!) != nil,
      !isLong || ["T", "t", " ", ","].contains(date.dropFirst(10).first)
    else {
      return note(.badDate, at: place, text: file.text)
    }
    let zone = zone(named: file.matter["timeZone"], at: place, text: file.text)
    let frontMatter = MarkdownFile.possible(frontMatter: file.frontMatter)
    let isUnreadable = EntryDetails.areUnreadable(coordinates: file.matter["coordinates"])
    // Their line stays in the front matter, but they are no place on a map.
    let leftOut = frontMatter.isEmpty ? file.otherKeys : isUnreadable ? ["coordinates"] : []
    leaveOut(leftOut, at: place, text: file.text)
    // For a day without a time noon is used: that is the same day in nearby zones.
    let noon = LocalDateTime(day: day, minutes: 720, seconds: 0)
    let instant =
      (written ?? (isLong ? date : nil)).flatMap(Instant.init)
      ?? (isLong ? LooseMoment(date) : nil)?.instant(in: zone) ?? noon.instant(in: zone)
    let (text, isMissing) = try files?.imported(file.textWithTitle, of: name) ?? (file.textWithTitle, false)
    if isMissing { note(.attachments, at: place, text: text) }
    add(
      text, at: place, writtenAt: instant, day: day, zone: zone,
      identity: Self.identity(id: file.matter["id"], revision: file.revision),
      moment: written == nil ? "\(day)" : nil, file: path, tags: file.tags, isStarred: file.isStarred,
      details: file.details, hasUnreadableCoordinates: isUnreadable, frontMatter: frontMatter)
  }
}
