import Contract
import Foundation
import HTTP
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

@Suite("The Google Reader API as a source") struct ReaderSourceTests {
  private static let state = "user/-/state/com.google/"

  /// An item as FreshRSS writes it, with the user's number in its streams.
  private static func item(_ number: Int64, feed: String = "feed/52", states: [String] = []) -> JSONValue {
    [
      "id": .string(AppItemID(String(number))!.longForm), "crawlTimeMsec": "1700000000000",
      "timestampUsec": "1700000000000000", "published": 1_700_000_000, "title": "A ＆ B \(number)",
      "canonical": [["href": .string("https://site.example/\(number)")]],
      "alternate": [["href": "https://site.example/other", "type": "text/html"]],
      "categories": .array(
        ["user/-/state/com.google/reading-list", "user/-/label/World", "책"].map { .string($0) }
          + states.map { .string("user/1/state/com.google/\($0)") }),
      "origin": ["streamId": .string(feed), "htmlUrl": "https://site.example", "title": "Site"],
      "summary": ["content": "<p onclick='x()'>Text<script>x()</script> <a href='/a'>link</a></p>"],
      "author": "Ann", "enclosure": [["href": "https://site.example/a.mp3", "type": "audio/mpeg", "length": 12]],
    ]
  }

  /// A service: it answers each call of the API by its path, and logs in with `ann:pass`.
  private static func bed(
    secret: String? = "ann:pass:word",
    _ answer: @escaping @Sendable (_ call: String, ScriptedServer.Request) -> ServerReply
  ) throws -> SourceTestBed {
    try SourceTestBed(secret: secret) { request in
      let form = String(decoding: request.body, as: UTF8.self)
      if request.path.hasSuffix("/accounts/ClientLogin") {
        guard request.method == "POST", form.contains("Email=ann&Passwd=pass%3Aword") else {
          return .text("Error=BadAuthentication", status: 401)
        }
        return .text("SID=ann/1\nLSID=null\nAuth=ann/1\n")
      }
      guard request["Authorization"] == "GoogleLogin auth=ann/1" else { return .text("Unauthorized!", status: 401) }
      let call = request.path.firstRange(of: "/reader/api/0/").map { String(request.path[$0.upperBound...]) } ?? ""
      if call == "token" { return .text("T0KEN\n") }
      if request.method == "POST", !form.hasSuffix("&T=T0KEN") { return .text("Unauthorized!", status: 401) }
      return answer(call, request)
    }
  }

  private static func source(_ bed: SourceTestBed, _ path: String = "/api/greader.php/") -> ReaderSource {
    ReaderSource(bed.address(.greader, path, credential: "work"), bed.network, ReaderSessions())
  }

  private static func refs(_ ids: [String], next: String? = nil) -> ServerReply {
    var answer: JSONObject = ["itemRefs": .array(ids.map { ["id": .string($0)] })]
    if let next { answer["continuation"] = .string(next) }
    return .json(.object(answer))
  }

  @Test("the address is that of the API, however much of it the user copies")
  func address() {
    for url in ["https://a.example/api/greader.php", "https://a.example/api/greader.php/reader/api/0/?x=1"] {
      #expect(ReaderSource.base(url) == "https://a.example/api/greader.php")
    }
    #expect(ReaderSource.base("https://a.example/") == "https://a.example")
    #expect(SourceKind.greader.service(at: "https://a.example/accounts/ClientLogin") == "https://a.example")
  }

  @Test("subscriptions are boards with their folders, and what is no feed is left out")
  func boards() async throws {
    let bed = try Self.bed { call, _ in
      guard call == "subscription/list" else { return .text("", status: 404) }
      return .json([
        "subscriptions": [
          ["id": "feed/52", "title": "한국", "categories": [["id": "user/-/label/News", "label": "News"]]],
          ["id": "feed/53", "categories": [], "url": "https://b.example/f"], ["id": "feed/52", "title": "Twice"],
          ["id": 7, "title": "No feed"], "nothing", ["id": "user/-/label/x", "title": "No feed"],
        ]
      ])
    }
    let boards = try await Self.source(bed).boards(nil).boards
    #expect(boards.map(\.id) == ["feed/52", "feed/53"])
    #expect(boards.map(\.displayName) == ["News / 한국", "https://b.example/f"])
    #expect(bed.targets.contains("/api/greader.php/reader/api/0/subscription/list?output=json"))
  }

  @Test("a page that is no list of subscriptions is no source")
  func notSource() async throws {
    let bed = try Self.bed { _, _ in .json([]) }
    let failed = await failure { () async throws(SourceFailure) in try await Self.source(bed).boards(nil) }
    #expect(failed?.kind == .notSource)
  }

  @Test("posts are requested by their ids in the long form, in the order of the ids, and are safe")
  func posts() async throws {
    let bed = try Self.bed { call, request in
      if call == "stream/items/ids" { return Self.refs(["1700000000000002", "1700000000000001", "9"], next: "n") }
      guard call == "stream/items/contents", request.method == "POST" else { return .text("", status: 404) }
      return .json([
        "items": [
          Self.item(1_700_000_000_000_001, states: ["read"]), Self.item(1_700_000_000_000_002, states: ["starred"]),
          Self.item(1_700_000_000_000_002), Self.item(77), ["id": "x"], .null,
        ]
      ])
    }
    let page = try await Self.source(bed).posts(of: "feed/52", at: ReaderSource.top, state: nil)
    #expect(page.posts.map(\.id) == ["1700000000000002", "1700000000000001"] && page.next == "n")
    #expect(page.posts.map(\.mark) == [RemoteMark(isSaved: true), RemoteMark(isRead: true)])
    let post = page.posts[0]
    #expect(post.link == "https://site.example/1700000000000002" && post.categories == ["책"])
    #expect(post.body?.text == "Text link (https://site.example/a)" && post.body?.html.contains("script") == false)
    #expect(post.body?.html.contains("https://site.example/a") == true, "relative to the post")
    #expect(post.attachments.map(\.size) == [12] && post.writer?.name == "Ann")
    #expect(post.publishedAt == Instant(milliseconds: 1_700_000_000_000))
    let request = try #require(bed.server.requests.last)
    let form = String(decoding: request.body, as: UTF8.self)
    #expect(form.hasPrefix("output=json&i=tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F00060a24181e4002&i="), "\(form)")
    #expect(request["Content-Type"] == "application/x-www-form-urlencoded")
    let ids = try #require(bed.targets.first { $0.contains("items/ids") })
    #expect(ids.hasSuffix("?output=json&s=feed%2F52&n=50"), "the top has no cursor")
  }

  @Test("lists of ids are followed to their end, and one without an end is no whole one")
  func lists() async throws {
    let bed = try Self.bed { call, request in
      let (stream, cursor) = (request.query["s"] ?? "", request.query["c"])
      if stream.hasSuffix("starred") { return .json(["itemRefs": [], "continuation": "x"]) }
      if request.query["xt"] != nil {
        let page = Int(cursor ?? "0") ?? 0
        return Self.refs([String(page + 1), String(page + 2)], next: String(page + 1))
      }
      #expect(request.query["ot"] == "1700000000")
      // FreshRSS repeats the last item of a page; this page is the last.
      return cursor == nil ? Self.refs(["5", "4"], next: "4") : Self.refs(["4"], next: "4")
    }
    let listing = try await Self.source(bed).listing(since: Instant(milliseconds: 1_700_000_000_500))
    #expect(listing.recent == ["5", "4"] && listing.saved == [] && listing.hasAllSaved)
    #expect(!listing.hasAllUnread && listing.unread.count == 41)
  }

  @Test("a mark is a form with the token, and a login that has expired is repeated once")
  func marks() async throws {
    let logins = Mutex(0)
    let bed = try SourceTestBed(secret: "ann:secret-word") { request in
      if request.path.hasSuffix("ClientLogin") {
        logins.withLock { $0 += 1 }
        return .text("Auth=t\(logins.withLock(\.self))\n")
      }
      guard request["Authorization"] == "GoogleLogin auth=t2" else { return .text("", status: 401) }
      return request.path.hasSuffix("/token") ? .text("T2") : .text("OK")
    }
    let sessions = ReaderSessions()
    let source = ReaderSource(bed.address(.greader, credential: "work"), bed.network, sessions)
    let first = await failure { () async throws(SourceFailure) in try await source.mark(["7"], .unread) }
    #expect(first?.kind == .unauthorized && logins.withLock(\.self) == 1, "a new login is not repeated")
    try await source.mark(["7"], .unread)
    try await source.mark(["8", "9"], .saved)
    #expect(logins.withLock(\.self) == 2)
    let forms = bed.server.requests
      .filter { $0.path.hasSuffix("edit-tag") && $0["Authorization"] == "GoogleLogin auth=t2" }
      .map { String(decoding: $0.body, as: UTF8.self) }
    let long = "tag%3Agoogle.com%2C2005%3Areader%2Fitem%2F000000000000000"
    #expect(
      forms == [
        "r=user%2F-%2Fstate%2Fcom.google%2Fread&i=\(long)7&T=T2",
        "a=user%2F-%2Fstate%2Fcom.google%2Fstarred&i=\(long)8&i=\(long)9&T=T2",
      ])
    #expect(bed.targets.allSatisfy { !$0.contains("secret-word") })
    #expect(
      bed.server.requests.filter { String(decoding: $0.body, as: UTF8.self).contains("secret-word") }.count == 2,
      "the password is in the two logins alone")
  }

  @Test("a credential without a name, and a login that returns no token, are explained")
  func credential() async throws {
    let nameless = try Self.bed(secret: "password") { _, _ in .text("") }
    let failed = await failure { () async throws(SourceFailure) in try await Self.source(nameless).boards(nil) }
    #expect(failed?.kind == .unauthorized && failed?.error.text.key == "boards.notNameAndPassword")
    #expect(nameless.server.requests.isEmpty)
    let without = try Self.bed { _, _ in .text("") }
    let source = ReaderSource(without.address(.greader), without.network, ReaderSessions())
    let wants = await failure { () async throws(SourceFailure) in try await source.boards(nil) }
    #expect(wants?.error.text.key == "network.wantsCredential")
    for answer in ["<html>Welcome</html>", "Auth=\n", "Auth=a b\n", "Auth=" + String(repeating: "x", count: 3_000)] {
      let strange = try SourceTestBed(secret: "ann:secret-word") { _ in .text(answer) }
      let page = await failure { () async throws(SourceFailure) in try await Self.source(strange, "").boards(nil) }
      #expect(page?.kind == .notSource, "\(answer.prefix(20))")
    }
  }

  @Test("ids are numbers in every form, and a service with other ids is served too")
  func ids() {
    #expect(ReaderItem.id("tag:google.com,2005:reader/item/ffffffffffffffff") == "-1")
    #expect(ReaderItem.id("1700000000000002") == ReaderItem.id("tag:google.com,2005:reader/item/00060a24181e4002"))
    let other = "tag:google.com,2005:reader/item/00157a17b192950b65be3791"
    #expect(ReaderItem.longForm(of: ReaderItem.id(other)) == other)
    #expect(ReaderItem.id("00157a17b192950b65be3791") == ReaderItem.id(other))
  }
}
