import Books
import Client
import Contract
import Foundation
import System
import TestSupport
import Testing
import Wire

@Suite("Books: the shelf") struct ShelfTests {
  @Test(
    "G22 a book of a catalogue goes onto the shelf with all that is known of it, and a second time is the same book")
  func fromCatalogue() async throws {
    let volume = CatalogueSample.volume(
      1, ["title": "소년이 온다", "authors": ["한강"], "publishedDate": "2014", "pageCount": 216, "averageRating": 4.5])
    let bench = try await BookBench(locale: "ko-KR") { request in
      request.path.hasSuffix("volumes") ? CatalogueSample.page([volume], total: 1) : CatalogueSample.json(volume)
    }
    let found = try await bench.search("소년이").items[0]
    #expect(found["shelf"] == nil)
    let count = bench.asked.count
    let added = try await bench.client.call("books/addToShelf", ["book": found.id, "status": "reading"])
    #expect(bench.asked.count == count, "what a search found is not asked for again")
    #expect(added["shelf"]?["status"] == "reading" && added["shelf"]?["started"] == "2026-11-21")
    #expect(added["display"]?["status"] == "읽는 중" && added["sameAs"] == [found.id])
    #expect(added["shelf"]?["citationKey"] == "han2014" && added["rating"]?["halves"] == 9)
    let again = try await bench.client.call("books/addToShelf", ["book": found.id])
    #expect(again["existing"] == true && again.id == added.id && again["shelf"]?["status"] == "reading")
    #expect(again["revision"] == added["revision"] && again["changed"] == false)
    #expect(try await bench.search("소년이").items[0]["shelf"]?["id"] == added.id)
    let whole = try await bench.client.call("books/get", ["id": added.id])
    #expect(whole["raw"] == volume && whole["revision"] == added["revision"])
    await bench.stop()
  }

  @Test("a part of the shelf ends before it is greater than a client can take, and goes on behind that")
  func bounded() async throws {
    let bench = try await BookBench()
    let note = JSONValue.string(String(repeating: "x", count: 1_000_000))
    for number in 0..<6 { _ = try await bench.add("Book \(number)", id: "b\(number)", ["note": note]) }
    var (found, after): ([String], JSONValue?) = ([], nil)
    repeat {
      var params: JSONObject = ["sort": "title"]
      params["after"] = after
      let part = try await bench.client.call("books/shelf", .object(params))
      #expect(part.items.count <= 4 && part["total"] == 6)
      found += part.items.map { $0["title"].text }
      after = part["next"]
    } while after != nil
    #expect(found == (0..<6).map { "Book \($0)" })
    await bench.stop()
  }

  @Test("G22 what is said of a book that is on the shelf already is set, and what is not said of it stays")
  func saidAgain() async throws {
    let bench = try await BookBench()
    let more: JSONObject = ["status": "reading", "started": "2026-11-01", "note": "Mine.", "tags": ["a"], "rating": 3]
    let book = try await bench.add("A notebook", ["Ann Author"], id: "n", more)
    let read = try await bench.client.call(
      "books/addToShelf", ["book": "n", "status": "read", "tags": ["b", "a"], "quotes": [["text": "Words."]]])
    #expect(read["existing"] == true && read["changed"] != false && read["revision"] != book["revision"])
    let shelf = try #require(read["shelf"])
    #expect(shelf["status"] == "read" && shelf["started"] == "2026-11-01" && shelf["finished"] == "2026-11-21")
    #expect(shelf["note"] == "Mine." && shelf["rating"] == 3 && shelf["tags"] == ["a", "b"])
    #expect(shelf["quotes"].list.count == 1 && shelf["progress"]?["percent"] == 100)
    // The same once more, as by a client that did not hear the answer.
    let again = try await bench.client.call(
      "books/addToShelf", ["book": "n", "status": "read", "tags": ["b"], "quotes": [["text": "Words."]]])
    #expect(again["changed"] == false && again["shelf"] == shelf)
    #expect(
      try await bench.refusal("books/addToShelf", ["book": "n", "finished": "2026-10-01"]) == "finished")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("books/get", ["id": "n"])["shelf"]?["status"] == "reading")
    await bench.stop()
  }

  @Test("G22 a book by hand needs a title only; one id brings one book, and another one under it is refused")
  func byHand() async throws {
    let bench = try await BookBench()
    let book = try await bench.add("A notebook", ["Ann Author"], id: "n", ["status": "want"])
    #expect(book.id == "n" && book["title"] == "A notebook" && book["catalogue"] == nil)
    #expect(try await bench.add("A notebook", ["Ann Author"], id: "n")["existing"] == true)
    #expect(try await bench.refusal("books/addToShelf", ["byHand": ["title": "Another"], "id": "n"]) == "exists")
    for (params, field) in [
      ([:], "book"), (["byHand": ["title": " \u{3000}"]], "byHand.title"),
      (["byHand": ["title": "x", "isbn": "9780486269574"]], "byHand.isbn"),
      (["byHand": ["title": "x"], "rating": 4.3], "rating"), (["byHand": ["title": "x"], "rating": 6], "rating"),
      (["byHand": ["title": "x"], "started": "2026-02-30"], "started"),
      (["byHand": ["title": "x"], "started": "2026-11-20", "finished": "2026-11-19"], "finished"),
      (["byHand": ["title": "x", "pageCount": 10], "progress": ["page": 11]], "progress"),
      (["byHand": ["title": "x"], "progress": ["percent": 101]], "progress.percent"),
      (["byHand": ["title": "x"], "documents": ["none"]], "documents[0]"),
      (["byHand": ["title": "x"], "quotes": [["text": " "]]], "quotes[0].text"),
      (["book": "google.x"], "book"),
    ] as [(JSONObject, String)] {
      let failure = try await bench.client.failure("books/addToShelf", .object(params))
      #expect(failure?.code == RPCError.Code.invalidParams, "\(params)")
      if field != "book" { #expect(failure?.data?["field"].text == field, "\(params)") }
    }
    #expect(try await bench.shelf().count == 1)
    await bench.stop()
  }

  @Test("a book that is described twice is one, by its number, else by its title and first author; an id makes another")
  func describedTwice() async throws {
    let bench = try await BookBench()
    let book = try await bench.add("A Notebook", ["Ann Author"], ["note": "first"])
    let again = try await bench.add("a ｎｏｔｅｂｏｏｋ", ["ann author", "Bob"], ["note": "second"])
    #expect(again.id == book.id && again["existing"] == true && again["shelf"]?["note"] == "second")
    #expect(try await bench.add("A Notebook", ["Bob"]).id != book.id)
    let nobodys = try await bench.add("A Notebook")
    #expect(nobodys.id != book.id)
    #expect(try await bench.add("A Notebook").id == nobodys.id)
    // The number says which printing it is, whatever it is called.
    let number: JSONObject = ["byHand": ["isbn": "0486269574"]]
    let numbered = try await bench.add("A Notebook", ["Ann Author"], number)
    #expect(numbered.id != book.id && numbered["existing"] == nil)
    let renamed = try await bench.add("Notebook", [], ["byHand": ["isbn": "978-0-486-26957-3"]])
    #expect(renamed.id == numbered.id && renamed["existing"] == true)
    #expect(try await bench.add("A Notebook", ["Ann Author"], id: "winter-1").id == "winter-1")
    #expect(try await bench.shelf().count == 5)
    await bench.stop()
  }

  @Test("G22 a status brings the day that goes with it, and what the reader says wins")
  func statuses() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock)
    let id = try await bench.add("x").id
    func update(_ params: JSONObject) async throws -> JSONValue {
      var params = params
      params["id"] = id
      return try await bench.client.call("books/updateOnShelf", .object(params))["shelf"] ?? .null
    }
    let reading = try await update(["status": "reading"])
    #expect(reading["started"] == "2026-11-21" && reading["finished"] == nil)
    clock.advance(milliseconds: 3 * 86_400_000)
    let read = try await update(["status": "read", "rating": 4.5])
    #expect(read["started"] == "2026-11-21" && read["finished"] == "2026-11-24" && read["rating"] == 4.5)
    #expect(read["progress"]?["percent"] == 100)
    let corrected = try await update(["finished": "yesterday"])
    #expect(corrected["finished"] == "2026-11-23" && corrected["status"] == "read")
    let again = try await update(["status": "reading"])
    #expect(again["started"] == "2026-11-24" && again["finished"] == nil)
    let given = try await update(["status": "abandoned", "finished": .null, "rating": .null])
    #expect(given["status"] == "abandoned" && given["finished"] == nil && given["rating"] == nil)
    await bench.stop()
  }

  @Test("G22 progress goes by page or by percent, a page with the percent that it is")
  func progress() async throws {
    let bench = try await BookBench()
    let id = try await bench.add("x", [], ["byHand": ["pageCount": 240]]).id
    let page = try await bench.client.call("books/updateOnShelf", ["id": id, "progress": ["page": 120]])
    #expect(page["shelf"]?["progress"] == ["page": 120, "percent": 50])
    #expect(page["display"]?["progress"] == "page 120, 50 %")
    let percent = try await bench.client.call("books/updateOnShelf", ["id": id, "progress": ["percent": 62.5]])
    #expect(percent["shelf"]?["progress"] == ["percent": 62.5])
    let none = try await bench.client.call("books/updateOnShelf", ["id": id, "progress": .null])
    #expect(none["shelf"]?["progress"] == nil && none["display"]?["progress"] == nil)
    await bench.stop()
  }

  @Test("tags that an update gives are kept without blanks around them, each once")
  func tags() async throws {
    let bench = try await BookBench()
    let book = try await bench.add("x")
    let tagged = try await bench.client.call("books/updateOnShelf", ["id": book.id, "tags": [" c", "c", "d "]])
    #expect(tagged["shelf"]?["tags"] == ["c", "d"])
    await bench.stop()
  }

  @Test("G22 an update keeps what it does not name, refuses what has moved on, and can be taken back")
  func updates() async throws {
    let bench = try await BookBench()
    let book = try await bench.add("x", ["Ann"], ["note": "first\r\nline ", "tags": [" a ", "b", "a"]])
    #expect(book["shelf"]?["tags"] == ["a", "b"] && book["shelf"]?["note"] == "first\r\nline ")
    let quotes: JSONValue = [["text": "하나", "page": 3], ["text": "둘", "note": "!"]]
    let changed = try await bench.client.call(
      "books/updateOnShelf", ["id": book.id, "quotes": quotes, "subtitle": "y", "isbn": "0486269574"])
    #expect(changed["shelf"]?["note"] == "first\r\nline " && changed["shelf"]?["quotes"] == quotes)
    #expect(changed["subtitle"] == "y" && changed["isbn13"] == "9780486269573" && changed["authors"] == ["Ann"])
    let stale: JSONValue = ["id": book.id, "note": "other", "ifRevision": book["revision"] ?? .null]
    let failure = try await bench.client.failure("books/updateOnShelf", stale)
    #expect(failure?.data?["kind"] == "conflict" && failure?.data?["current"]?["subtitle"] == "y")
    let same = try await bench.client.call("books/updateOnShelf", ["id": book.id, "subtitle": "y"])
    #expect(same["changed"] == false && same["revision"] == changed["revision"])
    _ = try await bench.client.call("changes/undo")
    let before = try await bench.client.call("books/get", ["id": book.id])
    #expect(before["subtitle"] == nil && before["shelf"]?["quotes"] == [] && before["isbn13"] == nil)
    _ = try await bench.client.call("books/removeFromShelf", ["id": book.id])
    #expect(try await bench.shelf().isEmpty)
    #expect(try await bench.refusal("books/removeFromShelf", ["id": book.id]) == "notFound")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.shelf().map(\.id) == [book.id])
    #expect(try await bench.shelf(["tag": "B"]).count == 1)
    await bench.stop()
  }

  @Test("G22 two clients that write out passages lose none, and who leaves one out must have seen it")
  func quotes() async throws {
    let bench = try await BookBench()
    let book = try await bench.add("x", id: "x", ["quotes": [["text": "하나", "page": 3]]])
    func update(_ params: JSONObject) async throws -> JSONValue {
      var params = params
      params["id"] = "x"
      return try await bench.client.call("books/updateOnShelf", .object(params))
    }
    func texts(_ book: JSONValue) -> [String] { book["shelf"]?["quotes"].list.map { $0["text"].text } ?? [] }
    #expect(try await texts(update(["addQuotes": [["text": "둘"], ["text": "하나", "page": 3]]])) == ["하나", "둘"])
    // A note with nothing in it is none.
    let same = try await update(["addQuotes": [["text": "하나", "page": 3, "note": ""], ["text": "둘", "note": ""]]])
    #expect(same["changed"] == false && texts(same) == ["하나", "둘"])
    // As a client writes that has read the book before the other one wrote.
    let stale: JSONValue = ["id": "x", "quotes": [["text": "하나", "page": 3], ["text": "셋"]]]
    let lost = try #require(try await bench.client.failure("books/updateOnShelf", stale))
    #expect(lost.data?["kind"] == "conflict" && texts(lost.data?["current"] ?? .null) == ["하나", "둘"])
    #expect(lost.data?["advice"].text.contains("addQuotes") == true)
    let old = try await bench.refusal(
      "books/updateOnShelf", ["id": "x", "quotes": [], "ifRevision": book["revision"] ?? .null])
    #expect(old == "conflict")
    let more = try await update(["quotes": [["text": "하나", "page": 3], ["text": "둘"], ["text": "셋"]]])
    #expect(texts(more) == ["하나", "둘", "셋"])
    let seen = try await update([
      "quotes": [["text": "셋"], ["text": "하나", "page": 3]], "ifRevision": more["revision"]!,
    ])
    #expect(texts(seen) == ["셋", "하나"])
    #expect(try await update(["removeQuotes": [["text": "하나", "page": 4]]])["changed"] == false)
    #expect(try await texts(update(["removeQuotes": [["text": "하나"]], "addQuotes": [["text": "넷"]]])) == ["셋", "넷"])
    let many = JSONValue.array((0..<999).map { ["text": .string("\($0)")] })
    #expect(try await bench.refusal("books/updateOnShelf", ["id": "x", "addQuotes": many]) == "addQuotes")
    #expect(try await texts(update(["quotes": .null])).isEmpty)
    await bench.stop()
  }

  @Test("a day of reading that has begun nowhere on earth is refused by its field")
  func daysToCome() async throws {
    // Tomorrow in Seoul has begun on the islands farthest east from ten in the morning UTC on.
    let clock = TestClock(try #require(Instant("2026-11-21T09:59:59.999Z")))
    let bench = try await BookBench(clock: clock, locale: "ko-KR")
    let id = try await bench.add("x", [], ["status": "read"]).id
    for field in ["started", "finished"] {
      for day in ["2026-11-22", "2026-12-01", "9999-12-31"] {
        let failure = try await bench.client.failure("books/updateOnShelf", ["id": id, field: .string(day)])
        #expect(failure?.code == RPCError.Code.invalidParams && failure?.data?["field"].text == field)
        #expect(failure?.message.contains(day) == true)
        #expect(
          try await bench.refusal("books/addToShelf", ["byHand": ["title": "y"], field: .string(day)]) == field)
      }
    }
    clock.advance(milliseconds: 1)
    let there = try await bench.client.call(
      "books/updateOnShelf", ["id": id, "started": "2026-11-20", "finished": "2026-11-22"])
    #expect(there["shelf"]?["finished"] == "2026-11-22")
    #expect(try await bench.refusal("books/updateOnShelf", ["id": id, "finished": "2026-11-23"]) == "finished")
    await bench.stop()
  }

  @Test(
    "G22 the shelf is narrowed and sorted, tells how many there are of each status, and is gone through without gaps")
  func shelf() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock)
    for (number, status) in ["want", "reading", "read", "read", "abandoned", "want", "read"].enumerated() {
      var more: JSONObject = ["status": .string(status), "rating": .number(Double(number + 1) / 2)]
      if status == "read" { more["finished"] = .string("202\(number)-01-0\(number + 1)") }
      if number.isMultiple(of: 2) { more["tags"] = ["Even"] }
      try await bench.add("Title \(6 - number)", ["Author \(number)"], id: "b\(number)", more)
      clock.advance(milliseconds: 1_000)
    }
    let all = try await bench.client.call("books/shelf")
    #expect(all["counts"] == ["want": 2, "reading": 1, "read": 3, "abandoned": 1] && all["total"] == 7)
    #expect(all.items.map { $0.id.text } == (0..<7).reversed().map { "b\($0)" })
    func ids(_ params: JSONValue) async throws -> [String] { try await bench.shelf(params).map { $0.id.text } }
    #expect(try await ids(["status": "read"]) == ["b6", "b3", "b2"])
    #expect(try await ids(["status": "read", "sort": "finished"]) == ["b6", "b3", "b2"])
    #expect(try await ids(["year": 2023]) == ["b3"])
    #expect(try await ids(["tag": "ｅｖｅｎ", "sort": "rating"]) == ["b6", "b4", "b2", "b0"])
    #expect(try await ids(["sort": "title"]) == ["b6", "b5", "b4", "b3", "b2", "b1", "b0"])
    #expect(try await ids(["query": "author 3"]) == ["b3"])
    #expect(try await ids(["query": "!"]) == [])
    for sort in ["added", "changed", "finished", "rating", "started", "title"] {
      var seen: [String] = []
      var next: JSONValue?
      repeat {
        var params: JSONObject = ["limit": 2, "sort": .string(sort)]
        if let next { params["after"] = next }
        let page = try await bench.client.call("books/shelf", .object(params))
        #expect(page["offset"] == .integer(Int64(seen.count)) && page["total"] == 7)
        seen += page.items.map { $0.id.text }
        next = page["next"]
      } while next != nil
      #expect(Set(seen).count == 7 && seen.count == 7, "\(sort): \(seen)")
    }
    #expect(try await bench.refusal("books/shelf", ["after": "x"]) == "after")
    #expect(try await bench.refusal("books/shelf", ["after": "b1/x"]) == "after")
    await bench.stop()
  }

  @Test("G22 a book is linked to documents that are there, and found by them")
  func documents() async throws {
    let bench = try await BookBench()
    let document = try await bench.client.call("documents/add", ["data": .string(SamplePDF(["text"]).base64)])
    let book = try await bench.add("x", [], ["documents": [document.id, document.id]])
    #expect(book["shelf"]?["documents"] == [document.id])
    #expect(try await bench.shelf(["document": document.id]).map(\.id) == [book.id])
    _ = try await bench.client.call("documents/remove", ["id": document.id])
    // What it was stays known, so that undo brings the link back; and another update does not stumble over it.
    let kept = try await bench.client.call(
      "books/updateOnShelf", ["id": book.id, "documents": [document.id], "note": "n"])
    #expect(kept["shelf"]?["documents"] == [document.id])
    await bench.stop()
  }

  @Test("G22 a day tells which books came, which were begun and which were finished")
  func day() async throws {
    let bench = try await BookBench(locale: "ko-KR")
    try await bench.add("begun", id: "a", ["status": "reading"])
    try await bench.add("finished", id: "b", ["status": "read", "started": "2026-11-01"])
    try await bench.add("given up", id: "c", ["status": "abandoned", "started": "2026-11-02"])
    let items = try await bench.client.call("diary/day", ["day": "2026-11-21"])["items"].list.filter {
      $0["collection"] == "books"
    }
    let told = items.map { "\($0.id.text) \($0["kind"].text) \($0["display"]?["kind"].text ?? "")" }
    #expect(Set(told) == ["a started 시작", "b finished 완료", "a added 추가", "b added 추가", "c added 추가"])
    await bench.stop()
  }

  @Test("G22 what changes on the shelf is told to every client")
  func notifications() async throws {
    let bench = try await BookBench()
    let other = try await bench.daemon.client()
    _ = try await other.call("changes/subscribe", ["collections": ["books"]])
    let book = try await bench.add("x")
    // Two commits that wait together would be told as one.
    _ = try await other.call("session/sync")
    _ = try await bench.client.call("books/updateOnShelf", ["id": book.id, "rating": 3.5])
    _ = try await other.call("session/sync")
    let changes = other.commits.flatMap { $0["changes"].list }
    #expect(changes.map { $0["kind"].text } == ["added", "updated"])
    #expect(changes.last?["fields"] == ["rating"])
    await bench.stop()
  }
}
