import Contract
import Exchange
import Kit
import Store
import Wire

/// What a file says of a book otherwise than its reader. The reader's own stays, and the report of the import tells what
/// the file has in its place, so that nothing seems to have come that has not.
enum KeptBack {
  /// A note for each field in which the two differ; what only one of them says is no difference.
  ///
  /// - Parameter own: what the shelf says, before the file is joined to it.
  static func notes(
    _ own: ShelfContent, against file: ShelfContent, at place: ImportNote.Place, title: String
  ) throws -> [ImportNote] {
    try ShelfContent.fields.differing(own, file, empty: ShelfContent()).compactMap { field in
      let name = field.input?.name ?? field.name
      if name == "progress", file.isSimplyRead { return nil }
      var text = Text("books.kept.\(name)")
      for (side, content) in [("own", own), ("file", file)] {
        let words = try field.words(of: content)
        if name == "status" {
          text = text.saying(Text("books.status.\(words)"), at: side)
        } else {
          text.arguments[side] = beginning(of: words)
        }
      }
      return ImportNote(.keptOwn, at: place, title: title, field: name, text: text)
    }
  }

  /// So much of a text as tells it from others.
  private static func beginning(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 80 ? "\(line.prefix(79))…" : line
  }
}
