import Client
import Contract
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Books
@testable import Kit
@testable import System

@Suite("Books: catalogues that do not answer") struct BookOutageTests {
  private static func hits(_ request: ScriptedServer.Request) -> ServerReply {
    CatalogueSample.hits([CatalogueSample.hit(1)], total: 1)
  }

  @Test("where no catalogue answers the failure names each of them, by its name, with its own reason")
  func allNamed() async throws {
    let bench = try await BookBench { request in
      request.path.hasPrefix("/google") ? .text("no", status: 503) : .text("<html>login</html>")
    }
    for params: JSONObject in [["query": "gatsby"], ["query": "sabriel", "catalogue": "all"]] {
      let failure = try await bench.client.failure("books/search", .object(params))
      let message = failure?.message ?? ""
      #expect(failure?.kind == "httpStatus" && failure?.data?["status"] == 503, "\(params)")
      #expect(message.contains("Google Books at") && message.contains("status 503"), "\(message)")
      #expect(message.contains("The response of Open Library") && message.contains("a web page"), "\(message)")
    }
    // One that was named is the only one that is asked.
    let one = try await bench.client.failure("books/search", ["query": "emma", "catalogue": "google"])
    #expect(one?.message.contains("Open Library") == false)
    await bench.stop()
  }

  @Test("the same reason of two catalogues is told of each by its name, and what concerns both is told once")
  func sameReason() async throws {
    let server = try ScriptedServer { _ in .closing }
    let bench = try await BookBench(server: server)
    let message = try await bench.client.failure("books/search", ["query": "gatsby"])?.message ?? ""
    #expect(message.contains("Google Books cannot be reached"), "\(message)")
    #expect(message.contains("Open Library cannot be reached") && !message.contains(server.origin), "\(message)")
    await bench.stop()
    let offline = try await BookBench(change: { $0.http.offline = true })
    let told = try await offline.client.failure("books/search", ["query": "gatsby"])?.message ?? ""
    #expect(told.components(separatedBy: "stay offline").count == 2, "\(told)")
    await offline.stop()
  }

  private static let badKey = CatalogueSample.json(
    [
      "error": [
        "code": 400, "message": "API key not valid.", "errors": [["reason": "badRequest"]],
        "details": [["reason": "API_KEY_INVALID"]],
      ]
    ], status: 400)

  @Test(
    "a refused key is no obstacle any more when config.toml has another one, or when who named the catalogue got books")
  func mendedKey() async throws {
    let key = Mutex((file: "old.txt", secret: "bad"))
    let server = try ScriptedServer { request in
      guard request.path.hasPrefix("/google") else { return Self.hits(request) }
      return request.item("key") == "good" ? CatalogueSample.google(3)(request) : Self.badKey
    }
    let origin = try #require(Origin(server.origin))
    let bench = try await BookBench(
      server: server,
      change: { settings in
        settings.credentials = Credentials(
          define: { .init(name: $0, origin: origin, source: key.withLock(\.file)) },
          read: { _ throws(RPCError) in Secret(key.withLock(\.secret)) })
        settings.configure { $0.books.google.credential = "google" }
      })
    func asked() -> Int { server.requests.count { $0.path.hasPrefix("/google") } }
    for query in ["gatsby", "sabriel"] {
      #expect(try await bench.search(query)["warnings"]?[0]?["kind"] == "closed")
    }
    #expect(asked() == 1)
    key.withLock { $0 = ("new.txt", "good") }
    let mended = try await bench.search("emma")
    #expect(mended["catalogues"] == ["google"] && mended["warnings"] == [], "\(mended)")
    key.withLock { $0.secret = "bad" }
    #expect(try await bench.search("dracula")["warnings"]?[0]?["kind"] == "closed")
    key.withLock { $0.secret = "good" }
    // Of what a command gives now nobody is told, until somebody asks for Google by its name.
    #expect(try await bench.search("ulysses")["warnings"]?[0]?["kind"] == "closed")
    #expect(try await bench.search("ulysses", ["catalogue": "google"])["catalogues"] == ["google"])
    #expect(try await bench.search("middlemarch")["catalogues"] == ["google"])
    await bench.stop()
  }

  @Test(
    "that nobody has a number says who could not be asked and why, and is not believed when they can be asked again")
  func numberOfFew() async throws {
    let isRefusing = Mutex(true)
    let bench = try await BookBench { request in
      guard request.path.hasPrefix("/google") else {
        return request.path.hasPrefix("/ol/search") ? Self.hits(request) : .text("{}", status: 404)
      }
      return isRefusing.withLock(\.self) ? Self.badKey : CatalogueSample.google(1)(request)
    }
    #expect(try await bench.search("gatsby")["warnings"]?[0]?["kind"] == "closed")
    for _ in 1...2 {
      let failure = try await bench.client.failure("books/get", ["id": "isbn.9788936434120"])
      let message = failure?.message ?? ""
      #expect(failure?.kind == "notFound" && message.contains("9788936434120: Open Library."), "\(message)")
      #expect(message.contains("Google Books refuses the request: the key is not valid."), "\(message)")
    }
    // It is kept that Open Library has none, as long as nobody else can be asked.
    #expect(bench.server.requests.count { $0.path.hasPrefix("/ol/isbn") } == 1)
    isRefusing.withLock { $0 = false }
    _ = try await bench.search("gatsby", ["catalogue": "google", "refresh": true])
    let found = try await bench.client.call("books/get", ["id": "isbn.9788936434120"])
    #expect(found["catalogue"] == "google", "\(found)")
    await bench.stop()
  }

  @Test("G25 a number that the usual catalogue does not have is looked for in the other before nothing is found")
  func numberElsewhere() async throws {
    let isDown = Mutex(false)
    let bench = try await BookBench { request in
      if request.path.hasPrefix("/google") { return CatalogueSample.page([], total: 0) }
      if isDown.withLock(\.self) { return .text("no", status: 503) }
      guard request.path == "/ol/isbn/9780060273224.json" else { return .text("{}", status: 404) }
      return CatalogueSample.json(["key": "/books/OL1M", "title": "Sabriel", "isbn_10": ["0060273224"]])
    }
    func asked(_ path: String) -> Int { bench.server.requests.count { $0.path.hasPrefix(path) } }
    for _ in 1...2 {
      let found = try await bench.search("0060273224")
      #expect(found.items.map(\.id) == ["openLibrary.OL1M"] && found["catalogues"] == ["openLibrary"], "\(found)")
    }
    #expect(asked("/google") == 1 && asked("/ol/isbn") == 1)
    let nobody = try await bench.search("9788936434120")
    #expect(nobody["state"] == "noResults" && nobody["warnings"] == [] && asked("/ol/isbn") == 2)
    // Words that one finds nothing for are an answer, and so is what the one that was named says.
    _ = try await bench.search("gatsby")
    _ = try await bench.search("9780486269573", ["catalogue": "google"])
    #expect(asked("/ol") == 2)
    isDown.withLock { $0 = true }
    let unsure = try await bench.search("9780486269573")
    #expect(unsure["state"] == "noResults", "\(unsure)")
    #expect(unsure["warnings"]?[0]?["catalogue"] == "openLibrary", "\(unsure)")
    await bench.stop()
  }

  @Test("a status is told as a status, whatever the body is, and not as an answer that makes no sense")
  func missingService() async throws {
    for status in [404, 410] {
      let bench = try await BookBench { _ in .text("<html>nothing here</html>", status: status) }
      for catalogue: JSONValue in ["google", "openLibrary"] {
        let failure = try await bench.client.failure("books/search", ["query": "gatsby", "catalogue": catalogue])
        #expect(failure?.kind == "httpStatus" && failure?.data?["status"] == .integer(Int64(status)), "\(catalogue)")
        #expect(failure?.message.contains("\(status)") == true, "\(failure?.message ?? "")")
      }
      await bench.stop()
    }
  }

  @Test("beside a catalogue that did not answer lately the one that stands in for it is asked at the same time")
  func together() async throws {
    let isDown = Mutex(true)
    let otherWasAsked = ServerGate()
    let bench = try await BookBench { request in
      let isGoogle = request.path.hasPrefix("/google")
      if isGoogle, isDown.withLock(\.self) { return .text("no", status: 503) }
      let reply = isGoogle ? CatalogueSample.google(3)(request) : Self.hits(request)
      guard request.item("q") == "sabriel" else { return reply }
      // Google answers when the other one was asked: one after the other, neither would.
      let first: [ServerReply.Step] = isGoogle ? [.wait(otherWasAsked)] : [.open(otherWasAsked)]
      return ServerReply(first + reply.steps)
    }
    #expect(try await bench.search("gatsby")["catalogues"] == ["openLibrary"])
    isDown.withLock { $0 = false }
    let found = try await bench.search("sabriel")
    #expect(found["catalogues"] == ["google"] && found.items.count == 3 && found["warnings"] == [])
    // It has answered, so that the other one is left in peace.
    let count = bench.server.requests.count
    #expect(try await bench.search("emma")["catalogues"] == ["google"])
    #expect(bench.server.requests.count == count + 1)
    await bench.stop()
  }

  @Test("while a service wants to be left alone, what is kept is shown at once, with when to ask again")
  func restingWithKept() async throws {
    let clock = TestClock()
    let isLimited = Mutex(false)
    let bench = try await BookBench(clock: clock) { request in
      isLimited.withLock(\.self)
        ? .text("slower", status: 429, [("Retry-After", "3")]) : CatalogueSample.google(3)(request)
    }
    let good = try await bench.search("gatsby")
    clock.advance(milliseconds: 2 * 86_400_000)
    isLimited.withLock { $0 = true }
    // Without what is kept it would wait for these seconds, and ask again.
    let kept = try await bench.search("gatsby")
    #expect(kept.items == good.items && kept["freshness"] == "cached")
    let warning = kept["warnings"]?[0]
    #expect(warning?["display"] == "Google Books asks for fewer requests.", "\(warning ?? nil)")
    #expect(warning?["advice"]?.text.hasPrefix("Try again in ") == true, "\(warning ?? nil)")
    #expect(bench.server.requests.count == 2)
    await bench.stop()
  }

  @Test("a search has eight seconds in all, and half of that before another catalogue stands in")
  func bounds() {
    #expect(BookSearches.longestSearch <= .seconds(8))
    #expect(BookSearches.longestWithoutStandIn * 2 <= BookSearches.longestSearch)
  }

  @Test("what is left of a catalogue's rest is told as of now, also when the rest began long ago")
  func restIsOver() {
    let began = Instant(milliseconds: 1_795_225_445_678)
    let failure = HTTPFailure.rateLimited(origin: "https://a.example", retryAfter: .seconds(9))
    let obstacle = CatalogueObstacle(failure: failure, catalogue: "Google Books", at: began)
    func text(_ milliseconds: Int64) -> Text {
      obstacle.text(at: Instant(milliseconds: began.milliseconds + milliseconds))
    }
    #expect(text(0).arguments["seconds"] == "9" && text(8_500).arguments["seconds"] == "1")
    #expect(text(9_000).key == "network.rateLimitedOver" && text(90_000).key == "network.rateLimitedOver")
  }
}
