import Contract
import Kit
import Store
import Wire

/// `books/0192.md`: a book on the shelf, the user's note on it, and the passages copied from it.
struct BookForm: LibraryTextForm {
  let collections: Set = [BookRecord.collectionName]

  func shows(_ path: TextPath) -> Bool { path.segments.count == 2 && path.segments[0] == "books" }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let book = try snapshot.find(BookRecord.self, id: path.segments[1]) else { return nil }
    let text = try text(of: book)
    guard text.utf8.count <= RenderedText.mostBytes else { throw RPCError(.tooLarge, text: Text("text.tooLarge")) }
    let item = TextItem(
      collection: BookRecord.collectionName, id: book.id, title: book.title, revision: book.revision,
      lines: 0..<TextLines.split(text).count, content: "")
    return RenderedText(text: text, items: [item], isReadOnly: true)
  }

  private func text(of book: BookRecord) throws -> String {
    let facts = try book.facts.value()
    var parts = ["# " + book.title]
    let origin = [facts.authors.joined(separator: ", "), facts.publisher, facts.published].compactMap(\.self)
    if origin.contains(where: { !$0.isEmpty }) { parts.append(origin.filter { !$0.isEmpty }.joined(separator: " · ")) }
    if !book.content.note.isEmpty { parts.append(book.content.note) }
    for quote in book.content.quotes {
      let lines = TextLines.split(quote.text).map { "> " + $0 }
      parts.append(lines.joined(separator: "\n") + (quote.page.map { " (\($0))" } ?? ""))
      if let note = quote.note, !note.isEmpty { parts.append(note) }
    }
    return ShownLines.shown(parts.joined(separator: "\n\n") + "\n")
  }

  func place(of target: TextTarget, in snapshot: Snapshot) throws -> LineOfText? {
    guard let book = try snapshot.find(BookRecord.self, id: target.id), let path = TextPath("books", target.id) else {
      return nil
    }
    guard target.field == "note" else { return LineOfText(path) }
    // The note stands after the title and the origin, each with a blank line.
    let above = TextLines.split(try text(of: book)).firstIndex {
      $0 == (TextLines.split(ShownLines.shown(book.content.note)).first ?? "")
    }
    return LineOfText(path, line: (above ?? 0) + TextLines.count(in: book.content.note, upTo: target.offset))
  }
}
