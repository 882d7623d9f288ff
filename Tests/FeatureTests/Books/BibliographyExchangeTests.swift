import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Books: bibliographies in and out") struct BibliographyExchangeTests {
  @Test(
    "what the shelf writes is known when it comes back, and whole on another shelf",
    arguments: ["bibtex", "ris", "csl"])
  func roundTrip(format: String) async throws {
    let bench = try await BookBench()
    try await bench.add(
      "100% & {more}: a -- test", ["Ludwig van Beethoven", "한강", "Barnes and Noble", "Nix, Garth"], id: "a",
      [
        "byHand": [
          "subtitle": "sub\\title", "publisher": "A & B", "published": "2009", "isbn": "0486269574", "language": "en",
        ], "status": "read",
      ])
    try await bench.add("둘", ["한강"], id: "b", ["status": "want"])
    let text = try await bench.export(format)
    let before = try await bench.shelf(["sort": "title"])
    let known = try await bench.importing(text)
    #expect(known["known"] == 2 && known["format"] == .string(format), "\(known)")
    for book in before { _ = try await bench.client.call("books/removeFromShelf", ["id": book.id]) }
    let report = try await bench.importing(text)
    #expect(report["added"] == 2 && report["notes"] == [], "\(report)")
    let after = try await bench.shelf(["sort": "title"])
    for (old, new) in zip(before, after) {
      for field in ["title", "subtitle", "publisher", "published", "isbns", "language"] {
        #expect(old[field] == new[field], "\(field)")
      }
      #expect(old["shelf"]?["citationKey"] == new["shelf"]?["citationKey"])
    }
    #expect(
      after[0]["authors"] == ["Ludwig van Beethoven", "한강", "Barnes and Noble", "Garth Nix"], "\(after[0])")
    #expect(try await bench.importing(text)["known"] == 2)
    await bench.stop()
  }

  @Test("a PDF that a bibliography names for a book is linked to it, if it is a document and beside the bibliography")
  func files() async throws {
    let bench = try await BookBench()
    let folder = bench.daemon.folder.file("My Library")
    try FileManager.default.createDirectory(atPath: folder + "/files/7", withIntermediateDirectories: true)
    let pdf = folder + "/files/7/Emma.pdf"
    try Data(SamplePDF(["Emma"]).bytes).write(to: URL(filePath: pdf))
    let document = try await bench.client.call("documents/add", ["path": .string(pdf)])
    let bib = folder + "/library.bib"
    try """
    @book{emma, title = {Emma}, author = {Austen, Jane}, note = {Lent.}, annote = {Read twice.},
      file = {Full Text:files/7/Emma.pdf:application/pdf;Elsewhere:../x.pdf:application/pdf}}
    @book{persuasion, title = {Persuasion}, author = {Austen, Jane}, file = {:files/7/../7/Emma.pdf:PDF}}

    """.write(toFile: bib, atomically: true, encoding: .utf8)
    #expect(try await bench.client.call("books/import", ["path": .string(bib)])["added"] == 2)
    let emma = try await bench.shelf(["query": "Emma"])[0]["shelf"]
    #expect(emma?["documents"] == [document.id] && emma?["note"] == "Lent.\n\nRead twice.", "\(emma ?? .null)")
    #expect(try await bench.shelf(["query": "Persuasion"])[0]["shelf"]?["documents"] == [])
    #expect(try await bench.client.call("books/import", ["path": .string(bib)])["known"] == 2)
    await bench.stop()
  }

  @Test(
    "the books of a bibliography come in with their keys, tags and notes; what is no book is listed, and not lost silently"
  )
  func bibtex() async throws {
    let bench = try await BookBench()
    let text = """
      @book{nix:sabriel, title = {Sabriel}, author = {Nix, Garth}, year = 1995, isbn = {0-06-027322-4},
        keywords = {fantasy, bells}, note = {lent}}
      @article{k, title = {An Article}, author = {Knuth, Donald}, journal = {J}}
      @book{bad key, title = {Broken}}
      @mvbook{han, title = {소년이 온다}, author = {한강}, date = {2014-05}}
      """
    let report = try await bench.importing(text)
    #expect(report["added"] == 2 && report["skipped"] == 2 && report["format"] == "bibtex", "\(report)")
    #expect(report["notes"]?[0]?["title"] == "An Article" && report["notes"]?[0]?["line"] == 3)
    #expect(report["notes"]?[0]?["display"]?.text.contains("article-journal") == true)
    let shelf = try await bench.shelf(["sort": "title"])
    let sabriel = try #require(shelf.first { $0["title"] == "Sabriel" })
    #expect(sabriel["shelf"]?["citationKey"] == "nix:sabriel" && sabriel["shelf"]?["tags"] == ["fantasy", "bells"])
    #expect(sabriel["shelf"]?["note"] == "lent" && sabriel["authors"] == ["Garth Nix"])
    let han = try #require(shelf.first { $0["title"] == "소년이 온다" })
    #expect(han["published"] == "2014-05" && han["shelf"]?["citationKey"] == "han")
    // A changed entry with the same key follows the file.
    let changed = text.replacing("note = {lent}", with: "note = {lent}, publisher = {Harper}")
    #expect(try await bench.importing(changed)["updated"] == 1)
    let now = try await bench.client.call("books/get", ["id": sabriel.id])
    #expect(now["publisher"] == "Harper")
    await bench.stop()
  }

  @Test("a file of no books at all, and one that is cut off, say so")
  func refused() async throws {
    let bench = try await BookBench()
    func failure(_ text: String, _ format: JSONValue) async throws -> RemoteError? {
      try await bench.client.failure(
        "books/import", ["data": .string(Data(text.utf8).base64EncodedString()), "format": format])
    }
    #expect(try await failure("nothing here", "bibtex")?.kind == "corrupt")
    #expect(try await failure("nothing here", "ris")?.kind == "corrupt")
    #expect(try await failure("[{]", "csl")?.kind == "corrupt")
    #expect(try await failure("", "csl")?.kind == "corrupt")
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }
}
