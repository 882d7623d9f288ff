import Contract
import Exchange
import Kit
import Wire

/// The board of a task in a file: its id, and after a comma its title. A task of the default board has none.
///
///     cp-board:0190f0c1-7b1e-7000-8000-000000000000,Garden    X-COMMONPLACE-BOARD:Garden
///
/// Somebody who writes it by hand writes only a title. An archived board has a property of its own name.
enum CardBoardProperty {
  static let key = "board"
  static let archivedKey = "archivedBoard"

  /// - Returns: false if the value is invalid.
  static func read(_ value: String, isArchived: Bool, into task: inout ExternalTask) -> Bool {
    task.isOnArchivedBoard = isArchived
    // By its bytes: a title may begin with a mark that joins the comma.
    let comma = value.utf8.firstIndex(of: UInt8(ascii: ","))
    if let comma, let id = CardBoardID(validating: String(value[..<comma])) {
      guard let title = title(String(value[value.utf8.index(after: comma)...])) else { return false }
      (task.board, task.boardTitle) = (id.text, title)
      return true
    }
    guard let title = title(value) else { return false }
    let id = CardBoardID(validating: value)?.text ?? DerivedID.text(of: "projects/board/" + title)
    (task.board, task.boardTitle) = (id, title)
    return true
  }

  /// The property of a task, which is nil on the default board.
  static func property(of task: ExternalTask, among boards: CardBoards) -> (key: String, value: String)? {
    if task.isOnDefaultBoard { return nil }
    let title = boards[task.board].flatMap { Self.title($0.title) } ?? task.board
    return (task.isOnArchivedBoard ? archivedKey : key, task.board + "," + title)
  }

  /// A title that `projects/addBoard` would accept; nil for any other text.
  static func title(_ text: String) -> String? {
    let title = ProjectText.title(text)
    return title.isEmpty || title.hasNUL || title.unicodeScalars.count > CardBoardRecord.longestTitle ? nil : title
  }
}

extension ExternalTask {
  /// Whether it is on the default board, or states no board.
  var isOnDefaultBoard: Bool { card.board.isEmpty || sameBytes(card.board, CardBoardRecord.defaultID) }

  /// Whether the text for `other` states the same board as this task.
  func hasBoard(of other: ExternalTask) -> Bool {
    if isOnDefaultBoard { return other.isOnDefaultBoard }
    return sameBytes(card.board, other.card.board) && isOnArchivedBoard == other.isOnArchivedBoard
  }
}

/// A board that a file names.
struct FileBoard: Sendable {
  /// Empty for the board of the tasks that name none.
  var id = ""
  var title: String?
  var isArchived = false
  var columns: [StoredColumn] = []
  /// Whether the file lists it apart from its tasks, so that it comes without cards too.
  var isListed = false
  /// Whether these are all columns of the board in their order, and not only the columns of some tasks.
  var hasAllColumns = false

  /// All its columns; nil if the file does not state them.
  var whole: BoardColumns? {
    hasAllColumns ? BoardColumns(columns.isEmpty ? StoredColumn.usual : columns) : nil
  }

  /// Adds what a task states of its board. Of two columns with one name the first counts, and so does the first list of
  /// all columns.
  mutating func add(_ task: ExternalTask) {
    title = title ?? task.boardTitle
    isArchived = isArchived || task.isOnArchivedBoard
    var named = task.named.map { [$0] } ?? []
    if !hasAllColumns, !task.allColumns.isEmpty {
      hasAllColumns = true
      named = columns + named
      columns = task.allColumns
    }
    for column in named where !columns.contains(where: { sameBytes($0.state, column.state) }) {
      if columns.count < StoredColumn.most { columns.append(column) }
    }
  }
}
