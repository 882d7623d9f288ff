import Contract
import Exchange
import Kit
import Wire

/// `metadata.epub.lua` of KOReader, which is in the folder `….sdr` beside each book: its passages, progress and status.
enum KOReaderFormat {
  static func isIts(_ bytes: [UInt8]) -> Bool {
    let lines = bytes.withoutByteOrderMark.prefix(4_096).split(separator: 0x0A).map {
      String(decoding: $0, as: UTF8.self)
    }
    return lines.first { !$0.hasPrefix("--") && $0.readable != nil }?.hasPrefix("return {") ?? false
  }

  /// The files that it is in, for a whole folder of books.
  static func isFile(_ name: String) -> Bool { name.hasPrefix("metadata.") && name.hasSuffix(".lua") }

  static func read(_ bytes: [UInt8]) throws -> BookFile {
    var file = BookFile()
    try add(bytes, at: .init(number: 1, line: 1), to: &file)
    return file
  }

  /// - Throws: `WrongFormat` for a file that is not KOReader's.
  static func add(_ bytes: [UInt8], at place: ImportNote.Place, to file: inout BookFile) throws {
    let table = try LuaTable.read(bytes)
    guard known.contains(where: { table[$0] != nil }) else { throw WrongFormat(missing: "doc_props") }
    let summary = table["summary"] ?? .null
    var facts = facts(table)
    facts.bound()
    let title = facts.title ?? ""
    var cells = CellParser(at: place, title: title)
    var content = ShelfContent()
    content.status = status(summary["status"]?.stringValue, table)
    if content.status == .read {
      content.percent = 100
    } else if let share = table["percent_finished"]?.givenNumber, (0...1).contains(share), share > 0 {
      content.percent = (share * 1_000).rounded() / 10
    }
    if content.status == .read || content.status == .abandoned {
      content.finished = summary["modified"]?.stringValue.flatMap(BookCells.day)
    }
    cells.take(stars: summary[Stars.name]?.givenText, into: &content)
    content.note = summary["note"]?.stringValue ?? ""
    file.notes += cells.notes
    var passages = passages(table, isPaged: isPaged(table))
    passages.store(in: &content, at: place, title: title, &file.notes)
    file.rows.append(
      BookFile.Row(
        book: ImportedBook(
          origin: table["partial_md5_checksum"]?.givenText.map(origin(ofSum:))
            ?? BookCells.origin(.koreader, facts),
          facts: facts, content: content, row: JSONObject(table.members.filter { known.contains($0.key) })),
        place: place))
  }

  /// The origin of a book whose file has this sum of parts of it.
  static func origin(ofSum sum: String) -> String { originPrefix + sum }

  /// nil for an origin of another program.
  static func sum(ofOrigin origin: String) -> String? {
    origin.hasPrefix(originPrefix) ? String(origin.dropFirst(originPrefix.count)) : nil
  }

  private static let originPrefix = "koreader/"

  /// The members that are about the book; the others are settings of its pages.
  private static let known: Set<String> = [
    "annotations", "bookmarks", "doc_pages", "doc_path", "doc_props", "highlight", "partial_md5_checksum",
    "percent_finished", "stats", "summary",
  ]

  private static func status(_ word: String?, _ table: JSONObject) -> BookStatus {
    switch word {
    case "complete": .read
    case "abandoned": .abandoned
    case "reading": .reading
    default: (table["percent_finished"]?.givenNumber ?? 0) > 0 ? .reading : .want
    }
  }

  /// Pages of a reflowed book depend on the screen, those of a PDF or DjVu file do not.
  private static func isPaged(_ table: JSONObject) -> Bool {
    let path = (table["doc_path"]?.stringValue ?? "").lowercased()
    return [".pdf", ".djvu", ".cbz"].contains { path.hasSuffix($0) }
  }

  private static func facts(_ table: JSONObject) -> BookFacts {
    let (props, stats) = (table["doc_props"] ?? .null, table["stats"] ?? .null)
    func text(_ name: String) -> String? {
      [props[name], stats[name]].lazy.compactMap { $0?.givenText }.first { $0 != "N/A" }
    }
    var facts = BookFacts()
    facts.title = text("title") ?? name(ofFile: table["doc_path"]?.stringValue)
    facts.authors = (text("authors") ?? "").split(whereSeparator: \.isNewline).compactMap { String($0).readable }
    facts.language = text("language")
    facts.description = props["description"]?.givenText.map { CatalogueText(html: $0).text }
    facts.series = BookSeries(
      text("series"), text("series_index") ?? props["series_index"]?.givenNumber.map { String($0) }
    )
    .map { [$0] }
    facts.isbns = ISBN.all(
      in: (text("identifiers") ?? "").split { $0.isWhitespace }.compactMap { identifier in
        let parts = identifier.split(separator: ":")
        return parts.count > 1 && parts[parts.count - 2].lowercased() == "isbn" ? parts.last.map(String.init) : nil
      }
    ).map(\.digits)
    if isPaged(table) { facts.pageCount = (table["doc_pages"] ?? stats["pages"])?.givenInteger }
    return facts
  }

  /// `Sabriel` of `/mnt/onboard/Sabriel.epub`.
  private static func name(ofFile path: String?) -> String? {
    guard let file = path?.split(separator: "/").last else { return nil }
    return String(file.lastIndex(of: ".").map { file[..<$0] } ?? file).readable
  }

  private static func passages(_ table: JSONObject, isPaged: Bool) -> CopiedPassages {
    var passages = CopiedPassages()
    func page(_ entry: JSONValue, _ shown: JSONValue?) -> Int? {
      // The label of the printed page, if the book has those.
      entry["pageref"]?.givenInteger ?? (isPaged ? shown?.givenInteger : nil)
    }
    if let annotations = table["annotations"]?.objectValue {
      for entry in annotations.members.map(\.value) where entry["drawer"] != nil || entry["note"] != nil {
        passages.add(
          entry["text"]?.stringValue, page: page(entry, entry["pageno"] ?? entry["page"]),
          note: entry["note"]?.stringValue)
      }
      return passages
    }
    // Before 2024: passages by page, and bookmarks with the notes on them.
    var notes: [String: String] = [:]
    for entry in table["bookmarks"]?.objectValue?.members.map(\.value) ?? [] {
      guard let time = entry["datetime"]?.stringValue, let text = entry["text"]?.stringValue else { continue }
      // Unless the reader wrote one, it is made of the page, the passage and the time.
      if !text.hasSuffix(time) { notes[time] = text }
    }
    let pages = (table["highlight"]?.objectValue?.members ?? []).sorted {
      (Int($0.key) ?? 0, $0.key) < (Int($1.key) ?? 0, $1.key)
    }
    for entry in pages.flatMap({ page in (page.value.objectValue?.members ?? []).map { (page.key, $0.value) } }) {
      passages.add(
        entry.1["text"]?.stringValue, page: page(entry.1, .string(entry.0)),
        note: entry.1["datetime"]?.stringValue.flatMap { notes[$0] })
    }
    return passages
  }
}
