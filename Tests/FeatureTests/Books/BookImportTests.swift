import Books
import Client
import Contract
import Foundation
import SQLite
import System
import TestSupport
import Testing
import Wire

@Suite("Books: taking files over") struct BookImportTests {
  static let goodreads = """
    Book Id,Title,Author,Author l-f,Additional Authors,ISBN,ISBN13,My Rating,Average Rating,Publisher,Binding,Number of Pages,Year Published,Original Publication Year,Date Read,Date Added,Bookshelves,Bookshelves with positions,Exclusive Shelf,My Review,Spoiler,Private Notes,Read Count,Owned Copies
    1,"Sabriel (Abhorsen, #1)",Garth Nix,"Nix, Garth",,="0060273224",="9780060273224",4,4.17,Harper,Hardcover,491,1996,1995,2019/07/14,2019/06/01,"fantasy, favourites","fantasy (#1), favourites (#2)",read,"Good.
    Very ""good"".",,mine,1,0
    2,소년이 온다,한강,"한강, ",,="",="",0,4.53,창비,Paperback,,2014,2014,,2020/01/02,to-read,to-read (#1),to-read,,,,0,0
    3,Ulysses,James Joyce,"Joyce, James",,="",="",0,3.74,Vintage,,783,1990,1922,,2020/01/03,gave-up,gave-up (#1),did-not-finish,,,,0,0
    4,,Nobody,"Nobody",,="",="",5,,,,,,,,2020/01/04,,,read,,,,1,0
    """

  @Test("G22 an export of Goodreads comes whole: numbers, days, stars, shelves, review and notes")
  func goodreads() async throws {
    let bench = try await BookBench()
    let report = try await bench.importing(Self.goodreads)
    #expect(
      report["format"] == "goodreads" && report["added"] == 3 && report["undecided"] == 1 && report["skipped"] == 0)
    let books = try await bench.shelf(["sort": "title"])
    let sabriel = try #require(books.first { $0["title"].text.hasPrefix("Sabriel") })
    #expect(sabriel["isbn13"] == "9780060273224" && sabriel["authors"] == ["Garth Nix"] && sabriel["pageCount"] == 491)
    #expect(sabriel["shelf"]?["status"] == "read" && sabriel["shelf"]?["rating"] == 4)
    #expect(sabriel["shelf"]?["finished"] == "2019-07-14" && sabriel["shelf"]?["tags"] == ["fantasy", "favourites"])
    #expect(sabriel["shelf"]?["note"] == "Good.\nVery \"good\".\n\nmine")
    #expect(sabriel["shelf"]?["addedAt"].text.hasPrefix("2019-06-01") == true)
    #expect(sabriel["shelf"]?["origins"] == ["goodreads/1"] && sabriel["shelf"]?["citationKey"] == "nix1996")
    #expect(books.map { $0["shelf"]?["status"].text ?? "" }.sorted() == ["abandoned", "read", "want"])
    let korean = try #require(books.first { $0["title"] == "소년이 온다" })
    #expect(
      korean["shelf"]?["rating"] == nil && korean["isbn13"] == nil && korean["shelf"]?["citationKey"] == "han2014")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf().isEmpty)
    #expect(try await bench.client.call("books/review")["total"] == 0, "one step brought all of it, and takes it back")
    await bench.stop()
  }

  @Test("shelves beside the exclusive one are tags, names have single blanks, and reviews keep links and spoilers")
  func goodreadsDetails() async throws {
    let bench = try await BookBench()
    let review = #"See <a href=""https://one.example/a?b=1&amp;c=2"">this</a>. <spoiler>He dies.</spoiler>"#
    let rows = """
      Book Id,Title,Author,Additional Authors,Exclusive Shelf,Bookshelves,My Review
      1,Shuggie Bain,Douglas   Stuart,"J.M.     Clarke, Ann  Lee",to-read,"dnf, abandoned, want, to-read","\(review)"

      """
    #expect(try await bench.importing(rows)["added"] == 1)
    let book = try #require(try await bench.shelf().first)
    #expect(book["authors"] == ["Douglas Stuart", "J.M. Clarke", "Ann Lee"])
    #expect(book["shelf"]?["status"] == "want" && book["shelf"]?["tags"] == ["dnf", "abandoned", "want"])
    #expect(
      book["shelf"]?["note"] == "See this (https://one.example/a?b=1&c=2). [spoiler]He dies.[/spoiler]", "\(book)")
    await bench.stop()
  }

  @Test("a book that nobody has rated at Goodreads has no rating, where its file says 0.00")
  func unrated() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing("Book Id,Title,Author,Average Rating,Exclusive Shelf\n1,One,Ann Lee,0.00,read\n")
    #expect(try await bench.shelf().first?["rating"] == nil)
    await bench.stop()
  }

  @Test("a link that nothing closes says at the end of its text where it leads")
  func openLink() async throws {
    let bench = try await BookBench()
    let review = #"More <a href=""https://one.example/a"">there"#
    _ = try await bench.importing(
      "Book Id,Title,Author,Exclusive Shelf,Bookshelves,My Review\n1,One,Ann Lee,read,,\"\(review)\"\n")
    #expect(try await bench.shelf().first?["shelf"]?["note"] == "More there (https://one.example/a)")
    await bench.stop()
  }

  @Test(
    "a line with a number that no shelf has is noted, the others are imported, and every list is answered",
    arguments: [
      (#""rating":4"#, #""rating":1e308"#), (#""rating":4"#, #""rating":-1"#), (#""page":10"#, #""page":-10"#),
      (#""page":10"#, #""page":9223372036854775807"#), (#""rating":3"#, #""rating":7"#),
      (#""number":2"#, #""number":1e15"#),
    ])
  func impossibleNumbers(old: String, new: String) async throws {
    let bench = try await BookBench()
    let read: JSONValue = ["started": "2025-01-01", "finished": "2025-02-01", "rating": 3]
    _ = try await bench.add(
      "One", id: "one",
      [
        "byHand": ["series": [["name": "S", "number": 2]]], "status": "reading", "progress": ["page": 10], "rating": 4,
        "earlierReads": [read],
      ])
    _ = try await bench.add("Two", id: "two")
    let lines = try await bench.export("jsonl")
    await bench.stop()
    #expect(lines.contains(old))

    let other = try await BookBench()
    let report = try await other.importing(lines.replacing(old, with: new))
    #expect(report["added"] == 1 && report["notes"].list.map { $0["reason"].text } == ["unreadable"], "\(report)")
    #expect(try await other.shelf().map { $0["title"] } == ["Two"])
    for sort in ["rating", "series", "title"] {
      #expect(try await other.client.call("books/shelf", ["sort": .string(sort)])["total"] == 1)
    }
    await other.stop()
  }

  @Test("a waiting row of a library that others wrote gives a new book no id that is not one")
  func hostileID() async throws {
    let bench = try await BookBench()
    #expect(try await bench.importing(Self.goodreads)["undecided"] == 1)
    await bench.stop()
    try KeepingTests.database(bench.daemon).write {
      try $0.execute("UPDATE bookReview SET book = json_set(book, '$.origin', 'jsonl/../../evil')")
    }
    let again = try await BookBench(in: bench.daemon.folder)
    let row = try await again.client.call("books/review").items[0]
    let decided = try await again.client.call("books/decide", ["id": row.id, "title": "Named"])
    let id = try #require(decided["book"]?.id.text)
    #expect(ItemID(validating: id) != nil, "\(id)")
    await again.stop()
  }

  @Test("G22 a file that comes again brings nothing twice, follows what only it has changed, and asks where both have")
  func again() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.goodreads)
    let second = try await bench.importing(Self.goodreads)
    #expect(second["added"] == 0 && second["known"] == 3 && second["undecided"] == 1 && second["changed"] == false)
    #expect(
      second["notes"].list.map { $0["reason"].text } == ["undecided"], "what waits since the first time still does")
    let changed = Self.goodreads.replacing("0,3.74", with: "2,3.74").replacing("4,4.17", with: "5,4.17")
    let books = try await bench.shelf()
    let sabriel = try #require(books.first { $0["title"].text.hasPrefix("Sabriel") })
    _ = try await bench.client.call("books/updateOnShelf", ["id": sabriel.id, "rating": 1])
    let third = try await bench.importing(changed)
    #expect(third["updated"] == 1 && third["undecided"] == 2 && third["known"] == 1)
    let ulysses = try #require(try await bench.shelf().first { $0["title"] == "Ulysses" })
    #expect(ulysses["shelf"]?["rating"] == 2)
    let review = try await bench.client.call("books/review").items
    let conflict = try #require(review.first { $0["reason"] == "changed" })
    #expect(conflict["candidates"]?[0]?["book"]?["id"] == sabriel.id)
    let decided = try await bench.client.call("books/decide", ["id": conflict.id, "choice": "same"])
    #expect(decided["book"]?["shelf"]?["rating"] == 5)
    #expect(try await bench.importing(changed)["undecided"] == 1, "only the row without a title waits")
    #expect(try await bench.shelf().count == 3)
    await bench.stop()
  }

  @Test("G22 a book that is there is not taken for another: what is only alike waits for the reader")
  func likeness() async throws {
    let bench = try await BookBench()
    try await bench.add("Sabriel", ["Garth Nix"], id: "same", ["byHand": ["isbn": "9780060273224"]])
    try await bench.add(
      "The Great Gatsby", ["F. Scott Fitzgerald"], id: "printing", ["byHand": ["isbn": "9780743273565"]])
    try await bench.add("Human Acts", ["Han Kang"], id: "plain")
    try await bench.add("Quite another thing", ["Somebody"], id: "wrong", ["byHand": ["isbn": "9780486269573"]])
    try await bench.add("Harry Potter and the Goblet of Fire", ["J.K. Rowling"], id: "potter")
    let table = """
      title,authors,isbn,status,rating
      Sabriel,Garth Nix,0060273224,read,4
      The Great Gatsby,F. Scott Fitzgerald,9780140283297,read,5
      Human acts,"Kang, Han",,read,3.5
      Plants and Flowers,Alan Bessette,0-486-26957-4,want,
      Harry Potter and the Chamber of Secrets,J.K. Rowling,,read,4
      Something new,Nobody,,want,
      """
    let report = try await bench.importing(table, ["format": "csv"])
    #expect(report["added"] == 2 && report["updated"] == 2 && report["undecided"] == 2, "\(report)")
    let same = try await bench.client.call("books/get", ["id": "same"])
    #expect(same["shelf"]?["status"] == "read" && same["shelf"]?["rating"] == 4)
    #expect(try await bench.client.call("books/get", ["id": "plain"])["shelf"]?["rating"] == 3.5)
    #expect(try await bench.client.call("books/get", ["id": "printing"])["shelf"]?["rating"] == nil)
    let rows = try await bench.client.call("books/review").items
    #expect(Set(rows.map { $0["reason"].text }) == ["similar", "numberOfAnother"])
    let gatsby = try #require(rows.first { $0["reason"] == "similar" })
    #expect(gatsby["candidates"]?[0]?["book"]?["id"] == "printing" && gatsby["candidates"]?[0]?["score"] == 1)
    #expect(gatsby["choices"] == ["same", "new", "skip"] && gatsby["row"]?["title"] == "The Great Gatsby")
    let new = try await bench.client.call("books/decide", ["id": gatsby.id, "choice": "new"])
    #expect(new["book"]?["isbn13"] == "9780140283297" && new["book"]?["shelf"]?["citationKey"] == "fitzgeraldnda")
    let flowers = try #require(rows.first { $0["reason"] == "numberOfAnother" })
    _ = try await bench.client.call("books/decide", ["id": flowers.id, "choice": "skip"])
    #expect(try await bench.client.call("books/review")["total"] == 0)
    #expect(try await bench.refusal("books/decide", ["id": flowers.id, "choice": "new"]) == "notFound")
    let again = try await bench.importing(table, ["format": "csv"])
    #expect(again["added"] == 0 && again["undecided"] == 0 && again["known"] == 6)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("books/review")["total"] == 1, "a decision can be taken back")
    await bench.stop()
  }

  @Test(
    "G22 no row is dropped: one without a title waits for one, and one that comes twice with other words is asked about"
  )
  func noneDropped() async throws {
    let bench = try await BookBench()
    let report = try await bench.importing(
      "Title,Author,note,id\n,Ann,lost,1\nOne,Ann,a,2\nOne,Ann,a,2\nOne,Ann,b,2\n,,,\nToo,\"many\",cells,3,4,5\n")
    #expect(report["added"] == 2 && report["undecided"] == 2 && report["skipped"] == 1)
    #expect(report["notes"].list.map { $0["reason"].text } == ["undecided", "repeated", "undecided"])
    let rows = try await bench.client.call("books/review", ["limit": 1])
    #expect(rows["total"] == 2 && rows["hasMore"] == true)
    let rest = try await bench.client.call("books/review", ["after": rows["next"] ?? .null])
    #expect(rest.items.count == 1 && rest["offset"] == 1)
    let all = rows.items + rest.items
    let untitled = try #require(all.first { $0["reason"] == "noTitle" })
    #expect(untitled["row"]?["note"] == "lost" && untitled["choices"] == ["new", "skip"])
    #expect(try await bench.refusal("books/decide", ["id": untitled.id, "choice": "new"]) == "title")
    #expect(try await bench.refusal("books/decide", ["id": untitled.id, "choice": "same"]) == "book")
    let titled = try await bench.client.call("books/decide", ["id": untitled.id, "choice": "new", "title": "Found"])
    #expect(titled["book"]?["title"] == "Found" && titled["book"]?["shelf"]?["note"] == "lost")
    let twice = try #require(all.first { $0["reason"] == "repeated" })
    _ = try await bench.client.call("books/decide", ["id": twice.id, "choice": "new"])
    #expect(try await bench.shelf(["query": "One"]).count == 2)
    await bench.stop()
  }

  @Test("G22 an export of The StoryGraph comes with its readings, its quarter stars as halves")
  func storyGraph() async throws {
    let bench = try await BookBench()
    let report = try await bench.importing(
      """
      Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,Star Rating,Review,Tags,Owned?
      Human Acts,"Han Kang, Deborah Smith",,9781101906729,print,read,2021/01/01,2022/03/04,"2021/01/02-2021/01/05, 2022/03/01-2022/03/04",2,dark,4.25,<div>Good</div>,"korea, history",No
      No number,Ann,,,digital,did-not-finish,2021/01/01,,,0,,,,,No
      Odd,Ann,,uid-17,audio,currently-reading,2021/01/01,,2021/05/06,1,,5.0,,,No
      """)
    #expect(report["format"] == "storygraph" && report["added"] == 3)
    let books = try await bench.shelf(["sort": "title"])
    #expect(books[0]["shelf"]?["started"] == "2022-03-01" && books[0]["shelf"]?["finished"] == "2022-03-04")
    #expect(books[0]["shelf"]?["rating"] == 4.5 && books[0]["shelf"]?["tags"] == ["korea", "history"])
    #expect(books[0]["shelf"]?["note"] == "Good")
    #expect(books[1]["shelf"]?["status"] == "abandoned")
    #expect(books[2]["shelf"]?["origins"] == ["storygraph/uid-17"] && books[2]["shelf"]?["status"] == "reading")
    #expect(books[2]["shelf"]?["started"] == "2021-05-06" && books[2]["shelf"]?["finished"] == nil)
    await bench.stop()
  }

  private static let storyHead =
    "Title,Authors,Contributors,ISBN/UID,Format,Read Status,Date Added,Last Date Read,Dates Read,Read Count,Moods,"
    + "Star Rating,Review,Tags,Owned?\n"

  @Test("G22 a row that has the number of another book is asked about, in a later file too, and writes over nothing")
  func numberOfAnother() async throws {
    let bench = try await BookBench()
    let moby = "Moby Dick,Herman Melville,,9780142437247,print,read,2021/01/01,,,1,,5.0,Whales,,No\n"
    let cats = "Cooking for Cats,Ann Chef,,9780142437247,print,to-read,2021/01/02,,,0,,,,,No\n"
    #expect(try await bench.importing(Self.storyHead + moby)["added"] == 1)
    let report = try await bench.importing(Self.storyHead + cats)
    #expect(report["undecided"] == 1 && report["updated"] == 0 && report["added"] == 0, "\(report)")
    let book = try #require(try await bench.shelf().first)
    #expect(book["title"] == "Moby Dick" && book["shelf"]?["rating"] == 5 && book["shelf"]?["note"] == "Whales")
    #expect(try await bench.importing(Self.storyHead + moby)["known"] == 1, "its own row is known while another waits")
    let review = try #require(try await bench.client.call("books/review").items.first)
    #expect(review["reason"] == "numberOfAnother" && review["title"] == "Cooking for Cats")
    let new = try await bench.client.call("books/decide", ["id": review.id, "choice": "new"])
    #expect(new["book"]?["title"] == "Cooking for Cats")
    #expect(Set(try await bench.shelf().map { $0["title"].text }) == ["Moby Dick", "Cooking for Cats"])
    #expect(try await bench.importing(Self.storyHead + cats)["known"] == 1)
    await bench.stop()
  }

  @Test("G22 a row that changes while it waits, or after it was skipped, takes the place of the one that waits")
  func changedWhileWaiting() async throws {
    let bench = try await BookBench()
    try await bench.add("Quite another thing", ["Somebody"], ["byHand": ["isbn": "9780486269573"]])
    let table = "title,authors,isbn,status,rating\nPlants and Flowers,Alan Bessette,9780486269573,read,"
    for _ in 1...2 {
      let report = try await bench.importing(table + "2\n")
      #expect(report["undecided"] == 1 && report["known"] == 0)
    }
    #expect(try await bench.importing(table + "3\n")["undecided"] == 1)
    let waiting = try await bench.client.call("books/review")
    #expect(waiting["total"] == 1 && waiting.items.first?["row"]?["rating"] == "3")
    let review = try #require(waiting.items.first)
    _ = try await bench.client.call("books/decide", ["id": review.id, "choice": "skip"])
    #expect(try await bench.importing(table + "3\n")["known"] == 1)
    #expect(try await bench.importing(table + "4\n")["undecided"] == 1)
    #expect(try await bench.client.call("books/review").items.first?["row"]?["rating"] == "4")
    #expect(try await bench.shelf().count == 1)
    await bench.stop()
  }

  @Test("G22 what a file has changed of a book's facts comes to the shelf")
  func changedFacts() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.goodreads)
    let changed = Self.goodreads.replacing("Harper,Hardcover,491", with: "HarperCollins,Hardcover,496")
    let report = try await bench.importing(changed)
    #expect(report["updated"] == 1 && report["known"] == 2 && report["undecided"] == 1, "\(report)")
    let sabriel = try #require(try await bench.shelf().first { $0["title"].text.hasPrefix("Sabriel") })
    #expect(sabriel["pageCount"] == 496 && sabriel["publisher"] == "HarperCollins")
    #expect(sabriel["shelf"]?["rating"] == 4)
    #expect(try await bench.importing(changed)["known"] == 3)
    await bench.stop()
  }

  @Test("G22 a row without an id that gets its number later is still the same book")
  func numberComesLater() async throws {
    let bench = try await BookBench()
    let start = "Human Acts,Han Kang,,"
    let rest = ",print,read,2021/01/01,,,1,,4.0,,,No\n"
    #expect(try await bench.importing(Self.storyHead + start + rest)["added"] == 1)
    let report = try await bench.importing(Self.storyHead + start + "9781101906729" + rest)
    #expect(report["added"] == 0, "\(report)")
    let books = try await bench.shelf()
    #expect(books.count == 1 && books.first?["isbn13"] == "9781101906729")
    await bench.stop()
  }

  @Test("G22 a dry run writes nothing and tells what would come; a file that is none is refused by its line")
  func refusals() async throws {
    let bench = try await BookBench()
    let dry = try await bench.importing(Self.goodreads, ["dryRun": true])
    #expect(dry["added"] == 3 && dry["undecided"] == 1 && dry["confirm"] != nil)
    #expect(try await bench.shelf().isEmpty)
    #expect(try await bench.client.call("books/review")["total"] == 0)
    for (text, part) in [
      ("", "columns"), ("a,b\n1,2\n", "titles"), ("title\n\"open", "quotation"), ("title\n\u{0}", "NUL"),
      ("{\"id\": \"x\"}\nnot json\n", "JSON"),
    ] {
      let params: JSONValue = ["data": .string(Data(text.utf8).base64EncodedString())]
      let failure = try await bench.client.failure("books/import", params)
      #expect(
        failure?.data?["kind"] == "corrupt" && failure?.message.contains(part) == true,
        "\(text): \(failure?.message ?? "")")
    }
    let latin: JSONValue = ["data": .string(Data([0x74, 0xFF, 0xFE]).base64EncodedString())]
    let western = try await bench.client.failure("books/import", latin)
    #expect(western?.data?["kind"] == "corrupt" && western?.data?["advice"].text.contains("UTF-8") == true)
    #expect(try await bench.refusal("books/import", ["path": "/nowhere/books.csv"]) == "notFound")
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }

  @Test("G22 a large file wants to be confirmed, and comes in slices as one step")
  func large() async throws {
    let bench = try await BookBench()
    let rows = (1...10_001).map { "Title \($0) of \($0 * 7),Author \($0)" }
    let table = "title,authors\n" + rows.joined(separator: "\n")
    #expect(
      try await bench.refusal("books/import", ["data": .string(Data(table.utf8).base64EncodedString())]) == "confirm")
    let dry = try await bench.importing(table, ["dryRun": true])
    let report = try await bench.importing(table, ["confirm": dry["confirm"] ?? .null])
    #expect(report["added"] == 10_001)
    #expect(try await bench.client.call("books/shelf", ["limit": 1])["total"] == 10_001)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf().isEmpty)
    await bench.stop()
  }
}
