import Client
import Contract
import Foundation
import HTTP
import Kit
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

/// A library that follows an account, and the library at the other end, which is a server of the same API.
private struct Accounts {
  /// The other library, with a feed of five posts, and the server before it.
  let there: BoardBench
  let server: ScriptedServer
  let feed: FakeSource
  let here: TestDaemon
  let client: Client
  let clock = TestClock()
  /// What the server does besides: nil for an answer of the other library.
  let trouble = Trouble()

  final class Trouble: Sendable {
    private let reply = Mutex<(@Sendable (ScriptedServer.Request) -> ServerReply?)?>(nil)
    func set(_ reply: (@Sendable (ScriptedServer.Request) -> ServerReply?)?) { self.reply.withLock { $0 = reply } }
    func reply(to request: ScriptedServer.Request) -> ServerReply? { reply.withLock(\.self)?(request) }
  }

  init(password: String? = nil) async throws {
    there = try await BoardBench(clock: clock)
    feed = FakeSource()
    feed.change {
      $0.boards = [FetchedBoard(id: "1", displayName: "The feed")]
      $0.comesWithPages = true
      $0.posts["1"] = FetchedPost.samples(5).map(Self.linked)
    }
    let source = try await there.add("feed", "https://feed.example/f.xml", as: feed, ["title": "News"]).id
    _ = try await there.client.call("boards/updateSource", ["id": source, "folder": ["World"]])
    let token = try await there.client.call("boards/addApp", ["title": "Library"])["token"]!.text
    let (peer, trouble) = (there.client, trouble)
    server = try ScriptedServer { trouble.reply(to: $0) ?? Self.answer($0, of: peer) }
    let (origin, secret) = (Origin(server.origin)!, Secret("ann:\(password ?? token)"))
    here = try await .started(clock: clock) {
      $0.credentials = Credentials(define: { .init(name: $0, origin: origin) }, read: { _ in secret })
    }
    client = try await here.client()
  }

  static func linked(_ post: FetchedPost) -> FetchedPost {
    var post = post
    post.link = "https://feed.example/\(post.id)"
    return post
  }

  static func answer(_ request: ScriptedServer.Request, of peer: Client) -> ServerReply {
    var params: JSONObject = [
      "method": .string(request.method), "path": .string(request.path),
      "query": .string(String(request.target.drop { $0 != "?" }.dropFirst())),
    ]
    if !request.body.isEmpty { params["body"] = .string(String(decoding: request.body, as: UTF8.self)) }
    if let header = request["Authorization"] { params["authorization"] = .string(header) }
    let (box, call) = (Box(), JSONValue.object(params))
    Task {
      if let answer = try? await peer.call("boards/answerApp", call) {
        box.set(
          .text(
            answer["body"]!.text, status: Int(answer["status"]!.integerValue!), [("Content-Type", answer["type"]!.text)]
          ))
      }
      box.done.signal()
    }
    box.done.wait()
    return box.value
  }

  @discardableResult
  func follow() async throws -> JSONValue {
    let added = try await client.call(
      "boards/addSource", ["kind": "greader", "url": .string(server.origin + "/"), "credential": "reader"])
    try await refresh()
    return added
  }

  func refresh() async throws {
    _ = try await client.call("boards/refresh", ["source": try await source()])
  }

  func source() async throws -> JSONValue {
    let sources = try await client.call("boards/sources").items
    return try #require(sources.first { $0["url"]!.text.hasPrefix(server.origin) }).id
  }

  /// The titles of the posts with a mark, in alphabetic order.
  static func titles(_ client: Client, _ mark: String) async throws -> [String] {
    let posts = try await client.call("boards/posts", ["all": true]).items
    return posts.filter { $0[mark] == true }.map { $0["title"].text }.sorted()
  }

  func titles(_ mark: String) async throws -> [String] { try await Self.titles(client, mark) }
  func titlesThere(_ mark: String) async throws -> [String] { try await Self.titles(there.client, mark) }

  static func id(_ title: String, _ client: Client) async throws -> JSONValue {
    let posts = try await client.call("boards/posts", ["all": true]).items
    return try #require(posts.first { $0["title"]?.text == title }).id
  }

  func mark(_ client: Client, _ method: String, _ title: String, _ mark: String, _ isSet: Bool) async throws {
    _ = try await client.call(method, ["ids": [try await Self.id(title, client)], mark: .bool(isSet)])
  }

  func read(_ title: String, _ isRead: Bool = true, at client: Client) async throws {
    try await mark(client, "boards/markRead", title, "read", isRead)
  }

  func save(_ title: String, _ isSaved: Bool = true, at client: Client) async throws {
    try await mark(client, "boards/save", title, "saved", isSaved)
  }

  /// The requests of a call of the API.
  func requests(_ call: String) -> [ScriptedServer.Request] { server.requests.filter { $0.path.hasSuffix(call) } }

  func stop() async {
    server.stop()
    await here.stop()
    await there.stop()
  }
}

/// A reply that a task makes for a thread that waits.
private final class Box: Sendable {
  private let reply = Mutex(ServerReply.text("", status: 500))
  let done = DispatchSemaphore(value: 0)
  func set(_ value: ServerReply) { reply.withLock { $0 = value } }
  var value: ServerReply { reply.withLock(\.self) }
}

@Suite("Boards: an account with another feed reader", .timeLimit(.minutes(5))) struct AccountTests {
  @Test("the subscriptions of an account are boards, and its posts are read and saved as there")
  func follow() async throws {
    let bench = try await Accounts()
    try await bench.read("Post 1", at: bench.there.client)
    try await bench.save("Post 2", at: bench.there.client)
    try await bench.follow()
    let boards = try await bench.client.call("boards/list").items
    #expect(boards.map { $0["displayName"]?.text } == ["World / News"])
    #expect(boards[0]["unread"] == 4 && boards[0]["count"] == 5)
    #expect(try await bench.titles("read") == ["Post 1"])
    #expect(try await bench.titles("saved") == ["Post 2"])
    let post = try await bench.client.call("boards/post", ["id": try await Accounts.id("Post 3", bench.client)])
    #expect(post["link"] == "https://feed.example/3" && post["writer"]?["displayName"] == "Ann", "\(post)")
    let hidden = try await Accounts.id("Post 4", bench.client)
    _ = try await bench.client.call("boards/hide", ["ids": [hidden], "hidden": true])
    let asked = bench.requests("stream/items/contents").count
    try await bench.refresh()
    #expect(bench.requests("stream/items/contents").count == asked, "what is here is not requested again")
    await bench.stop()
  }

  @Test("a mark that is changed on either side is changed on the other, and back")
  func bothWays() async throws {
    let bench = try await Accounts()
    try await bench.follow()
    try await bench.read("Post 0", at: bench.client)
    try await bench.save("Post 1", at: bench.client)
    try await bench.read("Post 2", at: bench.there.client)
    try await bench.read("Post 4", at: bench.there.client)
    try await bench.read("Post 4", at: bench.client)
    try await bench.refresh()
    for read in [try await bench.titles("read"), try await bench.titlesThere("read")] {
      #expect(read == ["Post 0", "Post 2", "Post 4"])
    }
    #expect(try await bench.titlesThere("saved") == ["Post 1"])
    try await bench.read("Post 0", false, at: bench.there.client)
    try await bench.save("Post 1", false, at: bench.there.client)
    try await bench.read("Post 2", false, at: bench.client)
    try await bench.refresh()
    for read in [try await bench.titles("read"), try await bench.titlesThere("read")] { #expect(read == ["Post 4"]) }
    #expect(try await bench.titles("saved") == [])
    let sent = bench.requests("edit-tag").count
    try await bench.refresh()
    #expect(bench.requests("edit-tag").count == sent, "an agreed mark is sent once")
    await bench.stop()
  }

  @Test("marks that are made while the service is away are sent when it is back, also those whose reply was lost")
  func away() async throws {
    let bench = try await Accounts()
    try await bench.follow()
    bench.trouble.set { _ in .text("", status: 503) }
    try await bench.read("Post 0", at: bench.client)
    try await bench.save("Post 1", at: bench.client)
    await #expect(throws: (any Error).self) { try await bench.refresh() }
    #expect(try await bench.titles("read") == ["Post 0"])
    // The first form arrives, and its reply does not.
    let isLost = Mutex(false)
    let peer = bench.there.client
    bench.trouble.set { request in
      let isFirst = isLost.withLock { known in
        defer { known = known || request.path.hasSuffix("edit-tag") }
        return !known && request.path.hasSuffix("edit-tag")
      }
      guard isFirst else { return nil }
      _ = Accounts.answer(request, of: peer)
      return .text("", status: 403)
    }
    _ = try? await bench.refresh()
    #expect(try await bench.titlesThere("read") == ["Post 0"] && isLost.withLock(\.self))
    bench.trouble.set(nil)
    try await bench.refresh()
    #expect(try await bench.titles("read") == ["Post 0"])
    #expect(try await bench.titlesThere("read") == ["Post 0"])
    #expect(try await bench.titlesThere("saved") == ["Post 1"])
    await bench.stop()
  }

  @Test("a post that is here from its feed already is one post, and its mark here is sent")
  func once() async throws {
    let bench = try await Accounts()
    let direct = try ScriptedServer { _ in
      .text(
        """
        <rss version="2.0"><channel><title>Direct</title><item><guid isPermaLink="false">x</guid><title>Post 3</title>
        <link>https://feed.example/3</link><description>Here</description></item></channel></rss>
        """, [("Content-Type", "application/rss+xml")])
    }
    _ = try await bench.client.call("boards/addSource", ["kind": "feed", "url": .string(direct.origin + "/f.xml")])
    try await bench.read("Post 3", at: bench.client)
    try await bench.follow()
    let posts = try await bench.client.call("boards/posts", ["all": true]).items
    #expect(posts.map { $0["title"]!.text }.sorted() == (0..<5).map { "Post \($0)" })
    #expect(try await bench.titles("read") == ["Post 3"])
    #expect(try await bench.titlesThere("read") == ["Post 3"])
    direct.stop()
    await bench.stop()
  }

  @Test("new posts arrive with the next round, a subscription that ends leaves its posts as they are")
  func later() async throws {
    let bench = try await Accounts()
    try await bench.follow()
    bench.clock.advance(milliseconds: 7_200_000)
    bench.feed.change { $0.posts["1"]?.insert(Accounts.linked(.sample(7)), at: 0) }
    let feed = try await bench.there.client.call("boards/sources").items[0].id
    _ = try await bench.there.client.call("boards/refresh", ["source": feed])
    try await bench.refresh()
    #expect(try await bench.client.call("boards/list").items[0]["count"] == 6)
    try await bench.read("Post 7", at: bench.client)
    try await bench.save("Post 0", at: bench.client)
    _ = try await bench.there.client.call("boards/removeSource", ["id": feed])
    try await bench.refresh()
    #expect(try await bench.titles("read") == ["Post 7"], "what is listed no more was not read")
    #expect(try await bench.titles("saved") == ["Post 0"])
    let board = try await bench.client.call("boards/list").items[0]
    #expect(board["isGone"] == true && board["count"] == 6, "\(board)")
    await bench.stop()
  }

  @Test("a mark makes its account due within a minute, unless the user has slowed the source down")
  func soon() async throws {
    let bench = try await Accounts()
    try await bench.follow()
    func next() async throws -> String {
      try await bench.client.call("boards/sources").items[0]["nextAt"]?.text ?? ""
    }
    let usual = try await next()
    try await bench.read("Post 0", at: bench.client)
    #expect(try await next() == bench.clock.now.adding(milliseconds: AccountMarks.pause).description)
    #expect(try await next() < usual)
    _ = try await bench.client.call("boards/updateSource", ["id": try await bench.source(), "every": 600])
    try await bench.refresh()
    let slow = try await next()
    try await bench.read("Post 1", at: bench.client)
    #expect(try await next() == slow)
    await bench.stop()
  }

  @Test("the password is sent for a login alone, a wrong one once, and neither it nor a token is stored or shown")
  func secrecy() async throws {
    let bench = try await Accounts(password: "not-the-token-0123456789")
    let error = try await bench.client.failure(
      "boards/addSource", ["kind": "greader", "url": .string(bench.server.origin), "credential": "reader"])
    #expect(error?.kind == "unauthorized")
    #expect(bench.server.requests.count == 1 && bench.requests("ClientLogin").count == 1)
    #expect(!"\(String(describing: error))".contains("not-the-token"))
    #expect(bench.here.logLines.allSatisfy { !$0.contains("not-the-token") })
    await bench.stop()
  }
}
