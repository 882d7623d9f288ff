import Client
import Contract
import Foundation
import Kit
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("Boards: downloaded attachments") struct DownloadTests {
  private static let recording = Data("ID3 ".utf8) + Data(repeating: 7, count: 3_000_000)

  /// A podcast of one episode, whose recording is served until it is replaced.
  private final class Bench: Sendable {
    let server: ScriptedServer
    let daemon: TestDaemon
    let client: Client
    let episode: JSONValue
    private let file: Reply

    private final class Reply: Sendable {
      let value: Mutex<ServerReply>
      init(_ reply: ServerReply) { value = Mutex(reply) }
    }

    init(
      _ reply: ServerReply = .answer(200, [("Content-Type", "audio/mpeg")], body: recording),
      clock: TestClock = TestClock()
    ) async throws {
      let file = Reply(reply)
      let server = try ScriptedServer { request in
        if request.target == "/7.mp3" { return file.value.withLock(\.self) }
        return .text(
          """
          <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Rivers</title>
          <item><guid>7</guid><title>Episode 7</title><itunes:duration>30:05</itunes:duration>
          <enclosure url="/7.png" type="image/png" length="9"/>
          <enclosure url="/7.mp3" type="audio/mpeg" length="3000004"/></item></channel></rss>
          """)
      }
      (self.server, self.file) = (server, file)
      daemon = try await .started(clock: clock) { settings in
        settings.configure { $0.boards.attachmentLimit = 4 << 20 }
      }
      client = try await daemon.client()
      _ = try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
      episode = try await client.call("boards/posts").items[0]
    }

    func answer(_ reply: ServerReply) { file.value.withLock { $0 = reply } }
    var requests: Int { server.requests.filter { $0.target == "/7.mp3" }.count }

    func stop() async {
      await daemon.stop()
      server.stop()
    }
  }

  @Test("a list shows the length and size of an episode, whose recording is downloaded once, and removed in one step")
  func episode() async throws {
    let bench = try await Bench()
    let id = bench.episode.id
    let url = JSONValue.string(bench.server.origin + "/7.mp3")
    #expect(bench.episode["recording"] == ["url": url, "type": "audio/mpeg", "size": 3_000_004, "duration": 1_805])
    let post = try await bench.client.call("boards/download", ["id": id])
    let file = try #require(post["recording"]?["file"])
    #expect(file == .string(Blobs.hash(of: Array(Self.recording))) && post["recording"]?["size"] == 3_000_004)
    #expect(post["files"].list.map { $0["url"] } == [url])
    let stored = try await bench.client.call("files/get", ["id": file])
    #expect(stored["name"] == "7.mp3" && stored["size"] == 3_000_004)
    #expect(try await bench.client.call("boards/posts").items[0]["recording"]?["file"] == file)
    // It is here: the server is not asked again. It is needed, though no text shows it.
    _ = try await bench.client.call("boards/download", ["id": id])
    #expect(bench.requests == 1)
    let needs = bench.daemon.daemon.services.library.neededFiles
    let needed = try await bench.daemon.daemon.services.library.read(
      as: FeatureCaller.daemon(bench.daemon.daemon.services)
    ) { snapshot in try needs.reduce(into: Set<String>()) { try $0.formUnion($1([file.text], .min, snapshot)) } }
    #expect(needed == [file.text])

    let removed = try await bench.client.call("boards/removeDownload", ["id": id])
    #expect(removed["files"] == nil && removed["recording"]?["file"] == nil)
    #expect(try await bench.client.failure("files/get", ["id": file])?.kind == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("boards/post", ["id": id])["recording"]?["file"] == file)
    #expect(try await bench.client.call("files/get", ["id": file])["size"] == 3_000_004)
    await bench.stop()
  }

  @Test("a file that the library had before, or that a text shows, stays when the download is removed")
  func shared() async throws {
    let bench = try await Bench()
    let id = bench.episode.id
    let added = try await bench.client.call(
      "files/add", ["data": .string(Self.recording.base64EncodedString()), "name": "mine.mp3"])
    let post = try await bench.client.call("boards/download", ["id": id])
    #expect(post["recording"]?["file"] == added.id && post["files"].list[0]["own"] == nil)
    _ = try await bench.client.call("boards/removeDownload", ["id": id])
    #expect(try await bench.client.call("files/get", ["id": added.id])["name"] == "mine.mp3")
    _ = try await bench.client.call("files/remove", ["id": added.id])

    let again = try await bench.client.call("boards/download", ["id": id])
    #expect(again["files"].list[0]["own"] == true)
    let text = "![Episode](commonplace:/files/\(added.id.text))"
    _ = try await bench.client.call("notes/add", ["text": .string(text)])
    _ = try await bench.client.call("boards/removeDownload", ["id": id])
    #expect(try await bench.client.call("files/get", ["id": added.id])["size"] == 3_000_004)
    await bench.stop()
  }

  @Test("a file that was removed and then stored by hand is the user's own, and not that of the download any more")
  func storedAgain() async throws {
    let clock = TestClock()
    let bench = try await Bench(clock: clock)
    let id = bench.episode.id
    let file = try #require(try await bench.client.call("boards/download", ["id": id])["recording"]?["file"])
    clock.advance(milliseconds: 1_000)
    _ = try await bench.client.call("files/remove", ["id": file])
    clock.advance(milliseconds: 1_000)
    _ = try await bench.client.call(
      "files/add", ["data": .string(Self.recording.base64EncodedString()), "name": "mine.mp3"])
    _ = try await bench.client.call("boards/removeDownload", ["id": id])
    #expect(try await bench.client.call("files/get", ["id": file])["name"] == "mine.mp3")
    await bench.stop()
  }

  @Test("a page in place of the file, one above the limit, an unknown URL and a post without attachments leave nothing")
  func refused() async throws {
    let bench = try await Bench(.text("\n<!DOCTYPE html><p>Log in</p>"))
    let id = bench.episode.id
    #expect(try await bench.client.failure("boards/download", ["id": id])?.kind == "badResponse")
    bench.answer(.answer(200, [("Content-Type", "audio/mpeg")], body: Data(repeating: 7, count: 5 << 20)))
    #expect(try await bench.client.failure("boards/download", ["id": id])?.kind == "tooLarge")
    bench.answer(.answer(404))
    #expect(try await bench.client.failure("boards/download", ["id": id])?.kind == "httpStatus")
    let other = try await bench.client.failure("boards/download", ["id": id, "url": "http://10.0.0.1/secret"])
    #expect(other?.data?["field"] == "url")
    #expect(try await bench.client.call("boards/post", ["id": id])["files"] == nil)
    #expect(try await bench.client.call("files/list").items == [])
    let page = try await bench.client.call(
      "boards/keep", ["url": "https://site.example/a", "html": "<title>A</title><p>A page.</p>"])
    #expect(page["recording"] == nil)
    #expect(try await bench.client.failure("boards/download", ["id": page.id])?.kind == "notAllowed")
    await bench.stop()
  }

  @Test("a feed's attachment on another private host is not reached")
  func elsewhere() async throws {
    let other = try ScriptedServer { _ in .answer(200, [], body: Self.recording) }
    defer { other.stop() }
    let server = try ScriptedServer { [origin = other.origin] _ in
      .text(
        """
        <rss version="2.0"><channel><title>T</title><item><guid>1</guid><title>One</title>
        <enclosure url="\(origin)/1.mp3" type="audio/mpeg"/></item></channel></rss>
        """)
    }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    _ = try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    let id = try await client.call("boards/posts").items[0].id
    #expect(try await client.failure("boards/download", ["id": id])?.kind == "refusedAddress")
    #expect(other.requests.isEmpty)
    await daemon.stop()
  }
}
