import Contract
import Display

/// Tasks as todo.txt has them: a line each (https://github.com/todotxt/todo.txt).
///
/// A `+project` is the tag `+project`, a `@context` the tag `context`, wherever in the line they stand. Those at its end
/// are not part of the title; those among its words are, since the sentence needs them. The order of the lines is that of
/// the cards when they come, and says nothing of those that are there already.
enum TodoTxtFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> ForeignFile {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else {
      throw WrongFormat(reason: "notUTF8")
    }
    if text.utf8.contains(0) { throw WrongFormat(reason: "hasNUL") }
    var file = ForeignFile()
    if bytes.isEmptyArray { return file }
    var between = ""
    for (index, line) in TextLine.lines(of: text).enumerated() {
      try checkCancelled()
      var line = line
      between += line.takeByteOrderMark()
      guard !ForeignTask.trimmed(line.text).isEmpty else {
        between += line.whole
        continue
      }
      let words = TodoTxtLine(line.text)
      var (task, _) = Self.task(words, zone: zone)
      task.source = ForeignSource(format: .todotxt, text: line.whole, before: between)
      between = ""
      file.add(task, line: index + 1)
    }
    file.end(with: between)
    return file
  }

  /// Whether a file has a name that todo.txt programs give: `todo.txt`, `done.txt`, `work.todo.txt`.
  static func isIts(name path: String) -> Bool {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...].lowercased()
    return ["todo.txt", "done.txt"].contains { name == $0 || name.hasSuffix("." + $0) }
  }

  /// Whether half of the lines have marks of todo.txt, and together more than another list has by chance: a day that is due,
  /// or a priority or a day of completion besides a project or a context.
  static func isIts(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else { return false }
    var (lines, marked) = (0, 0)
    var (hasDue, hasHead, hasTag) = (false, false, false)
    for line in TextLine.lines(of: text).map(\.text) where !ForeignTask.trimmed(line).isEmpty {
      let words = TodoTxtLine(line)
      let isHead = words.priority != nil || words.completion != nil
      var (isDue, isTagged) = (false, false)
      for word in words.words {
        switch TodoTxtLine.meaning(of: word) {
        case .due: isDue = true
        case .project, .context: isTagged = true
        default: break
        }
      }
      lines += 1
      if isHead || isDue || isTagged { marked += 1 }
      (hasDue, hasHead, hasTag) = (hasDue || isDue, hasHead || isHead, hasTag || isTagged)
    }
    return marked * 2 >= lines && (hasDue || hasHead && hasTag)
  }

  /// `places` are the words that are the title.
  private static func task(_ line: TodoTxtLine, zone: Zone) -> (task: ForeignTask, places: [Int]) {
    var task = ForeignTask()
    func start(of day: CalendarDay?) -> Instant? {
      day.map { WallTime(day: $0, minutes: 0, seconds: 0).instant(in: zone) }
    }
    task.state = line.isDone ? .done : .todo
    task.created = start(of: line.creation)
    task.createdOn = line.creation
    task.completedAt = start(of: line.completion)
    var priority = line.priority
    var places: [Int] = []
    var isOfText: [Bool] = []
    var own: [(key: String, value: String)] = []
    var badDues: [String] = []
    var unread: [(field: String, value: String)] = []
    for (place, word) in line.words.enumerated() {
      switch TodoTxtLine.meaning(of: word) {
      case .project(let tag), .context(let tag):
        task.card.tags.append(tag)
        places.append(place)
        isOfText.append(false)
      case .due(let day): task.deadline = day
      case .badDue:
        // As any word of another program.
        badDues.append(word)
        places.append(place)
        isOfText.append(false)
      case .priority(let letter): priority = priority ?? letter
      case .recurrence(let rule, let isFromDue):
        task.recurrence = Recurrence(rule: rule, from: isFromDue ? nil : .completion)
      case .other:
        if word.hasPrefix("rec:") { unread.append(("recurrence", String(word.dropFirst(4)))) }
        if let field = OwnWords.unread(word, prefix: OwnWords.prefix) { unread.append(field) }
        places.append(place)
        isOfText.append(false)
      case .own(let key, let value): own.append((key, value))
      case nil:
        places.append(place)
        isOfText.append(!word.isEmpty)
      }
    }
    let end = isOfText.lastIndex(of: true).map { $0 + 1 } ?? 0
    // A line of nothing but tags is its own title.
    if end > 0 { places.removeLast(places.count - end) }
    task.title = ForeignTask.title(places.map { line.words[$0] }.joined(separator: " "))
    task.priority = priority.map { Int($0.asciiValue ?? 65) - 64 }.map { min($0, 9) }
    let shown = task.tags
    for word in own { OwnWords.take(word, into: &task) }
    if own.contains(where: { $0.key == "tags" }), !own.contains(where: { $0.key == "title" }) {
      task.tags = OwnWords.tags(task.tags, shown: shown) { TodoTxtLine.meaning(of: word(of: $0)).flatMap(tag) }
    }
    // In a line of ours it may be a word of the title.
    let titleWords = Set(task.title.split(separator: " ").map(String.init))
    if let word = badDues.first(where: { own.isEmpty || !titleWords.contains($0) }) {
      task.cannotRead("deadline", String(word.dropFirst(4)), .badDate)
    } else if line.hasBadDate, own.isEmpty {
      let field = line.isDone && line.completion == nil ? "completedAt" : "writtenAt"
      task.problems.append(TaskProblem(reason: .badDate, field: field, value: line.words.first))
    }
    task.cannotRead(unread.filter { !titleWords.contains("rec:\($0.value)") })
    // Done is what its x says; and a time needs its day.
    if line.isDone { task.state = .done }
    task.settle()
    return (task, places)
  }

  static func write(_ tasks: [ForeignTask], columns: [KeptColumn] = [], zone: Zone, now: Instant) -> String {
    var text = ""
    for task in tasks {
      if !text.isEmpty, text.utf8.last != 0x0A { text += "\n" }
      guard let source = task.source, source.format == .todotxt, let old = TextLine.lines(of: source.text).first else {
        text += Self.line(of: task, over: TodoTxtLine(), columns: columns, zone: zone, now: now).text + "\n"
        continue
      }
      let line = TodoTxtLine(old.text)
      let read = Self.task(line, zone: zone).task
      let isSame = task.isWritten(as: read)
      let new = isSame ? line : Self.line(of: task, over: line, columns: columns, zone: zone, now: now)
      text += source.before + (isSame ? old.text : new.text) + old.end + source.after
    }
    return text
  }

  private static func line(
    of task: ForeignTask, over old: TodoTxtLine, columns: [KeptColumn], zone: Zone, now: Instant
  ) -> TodoTxtLine {
    let (before, places) = Self.task(old, zone: zone)
    var line = old
    let there = task.zone(for: zone)
    func day(of instant: Instant?) -> CalendarDay { WallTime(instant ?? now, in: there).day }
    // The first date keeps a title that begins with an x or a date from being read as more than a title.
    if line.creation == nil { line.creation = day(of: task.created) }
    // The title in the place of the old one; blanks where a word goes.
    if !ForeignTask.sameText(task.title, before.title) || places.isEmpty {
      for place in places.reversed() { line.words.remove(at: place) }
      line.words.insert(contentsOf: task.title.split(separator: " ").map(String.init), at: places.first ?? 0)
    }
    let titleWords = Set(task.title.split(separator: " ").map(String.init))
    line.words.removeAll { word in
      switch TodoTxtLine.meaning(of: word) {
      case .project(let tag), .context(let tag): !task.tags.contains(tag)
      case .due(let day): day != task.deadline
      // Until it has another; among the words of a title it is one of them.
      case .badDue: task.deadline != nil && !titleWords.contains(word)
      case .priority, .own: true
      case .recurrence(let rule, _):
        rule != task.recurrence?.rule || !task.card.comesAgain(as: before.card)
      // Of a line of ours; in any other it is a word of whoever wrote it.
      case .other: before.uid != nil && OwnWords.unread(word, prefix: OwnWords.prefix) != nil
      case nil: false
      }
    }
    let known = Set(line.words.compactMap { TodoTxtLine.meaning(of: $0).flatMap(Self.tag) })
    for tag in task.tags where !known.contains(tag) {
      line.words.append(word(of: tag))
    }
    if let due = task.deadline, !line.words.contains("due:\(due)") { line.words.append("due:\(due)") }
    line.isDone = task.state == .done
    line.completion = line.isDone ? (old.isDone ? old.completion : nil) ?? day(of: task.completedAt) : nil
    put(priority: task.priority, was: before.priority, old: old, in: &line)
    let own = words(of: task, for: Self.task(line, zone: zone).task, columns: columns)
    line.words += own.texts(prefix: OwnWords.prefix)
    return line
  }

  private static func word(of tag: String) -> String {
    (tag.hasPrefix("+") ? "" : "@") + tag.replacing(" ", with: "_")
  }

  private static func tag(_ meaning: TodoTxtLine.Meaning) -> String? {
    switch meaning {
    case .project(let tag), .context(let tag): tag
    default: nil
    }
  }

  /// A task that is done has its priority as a word behind it, as the format suggests. The letters reach farther than
  /// our nine, so a letter that means the same stays.
  private static func put(priority: Int?, was before: Int?, old: TodoTxtLine, in line: inout TodoTxtLine) {
    var letter = old.priority
    for case .priority(let word)? in old.words.map(TodoTxtLine.meaning) where letter == nil { letter = word }
    if priority != before { letter = priority.flatMap { UnicodeScalar(UInt8(64 + $0)) }.map { Character($0) } }
    line.priority = line.isDone && !old.isDone ? nil : letter
    if line.isDone, let letter, line.priority == nil { line.words.append("pri:\(letter)") }
  }

  /// What the line does not say, or says in another way than it is.
  private static func words(of task: ForeignTask, for read: ForeignTask, columns: [KeptColumn]) -> OwnWords {
    var words = OwnWords()
    if task.state == .doing { words.add("state", "doing") }
    words.add(columnOf: task, among: columns)
    if !ForeignTask.sameText(task.title, read.title) { words.add("title", task.title) }
    if !task.body.isEmpty { words.add("note", task.body) }
    if !ForeignTask.sameList(task.tags, read.tags) { words.add(tags: task.tags) }
    words.add("time", task.time)
    if task.recurrence?.rule != read.recurrence?.rule { words.add("rrule", task.recurrence?.rule) }
    if task.recurrenceDetails != read.recurrenceDetails { words.add("recurrence", task.recurrenceDetails) }
    if !task.blockedBy.isEmpty { words.add("blockedBy", task.blockedBy.joined(separator: ",")) }
    words.add("id", task.uid)
    words.add(task.revision)
    words.add(BoardWord.key, BoardWord.value(of: task.board))
    return words
  }
}
