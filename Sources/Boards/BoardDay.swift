import Kit
import Store

/// The board items of a day: the posts that were read, and those that were saved.
enum BoardDay {
  static let read = marked(.read, "readAt")
  static let saved = marked(.marked, "savedAt", text: "preview")

  private static func marked(_ kind: DayItem.Kind, _ column: String, text: String = "NULL") -> FoldedItems {
    FoldedItems(
      kind, in: "postMark CROSS JOIN post ON post.id = postMark.id", collection: PostRecord.collectionName,
      id: "postMark.id", at: column, text: text)
  }

  static func items(_ query: DayQuery, in snapshot: Snapshot) throws -> [DayItem] {
    try read.items(query, in: snapshot) + saved.items(query, in: snapshot)
  }
}
