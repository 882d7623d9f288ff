import Books
import Client
import Contract
import Foundation
import SQLite
import TestSupport
import Testing
import Wire

@Suite("Books: passages and progress of e-readers") struct EReaderTests {
  private static func clipping(_ title: String, _ place: String, _ text: String) -> String {
    "\(title)\r\n- \(place)\r\n\r\n\(text)\r\n==========\r\n"
  }

  private func quotes(_ book: JSONValue) -> [JSONValue] { book["shelf"]?["quotes"].list ?? [] }

  @Test("the clippings of a Kindle become passages with their pages and notes, in the order of the book")
  func kindle() async throws {
    let bench = try await BookBench()
    let title = "\u{FEFF}Sabriel (Abhorsen, #1) (Nix, Garth)"
    let file = [
      Self.clipping(title, "Your Highlight on page 20 | location 300-301 | Added on Monday, 5 April 2021", "Later."),
      Self.clipping(title, "Your Note on page 20 | location 301 | Added on Monday, 5 April 2021", "My note."),
      Self.clipping(title, "Your Highlight on page 12 | location 170-73 | Added on Monday, 5 April 2021", "Does the"),
      Self.clipping(
        title, "Your Highlight on page 12 | location 170-175 | Added on Tuesday, 6 April 2021", "Does the walker"),
      Self.clipping(title, "Your Bookmark on page 30 | location 400 | Added on Tuesday, 6 April 2021", ""),
      Self.clipping(
        title, "Your Highlight on page 40 | location 500-501 | Added on Tuesday, 6 April 2021",
        "<You have reached the clipping limit for this item>"),
      Self.clipping("No author", "Your Highlight at location 5-6 | Added on Tuesday, 6 April 2021", "Two\r\nlines."),
    ].joined()
    let report = try await bench.importing(file)
    #expect(report["format"] == "kindle" && report["added"] == 2 && report["skipped"] == 0)
    #expect(report["notes"].list.map { $0["field"] } == ["quotes", "quotes"], "\(report)")
    let books = try await bench.shelf(["sort": "title"])
    #expect(
      books[1]["title"] == "Sabriel" && books[1]["authors"] == ["Garth Nix"]
        && books[1]["series"] == [["name": "Abhorsen", "number": 1]])
    #expect(
      quotes(books[1]) == [
        ["text": "Does the walker", "page": 12], ["text": "Later.", "page": 20, "note": "My note."],
      ])
    #expect(quotes(books[0]) == [["text": "Two\nlines."]] && books[0]["authors"] == [])
    #expect(books.map { $0["shelf"]?["status"] } == ["reading", "reading"])
    #expect(try await bench.importing(file)["known"] == 2)
    // What is copied is found by its words.
    #expect(try await bench.client.call("search/query", ["text": "walker in:books"]).items.count == 1)
    await bench.stop()
  }

  @Test(
    "the places of a Kindle's clippings are read in the language of the device",
    arguments: [
      ("Ihre Markierung auf Seite 12 | bei Position 170-173 | Hinzugefügt am Montag, 5. April 2021", 12),
      ("La subrayado en la página 12 | Posición 170-173 | Añadido el lunes, 5 de abril de 2021", 12),
      ("Votre surlignement sur la page 12 | emplacement 170-173 | Ajouté le lundi 5 avril 2021", 12),
      ("12페이지의 하이라이트 | 위치 170-173 | 추가된 날짜: 2021년 4월 5일 월요일", 12),
      ("12ページ|位置No. 170-173のハイライト |作成日: 2021年4月5日月曜日", 12),
      ("您在第 12 页（位置 #170-173）的标注 | 添加于 2021年4月5日星期一", 12),
      ("Ваш выделенный отрывок на странице 12 | место 170–173 | Добавлено: понедельник, 5 апреля 2021", 12),
      ("Highlight Loc. 170-73 | Added on Monday, April 05, 2021", nil),
      ("Your Highlight on page xii | location 170-173 | Added on Monday, April 5, 2021", nil),
    ] as [(String, Int64?)])
  func languages(place: String, page: Int64?) async throws {
    let bench = try await BookBench()
    let file = Self.clipping("Sabriel (Garth Nix)", place, "Words.")
    #expect(try await bench.importing(file)["added"] == 1)
    let book = try await bench.shelf()[0]
    #expect(quotes(book).map { $0["text"] } == ["Words."])
    #expect(quotes(book)[0]["page"]?.integerValue == page, "\(book)")
    await bench.stop()
  }

  @Test("notes are notes in the language of the device, and stay with their passage")
  func notes() async throws {
    for place in [
      "Ihre Notiz auf Seite 12 | bei Position 173", "Mi nota en la página 12 | Posición 173",
      "12페이지의 메모 | 위치 173", "12ページ|位置No. 173のメモ ", "您在第 12 页（位置 #173）的笔记",
    ] {
      let bench = try await BookBench()
      // The note comes first in the file, as on some devices.
      let file =
        Self.clipping("Sabriel (Garth Nix)", place + "| 2021", "Mine.")
        + Self.clipping("Sabriel (Garth Nix)", "Your Highlight on page 12 | location 170-173 | Added", "Words.")
      #expect(try await bench.importing(file)["added"] == 1)
      #expect(try await quotes(bench.shelf()[0]) == [["text": "Words.", "page": 12, "note": "Mine."]], "\(place)")
      await bench.stop()
    }
  }

  @Test("passages of one page stand in the order of their locations, and a note with the one in whose location it lies")
  func samePage() async throws {
    let bench = try await BookBench()
    func clipping(_ kind: String, _ location: String, _ text: String) -> String {
      Self.clipping("Sabriel (Garth Nix)", "Your \(kind) on page 12 | location \(location) | Added", text)
    }
    let file = [
      clipping("Highlight", "180-181", "Later."), clipping("Highlight", "170-173", "Earlier."),
      clipping("Note", "181", "Of the later."),
      clipping("Highlight", "190-191", "Behind it."),
    ].joined()
    #expect(try await bench.importing(file)["added"] == 1)
    #expect(
      try await quotes(bench.shelf()[0]) == [
        ["text": "Earlier.", "page": 12], ["text": "Later.", "page": 12, "note": "Of the later."],
        ["text": "Behind it.", "page": 12],
      ])
    await bench.stop()
  }

  @Test("clippings join the passages of a book on the shelf, and later ones its own changes")
  func joined() async throws {
    let bench = try await BookBench()
    let own: JSONObject = ["status": "read", "finished": "2020-01-02", "quotes": [["text": "Mine.", "page": 1]]]
    let id = try await bench.add("Sabriel", ["Garth Nix"], own).id
    let place = "Your Highlight on page 12 | location 170-173 | Added on Monday"
    let first = Self.clipping("Sabriel (Nix, Garth)", place, "Does the walker")
    let report = try await bench.importing(first)
    #expect(report["updated"] == 1 && report["notes"] == [], "\(report)")
    func texts() async throws -> [JSONValue?] {
      try await quotes(bench.client.call("books/get", ["id": id])).map { $0["text"] }
    }
    #expect(try await texts() == ["Mine.", "Does the walker"])
    #expect(try await bench.shelf()[0]["shelf"]?["status"] == "read")
    _ = try await bench.client.call("books/updateOnShelf", ["id": id, "addQuotes": [["text": "Another."]]])
    // The passage was marked again, a few words longer, and there is a new one.
    let longer = "Your Highlight on page 12 | location 170-175 | Added on Tuesday"
    let second =
      first + Self.clipping("Sabriel (Nix, Garth)", longer, "Does the walker choose")
      + Self.clipping("Sabriel (Nix, Garth)", "Your Highlight on page 14 | location 200-201 | Added", "New.")
    #expect(try await bench.importing(second)["updated"] == 1)
    #expect(try await texts() == ["Mine.", "Another.", "Does the walker choose", "New."])
    #expect(try await bench.importing(second)["known"] == 1)
    _ = try await bench.client.call("changes/undo")
    #expect(try await texts() == ["Mine.", "Does the walker", "Another."])
    await bench.stop()
  }

  @Test("a passage that was removed here does not come back with the next import")
  func removed() async throws {
    let bench = try await BookBench()
    let one = Self.clipping("Sabriel (Garth Nix)", "Your Highlight on page 1 | location 10-11 | Added", "One.")
    let two = Self.clipping("Sabriel (Garth Nix)", "Your Highlight on page 2 | location 20-21 | Added", "Two.")
    let three = Self.clipping("Sabriel (Garth Nix)", "Your Highlight on page 3 | location 30-31 | Added", "Three.")
    _ = try await bench.importing(one + two)
    let id = try await bench.shelf()[0].id
    _ = try await bench.client.call("books/updateOnShelf", ["id": id, "removeQuotes": [["text": "One."]]])
    #expect(try await bench.importing(one + two + three)["updated"] == 1)
    #expect(try await quotes(bench.shelf()[0]).map { $0["text"] } == ["Two.", "Three."])
    await bench.stop()
  }

  // MARK: - KOReader

  private static let koreader = #"""
    -- /mnt/onboard/Sabriel.sdr/metadata.epub.lua
    return {
        ["annotations"] = {
            [1] = {
                ["chapter"] = "Prologue",
                ["color"] = "yellow",
                ["datetime"] = "2024-01-05 10:11:12",
                ["drawer"] = "lighten",
                ["note"] = "Mine.",
                ["page"] = "/body/DocFragment[8]/body/p[3]/text().0",
                ["pageno"] = 12,
                ["pageref"] = "9",
                ["text"] = "Does the \"walker\"\
    choose? \227\129\130",
            },
            [2] = { ["datetime"] = "2024-01-05 10:12:12", ["page"] = "/body", ["text"] = "in Prologue" },
            [3] = { ["drawer"] = "underscore", ["pageno"] = 14, ["text"] = 'Second.' },
        },
        ["css"] = "./data/epub.css",
        ["doc_pages"] = 300,
        ["doc_path"] = "/mnt/onboard/Sabriel.epub",
        ["doc_props"] = {
            ["authors"] = "Garth Nix\
    Ann Lee",
            ["identifiers"] = "uuid:1234\
    ISBN:9780060273224",
            ["language"] = "en",
            ["series"] = "Abhorsen",
            ["series_index"] = 1,
            ["title"] = "Sabriel",
        },
        ["margins"] = { 1, -2.5e1, [[long]], [==[ ]] ]==], },
        ["partial_md5_checksum"] = "0a1b2c",
        ["percent_finished"] = 0.534,
        ["summary"] = { ["modified"] = "2024-02-03", ["note"] = "Good.", ["rating"] = 4, ["status"] = "reading", },
    }

    """#

  @Test("a sidecar of KOReader brings passages, progress, rating, note and what the book is")
  func koreader() async throws {
    let bench = try await BookBench()
    let report = try await bench.importing(Self.koreader)
    #expect(report["format"] == "koreader" && report["added"] == 1 && report["notes"] == [], "\(report)")
    let book = try await bench.shelf()[0]
    #expect(book["title"] == "Sabriel" && book["authors"] == ["Garth Nix", "Ann Lee"] && book["language"] == "en")
    #expect(book["isbn13"] == "9780060273224" && book["series"] == [["name": "Abhorsen", "number": 1]])
    #expect(book["pageCount"] == nil, "the pages of an EPUB depend on the screen")
    let shelf = book["shelf"] ?? .null
    #expect(shelf["status"] == "reading" && shelf["progress"] == ["percent": 53.4] && shelf["rating"] == 4)
    #expect(shelf["note"] == "Good." && shelf["finished"] == nil && shelf["origins"] == ["koreader/0a1b2c"])
    #expect(
      quotes(book) == [
        ["text": "Does the \"walker\"\nchoose? あ", "page": 9, "note": "Mine."], ["text": "Second."],
      ])
    #expect(try await bench.importing(Self.koreader)["known"] == 1)
    // The book was finished on the e-reader, while the shelf got a tag.
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "tags": ["fantasy"]])
    let finished = Self.koreader.replacing(#""reading""#, with: #""complete""#)
    #expect(try await bench.importing(finished)["updated"] == 1)
    let read = try await bench.shelf()[0]["shelf"]
    #expect(read?["status"] == "read" && read?["finished"] == "2024-02-03" && read?["tags"] == ["fantasy"])
    await bench.stop()
  }

  @Test("the older form of a sidecar has passages by page and notes beside them")
  func olderKOReader() async throws {
    let bench = try await BookBench()
    let file = #"""
      return {
          ["bookmarks"] = {
              [1] = { ["datetime"] = "2020-01-02 03:04:05", ["highlighted"] = true, ["notes"] = "Words.",
                      ["page"] = 7, ["text"] = "My note" },
              [2] = { ["datetime"] = "2020-01-02 03:05:05", ["highlighted"] = true, ["notes"] = "More.",
                      ["page"] = 5, ["text"] = "Page 5 More. @ 2020-01-02 03:05:05" },
          },
          ["doc_path"] = "/sdcard/Human Acts.pdf",
          ["highlight"] = {
              [7] = { [1] = { ["datetime"] = "2020-01-02 03:04:05", ["text"] = "Words." } },
              [5] = { [1] = { ["datetime"] = "2020-01-02 03:05:05", ["text"] = "More." } },
          },
          ["stats"] = { ["authors"] = "N/A", ["pages"] = 218, ["title"] = "" },
      }
      """#
    #expect(try await bench.importing(file)["added"] == 1)
    let book = try await bench.shelf()[0]
    #expect(book["title"] == "Human Acts" && book["authors"] == [] && book["pageCount"] == 218)
    #expect(quotes(book) == [["text": "More.", "page": 5], ["text": "Words.", "page": 7, "note": "My note"]])
    await bench.stop()
  }

  @Test("a folder of KOReader is imported whole; a file that cannot be read is told and stops nothing")
  func folder() async throws {
    let bench = try await BookBench()
    let root = bench.daemon.folder.file("books")
    func place(_ text: String, _ folder: String, _ name: String) throws {
      try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
      try Data(text.utf8).write(to: URL(filePath: "\(root)/\(folder)/\(name)"))
    }
    try place(Self.koreader, "fantasy/Sabriel.sdr", "metadata.epub.lua")
    try place(
      #"return { doc_props = { title = "Mort", authors = "Terry Pratchett" } }"#, "Mort.sdr", "metadata.pdf.lua")
    try place("return os.exit()", "Bad.sdr", "metadata.pdf.lua")
    try place("Not this one.", "Mort.sdr", "metadata.pdf.lua.old")
    let report = try await bench.client.call("books/import", ["path": .string(root)])
    #expect(report["format"] == "koreader" && report["added"] == 2 && report["skipped"] == 1, "\(report)")
    #expect(report["notes"]?[0]?["file"] == "Bad.sdr/metadata.pdf.lua")
    #expect(try await bench.client.call("books/import", ["path": .string(root)])["known"] == 2)
    await bench.stop()
  }

  // MARK: - Kobo

  /// A database as a Kobo makes it, with the columns that are read.
  private func kobo(in folder: TemporaryFolder, _ more: String = "") throws -> [UInt8] {
    let path = folder.file("KoboReader-\(UUID().uuidString).sqlite")
    do {
      let db = try Database(path: path)
      try db.execute(
        """
        PRAGMA journal_mode = WAL;
        CREATE TABLE content (
          ContentID TEXT NOT NULL, ContentType TEXT, MimeType TEXT, BookID TEXT, BookTitle TEXT, Title TEXT COLLATE NOCASE,
          Attribution TEXT, Description TEXT, ISBN TEXT, Publisher TEXT, Language TEXT, Series TEXT, SeriesNumber TEXT,
          ___PercentRead INTEGER, ReadStatus INTEGER, DateLastRead TEXT, PRIMARY KEY (ContentID));
        CREATE TABLE Bookmark (
          BookmarkID TEXT NOT NULL, VolumeID TEXT NOT NULL, ContentID TEXT NOT NULL, Text TEXT, Annotation TEXT,
          DateCreated TEXT, ChapterProgress REAL NOT NULL DEFAULT 0, Hidden BOOL NOT NULL DEFAULT 0, Type TEXT,
          PRIMARY KEY (BookmarkID));
        INSERT INTO content (ContentID, ContentType, Title, Attribution, ISBN, Series, SeriesNumber, ___PercentRead,
            ReadStatus, DateLastRead) VALUES
          ('b1', '6', 'Sabriel', 'Garth Nix, Ann Lee', '9780060273224', 'Abhorsen', '1', 100, 2, '2024-02-03T10:11:12Z'),
          ('b2', '6', 'Mort', 'Terry Pratchett', NULL, NULL, NULL, 40, 1, '2024-02-03T10:11:12Z'),
          ('b3', '6', 'Never begun', 'Nobody', NULL, NULL, NULL, 0, 0, NULL),
          ('b1#2', '9', 'Chapter 2', NULL, NULL, NULL, NULL, 0, 0, NULL);
        INSERT INTO Bookmark (BookmarkID, VolumeID, ContentID, Text, Annotation, ChapterProgress, Hidden) VALUES
          ('1', 'b1', 'b1#2', 'Second.', NULL, 0.5, 'false'), ('2', 'b1', 'b1#1', ' First. ', 'Mine.', 0.1, 'false'),
          ('3', 'b1', 'b1#1', NULL, NULL, 0.2, 'false'), ('4', 'b1', 'b1#1', 'Hidden.', NULL, 0.3, 'true');
        \(more)
        """)
      try db.truncateLog()
    }
    return Array(try Data(contentsOf: URL(filePath: path)))
  }

  private func importing(_ bytes: [UInt8], with bench: BookBench) async throws -> JSONValue {
    try await bench.client.call("books/import", ["data": .string(Data(bytes).base64EncodedString())])
  }

  @Test("a Kobo's database brings the begun books with passages, progress and series")
  func kobo() async throws {
    let bench = try await BookBench()
    let bytes = try kobo(in: bench.daemon.folder)
    let report = try await importing(bytes, with: bench)
    #expect(report["format"] == "kobo" && report["added"] == 2 && report["skipped"] == 0, "\(report)")
    #expect(report["notes"].list.count == 1, "a bookmark has no text: \(report)")
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["title"] } == ["Mort", "Sabriel"])
    #expect(books[0]["shelf"]?["status"] == "reading" && books[0]["shelf"]?["progress"] == ["percent": 40])
    #expect(books[1]["shelf"]?["status"] == "read" && books[1]["shelf"]?["finished"] == "2024-02-03")
    #expect(books[1]["authors"] == ["Garth Nix", "Ann Lee"] && books[1]["isbn13"] == "9780060273224")
    #expect(books[1]["series"] == [["name": "Abhorsen", "number": 1]])
    #expect(quotes(books[1]) == [["text": "First.", "note": "Mine."], ["text": "Second."]])
    #expect(try await importing(bytes, with: bench)["known"] == 2)
    let further = try kobo(in: bench.daemon.folder, "UPDATE content SET ___PercentRead = 60 WHERE ContentID = 'b2';")
    #expect(try await importing(further, with: bench)["updated"] == 1)
    #expect(try await bench.shelf(["sort": "title"])[0]["shelf"]?["progress"] == ["percent": 60])
    await bench.stop()
  }

  @Test("a database whose tables are views, generated or damaged is refused or read without them, and harms nobody")
  func hostileKobo() async throws {
    let bench = try await BookBench()
    let folder = bench.daemon.folder
    func refused(_ bytes: [UInt8]) async throws -> String? {
      try await bench.client.failure(
        "books/import", ["data": .string(Data(bytes).base64EncodedString()), "format": "kobo"])?.kind
    }
    let endless = """
      DROP TABLE content;
      CREATE VIEW content AS
        WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)
        SELECT x AS ContentID, '6' AS ContentType, 'x' AS Title FROM n;
      """
    #expect(try await refused(kobo(in: folder, endless)) == "corrupt")
    #expect(try await refused(Array("no database".utf8)) == "corrupt")
    let generated = """
      ALTER TABLE content ADD COLUMN Subtitle TEXT GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL;
      """
    #expect(try await importing(kobo(in: folder, generated), with: bench)["added"] == 2)
    let whole = try kobo(in: folder)
    // Every cut and many a wrong byte: an error, or what is still to be read.
    for length in stride(from: 16, to: whole.count, by: 1_021) {
      _ = try await bench.client.failure(
        "books/import",
        ["data": .string(Data(whole.prefix(length)).base64EncodedString()), "format": "kobo", "dryRun": true])
    }
    for place in stride(from: 16, to: whole.count, by: 257) {
      var bytes = whole
      bytes[place] ^= 0xFF
      _ = try await bench.client.failure(
        "books/import", ["data": .string(Data(bytes).base64EncodedString()), "format": "kobo", "dryRun": true])
    }
    #expect(try await bench.shelf().count == 2)
    await bench.stop()
  }

  @Test("the statistics of KOReader tell when a book was begun, also one that is on the shelf already")
  func statistics() async throws {
    let bench = try await BookBench()
    let id = try await bench.add("Sabriel", ["Garth Nix"], ["status": "read", "finished": "2024-02-03"]).id
    let path = bench.daemon.folder.file("statistics.sqlite3")
    do {
      let db = try Database(path: path)
      try db.execute(
        """
        CREATE TABLE book (
          id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, authors TEXT, notes INTEGER, last_open INTEGER,
          pages INTEGER, series TEXT, language TEXT, md5 TEXT, total_read_time INTEGER, total_read_pages INTEGER);
        CREATE TABLE page_stat_data (
          id_book INTEGER, page INTEGER NOT NULL DEFAULT 0, start_time INTEGER NOT NULL DEFAULT 0,
          duration INTEGER NOT NULL DEFAULT 0, total_pages INTEGER NOT NULL DEFAULT 0);
        INSERT INTO book (id, title, authors, series, language, md5) VALUES
          (1, 'Sabriel', 'Garth Nix', 'Abhorsen #1', 'en', '0a1b'), (2, 'Mort', 'Terry Pratchett', 'N/A', 'N/A', '0c'),
          (3, 'Never opened', 'N/A', 'N/A', 'N/A', '0d');
        INSERT INTO page_stat_data (id_book, page, start_time) VALUES
          (1, 2, 1706097600), (1, 1, 1705924800), (2, 1, 1705924800), (9, 1, 1705924800), (2, 1, -5);
        """)
    }
    let bytes = Array(try Data(contentsOf: URL(filePath: path)))
    let report = try await importing(bytes, with: bench)
    #expect(report["format"] == "koreader" && report["added"] == 1 && report["updated"] == 1, "\(report)")
    #expect(report["notes"] == [], "\(report)")
    let book = try await bench.client.call("books/get", ["id": id])
    #expect(book["shelf"]?["started"] == "2024-01-22" && book["shelf"]?["status"] == "read")
    #expect(book["series"] == [["name": "Abhorsen", "number": 1]])
    let other = try await bench.shelf(["query": "mort"])[0]
    #expect(other["shelf"]?["status"] == "reading" && other["series"] == nil && other["language"] == nil)
    #expect(try await importing(bytes, with: bench)["known"] == 2)
    await bench.stop()
  }

  @Test("a file that is none of an e-reader's is refused by what it lacks")
  func wrong() async throws {
    let bench = try await BookBench()
    for (text, format) in [
      ("return 1", "koreader"), ("return {", "koreader"), ("return { a = 1 }", "koreader"),
      ("return { a = f() }", "koreader"), ("local x = 1", "koreader"), ("Just words.", "kindle"),
      ("Just words.", "kobo"),
      ("return " + String(repeating: "{", count: 9_000), "koreader"),
    ] {
      let failure = try await bench.client.failure(
        "books/import", ["data": .string(Data(text.utf8).base64EncodedString()), "format": .string(format)])
      #expect(failure?.kind == "corrupt", "\(text.prefix(40)): \(String(describing: failure))")
    }
    await bench.stop()
  }
}
