import Contract
import Kit
import Store
import Wire

/// The highlights of one document in reading order, or of the whole library from the newest on.
enum ListHighlights: ReadMethod {
  static let name = "documents/highlights"
  static let summary =
    "The highlights and other marks of a document or page, in reading order; without `id`, of the library, newest first."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]

  enum Sort: String, Choice {
    case page, newest
  }

  struct Params: Payload {
    var id: DocumentID?
    var page: Int?
    var color: String?
    var kind: ImportedMark.Kind?
    var query: String?
    var from: GivenDay?
    var to: GivenDay?
    var sort: Sort?
    var after: String?
    var limit: Int?
    static let example = Params(
      id: "0192", page: nil, color: nil, kind: nil, query: nil, from: nil, to: nil, sort: nil, after: nil, limit: 100)
    static let fields = [
      "id": "The document. Default: all documents.", "page": "Only this page of the document, from 0.",
      "color": "Only highlights of this color, `#rrggbb`.", "kind": "Only marks of this kind.",
      "query":
        "Words that the marked text or note must all contain; the last matches as a prefix. Empty matches all. The "
        + "text of protected documents is not searched.",
      "from": "The first day when they were made; a natural-language date is accepted.", "to": "The last such day.",
      "sort":
        "`page`: in document order (default with `id`, which it requires), `newest`: newest first (default without "
        + "`id`).",
      "after": "`next` of the previous page.", "limit": "Maximum number. Default 1,000.",
    ]
    static let limits: [String: FieldLimits] = [
      "page": .atLeast(0), "color": .form(.color), "query": .length(0...1_000), "after": .length(1...256),
      "limit": .range(1...1_000),
    ]

    var isNarrowed: Bool { color != nil || kind != nil || query != nil || from != nil || to != nil }
  }
  typealias Result = Page<Highlight>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Highlight> {
    let document = try params.id.map { try snapshot.get(DocumentRecord.self, id: $0.text) }
    if let page = params.page { _ = try StoredPage.get(page, of: require(document, for: "page"), in: snapshot) }
    if params.sort ?? (document == nil ? .newest : .page) == .newest {
      return try newest(params, of: document, in: snapshot)
    }
    let owner = try require(document, for: "sort")
    var marks = try HighlightRecord.all(of: owner.id, page: params.page, in: snapshot)
    var isWhole = true
    if params.isNarrowed {
      let listing = try listing(params, of: owner, in: snapshot)
      isWhole = listing.isWhole
      let ids = try Set(listing.ids(after: nil, ListPart(limit: marks.count), in: snapshot.db))
      marks = marks.filter { ids.contains($0.id) }
    }
    var page = try Page(of: marks, after: params.after, limit: params.limit) {
      try Highlight($0, of: owner, in: snapshot)
    }
    page.totalIsEstimate = !isWhole
    return page
  }

  private static func newest(
    _ params: Params, of document: DocumentRecord?, in snapshot: Snapshot
  ) throws -> Page<Highlight> {
    var documents: [String: DocumentRecord] = [:]
    let part = ListPart(after: params.after, limit: params.limit ?? 1_000)
    return try listing(params, of: document, in: snapshot).page(part, in: snapshot) { record in
      let owner = try documents[record.document] ?? snapshot.get(DocumentRecord.self, id: record.document)
      documents[owner.id] = owner
      var shown = try ShownHighlight(record, of: owner, in: snapshot)
      shown.documentTitle = document == nil ? owner.title : nil
      return try Highlight(shown)
    }
  }

  private static func listing(
    _ params: Params, of document: DocumentRecord?, in snapshot: Snapshot
  ) throws -> ItemListing<HighlightRecord> {
    var listing = ItemListing<HighlightRecord>(by: Keyset.arrival.descending)
    if let document { listing.narrow("document = ?", [.text(document.id)]) }
    // Orphans are on no page.
    if let page = params.page { listing.narrow("page = ? AND state IS NULL", [.integer(page)]) }
    if let color = params.color { listing.narrow("lower(color) = ?", [.text(color.lowercased())]) }
    if let kind = params.kind { listing.narrow("kind = ?", [.text(kind.rawValue)]) }
    let services = snapshot.services
    if let from = try params.from?.day("from", leaning: .back, in: snapshot) {
      listing.narrow("createdAt >= ?", [.integer(services.instants(of: from, for: snapshot.reader).lowerBound)])
    }
    if let to = try params.to?.day("to", leaning: .back, in: snapshot) {
      listing.narrow("createdAt < ?", [.integer(services.instants(of: to, for: snapshot.reader).upperBound)])
    }
    try listing.narrow(toWords: params.query ?? "", in: snapshot.db)
    return listing
  }

  private static func require(_ document: DocumentRecord?, for field: String) throws(RPCError) -> DocumentRecord {
    guard let document else { throw .invalidParams(field: field, reason: Text("documents.needsDocument")) }
    return document
  }
}
