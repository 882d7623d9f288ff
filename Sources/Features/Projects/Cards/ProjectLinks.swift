import Store

/// What links have to do with cards.
enum ProjectLinks {
  static let linking = ItemCollection.Linking(
    title: .init("title"), texts: [.init("title"), .init("body")],
    shown: { id, snapshot in
      try snapshot.find(ProjectRecord.self, id: id).map {
        LinkedItem(title: $0.title, of: ProjectRecord.collectionName, id: id)
      }
    })
}
