import Contract
import Foundation
import Markup
import Testing

@Suite("articles of web pages") struct ArticleTests {
  /// What an article of the fixtures has, and what of its page it has not.
  struct Page: CustomTestStringConvertible, Sendable {
    let name: String
    let title: String
    var writer: String?
    var site: String?
    let has: [String]
    let lacks: [String]
    var testDescription: String { name }
  }

  private static let folder = URL(filePath: #filePath).appending(path: "../../../FeatureTests/Fixtures/articles")
    .standardized

  static let pages = [
    Page(
      name: "weblog", title: "Loomings", writer: "Ishmael Reed", site: "The Harbour Log",
      has: ["Call me Ishmael.", "The city by the water", "• A knife", "> It is a truth", "nothing particular"],
      lacks: ["Share this", "Related", "Posted in", "every time I find", "Recent posts", "© 2026", "Skip to"]),
    Page(
      name: "news", title: "Netherfield Park is let at last", writer: "Jane Long", site: "County Chronicle",
      has: ["It is a truth universally", "A mixture of quick parts", "But look! here come"],
      lacks: [
        "cookies", "More on this story", "Advertisement", "morning letter", "You may also", "Most read", "Sign up",
      ]),
    Page(
      name: "tables", title: "Die Verwandlung", has: ["Als Gregor Samsa", "gänzlich undurchführbar"],
      lacks: ["Startseite", "Zuletzt geändert", "Bibliothek am Fluss"]),
    Page(
      name: "encyclopedia", title: "Harpoon",
      has: ["A harpoon is a long", "Acushnet", "The toggle harpoon", "History"],
      lacks: ["From the free", "Categories", "last edited", "1 History"]),
    Page(
      name: "manual", title: "Opening a library",
      has: [
        "A library is a folder", "for entry in library.entries {\n  print(entry.title)", "The first line of the text.",
      ],
      lacks: ["Home / Guide", "Previous:", "Built with care"]),
    Page(
      name: "korean", title: "동백꽃이 피는 마을", site: "강원일보", has: ["오늘도 또 우리 수탉이", "긴치 않은 수작을"],
      lacks: ["무단전재", "관련기사", "많이 본 뉴스", "대표전화"]),
    Page(
      name: "japanese", title: "吾輩は猫である", has: ["名前はまだ無い", "あまりに突起している"], lacks: ["おすすめ", "話題1", "©"]),
    Page(
      name: "letter", title: "On driving off the spleen", writer: "Herman M.",
      has: ["Call me Ishmael.", "A chart of the bay", "Mr. Bennet was so odd"],
      lacks: ["Thanks for reading", "Write a comment", "Privacy", "Subscribe"]),
    Page(
      name: "sections", title: "The annual report of the harbour master",
      has: ["Ships", "Call me Ishmael.", "Weather", "Quarter", "visiting and news"], lacks: ["Tides", "Harbour office"]),
    Page(
      name: "recipe", title: "Clam chowder as at the Try Pots", site: "Galley Cook",
      has: ["small juicy clams", "• Six ship biscuits", "3. Pour in the water", "with great expedition"],
      lacks: ["Popular recipes", "Soups"]),
  ]

  @Test("the article of a page is its text, without what stands around it", arguments: pages)
  func page(page: Page) throws {
    let data = try Data(contentsOf: Self.folder.appending(path: "\(page.name).html"))
    let article = try Article.extract(from: data, contentType: nil, url: "https://site.example/1")
    #expect(article.title == page.title && article.writer == page.writer && article.site == page.site)
    for text in page.has { #expect(article.body.text.contains(text), "\(text)") }
    for text in page.lacks { #expect(!article.body.text.contains(text), "\(text)") }
    #expect(
      !article.body.html.contains("<script") && !article.body.html.contains(" class=") && !article.body.isTruncated)
  }

  private static func article(_ html: String, _ selector: String? = nil) throws -> Article {
    try Article.extract(
      from: Data(html.utf8), contentType: "text/html; charset=utf-8", url: "https://site.example/a/b?c=1",
      selector: selector.map { try #require(ElementSelector($0)) })
  }

  private static let long = String(repeating: "The tide came in, and the boats went out to sea. ", count: 8)

  @Test("a page states its own URL, of its own host only, its date, and the base of its links")
  func metadata() throws {
    func url(_ head: String) throws -> Article { try Self.article("<head>\(head)</head><body><p>\(Self.long)</p>") }
    #expect(try url("<link rel=canonical href='/own'>").canonicalURL == "https://site.example/own")
    #expect(
      try url("<meta property='og:url' content='https://site.example/og'>").canonicalURL == "https://site.example/og")
    #expect(try url("<link rel=canonical href='https://other.example/own'>").canonicalURL == nil)
    #expect(try url("<link rel=canonical href='javascript:x()'>").canonicalURL == nil)
    let date = try url("<meta property='article:published_time' content='2026-11-20T08:30:00Z'>").publishedAt
    #expect(date == FeedDates.instant("2026-11-20T08:30:00Z") && date != nil)
    let based = try Self.article(
      "<head><base href='https://cdn.example/x/'></head><p>\(Self.long)<a href='y'>y</a><img src='z.png'></p>")
    #expect(based.body.html.contains("https://cdn.example/x/y") && based.body.images == ["https://cdn.example/x/z.png"])
    #expect(
      try Self.article("<title>The long title - Site</title><h1>The long title</h1><p>\(Self.long)</p>").title
        == "The long title")
    #expect(try Self.article("<h1>Only a heading</h1><p>\(Self.long)</p>").title == "Only a heading")
  }

  @Test("a page that has no article gives no text, or little, and one that is empty none")
  func none() throws {
    for html in ["", "<html></html>", "<body><nav><a href=/>Home</a></nav></body>", "<script>var a = 1</script>"] {
      let article = try Self.article(html)
      #expect(article.body.text.isEmpty && article.body.html.isEmpty, "\(html)")
    }
    #expect(try Self.article("<p>Short.</p>").body.text == "Short.")
    #expect(try Self.article("<p hidden>\(Self.long)</p><p style='display: none'>\(Self.long)</p>").body.text.isEmpty)
  }

  @Test("a selector takes the outermost elements that it matches, in the page's order")
  func selector() throws {
    let html = """
      <div id=main class="post big"><p class=x>One</p><div class=post><p lang=de>Two</p></div></div>
      <section data-kind="text-body"><p>Three</p><ul><li>Four</li></ul></section>
      """
    let rows: [(String, String)] = [
      ("#main", "One\n\nTwo"), (".post", "One\n\nTwo"), ("div.post.big", "One\n\nTwo"), (".post .post", "Two"),
      ("div > p", "One\n\nTwo"), ("body > p", ""), ("[lang]", "Two"), ("p[lang=de], ul", "Two\n\n• Four"),
      ("[data-kind^=text]", "Three\n\n• Four"), ("[data-kind$='body'] p", "Three"),
      ("[data-kind*=\"xt-b\"] > ul", "• Four"),
      ("[class~=big] > p", "One"), ("*[id]", "One\n\nTwo"), ("section p, .x", "One\n\nThree"), (".none", ""),
      ("P.x", "One"), ("div div div", ""),
    ]
    for (selector, text) in rows { #expect(try Self.article(html, selector).body.text == text, "\(selector)") }
    let deep = String(repeating: "<div class=a>", count: 150) + "Deep"
    #expect(try Self.article(deep, ".a .a .a > .a .a .a .a > .a").body.text == "Deep")
  }

  @Test(
    "what is no selector, or another part of CSS, is refused",
    arguments: [
      "", " ", ",", "a,", "a >", "> a", "a:hover", "a::before", "[", "[a", "[a=]", "a + b", "a ~ b", "#", ".", "..a",
      "#a#b",
      "a b c d e f g h i", "[a=\"b]", String(repeating: "a", count: 501),
    ])
  func noSelector(text: String) { #expect(ElementSelector(text) == nil) }

  @Test("hostile pages end: deep ones, long ones, ones that are cut anywhere")
  func hostile() throws {
    let deep = String(repeating: "<div><p>a, b</p>", count: 20_000)
    #expect(try !Self.article(deep).body.text.isEmpty)
    let lists = "<ul>" + String(repeating: "<li><a href=/x>a link of a list</a>", count: 20_000)
    _ = try Self.article(lists)
    let data = try Data(contentsOf: Self.folder.appending(path: "news.html"))
    for count in stride(from: 0, to: data.count, by: 331) {
      let article = try Article.extract(from: data.prefix(count), contentType: nil, url: "https://site.example/1")
      #expect(!article.body.html.contains("<script"))
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try Article.extract(from: Data(deep.utf8), contentType: nil, url: "https://a.example/") { throw Stop() }
    }
  }
}
