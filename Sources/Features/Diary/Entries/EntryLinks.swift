import Store

/// What links have to do with entries.
enum EntryLinks {
  static let linking = ItemCollection.Linking(
    title: .init("text", read: title), texts: [.init("text")],
    shown: { id, snapshot in
      try snapshot.find(EntryRecord.self, id: id).map { record in
        LinkedItem(title: EntryText(record.text).title, of: EntryRecord.collectionName, id: id)
      }
    })

  /// The signs of a heading of Markdown are not what the entry is called: `[[Rain]]` finds `# Rain`.
  private static func title(_ text: String) -> String {
    let title = EntryText(text).title
    let rest = title.drop { $0 == "#" }
    return rest.first == " " && title.hasPrefix("#") ? String(rest) : title
  }
}
