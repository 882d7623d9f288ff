import Store

/// How documents and their marks take part in links. The text of a page is its author's: links in it are listed by
/// `documents/links`.
enum LinkedDocuments {
  static let documents = Linking(
    title: .init("title", keepsFormer: true),
    shown: { id, snapshot in
      try snapshot.find(DocumentRecord.self, id: id).map { record in
        var item = LinkedItem(title: record.title, link: DocumentLink(DocumentID(unchecked: id)).text)
        item.author = record.author
        return item
      }
    })

  static let highlights = Linking(
    texts: [.init("note")], place: .init("highlight", in: DocumentRecord.collectionName, by: "document"),
    shown: { try ShownMark.find(.highlight, $0, in: $1)?.item })

  static let memos = Linking(
    texts: [.init("text")], place: .init(in: DocumentRecord.collectionName, by: "document"),
    shown: { try ShownMark.find(.memo, $0, in: $1)?.item })
}
