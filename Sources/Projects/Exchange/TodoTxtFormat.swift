import Contract
import Display
import Exchange
import Kit

/// Tasks in todo.txt, one per line (https://github.com/todotxt/todo.txt).
///
/// A `+project` is the tag `+project`, a `@context` the tag `context`, anywhere in the line. Tags at its end are not
/// part of the title; tags among its words are, since the sentence needs them. The order of the lines is the order of
/// new cards, and has no meaning for existing ones.
enum TodoTxtFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> TaskFile {
    let lines = try TextLine.lines(ofFile: bytes)
    var file = TaskFile()
    if bytes.isEmptyArray { return file }
    var between = ""
    for (index, line) in lines.enumerated() {
      try checkCancelled()
      var line = line
      between += line.takeByteOrderMark()
      guard !ProjectText.trimmed(line.text).isEmpty else {
        between += line.whole
        continue
      }
      let words = TodoTxtLine(line.text)
      var (task, _) = Self.task(words, zone: zone)
      task.source = TaskSource(format: .todotxt, text: line.whole, before: between)
      between = ""
      file.add(task, line: index + 1)
    }
    file.end(with: between)
    return file
  }

  /// Whether a file has a typical name of todo.txt programs: `todo.txt`, `done.txt`, `work.todo.txt`.
  static func isIts(name path: String) -> Bool {
    let name = path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...].lowercased()
    return ["todo.txt", "done.txt"].contains { name == $0 || name.hasSuffix("." + $0) }
  }

  /// Whether at least half of the lines have todo.txt marks, and together more than another list would have by chance:
  /// a due day, or a letter or a day of completion besides a project or a context.
  static func isIts(_ bytes: [UInt8]) -> Bool {
    guard let text = String(validating: bytes.withoutByteOrderMark, as: UTF8.self) else { return false }
    var (lines, marked) = (0, 0)
    var (hasDue, hasHead, hasTag) = (false, false, false)
    for line in TextLine.lines(of: text).map(\.text) where !ProjectText.trimmed(line).isEmpty {
      let words = TodoTxtLine(line)
      let isHead = words.letter != nil || words.completion != nil
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

  /// `places` are the indices of the words of the title.
  private static func task(_ line: TodoTxtLine, zone: Zone) -> (task: ExternalTask, places: [Int]) {
    var task = ExternalTask()
    func start(of day: CalendarDay?) -> Instant? {
      day.map { LocalDateTime(day: $0, minutes: 0, seconds: 0).instant(in: zone) }
    }
    task.state = line.isDone ? .done : .todo
    task.created = start(of: line.creation)
    task.createdOn = line.creation
    task.completedAt = start(of: line.completion)
    var letter = line.letter
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
      case .start(let day): task.start = day
      case .badDue:
        // As for any word of another program.
        badDues.append(word)
        places.append(place)
        isOfText.append(false)
      case .letter(let word): letter = letter ?? word
      case .recurrence(let rule, let isFromDue):
        task.recurrence = Recurrence(rule: rule, from: isFromDue ? nil : .completion)
      case .other:
        if word.hasPrefix("rec:") { unread.append(("recurrence", String(word.dropFirst(4)))) }
        if let field = ExtensionProperties.unread(word, prefix: ExtensionProperties.prefix) { unread.append(field) }
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
    task.title = ProjectText.title(places.map { line.words[$0] }.joined(separator: " "))
    task[.letters] = letter
    let shown = task.tags
    for word in own { ExtensionProperties.apply(word, to: &task) }
    if own.contains(where: { $0.key == "tags" }), !own.contains(where: { $0.key == "title" }) {
      task.tags = ExtensionProperties.tags(task.tags, shown: shown) { tag in
        TodoTxtLine.meaning(of: word(of: tag)).flatMap(Self.tag)
      }
    }
    // In an exported line it may be a word of the title.
    let titleWords = Set(task.title.split(separator: " ").map(String.init))
    if let word = badDues.first(where: { own.isEmpty || !titleWords.contains($0) }) {
      task.cannotRead("deadline", String(word.dropFirst(4)), .badDate)
    } else if line.hasBadDate, own.isEmpty {
      let field = line.isDone && line.completion == nil ? "completedAt" : "writtenAt"
      task.problems.append(TaskProblem(reason: .badDate, field: field, value: line.words.first))
    }
    task.cannotRead(unread.filter { !titleWords.contains("rec:\($0.value)") })
    // The `x` decides whether it is done; and a time needs its day.
    if line.isDone { task.state = .done }
    task.settle()
    return (task, places)
  }

  static func write(_ tasks: [ExternalTask], boards: CardBoards = CardBoards(), zone: Zone, now: Instant) -> String {
    var text = ""
    for task in tasks {
      if !text.isEmpty, text.utf8.last != 0x0A { text += "\n" }
      guard let source = task.source, source.format == .todotxt, let old = TextLine.lines(of: source.text).first else {
        text += Self.line(of: task, over: TodoTxtLine(), boards: boards, zone: zone, now: now).text + "\n"
        continue
      }
      let line = TodoTxtLine(old.text)
      let read = Self.task(line, zone: zone).task
      let isSame = task.isWritten(as: read)
      let new = isSame ? line : Self.line(of: task, over: line, boards: boards, zone: zone, now: now)
      text += source.before + (isSame ? old.text : new.text) + old.end + source.after
    }
    return text
  }

  private static func line(
    of task: ExternalTask, over old: TodoTxtLine, boards: CardBoards, zone: Zone, now: Instant
  ) -> TodoTxtLine {
    let (before, places) = Self.task(old, zone: zone)
    var line = old
    let there = task.zone(for: zone)
    func day(of instant: Instant?) -> CalendarDay { LocalDateTime(instant ?? now, in: there).day }
    // The first date keeps a title that begins with an x or a date from being misread.
    if line.creation == nil { line.creation = day(of: task.created) }
    // The title replaces the old one in its place; spaces stay where a word is removed.
    if !ProjectText.isSame(task.title, before.title) || places.isEmpty {
      for place in places.reversed() { line.words.remove(at: place) }
      line.words.insert(contentsOf: task.title.split(separator: " ").map(String.init), at: places.first ?? 0)
    }
    let titleWords = Set(task.title.split(separator: " ").map(String.init))
    line.words.removeAll { word in
      switch TodoTxtLine.meaning(of: word) {
      case .project(let tag), .context(let tag): !task.tags.contains(tag)
      case .due(let day): day != task.deadline
      case .start(let day): day != task.start && (task.start != nil || before.start != nil)
      // Until the card has another value; among the words of a title it is one of them.
      case .badDue: task.deadline != nil && !titleWords.contains(word)
      case .letter, .own: true
      case .recurrence(let rule, _):
        rule != task.recurrence?.rule || !task.card.recurs(as: before.card)
      // In an exported line; in any other it is a word of its author.
      case .other: before.uid != nil && ExtensionProperties.unread(word, prefix: ExtensionProperties.prefix) != nil
      case nil: false
      }
    }
    let known = Set(line.words.compactMap { TodoTxtLine.meaning(of: $0).flatMap(Self.tag) })
    for tag in task.tags where !known.contains(tag) {
      line.words.append(word(of: tag))
    }
    if let due = task.deadline, !line.words.contains("due:\(due)") { line.words.append("due:\(due)") }
    if let start = task.start, !line.words.contains("t:\(start)") { line.words.append("t:\(start)") }
    line.isDone = task.state == .done
    line.completion = line.isDone ? (old.isDone ? old.completion : nil) ?? day(of: task.completedAt) : nil
    put(letterOf: task, was: before, old: old, in: &line)
    let own = ExtensionProperties(
      of: task, besides: Self.task(line, zone: zone).task, note: task.body.isEmpty ? nil : task.body, boards: boards)
    line.words += own.texts(prefix: ExtensionProperties.prefix)
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

  /// Writes the letter of a finished task as a word after it, as the format suggests. There are more letters than our
  /// nine numbers, so a letter with the same meaning stays.
  private static func put(
    letterOf task: ExternalTask, was before: ExternalTask, old: TodoTxtLine, in line: inout TodoTxtLine
  ) {
    var letter = old.letter
    for case .letter(let word)? in old.words.map(TodoTxtLine.meaning) where letter == nil { letter = word }
    if task[.letters] != before[.letters] { letter = task[.letters] }
    line.letter = line.isDone && !old.isDone ? nil : letter
    if line.isDone, let letter, line.letter == nil { line.words.append("pri:\(letter)") }
  }

}

/// A line of todo.txt, by its rules: `x (A) 2026-11-22 2026-11-21 text +project @context key:value`.
struct TodoTxtLine: Equatable {
  var isDone = false
  /// The letter in parentheses at the beginning, see `PriorityScale.letters`.
  var letter: String?
  var completion: CalendarDay?
  var creation: CalendarDay?
  /// The rest of the line, split at every space, so that no space is lost.
  var words: [String] = []
  /// Whether the text in place of a date looks like a date but is none.
  private(set) var hasBadDate = false

  init() {}

  init(_ text: String) {
    var words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)[...]
    // Rule 1 of completed tasks: a small x and a space, at the very start.
    if words.first == "x", words.count > 1 {
      isDone = true
      words.removeFirst()
    }
    if let first = words.first, words.count > 1, let letter = Self.letter(first) {
      self.letter = letter
      words.removeFirst()
    }
    if isDone { completion = Self.takeDay(&words) }
    if !isDone || completion != nil { creation = Self.takeDay(&words) }
    hasBadDate =
      creation == nil && words.count > 1
      && words.first.map { $0.wholeMatch(of: /[0-9]{4}-[0-9]{2}-[0-9]{2}/) != nil && CalendarDay($0) == nil } == true
    self.words = Array(words)
  }

  private static func letter(_ word: String) -> String? {
    let characters = Array(word)
    guard characters.count == 3, characters[0] == "(", characters[2] == ")", ("A"..."Z").contains(characters[1]) else {
      return nil
    }
    return String(characters[1])
  }

  private static func takeDay(_ words: inout ArraySlice<String>) -> CalendarDay? {
    guard words.count > 1, let first = words.first, let day = CalendarDay(first) else { return nil }
    words.removeFirst()
    return day
  }

  /// Whether it has a mark, a letter or a day before its text.
  var hasHead: Bool { isDone || letter != nil || completion != nil || creation != nil }

  var text: String {
    var front: [String] = []
    if isDone { front.append("x") }
    if let letter { front.append("(\(letter))") }
    if let completion { front.append(completion.description) }
    if let creation { front.append(creation.description) }
    return (front + words).joined(separator: " ")
  }

  /// The meanings of words; words without one are text.
  enum Meaning {
    case project(String)
    case context(String)
    case due(CalendarDay)
    /// `t:2026-11-30`, the threshold date of SimpleTask and others: hidden before it.
    case start(CalendarDay)
    /// A `due:` whose value is no day, in words or in digits; it stays as it is.
    case badDue
    /// `pri:A`, the letter of a finished line.
    case letter(String)
    /// `rec:1w` counts from completion, `rec:+1w` from the deadline.
    case recurrence(rule: String, isFromDue: Bool)
    case own(key: String, value: String)
    /// A word of another program.
    case other
  }

  static func meaning(of word: String) -> Meaning? {
    if word.utf8.count > 1, word.hasPrefix("+") { return .project(word) }
    if word.utf8.count > 1, word.hasPrefix("@") { return .context(String(word.dropFirst())) }
    if word.hasPrefix("due:"), let day = CalendarDay(String(word.dropFirst(4))) { return .due(day) }
    if word.hasPrefix("due:"), word.utf8.count > 4, !word.dropFirst(4).contains(":") { return .badDue }
    if word.hasPrefix("t:"), let day = CalendarDay(String(word.dropFirst(2))) { return .start(day) }
    if word.hasPrefix("pri:"), let letter = Self.letter("(\(word.dropFirst(4)))") { return .letter(letter) }
    if let (key, value) = ExtensionProperties.parse(word, prefix: ExtensionProperties.prefix) {
      return .own(key: key, value: value)
    }
    guard let match = word.wholeMatch(of: /([A-Za-z][\w\-]*):([^\s:]+)/), !match.output.2.hasPrefix("//") else {
      return nil
    }
    if match.output.1 == "rec", let rule = recurrence(match.output.2) { return rule }
    return .other
  }

  private static func recurrence(_ value: Substring) -> Meaning? {
    guard let match = value.wholeMatch(of: /(\+?)([1-9][0-9]{0,2})([dwmy])/) else { return nil }
    let frequency = ["d": "DAILY", "w": "WEEKLY", "m": "MONTHLY", "y": "YEARLY"][match.output.3] ?? ""
    let interval = match.output.2 == "1" ? "" : ";INTERVAL=\(match.output.2)"
    return .recurrence(rule: "FREQ=\(frequency)\(interval)", isFromDue: !match.output.1.isEmpty)
  }
}
