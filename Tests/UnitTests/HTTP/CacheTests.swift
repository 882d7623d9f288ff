import Foundation
import Synchronization
import TestSupport
import Testing

@testable import HTTP

/// Pictures on the disk.
@Suite("the cache", .timeLimit(.minutes(10)))
struct CacheTests {
  private final class Scene: Sendable {
    let server: ScriptedServer
    let bed: HTTPTestBed
    let cache: HTTPCache
    var folder: String { bed.folder + "/cache" }
    var url: String { server.origin + "/cover" }

    init(limit: Int = 1 << 20, _ answer: @escaping @Sendable (ScriptedServer.Request) -> ServerReply) throws {
      server = try ScriptedServer(answer)
      let bed = try HTTPTestBed()
      self.bed = bed
      cache = HTTPCache(
        client: bed.client, folder: bed.folder + "/cache", limit: limit,
        wallClock: { Date(timeIntervalSince1970: 1_795_219_200 + bed.time.passed / .seconds(1)) })
    }

    deinit { server.stop() }

    func get(_ path: String = "/cover", allowance: Duration = .seconds(86_400)) async throws -> CachedFile {
      try await cache.file(HTTPRequest(url: server.origin + path), allowance: allowance)
    }

    /// The names of bodies, records and whatever else lies there.
    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
  }

  private func bytes(_ file: CachedFile) -> Data? { FileManager.default.contents(atPath: file.path) }

  @Test("what is fresh is answered from the disk, without a request")
  func fresh() async throws {
    let scene = try Scene { _ in .text("picture", [("Content-Type", "image/png"), ("Cache-Control", "max-age=600")]) }
    let first = try await scene.get()
    #expect(bytes(first) == Data("picture".utf8) && first.size == 7 && first.mediaType == "image/png")
    #expect(try await scene.get() == first)
    #expect(scene.server.requests.count == 1)
    #expect(scene.bed.logLines.last?.hasSuffix(" kept") == true)
    #expect(scene.cache.cached(scene.url, allowance: .seconds(86_400)) == first)
    scene.bed.time.pass(.seconds(600))
    _ = try await scene.get()
    #expect(scene.server.requests.count == 2)
  }

  @Test("what a service says nothing of is fresh for as long as it is allowed, and gone afterwards")
  func allowance() async throws {
    let scene = try Scene { request in .text("\(request.index)") }
    _ = try await scene.get()
    scene.bed.time.pass(.seconds(86_399))
    _ = try await scene.get()
    #expect(scene.server.requests.count == 1)
    scene.bed.time.pass(.seconds(2))
    #expect(scene.cache.cached(scene.url, allowance: .seconds(86_400)) == nil)
    #expect(scene.names.isEmpty)
    #expect(bytes(try await scene.get()) == Data("1".utf8))
  }

  @Test("no max-age makes a file stay longer than it is allowed")
  func longMaxAge() async throws {
    let scene = try Scene { request in .text("\(request.index)", [("Cache-Control", "max-age=31536000")]) }
    _ = try await scene.get(allowance: .seconds(60))
    scene.bed.time.pass(.seconds(61))
    #expect(bytes(try await scene.get(allowance: .seconds(60))) == Data("1".utf8))
  }

  @Test("what is no longer fresh is asked with its validators, and a 304 keeps the file")
  func revalidated() async throws {
    let scene = try Scene { request in
      request["If-None-Match"] == "\"a\""
        ? .notModified([("Cache-Control", "max-age=100")])
        : .text("picture", [("ETag", "\"a\""), ("Cache-Control", "max-age=100")])
    }
    let first = try await scene.get()
    for round in 1...3 {
      scene.bed.time.pass(.seconds(100))
      let file = try await scene.get()
      #expect(file.path == first.path && bytes(file) == Data("picture".utf8) && !file.isStale)
      #expect(scene.server.requests.count == 1 + round)
      _ = try await scene.get()
    }
    #expect(scene.server.requests.map { $0["If-None-Match"] } == [nil, "\"a\"", "\"a\"", "\"a\""])
  }

  @Test("where the service cannot be asked the file is given as stale; where it says that there is none, it goes")
  func offline() async throws {
    let reply = Mutex(ServerReply.text("picture", [("Cache-Control", "no-cache")]))
    let scene = try Scene { _ in reply.withLock(\.self) }
    _ = try await scene.get()
    reply.withLock { $0 = .closing }
    let stale = try await scene.get()
    #expect(stale.isStale && bytes(stale) == Data("picture".utf8))
    reply.withLock { $0 = .text("", status: 404) }
    let failure = await failure { () throws(HTTPFailure) in
      try await scene.cache.file(HTTPRequest(url: scene.url), allowance: .seconds(600))
    }
    #expect(failure == .httpStatus(code: 404, url: scene.url))
    #expect(scene.names.isEmpty)
  }

  @Test("what is not what was wanted is not kept")
  func refused() async throws {
    let scene = try Scene { _ in .text("image not available") }
    let failure = await failure { () throws(HTTPFailure) in
      try await scene.cache.file(HTTPRequest(url: scene.url), allowance: .seconds(600)) { $0.body.count > 100 }
    }
    #expect(failure == .refusedContent(reason: "answerUnexpected"))
    #expect(scene.names.isEmpty)
  }

  @Test("a body that does not fit its record is none, whichever of the two was changed")
  func damaged() async throws {
    let scene = try Scene { request in .text("\(request.index)") }
    let file = try await scene.get()
    try Data("another".utf8).write(to: URL(filePath: file.path))
    #expect(bytes(try await scene.get()) == Data("1".utf8))
    try Data("{\"url\":".utf8).write(to: URL(filePath: file.path + ".json"))
    #expect(bytes(try await scene.get()) == Data("2".utf8))
    unlink(file.path)
    #expect(bytes(try await scene.get()) == Data("3".utf8))
  }

  @Test("beyond its size the longest unused go, but none that was just handed out")
  func swept() async throws {
    let scene = try Scene(limit: 10_000) { _ in .text(String(repeating: "x", count: 1000)) }
    var paths: [String] = []
    // The files' own times are the machine's: they are set to what the test's clock shows.
    func age(_ path: String, minutes: Int) {
      let time = Date(timeIntervalSince1970: 1_795_219_200 - Double(minutes * 60))
      try? FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path + ".json")
    }
    for number in 0..<10 { paths.append(try await scene.get("/\(number)").path) }
    #expect(scene.names.count == 20)
    for (number, path) in paths.enumerated() {
      age(path, minutes: number < 5 ? 60 - number : 0)
    }
    // The bodies are as old as their records, except that they are what a record describes: so by their records alone.
    _ = try await scene.get("/one more")
    let left = Set(scene.names.filter { !$0.hasSuffix(".json") })
    #expect(left.count <= 11 && paths[5...].allSatisfy { left.contains(String($0.split(separator: "/").last ?? "")) })
  }

  @Test("what is read again is among the last used, and what was removed takes no room")
  func usedAndRemoved() async throws {
    let isGone = Mutex(false)
    let scene = try Scene(limit: 10_000) { request in
      request.path == "/0" && isGone.withLock(\.self)
        ? .text("", status: 404) : .text(String(repeating: "x", count: 1000), [("Cache-Control", "max-age=600")])
    }
    var paths: [String] = []
    for number in 0..<10 { paths.append(try await scene.get("/\(number)").path) }
    // A day old by the test's clock; of two also the bodies, which would go first.
    let old = Date(timeIntervalSince1970: 1_795_219_200 - 86_400)
    for path in paths.map({ $0 + ".json" }) + paths[2...3] {
      try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: path)
    }
    func isThere(_ number: Int) -> Bool { FileManager.default.fileExists(atPath: paths[number]) }
    // It is full to the last byte; one goes and one comes, so that nothing has to be deleted.
    isGone.withLock { $0 = true }
    scene.bed.time.pass(.seconds(601))
    _ = await failure { () throws(HTTPFailure) in
      try await scene.cache.file(HTTPRequest(url: scene.server.origin + "/0"), allowance: .seconds(86_400))
    }
    #expect(!isThere(0))
    let stamp = try FileManager.default.attributesOfItem(atPath: paths[1] + ".json")[.modificationDate] as? Date
    #expect(stamp == old)
    #expect(scene.cache.cached(scene.server.origin + "/1", allowance: .seconds(86_400)) != nil)
    let used = try FileManager.default.attributesOfItem(atPath: paths[1] + ".json")[.modificationDate] as? Date
    #expect(used != old)
    _ = try await scene.get("/another")
    #expect((1..<10).allSatisfy(isThere))
  }

  @Test("files and folder are the user's alone, and nothing half written stays")
  func rights() async throws {
    let scene = try Scene { _ in .text("picture") }
    let file = try await scene.get()
    for (path, mode) in [(file.path, 0o600), (file.path + ".json", 0o600), (scene.folder, 0o700)] {
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == mode, "\(path)")
    }
    #expect(
      Set(scene.names) == [
        String(file.path.split(separator: "/").last ?? ""),
        String(file.path.split(separator: "/").last ?? "") + ".json",
      ])
  }
}
