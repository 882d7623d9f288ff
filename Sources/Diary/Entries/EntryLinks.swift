import Kit
import Store

/// The links in entries.
enum EntryLinks {
  static let linking = Linking(
    // `[[Rain]]` finds `# Rain`.
    title: .init("text", keepsFormer: true) { TitledText($0).name }, texts: [.init("text")],
    shown: { id, snapshot in
      try snapshot.find(EntryRecord.self, id: id).map { record in
        let text = TitledText(record.text)
        var item = LinkedItem(title: text.titleBeginning ?? text.title, of: EntryRecord.collectionName, id: id)
        item.day = record.day
        return item
      }
    })
}
