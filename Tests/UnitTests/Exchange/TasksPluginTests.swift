import Contract
import Display
import Glibc
import Testing

@testable import Projects
@testable import System

@Suite("Exchange: what Obsidian's Tasks plug-in says") struct TasksPluginTests {
  private let seoul = Zone("Asia/Seoul")!

  private func file(_ text: String) throws -> TaskFile {
    try TaskExchange.read(Array(text.utf8), as: .markdown, zone: seoul)
  }

  private func write(_ tasks: [ExternalTask]) -> String { MarkdownTaskFormat.write(tasks, zone: seoul) }

  @Test(
    "a link at the end, a sign without a blank and commas between fields keep nothing from being read",
    arguments: [
      "- [ ] Sow ⏫ 📅 2026-12-01 #t ^b-1", "- [ ] Sow ⏫ 📅2026-12-01 #t", "- [ ] Sow #t 📅  2026-12-01 ⏫",
      "- [ ] Sow #t [due:: 2026-12-01], [priority:: high]", "- [ ] Sow #t (priority:: high), (due:: 2026-12-01), ^b",
    ])
  func everyday(line: String) throws {
    let file = try file(line + "\n")
    let task = try #require(file.tasks.first)
    #expect(task.title == "Sow" && task.priority == 3 && task.tags == ["t"] && file.notes.isEmpty, "\(task)")
    #expect(task.deadline?.description == "2026-12-01" && write(file.tasks) == line + "\n")
  }

  @Test("a link at the end stays there, whatever else of its line is changed")
  func block() throws {
    var tasks = try file("- [ ] Sow ^b-1\n").tasks
    tasks[0].deadline = CalendarDay("2026-12-01")
    #expect(write(tasks) == "- [ ] Sow 📅 2026-12-01 ^b-1\n")
    tasks[0].priority = 2
    let line = write(tasks)
    #expect(line == "- [ ] Sow 📅 2026-12-01 <!-- commonplace priority:2 --> ^b-1\n")
    #expect(try file(line).tasks[0].says(tasks[0]))
    // A title of ours may end as such a link does.
    var own = ExternalTask()
    own.title = "x ^2"
    #expect(try file(write([own])).tasks[0].says(own))
  }

  @Test(
    "a day that stands amid a title is told",
    arguments: [
      ("Sow 📅 2026-12-01 then rest", "📅 2026-12-01"), ("Sow ⏳2026-12-01 (later)", "⏳ 2026-12-01"),
      ("Sow 🛫 2026-12-01, or so", "🛫 2026-12-01"), ("Sow 📅 soon", nil), ("Sow 2026-12-01 then rest", nil),
    ])
  func amid(title: String, told: String?) throws {
    let file = try file("- [ ] \(title)\n")
    #expect(file.tasks.map(\.title) == [title])
    #expect(file.notes.map { $0.text?.arguments["value"] } == (told.map { [$0] } ?? []))
    // Of a card of ours it is the title, and nothing to tell.
    var own = ExternalTask()
    (own.title, own.uid) = (title, "0192")
    let back = try self.file(write([own]))
    #expect(back.notes.isEmpty && back.tasks[0].says(own), "\(back.notes)")
  }

  @Test("a flag is the plug-in's only before what becomes of a task")
  func flag() throws {
    let tasks = try file("- [ ] Watch 🏁 Monaco\n- [ ] Watch 🏁 delete\n- [ ] Run 🔁\n").tasks
    #expect(tasks.map(\.title) == ["Watch 🏁 Monaco", "Watch", "Run 🔁"])
  }

  @Test("a line may name any number of tasks that it waits for; those beyond what a card can have are told")
  func manyNames() throws {
    let names = (1...100_000).map { "n\($0)" }.joined(separator: ",")
    let line = "- [ ] Wait ⛔ \(names)\n"
    let start = Self.processorSeconds
    let file = try file(line)
    #expect(Self.processorSeconds - start < 5)
    #expect(file.tasks[0].blockedBy.count == 100 && file.tasks[0].title == "Wait")
    #expect(file.notes.map { $0.text?.arguments["count"] } == ["99900"])
    #expect(write(file.tasks) == line)
  }

  /// What this thread alone has taken of the processor, whatever else the machine does.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
