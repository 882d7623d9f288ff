import Features
import Foundation
import Kit
import Store
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("Handles of items", .timeLimit(.minutes(10)))
struct HandleTests {
  @Test("are numbers, titles in quotes, and ids or parts of them")
  func forms() {
    #expect(Handle("%3") == .number(3))
    #expect(Handle("%0") == .title("%0"))
    #expect(Handle("\"A paper\"") == .title("A paper"))
    #expect(Handle("“A”") == .title("A"))
    #expect(Handle("A paper") == .title("A paper"))
    #expect(Handle("9f3a") == .maybeID("9f3a"))
  }

  @Test("the lists in which items are looked up are methods of the features that have the items")
  func lists() {
    let collections = AllFeatures.features.flatMap(\.collections)
    let all = MethodNames.routes.map(\.description)
    for collection in collections {
      let shape = collection.shape()
      let expected = all.filter { ListMethods.lists($0, shape) }.map(\.name)
      #expect(ListMethods.methods(of: collection).map(\.name) == expected, "\(collection.name)")
    }
    let documents = collections.filter { $0.name == "documents" }
    #expect(documents.map { ListMethods.methods(of: $0).map(\.name) } == [["documents/list"]])
  }

  @Test("short ids are the ends of ids, as long as they have to be")
  func shortIDs() {
    let ids = [
      "019ac0f2-7b1e-7000-8000-3c5d9a1e9f3a", "019ac0f2-7b1e-7000-8000-77aa01e24b20",
    ]
    #expect(ShortIDs.labels(of: ids) == [ids[0]: "9f3a", ids[1]: "4b20"])
    let alike = ids + ["019ac0f2-7b1e-7000-8000-77aa01009f3a"]
    #expect(ShortIDs.labels(of: alike)[ids[0]] == "e9f3a")
    // Ids of imported entries have no hyphens, and may have capitals.
    let imported = ["3b0f9d6f5d7f4c1e9a0b1c2d3e4f5a6b", "5D7F4C1E9A0B1C2D3E4F5A6B3B0F9D6F"]
    #expect(ShortIDs.labels(of: imported) == [imported[0]: "5a6b", imported[1]: "9D6F"])
    #expect(ShortIDs.matches("5a6b", imported[0]) && ShortIDs.matches("9d6f", imported[1]))
    let same = [ids[0], "119ac0f2-7b1e-7000-8000-3c5d9a1e9f3a"]
    #expect(ShortIDs.labels(of: same)[ids[0]] == ids[0])
    #expect(
      ShortIDs.labels(of: ["book", "a-name-that-is-long"]) == [
        "book": "book", "a-name-that-is-long": "a-name-that-is-long",
      ])
    #expect(ShortIDs.matches("9f3a", ids[0]) && ShortIDs.matches("019AC0F2", ids[0]))
    #expect(!ShortIDs.matches("f3a", ids[0]) && !ShortIDs.matches("boo", "book"))
    #expect(ShortIDs.isBeginning("card", of: "card-17") && ShortIDs.isBeginning("019ac", of: ids[0]))
    #expect(!ShortIDs.isBeginning("boo", of: "book") && !ShortIDs.isBeginning("card-17", of: "card-1"))
  }

  @Test("the numbers and short ids of the last list of a terminal mean its items there")
  func lastList() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for title in ["One", "Two"] { _ = try await home.call("projects/add", "title=\(title)", "deadline:=null") }
    let output = try await home.startOnTerminal(
      script: """
        "$commonplace" call projects/list --locale en
        "$commonplace" call projects/update id=%2 title=Second >/dev/null
        "$commonplace" call projects/get id=%2 --json
        "$commonplace" call projects/get id=%9
        "$commonplace" edit %9
        ls -l "$XDG_RUNTIME_DIR"/commonplace.sock.lists
        "$commonplace" call diary/list
        "$commonplace" call projects/get id=%1
        """
    ).ended().output
    #expect(output.contains("%1 ") && output.contains("%2 "), "\(output)")
    #expect(output.contains("\"Second\""), "\(output)")
    #expect(output.contains("The last list of this terminal has no item 9."), "\(output)")
    #expect(output.contains("-rw-------"), "\(output)")
    // An empty list has no numbers of its own: those of the list before it stay.
    #expect(!output.contains("has no item 1."), "\(output)")
    // Another terminal has seen no list.
    let other = try await home.startOnTerminal(["call", "projects/get", "id=%1"]).ended()
    #expect(other.status == 4 && other.output.contains("has no item 1"), "\(other)")
  }

  @Test("a part of an id and a title are looked up, and several items are listed with nothing done")
  func lookup() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let id = try #require(
      try await home.call("projects/add", "title=Return the book", "deadline:=null")["id"]?.stringValue)
    #expect(try await home.call("projects/get", "id=\(id.suffix(6))")["id"]?.stringValue == id)
    #expect(try await home.call("projects/get", "id=\(id.prefix(20))")["id"]?.stringValue == id)
    #expect(try await home.call("projects/get", "id=\"Return the book\"")["id"]?.stringValue == id)
    _ = try await home.call("projects/add", "title=Return the book", "deadline:=null")
    let both = try await home.run(["call", "projects/remove", "id=\"Return the book\""])
    #expect(both.status == 5 && both.errors.contains("“Return the book” may be any of these items"), "\(both)")
    #expect(both.errors.split(separator: "\n").count == 3 && both.errors.contains(id.suffix(4)), "\(both)")
    #expect(try await home.call("projects/list")["total"] == 2)
    // A list of ids, which no method refuses one by one.
    let other = try #require(
      try await home.call("projects/add", "title=Other", "blockedBy=\(id.suffix(8))")["blockedBy"])
    #expect(other == [.string(id)])
    // An id that somebody chose precedes any title.
    _ = try await home.call("projects/add", "id=mine", "title=Own", "deadline:=null")
    #expect(try await home.call("projects/get", "id=mine")["title"] == "Own")
    let none = try await home.run(["call", "projects/get", "id=nothing"])
    #expect(none.status == 4 && none.errors.contains("No item has the id or the title “nothing”"), "\(none)")
    let untitled = try await home.run(["call", "projects/get", "id=\"No such card\""])
    #expect(untitled.status == 4 && untitled.errors.contains("“No such card”"), "\(untitled)")
    // A part of a title means nothing, but the titles with it are named.
    for words in [["call", "projects/get", "id=Other book"], ["open", "book"], ["done", "the book"]] {
      let part = try await home.run(words)
      let isNamed = part.errors.contains("Titles with these words are:") && part.errors.contains("“Return the book”")
      #expect(part.status == 4 && isNamed == !words.contains("id=Other book"), "\(part)")
    }
  }

  @Test("a client-chosen id is found by its beginning; a write to the beginning of one only lists the candidates")
  func beginnings() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let lines = (0..<30).map { #"{"id":"card-\#($0)","title":"Number \#($0)"}"# }
    let added = try await home.run(
      ["call", "projects/add", "--lines", "deadline:=null"], input: lines.joined(separator: "\n"))
    #expect(added.status == 0, "\(added)")
    _ = try await home.call("projects/add", "id=errand-7", "title=Buy milk", "deadline:=null")
    #expect(try await home.call("projects/get", "id=errand")["id"] == "errand-7")
    #expect(try await home.call("projects/get", "id=card-1")["title"] == "Number 1")
    for method in ["projects/get", "projects/remove"] {
      let many = try await home.run(["call", method, "id=card"])
      #expect(many.status == 5 && many.errors.contains("“card” may be any of these items"), "\(many)")
      #expect(many.errors.split(separator: "\n").count == 21 && many.errors.contains("card-0"), "\(many)")
    }
    // Its own id was removed: that of another begins with it.
    _ = try await home.call("projects/add", "id=errand", "title=Gone", "deadline:=null")
    _ = try await home.call("projects/remove", "id=errand")
    for arguments in [
      ["remove", "id=errand"], ["update", "id=errand", "title=X"], ["update", "ids=errand", "title=X"],
    ] {
      let refused = try await home.run(["call", "projects/" + arguments[0]] + arguments.dropFirst())
      #expect(refused.status == 5 && refused.errors.contains("errand-7"), "\(refused)")
    }
    #expect(try await home.call("projects/get", "id=errand-7")["title"] == "Buy milk")
    #expect(try await home.call("projects/list", "limit=100")["total"] == 31)
  }

  @Test("a title of one word is looked up among several ids too, and so are posts, sources, searches and file names")
  func titles() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let id = try await home.call("projects/add", "title=Milkman", "deadline:=null")["id"]
    let updated = try await home.call("projects/update", "ids=milkman", "tags=z")
    #expect(updated["items"]?[0]?["id"] == id && updated["failed"] == [], "\(updated)")
    let server = try ScriptedServer { _ in
      .text(
        "<rss version=\"2.0\"><channel><title>Weather</title><item><title>Rainfall report</title><guid>1</guid></item></channel></rss>",
        [("Content-Type", "application/rss+xml")])
    }
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(server.origin)/a")
    #expect(try await home.call("boards/post", "id=Rainfall report")["title"] == "Rainfall report")
    let read = try await home.call("boards/markRead", "ids=Rainfall report", "read=true")
    #expect(read["failed"] == nil || read["failed"] == [], "\(read)")
    // The source, not its board of the same title.
    #expect(
      try await home.call("boards/updateSource", "id=Weather", "title=Rain")["url"]?.stringValue == "\(server.origin)/a"
    )
    server.stop()
    _ = try await home.call("search/save", "text=milkman", "title=Rivers")
    #expect(try await home.call("search/query", "saved=Rivers")["total"] == 1)
    let paper = SamplePDF(pages: [.init(["One line."])])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/scan-17.pdf"))
    let document = try await home.call("documents/add", "path=scan-17.pdf", "title=Grasshopper")
    #expect(try await home.call("documents/get", "id=scan-17")["id"] == document["id"])
  }

  @Test("a title with a link in it means the item with this title, and only a whole link means its target")
  func titlesWithLinks() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for title in ["Buy milk and eggs", "Return [[Buy milk and eggs]]", "Trip|Seoul", "Trip"] {
      _ = try await home.call("projects/add", "title=\(title)", "deadline:=null")
    }
    for title in ["Return [[Buy milk and eggs]]", "Trip|Seoul"] {
      #expect(try await home.call("projects/get", "id=\(title)")["title"] == .string(title))
    }
    for text in ["Anything at all [[Trip]] blah", "[[Trip]] blah", "Trip|Busan", "Anything commonplace:/projects/x"] {
      let refused = try await home.run(["call", "projects/remove", "id=\(text)"])
      #expect(refused.status == 4, "\(refused)")
    }
    #expect(try await home.call("projects/list")["total"] == 4)
    #expect(try await home.call("projects/get", "id=[[Trip]]")["title"] == "Trip")
    _ = try await home.call("projects/remove", "id=Return [[Buy milk and eggs]]")
    #expect(try await home.call("projects/get", "id=Buy milk and eggs")["title"] == "Buy milk and eggs")
  }

  @Test("a past search is no item")
  func pastSearches() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.run(["search", "fox"])
    let search = try #require(try await home.call("search/history")["items"]?[0]?["id"]?.stringValue)
    for handle in ["fox", String(search.suffix(8))] {
      for command in ["open", "edit"] {
        let refused = try await home.run([command, handle])
        #expect(refused.status == 4, "\(refused)")
      }
    }
    // Its own methods mean it.
    #expect(try await home.call("search/forget", "id=\(search.suffix(8))")["removed"] == .string(search))
  }

  @Test("a board is named by its title, by a part of its id, and by its number in a list")
  func boards() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let board = try #require(try await home.call("projects/addBoard", "title=Garden party")["id"]?.stringValue)
    let card = try #require(
      try await home.call("projects/add", "title=Dig", "board=garden party", "deadline:=null")["id"]?.stringValue)
    // Cards of all boards are found by parts of their ids.
    #expect(try await home.call("projects/get", "id=\(card.suffix(8))")["board"] == .string(board))
    for handle in ["\"Garden party\"", String(board.suffix(8))] {
      let renamed = try await home.call("projects/updateBoard", "id=\(handle)", "title=Garden party")
      #expect(renamed["id"] == .string(board), "\(handle)")
    }
    let output = try await home.startOnTerminal(
      script: """
        "$commonplace" call projects/boards --locale en
        "$commonplace" call projects/list board=%2 --locale en
        "$commonplace" call projects/board board='Garden party' --locale en
        """
    ).ended().output
    #expect(output.contains("Garden party") && output.components(separatedBy: "Dig").count == 3, "\(output)")
  }

  @Test("a number of a mark means its document where the method is about documents")
  func marks() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try Data(SamplePDF(pages: [.init(["again"]), .init(["other"])]).bytes).write(
      to: URL(filePath: home.work + "/paper.pdf"))
    let id = try #require(try await home.call("documents/add", "path=paper.pdf")["id"]?.stringValue)
    _ = try await home.call("documents/toggleBookmark", "id=\(id)", "page=1")
    let output = try await home.startOnTerminal(
      script: """
        "$commonplace" call documents/bookmarks id=\(id) >/dev/null
        "$commonplace" call documents/bookmarks id=\(id)
        "$commonplace" call documents/page id=%1 page=1 --json
        """
    ).ended().output
    #expect(output.contains("\"bookmarked\": true"), "\(output)")
  }

  @Test("each row of a search has a number of its own, which opens its page, and equal pages keep their order")
  func pagesOfOneDocument() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try Data(SamplePDF(pages: [.init(["again"]), .init(["other"]), .init(["again"])]).bytes).write(
      to: URL(filePath: home.work + "/paper.pdf"))
    let id = try #require(try await home.call("documents/add", "path=paper.pdf")["id"]?.stringValue)
    _ = try await home.call("documents/toggleHighlight", "id=\(id)", "page=2", "lines:=[\"again\"]")
    _ = try await home.call("documents/toggleBookmark", "id=\(id)", "page=1")
    let output = try await home.startOnTerminal(
      script: """
        "$commonplace" search again in:documents
        "$commonplace" open %1
        "$commonplace" open %2
        "$commonplace" search again in:highlights
        "$commonplace" open %1
        "$commonplace" call documents/bookmarks id=\(id)
        "$commonplace" open %1
        """
    ).ended().output
    let lines = output.split(whereSeparator: \.isNewline).map(String.init)
    let pages = lines.filter { $0.hasPrefix("p. ") }
    #expect(pages == ["p. 1", "p. 3", "p. 3", "p. 2"], "\(output)")
    #expect(lines.count { $0.hasSuffix("/open/paper.pdf") } == 4, "\(output)")
    #expect(lines.count { $0.contains("%2 ") } == 1, "\(output)")
  }

  @Test("COMMONPLACE_LIBRARY names the library where no option does")
  func libraryVariable() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("projects/add", "title=Here", "deadline:=null")
    _ = try await home.run(["backup", "copy"])
    _ = try await home.call("projects/add", "title=There", "deadline:=null")
    let variable = ["COMMONPLACE_LIBRARY": home.work + "/copy"]
    let copy = try await home.run(["call", "projects/list"], changing: variable)
    #expect(try JSONParser.parse(copy.output)["total"] == 1, "\(copy)")
    #expect(try await home.run(["stop"], changing: variable).status == 0)
    let none = try await home.run(["call", "projects/list"], changing: ["COMMONPLACE_LIBRARY": home.work + "/none"])
    #expect(none.status == 4, "\(none)")
    #expect(try await home.call("projects/list")["total"] == 2)
  }
}
