import Client
import Contract
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards
@testable import System

/// What a reader is told where a source gives nothing, or not all of it, and what to do about it.
@Suite("Boards: what is told of a source in trouble", .timeLimit(.minutes(10))) struct SourceTroubleTests {
  private static func feed(_ count: Int, end: String = "</channel></rss>") -> String {
    let items = (1...count).map { number in
      "<item><guid>\(number)</guid><title>Post \(number)</title><pubDate>Fri, 20 Nov 2026 10:00:0\(number) GMT</pubDate></item>"
    }
    return "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())\(end)"
  }

  private static func add(_ server: ScriptedServer, _ path: String, _ client: Client) async throws -> JSONValue {
    try await client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + path)])
  }

  @Test("a source whose answer makes no sense is told by the title that its reader knows")
  func senseless() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.title = "The groupware" }
    try await bench.add()
    try await bench.add("discourse", "https://forum.example/", as: FakeSource())
    bench.source.change { $0.failure = .useless("notJSON") }
    let failed = try await bench.client.call("boards/refresh")["failed"].list
    #expect(
      failed.map { $0["failure"]?["message"].text } == [
        "The response of The groupware cannot be used: it is not valid JSON."
      ])
    await bench.stop()
  }

  @Test(
    "a server's own trouble is to be waited for, and the daemon says when it asks again; only what became of an address is for a browser"
  )
  func passing() async throws {
    let status = Mutex(200)
    let server = try ScriptedServer { _ in
      let code = status.withLock(\.self)
      return code == 200 ? .text(Self.feed(2)) : .text("no", status: code)
    }
    defer { server.stop() }
    let clock = TestClock()
    let daemon = try await TestDaemon.started(clock: clock)
    let client = try await daemon.client()
    _ = try await Self.add(server, "/feed", client)
    status.withLock { $0 = 503 }
    let page = try await client.call("boards/posts", ["refresh": true])
    let failure = page["failure"]
    #expect(page.items.count == 2 && page["state"] == "error" && failure?["kind"] == "httpStatus")
    #expect(
      failure?["advice"]?.text.hasPrefix("Try again later. The daemon tries again automatically: 3:") == true,
      "\(failure ?? nil)")
    let source = try await client.call("boards/sources").items[0]
    #expect(source["failure"]?["advice"] == failure?["advice"])
    let korean = try await daemon.client(locale: "ko-KR")
    #expect(try await korean.call("boards/sources").items[0]["failure"]?["advice"].text.contains("다시 요청합니다") == true)
    clock.advance(milliseconds: 60 * 60_000)
    let report = try await client.call("boards/refresh")
    #expect(
      report["failed"]?[0]?["failure"]?["advice"]?.text.contains("tries again automatically: ") == true, "\(report)")

    // One that is not there yet is not asked again by anybody.
    let refused = try await client.failure(
      "boards/addSource", ["kind": "feed", "url": .string(server.origin + "/other")])
    #expect(refused?.data?["advice"] == "Try again later.", "\(String(describing: refused))")
    status.withLock { $0 = 404 }
    let missing = try await client.failure(
      "boards/addSource", ["kind": "feed", "url": .string(server.origin + "/third")])
    #expect(missing?.data?["advice"]?.text.contains("browser") == true)
    await daemon.stop()
  }

  @Test("a failure names its source as the reader knows it, with the place that was asked behind that")
  func names() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    let source = try await bench.add(more: ["title": "The groupware"])
    let board = try await bench.boards()[0]
    _ = try await bench.posts(["board": board])
    func told(_ failure: SourceFailure) async throws -> [String?] {
      bench.source.change { $0.failure = failure }
      let page = try await bench.posts(["board": board, "refresh": true])
      let report = try await bench.client.call("boards/refresh")
      let refused = try await bench.client.failure("boards/refresh", ["source": source.id])
      let kept = try await bench.client.call("boards/sources").items[0]
      let found = try await bench.client.failure("boards/search", ["board": board, "query": "xyzzy"])
      // An error's own message ends with the advice.
      func sentence(_ error: RemoteError?) -> String? {
        error.map { $0.message.replacing(" " + ($0.data?["advice"]?.text ?? ""), with: "") }
      }
      return [
        page["failure"]?["message"]?.text, report["failed"]?[0]?["failure"]?["message"]?.text, sentence(refused),
        kept["failure"]?["message"]?.text, sentence(found),
      ]
    }
    let silent = "The groupware (groupware.example) did not answer in time."
    #expect(Set(try await told(.silent)) == [silent])
    let status = SourceFailure(HTTPFailure.httpStatus(code: 503, url: "https://groupware.example/api"), of: "MailPlug")
    #expect(
      Set(try await told(status)) == ["The groupware at https://groupware.example answered with status 503."])
    // What was kept is told by the name of now.
    _ = try await bench.client.call("boards/updateSource", ["id": source.id, "title": "Work"])
    let renamed = try await bench.client.call("boards/sources").items[0]["failure"]?["message"]
    #expect(renamed == "Work at https://groupware.example answered with status 503.")
    await bench.stop()
  }

  @Test("how long a service wants to be left alone is told as what is left of it, and never as nothing")
  func timeLeft() async throws {
    let clock = TestClock()
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(2), clock: clock)
    bench.source.change {
      $0.failure = SourceFailure(.rateLimited(origin: "https://groupware.example", retryAfter: .seconds(90)))
    }
    _ = try await bench.posts(["refresh": true])
    func failure() async throws -> JSONValue? { try await bench.client.call("boards/sources").items[0]["failure"] }
    #expect(try await failure()?["advice"]?.text.hasPrefix("Try again in 90 seconds.") == true)
    clock.advance(milliseconds: 89_500)
    #expect(try await failure()?["advice"]?.text.hasPrefix("Try again in 1 second.") == true)
    #expect(try await failure()?["retryAfter"] == 1)
    clock.advance(milliseconds: 500)
    let over = try await failure()
    #expect(over?["advice"]?.text.hasPrefix("You can try again now; the daemon tries") == true, "\(over ?? nil)")
    #expect(over?["message"]?.text.hasSuffix("asked for fewer requests.") == true && over?["retryAfter"] == nil)
    await bench.stop()
  }

  @Test("each source tells when it was last heard, to programs and to people, and keeps that while it fails")
  func lastHeard() async throws {
    let clock = TestClock()
    let (bench, _) = try await BoardBench.showing(FetchedPost.samples(2), clock: clock)
    func source() async throws -> JSONValue { try await bench.client.call("boards/sources").items[0] }
    let heard = try await source()
    #expect(heard["fetchedAt"] == "2026-11-21T03:04:05.678Z" && heard["failure"] == nil)
    #expect(heard["display"]?["date"]?.text.replacing("\u{202F}", with: " ") == "3:04 AM")
    bench.source.change { $0.failure = .silent }
    clock.advance(milliseconds: 24 * 3_600_000)
    _ = try await bench.posts(["refresh": true])
    let failed = try await source()
    #expect(failed["fetchedAt"] == heard["fetchedAt"] && failed["failure"]?["kind"] == "unreachable")
    #expect(failed["display"]?["date"]?.text.contains("Nov 21") == true, "\(failed)")
    // One that was added unseen was never heard.
    bench.source.change { $0.failure = .offline }
    #expect(try await bench.add("feed", "https://example.org/feed")["display"]?["date"] == nil)
    await bench.stop()
  }

  @Test("who is not let in without a credential is told how one is given; who gave one is told to look at it")
  func unauthorized() async throws {
    let server = try ScriptedServer { _ in .text("who are you?", status: 401) }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    for kind in ["feed", "mailplug", "discourse"] {
      let refused = try await client.failure(
        "boards/addSource", ["kind": .string(kind), "url": .string(server.origin + "/here")])
      let advice = refused?.data?["advice"]?.text ?? ""
      #expect(refused?.kind == "unauthorized" && advice.contains("[credentials.NAME]"), "\(kind): \(advice)")
      #expect(advice.contains("origin = \"\(server.origin)\"") && advice.contains("`credential`"), "\(kind): \(advice)")
    }
    await daemon.stop()
  }

  @Test("a feed that ends in the middle is not taken for all of it: its source says so until it comes whole")
  func cutOff() async throws {
    let end = Mutex("<item><guid>9</guid><title>Half a po")
    let server = try ScriptedServer { _ in .text(Self.feed(3, end: end.withLock(\.self)), [("ETag", "\"one\"")]) }
    defer { server.stop() }
    let clock = TestClock()
    let daemon = try await TestDaemon.started(clock: clock)
    let client = try await daemon.client()
    let added = try await Self.add(server, "/feed", client)
    #expect(added["failure"]?["message"]?.text.contains("ends in the middle") == true, "\(added)")
    #expect(try await client.call("boards/sources").items[0]["failure"]?["kind"] == "badResponse")
    let page = try await client.call("boards/posts")
    #expect(page.items.count >= 3 && page["state"] == "error")
    #expect(page["failure"]?["message"]?.text.contains("\(page.items.count) of its posts") == true)
    end.withLock { $0 = "</channel></rss>" }
    _ = try await client.call("boards/refresh")
    #expect(server.requests.allSatisfy { $0["If-None-Match"] == nil })
    #expect(try await client.call("boards/sources").items[0]["failure"] == nil)
    #expect(try await client.call("boards/posts")["state"] == "results")
    await daemon.stop()
  }

  @Test("a post whose second half did not come stays as it was, and the refresh names the feed that was cut off")
  func cutPost() async throws {
    let half = "<item><guid>9</guid><title>Nine</title><description>All"
    let end = Mutex(half + " of it</description></item></channel></rss>")
    let server = try ScriptedServer { _ in .text(Self.feed(1, end: end.withLock(\.self))) }
    defer { server.stop() }
    let clock = TestClock()
    let daemon = try await TestDaemon.started(clock: clock)
    let client = try await daemon.client()
    let source = try await Self.add(server, "/feed", client)["id"]?.text ?? ""
    let before = try await client.call("boards/posts").items.map { $0["id"] }
    end.withLock { $0 = half }
    let report = try await client.call("boards/refresh")
    #expect(report["updated"] == 0 && report["failed"].list.count == 1, "\(report)")
    #expect(report["failed"].list.first?["source"]?.text == source)
    #expect(report["failed"].list.first?["failure"]?["message"]?.text.contains("ends in the middle") == true)
    let posts = try await client.call("boards/posts").items
    #expect(posts.map { $0["id"] } == before)
    let nine = try #require(posts.first { $0["title"] == "Nine" }?["id"])
    #expect(try await client.call("boards/post", ["id": nine])["contents"] == "All of it")
    await daemon.stop()
  }

  @Test(
    "a service that wants fewer requests is one origin: it is named with its port, and its neighbour is still asked")
  func limited() async throws {
    let strict = try ScriptedServer { request in
      request.path == "/limited" ? .text("slow down", status: 429, [("Retry-After", "120")]) : .text(Self.feed(1))
    }
    let neighbour = try ScriptedServer { _ in .text(Self.feed(1)) }
    defer {
      strict.stop()
      neighbour.stop()
    }
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    for path in ["/limited", "/other"] {
      let refused = try await client.failure(
        "boards/addSource", ["kind": "feed", "url": .string(strict.origin + path)])
      #expect(refused?.kind == "rateLimited" && refused?.message.contains(strict.origin) == true, "\(path)")
    }
    #expect(try await Self.add(neighbour, "/feed", client)["foundTitle"] == "News")
    await daemon.stop()
  }

  @Test("a URL without a scheme is asked by https, and where nobody is there the answer says what was made of it")
  func guessedScheme() async throws {
    let server = try ScriptedServer { _ in .closing }
    server.stop()
    let daemon = try await TestDaemon.started()
    let client = try await daemon.client()
    let bare = String(server.origin.dropFirst("http://".count)) + "/feed"
    let refused = try await client.failure("boards/addSource", ["kind": "feed", "url": .string(bare)])
    let message = refused?.message ?? ""
    #expect(refused?.kind == "unreachable" && message.contains("https://127.0.0.1:\(server.port)"), "\(message)")
    #expect(message.contains("write http:// in front of it"), "\(message)")
    let whole = try await client.failure("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    #expect(whole?.kind == "unreachable" && whole?.message.contains("in front of it") == false)
    await daemon.stop()
  }

  @Test("a search on a board whose source was given up is of what is here, and says why")
  func stopped() async throws {
    let bench = try await BoardBench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2) }
    try await bench.add()
    let board = try await bench.boards()[0]
    _ = try await bench.posts(["board": board])
    bench.source.change {
      $0.failure = SourceFailure(
        .unauthorized,
        RPCError(.unauthorized, text: Text("network.unauthorized", ["host": "https://groupware.example"])))
    }
    _ = try? await bench.posts(["board": board, "refresh": true])
    #expect(try await bench.client.call("boards/sources").items[0]["stopped"] == true)
    let asked = bench.source.requests.count
    let found = try await bench.client.call("boards/search", ["board": board, "query": "nothing like it"])
    #expect(found.items.isEmpty && found["state"] == "error" && found["freshness"] == "cached")
    #expect(found["failure"]?["kind"] == "unauthorized", "\(found)")
    #expect(found["failure"]?["advice"]?.text.contains("boards/refresh") == true, "\(found)")
    #expect(bench.source.requests.count == asked)
    // Whoever wants what is here only misses nothing.
    let kept = try await bench.client.call("boards/search", ["board": board, "query": "nothing like it", "kept": true])
    #expect(kept["state"] == "noResults" && kept["failure"] == nil)
    await bench.stop()
  }

  @Test("a post says by what its board lists it where that is not when it was written, and its board whose it is")
  func listed() async throws {
    let written = try #require(Instant("2026-11-02T10:00:00Z"))
    var topic = FetchedPost(id: "1")
    (topic.title, topic.publishedAt) = ("An old question", written)
    topic.listedAt = written.adding(milliseconds: 7 * 86_400_000)
    topic.body = FetchedPost.Body(html: "<p>Why?</p>", text: "Why?")
    var plain = FetchedPost(id: "2")
    (plain.title, plain.publishedAt) = ("News", written)
    let (bench, page) = try await BoardBench.showing([topic, plain])
    let items = page.items
    #expect(items.map { $0["title"] } == ["An old question", "News"])
    #expect(items[0]["listedAt"] == "2026-11-09T10:00:00.000Z" && items[0]["date"] == "2026-11-02T10:00:00.000Z")
    #expect(items[0]["display"]?["listed"] == "Nov 9, 2026" && items[0]["display"]?["date"] == "Nov 2, 2026")
    #expect(items[1]["listedAt"] == nil && items[1]["display"]?["listed"] == nil)
    let post = try await bench.client.call("boards/post", ["id": items[0].id])
    #expect(post["listedAt"] == items[0]["listedAt"])
    // Somebody answers.
    bench.source.change { $0.posts["1"]?[0].listedAt = written.adding(milliseconds: 9 * 86_400_000) }
    let again = try await bench.posts(["refresh": true])
    #expect(again.items[0]["listedAt"] == "2026-11-11T10:00:00.000Z")
    #expect(again.items[0]["display"]?["listed"] == "Nov 11, 2026")
    #expect(try await bench.client.call("boards/list").items[0]["display"]?["source"] == "groupware.example")
    await bench.stop()
  }

  @Test("what an OPML file has that cannot be fetched is left out for that, and what has a password for that")
  func outlines() async throws {
    let bench = try await BoardBench()
    let urls = [
      "ftp://example.org/feed", "https://ann:secret@example.org/feed", "javascript:alert(1)",
      "https://example.org/feed",
      "https://example.org/feed?token=abcdefghijklmnop",
    ]
    let outlines = urls.map { "<outline type=\"rss\" text=\"\($0.prefix(5))\" xmlUrl=\"\($0)\"/>" }
    let text = "<opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    let report = try await bench.client.call(
      "boards/import", ["data": .string(Data(text.utf8).base64EncodedString())])
    #expect(report["added"] == 1 && report["skipped"] == 4, "\(report)")
    #expect(report["notes"].list.map { $0["reason"].text }.sorted() == ["badURL", "badURL", "secret", "secret"])
    #expect(report["notes"].list.contains { $0["display"].text.contains("neither http nor https") })
    await bench.stop()
  }
}
