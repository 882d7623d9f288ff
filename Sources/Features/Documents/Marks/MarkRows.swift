import Store

/// What the three kinds of marks have in common: they lie on a page of a document.
protocol Mark: StoredItem {
  var document: String { get }
  var page: Int { get }
  var anchor: StoredJSON<Anchor> { get set }
  /// Where it begins on its page, in Unicode scalars.
  var offset: Int { get }
}

extension BookmarkRecord: Mark {
  var offset: Int { 0 }
}

extension HighlightRecord: Mark {
  var offset: Int { lines.first?.offset ?? 0 }
}

extension MemoRecord: Mark {
  var offset: Int { 0 }
}

extension Mark {
  /// In the order of the pages; on one page in the order made.
  static func all(of document: String, page: Int? = nil, in snapshot: Snapshot) throws -> [Self] {
    guard let page else {
      return try all(in: snapshot.db, "WHERE document = ? ORDER BY page, createdAt, id", [.text(document)])
    }
    return try all(
      in: snapshot.db, "WHERE document = ? AND page = ? ORDER BY createdAt, id", [.text(document), .integer(page)])
  }
}
