import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Search: parts of what was found") struct QueryPageTests {
  private static func diary(_ count: Int) async throws -> QueryBench {
    let bench = try await QueryBench()
    for number in 0..<count { try await bench.write("river \(number)\nslow water", id: "e\(number)") }
    return bench
  }

  @Test("M30 the parts of a list join without gap and double, whatever is written meanwhile")
  func stable() async throws {
    let bench = try await Self.diary(50)
    let whole = try await bench.ids("slow", ["limit": 200])
    #expect(Set(whole).count == 50)
    var page = try await bench.ask("slow", ["limit": 7])
    var ids = page.items.map { $0.id.text }
    #expect(page["total"] == 50 && page["hasMore"] == true && page["offset"] == 0)
    while page["hasMore"] == true {
      try await bench.write("slow slow slow\nnew \(ids.count)", id: "new\(ids.count)")
      _ = try await bench.client.call("diary/update", ["id": "e0", "text": .string("slow \(ids.count)\nslow slow")])
      page = try await bench.ask("slow", ["limit": 7, "after": page["next"] ?? .null])
      #expect(page["offset"]?.integerValue == Int64(ids.count))
      ids += page.items.map { $0.id.text }
    }
    #expect(ids == whole)
    #expect(try await bench.ids("slow", ["limit": 10, "offset": 45]).count == 10)
    await bench.stop()
  }

  @Test(
    "neither the queries of another client nor what its own user types evicts a list that a client pages through",
    arguments: [(isOther: true, hasView: false), (true, true), (false, true)])
  func listsOfOthers(_ typing: (isOther: Bool, hasView: Bool)) async throws {
    let bench = try await Self.diary(20)
    let first = try await bench.ask("slow", ["limit": 7])
    let other = typing.isOther ? try await bench.daemon.client(name: "other") : bench.client
    for number in 0..<40 {
      var params: JSONObject = ["text": .string("river \(number)")]
      if typing.hasView { params["view"] = "search" }
      _ = try await other.call("search/query", .object(params))
    }
    // In a new list these would precede the hits of the first part.
    for number in 0..<5 { try await bench.write("slow slow slow\nslow \(number)", id: "new\(number)") }
    let second = try await bench.ask("slow", ["limit": 7, "after": first["next"] ?? .null])
    #expect(second["offset"] == 7 && second["total"] == 20)
    await bench.stop()
  }

  @Test(
    "a place in the hits whose moment is none of any year is refused",
    arguments: [Int64.min, Int64.max, 253_402_300_800_000])
  func impossibleMoments(now: Int64) async throws {
    let bench = try await Self.diary(20)
    let next = try #require(try await bench.ask("slow", ["limit": 7])["next"]?.stringValue)
    var parts = next.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    // A list that is not stored is made anew as of that moment.
    (parts[1], parts[2]) = ("999999", String(now))
    let params: JSONValue = ["text": "slow", "limit": 7, "after": .string(parts.joined(separator: "/"))]
    #expect(try await bench.client.failure("search/query", params)?.data?["field"] == "after")
    await bench.stop()
  }

  @Test("behind the best 400 hits the others follow, to the end of the list")
  func toTheEnd() async throws {
    let bench = try await QueryBench()
    try await bench.write((0..<405).map { ("river \($0)\ntilte:slow water", "e\($0)") })
    let first = try await bench.ask("slow", ["limit": 200])
    #expect(first["total"] == 405 && first["hasMore"] == true && first["totalIsFloor"] == nil)
    let second = try await bench.ask("slow", ["limit": 200, "after": first["next"] ?? .null])
    #expect(second.items.count == 200 && second["hasMore"] == true && second["display"]?["hint"] == nil)
    // What is written and changed meanwhile moves nothing.
    try await bench.write("slow\nnew", id: "new")
    let third = try await bench.ask("slow", ["limit": 2, "after": second["next"] ?? .null])
    #expect(third.items.count == 2 && third["offset"] == 400 && third["hasMore"] == true)
    let last = try await bench.ask("slow", ["limit": 200, "after": third["next"] ?? .null])
    #expect(last.items.count == 3 && last["offset"] == 402 && last["hasMore"] == false && last["next"] == nil)
    let ids = [first, second, third, last].flatMap { $0.items.map { $0.id.text } }
    #expect(ids.count == 405 && Set(ids) == Set((0..<405).map { "e\($0)" }))
    let slip = "There is no “tilte:”; it was searched as text. Did you mean “title:”?"
    let other = try await bench.ask("tilte:slow", ["limit": 200, "offset": 300])
    #expect(other["display"]?["hint"] == .string(slip) && other["hasMore"] == false && other.items.count == 105)
    // Without words the newest come first.
    let newest = try await bench.ask("in:diary", ["limit": 200, "offset": 300])
    #expect(newest.items.count == 106 && newest["hasMore"] == false && newest["display"]?["hint"] == nil)
    await bench.stop()
  }

  @Test("a frequent word is paged to its end, over a restart too, and its total is a floor")
  func frequent() async throws {
    let bench = try await QueryBench()
    let count = 2_300
    // A jrnl file: every entry has its minute.
    let file = (0..<count).map { number in
      let (day, hour, minute) = (1 + number / 600, 10 + number % 600 / 60, 10 + number % 50)
      return "[2020-01-0\(day) \(hour):\(minute)] River \(number)\nslow\n\n"
    }.joined()
    _ = try await bench.client.call(
      "diary/import", ["data": .string(Data(file.utf8).base64EncodedString()), "format": "jrnl"])
    var part = try await bench.ask("slow", ["limit": 200])
    #expect(part["total"] == 1_000 && part["totalIsFloor"] == true && part["totalIsEstimate"] == true)
    #expect(part["display"]?["heading"] == "more than 1,000 found")
    #expect(part["counts"]?[0]?["isFloor"] == true)
    var ids = part.items.map { $0.id.text }
    for _ in 0..<4 {
      part = try await bench.ask("slow", ["limit": 200, "after": part["next"] ?? .null])
      ids += part.items.map { $0.id.text }
    }
    await bench.stop()
    let again = try await QueryBench(in: bench.daemon.folder)
    while part["hasMore"] == true, ids.count <= count {
      part = try await again.ask("slow", ["limit": 200, "after": part["next"] ?? .null])
      ids += part.items.map { $0.id.text }
    }
    #expect(ids.count == count && Set(ids).count == count)
    await again.stop()
  }

  @Test("grouped by item a document is one hit, with how many pages of it were found and which")
  func grouped() async throws {
    let bench = try await QueryBench()
    let pages = (0..<8).map { number in SamplePDF.Page([number == 5 ? "nothing here" : "slow slow slow slow"]) }
    _ = try await bench.client.call(
      "documents/add", ["data": .string(SamplePDF(pages: pages).base64), "id": "paper", "title": "A slow paper"])
    _ = try await bench.client.indexed("paper")
    for number in 0..<4 { try await bench.write("of many things one is \(number)\na slow river", id: "e\(number)") }
    let all = try await bench.ask("slow", ["group": "item"])
    #expect(Set(all.items.map { $0.id.text }) == ["paper", "e0", "e1", "e2", "e3"] && all.items.count == 5)
    #expect(all["total"] == 5 && all["totalIsFloor"] == nil && all["hasMore"] == false)
    let paper = try #require(all.items.first { $0.id == "paper" })
    // Its title is a hit too.
    #expect(paper["count"] == 8 && paper["pages"] == [0, 1, 2, 3, 4, 6, 7])
    #expect(paper["display"]?["pages"] == "pp. 1, 2, 3, 4, 5, 7, 8")
    let entry = try #require(all.items.first { $0.id == "e0" })
    #expect(entry["count"] == 1 && entry["pages"] == nil)
    #expect(try await bench.ask("slow").items.allSatisfy { $0["count"] == nil && $0["pages"] == nil })
    var ids: [String] = []
    var part = try await bench.ask("slow", ["group": "item", "limit": 2])
    ids += part.items.map { $0.id.text }
    let next = part["next"] ?? .null
    while part["hasMore"] == true {
      part = try await bench.ask("slow", ["group": "item", "limit": 2, "after": part["next"] ?? .null])
      ids += part.items.map { $0.id.text }
    }
    #expect(ids == all.items.map { $0.id.text })
    let refusal = try await bench.client.failure("search/query", ["text": "slow", "after": next])
    #expect(refusal?.data?["field"] == "after")
    await bench.stop()
  }

  @Test("an unfinished end of what is being typed is no error, and finds what its finished part finds")
  func unfinished() async throws {
    let bench = try await QueryBench()
    try await bench.write("The river\nslow water", id: "river")
    try await bench.write("A lake\ndeep water", id: "lake")
    try await bench.card("river card", id: "card")
    for (typed, expected) in [
      ("\"slow wa", ["river"]), ("\"the", ["river"]), ("(riv", ["card", "river"]), ("river in:di", ["card", "river"]),
      ("river in:", ["card", "river"]), ("river AND", ["card", "river"]), ("river OR (", ["card", "river"]),
      ("(river in:diary", ["river"]), ("river NOT", ["card", "river"]), ("water before:20", ["lake", "river"]),
      ("river is:overd", ["card", "river"]), ("river tag:", ["card", "river"]), ("river title:\"car", ["card"]),
      ("(river OR in:di", ["card", "river"]), ("in:diary (deep OR", ["lake"]),
    ] {
      let found = try await bench.ask(typed, ["view": "field"])
      #expect(found.items.map { $0.id.text }.sorted() == expected, "\(typed)")
    }
    for typed in ["in:di", "\"", "(", "is:"] {
      #expect(try await bench.ask(typed, ["view": "field"])["state"] == "prompt", "\(typed)")
    }
    // What stands before something finished is a mistake all the same, and so is everything that is not being typed.
    for params: JSONValue in [["text": "in:di river", "view": "field"], ["text": "\"the"], ["text": "river in:di"]] {
      #expect(try await bench.client.failure("search/query", params)?.data?["field"] == "text", "\(params)")
    }
    await bench.stop()
  }

  @Test("a saved search is run by its id, where it was saved to look, and pages like any other")
  func saved() async throws {
    let bench = try await Self.diary(9)
    try await bench.card("slow card", id: "card")
    _ = try await bench.client.call("search/save", ["text": "slow", "collections": ["diary"], "id": "s1"])
    let first = try await bench.client.call("search/query", ["saved": "s1", "limit": 5])
    #expect(first["total"] == 9 && first.items.allSatisfy { $0["collection"] == "diary" })
    let rest = try await bench.client.call(
      "search/query", ["saved": "s1", "limit": 5, "after": first["next"] ?? .null])
    #expect(Set((first.items + rest.items).map { $0.id.text }).count == 9)
    #expect(try await bench.client.call("search/history").items.isEmpty)
    #expect(try await bench.client.failure("search/query", ["saved": "none"])?.data?["kind"] == "notFound")
    for params: JSONValue in [[:], ["saved": "s1", "text": "slow"], ["saved": "s1", "collections": ["diary"]]] {
      #expect(try await bench.client.failure("search/query", params)?.code == -32602, "\(params)")
    }
    await bench.stop()
  }

  @Test("a list goes on after a restart, and behind the same hit")
  func restarted() async throws {
    let bench = try await Self.diary(20)
    let first = try await bench.ask("slow", ["limit": 8])
    let whole = try await bench.ids("slow", ["limit": 50])
    await bench.stop()
    let again = try await QueryBench(in: bench.daemon.folder)
    let second = try await again.ask("slow", ["limit": 50, "after": first["next"] ?? .null])
    #expect(second.items.map { $0.id.text } == Array(whole.dropFirst(8)) && second["offset"] == 8)
    await again.stop()
  }

  @Test("a place in the list of another question is refused, and so is one that nobody was given")
  func otherQuestion() async throws {
    let bench = try await Self.diary(9)
    let next = try await bench.ask("slow", ["limit": 4])["next"] ?? .null
    let others: [JSONValue] = [
      ["text": "river", "after": next], ["text": "slow", "collections": ["diary"], "after": next],
      ["text": "slow", "view": "field", "after": next], ["text": "slow", "after": "1/2/3/4"],
      ["text": "slow", "after": "99999/1/1/1"], ["text": "slow", "after": "0123456789abcdef/1/1/1/1"],
    ]
    for params in others {
      let refusal = try #require(try await bench.client.failure("search/query", params))
      #expect(refusal.code == -32602 && refusal.data?["field"] == "after", "\(params)")
    }
    #expect(try await bench.ids("slow", ["after": next]).count == 5)
    await bench.stop()
  }

  @Test("the parts of a list join though its texts age meanwhile, over a turn of the day and over a restart")
  func aging() async throws {
    let clock = TestClock()
    let bench = try await QueryBench(clock: clock)
    let month: Int64 = 30 * 86_400_000
    // Of later ones some are longer, and worth a little less but for their age.
    for number in 0..<24 {
      let words = String(repeating: " water", count: 30 + number / 4)
      try await bench.write("day\nslow" + words, id: "e\(number)")
      clock.advance(milliseconds: month)
    }
    let whole = try await bench.ids("slow", ["limit": 100])
    #expect(Set(whole).count == 24)
    let first = try await bench.ask("slow", ["limit": 5])
    clock.advance(milliseconds: 120 * month)
    let second = try await bench.ask("slow", ["limit": 5, "after": first["next"] ?? .null])
    await bench.stop()
    let again = try await QueryBench(in: bench.daemon.folder, clock: clock)
    let third = try await again.ask("slow", ["limit": 100, "after": second["next"] ?? .null])
    let parts = [first, second, third].flatMap { $0.items.map { $0.id.text } }
    #expect(parts == whole)
    // All are old by now: a new question has another order.
    let anew = try await again.ids("slow", ["limit": 100])
    #expect(anew != whole && Set(anew) == Set(whole))
    await again.stop()
  }

  @Test("a document that is full of a word has three pages before what else was found, and the others behind it")
  func spread() async throws {
    let bench = try await QueryBench()
    let pages = (0..<8).map { _ in SamplePDF.Page(["slow slow slow slow"]) }
    let added = try await bench.client.call(
      "documents/add", ["data": .string(SamplePDF(pages: pages).base64), "id": "paper"])
    #expect(added.id == "paper")
    _ = try await bench.client.indexed("paper")
    for number in 0..<4 {
      try await bench.write("of many things one is \(number)\na slow river and many other words", id: "e\(number)")
    }
    let ids = try await bench.ids("slow")
    #expect(ids.count == 12 && ids.prefix(7).filter { $0 == "paper" }.count == 3)
    #expect(ids.suffix(5) == ["paper", "paper", "paper", "paper", "paper"])
    await bench.stop()
  }

  @Test("the first hits come under the client's token before all are counted, and the reply has the others")
  func parts() async throws {
    let bench = try await Self.diary(45)
    let reply = try await bench.ask("slow", ["limit": 30, "partialResultToken": "hits"])
    let parts = bench.client.heard("$/progress").filter { $0["token"] == "hits" }.compactMap { $0["value"] }
    #expect(parts.count == 1 && parts[0].items.count == 20)
    #expect(reply.items.count == 10 && reply["total"] == 45 && reply["totalIsEstimate"] == false)
    let ids = (parts[0].items + reply.items).map { $0.id.text }
    let whole = try await bench.ids("slow", ["limit": 30])
    #expect(ids == whole)
    let rest = try await bench.ids("slow", ["limit": 30, "after": reply["next"] ?? .null])
    #expect(Set(rest + ids).count == 45)
    await bench.stop()
  }

  @Test("G3 M23 a newer question of the same view takes the place of the older; while typing the last word may go on")
  func views() async throws {
    let bench = try await Self.diary(3)
    let older = bench.client.send("search/query", ["text": "wat", "view": "field"])
    let newer = bench.client.send("search/query", ["text": "wate", "view": "field"])
    let failure = try await older.failure()
    #expect(failure == nil || failure?.data?["kind"] == "superseded")
    #expect(try await newer.value()["total"] == 3)
    #expect(try await bench.ask("wate")["total"] == 0)
    // Only a question that was asked at leisure is noted.
    #expect(try await bench.client.call("search/history").items.map { $0["text"] } == ["wate"])
    _ = try await bench.ask("river", ["remember": false])
    _ = try await bench.ask("water", ["view": "field", "remember": true])
    let kept = try await bench.client.call("search/history", ["scope": "library"]).items
    #expect(kept.map { $0["text"] } == ["water", "wate"] && kept.map { $0["count"] } == [3, 0])
    await bench.stop()
  }

  @Test("a hit shows where the words of a question stand together, and not where one of them stands many times")
  func together() async throws {
    let bench = try await QueryBench()
    let between = String(repeating: " and much water went by", count: 30)
    let text = "The river, a river, this river\(between); a book lies at the river\(between). The book of one river"
    try await bench.write("A title\n" + text, id: "entry")
    for (question, passage, marked) in [
      ("river book", "book of one river", 2), ("river", "The river, a river, this river", 3),
      ("\"at the river\"", "a book lies at the river", 1), ("river book lies", "a book lies at the river", 3),
    ] {
      let hits = try await bench.ask(question).items
      #expect(hits.count == 1 && hits[0]["snippet"].text.contains(passage), "\(hits)")
      #expect(hits[0]["ranges"].list.count == marked, "\(question)")
    }
    await bench.stop()
  }
}
