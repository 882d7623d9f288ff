import GRDB
import PDF
import Store

/// What search finds of documents: the title as part 0, each page as its number from 1.
enum DocumentSearch {
  static func entries(of id: String, isWhole: Bool, in db: Database) throws -> [SearchEntry] {
    guard let document = try DocumentRecord.find(id, in: db) else { return [] }
    let title = SearchEntry(
      collection: DocumentRecord.collectionName, item: id, part: 0, at: document.updatedAt.milliseconds,
      title: document.title, body: "", tags: "")
    guard isWhole, document.keepsText else { return [title] }
    let rows = try Row.fetchAll(
      db.cachedStatement(sql: "SELECT page, text FROM pdfPage WHERE hash = ? AND text IS NOT NULL ORDER BY page"),
      arguments: [document.hash])
    return [title] + rows.map { entry(of: document, page: $0[0], text: $0[1]) }
  }

  static func entries(of document: DocumentRecord, pages: [PageText]) -> [SearchEntry] {
    guard document.keepsText else { return [] }
    return pages.map { entry(of: document, page: $0.page, text: $0.text) }
  }

  private static func entry(of document: DocumentRecord, page: Int, text: String) -> SearchEntry {
    SearchEntry(
      collection: DocumentRecord.collectionName, item: document.id, part: page + 1,
      at: document.createdAt.milliseconds, title: "", body: joiningWrappedLetters(text), tags: "")
  }

  /// Scripts without blanks wrap lines anywhere: a word that goes on in the next line is one word for whoever looks for
  /// it. A line end between two such letters goes; all others stay, so that no other words grow together.
  static func joiningWrappedLetters(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    let scalars = Array(text.unicodeScalars)
    for (index, scalar) in scalars.enumerated() {
      let joins =
        scalar == "\n" && index > 0 && index + 1 < scalars.count && isRunLetter(scalars[index - 1])
        && isRunLetter(scalars[index + 1])
      if !joins { result.append(scalar) }
    }
    return String(result)
  }

  /// Han, kana and Hangul.
  static func isRunLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x11FF, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
