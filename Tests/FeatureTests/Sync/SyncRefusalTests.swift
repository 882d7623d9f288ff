import Client
import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Sync: servers that take no files") struct SyncRefusalTests {
  /// A WebDAV collection with files alone, which answers each put with a status, if one is set.
  private final class Collection: Sendable {
    private struct State {
      var files: [String: Data] = [:]
      var refusal: Int?
    }
    private let state = Mutex(State())

    func refuse(_ status: Int?) { state.withLock { $0.refusal = status } }
    var names: Set<String> { state.withLock { Set($0.files.keys) } }
    func cut(_ name: String, to count: Int) { state.withLock { $0.files[name] = $0.files[name]?.prefix(count) } }

    func reply(to request: ScriptedServer.Request) -> ServerReply {
      state.withLock { state in
        let path = request.path
        switch request.method {
        case "PROPFIND":
          let files = state.files.filter { name, _ in
            name.hasPrefix(path) && !name.dropFirst(path.count).contains("/")
          }
          let responses = files.map { name, bytes in
            "<response><href>\(name)</href><propstat><prop><getcontentlength>\(bytes.count)</getcontentlength></prop>"
              + "</propstat></response>"
          }
          return .answer(
            207, [("Content-Type", "application/xml")],
            body: Data("<multistatus xmlns=\"DAV:\">\(responses.sorted().joined())</multistatus>".utf8))
        case "GET": return state.files[path].map { .answer(200, [], body: $0) } ?? .answer(404)
        case "PUT":
          if let refusal = state.refusal { return .answer(refusal) }
          state.files[path] = request.body
          return .answer(201)
        case "DELETE":
          state.files[path] = nil
          return .answer(204)
        default: return .answer(405)
        }
      }
    }
  }

  private static func device(at place: String) async throws -> (daemon: TestDaemon, client: Client) {
    let daemon = try await TestDaemon.started { settings in
      settings.configure { ($0.sync.kind, $0.sync.place, $0.sync.interval) = (.webdav, place, nil) }
    }
    return (daemon, try await daemon.client())
  }

  @Test("a server without room, or that permits nothing, is named, and what was written meanwhile follows later")
  func refused() async throws {
    let collection = Collection()
    let server = try ScriptedServer { collection.reply(to: $0) }
    defer { server.stop() }
    let (laptop, client) = try await Self.device(at: server.origin + "/dav/")
    let code = try await client.call("sync/setUp", ["name": "laptop"])["code"]
    for (status, kind, sentence) in [
      (507, "diskFull", "There is no room left at"), (403, "unauthorized", "may not be read or written here"),
    ] {
      _ = try await client.call("notes/add", ["text": .string("Tea \(status)")])
      collection.refuse(status)
      let failure = try #require(try await client.failure("sync/run"))
      #expect(failure.kind == kind && failure.message.contains(sentence), "\(failure)")
      #expect(failure.message.contains(server.origin))
      let state = try await client.call("sync/status")
      #expect(state["state"] == "failed" && state["problem"]?.text.contains(sentence) == true)
      // Nobody waits for the server.
      _ = try await client.call("notes/add", ["text": .string("Coffee \(status)")])
    }
    collection.refuse(nil)
    _ = try await client.call("sync/run")
    let (phone, other) = try await Self.device(at: server.origin + "/dav/")
    _ = try await other.call("sync/setUp", ["name": "phone", "code": try #require(code)])
    #expect(
      Set(try await other.call("notes/list").items.map { $0["title"].text }) == [
        "Tea 507", "Coffee 507", "Tea 403", "Coffee 403",
      ])
    await client.close()
    await other.close()
    await laptop.stop()
    await phone.stop()
  }

  @Test("a file that was uploaded by half is put again, and is read by nobody before")
  func half() async throws {
    let collection = Collection()
    let server = try ScriptedServer { collection.reply(to: $0) }
    defer { server.stop() }
    let (laptop, client) = try await Self.device(at: server.origin + "/dav/")
    let (phone, other) = try await Self.device(at: server.origin + "/dav/")
    let code = try await client.call("sync/setUp", ["name": "laptop"])["code"]
    _ = try await other.call("sync/setUp", ["name": "phone", "code": try #require(code)])
    let before = collection.names
    _ = try await client.call("notes/add", ["text": "Tea"])
    _ = try await client.call("sync/run")
    let new = try #require(collection.names.subtracting(before).first)
    collection.cut(new, to: 50)
    _ = try await other.call("sync/run")
    #expect(try await other.call("notes/list").items == [])
    // Of another size than was written: its writer replaces it once that is no listing that lags.
    _ = try await client.call("sync/run")
    laptop.clock.advance(milliseconds: 60_000)
    _ = try await client.call("sync/run")
    _ = try await other.call("sync/run")
    #expect(try await other.call("notes/list").items.map { $0["title"] } == ["Tea"])
    for client in [client, other] {
      #expect(try await client.call("changes/conflicts").items == [])
      await client.close()
    }
    await laptop.stop()
    await phone.stop()
  }
}
