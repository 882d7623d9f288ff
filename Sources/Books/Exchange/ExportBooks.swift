import Contract
import Exchange
import Kit
import SQLite
import Store
import Wire

enum ExportBooks: ExportMethod {
  static let name = "books/export"
  static let summary =
    "Exports the shelf (`bibtex`, `ris`, `csl`, `csv`, `jsonl`, `goodreads`) in order of addition, as of one library state."
  static let effects: Effects = [.reads, .files]
  static let doing = Text("doing.exportBooks")

  enum Format: String, Choice {
    case bibtex, csl, csv, goodreads, jsonl, ris
  }

  struct Params: ExportParams {
    var path: String?
    var inline: Bool?
    var overwrite: Bool?
    var format: Format
    var spreadsheet: Bool?
    var status: BookStatus?
    static let example = Params(
      path: "/home/ann/books.bib", inline: nil, overwrite: nil, format: .bibtex, spreadsheet: nil, status: nil)
    static let fields = notes([
      "format":
        "`bibtex`, such as `books.bib`, `ris`, such as `books.ris`, and `csl` (CSL-JSON), such as `books.json`, all "
        + "with the keys of `books/cite`; `csv`, such as `books.csv`: a table; `goodreads`: the table "
        + "that Goodreads and StoryGraph import, with whole stars and without quotes; `jsonl`, such as `books.jsonl`: "
        + "everything, one book per line. `books/import` reads all of them; only `csv` and `jsonl` have "
        + "status, half stars and quotes.",
      "spreadsheet": GuardedCells.note("`books/import`"),
      "status": "Only books with this status.",
    ])
  }

  struct Result: Payload {
    var path: String?
    var data: String?
    var books: Int
    static let example = Result(path: "/home/ann/books.bib", data: nil, books: 12)
    static let fields = [
      "path": "The path of the file.", "data": "The file in base64.", "books": "The number of books.",
    ]
    static let limits: [String: FieldLimits] = ["path": .form(.absolutePath)]
  }

  typealias Plan = ExportPlan<Params>

  static func fetch(_ plan: Plan, with services: Services, progress: Progress) async throws -> Result {
    let params = plan.params
    let books = try await services.library.read(as: plan.caller) { snapshot in
      let (condition, values): (String, [SQLValue]) =
        params.status.map { ("WHERE status = ? ", [.text($0.rawValue)]) } ?? ("", [])
      let epoch = snapshot.services.library.identity.epoch
      return try BookRecord.all(in: snapshot.db, condition + "ORDER BY addedAt, id", values)
        .map { try ExportedBook($0, epoch: epoch) }
    }
    let written = try await ExportPlace(params, services: services).write(
      progress
    ) {
      (Array(try text(of: books, as: params).utf8), books.count)
    }
    return Result(path: written.path, data: written.data, books: written.count)
  }

  private static func text(of books: [ExportedBook], as params: Params) throws -> String {
    switch params.format {
    case .bibtex, .ris, .csl:
      let format = CitationFormat(rawValue: params.format.rawValue) ?? .csl
      let items = books.map { book in
        let note = book.content.note.isEmpty ? nil : book.content.note
        return book.facts.item(key: book.record.citationKey, note: note, as: format)
      }
      return Bibliography.text(of: items, as: format)
    case .csv: return try BookTableFormat.text(of: books, guarded: params.spreadsheet ?? false)
    case .goodreads: return GoodreadsFormat.text(of: books)
    case .jsonl: return try books.map(BookLinesFormat.line).joined()
    }
  }
}
