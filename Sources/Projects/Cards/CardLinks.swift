import Kit
import Store

extension ProjectRecord {
  /// The links of a card. Files elsewhere refer to it by its former titles too.
  static var linking: Linking {
    var linking = declaredLinking.keepingFormerTitles
    linking.shown = { id, snapshot in
      try snapshot.find(ProjectRecord.self, id: id).map {
        LinkedItem(title: $0.title, of: collectionName, id: id, isFinished: $0.completedAt != nil)
      }
    }
    return linking
  }
}
