import Client
import Foundation
import TestSupport
import Testing
import Wire

@testable import HTTP

/// Cases 1 to 12: what catalogues of books do.
enum BookCases {
  /// 1: no line in the log.
  static func blankQuery() async throws {
    try await RemoteBench().run { bench async throws in
      for query in [" ", "   ", "\t\n", "\u{3000}", "\u{A0}\u{200B}"] {
        #expect(try await bench.search(query)["state"] == "prompt")
      }
      #expect(try bench.server.log().isEmpty)
    }
  }

  /// 2: behind the end there is no `items`, though `totalItems` promises more.
  static func pastTheEnd() async throws {
    try await RemoteBench(["--unstable"]).run { bench async throws in
      #expect(try await bench.books("한강").count == 16)
      let log = try bench.server.log("/books/v1/volumes")
      #expect(log.map { $0.query("startIndex") } == [["0"], ["20"]] && log.allSatisfy { $0.status == 200 })
      let end = try await bench.search("한강", ["offset": 16])
      #expect(end.items.isEmpty && end["hasMore"] == false && end["total"] == 16 && end["totalIsEstimate"] == false)
      #expect(try bench.server.log("/books/v1/volumes").count == 2)
    }
  }

  /// 3: totals shrink and pages overlap by one.
  static func unstableTotals() async throws {
    try await RemoteBench(["--unstable"]).run { bench async throws in
      for (query, count) in [("한강", 16), ("가상출판사", 86)] {
        for limit: JSONValue in [7, 20] {
          let ids = try await bench.books(query, ["limit": limit]).map { $0.id.text }
          #expect(ids.count == count && Set(ids).count == count, "\(query), \(limit)")
        }
      }
    }
  }

  /// 4: an integer and a fraction.
  static func ratings() async throws {
    try await RemoteBench().run { bench async throws in
      let halves = try await bench.search("가을").items.compactMap { $0["rating"]?["halves"]?.integerValue }
      #expect(Set(halves) == [8, 9])
    }
  }

  /// 5: a year alone, a month, a day.
  static func yearOnly() async throws {
    try await RemoteBench().run { bench async throws in
      let books = try await bench.search("가을").items
      let dates = Set(books.map { $0["published"].text.utf8.count })
      #expect(dates.isSuperset(of: [4, 7, 10]))
      #expect(books.allSatisfy { $0["published"] == nil || $0["year"].map { $0.integerValue ?? 0 > 1500 } ?? false })
      #expect(books.contains { $0["published"] == "2021" && $0["year"] == 2021 })
    }
  }

  /// 6: no pictures at all, and links that are all written `http:`.
  static func covers() async throws {
    let bench = try await RemoteBench {
      // Nobody leaves this machine: the name of Google's pictures is here, where no request may go.
      $0.http.resolved = ["books.google.com:443:127.0.0.1", "books.google.com:80:127.0.0.1"]
    }
    try await bench.run { bench async throws in
      let books = try await bench.search("관리").items
      let asked = try bench.server.log().count
      let bare = try #require(books.first { $0["hasCover"] == false })
      #expect(try await bench.client.call("books/cover", ["id": bare.id])["placeholder"] == true)
      #expect(try bench.server.log().count == asked)
      let covered = try #require(books.first { $0["hasCover"] == true })
      #expect(try await bench.failure("books/cover", ["id": covered.id]) == "refusedAddress")
      #expect(bench.daemon.logLines.contains { $0.contains("https://books.google.com") })
      #expect(!bench.daemon.logLines.contains { $0.contains("http://books.google.com") })
      let raw = try await bench.client.call("books/get", ["id": covered.id])["raw"]
      #expect(raw?["volumeInfo"]?["imageLinks"]?["thumbnail"].text.hasPrefix("http://") == true)
    }
  }

  /// 7: without a key one request and a clear word; with a wrong one the same; with the right one books.
  static func googleKey() async throws {
    for (key, kind) in [(nil, "keyNeeded"), ("wrong", "closed"), ("right", nil)] as [(String?, String?)] {
      try await RemoteBench(["--google-key", "right"], google: key).run { bench async throws in
        let found = try await bench.search("한강")
        let warning = found["warnings"]?[0]
        #expect(warning?["kind"]?.stringValue == kind, "\(key ?? "none")")
        #expect(found["catalogues"] == (kind == nil ? ["google"] : ["openLibrary"]) && !found.items.isEmpty)
        _ = try await bench.search("소년")
        let asked = try bench.server.log("/books/")
        #expect(asked.count == (kind == nil ? 2 : 1), "\(key ?? "none")")
        #expect(asked.allSatisfy { $0.query("key") == (key.map { [$0] } ?? []) })
        if kind == "keyNeeded" { #expect(warning?["advice"].text.contains("config.toml") == true) }
      }
    }
  }

  /// 8: an id that can be none is refused here.
  static func malformedID() async throws {
    try await RemoteBench().run { bench async throws in
      for id in ["google.x", "google.zzzzzzzzzzz.", "openLibrary.OL1A", "openLibrary.OLW"] {
        #expect(try await bench.failure("books/get", ["id": .string(id)]) == "id", "\(id)")
      }
      #expect(try bench.server.log().isEmpty)
      #expect(try await bench.failure("books/get", ["id": "google.zzzzzzzzzzzz"]) == "notFound")
      #expect(try bench.server.log().map(\.status) == [404])
    }
  }

  /// 9: two syllables, which `q` refuses.
  static func shortTitle() async throws {
    try await RemoteBench().run { bench async throws in
      let found = try await bench.search("한강", ["catalogue": "openLibrary"])
      #expect(found.items.count == 6 && found.items.allSatisfy { $0["title"].text.contains("한강") })
      let log = try bench.server.log()
      #expect(log.count == 1 && log[0].status == 200 && log[0].query("title") == ["한강"] && log[0].query("q").isEmpty)
    }
  }

  /// 10: a picture of 43 bytes says that there is none.
  static func dotCover() async throws {
    try await RemoteBench().run { bench async throws in
      _ = try await bench.search("도서 번역", ["catalogue": "openLibrary"])
      // The service's answer to who does not say `default=false`, here even to who does.
      try bench.server.fault("^/ol/covers/b/id/500001", "redirect:/ol/covers/b/id/999999999-S.jpg")
      let cover = try await bench.client.call("books/cover", ["id": "openLibrary.OL900001W"])
      #expect(cover["placeholder"] == true && cover["path"] == nil)
      let log = try bench.server.log("/ol/covers")
      #expect(log.first?.query("default") == ["false"] && log.last?.status == 200 && log.last?.sent == 43)
    }
  }

  /// 11: the end point of numbers leads on to the edition.
  static func isbn() async throws {
    try await RemoteBench().run { bench async throws in
      let found = try await bench.search("978-89-00-10472-9", ["catalogue": "openLibrary"])
      #expect(found.items.map { $0["title"] } == ["도서 번역"] && found.items[0]["authors"] == ["임지아"])
      let log = try bench.server.log()
      #expect(log.prefix(2).map(\.path) == ["/ol/isbn/9788900104729.json", "/ol/books/OL800001M.json"])
      #expect(log.prefix(2).map(\.status) == [302, 200])
    }
  }

  /// 12: a description that is an object.
  static func descriptionObject() async throws {
    try await RemoteBench().run { bench async throws in
      let book = try await bench.client.call("books/get", ["id": "openLibrary.OL900001W"])
      #expect(book["title"] == "도서 번역" && book["description"].text.hasPrefix("설명"))
      #expect(book["raw"]?["description"]?["value"]?.text.hasPrefix("설명") == true)
    }
  }

  /// 37: two who look for the same at once.
  static func together() async throws {
    try await RemoteBench().run { bench async throws in
      try bench.server.fault("^/books/", "latency:300")
      let other = try await bench.daemon.client(name: "other")
      let one = bench.client.send("books/search", ["query": "한강"])
      let two = other.send("books/search", ["query": "한강"])
      #expect(try await one.value().items.count == 16)
      #expect(try await two.value().items.count == 16)
      #expect(try bench.server.log("/books/").count == 1)
    }
  }

  /// 36: a cancel during a hang.
  static func cancel() async throws {
    try await RemoteBench().run { bench async throws in
      try bench.server.fault("^/books/", "hang")
      var times: [Duration] = []
      // The best counts: on a busy machine something else may have its turn meanwhile.
      for number in 1...20 where times.allSatisfy({ $0 > .milliseconds(100) }) {
        let search = bench.client.send("books/search", ["query": .string("never \(number)")])
        try await bench.reached("/books/", number)
        let start = ContinuousClock.now
        search.cancel()
        #expect(try await search.failure()?.code == RPCError.Code.cancelled)
        times.append(ContinuousClock.now - start)
      }
      #expect(times.min() ?? .seconds(1) <= .milliseconds(100), "\(times)")
    }
  }
}
