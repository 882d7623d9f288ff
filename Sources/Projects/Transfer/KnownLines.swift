import Contract
import Store
import Wire

/// A card that came from a line of a list, which only what it says tells from others.
struct KnownLine: Sendable {
  var id: String
  var title: String
  /// The line as it was when it came.
  var text: String
  var format: TaskFormat
  /// The path of its file; nil where it came as bytes.
  var file: String?
  var isOpen: Bool

  /// Those of all lists, in the order in which they came.
  static func all(in snapshot: Snapshot) throws -> [KnownLine] {
    let columns = try BoardColumns(in: snapshot)
    var lines: [KnownLine] = []
    try snapshot.db.each(
      """
      SELECT id, title, state, json_extract("foreign", '$.source.text'), json_extract("foreign", '$.source.format'),
        json_extract("foreign", '$.file')
      FROM project WHERE json_extract("foreign", '$.source.format') IN ('todotxt', 'markdown') ORDER BY createdAt, id
      """
    ) { row in
      guard let format = TaskFormat(rawValue: row.text(4)) else { return }
      lines.append(
        KnownLine(
          id: row.text(0), title: row.text(1), text: ForeignTask.trimmed(row.text(3)), format: format,
          file: row.isNull(5) ? nil : row.text(5), isOpen: columns.isOpen(row.text(2))))
    }
    return lines
  }
}

/// Which tasks of a list are lines that were edited since they came, and which only have the title of an open card.
struct EditedLines: Sendable {
  /// The card of a line that says something else by now, or that came as a copy, by the place of its task.
  private(set) var cards: [Int: String] = [:]
  /// The places of tasks that come beside an open card of the same title, of which nothing else is in the file.
  private(set) var namesakes: Set<Int> = []

  init() {}

  /// `ids` are those that each task may have by what it says.
  init(of tasks: [ForeignTask], ids: [[String]], in origin: TaskOrigin, known lines: [KnownLine]) {
    let all = Set(lines.map(\.id))
    let claimed = Set(ids.joined())
    let files = origin.files(of: tasks, claimed: claimed, among: lines)
    func isHere(_ line: KnownLine) -> Bool { line.file.map(files.contains) ?? false }
    var free = lines.filter { !claimed.contains($0.id) }
    let new = tasks.indices.filter { tasks[$0].uid == nil && !ids[$0].contains(where: all.contains) }
    // By their bytes, so that a list of very many lines is not gone through for each of them; the first comes first.
    var byText: [[UInt8]: [Int]] = [:]
    for (place, line) in free.enumerated().reversed() where origin.mayHold(line) {
      byText[Array(line.text.utf8), default: []].append(place)
    }
    var taken: Set<Int> = []
    var left: [Int] = []
    for place in new {
      let text = ForeignTask.trimmed(tasks[place].source?.text ?? "")
      guard let match = byText[Array(text.utf8)]?.popLast() else {
        left.append(place)
        continue
      }
      cards[place] = free[match].id
      taken.insert(match)
    }
    free = free.indices.filter { !taken.contains($0) }.map { free[$0] }
    // Of an open line that is gone the one new line of the same title is what became of it.
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
  /// Whether a line that says the same may be one that came from a list: from this one, or from one that is gone.
  fileprivate func mayHold(_ line: KnownLine) -> Bool {
    guard let path, let file = line.file else { return false }
    return sameBytes(file, path) || gone.contains(file)
  }

  /// Where the lines of a file were when they came: in its place, and where it lay before it was moved. That is a file
  /// which is gone, and of whose lines most are here as they were: two lists may have one line in common.
  fileprivate func files(of tasks: [ForeignTask], claimed: Set<String>, among lines: [KnownLine]) -> Set<String> {
    guard let path else { return [] }
    let texts = Set(tasks.map { Array(ForeignTask.trimmed($0.source?.text ?? "").utf8) })
    let old = Dictionary(grouping: lines.filter { $0.file.map(gone.contains) ?? false }, by: { $0.file ?? "" })
    let moved = old.filter { _, lines in
      let here = lines.filter { claimed.contains($0.id) || texts.contains(Array($0.text.utf8)) }
      return 2 * here.count > lines.count
    }
    return Set(moved.keys).union([path])
  }
}
