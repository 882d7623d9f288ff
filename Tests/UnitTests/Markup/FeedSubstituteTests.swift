import Foundation
import Markup
import Testing

/// What feeds say in other vocabularies than their own, and in ways of old.
@Suite("substitutes in feeds") struct FeedSubstituteTests {
  private func entry(_ item: String) throws -> FeedEntry {
    let document = try feed(
      """
      <rss version="2.0" xmlns:itunes="http://www.itunes.com/DTDs/PodCast-1.0.dtd"
        xmlns:media="http://search.yahoo.com/mrss/" xmlns:dc="http://purl.org/dc/elements/1.1/"
        xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>A</title>
      <item>\(item)</item></channel></rss>
      """)
    return try #require(document.entries.first)
  }

  @Test(
    "title and text of podcasts, picture sites and Dublin Core count where the format's own are missing",
    arguments: [
      ("<itunes:title>T</itunes:title><itunes:summary>Sum</itunes:summary>", "T", "<p>Sum</p>"),
      ("<itunes:subtitle>Sub</itunes:subtitle>", nil, "<p>Sub</p>"),
      ("<itunes:subtitle>Sub</itunes:subtitle><itunes:summary>Sum</itunes:summary>", nil, "<p>Sum</p>"),
      ("<itunes:summary>a &lt;b&gt;c&lt;/b&gt;</itunes:summary>", nil, "a <b>c</b>"),
      ("<media:title>T</media:title><media:description type=\"plain\">D</media:description>", "T", "<p>D</p>"),
      (
        "<media:group><media:title>T</media:title><media:description>D</media:description></media:group>", "T",
        "<p>D</p>"
      ),
      ("<dc:title>T</dc:title><dc:description>D</dc:description>", "T", "<p>D</p>"),
      ("<itunes:title>I</itunes:title><dc:title>T</dc:title><media:title>M</media:title>", "T", nil),
      (
        "<itunes:title>I</itunes:title><itunes:summary>S</itunes:summary><title>T</title><description>D</description>",
        "T", "D"
      ),
      ("<dc:description>S</dc:description><content:encoded>C</content:encoded>", nil, "C"),
    ] as [(String, String?, String?)])
  func substitutes(item: String, title: String?, html: String?) throws {
    let entry = try entry(item)
    #expect(entry.title == title && entry.html == html, "\(entry)")
  }

  @Test("the vocabulary of podcasts is known in capitals too")
  func podcasts() throws {
    #expect(try entry("<itunes:author>Ann</itunes:author>").author?.name == "Ann")
  }

  @Test(
    "an author with an address behind or before the name",
    arguments: ["Ann Lee (ann@a.example)", "ann@a.example (Ann Lee)", "Ann Lee <ann@a.example>"])
  func people(text: String) throws {
    let author = try entry("<author>\(text.replacing("<", with: "&lt;"))</author>").author
    #expect(author == FeedEntry.Person(name: "Ann Lee", address: "ann@a.example"))
  }

  @Test("categories of podcasts and media, and the author of Dublin Core")
  func words() throws {
    let entry = try entry(
      "<itunes:category text=\"A\"><itunes:category text=\"B\"/></itunes:category><media:category label=\"C\">c</media:category>"
        + "<media:category>D</media:category><dc:author>Ann</dc:author>")
    #expect(entry.categories == ["A", "B", "C", "D"] && entry.author?.name == "Ann")
  }

  @Test("a channel that Dublin Core names, and an item whose text is its body")
  func channel() throws {
    let document = try feed(
      "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><channel><dc:title>T</dc:title><dc:description>D</dc:description>"
        + "<item><guid>1</guid><body>one</body></item><item><guid>2</guid><fullitem>two</fullitem></item></channel></rss>"
    )
    #expect(document.title == "T" && document.summary == "D" && document.entries.map(\.html) == ["one", "two"])
  }

  @Test("a title in XHTML has no script in it")
  func title() throws {
    let title = "<div xmlns=\"http://www.w3.org/1999/xhtml\">safe<script>x()</script> words</div>"
    let document = try feed(
      "<feed xmlns=\"http://www.w3.org/2005/Atom\"><title type=\"xhtml\">\(title)</title></feed>")
    #expect(document.title == "safe words")
  }

  @Test("a name with something else in parentheses is a name")
  func parentheses() throws {
    #expect(try entry("<author>Ann (guest)</author>").author == FeedEntry.Person(name: "Ann (guest)", address: nil))
  }

  @Test("media's words are those of an Atom entry that has none")
  func atom() throws {
    let document = try feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><title>A</title>
      <entry><id>1</id><media:title>T</media:title><media:description>D</media:description></entry>
      <entry><id>2</id><media:group><media:title>T</media:title></media:group></entry></feed>
      """)
    #expect(document.entries.map(\.title) == ["T", "T"] && document.entries[0].html == "<p>D</p>")
  }

  @Test("content in base64 is its text, of whatever type it is called, and a picture is none")
  func base64() throws {
    func html(_ content: String) throws -> String? {
      try feed("<feed xmlns=\"http://www.w3.org/2005/Atom\"><title>A</title><entry><id>1</id>\(content)</entry></feed>")
        .entries.first?.html
    }
    let text = Data("Example <b>Atom</b>".utf8).base64EncodedString()
    #expect(try html("<content type=\"application/octet-stream\">\n\(text)\n</content>") == "Example <b>Atom</b>")
    #expect(
      try html("<content type=\"application/octet-stream\" mode=\"base64\">\(text)</content>") == "Example <b>Atom</b>")
    #expect(try html("<content type=\"image/png\">iVBORw0KGgo=</content>") == nil)
    #expect(try html("<content type=\"image/png\" src=\"/a.png\"/>") == nil)
  }

  @Test("entities that a document declares are their text, in texts and in attributes, and none in another")
  func entities() throws {
    let document = try feed(
      """
      <!DOCTYPE rss [<!ENTITY co "Example &amp; Co &#169;"> <!ENTITY % p "x"> <!ENTITY far SYSTEM "file:///etc/passwd">
        <!ENTITY b '<b>bold</b>'> <!ENTITY co "later"> <!ENTITY two "&co;&co;"> <!-- <!ENTITY no "x"> -->]>
      <rss version="2.0"><channel><title>&co;</title><item><guid>1</guid><title>&far; &p; &no; &two;</title>
      <description>&b;</description><enclosure url="http://a.example/&co;.mp3"/></item></channel></rss>
      """)
    #expect(document.title == "Example & Co ©")
    let entry = try #require(document.entries.first)
    #expect(entry.title == "&far; &p; &no; &two;" && entry.html == "<b>bold</b>")
    #expect(entry.enclosures.first?.url.hasPrefix("http://a.example/Example") == true)
  }

  @Test("what declared entities add is bounded")
  func bounds() throws {
    let value = String(repeating: "x", count: 1_000)
    let named = String(repeating: "&a;", count: 100_000)
    let document = try feed(
      "<!DOCTYPE rss [<!ENTITY a \"\(value)\"><!ENTITY long \"\(value)\(value)\">]><rss><channel><title>&long;</title>"
        + "<item><guid>1</guid><description>\(named)</description></item></channel></rss>")
    #expect(document.title == "&long;")
    #expect(document.entries.first?.html?.utf8.count ?? 0 < 3 << 20)
  }
}
