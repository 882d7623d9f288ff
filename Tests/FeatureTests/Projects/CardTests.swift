import Client
import Contract
import TestSupport
import Testing
import Wire

@Suite("Projects: cards") struct CardTests {
  @Test("J3 J5 a card has a title, a body and a day, begins in the first column, and is due today in the client's zone")
  func adding() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.add("Return the book", ["body": "To the library."])
    #expect(card["state"] == "todo" && card["deadline"] == "2026-11-21" && card["body"] == "To the library.")
    #expect(card["display"]?["day"] == "today" && card["time"] == nil && card["blocked"] == false)
    // 03:04 UTC; on Kiritimati it is 17:04, and seven hours later the 22nd.
    let east = try await bench.daemon.client(timeZone: "Pacific/Kiritimati")
    #expect(try await east.call("projects/add", ["title": "x"])["deadline"] == "2026-11-21")
    bench.daemon.clock.advance(milliseconds: 7 * 3_600_000)
    #expect(try await east.call("projects/add", ["title": "x"])["deadline"] == "2026-11-22")
    #expect(try await bench.add("x")["deadline"] == "2026-11-21")
    let none = try await bench.add("no day", ["deadline": .null])
    #expect(none["deadline"] == nil && none["display"]?["due"] == nil && none["overdue"] == false)
    let timed = try await bench.add("at a time", ["deadline": "2026-12-24", "time": "17:30", "priority": 2])
    #expect(timed["time"] == "17:30" && timed["priority"] == 2)
    #expect(timed["display"]?["due"].text.contains("5:30") == true)
    #expect(timed["display"]?["day"] == "Dec 24, 2026" && timed["display"]?["dayTime"] == "5:30\u{202F}PM")
    #expect(none["display"]?["dayTime"] == nil && card["display"]?["dayTime"] == nil)
    let there = try await east.call("projects/get", ["id": timed.id])["display"]
    #expect(there?["dayTime"] == timed["display"]?["dayTime"], "no zone moves it")
    #expect(there?["due"] == timed["display"]?["due"])
    await bench.stop()
  }

  @Test("J5 a card that got its deadline by default says so, and config.toml can turn the default off")
  func defaultDeadline() async throws {
    let bench = try await ProjectBench()
    #expect(try await bench.add("a", id: "a")["hasDefaultDeadline"] == true)
    #expect(try await bench.get("a")["hasDefaultDeadline"] == nil)
    for given in [["deadline": "2026-12-24"], ["deadline": .null]] as [JSONObject] {
      #expect(try await bench.add("b", given)["hasDefaultDeadline"] == nil)
    }
    await bench.stop()

    let without = try await ProjectBench { $0.configure { $0.cards.defaultDeadline = .none } }
    let card = try await without.add("a")
    #expect(card["deadline"] == nil && card["hasDefaultDeadline"] == nil)
    #expect(try await without.client.call("projects/draft", ["title": "b"])["deadline"] == nil)
    #expect(try await without.add("c", ["deadline": "today"])["deadline"] == "2026-11-21")
    await without.stop()
  }

  @Test("J5 the night owl's card is due on the day that has not turned yet")
  func dayStartsAt() async throws {
    let bench = try await ProjectBench { $0.dayStartsAt = 4 * 60 }
    #expect(try await bench.add("late")["deadline"] == "2026-11-20")
    await bench.stop()
  }

  @Test(
    "J5 J9 a card of which nobody said when begins overdue nowhere: west of the library it is due on the library's day")
  func westOfTheLibrary() async throws {
    // 03:04 UTC on the 21st; in Honolulu it still is the 20th.
    let bench = try await ProjectBench(timeZone: "Pacific/Honolulu")
    let card = try await bench.add("Return the book", id: "a")
    #expect(card["deadline"] == "2026-11-21" && card["overdue"] == false && card["display"]?["day"] == "tomorrow")
    #expect(try await bench.client.call("projects/draft")["deadline"] == "2026-11-21")
    // What was said is kept, and is as late as it is.
    let said = try await bench.add("today", ["deadline": "today"])
    #expect(said["deadline"] == "2026-11-20" && said["overdue"] == true)
    // The same again, when the day has turned there too.
    bench.daemon.clock.advance(milliseconds: 8 * 3_600_000)
    #expect(try await bench.add("Return the book", id: "a")["changed"] == false)
    await bench.stop()
  }

  @Test("J4 a card without a title is refused by that name; its body may be empty")
  func blankTitle() async throws {
    let bench = try await ProjectBench()
    for title: JSONValue in ["", "  \n", .null, "\u{3000}"] {
      #expect(try await bench.refusal("projects/add", ["title": title]) == "title", "\(title)")
    }
    #expect(try await bench.refusal("projects/add", ["body": "only a body"]) == "title")
    #expect(try await bench.add("title", ["body": ""])["body"] == "")
    let id = try await bench.add("other").id
    for title: JSONValue in ["", " ", .null] {
      #expect(try await bench.refusal("projects/update", ["id": id, "title": title]) == "title")
    }
    let failure = try await bench.client.failure("projects/add", ["title": " "])
    #expect(failure?.code == RPCError.Code.invalidParams)
    await bench.stop()
  }

  @Test(
    "J6 J7 a new card is open for writing at once, a stored one when it is asked for; saving ends that, and so does letting go"
  )
  func editing() async throws {
    let bench = try await ProjectBench(locale: "ko-KR", timeZone: "Asia/Seoul")
    let new = try await bench.client.call("projects/draft")
    #expect(new["editable"] == true && new["isNew"] == true && new["display"]?["heading"] == "할 일")
    #expect(new["display"]?["title"] == "제목 없음" && new["deadline"] == "2026-11-21")
    // Nobody wrote anything yet, so there is nothing to offer.
    #expect(try await bench.client.call("projects/drafts")["total"] == 0)
    _ = try await bench.client.call("projects/draft", ["id": new.id, "title": "책 반납"])
    let drafts = try await bench.client.call("projects/drafts").items
    #expect(drafts.map { $0["title"] } == ["책 반납"])
    let card = try await bench.add("책 반납하기", id: new.id.text)
    #expect(card["editable"] == false)
    #expect(try await bench.client.call("projects/drafts")["total"] == 0)

    try await bench.move(card.id.text, to: "doing")
    let opened = try await bench.client.call("projects/draft", ["id": card.id])
    #expect(opened["title"] == "책 반납하기" && opened["display"]?["heading"] == "진행 중")
    #expect(try await bench.get(card.id.text)["editable"] == true)
    let other = try await bench.daemon.client()
    #expect(try await other.call("projects/get", ["id": card.id])["editable"] == false)
    _ = try await bench.client.call("projects/draft", ["id": card.id, "body": "여섯 시 전에"])
    #expect(try await bench.get(card.id.text)["body"] == "")
    let saved: JSONValue = ["id": card.id, "body": "여섯 시 전에", "ifRevision": opened["revision"]!]
    #expect(try await bench.client.call("projects/update", saved)["editable"] == false)
    #expect(try await bench.client.call("projects/drafts")["total"] == 0)
    await bench.stop()
  }

  @Test("J8 what was opened can always be let go, a stored card and a new one, and nothing of it stays")
  func discarding() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.add("one", ["body": "text"])
    let new = try await bench.client.call("projects/draft", ["title": "two"])
    _ = try await bench.client.call("projects/draft", ["id": card.id, "title": "changed", "deadline": .null])
    let clock = try await bench.client.call("session/sync").clock
    for id in [card.id, new.id] {
      #expect(try await bench.client.call("projects/discardDraft", ["id": id])["removed"] == id)
    }
    let after = try await bench.get(card.id.text)
    #expect(after["title"] == "one" && after["revision"] == card["revision"] && after["editable"] == false)
    #expect(try await bench.refusal("projects/get", ["id": new.id]) == "notFound")
    #expect(try await bench.client.call("session/sync").clock == clock)
    #expect(try await bench.refusal("projects/discardDraft", ["id": card.id]) == "notFound")
    await bench.stop()
  }

  @Test("J7 J8 a draft outlives its editor and the daemon, and another client's save makes it outdated, not lost")
  func draftsOfTwo() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.add("one", id: "a")
    let editor = try await bench.daemon.client(name: "editor")
    _ = try await editor.call("projects/draft", ["id": "a", "title": "mine", "tags": ["x"]])
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "theirs"])
    await editor.close()
    await bench.stop()
    let next = try await ProjectBench(in: bench.daemon.folder)
    let draft = try await next.client.call("projects/drafts").items[0]
    #expect(draft["title"] == "mine" && draft["client"] == "editor" && draft["isOutdated"] == true)
    #expect(draft["tags"] == ["x"] && draft["revision"] == card["revision"])
    let stale: JSONValue = ["id": "a", "title": "mine", "ifRevision": draft["revision"]!]
    let failure = try await next.client.failure("projects/update", stale)
    #expect(failure?.data?["kind"] == "conflict" && failure?.data?["current"]?["title"] == "theirs")
    await next.stop()
  }

  @Test("J7 a client that comes again between draft and save, as two commands do, leaves no draft of the card it added")
  func twoCommands() async throws {
    let bench = try await ProjectBench()
    let shell = ShellSession(daemon: bench.daemon, witness: bench.client)
    let card: JSONValue = ["title": "Return it", "body": "Today.", "tags": ["x"]]
    _ = try await shell.command("projects/draft", card)
    _ = try await shell.command("projects/draft", ["title": "Return it", "deadline": .null])
    _ = try await shell.command("projects/add", card)
    #expect(try await shell.drafts(of: "projects", by: "title") == ["Return it"])
    _ = try await shell.command("projects/add", ["title": "Return it", "deadline": .null])
    #expect(try await shell.drafts(of: "projects", by: "title") == [])
    let draft = try await shell.command("projects/draft", ["title": "Return"])
    _ = try await shell.command("projects/add", ["id": draft.id, "title": "Return the book"])
    #expect(try await shell.drafts(of: "projects", by: "title") == [])
    await bench.stop()
  }

  @Test("J8 a save of other fields than those that were written lets no draft go")
  func partialSaves() async throws {
    let bench = try await ProjectBench()
    try await bench.add("one", id: "a")
    _ = try await bench.client.call("projects/draft", ["id": "a", "body": "not saved", "tags": ["x"]])
    for set: JSONValue in [["priority": 1], ["deadline": "2026-12-24"], ["title": "two"], ["tags": ["x"]]] {
      var params = set.objectValue ?? [:]
      params["id"] = "a"
      _ = try await bench.client.call("projects/update", .object(params))
      #expect(try await bench.client.call("projects/drafts").items.map { $0["body"] } == ["not saved"], "\(set)")
    }
    // The others are saved already; with the body all of it is.
    _ = try await bench.client.call("projects/update", ["id": "a", "body": "saved"])
    #expect(try await bench.client.call("projects/drafts")["total"] == 0)
    _ = try await bench.client.call("projects/draft", ["id": "new", "title": "three", "body": "not saved"])
    try await bench.add("three", id: "new")
    #expect(try await bench.client.call("projects/drafts").items.map { $0["body"] } == ["not saved"])
    await bench.stop()
  }

  @Test("J11 a deadline is written in the medium style of the client's locale, the same day in every zone")
  func medium() async throws {
    let bench = try await ProjectBench(timeZone: "Pacific/Honolulu")
    try await bench.add("x", id: "a", ["deadline": "2020-12-23"])
    #expect(try await bench.get("a")["display"]?["due"] == "Dec 23, 2020")
    let korean = try await bench.daemon.client(locale: "ko-KR", timeZone: "Asia/Seoul")
    #expect(try await korean.call("projects/get", ["id": "a"])["display"]?["due"] == "2020. 12. 23.")
    _ = try await korean.call("session/configure", ["locale": "de-DE"])
    #expect(try await korean.call("projects/get", ["id": "a"])["display"]?["due"] == "23.12.2020")
    try await bench.add("y", id: "b", ["deadline": "9999-12-31"])
    #expect(try await bench.get("b")["display"]?["due"] == "Dec 31, 9999")
    await bench.stop()
  }

  @Test(
    "a list says of a card how urgent it is, how often it comes, and that it waits, in words of the client's language")
  func badges() async throws {
    let bench = try await ProjectBench()
    try await bench.add("plain", id: "a")
    let rule: JSONValue = ["rule": "FREQ=MONTHLY"]
    try await bench.add("full", id: "b", ["priority": 1, "recurrence": rule, "blockedBy": ["a"]])
    try await bench.add("odd", id: "c", ["recurrence": ["rule": "FREQ=WEEKLY;INTERVAL=2"]])
    try await bench.add("work", id: "d", ["recurrence": ["rule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"]])
    try await bench.add("visit", id: "e", ["recurrence": ["rule": "FREQ=YEARLY;INTERVAL=3"]])
    func badges(_ client: Client) async throws -> [String: [String]] {
      let items = try await client.call("projects/list").items
      return Dictionary(
        uniqueKeysWithValues: items.map { ($0.id.text, ($0["display"]?["badges"]).list.map(\.text)) })
    }
    #expect(
      try await badges(bench.client) == [
        "a": [], "b": ["P1", "monthly", "waits"], "c": ["every 2 weeks"], "d": ["weekdays"], "e": ["every 3 years"],
      ])
    let korean = try await bench.daemon.client(locale: "ko-KR")
    #expect(try await badges(korean)["b"] == ["P1", "매월", "대기"])
    #expect(try await badges(korean)["c"] == ["2주마다"])
    // Nothing is waited for that is done, nor by what is.
    try await bench.move("a", to: "done")
    #expect(try await badges(bench.client)["b"] == ["P1", "monthly"])
    await bench.stop()
  }

  @Test("a time is taken as people say it and kept as one of the day; what is none is refused by its name")
  func times() async throws {
    let bench = try await ProjectBench()
    for (said, kept) in [
      ("18:30", "18:30"), ("9:00", "09:00"), ("9am", "09:00"), ("12 AM", "00:00"), ("12:15pm", "12:15"),
      ("6:30 p.m.", "18:30"), ("오후 6시 30분", "18:30"), ("오전 12시", "00:00"), ("18시 반", "18:30"), ("오후 6:05", "18:05"),
      ("noon", "12:00"), ("정오", "12:00"), ("９：００", "09:00"), ("오후 0시 30분", "12:30"),
      ("오전 0시", "00:00"), ("오후 0:30", "12:30"), ("오후 12시", "12:00"), ("저녁 7시", "19:00"), ("밤 11시", "23:00"),
      ("새벽 2시", "02:00"), ("아침 8시 반", "08:30"), ("낮 12시", "12:00"), ("낮 1시", "13:00"), ("오후 세 시 반", "15:30"),
      ("저녁 일곱 시 삼십오 분", "19:35"), ("열두 시", "12:00"), ("오후 6시까지", "18:00"), ("저녁 7:30", "19:30"),
      ("午後3時", "15:00"), ("午後3時半", "15:30"), ("15時30分", "15:30"), ("午前九時十五分", "09:15"), ("夜8時", "20:00"),
      ("朝7時に", "07:00"), ("正午", "12:00"), ("下午3点", "15:00"), ("下午三点半", "15:30"), ("晚上八點", "20:00"),
      ("上午十点一刻", "10:15"), ("下午两点零五分", "14:05"), ("三点二十", "03:20"), ("十点钟", "10:00"), ("中午12点", "12:00"),
      ("凌晨两点", "02:00"), ("二十三時五十九分", "23:59"), ("１５時", "15:00"), ("오후 15시", "15:00"),
      // The moment in which its day begins, as 12am is.
      ("midnight", "00:00"), ("자정", "00:00"), ("真夜中", "00:00"), ("午夜", "00:00"),
    ] {
      #expect(try await bench.add("x", ["time": .string(said)])["time"].text == kept, "\(said)")
    }
    for none in [
      "9", "24:00", "9:60", "13pm", "0am", "오후 9am", "soon", "9:5", " ", "밤 12시", "밤 1시", "오전 13시", "24時", "3시 60분",
      "3시 5", "百点",
      "시", "点半", "저녁", "저녁 9am", "오후 오후 3시", "十十点",
    ] {
      #expect(try await bench.refusal("projects/add", ["title": "x", "time": .string(none)]) == "time", "\(none)")
    }
    let id = try await bench.add("y", id: "y").id
    #expect(try await bench.client.call("projects/update", ["id": id, "time": "7pm"])["time"] == "19:00")
    #expect(try await bench.client.call("projects/draft", ["id": id, "time": "8:00"])["time"] == "08:00")
    await bench.stop()
  }

  @Test("J12 of a body the first three lines are shown beside the title, or as many as are asked for")
  func preview() async throws {
    let bench = try await ProjectBench()
    try await bench.add("x", id: "a", ["body": "\n  \none\r\ntwo\rthree\nfour\nfive"])
    #expect(try await bench.get("a")["preview"] == "one\ntwo\nthree")
    let asked = try await bench.client.call("projects/get", ["id": "a", "preview": ["lines": 4]])
    #expect(asked["preview"] == "one\ntwo\nthree\nfour")
    #expect(try await bench.client.call("projects/list", ["preview": ["lines": 1]]).items[0]["preview"] == "one")
    let none = try await bench.client.call("projects/board", ["preview": ["lines": 0]])["columns"].list[0]
    #expect(none["items"].list[0]["preview"] == "")
    try await bench.add("y", id: "b", ["body": .string(String(repeating: "가", count: 5_000))])
    #expect(try await bench.get("b")["preview"].text.unicodeScalars.count == 300)
    try await bench.add("z", id: "c", ["body": "only\n\n\n"])
    #expect(try await bench.get("c")["preview"] == "only")
    #expect(try await bench.refusal("projects/get", ["id": "a", "preview": ["lines": 21]]) == "preview.lines")
    await bench.stop()
  }

  @Test("J16 a card is saved under its id: once however often the add comes, and then replaced by updates")
  func upsert() async throws {
    let bench = try await ProjectBench()
    let card = try await bench.add("one", id: "a", ["body": "text", "tags": ["x"]])
    bench.daemon.clock.advance(milliseconds: 30 * 3_600_000)
    let again = try await bench.add("one", id: "a", ["body": "text", "tags": [" x ", "x"]])
    #expect(again["revision"] == card["revision"] && again["changed"] == false)
    let failure = try await bench.client.failure("projects/add", ["id": "a", "title": "other"])
    #expect(failure?.data?["kind"] == "exists" && failure?.data?["current"]?["title"] == "one")
    let replaced = try await bench.client.call("projects/update", ["id": "a", "title": "other", "body": .null])
    #expect(replaced["title"] == "other" && replaced["body"] == "" && replaced["tags"] == ["x"])
    func weekly(from origin: JSONValue) -> JSONObject { ["recurrence": ["rule": "FREQ=WEEKLY", "from": origin]] }
    let recurring = try await bench.add("week", id: "w", weekly(from: "due"))
    bench.daemon.clock.advance(milliseconds: 30 * 3_600_000)
    #expect(try await bench.add("week", id: "w", weekly(from: "due"))["revision"] == recurring["revision"])
    var other = weekly(from: "completion")
    (other["id"], other["title"]) = ("w", "week")
    #expect(try await bench.refusal("projects/add", .object(other)) == "exists")
    #expect(try await bench.board()["todo"] == ["a", "w"])
    await bench.stop()
  }

  @Test("a card's fields stay where they are not given, and null clears them")
  func patching() async throws {
    let bench = try await ProjectBench()
    try await bench.add("one", id: "b")
    try await bench.add(
      "two", id: "a",
      [
        "deadline": "2026-12-24", "time": "09:00", "tags": ["x"], "blockedBy": ["b"], "priority": 1,
        "recurrence": ["rule": "FREQ=DAILY", "from": "completion"],
      ])
    let kept = try await bench.client.call("projects/update", ["id": "a", "title": "three"])
    #expect(kept["deadline"] == "2026-12-24" && kept["tags"] == ["x"] && kept["blocked"] == true)
    #expect(kept["recurrence"]?["rule"] == "FREQ=DAILY")
    let cleared = try await bench.client.call(
      "projects/update",
      ["id": "a", "deadline": .null, "tags": .null, "blockedBy": .null, "priority": .null, "recurrence": .null])
    for field in ["deadline", "time", "priority", "recurrence"] { #expect(cleared[field] == nil, "\(field)") }
    #expect(cleared["tags"] == [] && cleared["blockedBy"] == [] && cleared["blocked"] == false)
    #expect(try await bench.client.call("projects/update", ["id": "a"])["changed"] == false)
    await bench.stop()
  }

  @Test("updates of different fields merge, of the same field the later holds and the earlier is in the history")
  func merging() async throws {
    let bench = try await ProjectBench()
    let other = try await bench.daemon.client(name: "other")
    let card = try await bench.add("one", id: "a")
    _ = try await bench.client.call("projects/update", ["id": "a", "title": "two"])
    _ = try await other.call("projects/update", ["id": "a", "body": "theirs"])
    let merged = try await bench.client.call("projects/update", ["id": "a", "title": "three"])
    #expect(merged["title"] == "three" && merged["body"] == "theirs")
    let history = try await other.call("changes/history", ["collection": "projects", "id": "a"])
    #expect(history.items.compactMap { $0["before"]?["title"] } == ["two", "one"])
    for method in ["projects/update", "projects/remove"] {
      let stale: JSONValue = ["id": "a", "ifRevision": card["revision"]!]
      #expect(try await other.failure(method, stale)?.data?["current"]?["title"] == "three")
    }
    await bench.stop()
  }

  @Test(
    "emoji, composed and decomposed Hangul are kept byte for byte; NUL, line ends and lone surrogates are refused by name"
  )
  func texts() async throws {
    let bench = try await ProjectBench()
    let titles = ["👩‍👩‍👧‍👦 가족 🎉", "한국어", "\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}\u{110B}\u{1165}", "é", "e\u{301}"]
    for (index, title) in titles.enumerated() {
      try await bench.add(title, id: "t\(index)", ["body": .string(title + "\r\n")])
      let card = try await bench.get("t\(index)")
      #expect(Array(card["title"].text.utf8) == Array(title.utf8))
      #expect(Array(card["body"].text.utf8) == Array((title + "\r\n").utf8))
    }
    // Equal for Swift, and yet another title.
    let changed = try await bench.client.call("projects/update", ["id": "t3", "title": "e\u{301}"])
    #expect(changed["changed"] != false)
    #expect(try await bench.refusal("projects/add", ["title": "a\u{0}b"]) == "title")
    #expect(try await bench.refusal("projects/add", ["title": "a", "body": "a\u{0}b"]) == "body")
    #expect(try await bench.refusal("projects/add", ["title": "a\nb"]) == "title")
    let socket = try RawSocket(connectingTo: bench.daemon.socket)
    socket.write(#"{"jsonrpc":"2.0","id":1,"method":"projects/add","params":{"title":"a\ud800b"}}"# + "\n")
    socket.endInput()
    let reply = try JSONParser.parse(try await socket.readToEnd())
    #expect(reply["error"]?["code"] == -32602 && reply["error"]?["data"]?["field"] == "title")
    #expect(try await bench.client.call("projects/board")["total"] == 5)
    await bench.stop()
  }

  @Test("what cannot be is refused by the name of its field, and nothing of it is written")
  func badInput() async throws {
    let bench = try await ProjectBench()
    try await bench.add("one", id: "a")
    let clock = try await bench.client.call("session/sync").clock
    let bad: [(String, JSONValue, String)] = [
      ("projects/get", ["id": "zz"], "notFound"), ("projects/update", ["id": "zz", "title": "x"], "notFound"),
      ("projects/remove", ["id": "zz"], "notFound"), ("projects/draft", ["id": "a b"], "id"),
      ("projects/add", ["title": "x", "deadline": "2026-02-29"], "deadline"),
      ("projects/add", ["title": "x", "deadline": "10000-01-01"], "deadline"),
      ("projects/add", ["title": "x", "deadline": "0000-01-01"], "deadline"),
      ("projects/list", ["from": "0000-12-31"], "from"), ("diary/add", ["text": "x", "day": "0000-02-29"], "day"),
      ("diary/list", ["to": "0000-01-01"], "to"), ("diary/day", ["day": "0000-01-01"], "day"),
      ("projects/add", ["title": "x", "deadline": "tomorrow 5pm"], "deadline"),
      ("projects/add", ["title": "x", "deadline": "tommorow"], "deadline"),
      ("projects/add", ["title": "x", "deadline": ""], "deadline"),
      ("projects/update", ["id": "a", "deadline": "2026-13-01"], "deadline"),
      ("projects/add", ["title": "x", "time": "24:00"], "time"),
      ("projects/add", ["title": "x", "deadline": .null, "time": "09:00"], "time"),
      ("projects/update", ["id": "a", "deadline": .null, "time": "09:00"], "time"),
      ("projects/add", ["title": "x", "priority": 0], "priority"),
      ("projects/add", ["title": "x", "tags": ["ok", " "]], "tags[1]"),
      ("projects/add", ["title": "x", "tags": ["a\nb"]], "tags[0]"),
      ("projects/add", ["title": "x", "state": "doing"], "state"),
      ("projects/add", ["title": .string(String(repeating: "a", count: 1_001))], "title"),
      ("projects/add", ["title": "x", "body": .string(String(repeating: "a", count: 1_000_001))], "body"),
      ("projects/add", ["title": "x", "recurrence": ["rule": "FREQ=HOURLY"]], "recurrence.rule"),
      ("projects/add", ["title": "x", "deadline": .null, "recurrence": ["rule": "FREQ=DAILY"]], "recurrence"),
      ("projects/list", ["limit": 0], "limit"), ("projects/list", ["after": "x"], "after"),
    ]
    for (method, params, expected) in bad {
      #expect(try await bench.refusal(method, params) == expected, "\(method) \(params)")
    }
    #expect(try await bench.client.call("session/sync").clock == clock)
    await bench.stop()
  }
}
