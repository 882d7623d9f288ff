import Contract
import Display
import Kit
import Store
import Wire

/// Where in the library a given passage is.
enum LocateQuote: ReadMethod {
  static let name = "documents/locate"
  static let summary =
    "Finds the document and page of a pasted passage, despite other line ends, hyphens and small errors."
  static let effects: Effects = .reads

  struct Params: Payload {
    var quote: String
    var limit: Int?
    static let example = Params(quote: "a line of text that somebody copied", limit: nil)
    static let fields = [
      "quote": "The passage, as copied.", "limit": "Maximum number of places. Default 5.",
    ]
    static let limits: [String: FieldLimits] = [
      "quote": .length(1...10_000, notBlank: true), "limit": .range(1...24),
    ]
  }

  struct Part: Payload {
    var page: Int
    var quads: [[Double]]
    static let example = Part(page: 2, quads: [[72, 90, 240, 90, 240, 102, 72, 102]])
    static let fields = [
      "page": "The page, from 0.",
      "quads": "One per line; empty if the positions of the characters are unknown.",
    ]
  }

  struct Place: Payload {
    var document: DocumentID
    var title: String
    var page: Int
    var label: String
    var score: Double
    var exact: Bool
    var text: String
    var parts: [Part]
    var link: String
    static let example = Place(
      document: "0192", title: "The R language", page: 2, label: "3 / 12", score: 1, exact: true,
      text: "a line of text that\nsomebody copied", parts: [.example], link: "commonplace:/documents/0192#page=2")
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "document": "The document.", "title": "Its title.", "page": "The page where the passage begins, from 0.",
      "label": "The page number from 1, and the number of pages.",
      "score": "1 minus the edits per character of the passage; at least 0.85.",
      "exact": "Whether only spaces, line ends, hyphens at them, and character variants differ.",
      "text": "The text there.", "parts": "The positions, page by page.", "link": "The stable link of its page.",
    ]
  }

  struct Result: Payload {
    var items: [Place]
    var indexing: Bool
    static let example = Result(items: [.example], indexing: false)
    static let fields = [
      "items": "The places, most likely first; empty if the library does not have the passage.",
      "indexing": "True while some document's text is still being extracted and was not searched.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let quote = NormalizedText(params.quote)
    guard !quote.scalars.isEmpty else { throw RPCError.invalidParams(field: "quote", reason: Text("param.blank")) }
    let places = try QuoteLocator(quote: quote, snapshot: snapshot).places(limit: params.limit ?? 5)
    let indexing = try snapshot.db.first(
      """
      SELECT EXISTS (
        SELECT 1 FROM pdfPage JOIN document ON document.hash = pdfPage.hash
        WHERE pdfPage.text IS NULL AND document.keepsText)
      """
    ) { $0.bool(0) }
    return Result(items: try places.map { try item($0, in: snapshot) }, indexing: indexing ?? false)
  }

  private static func item(_ place: QuoteLocator.Place, in snapshot: Snapshot) throws -> Place {
    let document = place.document
    let id = DocumentID(unchecked: document.id)
    let page = place.parts.first?.page ?? 0
    return Place(
      document: id, title: document.title, page: page, label: pageLabel(page: page, of: document.pageCount),
      score: (place.score * 1_000).rounded() / 1_000, exact: place.isExact, text: place.text,
      parts: try place.parts.map { part in
        let quads = try snapshot.text(of: part.page, in: document).map { PageLayout($0).quads(of: part.range) }
        return Part(page: part.page, quads: quads ?? [])
      }, link: DocumentLink(id, .page(page)).text)
  }
}
