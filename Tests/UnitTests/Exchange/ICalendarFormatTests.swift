import Contract
import Display
import Testing

@testable import Exchange
@testable import Kit
@testable import Projects

@Suite("Exchange: iCalendar") struct ICalendarFormatTests {
  private let seoul = Zone("Asia/Seoul")!
  private let now = Instant("2026-11-21T03:04:05.000Z")!

  private func read(_ text: String, zone: Zone? = nil) throws -> TaskFile {
    try TaskExchange.read(Array(text.utf8), as: .ics, zone: zone ?? seoul)
  }

  @Test("a calendar whose components go deeper without end is refused, and walked down by nobody")
  func deep() throws {
    let depth = 10_000
    let begin = String(repeating: "BEGIN:A\r\n", count: depth)
    let end = String(repeating: "END:A\r\n", count: depth)
    let failure = #expect(throws: WrongFormat.self) {
      try read("BEGIN:VCALENDAR\r\n\(begin)\(end)END:VCALENDAR\r\n")
    }
    #expect(failure?.reason == "tooDeep" && failure?.line == 33)
  }

  @Test(
    "a calendar that is read and written is the same, byte for byte",
    arguments: [TaskFixtures.thunderbird, TaskFixtures.apple])
  func same(text: String) throws {
    let written = try ICalendarFormat.write(try read(text).tasks, zone: seoul, now: now)
    #expect(written == text)
  }

  @Test("a task is understood: text, state, tags, rule, whom it waits for, and when it is due for the reader")
  func understood() throws {
    let file = try read(TaskFixtures.thunderbird)
    #expect(file.tasks.count == 2 && file.notes.allSatisfy { $0.reason == .notTask })
    let task = file.tasks[0]
    #expect(task.title == "씨앗 사기, 물 주기; 그리고 아주 긴 제목이 한 줄에 다 들어가지 않을 때")
    #expect(task.body == "First line\nSecond, with \\ backslash\n\nLast")
    #expect(task.state == .doing && task.priority == 1 && task.tags == ["garden", "two, words", "spring"])
    #expect(task.deadline?.description == "2026-11-21" && task.time == "23:30")
    #expect(task.created?.description == "2026-11-01T10:11:12.000Z")
    let other = file.tasks[1]
    #expect(other.state == .done && other.recurrence?.rule == "FREQ=MONTHLY;BYMONTHDAY=-1" && other.time == nil)
    #expect(other.deadline?.description == "2026-11-30" && other.blockedBy == [task.uid])
    let inBerlin = try read(TaskFixtures.thunderbird, zone: Zone("Europe/Berlin")).tasks[0]
    #expect(inBerlin.deadline?.description == "2026-11-21" && inBerlin.time == "15:30")
    // A moment in UTC lies on another day in Seoul.
    let apple = try read(TaskFixtures.apple).tasks
    #expect(apple[0].deadline?.description == "2026-11-22" && apple[0].time == "00:00" && apple[0].state == .todo)
    #expect(apple[1].state == .done && apple[1].completedAt?.description == "2026-11-10T11:11:11.000Z")
  }

  @Test("what changes is changed in its place, and all else stays as it is")
  func changed() throws {
    var tasks = try read(TaskFixtures.thunderbird).tasks
    tasks[0].title = "Neu, ganz; neu"
    tasks[0].deadline = CalendarDay("2026-11-25")
    tasks[0].state = .done
    tasks[0].completedAt = now
    tasks[0].modified = now
    tasks[1].tags = ["a,b", "c"]
    tasks[1].blockedBy = []
    let written = try ICalendarFormat.write(tasks, zone: seoul, now: now)
    for line in [
      "SUMMARY;LANGUAGE=ko:Neu\\, ganz\\; neu", "DUE;TZID=Asia/Seoul:20261125T233000", "STATUS:COMPLETED",
      "COMPLETED:20261121T030405Z", "PERCENT-COMPLETE:100", "LAST-MODIFIED:20261121T030405Z",
      "X-STRANGE;FOO=\"a;b:c\";BAR=1,2:what : ever; it \\n is", "X-IN-ALARM:yes", "CATEGORIES:a\\,b,c",
      "RELATED-TO:some-parent", "STATUS:CANCELLED", "SEQUENCE:8", "SUMMARY:No task", "X-WR-CALNAME:Home; and garden",
    ] {
      #expect(written.contains("\r\n\(line)\r\n"), "\(line)")
    }
    #expect(!written.contains("DEPENDS-ON"))
    #expect(try read(written).tasks[0].title == "Neu, ganz; neu")
    tasks[0].deadline = nil
    #expect(try !ICalendarFormat.write(tasks, zone: seoul, now: now).contains("DUE;TZID"))
  }

  @Test("a task of ours is written in lines of at most 75 octets that never end within a character, and read back")
  func ours() throws {
    var task = ExternalTask()
    task.uid = "0192f0c1-7b1e-7000-8000-000000000000"
    task.revision = FileRevision(number: 42, epoch: "an epoch; of ours")
    task.title = String(repeating: "가나다라 emoji 👩‍👩‍👧 ", count: 12) + "\\;, end"
    task.title = ProjectText.title(task.title)
    task.body = "a\nb\n\n" + String(repeating: "x", count: 74) + "é"
    task.state = .doing
    task.deadline = CalendarDay("2026-11-30")
    task.tags = ["a b", "c,d", "é", "e\u{301}"]
    task.priority = 3
    task.created = now
    task.modified = now
    task.recurrence = Recurrence(rule: "FREQ=WEEKLY;BYDAY=MO", from: .completion)
    task.blockedBy = ["x-1", "x-2"]
    let written = try ICalendarFormat.write([task], zone: seoul, now: now)
    for line in written.utf8.split(separator: 0x0A) {
      #expect(line.count <= 76 && line.last == 0x0D && String(validating: line, as: UTF8.self) != nil)
    }
    #expect(written.utf8.starts(with: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:".utf8))
    let back = try #require(try read(written).tasks.first)
    #expect(back.says(task) && back.uid == task.uid && back.revision == task.revision && back.created == now)
    task.time = "09:30"
    #expect(try read(try ICalendarFormat.write([task], zone: seoul, now: now)).tasks[0].time == "09:30")
  }

  @Test("folds within a character, LF alone, lower case, and lines that are none are read, and nothing of them is lost")
  func lenient() throws {
    let letters = Array("SUMMARY:é".utf8)
    let bytes =
      Array("begin:vcalendar\nversion:2.0\nbegin:vtodo\nuid:1\nno colon at all\n;odd:x\n".utf8) + letters.dropLast()
      + Array("\n ".utf8) + letters.suffix(1) + Array("\nstatus:completed\nend:vtodo\nend:vcalendar".utf8)
    let task = try #require(try TaskExchange.read(bytes, as: .ics, zone: seoul).tasks.first)
    #expect(task.title == "é" && task.state == .done && task.uid == "1")
    let written = try ICalendarFormat.write([task], zone: seoul, now: now)
    #expect(written.contains("\r\nno colon at all\r\n;odd:x\r\nSUMMARY:é\r\n"))
  }

  @Test("a task without a STATUS is as far as its COMPLETED and its PERCENT-COMPLETE make it")
  func states() throws {
    for (lines, state) in [
      ("", .todo), ("PERCENT-COMPLETE:0\n", .todo), ("PERCENT-COMPLETE:1\n", .doing), ("PERCENT-COMPLETE:99\n", .doing),
      ("PERCENT-COMPLETE:100\n", .done), ("PERCENT-COMPLETE:some\n", .todo), ("COMPLETED:20261110T111111Z\n", .done),
      ("STATUS:NEEDS-ACTION\nPERCENT-COMPLETE:100\n", .todo), ("STATUS:in-process\n", .doing),
    ] as [(String, ExternalTask.State)] {
      let file = try read(
        TaskFixtures.ics(
          "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VTODO\nUID:1\nSUMMARY:x\n\(lines)END:VTODO\nEND:VCALENDAR"))
      #expect(file.tasks[0].state == state, "\(lines)")
    }
  }

  @Test("zones are found by the end of their name or by what the calendar says; one that nobody knows is told")
  func zones() throws {
    func task(_ zone: String, _ head: String = "") throws -> TaskFile {
      try read(
        TaskFixtures.ics(
          "BEGIN:VCALENDAR\nVERSION:2.0\n\(head)BEGIN:VTODO\nUID:1\nSUMMARY:x\nDUE;TZID=\(zone):20261121T200000\nEND:VTODO\nEND:VCALENDAR"
        ))
    }
    let prefixed = try task("/freeassociation.sourceforge.net/Europe/Berlin").tasks[0]
    #expect(prefixed.deadline?.description == "2026-11-22" && prefixed.time == "04:00")
    let named = try task(
      "W. Europe Standard Time",
      "BEGIN:VTIMEZONE\nTZID:W. Europe Standard Time\nX-LIC-LOCATION:Europe/Berlin\nEND:VTIMEZONE\n")
    #expect(named.tasks[0].time == "04:00" && named.notes.isEmpty)
    let unknown = try task("Atlantis")
    #expect(unknown.notes.map(\.reason) == [.badZone] && unknown.tasks[0].time == "20:00")
    #expect(unknown.notes[0].isSkipped == false && unknown.notes[0].place.line == 3)
  }

  @Test("a task takes the zones that it names along, and a zone is written once")
  func zonesAlong() throws {
    let text = TaskFixtures.thunderbird.replacing(
      "DUE;VALUE=DATE:20261130", with: "DUE;TZID=Asia/Seoul:20261130T100000")
    let tasks = try read(text).tasks
    let alone = try ICalendarFormat.write([tasks[1]], zone: seoul, now: now)
    #expect(alone.contains("TZID:Asia/Seoul\r\n"))
    let both = try ICalendarFormat.write(tasks, zone: seoul, now: now)
    #expect(both.split(separator: "TZID:Asia/Seoul\r\n").count == 2 && both == text)
  }

  @Test(
    "what is no calendar, or was cut off, is refused",
    arguments: [
      "", "hello", "BEGIN:VCALENDAR\r\n", "BEGIN:VEVENT\r\nSUMMARY:x\r\nEND:VEVENT\r\n",
      "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:x\r\nEND:VCALENDAR\r\n",
      String(TaskFixtures.thunderbird.prefix(900)),
    ])
  func refused(text: String) {
    #expect(throws: WrongFormat.self) { try read(text) }
  }

  @Test("tasks outside of a calendar are read with a note, and what is no task there takes no calendar along")
  func outside() throws {
    let alone = "BEGIN:VTODO\r\nUID:1\r\nSUMMARY:Taxes\r\nDUE;VALUE=DATE:20270501\r\nEND:VTODO\r\n"
    let file = try read(alone)
    #expect(file.tasks.map(\.title) == ["Taxes"] && file.tasks[0].deadline?.description == "2027-05-01")
    #expect(file.notes.map(\.reason) == [.cutOff] && file.notes[0].place.line == 1 && !file.notes[0].isSkipped)
    let written = try ICalendarFormat.write(file.tasks, zone: seoul, now: now)
    #expect(try read(written).notes.isEmpty && written.contains(alone))
    let event = "BEGIN:VEVENT\r\nSUMMARY:Choir\r\nEND:VEVENT\r\n"
    let calendar = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(alone)END:VCALENDAR\r\n"
    let followed = try read(calendar + event + calendar.replacing("Taxes", with: "Sow"))
    #expect(followed.tasks.map(\.title) == ["Taxes", "Sow"])
    #expect(followed.notes.map(\.reason) == [.notTask] && followed.notes[0].place.line == 9)
    let mixed = try read("hello\r\n" + calendar + "there\r\nand there\r\n" + alone)
    #expect(mixed.tasks.count == 2 && mixed.notes.map(\.reason) == [.unreadable, .unreadable, .cutOff])
    #expect(mixed.notes.map(\.place.line) == [1, 10, 12])
    #expect(try !ICalendarFormat.write(mixed.tasks, zone: seoul, now: now).contains("there"))
    let failure = #expect(throws: WrongFormat.self) { try read("\r\n" + event) }
    #expect(failure == WrongFormat(reason: "noCalendar", line: 2))
  }

  @Test("of a calendar that is cut off it is said what is missing: the end of what is open")
  func missing() {
    let open = "BEGIN:VCALENDAR\r\nBEGIN:VTODO\r\nSUMMARY:x\r\n"
    #expect(throws: WrongFormat(missing: "END:VTODO")) { try read(open) }
    #expect(throws: WrongFormat(missing: "END:VTODO", line: 4)) { try read(open + "END:VCALENDAR\r\n") }
    #expect(throws: WrongFormat(missing: "BEGIN:VTODO", line: 1)) { try read("END:VTODO\r\n") }
  }

  @Test("a date that does not exist, and a rule that means nothing for days, are told and kept for the way back")
  func odd() throws {
    let text = TaskFixtures.ics(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      BEGIN:VTODO
      UID:1
      SUMMARY:a
      DUE:20260230T100000Z
      RRULE:FREQ=HOURLY
      END:VTODO
      END:VCALENDAR
      """)
    let file = try read(text)
    #expect(file.notes.map(\.reason) == [.badDate, .badRule] && file.tasks[0].deadline == nil)
    #expect(try ICalendarFormat.write(file.tasks, zone: seoul, now: now) == text)
  }
}
