import Display
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("Replies as people read them on a terminal", .timeLimit(.minutes(10))) struct TableTests {
  private func text(_ reply: JSONValue, width: Int = 80, inColors: Bool = false) -> String? {
    let say: (Text) -> String = { text in
      let shown = ["shown", "count", "page"].lazy.compactMap { text.arguments[$0] }.first
      return "\(text.key) \(shown ?? "")"
    }
    let screen = Screen(width: width, ink: Ink(isOn: inColors), zone: .utc, say: say)
    return ReplyTable(reply, say: say)?.text(on: screen)
  }

  private static func card(_ title: String, _ day: String?, _ more: JSONObject = [:]) -> JSONValue {
    var card: JSONObject = ["id": "0193", "title": .string(title), "display": ["state": "TODO"]]
    if let day { card["display"] = ["state": "TODO", "day": .string(day)] }
    for member in more.members { card[member.key] = member.value }
    return .object(card)
  }

  @Test("a board has its columns below each other, what is late is marked, and wide letters take two columns")
  func board() {
    let reply: JSONValue = [
      "columns": [
        [
          "state": "todo", "title": "TODO", "count": 3, "next": "x",
          "items": [
            Self.card("책 반납", "yesterday", ["overdue": true, "tags": ["errands"]]),
            Self.card("Read", "today", ["preview": "Page one."]),
          ],
        ], ["state": "done", "title": "DONE", "count": 0, "items": []],
      ], "total": 3,
    ]
    #expect(
      text(reply, width: 60) == """
        TODO  3
        ! yesterday  책 반납  #errands   0193
          today      Read     Page one.  0193
        table.next 2

        DONE  0

        """)
    let colored = text(reply, width: 60, inColors: true) ?? ""
    #expect(colored.contains("\u{1B}[1mTODO  3\u{1B}[0m") && colored.contains("\u{1B}[31m!\u{1B}[0m"))
  }

  @Test(
    "a text that begins with the words of its title loses none of them, and a title that is its first line is shown once"
  )
  func titleInText() {
    let items: JSONValue = [
      Self.card("Dune", nil, ["preview": "Dune is a book."]), Self.card("Emma", nil, ["text": "Emma\n\nBy Austen."]),
    ]
    let shown = text(["items": items]) ?? ""
    #expect(shown.contains("Dune is a book.") && shown.contains("By Austen."), "\(shown)")
    #expect(shown.components(separatedBy: "Emma").count == 2, "\(shown)")
  }

  @Test("a heading stands below what it is part of, with its page; a link is told by where it leads")
  func placesOfDocuments() {
    func heading(_ title: String, _ depth: Int64, page: Int64) -> JSONValue {
      [
        "title": .string(title), "depth": .integer(depth), "open": true,
        "target": ["kind": "page", "page": .integer(page)],
      ]
    }
    #expect(
      text(["items": [heading("One", 0, page: 4), heading("Of it", 1, page: 6), heading("Two", 0, page: 9)]])
        == "  One      table.page 5\n    Of it  table.page 7\n  Two      table.page 10\n")
    let links: JSONValue = [
      "page": 2,
      "items": [
        ["quad": [1], "target": ["kind": "uri", "uri": "https://example.org/a"]],
        ["quad": [1], "target": ["kind": "page", "page": 6, "label": "7 / 12"]],
        ["quad": [1], "target": ["kind": "none"]],
      ],
    ]
    #expect(
      text(links) == """
          https://example.org/a
          7 / 12                 table.page 7
          none

        """)
  }

  @Test("a list and a day are told by their shape; no other reply is a table of items")
  func shapes() {
    let list: JSONValue = ["items": [Self.card("A", nil)], "total": 1, "hasMore": false]
    #expect(text(list) == "  TODO  A  0193\n")
    #expect(text(["items": [], "total": 0]) == "table.none \n")
    let day: JSONValue = [
      "day": "2026-11-21", "hasMore": true, "display": ["date": "Nov 21, 2026", "day": "today"],
      "entries": [
        [
          "id": "1", "title": "A walk", "preview": "",
          "display": ["title": "A walk", "time": "3:04 AM", "day": "today", "dayTime": "3:04 AM"],
        ],
        ["id": "3", "title": "A dream", "display": ["title": "A dream", "time": "9:00 AM", "day": "today"]],
      ],
      "items": [["id": "2", "title": "Card", "display": ["title": "Card", "kind": "due"]]],
    ]
    #expect(
      text(day) == """
        Nov 21, 2026, today
          3:04 AM       A walk   1
                        A dream  3
                   due  Card     2
        table.more 3

        """)
    for reply: JSONValue in [
      ["clock": 1], ["columns": [["state": "todo", "title": "TODO", "count": 1]]], ["items": [1, 2]],
      ["items": ["not": "a list"]],
    ] {
      #expect(text(reply) == nil)
    }
  }

  private static let long = "0192f0c1-7b1e-7000-8000-000000000000"

  @Test("a list tells the time of a day: of an entry where there is room for it, of a deadline always")
  func times() {
    func list(_ title: String, isDue: Bool) -> JSONValue {
      var display: JSONObject = ["day": "today", "dayTime": "6:30 PM"]
      display["title"] = .string(title)
      if isDue { display["due"] = "Nov 21, 2026, 6:30 PM" }
      return ["items": [["id": .string(Self.long), "title": .string(title), "display": .object(display)]], "total": 1]
    }
    #expect(text(list("A walk", isDue: false)) == "  today  6:30 PM  A walk  \(Self.long)\n")
    let title = "A walk along the river bank"
    #expect(text(list(title, isDue: false)) == "  today  \(title)  \(Self.long)\n")
    #expect(text(list(title, isDue: true)) == "  today  6:30 PM  \(title)\n    \(Self.long)\n")
  }

  @Test("a card shows its priority, that it comes again and that it waits")
  func cardBadges() {
    let card: JSONValue = [
      "id": "7", "title": "Rent", "display": ["state": "TODO", "day": "today", "badges": ["P1", "monthly", "waits"]],
    ]
    #expect(text(["items": [card], "total": 1]) == "  today  TODO, P1, monthly, waits  Rent  7\n")
    let column: JSONValue = ["state": "todo", "title": "TODO", "count": 1, "items": [card]]
    #expect(text(["columns": [column]]) == "TODO  1\n  today  P1, monthly, waits  Rent  7\n")
  }

  @Test("a commit is one line, with what it was about, what came of it, and its clock as an undo takes it")
  func log() {
    func commit(_ clock: Int64, _ label: String, _ title: String, _ undo: String?) -> JSONValue {
      var display: JSONObject = ["title": .string(title), "day": "yesterday", "dayTime": "11:30 PM"]
      if let undo { display["undo"] = .string(undo) }
      return [
        "clock": .integer(clock), "client": "commonplace", "label": .string(label), "at": "2026-11-21T01:44:05.678Z",
        "undoable": .bool(undo == nil), "display": .object(display),
      ]
    }
    #expect(
      text(
        [
          "items": [
            commit(43, "changes/undo", "A walk", "undo of 42"), commit(42, "diary/update", "A walk", "undone by 43"),
            commit(41, "projects/import", "책 반납 외 3개", nil),
          ], "total": 3,
        ], width: 100) == """
            yesterday  11:30 PM  changes/undo     A walk          commonplace  undo of 42    clock=43
            yesterday  11:30 PM  diary/update     A walk          commonplace  undone by 43  clock=42
            yesterday  11:30 PM  projects/import  책 반납 외 3개  commonplace                clock=41

          """)
    let long = String(repeating: "word ", count: 20)
    let lines = text(["items": [commit(42, "documents/toggleBookmark", long, "undone by 43")], "total": 1]) ?? ""
    #expect(lines.split(separator: "\n").count == 1 && lines.hasSuffix("  clock=42\n"), "\(lines)")
    #expect(lines.contains("documents/toggleBookmark") && lines.contains("undone by 43"), "\(lines)")
  }

  @Test("what an undo did to an item is said whole; its id gives way")
  func undoneWords() {
    let entry: JSONValue = [
      "collection": "diary", "id": .string(Self.long), "kind": "removed",
      "display": ["title": "One line about the rain", "kind": "gone again for ever"],
    ]
    let say: (Text) -> String = { $0.arguments["what"] ?? "" }
    let screen = Screen(width: 80, ink: Ink(isOn: false), zone: .utc, say: say)
    let shown = ReplyTable(["items": [entry], "total": 1], say: say)?.text(on: screen)
    #expect(shown == "  gone again for ever  One line about the rain\n    \(Self.long)\n")
  }

  @Test("the end of a list is no beginning: only where more follows it is said, whatever the total is")
  func endOfList() {
    let last: JSONValue = ["items": [Self.card("A", nil)], "offset": 60, "total": 61, "hasMore": false]
    #expect(text(last) == "  TODO  A  0193\n")
    let behind: JSONValue = ["items": [], "offset": 20, "total": 61, "totalIsEstimate": true, "hasMore": true]
    #expect(text(behind) == "table.noneMore \n")
    let first: JSONValue = [
      "items": [Self.card("A", nil)], "offset": 0, "total": 1, "totalIsEstimate": true, "hasMore": true, "next": "n",
    ]
    // “1 of 1, and more” would contradict itself.
    #expect(text(first) == "  TODO  A  0193\ntable.perhaps 1\n")
    var counted = first.objectValue ?? [:]
    counted["total"] = 2
    #expect(text(.object(counted)) == "  TODO  A  0193\ntable.nextAbout 1\n")
    counted["totalIsEstimate"] = false
    #expect(text(.object(counted)) == "  TODO  A  0193\ntable.next 1\n")
  }

  @Test("a day that is not shown whole names the offset with which it goes on")
  func restOfDay() throws {
    let day: JSONValue = [
      "day": "2026-11-21", "entries": [], "items": [Self.card("A", nil), Self.card("B", nil)], "offset": 2,
      "hasMore": true, "display": ["date": "Nov 21, 2026", "day": "today"],
    ]
    for (locale, footer) in [
      ("en-US", "2 are shown; more with offset=4"), ("ko-KR", "2개를 표시했습니다. offset=4로 더 볼 수 있습니다."),
    ] {
      let voice = try Voice(environment: [:], locale: locale)
      let screen = Screen(width: 80, ink: Ink(isOn: false), zone: .utc, say: { voice.sentence($0) })
      #expect(ReplyTable(day, say: screen.say)?.text(on: screen).hasSuffix("\n\(footer)\n") == true)
    }
  }

  @Test("below a list a number that was only guessed is said to be one, as above it")
  func estimates() throws {
    let list: JSONValue = [
      "items": [Self.card("A", nil)], "offset": 0, "total": 5_000, "totalIsEstimate": true, "hasMore": true,
      "next": "n", "display": ["heading": "about 5000 found"],
    ]
    for (locale, footer) in [
      ("en-US", "1 of about 5,000 is shown; more with after=n"),
      ("ko-KR", "약 5,000개 가운데 1개를 표시했습니다. after=n로 더 볼 수 있습니다."),
    ] {
      let voice = try Voice(environment: [:], locale: locale)
      let screen = Screen(width: 80, ink: Ink(isOn: false), zone: .utc, say: { voice.sentence($0) })
      let shown = ReplyTable(list, say: screen.say)?.text(on: screen)
      #expect(shown == "about 5000 found\n  TODO  A  0193\n\(footer)\n")
    }
  }

  @Test("where not everything fits, whose book it is and which edition stay, and what others think of it goes first")
  func editions() {
    let book: JSONValue = [
      "id": "google.klMWVELASj0C",
      "display": [
        "title": "F. Scott Fitzgerald's the Great Gatsby", "authors": "Harold Bloom and 1 other",
        "readersRating": "readers 4.0 (9)", "edition": "2010, Infobase Publishing",
      ],
    ]
    let list: JSONValue = ["items": [book], "total": 1]
    let narrow = text(list) ?? ""
    #expect(narrow.contains("Harold") && narrow.contains("2010, Infob"), "\(narrow)")
    #expect(!narrow.contains("readers"), "\(narrow)")
    let wide = text(list, width: 140) ?? ""
    #expect(wide.contains("readers 4.0 (9)  2010, Infobase Publishing  google.klMWVELASj0C"), "\(wide)")
  }

  @Test("what a reply says of sources that failed stands above its items, and instead of “nothing”")
  func problems() {
    let failure: JSONValue = [
      "kind": "httpStatus", "message": "It answered with status 503.", "advice": "Try again later.",
    ]
    let kept: JSONValue = ["items": [Self.card("A", nil)], "total": 1, "failure": failure]
    #expect(text(kept) == "! It answered with status 503. Try again later.\n  TODO  A  0193\n")
    let warned: JSONValue = [
      "items": [Self.card("A", nil)], "total": 1, "hint": "Title or author",
      "warnings": [["kind": "keyNeeded", "display": "It wants a key.", "advice": "Make one."]],
      "display": ["heading": "Results (1)", "hint": "Title or author"],
    ]
    #expect(text(warned) == "! It wants a key. Make one.\nResults (1)\n  TODO  A  0193\n")
    #expect(text(["items": [], "total": 0, "failure": failure])?.hasSuffix("later.\ntable.noneKept \n") == true)
    #expect(text(["items": [], "total": 0, "hint": "There are no posts."]) == "There are no posts.\n")
    #expect(text(["items": [Self.card("A", nil)], "total": 1, "hint": "Offline."]) == "  TODO  A  0193\nOffline.\n")
    #expect(
      text(["items": [], "total": 0, "hint": "Title", "display": ["hint": "Title", "state": "Nothing was found."]])
        == "Nothing was found.\n")
  }

  @Test("posts have their marks and writers, books their authors, status and stars, sources and boards what is unread")
  func columns() {
    func post(_ id: String, _ read: Bool, _ saved: Bool, _ badges: JSONValue, _ listed: JSONValue?) -> JSONValue {
      var display: JSONObject = ["title": "Lunch", "writer": "Ann", "date": "Nov 2", "badges": badges]
      if let listed { display["listed"] = listed }
      return ["id": .string(id), "read": .bool(read), "saved": .bool(saved), "display": .object(display)]
    }
    #expect(
      text([
        "items": [post("1", false, true, ["New", "Notice"], nil), post("2", true, false, [], "Nov 9")], "total": 2,
      ])
        == """
        • Nov 2  ★ New, Notice  Lunch  Ann  1
          Nov 9                 Lunch  Ann  2

        """)
    let book: JSONValue = [
      "id": "7", "shelf": ["tags": ["winter"]],
      "display": [
        "title": "Human Acts", "authors": "Han Kang", "status": "reading", "stars": "★★★", "ownStars": "★★★★½",
        "progress": "50 %",
      ],
    ]
    #expect(text(["items": [book], "total": 1]) == "  reading  Human Acts  Han Kang  ★★★★½ 50 %  #winter  7\n")
    let source: JSONValue = [
      "id": "3", "unread": 12, "failure": ["message": "It rests.", "advice": "Wait."],
      "display": ["title": "News", "kind": "RSS"],
    ]
    #expect(
      text(["items": [source], "total": 1])
        == "! RSS  News  table.unread 12  It rests. Wait.  3\n! News: It rests. Wait.\n")
    let document: JSONValue = ["id": "5", "title": "A paper", "display": ["position": "3 / 12", "size": "1 KB"]]
    #expect(text(["items": [document], "total": 1]) == "  A paper  3 / 12  5\n")
    let board: JSONValue = ["id": "4", "unread": 0, "display": ["title": "Notices", "source": "The groupware"]]
    #expect(text(["items": [board], "total": 1]) == "  Notices  The groupware  4\n")
  }

  @Test("what a search found is shown with what it is and the words around it, and what found nothing by its own words")
  func hits() {
    let hit: JSONValue = [
      "collection": "documents", "id": "0192", "title": "A paper", "titleRanges": [], "snippet": "the slow\nriver",
      "ranges": [["offset": 4, "length": 4]], "page": 2,
      "display": ["title": "A paper", "kind": "Documents", "date": "Nov 21, 2026", "page": "p. 3"],
    ]
    #expect(
      text(["items": [hit], "total": 1, "display": ["heading": "1 found"]]) == """
        1 found
          Nov 21, 2026  Documents  A paper  p. 3  the slow river  0192

        """)
    #expect(text(["items": [], "total": 0, "display": ["message": "Nothing\nwas found."]]) == "Nothing was found.\n")
  }

  @Test("what a search says of its question is a line of its own, below what it found and below that it found nothing")
  func hints() {
    let display: JSONObject = ["hint": "No field is called tilte. Did you mean title?"]
    var found = display
    found["heading"] = "1 found"
    #expect(
      text(["items": [Self.card("A", nil)], "total": 1, "display": .object(found)]) == """
        1 found
          TODO  A  0193
        No field is called tilte. Did you mean title?

        """)
    var none = display
    none["message"] = "Nothing was found."
    #expect(
      text(["items": [], "total": 0, "display": .object(none)], width: 30) == """
        Nothing was found.
        No field is called tilte. Did
        you mean title?

        """)
  }

  @Test("what a search found is shown at every width, on a line of its own where a long id leaves no room")
  func foundPieces() {
    let id = "0192f0c1-7b1e-7000-8000-000000000000"
    let hit: JSONValue = [
      "collection": "diary", "id": .string(id), "title": "항목 7979. the river 독서 기록 7979 번째 이야기", "titleRanges": [],
      "snippet": "강가에서 독서를 오래 하고 돌아왔다. 내일도 가야겠다.", "ranges": [["offset": 5, "length": 2]],
      "display": ["title": "항목 7979. the river 독서 기록 7979 번째 이야기", "kind": "일기", "date": "2019. 12. 28."],
    ]
    let list: JSONValue = ["items": [hit], "total": 1]
    for width in 40...200 {
      let shown = text(list, width: width) ?? ""
      #expect(shown.contains("강가에서 독서를") && shown.contains(id), "\(width): \(shown)")
      for line in shown.split(separator: "\n") { #expect(TextWidth.columns(of: line) <= width, "\(width): \(line)") }
    }
  }

  @Test("no line is wider than the terminal, and an id that has no room beside the title stands whole below it")
  func narrow() {
    let title = "아주 긴 제목이 여기에 있습니다 그리고 계속됩니다"
    let id = "0192f0c1-7b1e-7000-8000-000000000000"
    let list: JSONValue = [
      "items": [Self.card(title, "tomorrow", ["id": .string(id), "preview": "more"])], "total": 1,
    ]
    for width in [20, 30, 40, 60, 72, 80, 120, 200] {
      let lines = (text(list, width: width) ?? "").split(separator: "\n")
      #expect(lines.count == (width < 120 ? 2 : 1), "\(width): \(lines)")
      #expect(lines.last?.contains(id) == true, "\(width): \(lines)")
      #expect(lines.first?.contains("아주") == true)
      for line in lines where width >= 40 { #expect(TextWidth.columns(of: line) <= width, "\(width): \(line)") }
    }
  }

  @Test("a long id goes below rather than the title is cut short, and beside it stands what else there is to say")
  func importance() {
    let book: JSONValue = [
      "id": "0192f0c1-7b1e-7000-8000-000000000000", "shelf": ["tags": ["winter"]], "text": "In the midst of it.",
      "display": [
        "title": "Human Acts, a novel of a city", "authors": "Han Kang", "status": "reading", "ownStars": "★★★★½",
        "progress": "50 %",
      ],
    ]
    let list: JSONValue = ["items": [book], "total": 1]
    #expect(
      text(list) == """
          reading  Human Acts, a novel of a city  Han Kang  ★★★★½ 50 %
            0192f0c1-7b1e-7000-8000-000000000000  #winter In the midst of it.

        """)
    #expect(
      text(list, width: 60) == """
          reading  Human Acts, a novel of a c…  Han Kang  ★★★★½ 50 %
            0192f0c1-7b1e-7000-8000-000000000000  #winter In the mi…

        """)
  }

  @Test("posts have their writers on every page, whatever is on it, and their ids stand in the same place")
  func pagesOfPosts() {
    let id = "0192f0c1-7b1e-7000-8000-000000000000"
    func page(_ title: String, _ badges: JSONValue, _ date: String) -> JSONValue {
      let display: JSONValue = [
        "title": .string(title), "writer": "Ann Author", "date": .string(date), "badges": badges,
      ]
      return ["items": [["id": .string(id), "display": display]], "total": 1]
    }
    let long = "A title that is longer than any terminal of eighty columns has room for beside the rest"
    let pages = [
      page("Lunch", [], "Nov 2"), page("Lunch", ["New"], "Nov 21, 2025"), page(long, [], "3:04 AM"),
      page(long, ["New", "Notice"], "Nov 21, 2025"),
    ]
    for width in [60, 72, 80, 100, 111, 112, 120] {
      for page in pages {
        let lines = (text(page, width: width) ?? "").split(separator: "\n")
        #expect(lines.first?.contains("Ann") == true, "\(width): \(lines)")
        #expect(lines.count == (width < 112 ? 2 : 1) && lines.last?.contains(id) == true, "\(width): \(lines)")
      }
    }
    #expect(
      text(pages[0]) == """
          Nov 2  Lunch  Ann Author
            0192f0c1-7b1e-7000-8000-000000000000

        """)
  }

  @Test("a search that was made is a row, and so is a draft: who keeps it and whether it is outdated, its title once")
  func searchesAndDrafts() {
    let search: JSONValue = [
      "id": "s1", "text": "sea", "scope": "boards", "searchedAt": "2026-11-21T01:44:05.678Z",
      "display": ["target": "Titles", "count": "3 found", "date": "Nov 21"],
    ]
    #expect(text(["items": [search], "total": 1]) == "  Nov 21  Titles  sea  3 found  s1\n")
    let draft: JSONValue = [
      "id": "d1", "client": "nvim", "isNew": false, "isOutdated": true, "text": "A walk\n\nAlong.",
      "display": ["heading": "Nov 21", "title": "A walk"],
    ]
    #expect(text(["items": [draft], "total": 1]) == "  Nov 21  table.outdated  A walk  nvim  Along.  d1\n")
  }

  @Test("a saved search tells its whole question and how much it finds, and a broken link what it is and why")
  func savedSearchesAndLinks() {
    let saved: JSONValue = [
      "id": "s2", "title": "Sea", "text": "Sea in:diary", "count": 3, "countIsEstimate": false,
      "display": ["title": "Sea", "count": "3 found"],
    ]
    #expect(text(["items": [saved], "total": 1]) == "  Sea  3 found  Sea in:diary  s2\n")
    let link: JSONValue = [
      "collection": "diary", "id": "e1", "title": "A long day", "field": "text", "snippet": "of [[No book]] and",
      "ranges": [["offset": 3, "length": 11]], "written": "[[No book]]", "trouble": "unknown",
      "display": ["title": "A long day", "trouble": "Nothing has this title."],
    ]
    #expect(
      text(["items": [link], "total": 1]) == "  [[No book]]  A long day  Nothing has this title.  e1\n")
  }

  @Test("a warning that is wider than the terminal is wrapped")
  func longWarning() {
    let advice = String(repeating: "word ", count: 60)
    let warned: JSONValue = ["items": [], "total": 0, "warnings": [["display": .string(advice)]]]
    for line in (text(warned) ?? "").split(separator: "\n") { #expect(TextWidth.columns(of: line) <= 80, "\(line)") }
  }

  @Test("posts of several boards say on which they stand")
  func boards() {
    func post(_ id: String, _ board: String) -> JSONValue {
      ["id": .string(id), "boardDisplayName": .string(board), "display": ["title": "Lunch", "writer": "Ann"]]
    }
    #expect(
      text(["items": [post("1", "Notices"), post("2", "Market")], "total": 2]) == """
          Lunch  Ann · Notices  1
          Lunch  Ann · Market   2

        """)
    #expect(text(["items": [post("1", "Notices")], "total": 1]) == "  Lunch  Ann  1\n")
  }

  @Test("what a search found is strong where it stands, in the title or in the piece of the text that has it")
  func found() {
    func post(_ matches: JSONValue) -> JSONValue {
      [
        "items": [
          [
            "id": "1", "preview": "Long before.", "matches": matches,
            "display": ["title": "점심 Lunch", "writer": "Ann"],
          ]
        ], "total": 1,
      ]
    }
    let inTitle: JSONValue = [["field": "title", "text": "점심 Lunch", "ranges": [["offset": 3, "length": 5]]]]
    #expect(
      text(post(inTitle), inColors: true)
        == "  점심 \u{1B}[1mLunch\u{1B}[0m  Ann  \u{1B}[2mLong before.\u{1B}[0m  \u{1B}[2m1\u{1B}[0m\n")
    let inText: JSONValue = [
      ["field": "contents", "text": "at \u{1B}noon", "ranges": [["offset": 4, "length": 4]], "cutBefore": true]
    ]
    #expect(
      text(post(inText), inColors: true)
        == "  점심 Lunch  Ann  \u{1B}[2m… at \u{1B}[0m\u{1B}[1mnoon\u{1B}[0m  \u{1B}[2m1\u{1B}[0m\n")
    #expect(text(post(inText)) == "  점심 Lunch  Ann  … at noon  1\n")
    let wrong: JSONValue = [["field": "title", "text": "점심 Lunch", "ranges": [["offset": -3, "length": 900]]]]
    #expect(text(post(wrong), inColors: true)?.contains("\u{1B}[1m") == false)
    let place: JSONValue = [
      "items": [["page": 2, "before": "to the ", "match": "sea", "after": " again"]], "total": 1,
    ]
    #expect(
      text(place, inColors: true)
        == "  to the \u{1B}[1msea\u{1B}[0m again  table.page 3  \u{1B}[2mpage=2\u{1B}[0m\n",
      "people count pages from 1, and calls from 0")
  }

  @Test("what was found stays in sight where a long text is cut")
  func foundFarBehind() {
    let text = String(repeating: "word ", count: 30)
    let found = ShownText(text + "needle", found: [150..<156]).cut(to: 40)
    #expect(found.text.hasPrefix("…") && found.text.hasSuffix("needle") && found.columns <= 40, "\(found)")
    #expect(found.marks.count == 1)
    #expect(ShownText(text).cut(to: 8).text == "word wo…")
  }

  @Test("a title is no command for the terminal: control characters and marks of direction are left out")
  func hostile() {
    let list: JSONValue = ["items": [Self.card("a\u{1B}[2Jb\r\nc\u{202E}d", nil)], "total": 1]
    #expect(text(list) == "  TODO  a [2Jb cd  0193\n")
  }

  @Test(
    "characters take as many columns as a terminal gives them",
    arguments: [
      ("abc", 3), ("한글", 4), ("한글".decomposedStringWithCanonicalMapping, 4), ("é", 1), ("e\u{301}", 1), ("日本", 4),
      ("👩‍👩‍👧‍👦", 2), ("☀️", 2), ("ﾊﾝ", 2), ("Ａ", 2), ("", 0),
    ])
  func widths(text: String, columns: Int) {
    #expect(TextWidth.columns(of: text) == columns)
    #expect(TextWidth.cut(text, to: columns) == text)
    if columns > 2 { #expect(TextWidth.columns(of: TextWidth.cut(text, to: columns - 1)) <= columns - 1) }
  }

  @Test("on a terminal a list is a table, with --json and in a pipe it is JSON")
  func onTerminal() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=책 반납", "deadline:=null")
    let board = try await home.startOnTerminal(["call", "projects/board"]).ended()
    #expect(board.status == 0 && board.output.contains("TODO  1") && board.output.contains("책 반납"), "\(board)")
    #expect(!board.output.contains("\"columns\""))
    let json = try await home.startOnTerminal(["call", "projects/board", "--json"]).ended()
    #expect(json.output.contains("\"columns\"") && !json.output.contains("TODO  1"))
    #expect(try await home.call("projects/board")["total"] == 1)
    let empty = try await home.startOnTerminal(["call", "diary/list", "--locale", "ko-KR"]).ended()
    #expect(empty.output.contains("아직 일기가 없습니다."))
  }

  @Test("an entry that was not saved is answered, told, and a status of its own for scripts")
  func notSaved() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let result = try await home.run(["call", "diary/add", "text=  "])
    #expect(result.status == 2)
    #expect(try JSONParser.parse(result.output)["saved"] == false)
    #expect(result.errors == "commonplace: Nothing was saved: the text is empty or only white space.\n")
    #expect(try await home.run(["call", "diary/add", "text=A walk"]).status == 0)
    // On a terminal it is said once.
    let shown = try await home.startOnTerminal(["call", "diary/add", "text=  "]).ended()
    #expect(shown.output == "commonplace: Nothing was saved: the text is empty or only white space.\r\n", "\(shown)")
  }
}
