import Foundation
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("config.toml while the daemon runs", .timeLimit(.minutes(10))) struct ChangedConfigurationTests {
  private static let feed = """
    <rss version="2.0"><channel><title>News</title><item><guid>1</guid><title>Lunch</title></item></channel></rss>
    """

  private static func credential(_ server: ScriptedServer, _ rest: String) -> String {
    "[credentials.work]\norigin = \"\(server.origin)\"\n\(rest)\n"
  }

  private static func add(_ server: ScriptedServer, to home: CommandLineHome) async throws -> ChildProcess.Result {
    try await home.run(["call", "boards/addSource", "kind=feed", "url=\(server.origin)/feed", "credential=work"])
  }

  @Test("what was saved counts for the very next call, without a second in between")
  func atOnce() async throws {
    let home = CommandLineHome()
    let server = try ScriptedServer { _ in .text(Self.feed) }
    defer { server.stop() }
    let secret = home.work + "/token"
    try "hunter2-hunter2\n".write(toFile: secret, atomically: true, encoding: .utf8)
    chmod(secret, 0o600)
    let before = try await Self.add(server, to: home)
    #expect(before.status != 0 && before.errors.contains("There is no credential “work”"), "\(before)")
    try home.configure(Self.credential(server, "file = \"\(secret)\""))
    let after = try await Self.add(server, to: home)
    #expect(after.status == 0, "\(after)")
    #expect(server.requests.first?["Authorization"] == "Bearer hunter2-hunter2")
    try home.configure("[network]\noffline = true\n")
    #expect(try await home.call("session/status")["configuration"]?["settings"]?["offline"] == true)
  }

  @Test("a mistake is told with its line by the status, with what holds, and by the call that depends on it")
  func mistake() async throws {
    let home = CommandLineHome()
    let server = try ScriptedServer { _ in .text(Self.feed) }
    defer { server.stop() }
    try home.configure("[network]\ncontact = \"ann@example.org\"\n")
    let status = try await home.call("session/status")["configuration"]
    #expect(
      status?["exists"] == true && status?["mistake"] == nil && status?["path"]?.stringValue == home.configuration)
    #expect(status?["settings"]?["contact"] == "ann@example.org")

    try home.configure("[network]\noffline = true\n\n" + Self.credential(server, "flie = \"/tmp/token\""))
    let broken = try await home.call("session/status")["configuration"]
    #expect(
      broken?["mistake"]?["line"] == 6 && broken?["mistake"]?["key"] == "credentials.work.flie", "\(broken ?? nil)")
    #expect(broken?["mistake"]?["message"]?.stringValue?.contains("line 6") == true)
    #expect(broken?["mistake"]?["advice"] == "Did you mean “file”?")
    // What it said before.
    #expect(broken?["settings"]?["contact"] == "ann@example.org" && broken?["settings"]?["offline"] == false)
    let korean = try await home.run(["call", "session/status", "--locale", "ko-KR"])
    #expect(korean.output.contains("6행"))

    // An editor is told when it comes.
    let hello = #"{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"clientInfo": {"name": "ed"}}}"#
    let greeted = try await home.run(["connect"], input: hello + "\n")
    #expect(
      greeted.output.contains("line 6") && greeted.output.contains("its previous settings stay in effect"), "\(greeted)"
    )

    let refused = try await Self.add(server, to: home)
    #expect(refused.status != 0 && refused.errors.contains("There is no credential “work”"), "\(refused)")
    #expect(refused.errors.contains("line 6") && refused.errors.contains("Did you mean “file”?"), "\(refused)")
    #expect(refused.errors.contains("its previous settings stay in effect"), "\(refused)")
    #expect(server.requests.isEmpty)
  }

  @Test("a variable that was set after the daemon's start is missing, and the error says what to do; done, it works")
  func lateVariable() async throws {
    let home = CommandLineHome()
    let server = try ScriptedServer { _ in .text(Self.feed) }
    defer { server.stop() }
    #expect(try await home.run(["call", "session/ping"]).status == 0)
    try home.configure(Self.credential(server, "env = \"WORK_TOKEN\""))
    let arguments = ["call", "boards/addSource", "kind=feed", "url=\(server.origin)/feed", "credential=work"]
    let late = try await home.run(arguments, changing: ["WORK_TOKEN": "hunter2-hunter2"])
    #expect(
      late.status != 0 && late.errors.contains("WORK_TOKEN") && late.errors.contains("commonplace stop"), "\(late)")
    let korean = try await home.run(arguments + ["--locale", "ko-KR"])
    #expect(korean.errors.contains("commonplace stop") && korean.errors.contains("환경 변수"), "\(korean)")
    let credentials = try await home.call("session/status")["configuration"]?["settings"]?["credentials"]
    #expect(credentials == [["name": "work", "origin": .string(server.origin), "from": "env", "isSet": false]])

    #expect(try await home.run(["stop"]).status == 0)
    let again = try await home.run(arguments, changing: ["WORK_TOKEN": "hunter2-hunter2"])
    #expect(again.status == 0, "\(again)")
    #expect(server.requests.last?["Authorization"] == "Bearer hunter2-hunter2")
  }

  @Test("what counts at the next start only is named, and so is what cannot work as it is written")
  func waiting() async throws {
    let home = CommandLineHome()
    #expect(try await home.call("session/status")["configuration"]?["waiting"] == [])
    try home.configure("[pdf]\nworkers = 4\ncache = 10\n\n[books.google]\ncredential = \"google\"\n")
    let status = try await home.call("session/status")["configuration"]
    #expect(status?["waiting"] == ["pdf.workers"])
    #expect(status?["warnings"]?[0]?.stringValue?.contains("“google”") == true, "\(status ?? nil)")
  }

  @Test("a search that cannot use Google's key says that the file with the key has a mistake")
  func keyInBrokenFile() async throws {
    let home = CommandLineHome()
    let server = try ScriptedServer { _ in .text(#"{"numFound": 0, "docs": []}"#) }
    defer { server.stop() }
    let books = "[books.openLibrary]\nurl = \"\(server.origin)\"\n"
    try home.configure(books)
    #expect(try await home.run(["call", "session/ping"]).status == 0)
    try home.configure(books + "\n[books.google]\ncredential = google\n")
    let found = try await home.call("books/search", "query=han kang")
    let kinds = found["warnings"]?.arrayValue?.map { $0["kind"] }
    #expect(kinds == ["keyNeeded", "configuration"], "\(found)")
    #expect(found["warnings"]?[1]?["display"]?.stringValue?.contains("line 5") == true, "\(found)")
  }
}
