import Contract
import Wire

/// The column of a task in the formats of other programs, which distinguish only open, started and done tasks: its name,
/// and after a comma its title if it has one of its own. A task has the property only if its mark means another column.
///
///     cp-column:waiting,Waiting%20for%20others    X-COMMONPLACE-CLOSEDCOLUMN:archive\,Archive
enum ColumnProperty {
  static let openKey = "column"
  static let closedKey = "closedColumn"

  /// The column that a property names; nil if its value is invalid.
  static func column(_ property: (key: String, value: String)) -> KeptColumn? {
    guard [openKey, closedKey].contains(property.key) else { return nil }
    return KeptColumn(named: property.value, isOpen: property.key == openKey)
  }

  /// Reads these properties in formats that have a value for each.
  static func read(into task: inout ForeignTask, _ value: (String) -> String?) {
    for key in [openKey, closedKey, BoardProperty.key] {
      if let value = value(key) { ExtensionProperties.apply((key, value), to: &task) }
    }
  }

  /// The properties of a task, with nil for one that it does not need.
  static func values(of task: ForeignTask, among columns: [KeptColumn]) -> [(key: String, value: String?)] {
    let property = property(of: task, among: columns)
    return [openKey, closedKey].map { ($0, property?.key == $0 ? property?.value : nil) }
      + [(BoardProperty.key, BoardProperty.value(of: task.board))]
  }

  /// The property for a task's column; nil if the task's mark means that column.
  static func property(of task: ForeignTask, among columns: [KeptColumn]) -> (key: String, value: String)? {
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

/// All columns of the board, from left to right, in a file that has no place for them but its tasks: the first of ours
/// says them, where they are not the usual ones. A column's name, and behind a comma the title where it has one of
/// its own; those of cards that are done have a sign before them.
///
///     cp-columns:inbox,Inbox%0Atodo%0Adoing%0A=done%0A=archive,Old%20ones
enum BoardProperty {
  static let key = "columns"
  private static let closed = "="

  /// The columns that a value names, without those that make no sense; none where that leaves no board.
  static func columns(_ value: String) -> [KeptColumn] {
    var columns: [KeptColumn] = []
    for item in value.split(separator: "\n") {
      let isOpen = !item.utf8.starts(with: closed.utf8)
      let word = isOpen ? String(item) : String(Substring(item.utf8.dropFirst()))
      guard let column = KeptColumn(named: word, isOpen: isOpen),
        !columns.contains(where: { sameBytes($0.state, column.state) })
      else { continue }
      columns.append(column)
    }
    return columns.contains(where: \.isOpen) && columns.count <= KeptColumn.most ? columns : []
  }

  static func value(of columns: [KeptColumn]) -> String? {
    if columns.isEmpty { return nil }
    return columns.map { ($0.isOpen ? "" : closed) + $0.named }.joined(separator: "\n")
  }

  /// The tasks, the first of ours with the columns to say.
  static func saying(_ columns: [KeptColumn], with tasks: [ForeignTask]) -> [ForeignTask] {
    guard !columns.isEmpty, columns != KeptColumn.usual,
      let first = tasks.firstIndex(where: { $0.revision != nil })
    else { return tasks }
    var tasks = tasks
    tasks[first].board = columns
    return tasks
  }
}

extension KeptColumn {
  /// The column that a word names, `waiting,Waiting for others`; nil where it makes no sense.
  init?(named word: String, isOpen: Bool) {
    // By its bytes: a title may begin with a mark that joins the comma.
    let comma = word.utf8.firstIndex(of: UInt8(ascii: ",")) ?? word.endIndex
    guard let state = ColumnID(validating: String(word[..<comma])) else { return nil }
    let title = comma < word.endIndex ? String(word[word.utf8.index(after: comma)...]) : nil
    self.init(state: state.text, title: title, isOpen: isOpen)
    if title == nil, usualTitleKey == nil { self.title = state.text }
    guard isSound else { return nil }
  }

  /// What names it in a word.
  var named: String { state + (title.map { "," + $0 } ?? "") }
}
