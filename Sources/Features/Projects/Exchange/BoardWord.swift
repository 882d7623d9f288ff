import Contract
import Wire

/// All columns of the board, from left to right, in a file that has no place for them but its tasks: the first of ours
/// says them, where they are not the usual ones. A column's name, and behind a comma the title where it has one of
/// its own; those of cards that are done have a sign before them.
///
///     cp-columns:inbox,Inbox%0Atodo%0Adoing%0A=done%0A=archive,Old%20ones
enum BoardWord {
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
