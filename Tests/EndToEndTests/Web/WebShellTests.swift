import Foundation
import TestSupport
import Testing
import Wire

/// What holds on every screen of the page.
@Suite("Every screen of the page in a browser", .timeLimit(.minutes(10)))
struct WebShellTests {
  @Test("Ctrl+K finds over a dialog too, and what it leads to closes the dialog")
  func paletteOverDialog() async throws {
    let home = CommandLineHome(hasLibrary: true)
    _ = try await home.call("notes/add", "id=alder", "text=Alder")
    let (_, browser) = try await WebPageTests.open(home)
    try await browser.wait(for: "document.querySelector('.today-due')")
    try await browser.press("?")
    try await browser.wait(for: "document.querySelector('.key-tables')")
    try await browser.press(Browser.Key.control + "k")
    try await browser.type("Alder", into: ".palette-field")
    try await browser.wait(
      for: "[...document.querySelectorAll('.palette-option')].some((each) => each.innerText.includes('Alder'))")
    try await browser.press(Browser.Key.enter)
    try await browser.wait(for: "location.hash === '#/notes/alder' && !document.querySelector('dialog')")
    try await browser.close()
  }

  /// What axe finds that is serious, as its rule and the first element.
  private static let found = """
    axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`))
    """

  @Test("axe finds nothing serious on any screen, empty and with items, in light and dark colours")
  func accessible() async throws {
    let packages = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/python")
    let axe = try String(
      contentsOf: packages.appending(path: "axe_playwright_python/axe.min.js"), encoding: .utf8)
    let home = CommandLineHome(hasLibrary: true)
    let (_, browser) = try await WebPageTests.open(home)
    func check(_ address: String, until condition: String, _ theme: String) async throws {
      try await browser.value(of: "location.hash = arguments[0]", .string(address))
      try await browser.wait(
        for: "(() => { const shown = document.querySelector('.screen:not([hidden])'); return \(condition); })()")
      let found = try await browser.value(of: Self.found).arrayValue ?? ["nothing was looked at"]
      #expect(found == [], "\(address), \(theme)")
    }
    func checkScreens(_ theme: String) async throws {
      for name in ["today", "documents", "boards", "diary", "projects", "notes", "books", "search", "library"] {
        try await check(
          "#/\(name)", until: "shown?.localName.includes('\(name)') && shown.innerText.length > 10", theme)
      }
    }
    func turn(_ theme: String) async throws {
      try await browser.value(
        of: "\(WebPageTests.kernel).then(({ prefs, applyTheme }) => { prefs.set('theme', '\(theme)'); applyTheme(); })")
    }
    try await browser.value(of: "(() => { \(axe)\nreturn true; })()")
    try await checkScreens("empty")

    let path = "\(home.work)/walk.pdf"
    try Data(SamplePDF(pages: [.init(["A walk along the river"])], title: "Walk").bytes).write(to: URL(filePath: path))
    let document = try #require(
      try await home.call("documents/add", "path=\(path)", "tags:=[\"river\"]")["id"]?.stringValue)
    _ = try await home.call("documents/addHighlight", "id=\(document)", "page=0", "lines:=[\"A walk along the river\"]")
    let post = try #require(
      try await home.call(
        "boards/keep", "url=https://site.example/walk", "html=<title>Walk</title><p>Along the river.")[
          "id"]?.stringValue)
    _ = try await home.call("diary/add", "text=A walk along the slow river. #river")
    _ = try await home.call("notes/add", "id=alder", "text=# Alder\nBy the [[river]].")
    _ = try await home.call("projects/add", "id=book", "title=Return the book", "deadline=2020-12-24")
    _ = try await home.call("search/save", "text=river")
    for theme in ["light", "dark"] {
      try await turn(theme)
      try await checkScreens(theme)
      try await check("#/documents/\(document)", until: "document.querySelector('.highlight-button')", theme)
      try await browser.press("M")
      try await check("#/documents/\(document)", until: "document.querySelector('.mark-list')", theme)
      try await check("#/boards/\(post)?list=saved", until: "document.querySelector('.post:not([hidden]) h2')", theme)
      try await check(
        "#/notes/alder", until: "document.querySelector('cp-notes .entry-text')?.value.includes('river')", theme)
      try await check("#/search?q=river", until: "document.querySelector('cp-search .cp-row mark')", theme)
      try await check("#/library/transfer", until: "shown.innerText.includes('Backup')", theme)
      try await check("#/projects/book", until: "document.querySelector('dialog[open]')", theme)
      try await check("#/today", until: "!document.querySelector('dialog')", theme)
      try await browser.click(".shell-foot button")
      try await check("#/today", until: "document.querySelector('.menu')", theme)
      try await browser.press(Browser.Key.escape)
      try await browser.press(Browser.Key.control + "k")
      try await browser.type("river", into: ".palette-field")
      try await check("#/today", until: "document.querySelector('.palette-option mark')", theme)
      try await browser.press(Browser.Key.escape)
    }
    try await browser.close()
  }
}
