import Client
import Foundation
import HTTP
import Store
import TestSupport
import Testing
import Wire

@testable import Books
@testable import Kit
@testable import System

@Suite("Books: covers") struct BookCoverTests {
  /// A JPEG by its first bytes, of this size, with something of its own.
  static func jpeg(_ width: Int, _ height: Int, salt: String = "") -> Data {
    let frame: [UInt8] = [
      0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 255),
      UInt8(width >> 8), UInt8(width & 255), 1, 1, 0x11, 0,
    ]
    return Data(frame) + Data(salt.utf8)
  }

  /// The picture of one dot that Open Library sends.
  static let dot = Data(base64Encoded: "R0lGODlhAQABAIAAAP///wAAACH5BAEAAAAALAAAAAABAAEAAAICRAEAOw==")!

  private static func picture(_ bytes: Data) -> ServerReply {
    .answer(200, [("Content-Type", "image/jpeg")], body: bytes)
  }

  /// A bench whose Google has one volume with these links, written as paths of the server.
  private func bench(
    _ links: [String: String], in folder: TemporaryFolder = TemporaryFolder(), clock: TestClock = TestClock(),
    picture: @escaping @Sendable (ScriptedServer.Request) -> ServerReply
  ) async throws -> BookBench {
    try await BookBench(in: folder, clock: clock) { request in
      guard request.path.hasPrefix("/google") else { return picture(request) }
      let origin = "http://" + (request["Host"] ?? "")
      let written = JSONObject(links.map { .init(key: $0.key, value: .string(origin + $0.value)) })
      let volume = CatalogueSample.volume(1, links.isEmpty ? [:] : ["imageLinks": .object(written)])
      return request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
  }

  private let id: JSONValue = .string("google.\(CatalogueSample.id(1))")

  @Test("of the files in a library's folder of covers the outdated ones of ours are removed, and nothing else")
  func ownFiles() async throws {
    let bench = try await bench(["thumbnail": "/b?zoom=1"]) { _ in Self.picture(Self.jpeg(128, 190)) }
    let library = try await bench.client.call("session/status")["library"]?["id"]?.stringValue ?? ""
    // By a hash of the library's id, which somebody else may have chosen.
    let hashed = Blobs.hash(of: Array(library.utf8)).prefix(32)
    let folder = bench.daemon.folder.file("caches/covers/\(hashed)")
    let older = "\(String(repeating: "0a", count: 20))-5.jpg"
    let outside = bench.daemon.folder.file("theirs")
    let others = try DaemonFilesTests.fill(folder, ours: older, outside: outside)
    // Another of the same key, which is outdated too, and what a daemon was writing when it was killed.
    let newer = older.replacing("-5.", with: "-6.")
    let part = "\(UUID().uuidString).part"
    for name in [newer, part] { try Data("a file".utf8).write(to: URL(filePath: folder + "/" + name)) }
    let cover = try await bench.client.call("books/cover", ["id": id])
    #expect(cover["path"].text.hasPrefix(folder + "/"))
    let left = try DaemonFilesTests.names(in: folder)
    #expect(left.isSuperset(of: others), "\(others.subtracting(left))")
    #expect(left.isDisjoint(with: [older, newer, part]))
    #expect(FileManager.default.contents(atPath: outside) == Data("theirs".utf8))
    await bench.stop()
  }

  @Test("G14 a cover is the small picture, else the thumbnail, else a placeholder")
  func choice() async throws {
    let both = try await bench(["smallThumbnail": "/a?zoom=5", "thumbnail": "/b?zoom=1"]) { request in
      request.path == "/a" ? .text("", status: 404) : Self.picture(Self.jpeg(128, 190))
    }
    let cover = try await both.client.call("books/cover", ["id": id, "inline": true])
    #expect(cover["placeholder"] == false && cover["mediaType"] == "image/jpeg")
    #expect(both.asked.suffix(2) == ["/a?zoom=5", "/b?zoom=1"])
    #expect(FileManager.default.contents(atPath: cover["path"].text) == Self.jpeg(128, 190))
    #expect(Data(base64Encoded: cover["data"].text) == Self.jpeg(128, 190))
    await both.stop()
    let none = try await bench([:]) { _ in .text("", status: 404) }
    let placeholder = try await none.client.call("books/cover", ["id": id])
    #expect(placeholder["placeholder"] == true && placeholder["path"] == nil && placeholder["display"] == "No cover")
    #expect(none.asked.count == 1)
    await none.stop()
  }

  @Test("G14 of a larger size there is what there is, and the picture that says there is none is known")
  func larger() async throws {
    let bench = try await bench(["thumbnail": "/b?zoom=1", "medium": "/c?zoom=3", "large": "/d?zoom=4"]) { request in
      request.path == "/b" ? Self.picture(Self.jpeg(128, 190)) : Self.picture(Self.jpeg(575, 750))
    }
    let cover = try await bench.client.call("books/cover", ["id": id, "size": "large"])
    #expect(cover["placeholder"] == false)
    #expect(bench.asked.suffix(3) == ["/d?zoom=4", "/c?zoom=3", "/b?zoom=1"])
    await bench.stop()
  }

  @Test("G15 a second look asks nobody, after a restart too; a day later the service is asked again")
  func kept() async throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    let bench = try await bench(["thumbnail": "/b?zoom=1"], in: folder, clock: clock) { _ in
      Self.picture(Self.jpeg(128, 190))
    }
    let first = try await bench.client.call("books/cover", ["id": id])
    let count = bench.asked.count
    #expect(try await bench.client.call("books/cover", ["id": id])["path"] == first["path"])
    #expect(bench.asked.count == count)
    await bench.daemon.stop()
    let next = try await BookBench(in: folder, clock: clock, server: bench.server)
    #expect(try await next.client.call("books/cover", ["id": id])["path"] == first["path"])
    #expect(bench.asked.count == count)
    clock.advance(milliseconds: 86_400_001)
    let later = try await next.client.call("books/cover", ["id": id])
    #expect(later["path"] != first["path"] && bench.asked.count > count)
    #expect(!FileManager.default.fileExists(atPath: first["path"].text))
    await next.stop()
  }

  @Test("G15 Open Library's picture of one dot is no cover; it is asked by the cover's id, and for no default")
  func dot() async throws {
    let bench = try await BookBench { request in
      request.path.hasPrefix("/covers")
        ? .answer(200, [("Content-Type", "image/gif")], body: Self.dot)
        : CatalogueSample.hits(
          [CatalogueSample.hit(1, ["cover_i": 77]), CatalogueSample.hit(2, ["cover_i": -1])], total: 2)
    }
    let items = try await bench.search("works", ["catalogue": "openLibrary"]).items
    #expect(items.map { $0["hasCover"] } == [true, false])
    let cover = try await bench.client.call("books/cover", ["id": items[0].id])
    #expect(cover["placeholder"] == true)
    #expect(
      bench.asked.filter { $0.hasPrefix("/covers") } == [
        "/covers/b/id/77-S.jpg?default=false", "/covers/b/id/77-M.jpg?default=false",
      ])
    let count = bench.asked.count
    #expect(try await bench.client.call("books/cover", ["id": items[0].id])["placeholder"] == true)
    #expect(bench.asked.count == count, "that there is none is kept too")
    await bench.stop()
  }

  @Test("G14 of a book that is found but cannot be shown by itself the search's picture is there, in every size")
  func coverOfHit() async throws {
    let bench = try await BookBench { request in
      switch request.path {
      case "/ol/works/OL1W.json": .text("{}", status: 404)
      case let path where path.hasPrefix("/covers"): Self.picture(Self.jpeg(128, 190))
      default: CatalogueSample.hits([CatalogueSample.hit(1, ["cover_i": 77])], total: 1)
      }
    }
    let id = try await bench.search("works", ["catalogue": "openLibrary"]).items[0].id
    #expect(try await bench.client.call("books/cover", ["id": id, "size": "large"])["placeholder"] == false)
    // That the work itself is unknown is kept by now, and takes the picture away from nobody.
    #expect(try await bench.client.call("books/cover", ["id": id])["placeholder"] == false)
    await bench.stop()
  }

  @Test("G15 an address that a catalogue writes with http is asked over https, but for those of the configuration")
  func secure() {
    var books = BooksConfiguration()
    books.openLibrary.covers = "http://127.0.0.1:8080/covers"
    let google = "http://books.google.com/books/content?id=x&zoom=1"
    #expect(CoverAddress.secure(google, in: books) == "https://books.google.com/books/content?id=x&zoom=1")
    #expect(CoverAddress.secure("http://127.0.0.1:8080/x", in: books) == "http://127.0.0.1:8080/x")
    #expect(CoverAddress.secure("https://a.example/x", in: books) == "https://a.example/x")
  }

  @Test("G16 a page where a picture should be is an error, not a missing cover, and is not kept")
  func notPicture() async throws {
    let bench = try await bench(["thumbnail": "/b?zoom=1"]) { request in
      request.index < 3 ? .text("<html>login</html>") : Self.picture(Self.jpeg(128, 190))
    }
    #expect(try await bench.refusal("books/cover", ["id": id]) == "badResponse")
    _ = try await bench.search("other")
    #expect(try await bench.client.call("books/cover", ["id": id])["placeholder"] == false)
    #expect(try await bench.refusal("books/cover", ["id": "none"]) == "notFound")
    await bench.stop()
  }

  @Test("G15 the address of a cover that leads into this machine's network is refused, and nobody there is asked")
  func privatePlace() async throws {
    let secret = try ScriptedServer { _ in Self.picture(Self.jpeg(128, 190)) }
    let bench = try await BookBench { request in
      let links: JSONValue = ["thumbnail": .string("https://127.0.0.1:\(secret.port)/x.png")]
      let volume = CatalogueSample.volume(1, ["imageLinks": links])
      return request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
    #expect(try await bench.refusal("books/cover", ["id": id]) == "refusedAddress")
    #expect(secret.requests.isEmpty)
    await bench.stop()
    secret.stop()
  }

  @Test("G15 pictures go, the least lately seen first, when there are too many; those just handed out stay")
  func room() async throws {
    let clock = TestClock()
    let world = HeldServices()
    let bench = try await BookBench(clock: clock, features: [world.feature]) { request in
      Self.picture(Self.jpeg(100, 100, salt: request.target + String(repeating: "x", count: 1_000)))
    }
    bench.daemon.daemon.startBackgroundWork()
    let services = await world.services()
    let folder = bench.daemon.folder.file("small")
    let cache = CoverCache(folder: folder, limits: .init(limit: 3_500, hardLimit: 3_500, minimumAge: 60_000))
    var paths: [String] = []
    for number in 0..<6 {
      let picture = try await cache.picture(
        ["\(bench.server.origin)/\(number)?zoom=1"], in: GoogleBooks(services.settings().books), for: "gone",
        with: services)
      paths.append(picture.path ?? "")
      clock.advance(milliseconds: 40_000)
    }
    #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [false, false, false, true, true, true])
    await bench.stop()
  }

  @Test("G15 a picture that is fetched again day after day takes the room of one")
  func renewedRoom() async throws {
    let clock = TestClock()
    let world = HeldServices()
    let bench = try await BookBench(clock: clock, features: [world.feature]) { request in
      Self.picture(Self.jpeg(100, 100, salt: request.target + String(repeating: "x", count: 1_000)))
    }
    bench.daemon.daemon.startBackgroundWork()
    let services = await world.services()
    let folder = bench.daemon.folder.file("small")
    let cache = CoverCache(folder: folder, limits: .init(limit: 3_500, hardLimit: 3_500, minimumAge: 60_000))
    func path(_ number: Int) async throws -> String {
      try await cache.picture(
        ["\(bench.server.origin)/\(number)?zoom=1"], in: GoogleBooks(services.settings().books), for: "gone",
        with: services
      ).path ?? ""
    }
    for _ in 0..<5 {
      _ = try await path(0)
      clock.advance(milliseconds: CoverCache.longestAge)
    }
    var paths: [String] = []
    for number in 0..<3 {
      paths.append(try await path(number))
      clock.advance(milliseconds: 61_000)
    }
    _ = try await path(2)
    #expect(paths.map { FileManager.default.fileExists(atPath: $0) } == [true, true, true])
    await bench.stop()
  }
}
