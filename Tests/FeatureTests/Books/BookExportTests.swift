import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import Exchange
@testable import Kit

@Suite("Books: giving files and citing") struct BookExportTests {
  /// Two books with everything that is hard to write.
  private func fill(_ bench: BookBench) async throws {
    try await bench.add(
      "100% & {more}: a \"test\", _really_", ["Ludwig van Beethoven", "한강", "Barnes and Noble", "Nix, Garth"], id: "a",
      [
        "byHand": [
          "subtitle": "sub\\title", "publisher": "A & B", "published": "March 2009", "isbn": "0486269574",
          "pageCount": 99, "language": "en", "description": "two\nlines",
        ], "status": "read", "started": "2026-01-02", "finished": "2026-01-03", "rating": 4.5,
        "note": " kept\r\nas, it \"is\" ", "tags": ["x y", "한글"], "quotes": [["text": "q,\n\"r\"", "page": 3]],
      ])
    try await bench.add("둘", id: "b", ["status": "want"])
  }

  @Test("a table for a spreadsheet has no cell that is a formula there, and comes back as it was")
  func spreadsheet() async throws {
    let bench = try await BookBench()
    let titles = [
      "=1+1", "+1", "-1 below", "@SUM(A1)", "'t Hooft", "'=quoted", "plain = x", "Kim; =1+1", "a;'=b;\"+c\"; d",
    ]
    for (number, title) in titles.enumerated() {
      try await bench.add(
        title, ["=Ann"], id: "b\(number)", ["note": "\t=x\r\n-y\n'@z; w", "tags": ["a", "-a"]])
    }
    let export = try await bench.client.call("books/export", ["inline": true, "format": "csv", "spreadsheet": true])
    let bytes = try #require(Data(base64Encoded: export["data"].text))
    let table = try DelimitedText(Array(bytes))
    for cell in table.rows.flatMap(\.cells) {
      #expect(!["\t", "\r", "\n"].contains { cell.hasPrefix($0) }, "\(cell)")
      // Also of a spreadsheet that splits cells, whatever stands around them.
      for part in cell.unicodeScalars.split(whereSeparator: { ";\t\r\n".unicodeScalars.contains($0) }) {
        let words = part.drop { $0 == " " || $0 == "\"" }
        #expect(!["=", "+", "-", "@"].contains { words.first == $0 }, "\(cell)")
      }
    }
    #expect(table.rows[1].cells.last == "title; authors; note; tags")
    let before = try await bench.shelf(["sort": "title"])
    #expect(try await bench.importing(String(decoding: bytes, as: UTF8.self))["known"] == 9)
    for book in before { _ = try await bench.client.call("books/removeFromShelf", ["id": book.id]) }
    let report = try await bench.importing(String(decoding: bytes, as: UTF8.self))
    #expect(report["added"] == 9 && report["notes"] == [])
    let after = try await bench.shelf(["sort": "title"])
    #expect(after.map { $0["title"] } == before.map { $0["title"] })
    #expect(after.map { $0["shelf"]?["note"] } == before.map { $0["shelf"]?["note"] })
    #expect(after.map { $0["shelf"]?["tags"] } == before.map { $0["shelf"]?["tags"] })
    await bench.stop()
  }

  @Test("G22 a table goes out and comes back as it was, by the rules of RFC 4180", arguments: ["csv", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await BookBench()
    try await fill(bench)
    let text = try await bench.export(format)
    let before = try await bench.shelf(["sort": "title"])
    #expect(try await bench.importing(text)["known"] == 2, "the same library knows them")
    for book in before { _ = try await bench.client.call("books/removeFromShelf", ["id": book.id]) }
    let report = try await bench.importing(text)
    #expect(report["added"] == 2 && report["notes"] == [])
    let after = try await bench.shelf(["sort": "title"])
    for (old, new) in zip(before, after) {
      for field in [
        "title", "subtitle", "authors", "publisher", "published", "isbns", "pageCount", "language", "description",
      ] {
        #expect(old[field] == new[field], "\(field)")
      }
      for field in [
        "status", "started", "finished", "progress", "rating", "note", "tags", "quotes", "citationKey", "addedAt",
      ] {
        #expect(old["shelf"]?[field] == new["shelf"]?[field], "\(field)")
      }
      if format == "jsonl" { #expect(old.id == new.id) }
    }
    #expect(try await bench.importing(text)["known"] == 2)
    await bench.stop()
  }

  @Test("G22 BibTeX keeps letters, splits names as far as they can be split, and escapes what means something to it")
  func bibtex() async throws {
    let bench = try await BookBench()
    try await fill(bench)
    let text = try await bench.export("bibtex")
    let wanted = """
      @book{beethoven2009,
        author = {van Beethoven, Ludwig and {한강} and {Barnes and Noble} and Nix, Garth},
        title = {{100\\% \\& \\{more\\}: a "test", \\_really\\_}},
        subtitle = {{sub\\textbackslash{}title}},
        publisher = {{A \\& B}},
        year = {2009},
        isbn = {9780486269573},
        pagetotal = {99},
        language = {en}
      }

      """
    #expect(text.hasPrefix(wanted), "\(text)")
    #expect(text.contains("title = {{둘}}"))
    let cited = try await bench.client.call("books/cite", ["id": "a", "format": "bibtex"])
    #expect(cited["text"] == .string(wanted) && cited["key"] == "beethoven2009")
    await bench.stop()
  }

  @Test("G22 CSL-JSON is a list of items with names, dates and numbers in their parts")
  func csl() async throws {
    let bench = try await BookBench()
    try await fill(bench)
    let items = try JSONParser.parse(try await bench.export("csl")).arrayValue ?? []
    let item = items[0]
    #expect(items.count == 2 && item["id"] == "beethoven2009" && item["type"] == "book")
    #expect(item["author"]?[0] == ["family": "Beethoven", "given": "Ludwig", "non-dropping-particle": "van"])
    #expect(item["author"]?[1] == ["literal": "한강"])
    #expect(item["issued"] == ["date-parts": [[2009, 3]]] && item["ISBN"] == "9780486269573")
    #expect(item["number-of-pages"] == 99 && item["abstract"] == "two\nlines")
    #expect(item["language"] == "en" && item["publisher"] == "A & B")
    let title = "100% & {more}: a \"test\", _really_"
    #expect(item["title-short"] == .string(title) && item["title"] == .string(title + ": sub\\title"))
    #expect(items[1]["title"] == "둘" && items[1]["language"] == nil && items[1]["title-short"] == nil)
    let cited = try await bench.client.call("books/cite", ["id": "b", "format": "csl"])
    #expect(try JSONParser.parse(cited["text"].text)[0]?["title"] == "둘")
    await bench.stop()
  }

  @Test("what stands behind a name is a part of its own in a citation, and of no other part")
  func suffixes() async throws {
    let bench = try await BookBench()
    try await bench.add("One", ["Kurt Vonnegut Jr.", "Martin Luther King III"], id: "j")
    let bibtex = try await bench.client.call("books/cite", ["id": "j", "format": "bibtex"])
    #expect(bibtex["text"].text.contains("author = {Vonnegut, Jr., Kurt and King, III, Martin Luther}"), "\(bibtex)")
    let cited = try await bench.client.call("books/cite", ["id": "j", "format": "csl"])
    let authors = try JSONParser.parse(cited["text"].text)[0]?["author"]
    #expect(authors?[0] == ["family": "Vonnegut", "given": "Kurt", "suffix": "Jr."])
    #expect(authors?[1] == ["family": "King", "given": "Martin Luther", "suffix": "III"])
    await bench.stop()
  }

  @Test("G22 a citation key is the book's own: a second such book gets a letter, and no edit changes it")
  func keys() async throws {
    let bench = try await BookBench()
    func key(_ title: String, _ author: String, _ year: String, id: String) async throws -> String {
      try await bench.add(title, [author], id: id, ["byHand": ["published": .string(year)]])["shelf"]?["citationKey"]
        .text ?? ""
    }
    #expect(try await key("One", "Han Kang", "2017", id: "a") == "kang2017")
    #expect(try await key("Two", "Jiyoung Kang", "2017", id: "b") == "kang2017a")
    #expect(try await key("Three", "강경애", "2017", id: "c") == "gang2017")
    #expect(try await key("Four", "Kang", "2017", id: "d") == "kang2017b")
    #expect(try await key("Five", "Søren Kierkegaard", "1843", id: "e") == "kierkegaard1843")
    #expect(try await key("Six", "村上春樹", "2009", id: "f") == "村上春樹2009")
    #expect(try await key("Seven", "Émile Zola", "190?", id: "g") == "zoland")
    _ = try await bench.client.call(
      "books/updateOnShelf", ["id": "a", "title": "Other", "authors": ["Somebody"], "published": "1999"])
    #expect(try await bench.client.call("books/cite", ["id": "a", "format": "bibtex"])["key"] == "kang2017")
    let renamed = try await bench.client.call("books/updateOnShelf", ["id": "a", "citationKey": "mine:1"])
    #expect(renamed["shelf"]?["citationKey"] == "mine:1")
    for key in ["kang2017A", "has space", "a,b", "{x}"] {
      #expect(
        try await bench.refusal("books/updateOnShelf", ["id": "a", "citationKey": .string(key)]) == "citationKey",
        "\(key)")
    }
    #expect(try await bench.refusal("books/cite", ["id": "google.zyTCAlFPjgYC", "format": "csl"]) == "notFound")
    await bench.stop()
  }

  @Test("G22 an export overwrites nothing, and leaves nothing where it fails")
  func files() async throws {
    let bench = try await BookBench()
    try await fill(bench)
    let path = bench.daemon.folder.file("books.bib")
    let written = try await bench.client.call("books/export", ["path": .string(path), "format": "bibtex"])
    #expect(written["books"] == 2 && FileManager.default.fileExists(atPath: path))
    #expect(try await bench.refusal("books/export", ["path": .string(path), "format": "csv"]) == "exists")
    let nowhere = JSONValue.string(bench.daemon.folder.file("none/books.csv"))
    #expect(try await bench.refusal("books/export", ["path": nowhere, "format": "csv"]) == "notFound")
    #expect(try await bench.refusal("books/export", ["format": "csv"]) != "none")
    let one = try await bench.client.call("books/export", ["inline": true, "format": "jsonl", "status": "want"])
    #expect(one["books"] == 1)
    await bench.stop()
  }

  @Test(
    "facts edited in a file of our own come back: at once where the shelf is as it was then, else as a question",
    arguments: ["csv", "jsonl"])
  func ownEdits(format: String) async throws {
    let bench = try await BookBench()
    // A cell cannot hold such a name exactly, and that is no edit.
    _ = try await bench.add("First Title", ["Ann; Bob"], id: "one")
    _ = try await bench.add("Second Title", ["Cid"], id: "two")
    let file = try await bench.export(format)
    let same = try await bench.importing(file)
    #expect(same["known"] == 2 && same["updated"] == 0 && same["undecided"] == 0)
    let edited = file.replacing("First Title", with: "The First").replacing("Second Title", with: "The Second")
    _ = try await bench.client.call("books/updateOnShelf", ["id": "two", "note": "read it"])
    let report = try await bench.importing(edited)
    #expect(report["updated"] == 1 && report["undecided"] == 1 && report["added"] == 0)
    let titles = try await bench.shelf().map { $0["title"].text }
    #expect(Set(titles) == ["The First", "Second Title"])
    let one = try await bench.client.call("books/get", ["id": "one"])
    #expect(one["authors"] == ["Ann; Bob"])
    let review = try await bench.client.call("books/review").items[0]
    _ = try await bench.client.call("books/decide", ["id": review.id, "choice": "same"])
    let two = try await bench.client.call("books/get", ["id": "two"])
    #expect(two["title"] == "The Second")
    await bench.stop()
  }

  @Test("a cell that a spreadsheet would take for a formula goes out as it is, and comes back as it was")
  func formulas() async throws {
    let titles = ["=HYPERLINK(\"http://x\")", "+1", "-30-", "@War", "'=kept'", "\t=tab"]
    let bench = try await BookBench()
    for (number, title) in titles.enumerated() { _ = try await bench.add(title, ["Ann"], id: "book-\(number)") }
    let kept = Set(try await bench.shelf().map { $0["title"].text })
    let csv = try await bench.export("csv")
    #expect(csv.contains("\"=HYPERLINK(\"\"http://x\"\")\"") && csv.contains(",+1,") && csv.contains(",@War,"))
    await bench.stop()
    let other = try await BookBench()
    #expect(try await other.importing(csv)["added"] == .integer(Int64(titles.count)))
    #expect(Set(try await other.shelf().map { $0["title"].text }) == kept)
    await other.stop()
  }
}
