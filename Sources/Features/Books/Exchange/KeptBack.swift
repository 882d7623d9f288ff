import Contract
import Wire

/// What a file says of a book otherwise than its reader. The reader's own stays, and the report of the import tells what
/// the file has in its place, so that nothing seems to have come that has not.
enum KeptBack {
  /// A note for each field in which the two differ; what only one of them says is no difference.
  ///
  /// - Parameter own: what the shelf says, before the file is joined to it.
  static func notes(
    _ own: ShelfContent, against file: ShelfContent, at place: ImportNote.Place, title: String
  ) -> [ImportNote] {
    var notes: [ImportNote] = []
    func note(_ field: String, _ text: Text) {
      notes.append(ImportNote(.keptOwn, at: place, title: title, field: field, text: text))
    }
    // To want a book says less than anything else, on either side.
    if own.status != .want, file.status != .want, own.status != file.status {
      note("status", Text("books.kept.status").saying(own.status.text, at: "own").saying(file.status.text, at: "file"))
    }
    if let (own, file) = differing(own.started, file.started) {
      note("started", Text("books.kept.started", ["own": own.description, "file": file.description]))
    }
    if let (own, file) = differing(own.finished, file.finished) {
      note("finished", Text("books.kept.finished", ["own": own.description, "file": file.description]))
    }
    if let (own, file) = differing(own.rating, file.rating) {
      note("rating", Text("books.kept.rating", ["own": shown(own), "file": shown(file)]))
    }
    if !own.note.isEmpty, !file.note.isEmpty, !sameBytes(own.note, file.note) {
      note("note", Text("books.kept.note", ["file": beginning(of: file.note)]))
    }
    let ownProgress = BookProgress(page: own.page, percent: own.percent)
    let progress = BookProgress(page: file.page, percent: file.percent)
    if !file.isSimplyRead, ownProgress != BookProgress(), progress != BookProgress(), ownProgress != progress {
      note("progress", Text("books.kept.progress"))
    }
    if !own.quotes.isEmpty, !file.quotes.isEmpty, own.quotes != file.quotes {
      note("quotes", Text("books.kept.quotes"))
    }
    return notes
  }

  private static func differing<Value: Equatable>(_ own: Value?, _ file: Value?) -> (own: Value, file: Value)? {
    guard let own, let file, own != file else { return nil }
    return (own, file)
  }

  /// `4`, `4.5`: ratings go by halves.
  private static func shown(_ rating: Double) -> String {
    let halves = Int((rating * 2).rounded())
    return halves.isMultiple(of: 2) ? "\(halves / 2)" : "\(halves / 2).5"
  }

  /// So much of a text as tells it from others.
  private static func beginning(of text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 80 ? "\(line.prefix(79))…" : line
  }
}

extension BookStatus {
  /// The word for it.
  fileprivate var text: Text {
    switch self {
    case .want: Text("books.status.want")
    case .reading: Text("books.status.reading")
    case .read: Text("books.status.read")
    case .abandoned: Text("books.status.abandoned")
    }
  }
}
