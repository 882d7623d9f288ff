import Foundation
import Testing

@testable import Markup

@Suite("The entries of a page without a feed") struct PageListTests {
  private func read(_ html: String, _ selector: String) throws -> FeedDocument {
    try PageList.read(
      Data(html.utf8), contentType: "text/html; charset=utf-8", url: "https://site.example/news/",
      items: #require(ElementSelector(selector)))
  }

  @Test("an entry has its heading's link, else its first one with words; the heading as its title; a date; safe HTML")
  func entries() throws {
    let document = try read(
      """
      <title>News of the hall</title><nav><a href=/>Home</a></nav><ul>
      <li><a href=/pic><img src=p.png alt=''></a><h3><a href='1?a=1&amp;b=2'>Soup</a></h3>
        <time datetime=2026-11-27T12:00:00Z>Friday</time><p onclick=x()>At <b>noon</b>.<script>x()</script></p></li>
      <li><a href=//other.example/2><h3>Bread</h3></a></li>
      <li><time>2026-11-26</time> <a href=3> A walk </a> and <a href=4>more</a></li>
      <li>No link</li><li><a href='javascript:x()'>Bad</a></li><li><a href=3>The same</a></li></ul>
      """, "ul > li")
    #expect(
      document.entries.map(\.link) == [
        "https://site.example/news/1?a=1&b=2", "https://other.example/2", "https://site.example/news/3",
      ])
    #expect(document.entries.map(\.title) == ["Soup", "Bread", "A walk"])
    #expect(document.entries.map { $0.published?.text } == ["2026-11-27T12:00:00Z", nil, "2026-11-26"])
    #expect(document.entries[2].published?.instant != nil)
    #expect(document.entries.map(\.id) == document.entries.map { $0.link ?? "" })
    #expect(document.entries.allSatisfy { !$0.hasOwnID && $0.html?.contains("x()") == false })
    #expect(document.entries[0].html?.contains("<b>noon</b>") == true)
    #expect(document.title == "News of the hall" && document.isComplete && !document.isTruncated)
  }

  @Test(
    "links are resolved by the page's base, and an element that is a link is an entry itself",
    arguments: [
      ("<base href=/b/><p class=n><a href=x>T</a></p>", ".n", "https://site.example/b/x"),
      ("<a class='n m' href=x>T</a><a href=y>U</a>", "a.n", "https://site.example/news/x"),
      ("<div id=l><div><a href='?p=1'>T</a></div></div>", "#l div", "https://site.example/news/?p=1"),
    ])
  func links(html: String, selector: String, link: String) throws {
    let entries = try read(html, selector).entries
    #expect(entries.map(\.link) == [link] && entries.map(\.title) == ["T"])
  }

  @Test("a page without such elements has no entries, and one with very many is cut and says so")
  func bounds() throws {
    #expect(try read("<p><a href=x>T</a></p>", "article").entries.isEmpty)
    #expect(try read("", "article").entries.isEmpty)
    let many = (0..<10_050).map { "<p><a href=\($0)>\($0)</a></p>" }.joined()
    let document = try read(many, "p")
    #expect(document.entries.count == 10_000 && document.isTruncated)
    let nested = String(repeating: "<p><a href=x>T</a>", count: 1_000) + String(repeating: "<div>", count: 10_000)
    #expect(try read(nested, "p").entries.count <= 1, "each has the same link")
  }
}
