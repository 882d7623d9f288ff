import Contract
import Exchange
import Kit
import SQLite
import Wire

/// `metadata.db` of a calibre library: what its books are, their tags, ratings and series, the columns of the user, and
/// the highlights and the place of calibre's own viewer. Its files stay where they are.
enum CalibreFormat {
  static let fileName = "metadata.db"

  /// Of the row that a book stores, in bytes.
  private static let longestRow = 1 << 20

  /// - Parameters:
  ///   - size: the bytes of the file.
  ///   - folder: the folder of the library, in which the books' files are.
  ///   - day: the day of an instant in milliseconds, in the library's time zone.
  /// - Returns: nil for the database of another program.
  /// - Throws: `DatabaseError` for a damaged file, or the error of `checkCancelled`.
  static func read(
    _ database: borrowing ForeignDatabase, size: Int, folder: String?, day: (Int64) -> CalendarDay,
    checkCancelled: () throws -> Void
  ) throws -> BookFile? {
    guard var library = try CalibreLibrary(database, size: size, checkCancelled: checkCancelled) else { return nil }
    var file = BookFile()
    for row in library.books {
      try checkCancelled()
      guard let id = row.id("id") else { continue }
      try add(row, id, of: &library, folder: folder, day: day, to: &file)
    }
    return file
  }

  private static func add(
    _ row: ForeignRow, _ id: Int64, of library: inout CalibreLibrary, folder: String?, day: (Int64) -> CalendarDay,
    to file: inout BookFile
  ) throws {
    let place = ImportNote.Place(number: file.rows.count + 1)
    func texts(_ table: String) -> [String] { (library.values[table]?[id] ?? []).map(\.text) }
    let identifiers = library.identifiers[id] ?? []
    var cells = CellParser(at: place, title: row.text("title"))
    var facts = BookFacts()
    facts.title = row.text("title")
    // A comma separates authors in calibre's fields, so that one in a name is stored as a bar.
    facts.authors = texts("authors").map { $0.replacing("|", with: ",") }.filter { $0 != "Unknown" }
    facts.publisher = texts("publishers").first
    facts.published = row.text("pubdate").flatMap { date($0, day) }?.description
    facts.description = library.comments[id].flatMap { CatalogueText(html: $0).text.readable }
    facts.isbns = cells.isbns(identifiers.filter { $0.type == "isbn" }.map(\.value))
    facts.series = texts("series").first.flatMap { BookSeries($0, row.text("series_index")) }.map { [$0] }
    facts.language = texts("languages").first.flatMap { $0 == "und" ? nil : $0 }
    var content = ShelfContent()
    cells.take(stars: texts("ratings").first.flatMap(stars), into: &content)
    var tags = texts("tags")
    if let place = library.positions[id], place.fraction > 0 {
      content.percent = (place.fraction * 1_000).rounded() / 10
    }
    var columns = CalibreColumns()
    for column in library.columns {
      columns.take(column, column.values[id] ?? [], into: &content, &facts, &cells) { date($0, day) }
    }
    facts.bound()
    tags += columns.tags
    content.tags = TagList.possible(tags)
    content.note = columns.note.shortened(to: ShelfContent.longestNote).text
    content.settle()
    let marks = (library.annotations[id] ?? []).sorted { $0.isBefore($1) }
    var passages = CopiedPassages()
    for mark in marks { passages.add(mark.text, note: mark.note) }
    passages.store(in: &content, at: place, title: facts.title ?? "", &file.notes)
    file.notes += cells.notes
    let uuid = row.text("uuid") ?? String(id)
    let path = row.text("path") ?? ""
    let paths = (library.files[id] ?? []).map { path + "/" + $0 }
    let hasCover = row.number("has_cover") ?? 0 != 0
    let added = row.text("timestamp").flatMap(instant)
    let stored = try stored(row, id, of: &library, marks)
    try library.spend(content.note.utf8.count + (facts.description?.utf8.count ?? 0))
    file.rows.append(
      BookFile.Row(
        book: ImportedBook(
          origin: "calibre/\(uuid)", facts: facts, content: content, addedAt: added,
          sameAs: identifiers.filter { $0.type == "google" }.map { "google.\($0.value)" },
          cover: hasCover ? folder.flatMap { cover(of: path, in: $0) } : nil, row: stored),
        place: place, files: folder.map { folder in paths.map { "\(folder)/\($0)" } } ?? []))
  }

  /// The name of the picture in a book's folder.
  static let coverName = "cover.jpg"

  /// The path of a book's cover; nil if the database names a folder outside of the library.
  private static func cover(of path: String, in folder: String) -> String? {
    path.hasParentParts ? nil : "\(folder)/\(path)/\(coverName)"
  }

  /// All that calibre's tables have of the book, for the next import and so that nothing is lost. Of what a row has no
  /// room for it has a hash, by which the next import notices a change.
  private static func stored(
    _ row: ForeignRow, _ id: Int64, of library: inout CalibreLibrary, _ marks: [CalibreMark]
  ) throws -> JSONObject {
    var members: [JSONObject.Member] = []
    var room = longestRow
    var read = 0
    func add(_ name: String, _ texts: [String?]) {
      var texts = texts.compactMap(\.self)
      let size = texts.reduce(name.utf8.count) { $0 + $1.utf8.count + 3 }
      read += size
      if size > room { texts = [DerivedID.text(of: texts.joined(separator: "\n"))] } else { room -= size }
      if !texts.isEmpty { members.append(.init(key: name, value: .array(texts.map { .string($0) }))) }
    }
    func written(_ values: [CalibreLibrary.Value]?) -> [String?] {
      (values ?? []).flatMap { [$0.text, $0.extra] }
    }
    for name in row.keys.sorted() { add(name, [row.text(name)]) }
    for table in library.values.keys.sorted() { add(table, written(library.values[table]?[id])) }
    add("identifiers", (library.identifiers[id] ?? []).map { "\($0.type):\($0.value)" })
    add("comments", [library.comments[id]])
    add("files", library.files[id] ?? [])
    for column in library.columns { add("#\(column.label)", written(column.values[id])) }
    add("position", [library.positions[id].map { String($0.fraction) }])
    add("passages", marks.flatMap { [$0.text ?? "", $0.note ?? ""] })
    try library.spend(read)
    return JSONObject(members)
  }

  /// `3.5` of 7 half stars.
  static func stars(_ halves: String) -> String? { Double(halves).map { String($0 / 2) } }

  /// `2017-01-17 00:00:00+00:00`
  private static func instant(_ text: String) -> Instant? { Instant(text.replacing(" ", with: "T")) }

  /// The day of an instant; nil for the year 101, by which calibre means no date.
  private static func date(_ text: String, _ day: (Int64) -> CalendarDay) -> CalendarDay? {
    guard let instant = instant(text), !text.hasPrefix("0100-"), !text.hasPrefix("0101-") else { return nil }
    return day(instant.milliseconds)
  }
}
