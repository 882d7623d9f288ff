import Foundation
import Markup
import Testing

@Suite("broken feeds") struct FeedRepairTests {
  private func item(_ inside: String) throws -> FeedEntry? {
    try feed("<rss version=\"2.0\"><channel><item>\(inside)</item></channel></rss>").entries.first
  }

  @Test(
    "what XML forbids and feeds do loses nothing of the text",
    arguments: [
      ("<title>Fish & Chips</title>", "Fish & Chips"), ("<title>a &nbsp; b &eacute;&hellip;</title>", "a b é…"),
      ("<title>AT&T &unknown; &lt;3</title>", "AT&T &unknown; <3"), ("<title>1 < 2 & 3 > 2</title>", "1 < 2 & 3 > 2"),
      ("<title>it&#146;s &#x2014; &#0; &#xFFFF;</title>", "it’s — \u{FFFD} \u{FFFD}"),
      ("<title>a\u{1}\u{8}b\u{FFFF}c</title>", "abc"), ("<title>]]> stays</title>", "]]> stays"),
      ("<title><![CDATA[a <b>&amp; c]]></title>", "a & c"),
      ("<strange:title>no</strange:title><title>yes</title>", "yes"),
      ("<title>never closed<link>http://a.example/</link>", "never closedhttp://a.example/"),
    ])
  func texts(inside: String, title: String) throws {
    #expect(try item(inside)?.title == title)
  }

  @Test(
    "numbers of no post are none",
    arguments: ["9223372036854775807", "-1", "2147483648", "1e9", "99999999999999999999", "x"])
  func impossibleNumbers(number: String) throws {
    let entry = try item(
      "<slash:comments xmlns:slash='http://purl.org/rss/1.0/modules/slash/'>\(number)</slash:comments>"
        + "<enclosure url='http://a.example/a' length='\(number)' type='a/b'/>")
    #expect(entry?.commentsCount == nil)
    let isSize = number == "2147483648"
    #expect(entry?.enclosures.first?.size == (isSize ? 2_147_483_648 : nil))
  }

  @Test("links keep their ampersands, and attributes need neither quotes nor entities")
  func links() throws {
    #expect(try item("<link>http://a.example/?a=1&b=2&amp;c=3</link>")?.link == "http://a.example/?a=1&b=2&c=3")
    let enclosure = try item(
      "<enclosure url=http://a.example/?a=1&b=2 length='5' length='6' junk type=\"a/b\"></enclosure>")
    #expect(enclosure?.enclosures == [.init(url: "http://a.example/?a=1&b=2", type: "a/b", size: 5)])
  }

  @Test("tags that cross or were never closed keep their items apart")
  func nesting() throws {
    let document = try feed(
      "<rss><channel><item><title>one</title><description>a <b>b</description></item>"
        + "<item><title>two<item><title>three</title></item></channel></rss>")
    #expect(document.entries.compactMap(\.title).contains("one"))
    #expect(document.entries.compactMap(\.title).contains("three"))
    #expect(document.entries.count == 3)
    #expect(document.isComplete)
  }

  @Test("what stands before the declaration, and behind the root, is nobody's")
  func around() throws {
    let document = try feed("Warning: x\n <?xml version='1.0'?><rss><channel><title>t</title></channel></rss> junk <a>")
    #expect(document.title == "t" && document.isComplete)
  }

  @Test("a feed that was cut off gives what it has, and says that it is not complete")
  func cut() throws {
    let whole = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>t</title><item><guid>1</guid><title>one</title></item>\
      <item><guid>2</guid><title><![CDATA[two]]></title><description>d &amp; e</description></item></channel></rss>
      """
    #expect(try feed(whole).isComplete)
    for count in 60..<(whole.utf8.count - 1) {
      let document = try feed(String(whole.prefix(count)))
      // Behind the channel nothing is missing but its document's end, which careless programs leave out.
      #expect(document.isComplete == (count >= whole.utf8.count - "</rss>".utf8.count), "\(count)")
      // An entry that was cut off itself is none: it would be taken for the whole one.
      #expect(document.entries.count == document.entries.count { ["one", "two"].contains($0.title) }, "\(count)")
      #expect(document.entries.count == whole.prefix(count).components(separatedBy: "</item").count - 1, "\(count)")
    }
  }

  @Test("a document's type that is cut off anywhere, within quotes too, ends in nothing worse than no feed")
  func cutDeclaration() throws {
    let head = """
      <?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//a" 'b' [<!ENTITY co "Example > Co"> <!-- ' > " --> <?a ' ?> \
      <!ATTLIST rss version CDATA "2.0"> <!ENTITY % far SYSTEM 'x'> ]>
      """
    let whole = head + "<rss version=\"2.0\"><channel><title>&co;</title></channel></rss>"
    #expect(try feed(whole).title == "Example > Co")
    for count in 0..<head.utf8.count {
      for end in ["", "'", "\"", "<rss>"] { _ = try? feed(String(head.prefix(count)) + end) }
    }
  }

  @Test("of Atom and RDF too an entry that the end of the document cuts off is left out, whatever its prefix")
  func cutEntries() throws {
    let atom = try feed(
      "<a:feed xmlns:a='http://www.w3.org/2005/Atom'><a:entry><a:id>1</a:id><a:title>one</a:title></a:entry>"
        + "<a:Entry><a:id>2</a:id><a:content>Half a te")
    #expect(atom.entries.map(\.id) == ["1"] && !atom.isComplete)
    let rdf = try feed("<rdf:RDF><channel/><item><link>http://a.example/1</link></item><item><link>http://a.exam")
    #expect(rdf.entries.map(\.link) == ["http://a.example/1"] && !rdf.isComplete)
  }

  @Test("prefixes that were never declared mean what they mean elsewhere")
  func prefixes() throws {
    #expect(
      try item("<content:encoded>&lt;p&gt;a&lt;/p&gt;</content:encoded><dc:creator>Ann</dc:creator>")?.html
        == "<p>a</p>")
  }

  @Test("markup that was escaped twice is read as it was meant, and what only speaks of tags is left")
  func doubleEscapes() throws {
    #expect(
      try item("<description>&amp;lt;p&amp;gt;a &amp;amp; b&amp;lt;/p&amp;gt;</description>")?.html == "<p>a & b</p>")
    #expect(try item("<description>use the &amp;lt;b&amp;gt; tag</description>")?.html == "use the &lt;b&gt; tag")
  }
}

@Suite("identity of entries") struct FeedIdentityTests {
  private func entries(_ items: String) throws -> [FeedEntry] {
    try feed("<rss version=\"2.0\"><channel><link>http://a.example/</link>\(items)</channel></rss>").entries
  }

  @Test("an entry is its guid, else its link, else what it says")
  func order() throws {
    let all = try entries(
      "<item><guid>g</guid><link>/l</link></item><item><link>/l2</link><title>t</title></item>"
        + "<item><title>t</title><pubDate>x</pubDate></item><item><title>t</title><pubDate>y</pubDate></item>")
    #expect(all.map(\.hasOwnID) == [true, false, false, false])
    #expect(all[0].id == "g" && all[1].id == "http://a.example/l2")
    #expect(all[2].id != all[3].id && all[2].id.count == 32)
    #expect(try entries("<item><title>t</title><pubDate>x</pubDate></item>").first?.id == all[2].id)
    let many = try entries((0..<200).map { "<item><title>t\($0)</title></item>" }.joined())
    #expect(Set(many.map(\.id)).count == 200 && many.allSatisfy { $0.id.count == 32 })
  }

  @Test("a guid is a link only if it may be and looks like one")
  func permalinks() throws {
    #expect(try entries("<item><guid>http://g.example/1</guid></item>").first?.link == "http://g.example/1")
    #expect(try entries("<item><guid isPermaLink='false'>http://g.example/1</guid></item>").first?.link == nil)
    #expect(try entries("<item><guid isPermaLink='true'>post 1</guid></item>").first?.link == nil)
    #expect(try entries("<item><guid>javascript:alert(1)</guid></item>").first?.link == nil)
  }

  @Test("a changed link is the same entry, the same entry twice is one, and ids that all share tell nothing")
  func sharing() throws {
    #expect(try entries("<item><guid>g</guid><link>/new</link></item>").first?.id == "g")
    #expect(
      try entries("<item><guid>g</guid><link>/1</link></item><item><guid>g</guid><link>/1</link></item>").count == 1)
    let shared = try entries("<item><guid>0</guid><link>/1</link></item><item><guid>0</guid><link>/2</link></item>")
    #expect(shared.map(\.id) == ["0 http://a.example/1", "0 http://a.example/2"])
  }
}

@Suite("feeds that a page names") struct FeedDiscoveryTests {
  @Test("a page's feeds come in its order, complete, comments last, and nothing else with them")
  func page() throws {
    let html = """
      <!doctype html><html><head><title>t</title><base href="/base/">
      <link rel="alternate" type="application/rss+xml" title="Comments" href="comments.xml">
      <link rel=alternate type="application/atom+xml; charset=utf-8" href="atom.xml" title="한글 &amp; more">
      <LINK REL="ALTERNATE" TYPE="application/feed+json" HREF="https://other.example/f.json">
      <link rel="alternate" type="application/json" href="/wp-json/posts/1">
      <link rel="alternate" hreflang="en" href="/en"><link rel="stylesheet" type="text/css" href="a.css">
      <link rel="alternate" type="application/rss+xml" href="javascript:alert(1)">
      </head><body></body></html>
      """
    let found = try FeedDiscovery.feeds(in: Data(html.utf8), contentType: nil, url: "https://a.example/x/y")
    #expect(
      found.map(\.url)
        == [
          "https://a.example/base/atom.xml", "https://other.example/f.json", "https://a.example/base/comments.xml",
        ])
    #expect(found.first?.title == "한글 & more")
  }
}
