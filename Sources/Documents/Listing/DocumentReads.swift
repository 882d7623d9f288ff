import Contract
import Kit
import SearchEngine
import Store
import Wire

struct DocumentParams: Payload {
  var id: DocumentID
  static let example = DocumentParams(id: "0192")
  static let fields = ["id": "The document."]

  static func read(checked params: JSONValue) throws(RPCError) -> DocumentParams {
    DocumentParams(id: DocumentID(unchecked: params["id"]?.stringValue ?? ""))
  }
}

enum GetDocument: ReadMethod, ManyItemsMethod {
  static let name = "documents/get"
  static let summary = "One document, with the path of its file."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  static let isQuick = true
  typealias Params = DocumentParams
  typealias Result = Document

  static func run(_ params: DocumentParams, in snapshot: Snapshot) throws -> Document {
    var shown = try ShownDocument(snapshot.get(DocumentRecord.self, id: params.id.text), in: snapshot)
    if let linked = shown.linked {
      shown.file = linked
    } else if try !BlobsElsewhere.contains(shown.item.hash, in: snapshot.db) {
      shown.file = try snapshot.services.blobs.path(named: shown.item.hash)
    }
    return try Document(shown)
  }
}

enum ListDocuments: ReadMethod {
  static let name = "documents/list"
  static let summary =
    "Documents, in order of addition by default; filtered by title, tag, author, type and properties."
  static let effects: Effects = .reads

  enum Match: String, Choice {
    case prefix, substring
  }

  enum Sort: String, Choice {
    case added, recent, title, read
  }

  struct Params: Payload {
    var query: String?
    var match: Match?
    var tag: String?
    var author: String?
    var type: String?
    var properties: [String: String]?
    var sort: Sort?
    var offset: Int?
    var after: String?
    var limit: Int?
    static let example = Params(
      query: "the r", match: .prefix, tag: nil, author: nil, type: nil, properties: nil, sort: .title, offset: nil,
      after: nil, limit: 20)
    static let fields = [
      "query": "The beginning or a part of the title, ignoring case, width and composition. Empty matches all.",
      "match": "`prefix`, the default, or `substring`.",
      "tag": "Only documents with this tag or one below it (`a/b` for `a`), ignoring case, width and composition.",
      "author": "Only documents whose author contains this, ignoring case, width and composition.",
      "type": "Only documents whose bibliography states this CSL-JSON type, such as `article-journal` or `thesis`.",
      "properties": "Only documents with all of these properties, ignoring case, width and composition.",
      "sort":
        "`added` (default, oldest first), `recent` (last changed first), `title`, `read` (last read first, for "
        + "“continue reading”; unread ones last).",
      "offset": "The number of documents to skip.", "after": "`next` of the previous page.",
      "limit": PartFields.limitNote(usually: 100),
    ]
    static let limits: [String: FieldLimits] = [
      "query": .length(0...1_000), "tag": .length(1...TagList.longest, notBlank: true),
      "author": .length(1...1_000, notBlank: true), "type": .length(1...100, notBlank: true),
      "properties": .length(1...DocumentProperties.most),
      "offset": .atLeast(0), "limit": .range(1...1_000),
      "after": .length(1...4_096),
    ]
    static let atMostOne = [["offset", "after"]]
  }
  typealias Result = Page<Document>

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Page<Document> {
    var listing = ItemListing<DocumentRecord>(by: (params.sort ?? .added).order)
    listing.narrow(toTitle: params.query ?? "", params.match ?? .prefix)
    if let tag = params.tag {
      let tagged = DocumentSearch.tags.condition(of: tag.trimmingBlanks())
      listing.narrow(tagged.sql, tagged.values)
    }
    if let author = params.author { listing.narrow("instr(fold(author), ?) > 0", [.text(foldedText(author))]) }
    if let type = params.type { DocumentProperties.narrow(&listing, toType: type) }
    for (name, value) in (params.properties ?? [:]).sorted(by: { $0.key < $1.key }) {
      DocumentProperties.narrow(&listing, to: name, value)
    }
    let part = ListPart(offset: params.offset, after: params.after, limit: params.limit ?? 100)
    return try listing.page(part, in: snapshot) {
      try Document(ShownDocument($0, in: snapshot), isListed: true)
    }
  }
}
