import Contract
import Kit
import Store
import Wire

/// The state of a page's bookmark after it was set or removed.
struct BookmarkState: Payload {
  var id: DocumentID
  var page: Int
  var bookmarked: Bool
  var title: String?
  static let example = BookmarkState(id: "0192", page: 2, bookmarked: true, title: "The proof")
  static let fields = [
    "id": "The document.", "page": "The page, from 0.", "bookmarked": "Whether the page is bookmarked now.",
    "title": "The bookmark's name; absent without one.",
  ]
}

enum ToggleBookmark: WriteMethod {
  static let name = "documents/toggleBookmark"
  static let summary = "Toggles a page's bookmark."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]

  typealias Params = DocumentPage
  typealias Result = BookmarkState

  static func run(_ params: DocumentPage, in transaction: Transaction) throws -> BookmarkState {
    let isSet = try BookmarkRecord.on(params.page, of: params.id.text, in: transaction.snapshot) != nil
    return try setBookmark(!isSet, page: params.page, of: params.id, in: transaction)
  }
}

enum SetBookmark: WriteMethod {
  static let name = "documents/setBookmark"
  static let summary = "Sets, names or removes a page's bookmark, whatever its previous state."
  static let effects: Effects = .writes
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]

  struct Params: Payload {
    var id: DocumentID
    var page: Int
    var bookmarked: Bool
    var title: Patch<String> = .absent
    var bookmark: ItemID?
    static let example = Params(id: "0192", page: 2, bookmarked: true, title: .value("The proof"), bookmark: nil)
    static let fields = [
      "id": "The document.", "page": "The page, from 0.", "bookmarked": "Whether the page is to be bookmarked.",
      "title": "The bookmark's name; null for none. Absent, an existing bookmark keeps its name.",
      "bookmark": "An orphan among its bookmarks, to move to this page or to remove.",
    ]
    static let limits = BookmarkRecord.fields.limits("title").merging(["page": .atLeast(0)]) { $1 }
  }
  typealias Result = BookmarkState

  static func run(_ params: Params, in transaction: Transaction) throws -> BookmarkState {
    if let bookmark = params.bookmark { try takeOrphan(bookmark, for: params, in: transaction) }
    return try setBookmark(
      params.bookmarked, page: params.page, of: params.id, title: params.title, in: transaction)
  }

  private static func takeOrphan(_ id: ItemID, for params: Params, in transaction: Transaction) throws {
    let snapshot = transaction.snapshot
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    let page = try StoredPage.get(params.page, of: document, in: snapshot)
    let orphan = try BookmarkRecord.orphan(id, of: document, in: snapshot)
    // A page has one bookmark: if it has one already, the orphan is merged with it.
    let own = try BookmarkRecord.on(params.page, of: document.id, in: snapshot)
    if params.bookmarked, let own { return try own.merge(orphan, in: transaction) }
    guard params.bookmarked else { return try transaction.remove(orphan) }
    try transaction.change(orphan) { record in
      record.page = params.page
      record.anchor = try StoredJSON(Anchor.of(page, document: document, snapshot: snapshot))
      record.isOrphan = false
    }
  }
}

private func setBookmark(
  _ bookmarked: Bool, page: Int, of id: DocumentID, title: Patch<String> = .absent, in transaction: Transaction
) throws -> BookmarkState {
  let snapshot = transaction.snapshot
  let document = try snapshot.get(DocumentRecord.self, id: id.text)
  let stored = try StoredPage.get(page, of: document, in: transaction.snapshot)
  let known = try BookmarkRecord.on(page, of: id.text, in: snapshot)
  guard bookmarked else {
    if let known { try transaction.remove(known) }
    return BookmarkState(id: id, page: page, bookmarked: false, title: nil)
  }
  let title = title.applied(to: known?.title)
  if let known {
    try transaction.change(known) { $0.title = title }
  } else {
    try transaction.insert(
      BookmarkRecord(
        id: try BookmarkRecord.newID(on: page, of: id.text, in: transaction), document: id.text, page: page,
        title: title, anchor: try StoredJSON(Anchor.of(stored, document: document, snapshot: snapshot))))
  }
  return BookmarkState(id: id, page: page, bookmarked: true, title: title)
}

extension BookmarkRecord {
  /// Removes another bookmark of this one's page. Its name is kept if this one has none.
  ///
  /// - Throws: `DatabaseError`, `StoreError`.
  func merge(_ other: BookmarkRecord, in transaction: Transaction) throws {
    try transaction.remove(other)
    guard title == nil, let title = other.title else { return }
    try transaction.change(self) { $0.title = title }
  }
}

enum ListBookmarks: ReadMethod {
  static let name = "documents/bookmarks"
  static let summary = "The bookmarked pages, ascending."
  static let effects: Effects = .reads
  static let errors: [ErrorKind] = [.elsewhere, .noFile, .notFound, .passwordRequired]
  typealias Params = MarkListParams
  typealias Result = Page<Bookmark>

  static func run(_ params: MarkListParams, in snapshot: Snapshot) throws -> Page<Bookmark> {
    let document = try snapshot.get(DocumentRecord.self, id: params.id.text)
    return try Page(
      of: BookmarkRecord.all(of: document.id, in: snapshot), after: params.after, limit: params.limit
    ) { try Bookmark($0, in: snapshot) }
  }
}

extension Mark {
  /// The mark of this id, which must be an orphan of the document.
  static func orphan(_ id: ItemID, of document: DocumentRecord, in snapshot: Snapshot) throws -> Self {
    let record = try snapshot.get(Self.self, id: id.text)
    guard record.document == document.id, record.isOrphan else {
      throw RPCError(.notFound, text: Text("documents.noOrphan", ["id": id.text, "title": document.title]))
    }
    return record
  }

  /// The mark of a page, for types of which a page has at most one.
  static func on(_ page: Int, of document: String, in snapshot: Snapshot) throws -> Self? {
    try first(in: snapshot.db, cached: "WHERE document = ? AND page = ? AND state IS NULL") {
      $0.add(document)
      $0.add(page)
    }
  }
}
