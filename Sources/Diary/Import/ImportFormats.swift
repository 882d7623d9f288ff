import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// The formats of `diary/import`.
enum ImportFormat: String, Choice {
  /// Renamed, since `Choice` has a member `sample`.
  case list = "sample"
  case jrnl, dayone, markdown, jsonl
}

extension ImportReading {
  /// Reads the bytes of one file.
  mutating func read(_ bytes: [UInt8], as format: ImportFormat) throws {
    switch format {
    case .list: try readSample(bytes)
    case .jrnl: try readJrnl(bytes)
    case .dayone: try readDayOne(bytes, file: nil, journal: "")
    case .markdown: try readMarkdown(bytes, file: nil, number: 1)
    case .jsonl: try readLines(bytes)
    }
  }

  /// `[{title, body, created_at}]`, with the time in seconds since 1970 or as ISO 8601.
  private mutating func readSample(_ bytes: [UInt8]) throws {
    for (index, element) in try JSONElements(bytes).elements.enumerated() {
      let place = ImportNote.Place(number: index + 1)
      guard let item = element.value else {
        note(.unreadable, at: place)
        continue
      }
      let text = Self.text(title: item["title"]?.stringValue, body: item["body"]?.stringValue)
      guard let created = item["created_at"], created != .null else {
        note(.missingDate, at: place, text: text)
        continue
      }
      if let loose = created.stringValue.flatMap(Self.moment), let written = loose.instant(in: zone) {
        if loose.saysOffset {
          add(text, at: place, writtenAt: written)
        } else {
          add(text, at: place, writtenAt: written, on: loose.local)
        }
        continue
      }
      let named = created.stringValue.flatMap(Instant.init)
      let milliseconds = named?.milliseconds ?? created.doubleValue.flatMap { Int64(exactly: ($0 * 1_000).rounded()) }
      let written = milliseconds.map(Instant.init(milliseconds:))
      guard let written, written.milliseconds == milliseconds else {
        note(.badDate, at: place, text: text)
        continue
      }
      add(text, at: place, writtenAt: written)
    }
  }

  /// A day without a time means its beginning, as in jrnl's files.
  private static func moment(_ text: String) -> LooseMoment? {
    LooseMoment(text) ?? CalendarDay(text).map(LooseMoment.init(startOf:))
  }

  /// One of our own entries per line, as `diary/export` writes them.
  private mutating func readLines(_ bytes: [UInt8]) throws {
    var number = 0
    for line in bytes.withoutByteOrderMark.split(separator: UInt8(ascii: "\n")) {
      number += 1
      let place = ImportNote.Place(number: number)
      guard let item = try? JSONParser.parse(Array(line)), case .object = item else {
        if number == 1 { throw WrongFormat(reason: "notJSON", line: 1) }
        // A complete line has a line end.
        if line.endIndex == bytes.endIndex { throw WrongFormat(reason: "cutOff", line: TextLine.count(in: bytes)) }
        note(.unreadable, at: place)
        continue
      }
      let text = item["text"]?.stringValue ?? ""
      guard let written = item["writtenAt"], written != .null else {
        note(.missingDate, at: place, text: text)
        continue
      }
      let dayText = item["day"]?.stringValue
      let day = dayText.flatMap { CalendarDay($0) }
      guard let instant = written.stringValue.flatMap(Instant.init), dayText == nil || day != nil else {
        note(.badDate, at: place, text: text)
        continue
      }
      let zone = zone(named: item["timeZone"]?.stringValue, at: place, text: text)
      let isUnreadable = EntryDetails.areUnreadable(coordinates: item["coordinates"]?.stringValue)
      if isUnreadable { leaveOut(["coordinates"], at: place, text: text) }
      add(
        text, at: place, writtenAt: instant, day: day, zone: zone,
        identity: Self.identity(
          id: item["id"]?.stringValue,
          revision: FileRevision(item["revision"]?.integerValue, history: item["epoch"]?.stringValue)),
        tags: (item["tags"]?.arrayValue ?? []).compactMap(\.stringValue), isStarred: item["starred"] == true,
        details: EntryDetails { item[$0]?.stringValue }, hasUnreadableCoordinates: isUnreadable,
        frontMatter: MarkdownFile.possible(frontMatter: item["frontMatter"]?.stringValue ?? ""))
    }
  }

  static func identity(id: String?, revision: FileRevision?) -> ImportedEntry.Identity {
    id.flatMap { EntryID(validating: $0) }.map { .own($0, revision: revision) } ?? .content
  }

  /// A missing title or body is empty.
  static func text(title: String?, body: String?) -> String {
    guard let title, !title.isEmpty else { return body ?? "" }
    return TitledText(title: title, body: body?.isEmpty == false ? body : nil).text
  }
}
