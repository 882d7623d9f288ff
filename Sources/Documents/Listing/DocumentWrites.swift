import Contract
import Display
import HTTP
import Kit
import Store
import Wire

enum UpdateDocument: WriteMethod, ManyItemsMethod {
  static let name = "documents/update"
  static let summary =
    "Changes a document's title, author, tags, URL, bibliography, citation key or properties, or the credential that "
    + "opens it."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.notFound, .invalidURL, .conflict]

  typealias Params = ItemUpdate<ShownDocument>
  typealias Result = Document

  static func run(_ params: Params, in transaction: Transaction) throws -> Document {
    let (before, after) = try params.change(in: transaction)
    let isConfirmed = after.isTyped && !before.isTyped
    return try Document(
      isConfirmed ? after.forgettingPaths(in: transaction) : after, in: transaction.snapshot)
  }
}

enum RemoveDocument: RemoveItemMethod {
  /// Each takes its marks along, and hundreds of pages out of the index.
  static let mostAtOnce = 25
  static let name = "documents/remove"
  static let summary = "Removes a document with its bookmarks, highlights and memos. `changes/undo` restores them."

  static func remove(_ record: DocumentRecord, in transaction: Transaction) throws {
    let snapshot = transaction.snapshot
    for highlight in try HighlightRecord.all(of: record.id, in: snapshot) { try transaction.remove(highlight) }
    for bookmark in try BookmarkRecord.all(of: record.id, in: snapshot) { try transaction.remove(bookmark) }
    for memo in try MemoRecord.all(of: record.id, in: snapshot) { try transaction.remove(memo) }
    try transaction.remove(record)
    let services = transaction.services
    transaction.afterCommit {
      // A password that was given for a removed document must not grant further access.
      services.forgetText(of: record.hash)
      services.thumbnails.forget(record.hash, with: services)
      Task { await services.workers.forget(record.hash) }
    }
  }
}

enum SetPosition: WriteMethod {
  static let name = "documents/setPosition"
  static let summary =
    "Goes to a page, or forward or back by pages; stops at both ends, which `clamped` reports. Sets `lastReadAt`, "
    + "and counts the time since the last call as time of reading (`documents/statistics`). Not undoable."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.noFile, .notFound]

  struct Params: Payload {
    var id: DocumentID
    var page: Int?
    var step: Int?
    var y: Double?
    static let example = Params(id: "0192", page: nil, step: 1, y: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "step": "The number of pages forward; negative goes back.",
      "y": "The position down the page, 0 to 1. Default 0.",
    ]
    static let exactlyOne = [["page", "step"]]
    static let limits: [String: FieldLimits] = [
      "y": .range(0...1), "step": .range(-1_000_000...1_000_000), "page": .range(-1_000_000...1_000_000_000),
    ]
  }

  struct Result: Payload {
    var id: DocumentID
    var position: ReadingPosition
    var label: String
    var clamped: Bool?
    static let example = Result(id: "0192", position: .example, label: "3 / 12", clamped: nil)
    static let terms = ["label": "pageLabel"]
    static let fields = [
      "id": "The document.", "position": "The reading position now.", "label": "The position as a string for people.",
      "clamped":
        "True if the requested page is outside the document, and its first or last page was used. Absent otherwise.",
    ]
  }

  /// In milliseconds. The same position once more within this time writes nothing.
  private static let sameReading: Int64 = 60_000

  static func run(_ params: Params, in transaction: Transaction) throws -> Result {
    let record = try transaction.snapshot.get(DocumentRecord.self, id: params.id.text)
    try record.requireAnyFile()
    let wanted = params.page ?? record.page + (params.step ?? 0)
    let page = min(max(wanted, 0), record.pageCount - 1)
    let y = params.y ?? 0
    let isMoved = page != record.page || y != record.y
    let now = transaction.now
    let shown = try ReadingTimes.shown(record.id, in: transaction.db)
    func isNew(_ at: Int64?) -> Bool { at.map { $0 > now.milliseconds - Self.sameReading } ?? false }
    let wasRead = isNew(record.lastReadAt?.milliseconds) && isNew(shown?.at)
    if isMoved || !wasRead {
      transaction.isUndoable = false
      try transaction.db.run(
        "UPDATE document SET page = ?, y = ?, lastReadAt = ? WHERE id = ?",
        [.integer(page), .real(y), .integer(now.milliseconds), .text(record.id)])
      try ReadingTimes.note(page, of: record.id, isMoved: isMoved, after: shown, in: transaction)
      transaction.touch(
        collection: DocumentRecord.collectionName, id: record.id, revision: record.revision,
        fields: isMoved ? ["position", "lastReadAt"] : ["lastReadAt"])
    }
    return Result(
      id: params.id, position: ReadingPosition(page: page, y: y), label: pageLabel(page: page, of: record.pageCount),
      clamped: page == wanted ? nil : true)
  }
}
