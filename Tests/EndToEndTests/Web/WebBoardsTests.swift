import Foundation
import Synchronization
import TestSupport
import Testing
import Wire

/// What a person does with feeds, in Chromium, with a real daemon.
@Suite("Boards in a browser", .timeLimit(.minutes(10)))
struct WebBoardsTests {
  /// A feed whose newest post has a picture and may be edited, and which may have more posts.
  private final class Feed: Sendable {
    let server: ScriptedServer

    private final class Text: Sendable {
      let value = Mutex("The soup is served at noon.")
    }
    private let text: Text

    init(posts: Int = 3) throws {
      let text = Text()
      self.text = text
      server = try ScriptedServer { request in
        if request.path == "/picture.png" {
          return .answer(200, [("Content-Type", "image/png")], body: Data(base64Encoded: Self.picture)!)
        }
        let first = text.value.withLock { $0 }
        let host = request["Host"] ?? ""
        let items = (1...posts).map { number in
          let words = number == 1 ? "\(first)&lt;img src=\"http://\(host)/picture.png\"&gt;" : "Text \(number)"
          return "<item><title>Post \(number)</title><guid>\(number)</guid><link>http://\(host)/\(number)</link>"
            + "<pubDate>\(Self.date(minutesBefore: number))</pubDate><description>\(words)</description></item>"
        }
        return .text(
          "<?xml version=\"1.0\"?><rss version=\"2.0\"><channel><title>\(request.path.dropFirst())</title>"
            + "\(items.joined())</channel></rss>", [("Content-Type", "application/rss+xml")])
      }
    }

    func edit(_ words: String) { text.value.withLock { $0 = words } }

    func url(_ name: String) -> String { "http://127.0.0.1:\(server.port)/\(name)" }

    private static func date(minutesBefore count: Int) -> String {
      Date(timeIntervalSince1970: 1_700_000_000 - 60 * Double(count)).formatted(
        .verbatim(
          "\(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):00 +0000",
          locale: Locale(identifier: "en_US_POSIX"), timeZone: .gmt, calendar: Calendar(identifier: .gregorian)))
    }

    /// One pixel.
    private static let picture =
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="
  }

  private static let post = "document.querySelector('.post:not([hidden]) h2')?.innerText"

  @Test(
    "a source is added by its address, and its posts are read, kept unread, saved and opened by keys beside their list")
  func keys() async throws {
    let feed = try Feed()
    let (bridge, browser) = try await WebPageTests.open(at: "#/boards")
    func count(_ filter: String...) async throws -> JSONValue? {
      switch filter.first {
      case "saved": try await bridge.home.call("boards/posts", "saved=true")["total"]
      default: try await bridge.home.call("boards/posts", "all=true", "unread=true")["total"]
      }
    }
    try await browser.wait(for: "document.querySelector('cp-boards cp-list .empty')")
    try await browser.press("a")
    try await browser.type(feed.url("soup.xml"), into: ".dialog [name=url]")
    try await browser.press(Browser.Key.enter)
    // The rows may come before the reply that closes the form, which has the keys until then.
    try await browser.wait(
      for: "document.querySelectorAll('.post-row').length === 3 && !document.querySelector('.dialog')")
    #expect(try await bridge.home.call("boards/sources")["items"]?[0]?["display"]?["title"] == "soup.xml")

    try await browser.press("n")
    try await browser.wait(for: "\(Self.post) === 'Post 1' && document.querySelectorAll('.is-read').length === 1")
    #expect(
      try await browser.value(
        of: "['.sources', '.posts-pane', '.post-pane'].every((each) => document.querySelector(each).checkVisibility())")
        == true)
    try await browser.press("n")
    try await browser.wait(for: "\(Self.post) === 'Post 2' && document.querySelectorAll('.is-read').length === 2")
    try await browser.press("m")
    try await browser.wait(for: "document.querySelectorAll('.is-read').length === 1")
    #expect(try await count() == 2)
    try await browser.press("n")
    try await browser.wait(for: "\(Self.post) === 'Post 3' && document.querySelectorAll('.is-read').length === 2")
    // The post that was left unread is before this one, and after it too, around the end.
    try await browser.press("p")
    try await browser.wait(for: "\(Self.post) === 'Post 2' && document.querySelectorAll('.is-read').length === 3")
    try await browser.press("s")
    try await browser.wait(for: "document.querySelector('.post-row .star')")
    #expect(try await count("saved") == 1)
    try await browser.value(of: "(window.open = (...given) => { window.opened = given; return null; }, 1)")
    try await browser.press("o")
    #expect(try await browser.value(of: "window.opened").arrayValue?.first?.stringValue == feed.url("2"))
    try await browser.takePicture("boards")

    // All of a source is read by one act, and unread again by one.
    try await browser.press("m")
    try await browser.wait(for: "document.querySelectorAll('.is-read').length === 2")
    try await browser.press("A")
    try await browser.wait(for: "document.querySelectorAll('.is-read').length === 3")
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "document.querySelectorAll('.is-read').length === 2")
    #expect(try await count() == 1)
    #expect(try await browser.console() == [])
    try await browser.close()
  }

  @Test("pictures of a post are loaded when they are asked for, and a post that was edited shows what was changed")
  func picturesAndEdits() async throws {
    let feed = try Feed()
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(feed.url("soup.xml"))")
    let (_, browser) = try await WebPageTests.open(home, at: "#/boards")
    func isAsked() -> Bool { feed.server.requests.contains { $0.path == "/picture.png" } }
    try await browser.wait(for: "document.querySelectorAll('.post-row').length === 3")
    try await browser.press("n")
    try await browser.wait(for: "document.querySelector('.post-notes')?.innerText.includes('1 picture is not loaded')")
    #expect(!isAsked())
    let loaded =
      "new Promise((done) => document.querySelector('.post-frame').addEventListener('load', done, { once: true }))"
    try await browser.value(of: "(window.loaded = \(loaded).then(() => (window.isLoaded = true)), 1)")
    try await browser.press("i")
    try await browser.wait(
      for: "window.isLoaded && !document.querySelector('.post-notes').innerText.includes('picture')")
    #expect(isAsked())
    try await browser.use(frame: ".post-frame")
    #expect(try await browser.value(of: "document.images[0].src").stringValue?.hasPrefix("data:image/png") == true)
    try await browser.use(frame: nil)

    feed.edit("The soup is served at one.")
    _ = try await home.call("boards/refresh")
    try await browser.wait(for: "document.querySelector('.post-tools').innerText.includes('Edited (1)')")
    try await browser.press("e")
    try await browser.wait(
      for: "document.querySelector('.post-versions:not([hidden]) del')?.innerText.includes('noon')")
    try await browser.takePicture("post-edited")
    try await browser.close()
  }

  @Test("the next unread post is found far below what is loaded, then on another board, without a walk to the end")
  func farUnread() async throws {
    let feed = try Feed(posts: 200)
    let other = try Feed()
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(feed.url("a.xml"))")
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(other.url("b.xml"))")
    let boards = try await home.call("boards/list")["items"]?.arrayValue ?? []
    let board = try #require(boards.first { $0["display"]?["title"] == "a.xml" }?["id"]?.stringValue)
    _ = try await home.call("boards/markRead", "board=\(board)", "read=true")
    let far = try #require(
      try await home.call("boards/posts", "board=\(board)", "offset=150", "limit=1")["items"]?[0]?["id"]?.stringValue)
    _ = try await home.call("boards/markRead", "ids=\(far)", "read=false")
    let (_, browser) = try await WebPageTests.open(home, at: "#/boards?board=\(board)")
    try await browser.wait(for: "document.querySelector('.post-row')")
    try await browser.press("n")
    try await browser.wait(for: "\(Self.post) === 'Post 151'")
    try await browser.wait(for: "document.querySelector('cp-boards .is-current')?.ariaPosInSet === '151'")
    try await browser.wait(for: "document.querySelector('cp-boards .is-current .is-read')")
    // What another client changes is fetched again while the current post is out of sight, whose row is not forgotten.
    try await browser.value(of: "document.querySelector('cp-boards cp-list').scrollTo(0, 0)")
    try await browser.wait(for: "document.querySelector('cp-boards cp-list .cp-row').ariaPosInSet === '1'")
    let first = try #require(
      try await home.call("boards/posts", "board=\(board)", "limit=1")["items"]?[0]?["id"]?.stringValue)
    _ = try await home.call("boards/save", "ids=\(first)", "saved=true")
    try await browser.wait(for: "document.querySelector('cp-boards cp-list .cp-row .star')")
    try await browser.press("k")
    try await browser.wait(for: "\(Self.post) === 'Post 150'")
    let reads =
      "(window.sent = 0, window.send = WebSocket.prototype.send, WebSocket.prototype.send = function (text) { "
      + "if (text.includes('boards/posts')) window.sent += 1; return window.send.call(this, text); }, 1)"
    try await browser.value(of: reads)
    try await browser.press("n")
    try await browser.wait(for: "document.querySelector('cp-boards h1').innerText === 'b.xml'")
    // Two questions about each half of the board, and the next board.
    let sent = try #require(try await browser.value(of: "window.sent").integerValue)
    #expect(sent <= 8, "\(sent)")
    try await browser.close()
  }

  @Test("a board of 100,000 posts is gone through to its end, with few requests, rows and items at a time")
  func manyPosts() async throws {
    let feed = try Feed(posts: 1)
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("boards/addSource", "kind=feed", "url=\(feed.url("many.xml"))")
    let board = try #require(try await home.call("boards/list")["items"]?[0]?["id"]?.stringValue)
    _ = await home.killDaemon()
    try Self.multiply(100_000, in: home.library.database)
    let (_, browser) = try await WebPageTests.open(home, at: "#/boards?board=\(board)")
    let current = "document.querySelector('cp-boards .is-current')?.ariaPosInSet"
    try await browser.wait(for: "document.querySelector('.post-row')")
    try await browser.value(
      of: """
        (window.asked = [], window.send = WebSocket.prototype.send, WebSocket.prototype.send = function (text) {
          const { method, params } = JSON.parse(text);
          if (method === 'boards/posts') window.asked.push(params.offset ?? 0);
          return window.send.call(this, text);
        }, document.querySelector('cp-boards cp-list').focus())
        """)
    try await browser.press("\u{E010}")
    try await browser.wait(for: "\(current) === '100001' && document.querySelector('.is-current .post-row')")
    #expect(try #require(try await browser.value(of: "window.asked.length").integerValue) <= 2)
    try await browser.press("\u{E011}")
    try await browser.wait(for: "\(current) === '1' && document.querySelector('.is-current .post-row')")
    // Forty pages further down, the first of them are forgotten, and are fetched again at the way back.
    for page in 1...40 {
      try await browser.value(
        of: "document.querySelector('cp-boards cp-list').scrollTo(0, arguments[0])", .integer(Int64(page) * 60 * 82))
      try await browser.wait(
        for:
          "[...document.querySelectorAll('cp-boards .cp-row')].some(({ ariaPosInSet, firstElementChild }) => firstElementChild && Number(ariaPosInSet) > arguments[0])",
        .integer(Int64(page) * 60))
    }
    #expect(
      try #require(try await browser.value(of: "document.querySelectorAll('cp-boards .cp-row').length").integerValue)
        < 40)
    try await browser.value(of: "(window.asked = [], document.querySelector('cp-boards cp-list').scrollTo(0, 0))")
    try await browser.wait(
      for: "document.querySelector('cp-boards .cp-row .post-row') && window.asked.some((offset) => offset < 60)")
    try await browser.takePicture("boards-many")
    try await browser.close()
  }

  /// Puts so many more posts below the one of a library, as if the feed had them.
  private static func multiply(_ count: Int, in path: String) throws {
    let database = try SearchLibrary.open(path)
    let columns = try database.columns(of: "post")
    let own = [
      "id": "printf('%08x-0000-8000-8000-000000000000', i)", "remoteID": "'r' || i", "at": "at - i * 1000",
      "title": "'Post ' || i",
      "placements": "json_set(placements, '$[0].remoteID', 'r' || i, '$[0].at', at - i * 1000)",
    ]
    try database.write {
      try $0.execute(
        """
        WITH RECURSIVE numbers (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM numbers WHERE i < \(count))
        INSERT INTO post (\(columns.joined(separator: ", ")))
        SELECT \(columns.map { own[$0] ?? $0 }.joined(separator: ", ")) FROM numbers, (SELECT * FROM post LIMIT 1)
        """)
    }
    try database.close()
  }
}
