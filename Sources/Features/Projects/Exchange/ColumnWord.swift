import Contract
import Wire

/// The column of a task in the formats of others, which have a word only for what is open, begun and done: the name, and
/// behind a comma the title where it has one of its own. It is there only where the task's mark does not say it.
///
///     cp-column:waiting,Waiting%20for%20others    X-COMMONPLACE-CLOSEDCOLUMN:archive\,Archive
enum ColumnWord {
  static let openKey = "column"
  static let closedKey = "closedColumn"

  /// The column that a word names; nil where its value makes no sense.
  static func column(_ word: (key: String, value: String)) -> KeptColumn? {
    guard [openKey, closedKey].contains(word.key) else { return nil }
    return KeptColumn(named: word.value, isOpen: word.key == openKey)
  }

  /// Takes into a task what is said by these keys, of formats that have a value for each.
  static func take(into task: inout ForeignTask, _ value: (String) -> String?) {
    for key in [openKey, closedKey, BoardWord.key] {
      if let value = value(key) { OwnWords.take((key, value), into: &task) }
    }
  }

  /// What a task says by these keys; nil for a key that it does not need.
  static func values(of task: ForeignTask, among columns: [KeptColumn]) -> [(key: String, value: String?)] {
    let word = word(of: task, among: columns)
    return [openKey, closedKey].map { ($0, word?.key == $0 ? word?.value : nil) }
      + [(BoardWord.key, BoardWord.value(of: task.board))]
  }

  /// The word of a task's column; nil where the mark says it.
  static func word(of task: ForeignTask, among columns: [KeptColumn]) -> (key: String, value: String)? {
    guard let name = task.unmarkedColumn else { return nil }
    let column = columns.first { sameBytes($0.state, name) }
    return (task.state == .done ? closedKey : openKey, column?.named ?? name)
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
