import Contract
import Display
import Exchange
import Kit
import Wire

/// Tasks in Markdown lists. Other text stays where it is. Lines that are indented deeper than a task are its body;
/// deeper tasks are tasks of their own, and parts of it.
///
/// The order of the lines is the order of new cards. For existing cards it has no meaning: sorting a list anew moves no
/// card on the board, which has an order of its own.
enum MarkdownTaskFormat {
  static func read(_ bytes: [UInt8], zone: Zone, checkCancelled: () throws -> Void) throws -> TaskFile {
    var lines = try TextLine.lines(ofFile: bytes)
    var file = TaskFile()
    var between = ""
    var fence: Fence?
    var place = 0
    var nesting = MarkdownNesting<Int>()
    while place < lines.count {
      try checkCancelled()
      between += lines[place].takeByteOrderMark()
      let line = lines[place]
      fence = Self.fence(after: line.text, in: fence)
      guard fence == nil, let head = MarkdownTaskLine(line.text) else {
        nesting.pass(line.text)
        between += line.whole
        place += 1
        continue
      }
      let end = bodyEnd(of: head, in: lines, from: place + 1)
      let source = lines[place..<end].map(\.whole).joined()
      var task = Self.task(source, zone: zone)
      task.source = TaskSource(format: .markdown, text: source, before: between)
      task.enclosing = nesting.enter(head, as: file.nextNumber)
      file.add(task, line: place + 1)
      between = ""
      place = end
    }
    file.end(with: between)
    return file
  }

  /// A code block: the mark that began it, and its depth in block quotes.
  private struct Fence {
    var mark: Substring
    var quotes: Int
  }

  /// The open code block after a line.
  private static func fence(after line: String, in fence: Fence?) -> Fence? {
    var quotes = 0
    var text = line[...]
    while true {
      text = text.drop { $0 == " " || $0 == "\t" }
      guard text.first == ">", quotes < fence?.quotes ?? .max else { break }
      quotes += 1
      text = text.dropFirst()
    }
    // A code block ends with the block quote around it.
    let fence = fence.flatMap { quotes < $0.quotes ? nil : $0 }
    let mark = text.prefix { $0 == text.first }
    guard mark.count >= 3, mark.first == "`" || mark.first == "~" else { return fence }
    guard let fence else { return Fence(mark: mark, quotes: quotes) }
    return mark.hasPrefix(fence.mark) && mark.count == text.count ? nil : fence
  }

  /// The end of a task: a line that is not indented deeper, or a task of its own. Blank lines belong to the text after
  /// them.
  private static func bodyEnd(of head: MarkdownTaskLine, in lines: [TextLine], from start: Int) -> Int {
    var end = start
    var fence: Fence?
    for place in start..<lines.count {
      let line = lines[place].text
      if line.allSatisfy(\.isWhitespace) { continue }
      guard MarkdownTaskLine.indentation(of: line) >= head.indentation else { break }
      guard fence != nil || MarkdownTaskLine(line) == nil else { break }
      fence = Self.fence(after: line, in: fence)
      end = place + 1
    }
    return end
  }

  private static func task(_ source: String, zone: Zone) -> ExternalTask {
    let lines = TextLine.lines(of: source)
    guard let head = MarkdownTaskLine(lines.first?.text ?? "") else { return ExternalTask() }
    var task = Self.task(head, zone: zone)
    if lines.count > 1 {
      // Text that somebody added below a task whose body is in its line belongs to the body too.
      let note = task.body.isEmpty ? "" : task.body + "\n"
      let isEscaped = head.hasEscapedBody
      let body = lines.dropFirst().map { line in
        let text = unindented(line.text, by: head.indentation)
        return (isEscaped ? EscapedBody.unescaped(text) : text) + (line.end.isEmpty ? "" : "\n")
      }
      task.body = note + body.joined()
      // The last line end belongs to the line, not to the body.
      if task.body.utf8.last == 0x0A { task.body = String(Substring(task.body.utf8.dropLast())) }
    }
    return task
  }

  private static func unindented(_ line: String, by width: Int) -> String {
    var columns = 0
    var rest = line[...]
    while columns < width, let first = rest.first, first == " " || first == "\t" || first == ">" {
      columns += first == "\t" ? 4 - columns % 4 : 1
      rest = rest.dropFirst()
    }
    return String(rest)
  }

  /// How a tag is read after it was written as a word of a line; nil if it cannot be written so.
  private static func shownTag(_ tag: String) -> String? {
    let word = tag.replacing(" ", with: "_")
    return word.isEmpty || word.contains("#") ? nil : word
  }

  private static func task(_ line: MarkdownTaskLine, zone: Zone) -> ExternalTask {
    var task = ExternalTask()
    func start(of day: CalendarDay) -> Instant { LocalDateTime(day: day, minutes: 0, seconds: 0).instant(in: zone) }
    let (title, meanings) = line.tail
    task.state = line.state
    task.title = ProjectText.title(line.words[..<title].joined(separator: " "))
    var unread: [(field: String, value: String)] = []
    var repetition: (rule: String, isFromDue: Bool)?
    var (scheduled, starts): (CalendarDay?, CalendarDay?)
    for (_, meaning) in meanings {
      switch meaning {
      case .tag(let tag): task.card.tags.append(tag)
      case .due(let day): task.deadline = day
      case .created(let day):
        task.created = start(of: day)
        task.createdOn = day
      case .completed(let day): task.completedAt = start(of: day)
      // For a cancelled task; of any other task it has no meaning.
      case .cancelled(let day): if task.state == .done { task.completedAt = task.completedAt ?? start(of: day) }
      case .badDay(let day): unread.append(("deadline", day))
      case .ranked(let sign): task[.signs] = sign
      case .repeats(let rule, let isFromDue):
        task.recurrence = Recurrence(rule: rule)
        repetition = (rule, isFromDue)
      case .scheduled(let day): scheduled = day
      case .starts(let day): (starts, task.start) = (day, day)
      case .badRepetition(let text): unread.append(("recurrence", text))
      case .name(let name): task.nameInFile = name
      case .waits(let names, let more):
        task.card.blockedBy += names
        if more > 0 { task.problems.append(.tooManyBlockers(more)) }
      case .other, .block: break
      case .own(let words):
        for word in words.compactMap({ ExtensionProperties.parse($0) }) { ExtensionProperties.apply(word, to: &task) }
      }
    }
    let own = line.extensionProperties
    // Also if somebody has moved the rule after the comment.
    for word in own where word.key == "recurrence" { ExtensionProperties.apply(word, to: &task) }
    // Our extension properties say more about it.
    if let repetition, task.recurrence == Recurrence(rule: repetition.rule) {
      // The plug-in counts from the first of these days that is present.
      task.counts(from: repetition.isFromDue ? nil : .completion, start: scheduled ?? starts)
    }
    if let word = own.last(where: { $0.key == "tags" }), !own.contains(where: { $0.key == "title" }) {
      var parsed = ExternalTask()
      ExtensionProperties.apply(word, to: &parsed)
      let shown = meanings.compactMap { if case .tag(let tag) = $0.meaning { tag } else { nil } }
      task.tags = ExtensionProperties.tags(parsed.tags, shown: shown, word: shownTag)
    }
    // In an exported line it may be a word of the title.
    func isOfTitle(_ text: String) -> Bool { !own.isEmpty && task.title.contains(text) }
    if task.nameInFile.map(isOfTitle) == true { task.nameInFile = nil }
    if own.isEmpty, let day = TasksPlugin.unreadDay(in: task.title) { task.problems.append(.dayInTitle(day)) }
    task.cannotRead(unread.filter { !isOfTitle($0.value) } + line.unreadProperties)
    // The mark wins over all other states.
    task.state = line.state
    task.settle()
    return task
  }
}

extension MarkdownTaskFormat {
  static func write(_ tasks: [ExternalTask], boards: CardBoards = CardBoards(), zone: Zone) -> String {
    var writing = MarkdownWriting(tasks, boards: boards, zone: zone)
    return writing.text()
  }

  /// The text of a task that was imported from a list, without the text around it.
  ///
  /// - Parameter enclosing: the card of the task that it is nested in.
  fileprivate static func text(
    of task: ExternalTask, in source: TaskSource, _ head: MarkdownTaskLine, _ first: TextLine, enclosing: String?,
    boards: CardBoards, zone: Zone
  ) -> String {
    var old = Self.task(source.text, zone: zone)
    // A source of earlier versions does not say what it was nested in, which its card does not know either.
    let isNested = source.enclosing != nil || task.parent != nil
    if isNested, !old.statesParent { old.parent = enclosing }
    if task.isWritten(as: old) { return source.text }
    guard ProjectText.isSame(task.body, old.body) else {
      let end = first.end.isEmpty ? "\n" : first.end
      return text(
        of: task, over: head, end: end, enclosing: isNested ? enclosing : nil, boards: boards, zone: zone)
    }
    let note = Self.task(head, zone: zone).body
    let line = line(
      of: task, over: head, enclosing: isNested ? enclosing : nil, boards: boards, zone: zone,
      note: note.isEmpty ? nil : note, isEscaped: head.hasEscapedBody)
    return line.text + first.end + String(Substring(source.text.utf8.dropFirst(first.whole.utf8.count)))
  }

  /// The text of a task over a line that states less, or another task.
  static func text(
    of task: ExternalTask, over old: MarkdownTaskLine, end: String, enclosing: String?, boards: CardBoards, zone: Zone
  ) -> String {
    let blank = String(repeating: " ", count: old.indentation)
    for isEscaped in [false, true] {
      let body = TextLine.lines(of: task.body).map { line in
        let text = isEscaped ? EscapedBody.escaped(line.text) : line.text
        return (text.isEmpty ? "" : blank + text) + (line.end.isEmpty ? "" : end)
      }
      let head = line(
        of: task, over: old, enclosing: enclosing, boards: boards, zone: zone, isEscaped: isEscaped)
      let text = head.text + end + (task.body.isEmpty ? "" : body.joined() + end)
      if isWhole(text, body: task.body, zone: zone) { return text }
    }
    // If the body would be read as something else even so, such as one that ends in a blank line, it is put into the
    // line.
    return line(of: task, over: old, enclosing: enclosing, boards: boards, zone: zone, note: task.body).text + end
  }

  /// Whether a text, followed by another task, is read back as this one task with this body.
  private static func isWhole(_ text: String, body: String, zone: Zone) -> Bool {
    guard let file = try? read(Array("\(text)- [ ] x\n".utf8), zone: zone, checkCancelled: {}), file.tasks.count == 2,
      let task = file.tasks.first, let source = task.source
    else { return false }
    return source.before.isEmpty && sameBytes(source.text, text) && ProjectText.isSame(task.body, body)
  }

  private static func line(
    of task: ExternalTask, over old: MarkdownTaskLine, enclosing: String?, boards: CardBoards, zone: Zone,
    note: String? = nil, isEscaped: Bool = false
  ) -> MarkdownTaskLine {
    let before = Self.task(old, zone: zone)
    var line = old
    if task.state != old.state { line.mark = [.todo: " ", .doing: "/", .done: "x"][task.state] ?? " " }
    var (title, meanings) = old.tail
    var words = Array(old.words[..<title])
    if !ProjectText.isSame(task.title, before.title) { words = task.title.split(separator: " ").map(String.init) }
    title = words.count
    let sayable = Set(task.tags.compactMap(shownTag))
    var shown: Set<String> = []
    // Links find a block id only at the very end.
    var block: [String] = []
    for (places, meaning) in meanings {
      if meaning == .block {
        block = Array(old.words[places])
        continue
      }
      let isRetained =
        switch meaning {
        case .tag(let tag): sayable.contains(tag)
        case .due(let day): day == task.deadline
        case .completed, .cancelled: task.state == .done
        case .created, .name, .other, .scheduled, .block: true
        // A start that no card has, such as one after the deadline, stays until the card has another.
        case .starts(let day): day == task.start || task.start == nil && before.start == nil
        case .ranked(let sign): sign == task[.signs]
        // A finished card has passed its rule on to the next one.
        case .repeats:
          task.state == .done
            || task.card.recurs(as: before.card)
        case .waits(let names, _): names.allSatisfy(task.blockedBy.contains)
        // Until the card has another value.
        case .badDay: task.deadline == nil
        case .badRepetition: task.recurrence == nil
        case .own: false
        }
      if isRetained { words += old.words[places] }
      if case .tag(let tag) = meaning { shown.insert(tag) }
    }
    // A tag with a remaining word needs no other one; a tag that was read from no word is among the words of the title.
    for tag in task.tags where shownTag(tag).map({ shown.insert($0).inserted }) ?? !before.tags.contains(tag) {
      words.append("#" + tag.replacing(" ", with: "_"))
    }
    if let due = task.deadline, due != before.deadline { words += ["📅", due.description] }
    if let start = task.start, start != before.start { words += ["🛫", start.description] }
    if task.state == .done, before.state != .done, let completed = task.completedAt {
      words += ["✅", LocalDateTime(completed, in: task.zone(for: zone)).day.description]
    }
    words += waiting(of: task, in: meanings)
    line.words = words + block
    var read = Self.task(line, zone: zone)
    if !read.statesParent { read.parent = enclosing }
    var ours = ExtensionProperties(of: task, besides: read, note: note, boards: boards)
    if isEscaped { ours.add(EscapedBody.key, EscapedBody.value) }
    let own = ours.texts() + old.otherTokens
    if !own.isEmpty { line.words = words + ["<!--", MarkdownTaskLine.name] + own + ["-->"] + block }
    return line
  }

  /// The remaining blockers of a `⛔` field, if the card does not wait for all that the field names.
  private static func waiting(
    of task: ExternalTask, in meanings: [(places: Range<Int>, meaning: MarkdownTaskLine.Meaning)]
  ) -> [String] {
    meanings.flatMap { _, meaning -> [String] in
      guard case .waits(let names, _) = meaning, !names.allSatisfy(task.blockedBy.contains) else { return [] }
      let left = names.filter(task.blockedBy.contains)
      return left.isEmpty ? [] : ["⛔", left.joined(separator: ",")]
    }
  }
}

/// A list that is being written. Parts that no list had follow their card, nested in it.
private struct MarkdownWriting {
  private let tasks: [ExternalTask]
  private let boards: CardBoards
  private let zone: Zone
  /// The indices of the tasks to nest, by the ids of their parents.
  private var parts: [String: [Int]] = [:]
  private var isWritten: [Bool]
  private var nesting = MarkdownNesting<String>()
  private var written = ""

  /// Deeper parts state their parent in their line: each level widens all lines below it.
  private static let deepest = 16

  init(_ tasks: [ExternalTask], boards: CardBoards, zone: Zone) {
    (self.tasks, self.boards, self.zone) = (tasks, boards, zone)
    isWritten = tasks.map { _ in false }
    let ids = Set(tasks.map(\.card.id))
    for (index, task) in tasks.enumerated() where task.source?.format != .markdown {
      if let parent = task.parent, ids.contains(parent), !parent.isEmpty { parts[parent, default: []].append(index) }
    }
  }

  mutating func text() -> String {
    let nested = Set(parts.values.joined())
    for index in tasks.indices where !nested.contains(index) { write(index, in: nil) }
    // The parts of a cycle, and those that are too deep.
    for index in tasks.indices where !isWritten[index] { write(index, in: nil) }
    return written
  }

  private mutating func write(_ index: Int, in parent: MarkdownTaskLine?) {
    if isWritten[index] { return }
    isWritten[index] = true
    let task = tasks[index]
    if !written.isEmpty, written.utf8.last != 0x0A { written += "\n" }
    guard let source = task.source, source.format == .markdown,
      let first = TextLine.lines(of: source.text).first, let head = MarkdownTaskLine(first.text)
    else {
      let blank = String(repeating: " ", count: parent?.indentation ?? 0)
      let new = MarkdownTaskLine(front: blank + "- [", mark: " ", words: [])
      let enclosing = nesting.enter(new, as: task.card.id)
      written += MarkdownTaskFormat.text(
        of: task, over: new, end: "\n", enclosing: enclosing, boards: boards, zone: zone)
      return writeParts(of: task, below: new)
    }
    nesting.pass(source.before)
    written += source.before
    let enclosing = nesting.enter(head, as: task.card.id)
    written += MarkdownTaskFormat.text(
      of: task, in: source, head, first, enclosing: enclosing, boards: boards, zone: zone)
    writeParts(of: task, below: head)
    nesting.pass(source.after)
    written += source.after
  }

  private mutating func writeParts(of task: ExternalTask, below head: MarkdownTaskLine) {
    guard nesting.depth < Self.deepest else { return }
    for index in parts[task.card.id] ?? [] { write(index, in: head) }
  }
}
