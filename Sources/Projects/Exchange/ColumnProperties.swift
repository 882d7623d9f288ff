import Contract
import Wire

/// The column of a task in the formats of other programs, which distinguish only open, started and done tasks: its
/// name, and after a comma its title if it has one of its own. A task has the property only if its state mark means
/// another column.
///
///     cp-column:waiting,Waiting%20for%20others    X-COMMONPLACE-CLOSEDCOLUMN:archive\,Archive
enum ColumnProperty {
  static let openKey = "column"
  static let closedKey = "closedColumn"

  /// The column that a property names; nil if its value is invalid.
  static func column(_ property: (key: String, value: String)) -> StoredColumn? {
    guard [openKey, closedKey].contains(property.key) else { return nil }
    return StoredColumn(named: property.value, isOpen: property.key == openKey)
  }

  /// Reads these properties in formats that have a value for each.
  static func read(into task: inout ExternalTask, _ value: (String) -> String?) {
    for key in [CardBoardProperty.key, CardBoardProperty.archivedKey, openKey, closedKey, BoardProperty.key] {
      if let value = value(key) { ExtensionProperties.apply((key, value), to: &task) }
    }
  }

  /// The properties of a task, with nil for one that it does not need.
  static func values(of task: ExternalTask, among boards: CardBoards) -> [(key: String, value: String?)] {
    let (property, board) = (
      property(of: task, among: boards), CardBoardProperty.property(of: task, among: boards)
    )
    return [openKey, closedKey].map { ($0, property?.key == $0 ? property?.value : nil) }
      + [(BoardProperty.key, BoardProperty.value(of: task.allColumns))]
      + [CardBoardProperty.key, CardBoardProperty.archivedKey].map { ($0, board?.key == $0 ? board?.value : nil) }
  }

  /// The property for a task's column; nil if the task's mark means that column.
  static func property(of task: ExternalTask, among boards: CardBoards) -> (key: String, value: String)? {
    guard let name = task.unmarkedColumn else { return nil }
    let column = boards.columns(of: task.board)[name]
    return (task.state == .done ? closedKey : openKey, column?.named ?? name)
  }
}

extension ExternalTask {
  /// The name of its column, if that is not the usual one of its state; else nil.
  var unmarkedColumn: String? {
    let usual = [State.todo: "todo", .doing: "doing", .done: "done"][state]
    return column.flatMap { sameBytes($0, usual ?? "") ? nil : $0 }
  }

  /// Whether the text for `other` states the same column as this task.
  func hasColumn(of other: ExternalTask) -> Bool {
    guard let column = unmarkedColumn else { return other.column == nil }
    return other.column.map { sameBytes($0, column) } ?? false
  }
}

/// All columns of a board, from left to right, in a file that has no place for them but its tasks: the first exported
/// task of the board states them, unless they are the usual ones. A column is its name, and after a comma its title if
/// it has one of its own. Columns of finished cards have a sign before them, and the limit of a column is after its name.
///
///     cp-columns:inbox,Inbox%0Atodo%0Adoing:3%0A=done%0A=archive,Old%20ones
enum BoardProperty {
  static let key = "columns"
  private static let closed = "="

  /// The columns in a value, without invalid ones; empty if the rest is no valid board.
  static func columns(_ value: String) -> [StoredColumn] {
    var columns: [StoredColumn] = []
    for item in value.split(separator: "\n") {
      let isOpen = !item.utf8.starts(with: closed.utf8)
      let word = isOpen ? String(item) : String(Substring(item.utf8.dropFirst()))
      guard let column = StoredColumn(named: word, isOpen: isOpen),
        !columns.contains(where: { sameBytes($0.state, column.state) })
      else { continue }
      columns.append(column)
    }
    return columns.contains(where: \.isOpen) && columns.count <= StoredColumn.most ? columns : []
  }

  static func value(of columns: [StoredColumn]) -> String? {
    if columns.isEmpty { return nil }
    return columns.map { ($0.isOpen ? "" : closed) + $0.named }.joined(separator: "\n")
  }

  /// The tasks, with the columns of each board stated in its first task that has a revision.
  static func saying(_ boards: CardBoards, with tasks: [ExternalTask]) -> [ExternalTask] {
    var tasks = tasks
    var seen: Set<String> = []
    for (place, task) in tasks.enumerated() where task.revision != nil && seen.insert(task.board).inserted {
      let columns = boards.columns(of: task.board).all
      if columns != StoredColumn.usual { tasks[place].allColumns = columns }
    }
    return tasks
  }
}

extension StoredColumn {
  /// Parses a column from a token, `waiting,Waiting for others`, `doing:3`; nil if it is invalid.
  init?(named word: String, isOpen: Bool) {
    // By its bytes: a title may begin with a mark that joins the comma.
    let comma = word.utf8.firstIndex(of: UInt8(ascii: ",")) ?? word.endIndex
    let parts = word[..<comma].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let state = parts.first.flatMap({ ColumnID(validating: String($0)) }) else { return nil }
    let limit = parts.count == 2 ? Int(parts[1]).flatMap(Self.limit) : nil
    if parts.count == 2, limit == nil { return nil }
    let title = comma < word.endIndex ? String(word[word.utf8.index(after: comma)...]) : nil
    self.init(state: state.text, title: title, isOpen: isOpen, limit: limit)
    if title == nil, usualTitleKey == nil { self.title = state.text }
    guard isSound else { return nil }
  }

  /// The column as a token.
  var named: String { state + (limit.map { ":\($0)" } ?? "") + (title.map { "," + $0 } ?? "") }
}
