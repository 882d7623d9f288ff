import Client
import Daemon
import Foundation
import HTTP
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Books
@testable import System

@Suite("Books: searching as somebody types") struct BookSearchTests {
  @Test("G1 G2 G6 G7 a search shows twenty books a page, how many there are, and when to ask for more")
  func pages() async throws {
    let bench = try await BookBench(locale: "ko-KR", answer: CatalogueSample.google(983, total: 983))
    let first = try await bench.search("gatsby")
    #expect(first.items.count == 20 && first["total"] == 983 && first["totalIsEstimate"] == true)
    #expect(first["display"]?["heading"] == "검색 결과 (983)" && first["hint"] == "책 제목, 저자 검색")
    #expect(first["prefetchHint"] == 4 && first["state"] == "results" && first["hasMore"] == true)
    let second = try await bench.search("gatsby", ["offset": 20])
    #expect(second.items.first?.id.text == "google.\(CatalogueSample.id(20))" && second["offset"] == 20)
    let third = try await bench.search("gatsby", ["after": second["next"] ?? .null])
    #expect(third.items.first?.id.text == "google.\(CatalogueSample.id(40))")
    #expect(bench.server.requests.map { $0.item("startIndex") } == ["0", "20", "40"])
    #expect(bench.server.requests.allSatisfy { $0.item("maxResults") == "20" && $0.item("q") == "gatsby" })
    await bench.stop()
  }

  @Test(
    "G8 the end is found at an empty page and at one without items, and not at a short one; nothing is asked behind it")
  func ends() async throws {
    for (count, total, requests) in [(23, 23, 3), (23, 900, 3), (0, 59_006, 1), (40, 40, 3)] {
      let bench = try await BookBench(answer: CatalogueSample.google(count, total: total))
      var seen: [String] = []
      var offset = 0
      while true {
        let page = try await bench.search("x y", ["offset": .integer(Int64(offset))])
        seen += page.items.map { $0.id.text }
        offset += page.items.count
        guard page["hasMore"] == true else { break }
      }
      #expect(seen.count == count && Set(seen).count == count, "\(count) of \(total)")
      let last = try await bench.search("x y", ["offset": .integer(Int64(count))])
      #expect(last["hasMore"] == false && last["total"] == .integer(Int64(count)) && last["totalIsEstimate"] == false)
      #expect(bench.server.requests.count == requests, "\(count) of \(total): \(bench.asked)")
      await bench.stop()
    }
  }

  @Test("G8 pages that are short in the middle, whatever total they tell, do not end the list; nobody is asked unasked")
  func shortPages() async throws {
    let sizes = [(count: 18, total: 60), (count: 17, total: 30), (count: 5, total: 45)]
    let bench = try await BookBench { request in
      let page = (Int(request.item("startIndex")) ?? 0) / 20
      guard page < sizes.count else { return CatalogueSample.page([], total: 45) }
      let first = sizes[..<page].map(\.count).reduce(0, +)
      let volumes = (first..<first + sizes[page].count).map { CatalogueSample.volume($0) }
      return CatalogueSample.page(volumes, total: sizes[page].total)
    }
    var ids: [String] = []
    var next: JSONValue? = nil
    var last: JSONValue = nil
    repeat {
      last = try await bench.search("한강", next.map { ["after": $0] } ?? [:])
      ids += last.items.map { $0.id.text }
      next = last["next"]
    } while next != nil
    #expect(ids == (0..<40).map { "google.\(CatalogueSample.id($0))" })
    // Only the empty page is the end.
    #expect(last.items.isEmpty && last["hasMore"] == false && last["total"] == 40)
    #expect(bench.server.requests.map { $0.item("startIndex") } == ["0", "20", "40", "60"])
    await bench.stop()
  }

  @Test("G8 a short page whose total agrees is the end only when the one behind it is empty, asked for by who reads on")
  func likelyEnd() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(3))
    let first = try await bench.search("three")
    #expect(first.items.count == 3 && first["hasMore"] == true && first["totalIsEstimate"] == true)
    #expect(try await bench.search("three")["freshness"] == "cached")
    #expect(bench.server.requests.count == 1)
    let end = try await bench.search("three", ["after": first["next"] ?? .null])
    #expect(end.items.isEmpty && end["hasMore"] == false && end["totalIsEstimate"] == false)
    #expect(try await bench.search("three")["hasMore"] == false && bench.server.requests.count == 2)
    await bench.stop()
  }

  @Test("G21 books that a service repeats on neighbouring pages, while its totals shrink, stand once in the list")
  func repeats() async throws {
    let bench = try await BookBench { request in
      let start = Int(request.item("startIndex")) ?? 0
      let from = max(0, start - 1)
      let numbers = from < 45 ? Array(from..<min(45, start + 19)) : []
      return CatalogueSample.page(numbers.map { CatalogueSample.volume($0) }, total: 45 + max(0, 40 - start / 2))
    }
    var ids: [String] = []
    var next: JSONValue? = nil
    repeat {
      let page = try await bench.search("한강", next.map { ["after": $0] } ?? [:])
      ids += page.items.map { $0.id.text }
      next = page["next"]
    } while next != nil
    #expect(ids == (0..<45).map { "google.\(CatalogueSample.id($0))" })
    await bench.stop()
  }

  @Test("G5 white space of any kind asks nobody and shows nothing, and takes away what was shown")
  func blank() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(3))
    for query in ["", " ", "\t\n", "\u{3000}\u{3000}", "\u{A0}", "\u{200B}", "\u{3164}", "\u{2028}"] {
      let found = try await bench.search(query)
      #expect(found["state"] == "prompt" && found.items.isEmpty && found["total"] == 0, "\(query.debugDescription)")
      #expect(found["display"]?["state"] == "Type a title, an author or an ISBN.", "\(query.debugDescription)")
    }
    #expect(bench.asked.isEmpty)
    let shown = try await bench.ids("three")
    #expect(try await bench.search("three")["display"]?["state"] == nil)
    let cleared = try await bench.search("\u{3000}")
    #expect(cleared["removed"]?.arrayValue?.map(\.text) == shown && cleared["state"] == "prompt")
    #expect(cleared["generation"]?.integerValue == 2)
    #expect(try await bench.search("four")["generation"] == 3, "a view's generations only grow")
    await bench.stop()
  }

  @Test("G4 the same query again asks nobody, whatever blanks stand in it, and shows as much as it did")
  func same() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(50))
    let first = try await bench.search("the  great gatsby")
    _ = try await bench.search("the great gatsby", ["offset": 20])
    let again = try await bench.search(" the great\u{3000}gatsby ")
    #expect(again.items == first.items && again["generation"] == first["generation"])
    #expect(again["inserted"] == [] && again["removed"] == [] && again["moved"] == [])
    #expect(bench.server.requests.count == 2)
    let other = try await bench.daemon.client()
    #expect(try await other.call("books/search", ["query": "the great gatsby"]).items.count == 20)
    #expect(bench.server.requests.count == 2)
    let refreshed = try await bench.search("the great gatsby", ["refresh": true])
    #expect(refreshed["freshness"] == "live" && bench.server.requests.count == 3)
    await bench.stop()
  }

  @Test("M26 a search for books is in the history, with how many were found, unless somebody is typing or wants it not")
  func noted() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(3))
    try await bench.search("three")
    try await bench.search("three", ["offset": 1])
    try await bench.search("thr", ["debounce": 600])
    try await bench.search("thre", ["view": "field"])
    try await bench.search("four", ["remember": false])
    try await bench.search("five", ["debounce": 600, "remember": true])
    try await bench.search("  ")
    let history = try await bench.client.call("search/history", ["scope": "books"]).items
    #expect(history.map { $0["text"] } == ["five", "three"] && history.map { $0["count"] } == [3, 3])
    let offered = try await bench.client.call("search/suggest", ["scope": "books", "text": "th"])
    #expect(offered["history"].list.map { $0["text"] } == ["three"])
    #expect(try await bench.client.call("changes/log")["total"] == 0)
    await bench.stop()
  }

  @Test("G4 a day later the same query is asked for again")
  func aged() async throws {
    let clock = TestClock()
    let bench = try await BookBench(clock: clock, answer: CatalogueSample.google(3))
    #expect(try await bench.search("three")["freshness"] == "live")
    clock.advance(milliseconds: 86_399_000)
    #expect(try await bench.search("three")["freshness"] == "cached")
    clock.advance(milliseconds: 2_000)
    #expect(try await bench.search("three")["freshness"] == "live")
    #expect(bench.server.requests.count == 2)
    await bench.stop()
  }

  @Test("G3 a search waits for so long as it was told, and one that is superseded meanwhile never asks")
  func debounce() async throws {
    let gate = ServerGate()
    let reached = ServerGate()
    let reachedAgain = ServerGate()
    let waited = Mutex<[Duration]>([])
    let bench = try await BookBench(answer: CatalogueSample.google(3)) { settings in
      settings.pause = { duration in
        let count = waited.withLock { waited in
          waited.append(duration)
          return waited.count
        }
        (count == 1 ? reached : reachedAgain).open()
        await gate.opened()
      }
    }
    let first = bench.client.send("books/search", ["query": "한", "debounce": 600])
    await reached.opened()
    let second = bench.client.send("books/search", ["query": "한강", "debounce": 600])
    // It waits only after it has taken the other's place.
    await reachedAgain.opened()
    gate.open()
    let failure = try await first.failure()
    #expect(failure?.code == RPCError.Code.cancelled && failure?.data?["kind"] == "superseded")
    #expect(try await second.value().items.count == 3)
    #expect(waited.withLock(\.self) == [.milliseconds(600), .milliseconds(600)])
    #expect(bench.server.requests.map { $0.item("q") } == ["한강"])
    // What lies here is shown at once.
    #expect(try await bench.search("한강", ["debounce": 600]).items.count == 3)
    #expect(waited.withLock(\.count) == 2)
    await bench.stop()
  }

  @Test("G19 G20 a late page of an older query never appears: another query begins anew, with a generation of its own")
  func superseded() async throws {
    let gate = ServerGate()
    let arrived = ServerGate()
    let bench = try await BookBench { request in
      guard request.item("q") == "slow" else { return CatalogueSample.google(30)(request) }
      let page = CatalogueSample.page([CatalogueSample.volume(99)], total: 1)
      return ServerReply([.open(arrived), .wait(gate)] + page.steps)
    }
    let old = bench.client.send("books/search", ["query": "slow"])
    await arrived.opened()
    let new = try await bench.search("quick")
    gate.open()
    #expect(try await old.failure()?.data?["kind"] == "superseded")
    #expect(new["generation"] == 2 && new["offset"] == 0 && new.items.count == 20)
    let next = try await bench.search("quick", ["offset": 20])
    #expect(next["generation"] == 2 && next.items.count == 10)
    #expect(!next.items.contains { $0.id.text.hasSuffix("99") })
    await bench.stop()
  }

  @Test("G34 views of one client do not take each other's place")
  func views() async throws {
    let gate = ServerGate()
    let arrived = ServerGate()
    let bench = try await BookBench { request in
      let page = CatalogueSample.google(2)(request)
      return request.item("q") == "slow" ? ServerReply([.open(arrived), .wait(gate)] + page.steps) : page
    }
    let slow = bench.client.send("books/search", ["query": "slow", "view": "left"])
    await arrived.opened()
    #expect(try await bench.search("quick", ["view": "right"]).items.count == 2)
    gate.open()
    #expect(try await slow.value().items.count == 2)
    await bench.stop()
  }

  @Test("G4 two clients that ask the same at once are one request")
  func together() async throws {
    let gate = ServerGate()
    let arrived = ServerGate()
    let bench = try await BookBench { request in
      ServerReply([.open(arrived), .wait(gate)] + CatalogueSample.google(3)(request).steps)
    }
    let other = try await bench.daemon.client()
    let one = bench.client.send("books/search", ["query": "the same"])
    await arrived.opened()
    let two = other.send("books/search", ["query": "the same"])
    let three = bench.client.send("books/search", ["query": "the same"])
    _ = try await other.call("session/sync")
    _ = try await bench.client.call("session/sync")
    gate.open()
    #expect(try await one.value().items.count == 3)
    #expect(try await two.value().items.count == 3)
    #expect(try await three.value().items.count == 3)
    #expect(bench.server.requests.count == 1)
    await bench.stop()
  }

  @Test("G9 the progress of a search begins and ends, also of one that fails and of one that is superseded")
  func progress() async throws {
    let bench = try await BookBench { request in
      request.item("q") == "bad" ? .text("no", status: 400) : CatalogueSample.google(3)(request)
    }
    _ = try await bench.search("good", ["workDoneToken": "a"])
    _ = try await bench.client.failure("books/search", ["query": "bad", "workDoneToken": "b"])
    _ = try await bench.client.call("session/sync")
    for token in ["a", "b"] {
      let kinds = bench.client.heard("$/progress").filter { $0["token"].text == token }.map {
        $0["value"]?["kind"].text
      }
      #expect(kinds.first == "begin" && kinds.last == "end", "\(token): \(kinds)")
    }
    await bench.stop()
  }

  @Test("G18 a cancelled search closes its connection")
  func cancelled() async throws {
    let closed = ServerGate()
    let arrived = ServerGate()
    let bench = try await BookBench { _ in ServerReply([.open(arrived), .waitForPeerToClose(closed)]) }
    let search = bench.client.send("books/search", ["query": "never"])
    await arrived.opened()
    search.cancel()
    #expect(try await search.failure()?.code == RPCError.Code.cancelled)
    await closed.opened()
    await bench.stop()
  }

  @Test("G33 what another query shows is told as what came, what went and what moved")
  func differences() async throws {
    let bench = try await BookBench { request in
      let numbers = request.item("q") == "one" ? [1, 2, 3, 4] : [3, 1, 5]
      return CatalogueSample.page(numbers.map { CatalogueSample.volume($0) }, total: numbers.count)
    }
    func texts(_ value: JSONValue?) -> [String] { value.list.map { String($0.text.suffix(1)) } }
    let first = try await bench.search("one")
    #expect(texts(first["inserted"]) == ["1", "2", "3", "4"] && first["removed"] == [])
    let second = try await bench.search("two")
    #expect(texts(second["inserted"]) == ["5"] && texts(second["removed"]) == ["2", "4"])
    #expect(texts(second["moved"]) == ["1"])
    await bench.stop()
  }

  @Test("G27 what a client had on its screens goes with it")
  func leaving() async throws {
    let world = HeldServices()
    let bench = try await BookBench(features: [world.feature], answer: CatalogueSample.google(3))
    bench.daemon.daemon.startBackgroundWork()
    let services = await world.services()
    for number in 0..<5 {
      let client = try await bench.daemon.client()
      _ = try await client.call("books/search", ["query": .string("query \(number)")])
      await client.close()
    }
    // The daemon hears of a closed socket a moment later; whoever asks then lets go of those who have left.
    while services.bookSearches.held.views != 1 { _ = try await bench.search("one more") }
    #expect(services.bookSearches.held.views == 1)
    await bench.stop()
  }

  @Test("G30 no offset, limit or cursor brings anything down: it is answered or refused by its name")
  func indices() async throws {
    let bench = try await BookBench(answer: CatalogueSample.google(25))
    for (params, field) in [
      (["offset": -1], "offset"), (["offset": 100_001], "offset"), (["limit": 0], "limit"), (["limit": 41], "limit"),
      (["after": "x"], "after"), (["after": "-5"], "after"), (["after": "99999999999999999999"], "after"),
      (["debounce": -1], "debounce"), (["offset": 1, "after": "1"], "after"),
    ] as [(JSONObject, String)] {
      var params = params
      params["query"] = "x y"
      let failure = try await bench.client.failure("books/search", .object(params))
      #expect(failure?.code == RPCError.Code.invalidParams, "\(field)")
    }
    let behind = try await bench.search("x y", ["offset": 90_000])
    #expect(behind.items.isEmpty && behind["hasMore"] == false && behind["total"] == 25)
    await bench.stop()
  }

  @Test("G4 what one address answered does not stand for another, of which the configuration was told since")
  func otherAddress() async throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    let bench = try await BookBench(in: folder, clock: clock, answer: CatalogueSample.google(2))
    #expect(try await bench.search("gatsby").items.count == 2)
    await bench.daemon.stop()
    // The first server still has its port.
    let later = try await BookBench(in: folder, clock: clock, answer: CatalogueSample.google(3))
    let found = try await later.search("gatsby")
    #expect(found.items.count == 3 && found["freshness"] == "live")
    await later.stop()
    bench.server.stop()
  }

  @Test("G23 what was found once is answered without the network, after a restart too")
  func offline() async throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    let bench = try await BookBench(in: folder, clock: clock, answer: CatalogueSample.google(23))
    let online = try await bench.search("gatsby")
    _ = try await bench.search("gatsby", ["offset": 20])
    await bench.daemon.stop()
    // Two days later, so that it would be asked for again.
    clock.advance(milliseconds: 2 * 86_400_000)
    let later = try await BookBench(in: folder, clock: clock, server: bench.server, change: { $0.http.offline = true })
    let found = try await later.search("gatsby")
    #expect(found.items == online.items && found["freshness"] == "cached")
    #expect(found["fetchedAt"] == "2026-11-21T03:04:05.678Z")
    #expect(found["warnings"]?[0]?["kind"] == "unavailable")
    #expect(try await later.search("gatsby", ["offset": 20]).items.count == 3)
    let book = try await later.client.call("books/get", ["id": online.items[3].id])
    #expect(book["title"] == "Book 3")
    #expect(try await later.refusal("books/search", ["query": "never seen"]) == "unreachable")
    #expect(bench.server.requests.count == 2)
    await later.stop()
  }
}
