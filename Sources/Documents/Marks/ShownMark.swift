import Store

/// A highlight, a memo or a bookmark as it is shown elsewhere: in search results, and beside a link.
struct ShownMark {
  /// By the names of their tables.
  enum Kind: String {
    case highlight, memo, bookmark
  }

  var document: String
  /// With the title of its document.
  var item: LinkedItem

  /// Nil if it was removed.
  static func find(_ kind: Kind, _ id: String, in snapshot: Snapshot) throws -> ShownMark? {
    try snapshot.db.first(
      """
      SELECT mark.document, mark.page, mark.state IS NULL, document.title, document.pageCount
      FROM \(kind.rawValue) AS mark JOIN document ON document.id = mark.document
      WHERE mark.id = ?
      """, [.text(id)]
    ) { row in
      // An orphan is on no page of the present file.
      let page = row.bool(2) ? row.int(1) : nil
      let place: DocumentLink.Place? =
        switch kind {
        case .highlight: .highlight(HighlightID(unchecked: id))
        case .memo, .bookmark: page.map { .page($0) }
        }
      let link = DocumentLink(DocumentID(unchecked: row.text(0)), place)
      return ShownMark(
        document: row.text(0),
        item: LinkedItem(title: row.text(3), link: link.text, page: page, pageCount: row.int(4)))
    }
  }
}
