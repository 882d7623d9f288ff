import Client
import Foundation
import Store
import Synchronization
import TestSupport
import Testing
import Wire

/// URLs that a file brought are asked at public addresses only, until a person confirms them.
@Suite("Boards: URLs that no person typed", .timeLimit(.minutes(10))) struct UnconfirmedSourceTests {
  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request in
      if request.target == "/lunch.png" {
        return .answer(200, [("Content-Type", "image/png")], body: Data([0x89, 0x50, 0x4E, 0x47]))
      }
      return .text(
        "<rss version=\"2.0\"><channel><title>News</title><item><guid>1</guid><title>Lunch</title>"
          + "<description><![CDATA[<p>Noon <img src=\"/lunch.png\"></p>]]></description></item></channel></rss>")
    }
  }

  private static func importing(_ url: String, into client: Client) async throws -> JSONValue {
    let file = "<opml version=\"2.0\"><body><outline type=\"rss\" text=\"News\" xmlUrl=\"\(url)\"/></body></opml>"
    _ = try await client.call("boards/import", ["data": .string(Data(file.utf8).base64EncodedString())])
    return try await client.call("boards/sources").items[0]
  }

  private static func refusal(_ client: Client) async throws -> JSONValue? {
    try await client.call("boards/refresh")["failed"].list.first?["failure"]
  }

  @Test("an OPML file leads to no private address until the same URL is given by hand, and undo takes that back")
  func subscriptions() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let url = server.origin + "/feed"
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let source = try await Self.importing(url, into: client)
    #expect(source["unconfirmed"] == true)
    let refusal = try await Self.refusal(client)
    #expect(refusal?["kind"] == "refusedAddress" && refusal?["message"].text.contains(url) == true, "\(refusal ?? nil)")
    #expect(refusal?["advice"]?.text.contains("boards/updateSource") == true)
    #expect(server.requests.isEmpty)
    // A title is no confirmation.
    _ = try await client.call("boards/updateSource", ["id": source.id, "title": "Mine"])
    #expect(try await Self.refusal(client)?["kind"] == "refusedAddress" && server.requests.isEmpty)

    let confirmed = try await client.call("boards/updateSource", ["id": source.id, "url": .string(url)])
    #expect(confirmed["unconfirmed"] == nil)
    #expect(try await Self.refusal(client) == nil)
    #expect(try await client.call("boards/posts").items.map { $0["title"] } == ["Lunch"])
    _ = try await client.call("changes/undo")
    #expect(try await client.call("boards/sources").items[0]["unconfirmed"] == true)
    await daemon.stop()
  }

  @Test("who adds the URL of an imported source confirms it")
  func adding() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let url = server.origin + "/feed"
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let source = try await Self.importing(url, into: client)
    let added = try await client.call("boards/addSource", ["kind": "feed", "url": .string(url)])
    #expect(added.id == source.id && added["existing"] == true && added["unconfirmed"] == nil)
    #expect(try await Self.refusal(client) == nil)
    #expect(try await client.call("boards/posts").items.count == 1)
    await daemon.stop()
  }

  @Test(
    "who confirms the URL of an archive confirms that URL, and not the place to which the archive has moved it",
    arguments: [true, false])
  func moved(isAdded: Bool) async throws {
    let isMoved = Mutex(true)
    let server = try ScriptedServer { request in
      if request.target == "/feed", isMoved.withLock(\.self) {
        return .answer(301, [("Location", "/moved")], body: Data())
      }
      return .text("<rss version=\"2.0\"><channel><title>News</title><item><guid>1</guid></item></channel></rss>")
    }
    defer { server.stop() }
    let url = JSONValue.string(server.origin + "/feed")
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let source = try await client.call("boards/addSource", ["kind": "feed", "url": url])
    #expect(source["movedTo"].text == server.origin + "/moved")
    let archive = daemon.folder.file("archive.tar")
    _ = try await client.call("library/export", ["path": .string(archive)])
    await daemon.stop()
    isMoved.withLock { $0 = false }
    let asked = server.requests.count

    let other = try await TestDaemon.started()
    let reader = try await other.client()
    _ = try await reader.call("library/import", ["path": .string(archive)])
    if isAdded {
      _ = try await reader.call("boards/addSource", ["kind": "feed", "url": url])
    } else {
      _ = try await reader.call("boards/updateSource", ["id": source.id, "url": url])
    }
    #expect(try await Self.refusal(reader) == nil)
    let targets = server.requests.dropFirst(asked).map(\.target)
    #expect(!targets.isEmpty && targets.allSatisfy { $0 == "/feed" }, "\(targets)")
    let confirmed = try await reader.call("boards/sources").items[0]
    #expect(confirmed["unconfirmed"] == nil && confirmed["movedTo"] == nil)
    await other.stop()
  }

  @Test("sources and pictures of an archive lead to no private address, though its own library was told of them")
  func archive() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    _ = try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    #expect(try await client.call("boards/sources").items[0]["unconfirmed"] == nil)
    let archive = daemon.folder.file("archive.tar")
    _ = try await client.call("library/export", ["path": .string(archive)])
    await daemon.stop()
    let asked = server.requests.count

    let other = try await TestDaemon.started()
    let reader = try await other.client()
    _ = try await reader.call("library/import", ["path": .string(archive)])
    #expect(try await reader.call("boards/sources").items[0]["unconfirmed"] == true)
    #expect(try await Self.refusal(reader)?["kind"] == "refusedAddress")
    let post = try #require(try await reader.call("boards/posts").items.first)
    let shown = try await reader.call("boards/post", ["id": post.id, "images": true])
    #expect(shown["images"].list.count == 1 && shown["images"].list[0]["path"] == nil)
    #expect(server.requests.count == asked)
    await other.stop()
  }

  @Test(
    "a library folder that this user's daemon has never served is one of files too, and what is confirmed in it stays")
  func folder() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let url = server.origin + "/feed"
    let daemon = try await TestDaemon.started()
    _ = try await daemon.client().call("boards/addSource", ["kind": "feed", "url": .string(url)])
    await daemon.stop()
    let asked = server.requests.count
    let folder = TemporaryFolder()
    try FileManager.default.copyItem(atPath: daemon.library, toPath: folder.file("library"))

    let other = try await TestDaemon.started(in: folder)
    let client = try await other.client()
    let source = try await client.call("boards/sources").items[0]
    #expect(source["unconfirmed"] == true)
    #expect(try await Self.refusal(client)?["kind"] == "refusedAddress" && server.requests.count == asked)
    _ = try await client.call("boards/updateSource", ["id": source.id, "url": .string(url)])
    await other.stop()
    let again = try await TestDaemon.started(in: folder)
    #expect(try await again.client().call("boards/sources").items[0]["unconfirmed"] == nil)
    await again.stop()
    let first = try await TestDaemon.started(in: daemon.folder)
    #expect(try await first.client().call("boards/sources").items[0]["unconfirmed"] == nil)
    await first.stop()
  }

  @Test("a backup that was made here is this user's own when it is served")
  func backup() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    _ = try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    let path = daemon.folder.file("backup")
    _ = try await client.call("library/backup", ["path": .string(path)])
    await daemon.stop()
    let restored = try await TestDaemon.started(in: daemon.folder) { $0.folder = LibraryFolder(path) }
    let reader = try await restored.client()
    #expect(try await reader.call("boards/sources").items[0]["unconfirmed"] == nil)
    #expect(try await Self.refusal(reader) == nil)
    await restored.stop()
  }

  @Test("in a library that is older than this question every source counts as typed")
  func older() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    _ = try await Self.importing(server.origin + "/feed", into: try await daemon.client())
    await daemon.stop()
    try OldLibraries.execute(
      """
      ALTER TABLE boardSource DROP COLUMN isTyped; ALTER TABLE document DROP COLUMN isTyped;
      DELETE FROM grdb_migrations WHERE identifier IN ('boards/005', 'documents/006');
      """, in: LibraryFolder(daemon.library))
    let again = try await TestDaemon.started(in: daemon.folder)
    let client = try await again.client()
    #expect(try await client.call("boards/sources").items[0]["unconfirmed"] == nil)
    #expect(try await Self.refusal(client) == nil && server.requests.isEmpty == false)
    await again.stop()
  }
}
