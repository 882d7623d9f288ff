import Contract
import Exchange
import Kit
import SQLite
import Wire

/// `KoboReader.sqlite` of a Kobo: the books that were begun or that have passages, with their progress.
enum KoboFormat {
  /// A shop's reader has some ten thousand chapters and a few thousand passages.
  private static let mostRows = 1_000_000

  /// - Throws: `WrongFormat` for the database of another program, `DatabaseError` for a damaged file, or the error of
  ///   `checkCancelled`.
  static func read(
    in database: borrowing ForeignDatabase, checkCancelled: () throws -> Void
  ) throws -> BookFile {
    var rows: [ForeignRow] = []
    let isKobo = try database.each(of: "content", columns, most: mostRows) { row in
      if rows.count.isMultiple(of: 256) { try checkCancelled() }
      // 6 is a book, the others are its chapters.
      if row.text("ContentType") == "6" { rows.append(row) }
    }
    guard isKobo else { throw WrongFormat(missing: "content") }
    var passages: [String: [Passage]] = [:]
    var count = 0
    _ = try database.each(of: "Bookmark", passageColumns, most: mostRows) { row in
      count += 1
      if count.isMultiple(of: 256) { try checkCancelled() }
      guard let book = row.text("VolumeID"), row.text("Hidden")?.lowercased() != "true" else { return }
      passages[book, default: []].append(Passage(row))
    }
    var file = BookFile()
    for (index, row) in rows.enumerated() {
      guard let id = row.text("ContentID") else { continue }
      add(row, id, passages[id] ?? [], at: .init(number: index + 1), to: &file)
    }
    return file
  }

  private static let columns = [
    "ContentID", "ContentType", "Title", "Subtitle", "Attribution", "ISBN", "Publisher", "Language", "Description",
    "Series", "SeriesNumber", "___PercentRead", "ReadStatus", "DateLastRead",
  ]
  private static let passageColumns = [
    "VolumeID", "Text", "Annotation", "DateCreated", "Hidden", "ContentID", "ChapterProgress",
  ]

  private struct Passage {
    var text: String?
    var note: String?
    var order: (String, Double, String)

    init(_ row: ForeignRow) {
      (text, note) = (row.text("Text"), row.text("Annotation"))
      // The chapters of a book are named in their order.
      order = (
        row.text("ContentID") ?? "", row.number("ChapterProgress") ?? 0,
        row.text("DateCreated") ?? ""
      )
    }
  }

  private static func add(
    _ row: ForeignRow, _ id: String, _ marks: [Passage], at place: ImportNote.Place, to file: inout BookFile
  ) {
    let percent = row.number("___PercentRead").flatMap { (0...100).contains($0) && $0 > 0 ? $0 : nil }
    let status = row.text("ReadStatus")
    let copied = marks.filter { $0.text?.readable != nil || $0.note?.readable != nil }
    guard percent != nil || status == "1" || status == "2" || !copied.isEmpty else { return }
    var facts = BookFacts()
    facts.title = row.text("Title")
    facts.subtitle = row.text("Subtitle")
    facts.authors = BookCells.list(row.text("Attribution"), by: ",")
    facts.publisher = row.text("Publisher")
    facts.language = row.text("Language")
    facts.description = row.text("Description").map { CatalogueText(html: $0).text }
    facts.series = BookSeries(row.text("Series"), row.text("SeriesNumber")).map { [$0] }
    facts.isbns = ISBN.all(in: [row.text("ISBN")].compactMap(\.self)).map(\.digits)
    facts.bound()
    var content = ShelfContent()
    content.status = status == "2" ? .read : .reading
    content.percent = status == "2" ? 100 : percent
    if status == "2" { content.finished = row.text("DateLastRead").flatMap(BookCells.day) }
    var passages = CopiedPassages()
    for mark in copied.sorted(by: { $0.order < $1.order }) { passages.add(mark.text, note: mark.note) }
    passages.store(in: &content, at: place, title: facts.title ?? "", &file.notes)
    let bookmarks = marks.count - copied.count
    if bookmarks > 0 {
      let text = Text("books.import.bookmarks", ["count": String(bookmarks)])
      file.notes.append(ImportNote(.badValue, at: place, title: facts.title ?? "", field: "quotes", text: text))
    }
    var members: [JSONObject.Member] = columns.compactMap { name in
      row.text(name).map { .init(key: name, value: .string($0)) }
    }
    let copies = copied.map { JSONValue.array([$0.text, $0.note].map { .string($0 ?? "") }) }
    members.append(.init(key: "passages", value: .array(copies)))
    file.rows.append(
      BookFile.Row(
        book: ImportedBook(origin: "kobo/\(id)", facts: facts, content: content, row: JSONObject(members)),
        place: place))
  }
}
