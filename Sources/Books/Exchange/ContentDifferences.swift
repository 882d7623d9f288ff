import Contract
import Exchange
import Kit
import Store
import Wire

/// The differences between a file and the user's own content of a book. The user's content stays, and the report of the
/// import lists the file's values, so that nobody believes that they were imported.
enum ContentDifferences {
  /// A note for each field in which the two differ; a field that only one of them has is no difference.
  ///
  /// - Parameter own: the content on the shelf, before the merge.
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

  /// The beginning of a text, long enough to recognise it.
  private static func beginning(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 80 ? "\(line.prefix(79))…" : line
  }
}
