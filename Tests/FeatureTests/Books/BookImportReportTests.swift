import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Books: what an import tells and asks") struct BookImportReportTests {
  private static let head =
    "Book Id,Title,Author,ISBN,My Rating,Date Read,Exclusive Shelf,My Review,Private Notes\n"

  @Test("what the reader wrote is not written over, and the report names the row and each field that was kept back")
  func keptBack() async throws {
    let bench = try await BookBench()
    let own: JSONObject = [
      "byHand": ["isbn": "9780060273224"], "status": "abandoned", "finished": "2020-01-02", "rating": 4,
      "note": "Mine.",
    ]
    let book = try await bench.add("Sabriel", ["Garth Nix"], own)
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,5,2019/07/14,read,Theirs<br/>and more,\n"
    for dryRun: JSONObject in [["dryRun": true], [:]] {
      let report = try await bench.importing(file, dryRun)
      #expect(report["known"] == 1 && report["updated"] == 0 && report["skipped"] == 0, "\(report)")
      let notes = report["notes"].list
      #expect(notes.map { $0["field"].text } == ["status", "finished", "rating", "note"])
      #expect(notes.allSatisfy { $0["reason"] == "keptOwn" && $0["title"] == "Sabriel" && $0["line"] == 2 })
      #expect(notes.allSatisfy { $0["skipped"] == false })
      #expect(
        notes.map { $0["display"].text } == [
          "Your status “given up” is unchanged; the file has “read”.",
          "Your last day 2020-01-02 is unchanged; the file has 2019-07-14.",
          "Your rating 4 is unchanged; the file has 5.",
          "Your note is unchanged; the file has another: Theirs and more",
        ])
    }
    let kept = try await bench.client.call("books/get", ["id": book.id])["shelf"]
    #expect(kept?["rating"] == 4 && kept?["note"] == "Mine." && kept?["finished"] == "2020-01-02")
    #expect(kept?["status"] == "abandoned")
    await bench.stop()
  }

  @Test("a table that a spreadsheet has written in CP949 or UTF-16 is read as that, and the report says so")
  func encodings() async throws {
    let table = "title,authors,status\n소년이 온다,한강,읽음\n채식주의자,한강,읽고 싶은 책\n"
    // CP949 of the same.
    let korean: [UInt8] =
      Array("title,authors,status\n".utf8) + [0xBC, 0xD2, 0xB3, 0xE2, 0xC0, 0xCC, 0x20, 0xBF, 0xC2, 0xB4, 0xD9, 0x2C]
      + [0xC7, 0xD1, 0xB0, 0xAD, 0x2C, 0xC0, 0xD0, 0xC0, 0xBD, 0x0A]
      + [0xC3, 0xA4, 0xBD, 0xC4, 0xC1, 0xD6, 0xC0, 0xC7, 0xC0, 0xDA, 0x2C, 0xC7, 0xD1, 0xB0, 0xAD, 0x2C]
      + [0xC0, 0xD0, 0xB0, 0xED, 0x20, 0xBD, 0xCD, 0xC0, 0xBA, 0x20, 0xC3, 0xA5, 0x0A]
    let wide: [UInt8] = [0xFF, 0xFE] + table.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    for (bytes, name) in [(korean, "EUC-KR (CP949)"), (wide, "UTF-16")] {
      let bench = try await BookBench()
      let report = try await bench.client.call(
        "books/import", ["data": .string(Data(bytes).base64EncodedString())])
      #expect(report["added"] == 2 && report["skipped"] == 0, "\(report)")
      let notes = report["notes"].list
      #expect(notes.count == 1 && notes[0]["field"] == "encoding" && notes[0]["display"].text.contains(name))
      let books = try await bench.shelf(["sort": "title"])
      #expect(books.map { $0["title"].text } == ["소년이 온다", "채식주의자"])
      #expect(books.map { $0["shelf"]?["status"] } == ["read", "want"] && books[0]["authors"] == ["한강"])
      await bench.stop()
    }
  }

  @Test("two rows of one number are one book, which the report tells, or a row to decide on where they contradict")
  func oneNumber() async throws {
    let bench = try await BookBench()
    let file =
      Self.head + "1,Sabriel,Garth Nix,0060273224,,,to-read,,\n"
      + "2,\"Sabriel (Abhorsen, #1)\",Garth Nix,0060273224,5,2019/07/14,read,Bells,\n"
      + "3,Sabriel,Garth Nix,0060273224,2,,read,,\n" + "4,Plants and Flowers,Ann,0060273224,,,to-read,,\n"
    for dryRun: JSONObject in [["dryRun": true], [:]] {
      let report = try await bench.importing(file, dryRun)
      #expect(report["added"] == 1 && report["updated"] == 1 && report["undecided"] == 2, "\(report)")
      #expect(report["skipped"] == 0)
      let notes = report["notes"].list
      #expect(notes.map { $0["reason"].text } == ["repeated", "undecided", "undecided"])
      #expect(notes.dropFirst().allSatisfy { $0["display"].text.contains("books/review") }, "\(notes)")
      #expect(notes[0]["line"] == 3 && notes[0]["field"] == "isbn" && notes[0]["display"].text.contains("merged"))
    }
    let books = try await bench.shelf()
    #expect(books.count == 1 && books[0]["title"] == "Sabriel" && books[0]["shelf"]?["rating"] == 5)
    #expect(books[0]["shelf"]?["status"] == "read" && books[0]["shelf"]?["note"] == "Bells")
    #expect(books[0]["shelf"]?["origins"] == ["goodreads/1", "goodreads/2"])
    let waiting = try await bench.client.call("books/review").items
    #expect(waiting.map { $0["reason"].text } == ["numberOfAnother", "repeated"])
    #expect(waiting.allSatisfy { $0["candidates"]?[0]?["book"]?["id"] == books[0].id })
    let again = try await bench.importing(file)
    #expect(again["known"] == 2 && again["undecided"] == 2 && again["changed"] == false, "\(again)")
    // Under a third id in a later file too.
    let later = try await bench.importing(Self.head + "9,Sabriel,Garth Nix,0060273224,,,read,,\n")
    #expect(later["known"] == 1 && later["added"] == 0)
    #expect(try await bench.shelf().count == 1)
    await bench.stop()
  }

  @Test("a row that its file has not changed is known, whatever another file brought; a changed field is merged")
  func otherFiles() async throws {
    let bench = try await BookBench()
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,4,,read,,\n"
    #expect(try await bench.importing(file)["added"] == 1)
    let story =
      "Title,Authors,ISBN/UID,Read Status,Dates Read,Star Rating,Review,Tags\n"
      + "Sabriel,Garth Nix,9780060273224,read,2021/01/02-2021/01/05,4.0,Bells,\"magic, owned\"\n"
    #expect(try await bench.importing(story)["updated"] == 1)
    let again = try await bench.importing(file)
    #expect(again["known"] == 1 && again["undecided"] == 0 && again["changed"] == false, "\(again)")
    #expect(try await bench.importing(story)["known"] == 1)
    // Only the file has changed its rating.
    let rated = try await bench.importing(file.replacing(",4,,", with: ",5,,"))
    #expect(rated["updated"] == 1 && rated["undecided"] == 0, "\(rated)")
    let shelf = try await bench.shelf()[0]["shelf"]
    #expect(shelf?["rating"] == 5 && shelf?["note"] == "Bells" && shelf?["started"] == "2021-01-02")
    await bench.stop()
  }

  @Test("an old export of this library that nobody edited is known, where the book came from another file")
  func oldExport() async throws {
    let bench = try await BookBench()
    _ = try await bench.importing(Self.head + "1,Sabriel,Garth Nix,0060273224,4,,read,,\n")
    let exports = [try await bench.export("csv"), try await bench.export("jsonl")]
    let book = try await bench.shelf()[0]
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "rating": 5])
    for file in exports {
      let report = try await bench.importing(file)
      #expect(report["known"] == 1 && report["undecided"] == 0 && report["changed"] == false, "\(report)")
    }
    #expect(try await bench.shelf()[0]["shelf"]?["rating"] == 5)
    await bench.stop()
  }

  @Test(
    "a row that differs says what stands on the shelf and what in the file, in the client's language",
    arguments: [
      ("en-US", "title: “Sabriel” on the shelf, “Sabriell” in the file."),
      ("ko-KR", "title: 서가에는 ‘Sabriel’, 파일에는 ‘Sabriell’로 되어 있습니다."),
    ])
  func differingFields(locale: String, line: String) async throws {
    let bench = try await BookBench(locale: locale)
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,4,,read,,\n"
    _ = try await bench.importing(file)
    let book = try await bench.shelf()[0]
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "rating": 2])
    _ = try await bench.importing(file.replacing("Sabriel", with: "Sabriell").replacing(",4,,", with: ",5,,"))
    let row = try #require(try await bench.client.call("books/review").items.first)
    #expect(row["reason"] == "changed" && row["display"]?["differences"].list.contains(.string(line)) == true, "\(row)")
    await bench.stop()
  }

  @Test("a row that differs says in which fields, and to take it removes nothing that it does not have")
  func keepsWhatIsAbsent() async throws {
    let bench = try await BookBench()
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,4,,read,,\n"
    _ = try await bench.importing(file)
    let book = try await bench.shelf()[0]
    let own: JSONObject = [
      "id": book.id, "rating": 2, "note": "Mine.", "started": "2021-01-02", "tags": ["magic"],
    ]
    _ = try await bench.client.call("books/updateOnShelf", .object(own))
    #expect(try await bench.importing(file.replacing(",4,,", with: ",5,,"))["undecided"] == 1)
    let row = try #require(try await bench.client.call("books/review").items.first)
    #expect(row["reason"] == "changed")
    #expect(row["display"]?["differences"] == ["Your rating 2 is unchanged; the file has 5."], "\(row)")
    let decided = try await bench.client.call("books/decide", ["id": row.id, "choice": "same"])
    let shelf = decided["book"]?["shelf"]
    #expect(shelf?["rating"] == 5 && shelf?["note"] == "Mine." && shelf?["tags"] == ["magic"], "\(decided)")
    #expect(shelf?["started"] == "2021-01-02")
    await bench.stop()
  }

  @Test("a title that is longer than a book's is cut, from whichever table it came")
  func longTitles() async throws {
    let bench = try await BookBench()
    let long = String(repeating: "x", count: 1_001)
    for file in [
      Self.head + "1,\(long),Ann,,4,,read,,\n", "Title,Authors,ISBN/UID,Read Status,Star Rating\ny\(long),Bob,,read,\n",
    ] {
      #expect(try await bench.importing(file)["added"] == 1)
    }
    let books = try await bench.shelf()
    #expect(books.count == 2 && books.allSatisfy { $0["title"].text.hasSuffix("…") && $0["title"].text.count <= 1_001 })
    await bench.stop()
  }

  @Test("a row that waits is decided by a later row of its book that can be taken")
  func laterRow() async throws {
    let bench = try await BookBench()
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,4,,read,,\n"
    _ = try await bench.importing(file)
    let book = try await bench.shelf()[0]
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "rating": 2])
    #expect(try await bench.importing(file.replacing(",4,,", with: ",5,,"))["undecided"] == 1)
    // The shelf is again as the file left it.
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "rating": 4])
    let report = try await bench.importing(file.replacing(",4,,", with: ",3,,"))
    #expect(report["updated"] == 1 && report["undecided"] == 0, "\(report)")
    #expect(try await bench.client.call("books/review")["total"] == 0)
    #expect(try await bench.shelf()[0]["shelf"]?["rating"] == 3)
    await bench.stop()
  }

  @Test("a day that is still to come is told with its row, which comes onto the shelf without it")
  func daysToCome() async throws {
    let bench = try await BookBench()
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,4,2031/07/14,read,,\n"
    for dryRun: JSONObject in [["dryRun": true], [:]] {
      let report = try await bench.importing(file, dryRun)
      let note = try #require(report["notes"].list.first)
      #expect(report["added"] == 1 && report["skipped"] == 0 && note["field"] == "finished" && note["line"] == 2)
      #expect(note["reason"] == "badValue" && note["display"].text.contains("2031-07-14"))
    }
    let table = "title,started,finished\nLirael,2026-11-01,2099-01-01\n"
    #expect(try await bench.importing(table)["notes"].list.map { $0["field"].text } == ["finished"])
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.map { $0["title"].text } == ["Lirael", "Sabriel"])
    #expect(books.allSatisfy { $0["shelf"]?["finished"] == nil } && books[0]["shelf"]?["started"] == "2026-11-01")
    #expect(books[1]["shelf"]?["status"] == "read")
    #expect(try await bench.importing(file)["known"] == 1)
    await bench.stop()
  }

  @Test("values that mean nothing here, or something else, are told with their rows, in the order of the file")
  func doubtfulValues() async throws {
    let bench = try await BookBench()
    let report = try await bench.importing(
      "Title,Authors,ISBN/UID,Read Status,Star Rating\nOne,Ann,9780060273225,read,9\nTwo,Bob,,someday,4.25\n"
        + "Three,Cid,uid-17,read,4.5\n")
    let notes = report["notes"].list
    #expect(notes.map { $0["field"].text } == ["isbn", "rating", "status", "rating"], "\(notes)")
    #expect(notes.allSatisfy { $0["reason"] == "badValue" && $0["skipped"] == false })
    #expect(notes.map { $0["number"] } == [1, 1, 2, 2])
    #expect(notes.last?["display"] == "The rating 4.25 became 4.5, since ratings are in steps of 0.5.")
    let books = try await bench.shelf(["sort": "title"])
    #expect(books.first { $0["title"] == "One" }?["shelf"]?["rating"] == nil)
    await bench.stop()
  }

  @Test("what the shelf does not have comes from the file without a word, and what both say alike is no difference")
  func nothingKeptBack() async throws {
    let bench = try await BookBench(locale: "ko-KR")
    try await bench.add("Sabriel", ["Garth Nix"], ["byHand": ["isbn": "9780060273224"], "rating": 4.5])
    let file = Self.head + "1,Sabriel,Garth Nix,0060273224,,2019/07/14,read,Good.,\n"
    let report = try await bench.importing(file)
    #expect(report["updated"] == 1 && report["notes"] == [], "\(report)")
    let table = "title,authors,isbn,rating,note\nSabriel,Garth Nix,0060273224,3,Good.\n"
    let notes = try await bench.importing(table)["notes"].list
    #expect(notes.map { $0["field"].text } == ["rating"], "\(notes)")
    #expect(notes.first?["display"].text.hasPrefix("평점 4.5를 그대로 두었습니다.") == true, "\(notes)")
    await bench.stop()
  }

  @Test("reviews and private notes come as text: line breaks stay, tags go, and the two stand apart")
  func markup() async throws {
    let bench = try await BookBench()
    let review = "First.<br/><br/><i>Second</i> &amp; <a href=\"\"x\"\">third</a><script>!</script>"
    let file =
      Self.head + "1,Sabriel,Garth Nix,,4,,read,\"\(review)\",mine<br/>alone\n"
      + "2,Lirael,Garth Nix,,4,,read,,1 < 2\n"
    _ = try await bench.importing(file)
    let notes = try await bench.shelf(["sort": "title"]).map { $0["shelf"]?["note"].text ?? "" }
    #expect(notes == ["1 < 2", "First.\n\nSecond & third\n\nmine\nalone"])
    await bench.stop()
  }

  @Test("a row that waits says why and what it may be, and who decides without saying which is told so again")
  func candidates() async throws {
    let bench = try await BookBench()
    func printing(_ id: String, _ publisher: String, _ isbn: String) async throws {
      let facts: JSONValue = ["publisher": .string(publisher), "published": "2004", "isbn": .string(isbn)]
      try await bench.add("The Great Gatsby", ["F. Scott Fitzgerald"], id: id, ["byHand": facts])
    }
    try await printing("one", "Scribner", "9780743273565")
    try await printing("two", "Penguin", "9780141182636")
    _ = try await bench.importing("title,authors,isbn\nThe Great Gatsby,F. Scott Fitzgerald,9780140283297\n")
    let row = try #require(try await bench.client.call("books/review").items.first)
    #expect(row["reason"] == "similar" && row["display"]?["authors"] == "F. Scott Fitzgerald")
    #expect(row["display"]?["reason"] == "It is much like an existing book.")
    let lines = (row["display"]?["candidates"].list ?? []).map(\.text)
    let first = "The Great Gatsby, F. Scott Fitzgerald, 2004, Scribner, 9780743273565 (book=one, 100 % alike)"
    #expect(lines.count == 2 && lines.contains(first), "\(lines)")
    for (params, field) in [([:], "choice"), (["choice": "same"], "book"), (["book": "three"], "book")]
      as [(JSONObject, String)]
    {
      var params = params
      params["id"] = row.id
      let failure = try await bench.client.failure("books/decide", .object(params))
      #expect(failure?.code == RPCError.Code.invalidParams && failure?.data?["field"].text == field, "\(params)")
      #expect(lines.allSatisfy { failure?.message.contains($0) == true }, "\(failure?.message ?? "")")
      #expect(failure?.data?["candidates"] == row["candidates"], "\(params)")
    }
    #expect(try await bench.client.call("books/review")["total"] == 1)
    // Whoever names a book means that it is that one.
    let decided = try await bench.client.call("books/decide", ["id": row.id, "book": "two"])
    #expect(decided["choice"] == "same" && decided["book"]?.id == "two")
    await bench.stop()
  }

  @Test(
    "a file that cannot be read is told with the formats that are, and one whose name ends otherwise with that",
    arguments: [
      ("books.xlsx", "save it as CSV"), ("books.doc", "end in .doc"), ("books.csv", "Books are read from"),
      ("books", "Books are read from"),
    ])
  func unreadableFiles(name: String, part: String) async throws {
    let bench = try await BookBench()
    let path = bench.daemon.folder.file(name)
    try Data("x, year = 2001\n".utf8).write(to: URL(filePath: path))
    let failure = try await bench.client.failure("books/import", ["path": .string(path)])
    let message = failure?.message ?? ""
    #expect(failure?.kind == "corrupt" && message.contains(part), "\(message)")
    #expect(message.contains("goodreads, storygraph, csv, jsonl, bibtex, ris, csl"), "\(message)")
    await bench.stop()
  }

  @Test("a format that there is not is refused with those that there are", arguments: ["books/import", "books/export"])
  func unknownFormats(method: String) async throws {
    let bench = try await BookBench()
    let given: JSONObject = method == "books/import" ? ["data": ""] : ["inline": true]
    var params = given
    params["format"] = "bookwyrm"
    let failure = try await bench.client.failure(method, .object(params))
    #expect(failure?.data?["field"].text == "format" && failure?.message.contains("csv, ") == true)
    await bench.stop()
  }
}
