import Client
import Contract
import Foundation
import HTTP
import Kit
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Boards

/// The real sources, asked over the network of this machine.
@Suite("Boards: served by a server") struct ServedSourceTests {
  /// A daemon as it is, with a client.
  private struct Bench {
    let daemon: TestDaemon
    let client: Client

    init(clock: TestClock = TestClock(), allowing origin: String? = nil) async throws {
      daemon = try await .started(clock: clock) {
        $0.http.allowedOrigins.formUnion([origin.flatMap { Origin($0) }].compactMap(\.self))
      }
      client = try await daemon.client(timeZone: "Asia/Seoul")
    }
  }

  private static func feed(_ entries: [(id: String, title: String, html: String)]) -> String {
    let items = entries.map { entry in
      """
      <item><guid isPermaLink="false">\(entry.id)</guid><title>\(entry.title)</title>
      <pubDate>Fri, 20 Nov 2026 10:00:00 +0900</pubDate><description><![CDATA[\(entry.html)]]></description></item>
      """
    }
    return "<rss version=\"2.0\"><channel><title>News</title>\(items.joined())</channel></rss>"
  }

  @Test("a feed without changes keeps its board when it is asked for its boards alone")
  func unchangedBoards() async throws {
    let feed = Self.feed([("1", "Lunch", "Plain")])
    let server = try ScriptedServer { request in
      request["If-None-Match"] == "\"one\""
        ? .answer(304, [("ETag", "\"one\"")]) : .text(feed, [("ETag", "\"one\"")])
    }
    let bench = try await Bench()
    let source = try await bench.client.call(
      "boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")]
    ).id.text
    let services = bench.daemon.daemon.services
    _ = try await services.boardFetches.boards(of: source, with: services, isBackground: false)
    #expect(server.requests.count == 2 && server.requests.last?["If-None-Match"] == "\"one\"")
    let gone = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try BoardRecord.all(of: source, in: snapshot).map(\.isGone)
    }
    #expect(gone == [false])
    await bench.daemon.stop()
    server.stop()
  }

  @Test(
    "M9 a feed is added, read, searched and refreshed; its HTML is safe, its pictures are files, and a page instead of it empties nothing"
  )
  func feed() async throws {
    let answer = Mutex(
      Self.feed([
        ("1", "Lunch", "<p onclick=\"x()\">At <b>noon</b><script>alert(1)</script><img src=\"/lunch.png\"></p>"),
        ("2", "Budget", "Plain"),
      ]))
    let server = try ScriptedServer { request in
      if request.target == "/lunch.png" {
        return .answer(200, [("Content-Type", "image/png")], body: Data([0x89, 0x50, 0x4E, 0x47]))
      }
      if request["If-None-Match"] == "\"one\"" { return .answer(304, [("ETag", "\"one\"")]) }
      let text = answer.withLock(\.self)
      return .text(text, [("ETag", text.hasPrefix("<rss") ? "\"one\"" : "\"page\"")])
    }
    let clock = TestClock()
    let bench = try await Bench(clock: clock)
    let source = try await bench.client.call(
      "boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    #expect(source["foundTitle"] == "News" && server.requests.count == 1)
    let page = try await bench.client.call("boards/posts")
    #expect(Set(page.items.map { $0["title"].text }) == ["Lunch", "Budget"] && server.requests.count == 1)
    let lunch = try #require(page.items.first { $0["title"] == "Lunch" })
    #expect(lunch["date"] == "2026-11-20T01:00:00.000Z")
    let post = try await bench.client.call("boards/post", ["id": lunch.id, "images": true])
    #expect(post["html"].text.contains("<b>noon</b>") && post["contents"].text.contains("At noon"))
    #expect(!post["html"].text.contains("script") && !post["html"].text.contains("onclick"))
    let picture = try #require(post["images"].list.first)
    #expect(FileManager.default.contents(atPath: picture["path"].text)?.count == 4)
    #expect(post["html"].text.contains("src=\"file://"))
    let found = try await bench.client.call("boards/search", ["query": "noon", "target": "contents"])
    #expect(found.items.map(\.id) == [lunch.id])

    let asked = server.requests.count
    let report = try await bench.client.call("boards/refresh")
    #expect(report["added"] == 0 && report["failed"].list.isEmpty)
    #expect(server.requests.count == asked + 1 && server.requests[asked]["If-None-Match"] == "\"one\"")
    await bench.daemon.stop()
    server.stop()
  }

  @Test("M9 an entry that is a title and a link is opened without its feed, also when that does not have it any more")
  func linkAlone() async throws {
    let isGone = Mutex(false)
    let server = try ScriptedServer { _ in
      isGone.withLock(\.self)
        ? .text("no", status: 503)
        : .text(
          "<rss version=\"2.0\"><channel><title>Links</title><item><title>Elsewhere</title><guid>1</guid>"
            + "<link>https://a.example/1</link></item></channel></rss>")
    }
    let bench = try await Bench()
    _ = try await bench.client.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed")])
    let listed = try await bench.client.call("boards/posts").items[0]
    let asked = server.requests.count
    isGone.withLock { $0 = true }
    let post = try await bench.client.call("boards/post", ["id": listed.id])
    #expect(post["title"] == "Elsewhere" && post["link"] == "https://a.example/1" && post["contents"].text.isEmpty)
    #expect(post["failure"] == nil && server.requests.count == asked)
    await bench.daemon.stop()
    server.stop()
  }

  @Test(
    "M6 M29 a groupware's boards are paged as its envelope says, and an answer that is no success is an error with what was kept"
  )
  func groupware() async throws {
    let isBroken = Mutex(false)
    let server = try ScriptedServer { request in
      if isBroken.withLock(\.self) { return .text("{}", status: 404) }
      guard request.target.contains("/posts") else {
        return .text(
          #"{"value": [{"boardId": 28478, "displayName": "공지사항"}], "count": 1, "offset": 0, "limit": 30, "total": 1}"#)
      }
      let items = URLComponents(string: request.target)?.queryItems ?? []
      let offset = items.first { $0.name == "offset" }?.value.flatMap { Int($0) } ?? 0
      let posts = (offset..<min(offset + 30, 61)).map { number in
        """
        {"postId": \(number), "title": "글 \(number)", "boardId": 28478, "boardDisplayName": "공지사항", \
        "writer": {"displayName": "김", "emailAddress": "kim@example.org"}, "contents": "<p>내용</p>", \
        "createdDateTime": "2026-11-\(String(format: "%02d", 20 - number / 5))T09:00:0\(4 - number % 5)+0900", \
        "viewCount": 1, "postType": "\(number == 0 ? "notice" : "normal")", "isNewPost": false, "hasInlineImage": false, \
        "commentsCount": 0, "attachmentsCount": 1, "isAnonymous": false, "isOwner": false, "hasReply": true}
        """
      }
      return .text(
        #"{"value": [\#(posts.joined(separator: ","))], "count": \#(posts.count), "offset": \#(offset), "limit": 30, "total": 61}"#
      )
    }
    let clock = TestClock()
    let bench = try await Bench(clock: clock)
    _ = try await bench.client.call("boards/addSource", ["kind": "mailplug", "url": .string(server.origin)])
    #expect(try await bench.client.call("boards/list").items.map { $0["displayName"] } == ["공지사항"])
    var (seen, after): ([String], JSONValue?) = ([], nil)
    repeat {
      let page = try await bench.client.call("boards/posts", after.map { ["after": $0] } ?? [:])
      seen += page.items.map { $0["postId"].text }
      after = page["next"]
    } while after != nil
    #expect(seen == (0..<61).map(String.init))
    let first = try await bench.client.call("boards/posts", ["limit": 1]).items[0]
    #expect(first["badges"] == ["notice", "attachment"] && first["date"] == "2026-11-20T00:00:04.000Z")
    isBroken.withLock { $0 = true }
    let failed = try await bench.client.call("boards/posts", ["refresh": true])
    #expect(failed["state"] == "error" && failed.items.count == 30 && failed["failure"]?["kind"] == "httpStatus")
    await bench.daemon.stop()
    server.stop()
  }

  @Test("sixty feeds on one host are refreshed at most two at a time")
  func manyFeeds() async throws {
    let under = Mutex((now: 0, most: 0))
    let server = try ScriptedServer { request in
      under.withLock { under in
        under.now += 1
        under.most = max(under.most, under.now)
      }
      defer { under.withLock { $0.now -= 1 } }
      return .text(Self.feed([(request.target, "Of \(request.target)", "x")]))
    }
    let bench = try await Bench(allowing: server.origin)
    let outlines = (0..<60).map { "<outline type=\"rss\" text=\"\($0)\" xmlUrl=\"\(server.origin)/\($0)\"/>" }
    let file = "<opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>"
    let data = Data(file.utf8).base64EncodedString()
    #expect(try await bench.client.call("boards/import", ["data": .string(data)])["added"] == 60)
    let report = try await bench.client.call("boards/refresh")
    #expect(report["sources"] == 60 && report["added"] == 60 && report["failed"].list.isEmpty)
    #expect(server.requests.count == 60 && under.withLock(\.most) <= 2)
    #expect(try await bench.client.call("boards/search", ["query": "of"])["total"] == 60)
    await bench.daemon.stop()
    server.stop()
  }
}
