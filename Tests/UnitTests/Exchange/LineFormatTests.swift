import Contract
import Display
import Testing

@testable import Exchange
@testable import Kit
@testable import Projects

@Suite("Exchange: todo.txt and Markdown") struct LineFormatTests {
  private let seoul = Zone("Asia/Seoul")!
  private let now = Instant("2026-11-21T03:04:05.000Z")!

  private func todo(_ text: String) throws -> [ExternalTask] {
    try TaskExchange.read(Array(text.utf8), as: .todotxt, zone: seoul).tasks
  }

  private func markdown(_ text: String) throws -> [ExternalTask] {
    try TaskExchange.read(Array(text.utf8), as: .markdown, zone: seoul).tasks
  }

  private func ours() -> ExternalTask {
    var task = ExternalTask()
    task.uid = "0192"
    task.revision = FileRevision(number: 42, epoch: "0192-6a00--7 x")
    task.title = "x (A) 2026-01-01 due:tomorrow it ends +so #too"
    task.body = "A body\n- [ ] with a task -->\n"
    task.state = .doing
    task.deadline = CalendarDay("2026-11-30")
    task.time = "09:30"
    task.tags = ["two words", "+P", "c"]
    task.priority = 2
    task.created = now
    task.recurrence = Recurrence(rule: "FREQ=WEEKLY;BYDAY=MO", missed: .pile)
    task.blockedBy = ["a", "b"]
    return task
  }

  @Test("a todo.txt file that is read and written is the same, byte for byte")
  func sameTodo() throws {
    #expect(TodoTxtFormat.write(try todo(TaskFixtures.todoTxt), zone: seoul, now: now) == TaskFixtures.todoTxt)
  }

  @Test("todo.txt's own examples mean what its rules say")
  func todoRules() throws {
    let tasks = try todo(TaskFixtures.todoTxt)
    #expect(tasks.count == 12)
    #expect(tasks[0].priority == 1 && tasks[0].title == "Thank Mom for the meatballs" && tasks[0].tags == ["phone"])
    #expect(tasks[1].tags == ["+GarageSale", "phone"] && tasks[1].title == "Schedule Goodwill pickup")
    // Among the words a context is part of what they say.
    #expect(tasks[3].title == "@GroceryStore Eskimo pies" && tasks[3].tags == ["GroceryStore"])
    #expect(
      tasks[4].created?.description == "2011-03-01T15:00:00.000Z" && tasks[4].deadline?.description == "2011-03-05")
    #expect(tasks[4].title == "Call Mom" && tasks[4].priority == 1 && tasks[4].tags.count == 4)
    #expect(tasks[5].priority == nil && tasks[6].priority == nil)
    #expect(tasks[7].state == .done && tasks[7].priority == 3 && tasks[7].title == "Review Tim's pull request")
    #expect(tasks[7].completedAt?.description == "2011-03-02T15:00:00.000Z")
    #expect(tasks[8].state == .todo && tasks[9].state == .todo && tasks[10].state == .done && tasks[10].priority == 1)
    #expect(tasks[11].title == "Two  blanks  stay https://example.org/a:b at 10:30")
    #expect(tasks[11].recurrence == Recurrence(rule: "FREQ=WEEKLY;INTERVAL=2"))
  }

  @Test("in todo.txt what changes is changed, and the words of other programs stay")
  func changedTodo() throws {
    func changed(_ line: String, _ change: (inout ExternalTask) -> Void) throws -> String {
      var tasks = try todo(line)
      change(&tasks[0])
      return TodoTxtFormat.write(tasks, zone: seoul, now: now)
    }
    let line = "(A) 2026-11-01 Call Mom t:2026-11-04 +Family @phone due:2026-11-05"
    let done = try changed(line) {
      $0.state = .done
      $0.completedAt = now
    }
    #expect(done == "x 2026-11-21 2026-11-01 Call Mom t:2026-11-04 +Family @phone due:2026-11-05 pri:A")
    #expect(try changed(done) { $0.state = .todo }.hasPrefix("(A) 2026-11-01 Call Mom t:2026-11-04 +Family"))
    #expect(
      try changed(line) { $0.title = "Call Dad" }
        == "(A) 2026-11-01 Call Dad t:2026-11-04 +Family @phone due:2026-11-05")
    let other = try changed(line) {
      $0.deadline = nil
      $0.tags = ["+Family", "email"]
      $0.priority = nil
    }
    #expect(other == "2026-11-01 Call Mom t:2026-11-04 +Family @email")
    // A letter beyond our nine is not flattened by another change.
    #expect(try changed("(Z) 2026-11-01 a") { $0.title = "b" } == "(Z) 2026-11-01 b")
  }

  @Test("a Markdown file that is read and written is the same, byte for byte")
  func sameMarkdown() throws {
    for text in [TaskFixtures.markdown, TaskFixtures.markdown.replacing("\n", with: "\r\n")] {
      #expect(MarkdownTaskFormat.write(try markdown(text), zone: seoul) == text)
    }
  }

  @Test("tasks in Markdown are told from what looks like them, with their marks, nesting and bodies")
  func markdownRules() throws {
    let tasks = try markdown(TaskFixtures.markdown)
    #expect(
      tasks.map(\.title) == [
        "Buy seeds", "Look up the price", "Ask a neighbour", "Given up", "Star", "First", "Forwarded", "",
        "quoted", "tab",
      ])
    #expect(tasks.map(\.state) == [.todo, .done, .doing, .done, .done, .todo, .todo, .todo, .todo, .todo])
    #expect(tasks[0].tags == ["garden", "spring"] && tasks[0].deadline?.description == "2026-11-30")
    #expect(tasks[0].body == "- the red ones\n\twith a tab\n\n  a paragraph of its own")
    #expect(tasks[1].completedAt?.description == "2026-11-19T15:00:00.000Z" && tasks[1].body.isEmpty)
    #expect(tasks[5].created?.description == "2026-10-31T15:00:00.000Z")
  }

  @Test("in Markdown what changes is changed in its line, in its place")
  func changedMarkdown() throws {
    var tasks = try markdown(TaskFixtures.markdown)
    tasks[0].state = .doing
    tasks[0].tags = ["spring", "new"]
    tasks[2].body = "He said\nyes"
    tasks[4].state = .todo
    let written = MarkdownTaskFormat.write(tasks, zone: seoul)
    #expect(written.contains("\n- [/] Buy seeds #spring 📅 2026-11-30 #new\n  - the red ones\n"))
    #expect(written.contains("\n  - [/] Ask a neighbour\n    He said\n    yes\n- [-] Given up\n* [ ] Star\n"))
    #expect(try markdown(written).map(\.title) == tasks.map(\.title))
    #expect(try markdown(written)[2].body == "He said\nyes")
  }

  @Test(
    "how often a task comes again is read as Obsidian's Tasks plug-in says it",
    arguments: [
      ("every week", "FREQ=WEEKLY", false), ("every 2 months", "FREQ=MONTHLY;INTERVAL=2", false),
      ("every month on the 15th", "FREQ=MONTHLY;BYMONTHDAY=15", false), ("every week when done", "FREQ=WEEKLY", true),
      ("every Monday", "FREQ=WEEKLY;BYDAY=MO", false), ("every weekday", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", false),
      ("every 2 weeks on Tuesday, Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,FR", false),
      ("every month on the last", "FREQ=MONTHLY;BYMONTHDAY=-1", false),
      ("every month on the 2nd last Friday", "FREQ=MONTHLY;BYDAY=-2FR", false),
      ("every month on the 1st and 3rd Monday", nil, false),
      ("every January on the 15th", "FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=15", false),
      ("every 10 days when done", "FREQ=DAILY;INTERVAL=10", true), ("every full moon", nil, false),
      ("every week on the 15th", nil, false), ("every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", false),
    ])
  func repetitions(words: String, rule: String?, isFromCompletion: Bool) throws {
    let line = "- [ ] Water 📅 2026-11-30 🔁 \(words) ⏫\n"
    let file = try TaskExchange.read(Array(line.utf8), as: .markdown, zone: seoul)
    let task = file.tasks[0]
    #expect(
      task.recurrence?.rule == rule && task.title == "Water" && task.deadline?.description == "2026-11-30", "\(words)")
    #expect((task.recurrence?.from == .completion) == isFromCompletion && task.priority == 3, "\(words)")
    #expect(file.notes.map(\.reason) == (rule == nil ? [.badRule] : []), "\(words)")
    #expect(MarkdownTaskFormat.write(file.tasks, zone: seoul) == line)
  }

  @Test(
    "what the Tasks plug-in says of a task is taken over, in its own form and in Dataview's, and is written as it was")
  func tasksPlugin() throws {
    let text = """
      - [ ] Sow 🆔 ab1 ➕ 2026-11-01 🛫 2026-11-20 ⏳ 2026-11-25 📅 2026-11-30 🔺 🏁 delete
      - [ ] Water #garden ⛔ ab1, x9 🔽
      - [-] Given up ❌ 2026-11-05
      - [ ] Dig [due:: 2026-12-01] [priority:: low] (repeat:: every week when done) [id:: d2] [dependsOn:: ab1]
      - [ ] Stays [colour:: red] [due:: soon]

      """
    var tasks = try markdown(text)
    #expect(tasks.map(\.title) == ["Sow", "Water", "Given up", "Dig", "Stays [colour:: red] [due:: soon]"])
    #expect(tasks.map(\.priority) == [1, 7, nil, 7, nil])
    #expect(tasks.map(\.nameInFile) == ["ab1", nil, nil, "d2", nil])
    #expect(tasks.map(\.blockedBy) == [[], ["ab1", "x9"], [], ["ab1"], []])
    #expect(tasks[0].deadline?.description == "2026-11-30" && tasks[0].createdOn?.description == "2026-11-01")
    #expect(tasks[2].state == .done && tasks[2].completedAt?.description == "2026-11-04T15:00:00.000Z")
    #expect(tasks[3].deadline?.description == "2026-12-01" && tasks[3].recurrence?.rule == "FREQ=WEEKLY")
    #expect(tasks[3].recurrence?.from == .completion)
    #expect(MarkdownTaskFormat.write(tasks, zone: seoul) == text)
    // What is changed is changed alone.
    tasks[0].priority = nil
    tasks[1].blockedBy = ["x9"]
    tasks[3].deadline = CalendarDay("2026-12-24")
    let lines = MarkdownTaskFormat.write(tasks, zone: seoul).split(separator: "\n").map(String.init)
    #expect(lines[0] == "- [ ] Sow 🆔 ab1 ➕ 2026-11-01 🛫 2026-11-20 ⏳ 2026-11-25 📅 2026-11-30 🏁 delete")
    #expect(lines[1] == "- [ ] Water #garden 🔽 ⛔ x9")
    #expect(
      lines[3]
        == "- [ ] Dig [priority:: low] (repeat:: every week when done) [id:: d2] [dependsOn:: ab1] 📅 2026-12-24")
    #expect(try markdown(lines.joined(separator: "\n")).map(\.blockedBy) == [[], ["x9"], [], ["ab1"], []])
  }

  @Test("a task of ours goes through todo.txt and Markdown with all that they have no words for")
  func oursBack() throws {
    let task = ours()
    let line = TodoTxtFormat.write([task], zone: seoul, now: now)
    #expect(line.utf8.count { $0 == 0x0A } == 1)
    let list = MarkdownTaskFormat.write([task], zone: seoul)
    for back in [try todo(line), try markdown(list)] {
      #expect(back.count == 1 && back[0].says(task), "\(back)")
      #expect(back[0].uid == "0192" && back[0].revision == task.revision)
    }
    var plain = ExternalTask()
    plain.title = "Plain"
    plain.body = "two\n\nparagraphs"
    plain.created = now
    #expect(MarkdownTaskFormat.write([plain], zone: seoul) == "- [ ] Plain\n  two\n\n  paragraphs\n")
    #expect(try markdown(MarkdownTaskFormat.write([plain], zone: seoul))[0].says(plain))
    plain.body = ""
    #expect(TodoTxtFormat.write([plain], zone: seoul, now: now) == "2026-11-21 Plain\n")
  }

  @Test(
    "a body with tasks in it stands below its task in Markdown, where anybody can read it, and comes back as it was")
  func escapedBodies() throws {
    var task = ExternalTask()
    task.title = "Shopping"
    task.uid = "0192"
    task.revision = FileRevision(number: 42, epoch: "0193")
    task.body = "- [ ] milk\n- \\[ ] a backslash of one's own\n1. [x] eggs\n\n[link](x)"
    let list = MarkdownTaskFormat.write([task], zone: seoul)
    #expect(
      list == """
        - [ ] Shopping <!-- commonplace id:0192 revision:42,0193 body:escaped -->
          - \\[ ] milk
          - \\\\[ ] a backslash of one's own
          1. \\[x] eggs

          [link](x)

        """)
    var back = try markdown(list)
    #expect(back.count == 1 && back[0].says(task) && MarkdownTaskFormat.write(back, zone: seoul) == list)
    back[0].state = .done
    let done = MarkdownTaskFormat.write(back, zone: seoul)
    #expect(try done.hasPrefix("- [x] Shopping <!--") && markdown(done)[0].says(back[0]), "\(done)")
    // Somebody's own list means what it says.
    #expect(try markdown("- [ ] a\n  - \\[ ] b\n")[0].body == "- \\[ ] b")
    // And what would be something else even so is in the line.
    task.body = "```\n- [ ] x\n"
    let code = MarkdownTaskFormat.write([task], zone: seoul)
    #expect(try code.contains(" note:") && !code.contains("body:escaped") && markdown(code)[0].says(task))
  }

  @Test("bytes that are no text are refused")
  func refused() {
    for bytes in [[0x61, 0xFF], [0x61, 0x00, 0x62]] as [[UInt8]] {
      #expect(throws: WrongFormat.self) { try TaskExchange.read(bytes, as: .todotxt, zone: seoul) }
      #expect(throws: WrongFormat.self) { try TaskExchange.read(bytes, as: .markdown, zone: seoul) }
    }
  }

  @Test("a format is told from what is in a file only where it is beyond doubt")
  func told() throws {
    func format(_ text: String) -> TaskFormat? { TaskExchange.format(of: Array(text.utf8)) }
    #expect(format(TaskFixtures.thunderbird) == .ics && format("\n begin:vcalendar") == .ics)
    #expect(format("BEGIN:VTODO\r\nSUMMARY:a\r\nEND:VTODO\r\n") == .ics && format("BEGIN:VCARD\r\n") == nil)
    #expect(format(TaskFixtures.taskwarrior) == .taskwarrior && format(TaskFixtures.oldTaskwarrior) == .taskwarrior)
    #expect(format(TaskFixtures.markdown) == .markdown && format(TaskFixtures.todoTxt) == nil)
    #expect(format(TaskLinesFormat.write([ours()], boards: CardBoards())) == .jsonl)
    // Lines of earlier versions do not begin with the columns.
    #expect(format(##"{"id": "a", "title": "b", "state": "todo"}"##) == .jsonl)
    for members in [#""title": "b", "state": "todo""#, #""id": "a", "state": "todo""#, #""id": "a", "title": "b""#] {
      #expect(format("{\(members)}") == nil, "\(members)")
    }
    // A note that begins with a link, or with what other programs put in its place, is no JSON for that.
    for head in ["[[Projects]]", "[toc]", "{{embed}}", "[1]", "{"] {
      #expect(format(head + "\n\n- [ ] a\n") == .markdown, "\(head)")
      #expect(format(head + "\n\na\n") == nil, "\(head)")
    }
    for text in ["", "[]", "{}", "[{\"title\": \"a\"}]", "PK\u{3}\u{4}", "hello"] {
      #expect(format(text) == nil, "\(text)")
    }
  }

  @Test("our own lines keep everything, also what came from elsewhere")
  func lines() throws {
    var task = try TaskExchange.read(Array(TaskFixtures.thunderbird.utf8), as: .ics, zone: seoul).tasks[0]
    task.revision = FileRevision(number: 7, epoch: "0193")
    let back = try TaskExchange.read(
      Array(TaskLinesFormat.write([task, ours()], boards: CardBoards()).utf8), as: .jsonl, zone: seoul
    ).tasks
    #expect(back[0].says(task) && back[0].source == task.source && back[0].uid == task.uid)
    #expect(back[0].revision == task.revision)
    #expect(back[1].says(ours()) && back[1].time == "09:30")
    #expect(throws: WrongFormat.self) { try TaskExchange.read(Array("nothing".utf8), as: .jsonl, zone: seoul) }
    let lines = "{\"title\":\"a\",\"deadline\":\"2026-02-30\"}\n7\n{\"ti\n"
    let odd = try TaskExchange.read(Array(lines.utf8), as: .jsonl, zone: seoul)
    #expect(odd.notes.map(\.reason) == [.badDate, .unreadable, .unreadable] && odd.tasks.count == 1)
    // A last line that is neither whole nor ended was cut off, and who knows what else.
    #expect(throws: WrongFormat(reason: "cutOff", line: 3)) {
      try TaskExchange.read(Array(lines.utf8.dropLast()), as: .jsonl, zone: seoul)
    }
  }
}
