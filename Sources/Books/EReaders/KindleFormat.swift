import Contract
import Exchange
import Kit
import Wire

/// `My Clippings.txt` of a Kindle, in the language of the device:
///
///     Sabriel (Nix, Garth)
///     - Your Highlight on page 12 | location 170-173 | Added on Monday, April 5, 2021 9:12:13 AM
///
///     Does the walker choose the path?
///     ==========
///
/// The file only grows: a passage that was marked anew follows the older one, whose place it takes.
enum KindleFormat {
  private static let end = "=========="

  static func isIts(_ bytes: [UInt8]) -> Bool {
    let beginning = String(decoding: bytes.prefix(64 << 10), as: UTF8.self)
    let lines = TextLine.lines(of: beginning)
    return lines.count > 3 && lines[1].text.hasPrefix("-") && lines.contains { $0.text.hasPrefix(end) }
  }

  static func read(_ bytes: [UInt8], checkCancelled: () throws -> Void) throws -> BookFile {
    let lines = try TextLine.lines(ofFile: bytes)
    var books: [ClippedBook] = []
    var places: [String: Int] = [:]
    var start = 0
    var isEnded = false
    for (number, line) in lines.enumerated() where line.text.hasPrefix(end) {
      isEnded = true
      if books.count.isMultiple(of: 256) { try checkCancelled() }
      defer { start = number + 1 }
      let entry = lines[start..<number]
      guard entry.count >= 2, let title = title(entry[entry.startIndex]) else { continue }
      if places[title] == nil {
        places[title] = books.count
        books.append(ClippedBook(title: title, line: start + 1))
      }
      books[places[title] ?? 0].add(
        place: entry[entry.startIndex + 1].text,
        text: entry.dropFirst(2).map(\.text).joined(separator: "\n").readable ?? "")
    }
    guard isEnded else { throw WrongFormat(missing: end) }
    var file = BookFile()
    for (index, book) in books.enumerated() {
      try checkCancelled()
      file.rows.append(book.row(at: .init(number: index + 1, line: book.line), &file.notes))
    }
    return file
  }

  private static func title(_ line: TextLine) -> String? {
    var line = line
    _ = line.takeByteOrderMark()
    return line.text.readable
  }
}

/// A book with its clippings.
private struct ClippedBook {
  let title: String
  let line: Int
  private var passages: [Passage] = []
  private var notes: [(ClippingPlace, String)] = []
  /// The newest passage that begins or ends at a place.
  private var starts: [Int: Int] = [:]
  private var ends: [Int: Int] = [:]
  private var bookmarks = 0
  private var hidden = 0
  private var row: [JSONValue] = []

  private struct Passage {
    var place: ClippingPlace
    var text: String
    var note: String?
    var isReplaced = false
  }

  init(title: String, line: Int) { (self.title, self.line) = (title, line) }

  mutating func add(place line: String, text: String) {
    if text.isEmpty {
      bookmarks += 1
      return
    }
    // Instead of the words, in the language of the device.
    if text.hasPrefix("<"), text.hasSuffix(">"), !text.contains("\n") {
      hidden += 1
      return
    }
    let place = ClippingPlace(line)
    row.append(["place": .string(line), "text": .string(text)])
    guard !place.isNote else { return notes.append((place, text)) }
    let known = [starts[place.start ?? -1], ends[place.end ?? -1]].compactMap(\.self)
    for index in known where CopiedPassages.isSame(passages[index].text, text) {
      passages[index].isReplaced = true
    }
    if let start = place.start { starts[start] = passages.count }
    if let end = place.end { ends[end] = passages.count }
    passages.append(Passage(place: place, text: text))
  }

  func row(at place: ImportNote.Place, _ notes: inout [ImportNote]) -> BookFile.Row {
    var facts = BookFacts()
    (facts.title, facts.authors) = Self.titleAndAuthors(title)
    // By the title as it was written, with its series: so earlier versions named it.
    let origin = BookCells.origin(.kindle, facts)
    if let split = BookSeries.split(facts.title) { (facts.title, facts.series) = (split.title, split.series) }
    facts.bound()
    let name = facts.title ?? ""
    var content = ShelfContent()
    var copied = copiedPassages
    copied.store(in: &content, at: place, title: name, &notes)
    for (count, key) in [(hidden, "books.import.clippingLimit"), (bookmarks, "books.import.bookmarks")] where count > 0
    {
      let text = Text(key, ["count": String(count)])
      notes.append(ImportNote(.badValue, at: place, title: name, field: "quotes", text: text))
    }
    let book = ImportedBook(
      origin: origin, facts: facts, content: content,
      row: ["title": .string(title), "clippings": .array(row)])
    return BookFile.Row(book: book, place: place)
  }

  /// The passages in the order of the book, each with its note.
  private var copiedPassages: CopiedPassages {
    var all = passages
    for (place, text) in notes {
      // A note stands at the end of its passage.
      let index = place.start.flatMap { ends[$0] ?? starts[$0] }
      if let index, !all[index].isReplaced {
        all[index].note = text
      } else {
        all.append(Passage(place: place, text: text))
      }
    }
    var copied = CopiedPassages()
    let ordered = all.enumerated().filter { !$0.element.isReplaced }.sorted {
      ($0.element.place.start ?? .max, $0.offset) < ($1.element.place.start ?? .max, $1.offset)
    }
    for passage in ordered.map(\.element) { copied.add(passage.text, page: passage.place.page, note: passage.note) }
    return copied
  }

  /// `Sabriel (Abhorsen, #1) (Nix, Garth;Ann Lee)`: the last parentheses have the authors.
  private static func titleAndAuthors(_ line: String) -> (String?, [String]) {
    guard line.hasSuffix(")"), let start = line.lastIndex(of: "("), start > line.startIndex else { return (line, []) }
    let authors = line[line.index(after: start)...].dropLast().split(separator: ";").compactMap { author -> String? in
      let parts = author.split(separator: ",").compactMap { String($0).readable }
      return parts.count == 2 ? "\(parts[1]) \(parts[0])" : String(author).readable
    }
    return (String(line[..<start]).readable ?? line, authors)
  }
}

/// The place of a clipping: `- Your Highlight on page 12 | location 170-173 | Added on Monday, …`.
///
/// The words depend on the device's language, the order of the parts does not: kind and page, location, day.
private struct ClippingPlace {
  var page: Int?
  /// The first and the last location; pages where the file has no locations.
  var start: Int?
  var end: Int?
  var isNote: Bool

  private static let pageWords = [
    "page", "seite", "página", "pagina", "pág", "페이지", "쪽", "ページ", "页", "頁", "страниц", "strona", "stronie", "sidan",
  ]
  private static let noteWords: Set<String> = [
    "note", "notiz", "nota", "notitie", "notatka", "anteckning", "заметка", "메모", "メモ", "笔记", "筆記",
  ]
  private static let joinedNoteWords = ["메모", "メモ", "笔记", "筆記"]

  init(_ line: String) {
    let lowercased = line.lowercased()
    let parts = lowercased.split(separator: "|")
    let place = parts.count > 1 ? parts.dropLast() : parts[...]
    let kind = place.joined(separator: " ")
    let words = kind.split { !$0.isLetter }.map(String.init)
    isNote = words.contains(where: Self.noteWords.contains) || Self.joinedNoteWords.contains(where: kind.contains)
    for (index, part) in place.enumerated() {
      let numbers = Self.spans(in: part)
      guard let first = numbers.first else { continue }
      let hasPage = Self.pageWords.contains { part.contains($0) } || place.count > 1 && index == 0
      if hasPage, page == nil { page = first.start }
      if let location = hasPage ? numbers.dropFirst().first : first { (start, end) = location }
    }
    if start == nil { (start, end) = (page, page) }
  }

  /// The numbers of a text, each with the end of its span: `170-173`, also as `170-73`.
  private static func spans(in text: Substring) -> [(start: Int, end: Int)] {
    var spans: [(start: Int, end: Int)] = []
    var rest = text[...]
    func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
    while let first = rest.firstIndex(where: isDigit) {
      rest = rest[first...]
      let digits = rest.prefix(while: isDigit).prefix(9)
      rest = rest.dropFirst(digits.count)
      guard let start = Int(digits) else { continue }
      var end = start
      if let mark = rest.first, "-–".contains(mark) {
        let last = rest.dropFirst().prefix(while: isDigit).prefix(9)
        let whole = last.count < digits.count ? digits.prefix(digits.count - last.count) + last : last
        if !last.isEmpty {
          end = max(start, Int(whole) ?? start)
          rest = rest.dropFirst(1 + last.count)
        }
      }
      spans.append((start, end))
    }
    return spans
  }
}
