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
    let parts = word.value.split(separator: ",", maxSplits: 1).map(String.init)
    guard let state = parts.first.flatMap({ ColumnID(validating: $0) }) else { return nil }
    var column = KeptColumn(
      state: state.text, title: parts.count > 1 ? parts[1] : nil, isOpen: word.key == openKey)
    if column.title == nil, column.usualTitleKey == nil { column.title = state.text }
    return column.isSound ? column : nil
  }

  /// The word of a task's column; nil where the mark says it.
  static func word(of task: ForeignTask, among columns: [KeptColumn]) -> (key: String, value: String)? {
    guard let name = task.unmarkedColumn else { return nil }
    let title = columns.first { sameBytes($0.state, name) }?.title.map { "," + $0 } ?? ""
    return (task.state == .done ? closedKey : openKey, name + title)
  }

  /// The columns that words name and that are not among those yet: of two of one name the first.
  static func add(_ words: [(key: String, value: String)], to columns: inout [KeptColumn]) {
    for column in words.compactMap(column) where !columns.contains(where: { sameBytes($0.state, column.state) }) {
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

  /// Whether a line that says another task says its column too.
  func hasColumn(of other: ForeignTask) -> Bool {
    guard let column = unmarkedColumn else { return other.column == nil }
    return other.column.map { sameBytes($0, column) } ?? false
  }
}
