import Contract
import Exchange
import Kit
import Wire

/// Books in a file of BibTeX, RIS or CSL-JSON. Articles and other items that are no books are left out, each with a
/// note: a document's bibliography takes them. A file that a book names may be a document.
enum BibliographyFormat {
  static func read(
    _ bytes: [UInt8], as format: BibliographyFile.Format, folder: String?, checkCancelled: () throws -> Void
  ) throws -> BookFile {
    let read = try BibliographyFile(bytes, as: format, checkCancelled: checkCancelled)
    var file = BookFile()
    file.notes = read.notes
    for entry in read.entries {
      let title = entry.item["title"] ?? ""
      guard ["book", "classic", "collection", "pamphlet"].contains(entry.item.type) else {
        let text = Text("books.import.notBook", ["type": entry.item.type])
        file.notes.append(ImportNote(.badValue, at: entry.place, title: title, isSkipped: true, text: text))
        continue
      }
      let facts = BookFacts(entry.item)
      var content = ShelfContent()
      content.status = .want
      content.tags = TagList.possible(entry.item.tags)
      let notes = [entry.item["note"], entry.item["annote"]].compactMap(\.self)
      content.note = notes.joined(separator: "\n\n").shortened(to: ShelfContent.longestNote).text
      file.rows.append(
        BookFile.Row(
          book: ImportedBook(
            origin: origin(entry, facts, format), facts: facts, content: content, citationKey: entry.key,
            row: entry.item.json),
          place: entry.place, files: entry.paths(in: folder)))
    }
    return file
  }

  /// Its key, which is unique in its file, else its ISBN or title.
  private static func origin(
    _ entry: BibliographyFile.Entry, _ facts: BookFacts, _ format: BibliographyFile.Format
  ) -> String {
    let format = BookFormat(rawValue: format.rawValue) ?? .csl
    if facts.isbns.isEmpty, let key = entry.key { return "\(format.rawValue)/key/\(key)" }
    return BookCells.origin(format, facts)
  }
}
