import Client
import Contract
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Wire

/// A feed that gives summaries, and its pages.
@Suite("Boards: whole articles", .timeLimit(.minutes(10))) struct WholeArticleTests {
  /// A server of a feed at `/feed` with one entry, whose page is at `/1`.
  final class Site: Sendable {
    let server: ScriptedServer
    private let content: Content

    final class Content: Sendable {
      let page = Mutex(Site.page("at noon, in the old hall by the river"))
      let summary = Mutex(Site.summary)
      let status = Mutex(200)
    }

    static let summary = "The soup is served at noon, in the old hall by the river, and everybody is welcome."

    static func page(_ place: String) -> String {
      let long = String(repeating: "There was bread with it, and butter, and a little salt. ", count: 8)
      return """
        <title>Lunch - Site</title><nav><a href=/>Home</a></nav><article><h1>Lunch</h1>
        <p>The soup is served \(place), and everybody is welcome.</p><p>\(long)<img src="/soup.png"></p></article>
        <footer>All rights reserved</footer>
        """
    }

    init(link: String = "/1") throws {
      let content = Content()
      self.content = content
      server = try ScriptedServer { request in
        switch request.path {
        case "/feed":
          .text(
            "<rss version=\"2.0\"><channel><title>Site</title><item><guid isPermaLink=\"false\">1</guid>"
              + "<title>Lunch</title><link>\(link)</link><description>\(content.summary.withLock(\.self))</description>"
              + "</item></channel></rss>")
        case "/soup.png": .answer(200, [("Content-Type", "image/png")], body: Data([0x89, 0x50, 0x4E, 0x47]))
        default:
          .text(content.page.withLock(\.self), status: content.status.withLock(\.self), [("Content-Type", "text/html")])
        }
      }
    }

    func show(_ page: String, status: Int = 200) {
      content.page.withLock { $0 = page }
      content.status.withLock { $0 = status }
    }

    func summarize(_ text: String) { content.summary.withLock { $0 = text } }

    /// How often the page was requested.
    var visits: Int { server.requests.count { $0.path == "/1" } }
  }

  private struct Bench {
    let daemon: TestDaemon
    let client: Client
    let source: JSONValue
    let post: JSONValue

    init(_ site: Site, clock: TestClock = TestClock(), _ settings: JSONObject = [:]) async throws {
      daemon = try await .started(clock: clock)
      client = try await daemon.client()
      source = try await client.call(
        "boards/addSource", ["kind": "feed", "url": .string(site.server.origin + "/feed")]
      ).id
      if !settings.isEmpty {
        var params = settings
        params["id"] = source
        _ = try await client.call("boards/updateSource", .object(params))
      }
      post = try await client.call("boards/posts").items[0].id
    }

    func open(_ more: JSONObject = [:]) async throws -> JSONValue {
      var params = more
      params["id"] = post
      return try await client.call("boards/post", .object(params))
    }
  }

  @Test("a post shows its source's own text until its whole article is requested, which is stored, found and exported")
  func whole() async throws {
    let site = try Site()
    defer { site.server.stop() }
    let bench = try await Bench(site)
    let own = try await bench.open()
    #expect(own["contents"] == .string(Site.summary) && own["article"] == nil && site.visits == 0)
    let whole = try await bench.open(["whole": true])
    #expect(whole["contents"].text.contains("bread with it") && whole["contents"].text.hasPrefix("The soup"))
    #expect(!whole["contents"].text.contains("reserved") && !whole["contents"].text.contains("Lunch"))
    #expect(whole["article"]?["url"] == .string(site.server.origin + "/1") && whole["freshness"] == "live")
    #expect(whole["article"]?["excerpt"] == .string(Site.summary) && whole["title"] == "Lunch" && site.visits == 1)
    #expect(whole["images"].list.map { $0["url"] } == [.string(site.server.origin + "/soup.png")])

    // It is shown from now on, without another request; its source's own text stays.
    #expect(try await bench.open()["contents"] == whole["contents"])
    #expect(try await bench.open(["whole": true])["freshness"] == "cached")
    #expect(try await bench.open(["whole": false])["contents"] == .string(Site.summary) && site.visits == 1)
    #expect(try await bench.client.call("boards/posts").items[0]["preview"] == .string(Site.summary))
    let picture = try #require(try await bench.open(["images": true])["images"].list.first)
    #expect(FileManager.default.contents(atPath: picture["path"].text)?.count == 4)

    // Words of the article alone find the post.
    let found = try await bench.client.call("search/query", ["text": "butter"])
    #expect(found.items.map { $0["title"] } == ["Lunch"])
    let board = try await bench.client.call("boards/list").items[0].id
    #expect(
      try await bench.client.call("boards/search", ["query": "butter", "board": board]).items.map(\.id) == [bench.post])
    #expect(
      try await bench.client.call("boards/search", ["query": "butter", "kept": true]).items.map(\.id) == [bench.post])

    _ = try await bench.client.call("boards/removeSource", ["id": bench.source])
    #expect(try await bench.client.call("search/query", ["text": "butter"])["total"] == 0)
    await bench.daemon.stop()
  }

  @Test("`auto` fetches the article when a post is opened, again when the source has edited it, and keeps its versions")
  func auto() async throws {
    let site = try Site()
    defer { site.server.stop() }
    let bench = try await Bench(site, ["wholeText": "auto"])
    #expect(site.visits == 0)
    #expect(try await bench.open()["contents"].text.contains("bread") && site.visits == 1)
    #expect(try await bench.open()["article"] != nil && site.visits == 1)
    #expect(try await bench.open(["whole": false])["article"] == nil && site.visits == 1)
    site.summarize(Site.summary.replacing("at noon", with: "at one o'clock"))
    site.show(Site.page("at one o'clock, in the old hall by the river"))
    _ = try await bench.client.call("boards/refresh")
    let edited = try await bench.open(["versions": true])
    #expect(edited["contents"].text.contains("at one o'clock") && site.visits == 2)
    #expect(edited["versions"].list.count == 1)
    await bench.daemon.stop()
  }

  @Test(
    "a page that has not the article is no article: one to log in, another one, an error, a PDF; the summary is shown",
    arguments: [
      ("<p>" + String(repeating: "Please accept our cookies, or subscribe to read on. ", count: 20) + "</p>", 200),
      ("<p>The soup is served at noon.</p>", 200), ("", 200), ("gone", 404), ("%PDF-1.7 and so on", 200),
    ])
  func another(page: String, status: Int) async throws {
    let site = try Site()
    defer { site.server.stop() }
    site.show(page, status: status)
    let clock = TestClock()
    let bench = try await Bench(site, clock: clock, ["wholeText": "auto"])
    let shown = try await bench.open()
    #expect(shown["contents"] == .string(Site.summary) && shown["failure"] == nil && site.visits == 1)
    // It is not requested at each opening.
    _ = try await bench.open()
    #expect(site.visits == 1)
    // Requested by the user it fails with the reason, and the summary is there all the same.
    let asked = try await bench.open(["whole": true])
    #expect(
      asked["contents"] == .string(Site.summary) && asked["failure"]?["message"] != nil && asked["article"] == nil)
    #expect(site.visits == 2)
    clock.advance(milliseconds: 2_000_000)
    site.show(Site.page("at noon, in the old hall by the river"))
    #expect(try await bench.open()["article"] != nil && site.visits == 3)
    await bench.daemon.stop()
  }

  @Test("`always` fetches the articles of new posts with the refresh, once, and tries a failed one later again")
  func always() async throws {
    let site = try Site()
    defer { site.server.stop() }
    site.show("no", status: 404)
    let clock = TestClock()
    let bench = try await Bench(site, clock: clock, ["wholeText": "always"])
    for visits in [1, 1] {
      _ = try await bench.client.call("boards/refresh")
      #expect(site.visits == visits)
    }
    site.show(Site.page("at noon, in the old hall by the river"))
    clock.advance(milliseconds: 1_000_000)
    for _ in 0..<2 { _ = try await bench.client.call("boards/refresh") }
    #expect(site.visits == 2)
    #expect(try await bench.client.call("search/query", ["text": "butter"])["total"] == 1)
    #expect(try await bench.open()["article"] != nil && site.visits == 2)
    await bench.daemon.stop()
  }

  @Test("a link of a feed reaches no private address but the feed's own")
  func elsewhere() async throws {
    let other = try Site()
    let site = try Site(link: other.server.origin + "/1")
    defer {
      site.server.stop()
      other.server.stop()
    }
    let bench = try await Bench(site)
    let shown = try await bench.open(["whole": true])
    #expect(shown["failure"]?["kind"] == "refusedAddress" && shown["contents"] == .string(Site.summary))
    #expect(other.server.requests.isEmpty)
    await bench.daemon.stop()
  }

  @Test("a selector of the source names the article's element; what is no selector is refused")
  func selector() async throws {
    let site = try Site()
    defer { site.server.stop() }
    let bench = try await Bench(site)
    for selector in ["p:first-child", "a >"] {
      let failure = try await bench.client.failure(
        "boards/updateSource", ["id": bench.source, "selector": .string(selector)])
      #expect(failure?.data?["field"] == "selector", "\(selector)")
    }
    _ = try await bench.client.call("boards/updateSource", ["id": bench.source, "selector": "footer"])
    #expect(try await bench.open(["whole": true])["contents"] == "All rights reserved")
    _ = try await bench.client.call("boards/updateSource", ["id": bench.source, "selector": nil])
    #expect(try await bench.client.call("boards/sources").items[0]["selector"] == nil)
    await bench.daemon.stop()
  }
}
