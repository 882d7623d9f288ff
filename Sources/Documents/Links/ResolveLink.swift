import Contract
import Display
import Kit
import Store
import Wire

/// The target of a stable link.
enum ResolveLink: ReadMethod {
  static let name = "documents/resolve"
  static let summary = "The target of a stable link: the document, the page, and the position of a highlight."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true

  struct Params: Payload {
    var link: String
    static let example = Params(link: "commonplace:/documents/0192#page=2")
    static let fields = [
      "link": "`commonplace:/documents/<id>`, with `#page=<page>` from 0 or `#highlight=<id>`."
    ]
    static let limits: [String: FieldLimits] = ["link": .length(1...8_192, notBlank: true)]
  }

  struct Result: Payload {
    var document: DocumentID
    var title: String
    var page: Int?
    var label: String?
    var highlight: Highlight?
    var link: String
    static let example = Result(
      document: "0192", title: "The R language", page: 2, label: "3 / 12", highlight: nil,
      link: "commonplace:/documents/0192#page=2")
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "document": "The document; for a highlight, its present one.", "title": "Its title.",
      "page": "The page, from 0; absent for a link to a whole document or to an orphaned highlight.",
      "label": "The page number from 1, and the number of pages.",
      "highlight": "The link's highlight, with the quads of its lines.",
      "link": "The current form of the link.",
    ]
  }

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    guard let link = DocumentLink(params.link) else {
      throw RPCError.invalidParams(field: "link", reason: Text("documents.badLink", ["link": params.link]))
    }
    if case .highlight(let id) = link.place { return try result(of: id, named: link, in: snapshot) }
    guard let document = try snapshot.find(DocumentRecord.self, id: link.document.text) else {
      throw gone(Text("documents.linkedDocumentGone", ["id": link.document.text]), link)
    }
    guard case .page(let page) = link.place else { return result(document, page: nil, link: link) }
    guard page < document.pageCount else {
      var error = RPCError.pageOutOfRange(page, count: document.pageCount, field: "link")
      error.data["document"] = .string(document.id)
      error.data["pageCount"] = .integer(Int64(document.pageCount))
      throw error
    }
    return result(document, page: page, link: link)
  }

  private static func result(of id: HighlightID, named link: DocumentLink, in snapshot: Snapshot) throws -> Result {
    guard let record = try snapshot.find(HighlightRecord.self, id: id.text),
      let document = try snapshot.find(DocumentRecord.self, id: record.document)
    else {
      let isThere = try snapshot.find(DocumentRecord.self, id: link.document.text) != nil
      let key = isThere ? "documents.linkedHighlightGone" : "documents.linkedDocumentGone"
      throw gone(Text(key, ["id": isThere ? id.text : link.document.text]), link, documentIsThere: isThere)
    }
    let now = DocumentLink(DocumentID(unchecked: document.id), .highlight(id))
    var result = result(document, page: record.isOrphan ? nil : record.page, link: now)
    result.highlight = try Highlight(record, of: document, in: snapshot)
    return result
  }

  private static func result(_ document: DocumentRecord, page: Int?, link: DocumentLink) -> Result {
    Result(
      document: DocumentID(unchecked: document.id), title: document.title, page: page,
      label: page.map { pageLabel(page: $0, of: document.pageCount) }, highlight: nil, link: link.text)
  }

  /// The link's target was removed, or never existed: an id alone does not distinguish them.
  private static func gone(_ text: Text, _ link: DocumentLink, documentIsThere: Bool = false) -> RPCError {
    var data: JSONObject = ["link": .string(link.text)]
    if documentIsThere { data["document"] = .string(link.document.text) }
    return RPCError(.notFound, text: text, data: data)
  }
}
