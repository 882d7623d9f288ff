import Contract
import Kit
import SQLite
import SearchEngine
import Store
import Wire

/// `projects/board.md`, the default board, `projects/board/0192.md`, another one, and `projects/column/todo.md`, one
/// column of the default board. A board shows open columns whole, and of closed ones the last cards.
///
///     ## DOING
///
///     - [ ] Return the book due:2026-11-24T17:30 !1 #errands after:^p9qx ^k3f2
///     - [ ] Call Ann about [[Dune]] start:2026-12-01 ^p9qx
///
///     ## DONE (20 of 312)
///
///     - [x] Water the plants ^7mzd
struct BoardForm: LibraryTextForm {
  let collections: Set = [
    ProjectRecord.collectionName, ColumnsRecord.collectionName, CardBoardRecord.collectionName,
  ]
  let grows = true
  var editing: (any TextEditing)? { BoardEditing() }

  func shows(_ path: TextPath) -> Bool { BoardPath(path) != nil }

  func render(_ path: TextPath, in snapshot: Snapshot) throws -> RenderedText? {
    guard let board = BoardPath(path) else { return nil }
    let boards = try CardBoards(in: snapshot)
    guard boards[board.id] != nil else { return nil }
    let columns = boards.columns(of: board.id)
    let shown = columns.all.filter { column in board.state.map { sameBytes($0, column.state) } ?? true }
    guard !shown.isEmpty else { return nil }
    var text = BoardText()
    for column in shown {
      let isCut = !column.isOpen && board.state == nil
      let cards = try Self.cards(of: column.state, on: board.id, last: isCut ? BoardText.mostClosed : nil, in: snapshot)
      let count = boards.counts.first { sameBytes($0.board, board.id) && sameBytes($0.state, column.state) }?.count ?? 0
      let title = BoardText.title(of: column, among: columns, in: snapshot)
      text.add(heading: title + (count > cards.count ? " (\(cards.count) of \(count))" : ""), title, column)
      for (card, anchor) in zip(cards, try Self.anchors(of: cards, in: snapshot)) {
        guard try text.add(card, anchor, in: column, snapshot) else {
          text.cut(snapshot.words(Text("text.cut")))
          return text.rendered
        }
      }
    }
    return text.rendered
  }

  private static func anchors(of cards: [ProjectRecord], in snapshot: Snapshot) throws -> [String] {
    try snapshot.services.anchors.anchors(of: cards.map(\.id), in: ProjectRecord.collectionName, for: snapshot)
  }

  private static func cards(
    of state: String, on board: String, last limit: Int?, in snapshot: Snapshot
  ) throws -> [ProjectRecord] {
    let values: [SQLValue] = [.text(board), .text(state)]
    guard let limit else {
      return try ProjectRecord.all(in: snapshot.db, "WHERE board = ? AND state = ? ORDER BY rank, id", values)
    }
    return try ProjectRecord.all(
      in: snapshot.db, "WHERE board = ? AND state = ? ORDER BY rank DESC, id DESC LIMIT ?", values + [.integer(limit)]
    ).reversed()
  }
}

/// The board or the column that a path names.
struct BoardPath {
  var id = CardBoardRecord.defaultID
  /// Nil for the whole board.
  var state: String?

  init?(_ path: TextPath) {
    let parts = path.segments
    guard parts[0] == "projects" else { return nil }
    switch (parts.dropFirst().first, parts.count) {
    case ("board", 2): break
    case ("board", 3): id = parts[2]
    case ("column", 3): state = parts[2]
    default: return nil
    }
  }
}

/// A board or a column that is being written.
struct BoardText {
  private(set) var rendered = RenderedText(text: "")
  private var line = 0

  /// The most cards of a closed column on a board.
  static let mostClosed = 20

  /// The title by which a heading names a column: its name, if another column has the same title.
  static func title(of column: StoredColumn, among columns: BoardColumns, in snapshot: Snapshot) -> String {
    func title(_ column: StoredColumn) -> String { column.title(for: snapshot.reader, services: snapshot.services) }
    let folded = foldedText(title(column))
    let isAlone = columns.all.allSatisfy { other in
      sameBytes(other.state, column.state)
        || !sameBytes(foldedText(title(other)), folded) && !sameBytes(other.state, title(column))
    }
    return isAlone ? title(column) : column.state
  }

  mutating func add(heading: String, _ title: String, _ column: StoredColumn) {
    // One blank line separates columns, also below a heading without cards.
    if let last = rendered.sections.last, last.lines.count > 2 { append("") }
    rendered.sections.append(TextSection(title: title, lines: line..<(line + 1), lane: column.state))
    append("## " + heading)
    append("")
  }

  /// Returns false if the text would be too long with it.
  mutating func add(_ card: ProjectRecord, _ anchor: String, in column: StoredColumn, _ snapshot: Snapshot) throws
    -> Bool
  {
    let content = try CardLine(card, isDone: !column.isOpen, in: snapshot).text
    guard rendered.text.utf8.count + content.utf8.count < RenderedText.mostBytes else { return false }
    rendered.items.append(
      TextItem(
        collection: ProjectRecord.collectionName, id: card.id, anchor: anchor, title: card.title,
        revision: card.revision, lines: line..<(line + 1), lane: column.state, content: content))
    append(content + " ^" + anchor)
    return true
  }

  /// Lines that are no cards, in the form that ``AgendaEditing`` skips. Nothing without any.
  ///
  /// - Parameter isLast: whether no cards follow.
  mutating func add(quoted lines: [String], isLast: Bool) {
    for line in lines { append("> " + line) }
    if !lines.isEmpty, !isLast { append("") }
  }

  mutating func cut(_ sentence: String) {
    append("")
    append(sentence)
    rendered.isReadOnly = true
  }

  private mutating func append(_ text: String) {
    rendered.text += text + "\n"
    line += 1
    guard let last = rendered.sections.indices.last else { return }
    rendered.sections[last].lines = rendered.sections[last].lines.lowerBound..<line
  }
}
