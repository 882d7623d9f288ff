import Store

/// What links have to do with books on the shelf: the reader's note, and what was written out with what is said of it.
/// What a catalogue says is nobody's link.
enum BookLinks {
  static let linking = ItemCollection.Linking(
    title: .init("title"), texts: [.init("note"), .init("quotes", read: texts)],
    shown: { id, snapshot in
      try snapshot.find(BookRecord.self, id: id).map {
        LinkedItem(title: $0.title, of: BookRecord.collectionName, id: id)
      }
    })

  private static func texts(_ stored: String) throws -> [String] {
    try StoredJSON<[BookQuote]>(stored: stored).value().flatMap { [$0.text, $0.note].compactMap(\.self) }
  }
}
