import Contract
import Display
import Kit
import Store
import Wire

/// The params that select a page of a document.
struct DocumentPage: Payload {
  var id: DocumentID
  var page: Int
  static let example = DocumentPage(id: "0192", page: 2)
  static let fields = ["id": "The document.", "page": "The page, from 0."]
  static let limits: [String: FieldLimits] = ["page": .atLeast(0)]
}

/// The notes on the members that a page has both alone and in a list.
enum PageNotes {
  static let fields = [
    "page": "The page, from 0.", "label": "The page number from 1, and the number of pages.",
    "pdfLabel": "The page label in the file.", "width": "In points, as displayed.",
    "height": "In points, as displayed.",
    "rotation": "The file's rotation: 0, 90, 180 or 270 degrees; already applied.",
    "broken": "True if it can be neither rendered nor read.", "bookmarked": "Whether it is bookmarked.",
  ]
}

enum ShowPage: ReadMethod {
  static let name = "documents/page"
  static let summary = "Everything about one page: size, label, bookmark, highlights, memo."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]
  static let isQuick = true

  typealias Params = DocumentPage

  struct Result: Payload {
    var page: Int
    var label: String
    var pdfLabel: String?
    var width: Double
    var height: Double
    var rotation: Int
    var broken: Bool?
    var bookmarked: Bool
    var highlights: [Highlight]
    var memo: Memo?
    static let example = Result(
      page: 2, label: "3 / 12", pdfLabel: "iii", width: 595.28, height: 841.89, rotation: 0, broken: nil,
      bookmarked: true, highlights: [.example], memo: .example)
    static let terms = ["label": "pageLabel"]
    static let fields = PageNotes.fields.merging([
      "highlights": "Its highlights, in reading order.", "memo": "Its memo, if any.",
    ]) { $1 }
  }

  static func run(_ params: DocumentPage, in snapshot: Snapshot) throws -> Result {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: snapshot)
    let highlights = try HighlightRecord.all(of: document.id, page: page.page, in: snapshot)
      .sorted { $0.place < $1.place }
    return Result(
      page: page.page, label: pageLabel(page: page.page, of: document.pageCount), pdfLabel: page.label,
      width: page.shownSize.width, height: page.shownSize.height, rotation: page.rotation,
      broken: page.isBroken ? true : nil,
      bookmarked: try BookmarkRecord.on(page.page, of: document.id, in: snapshot) != nil,
      highlights: try highlights.map { try Highlight($0, of: document, in: snapshot) },
      memo: try MemoRecord.on(page.page, of: document.id, in: snapshot).map { try Memo($0, in: snapshot) })
  }
}
