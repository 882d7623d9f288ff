import Contract
import Display
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("Replies that are one thing, as people read them on a terminal", .timeLimit(.minutes(10)))
struct PageTests {
  private func text(_ method: String, _ reply: JSONValue, width: Int = 60, inColors: Bool = false) throws -> String? {
    let voice = try Voice(environment: [:], locale: "en")
    let zone = try #require(Zone("Asia/Seoul"))
    var screen = Screen(width: width, ink: Ink(isOn: inColors), zone: zone, say: { voice.sentence($0) })
    let method = try #require(MethodNames.describe(method))
    if let nothing = EmptyList.message(of: method, asked: [], voice.collections) { screen.nothing = nothing }
    return ShownReply.text(of: reply, to: method, on: screen)
  }

  @Test("every method that lists something states what there is none of, in every language")
  func emptyLists() throws {
    var named = 0
    for locale in ["en", "ja", "ko", "zh"] {
      let voice = try Voice(environment: [:], locale: locale)
      for method in MethodNames.routes.map(\.description)
      where method.result.field(at: ["items"])?.shape.element != nil {
        let message = try #require(
          EmptyList.message(of: method, asked: [], voice.collections), "\(method.name)")
        let word = message.arguments["item"].map { "items.\($0)" } ?? "lists.\(message.arguments["list"] ?? "")"
        #expect(voice.hasWord(word), "\(locale) \(word)")
        #expect(message.key != "table.none" && !voice.sentence(message).contains("/"), "\(method.name)")
        named += 1
      }
    }
    #expect(named > 120)
    #expect(try text("documents/outline", ["items": [], "clock": 3]) == "No headings.\n")
    #expect(try text("documents/list", ["items": [], "total": 0, "clock": 3]) == "No documents yet.\n")
  }

  @Test("the end of a list, zeros beside a sentence about a state, and an unchanged import say nothing of their own")
  func nothingToSay() throws {
    let off: JSONValue = [
      "state": "off", "waiting": 0, "conflicts": 0, "clock": 3, "display": ["message": "This library is not shared."],
    ]
    #expect(try text("sync/status", off) == "state  off\n\nThis library is not shared.\n")
    let reminders: JSONValue = [
      "due": [], "hasMore": false, "at": "2026-11-21T22:44:05.678Z",
      "coming": [
        [
          "id": "a", "title": "Call bank", "at": "2026-11-22T00:00:00.000Z", "reminder": "-60m",
          "display": ["at": "Nov 22, 2026, 9:00 AM", "reminder": "1 hour before"],
        ]
      ],
    ]
    let coming = try #require(try text("projects/reminders", reminders, width: 80))
    #expect(coming.contains("1 hour before") && !coming.contains("-60m") && !coming.contains("more"), "\(coming)")
    let report: JSONValue = [
      "added": 0, "updated": 0, "known": 2, "skipped": 0, "notes": [], "untold": 0, "unlisted": 0,
      "format": "markdown", "changed": false, "clock": 3,
    ]
    let shown = try #require(try text("projects/import", report))
    #expect(shown.split(separator: "changed", omittingEmptySubsequences: false).count == 2, "\(shown)")
    #expect(shown.contains("existing  2") && !shown.contains("not listed"), "\(shown)")
  }

  @Test("highlights and pages are a table with a row each, with pages from 1 and without members for programs")
  func documentLists() throws {
    func highlight(_ id: String, _ page: Int64, _ more: JSONObject) -> JSONValue {
      var object: JSONObject = [
        "id": .string(id), "revision": 4, "createdAt": "2026-11-21T22:44:05.678Z",
        "updatedAt": "2026-11-21T22:44:05.678Z", "document": "paper", "page": .integer(page), "color": "#ffd60a",
        "link": .string("commonplace:/documents/paper#highlight=\(id)"), "documentTitle": "A paper",
        "lines": [["quad": [1, 2, 3, 4, 5, 6, 7, 8]]],
      ]
      for member in more.members { object[member.key] = member.value }
      return .object(object)
    }
    let marks: JSONValue = [
      "items": [
        highlight("one", 2, ["text": "a line\nof text", "prefix": "This is ", "suffix": " and", "note": "See 3."]),
        highlight("two", 11, ["locked": true]),
      ], "total": 2, "hasMore": false, "clock": 9,
    ]
    let shown = try #require(try text("documents/highlights", marks, width: 120))
    #expect(
      shown == """
          yellow          a line of text                              A paper  p. 3   See 3.  one
          yellow, locked  commonplace:/documents/paper#highlight=two  A paper  p. 12          two

        """)
    func page(_ number: Int64, _ label: String) -> JSONValue {
      [
        "page": .integer(number), "label": .string(label), "width": 595.28, "height": 841.89, "rotation": 0,
        "bookmarked": .bool(number == 1), "highlightCount": .integer(number), "hasMemo": false,
      ]
    }
    let pages: JSONValue = ["items": [page(0, "1 / 2"), page(1, "2 / 2")], "total": 2, "hasMore": false, "clock": 9]
    #expect(
      try text("documents/pages", pages, width: 80) == """
        page  width   height  rotation  bookmarked  highlights  has a memo
        1     595.28  841.89  0         no          0           no
        2     595.28  841.89  0         yes         1           no

        """)
    // A heading is broken before the table is given up.
    #expect(
      try text("documents/pages", pages, width: 62) == """
        page  width   height  rotation  bookmarked  highlights  has a
                                                                memo
        1     595.28  841.89  0         no          0           no
        2     595.28  841.89  0         yes         1           no

        """)
    let read: JSONValue = ["page": 2, "text": "A line.\n", "placed": true, "clock": 9]
    #expect(try text("documents/text", read)?.contains("placed") == false)
  }

  @Test("a title, what there is to say of it name by name, and what is to be read with its own lines")
  func page() throws {
    let entry: JSONValue = [
      "id": "0192", "revision": 7, "createdAt": "2026-11-21T22:44:05.678Z", "updatedAt": "2026-11-21T22:44:05.678Z",
      "day": "2026-11-22", "timeZone": "Asia/Seoul", "writtenAt": "2026-11-21T22:44:05.678Z", "title": "A walk",
      "preview": "Along the river …", "body": "Along.",
      "text": .string("A walk\n\nAlong the river " + String(repeating: "and on ", count: 8) + "home.\n\n  - one"),
      "actions": ["share", "remove"], "display": ["title": "A walk", "day": "today", "actions": ["Share", "Remove"]],
      "clock": 42,
    ]
    #expect(
      try text("diary/get", entry) == """
        A walk

        Along the river and on and on and on and on and on and on
        and on and on home.

          - one

        created    2026-11-22 07:44
        day        2026-11-22
        time zone  Asia/Seoul
        id         0192

        """)
  }

  @Test("of a list only what is there is told, and nothing between two commas")
  func missingValues() throws {
    let shown = try #require(try text("diary/get", ["id": "0192", "title": "A", "newer": ["one", nil, "two"]]))
    #expect(shown.contains("  one, two\n"), "\(shown)")
  }

  @Test("how a whole reply stands is said beside the sentence about it, and a column by the title that calls take too")
  func states() throws {
    let paused = try #require(
      try text("diary/mirror", ["state": "paused", "path": "/m", "display": "It is away.", "clock": 3]))
    #expect(paused.contains("paused") && paused.contains("/m") && paused.contains("It is away."), "\(paused)")
    let card = try #require(
      try text(
        "projects/get", ["id": "0193", "title": "Buy", "state": "todo", "display": ["title": "Buy", "state": "TO DO"]]))
    #expect(card.contains("TO DO") && !card.contains("todo"), "\(card)")
  }

  @Test("the columns of a board are what there is to see of them, and not that looking at them changed nothing")
  func columns() throws {
    let reply: JSONValue = [
      "columns": [
        ["state": "todo", "title": "TODO", "isOpen": true, "count": 3],
        ["state": "done", "title": "DONE", "isOpen": false, "count": 12],
      ], "revision": 0, "changed": false, "clock": 7,
    ]
    #expect(
      try text("projects/columns", reply) == """
        columns  2
          state  title  open  count
          todo   TODO   yes   3
          done   DONE   no    12

        """)
    // Where nothing else is said, it is.
    #expect(try text("session/sync", ["changed": false, "clock": 7])?.contains("no") == true)
  }

  @Test("the label of a page is called otherwise than that of a commit")
  func labels() throws {
    let page: JSONValue = [
      "page": 2, "label": "3 / 12", "pdfLabel": "iii", "width": 595.5, "height": 841.5, "rotation": 0,
      "bookmarked": true, "highlights": [],
    ]
    let shown = try #require(try text("documents/page", page))
    #expect(shown.contains("page number  3 / 12\npage label   iii\n"), "\(shown)")
    #expect(!shown.contains("what was done"), "\(shown)")
    // People count pages from 1, as the label does.
    #expect(shown.contains("page         3\n"), "\(shown)")
    let position: JSONValue = ["id": "0192", "position": ["page": 2, "y": 0], "label": "3 / 12"]
    let placed = try #require(try text("documents/setPosition", position))
    #expect(placed.contains("page number  3 / 12") && placed.contains("page 3"), "\(placed)")
    // What a version replaced has no shape; a book's page is the printed one.
    for (what, page) in [("document", 3), ("book", 2)] as [(String, Int64)] {
      let version: JSONObject = ["before": .object([what: "0192", "page": 2])]
      #expect(StoredValue.version(version)["before"]?["page"]?.integerValue == page)
    }
  }

  @Test("an entry that is one line is shown once, a heading without its signs, and above it the day that it is about")
  func entries() throws {
    func entry(_ text: String, _ name: String) -> JSONValue {
      [
        "id": "0192", "title": .string(text), "text": .string(text), "day": "2026-11-21",
        "display": [
          "title": .string(name), "date": "Nov 22, 2026", "time": "8:34 PM", "day": "yesterday", "actions": ["Share"],
        ],
      ]
    }
    let rest = "\n\nday  2026-11-21\nid   0192\n"
    #expect(try self.text("diary/get", entry("Rain.", "Rain.")) == "Rain.\nyesterday" + rest)
    #expect(try self.text("diary/get", entry("\n# Rain \n", "Rain")) == "Rain\nyesterday" + rest)
    #expect(
      try self.text("diary/get", entry("# Rain\n\nAll day.", "Rain")) == "Rain\nyesterday\n\nAll day." + rest)
    var timed = entry("Rain.", "Rain.").objectValue ?? [:]
    timed["display"] = [
      "title": "Rain.", "date": "Nov 21, 2026", "time": "3:04 AM", "day": "today", "dayTime": "3:04 AM",
    ]
    #expect(try self.text("diary/get", .object(timed))?.hasPrefix("Rain.\ntoday, 3:04 AM\n") == true)
    // What is cut off in the title is read in the text.
    #expect(try self.text("diary/get", entry("Rain and wind", "Rain an…"))?.contains("\n\nRain and wind\n") == true)
  }

  @Test("a card names its column as the board does, and says when it comes again")
  func card() throws {
    let card: JSONValue = [
      "id": "7", "title": "Rent", "state": "done", "nextCard": "8",
      "display": ["state": "완료", "message": "It comes again on Jan 5, 2027."],
    ]
    #expect(
      try text("projects/move", card) == """
        Rent
        state      완료
        id         7
        next card  8

        It comes again on Jan 5, 2027.

        """)
  }

  @Test("a version is a line that says which fields changed, which goes on below where they are many")
  func versions() throws {
    func version(_ clock: Int64, _ kind: String, _ fields: JSONValue) -> JSONValue {
      [
        "clock": .integer(clock), "kind": .string(kind), "client": "commonplace", "at": "2026-11-21T01:44:05.678Z",
        "fields": fields, "before": ["title": "Draft", "body": "One.\nTwo."], "display": ["state": "TODO"],
      ]
    }
    let reply: JSONValue = [
      "items": [
        version(43, "updated", ["title", "body", "deadline", "recurrence", "completedAt"]),
        version(42, "added", .null),
      ], "offset": 0, "limit": 50, "total": 2, "hasMore": false,
    ]
    #expect(
      try text("changes/history", reply, width: 80) == """
        commit  kind     client       when              fields
        43      changed  commonplace  2026-11-21 10:44  title, text, deadline,
                                                        recurrence, completed
        42      added    commonplace  2026-11-21 10:44

        """)
  }

  @Test("a part has a heading, its words for people come from around it, and lists are small tables or read whole")
  func parts() throws {
    let book: JSONValue = [
      "id": "0192", "title": "Human Acts", "authors": ["Han Kang", "Deborah Smith"], "hasCover": false,
      "rating": ["average": 4.5, "count": 12, "halves": 9], "raw": ["much": "more"],
      "shelf": [
        "id": "0192", "status": "reading", "progress": ["page": 120, "percent": 50], "rating": 4.5,
        "note": "For the\nwinter.", "quotes": [["text": "You remember.", "page": 12], ["text": "The sea."]],
        "documents": [],
      ],
      "display": [
        "title": "Human Acts", "status": "being read", "progress": "50 %", "rating": "4.5 (12)", "id": "google.x",
      ],
    ]
    #expect(
      try text("books/get", book) == """
        Human Acts
        authors  Han Kang, Deborah Smith
        rating   4.5 (12)
        id       0192

        on the shelf
          status    being read
          progress  50 %
          rating    4.5

          note
          For the
          winter.

          quotes  2
            text           page
            You remember.  12
            The sea.

        """)
  }

  @Test("a list without titles is a table with headings; where a text is long each one is read whole")
  func lists() throws {
    func log(_ width: Int) throws -> String? {
      try text(
        "changes/log",
        [
          "items": [
            [
              "clock": 42, "client": "nvim", "label": "documents/remove", "at": "2026-11-21T01:44:05.678Z",
              "undoable": true,
            ],
            [
              "clock": 41, "client": "", "label": "diary/add", "at": "2026-11-21T01:44:05.678Z", "undoable": false,
              "undoneBy": 42,
            ],
          ], "offset": 0, "limit": 2, "total": 9, "totalIsEstimate": false, "hasMore": true, "next": "41",
        ], width: width)
    }
    #expect(
      try log(80) == """
        commit  client  what was done     when              can be undone  undone by
        42      nvim    documents/remove  2026-11-21 10:44  yes
        41              diary/add         2026-11-21 10:44  no             42
        2 of 9 are shown; more with after=41

        """)
    #expect(try log(40)?.hasPrefix("commit         42\nclient         nvim\n") == true)
    #expect(try text("diary/drafts", ["items": [], "total": 0]) == "No drafts.\n")
    let report: JSONValue = [
      "added": 1, "updated": 0, "known": 0, "skipped": 1, "untold": 0, "format": "jrnl",
      "notes": [["number": 2, "reason": "badDate", "skipped": true, "display": "It has no day."]],
    ]
    #expect(
      try text("diary/import", report)?.hasSuffix(
        """

        notes  1
          number  skipped  message
          2       yes      It has no day.

        """) == true)
  }

  @Test("notes of an import that are too long for a table are a paragraph each, and say where and what was left out")
  func notes() throws {
    let report: JSONValue = [
      "added": 1, "updated": 1, "known": 0, "skipped": 1, "untold": 0, "format": "goodreads",
      "notes": [
        [
          "number": 1, "line": 2, "title": "The Great Gatsby", "reason": "keptOwn", "field": "rating", "skipped": false,
          "display": "Your rating 4 was kept; the file says 5.",
        ],
        ["number": 3, "reason": "unreadable", "skipped": true, "display": "It cannot be read."],
      ],
    ]
    #expect(
      try text("books/import", report)?.hasSuffix(
        """

        notes  2
          – line 2, The Great Gatsby: Your rating 4 was kept; the
            file says 5.
          – number 3: It cannot be read. (skipped)

        """) == true)
  }

  @Test("what could not be asked stands above; a text for other programs stands alone; nothing to say is done")
  func others() throws {
    let post: JSONValue = [
      "id": "1", "title": "Lunch", "read": false, "contents": "At noon.", "preview": "At noon.",
      "failure": ["kind": "unreachable", "message": "It rests.", "advice": "Wait."], "display": ["title": "Lunch"],
    ]
    #expect(try text("boards/post", post) == "! It rests. Wait.\nLunch\n\nAt noon.\n\nid  1\n")
    let citation: JSONValue = [
      "id": "0192", "key": "han2017", "format": "bibtex", "text": "@book{han2017,\n  title = {\u{1B}[2J}\n}\n",
      "clock": 1,
    ]
    #expect(try text("books/cite", citation) == "@book{han2017,\n  title = { [2J}\n}\n")
    #expect(try text("session/ping", ["clock": 3]) == "Done.\n")
    #expect(try text("initialize", ["capabilities": [:]]) == nil)
  }

  @Test("no member is a command for the terminal, and what a newer daemon says besides is shown", arguments: [40, 200])
  func hostile(width: Int) throws {
    let evil = "a\u{1B}]0;x\u{7}\u{9B}2J\u{202E}b"
    let card: JSONValue = [
      "id": .string(evil), "title": .string(evil), "body": .string(evil + "\n" + evil), "tags": [.string(evil)],
      "mood\u{1B}": .string(evil + "."), "more": ["x\u{1B}": [.string(evil), ["deep": .string(evil)]]],
      "display": ["title": .string(evil), "state": .string(evil), "message": .string(evil)],
    ]
    let page = try #require(try text("projects/get", card, width: width))
    let unwanted: Set<Unicode.Scalar> = ["\u{1B}", "\u{7}", "\u{9B}", "\u{202E}"]
    #expect(!page.unicodeScalars.contains(where: unwanted.contains), "\(page)")
    #expect(page.contains("mood"))
  }

  @Test("every example of the protocol can be shown, and says something", arguments: MethodNames.all)
  func examples(name: String) throws {
    let method = try #require(MethodNames.describe(name))
    guard !method.isLanguageServer, case .object = method.result else { return }
    for width in [24, 80] {
      let shown = try #require(try text(name, method.exampleResult, width: width))
      #expect(shown.hasSuffix("\n") && !shown.contains("{field."), "\(name): \(shown)")
    }
  }

  @Test("on a terminal one thing is a page, with --json and in a pipe it is JSON")
  func onTerminal() async throws {
    let home = CommandLineHome()
    let added = try await home.call("projects/add", "id=book", "title=Return the book", "deadline:=null")
    #expect(added["title"] == "Return the book")
    let page = try await home.startOnTerminal(["call", "projects/get", "id=book"]).ended()
    #expect(page.status == 0 && page.output.contains("Return the book\u{1B}[0m\r\n"), "\(page)")
    #expect(!page.output.contains("{"))
    let json = try await home.startOnTerminal(["call", "projects/get", "id=book", "--json"]).ended()
    #expect(json.output.contains(#""title": "Return the book""#))
  }

  @Test("how the daemon does is told in Korean too, name by name")
  func koreanStatus() throws {
    let voice = try Voice(environment: [:], locale: "ko")
    let screen = Screen(width: 80, ink: Ink(isOn: false), zone: .utc, say: { voice.sentence($0) })
    guard case .object(let status)? = MethodNames.describe("session/status")?.result else {
      Issue.record("session/status answers no object")
      return
    }
    let parts = status.fields.flatMap { field -> [String] in
      switch field.shape {
      case .object(let part), .array(.object(let part)): [field.name] + part.fields.map(\.name)
      default: [field.name]
      }
    }
    #expect(parts.count > 20)
    for name in parts {
      #expect(
        screen.label(name).unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } || name == "id", "\(name)")
    }
  }

  @Test("what is not so is said where an answer has nothing else to say, and not of a thing")
  func notSo() throws {
    let toggled: JSONValue = ["id": "0192", "page": 0, "bookmarked": false, "clock": 3]
    #expect(try text("documents/toggleBookmark", toggled)?.contains("bookmarked  no\n") == true)
    let document: JSONValue = ["id": "0192", "title": "A paper", "isProtected": false, "clock": 3]
    #expect(try text("documents/get", document)?.contains("no\n") == false)
  }

  @Test("of several sentences each stands on a line of its own")
  func findings() throws {
    let first = "blobs/ab/cd is named by a document and is not there"
    let report: JSONValue = ["ok": false, "findings": [.string(first), "orphan"], "items": 4, "clock": 3]
    #expect(try text("library/check", report)?.contains("\n\(first)\norphan\n") == true)
  }

  @Test("a row that waits to be decided says why, and what it may be, a line each")
  func waitingRow() throws {
    let row: JSONValue = [
      "id": "r1", "title": "Human Acts", "reason": "similar",
      "display": [
        "title": "Human Acts", "authors": "Han Kang", "reason": "A book that is there is much like it.",
        "candidates": ["Human Acts, Han Kang, 2017 (book=0192, 87 % alike)"],
      ],
    ]
    #expect(
      try text("books/review", ["items": [row], "offset": 0, "limit": 50, "total": 1], width: 80) == """
          Human Acts  Han Kang  r1
            A book that is there is much like it.
            – Human Acts, Han Kang, 2017 (book=0192, 87 % alike)

        """)
  }

  @Test("an undo and a redo say on a terminal what became of which item")
  func undone() async throws {
    let home = CommandLineHome()
    _ = try await home.call("projects/add", "id=book", "title=Return the book", "deadline:=null")
    let undo = try await home.startOnTerminal(["call", "changes/undo"]).ended()
    #expect(undo.status == 0 && undo.output.contains("Undone: projects/add (commit "), "\(undo)")
    #expect(undo.output.contains("card removed  Return the book  \u{1B}[2m%1 book\u{1B}[0m\r\n"), "\(undo)")
    let redo = try await home.startOnTerminal(["call", "changes/redo"]).ended()
    #expect(redo.status == 0 && redo.output.contains("Redone: projects/add (commit "), "\(redo)")
    #expect(redo.output.contains("card restored  Return the book  \u{1B}[2m%1 book\u{1B}[0m\r\n"), "\(redo)")
  }

  @Test("who wrote it and when stand below the title, and no member of an inner thing says only no")
  func origin() throws {
    let post: JSONValue = [
      "id": "p1", "postId": "p1", "board": "b1", "title": "Lunch", "viewCount": 3, "contents": "At noon.",
      "writer": ["id": "w1", "displayName": "Ann"], "reactions": ["isMine": false],
      "display": ["title": "Lunch", "writer": "Ann", "date": "Nov 2, 2026"],
    ]
    let shown = try #require(try text("boards/post", post))
    #expect(shown.hasPrefix("Lunch\nAnn, Nov 2, 2026\n\nAt noon.\n\n"), "\(shown)")
    #expect(shown.components(separatedBy: "p1").count == 2 && shown.contains("views"), "\(shown)")
    #expect(!shown.contains("reactions"), "\(shown)")
  }

  @Test("what became of a text is read as one, a block a version, and older values as people read them elsewhere")
  func differences() throws {
    let pieces: JSONValue = [
      ["kind": "same", "text": "Return "], ["kind": "removed", "text": "the"], ["kind": "added", "text": "both"],
      ["kind": "same", "text": "  "], ["kind": "removed", "text": "book"], ["kind": "added", "text": "books"],
    ]
    let list: JSONValue = [["kind": "removed", "text": #"["money"]"#], ["kind": "added", "text": "[]"]]
    let reply: JSONValue = [
      "items": [
        [
          "clock": 3, "kind": "updated", "client": "nvim", "at": "2026-11-21T01:44:05.678Z",
          "fields": ["title", "tags"],
          "before": [
            "completedAt": 1_795_225_445_678, "tags": #"["money"]"#, "title": "Return the  book", "blockedBy": "[]",
          ],
          "diffs": [
            ["field": "tags", "diff": ["unit": "words", "pieces": list]],
            ["field": "title", "diff": ["unit": "words", "pieces": pieces]],
          ],
        ]
      ], "offset": 0, "limit": 50, "total": 1, "hasMore": false,
    ]
    #expect(
      try text("changes/history", reply) == """
        commit  3
        kind    changed
        client  nvim
        when    2026-11-21 10:44
        fields  title, tags
        before  completed 2026-11-21 10:44, tags money

        title
        Return [-the-]{+both+}  [-book-]{+books+}

        """)
    let moved: JSONValue = [
      "clock": 2, "kind": "updated", "client": "nvim", "at": "2026-11-21T01:44:05.678Z", "fields": ["state"],
      "before": ["state": "s-7f", "blockedBy": #"["0192"]"#],
      "display": ["state": "할 일", "blockedBy": "Buy paint"],
      "diffs": [
        [
          "field": "state", "display": ["before": "할 일", "after": "진행 중"],
          "diff": [
            "unit": "words", "pieces": [["kind": "removed", "text": "s-7f"], ["kind": "added", "text": "s-80"]],
          ],
        ]
      ],
    ]
    let words = try text(
      "changes/history", ["items": [moved], "offset": 0, "limit": 50, "total": 1, "hasMore": false])
    #expect(words?.hasSuffix("blocked by Buy paint\n\nstate\n[-할 일-]{+진행 중+}\n") == true, "\(words ?? "")")
    let colored = try text("changes/history", reply, inColors: true) ?? ""
    #expect(
      colored.hasSuffix(
        "Return \u{1B}[31mthe\u{1B}[0m\u{1B}[32mboth\u{1B}[0m  \u{1B}[31mbook\u{1B}[0m"
          + "\u{1B}[32mbooks\u{1B}[0m\n"), "\(colored)")
    let hostile = ShownDiff(["pieces": [["kind": "added", "text": "a\u{E001}b\u{1B}[2J cc"]]])
    #expect(hostile?.lines(width: 4, Ink(isOn: false)).contains { $0.contains("\u{1B}") } == false)
    #expect(ShownDiff(["pieces": []]) == nil && ShownDiff(["kind": "x"]) == nil)
  }

  @Test("a post whose mark an undo takes back does not look like a post that is gone")
  func undoneMark() throws {
    let mark: JSONValue = [
      "collection": "postMarks", "id": "m1", "kind": "removed", "display": ["title": "Lunch", "kind": "removed"],
    ]
    #expect(
      try text(
        "changes/undo", ["undone": 7, "label": "boards/markRead", "items": [mark], "total": 1], width: 80) == """
          Undone: boards/markRead (commit 7)
            post mark removed  Lunch  m1

          """)
  }

  @Test("a source that comes back is a row, and its posts are a number")
  func undoneSource() throws {
    let source: JSONValue = [
      "collection": "sources", "id": "s1", "kind": "added", "display": ["title": "The groupware", "kind": "back"],
    ]
    let posts: JSONValue = ["collection": "posts", "kind": "added", "count": 137, "display": ["kind": "back"]]
    #expect(
      try text(
        "changes/undo",
        ["undone": 7, "label": "boards/removeSource", "items": [source], "others": [posts], "total": 138], width: 80)
          == """
          Undone: boards/removeSource (commit 7)
            source back  The groupware  s1
            137 × post back

          """)
  }

  @Test("where in a title the typed letters stand is for programs, which mark them, and not to be read")
  func offered() throws {
    let offers: JSONValue = [
      "state": "suggest", "scope": "books", "text": "gat",
      "titles": [
        [
          "collection": "books", "id": "7", "title": "The Great Gatsby", "link": "commonplace:/books/7",
          "ranges": [["offset": 10, "length": 3]], "count": 1, "display": ["kind": "Books on the shelf"],
        ]
      ],
    ]
    let shown = try #require(try text("search/suggest", offers))
    #expect(shown.contains("suggestions") && shown.contains("Books on the shelf"), "\(shown)")
    #expect(shown.contains("The Great Gatsby") && !shown.contains("ranges") && !shown.contains("length"), "\(shown)")
  }

  @Test("a dry run shows the token that confirms it, and the command to type")
  func dryRun() throws {
    let reply: JSONValue = [
      "count": 2, "confirm": "e4867f",
      "display": ["title": "Really?", "message": "Delete 2 cards?", "confirm": "Delete", "cancel": "Cancel"],
    ]
    let shown = try #require(try text("projects/removeAll", reply))
    #expect(shown.contains("confirm with  e4867f\n") && !shown.contains("Delete\n"), "\(shown)")
    let method = try #require(MethodNames.describe("projects/removeAll"))
    let object = try #require(reply.objectValue)
    #expect(
      NextCall.line(confirming: object, of: method, asked: ["dryRun=true", "path=a b"])
        == "commonplace call projects/removeAll path='a b' confirm=e4867f")
    #expect(NextCall.line(confirming: object, of: method, asked: [#"{"dryRun": true}"#]) == nil)
    #expect(shown.hasSuffix("\nTo do it:\n  commonplace call projects/removeAll confirm=e4867f\n"), "\(shown)")
  }

  @Test("what can be done with a card is shown, and a reply that has something to say is not only done")
  func actions() throws {
    let actions: JSONValue = ["actions": [["state": "doing", "display": "Move To DOING"]], "clock": 5]
    #expect(
      try text("projects/actions", actions) == """
        actions  1
          state  message
          doing  Move To DOING

        """)
    #expect(try text("projects/actions", ["actions": [], "clock": 5]) == "No actions.\n")
    #expect(try text("session/ping", ["clock": 3, "raw": ["a": 1]])?.contains("\"a\": 1") == true)
  }
}
