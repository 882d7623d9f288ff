import Contract
import Wire

/// The column of a task in the line formats, which have a word only for what is open, begun and done: the name, and
/// behind a comma the title where it has one of its own. It is there only where the task's mark does not say it.
///
///     cp-column:waiting,Waiting%20for%20others    cp-closedColumn:archive,Archive
enum ColumnWord {
  static let openKey = "column"
  static let closedKey = "closedColumn"

  /// The column that a word names; nil where its value makes no sense.
  static func column(_ word: (key: String, value: String)) -> KeptColumn? {
    guard [openKey, closedKey].contains(word.key) else { return nil }
    return KeptColumn(named: word.value, isOpen: word.key == openKey)
  }

  /// The word of a task's column; nil where the mark says it.
  static func word(of task: ForeignTask, among columns: [KeptColumn]) -> (key: String, value: String)? {
    guard let name = task.unmarkedColumn else { return nil }
    let column = columns.first { sameBytes($0.state, name) }
    return (task.state == .done ? closedKey : openKey, column?.named ?? name)
  }

}

extension ForeignFile {
  /// Takes in the columns that the line of a task names: those of the board, or its own one. Of two of one name the first
  /// counts, and the first board.
  mutating func addColumns(of task: ForeignTask, by words: [(key: String, value: String)]) {
    if !hasAllColumns, !task.board.isEmpty {
      hasAllColumns = true
      let earlier = columns
      columns = task.board
      add(earlier)
    }
    if task.column != nil { add(words.compactMap(ColumnWord.column)) }
  }

  private mutating func add(_ named: [KeptColumn]) {
    for column in named where !columns.contains(where: { sameBytes($0.state, column.state) }) {
      if columns.count < KeptColumn.most { columns.append(column) }
    }
  }
}

extension ForeignTask {
  /// The column that its mark does not say: another than the usual one of its state.
  var unmarkedColumn: String? {
    let usual = [State.todo: "todo", .doing: "doing", .done: "done"][state]
    return column.flatMap { sameBytes($0, usual ?? "") ? nil : $0 }
  }

  /// Whether what is written of another task says all of this one.
  func isWritten(as other: ForeignTask) -> Bool {
    says(other) && hasColumn(of: other) && uid == other.uid && revision == other.revision && board == other.board
  }

  /// Whether a line that says another task says its column too.
  func hasColumn(of other: ForeignTask) -> Bool {
    guard let column = unmarkedColumn else { return other.column == nil }
    return other.column.map { sameBytes($0, column) } ?? false
  }
}
