import Contract
import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("commonplace's short forms", .timeLimit(.minutes(10)))
struct ShortFormTests {
  @Test("write a note, add a card, search and show the day, and undo")
  func everyday() async throws {
    let home = CommandLineHome(isNoon: true)
    let note = try await home.run(["note", "A", "walk", "along", "the", "river."])
    #expect(try JSONParser.parse(note.output)["title"] == "A walk along the river.", "\(note)")
    let piped = try await home.run(["note", "-"], input: "@home, a = b\nand more")
    #expect(try JSONParser.parse(piped.output)["text"] == "@home, a = b\nand more", "\(piped)")
    // A text from the input is no parameter, whatever it begins with; those beside it are.
    let assignment = try await home.run(["note", "-", "day=yesterday"], input: "title=x\n")
    let assigned = try JSONParser.parse(assignment.output)
    let dayOfPiped = try JSONParser.parse(piped.output)["day"]
    #expect(
      assigned["text"] == "title=x\n" && assigned["day"] != dayOfPiped, "\(assignment)")
    let card = try await home.run(["do", "Return", "the", "book", "deadline:=null", "tags=errands"])
    let made = try JSONParser.parse(card.output)
    #expect(made["title"] == "Return the book" && made["tags"] == ["errands"] && made["deadline"] == nil, "\(card)")
    let found = try JSONParser.parse(try await home.run(["search", "river", "limit=5"]).output)
    #expect(found["total"] == 1 && found["limit"] == 5)
    let today = try JSONParser.parse(try await home.run(["today"]).output)
    #expect(today["entries"]?.arrayValue?.count == 2)
    #expect(try await home.run(["undo"]).status == 0)
    #expect(try await home.call("projects/list")["total"] == 0)
  }

  @Test("refuse words that a method has no place for, and missing ones")
  func refusals() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let words = try await home.run(["undo", "please"])
    #expect(words.status == 2 && words.errors.contains("“please” is not a parameter"), "\(words)")
    #expect(try await home.run(["note"]).errors.contains("There is no text."))
    // Only a text that is added is written in the editor.
    let search = try await home.startOnTerminal(script: "EDITOR=cat \"$commonplace\" search").ended()
    #expect(search.status == 2 && search.output.contains("There is no text."), "\(search)")
    let help = try await home.run(["help", "tody"])
    #expect(help.status == 2 && help.errors.contains("Did you mean “today”?"), "\(help)")
    #expect(try await home.run(["help", "today"]).output.contains("USAGE"))
    #expect(home.owner == nil)
  }

  @Test("done finishes the open card of a title, several by their numbers, and says when a card recurs")
  func done() async throws {
    let home = CommandLineHome(isNoon: true)
    _ = try await home.run(["do", "Water the figs every monday"])
    for word in ["One", "Two"] { _ = try await home.run(["do", word, "tags=x"]) }
    let first = try JSONParser.parse(try await home.run(["done", "Water", "the", "figs"]).output)
    #expect(first["state"] == "done" && first["nextCard"] != nil, "\(first)")
    // The next card has the title of the finished one.
    let shown = try await home.startOnTerminal(
      script: """
        "$commonplace" done 'water the figs' --locale en
        "$commonplace" call projects/list tag=x
        "$commonplace" done %1 %2 >/dev/null
        """
    ).ended().output
    #expect(shown.contains("Done") && shown.contains("It recurs on") && shown.contains("%1 "), "\(shown)")
    #expect(
      try await home.call("projects/list", "isOpen=true")["items"]?.arrayValue?.map { $0["title"] } == [
        "Water the figs"
      ])
    #expect(try await home.call("projects/list", "isOpen=false")["total"] == 4)
    // Who removes a card by its title must have meant one.
    #expect(try await home.run(["call", "projects/remove", "id=Water the figs"]).status == 5)
    let none = try await home.run(["done", "Nothing"])
    #expect(none.status == 4 && none.errors.contains("Nothing"), "\(none)")
    #expect(try await home.run(["done"]).status == 2)
    // By its id, and into another column.
    let id = try await home.call("projects/list", "isOpen=true")["items"]?[0]?["id"]?.stringValue ?? ""
    #expect(try JSONParser.parse(try await home.run(["done", "id=\(id)", "state=doing"]).output)["state"] == "doing")
  }

  @Test("a word that is nearly a parameter is no part of a title; in quotes, and in a longer text, it is text")
  func likeParams() async throws {
    let home = CommandLineHome()
    for (word, instead) in [
      ("due=friday", "deadline=friday"), ("tag=home", "tags=home"), ("deadlin:=null", "deadline:=null"),
    ] {
      let refused = try await home.run(["do", "A", word])
      #expect(refused.status == 2 && refused.errors.contains("Did you mean “\(instead)”?"), "\(refused)")
    }
    #expect(home.owner == nil)
    let card = try JSONParser.parse(try await home.run(["do", "Set a=b where due=friday"]).output)
    #expect(card["title"] == "Set a=b where due=friday", "\(card)")
    let note = try JSONParser.parse(try await home.run(["jot", "Set", "name=x"]).output)
    #expect(note["text"] == "Set name=x", "\(note)")
  }

  @Test("a mail program's pipe stores its message once, and bytes that are no message have a status")
  func mail() async throws {
    let home = CommandLineHome()
    let mail = "From: ann@example.org\r\nSubject: =?utf-8?B?7KCQ7Ius?=\r\nMessage-ID: <1@x>\r\n\r\nAt noon.\r\n"
    for added in [1, 0] as [JSONValue] {
      let result = try await home.run(["mail"], input: mail)
      #expect(result.status == 0, "\(result)")
      #expect(try JSONParser.parse(result.output)["added"] == added, "\(result)")
    }
    #expect(try await home.call("notes/list")["items"]?[0]?["title"] == "점심")
    #expect(try await home.run(["mail"], input: "no mail").status != 0)
    #expect(try await home.run(["email"]).errors.contains("“mail”"))
  }

  @Test("the words with a # of a text are its tags too, unless tags are given, however the text is given")
  func tags() async throws {
    let home = CommandLineHome()
    for command in ["jot", "note"] {
      let typed = try JSONParser.parse(
        try await home.run([command, "Water the figs #garden, #2026 and # #home #home"]).output)
      #expect(typed["tags"] == ["garden", "home"], "\(typed)")
      #expect(typed["text"] == "Water the figs #garden, #2026 and # #home #home")
      let given = try JSONParser.parse(try await home.run([command, "Water #garden", "tags=a"]).output)
      #expect(given["tags"] == ["a"], "\(given)")
      let piped = try JSONParser.parse(try await home.run([command, "-"], input: "Water #garden").output)
      #expect(piped["tags"] == ["garden"], "\(piped)")
    }
  }

  @Test("a kept page is read on a terminal without a desktop, and is then marked as read; for a pipe it is its URL")
  func readPost() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let url = "https://nowhere.invalid/soup"
    let long = String(repeating: "There was bread with it, and butter, and a little salt. ", count: 8)
    let html = "<title>Soup</title><article><p>Chop the leeks.</p><p>\(long)</p></article>"
    let kept = try await home.call("boards/keep", "url=\(url)", "html:=\(JSONValue.string(html))")
    let id = try #require(kept["id"]?.stringValue)
    let piped = try await home.run(["open", "Soup"])
    #expect(piped.output == url + "\n", "\(piped)")
    #expect(try await home.call("changes/item", "collection=posts", "id=\(id)")["item"]?["read"] == false)
    let shown = try await home.startOnTerminal(["open", "Soup"]).ended()
    #expect(shown.status == 0 && shown.output.contains("Chop the leeks.") && shown.output.contains(url), "\(shown)")
    #expect(try await home.call("changes/item", "collection=posts", "id=\(id)")["item"]?["read"] == true)
    let printed = try await home.startOnTerminal(["open", "Soup", "--print-only"]).ended()
    #expect(!printed.output.contains("leeks") && printed.output.contains(url), "\(printed)")
  }

  @Test("tags are a table, one tag per row")
  func tagTable() async throws {
    let home = CommandLineHome()
    for words in [["jot", "Water #garden"], ["do", "Sow #garden #home"]] { _ = try await home.run(words) }
    let shown = try await home.startOnTerminal(["call", "tags/list", "--locale", "en"]).ended().output
    let lines = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    #expect(
      lines.prefix(3) == ["tag count total collections", "garden 2 2 notes 1, cards 1", "home 1 1 cards 1"], "\(shown)")
  }

  @Test("search takes a word with a minus as text, and says how to exclude it")
  func signedWords() async throws {
    let home = CommandLineHome()
    _ = try await home.run(["jot", "Rain and snow"])
    for words in [["rain", "-snow"], ["-snow", "rain", "--json"]] {
      let found = try await home.run(["search"] + words)
      let reply = try JSONParser.parse(found.output)
      #expect(reply["display"]?["hint"]?.stringValue?.contains("NOT snow") == true && reply["total"] == 1, "\(found)")
    }
    #expect(try await home.run(["search", "-h"]).output.contains("USAGE"))
  }

  @Test("today shows another day whose name follows it")
  func otherDay() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("diary/add", "text=Snow.", "day=2026-03-01")
    let day = try JSONParser.parse(try await home.run(["today", "1", "March", "2026"]).output)
    #expect(day["day"] == "2026-03-01" && day["entries"]?.arrayValue?.count == 1, "\(day)")
    // As its help says.
    let named = try JSONParser.parse(try await home.run(["today", "day=2026-03-01"]).output)
    #expect(named["day"] == "2026-03-01", "\(named)")
    let agenda = try JSONParser.parse(try await home.run(["agenda", "from=2026-03-01", "days=1"]).output)
    #expect(agenda["days"]?[0]?["day"] == "2026-03-01", "\(agenda)")
    #expect(try await home.run(["today", "please"]).status == 2)
  }

  @Test("next shows ten cards of all boards that can be worked on, the most urgent first; a board replaces all")
  func next() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/addBoard", "title=Garden")
    _ = try await home.call("projects/add", "title=Later", "start=tomorrow")
    for number in 1...10 { _ = try await home.call("projects/add", "title=Card \(number)", "deadline:=null") }
    _ = try await home.call(
      "projects/add", "title=Plant a fig", "board=Garden", "deadline=yesterday", "tags=+home.garden")
    func titles(_ words: String...) async throws -> [String] {
      let reply = try JSONParser.parse(try await home.run(["next"] + words).output)
      return (reply["items"]?.arrayValue ?? []).map { $0["title"]?.stringValue ?? "" }
    }
    let all = try await titles()
    #expect(all.count == 10 && all.first == "Plant a fig" && !all.contains("Later"), "\(all)")
    #expect(try await titles("board=Garden") == ["Plant a fig"])
    #expect(try await titles("tag=+home") == ["Plant a fig"])
    #expect(try await titles("fig") == ["Plant a fig"])
    #expect(try await titles("limit=2").count == 2)
  }

  @Test("agenda shows what is overdue and each day that has something, in numbered rows")
  func agenda() async throws {
    let home = CommandLineHome(isNoon: true)
    for (title, day) in [("Late", "yesterday"), ("Now", "today"), ("Soon", "tomorrow"), ("Far", "in 9 days")] {
      _ = try await home.call("projects/add", "title=\(title)", "deadline=\(day)")
    }
    _ = try await home.call(
      "projects/add", "title=Again", "deadline=today", "recurrence:={\"rule\":\"FREQ=DAILY;COUNT=3\"}")
    _ = try await home.call("projects/add", "title=Begin", "deadline=in 20 days", "start=tomorrow")
    let tomorrow = try JSONParser.parse(try await home.run(["agenda", "days=2"]).output)["days"]?[1]?["day"]
    try home.place(
      "BEGIN:VCALENDAR\nX-WR-CALNAME:Family\nBEGIN:VEVENT\nSUMMARY:Dentist\n"
        + "DTSTART;VALUE=DATE:\(tomorrow?.stringValue?.filter { $0 != "-" } ?? "")\nEND:VEVENT\nEND:VCALENDAR\n",
      as: "family.ics")
    _ = try await home.call("projects/addCalendar", "path=family.ics")
    let shown = try await home.startOnTerminal(
      script: """
        "$commonplace" agenda --locale en
        "$commonplace" open %1 --json
        "$commonplace" call projects/agenda days=1 --locale en
        "$commonplace" agenda tomorrow days=1 --locale en
        """
    ).ended().output
    let lines = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline).map(String.init)
    let headings = lines.filter { !$0.hasPrefix(" ") && !$0.hasPrefix("!") && $0.contains(/^[A-Z]/) }
    #expect(Array(headings.prefix(3)) == ["Overdue", "Today", "Tomorrow"], "\(shown)")
    for (number, title) in [(1, "Late"), (4, "Soon"), (5, "Begin"), (6, "Again")] {
      #expect(lines.contains { $0.contains(title) && $0.contains("%\(number) ") }, "\(number) \(title): \(shown)")
    }
    // An event has no number: nothing can be done with it.
    #expect(lines.contains { $0.contains("Dentist") && $0.contains("Family") && !$0.contains("%") }, "\(shown)")
    #expect(lines.contains { $0.contains("\"title\"") && $0.contains("Late") }, "\(shown)")
    #expect(!shown.contains("Far") && !shown.contains("\"overdue\": ["), "\(shown)")
    let piped = try JSONParser.parse(try await home.run(["agenda", "days=2"]).output)
    #expect(piped["days"]?.arrayValue?.count == 2 && piped["overdue"]?.arrayValue?.count == 1, "\(piped)")
  }

  @Test("a param that stands for the text, such as a template, needs no words")
  func alternative() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.run(["jot", "A walk on {day}", "title=Daily"])
    let note = try JSONParser.parse(try await home.run(["note", "template=Daily"]).output)
    #expect(note["title"]?.stringValue?.hasPrefix("A walk on 20") == true, "\(note)")
    let titled = try JSONParser.parse(try await home.run(["note", "title=Rain"]).output)
    #expect(titled["title"] == "Rain", "\(titled)")
    #expect(try await home.run(["note", "day=yesterday"]).status == 2)
  }

  @Test("jot adds a note that belongs to no day")
  func jot() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let note = try JSONParser.parse(try await home.run(["jot", "Water", "the", "figs.", "tags=garden"]).output)
    #expect(note["title"] == "Water the figs." && note["tags"] == ["garden"], "\(note)")
    #expect(try await home.call("notes/list")["total"] == 1)
    #expect(try await home.call("diary/list")["total"] == 0)
    #expect(try await home.run(["jot"]).status == 2)
  }

  @Test("read pages from 1, as they are shown")
  func pages() throws {
    let voice = try Place(locale: "en").voice
    let find = try #require(MethodNames.describe("documents/page"))
    let form = ShortForm(method: find.name, text: nil)
    #expect(try form.params(of: ["id=x", "page=3"], find, voice) == ["id=x", "page=2"])
    #expect(throws: Failure.self) { try form.params(of: ["page=0"], find, voice) }
  }

  @Test("show an added item on a terminal in one row, whose number the next command takes")
  func addedRow() async throws {
    let home = CommandLineHome(isNoon: true)
    try Data(SamplePDF(pages: [.init(["again"])]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    let shown = try await home.startOnTerminal(
      script: """
        "$commonplace" do Return the book
        "$commonplace" open %1 | grep -c "Return the book"
        "$commonplace" note A walk
        "$commonplace" add paper.pdf 2>/dev/null
        "$commonplace" add paper.pdf 2>/dev/null
        """
    ).ended()
    let lines = shown.output.replacing("\u{1B}[0m", with: "").replacing("\u{1B}[1m", with: "").replacing(
      "\u{1B}[2m", with: ""
    ).split(separator: "\r\n")
    try #require(lines.count == 5, "\(shown)")
    #expect(lines[0].hasPrefix("Added  today") && lines[0].contains("Return the book  %1 "), "\(lines)")
    #expect(lines[1] == "1", "\(lines)")
    #expect(lines[2].hasPrefix("Added  today") && lines[2].contains("M  A walk  %1 "), "\(lines)")
    #expect(lines[3].hasPrefix("Added  paper  ") && lines[4].hasPrefix("Already there  paper  "), "\(lines)")
  }

  @Test("a damaged file is said to be repaired when it is added, and a known one is only already there")
  func repairedFile() async throws {
    let home = CommandLineHome()
    // Without a table of its objects.
    let damaged = """
      %PDF-1.4
      1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj 2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
      3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]>>endobj
      trailer<</Root 1 0 R>>

      """
    try Data(damaged.utf8).write(to: URL(filePath: home.work + "/damaged.pdf"))
    try FileManager.default.createDirectory(atPath: home.work + "/sub", withIntermediateDirectories: true)
    let shown = try await home.startOnTerminal(
      script: """
        "$commonplace" add damaged.pdf --locale en 2>/dev/null
        "$commonplace" add sub/../damaged.pdf --locale en 2>/dev/null
        "$commonplace" call documents/get id=%1 --json
        """
    ).ended().output
    let lines = shown.replacing(/\u{1B}\[[0-9;]*m/, with: "").split(whereSeparator: \.isNewline).map(String.init)
    try #require(lines.count > 3, "\(shown)")
    #expect(lines[0].hasPrefix("Added  damaged") && lines[1] == "The file is damaged; it was repaired for reading.")
    #expect(lines[2].hasPrefix("Already there  damaged") && !shown.contains("sub/.."), "\(shown)")
  }

  @Test("an encrypted file of a folder is named with the command that asks for its password")
  func encryptedFile() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try FileManager.default.createDirectory(atPath: home.work + "/papers", withIntermediateDirectories: true)
    try Data(SamplePDF(pages: [.init(["plain"])]).bytes).write(to: URL(filePath: home.work + "/papers/plain.pdf"))
    try Data(SamplePDF.encrypted).write(to: URL(filePath: home.work + "/papers/locked.pdf"))
    let shown = try await home.startOnTerminal(script: "stty cols 400\n\"$commonplace\" add papers --locale en").ended()
    #expect(shown.output.contains("/papers/locked.pdf password=@-” asks for its password."), "\(shown)")
  }

  @Test("add the PDF files of a folder, and report what could not be added")
  func addFolder() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let files = FileManager.default
    for name in ["sub", ".hidden"] {
      try files.createDirectory(atPath: home.work + "/papers/" + name, withIntermediateDirectories: true)
    }
    for (index, name) in ["a.pdf", "sub/b.PDF", ".hidden/c.pdf"].enumerated() {
      try Data(SamplePDF(pages: [.init(["page \(index)"])]).bytes).write(
        to: URL(filePath: home.work + "/papers/" + name))
    }
    try Data("none".utf8).write(to: URL(filePath: home.work + "/papers/broken.pdf"))
    // A folder that leads back to itself.
    try files.createSymbolicLink(atPath: home.work + "/papers/sub/loop", withDestinationPath: home.work + "/papers")
    let added = try await home.run(["add", "papers"])
    let report = try JSONParser.parse(added.output)
    #expect(added.status == 0 && report["added"] == 2 && report["known"] == 0, "\(added)")
    #expect(report["failed"]?.arrayValue?.count == 1)
    #expect(report["failed"]?[0]?["failure"]?["kind"] == "notPDF")
    #expect(
      report["items"]?[0]?["path"] == .string(home.work + "/papers/a.pdf") && report["items"]?[0]?["title"] == "a")
    #expect(added.errors.contains("1 of 3 could not be done"), "\(added.errors)")
    let again = try JSONParser.parse(try await home.run(["add", "papers", "papers/a.pdf"]).output)
    #expect(again["added"] == 0 && again["known"] == 3)
    // The same bytes at another place are a change, but not another document.
    try files.copyItem(atPath: home.work + "/papers", toPath: home.work + "/copies")
    let copied = try JSONParser.parse(try await home.run(["add", "copies"]).output)
    #expect(copied["added"] == 0 && copied["known"] == 2, "\(copied)")
    // One file alone is answered as the method answers it.
    #expect(try JSONParser.parse(try await home.run(["add", "papers/a.pdf"]).output)["title"] == "a")
    let none = try await home.run(["add", "papers/.hidden", "no.pdf"])
    #expect(none.status == 0, "\(none)")
    let nothing = try await home.run(["add", "no.pdf", "neither.pdf"])
    #expect(nothing.status == 16, "\(nothing)")
  }

  @Test("add takes the parameters of a single file, a password as the method takes it, and never shows a secret")
  func addWithParams() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try Data(SamplePDF.encrypted).write(to: URL(filePath: home.work + "/locked.pdf"))
    try Data(SamplePDF(pages: [.init(["again"])]).bytes).write(to: URL(filePath: home.work + "/a=b.pdf"))
    try home.place("pässwört\n", as: "word")
    let refused = try await home.run(["add", "locked.pdf"])
    #expect(refused.errors.contains("password=@-") && refused.errors.contains("password=@FILE"), "\(refused)")
    for words in [
      ["password=hunter2"], ["password:=\"hunter2\""], ["passwrd=hunter2"], ["paper.pdf", "password=hunter2"],
    ] {
      let exposed = try await home.run(["add", "locked.pdf"] + words)
      #expect(exposed.status != 0 && !(exposed.output + exposed.errors).contains("hunter2"), "\(exposed)")
    }
    let alone = try await home.run(["add", "password=hunter2"])
    #expect(alone.status == 2 && !alone.errors.contains("hunter2"), "\(alone)")
    let several = try await home.run(["add", "locked.pdf", "a=b.pdf", "title=Both"])
    #expect(several.status == 2 && several.errors.contains("“title=” applies to a single file"), "\(several)")
    let added = try await home.run(["add", "locked.pdf", "password=@word", "title=A paper", "tags=x"])
    let document = try JSONParser.parse(added.output)
    #expect(document["title"] == "A paper" && document["tags"] == ["x"], "\(added)")
    // A word with = is a file if there is one.
    #expect(try JSONParser.parse(try await home.run(["add", "a=b.pdf"]).output)["title"] == "a=b")
  }

  @Test("Ctrl-C cancels the adding of a folder, and the command says what stays")
  func addCancelled() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try FileManager.default.createDirectory(atPath: home.work + "/papers", withIntermediateDirectories: true)
    let server = try await HeldServer.listen(at: home.socket)
    let add = try home.start(["add", "papers", "--socket", home.socket])
    await server.asked()
    add.kill(SIGINT)
    let result = await add.ended()
    #expect(result.status == 130)
    #expect(
      result.errors == "commonplace: Cancelled. The documents that were already added stay. Run the command again to "
        + "add the others.\n")
    await server.close()
  }

  @Test("a folder without PDF files, and one that cannot be read, are named")
  func unreadable() async throws {
    let home = CommandLineHome(obeysModes: true)
    let files = FileManager.default
    try files.createDirectory(atPath: home.work + "/empty", withIntermediateDirectories: true)
    let empty = try await home.run(["add", "empty"])
    #expect(empty.status == 4 && empty.errors.contains("contains no PDF file"), "\(empty)")
    let several = try JSONParser.parse(try await home.run(["add", "empty/", "empty", "none.pdf"]).output)
    #expect(
      several["failed"]?.arrayValue?.map { $0["failure"]?["kind"] ?? .null } == ["notFound", .null, .null], "\(several)"
    )
    try files.createDirectory(
      atPath: home.work + "/locked", withIntermediateDirectories: true, attributes: [.posixPermissions: 0])
    let locked = try await home.run(["add", "locked"])
    #expect(locked.status == 8 && locked.errors.contains("/locked cannot be read"), "\(locked)")
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: home.work + "/locked")
  }

  @Test("open prints the file of a document, and anything else as it is")
  func open() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let bytes = Data(SamplePDF(pages: [.init(["again"])]).bytes)
    try bytes.write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "path=paper.pdf", "title=A paper")
    let path = try await home.run(["open", "A paper"])
    #expect(try Data(contentsOf: URL(filePath: path.output.trimmingCharacters(in: .newlines))) == bytes, "\(path)")
    let found = try await home.startOnTerminal(script: "\"$commonplace\" search again; \"$commonplace\" open %1")
      .ended()
    #expect(found.output.hasSuffix("/commonplace/open/A paper.pdf\r\np. 1\r\n"), "\(found)")
    // A viewer gets the page; the script waits for what it got.
    try "#!/bin/sh\nprintf '%s|' \"$@\" > '\(home.work)/shown'\n"
      .write(toFile: home.work + "/evince", atomically: true, encoding: .utf8)
    chmod(home.work + "/evince", 0o700)
    _ = try await home.startOnTerminal(
      script: """
        export DISPLAY=:9 PDFVIEWER="$PWD/evince --fullscreen"
        mkfifo shown
        "$commonplace" search again
        "$commonplace" open %1
        timeout 60 cat shown > arguments
        """
    ).ended()
    let shown = try String(contentsOfFile: home.work + "/arguments", encoding: .utf8)
    #expect(shown.hasPrefix("--fullscreen|--page-index=1|/") && shown.hasSuffix("/A paper.pdf|"), "\(shown)")
    _ = try await home.call("diary/add", "text=A walk")
    #expect(try JSONParser.parse(try await home.run(["open", "A walk"]).output)["text"] == "A walk")
    #expect(try await home.run(["open", "A", "walk"]).status == 0)
    // A day is shown as by "today".
    let today = try JSONParser.parse(try await home.run(["open", "today"]).output)
    #expect(today["entries"]?.arrayValue?.count == 1 && today["day"] != nil, "\(today)")
    let none = try await home.run(["open", "No such thing"])
    #expect(none.status == 4 && none.errors.contains("“No such thing”"), "\(none)")
  }
}
