import Contract
import Exchange
import Wire

/// The content of a file of tasks.
struct TaskFile: Sendable {
  private(set) var tasks: [ExternalTask] = []
  private(set) var notes: [ImportNote] = []
  /// The boards that the file names, in its order; only our own files name any. Tasks without a board are on the one
  /// whose id is empty.
  private(set) var boards = [FileBoard()]
  /// For Taskwarrior: whether the file has any templates of recurring tasks.
  var hasTemplates = false
  private var count = 0

  /// The number of the task that is added next.
  var nextNumber: Int { count + 1 }

  /// Adds a task, and notes for its problems.
  mutating func add(_ task: ExternalTask, line: Int?) {
    count += 1
    var task = task
    task.place = ImportNote.Place(number: count, line: line)
    notes += task.problems.map { $0.note(at: task.place, title: task.title) }
    task.problems = []
    addColumns(of: task)
    tasks.append(task)
  }

  /// Adds the columns of the task's board, or the task's own column.
  private mutating func addColumns(of task: ExternalTask) {
    change(boardOf: task.board) { $0.add(task) }
  }

  /// Whether the file has neither boards nor columns.
  var namesNoBoard: Bool { boards.count == 1 && boards[0].columns.isEmpty }

  /// The most boards of a file. A library has fewer: tasks of other boards are put where those without a board are.
  private static let mostBoards = 2 * CardBoardRecord.most

  /// Changes a board of the file, which is added if it is new.
  mutating func change(boardOf id: String, _ body: (inout FileBoard) -> Void) {
    guard let place = boards.firstIndex(where: { sameBytes($0.id, id) }) else {
      guard boards.count < Self.mostBoards else { return }
      var board = FileBoard(id: id)
      body(&board)
      return boards.append(board)
    }
    body(&boards[place])
  }

  /// Skips a task, with a note.
  mutating func skip(_ reason: ImportNote.Reason, line: Int?, title: String = "", text: Text? = nil) {
    count += 1
    notes.append(ImportNote(reason, at: ImportNote.Place(number: count, line: line), title: title, text: text))
  }

  /// Notes a problem of the file before the task that is added next.
  mutating func note(_ reason: ImportNote.Reason, line: Int, text: Text) {
    notes.append(ImportNote(reason, at: ImportNote.Place(number: nextNumber, line: line), text: text))
  }

  /// Sets the lines of the tasks, and further problems of reading them, for a file that was read in another form.
  mutating func place(at lines: [Int], problems: [[TaskProblem]]) {
    for index in notes.indices where lines.indices.contains(notes[index].place.number - 1) {
      notes[index].place.line = lines[notes[index].place.number - 1]
    }
    for index in tasks.indices where lines.indices.contains(tasks[index].place.number - 1) {
      let number = tasks[index].place.number - 1
      tasks[index].place.line = lines[number]
      notes += problems[number].map { $0.note(at: tasks[index].place, title: tasks[index].title) }
    }
  }

  /// Sets the text after the last task.
  mutating func end(with text: String) {
    if let last = tasks.indices.last { tasks[last].source?.after = text }
  }
}
