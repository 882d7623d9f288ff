import Contract
import Display
import Testing
import Wire

@testable import Exchange
@testable import Kit
@testable import Projects

@Suite("Exchange: Taskwarrior") struct TaskwarriorFormatTests {
  private let seoul = Zone("Asia/Seoul")!
  private let now = Instant("2026-11-21T03:04:05.000Z")!

  private func read(_ text: String) throws -> TaskFile {
    try TaskExchange.read(Array(text.utf8), as: .taskwarrior, zone: seoul)
  }

  @Test("what Taskwarrior exported is understood; deleted tasks are named, a template is with its last task")
  func understood() throws {
    let file = try read(TaskFixtures.taskwarrior)
    #expect(file.tasks.map(\.title) == ["Buy seeds, \"red\" 제목", "Second", "Started", "Water", "Finished"])
    #expect(file.notes.map(\.reason) == [.deleted] && file.notes.map(\.place.line) == [7])
    #expect(file.notes.map(\.title) == ["Gone"] && file.notes.map(\.place.number) == [5])
    #expect(file.tasks.map(\.recurrence?.rule) == [nil, nil, nil, "FREQ=WEEKLY", nil])
    let template = try #require(file.tasks[3].source?.template)
    #expect(template.contains("recurring") && file.tasks[2].source?.before == template)
    let task = file.tasks[0]
    #expect(task.deadline?.description == "2026-11-30" && task.time == nil && task.priority == 1)
    #expect(task.tags == ["garden", "spring", "+Home.Garden"] && task.state == .todo)
    #expect(task.body == "first note https://example.org/a_b\nsecond")
    #expect(file.tasks[1].blockedBy == [task.uid] && file.tasks[2].state == .doing && file.tasks[4].state == .done)
    let old = try read(TaskFixtures.oldTaskwarrior)
    #expect(old.tasks[1].blockedBy.count == 2 && old.tasks[0].state == .todo)
    #expect(old.tasks[1].deadline?.description == "2020-01-02" && old.tasks[1].time == "19:30")
    // Their lines are those of the file, from 1, empty ones too.
    let lines = #"{"description":"One","status":"pending"}"# + "\n\n"
    let deleted = try read(lines + #"{"description":"Gone","status":"deleted"}"# + "\n")
    #expect(deleted.notes.map(\.title) == ["Gone"] && deleted.notes.map(\.place.line) == [3])
    #expect(throws: WrongFormat(reason: "notJSON", line: 3)) { try read(lines + "Gone\n") }
  }

  @Test(
    "a deadline's words say where its clock stands, as long as they are those of its moment",
    arguments: [
      ("20261209T150000Z", "2026-12-10 Asia/Seoul", "2026-12-10", nil, "Asia/Seoul"),
      ("20261210T093000Z", "2026-12-10 18:30 Asia/Seoul", "2026-12-10", "18:30", "Asia/Seoul"),
      ("20261210T173000Z", "2026-12-10 18:30", "2026-12-10", "18:30", "Europe/Berlin"),
      // The moment was moved: it alone counts, on the reader's clock.
      ("20261210T103000Z", "2026-12-10 18:30 Asia/Seoul", "2026-12-10", "11:30", nil),
      ("20261209T230000Z", nil, "2026-12-10", nil, nil),
    ] as [(String, String?, String, String?, String?)])
  func deadlineWords(due: String, words: String?, day: String, time: String?, zone: String?) throws {
    var object: JSONObject = ["due": .string(due)]
    object["commonplacetime"] = words.map { .string($0) }
    let reader = try #require(Zone("Europe/Berlin"))
    let deadline = try #require(TaskwarriorDeadline(object, reader: reader))
    #expect(deadline.day.description == day && deadline.time == time && deadline.zone == zone)
  }

  @Test(
    "what is read and written says the same, with all that we know nothing of",
    arguments: [TaskFixtures.taskwarrior, TaskFixtures.oldTaskwarrior])
  func same(text: String) throws {
    let tasks = try read(text).tasks
    let written = try TaskwarriorFormat.write(tasks, zone: seoul, now: now)
    let all = try JSONElements(Array(written.utf8)).elements
    #expect(all.allSatisfy { text.contains(String(decoding: $0.bytes, as: UTF8.self)) })
    let elements = all.filter { $0.value?["status"] != "recurring" }
    for (task, element) in zip(tasks, elements) {
      #expect(task.source?.text == String(decoding: element.bytes, as: UTF8.self))
    }
    #expect(elements.count == tasks.count && text.contains(tasks[0].source!.text))
  }

  @Test("what changes is changed, and UDAs, annotations and the like stay")
  func changed() throws {
    var task = try read(TaskFixtures.taskwarrior).tasks[0]
    task.deadline = CalendarDay("2026-12-01")
    task.state = .done
    task.completedAt = now
    task.body += "\nthird"
    task.tags = ["spring", "+Home"]
    let written = try TaskwarriorFormat.write([task], zone: seoul, now: now)
    let object = try #require(try JSONElements(Array(written.utf8)).elements[0].value)
    #expect(object["due"] == "20261130T150000Z" && object["status"] == "completed" && object["estimate"] == "PT2H")
    #expect(object["end"] == "20261121T030405Z" && object["project"] == "Home" && object["tags"] == ["spring"])
    #expect(object["annotations"]?.arrayValue?.count == 3 && object["annotations"]?[2]?["description"] == "third")
    #expect(object["annotations"]?[0]?["entry"] == "20261121T124325Z" && object["urgency"] == 21.8995)
    #expect(try read(written).tasks[0].says(task))
    task.state = .doing
    task.body = "another"
    let again = try read(try TaskwarriorFormat.write([task], zone: seoul, now: now)).tasks[0]
    #expect(again.state == .doing && again.body == "another")
  }

  @Test("a task of ours is written as `task import` takes it, and read back")
  func ours() throws {
    var task = ExternalTask()
    task.uid = "my-own.id"
    task.revision = FileRevision(number: 42, epoch: "0193")
    task.title = "Titel"
    task.body = "a\n\nb"
    task.state = .doing
    task.deadline = CalendarDay("2026-11-30")
    task.time = "09:30"
    task.tags = ["two words", "+P"]
    task.priority = 5
    task.recurrence = Recurrence(rule: "FREQ=DAILY")
    task.blockedBy = ["116e7f2f-f571-4024-ba6b-f1228557b6c5"]
    let written = try TaskwarriorFormat.write([task], zone: seoul, now: now)
    let object = try #require(try JSONElements(Array(written.utf8)).elements[0].value)
    #expect(object["uuid"]?.stringValue?.count == 36 && object["status"] == "pending")
    // Attributes that Taskwarrior does not know have to be texts.
    #expect(object["commonplace"] == "42" && object["entry"] == "20261121T030405Z")
    let back = try read(written).tasks[0]
    #expect(back.says(task) && back.uid == task.uid && back.revision == task.revision)
    #expect(try TaskwarriorFormat.write([], zone: seoul, now: now) == "[\n]\n")
  }

  @Test("what is no JSON, no list, or cut off is refused; one odd element stops no other")
  func refused() throws {
    for text in ["", "x", "{\"a\": [", String(TaskFixtures.taskwarrior.prefix(700)), "[1,", "[] []"] {
      #expect(throws: WrongFormat.self, "\(text)") { try read(text) }
    }
    let file = try read(#"[7, {"description":"a","status":"pending","uuid":"u","due":"20260230T000000Z"}, {"x": tru}]"#)
    #expect(file.tasks.map(\.title) == ["a"])
    #expect(file.notes.map(\.reason) == [.unreadable, .badDate, .unreadable])
    // One line for all of them tells nothing.
    #expect(file.notes.map(\.place) == (1...3).map { ImportNote.Place(number: $0) })
  }

  @Test("a priority and a recurrence that mean nothing here are told, and kept for the way back")
  func strangeValues() throws {
    let text =
      "[\n" + #"{"description":"a","status":"pending","uuid":"u","priority":"Z","recur":"fortnightlyish"}"# + "\n]\n"
    let file = try read(text)
    #expect(file.notes.map(\.reason) == [.badValue, .badRule] && file.notes.map(\.isSkipped) == [false, false])
    #expect(try TaskwarriorFormat.write(file.tasks, zone: seoul, now: now) == text)
  }
}
