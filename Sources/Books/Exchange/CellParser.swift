import Contract
import Exchange
import Kit
import Wire

/// Values of a row that are converted or ignored, with a note for each.
struct CellParser {
  let place: ImportNote.Place
  let title: String
  private(set) var notes: [ImportNote] = []

  init(at place: ImportNote.Place, title: String?) {
    self.place = place
    self.title = title ?? ""
  }

  mutating func take(stars text: String?, into content: inout ShelfContent) {
    if let text, let problem = content.take(stars: text) { note(problem.field, problem.text) }
  }

  mutating func status(_ text: String?) -> BookStatus {
    guard let text else { return .want }
    if let status = BookCells.status(text) { return status }
    note("status", Text("books.import.status", ["value": text]))
    return .want
  }

  /// The valid ISBNs. A value with as many digits as an ISBN that is not valid gets a note.
  mutating func isbns(_ texts: [String]) -> [String] {
    let wrong = texts.filter { text in
      let digits = text.count { $0.isNumber }
      return (9...13).contains(digits) && ISBN.all(in: [text]).isEmpty
    }
    for text in wrong { note("isbn", Text("books.import.notTaken", ["value": text])) }
    return ISBN.all(in: texts).map(\.digits)
  }

  private mutating func note(_ field: String, _ text: Text) {
    notes.append(ImportNote(.badValue, at: place, title: title, field: field, text: text))
  }
}
