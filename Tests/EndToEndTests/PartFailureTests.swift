import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("Calls of which a part fails", .timeLimit(.minutes(10)))
struct PartFailureTests {
  private static func feed(_ title: String) -> String {
    "<rss version=\"2.0\"><channel><title>\(title)</title></channel></rss>"
  }

  @Test("what failed of several is said besides the answer; where nothing else came of it, the status is 16")
  func refresh() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let gone = Mutex<Set<String>>([])
    let server = try ScriptedServer { request in
      gone.withLock { $0.contains(request.path) }
        ? .answer(404) : .text(Self.feed(request.path), [("Content-Type", "application/rss+xml")])
    }
    for name in ["a", "b"] { _ = try await home.call("boards/addSource", "kind=feed", "url=\(server.origin)/\(name)") }
    let whole = try await home.run(["call", "boards/refresh"])
    #expect(whole.status == 0 && whole.errors == "", "\(whole)")
    gone.withLock { $0 = ["/a"] }
    let part = try await home.run(["call", "boards/refresh"])
    #expect(part.status == 0)
    #expect(part.errors == "commonplace: 1 of 2 could not be done; the output says why.\n")
    gone.withLock { $0 = ["/a", "/b"] }
    let none = try await home.run(["call", "boards/refresh"])
    #expect(none.status == 16)
    #expect(none.errors == "commonplace: Nothing could be done; the output says why.\n")
    #expect(try JSONParser.parse(none.output)["failed"]?.arrayValue?.count == 2)
    // Looking at what failed is no failure.
    let looked = try await home.run(["call", "boards/sources"])
    #expect(looked.status == 0 && looked.errors == "" && looked.output.contains("\"failure\""))
    server.stop()
  }

  @Test("an import that leaves something out says so; where it could take nothing at all, the status is 16")
  func imports() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let (good, bad) = (#"{"title":"a walk","created_at":1790000000}"#, #"{"title":"undated"}"#)
    let file = home.work + "/s.json"
    func take(_ items: [String]) async throws -> ChildProcess.Result {
      try Data("[\(items.joined(separator: ","))]".utf8).write(to: URL(filePath: file))
      return try await home.run(["call", "diary/import", "path=\(file)", "format=sample"])
    }
    let none = try await take([bad])
    #expect(none.status == 16 && none.errors == "commonplace: Nothing could be done; the output says why.\n")
    let part = try await take([good, bad])
    #expect(part.status == 0 && part.errors == "commonplace: 1 of 2 could not be done; the output says why.\n")
    let whole = try await take([good])
    #expect(whole.status == 0 && whole.errors == "", "\(whole)")
  }

  @Test("ids for which nothing was done are named; where nothing was done for any, the status is 16")
  func many() async throws {
    let home = CommandLineHome(hasLibrary: true)
    let card = try #require(try await home.call("projects/add", "title=Buy milk", "deadline:=null")["id"]?.stringValue)
    let part = try await home.run(["call", "projects/update", "ids=\(card)", "ids=zzz", "tags=q"])
    #expect(
      part.status == 0 && part.errors == "commonplace: 1 of 2 could not be done; the output says why.\n", "\(part)")
    let none = try await home.startOnTerminal(["call", "documents/remove", "ids=x1", "ids=x2"]).ended()
    #expect(none.status == 16, "\(none)")
    for id in ["x1", "x2"] { #expect(none.output.contains("! \(id): "), "\(none)") }
    #expect(!none.output.contains("No items."), "\(none)")
  }
}
