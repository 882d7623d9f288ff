import Client
import Contract
import Daemon
import Kit
import SQLite
import Store
import TestSupport
import Testing
import Wire

@testable import Boards

/// An app of a test: what it asks goes through `boards/answerApp`, as from the bridge.
private struct App {
  let client: Client
  var token: String

  init(_ client: Client, title: String = "Phone") async throws {
    self.client = client
    token = try await client.call("boards/addApp", ["title": .string(title)])["token"]!.text
  }

  func ask(_ path: String, _ query: String = "", post form: String? = nil) async throws -> JSONValue {
    var params: JSONObject = [
      "method": form == nil ? "GET" : "POST", "path": .string(path), "query": .string(query),
      "authorization": .string("GoogleLogin auth=\(token)"),
    ]
    if let form { params["body"] = .string(form) }
    return try await client.call("boards/answerApp", .object(params))
  }

  /// The body of a call of the API that must succeed.
  func get(_ path: String, _ query: String = "", post form: String? = nil) async throws -> JSONValue {
    let reply = try await ask("/api/greader.php/reader/api/0/" + path, query, post: form)
    #expect(reply["status"] == 200, "\(path): \(reply)")
    return try JSONParser.parse(reply["body"]!.text)
  }

  func post(_ path: String, _ form: String) async throws {
    let reply = try await ask("/reader/api/0/" + path, post: form)
    #expect(reply["status"] == 200 && reply["body"] == "OK", "\(path): \(reply)")
  }

  /// The titles of a stream's items.
  func titles(_ stream: String, _ query: String = "") async throws -> [String] {
    try await get("stream/contents/" + stream, query)["items"].list.map { $0["title"].text }
  }

  /// The numbers of a stream's items.
  func ids(_ stream: String, _ query: String = "") async throws -> [String] {
    try await get("stream/items/ids", "s=\(stream)&\(query)")["itemRefs"].list.map { $0["id"].text }
  }
}

@Suite("Boards: apps of other devices read along") struct ReaderAppTests {
  private static let (reading, read, starred) = (
    "user/-/state/com.google/reading-list", "user/-/state/com.google/read", "user/-/state/com.google/starred"
  )

  /// A feed of five posts in a folder, each of which arrived a minute after the one before, and an app.
  private static func bench() async throws -> (bench: BoardBench, app: App, feed: String, clock: TestClock) {
    let clock = TestClock()
    let bench = try await BoardBench(clock: clock)
    let feed = FakeSource()
    feed.change {
      $0.boards = [FetchedBoard(id: "1", displayName: "The feed")]
      $0.comesWithPages = true
      $0.posts["1"] = [.sample(0, text: "a < b & c")]
    }
    let source = try await bench.add("feed", "https://feed.example/f.xml", as: feed, ["title": "News"]).id
    _ = try await bench.client.call("boards/updateSource", ["id": source, "folder": ["World", "East"]])
    for number in 1..<5 {
      clock.advance(milliseconds: 60_000)
      feed.change { $0.posts["1"]?.insert(.sample(number), at: 0) }
      _ = try await bench.client.call("boards/refresh", ["source": source])
    }
    return (bench, try await App(bench.client), "feed/" + source.text, clock)
  }

  @Test("an app logs in with its token alone, several apps have their own, and a removed one is out at once")
  func access() async throws {
    let (bench, app, _, _) = try await Self.bench()
    let other = try await App(bench.client, title: "Tablet")
    let form = "Email=me&Passwd=\(app.token)&service=reader"
    let login = try await app.client.call(
      "boards/answerApp", ["method": "POST", "path": "/accounts/ClientLogin", "body": .string(form)])
    #expect(login["status"] == 200 && login["type"] == "text/plain")
    #expect(login["body"]!.text.contains("\nAuth=\(app.token)\n"))
    let apps = try await bench.client.call("boards/apps")
    #expect(apps.items.map { $0["title"] } == ["Phone", "Tablet"] && apps["total"] == 2)
    #expect(!apps.description.contains(app.token), "a token is shown once")
    #expect(try await app.get("user-info")["userName"] == "Phone")
    for wrong in ["", "x", String(app.token.dropLast()), app.token + "0", app.token.uppercased()] {
      var stranger = app
      stranger.token = wrong
      #expect(try await stranger.ask("/reader/api/0/subscription/list")["status"] == 401, "\(wrong)")
      #expect(try await stranger.ask("/reader/api/0/edit-tag", post: "i=1&a=\(Self.read)")["status"] == 401)
    }
    _ = try await bench.client.call("boards/removeApp", ["id": apps.items[0].id])
    #expect(try await app.ask("/reader/api/0/subscription/list")["status"] == 401)
    #expect(try await other.ask("/reader/api/0/subscription/list")["status"] == 200)
    #expect(try await bench.refusal("boards/removeApp", ["id": apps.items[0].id]) == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(
      try await app.ask("/reader/api/0/subscription/list")["status"] == 401, "an undo lets nobody in")
    await bench.stop()
    let db = try SearchLibrary.open(LibraryFolder(bench.daemon.library).database)
    let hashes = try db.texts("SELECT token FROM readerApp")
    #expect(hashes == [ReaderApp.hash(of: other.token)], "the library has no token")
  }

  @Test("the subscriptions have titles, folders and unread counts, as the boards do")
  func subscriptions() async throws {
    let (bench, app, feed, _) = try await Self.bench()
    bench.source.change { $0.posts["1"] = FetchedPost.samples(2, from: 10) }
    try await bench.add()
    _ = try await bench.posts(["board": try await bench.boards()[1]])
    let list = try await app.get("subscription/list", "output=json")["subscriptions"].list
    #expect(list.map { $0["title"] } == ["News", "Notices", "자유게시판"])
    #expect(list[0]["id"]?.text == feed && list[0]["url"] == "https://feed.example/f.xml")
    #expect(list[0]["categories"] == [["id": "user/-/label/World / East", "label": "World / East"]])
    #expect(list[1]["categories"]?[0]?["label"] == "groupware.example", "the boards of a source are in its folder")
    let counts = try await app.get("unread-count")["unreadcounts"].list
    func count(_ id: String) -> JSONValue? { counts.first { $0["id"]?.text == id }?["count"] }
    #expect(count(feed) == 5 && count("user/-/label/World / East") == 5 && count(Self.reading) == 7)
    #expect(try await app.titles("user/-/label/World").count == 5, "a folder has what is below it")
    let above = try await app.get("subscription/quickadd", post: "quickadd=https://b.example/f")["streamId"]!.text
    try await app.post("subscription/edit", "ac=edit&s=\(above)&a=user/-/label/world")
    let sums = try await app.get("unread-count")["unreadcounts"].list
    #expect(sums.contains { $0["id"] == "user/-/label/world" && $0["count"] == 5 }, "\(sums)")
    #expect(try await app.titles("user/-/label/world / EAST").count == 5)
    // A name like that of a host is one like any other, of a folder and of a tag.
    let named = "user/-/label/groupware.example"
    #expect(try await app.titles(named) == ["Post 10", "Post 11"])
    let tagged = try #require(try await app.ids(feed, "n=1").first)
    try await app.post("edit-tag", "i=\(tagged)&a=\(named)")
    #expect(Set(try await app.titles(named)) == ["Post 4", "Post 10", "Post 11"])
    let tags = try await app.get("tag/list")["tags"].list
    #expect(tags.contains { $0["id"]?.text == "user/-/label/World / East" })
    #expect(tags.filter { $0["id"]?.text == named }.map { $0["type"] } == ["folder"])
    await bench.stop()
  }

  @Test("a stream is listed by arrival in parts, in either order, from a time on, without what is read")
  func streams() async throws {
    let (bench, app, feed, clock) = try await Self.bench()
    let all = ["Post 4", "Post 3", "Post 2", "Post 1", "Post 0"]
    #expect(try await app.titles(Self.reading) == all)
    #expect(try await app.titles(feed.replacing("/", with: "%2F")) == all, "encoded as one part of the path")
    #expect(try await app.titles(Self.reading, "r=o") == all.reversed())
    var (pages, next) = ([[String]](), String?.none)
    repeat {
      let page = try await app.get("stream/contents/\(feed)", "n=2" + (next.map { "&c=\($0)" } ?? ""))
      pages.append(page["items"].list.map { $0["title"].text })
      next = page["continuation"]?.text
    } while next != nil
    #expect(pages == [["Post 4", "Post 3"], ["Post 2", "Post 1"], ["Post 0"]])
    let ids = try await app.ids(Self.reading)
    #expect(ids.count == 5 && Set(ids).count == 5 && ids.allSatisfy { Int64($0) != nil })
    let since = clock.now.milliseconds - 60_000
    #expect(try await app.titles(Self.reading, "ot=\(since * 1_000)") == ["Post 4", "Post 3"], "in microseconds too")
    #expect(try await app.titles(Self.reading, "nt=\(since)").first == "Post 3")
    try await app.post("edit-tag", "i=\(ids[0])&i=\(ids[4])&a=\(Self.read)")
    #expect(try await app.titles(Self.reading, "xt=\(Self.read)") == ["Post 3", "Post 2", "Post 1"])
    #expect(try await app.ids(Self.reading, "it=\(Self.read)") == [ids[0], ids[4]])
    #expect(try await app.ids(Self.read) == [ids[0], ids[4]])
    #expect(try await app.titles("user/-/state/com.google/like") == [])
    #expect(try await app.titles("feed/none") == [])
    for wrong in ["s=nonsense", "s=\(Self.reading)&n=x", "s=\(Self.reading)&c=x"] {
      #expect(try await app.ask("/reader/api/0/stream/items/ids", wrong)["status"] == 400, "\(wrong)")
    }
    let streams = String(repeating: "&xt=\(Self.read)", count: 10)
    #expect(try await app.ids(Self.reading, streams).count == 3)
    for name in ["xt", "it"] {
      let many = "s=\(Self.reading)" + String(repeating: "&\(name)=\(Self.read)", count: 100)
      #expect(try await app.ask("/reader/api/0/stream/items/ids", many)["status"] == 400, "\(name)")
    }
    #expect(try await app.ask("/reader/api/0/rename-tag", post: "")["status"] == 404)
    #expect(try await app.ask("/reader/api/0/edit-tag", "i=\(ids[1])&a=\(Self.read)")["status"] == 405)
    await bench.stop()
  }

  @Test("an item has its words, its marks, its folder and its feed, and is found by each form of its number")
  func items() async throws {
    let (bench, app, feed, _) = try await Self.bench()
    let post = try await bench.posts(["all": true]).items.first { $0["title"] == "Post 0" }!
    let number = try #require(AppItemID(post: post.id.text))
    _ = try await bench.client.call("boards/save", ["ids": [post.id], "saved": true])
    for form in [number.decimal, number.longForm, String(number.bits)] {
      let items = try await app.get("stream/items/contents", post: "i=\(form)&i=1&i=nonsense")["items"].list
      let item = try #require(items.first)
      #expect(items.count == 1 && item["id"]?.text == number.longForm && item["title"] == "Post 0", "\(form)")
      #expect(item["summary"]?["content"]?.text.contains("a") == true)
      #expect(item["origin"]?["streamId"]?.text == feed && item["author"] == "Ann")
      let marks = item["categories"].list.map(\.text)
      #expect(marks.contains(Self.starred) && !marks.contains(Self.read))
      #expect(marks.contains("user/-/label/World / East"))
    }
    #expect(try await app.titles(Self.starred) == ["Post 0"])
    let atom = try await app.ask("/reader/atom/" + feed.replacing("/", with: "%2F"), "n=20")
    #expect(atom["type"] == "application/atom+xml")
    let mark = "term=\"\(Self.starred)\" scheme=\"http://www.google.com/reader/\" label=\"starred\""
    #expect(atom["body"]!.text.contains(mark))
    #expect(atom["body"]!.text.split(separator: "<entry>").count == 6)
    await bench.stop()
  }

  @Test("an app reads, keeps unread, saves and tags posts; each is an undo step here, and hidden posts are not its")
  func marks() async throws {
    let (bench, app, _, _) = try await Self.bench()
    let ids = try await app.ids(Self.reading)
    let titles = try await app.titles(Self.reading)
    func post(_ title: String) async throws -> JSONValue {
      try #require(try await bench.posts(["all": true]).items.first { $0["title"]?.text == title })
    }
    try await app.post("edit-tag", "i=\(ids[0])&a=\(Self.read)&a=\(Self.starred)&a=user/-/label/To%20do")
    var marked = try await post(titles[0])
    #expect(marked["read"] == true && marked["saved"] == true && marked["tags"] == ["To do"])
    #expect(try await app.ids("user/-/label/to do") == [ids[0]])
    #expect(
      try await app.get("tag/list")["tags"].list.contains(["id": "user/-/label/To do", "type": "tag"]))
    try await app.post("edit-tag", "i=\(ids[0])&r=\(Self.read)&r=\(Self.starred)&r=user/-/label/TO%20DO")
    marked = try await post(titles[0])
    #expect(marked["read"] == false && marked["saved"] == false && marked["tags"] == nil)
    try await app.post("edit-tag", "i=\(ids[1])&a=\(Self.read)")
    try await app.post("edit-tag", "i=\(ids[1])&a=user/-/state/com.google/kept-unread&r=\(Self.read)")
    #expect(try await post(titles[1])["read"] == false)
    try await app.post("edit-tag", "i=\(ids[2])&a=\(Self.read)")
    _ = try await bench.client.call("changes/undo")
    #expect(try await post(titles[2])["read"] == false)
    let hidden = try await post(titles[3]).id
    _ = try await bench.client.call("boards/hide", ["ids": [hidden], "hidden": true])
    #expect(try await app.ids(Self.reading).count == 4)
    #expect(try await app.get("stream/items/contents", "i=\(ids[3])")["items"] == [])
    await bench.stop()
  }

  @Test("an app is refused what it cannot mark: too many marks, tags that are too long, and one tag too many")
  func refusedMarks() async throws {
    let (bench, app, _, _) = try await Self.bench()
    let ids = try await app.ids(Self.reading)
    func status(_ form: String) async throws -> JSONValue? {
      try await app.ask("/reader/api/0/edit-tag", post: form)["status"]
    }
    for name in ["a", "r"] {
      let many = String(repeating: "&\(name)=\(Self.starred)", count: 21)
      #expect(try await status("i=\(ids[0])" + many) == 400, "\(name)")
    }
    #expect(try await app.ids(Self.starred) == [])
    let long = String(repeating: "x", count: 101)
    #expect(try await status("i=\(ids[0])&a=user/-/label/\(long)") == 400)
    for start in stride(from: 0, to: 100, by: 20) {
      let tags = (start..<start + 20).map { "&a=user/-/label/Tag\($0)" }.joined()
      #expect(try await status("i=\(ids[0])" + tags) == 200)
    }
    #expect(try await status("i=\(ids[0])&a=user/-/label/tag1") == 200, "the post has it")
    #expect(try await status("i=\(ids[0])&a=user/-/label/Another") == 400)
    await bench.stop()
  }

  @Test("all of a stream is read up to the time that the app names: what came since stays unread")
  func markAll() async throws {
    let (bench, app, feed, clock) = try await Self.bench()
    let ts = (clock.now.milliseconds - 120_000) * 1_000
    try await app.post("mark-all-as-read", "s=\(feed)&ts=\(ts)")
    #expect(try await app.titles(Self.reading, "xt=\(Self.read)") == ["Post 4", "Post 3"])
    try await app.post("mark-all-as-read", "s=user/-/label/World")
    #expect(try await app.get("unread-count")["unreadcounts"] == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await app.ids(Self.reading, "xt=\(Self.read)").count == 2)
    #expect(try await app.ask("/reader/api/0/mark-all-as-read", post: "s=x")["status"] == 400)
    await bench.stop()
  }

  @Test("what is saved or tagged is read up to a time too, and an own client marks boards in the same way")
  func markBesides() async throws {
    let (bench, app, feed, clock) = try await Self.bench()
    let ids = try await app.ids(feed)
    for id in [ids[0], ids[4]] { try await app.post("edit-tag", "i=\(id)&a=\(Self.starred)&a=user/-/label/Later") }
    let ts = clock.now.milliseconds - 60_000
    try await app.post("mark-all-as-read", "s=user/-/label/later&ts=\(ts)")
    #expect(try await app.titles(Self.reading, "xt=\(Self.read)") == ["Post 4", "Post 3", "Post 2", "Post 1"])
    try await app.post("mark-all-as-read", "s=\(Self.starred)")
    #expect(try await app.titles(Self.reading, "xt=\(Self.read)") == ["Post 3", "Post 2", "Post 1"])
    let upTo = Instant(milliseconds: clock.now.milliseconds - 120_000).description
    let boards = try await bench.boards()
    let marked = try await bench.client.call(
      "boards/markRead", ["board": boards[0], "read": true, "upTo": .string(upTo)])
    #expect(marked["count"] == 2)
    #expect(try await app.titles(Self.reading, "xt=\(Self.read)") == ["Post 3"])
    await bench.stop()
  }

  @Test("a stranger waits for no write, and neither does an app that only reads")
  func strangers() async throws {
    let (bench, app, _, _) = try await Self.bench()
    // It is noted that the app has asked, which is a write once an hour.
    #expect(try await app.get("user-info")["userName"] == "Phone")
    let (gate, services) = (ToyGate.make(), bench.daemon.daemon.services)
    let held = Task {
      try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
        transaction.keepSilent()
        gate.pass()
      }
    }
    await gate.reached()
    var stranger = app
    stranger.token = "x"
    #expect(try await stranger.ask("/reader/api/0/subscription/list")["status"] == 401)
    #expect(try await stranger.ask("/reader/api/0/edit-tag", post: "i=1&a=\(Self.read)")["status"] == 401)
    #expect(try await app.titles(Self.reading).count == 5)
    gate.open()
    try await held.value
    await bench.stop()
  }

  @Test("kept pages are a feed of their own for an app")
  func pages() async throws {
    let server = try ScriptedServer { _ in .text(KeptPageTests.html(), [("Content-Type", "text/html")]) }
    defer { server.stop() }
    let daemon = try await TestDaemon.started()
    let app = try await App(try await daemon.client())
    #expect(try await app.get("subscription/list")["subscriptions"] == [])
    _ = try await app.client.call("boards/keep", ["url": .string(server.origin + "/lunch")])
    let feeds = try await app.get("subscription/list")["subscriptions"].list
    #expect(feeds.map { $0["id"] } == ["feed/pages"] && feeds[0]["title"] == "Kept pages")
    for stream in ["feed/pages", Self.reading, Self.starred] {
      #expect(try await app.titles(stream, "xt=\(Self.read)") == ["Lunch at the hall"], "\(stream)")
    }
    #expect(try await app.get("unread-count")["max"] == 1)
    try await app.post("mark-all-as-read", "s=feed/pages")
    #expect(try await app.titles("feed/pages", "xt=\(Self.read)") == [])
    await daemon.stop()
  }

  @Test("an app subscribes, renames, moves and unsubscribes feeds, and no URL with a password")
  func subscribing() async throws {
    let (bench, app, feed, _) = try await Self.bench()
    func titles() async throws -> [String] {
      try await app.get("subscription/list")["subscriptions"].list.map { $0["title"].text }
    }
    try await app.post("subscription/edit", "ac=edit&s=\(feed)&t=Newer&a=user/-/label/Far%20/%20West")
    let source = try await bench.client.call("boards/sources").items[0]
    #expect(source["title"] == "Newer" && source["folder"] == ["Far", "West"])
    func edit(_ form: String) async throws -> JSONValue? {
      try await app.ask("/reader/api/0/subscription/edit", post: form)["status"]
    }
    #expect(try await edit("ac=edit&s=\(feed)&r=user/-/label/Other") == 200)
    #expect(try await bench.client.call("boards/sources").items[0]["folder"] == ["Far", "West"], "it left another")
    #expect(try await edit("ac=edit&s=\(feed)&a=user/-/label/") == 400)
    #expect(try await edit("ac=unsubscribe&s=feed/none") == 400)
    #expect(try await edit("ac=edit&s=\(feed)&r=user/-/label/far%20/%20west") == 200)
    #expect(try await bench.client.call("boards/sources").items[0]["folder"] == nil)
    let added = try await app.get("subscription/quickadd", post: "quickadd=https://b.example/f")
    let again = try await app.get("subscription/quickadd", post: "quickadd=https://b.example/f")
    #expect(added["numResults"] == 1 && added["streamId"] == again["streamId"])
    #expect(try await titles().count == 2)
    #expect(try await bench.client.call("boards/sources").items[1]["unconfirmed"] == true)
    let refused = try await app.ask("/reader/api/0/subscription/quickadd", post: "quickadd=https://u:p@c.example/f")
    #expect(refused["status"] == 400)
    try await app.post("subscription/edit", "ac=unsubscribe&s=\(feed)")
    #expect(try await titles().count == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await titles().contains("Newer"))
    await bench.stop()
  }

  @Test("the number of a post is the first half of its id, in decimal with a sign, and leads back to it")
  func numbers() {
    let id = "fedcba98-7654-8321-a000-0123456789ab"
    let number = AppItemID(post: id)
    #expect(number?.longForm == "tag:google.com,2005:reader/item/fedcba9876548321")
    #expect(number?.decimal == "-81985529216466143")
    #expect(number.map { AppItemID($0.decimal) } == number && number.map { AppItemID($0.longForm) } == number)
    #expect(AppItemID("tag:google.com,2005:reader/item/1")?.bits == 1 && AppItemID("x") == nil && AppItemID("") == nil)
    #expect(AppItemID(post: "short") == nil && AppItemID(post: "zedcba98-7654-8321-a000-0123456789ab") == nil)
  }
}
