import Foundation
import TestSupport
import Testing
import Wire

/// Search, the library and the day of the page, in Chromium, with a real daemon.
@Suite("The page in a browser: search, library, today", .timeLimit(.minutes(10)))
struct WebFindingTests {
  private static let walk = SamplePDF(pages: [.init(["A walk along the river"]), .init(["The heron waits"])]).bytes

  @Test("a search is narrowed, saved, asked again, and leads to the passage of a PDF")
  func search() async throws {
    let (_, browser) = try await WebPageTests.open()
    try await browser.upload("documents/add", [:], Self.walk, name: "My walk.pdf")
    try await browser.call("diary/add", ["text": "The slow heron."])
    try await browser.go("#/search")
    try await browser.type("heron", into: ".search-field")
    let rows = "document.querySelectorAll('cp-search .cp-row').length"
    try await browser.wait(for: "\(rows) === 2")
    try await browser.click(".search-tabs [value=documents]")
    try await browser.wait(for: "\(rows) === 1")
    try await browser.click(".search-bar > button")
    try await browser.type("Birds" + Browser.Key.enter, into: "#asked")
    try await browser.wait(for: "document.querySelector('.saved-searches').innerText.includes('Birds')")
    let saved = try await browser.call("search/saved")["items"]?[0]
    #expect(saved?["text"] == "heron" && saved?["collections"] == ["documents"])
    try await browser.type("zzz", into: ".search-field")
    try await browser.wait(for: "document.querySelector('cp-search .cp-list-message').checkVisibility()")
    try await browser.click(".saved-searches a")
    try await browser.wait(for: "\(rows) === 1 && location.hash.includes('saved=')")
    try await browser.takePicture("search-saved")
    try await browser.click("cp-search .cp-row")
    try await browser.wait(for: "document.querySelector('.page-field')?.value.startsWith('2')")
    try await browser.wait(for: "document.querySelectorAll('.hits .hit').length === 1")
    try await browser.value(of: "history.back()")
    try await browser.click(".saved-searches li button")
    try await browser.wait(for: "!document.querySelector('.saved-searches').checkVisibility()")
    #expect(try await browser.call("search/saved")["total"] == 0)
    try await browser.close()
  }

  @Test("the library says who changed what and takes back what is the page's own, files that it has sent too")
  func library() async throws {
    let (bridge, browser) = try await WebPageTests.open()
    try await browser.call("notes/add", ["id": "alder", "text": "Alder by the river"])
    try await browser.call("notes/update", ["id": "alder", "text": "Birch by the river"])
    try await browser.go("#/library")
    let rows = "document.querySelectorAll('.changes .cp-row').length"
    try await browser.wait(for: "\(rows) === 2")
    try await browser.click(".changes .cp-row")
    try await browser.wait(for: "document.querySelector('.changed-items ins')?.innerText === 'Birch'")
    try await browser.takePicture("changes")
    try await browser.click(".commit header .primary")
    try await browser.wait(for: "\(rows) === 3")
    #expect(try await browser.call("notes/get", ["id": "alder"])["text"] == "Alder by the river")
    // All items of a commit are reached.
    let cards = (0..<60).map { "- [ ] Card \($0)\n" }.joined()
    try await browser.upload("projects/import", ["format": "markdown"], cards.utf8)
    try await browser.wait(for: "\(rows) === 4")
    try await browser.click(".changes .cp-row")
    for count in [25, 50] {
      try await browser.wait(for: "document.querySelectorAll('.changed-items li').length === \(count)")
      try await browser.click(".changed-items + button")
    }
    try await browser.wait(for: "document.querySelectorAll('.changed-items li').length === 60")
    #expect(try await browser.value(of: "document.querySelector('.changed-items + button').hidden") == true)
    try await browser.click(".commit header .primary")
    try await browser.wait(for: "\(rows) === 5")
    #expect(try await browser.call("projects/list")["total"] == 0)
    // What another client did only that one takes back.
    _ = try await bridge.home.call("notes/add", "text=Cedar")
    try await browser.wait(for: "\(rows) === 6")
    try await browser.click(".changes .cp-row")
    try await browser.wait(for: "document.querySelector('.commit h2')?.innerText === 'Cedar'")
    #expect(try await browser.value(of: "document.querySelector('.commit header .primary')") == .null)
    try await browser.go("#/library/status")
    try await browser.wait(
      for: "document.querySelector('.status-groups').innerText.includes(arguments[0])",
      .string(bridge.home.library.path))
    try await browser.close()
  }

  @Test("the day shows what was read, marked, posted and due, other years, and where reading goes on")
  func today() async throws {
    let post = """
      <?xml version="1.0"?><rss version="2.0"><channel><title>Field notes</title><item><title>Geese over the fen</title>
      <guid>1</guid><description>Today.</description></item></channel></rss>
      """
    let server = try ScriptedServer { _ in .text(post, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    let (_, browser) = try await WebPageTests.open(CommandLineHome(isNoon: true, hasLibrary: true), at: "#/notes")
    let id = try #require(
      try await browser.upload("documents/add", [:], Self.walk, name: "My walk.pdf")["id"])
    try await browser.call("documents/addHighlight", ["id": id, "page": 1, "lines": ["The heron waits"]])
    try await browser.call("documents/setPosition", ["id": id, "page": 1])
    try await browser.call("projects/add", ["id": "late", "title": "Renew passport", "deadline": "2020-01-01"])
    let calendar = try await browser.call("diary/calendar")["today"]
    let today = try #require(calendar?.stringValue)
    let year = try #require(Int(today.prefix(4)))
    let before = "\(today.hasSuffix("02-29") ? year - 4 : year - 1)\(today.dropFirst(4))"
    try await browser.call("diary/add", ["day": .string(before), "text": "The first snow."])
    try await browser.call("boards/addSource", ["kind": "feed", "url": .string(server.origin + "/feed.xml")])
    let geese = try #require(try await browser.call("boards/posts")["items"]?[0]?["id"])
    try await browser.call("boards/save", ["ids": [geese], "saved": true])
    try await browser.go("#/today")
    for (section, words) in [
      ("events", "My walk"), ("events", "The heron waits"), ("events", "Geese over the fen"),
      ("past", "The first snow."), ("reading", "My walk"),
    ] {
      try await browser.wait(
        for: "document.querySelector(arguments[0]).innerText.includes(arguments[1])", .string(".today-\(section)"),
        .string(words))
    }
    try await browser.wait(for: "document.querySelector('.due-card .badge.danger')")
    try await browser.takePicture("today-whole")
    // A tick finishes a card, and Undo brings it back.
    try await browser.click(".due-card .tick")
    try await browser.wait(for: "!document.querySelector('.due-card')")
    #expect(try await browser.call("projects/get", ["id": "late"])["state"] == "done")
    try await browser.press(Browser.Key.control + "z")
    try await browser.wait(for: "document.querySelector('.due-card')")
    // Reading goes on where it was left.
    try await browser.click(".reading-list a")
    try await browser.wait(for: "document.querySelector('.page-field')?.value.startsWith('2')")
    try await browser.close()
  }
}
