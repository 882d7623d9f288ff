import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("A refresh whose daemon is killed", .timeLimit(.minutes(10)))
struct KilledRefreshTests {
  /// The old version, then the new one, of which each answer stops where the test says.
  private final class Versions: Sendable {
    private let state = Mutex<(sent: ServerGate, whole: Bool)?>(nil)
    static let pages = 60
    static let old = Data(sample(heading: "first edition").bytes)
    static let new = Data(sample(heading: "second edition, with a line put in").bytes)

    private static func sample(heading: String) -> SamplePDF {
      SamplePDF(pages: (1...pages).map { .init([heading, "the words of page \($0)", "and its end"]) })
    }

    /// From now on the new version comes: half of it, or all; then the gate opens.
    func publish(whole: Bool) -> ServerGate {
      let sent = ServerGate()
      state.withLock { $0 = (sent, whole) }
      return sent
    }

    func answer(_ request: ScriptedServer.Request) -> ServerReply {
      guard let (sent, whole) = state.withLock(\.self) else { return .file(Self.old, to: request, etag: nil) }
      let head = ServerReply.head(200, [("Content-Length", "\(Self.new.count)")])
      if whole { return ServerReply([.send(head), .send(Self.new), .open(sent)]) }
      return ServerReply([
        .send(head), .send(Self.new.prefix(Self.new.count / 2)), .open(sent), .waitForPeerToClose(ServerGate()),
      ])
    }
  }

  @Test("the document is the old one with its marks, or the new one with its marks, and the next refresh does the rest")
  func killed() async throws {
    let home = CommandLineHome()
    let versions = Versions()
    let server = try ScriptedServer { versions.answer($0) }
    let id = try #require(try await home.call("documents/add", "url=\(server.origin)/a.pdf")["id"]?.stringValue)
    let mark = try await home.call("documents/addHighlight", "id=\(id)", "page=50", #"lines:=["the words of page 51"]"#)
    let old = try await home.call("documents/get", "id=\(id)")["hash"]
    for whole in [false, true, true] {
      let sent = versions.publish(whole: whole)
      let refresh = try home.start(["call", "documents/refresh", "id=\(id)"])
      await sent.opened()
      _ = try #require(await home.killDaemon())
      _ = await refresh.ended()
      let document = try await home.call("documents/get", "id=\(id)")
      #expect(document["pageCount"]?.integerValue == Int64(Versions.pages))
      if !whole { #expect(document["hash"] == old) }
      let page = try await home.call("documents/page", "id=\(id)", "page=50")
      let highlight = page["highlights"]?[0]
      #expect(highlight?["id"] == mark["id"] && highlight?["text"] == "the words of page 51")
      let text = try await home.call("documents/text", "id=\(id)", "page=50")["text"]?.stringValue ?? ""
      #expect(text.hasPrefix(document["hash"] == old ? "first edition" : "second edition"))
      #expect(try await home.call("library/check")["ok"] == true)
    }
    _ = versions.publish(whole: true)
    _ = try await home.call("documents/refresh", "id=\(id)")
    let document = try await home.call("documents/get", "id=\(id)")
    #expect(document["hash"] != old)
    #expect(try await home.call("library/check")["ok"] == true)
    server.stop()
  }
}
