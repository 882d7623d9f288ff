import Books
import Client
import Contract
import Exchange
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Books: reads, series and the year") struct ReadTests {
  private func update(_ bench: BookBench, _ id: JSONValue, _ params: JSONObject) async throws -> JSONValue {
    var params = params
    params["id"] = id
    return try await bench.client.call("books/updateOnShelf", .object(params))
  }

  @Test("a book that is read again keeps the days and the progress of the read before, also one that was given up")
  func again() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock)
    let id = try await bench.add("Sabriel", [], ["status": "read", "started": "2020-01-02", "rating": 4]).id
    _ = try await update(bench, id, ["finished": "2020-01-20"])
    let reading = try await update(bench, id, ["status": "reading"])["shelf"] ?? .null
    #expect(reading["started"] == "2026-11-21" && reading["finished"] == nil && reading["progress"] == nil)
    #expect(
      reading["earlierReads"] == [
        ["started": "2020-01-02", "finished": "2020-01-20", "status": "read", "rating": 4]
      ])
    #expect(reading["timesRead"] == 1)
    clock.advance(milliseconds: 2 * 86_400_000)
    _ = try await update(bench, id, ["progress": ["percent": 30]])
    _ = try await update(bench, id, ["status": "abandoned"])
    let third = try await update(bench, id, ["status": "reading"])["shelf"] ?? .null
    #expect(
      third["earlierReads"]?[1] == [
        "started": "2026-11-21", "finished": "2026-11-23", "status": "abandoned", "progress": ["percent": 30],
        "rating": 4,
      ])
    #expect(third["timesRead"] == 1 && third["rating"] == 4)
    let read = try await update(bench, id, ["status": "read"])["shelf"] ?? .null
    #expect(read["timesRead"] == 2 && read["finished"] == "2026-11-23")
    // One step of undo is one change of status.
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    let before = try await bench.client.call("books/get", ["id": id])["shelf"] ?? .null
    #expect(before["status"] == "abandoned" && before["earlierReads"].list.count == 1)
    await bench.stop()
  }

  @Test("earlier reads can be given, are put in order, and are refused with the place of what is wrong")
  func given() async throws {
    let bench = try await BookBench()
    let id = try await bench.add("Sabriel", [], ["status": "read", "finished": "2025-03-04"]).id
    let reads: JSONValue = [
      ["finished": "2021-05-06"], ["started": "2010-01-01", "finished": "2010-02-01", "status": "abandoned"], [:],
    ]
    let book = try await update(bench, id, ["earlierReads": reads])
    #expect(
      book["shelf"]?["earlierReads"] == [
        ["status": "read"], ["started": "2010-01-01", "finished": "2010-02-01", "status": "abandoned"],
        ["finished": "2021-05-06", "status": "read"],
      ])
    #expect(book["shelf"]?["timesRead"] == 3)
    for (read, field) in [
      (["finished": "2030-01-01"], "earlierReads[0].finished"),
      (["started": "2020-02-01", "finished": "2020-01-01"], "earlierReads[0].finished"),
      (["rating": 4.2], "earlierReads[0].rating"), (["rating": 6], "earlierReads[0].rating"),
      (["status": "reading"], "earlierReads[0].status"),
    ] as [(JSONValue, String)] {
      let failure = try await bench.client.failure(
        "books/updateOnShelf", ["id": id, "earlierReads": .array([read])])
      #expect(failure?.data?["field"].text == field, "\(read)")
    }
    #expect(try await update(bench, id, ["earlierReads": .null])["shelf"]?["earlierReads"] == nil)
    await bench.stop()
  }

  @Test("an earlier read is on its day's page and in its year")
  func days() async throws {
    let bench = try await BookBench()
    let reads: JSONValue = [
      ["started": "2020-01-02", "finished": "2020-01-20"],
      ["started": "2021-01-02", "finished": "2021-01-20", "status": "abandoned"],
    ]
    _ = try await bench.add(
      "Sabriel", [], id: "s", ["status": "read", "finished": "2025-03-04", "earlierReads": reads])
    func kinds(_ day: JSONValue) async throws -> [JSONValue] {
      try await bench.client.call("diary/day", ["day": day])["items"].list.filter { $0["collection"] == "books" }
        .map { $0["kind"] ?? .null }
    }
    #expect(try await kinds("2020-01-02") == ["started"])
    #expect(try await kinds("2020-01-20") == ["finished"])
    #expect(try await kinds("2021-01-02") == ["started"])
    #expect(try await kinds("2021-01-20") == [], "it was given up")
    for (year, count) in [(2019, 0), (2020, 1), (2021, 1), (2025, 1)] {
      #expect(try await bench.shelf(["year": .integer(Int64(year))]).count == count, "\(year)")
    }
    // The names follow the book, also by an undo.
    _ = try await bench.client.call("books/removeFromShelf", ["id": "s"])
    #expect(try await bench.shelf(["year": 2020]).isEmpty)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf(["year": 2020]).count == 1)
    await bench.stop()
  }

  @Test("books of a series are listed by their number, and the series with how many of their books are read")
  func series() async throws {
    let bench = try await BookBench()
    func add(_ title: String, _ series: JSONValue, _ status: JSONValue = "want") async throws {
      try await bench.add(title, ["Ann Author"], ["byHand": ["series": series], "status": status])
    }
    try await add("Third", [["name": "Earthsea", "number": 3]])
    try await add("First", [["name": "ＥＡＲＴＨＳＥＡ", "number": 1], ["name": "Hainish"]], "read")
    try await add("Between", [["name": "Earthsea", "number": 2.5]])
    try await add("Alone", [])
    let books = try await bench.shelf(["series": "earthsea", "sort": "series"])
    #expect(books.map { $0["title"] } == ["First", "Between", "Third"])
    #expect(books[1]["series"] == [["name": "Earthsea", "number": 2.5]])
    let all = try await bench.shelf(["sort": "series"])
    #expect(all.map { $0["title"] } == ["First", "Between", "Third", "Alone"], "those without a series come last")
    let list = try await bench.client.call("books/series")
    #expect(list["total"] == 2 && list["hasMore"] == false)
    #expect(list.items.map { $0["books"] } == [3, 1] && list.items.map { $0["read"] } == [1, 1])
    let part = try await bench.client.call("books/series", ["limit": 1, "offset": 1])
    #expect(part.items == [["name": "Hainish", "books": 1, "read": 1]] && part["hasMore"] == false)
    #expect(try await bench.client.call("search/query", ["text": "hainish in:books"]).items.count == 1)
    let alone = try await bench.shelf(["query": "alone"])[0]
    #expect(alone["series"] == nil)
    let moved = try await update(bench, alone.id, ["series": [["name": " New  "], ["name": "new"]]])
    #expect(moved["series"] == [["name": "New"]])
    #expect(try await update(bench, alone.id, ["series": .null])["series"] == nil)
    await bench.stop()
  }

  @Test("the series of a citation is its first one")
  func cited() async throws {
    let bench = try await BookBench()
    _ = try await bench.add(
      "Tehanu", ["Ursula K. Le Guin"], id: "t", ["byHand": ["series": [["name": "Earthsea", "number": 4]]]])
    let csl = try await bench.client.call("books/cite", ["id": "t", "format": "csl"])["text"].text
    #expect(
      csl.contains(#""collection-title":"Earthsea""#) || csl.contains(#""collection-title": "Earthsea""#), "\(csl)")
    #expect(csl.contains("collection-number"), "\(csl)")
    await bench.stop()
  }

  @Test("a year's statistics count each read on the day when it ended, and say what is not known")
  func statistics() async throws {
    let bench = try await BookBench()
    _ = try await bench.add(
      "Sabriel", ["Garth Nix"],
      [
        "byHand": ["pageCount": 300, "language": "en"], "status": "read", "started": "2026-01-01",
        "finished": "2026-01-10", "rating": 4, "tags": ["fantasy"],
        "earlierReads": [["finished": "2026-01-05"], ["finished": "2019-01-05"]],
      ])
    _ = try await bench.add(
      "둘", ["한강"],
      ["byHand": ["language": "ko"], "status": "read", "finished": "2026-11-20", "rating": 5, "tags": ["fantasy"]])
    _ = try await bench.add("Given up", [], ["status": "abandoned", "finished": "2026-02-02"])
    _ = try await bench.add("Begun", [], ["status": "reading"])
    let year = try await bench.client.call("books/statistics")
    #expect(year["from"] == "2026-01-01" && year["to"] == "2026-12-31")
    #expect(year["books"] == 3 && year["rereads"] == 2 && year["abandoned"] == 1)
    #expect(year["pages"] == 600 && year["booksWithoutPages"] == 1)
    #expect(year["averageRating"] == 4.5 && year["averageDays"] == 10)
    #expect(
      year["months"] == [
        ["month": "2026-01", "books": 2, "pages": 600], ["month": "2026-11", "books": 1, "pages": 0],
      ])
    #expect(year["tags"] == [["name": "fantasy", "books": 3]])
    #expect(year["languages"] == [["name": "en", "books": 2], ["name": "ko", "books": 1]])
    #expect(year["authors"] == [["name": "Garth Nix", "books": 2], ["name": "한강", "books": 1]])
    #expect(year["goal"] == nil)
    #expect(try await bench.client.call("books/statistics", ["year": 2019])["books"] == 1)
    let ever = try await bench.client.call("books/statistics", ["to": "2026-02-01"])
    #expect(ever["books"] == 3 && ever["from"] == "0001-01-01")
    #expect(try await bench.refusal("books/statistics", ["from": "2026-02-01", "to": "2026-01-01"]) == "to")
    #expect(try await bench.client.failure("books/statistics", ["year": 2026, "to": "2026-01-01"]) != nil)
    await bench.stop()
  }

  @Test("a goal of a year is set, changed and removed, and how far it is reached is told")
  func goal() async throws {
    let bench = try await BookBench()
    _ = try await bench.add(
      "Sabriel", [], ["byHand": ["pageCount": 300], "status": "read", "finished": "2026-01-10"])
    let goal = try await bench.client.call("books/setGoal", ["books": 4, "pages": 3000])["goal"] ?? .null
    #expect(goal.id == "2026" && goal["year"] == 2026 && goal["books"] == 4 && goal["pages"] == 3000)
    // 21 November is the 325th day.
    let reached = try await bench.client.call("books/statistics")["goal"] ?? .null
    #expect(reached["percent"] == 10 && reached["booksAhead"] == -2 && reached["pagesAhead"] == -2371)
    #expect(reached["display"]?["goal"] == "1 of 4 books, 300 of 3,000 pages")
    let other = try await bench.client.call("books/setGoal", ["year": 2025, "books": 1])["goal"]
    #expect(other?["pages"] == nil)
    #expect(try await bench.client.call("books/statistics", ["year": 2025])["goal"]?["booksAhead"] == nil)
    #expect(try await bench.client.call("books/setGoal", ["books": 1])["goal"]?["pages"] == nil)
    #expect(try await bench.client.call("books/statistics")["goal"]?["percent"] == 100)
    #expect(try await bench.client.call("books/setGoal")["goal"] == nil)
    #expect(try await bench.client.call("books/statistics")["goal"] == nil)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("books/statistics")["goal"]?["books"] == 1)
    for (params, field) in [(["books": 0], "books"), (["pages": -1], "pages"), (["year": 0], "year")]
      as [(JSONValue, String)]
    {
      #expect(try await bench.refusal("books/setGoal", params) == field)
    }
    await bench.stop()
  }

  @Test("read counts and several dates of Goodreads and StoryGraph are earlier reads, and series come out of titles")
  func counts() async throws {
    let bench = try await BookBench()
    let goodreads = """
      Book Id,Title,Author,Date Read,Exclusive Shelf,Read Count
      1,"Sabriel (Abhorsen, #1)",Garth Nix,2019/07/14,read,3
      2,"Mort (Discworld, #4; Death, #1-2)",Terry Pratchett,,to-read,0
      3,A title (is it #1 of all?),Ann Lee,,currently-reading,1

      """
    #expect(try await bench.importing(goodreads)["added"] == 3)
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["shelf"]?["timesRead"] } == [1, 0, 3])
    #expect(books[2]["shelf"]?["earlierReads"] == [["status": "read"], ["status": "read"]])
    #expect(books[1]["series"] == [["name": "Discworld", "number": 4], ["name": "Death", "number": 1, "last": 2]])
    #expect(books.map { $0["title"] } == ["A title (is it #1 of all?)", "Mort", "Sabriel"])
    #expect(books[2]["series"] == [["name": "Abhorsen", "number": 1]] && books[0]["series"] == nil)
    let storygraph = """
      Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating,Read Count
      Human Acts,Han Kang,9781101906729,read,"2021/01/02-2021/01/05, 2022/03/01-2022/03/04, 2020/05/06",4.5,4

      """
    #expect(try await bench.importing(storygraph)["added"] == 1)
    let human = try await bench.shelf(["query": "human"])[0]["shelf"]
    #expect(human?["started"] == "2022-03-01" && human?["finished"] == "2022-03-04" && human?["timesRead"] == 4)
    #expect(
      human?["earlierReads"] == [
        ["status": "read"], ["finished": "2020-05-06", "status": "read"],
        ["started": "2021-01-02", "finished": "2021-01-05", "status": "read"],
      ])
    #expect(try await bench.importing(storygraph)["known"] == 1)
    // A count that grew there adds a read here.
    let grown = goodreads.replacing("read,3", with: "read,4")
    let report = try await bench.importing(grown)
    #expect(report["updated"] == 1 && report["known"] == 2)
    #expect(try await bench.client.call("books/get", ["id": books[2].id])["shelf"]?["timesRead"] == 4)
    // Also beside the days that only the library has.
    _ = try await update(
      bench, books[2].id, ["earlierReads": [["finished": "2001-01-01"], ["status": "read"], ["status": "read"]]])
    #expect(try await bench.importing(goodreads.replacing("read,3", with: "read,5"))["updated"] == 1)
    #expect(try await bench.client.call("books/get", ["id": books[2].id])["shelf"]?["timesRead"] == 5)
    await bench.stop()
  }

  @Test("earlier reads and series go out and come back", arguments: ["csv", "jsonl"])
  func roundTrip(format: String) async throws {
    let bench = try await BookBench()
    let reads: JSONValue = [
      ["started": "2020-01-02", "finished": "2020-01-20", "status": "read", "rating": 4.5],
      ["finished": "2021-01-20", "status": "abandoned", "progress": ["page": 12]],
    ]
    let series: JSONValue = [["name": "Earthsea", "number": 2.5], ["name": "Hainish"]]
    _ = try await bench.add(
      "Sabriel", ["Garth Nix"], id: "s",
      ["byHand": ["series": series], "status": "read", "finished": "2025-03-04", "earlierReads": reads])
    let text = try await bench.export(format)
    #expect(try await bench.importing(text)["known"] == 1)
    _ = try await bench.client.call("books/removeFromShelf", ["id": "s"])
    #expect(try await bench.importing(text)["added"] == 1)
    let book = try await bench.shelf()[0]
    #expect(book["series"] == series && book["shelf"]?["earlierReads"] == reads && book["shelf"]?["timesRead"] == 2)
    await bench.stop()
  }

  @Test("a file of an earlier version, whose books have no earlier reads, is read")
  func olderFile() async throws {
    let bench = try await BookBench()
    _ = try await bench.add("Sabriel", ["Garth Nix"], id: "s", ["status": "read", "finished": "2025-03-04"])
    let line = try await bench.export("jsonl")
    let older = line.replacing(#""earlierReads":[],"#, with: "")
    #expect(older != line)
    _ = try await bench.client.call("books/removeFromShelf", ["id": "s"])
    #expect(try await bench.importing(older)["added"] == 1)
    await bench.stop()
  }

  @Test("the table for Goodreads has days, shelves, read counts and the review as HTML, and comes back as what it was")
  func goodreadsTable() async throws {
    let bench = try await BookBench()
    _ = try await bench.add(
      "Sabriel, or \"not\"", ["Garth Nix", "Ann Lee"],
      [
        "byHand": ["isbn": "9780060273224", "pageCount": 491, "published": "1996"], "status": "read",
        "finished": "2025-03-04", "rating": 3.5, "note": "One <b>\nTwo & three", "tags": ["fantasy", "a, b"],
        "earlierReads": [["finished": "2020-01-02"], ["finished": "2021-01-02", "status": "abandoned"]],
      ])
    _ = try await bench.add("둘", ["한강"], ["status": "abandoned", "finished": "2025-05-06"])
    let text = try await bench.export("goodreads")
    let table = try NamedRows(DelimitedText(Array(text.utf8)))
    let row = try #require(table.rows.first)
    #expect(row["ISBN13"] == "9780060273224" && row["ISBN"] == "0060273224" && row["My Rating"] == "4")
    #expect(row["Date Read"] == "2025/03/04" && row["Exclusive Shelf"] == "read" && row["Read Count"] == "2")
    #expect(row["My Review"] == "One &lt;b&gt;<br/>Two &amp; three" && row["Bookshelves"] == "read, fantasy, a  b")
    let other = try await BookBench()
    #expect(try await other.importing(text)["format"] == "goodreads")
    let book = try await other.shelf(["query": "sabriel"])[0]
    #expect(book["title"] == "Sabriel, or \"not\"" && book["authors"] == ["Garth Nix", "Ann Lee"])
    #expect(book["shelf"]?["note"] == "One <b>\nTwo & three" && book["shelf"]?["timesRead"] == 2)
    #expect(try await other.shelf(["status": "abandoned"]).count == 1)
    await bench.stop()
    await other.stop()
  }

  @Test("a table of Goodreads goes back with its other columns, and private notes are never part of the review")
  func goodreadsColumns() async throws {
    let bench = try await BookBench()
    let file = """
      Book Id,Title,Author,Author l-f,Exclusive Shelf,Bookshelves with positions,My Review,Private Notes,Binding,Owned Copies
      1,Sabriel,Garth Nix,"Nix, Garth",read,"fantasy (#1)","Good<br/>Very",For Ann,Paperback,3
      2,Lirael,Garth Nix,"Nix, Garth",read,,,Only mine,Ebook,0
      3,Abhorsen,Garth Nix,"Nix, Garth",read,,Fine,Hidden,,0

      """
    #expect(try await bench.importing(file)["added"] == 3)
    #expect(try await bench.shelf(["query": "sabriel"])[0]["shelf"]?["note"] == "Good\nVery\n\nFor Ann")
    let abhorsen = try await bench.shelf(["query": "abhorsen"])[0]
    _ = try await bench.client.call("books/updateOnShelf", ["id": abhorsen.id, "note": "Rewritten"])
    _ = try await bench.add("Clariel", ["Garth Nix"], ["note": "Mine"])
    let text = try await bench.export("goodreads")
    let rows = try NamedRows(DelimitedText(Array(text.utf8))).rows
    func column(_ name: String) -> [String?] { rows.map { $0[name] } }
    #expect(column("Title") == ["Clariel", "Sabriel", "Lirael", "Abhorsen"], "\(text)")
    #expect(column("My Review") == ["Mine", "Good<br/>Very", nil, nil], "\(text)")
    #expect(column("Private Notes") == [nil, "For Ann", "Only mine", "Rewritten"], "\(text)")
    #expect(column("Author l-f") == [nil, "Nix, Garth", "Nix, Garth", "Nix, Garth"])
    #expect(column("Binding") == [nil, "Paperback", "Ebook", nil] && column("Owned Copies")[1] == "3")
    #expect(!text.contains("with positions"))
    let other = try await BookBench()
    #expect(try await other.importing(text)["added"] == 4)
    #expect(try await other.shelf(["query": "sabriel"])[0]["shelf"]?["note"] == "Good\nVery\n\nFor Ann")
    await other.stop()
    await bench.stop()
  }

  private static let seriesFile = """
    Book Id,Title,Author,Exclusive Shelf
    1,"Saga (Saga, #1)",Ann Lee,read
    2,"Saga (Saga, #2)",Ann Lee,read
    3,"Mort (Discworld, #4; Death, #1-2)",Terry Pratchett,to-read
    4,"Wintersmith (Discworld; Tiffany Aching, #3)",Terry Pratchett,to-read

    """

  @Test("the series in the titles of Goodreads become series, are written into them again, and come back as they were")
  func seriesInTitles() async throws {
    let bench = try await BookBench()
    #expect(try await bench.importing(Self.seriesFile)["added"] == 4)
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["title"] } == ["Mort", "Saga", "Saga", "Wintersmith"])
    #expect(books[3]["series"] == [["name": "Discworld"], ["name": "Tiffany Aching", "number": 3]])
    _ = try await bench.add("Lirael", ["Garth Nix"], ["byHand": ["series": [["name": "Abhorsen", "number": 2]]]])
    let written = try await bench.export("goodreads")
    for title in ["Saga (Saga, #2)", "Mort (Discworld, #4; Death, #1-2)", "Lirael (Abhorsen, #2)"] {
      #expect(written.contains("\"\(title)\""), "\(written)")
    }
    let again = try await bench.importing(written)
    #expect(again["added"] == 0 && again["undecided"] == 0, "\(again)")
    let known = try await bench.importing(written)
    #expect(known["known"] == 5 && known["changed"] == false, "\(known)")
    #expect(try await bench.shelf().count == 5)
    let other = try await BookBench()
    #expect(try await other.importing(written)["added"] == 5)
    let copies = try await other.shelf(["sort": "title"])
    let originals = try await bench.shelf(["sort": "title"])
    #expect(copies.map { $0["title"] } == originals.map { $0["title"] })
    #expect(Set(copies.map { "\($0["series"] ?? .null)" }) == Set(originals.map { "\($0["series"] ?? .null)" }))
    await bench.stop()
    await other.stop()
  }

  @Test(
    "a book on the shelf is the one that Goodreads has with its series in the title, and another volume is another book"
  )
  func volumesOfSeries() async throws {
    let bench = try await BookBench()
    _ = try await bench.add("Saga", ["Ann Lee"], id: "two", ["byHand": ["series": [["name": "Saga", "number": 2]]]])
    let report = try await bench.importing(Self.seriesFile)
    #expect(report["added"] == 3 && report["undecided"] == 0, "\(report)")
    #expect(try await bench.client.call("books/get", ["id": "two"])["shelf"]?["origins"] == ["goodreads/2"])
    await bench.stop()
  }

  private static func sagas(_ bench: BookBench) async throws -> [String] {
    try await bench.shelf(["series": "Saga"]).map { $0["title"].text }.sorted()
  }

  @Test("a file that an earlier version read with the series in its titles is read anew, and what a person wrote stays")
  func earlierTitles() async throws {
    let bench = try await BookBench()
    #expect(try await bench.importing(Self.seriesFile)["added"] == 4)
    await bench.stop()
    try KeepingTests.database(bench.daemon).write {
      try $0.execute(
        """
        UPDATE book SET title = 'Saga (Saga, #2)', facts = json_set(facts, '$.title', 'Saga (Saga, #2)'),
          "foreign" = json_set("foreign", '$.facts.title', 'Saga (Saga, #2)') WHERE origins = '["goodreads/2"]';
        UPDATE book SET title = 'Mine', facts = json_set(facts, '$.title', 'Mine'),
          "foreign" = json_set("foreign", '$.facts.title', 'Saga (Saga, #1)') WHERE origins = '["goodreads/1"]';
        """)
    }
    let again = try await BookBench(in: bench.daemon.folder)
    #expect(try await Self.sagas(again) == ["Mine", "Saga (Saga, #2)"])
    #expect(try await again.importing(Self.seriesFile, ["dryRun": true])["updated"] == 1)
    let report = try await again.importing(Self.seriesFile)
    #expect(report["updated"] == 1 && report["known"] == 3 && report["undecided"] == 0, "\(report)")
    #expect(try await Self.sagas(again) == ["Mine", "Saga"])
    #expect(try await again.importing(Self.seriesFile)["known"] == 4)
    _ = try await again.client.call("changes/undo")
    #expect(try await Self.sagas(again) == ["Mine", "Saga (Saga, #2)"])
    await again.stop()
  }
}
