import Client
import Foundation
import Store
import Synchronization
import TestSupport
import Testing
import Wire

/// Cases 24 to 33, 38 and 40: what lies between a service and us.
enum NetworkCases {
  private static let feed = "/feeds/gen/rss"
  private static let path = "/feeds/gen/rss?items=20"

  /// A feed of 20 posts that was read once, and then has a further one: what is asked for next is not "as before".
  private static func changedFeed(
    _ change: (inout HTTPLimits) -> Void = { _ in }, _ body: (RemoteBench, JSONValue) async throws -> Void
  ) async throws {
    var limits = HTTPLimits()
    change(&limits)
    try await RemoteBench(change: { settings in
      settings.http.callTimeout = limits.call
      settings.http.stall.seconds = limits.stall
    }).run { bench async throws in
      let source = try await bench.add("feed", path)
      #expect(try await kept(bench) == 20)
      try bench.server.bump()
      try await body(bench, source)
    }
  }

  private struct HTTPLimits {
    /// Longer than any answer takes, however busy the machine.
    var call: Duration = .seconds(600)
    /// In seconds.
    var stall = 600
  }

  /// How many posts of the feed are here, without asking anybody.
  private static func kept(_ bench: RemoteBench) async throws -> Int {
    try await bench.client.call("boards/search", ["query": "내용", "kept": true, "remember": false])["total"].map {
      Int($0.integerValue ?? -1)
    } ?? -1
  }

  /// What the feed's requests named as their validator.
  private static func tags(_ bench: RemoteBench) throws -> [String?] {
    try bench.server.log(feed).map { $0.header("If-None-Match") }
  }

  // MARK: - Bodies

  /// 24: half a gzip stream is no feed, and its ETag is not kept.
  static func halfGzip() async throws {
    try await RemoteBench().run { bench async throws in
      try bench.server.fault("^/feeds/", "truncgzip")
      #expect(try await bench.failure("boards/addSource", bench.source("feed", path)) == "badResponse")
      #expect(try await bench.client.call("boards/sources")["total"] == 0)
      try bench.server.noFaults()
      let source = try await bench.add("feed", path)
      try bench.server.bump()
      try bench.server.fault("^/feeds/", "truncgzip")
      #expect(try await bench.refreshFailure(source) == "badResponse")
      #expect(try await kept(bench) == 20)
      try bench.server.noFaults()
      #expect(try await bench.refresh(source)["added"] == 1)
      let tags = try tags(bench).compactMap(\.self)
      #expect(tags.count == 2 && Set(tags).count == 1, "\(tags)")
    }
  }

  /// 25: bombs and endless bodies, in bounded memory and time.
  static func bombs() async throws {
    try await changedFeed { bench, source async throws in
      // The server packs the bomb first, which is slow: one of 256 MiB is as much too large as any.
      for fault in ["bomb:256", "huge", "hugelen"] {
        try bench.server.fault("^/feeds/", fault)
        PeakMemory.reset()
        let before = PeakMemory.now
        let failure = try await bench.refreshFailure(source)
        #expect(["badResponse", "tooLarge"].contains(failure), "\(fault): \(failure)")
        let grown = PeakMemory.now - before
        #expect(grown < 64 << 20, "\(fault): \(grown >> 20) MiB")
        #expect(try bench.server.log(feed).allSatisfy { $0.sent < 64 << 20 })
      }
      try bench.server.noFaults()
      bench.daemon.networkTime.pass(.seconds(3_600))
      #expect(try await bench.refresh(source)["added"] == 1)
    }
  }

  /// 26: too slow in all ways there are.
  static func slow() async throws {
    try await changedFeed {
      // A good answer on a busy machine takes less, in one of three tries.
      $0.call = .milliseconds(1_500)
      $0.stall = 1
    } _: { bench, source async throws in
      for fault in ["slow:20", "hang", "slowheaders"] {
        try bench.server.fault("^/feeds/", fault)
        let before = try bench.server.log(feed).count
        #expect(try await bench.refreshFailure(source) == "timedOut", "\(fault)")
        #expect(try bench.server.log(feed).count <= before + 3, "\(fault)")
      }
      try bench.server.noFaults()
      bench.daemon.networkTime.pass(.seconds(3_600))
      #expect(try await bench.refresh(source)["added"] == 1)
    }
  }

  /// 27: a connection that breaks in the middle: asked for again, and then an error.
  static func broken() async throws {
    for fault in ["reset:300", "close:300"] {
      try await changedFeed { bench, source async throws in
        try bench.server.fault("^/feeds/", fault)
        let before = try bench.server.log(feed).count
        #expect(try await bench.refreshFailure(source) == "unreachable", "\(fault)")
        let tries = try bench.server.log(feed).count - before
        #expect((2...3).contains(tries), "\(fault): \(tries)")
        #expect(try await kept(bench) == 20)
        try bench.server.fault("^/feeds/", fault, times: 1)
        #expect(try await bench.refresh(source)["added"] == 1)
        #expect(try bench.server.log(feed).count == before + tries + 2, "\(fault)")
      }
    }
  }

  /// 28: a Content-Length that is wrong: what is cut off looks like a success, and is none.
  static func wrongLength() async throws {
    try await changedFeed { bench, source async throws in
      try bench.server.fault("^/feeds/", "length:-100")
      _ = try await bench.refreshFailure(source)
      #expect(try await kept(bench) >= 20)
      try bench.server.noFaults()
      _ = try await bench.refresh(source)
      let tags = try tags(bench).compactMap(\.self)
      #expect(tags.count == 2 && Set(tags).count == 1, "what was cut off gave a validator: \(tags)")
      #expect(try await kept(bench) == 21)
      try bench.server.bump()
      try bench.server.fault("^/feeds/", "length:100")
      #expect(try await bench.refreshFailure(source) != "none")
    }
    try await RemoteBench().run { bench async throws in
      try bench.server.fault("^/mailplug/", "length:-100")
      #expect(
        try await bench.failure("boards/addSource", bench.source("mailplug", "/mailplug", "work")) == "badResponse")
    }
  }

  // MARK: - Redirects

  /// 29: circles, files, addresses of this machine in every spelling, and another origin.
  static func redirects() async throws {
    try await changedFeed { bench, source async throws in
      for (fault, kinds) in [
        ("loop", ["badResponse"]), ("file", ["badResponse", "invalidURL"]), ("private:v6", ["refusedAddress"]),
        ("private", ["refusedAddress"]), ("private:dec", ["refusedAddress"]), ("private:hex", ["refusedAddress"]),
        ("private:short", ["refusedAddress"]), ("private:v4in6", ["refusedAddress"]),
        ("private:ten", ["refusedAddress"]), ("private:meta", ["refusedAddress"]), ("other", ["refusedAddress"]),
      ] {
        try bench.server.fault("^/feeds/", fault)
        let failure = try await bench.refreshFailure(source)
        #expect(kinds.contains(failure), "\(fault): \(failure)")
        #expect(try await kept(bench) == 20)
      }
      #expect(try bench.server.otherLog().isEmpty)
    }
    // Where a person has allowed the other origin it is asked, without the key.
    try await RemoteBench(secret: "good-key", allowsOther: true).run { bench async throws in
      try await bench.add("discourse", "/discourse", credential: "work")
      try bench.server.fault("^/discourse/latest", "other")
      #expect(try await bench.posts(try await bench.board("latest"))["state"] == "results")
      let log = try bench.server.log("/discourse/latest")
      #expect(log.map(\.port) == [bench.server.port, bench.server.otherPort])
      #expect(log.map { $0.header("User-Api-Key") } == ["good-key", nil])
      #expect(log.allSatisfy { $0.header("Api-Key") == nil && $0.header("Authorization") == nil })
    }
  }

  // MARK: - Again

  /// 30: three requests with growing gaps.
  static func flaky() async throws {
    try await changedFeed { bench, source async throws in
      try bench.server.fault("^/feeds/", "flaky:2")
      let before = bench.daemon.networkTime.pauses.count
      #expect(try await bench.refresh(source)["added"] == 1)
      #expect(try bench.server.log(feed).map(\.status) == [200, 500, 500, 200])
      let pauses = bench.daemon.networkTime.pauses.dropFirst(before).filter { $0 >= .milliseconds(100) }
      #expect(pauses.count == 2 && pauses[0] < pauses[1], "\(pauses)")
    }
  }

  /// 31: the second request is conditional, and so is the third, with what the 304 gave.
  static func notModified() async throws {
    try await RemoteBench().run { bench async throws in
      let source = try await bench.add("feed", path)
      for _ in 0..<3 { #expect(try await bench.refresh(source)["added"] == 0) }
      let log = try bench.server.log(feed)
      #expect(log.map(\.status) == [200, 304, 304, 304])
      #expect(log[0].header("If-None-Match") == nil && log[0].header("If-Modified-Since") == nil)
      let tag = log[1].header("If-None-Match") ?? ""
      #expect(tag.hasPrefix("\"") && tag.hasSuffix("\"") && tag.utf8.count > 10)
      #expect(log.dropFirst().allSatisfy { $0.header("If-None-Match") == tag })
      #expect(log.dropFirst().allSatisfy { $0.header("If-Modified-Since")?.hasSuffix("GMT") == true })
      #expect(try await kept(bench) == 20)
      try bench.server.bump()
      #expect(try await bench.refresh(source)["added"] == 1)
      _ = try await bench.refresh(source)
      let last = try bench.server.log(feed).suffix(2)
      #expect(last.map(\.status) == [200, 304] && last.last?.header("If-None-Match") != tag)
    }
  }

  /// 32: a login page with 200 takes nothing away, not the validators either.
  static func loginPage() async throws {
    try await RemoteBench().run { bench async throws in
      let source = try await bench.add("feed", path)
      try bench.server.fault("^/feeds/", "html")
      #expect(try await bench.refreshFailure(source) == "badResponse")
      #expect(try await kept(bench) == 20)
      try bench.server.noFaults()
      #expect(try await bench.refresh(source)["added"] == 0)
      #expect(try bench.server.log(feed).map(\.status) == [200, 200, 304])
    }
  }

  /// 33: Korean of old, declared, undeclared, and declared as something else by the server.
  static func koreanEncodings() async throws {
    try await RemoteBench().run { bench async throws in
      let declared = try await bench.add("feed", "/feeds/gen/rss?items=3&encoding=euc-kr")
      #expect(declared["foundTitle"] == "생성된 피드")
      let contradicted = try await bench.add(
        "feed", "/feeds/gen/rss?items=4&encoding=euc-kr&type=text/xml;%20charset=utf-8")
      #expect(contradicted["foundTitle"] == "생성된 피드")
      let overridden = try await bench.add(
        "feed", "/feeds/gen/rss?items=5&encoding=utf-8&type=text/xml;%20charset=euc-kr")
      #expect(overridden["foundTitle"] == "생성된 피드")
      #expect(try await kept(bench) == 12)
      try await bench.add("feed", "/feeds/euc-kr-undeclared.xml")
      let found = try await bench.client.call("boards/search", ["query": "한글닉네임"])
      #expect(found.items.map { $0["title"] } == ["EUC-KR 에서 TypeKey 한글닉네임 표시하기"])
      let types = try bench.server.log("/feeds/").map { $0.query("type") }
      #expect(types == [[], ["text/xml; charset=utf-8"], ["text/xml; charset=euc-kr"], []])
    }
  }

  /// 38: a token that would break out of its line.
  static func brokenToken() async throws {
    for token in ["test-token\nX-Other: yes", "test\r\n-token", "test\u{0}token"] {
      try await RemoteBench(secret: token).run { bench async throws in
        let failure = try await bench.client.failure("boards/addSource", bench.source("mailplug", "/mailplug", "work"))
        #expect(failure?.data?["kind"] == "unauthorized")
        #expect(!"\(String(describing: failure))".contains("X-Other"))
        #expect(try bench.server.log().isEmpty)
      }
    }
  }

  /// 40: sixty feeds of one host.
  static func manyFeeds() async throws {
    try await RemoteBench().run { bench async throws in
      let outlines = (0..<60).map {
        "<outline type=\"rss\" text=\"\($0)\" xmlUrl=\"\(bench.server.origin)/feeds/gen/atom?items=2&amp;n=\($0)\"/>"
      }
      let file = Data("<opml version=\"2.0\"><head/><body>\(outlines.joined())</body></opml>".utf8)
      let added = try await bench.client.call("boards/import", ["data": .string(file.base64EncodedString())])
      #expect(added["added"] == 60)
      try bench.server.fault("^/feeds/", "latency:30")
      let isOver = Mutex(false)
      async let report: JSONValue = {
        defer { isOver.withLock { $0 = true } }
        return try await bench.client.call("boards/refresh")
      }()
      var most = 0
      // What is answered may be done here before it is in the server's log.
      while !isOver.withLock(\.self) { most = max(most, try bench.server.log("/feeds/").count { $0.status < 0 }) }
      let refreshed = try await report
      #expect(refreshed["sources"] == 60 && refreshed["failed"].list.isEmpty)
      #expect(try bench.server.log("/feeds/").count == 60)
      #expect((1...2).contains(most), "\(most)")
    }
  }
}

/// The most memory that this process ever had, as the kernel counts it.
private enum PeakMemory {
  /// Begins to count anew.
  static func reset() {
    guard let file = fopen("/proc/self/clear_refs", "w") else { return }
    fputs("5", file)
    fclose(file)
  }

  /// In bytes.
  static var now: Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) << 10
  }
}
