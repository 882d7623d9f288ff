import Contract
import Display
import Exchange
import Kit
import Store
import Wire

/// jrnl's own files and the output of `jrnl --format json`. Neither states a zone; the client's is used.
extension ImportReading {
  mutating func readJrnl(_ bytes: [UInt8]) throws {
    hasLooseTitles = true
    let isJSON = bytes.withoutByteOrderMark.first { !UInt8.blanks.contains($0) } == UInt8(ascii: "{")
    if isJSON { try readJrnlJSON(bytes) } else { try readJrnlText(bytes) }
  }

  private mutating func readJrnlJSON(_ bytes: [UInt8]) throws {
    for (index, element) in try JSONElements(bytes, under: "entries").elements.enumerated() {
      let place = ImportNote.Place(number: index + 1)
      guard let item = element.value else {
        note(.unreadable, at: place)
        continue
      }
      let text = Self.text(title: item["title"]?.stringValue, body: item["body"]?.stringValue)
      guard let date = item["date"]?.stringValue else {
        note(.missingDate, at: place, text: text)
        continue
      }
      // Without a time of day, the beginning of the day is used.
      let local = CalendarDay(date).flatMap { LocalDateTime(day: $0, time: item["time"]?.stringValue ?? "00:00") }
      guard let local, let written = local.exactInstant(in: zone) else {
        note(.badDate, at: place, text: text)
        continue
      }
      add(
        text, at: place, writtenAt: written, on: local, tags: Self.jrnlTags(in: text),
        isStarred: item["starred"] == true)
    }
  }

  /// Entries begin with a line `[2020-12-23 00:35] Title`.
  private mutating func readJrnlText(_ bytes: [UInt8]) throws {
    guard let file = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw WrongFormat(reason: "notUTF8")
    }
    if Self.endsWithinHead(bytes) { throw WrongFormat(reason: "cutOff", line: TextLine.count(in: bytes)) }
    var begun: (date: Substring, text: String.Index)?
    var number = 0
    for line in file.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      guard let (date, rest) = Self.entryHead(line) else {
        // Text before the first entry belongs to no entry.
        guard begun != nil || line.isBlank else { throw WrongFormat(reason: "noDate") }
        continue
      }
      if let begun { addJrnl(file[begun.text..<line.startIndex], date: begun.date, number: number) }
      number += 1
      begun = (date, rest.startIndex)
    }
    guard let begun else { throw WrongFormat(reason: "noDate") }
    addJrnl(file[begun.text...], date: begun.date, number: number)
  }

  private mutating func addJrnl(_ text: Substring, date: Substring, number: Int) {
    let place = ImportNote.Place(number: number)
    // jrnl puts blank lines between entries.
    let end = text.lastIndex { !$0.isNewline }.map { text.index(after: $0) } ?? text.startIndex
    let (text, isStarred) = Self.withoutStar(text[..<end])
    let parts = date.split(separator: " ", maxSplits: 1).map(String.init)
    let local = CalendarDay(parts[0]).flatMap { LocalDateTime(day: $0, time: parts.count > 1 ? parts[1] : "00:00") }
    guard let local, let written = local.exactInstant(in: zone) else { return note(.badDate, at: place, text: text) }
    add(text, at: place, writtenAt: written, on: local, tags: Self.jrnlTags(in: text), isStarred: isStarred)
  }

  /// The words that are tags in jrnl: `@` at the beginning of a word, followed by word characters and `-+*#/`. They stay
  /// in the text.
  private static func jrnlTags(in text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: "@")) else { return [] }
    return text.split(whereSeparator: \.isWhitespace).compactMap { word in
      guard word.first == "@" else { return nil }
      let tag = word.dropFirst().prefix { $0.isLetter || $0.isNumber || "_-+*#/".contains($0) }
      return tag.contains { $0.isLetter || $0.isNumber } ? String(tag) : nil
    }
  }

  /// A first line that ends with `*` marks a starred entry; in jrnl the star is not part of the text.
  private static func withoutStar(_ text: Substring) -> (text: String, isStarred: Bool) {
    let end = text.firstIndex(where: \.isNewline) ?? text.endIndex
    let line = text[..<end]
    guard line.last(where: { !$0.isWhitespace }) == "*" else { return (String(text), false) }
    func isPadding(_ character: Character) -> Bool { character == "*" || character.isWhitespace }
    let words = line.drop(while: isPadding)
    let last = words.lastIndex { !isPadding($0) }.map { words.index(after: $0) } ?? words.startIndex
    return (String(words[..<last] + text[end...]), true)
  }

  /// Whether the last line is an incomplete first line of an entry: `[2026-01-06 10:`.
  private static func endsWithinHead(_ bytes: [UInt8]) -> Bool {
    let line = bytes.suffix(from: bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
    guard line.first == UInt8(ascii: "["), line.count > 1 else { return false }
    let hyphens = [4, 7]
    return line.dropFirst().enumerated().allSatisfy { place, byte in
      if place < 10 { return hyphens.contains(place) ? byte == UInt8(ascii: "-") : UInt8.digits.contains(byte) }
      return UInt8.digits.contains(byte) || Array("-: AMPamp".utf8).contains(byte)
    }
  }

  /// The date and the rest of the first line of an entry, by its form; the day may not exist.
  static func entryHead(_ line: Substring) -> (date: Substring, rest: Substring)? {
    guard line.first == "[", let close = line.firstIndex(of: "]") else { return nil }
    let date = line[line.index(after: line.startIndex)..<close]
    let bytes = Array(date.utf8)
    guard bytes.count >= 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes.allSatisfy({ UInt8.digits.contains($0) || Array("-: AMPamp".utf8).contains($0) })
    else { return nil }
    let rest = line[line.index(after: close)...]
    return (date, rest.first == " " ? rest.dropFirst() : rest)
  }
}

extension UInt8 {
  fileprivate static let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
  fileprivate static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
}
