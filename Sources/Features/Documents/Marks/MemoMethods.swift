import Contract
import Store
import Wire

/// A memo as clients see it.
struct Memo: Payload {
  var id: ItemID
  var revision: Int64
  var createdAt: Instant
  var updatedAt: Instant
  var document: DocumentID
  var page: Int
  var link: String
  var text: String
  var display: PageMark.Display

  static let example = Memo(
    id: "0195", revision: 45, createdAt: Instant(milliseconds: 1_795_225_445_678),
    updatedAt: Instant(milliseconds: 1_795_225_445_678), document: "0192", page: 2,
    link: "commonplace:/documents/0192#page=2", text: "Look this up.", display: .init(title: "Page 3 Memo"))
  static let fields = PageMark.notes.merging([
    "id": "The memo.", "createdAt": "When it was written.", "text": "What was written, byte for byte.",
  ]) { $1 }

  func write(to json: inout JSONWriter) {
    json.beginObject()
    json.member("id", id.text)
    json.member("revision", revision)
    json.member("createdAt", createdAt)
    json.member("updatedAt", updatedAt)
    json.member("document", document.text)
    json.member("page", page)
    json.member("link", link)
    json.member("text", text)
    json.member("display")
    display.write(to: &json)
    json.endObject()
  }
}

extension Memo {
  init(_ record: MemoRecord, in snapshot: Snapshot) {
    self.init(
      id: ItemID(unchecked: record.id), revision: record.revision, createdAt: record.createdAt,
      updatedAt: record.updatedAt, document: DocumentID(unchecked: record.document), page: record.page,
      link: record.link, text: record.text,
      display: .init(title: snapshot.sentence("documents.memoTitle", page: record.page)))
  }
}

enum SetMemo: WriteMethod {
  static let name = "documents/setMemo"
  static let summary = "Writes the memo of a page; an empty text removes it."
  static let since = 1
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .conflict]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var text: String
    var ifRevision: Int64?
    static let example = Params(id: "0192", page: 2, text: "Look this up.", ifRevision: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "text": "The whole memo.",
      "ifRevision": "Refuse if the memo has changed since this revision.",
    ]
    static let limits: [String: FieldLimits] = ["page": .atLeast(0), "text": .length(0...1_000_000)]

    static func read(checked params: JSONValue) throws(RPCError) -> Params {
      Params(
        id: DocumentID(unchecked: params["id"]?.stringValue ?? ""), page: Int(params["page"]?.exactInteger ?? 0),
        text: params["text"]?.stringValue ?? "", ifRevision: params["ifRevision"]?.exactInteger)
    }
  }

  struct Result: Payload {
    var memo: Memo?
    var removed: ItemID?
    static let example = Result(memo: .example, removed: nil)
    static let fields = ["memo": "The memo as it is now.", "removed": "The memo that was, when the text was empty."]

    func write(to json: inout JSONWriter) {
      json.beginObject()
      if let memo {
        json.member("memo")
        memo.write(to: &json)
      }
      json.member("removed", removed?.text)
      json.endObject()
    }
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    // A memo that is there tells that its document and its page are.
    guard let known = try MemoRecord.on(params.page, of: params.id.text, in: snapshot) else {
      return try add(params, in: transaction)
    }
    try transaction.require(known, at: params.ifRevision)
    if params.text.isEmpty {
      try transaction.remove(known)
      return Result(memo: nil, removed: ItemID(unchecked: known.id))
    }
    let record = try transaction.change(known) { $0.text = params.text }
    return Result(memo: Memo(record, in: snapshot), removed: nil)
  }

  private static func add(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try KeptPage.get(params.page, of: document, in: transaction.db)
    // It was removed since.
    if params.ifRevision != nil {
      throw RPCError(.conflict, data: ["collection": .string(MemoRecord.collectionName), "current": .null])
    }
    if params.text.isEmpty { return Result(memo: nil, removed: nil) }
    let record = MemoRecord(
      id: transaction.services.newID(), document: document.id, page: params.page, text: params.text,
      anchor: try StoredJSON(Anchor.of(page, document: document, snapshot: snapshot)))
    return Result(memo: Memo(try transaction.insert(record), in: snapshot), removed: nil)
  }
}

enum ListMemos: ReadMethod {
  static let name = "documents/memos"
  static let summary = "The memos of a document, by page."
  static let since = 1
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.notFound]
  typealias Params = MarkListParams
  typealias Result = Page<Memo>

  static func run(_ params: MarkListParams, in snapshot: Snapshot) throws -> Page<Memo> {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    return try Page(
      of: MemoRecord.all(of: document.id, in: snapshot), after: params.after, limit: params.limit
    ) { Memo($0, in: snapshot) }
  }
}
