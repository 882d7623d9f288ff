import Contract
import Kit
import Store
import Wire

enum SetMemo: WriteMethod {
  static let name = "documents/setMemo"
  static let summary = "Sets the memo of a page; an empty text removes it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .conflict, .exists, .passwordRequired]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var text: String
    var memo: ItemID?
    var ifRevision: Int64?
    static let example = Params(id: "0192", page: 2, text: "Look this up.", memo: nil, ifRevision: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "text": "The whole memo.",
      "memo": "An orphan among its memos, to move to this page, which must have no other, with this text.",
      "ifRevision": "Fails with `conflict` if the memo has another revision; 0: if the page has one.",
    ]
    static let limits = MemoRecord.fields.limits("text").merging(["page": .atLeast(0)]) { $1 }

    static func read(checked params: JSONValue) throws(RPCError) -> Params {
      Params(
        id: DocumentID(unchecked: params["id"]?.stringValue ?? ""), page: Int(params["page"]?.exactInteger ?? 0),
        text: params["text"]?.stringValue ?? "", memo: params["memo"]?.stringValue.map(ItemID.init(unchecked:)),
        ifRevision: params["ifRevision"]?.exactInteger)
    }
  }

  struct Result: Payload {
    var memo: Memo?
    var removed: ItemID?
    static let example = Result(memo: .example, removed: nil)
    static let fields = ["memo": "The memo now.", "removed": "The removed memo, if the text was empty."]
  }

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    if let memo = params.memo { return try takeOrphan(memo, for: params, in: transaction) }
    // An existing memo proves that its document and its page exist.
    guard let known = try MemoRecord.on(params.page, of: params.id.text, in: snapshot) else {
      return try add(params, in: transaction)
    }
    try transaction.require(known, at: params.ifRevision)
    if params.text.isEmpty {
      try transaction.remove(known)
      return Result(memo: nil, removed: ItemID(unchecked: known.id))
    }
    let record = try transaction.change(known) { $0.text = params.text }
    return Result(memo: try Memo(record, in: snapshot), removed: nil)
  }

  private static func takeOrphan(_ id: ItemID, for params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: snapshot)
    let orphan = try MemoRecord.orphan(id, of: document, in: snapshot)
    try transaction.require(orphan, at: params.ifRevision)
    if params.text.isEmpty {
      try transaction.remove(orphan)
      return Result(memo: nil, removed: id)
    }
    if let other = try MemoRecord.on(params.page, of: document.id, in: snapshot) {
      throw RPCError(
        .exists, text: Text("documents.memoTaken", ["page": String(params.page + 1)]),
        data: ["current": try Memo(other, in: snapshot).value])
    }
    let record = try transaction.change(orphan) { record in
      record.page = params.page
      record.text = params.text
      record.anchor = try StoredJSON(Anchor.of(page, document: document, snapshot: snapshot))
      record.isOrphan = false
    }
    return Result(memo: try Memo(record, in: snapshot), removed: nil)
  }

  private static func add(_ params: Params, in transaction: Transaction) throws -> Result {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: transaction.snapshot)
    // It was removed since; 0 stands for none.
    if let revision = params.ifRevision, revision != 0 {
      throw RPCError(.conflict, data: ["collection": .string(MemoRecord.collectionName), "current": .null])
    }
    if params.text.isEmpty { return Result(memo: nil, removed: nil) }
    let record = MemoRecord(
      id: try MemoRecord.newID(on: params.page, of: document.id, in: transaction), document: document.id,
      page: params.page, text: params.text,
      anchor: try StoredJSON(Anchor.of(page, document: document, snapshot: snapshot)))
    return Result(memo: try Memo(transaction.insert(record), in: snapshot), removed: nil)
  }
}

enum ListMemos: ReadMethod {
  static let name = "documents/memos"
  static let summary = "The memos of a document, by page."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]
  typealias Params = MarkListParams
  typealias Result = Page<Memo>

  static func run(_ params: MarkListParams, in snapshot: Snapshot) throws -> Page<Memo> {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    return try Page(
      of: MemoRecord.all(of: document.id, in: snapshot), after: params.after, limit: params.limit
    ) { try Memo($0, in: snapshot) }
  }
}
