import Foundation
import TestSupport
import Testing
import Wire

@Suite("commonplace call with lines", .timeLimit(.minutes(10)))
struct LineCallTests {
  @Test("calls a method with each line of the input, and prints an answer a line in their order")
  func order() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let lines =
      (1...300).map { #"{"title": "card \#($0)"}"# } + ["", #"{"titel": "x"}"#, "no JSON", "7", #"{"title": "last"}"#]
    let result = try await home.run(
      ["call", "projects/add", "--lines", "tags=bulk", "deadline:=null"], input: lines.joined(separator: "\n"))
    let answers = try result.output.split(separator: "\n").map { try JSONParser.parse(String($0)) }
    #expect(result.status == 0 && answers.count == 304, "\(result.errors)")
    #expect(answers.prefix(300).map { $0["title"]?.stringValue } == (1...300).map { "card \($0)" })
    #expect(answers[0]["tags"] == ["bulk"])
    #expect(answers[300]["error"]?["message"]?.stringValue?.contains("titel") == true)
    #expect(answers[301]["error"]?["message"]?.stringValue?.hasPrefix("-:303 is not JSON") == true, "\(answers[301])")
    #expect(answers[302]["error"] != nil && answers[303]["title"] == "last")
    #expect(result.errors.contains("3 of 304 could not be done"), "\(result.errors)")
    let none = try await home.run(["call", "projects/add", "--lines"], input: "{}\n")
    #expect(none.status == 16, "\(none)")
  }

  @Test("answers a line before the next one is written")
  func conversation() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let call = try home.start(["call", "projects/add", "--lines"])
    for title in ["one", "two"] {
      call.write(#"{"title": "\#(title)"}"# + "\n")
      let line = try #require(await call.line())
      #expect(try JSONParser.parse(line)["title"]?.stringValue == title)
    }
    #expect(await call.end().status == 0)
  }

  @Test("of a list, an item is a line, and --all has all parts of it")
  func lists() async throws {
    let home = CommandLineHome(hasLibrary: true)
    for title in ["one", "two", "three"] { _ = try await home.call("projects/add", "title=\(title)") }
    let lines = try await home.run(["call", "projects/list", "--lines", "limit=2"])
    #expect(lines.output.split(separator: "\n").count == 2, "\(lines)")
    let all = try await home.run(["call", "projects/list", "--lines", "--all", "limit=1"])
    let titles = try all.output.split(separator: "\n").map { try JSONParser.parse(String($0))["title"]?.stringValue }
    #expect(titles == ["one", "two", "three"], "\(all)")
    let whole = try JSONParser.parse(try await home.run(["call", "projects/list", "--all", "limit=2"]).output)
    #expect(whole["items"]?.arrayValue?.count == 3 && whole["hasMore"] == false)
  }

  @Test("failures are JSON where JSON was requested")
  func failures() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let result = try await home.run(["call", "projects/get", "id=none", "--json"])
    let error = try JSONParser.parse(result.errors)["error"]
    #expect(result.status == 4 && error?["kind"] == "notFound" && error?["status"] == 4, "\(result)")
    _ = try await home.call("projects/add", "id=book", "title=A")
    let conflict = try await home.run(["call", "projects/update", "id=book", "title=B", "ifRevision=9999", "--json"])
    let data = try JSONParser.parse(conflict.errors)["error"]
    let usage = try await home.run(["call", "projects/get", "--nope", "--json"])
    #expect(try JSONParser.parse(usage.errors)["error"]?["status"] == 2, "\(usage)")
    #expect(data?["kind"] == "conflict" && data?["data"]?["current"] != nil, "\(conflict)")
  }

  @Test("a picture of a page is copied to a path, which is not replaced unless it is to be")
  func pictures() async throws {
    let home = CommandLineHome(hasLibrary: true)
    try Data(SamplePDF(pages: [.init(["again"])]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    let id = try #require(try await home.call("documents/add", "path=paper.pdf")["id"]?.stringValue)
    let call = ["call", "documents/render", "id=\(id)", "page=0", "width=100", "path=page.png"]
    let made = try await home.run(call)
    #expect(try JSONParser.parse(made.output)["path"]?.stringValue == home.work + "/page.png", "\(made)")
    #expect(try Data(contentsOf: URL(filePath: home.work + "/page.png")).starts(with: [0x89, 0x50]))
    let refused = try await home.run(call)
    #expect(refused.status == 5 && refused.errors.contains("/page.png exists already"), "\(refused)")
    #expect(try await home.run(call + ["overwrite=true"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.work).sorted() == ["page.png", "paper.pdf"])
  }

  @Test("an empty list names what it would contain")
  func empty() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let none = try await home.startOnTerminal(["call", "projects/list"]).ended()
    #expect(none.output.contains("No cards yet."), "\(none)")
    let narrowed = try await home.startOnTerminal(["call", "projects/list", "tag=errands"]).ended()
    #expect(narrowed.output.contains("No cards match."), "\(narrowed)")
  }
}
