import Contract
import Foundation
import Markup
import Testing

/// A feed from a text, as if it came from `http://example.org/feeds/a.xml`.
func feed(_ text: String, contentType: String? = nil) throws -> FeedDocument {
  try FeedParser.parse(Data(text.utf8), contentType: contentType, url: "http://example.org/feeds/a.xml")
}

@Suite("formats of feeds") struct FeedFormatTests {
  @Test("RSS 2.0 with everything that entries have in it")
  func rss() throws {
    let document = try feed(
      """
      <?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
        xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"
        xmlns:atom="http://www.w3.org/2005/Atom"><channel>
      <title>Tea &amp; Books</title><link>https://tea.example/</link><description>About &lt;b&gt;tea&lt;/b&gt;</description>
      <language>ko</language><ttl>60</ttl><atom:link rel="self" href="https://tea.example/rss"/>
      <atom:link rel="next" href="?page=2"/>
      <item><title>한 &lt;i&gt;책&lt;/i&gt;</title><link>/posts/1</link><guid isPermaLink="false">post-1</guid>
        <pubDate>Wed, 29 Dec 2004 03:05:06 +0900</pubDate><dc:creator>Ann</dc:creator>
        <category>tea</category><category>books</category><category>tea</category>
        <description>short</description><content:encoded><![CDATA[<p>long</p>]]></content:encoded>
        <enclosure url="/a.mp3" type="audio/mpeg" length="123"/><slash:comments>7</slash:comments></item>
      </channel></rss>
      """)
    #expect(document.format == .rss)
    #expect(document.title == "Tea & Books")
    #expect(document.summary == "About tea")
    #expect(document.site == "https://tea.example/")
    #expect(document.language == "ko")
    #expect(document.timeToLive == .seconds(3600))
    #expect(document.next == "http://example.org/feeds/a.xml?page=2")
    #expect(document.isComplete)
    let entry = try #require(document.entries.first)
    #expect(entry.id == "post-1" && entry.hasOwnID)
    #expect(entry.link == "https://tea.example/posts/1")
    #expect(entry.title == "한 책")
    #expect(entry.html == "<p>long</p>")
    #expect(entry.author == FeedEntry.Person(name: "Ann", address: nil))
    #expect(entry.published?.instant == Instant("2004-12-28T18:05:06Z"))
    #expect(entry.categories == ["tea", "books"])
    #expect(entry.enclosures == [.init(url: "https://tea.example/a.mp3", type: "audio/mpeg", size: 123)])
    #expect(entry.commentsCount == 7)
  }

  @Test("the length of a recording, in each form that feeds write it; one of an entry is that of its only recording")
  func durations() throws {
    func seconds(_ inner: String) throws -> [Int?] {
      let document = try feed(
        """
        <rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"
          xmlns:media="http://search.yahoo.com/mrss/"><channel><item><guid>1</guid>\(inner)</item></channel></rss>
        """)
      return try #require(document.entries.first).enclosures.map(\.duration)
    }
    let audio = "<enclosure url='http://a.example/1.mp3' type='audio/mpeg'/>"
    for (text, length) in [
      ("1:02:03", 3_723), ("62:03", 3_723), ("3723", 3_723), ("3723.9", 3_723), (" 5 ", 5), ("", nil), ("0", nil),
      ("an hour", nil), ("-5", nil), ("1:2:3:4", nil), ("99999999999999999999", nil), ("604801", nil),
    ] as [(String, Int?)] {
      #expect(try seconds("<itunes:duration>\(text)</itunes:duration>\(audio)") == [length], "\(text)")
    }
    let picture = "<enclosure url='http://a.example/1.png' type='image/png'/>"
    #expect(try seconds("\(picture)\(audio)<itunes:duration>7</itunes:duration>") == [nil, 7])
    let video = "<media:content url='http://a.example/1.mp4' type='video/mp4' duration='9'/>"
    #expect(try seconds("\(audio)\(video)<itunes:duration>7</itunes:duration>") == [nil, 9])
    #expect(try seconds("\(audio)<media:content url='http://a.example/1.mp3' duration='8'/>") == [8])
    let json = """
      {"version": "https://jsonfeed.org/version/1.1", "title": "T", "items": [{"id": "1", "content_text": "x",
      "attachments": [{"url": "http://a.example/1.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 61.5}]}]}
      """
    #expect(try feed(json, contentType: "application/feed+json").entries.first?.enclosures.first?.duration == 61)
  }

  @Test("RSS 1.0 has its items beside the channel, and names them by rdf:about")
  func rdf() throws {
    let document = try feed(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
        xmlns:dc="http://purl.org/dc/elements/1.1/">
      <channel rdf:about="http://a.example/"><title>A</title><link>http://a.example/</link></channel>
      <item rdf:about="http://a.example/1"><title>one</title><link>http://a.example/1?from=rss</link>
        <dc:date>2004-12-29</dc:date><description>text</description></item></rdf:RDF>
      """)
    #expect(document.format == .rdf && document.title == "A")
    #expect(document.entries.map(\.id) == ["http://a.example/1"])
    #expect(document.entries.first?.link == "http://a.example/1?from=rss")
    #expect(document.entries.first?.published?.text == "2004-12-29")
  }

  @Test("Atom 1.0: links by their rel, bases in bases, texts by their types")
  func atom() throws {
    let document = try feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:base="http://b.example/x/" xml:lang="en">
      <title type="html">B &amp;amp; C</title><subtitle>s</subtitle><author><name>Bob</name></author>
      <link rel="self" href="self"/><link href="site/"/><link rel="next" href="?p=2"/>
      <entry xml:base="y/"><id>tag:b.example,2004:1</id><title>plain &lt;3</title>
        <link rel="alternate" type="text/gemini" href="gemini://b.example/1"/>
        <link rel="alternate" type="text/html" href="1.html"/><link rel="enclosure" href="a.ogg" length="9"/>
        <published>2004-12-29T03:05:06Z</published><updated>2005-01-01T00:00:00Z</updated>
        <category term="t" label="Label"/>
        <content type="xhtml" xml:base="z/"><div xmlns="http://www.w3.org/1999/xhtml">a <a href="w">b</a> &lt; &amp;amp; &gt;</div></content>
        <summary>short</summary></entry>
      <entry><title type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">two <b>bold</b></div></title>
        <updated>2005-01-02T00:00:00Z</updated><summary type="html">&lt;p&gt;s&lt;/p&gt;</summary></entry>
      </feed>
      """)
    #expect(document.format == .atom)
    #expect(document.title == "B & C")
    #expect(document.site == "http://b.example/x/site/")
    #expect(document.next == "http://b.example/x/?p=2")
    #expect(document.language == "en")
    let first = document.entries[0]
    #expect(first.id == "tag:b.example,2004:1")
    #expect(first.title == "plain <3")
    #expect(first.link == "http://b.example/x/y/1.html")
    #expect(first.author?.name == "Bob")
    #expect(first.html == "<div>a <a href=\"http://b.example/x/y/z/w\">b</a> &lt; &amp;amp; &gt;</div>")
    #expect(first.updated?.instant == Instant("2005-01-01T00:00:00Z"))
    #expect(first.categories == ["Label"])
    #expect(first.enclosures.map(\.url) == ["http://b.example/x/y/a.ogg"])
    let second = document.entries[1]
    #expect(second.title == "two bold" && second.link == nil && !second.hasOwnID)
    #expect(second.html == "<p>s</p>")
    #expect(second.published?.instant == Instant("2005-01-02T00:00:00Z"))
  }

  @Test("Atom 0.3 with its modes, and its own names for dates")
  func oldAtom() throws {
    let document = try feed(
      """
      <feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>old</title><tagline>t</tagline>
      <entry><id>1</id><issued>2004-12-29T03:05:06Z</issued><modified>2005-12-29T03:05:06Z</modified>
        <content type="text/html" mode="escaped">&lt;p&gt;a&lt;/p&gt;</content></entry>
      <entry><id>2</id><content type="application/xhtml+xml"><p xmlns="http://www.w3.org/1999/xhtml">b</p></content></entry>
      <entry><id>3</id><content type="text/plain" mode="base64">PHA+YzwvcD4=</content></entry></feed>
      """)
    #expect(document.entries.map(\.html) == ["<p>a</p>", "<p>b</p>", "<p>c</p>"])
    #expect(document.entries[0].published?.instant == Instant("2004-12-29T03:05:06Z"))
    #expect(document.entries[0].updated?.instant == Instant("2005-12-29T03:05:06Z"))
  }

  @Test("JSON Feed of both versions, with numbers as ids and odd members")
  func json() throws {
    let document = try feed(
      """
      {"version": "https://jsonfeed.org/version/1", "title": "J", "home_page_url": "https://j.example/",
       "next_url": "/feed.json?p=2", "author": {"name": "Jan"}, "items": [
       {"id": 7, "url": "/7", "title": "seven", "content_html": "<p>7</p>", "date_published": "2004-12-29T03:05:06+09:00",
        "tags": ["a", 3, null], "authors": [{"name": "Kim"}, {"name": "Lee"}],
        "attachments": [{"url": "https://j.example/a.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}]},
       {"id": 2.5, "content_text": "1 < 2\\n\\nzwei"}, "odd", null, {"url": "https://j.example/x", "title": 5}]}
      """)
    #expect(document.format == .json && document.title == "J")
    #expect(document.next == "http://example.org/feed.json?p=2")
    #expect(document.entries.map(\.id) == ["7", "2.5", "https://j.example/x"])
    #expect(document.entries[0].author?.name == "Kim, Lee")
    #expect(document.entries[0].categories == ["a"])
    #expect(document.entries[0].enclosures.first?.size == 5)
    #expect(document.entries[1].author?.name == "Jan")
    #expect(document.entries[1].html == "<p>1 &lt; 2</p><p>zwei</p>")
    #expect(document.entries[2].title == nil)
  }

  @Test("a video feed without contents has what is said of the video")
  func video() throws {
    let document = try feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/"><entry><id>v</id>
      <media:group><media:title>t</media:title><media:description>One
      two</media:description><media:content url="https://v.example/v.mp4" type="video/mp4"/></media:group></entry></feed>
      """)
    #expect(document.entries.first?.html == "<p>One<br>two</p>")
    #expect(document.entries.first?.enclosures.map(\.url) == ["https://v.example/v.mp4"])
  }

  @Test(
    "the format is decided by what the document is, never by what it is called", arguments: ["text/html", "image/png"])
  func contentTypes(contentType: String) throws {
    #expect(try feed("<rss><channel><title>a</title></channel></rss>", contentType: contentType).title == "a")
    #expect(try feed("{\"items\": [], \"title\": \"j\"}", contentType: contentType).title == "j")
  }

  @Test("a page, a text, nothing and other XML are no feeds, and each says so")
  func others() {
    #expect(throws: FeedFailure.notAFeed(isPage: true)) { try feed("<!doctype html><html><head><title>Log in</title>") }
    #expect(throws: FeedFailure.notAFeed(isPage: true)) { try feed("<HTML><body>Checking your browser</body></HTML>") }
    #expect(throws: FeedFailure.notAFeed(isPage: false)) { try feed("Too many requests") }
    #expect(throws: FeedFailure.notAFeed(isPage: false)) { try feed("<svg xmlns='http://www.w3.org/2000/svg'/>") }
    #expect(throws: FeedFailure.notAFeed(isPage: false)) { try feed("{\"error\": \"no\"}") }
    #expect(throws: FeedFailure.empty) { try feed("") }
    #expect(throws: FeedFailure.empty) { try feed(" \n ") }
    #expect(throws: FeedFailure.broken) { try feed("{\"items\": [{\"id\": 1}, {\"id\"") }
  }

  @Test("a feed that somebody wrapped into a page is found in it")
  func wrapped() throws {
    let document = try feed(
      "<html xmlns=\"http://www.w3.org/1999/xhtml\"><body><feed xmlns=\"http://www.w3.org/2005/Atom\">"
        + "<title>in</title><entry><id>1</id></entry></feed></body></html>")
    #expect(document.title == "in" && document.entries.count == 1)
  }
}
