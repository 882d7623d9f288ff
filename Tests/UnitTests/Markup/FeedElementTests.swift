import Markup
import Testing

/// Each element that an entry or a feed is read from, by itself, and which of two counts.
@Suite("elements of feeds") struct FeedElementTests {
  /// The fields that an entry has, each with its name.
  private func fields(_ entry: FeedEntry) -> String {
    var fields: [String] = []
    func add(_ name: String, _ value: String?) { if let value { fields.append("\(name) \(value)") } }
    add("id", entry.hasOwnID ? entry.id : nil)
    add("link", entry.link)
    add("title", entry.title)
    add("html", entry.html)
    add("by", entry.author.map { $0.name + ($0.address.map { "<\($0)>" } ?? "") })
    add("on", entry.published?.text)
    add("changed", entry.updated?.text)
    add("in", entry.categories.isEmpty ? nil : entry.categories.joined(separator: ","))
    for file in entry.enclosures {
      add(
        "file",
        [file.url, file.type, file.size.map { String($0) }, file.title].compactMap(\.self).joined(separator: " "))
    }
    add("comments", entry.commentsCount.map { String($0) })
    return fields.joined(separator: "; ")
  }

  private func fields(_ feed: FeedDocument) -> String {
    var fields: [String] = []
    func add(_ name: String, _ value: String?) { if let value { fields.append("\(name) \(value)") } }
    add("title", feed.title)
    add("about", feed.summary)
    add("site", feed.site)
    add("language", feed.language)
    add("next", feed.next)
    add("seconds", feed.timeToLive.map { String($0.components.seconds) })
    return fields.joined(separator: "; ")
  }

  private static let spaces = """
    xmlns:atom="http://www.w3.org/2005/Atom" xmlns:content="http://purl.org/rss/1.0/modules/content/" \
    xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:terms="http://purl.org/dc/terms/" \
    xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:thr="http://purl.org/syndication/thread/1.0" \
    xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" \
    xmlns:sy="http://purl.org/rss/1.0/modules/syndication/" xmlns:x="urn:x"
    """

  private static let items: [(String, String)] = [
    ("<guid> g </guid>", "id g"),
    ("<guid isPermaLink='False'>http://g.example/1</guid>", "id http://g.example/1"),
    ("<guid>http://g.example/1</guid><link>/1</link>", "id http://g.example/1; link http://example.org/1"),
    ("<link>/1</link><link>/2</link>", "link http://example.org/1"),
    ("<link href='/1'/>", "link http://example.org/1"),
    ("<link xml:base='http://b.example/x/'>1</link>", "link http://b.example/x/1"),
    ("<link>javascript:alert(1)</link>", ""), ("<link>mailto:a@b.example</link>", ""),
    ("<atom:link href='/1'/>", "link http://example.org/1"),
    ("<atom:link rel='alternate' href='/1'/><atom:link href='/2'/>", "link http://example.org/1"),
    ("<atom:link href='/2'/><link>/1</link>", "link http://example.org/1"),
    ("<atom:link rel='self' href='/1'/>", ""),
    (
      "<atom:link rel='enclosure' href='/a.mp3' type='audio/mpeg' length='5'/>",
      "file http://example.org/a.mp3 audio/mpeg 5"
    ),
    ("<title>T</title><title>U</title>", "title T"), ("<title/><title>U</title>", "title U"),
    ("<x:title>T</x:title>", ""),
    ("<content:encoded>C</content:encoded><content:encoded/>", "html C"),
    ("<content:encoded>C</content:encoded><body>B</body>", "html C"),
    ("<body>B</body><content:encoded>C</content:encoded>", "html C"),
    ("<description>D</description><fullitem>F</fullitem>", "html F"),
    ("<description>a <b>c</b></description>", "html a <b>c</b>"),
    (
      "<description>D</description><div xmlns='http://www.w3.org/1999/xhtml'><p>b<br/>c</p></div>",
      "html <p>b<br>c</p>"
    ),
    ("<itunes:summary>1 &lt; 2</itunes:summary>", "html <p>1 &lt; 2</p>"),
    ("<itunes:summary>a &lt;/b></itunes:summary>", "html a </b>"),
    ("<itunes:summary>a &lt;b c</itunes:summary>", "html <p>a &lt;b c</p>"),
    ("<itunes:summary>a &amp;lt; b</itunes:summary>", "html a &lt; b"),
    ("<itunes:summary>a &amp;x; b</itunes:summary>", "html <p>a &amp;x; b</p>"),
    ("<itunes:summary>a &amp;lt b</itunes:summary>", "html <p>a &amp;lt b</p>"),
    ("<itunes:summary>a &amp;twelveletter; b</itunes:summary>", "html <p>a &amp;twelveletter; b</p>"),
    ("<itunes:summary>a\n\nb\nc</itunes:summary>", "html <p>a</p><p>b<br>c</p>"),
    ("<pubDate>2004-12-29</pubDate><dc:date>2005-12-29</dc:date>", "on 2004-12-29"),
    ("<dc:date>2005-12-29</dc:date><pubDate>2004-12-29</pubDate>", "on 2004-12-29"),
    ("<pubDate/><dc:date>2005-12-29</dc:date>", "on 2005-12-29"),
    ("<pubDate>soon</pubDate><dc:date>2005-12-29</dc:date>", "on 2005-12-29"), ("<pubDate>soon</pubDate>", "on soon"),
    ("<terms:created>2004-12-29</terms:created>", "on 2004-12-29"),
    ("<terms:issued>2004-12-29</terms:issued>", "on 2004-12-29"),
    ("<atom:published>2004-12-29</atom:published>", "on 2004-12-29"),
    ("<terms:modified>2004-12-29</terms:modified>", "changed 2004-12-29"),
    ("<atom:updated>2004-12-29</atom:updated>", "changed 2004-12-29"),
    ("<dc:creator>Ann</dc:creator><author>bob@a.example (Bob)</author>", "by Ann"),
    ("<author>ann@a.example</author><dc:creator>Ann</dc:creator>", "by Ann"),
    ("<author>ann@a.example</author><author>bob@a.example</author>", "by <ann@a.example>"),
    ("<author>Ann@home</author>", "by Ann@home"), ("<author>@a.example</author>", "by @a.example"),
    ("<author>ann lee@a.example</author>", "by ann lee@a.example"),
    (
      "<atom:author><atom:name>Ann</atom:name><atom:email>ann@a.example</atom:email></atom:author>",
      "by Ann<ann@a.example>"
    ),
    ("<atom:author>Ann</atom:author>", "by Ann"), ("<atom:author><atom:uri>x</atom:uri></atom:author>", ""),
    ("<category>a</category><dc:subject>b</dc:subject><category>a</category>", "in a,b"),
    ("<enclosure url='/a' length='-5'/>", "file http://example.org/a"),
    ("<enclosure url='/a' length='0'/>", "file http://example.org/a"),
    ("<enclosure href='/a' type='a/b'/><enclosure url='/a'/>", "file http://example.org/a a/b"),
    ("<enclosure url='ftp://a.example/b'/>", ""),
    ("<media:content url='/a' type='video/mp4' fileSize='9'/>", "file http://example.org/a video/mp4 9"),
    (
      "<media:group><media:content url='/a'/><media:content url='/b'/></media:group>",
      "file http://example.org/a; file http://example.org/b"
    ),
    ("<slash:comments>7</slash:comments>", "comments 7"), ("<thr:total>8</thr:total>", "comments 8"),
    ("<slash:comments>many</slash:comments>", ""),
  ]

  @Test("an item of RSS is read from each of these elements, and from the better one of two", arguments: items)
  func item(inside: String, expected: String) throws {
    let document = try feed("<rss \(Self.spaces)><channel><title>A</title><item>\(inside)</item></channel></rss>")
    #expect(fields(try #require(document.entries.first)) == expected)
  }

  private static let channels: [(String, String)] = [
    ("<title>A</title><title>B</title>", "title A"), ("<description>D</description>", "about D"),
    ("<link>/1</link><link>/2</link>", "site http://example.org/1"), ("<link href='/1'/>", "site http://example.org/1"),
    ("<atom:link href='/1'/>", "site http://example.org/1"),
    ("<atom:link rel='alternate' href='/1'/>", "site http://example.org/1"),
    ("<link>/1</link><atom:link href='/2'/>", "site http://example.org/1"), ("<atom:link rel='self' href='/1'/>", ""),
    ("<atom:link rel='next' href='?p=2'/>", "next http://example.org/feeds/a.xml?p=2"),
    ("<language>ko</language><dc:language>en</dc:language>", "language ko"),
    ("<dc:language>en</dc:language>", "language en"),
    ("<ttl>5</ttl>", "seconds 300"), ("<ttl>0</ttl>", ""), ("<ttl>-5</ttl>", ""), ("<ttl>x</ttl>", ""),
    ("<ttl>9999999</ttl>", "seconds 31536000"),
    ("<sy:updatePeriod>hourly</sy:updatePeriod>", "seconds 3600"),
    ("<sy:updatePeriod>Daily</sy:updatePeriod>", "seconds 86400"),
    ("<sy:updatePeriod>weekly</sy:updatePeriod>", "seconds 604800"),
    ("<sy:updatePeriod>monthly</sy:updatePeriod>", "seconds 2592000"),
    ("<sy:updatePeriod>yearly</sy:updatePeriod>", "seconds 31536000"),
    ("<sy:updatePeriod>seldom</sy:updatePeriod>", ""),
    ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>2</sy:updateFrequency>", "seconds 43200"),
    ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>0</sy:updateFrequency>", "seconds 86400"),
    ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>-1</sy:updateFrequency>", "seconds 86400"),
    ("<sy:updatePeriod>daily</sy:updatePeriod><sy:updateFrequency>99999</sy:updateFrequency>", "seconds 8"),
    ("<sy:updatePeriod>daily</sy:updatePeriod><ttl>5</ttl>", "seconds 300"),
  ]

  @Test("a channel of RSS is read from each of these elements, and from the better one of two", arguments: channels)
  func channel(inside: String, expected: String) throws {
    let document = try feed("<rss \(Self.spaces)><channel>\(inside)<item><guid>1</guid></item></channel></rss>")
    #expect(fields(document) == expected)
  }

  private static let entries: [(String, String)] = [
    ("<id> 1 </id>", "id 1"), ("<title>a</title><title>b</title>", "title a"), ("<x:title>a</x:title>", ""),
    ("<title type='html'>a &amp;amp; b</title>", "title a & b"), ("<title>a &amp;amp; b</title>", "title a &amp; b"),
    ("<link href='/1'/>", "link http://example.org/1"),
    (
      "<link rel='alternate' type='text/plain' href='/1'/><link rel='alternate' type='text/html' href='/2'/>",
      "link http://example.org/2"
    ),
    (
      "<link type='application/xhtml+xml' href='/1'/><link type='text/html' href='/2'/>", "link http://example.org/1"
    ),
    ("<link type='text/html' href='/1'/><link href='/2'/>", "link http://example.org/1"),
    ("<link rel='ALTERNATE' href='/1'/>", "link http://example.org/1"),
    ("<link rel='http://www.iana.org/assignments/relation/alternate' href='/1'/>", "link http://example.org/1"),
    ("<link rel='related' href='/1'/>", ""),
    ("<link rel='replies' href='/1' thr:count='4'/>", "comments 4"), ("<thr:total>3</thr:total>", "comments 3"),
    (
      "<link rel='Enclosure' href='/a' title='T' length='9' type='a/b'/>", "file http://example.org/a a/b 9 T"
    ),
    ("<media:content url='/a' fileSize='3'/>", "file http://example.org/a 3"),
    ("<content>c</content><summary>s</summary>", "html <p>c</p>"), ("<summary type='html'>s</summary>", "html s"),
    ("<content type='text'>&lt;b>x&lt;/b></content>", "html <b>x</b>"),
    ("<content type='TEXT/HTML'>x</content>", "html x"), ("<content mode='escaped'>x</content>", "html x"),
    ("<content mode='xml'>x</content>", "html <p>x</p>"), ("<content mode='xml'><b>x</b></content>", "html <b>x</b>"),
    ("<content type='application/xml'><b>x</b></content>", "html <b>x</b>"),
    ("<content type='text'><b>x</b></content>", "html <b>x</b>"),
    ("<updated>2005-01-02</updated>", "on 2005-01-02; changed 2005-01-02"),
    ("<published>2004-12-29</published><updated>2005-01-02</updated>", "on 2004-12-29; changed 2005-01-02"),
    ("<issued>2004-12-29</issued>", "on 2004-12-29"), ("<created>2004-12-29</created>", "on 2004-12-29"),
    ("<dc:date>2004-12-29</dc:date>", "on 2004-12-29"),
    ("<modified>2004-12-29</modified>", "on 2004-12-29; changed 2004-12-29"),
    ("<author><name>Ann</name></author><author><name>Bob</name></author>", "by Ann"),
    ("<source><author><name>Sue</name></author></source>", "by Sue"),
    ("<source><author><name>Sue</name></author></source><author><name>Ann</name></author>", "by Ann"),
    ("<dc:creator>Ann</dc:creator>", "by Ann"),
    ("<category term='t'/>", "in t"), ("<category term='t' label='L'/>", "in L"), ("<category>c</category>", "in c"),
    ("<dc:subject>c</dc:subject>", "in c"),
  ]

  @Test("an entry of Atom is read from each of these elements, and from the better one of two", arguments: entries)
  func entry(inside: String, expected: String) throws {
    let document = try feed(
      "<feed xmlns='http://www.w3.org/2005/Atom' \(Self.spaces)><title>A</title><entry>\(inside)</entry></feed>")
    #expect(fields(try #require(document.entries.first)) == expected)
  }

  private static let members: [(String, String)] = [
    (#""id": " ""#, ""), (#""external_url": "/e""#, "link http://example.org/e"),
    (#""external_url": "/e", "url": "/u""#, "link http://example.org/u"),
    (#""title": "a\u0000b""#, "title ab"), (#""title": " ""#, ""),
    (#""content_text": "t", "content_html": "<p>h</p>""#, "html <p>h</p>"),
    (#""summary": "s", "content_text": "t""#, "html <p>t</p>"), (#""summary": "s""#, "html <p>s</p>"),
    (#""date_published": "2004-12-29", "date_modified": "2005-12-29""#, "on 2004-12-29; changed 2005-12-29"),
    (#""date_modified": "2005-12-29""#, "changed 2005-12-29"),
    (#""author": {"name": "Lee"}, "authors": [{"name": "Kim"}]"#, "by Kim"),
    (#""author": {"url": "/lee"}"#, ""),
    (
      #""attachments": [{"url": "/a", "mime_type": "a/b", "size_in_bytes": 5, "title": "T"}, {"url": "x:y"}]"#,
      "file http://example.org/a a/b 5 T"
    ),
  ]

  @Test("an item of JSON Feed is read from each of these members, and from the better one of two", arguments: members)
  func member(inside: String, expected: String) throws {
    let document = try feed("{\"items\": [{\(inside)}]}")
    #expect(fields(try #require(document.entries.first)) == expected)
  }

  @Test("feeds of Atom and JSON state their own fields")
  func feeds() throws {
    let atom = try feed(
      "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='de'><title>A</title><title>B</title><subtitle>S</subtitle>"
        + "<link href='/'/><link rel='next' href='/2'/><link rel='next' href='/3'/></feed>")
    #expect(
      fields(atom) == "title A; about S; site http://example.org/; language de; next http://example.org/2")
    let json = try feed(
      #"{"title": "J", "description": "D", "home_page_url": "/h", "language": "ko", "next_url": "/n", "items": []}"#)
    #expect(
      fields(json) == "title J; about D; site http://example.org/h; language ko; next http://example.org/n")
  }

  @Test("an entry has at most fifty categories and fifty files")
  func bounds() throws {
    let many = (0..<60).map { "<category>c\($0)</category><enclosure url='/\($0)'/>" }.joined()
    let entry = try #require(try feed("<rss><channel><item>\(many)</item></channel></rss>").entries.first)
    #expect(entry.categories.count == 50 && entry.categories.last == "c49")
    #expect(entry.enclosures.count == 50 && entry.enclosures.last?.url == "http://example.org/49")
  }
}
