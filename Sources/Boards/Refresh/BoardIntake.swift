import Contract
import Store

/// Stores the boards that a source lists. Boards that it lists no more stay, with their fetched posts.
struct BoardIntake {
  let source: SourceRecord
  let transaction: Transaction

  func take(_ boards: [FetchedBoard]) throws {
    let known = try BoardRecord.all(of: source.id, in: transaction.snapshot)
    var named: Set<String> = []
    for (position, fetched) in boards.enumerated() where named.insert(fetched.id).inserted {
      let name = FetchedPost.fitted(fetched.displayName) ?? ""
      if let board = known.first(where: { $0.remoteID.utf8.elementsEqual(fetched.id.utf8) }) {
        try transaction.change(board) {
          // A feed's board has the title that its pages state.
          if !name.isEmpty { $0.displayName = name }
          $0.position = position
          $0.isGone = false
        }
      } else {
        try add(fetched, name: name, position: position)
      }
    }
    for board in known where !named.contains(board.remoteID) { try transaction.change(board) { $0.isGone = true } }
  }

  private func add(_ fetched: FetchedBoard, name: String, position: Int) throws {
    var board = BoardRecord()
    board.id = BoardRecord.id(fetched.id, at: source.home)
    // A board of another source that was at this address before.
    if try transaction.snapshot.find(BoardRecord.self, id: board.id) != nil { board.id = transaction.services.newID() }
    board.source = source.id
    board.remoteID = fetched.id
    board.displayName = name
    board.position = position
    board.remoteTotal = fetched.total
    try transaction.insert(board)
  }
}
