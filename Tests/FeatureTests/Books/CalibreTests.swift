import Client
import Contract
import Foundation
import SQLite
import Store
import TestSupport
import Testing
import Wire

@testable import Books

@Suite("Books: a calibre library") struct CalibreTests {
  private func library(_ bench: BookBench, _ more: String = "") throws -> String {
    let folder = bench.daemon.folder.file("Calibre Library")
    try CalibreSample.write(into: folder, more)
    return folder
  }

  private func bytes(_ folder: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(filePath: folder + "/metadata.db")))
  }

  @Test("a library comes with its authors, series, ratings, tags, columns, highlights and progress")
  func whole() async throws {
    let bench = try await BookBench()
    let folder = try library(bench)
    let before = try bytes(folder)
    let report = try await bench.client.call("books/import", ["path": .string(folder)])
    #expect(report["format"] == "calibre" && report["added"] == 3 && report["notes"] == [], "\(report)")
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["title"] } == ["Mort", "Nobody knows", "Sabriel"])
    let sabriel = books[2]
    #expect(sabriel["authors"] == ["Garth Nix", "King, Jr."] && sabriel["publisher"] == "HarperCollins")
    #expect(sabriel["isbn13"] == "9780060273224" && sabriel["published"] == "1995-06-30")
    #expect(sabriel["series"] == [["name": "Abhorsen", "number": 1]] && sabriel["language"] == "eng")
    #expect(sabriel["pageCount"] == 491 && sabriel["description"]?.text.contains("There are dead.") == true)
    let shelf = sabriel["shelf"] ?? .null
    #expect(shelf["status"] == "read" && shelf["finished"] == "2021-05-01" && shelf["rating"] == 4.5)
    #expect(shelf["tags"] == ["Fantasy", "Fiction.Young", "mood/dark", "mood/slow"])
    #expect(shelf["note"] == "Read twice.\n\nCupboard: Top left")
    #expect(shelf["addedAt"] == "2021-04-05T12:00:00.000Z")
    let mort = books[0]["shelf"] ?? .null
    #expect(mort["status"] == "reading" && mort["progress"] == ["percent": 42.5] && mort["rating"] == nil)
    #expect(mort["quotes"] == [["text": "First."], ["text": "Second.", "note": "Mine."]])
    // A number of pages that is none is not lost.
    #expect(mort["note"] == "Pages: -1" && books[0]["published"] == nil && books[0]["pageCount"] == nil)
    #expect(books[1]["authors"] == [] && books[1]["shelf"]?["status"] == "want")
    #expect(try await bench.client.call("search/query", ["text": "\"top left\" in:books"]).items.count == 1)
    #expect(try bytes(folder) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["Garth Nix", "metadata.db"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }

  @Test("the next import has what changed in calibre, and leaves what changed here")
  func again() async throws {
    let bench = try await BookBench()
    let folder = try library(bench)
    #expect(try await bench.client.call("books/import", ["path": .string(folder)])["added"] == 3)
    #expect(try await bench.client.call("books/import", ["path": .string(folder + "/")])["known"] == 3)
    let sabriel = try await bench.shelf(["query": "Sabriel"])[0].id
    _ = try await bench.client.call("books/updateOnShelf", ["id": sabriel, "tags": ["mine"]])
    try CalibreSample.write(
      into: folder,
      """
      UPDATE books SET title = 'MORT' WHERE id = 2;
      UPDATE last_read_positions SET pos_frac = 0.8 WHERE device = 'phone';
      INSERT INTO custom_column_2 (book, value) VALUES (2, 0);
      """)
    let report = try await bench.client.call("books/import", ["path": .string(folder + "/metadata.db")])
    #expect(report["known"] == 2 && report["updated"] == 1, "\(report)")
    let mort = try await bench.shelf(["query": "Mort"])[0]
    #expect(mort["title"] == "MORT" && mort["shelf"]?["progress"] == ["percent": 80])
    #expect(try await bench.shelf(["query": "Sabriel"])[0]["shelf"]?["tags"] == ["mine"])
    await bench.stop()
  }

  @Test("a PDF of the library that is a document is linked to its book, also when it became one later")
  func documents() async throws {
    let bench = try await BookBench()
    let folder = try library(bench)
    #expect(try await bench.client.call("books/import", ["path": .string(folder)])["added"] == 3)
    let sabriel = try await bench.shelf(["query": "Sabriel"])[0]
    #expect(sabriel["shelf"]?["documents"].list == [])
    let file = folder + "/" + CalibreSample.file
    let document = try await bench.client.call("documents/add", ["path": .string(file)])
    let report = try await bench.client.call("books/import", ["path": .string(folder)])
    #expect(report["updated"] == 1 && report["known"] == 2, "\(report)")
    let linked = try await bench.client.call("books/get", ["id": sabriel.id])
    #expect(linked["shelf"]?["documents"] == [document.id] && linked["shelf"]?["note"] == sabriel["shelf"]?["note"])
    // A link that was removed here stays removed.
    _ = try await bench.client.call("books/updateOnShelf", ["id": sabriel.id, "documents": []])
    try CalibreSample.write(into: folder, "UPDATE books SET title = 'Sabriel!' WHERE id = 1;")
    #expect(try await bench.client.call("books/import", ["path": .string(folder)])["updated"] == 1)
    let unlinked = try await bench.client.call("books/get", ["id": sabriel.id])
    #expect(unlinked["title"] == "Sabriel!" && unlinked["shelf"]?["documents"].list == [])
    await bench.stop()
  }

  @Test("a book of another import gets the documents of its row in calibre beside its own, once")
  func joinedDocuments() async throws {
    let bench = try await BookBench()
    let csv = "Title,Authors,ISBN/UID,Read Status,Star Rating\nSabriel,Garth Nix,9780060273224,read,4.0\n"
    #expect(try await bench.importing(csv)["added"] == 1)
    let folder = try library(bench)
    let copy = bench.daemon.folder.file("own.pdf")
    try Data(SamplePDF(["Another copy"]).bytes).write(to: URL(filePath: copy))
    let own = try await bench.client.call("documents/add", ["path": .string(copy)]).id
    let file = folder + "/" + CalibreSample.file
    let added = try await bench.client.call("documents/add", ["path": .string(file)]).id
    let book = try await bench.shelf(["query": "Sabriel"])[0].id
    _ = try await bench.client.call("books/updateOnShelf", ["id": book, "documents": [own]])
    for updated in [1, 0] as [JSONValue] {
      let report = try await bench.client.call("books/import", ["path": .string(folder)])
      #expect(report["updated"] == updated, "\(report)")
      let shelf = try await bench.client.call("books/get", ["id": book])["shelf"]
      #expect(shelf?["documents"] == [own, added], "\(shelf ?? .null)")
    }
    await bench.stop()
  }

  @Test("the path of a cover is not stored with a row, which may be of an archive: each device has its own")
  func storedCover() throws {
    var book = ImportedBook(origin: "calibre/1", facts: BookFacts(), content: ShelfContent(), row: [:])
    book.cover = "/home/ann/private/cover.jpg"
    #expect(try !StoredJSON(book).json.contains("cover.jpg"))
    var stored = try JSONParser.parse(StoredJSON(book).json).objectValue ?? [:]
    stored["cover"] = "/home/ann/private/cover.jpg"
    let review = StoredJSON<ImportedBook>(stored: JSONValue.object(stored).description)
    #expect(try review.value().cover == nil && review.value().origin == "calibre/1")
  }

  @Test("a cover of the library is shown from there as long as it is a picture, also for a book of an earlier import")
  func covers() async throws {
    let bench = try await BookBench()
    let folder = try library(bench)
    let cover = parentFolder(of: folder + "/" + CalibreSample.file) + "/cover.jpg"
    _ = try await bench.client.call("books/import", ["path": .string(folder)])
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["hasCover"] } == [false, false, true])
    let id = books[2].id
    func shown() async throws -> JSONValue {
      try await bench.client.call("books/cover", ["id": id, "inline": true])
    }
    #expect(try await shown()["placeholder"] == true, "the file is missing")
    let bytes = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A, 0x46, 0x49, 0x46])
    try bytes.write(to: URL(filePath: cover))
    let found = try await shown()
    #expect(found["path"] == .string(cover) && found["mediaType"] == "image/jpeg", "\(found)")
    #expect(found["data"] == .string(bytes.base64EncodedString()) && found["placeholder"] == false)
    try Data("no picture".utf8).write(to: URL(filePath: cover))
    #expect(try await shown()["placeholder"] == true)
    // A library that was moved is found when it is imported again, and a folder outside of it is never looked into.
    let moved = bench.daemon.folder.file("Moved")
    try FileManager.default.moveItem(atPath: folder, toPath: moved)
    try bytes.write(to: URL(filePath: cover.replacing(folder, with: moved)))
    #expect(try await bench.client.call("books/import", ["path": .string(moved)])["known"] == 3)
    #expect(try await shown()["path"] == .string(cover.replacing(folder, with: moved)))
    try CalibreSample.write(into: moved, "UPDATE books SET path = '../x', has_cover = 1 WHERE id = 2;")
    _ = try await bench.client.call("books/import", ["path": .string(moved)])
    #expect(try await bench.shelf(["query": "Mort"])[0]["hasCover"] == false)
    await bench.stop()
  }

  @Test("a folder with neither a library nor books of KOReader is refused, unless its format is named")
  func noLibrary() async throws {
    let bench = try await BookBench()
    let folder = bench.daemon.folder.file("Empty")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let failure = try await bench.client.failure("books/import", ["path": .string(folder)])
    #expect(failure?.data?["kind"] == "corrupt")
    let named = try await bench.client.call("books/import", ["path": .string(folder), "format": "koreader"])
    #expect(named["added"] == 0 && named["format"] == "koreader")
    await bench.stop()
  }

  @Test("a book of another import joins its row in calibre by its ISBN")
  func joined() async throws {
    let bench = try await BookBench()
    let csv = "Title,Authors,ISBN/UID,Read Status,Star Rating\nSabriel,Garth Nix,9780060273224,read,4.0\n"
    #expect(try await bench.importing(csv)["added"] == 1)
    let folder = try library(bench)
    let report = try await bench.client.call("books/import", ["path": .string(folder)])
    #expect(report["added"] == 2 && report["updated"] == 1, "\(report)")
    let book = try await bench.shelf(["query": "Sabriel"])[0]
    #expect(book["shelf"]?["rating"] == 4 && book["series"]?[0]?["name"] == "Abhorsen")
    #expect(report["notes"].list.map { $0["field"] } == ["rating"], "\(report)")
    await bench.stop()
  }

  @Test("a library that is damaged, or whose tables are views or endless, is refused or read without them")
  func hostile() async throws {
    let bench = try await BookBench()
    func imported(_ bytes: [UInt8]) async throws -> String? {
      try await bench.client.failure(
        "books/import",
        ["data": .string(Data(bytes).base64EncodedString()), "format": "calibre", "dryRun": true])?.kind
    }
    let endless = try library(
      bench,
      """
      DROP TABLE books;
      CREATE VIEW books AS
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x AS id, 'x' AS title FROM n;
      """)
    #expect(try await imported(bytes(endless)) == "corrupt")
    #expect(try await imported(Array("no database".utf8)) == "corrupt")
    #expect(
      try await bench.client.failure("books/import", ["path": .string(bench.daemon.folder.path), "format": "calibre"])?
        .kind == "notFound")
    // A column that names a table of the schema, or none; a path out of the folder; values of other types.
    let odd = try library(
      bench,
      """
      INSERT INTO custom_columns (id, label, name, datatype, is_multiple, normalized) VALUES
        (99, 'gone', 'Gone', 'text', 0, 1), (-1, '"', '"; --', 'nonsense', 0, 0);
      UPDATE books SET path = '../../../etc', pubdate = 'soon', timestamp = 5, series_index = 'x';
      UPDATE data SET name = 'passwd';
      INSERT INTO books_authors_link (book, author) VALUES (1, 1000), (77, 7);
      """)
    #expect(try await imported(bytes(odd)) == nil)
    let whole = try bytes(library(bench))
    for length in stride(from: 16, to: whole.count, by: 8_191) {
      _ = try await imported(Array(whole.prefix(length)))
    }
    for place in stride(from: 16, to: whole.count, by: 2_039) {
      var bytes = whole
      bytes[place] ^= 0xFF
      _ = try await imported(bytes)
    }
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }

  @Test("a large library is read by the path of its file too, without the name of its format")
  func large() async throws {
    let bench = try await BookBench()
    let folder = try library(bench, "CREATE TABLE filler (x); INSERT INTO filler VALUES (zeroblob(68000000));")
    let report = try await bench.client.call("books/import", ["path": .string(folder + "/metadata.db")])
    #expect(report["format"] == "calibre" && report["added"] == 3, "\(report)")
    await bench.stop()
  }

  @Test("a small file in which one name, one column or one mark counts very often is refused, or stays small")
  func amplified() async throws {
    let bench = try await BookBench()
    // The table of one column, declared again under other labels.
    let repeated = try library(
      bench,
      """
      CREATE TABLE copies AS SELECT * FROM custom_columns;
      DROP TABLE custom_columns;
      CREATE TABLE custom_columns AS SELECT * FROM copies;
      WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 50)
        INSERT INTO custom_columns (id, label, name, datatype, mark_for_delete, is_multiple)
        SELECT 1, 'again' || x, 'Again', 'text', 0, 1 FROM n;
      INSERT INTO annotations (book, format, user_type, user, timestamp, annot_id, annot_type, annot_data) VALUES
        (2, 'EPUB', 'local', 'viewer', 6.0, 'f', 'highlight', '[0,0,0]'),
        (2, 'EPUB', 'local', 'viewer', 7.0, 'g', 'highlight', '{"highlighted_text": 5}');
      """)
    #expect(try await bench.client.call("books/import", ["path": .string(repeated)])["added"] == 3)
    let tags = try await bench.shelf(["query": "Sabriel"])[0]["shelf"]?["tags"]
    #expect(tags == ["Fantasy", "Fiction.Young", "mood/dark", "mood/slow"])
    // Forty books that each have a long name five hundred times.
    let long = try library(
      bench,
      """
      DROP TABLE books_tags_link;
      CREATE TABLE books_tags_link (book INTEGER, tag INTEGER);
      UPDATE tags SET name = replace(hex(zeroblob(2000)), '00', '책') WHERE id = 1;
      WITH RECURSIVE n(x) AS (SELECT 4 UNION ALL SELECT x + 1 FROM n WHERE x < 43)
        INSERT INTO books (id, title, uuid) SELECT x, 'Long ' || x, 'u' || x FROM n;
      WITH RECURSIVE n(x) AS (SELECT 0 UNION ALL SELECT x + 1 FROM n WHERE x < 19999)
        INSERT INTO books_tags_link (book, tag) SELECT 4 + x / 500, 1 FROM n;
      """)
    let failure = try await bench.client.failure("books/import", ["path": .string(long), "format": "calibre"])
    #expect(failure?.kind == "corrupt")
    await bench.stop()
  }
}
