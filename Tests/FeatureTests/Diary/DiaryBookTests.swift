import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Diary

@Suite("Diary: a book of a span") struct DiaryBookTests {
  @Test("the entries of a span are one page by month and day, with their details and the files that they show")
  func book() async throws {
    let bench = try await DiaryBench()
    let photo = try await bench.client.call("files/add", ["data": .string(SamplePicture.jpeg), "name": "river.jpg"])
    let shown = try #require(photo["markdown"]?.stringValue)
    let entries: [(text: String, day: String)] = [
      ("Before", "2026-09-30"), ("# A walk\n\nAlong the **river**.\n\n\(shown)", "2026-10-31"),
      ("Noon <b>", "2026-10-31"), ("Home", "2026-11-02"), ("After", "2026-12-01"),
    ]
    for (index, entry) in entries.enumerated() {
      _ = try await bench.client.call(
        "diary/add", ["id": .string("e\(index)"), "text": .string(entry.text), "day": .string(entry.day)])
    }
    _ = try await bench.client.call(
      "diary/update", ["id": "e1", "place": "Café & Co", "mood": "good", "tags": ["far"], "starred": true])
    let path = bench.daemon.folder.file("book")
    let reply = try await bench.client.call(
      "diary/export", ["path": .string(path), "format": "html", "from": "2026-10-01", "to": "2026-11-30"])
    #expect(reply["entries"] == 3)
    let page = try String(contentsOf: URL(filePath: path + "/diary.html"), encoding: .utf8)
    let headings = page.matches(of: /<h([1-6])>(.*?)<\/h[1-6]>/).map { "\($0.output.1) \($0.output.2)" }
    #expect(
      headings == [
        "1 October 2026", "2 Saturday, October 31, 2026", "3 A walk", "3 Noon &lt;b&gt;", "1 November 2026",
        "2 Monday, November 2, 2026", "3 Home",
      ])
    #expect(page.contains("<p>Along the <strong>river</strong>.</p>"))
    #expect(page.contains("<p class=\"about\">★ · Café &amp; Co · good · #far</p>"), "\(page)")
    let file = try #require(page.firstMatch(of: /<img src="(files\/[0-9a-f]{64}\.jpg)"/)).output.1
    let bytes = try Data(contentsOf: URL(filePath: "\(path)/\(file)"))
    #expect(bytes == Data(base64Encoded: SamplePicture.jpeg))
    #expect(page.hasPrefix("<!doctype html>") && page.contains("<html lang=\"en-US\">") && !page.contains("<script"))
    let again = try await bench.client.failure("diary/export", ["path": .string(path), "format": "html"])
    #expect(again?.kind == "exists")
    await bench.stop()
  }

  @Test("a span without entries is a page without entries")
  func empty() async throws {
    let bench = try await DiaryBench()
    _ = try await bench.client.call("diary/add", ["text": "A walk", "day": "2026-10-31"])
    let path = bench.daemon.folder.file("book")
    let reply = try await bench.client.call(
      "diary/export", ["path": .string(path), "format": "html", "from": "2020-01-01", "to": "2020-01-31"])
    #expect(reply["entries"] == 0)
    let page = try String(contentsOf: URL(filePath: path + "/diary.html"), encoding: .utf8)
    #expect(page.hasPrefix("<!doctype html>") && page.hasSuffix("<body>\n") && page.contains("<title>"), "\(page)")
    await bench.stop()
  }

  @Test(
    "Markdown is HTML for reading",
    arguments: [
      ("a\nb\n\nc", "<p>a<br>\nb</p>\n<p>c</p>\n"), ("## Two *words*", "<h2>Two <em>words</em></h2>\n"),
      ("#tag", "<p>#tag</p>\n"), ("---", "<hr>\n"), ("`a*b*` \\*c*", "<p><code>a*b*</code> *c*</p>\n"),
      ("***both*** __x__ ~~gone~~", "<p><strong><em>both</em></strong> <strong>x</strong> <s>gone</s></p>\n"),
      ("a * b * c, 2*3*4 and a_b_c **", "<p>a * b * c, 2<em>3</em>4 and a_b_c **</p>\n"),
      ("<script>&\"", "<p>&lt;script&gt;&amp;&quot;</p>\n"),
      ("```swift\n<a> *b*\n```\nc", "<pre><code>&lt;a&gt; *b*\n</code></pre>\n<p>c</p>\n"),
      ("~~~\nopen", "<pre><code>open\n</code></pre>\n"),
      ("> a\n> > b\n\nc", "<blockquote>\n<p>a</p>\n<blockquote>\n<p>b</p>\n</blockquote>\n</blockquote>\n<p>c</p>\n"),
      (
        "- a\n- [x] b\n  1. c\n- d\n\ne",
        "\n<ul>\n<li>a</li>\n<li>☑ b\n<ol>\n<li>c</li>\n</ol>\n</li>\n<li>d</li>\n</ul>\n<p>e</p>\n"
      ),
      ("[a *b*](https://a.example/?x=1&y=2)", "<p><a href=\"https://a.example/?x=1&amp;y=2\">a <em>b</em></a></p>\n"),
      (
        "![](files/a.jpg) ![film](files/b.mp4) ![far](https://a.example/c.png)",
        "<p><img src=\"files/a.jpg\" alt=\"\"> <a href=\"files/b.mp4\">film</a> "
          + "<a href=\"https://a.example/c.png\">far</a></p>\n"
      ),
      ("[bad](javascript:alert(1)) [open](x", "<p>bad) [open](x</p>\n"),
      ("[it](commonplace:/diary/a) [[Dune]]", "<p>it [[Dune]]</p>\n"),
    ])
  func markdown(text: String, html: String) {
    let found = MarkdownHTML.html(of: text) { destination in
      let url = String(destination)
      if url.hasPrefix("files/") { return url.hasSuffix("jpg") ? .picture(url) : .page(url) }
      return url.hasPrefix("https:") ? .page(url) : nil
    }
    #expect(found == html)
  }

  @Test("a text of nothing but marks costs no more than its length")
  func hostile() {
    for mark in ["[", "![](", "*_", "`` ` ", "> ", "- ", "\\", "***a", "[a](b"] {
      let text = String(repeating: mark, count: 200_000 / mark.count)
      let html = MarkdownHTML.html(of: text) { _ in nil }
      #expect(html.utf8.count >= 3 && html.utf8.count < 40 * text.utf8.count, "\(mark)")
    }
    // A run of marks in a line of text, which begins no block.
    for mark in ["~", "*", "_", "`"] {
      let run = String(repeating: mark, count: 200_000)
      let start = ContinuousClock.now
      let html = MarkdownHTML.html(of: "a" + run) { _ in nil }
      // Far more than a linear reading takes, also on a busy machine.
      #expect(ContinuousClock.now - start < .seconds(30), "\(mark)")
      #expect(html.hasPrefix("<p>a") && html.hasSuffix("</p>\n"), "\(mark)")
    }
  }
}
