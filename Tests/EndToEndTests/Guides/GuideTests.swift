import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("The README and the guides", .timeLimit(.minutes(10)))
struct GuideTests {
  /// A home as the pages assume it: a paper, files of other programs, an editor, and a manager of passwords.
  private func home() throws -> CommandLineHome {
    let home = CommandLineHome()
    let paper = SamplePDF(pages: [.init(["One line."]), .init(["Another page."])])
    try Data(paper.bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    try home.place("[2026-03-01 09:00] Snow.\nIt stayed all day.\n", as: "journal.txt")
    try home.place(
      "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//example//EN\r\nBEGIN:VTODO\r\nUID:1\r\nSUMMARY:Water the plants\r\n"
        + "END:VTODO\r\nEND:VCALENDAR\r\n", as: "tasks.ics")
    try home.place(
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20261121T140000\r\nSUMMARY:Dentist\r\nEND:VEVENT\r\n"
        + "END:VCALENDAR\r\n", as: "family.ics")
    try home.place(
      "Book Id,Title,Author,Exclusive Shelf\n1,Human Acts,Han Kang,read\n", as: "goodreads.csv")
    try home.place(
      "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"Example\" xmlUrl=\"https://feed.invalid/a.xml\"/></body></opml>",
      as: "subscriptions.opml")
    try home.place(
      #"{"items": [{"title": "Soup", "alternate": [{"href": "https://site.invalid/soup"}]}]}"#, as: "starred.json")
    let zotero = home.work + "/My Library"
    try FileManager.default.createDirectory(atPath: zotero + "/files/1", withIntermediateDirectories: true)
    try Data(SamplePDF(pages: [.init(["Types."])]).bytes).write(to: URL(filePath: zotero + "/files/1/Types.pdf"))
    try home.place(
      """
      @article{knuth1974, title = {On Types}, file = {PDF:files/1/Types.pdf:application/pdf}}
      @book{austen1815, title = {Emma}, author = {Austen, Jane}}

      """, as: "My Library/My Library.bib")
    try Data(SamplePDF(pages: [.init(["Literate Programming"])]).bytes)
      .write(to: URL(filePath: home.work + "/literate.pdf"))
    try CalibreSample.write(into: home.work + "/Calibre Library")
    try home.place("#!/bin/sh\nsed -i 's/the book/the books/' \"$1\"\n", as: "editor")
    try home.place("#!/bin/sh\necho ann:secret\n", as: "pass")
    for name in ["editor", "pass"] {
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(home.work)/\(name)")
    }
    return home
  }

  /// Runs lines of a shell one after the other; the first that fails ends them.
  private func run(_ script: String, in home: CommandLineHome) async throws -> (output: String, errors: String) {
    try home.place("export EDITOR=\"$PWD/editor\" PATH=\"$PWD:$PATH\"\n" + script, as: "script.sh")
    let shell = try home.startProgram("env", ["bash", "-xeuo", "pipefail", "script.sh"], package: "bash")
    let result = await shell.end()
    #expect(result.status == 0, "\(result.errors.suffix(2_000))")
    return (result.output, result.errors)
  }

  @Test("the ten commands for every day do what the README says of each")
  func tenCommands() async throws {
    let home = try home()
    let commands = Guide.readme.blocks(in: "sh", under: "Ten commands for every day")
    try #require(commands.count == 2)
    #expect(commands[0].split(separator: "\n").count == 10)
    let output = try await run(commands.joined(), in: home).output
    #expect(output.contains("A paper") || output.contains("paper"))
    let board = try await home.call("projects/board")
    // It was edited and finished; only the latter was reverted.
    #expect(board["columns"]?[0]?["items"]?.arrayValue?.contains { $0["title"] == "Return the books" } == true)
    #expect(try await home.call("diary/list")["total"] == 2)
    let backups = try FileManager.default.contentsOfDirectory(atPath: home.work + "/backups")
    #expect(!backups.isEmpty)
  }

  @Test("the guide names the formats that each method reads and writes, and no others")
  func formats() throws {
    let rows = Guide("ImportAndExport").text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    for area in ["boards", "books", "diary", "documents", "notes", "projects"] {
      let row = try #require(rows.first { $0.hasPrefix("| \(area) |") })
      for (cell, verb) in zip(row.split(separator: "|").dropFirst().map(String.init), ["import", "export"]) {
        let names = cell.matches(of: /`([a-z0-9]+)`/).map { String($0.1) }
        guard let method = MethodNames.describe("\(area)/\(verb)"),
          case .choice(_, let choices)? = method.params.field(at: ["format"])?.shape
        else { continue }
        #expect(Set(names) == Set(choices), "\(area)/\(verb)")
      }
    }
  }

  @Test("every command of a guide runs", arguments: Guide.names)
  func commands(of name: String) async throws {
    let guide = Guide(name)
    let blocks = guide.blocks(in: "sh")
    guard !blocks.isEmpty else { return }
    let home = try home()
    let toml = guide.blocks(in: "toml").joined()
    try home.configure((toml.contains("[network]") ? "" : "[network]\noffline = true\n") + toml)
    // What the reader of a guide has already.
    let before = """
      commonplace call documents/add path=paper.pdf title='A paper'
      commonplace call documents/addHighlight id="$(commonplace call documents/list | sed 's/.*"items":\\[{"id":"\\([^"]*\\)".*/\\1/')" page=0 lines='One line.'
      cp paper.pdf other.pdf

      """
    _ = try await run(before + blocks.joined(), in: home)
  }

  @Test("the README's transcript is what a terminal shows, whatever the dates, times and ids")
  func transcript() async throws {
    let home = CommandLineHome(isNoon: true)
    try Data(SamplePDF(pages: [.init(["A paper about rivers."])]).bytes).write(
      to: URL(filePath: home.work + "/paper.pdf"))
    let lines = try #require(Guide.readme.blocks(in: "console").first).split(separator: "\n").map(String.init)
    let commands = lines.filter { $0.hasPrefix("$ ") }.map { "cat <<'END'\n\($0)\nEND\n\($0.dropFirst(2))\n" }
    try #require(commands.count == 5)
    let terminal = try home.startOnTerminal(
      script: "commonplace() { \"$commonplace\" \"$@\"; }\n" + commands.joined())
    let output = await terminal.ended().output.replacingOccurrences(of: "\r\n", with: "\n")
    #expect(output.split(separator: "\n").map { Self.plain(String($0)) } == lines.map(Self.plain), "\(output)")
  }

  /// A line without what was written before it in its place, colours, and what differs each time.
  private static func plain(_ line: String) -> String {
    (line.split(separator: "\r").last.map(String.init) ?? "")
      .replacing(/\u{1B}\[[0-9;]*[A-Za-z]/, with: "")
      .replacing(/[A-Z][a-z][a-z] \d+, \d{4}/, with: "DATE")
      .replacing(/\d+:\d\d [AP]M/, with: "TIME")
      .replacing(/(%\d+) [0-9a-f]{4,8}/) { "\($0.1) ID" }
      .split(separator: " ").joined(separator: " ")
  }

  @Test("the configurations of the guide to agents start a server, with the limits that it shows")
  func agents() async throws {
    let guide = Guide("Agents")
    let home = try home()
    try home.configure(guide.blocks(in: "toml").joined())
    let blocks = guide.blocks(in: "json")
    try #require(blocks.count == 2)
    for block in blocks {
      let file = try JSONParser.parse(block)
      let server = (file["mcpServers"] ?? file["servers"])?["commonplace"]
      let arguments = server?["args"]?.arrayValue?.compactMap(\.stringValue) ?? []
      #expect(server?["command"] == "commonplace" && arguments.first == "mcp")
      let agent = try Agent(home, Array(arguments.dropFirst()))
      #expect(try await agent.request("server/discover")["result"]?["supportedVersions"] != nil, "\(block)")
      #expect(await agent.end().status == 0)
    }
  }

  @Test("the report of added files has the members that the guide shows")
  func addedReport() async throws {
    let home = try home()
    let papers = home.work + "/papers"
    try FileManager.default.createDirectory(atPath: papers, withIntermediateDirectories: true)
    try Data(SamplePDF(pages: [.init(["One line."])]).bytes).write(to: URL(filePath: papers + "/a.pdf"))
    try home.place("no PDF", as: "papers/b.pdf")
    let printed = try JSONParser.parse(try await home.run(["add", "papers", "--json"]).output)
    let shown = try JSONParser.parse(try #require(Guide("CommandLine").blocks(in: "json").first))
    #expect(Self.form(of: printed) == Self.form(of: shown))
  }

  /// A value with its members, and types for the other values.
  private static func form(of value: JSONValue) -> JSONValue {
    if let elements = value.arrayValue { return .array(elements.map(form)) }
    guard let object = value.objectValue else { return .string(value.typeName) }
    var form: JSONObject = [:]
    for member in object.members { form[member.key] = self.form(of: member.value) }
    return .object(form)
  }

  @Test("the README fits 150 lines, and names every guide")
  func readme() throws {
    #expect(Guide.readme.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
    let first = Guide("Commonplace").text
    try #require(Guide.names.count >= 10)
    for name in Guide.names {
      #expect(Guide.readme.text.contains("](\(Guide.catalogue)/\(name).md)"), "\(name)")
      #expect(first.contains("<doc:\(name)>"), "\(name)")
    }
  }

  @Test("links between the pages lead to pages")
  func links() throws {
    for page in [Guide.readme] + Guide.names.map({ Guide($0) }) {
      for link in page.text.matches(of: /\]\((?!https?:|commonplace:)([^)#]+)\)/) {
        let target = URL(filePath: page.path, relativeTo: Guide.root).deletingLastPathComponent()
          .appending(path: String(link.1))
        #expect(FileManager.default.fileExists(atPath: target.path), "\(page.path): \(link.1)")
      }
      for link in page.text.matches(of: /<doc:(\w+)>/) {
        #expect(Guide.names.contains(String(link.1)), "\(page.path): \(link.1)")
      }
    }
  }
}
