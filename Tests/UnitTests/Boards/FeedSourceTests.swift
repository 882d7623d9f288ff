import Contract
import Foundation
import HTTP
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("feeds as sources") struct FeedSourceTests {
  private static func rss(_ items: Int, extra: String = "") -> String {
    "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>생성된 피드</title><link>https://a.example/</link>\(extra)"
      + (0..<items).map {
        "<item><guid>tag:a.example,2024:\($0)</guid><title>글 \($0)</title><link>/\($0)</link>"
          + "<pubDate>Mon, 20 May 2024 00:0\($0 % 10):00 +0900</pubDate><description>&lt;p&gt;내용&lt;/p&gt;</description></item>"
      }.joined() + "</channel></rss>"
  }

  private static func source(_ bed: SourceTestBed, _ path: String = "/feed", credential: String? = nil) -> FeedSource {
    FeedSource(bed.address(.feed, path, credential: credential), bed.network)
  }

  @Test("adding a feed is one request: its board, its title and its posts come together")
  func adding() async throws {
    let bed = try SourceTestBed { _ in .text(Self.rss(2), [("ETag", "W/\"1\""), ("Cache-Control", "max-age=1800")]) }
    let boards = try await Self.source(bed).boards(nil)
    #expect(boards.title == "생성된 피드" && boards.boards.map(\.id) == ["feed"])
    #expect(boards.freshFor == .seconds(1800))
    let page = try #require(boards.pages["feed"])
    #expect(page.posts.map(\.title) == ["글 0", "글 1"])
    let post = page.posts[1]
    #expect(post.id == "tag:a.example,2024:1" && post.globalID == post.id && post.link == "https://a.example/1")
    #expect(post.publishedAt == Instant("2024-05-19T15:01:00Z"))
    #expect(post.body?.html == "<p>내용</p>" && post.body?.text == "내용")
    #expect(bed.targets == ["/feed"])
  }

  @Test("a title and a text that are longer than is kept say so, whatever the script")
  func longEntries() async throws {
    let title = String(repeating: "긴 제목 ", count: 400)
    let picture = "<img src=\"data:image/png;base64,\(String(repeating: "A", count: 3 << 20))\">"
    let bed = try SourceTestBed { _ in
      .text(
        "<rss version=\"2.0\"><channel><title>t</title>"
          + "<item><guid>1</guid><title>\(title)</title><description>short</description></item>"
          + "<item><guid>2</guid><title>short</title><description><![CDATA[<p>begin \(picture) end</p>]]></description></item>"
          + "</channel></rss>")
    }
    let posts = try #require(try await Self.source(bed).boards(nil).pages["feed"]?.posts)
    #expect(posts[0].fittedTitle.isCut && posts[0].body?.isWhole == true)
    #expect(!posts[1].fittedTitle.isCut)
    #expect(posts[1].body?.text.hasPrefix("begin") == true && posts[1].body?.text.contains("end") == false)
    #expect(posts[1].body?.isWhole == false && posts[1].body?.isCut == true)
  }

  @Test("an address without a path is asked at the root", arguments: ["", "/", "/?format=rss"])
  func bareAddress(path: String) async throws {
    let bed = try SourceTestBed { _ in .text(Self.rss(1)) }
    #expect(try await Self.source(bed, path).boards(nil).pages["feed"]?.posts.map(\.link) == ["https://a.example/0"])
    #expect(bed.targets == [path.isEmpty ? "/" : path])
  }

  @Test("a page for people gives the feed that it names, with one request each, when it is added and never later")
  func discovery() async throws {
    let bed = try SourceTestBed { request in
      request.target == "/blog"
        ? .text(
          "<!doctype html><link rel=alternate type=application/rss+xml href=/feed>", [("Content-Type", "text/html")])
        : .text(Self.rss(1))
    }
    let boards = try await Self.source(bed, "/blog").boards(nil)
    #expect(boards.movedTo == bed.server.origin + "/feed" && boards.pages["feed"]?.posts.count == 1)
    #expect(bed.targets == ["/blog", "/feed"])
    let failure = await failure { () throws(SourceFailure) in
      try await Self.source(bed, "/blog").posts(of: "feed", at: nil, state: nil)
    }
    #expect(failure?.kind == .notSource && bed.targets.count == 3)
  }

  @Test("a page never leads to an address of this machine or network that nobody wrote")
  func privateFeeds() async throws {
    let other = try SourceTestBed { _ in .text(Self.rss(1)) }
    let bed = try SourceTestBed { _ in
      .text("<link rel=alternate type=application/rss+xml href=\(other.server.origin)/feed>")
    }
    let failure = await failure { () throws(SourceFailure) in try await Self.source(bed).boards(nil) }
    #expect(failure?.kind == .notSource && other.targets.isEmpty)
  }

  @Test("the second request is conditional, and the third uses what the 304 said")
  func validators() async throws {
    let answers = ReplySequence(
      .text(Self.rss(1), [("ETag", "W/\"one\""), ("Last-Modified", "Mon, 20 May 2024  00:00:00 GMT")]),
      .notModified([("ETag", "\"two\"")]), .notModified())
    let bed = try SourceTestBed { _ in answers.next() }
    let source = Self.source(bed)
    let first = try await source.posts(of: "feed", at: nil, state: nil)
    let second = try await source.posts(of: "feed", at: nil, state: first.state)
    #expect(second.isUnchanged && second.posts.isEmpty)
    let third = try await source.boards(second.state)
    #expect(third.isUnchanged && third.boards.isEmpty && third.state != nil)
    let requests = bed.server.requests
    #expect(requests.map { $0["If-None-Match"] } == [nil, "W/\"one\"", "\"two\""])
    // Verbatim, as the service wrote it.
    #expect(
      requests.map { $0["If-Modified-Since"] }.dropFirst() == [
        "Mon, 20 May 2024  00:00:00 GMT", "Mon, 20 May 2024  00:00:00 GMT",
      ])
  }

  @Test("validators are not sent to another URL than the one that gave them")
  func otherURL() async throws {
    let bed = try SourceTestBed { _ in .text(Self.rss(1), [("ETag", "\"1\"")]) }
    let state = try await Self.source(bed, "/old").posts(of: "feed", at: nil, state: nil).state
    _ = try await Self.source(bed, "/new").posts(of: "feed", at: nil, state: state)
    #expect(bed.server.requests.last?["If-None-Match"] == nil)
  }

  @Test("half a feed gives what it has, but its validators are not kept")
  func cut() async throws {
    let whole = Self.rss(3)
    let bed = try SourceTestBed { _ in .text(String(whole.prefix(whole.count * 2 / 3)), [("ETag", "\"1\"")]) }
    let page = try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    #expect(!page.posts.isEmpty && page.state == nil)
  }

  @Test("a feed that has more in it than is read says so, and gives no validators")
  func truncated() async throws {
    let items = (0...10_000).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
    let bed = try SourceTestBed { _ in .text("{\"items\":[\(items)]}", [("ETag", "\"1\"")]) }
    let page = try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    #expect(page.posts.count == 10_000 && page.state == nil)
    #expect(page.notice?.kind == .tooLarge)
  }

  @Test("gzip that was cut in half is a failure, and gives no validators")
  func cutGzip() async throws {
    let zipped = SampleGzip.whole(Self.rss(9))
    let bed = try SourceTestBed { _ in .gzip(zipped.prefix(zipped.count / 2), [("ETag", "\"1\"")]) }
    let failure = await failure { () throws(SourceFailure) in
      try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    }
    #expect(failure?.kind == .passing)
  }

  @Test("a page with 200 where the feed was is a failure that empties nothing, and so is nothing at all")
  func page() async throws {
    let answers = ReplySequence(
      .text(Self.rss(1), [("ETag", "\"1\"")]),
      .text("<html><body>Checking your browser</body></html>", [("ETag", "\"2\"")]),
      .text(""), .text("{\"error\": 1}"))
    let bed = try SourceTestBed { _ in answers.next() }
    let source = Self.source(bed)
    let state = try await source.posts(of: "feed", at: nil, state: nil).state
    for kind in [SourceFailure.Kind.notSource, .passing, .notSource] {
      let failure = await failure { () throws(SourceFailure) in try await source.boards(state) }
      #expect(failure?.kind == kind && failure?.error.kind == .badResponse)
    }
  }

  @Test(
    "a permanent redirect is remembered when what it led to was good, another is not", arguments: [301, 308, 302, 307])
  func redirects(status: Int) async throws {
    let bed = try SourceTestBed { request in
      request.target == "/feed" ? .redirect(to: "/moved", status: status) : .text(Self.rss(1))
    }
    let page = try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    #expect(page.movedTo == (status == 301 || status == 308 ? bed.server.origin + "/moved" : nil))
    #expect(page.posts.count == 1)
  }

  @Test("a place with a secret in its URL is gone to, and not remembered")
  func secretRedirects() async throws {
    let bed = try SourceTestBed { request in
      request.target == "/feed" ? .redirect(to: "/moved?token=abcdef", status: 301) : .text(Self.rss(1))
    }
    let page = try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    #expect(page.movedTo == nil && page.posts.count == 1)
    #expect(bed.targets == ["/feed", "/moved?token=abcdef"])
  }

  @Test("410 is for ever, 404 perhaps, and 500 is asked again and may pass")
  func statuses() async throws {
    for (status, kind, requests) in [
      (410, SourceFailure.Kind.gone, 1), (404, .missing, 1), (401, .unauthorized, 1), (500, .passing, 3),
    ] {
      let bed = try SourceTestBed { _ in .text("", status: status) }
      let failure = await failure { () throws(SourceFailure) in try await Self.source(bed).boards(nil) }
      #expect(failure?.kind == kind, "\(status)")
      #expect(bed.targets.count == requests, "\(status)")
    }
  }

  @Test("a service that fails twice is asked three times, with pauses that grow")
  func flaky() async throws {
    let answers = ReplySequence(.text("", status: 500), .text("", status: 503), .text(Self.rss(1)))
    let bed = try SourceTestBed { _ in answers.next() }
    #expect(try await Self.source(bed).posts(of: "feed", at: nil, state: nil).posts.count == 1)
    #expect(bed.targets.count == 3)
  }

  @Test("how long a feed holds is the longer of what it says and what its answer says")
  func freshness() async throws {
    let bed = try SourceTestBed { request in
      let extra = request.target == "/ttl" ? "<ttl>120</ttl>" : ""
      return request["If-None-Match"] != nil
        ? .notModified() : .text(Self.rss(1, extra: extra), [("Cache-Control", "max-age=60"), ("ETag", "\"1\"")])
    }
    #expect(try await Self.source(bed).posts(of: "feed", at: nil, state: nil).freshFor == .seconds(60))
    let page = try await Self.source(bed, "/ttl").posts(of: "feed", at: nil, state: nil)
    #expect(page.freshFor == .seconds(7200))
  }

  @Test("pages of a feed follow each other, and lead to no other place of this network")
  func pages() async throws {
    let bed = try SourceTestBed { request in
      let next = request.target == "/feed" ? "/feed?page=2" : "http://127.0.0.1:1/x"
      return .text(
        Self.rss(1, extra: "<atom:link xmlns:atom='http://www.w3.org/2005/Atom' rel='next' href='\(next)'/>"),
        [("ETag", "\"1\"")])
    }
    let first = try await Self.source(bed).posts(of: "feed", at: nil, state: nil)
    #expect(first.next == nil || first.next == bed.server.origin + "/feed?page=2")
    let json = try SourceTestBed { request in
      .json(["items": [["id": 1]], "next_url": request.target == "/feed" ? "/feed?page=2" : "http://127.0.0.1:1/x"])
    }
    let page = try await Self.source(json).posts(of: "feed", at: nil, state: nil)
    #expect(page.next == json.server.origin + "/feed?page=2")
    let second = try await Self.source(json).posts(of: "feed", at: page.next, state: nil)
    #expect(second.next == nil && second.state == nil)
  }

  @Test("a credential goes to the feed's own place and not to the feed that its page names elsewhere")
  func credentials() async throws {
    let bed = try SourceTestBed(secret: "token") { _ in .text(Self.rss(1)) }
    _ = try await Self.source(bed, credential: "work").boards(nil)
    #expect(bed.server.requests[0]["Authorization"] == "Bearer token")
  }

  @Test("a feed that moved to another origin is asked there without the credential of the place that it left")
  func movedCredentials() async throws {
    let other = try SourceTestBed { _ in .text(Self.rss(1)) }
    let bed = try SourceTestBed(secret: "token") { _ in .text(Self.rss(1)) }
    var record = SourceRecord()
    record.url = bed.server.origin + "/feed"
    record.movedTo = other.server.origin + "/moved"
    record.credential = "work"
    let page = try await FeedSource(record.address, bed.network).posts(of: "feed", at: nil, state: nil)
    #expect(page.posts.count == 1 && bed.targets.isEmpty)
    #expect(other.server.requests.map { $0["Authorization"] } == [nil])
  }

  @Test("entries without titles are called by the beginning of their text, and files come as attachments")
  func entries() async throws {
    let long = String(repeating: "가나다 ", count: 60)
    let bed = try SourceTestBed { _ in
      .text(
        "<rss><channel><item><guid>1</guid><description>첫 줄&lt;br&gt;둘째 줄</description>"
          + "<enclosure url='/a.mp3' type='audio/mpeg' length='5'/></item>"
          + "<item><guid>2</guid><description>\(long)</description></item><item><guid>3</guid></item></channel></rss>")
    }
    let posts = try await Self.source(bed).posts(of: "feed", at: nil, state: nil).posts
    #expect(posts[0].title == "첫 줄" && posts[0].attachmentsCount == 1)
    #expect(posts[0].attachments == [.init(url: bed.server.origin + "/a.mp3", title: nil, type: "audio/mpeg", size: 5)])
    #expect(posts[1].title.hasSuffix("…") && posts[1].title.count == 100)
    #expect(posts[2].title == "" && posts[2].body == nil)
    #expect(try await Self.source(bed).post("2", of: "feed").id == "2")
  }

  @Test("sixty feeds of one host are asked two at a time")
  func manyFeeds() async throws {
    let bed = try SourceTestBed { _ in .text(Self.rss(1)) }
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<60 {
        group.addTask { (try? await Self.source(bed, "/\(number)").boards(nil)) != nil }
      }
      for await isRead in group { #expect(isRead) }
    }
    #expect(bed.targets.count == 60)
    #expect(Set(bed.server.requests.map(\.connection)).count <= 2)
  }

  @Test("who leaves while a feed is on its way is told so, and the connection ends")
  func cancelling() async throws {
    let (arrived, gone) = (ServerGate(), ServerGate())
    let bed = try SourceTestBed { _ in ServerReply.silence(gone).telling(arrived) }
    let task = Task { await failure { () throws(SourceFailure) in try await Self.source(bed).boards(nil) } }
    await arrived.opened()
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
    await gone.opened()
  }

  @Test(
    "a feed whose URL wants a secret gets it there, and is known by the URL without it, redirects and links included")
  func secretInURL() async throws {
    let token = "s3cr3t/value"
    let bed = try SourceTestBed(secret: token) { request in
      if request.path == "/old" { return .redirect(to: "/new/s3cr3t%2Fvalue?x=1", status: 301) }
      return .text(
        "<rss version=\"2.0\"><channel><title>T</title><item><guid>1</guid><title>\(token)</title>"
          + "<link>/post?t=s3cr3t%2Fvalue</link></item></channel></rss>", [("ETag", "\"one\"")])
    }
    let source = FeedSource(bed.address(.feed, "/old?k=%7Bcredential%7D", credential: "work"), bed.network)
    let boards = try await source.boards(nil)
    #expect(bed.targets == ["/old?k=s3cr3t%2Fvalue", "/new/s3cr3t%2Fvalue?x=1"])
    #expect(bed.server.requests.allSatisfy { $0["Authorization"] == nil })
    let post = try #require(boards.pages["feed"]?.posts.first)
    #expect(post.title == "{credential}" && post.link?.contains("s3cr3t") == false)
    #expect(boards.movedTo == bed.server.origin + "/new/%7Bcredential%7D?x=1")
    #expect(boards.state?.text.contains("s3cr3t") == false && boards.state?.text.contains("one") == true)
  }

  @Test("the place of a secret that no credential fills, or too short a one, is refused before anybody is asked")
  func noSecret() async throws {
    for (secret, credential) in [(nil, nil), ("long enough", nil), ("short", "work")] as [(String?, String?)] {
      let bed = try SourceTestBed(secret: secret) { _ in .text("") }
      let source = FeedSource(bed.address(.feed, "/f?k=%7Bcredential%7D", credential: credential), bed.network)
      let failure = await failure { () throws(SourceFailure) in try await source.boards(nil) }
      #expect(failure?.kind == .unauthorized && bed.targets.isEmpty)
    }
  }
}
