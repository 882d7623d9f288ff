import Foundation
import TestSupport
import Testing
import Wire

/// The books of the page, in Chromium, with a real daemon and a catalogue of the test's.
@Suite("The page in a browser: books", .timeLimit(.minutes(10)))
struct WebBooksTests {
  /// Open Library with one book, and its cover.
  private static func catalogue() throws -> ScriptedServer {
    let hit: JSONValue = [
      "key": "/works/OL1W", "title": "The Peregrine", "author_name": ["J. A. Baker"], "cover_i": 77,
    ]
    return try ScriptedServer { request in
      switch request.path {
      case "/search.json":
        let docs: JSONValue = request.query["offset"] == "0" ? [hit] : []
        let page: JSONValue = ["numFound": 1, "start": 0, "docs": docs]
        return .text(page.description, [("Content-Type", "application/json")])
      case let path where path.hasPrefix("/covers"):
        return .answer(200, [("Content-Type", "image/png")], body: Data(base64Encoded: SamplePicture.png) ?? Data())
      default: return .text("{}", [("Content-Type", "application/json")])
      }
    }
  }

  @Test("a book is found in a catalogue as one types, is put on the shelf, changes as others change it, and is cited")
  func found() async throws {
    let server = try Self.catalogue()
    defer { server.stop() }
    let home = CommandLineHome(hasLibrary: true)
    try home.configure(
      """
      [books.google]
      url = "\(server.origin)/google"
      [books.openLibrary]
      url = "\(server.origin)"
      covers = "\(server.origin)/covers"
      """)
    let (_, browser) = try await WebPageTests.open(home, at: "#/books")
    try await browser.wait(for: "document.querySelector('cp-books .empty')")
    try await browser.press("c")
    try await browser.type("pereg", into: "cp-books input[type=search]")
    try await browser.wait(for: "document.querySelector('cp-books cp-list').innerText.includes('The Peregrine')")
    try await browser.wait(for: "document.querySelector('cp-books .cp-row img')?.naturalWidth === 40")
    try await browser.takePicture("catalogue")
    // Of what was typed on the way the catalogue knows nothing.
    let asked = server.requests.filter { $0.path == "/search.json" }.compactMap { $0.query["q"] }
    #expect(Set(asked) == ["pereg"])
    try await browser.click("cp-books .cp-row")
    try await browser.click(".status-offer .primary")
    try await browser.type("Read on the train.", into: ".shelf-form textarea")
    let book = try await browser.call("books/shelf")["items"]?[0]
    #expect(book?["title"] == "The Peregrine")
    let id = try #require(book?["shelf"]?["id"]?.stringValue)
    _ = try await home.call(
      "books/updateOnShelf", "id=\(id)", "title=The Hill of Summer", "publisher=Collins", "pageCount:=223")
    for (place, words) in [(".book-head", "The Hill of Summer"), (".book-head", "Collins"), (".progress-field", "223")]
    {
      try await browser.wait(
        for: "document.querySelector(arguments[0]).innerText.includes(arguments[1])", .string(place), .string(words))
    }
    #expect(try await browser.value(of: "document.querySelector('.shelf-form textarea').value") == "Read on the train.")
    try await browser.click(".book-top button", with: "Cite")
    try await browser.wait(for: "document.querySelectorAll('.citation').length === 3")
    #expect(try await browser.value(of: "document.querySelector('.citation pre').innerText.includes('Summer')") == true)
    try await browser.close()
  }

  @Test("doubtful rows of an import are decided, and the goal of the year is set and taken back")
  func review() async throws {
    let (_, browser) = try await WebPageTests.open()
    for (publisher, isbn) in [("Scribner", "9780743273565"), ("Penguin", "9780141182636")] {
      let book: JSONValue = [
        "title": "The Great Gatsby", "authors": ["F. Scott Fitzgerald"], "publisher": .string(publisher),
        "isbn": .string(isbn),
      ]
      try await browser.call("books/addToShelf", ["byHand": book])
    }
    let rows = "title,authors,isbn\nThe Great Gatsby,F. Scott Fitzgerald,9780140283297\n,Nobody,\n"
    #expect(try await browser.upload("books/import", [:], rows.utf8)["undecided"] == 2)
    try await browser.go("#/books")
    try await browser.click(".review-open")
    try await browser.wait(for: "document.querySelectorAll('.review').length === 2")
    try await browser.takePicture("review")
    try await browser.click(".review .candidates .primary")
    try await browser.wait(for: "document.querySelectorAll('.review').length === 1")
    try await browser.type("Walking", into: ".review input")
    try await browser.click(".review .form-actions button")
    try await browser.wait(for: "document.querySelector('.review-view .empty').checkVisibility()")
    let titles = try await browser.call("books/shelf")["items"]?.arrayValue?.compactMap { $0["title"]?.stringValue }
    #expect(titles?.sorted() == ["The Great Gatsby", "The Great Gatsby", "Walking"])
    try await browser.go("#/books")
    try await browser.value(of: "document.activeElement.blur()")
    try await browser.press("y")
    try await browser.type("12" + Browser.Key.enter, into: "#year-goal")
    try await browser.wait(forNotice: "Books to read this year")
    #expect(try await browser.call("books/statistics")["goal"]?["books"] == 12)
    try await browser.click(".notice:last-child button", with: "Undo")
    try await browser.wait(forNotice: "Undone")
    #expect(try await browser.call("books/statistics")["goal"] == nil)
    try await browser.close()
  }
}
