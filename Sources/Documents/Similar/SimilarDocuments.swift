import Contract
import Kit
import SQLite
import Store
import Wire

/// The documents about the same subject.
enum SimilarDocuments: ReadMethod {
  static let name = "documents/similar"
  static let summary =
    "The documents that share most of the words that tell a document from the rest of the library, most similar first. "
    + "Works offline. A document whose text is not stored is compared by its title and bibliography."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.noFile, .notFound]

  struct Params: Payload {
    var id: DocumentID
    var limit: Int?
    static let example = Params(id: "0192", limit: 5)
    static let fields = ["id": "The document.", "limit": "Maximum number of documents. Default 10."]
    static let limits: [String: FieldLimits] = ["limit": .range(1...50)]
  }

  struct Similar: Payload {
    var id: DocumentID
    var title: String
    var author: String?
    var score: Double
    var words: [String]
    var link: String
    static let example = Similar(
      id: "0193", title: "An introduction to R", author: nil, score: 0.62, words: ["vector", "lexical"],
      link: "commonplace:/documents/0193")
    static let fields = [
      "id": "The document.", "title": "Its title.", "author": "Its author; absent if unknown.",
      "score": "How much it shares: 1 is as much as the document shares with itself. At least 0.1.",
      "words": "The shared words that count most, folded, at most five.", "link": "Its stable link.",
    ]
  }

  struct Result: Payload {
    var items: [Similar]
    var words: [String]
    static let example = Result(items: [.example], words: ["vector", "lexical", "closure"])
    static let fields = [
      "items": "The documents, most similar first; empty if no other one shares enough.",
      "words":
        "The words that were compared, folded, those that count most first; empty if the document has no text, or no "
        + "word of it is in another document.",
    ]
  }

  private static let least = 0.1

  static func run(_ params: Params, in snapshot: Snapshot) throws -> Result {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    try document.requireAnyFile()
    let words = try SubjectWords(of: document, in: snapshot)
    let average =
      try snapshot.db.first("SELECT ifnull(avg(pageCount), 1) FROM document WHERE pageCount > 0") {
        max(1, $0.real(0))
      } ?? 1
    let shares = try words.shares { id in try pageCount(of: id, in: snapshot.db).map { Double($0) / average } }
    let whole = shares[document.id]?.share ?? words.words.reduce(0) { $0 + $1.weight }
    let similar = shares.filter { $0.key != document.id && $0.value.share >= least * whole }
      .sorted { ($1.value.share, $0.key) < ($0.value.share, $1.key) }
    let items = try similar.prefix(params.limit ?? 10).compactMap { id, shared -> Similar? in
      guard let other = try snapshot.find(DocumentRecord.self, id: id) else { return nil }
      return Similar(
        id: DocumentID(unchecked: id), title: other.title, author: other.author,
        score: min(1, (shared.share / whole * 1_000).rounded() / 1_000), words: Array(shared.words.prefix(5)),
        link: DocumentLink(DocumentID(unchecked: id)).text)
    }
    return Result(items: items, words: words.words.map(\.text))
  }

  private static let selectPageCount = CachedStatement("SELECT pageCount FROM document WHERE id = ?")

  private static func pageCount(of id: String, in db: Database) throws -> Int? {
    try db.first(selectPageCount, { $0.add(id) }, { $0.int(0) })
  }
}
