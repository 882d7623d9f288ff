import Client
import TestSupport
import Testing
import Wire

/// On Saturday, 21 November 2026.
@Suite("Projects: a card in one line") struct QuickLineTests {
  @Test(
    "a line is taken apart into title, day, time, tags and priority, and the reply says what was read as what",
    arguments: [
      (
        "Pay rent tomorrow 9am #home !1", "Pay rent", "2026-11-22", "09:00", ["home"], 1,
        ["tags #home", "priority !1", "deadline tomorrow 9am"]
      ),
      ("Call Ann at 5:30 pm", "Call Ann", "2026-11-21", "17:30", [], nil, ["deadline at 5:30 pm"]),
      ("Call Ann next friday at noon", "Call Ann", "2026-11-27", "12:00", [], nil, ["deadline next friday at noon"]),
      (
        "#a Water !9 the figs #b", "Water the figs", "2026-11-21", nil, ["a", "b"], 9,
        ["tags #a", "priority !9", "tags #b"]
      ),
      ("내일 오후 6시 30분 장보기 #집", "장보기", "2026-11-22", "18:30", ["집"], nil, ["tags #집", "deadline 내일 오후 6시 30분"]),
      ("Read 1984", "Read 1984", "2026-11-21", nil, [], nil, []),
      ("Watch Black \\Friday", "Watch Black Friday", "2026-11-21", nil, [], nil, []),
      ("Clean \\#channel", "Clean #channel", "2026-11-21", nil, [], nil, []),
      ("tomorrow", "tomorrow", "2026-11-21", nil, [], nil, []),
      ("#home !1", "#home !1", "2026-11-21", nil, [], nil, []),
      ("Pay rent on 1 Dec at 9am", "Pay rent", "2026-12-01", "09:00", [], nil, ["deadline on 1 Dec at 9am"]),
      ("Report due 1 Dec", "Report", "2026-12-01", nil, [], nil, ["deadline due 1 Dec"]),
      ("Report due on friday", "Report", "2026-11-27", nil, [], nil, ["deadline due on friday"]),
      ("Call Ann tomorrow by 5pm", "Call Ann", "2026-11-22", "17:00", [], nil, ["deadline tomorrow by 5pm"]),
      ("On 1 Dec call Ann", "call Ann", "2026-12-01", nil, [], nil, ["deadline On 1 Dec"]),
      ("Turn the heating on tomorrow", "Turn the heating on", "2026-11-22", nil, [], nil, ["deadline tomorrow"]),
      ("Carry on by Nobody", "Carry on by Nobody", "2026-11-21", nil, [], nil, []),
      ("Buy rice and", "Buy rice and", "2026-11-21", nil, [], nil, []),
      ("Rice and", "Rice and", "2026-11-21", nil, [], nil, []),
      ("Rice and 5", "Rice and 5", "2026-11-21", nil, [], nil, []),
      ("Organise a march", "Organise a march", "2026-11-21", nil, [], nil, []),
      ("Rice and milk in a week", "Rice and milk", "2026-11-28", nil, [], nil, ["deadline in a week"]),
      ("tomorrow Call Ann friday", "tomorrow Call Ann", "2026-11-27", nil, [], nil, ["deadline friday"]),
      ("Upgrade to 18.04", "Upgrade to 18.04", "2026-11-21", nil, [], nil, []),
      ("Version 1.2", "Version 1.2", "2026-11-21", nil, [], nil, []),
      ("1.2 release tomorrow", "1.2 release", "2026-11-22", nil, [], nil, ["deadline tomorrow"]),
      ("Report due on 18.04", "Report", "2027-04-18", nil, [], nil, ["deadline due on 18.04"]),
      ("Sun cream", "Sun cream", "2026-11-21", nil, [], nil, []),
      ("On Sun call Ann", "call Ann", "2026-11-22", nil, [], nil, ["deadline On Sun"]),
      ("Monday and other days", "Monday and other days", "2026-11-21", nil, [], nil, []),
      ("Plan every 1 Dec", "Plan every 1 Dec", "2026-11-21", nil, [], nil, []),
      ("Lunch Thursday and Friday", "Lunch Thursday and Friday", "2026-11-21", nil, [], nil, []),
      ("12월 1일에 장보기", "장보기", "2026-12-01", nil, [], nil, ["deadline 12월 1일에"]),
      ("내일 9時に 買い物", "買い物", "2026-11-22", "09:00", [], nil, ["deadline 내일 9時に"]),
      ("在12月1日 买书", "买书", "2026-12-01", nil, [], nil, ["deadline 在12月1日"]),
      ("Fix #12 soon #a1", "Fix #12 soon", "2026-11-21", nil, ["a1"], nil, ["tags #a1"]),
      ("2026-12-24 Wrap  the  gifts", "Wrap the gifts", "2026-12-24", nil, [], nil, ["deadline 2026-12-24"]),
    ] as [(String, String, String, String?, [String], Int64?, [String])])
  func read(
    _ line: String, _ title: String, _ day: String, _ time: String?, _ tags: [String], _ priority: Int64?,
    _ parts: [String]
  ) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["deadline"] == .string(day), "\(card)")
    #expect(
      card["time"] == time.map(JSONValue.string) && card["priority"] == priority.map(JSONValue.integer), "\(card)")
    #expect(card["tags"].list.map(\.text) == tags)
    #expect(card["understood"].list.map { "\($0["field"].text) \($0["text"].text)" } == parts)
    #expect(try await bench.get(card.id.text)["understood"] == nil)
    await bench.stop()
  }

  @Test(
    "words that name their field are read anywhere, as Taskwarrior and todo.txt write them",
    arguments: [
      (
        "Fix the login project:work.site due:friday pri:H", "Fix the login",
        ["deadline": "2026-11-27", "tags": ["+work.site"], "priority": 1]
      ),
      (
        "due:2026-12-01T14:30 Call +Ann #a", "Call",
        ["deadline": "2026-12-01", "time": "14:30", "tags": ["+Ann", "a"]]
      ),
      ("Plan wait:2026-12-10", "Plan", ["start": "2026-12-10"]),
      ("Plan scheduled:2d due:1w", "Plan", ["start": "2026-11-23", "deadline": "2026-11-28"]),
      ("Bins DUE:monday recur:weekdays", "Bins", ["deadline": "2026-11-23"]),
      ("Add +1 to due: friday", "Add +1 to due:", ["deadline": "2026-11-27"]),
      ("Read start://x and pri:none", "Read start://x and pri:none", ["deadline": "2026-11-21"]),
      ("Clean \\+home \\due:friday", "Clean +home due:friday", ["deadline": "2026-11-21"]),
    ] as [(String, String, JSONObject)])
  func namedFields(_ line: String, _ title: String, _ fields: JSONObject) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["display"]?["message"] == nil, "\(card)")
    for name in ["deadline", "time", "start", "priority"] { #expect(card[name] == fields[name], "\(name): \(card)") }
    #expect(card["tags"] == fields["tags"] ?? [], "\(card)")
    let isRecurring = line.contains("recur:")
    #expect((card["recurrence"]?["rule"] == "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR") == isRecurring, "\(card)")
    await bench.stop()
  }

  @Test("a day that a word names and that cannot be read stays in the title, and the reply says so")
  func unreadFields() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": "Pay due:fridya #home"])
    #expect(card["title"] == "Pay due:fridya" && card["tags"] == ["home"] && card["hasDefaultDeadline"] == true)
    #expect(card["display"]?["message"]?.text.contains("“due:fridya”") == true, "\(card)")
    // A field that is given apart is not read from the line.
    let given = try await bench.client.call("projects/add", ["line": "Pay due:friday", "deadline": "2026-12-01"])
    #expect(given["title"] == "Pay due:friday" && given["deadline"] == "2026-12-01", "\(given)")
    await bench.stop()
  }

  @Test(
    "a recurrence beside the day belongs to what is understood, in every language that dates have",
    arguments: [
      (
        "Pay rent every month on 1 Dec at 9am #home !1", "Pay rent", "2026-12-01", "09:00", "FREQ=MONTHLY",
        ["tags #home", "priority !1", "deadline on 1 Dec at 9am", "recurrence every month"]
      ),
      (
        "Pay rent on 1 Dec every month", "Pay rent", "2026-12-01", nil, "FREQ=MONTHLY",
        ["deadline on 1 Dec", "recurrence every month"]
      ),
      ("Water the figs every 3 days", "Water the figs", "2026-11-21", nil, "FREQ=DAILY;INTERVAL=3", nil),
      ("Water the figs every other week", "Water the figs", "2026-11-21", nil, "FREQ=WEEKLY;INTERVAL=2", nil),
      ("Call Ann every friday at noon", "Call Ann", "2026-11-27", "12:00", "FREQ=WEEKLY", nil),
      ("every year tomorrow Call Ann", "Call Ann", "2026-11-22", nil, "FREQ=YEARLY", nil),
      ("every week Call Ann tomorrow", "Call Ann", "2026-11-22", nil, "FREQ=WEEKLY", nil),
      ("매월 12월 1일에 월세", "월세", "2026-12-01", nil, "FREQ=MONTHLY", nil),
      ("3일마다 물 주기", "물 주기", "2026-11-21", nil, "FREQ=DAILY;INTERVAL=3", nil),
      ("毎週金曜日 電話", "電話", "2026-11-27", nil, "FREQ=WEEKLY", nil),
      ("每月 交房租", "交房租", "2026-11-21", nil, "FREQ=MONTHLY", nil),
      (
        "Gym every monday and wednesday 6pm", "Gym", "2026-11-23", "18:00", "FREQ=WEEKLY;BYDAY=MO,WE",
        ["deadline every monday and wednesday 6pm", "recurrence every monday and wednesday"]
      ),
      ("Gym at 6pm every tue, thu and sat", "Gym", "2026-11-21", "18:00", "FREQ=WEEKLY;BYDAY=TU,TH,SA", nil),
      ("Bins every other friday", "Bins", "2026-11-27", nil, "FREQ=WEEKLY;INTERVAL=2", nil),
      ("Standup every weekday 9am", "Standup", "2026-11-23", "09:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
      ("Every weekday call Ann 9am", "call Ann", "2026-11-23", "09:00", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
      ("매주 월수금 운동", "운동", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,WE,FR", nil),
      ("격주 금요일 분리수거", "분리수거", "2026-11-27", nil, "FREQ=WEEKLY;INTERVAL=2", nil),
      ("평일마다 회의", "회의", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
      ("매주 일 정리", "일 정리", "2026-11-21", nil, "FREQ=WEEKLY", nil),
      ("毎週月・水曜日 ジム", "ジム", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,WE", nil),
      ("隔週金曜日 ゴミ出し", "ゴミ出し", "2026-11-27", nil, "FREQ=WEEKLY;INTERVAL=2", nil),
      ("平日毎日 朝会", "朝会", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
      ("每周一、三 健身", "健身", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,WE", nil),
      ("隔周周五 倒垃圾", "倒垃圾", "2026-11-27", nil, "FREQ=WEEKLY;INTERVAL=2", nil),
      ("每个工作日 开会", "开会", "2026-11-23", nil, "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", nil),
      (
        "Pay rent every month on the last day", "Pay rent", "2026-11-30", nil, "FREQ=MONTHLY;BYMONTHDAY=-1",
        ["deadline every month on the last day", "recurrence every month on the last day"]
      ),
      (
        "Pay rent every month on the last day of the month at 9am", "Pay rent", "2026-11-30", "09:00",
        "FREQ=MONTHLY;BYMONTHDAY=-1", nil
      ),
      ("Pay rent on the last day of every month", "Pay rent", "2026-11-30", nil, "FREQ=MONTHLY;BYMONTHDAY=-1", nil),
      ("매월 말일 월세", "월세", "2026-11-30", nil, "FREQ=MONTHLY;BYMONTHDAY=-1", nil),
      ("毎月末 家賃", "家賃", "2026-11-30", nil, "FREQ=MONTHLY;BYMONTHDAY=-1", nil),
      ("每月最后一天 交房租", "交房租", "2026-11-30", nil, "FREQ=MONTHLY;BYMONTHDAY=-1", nil),
      (
        "Pay rent on the last day of the month", "Pay rent", "2026-11-30", nil, nil,
        ["deadline on the last day of the month"]
      ),
      ("Read every page", "Read every page", "2026-11-21", nil, nil, nil),
      ("Every day", "Every day", "2026-11-21", nil, nil, nil),
    ] as [(String, String, String, String?, String?, [String]?)])
  func recurrence(
    _ line: String, _ title: String, _ day: String, _ time: String?, _ rule: String?, _ parts: [String]?
  ) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["deadline"] == .string(day), "\(card)")
    #expect(card["recurrence"]?["rule"] == rule.map(JSONValue.string), "\(card)")
    #expect(card["time"] == time.map(JSONValue.string), "\(card)")
    if let parts { #expect(card["understood"].list.map { "\($0["field"].text) \($0["text"].text)" } == parts) }
    await bench.stop()
  }

  @Test(
    "a day stands before a reminder too, and words after “remind” that are none stay in the title alone",
    arguments: [
      ("Call Eve on 24 dec at 8pm remind the day before", "Call Eve", "2026-12-24", "20:00", ["-1d"], nil),
      ("Call Eve on 24 dec remind two weeks before", "Call Eve", "2026-12-24", nil, ["-14d"], nil),
      ("Call Eve on 24 dec remind 3 hours before", "Call Eve", "2026-12-24", nil, ["-180m"], nil),
      ("Call Eve on 24 dec remind the evening before", "Call Eve", "2026-12-24", nil, ["-1d@18:00"], nil),
      ("Call Eve on 24 dec remind on 20 dec", "Call Eve", "2026-12-24", nil, ["2026-12-20T09:00:00.000Z"], nil),
      ("Call Eve on 24 dec remind at 8am", "Call Eve", "2026-12-24", nil, ["-0d@08:00"], nil),
      ("24일 전화 알림 하루 전", "전화", "2026-11-24", nil, ["-1d"], nil),
      (
        "Call Eve on 24 dec at 8pm remind me of the cake", "Call Eve remind me of the cake", "2026-12-24", "20:00", [],
        "“remind me of the cake” is no reminder and stays in the title. Write “remind 1 hour before” or “remind tomorrow 9am”."
      ),
      (
        "Call Eve on 24 dec remind 1h before #x with the cake", "Call Eve with the cake", "2026-12-24", nil, ["-60m"],
        nil
      ),
      ("Ask Ann to remind Bob tomorrow", "Ask Ann to remind Bob", "2026-11-22", nil, [], nil),
    ] as [(String, String, String, String?, [String], String?)])
  func remind(
    _ line: String, _ title: String, _ day: String, _ time: String?, _ reminders: [String], _ message: String?
  ) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["deadline"] == .string(day), "\(card)")
    #expect(card["time"] == time.map(JSONValue.string), "\(card)")
    #expect(card["reminders"].list.map(\.text) == reminders, "\(card)")
    #expect(card["display"]?["message"] == message.map(JSONValue.string), "\(card)")
    await bench.stop()
  }

  @Test(
    "dates in words and parts of the day are read, and a part of any day is one only beside a day",
    arguments: [
      ("Pay rent on the first of december", "Pay rent", "2026-12-01", nil),
      ("Call Ann the 3rd of may", "Call Ann", "2027-05-03", nil),
      ("Pay rent on the twenty-first of december at noon", "Pay rent", "2026-12-21", "12:00"),
      ("Be the first", "Be the first", "2026-11-21", nil),
      ("Call Eve this evening", "Call Eve", "2026-11-21", "18:00"),
      ("Call Eve this afternoon", "Call Eve", "2026-11-21", "15:00"),
      ("Call Eve tonight", "Call Eve", "2026-11-21", "20:00"),
      ("Call Eve tonight at 8:30", "Call Eve", "2026-11-21", "20:30"),
      ("Call Eve at 8 in the evening", "Call Eve", "2026-11-21", "20:00"),
      ("Read chapter 8 tonight", "Read chapter 8", "2026-11-21", "20:00"),
      ("Call Eve tomorrow evening", "Call Eve", "2026-11-22", "18:00"),
      ("Call Eve midnight", "Call Eve", "2026-11-21", "00:00"),
      ("Plan a nice evening", "Plan a nice evening", "2026-11-21", nil),
      ("Read at night", "Read at night", "2026-11-21", nil),
      ("Movie night friday", "Movie night", "2026-11-27", nil),
      ("오늘 밤에 전화", "전화", "2026-11-21", "20:00"), ("내일 저녁 준비", "저녁 준비", "2026-11-22", nil),
      ("明日の朝 電話", "電話", "2026-11-22", "09:00"), ("今晩 電話", "電話", "2026-11-21", "20:00"),
      ("明天下午3点 开会", "开会", "2026-11-22", "15:00"), ("今晚8点 打电话", "打电话", "2026-11-21", "20:00"),
    ] as [(String, String, String, String?)])
  func partOfDay(_ line: String, _ title: String, _ day: String, _ time: String?) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title) && card["deadline"] == .string(day), "\(card)")
    #expect(card["time"] == time.map(JSONValue.string), "\(card)")
    await bench.stop()
  }

  @Test("a field that is given apart is not read from the line, and a line that no card can have adds nothing")
  func apart() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call(
      "projects/add", ["line": "Plan for tomorrow #b !2", "deadline": "2026-12-01", "tags": ["a"]])
    #expect(card["title"] == "Plan for tomorrow #b" && card["deadline"] == "2026-12-01" && card["tags"] == ["a"])
    #expect(card["priority"] == 2)
    let free = try await bench.client.call("projects/add", ["line": "Some day tomorrow", "deadline": .null])
    #expect(free["title"] == "Some day tomorrow" && free["deadline"] == nil)
    // A card without a deadline cannot recur.
    let later = try await bench.client.call("projects/add", ["line": "Read more every week", "someday": true])
    #expect(later["title"] == "Read more every week" && later["recurrence"] == nil, "\(later)")
    let long = "#" + String(repeating: "x", count: 101)
    for params: JSONValue in [
      [:], ["line": "x", "title": "y"], ["line": ""], ["line": " \n "], ["line": .string("x " + long)],
      ["line": .string(String(repeating: "x", count: 1_001))],
    ] {
      #expect(try await bench.client.failure("projects/add", params)?.code == -32602, "\(params)")
    }
    #expect(try await bench.client.call("projects/list")["total"] == 3)
    await bench.stop()
  }

  @Test("someday as the last word of a line is a card for someday, and a reminder may be some minutes from now")
  func someday() async throws {
    let bench = try await ProjectBench()
    for (line, title) in [("Wash car someday", "Wash car"), ("언젠가 접목 배우기", "접목 배우기"), ("学习 改天", "学习")] {
      let card = try await bench.client.call("projects/add", ["line": .string(line)])
      #expect(card["title"] == .string(title) && card["someday"] == true && card["deadline"] == nil, "\(card)")
      #expect(card["understood"].list.map { $0["field"].text } == ["someday"])
    }
    for line in ["Someday is a song", "someday", "Sing Some \\someday"] {
      let card = try await bench.client.call("projects/add", ["line": .string(line)])
      #expect(card["someday"] != true && card["deadline"] == "2026-11-21", "\(card)")
    }
    let now = bench.daemon.clock.now
    for line in ["Stretch remind in 1 minute", "Stretch remind me in a minute", "Stretch 알림 1분 뒤"] {
      let card = try await bench.client.call("projects/add", ["line": .string(line)])
      #expect(card["title"] == "Stretch", "\(card)")
      #expect(card["reminders"] == [.string(now.adding(milliseconds: 60_000).description)], "\(card)")
    }
    await bench.stop()
  }

  @Test(
    "words that look like a day or a time, but are none, stay in the title and are named in the reply",
    arguments: [
      ("Buy milk tomorow", "“tomorow” is no date and stays in the title. Did you mean “tomorrow”?"),
      ("Call Ann next firday", "“next firday” is no date and stays in the title. Did you mean “next friday”?"),
      ("Buy milk 31 February", "“31 February” is no date and stays in the title."),
      ("2월 30일 장보기", "“2월 30일” is no date and stays in the title."),
      ("Dentist 2026-13-45", "“2026-13-45” is no date and stays in the title."),
      ("Meet Bob at 25:00", "“at 25:00” is no time and stays in the title."),
      ("Meet Bob 9:75 tomorrow", "“9:75” is no time and stays in the title."),
      ("Buy milk tomorrow", nil), ("Read chapter 45", nil), ("Take a walk", nil), ("Feed the monkey", nil),
      ("Watch Black \\Firday", nil), ("Upgrade to 18.04", nil),
    ] as [(String, String?)])
  func mistake(_ line: String, _ message: String?) async throws {
    let bench = try await ProjectBench()
    for isDry in [true, false] {
      let card = try await bench.client.call("projects/add", ["line": .string(line), "dryRun": .bool(isDry)])
      #expect(card["display"]?["message"] == message.map(JSONValue.string), "\(card)")
    }
    #expect(try await bench.client.call("projects/list")["total"] == 1)
    await bench.stop()
  }

  @Test(
    "a recurrence without a deadline to count from stays in the title, and the reply says so",
    arguments: [
      ("Water figs recur:weekly start:monday", "Water figs recur:weekly", "recur:weekly", ["start": "2026-11-23"]),
      ("Stretch every day start:monday", "Stretch every day", "every day", ["start": "2026-11-23"]),
      ("Stretch every monday start:2w", "Stretch every monday", "every monday", ["start": "2026-12-05"]),
      ("Stretch recur:daily someday", "Stretch recur:daily", "recur:daily", ["someday": true]),
      (
        "Stretch recur:daily due:friday start:monday", "Stretch", nil,
        ["deadline": "2026-11-27", "start": "2026-11-23", "recurrence": "daily"]
      ),
      (
        "Stretch every friday start:monday", "Stretch", nil,
        ["deadline": "2026-11-27", "start": "2026-11-23", "recurrence": "weekly"]
      ),
    ] as [(String, String, String?, JSONObject)])
  func ruleWithoutDay(_ line: String, _ title: String, _ unread: String?, _ expected: JSONObject) async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call("projects/add", ["line": .string(line)])
    #expect(card["title"] == .string(title), "\(card)")
    for name in ["deadline", "start"] {
      #expect(card[name]?.stringValue == expected[name]?.stringValue, "\(card)")
    }
    #expect((card["someday"] == true) == (expected["someday"] == true), "\(card)")
    #expect((card["recurrence"] == nil) == (expected["recurrence"] == nil), "\(card)")
    let message = card["display"]?["message"]?.stringValue
    #expect(message?.hasPrefix("“\(unread ?? "")” stays in the title") ?? (unread == nil), "\(card)")
    #expect((message == nil) == (unread == nil), "\(card)")
    await bench.stop()
  }

  @Test("a word that names its field overrides no param that is given apart, and no rule is read that cannot be kept")
  func namedApart() async throws {
    let bench = try await ProjectBench()
    let timed = try await bench.client.call("projects/add", ["line": "Call due:2026-12-01T14:30", "time": "09:00"])
    #expect(timed["title"] == "Call due:2026-12-01T14:30" && timed["time"] == "09:00", "\(timed)")
    let started = try await bench.client.call("projects/add", ["line": "Call start:monday", "time": "09:00"])
    #expect(started["title"] == "Call start:monday" && started["time"] == "09:00", "\(started)")
    let someday = try await bench.client.call(
      "projects/add", ["line": "Read due:friday start:monday", "someday": true])
    #expect(someday["title"] == "Read due:friday start:monday" && someday["someday"] == true, "\(someday)")
    #expect(someday["deadline"] == nil && someday["start"] == nil, "\(someday)")
    let unset = try await bench.client.call("projects/add", ["line": "Read recur:weekly", "deadline": .null])
    #expect(unset["title"] == "Read recur:weekly" && unset["recurrence"] == nil, "\(unset)")
    let both = try await bench.client.call("projects/add", ["line": "Read due:friday", "start": "2026-11-23"])
    #expect(both["title"] == "Read" && both["deadline"] == "2026-11-27" && both["start"] == "2026-11-23", "\(both)")
    await bench.stop()
  }

  @Test("a dry run says what a line means, and adds nothing")
  func dryRun() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.client.call(
      "projects/add", ["line": "Pay rent tomorrow 9am #home !1", "dryRun": true])
    #expect(card["title"] == "Pay rent" && card["time"] == "09:00" && card["understood"].list.count == 3)
    #expect(try await bench.client.call("projects/list")["total"] == 0)
    await bench.stop()
  }
}
