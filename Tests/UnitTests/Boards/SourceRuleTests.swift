import Contract
import Foundation
import HTTP
import Kit
import TestSupport
import Testing
import Wire

@testable import Boards

/// The rules for what a source gives: which posts are one, what a member or a failure means, and how much is stored.
@Suite("Boards: rules for sources") struct SourceRuleTests {
  private func source(_ url: String, movedTo: String? = nil) -> SourceRecord {
    var record = SourceRecord()
    (record.url, record.movedTo) = (url, movedTo)
    return record
  }

  private func keys(_ link: String?, _ title: String = "T", global: String? = nil, from record: SourceRecord? = nil)
    -> [String]
  {
    PostIdentity.keys(
      of: FetchedPost(id: "1", globalID: global, link: link, title: title),
      from: record ?? source("https://www.a.example/feed"))
  }

  @Test("links that differ in nothing but what distinguishes no posts are one, together with the same title")
  func links() {
    let key = keys("https://a.example/p")
    #expect(key.count == 1)
    for link in [
      "http://a.example/p", "https://www.a.example/p", "https://a.example/p/", "https://a.example/p#c",
      "https://a.example/p?utm_source=x", "https://a.example/p?fbclid=1&gclid=2&mc_cid=3&mc_eid=4&ref=rss",
    ] {
      #expect(keys(link) == key, "\(link)")
    }
    #expect(keys("https://a.example/p", "t") == key)
    for link in [
      "https://a.example/q", "https://a.example/P", "https://a.example/p?x=1", "https://b.example/p",
      "https://a.example:8443/p", "https://a.example/p?ref=rs",
    ] {
      #expect(keys(link).count == 1 && keys(link) != key, "\(link)")
    }
    #expect(
      keys("https://a.example/p", "U") != key
        && keys("https://a.example/p?x=1&utm_a=2") == keys("https://a.example/p?x=1"))
    for link in ["https://a.example/", "https://a.example", "https://a.example/?utm_source=x", "a.example/p", nil] {
      #expect(keys(link).isEmpty, "\(link ?? "")")
    }
    #expect(keys("https://a.example/p", "").isEmpty)
    // A key is in an index.
    #expect(keys("https://a.example/" + String(repeating: "x", count: 300)).allSatisfy { $0.utf8.count == 66 })
  }

  @Test("an id that is unique everywhere counts from the host that it names, also where the source has moved there")
  func globalIDs() {
    for id in ["tag:a.example,2026:1", "tag:ann@a.example,2026:1", "TAG:A.EXAMPLE,2026:1", "https://a.example/2"] {
      #expect(keys(nil, global: id) == ["i:" + id], "\(id)")
      #expect(keys(nil, global: id, from: source("https://x.example/f")).isEmpty, "\(id)")
      #expect(keys(nil, global: id, from: source("https://x.example/f", movedTo: "http://a.example/")) == ["i:" + id])
    }
    for id in ["tag:b.example,2026:1", "tag:a.example:2026", "urn:uuid:1225c695-cfb8-4ebb", "a.example/2 and more"] {
      #expect(keys(nil, global: id).isEmpty, "\(id)")
    }
    #expect(keys(nil, global: "tag:a.b,2:1", from: source("https://a.b/")).isEmpty, "too short to be unique")
    #expect(PostIdentity.owns("https://a.example/x", source("https://www.a.example/feed")))
    #expect(!PostIdentity.owns("https://b.example/x", source("https://www.a.example/feed")))
    #expect(!PostIdentity.owns(nil, source("https://www.a.example/feed")))
  }

  @Test("a key that two posts of a page share identifies neither, and an id depends on the source")
  func shared() {
    let posts = [("1", "https://a.example/p"), ("2", "https://a.example/p/"), ("3", "https://a.example/q")].map {
      FetchedPost(id: $0.0, link: $0.1, title: "T")
    }
    #expect(PostIdentity.keys(ofEach: posts, from: source("https://a.example/")).map(\.count) == [0, 0, 1])
    let ids = [
      ("1", SourceKind.feed, "https://a.example/"), ("2", .feed, "https://a.example/"),
      ("1", .discourse, "https://a.example/"), ("1", .feed, "https://b.example/"),
    ].map { PostIdentity.id($0.0, at: SourceAddress(kind: $0.1, url: $0.2, credential: nil)) }
    #expect(Set(ids).count == 4)
    #expect(ids[0] == PostIdentity.id("1", at: SourceAddress(kind: .feed, url: "https://a.example/", credential: "x")))
  }

  @Test("a member of a service's object is read as the type that is wanted, or is missing")
  func members() throws {
    let fields = try #require(
      ServiceFields([
        "text": "x\u{0}y", "number": 5, "blank": " ", "null": .null, "yes": true, "one": 1, "zero": 0, "digits": "12",
        "negative": -1, "large": 2_147_483_648, "largest": 2_147_483_647, "words": "a b", "list": [1, 2],
        "date": "2004-12-29T03:05:06Z", "long": .string(String(repeating: "x", count: 201)),
        "longest": .string(String(repeating: "x", count: 200)),
      ]))
    #expect(["text", "number", "blank", "null", "yes", "none"].map(fields.text) == ["xy", "5", nil, nil, nil, nil])
    #expect(["number", "words", "long", "digits"].map(fields.id) == ["5", nil, nil, "12"])
    #expect(fields.id("longest")?.count == 200)
    #expect(["number", "digits", "zero", "negative", "large", "words"].map(fields.count) == [5, 12, 0, nil, nil, nil])
    #expect(fields.count("largest") == 2_147_483_647)
    #expect(["yes", "one", "zero", "digits", "none"].map(fields.flag) == [true, true, false, nil, nil])
    #expect(fields.list("list").count == 2 && fields.list("text").isEmpty)
    #expect(fields.instant("date") == Instant("2004-12-29T03:05:06Z") && fields.instant("words") == nil)
    #expect(ServiceFields("text") == nil && ServiceFields(nil) == nil)
  }

  private static let origin = "https://a.example"

  private static let failures:
    [(HTTPFailure, SourceFailure.Kind, retryAfter: Duration?, wasAsked: Bool, isOfPlace: Bool, isOfPage: Bool)] = [
      (.cancelled, .cancelled, nil, true, false, false), (.shutDown, .cancelled, nil, true, false, false),
      (.offline, .offline, nil, true, false, false), (.timedOut(origin: origin), .passing, nil, true, false, false),
      (.unauthorized(origin: origin), .unauthorized, nil, true, false, false),
      (.refused(origin: origin, reason: "googleKeyInvalid"), .unauthorized, nil, true, false, false),
      (.httpStatus(code: 403, url: origin), .unauthorized, nil, true, true, true),
      (.httpStatus(code: 404, url: origin), .missing, nil, true, true, true),
      (.httpStatus(code: 410, url: origin), .gone, nil, true, true, true),
      (.httpStatus(code: 500, url: origin), .passing, nil, true, false, true),
      (.badResponse(reason: "notJSON"), .passing, nil, true, false, true),
      (.tooLarge(limit: 5), .passing, nil, true, false, true),
      (.rateLimited(origin: origin, retryAfter: .seconds(5)), .passing, .seconds(5), true, false, false),
      (
        .closed(origin: origin, reason: "googleQuota", retryAfter: .seconds(6)), .passing, .seconds(6), true, false,
        false
      ),
      (.resting(origin: origin, retryAfter: .seconds(7)), .passing, .seconds(7), false, false, false),
    ]

  @Test("a failure of the network is one of a post's place, of a page or of the whole source", arguments: failures)
  func meaning(
    _ row: (HTTPFailure, SourceFailure.Kind, retryAfter: Duration?, wasAsked: Bool, isOfPlace: Bool, isOfPage: Bool)
  ) {
    let failure = SourceFailure(row.0)
    #expect(failure.kind == row.1 && failure.retryAfter == row.retryAfter && failure.wasAsked == row.wasAsked)
    #expect(failure.isOfPlace == row.isOfPlace && failure.isOfPage == row.isOfPage)
  }

  @Test("a title is one line without control characters and within its limit, and says that it was cut")
  func titles() {
    func title(_ text: String) -> (text: String, isCut: Bool) { FetchedPost(id: "1", title: text).fittedTitle }
    #expect(title("  a \n b\u{0}c\u{3000}d ") == ("a b c d", false) && title(" ") == ("", false))
    #expect(title("a\u{202E}b") == ("ab", false))
    let x = { (count: Int) in String(repeating: "x", count: count) }
    #expect(title(x(1_000)) == (x(1_000), false) && title(x(1_001)) == (x(999), true))
    #expect(FetchedPost.fitted(" \n") == nil && FetchedPost.fitted(nil) == nil && FetchedPost.fitted(" a ") == "a")
    #expect(FetchedPost.preview(of: x(301)) == x(299) && FetchedPost.preview(of: x(300)) == x(300))
    #expect(FetchedPost.fitted(link: "https://a.example/\u{202E}x") == "https://a.example/%E2%80%AEx")
    #expect(FetchedPost.fitted(link: "") == nil)
  }

  @Test("as much of a body is stored as its limits allow, and it says that there was more")
  func bodies() {
    let whole = FetchedPost.Body(html: "<p>a\u{0}b</p>", text: "a\u{0}b", images: ["1"])
    #expect(whole.fitted == FetchedPost.Body(html: "<p>ab</p>", text: "ab", images: ["1"]))
    let long = FetchedPost.Body(
      html: String(repeating: "x", count: FetchedPost.htmlLimit + 1), text: "x",
      images: (0..<101).map { "\($0)" })
    #expect(long.fitted.html == "" && long.fitted.text == "x" && long.fitted.images.count == 100)
    #expect(!long.fitted.isWhole && long.fitted.isCut)
    let fitting = FetchedPost.Body(
      html: String(repeating: "x", count: FetchedPost.htmlLimit),
      text: String(repeating: "x", count: FetchedPost.textLimit))
    #expect(fitting.fitted == fitting)
    let text = FetchedPost.Body(html: "", text: String(repeating: "한", count: FetchedPost.textLimit / 3 + 1)).fitted
    #expect(text.text.utf8.count <= FetchedPost.textLimit && text.text.utf8.count > FetchedPost.textLimit - 6)
    #expect(!text.isWhole && text.isCut)
    // What the source itself shortened was not cut here.
    let excerpt = FetchedPost.Body(
      html: "", text: String(repeating: "x", count: FetchedPost.textLimit + 9), isWhole: false)
    #expect(!excerpt.fitted.isCut && !excerpt.fitted.isWhole)
  }

  @Test("a source's URL is written without its scheme or as a feed's, and never with a secret")
  func urls() throws {
    for (text, url) in [
      (" a.example/f\n", "https://a.example/f"), ("feed://a.example/f", "http://a.example/f"),
      ("FEED://a.example", "http://a.example/"), ("feed:https://a.example/f", "https://a.example/f"),
      ("http://a.example/f", "http://a.example/f"), ("webcal://a.example/c.ics", "https://a.example/c.ics"),
    ] {
      #expect(try SourceURL.checked(text, field: "url") == url, "\(text)")
    }
    for (text, key) in [
      ("https://u:p@a.example/", SourceURL.secretKey), ("https://a.example/?token=x", SourceURL.secretKey), ("", nil),
      ("ftp://a.example/", nil),
    ] as [(String, String?)] {
      let error = #expect(throws: RPCError.self) { try SourceURL.checked(text, field: "url") }
      #expect(error?.kind == .invalidURL && error?.data["field"] == "url", "\(text)")
      if let key { #expect(error?.text.key == key, "\(text)") }
    }
    #expect(ServiceURL.base("https://a.example/x//?a=1#b") == "https://a.example/x")
  }

  @Test("a page of a groupware before its first, or that is none, is not asked for", arguments: ["-1", "x", ""])
  func cursors(cursor: String) async throws {
    let bed = try SourceTestBed(secret: "secret") { _ in .json([:]) }
    let source = MailplugSource(bed.address(.mailplug, credential: "work"), bed.network)
    let failure = await failure { () throws(SourceFailure) in
      try await source.posts(of: "5", at: cursor, state: nil)
    }
    #expect(failure?.kind == .passing && bed.targets.isEmpty)
  }

  @Test(
    "a secret in an address is sent there alone; a short one, which could not be hidden again, and none are refused")
  func secretPlaces() async throws {
    for (secret, key) in [
      ("sixsix", nil), ("five5", "network.secretTooShort"), (nil, "network.noSecretPlace"),
    ] as [(String?, String?)] {
      let bed = try SourceTestBed(secret: secret) { _ in .json(["a": 1]) }
      let client = SourceClient(
        address: bed.address(.discourse, credential: secret.map { _ in "work" }), network: bed.network,
        budget: .usual)
      let failure = await failure { () async throws(SourceFailure) in
        try await SourceFailure.explaining { try await client.json(bed.server.origin + "/x?token={credential}") }
      }
      #expect(failure?.error.text.key == key && failure?.kind == (key == nil ? nil : .unauthorized))
      #expect(bed.targets == (key == nil ? ["/x?token=sixsix"] : []))
      #expect(bed.server.requests.allSatisfy { $0["Authorization"] == nil })
    }
  }

  @Test("a source is asked again when its answer is old, later the more it has failed, and each at a time of its own")
  func schedule() {
    let now = Instant(milliseconds: 1_795_219_200_000)
    // The source without a name is late by seven thousandths of a tenth.
    func late(_ milliseconds: Int64) -> Instant {
      now.adding(milliseconds: milliseconds + milliseconds / 10 * 7 / 1_000)
    }
    let (minute, hour, day): (Int64, Int64, Int64) = (60_000, 3_600_000, 86_400_000)
    for (freshFor, every, wait) in [
      (nil, nil, 15 * minute), (60, nil, 15 * minute), (-5, nil, 15 * minute), (3_600, nil, hour),
      (864_000, nil, day), (nil, 60, hour), (7_200, 60, 2 * hour), (nil, 2_880, 2 * day), (nil, 99_999, 30 * day),
    ] as [(Int64?, Int?, Int64)] {
      let next = RefreshSchedule.next(after: now, of: "", freshFor: freshFor.map { .seconds($0) }, every: every)
      #expect(next == late(wait), "\(String(describing: freshFor)) \(String(describing: every))")
    }
    #expect(RefreshSchedule.next(after: now, of: "a", freshFor: nil) == now.adding(milliseconds: 928_260))
    for (kind, failures, retryAfter, every, wait) in [
      (.passing, 0, nil, nil, 15 * minute), (.passing, 1, nil, nil, 15 * minute), (.passing, 2, nil, nil, 30 * minute),
      (.passing, 3, nil, nil, hour), (.passing, 7, nil, nil, 16 * hour), (.passing, 8, nil, nil, day),
      (.passing, 99, nil, nil, day), (.missing, 1, nil, nil, hour), (.missing, 9, nil, nil, day),
      (.passing, 1, 7_200, nil, 2 * hour), (.passing, 1, 864_000, nil, 7 * day), (.passing, 1, nil, 60, hour),
    ] as [(SourceFailure.Kind, Int, Int64?, Int?, Int64)] {
      let failure = SourceFailure(kind, RPCError(.unreachable), retryAfter: retryAfter.map { .seconds($0) })
      let next = RefreshSchedule.next(after: now, failure: failure, failures: failures, of: "", every: every)
      #expect(next == late(wait), "\(kind) \(failures)")
    }
    for (freshFor, wait) in [(nil, minute), (30, minute), (120, 2 * minute), (3_600, 15 * minute)] as [(Int64?, Int64)]
    {
      #expect(
        RefreshSchedule.freshUntil(now, freshFor: freshFor.map { .seconds($0) }) == now.adding(milliseconds: wait))
    }
  }
}
