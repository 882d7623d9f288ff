import SQLite
import Store
import Wire

/// The number of unread posts after a commit: of the boards that it changed, of their sources, and of the library
/// without its quiet sources.
///
/// The three are counters that triggers maintain (`boardCount`, `sourceCount`, `postSpan`), so that a commit reads a
/// few rows.
enum UnreadCounts {
  static let field = "unread"
  /// A commit that changes more boards than these, such as a restored archive, is reported as a reset anyway.
  private static let mostBoards = 500

  static func after(_ changes: [Change], in snapshot: Snapshot) throws -> [ItemCount] {
    let ofBoards = changes.filter { sameBytes($0.collection, BoardRecord.collectionName) }
    let boards = ofBoards.filter { $0.kind != .removed && ($0.fields.isEmpty || $0.fields.contains(field)) }
    let haveMoved =
      !boards.isEmpty || ofBoards.contains { $0.kind == .removed }
      || changes.contains { $0.kind != .updated && sameBytes($0.collection, PostRecord.collectionName) }
    guard haveMoved else { return [] }
    let db = snapshot.db
    var sources: [ItemCount] = []
    var counts: [ItemCount] = []
    for board in boards.prefix(mostBoards) {
      let known = try db.first(ofBoard, [.text(board.id)]) { row in
        (unread: row.int(0), source: row.text(1), ofSource: row.int(2))
      }
      guard let known else { continue }
      counts.append(ItemCount(key(BoardRecord.collectionName, board.id), known.unread))
      let source = ItemCount(key(SourceRecord.collectionName, known.source), known.ofSource)
      if !sources.contains(source) { sources.append(source) }
    }
    let all = try PostTimeline(list: .unread, db: db).total()
    return [ItemCount(key(PostRecord.collectionName, nil), all)] + sources + counts
  }

  private static func key(_ collection: String, _ id: String?) -> ItemCount.Key {
    ItemCount.Key(collection: collection, id: id, field: field)
  }

  private static let ofBoard = """
    SELECT ifnull((SELECT unread FROM boardCount WHERE boardCount.board = board.id), 0), source,
      ifnull((SELECT unread FROM sourceCount WHERE sourceCount.source = board.source), 0)
    FROM board WHERE id = ?
    """
}
