import SearchEngine
import Store
import TestSupport
import Testing

@Suite struct RankTests {
  @Test("A title counts more than tags, and tags more than a body")
  func fields() throws {
    let library = try SearchLibrary()
    let entries = [
      SearchEntry(collection: "diary", item: "0", at: 0, title: "산책", body: "오늘은 독서", tags: "봄"),
      SearchEntry(collection: "diary", item: "1", at: 0, title: "산책", body: "오늘은 봄", tags: "독서"),
      SearchEntry(collection: "diary", item: "2", at: 0, title: "독서", body: "오늘은 봄", tags: "산책"),
    ]
    try library.db.write { db in
      for entry in entries.reversed() { try SearchIndex.put(entry, in: db) }
    }
    #expect(try library.find("독서") == [2, 1, 0])
  }

  @Test("A whole word counts more than a part of one")
  func wholeWords() throws {
    let library = try SearchLibrary("독서를 했다", "선독서 했다", "book club", "booking club")
    #expect(try library.find("독서") == [0, 1])
    #expect(try library.find("book", lastIsPrefix: true) == [2, 3])
  }

  @Test("More places count more, and the same in a shorter text counts more")
  func places() throws {
    let rest = String(repeating: "다른 이야기 ", count: 40)
    let library = try SearchLibrary("독서 \(rest)", "독서 독서 독서 \(rest)", "독서 끝", rest)
    #expect(try library.find("독서") == [1, 2, 0])
  }

  @Test("Words that stand one after another as they were asked come before the same words apart")
  func neighbours() throws {
    let library = try SearchLibrary(
      "time went by and just then something came in",
      "made just in time here and there, said somebody who was not asked about it at all")
    #expect(try library.find("just in time") == [1, 0])
    let particles = try SearchLibrary("책이 있다. 저 도서관", "국립중앙도서관에서 책을 세 권 빌려 왔다고 말했다")
    #expect(try particles.find("도서관 책") == [1, 0])
  }

  @Test("A title that repeats a word is no better for it, and one with a few of the words counts for as many")
  func titles() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "독서 모임", body: ""), in: db)
      try SearchIndex.put(.diary(1, title: "책을 읽고 독서 모임에서 독서 이야기를 하고 또 독서를 했다", body: ""), in: db)
      try SearchIndex.put(.diary(2, title: "In", body: "time passed and just so it was"), in: db)
      try SearchIndex.put(.diary(3, body: "just in time"), in: db)
    }
    #expect(try library.find("독서") == [0, 1])
    #expect(try library.find("just in time") == [3, 2])
  }

  @Test(
    "A title that is just what was asked comes before titles that say more, whatever tags and text these have",
    arguments: [
      ("Reading", "Prepare reading group"), ("독서", "독서 모임"), ("읽기 모임", "다음 읽기 모임"), ("読書", "読書会"),
      ("Straße", "Eine Straße"),
    ])
  func wholeTitles(asked: String, longer: String) throws {
    let library = try SearchLibrary()
    let day: Int64 = 86_400_000
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: asked, body: "nothing"), in: db)
      try SearchIndex.put(
        SearchEntry(
          collection: "diary", item: "1", at: 1_000 * day, title: longer, body: "\(asked) \(asked) \(asked)",
          tags: asked), in: db)
    }
    let found = try library.db.read { db in
      try SearchIndex.candidates(matching: MatchQuery(userText: asked), limit: 2, now: 1_000 * day, in: db)
    }
    #expect(found.map(\.item) == ["0", "1"])
    #expect(try library.find("\"\(asked)\"") == [0, 1])
  }

  @Test("Of a title that only goes on from what was typed, or has one of two words, it is not all")
  func partsOfTitles() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "Readings", body: "nothing"), in: db)
      try SearchIndex.put(.diary(1, title: "Read", body: "nothing"), in: db)
      try SearchIndex.put(.diary(2, title: "Read on", body: "nothing"), in: db)
    }
    #expect(try library.find("read", lastIsPrefix: true) == [1, 2, 0])
    #expect(try library.find("on read") == [2])
  }

  @Test("Of equal texts the recent one comes first, and pages of a list are parts of one order")
  func recency() throws {
    let library = try SearchLibrary()
    let day: Int64 = 86_400_000
    try library.db.write { db in
      for number in 0..<20 {
        try SearchIndex.put(.diary(number, at: Int64(number * 7 % 20) * 30 * day, body: "독서"), in: db)
      }
    }
    try library.db.read { db in
      let query = try MatchQuery(userText: "독서")
      let all = try SearchIndex.candidates(matching: query, limit: 20, now: 700 * day, in: db)
      #expect(all.map(\.at) == (0..<20).reversed().map { Int64($0) * 30 * day })
      let few = try SearchIndex.candidates(matching: query, limit: 5, now: 700 * day, in: db)
      #expect(few.map(\.item) == all.prefix(5).map(\.item))
    }
  }

  @Test("An old text with a common word in its title is found among thousands that only mention it")
  func boundedCandidates() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "독서 모임", body: "처음"), in: db)
      for number in 1...2500 { try SearchIndex.put(.diary(number, body: "독서 \(number)"), in: db) }
    }
    #expect(try library.find("독서").first == 0)
    #expect(try library.find("독서 모임") == [0])
    // Of equals the newest are kept.
    let newest = (1...2500).suffix(SearchIndex.mostHits - 1).reversed()
    #expect(try library.find("독서") == [0] + newest)
    #expect(try library.db.read { try SearchIndex.count(matching: MatchQuery(userText: "독서"), in: $0) } == 2501)
  }

  @Test("Of many titles with what is typed no more are read than are offered, and the best are among them")
  func boundedTitles() throws {
    let library = try SearchLibrary()
    let count = SearchIndex.mostTitles * 2
    try library.db.write { db in
      try SearchIndex.put(.diary(0, title: "독서", body: ""), in: db)
      for number in 1...count { try SearchIndex.put(.diary(number, title: "늦은 봄 산책과 독서", body: ""), in: db) }
    }
    let offered = try library.db.read { db in
      try SearchIndex.titles(matching: MatchQuery(userText: "독서"), limit: count, now: 0, in: db)
        .map { try SearchIndex.hit(of: $0, in: db)?.item }
    }
    #expect(offered.count == SearchIndex.mostTitles)
    #expect(offered.prefix(3) == ["0", String(count), String(count - 1)])
  }

  @Test("Pages of long documents that came last hide nothing that is older than they are")
  func longDocuments() throws {
    let library = try SearchLibrary()
    func page(_ document: String, _ part: Int) -> SearchEntry {
      SearchEntry(
        collection: "documents", item: document, part: part, at: 1_000, title: part == 0 ? "Numbers" : "",
        body: part == 0 ? "" : "three three three")
    }
    try library.db.write { db in
      for number in 0..<20 { try SearchIndex.put(.diary(number, at: Int64(number), body: "three things"), in: db) }
      for document in ["101", "102"] {
        for part in 0...2_400 { try SearchIndex.put(page(document, part), in: db) }
      }
      try SearchIndex.put(.diary(20, at: 2_000, body: "three things, then"), in: db)
    }
    let (items, found) = try library.db.read { db in
      let ranking = try SearchIndex.ranking(of: MatchQuery(userText: "three"), now: 3_000, in: db)
      return (try ranking.items(in: db), ranking.found)
    }
    #expect(found == nil && items.count <= SearchIndex.mostHits)
    #expect(Set(items).isSuperset(of: (0...20).map(String.init)))
    for document in ["101", "102"] { #expect(items.count { $0 == document } == SearchIndex.pagesOfLong) }
    // In the words of somebody who asks within one collection, too.
    let within = try library.db.read { db in
      let query = try MatchQuery(userText: "three")
      return try SearchIndex.ranking(of: query, collections: ["documents"], now: 3_000, in: db).items(in: db)
    }
    #expect(Set(within) == ["101", "102"])
  }

  @Test("Of alternatives the rare one comes first, and one that very many texts have hides none of it")
  func alternatives() throws {
    let library = try SearchLibrary()
    try library.db.write { db in
      try SearchIndex.put(.diary(0, body: "apple"), in: db)
      try SearchIndex.put(.diary(1, title: "Return the book", body: ""), in: db)
      try SearchIndex.put(.diary(2, body: "apple and banana"), in: db)
      for number in 3..<5_000 { try SearchIndex.put(.diary(number, body: "banana day, banana banana"), in: db) }
    }
    func ranking(_ node: MatchQuery.Node) throws -> (items: [String], found: Int?, counts: [String: Int]) {
      try library.db.read { db in
        let ranking = try SearchIndex.ranking(of: MatchQuery(node), now: 0, in: db)
        return (try ranking.items(in: db), ranking.found, ranking.namedCounts)
      }
    }
    func term(_ text: String) -> MatchQuery.Node { .term(MatchQuery.Term(text)!) }
    let common = try ranking(.or([term("banana"), term("apple")]))
    #expect(Set(common.items.prefix(2)) == ["0", "2"] && common.found == nil)
    #expect(common.items.count == SearchIndex.mostHits && Set(common.items).count == SearchIndex.mostHits)
    #expect(try ranking(.or([term("banana"), term("return the book")])).items.first == "1")
    let rare = try ranking(.or([term("apple"), term("return the book"), term("nowhere")]))
    #expect(Set(rare.items) == ["0", "1", "2"] && rare.found == 3 && rare.counts == ["diary": 3])
  }
}
