import Client
import Kit
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@testable import Search

@Suite("Passages by chance") struct RandomPassageTests {
  private static func texts(_ bench: QueryBench, _ params: JSONObject = [:]) async throws -> [String] {
    try await bench.client.call("search/random", .object(params)).items.map { $0["text"].text }
  }

  private static func bench(clock: TestClock = TestClock()) async throws -> QueryBench {
    let bench = try await QueryBench(clock: clock)
    try await bench.book("Dune", id: "dune")
    let quotes: JSONValue = [
      ["text": "Fear is the mind-killer.", "page": 12, "note": "Often."], ["text": "I must not fear."],
    ]
    _ = try await bench.client.call("books/updateOnShelf", ["id": "dune", "quotes": quotes])
    _ = try await bench.client.call("notes/add", ["id": "note", "text": "On dunes\n\nThey wander."])
    try await bench.write("A day.", id: "day")
    return bench
  }

  @Test("each passage is shown once before any is shown again, with what it is from, and the longest unseen come next")
  func once() async throws {
    let clock = TestClock()
    let bench = try await Self.bench(clock: clock)
    var shown: [String] = []
    for _ in 0..<3 {
      let passage = try #require(try await bench.client.call("search/random").items.first)
      #expect(passage["seenAt"] == nil)
      shown.append(passage["text"].text)
      clock.advance(milliseconds: 1_000)
    }
    #expect(Set(shown) == ["Fear is the mind-killer.", "I must not fear.", "On dunes\n\nThey wander."])
    for text in shown {
      let passage = try #require(try await bench.client.call("search/random").items.first)
      #expect(passage["text"] == .string(text) && passage["seenAt"] != nil)
      clock.advance(milliseconds: 1_000)
    }
    // A new one precedes them.
    _ = try await bench.client.call("notes/add", ["id": "new", "text": "Sand."])
    #expect(try await Self.texts(bench) == ["Sand."])
    await bench.stop()
  }

  @Test("a passage names its item, page and note; chosen collections, a limit, and a look that is not remembered")
  func parameters() async throws {
    let bench = try await Self.bench()
    let quotes = try await bench.client.call(
      "search/random", ["collections": ["books"], "limit": 9, "remember": false])
    #expect(quotes.items.count == 2 && quotes.items.allSatisfy { $0["seenAt"] == nil && $0["title"] == "Dune" })
    let noted = try #require(quotes.items.first { $0["note"] != nil })
    #expect(noted["note"] == "Often." && noted["id"] == "dune" && noted["collection"] == "books")
    #expect(noted["link"] == "commonplace:/books/dune" && noted["display"]?["kind"] == "Books")
    #expect(try await bench.client.call("search/random", ["limit": 9]).items.allSatisfy { $0["seenAt"] == nil })
    #expect(try await bench.client.call("search/random", ["limit": 9]).items.allSatisfy { $0["seenAt"] != nil })
    let strange = try await bench.client.failure("search/random", ["collections": ["notes", "diary"]])
    #expect(strange?.code == -32602 && strange?.data?["field"] == "collections[1]")
    _ = try await bench.client.call("notes/remove", ["id": "note"])
    #expect(try await bench.client.call("search/random", ["collections": ["notes"]]).items == [])
    // What was shown is nothing that a person has written: undo does not concern it.
    #expect(try await bench.client.call("changes/log").items.allSatisfy { $0["label"] != "search/random" })
    await bench.stop()
  }

  @Test("of many items each is as likely as any other, whatever was removed, and few passages among many are found")
  func fair() async throws {
    let bench = try await QueryBench()
    for number in 0..<600 {
      _ = try await bench.client.call("notes/add", ["id": .string("n\(number)"), "text": .string("Note \(number)")])
    }
    for number in 250..<400 { _ = try await bench.client.call("notes/remove", ["id": .string("n\(number)")]) }
    let services = bench.daemon.daemon.services
    let source = PassageSource(table: "note") { _, _ in [] }
    let rare = PassageSource(table: "note", where: "id IN ('n3', 'n599')") { _, _ in [] }
    try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      var drawn: [Int: Int] = [:]
      for _ in 0..<100 {
        let items = try source.draw(24, in: snapshot.db)
        #expect(items.count == 24 && Set(items).count == 24)
        for item in items { drawn[(Int(item.dropFirst()) ?? 0) / 50, default: 0] += 1 }
      }
      // 2,400 draws of nine times fifty notes: 267 each, with a deviation of 15.
      #expect(drawn.count == 9 && drawn.values.allSatisfy { (180...360).contains($0) }, "\(drawn)")
      #expect(Set(try rare.draw(24, in: snapshot.db)) == ["n3", "n599"])
      #expect(try PassageSource(table: "memo") { _, _ in [] }.draw(24, in: snapshot.db) == [])
    }
    // More than are drawn at a time, and none twice.
    var shown: Set<String> = []
    for _ in 0..<40 { shown.formUnion(try await Self.texts(bench)) }
    #expect(shown.count == 40)
    await bench.stop()
  }

  @Test("once all was shown few items are read for one passage, and of an item with many passages some are chosen")
  func bounds() async throws {
    let bench = try await QueryBench()
    for number in 0..<200 {
      _ = try await bench.client.call("notes/add", ["id": .string("n\(number)"), "text": .string("Note \(number)")])
    }
    let services = bench.daemon.daemon.services
    let reads = Mutex(0)
    func source(_ count: Int) -> SearchSource {
      SearchSource(
        collection: "notes", label: Text("day.noTitle"), lead: { _, _ in nil },
        passages: PassageSource(table: "note") { item, _ in
          reads.withLock { $0 += 1 }
          return (0..<count).compactMap { Passage("\(item) \($0)") }
        })
    }
    try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
      let shown = (0..<200).compactMap { number in
        Passage("n\(number) 0").map {
          ChosenPassage(collection: "notes", label: Text("day.noTitle"), item: "n\(number)", passage: $0).key
        }
      }
      try PassageMemory.note(shown, in: transaction)
    }
    let (few, many) = (source(1), source(1_000))
    try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      #expect(try ChosenPassage.some(1, of: [few], in: snapshot).count == 1)
      #expect((1...48).contains(reads.withLock(\.self)))
      reads.withLock { $0 = 0 }
      let found = try ChosenPassage.some(10_000, of: [many], in: snapshot)
      #expect(found.count == ChosenPassage.mostOfSource)
      #expect(reads.withLock(\.self) == ChosenPassage.mostOfSource / ChosenPassage.mostOfItem)
    }
    await bench.stop()
  }

  @Test("a long note is shown by its beginning, and a note on words that are not stored is a passage")
  func forms() throws {
    let long = try #require(Passage(String(repeating: "가", count: Passage.longest + 1)))
    #expect(long.isCut && long.text.unicodeScalars.count == Passage.longest)
    let note = try #require(Passage(nil, note: "Mine."))
    #expect(note.text == "Mine." && note.note == nil && !note.isCut)
    #expect(Passage(" \n", note: " ") == nil && Passage("a", note: "")?.note == nil)
  }

  @Test("the memory of passages is bounded: those shown longest ago are forgotten")
  func bounded() async throws {
    let clock = TestClock()
    let bench = try await QueryBench(clock: clock)
    let services = bench.daemon.daemon.services
    for start in stride(from: 0, through: PassageMemory.most, by: 1_000) {
      clock.advance(milliseconds: 1_000)
      try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
        try PassageMemory.note((start..<start + 1_000).map { "key \($0)" }, in: transaction)
      }
    }
    let seen = try await services.library.read(as: FeatureCaller.daemon(services)) { snapshot in
      try [0, 999, 1_000, PassageMemory.most].map { try PassageMemory.seenAt("key \($0)", in: snapshot) != nil }
    }
    #expect(seen == [false, false, true, true])
    await bench.stop()
  }
}
