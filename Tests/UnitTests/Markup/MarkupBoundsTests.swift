import Foundation
import Markup
import Synchronization
import Testing

@Suite("hostile documents") struct MarkupBoundsTests {
  private func item(_ prolog: String, _ inside: String) -> String {
    "<?xml version=\"1.0\"?>\(prolog)<rss version=\"2.0\"><channel><item>\(inside)</item></channel></rss>"
  }

  @Test("no entity is expanded in another, and none that names a file: neither a bomb of them nor a file comes in")
  func entities() throws {
    let bomb = (1...9).map { "<!ENTITY l\($0) \"" + String(repeating: "&l\($0 - 1);", count: 10) + "\">" }.joined()
    let document = try feed(
      item("<!DOCTYPE rss [<!ENTITY l0 \"lol\">\(bomb)<!-- don't > -->]>", "<title>&l9;</title><guid>1</guid>"))
    #expect(document.entries.first?.title == "&l9;")
    let external = try feed(
      item(
        "<!DOCTYPE rss [<!ENTITY f SYSTEM \"file:///etc/passwd\"><!ENTITY % p SYSTEM \"http://127.0.0.1:1/x\"> %p;]>",
        "<title>&f;</title>"))
    #expect(external.entries.first?.title == "&f;")
    let remote = try feed(item("<!DOCTYPE rss SYSTEM \"http://127.0.0.1:1/rss.dtd\">", "<title>t</title>"))
    #expect(remote.entries.first?.title == "t")
  }

  @Test("a title of a megabyte is cut, and shows that it was")
  func title() throws {
    let title = String(repeating: "가나다라 ", count: 80_000)
    let entry = try feed(item("", "<title>\(title)</title>")).entries.first
    let short = try #require(entry?.title)
    #expect(short.utf8.count < 8_100 && short.hasSuffix("…") && short.hasPrefix("가나다라 가나다라"))
    // Of every script more comes through than the thousand characters that are kept, so that what shortens it notices.
    #expect(short.unicodeScalars.count > 1_000)
  }

  @Test("an entry whose HTML is longer than is taken of one says so")
  func longEntry() throws {
    let body = String(repeating: "x", count: FeedLimits().body)
    let whole = try feed(item("", "<guid>1</guid><description>\(body)</description>")).entries.first
    #expect(whole?.isCut == false && whole?.html?.utf8.count == body.utf8.count)
    let cut = try feed(item("", "<guid>1</guid><description>\(body)yz</description>")).entries.first
    #expect(cut?.isCut == true && cut?.html?.hasSuffix("x…") == true)
  }

  @Test("of thirty thousand entries the first ten thousand are read, and the rest is known to be missing")
  func entries() throws {
    let items = (0..<30_000).map { "<item><guid>\($0)</guid></item>" }.joined()
    let document = try feed("<rss><channel>\(items)</channel></rss>")
    #expect(document.entries.count == 10_000 && document.isTruncated && document.isComplete)
    let json = (0..<12_000).map { "{\"id\": \($0)}" }.joined(separator: ",")
    let other = try feed("{\"items\": [\(json)]}")
    #expect(other.entries.count == 10_000 && other.isTruncated)
  }

  @Test("more nodes or bytes than the limits end the reading")
  func limits() throws {
    var limits = FeedLimits()
    limits.markup = MarkupLimits(bytes: 1 << 20, nodes: 1000, depth: 50)
    let many = Data(("<rss><channel>" + String(repeating: "<item/>", count: 5000) + "</channel></rss>").utf8)
    let document = try FeedParser.parse(many, contentType: nil, url: "http://a.example/", limits: limits)
    #expect(document.isTruncated && document.entries.count < 1000)
    #expect(throws: MarkupFailure.tooLarge(limit: 1 << 20)) {
      try FeedParser.parse(Data(count: 2 << 20), contentType: nil, url: "http://a.example/", limits: limits)
    }
    #expect(throws: MarkupFailure.tooLarge(limit: 500_000)) {
      try feed("{\"items\": [" + String(repeating: "1,", count: 600_000) + "1]}")
    }
  }

  @Test("a hundred mebibytes are refused before they are read")
  func size() {
    #expect(throws: MarkupFailure.tooLarge(limit: 32 << 20)) {
      try FeedParser.parse(Data(count: 100 << 20), contentType: nil, url: "http://a.example/")
    }
  }

  @Test("elements in elements without end are read as deep as allowed")
  func depth() throws {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(try feed("<rss><channel><item><guid>1</guid></item>\(deep)").isTruncated)
    let html = try SafeHTML.clean(String(repeating: "<div><b>", count: 50_000) + "x", base: nil)
    #expect(html.isTruncated && html.html.utf8.count < 10_000)
    let lists = try SafeHTML.clean(String(repeating: "<blockquote><ul><li>x", count: 60), base: nil)
    #expect(lists.text.utf8.count < 10_000)
  }

  @Test("a tag with endless attributes ends the page before it", .timeLimit(.minutes(10)))
  func attributes() throws {
    let many = (0..<200_000).map { " a\($0)=1" }.joined()
    let html = try SafeHTML.clean("before<p\(many)>after</p>", base: nil)
    #expect(html.isTruncated && html.text == "before")
    let quoted = try SafeHTML.clean("before<p x=\">\"\(many)>after</p>", base: nil)
    #expect(quoted.isTruncated && quoted.text == "before")
    #expect(try feed(item("", "<title\(many)>t</title>")).entries.first?.title == "t")
  }

  @Test("links against a long base make little of much", .timeLimit(.minutes(10)))
  func growth() throws {
    let base = "https://a.example/" + String(repeating: "x", count: 3000) + "/"
    let html = try SafeHTML.clean(String(repeating: "<a href=y>z</a>", count: 50_000), base: base)
    #expect(html.isTruncated && html.html.utf8.count < 5 << 20)
  }

  @Test("who leaves is heard in the middle of a document")
  func cancelling() throws {
    struct Gone: Error {}
    let items = Data(
      ("<rss><channel>" + String(repeating: "<item><title>x</title></item>", count: 4_000) + "</channel></rss>").utf8)
    // At every one of the checks, wherever it stands.
    for last in [0, 1, 2, 5, 10, 20] {
      let checks = Mutex(0)
      #expect(throws: Gone.self) {
        _ = try FeedParser.parse(items, contentType: nil, url: "http://a.example/") {
          let count = checks.withLock { count in
            count += 1
            return count
          }
          if count > last { throw Gone() }
        }
      }
    }
    #expect(throws: Gone.self) {
      try SafeHTML.clean(String(repeating: "<p>x</p>", count: 20_000), base: nil) { throw Gone() }
    }
    // Each of its forty thousand nodes is read and written, and four thousand of each are a check.
    var asked = 0
    _ = try SafeHTML.clean(String(repeating: "<p>x</p>", count: 20_000), base: nil) { asked += 1 }
    #expect(asked >= 15)
  }

  @Test("documents are read by several at once")
  func threads() async throws {
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<8 {
        group.addTask {
          (0..<20).allSatisfy { _ in
            (try? feed("<rss><channel><title>&eacute; \(number)</title></channel></rss>").title) == "é \(number)"
              && (try? SafeHTML.clean("<p>\(number)<script>", base: nil).text) == "\(number)"
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
