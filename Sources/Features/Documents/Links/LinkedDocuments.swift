import Store

/// What links have to do with documents and their marks. What a page says is its author's: links in it are listed by
/// `documents/links`.
enum LinkedDocuments {
  static let documents = ItemCollection.Linking(
    title: .init("title"),
    shown: { id, snapshot in
      try snapshot.find(DocumentRecord.self, id: id).map {
        LinkedItem(title: $0.title, link: DocumentLink(DocumentID(unchecked: id)).text)
      }
    })

  static let highlights = ItemCollection.Linking(
    texts: [.init("note")], place: "highlight",
    shown: { id, snapshot in
      guard let record = try snapshot.find(HighlightRecord.self, id: id) else { return nil }
      let link = DocumentLink(DocumentID(unchecked: record.document), .highlight(HighlightID(unchecked: id)))
      return try mark(of: record.document, at: record.isOrphan ? nil : record.page, link, in: snapshot)
    })

  static let memos = ItemCollection.Linking(
    texts: [.init("text")],
    shown: { id, snapshot in
      guard let record = try snapshot.find(MemoRecord.self, id: id) else { return nil }
      let page = record.isOrphan ? nil : record.page
      let link = DocumentLink(DocumentID(unchecked: record.document), page.map { .page($0) })
      return try mark(of: record.document, at: page, link, in: snapshot)
    })

  private static func mark(
    of id: String, at page: Int?, _ link: DocumentLink, in snapshot: Snapshot
  ) throws -> LinkedItem? {
    try snapshot.find(DocumentRecord.self, id: id).map {
      LinkedItem(title: $0.title, link: link.text, page: page, pageCount: $0.pageCount)
    }
  }
}
