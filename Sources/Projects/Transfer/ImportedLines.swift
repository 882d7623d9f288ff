import Contract
import Store
import Wire

/// A card that was imported from a line of a list, which has no id: only its text identifies it.
struct ImportedLine: Sendable {
  var id: String
  var title: String
  /// The text of the line at the import.
  var text: String
  var format: TaskFormat
  /// The path of its file; nil for an import of bytes.
  var file: String?
  var isOpen: Bool

  /// The cards of all lists, in the order of their import.
  static func all(in snapshot: Snapshot) throws -> [ImportedLine] {
    let boards = try CardBoards(in: snapshot)
    var lines: [ImportedLine] = []
    try snapshot.db.each(
      """
      SELECT id, title, state, json_extract("foreign", '$.source.text'), json_extract("foreign", '$.source.format'),
        json_extract("foreign", '$.file'), board
      FROM project WHERE json_extract("foreign", '$.source.format') IN ('todotxt', 'markdown') ORDER BY createdAt, id
      """
    ) { row in
      guard let format = TaskFormat(rawValue: row.text(4)) else { return }
      lines.append(
        ImportedLine(
          id: row.text(0), title: row.text(1), text: ProjectText.trimmed(row.text(3)), format: format,
          file: row.isNull(5) ? nil : row.text(5), isOpen: boards.columns(of: row.text(6)).isOpen(row.text(2))))
    }
    return lines
  }
}

/// The tasks of a list whose lines were edited since the import, and those that only share the title of an open card.
struct EditedLines: Sendable {
  /// The card of an edited or copied line, by the index of its task.
  private(set) var cards: [Int: String] = [:]
  /// The indices of new tasks with the title of an open card, when the file does not say which line is that card.
  private(set) var namesakes: Set<Int> = []

  init() {}

  /// `ids` are the ids that each task may have by its text.
  init(of tasks: [ExternalTask], ids: [[String]], in origin: TaskOrigin, known lines: [ImportedLine]) {
    let all = Set(lines.map(\.id))
    let claimed = Set(ids.joined())
    let files = origin.files(of: tasks, claimed: claimed, among: lines)
    func isHere(_ line: ImportedLine) -> Bool { line.file.map(files.contains) ?? false }
    var free = lines.filter { !claimed.contains($0.id) }
    let new = tasks.indices.filter { tasks[$0].uid == nil && !ids[$0].contains(where: all.contains) }
    // By their bytes, so that a very long list is not searched for each line; the first match wins.
    var byText: [[UInt8]: [Int]] = [:]
    for (place, line) in free.enumerated().reversed() where origin.mayHold(line) {
      byText[Array(line.text.utf8), default: []].append(place)
    }
    var taken: Set<Int> = []
    var left: [Int] = []
    for place in new {
      let text = ProjectText.trimmed(tasks[place].source?.text ?? "")
      guard let match = byText[Array(text.utf8)]?.popLast() else {
        left.append(place)
        continue
      }
      cards[place] = free[match].id
      taken.insert(match)
    }
    free = free.indices.filter { !taken.contains($0) }.map { free[$0] }
    // A new line replaces a missing open line of the same title, if it is the only one.
    let open = Dictionary(grouping: free.filter(\.isOpen), by: \.title)
    for (title, places) in Dictionary(grouping: left, by: { tasks[$0].title }) {
      let here = (open[title] ?? []).filter(isHere)
      if here.count == 1, places.count == 1 {
        cards[places[0]] = here[0].id
      } else if open[title] != nil {
        namesakes.formUnion(places)
      }
    }
  }
}

extension TaskOrigin {
  /// Whether a line with the same text may be one of this list: it was imported from this file, or from one that is
  /// gone.
  fileprivate func mayHold(_ line: ImportedLine) -> Bool {
    guard let path, let file = line.file else { return false }
    return sameBytes(file, path) || gone.contains(file)
  }

  /// The files whose lines may be in this file: the file itself, and a file from which it was moved. The latter is a
  /// file that is gone and whose lines are mostly here unchanged: two lists may share a line.
  fileprivate func files(of tasks: [ExternalTask], claimed: Set<String>, among lines: [ImportedLine]) -> Set<String> {
    guard let path else { return [] }
    let texts = Set(tasks.map { Array(ProjectText.trimmed($0.source?.text ?? "").utf8) })
    let old = Dictionary(grouping: lines.filter { $0.file.map(gone.contains) ?? false }, by: { $0.file ?? "" })
    let moved = old.filter { _, lines in
      let here = lines.filter { claimed.contains($0.id) || texts.contains(Array($0.text.utf8)) }
      return 2 * here.count > lines.count
    }
    return Set(moved.keys).union([path])
  }
}
