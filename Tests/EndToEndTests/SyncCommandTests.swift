import Foundation
import TestSupport
import Testing
import Wire

@Suite("Two homes share a library", .timeLimit(.minutes(10)))
struct SyncCommandTests {
  private static func configured(at place: String) throws -> CommandLineHome {
    let home = CommandLineHome()
    try home.configure("[sync]\ntarget = \"folder\"\nurl = \"\(place)\"\nevery = 0\n")
    return home
  }

  /// The titles, tags and states of all notes, entries and cards.
  private static func contents(of home: CommandLineHome) async throws -> [[String]] {
    var contents: [[String]] = []
    for method in ["notes/list", "diary/list", "projects/list"] {
      let items = try await home.call(method)["items"]?.arrayValue ?? []
      let rows = items.map { item -> String in
        let values: [JSONValue] = ["id", "title", "tags", "state"].map { item[$0] ?? .null }
        return JSONValue.array(values).description
      }
      contents.append(rows.sorted())
    }
    return contents
  }

  @Test("the commands that the help names share a library over a folder, and kills of daemons lose nothing")
  func commands() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (try Self.configured(at: place.path), try Self.configured(at: place.path))
    let off = try await phone.run(["sync", "run"])
    #expect(off.status != 0 && off.errors.contains("commonplace sync set-up"), "\(off)")
    let made = try await laptop.run(["sync", "set-up", "--name", "laptop"])
    #expect(made.status == 0, "\(made)")
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue)
    let wrong = try await phone.run(["sync", "join"], input: "CP-00000\n")
    #expect(wrong.status != 0 && wrong.errors.contains("commonplace sync code"), "\(wrong)")
    let joined = try await phone.run(["sync", "join", "--name", "phone"], input: code + "\n")
    #expect(joined.status == 0, "\(joined)")
    #expect(!(joined.output + joined.errors).contains(code))

    for round in 0..<4 {
      for (home, name) in [(laptop, "laptop"), (phone, "phone")] {
        _ = try await home.call("notes/add", "text=\(name) \(round)")
        _ = try await home.call("projects/add", "title=\(name) card \(round)", #"tags:=["t\#(round)"]"#)
        if round == 1 { _ = await home.killDaemon() }
        #expect(try await home.run(["sync", "run"]).status == 0)
      }
    }
    for home in [laptop, phone, laptop] { #expect(try await home.run(["sync", "run"]).status == 0) }
    let both = try await (Self.contents(of: laptop), Self.contents(of: phone))
    #expect(both.0 == both.1 && both.0[0].count == 8 && both.0[2].count == 8)
    let status = try JSONParser.parse(try await phone.run(["sync", "status"]).output)
    #expect(status["devices"]?.arrayValue?.map { $0["name"] } == ["phone", "laptop"])
    #expect(try await phone.run(["sync", "conflicts"]).status == 0)
    #expect(try await phone.run(["sync", "--check"]).status == 0)
    #expect(try JSONParser.parse(try await phone.run(["sync", "code"]).output)["code"] == .string(code))
    let shown = await (try laptop.startOnTerminal(["sync", "code"])).end()
    #expect(shown.output.contains(code) && shown.output.contains("\u{1B}[97;40m████"), "\(shown)")

    #expect(try await phone.run(["sync", "rename", "old phone"]).status == 0)
    #expect(try await phone.run(["sync", "run"]).status == 0)
    let renewed = try await laptop.run(["sync", "renew"])
    let new = try #require(try JSONParser.parse(renewed.output)["code"]?.stringValue, "\(renewed)")
    let stopped = try await phone.run(["sync", "run"])
    #expect(new != code && stopped.status != 0 && stopped.errors.contains("commonplace sync join"), "\(stopped)")
    let counted = try await phone.run(["sync", "join", "--dry-run"], input: new + "\n")
    let counts = try JSONParser.parse(counted.output)["counts"]
    #expect(counts?["onlyThere"] == 0 && counts?["onlyHere"] == 0, "\(counted)")
    #expect(try await phone.run(["sync", "join"], input: new + "\n").status == 0)
    #expect(try await laptop.run(["sync", "run"]).status == 0)
    let listed = try JSONParser.parse(try await laptop.run(["sync", "devices"]).output)["items"]?.arrayValue ?? []
    #expect(listed.map { $0["name"] } == ["laptop", "old phone"])
    let id = try #require(listed.last?["id"]?.stringValue)
    #expect(try await laptop.run(["sync", "forget", id]).status == 0)
    let left = try JSONParser.parse(try await laptop.run(["sync", "devices"]).output)["items"]?.arrayValue ?? []
    #expect(left.map { $0["name"] } == ["laptop"])
    #expect(try await phone.run(["sync", "leave"]).status == 0)
    #expect(try await phone.call("sync/status")["state"] == "off")
  }

  /// Two homes that share a library, in which the titles of these cards differ: `NAME, on the laptop` is older than
  /// `NAME, on the phone`.
  private static func differing(_ names: [String], at place: TemporaryFolder) async throws -> [CommandLineHome] {
    let (laptop, phone) = (try configured(at: place.path), try configured(at: place.path))
    let made = try await laptop.run(["sync", "set-up", "--name", "laptop"])
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue)
    _ = try await phone.run(["sync", "join", "--name", "phone"], input: code + "\n")
    for name in names { _ = try await laptop.call("projects/add", "id=\(name)", "title=\(name)") }
    for home in [laptop, phone] { _ = try await home.run(["sync", "run"]) }
    for (home, device) in [(laptop, "laptop"), (phone, "phone")] {
      for name in names { _ = try await home.call("projects/update", "id=\(name)", "title=\(name), on the \(device)") }
    }
    for home in [laptop, phone, laptop] { #expect(try await home.run(["sync", "run"]).status == 0) }
    return [laptop, phone]
  }

  @Test("conflicts are shown with both versions side by side, and settled by number, id and title")
  func conflicts() async throws {
    let place = TemporaryFolder()
    defer { withExtendedLifetime(place) {} }
    let homes = try await Self.differing(["soup", "bread", "salt"], at: place)
    let (laptop, phone) = (homes[0], homes[1])
    let listed = try JSONParser.parse(try await laptop.run(["sync", "conflicts"]).output)["items"]?.arrayValue ?? []
    #expect(listed.count == 3)
    let shown = try #require(listed.first { $0["item"] == "soup" }?["display"])
    #expect(shown["ours"] == "soup, on the phone" && shown["theirs"] == "soup, on the laptop", "\(shown)")
    let number = (listed.firstIndex { $0["item"] == "soup" } ?? 0) + 1
    let screen = try await laptop.startOnTerminal(
      script: """
        stty cols 100
        "$commonplace" sync conflicts
        "$commonplace" sync settle %\(number) theirs
        """
    ).ended()
    let lines = screen.output.split(whereSeparator: \.isNewline)
    #expect(
      lines.contains { $0.contains("soup, on the phone") && $0.contains("soup, on the laptop") }, "\(screen.output)")
    #expect(
      lines.contains { $0.contains("Newer (ours)") && $0.contains("Older, from laptop (theirs)") }, "\(screen.output)")
    // Two titles cannot both be the title.
    #expect(shown["theirsIs"] == "Older, from laptop" && !screen.output.contains("both"), "\(screen.output)")
    #expect(listed.allSatisfy { $0["choices"] == ["ours", "theirs"] }, "\(listed)")
    #expect(screen.output.contains("title is settled"), "\(screen.output)")
    #expect(try await laptop.call("projects/get", "id=soup")["title"] == "soup, on the laptop")
    let narrow = try await laptop.startOnTerminal(script: "stty cols 40\n\"$commonplace\" sync conflicts").ended()
    let below = narrow.output.split(whereSeparator: \.isNewline)
    #expect(below.contains { $0.hasPrefix("  bread, on the laptop") }, "\(narrow.output)")

    #expect(try await laptop.run(["sync", "settle", "Bread, on the phone", "ours"]).status == 0)
    let id = try #require(listed.first { $0["item"] == "salt" }?["id"]?.stringValue)
    let unknown = try await laptop.run(["sync", "settle", "pepper", "ours"])
    #expect(unknown.status == 4 && unknown.errors.contains("sync conflicts"), "\(unknown)")
    #expect(try await laptop.run(["sync", "settle", id, "all"]).status == 2)
    #expect(try await laptop.run(["sync", "settle", id, "theirs"]).status == 0)
    for home in homes {
      #expect(try await home.run(["sync", "run"]).status == 0)
      #expect(try JSONParser.parse(try await home.run(["sync", "conflicts"]).output)["items"] == [])
    }
    let titles = try await phone.call("projects/list")["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue }
    #expect(titles?.sorted() == ["bread, on the phone", "salt, on the laptop", "soup, on the laptop"])
  }

  @Test("an item with several conflicts is not settled by its name, and each of them has an id")
  func severalConflicts() async throws {
    let place = TemporaryFolder()
    defer { withExtendedLifetime(place) {} }
    let homes = try await Self.differing(["soup"], at: place)
    for (home, day) in zip(homes, ["2026-12-01", "2026-12-02"]) {
      _ = try await home.call("projects/update", "id=soup", "deadline=\(day)")
    }
    for home in homes + [homes[0]] { #expect(try await home.run(["sync", "run"]).status == 0) }
    let listed = try JSONParser.parse(try await homes[0].run(["sync", "conflicts"]).output)["items"]?.arrayValue ?? []
    #expect(Set(listed.compactMap { $0["field"]?.stringValue }) == ["title", "deadline"], "\(listed)")
    #expect(try await homes[0].run(["sync", "--check"]).status == 5)
    let refused = try await homes[0].run(["sync", "settle", "soup", "ours"])
    #expect(refused.status == 5 && refused.errors.contains("deadline"), "\(refused)")
    let id = try #require(listed.first { $0["field"] == "deadline" }?["id"]?.stringValue)
    #expect(try await homes[0].run(["sync", "settle", id, "theirs"]).status == 0)
    let left = try JSONParser.parse(try await homes[0].run(["sync", "conflicts"]).output)["items"]?.arrayValue
    #expect(left?.map { $0["field"] } == ["title"])
  }

  @Test("the schedule is paused and resumed from the command line, and a run that is asked for runs all the same")
  func pause() async throws {
    let place = TemporaryFolder()
    defer { withExtendedLifetime(place) {} }
    let homes = try await Self.differing([], at: place)
    #expect(try await homes[0].run(["sync", "pause"]).status == 0)
    #expect(try await homes[0].call("sync/status")["state"] == "paused")
    #expect(try await homes[0].run(["sync", "run"]).status == 0)
    #expect(try await homes[0].run(["sync", "resume"]).status == 0)
    #expect(try await homes[0].call("sync/status")["state"] == "idle")
  }

  @Test("a PDF with its marks is on the other device after two runs, with a killed daemon between them")
  func document() async throws {
    let place = TemporaryFolder()
    let (laptop, phone) = (try Self.configured(at: place.path), try Self.configured(at: place.path))
    let made = try await laptop.run(["sync", "set-up", "--name", "laptop"])
    let code = try #require(try JSONParser.parse(made.output)["code"]?.stringValue)
    #expect(try await phone.run(["sync", "join", "--name", "phone"], input: code + "\n").status == 0)
    let file = place.file("club.pdf")
    try Data(SamplePDF(pages: [.init(["The reading club"]), .init(["meets on Fridays"])]).bytes).write(
      to: URL(filePath: file))
    _ = try await laptop.call("documents/add", "id=club", "path=\(file)", "title=Club")
    _ = try await laptop.call("documents/toggleHighlight", "id=club", "page:=0", #"lines:=["The reading club"]"#)
    _ = try await laptop.call("documents/setMemo", "id=club", "page:=1", "text=Go there")
    #expect(try await laptop.run(["sync", "run"]).status == 0)
    _ = await phone.killDaemon()
    #expect(try await phone.run(["sync", "run"]).status == 0)
    let text = try await phone.call("documents/text", "id=club", "page:=1")
    #expect(text["text"]?.stringValue?.contains("Fridays") == true, "\(text)")
    let highlights = try await phone.call("documents/highlights", "id=club")["items"]?.arrayValue ?? []
    #expect(highlights.map { $0["text"] } == ["The reading club"])
    let memos = try await phone.call("documents/memos", "id=club")["items"]?.arrayValue ?? []
    #expect(memos.map { $0["text"] } == ["Go there"])
    let status = try JSONParser.parse(try await phone.run(["sync", "status"]).output)
    #expect(status["filesElsewhere"] == 0 && status["waitingFiles"] == 0, "\(status)")

    // A device with little room fetches the file once it is opened.
    let tablet = CommandLineHome()
    try tablet.configure("[sync]\ntarget = \"folder\"\nurl = \"\(place.path)\"\nevery = 0\nfiles = \"opened\"\n")
    #expect(try await tablet.run(["sync", "join", "--name", "tablet"], input: code + "\n").status == 0)
    let refused = try await tablet.run(["open", "Club"])
    #expect(refused.status == 7 && refused.errors.contains("another device"), "\(refused)")
  }
}
