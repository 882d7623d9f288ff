import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Documents: tags, authors and reading") struct CatalogueTests {
  private func sample(_ text: String, author: String? = nil) -> SamplePDF {
    var sample = SamplePDF([text])
    if let author { (sample.title, sample.information) = (text, "/Author(\(author))") }
    return sample
  }

  @Test("tags are given with a document and changed, trimmed and none twice; undo brings the old ones back")
  func tags() async throws {
    let bench = try await DocumentBench()
    let added = try await bench.client.call(
      "documents/add", ["data": .string(sample("one").base64), "tags": [" physics ", "to read", "physics"]])
    #expect(added["tags"] == ["physics", "to read"])
    let other = try await bench.add(sample("two"))
    #expect(other["tags"] == [])
    // Bytes that are there keep what they have.
    let again = try await bench.client.call(
      "documents/add", ["data": .string(sample("one").base64), "tags": ["else"], "author": "Nobody"])
    #expect(again["existing"] == true && again["tags"] == ["physics", "to read"] && again["author"] == nil)
    let id = added["id"] ?? .null
    let changed = try await bench.client.call("documents/update", ["id": id, "tags": ["물리", "Physics"]])
    #expect(changed["tags"] == ["물리", "Physics"])
    #expect(try await bench.client.call("documents/list", ["tag": "PHYSICS"]).items.map(\.id) == [id])
    #expect(try await bench.client.call("documents/list", ["tag": "to read"]).items == [])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("documents/list", ["tag": "to read"]).items.map(\.id) == [id])
    let failure = try await bench.client.failure("documents/update", ["id": id, "tags": ["a\nb"]])
    #expect(failure?.data?["field"] == "tags[0]")
    let unread = try await bench.client.failure(
      "documents/add", ["data": .string(sample("three").base64), "tags": ["a\nb"]])
    #expect(unread?.data?["field"] == "tags[0]")
    await bench.stop()
  }

  @Test("search finds documents by their tags, and offers the tags")
  func searched() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: sample("one"), title: "A paper")
    _ = try await bench.id(of: sample("two"), title: "Another paper")
    _ = try await bench.client.call("documents/update", ["id": id, "tags": ["Physics"]])
    for text in ["paper tag:physics", "tag:physics", "physics"] {
      let hits = try await bench.client.call("search/query", ["text": .string(text)]).items
      #expect(hits.map { $0.id } == [id], "\(text)")
    }
    let offers = try await bench.client.call("search/suggest", ["scope": "library", "text": "tag:phy"])
    #expect("\(offers)".contains("Physics"), "\(offers)")
    _ = try await bench.client.call("documents/remove", ["id": id])
    #expect(try await bench.client.call("search/query", ["text": "tag:physics"]).items == [])
    await bench.stop()
  }

  @Test("the author is what the file says until another is set, and lists are narrowed by it")
  func author() async throws {
    let bench = try await DocumentBench()
    let added = try await bench.add(sample("one", author: "Ada Lovelace"))
    #expect(added["author"] == "Ada Lovelace")
    let given = try await bench.client.call(
      "documents/add", ["data": .string(sample("two", author: "pdfTeX").base64), "author": "Émile Zola"])
    #expect(given["author"] == "Émile Zola")
    let nobody = try await bench.add(sample("three", author: " "))
    #expect(nobody["author"] == nil)
    func list(_ author: String) async throws -> [JSONValue?] {
      try await bench.client.call("documents/list", ["author": .string(author)]).items.map { $0["id"] }
    }
    #expect(try await list("lovelace") == [added["id"]])
    #expect(try await list("E\u{301}MILE") == [given["id"]])
    #expect(try await list("pdftex") == [])
    let id = added["id"] ?? .null
    _ = try await bench.client.call("documents/update", ["id": id, "author": "A. Lovelace"])
    #expect(try await bench.client.call("documents/get", ["id": id])["author"] == "A. Lovelace")
    _ = try await bench.client.call("documents/update", ["id": id, "author": .null])
    #expect(try await bench.client.call("documents/get", ["id": id])["author"] == nil)
    // Other bytes of it name an author, where nobody has given one.
    let signed = sample("four", author: "Grace Hopper").base64
    for (document, author) in [(nobody, "Grace Hopper"), (given, "Émile Zola")] {
      let id = document["id"] ?? .null
      let data = author == "Grace Hopper" ? signed : sample("five", author: "pdfTeX").base64
      _ = try await bench.client.call("documents/refresh", ["id": id, "data": .string(data)])
      #expect(try await bench.client.call("documents/get", ["id": id])["author"] == .string(author))
    }
    let locked = Data(SamplePDF.titledAndLocked).base64EncodedString()
    let protected = try await bench.client.call("documents/add", ["data": .string(locked), "password": "open"])
    #expect(protected["author"] == nil && protected["isProtected"] == true)
    await bench.stop()
  }

  @Test("a document is read when its position is set; the last read comes first, and none of it is undone")
  func reading() async throws {
    let clock = TestClock()
    let bench = try await DocumentBench(clock: clock)
    var ids: [JSONValue] = []
    for title in ["a", "b", "c"] { ids.append(try await bench.id(of: sample(title), title: title)) }
    #expect(try await bench.client.call("documents/get", ["id": ids[0]])["lastReadAt"] == nil)
    for id in [ids[1], ids[0]] {
      clock.advance(milliseconds: 1_000)
      _ = try await bench.client.call("documents/setPosition", ["id": id, "page": 0])
    }
    #expect(try await bench.titles(["sort": "read"]) == ["a", "b", "c"])
    let read = try await bench.client.call("documents/get", ["id": ids[0]])
    #expect(read["lastReadAt"] == .string(clock.now.description))
    // The same position within a minute writes nothing; later it is another reading.
    let idle = try await bench.client.call("documents/setPosition", ["id": ids[0], "page": 0])
    #expect(idle["changed"] == false)
    clock.advance(milliseconds: 60_000)
    _ = try await bench.client.call("documents/setPosition", ["id": ids[1], "page": 0])
    #expect(try await bench.titles(["sort": "read"]) == ["b", "a", "c"])
    let part = try await bench.client.call("documents/list", ["sort": "read", "limit": 1])
    let rest = try await bench.client.call("documents/list", ["sort": "read", "after": part["next"] ?? .null])
    #expect(rest.items.map { $0["title"] } == ["a", "c"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.titles(["sort": "read"]) == ["b", "a"], "the last add was undone")
    await bench.stop()
    let plan = try queryPlan(
      of: "SELECT id FROM document WHERE 1 ORDER BY ifnull(lastReadAt, 0) DESC, id DESC LIMIT 9 OFFSET 0",
      in: bench.daemon.library)
    #expect(plan.allSatisfy { $0.contains("documentByReading") }, "\(plan)")
  }

  @Test("a document states how many marks it has, in lists too")
  func counts() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one line", "another line"], ["a page"]))
    _ = try await bench.id(of: sample("none"))
    for line in ["one line", "another line"] {
      _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": [.string(line)]])
    }
    for page in [0, 1] {
      _ = try await bench.client.call("documents/setBookmark", ["id": id, "page": json(page), "bookmarked": true])
    }
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": "a memo"])
    let list = try await bench.client.call("documents/list").items
    func counts(_ document: JSONValue) -> [JSONValue?] {
      ["highlightCount", "bookmarkCount", "memoCount"].map { document[$0] }
    }
    #expect(counts(list[0]) == [2, 2, 1] && counts(list[1]) == [0, 0, 0])
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": ""])
    #expect(counts(try await bench.client.call("documents/get", ["id": id])) == [2, 2, 0])
    _ = try await bench.client.call("changes/undo")
    #expect(counts(try await bench.client.call("documents/get", ["id": id])) == [2, 2, 1])
    await bench.stop()
  }

  @Test("`documents/get` names the file of a document, which holds its bytes")
  func file() async throws {
    let bench = try await DocumentBench()
    let added = try await bench.add(sample("one"))
    #expect(added["file"] == nil)
    let path = try await bench.client.call("documents/get", ["id": added["id"] ?? .null])["file"].text
    #expect(FileManager.default.contents(atPath: path) == Data(sample("one").bytes))
    #expect(try await bench.client.call("documents/list").items[0]["file"] == nil)
    await bench.stop()
  }

  @Test("a library of before has the authors of its files and the times of its readings")
  func migration() async throws {
    let folder = TemporaryFolder()
    let clock = TestClock()
    let first = try await DocumentBench(in: folder, clock: clock)
    let id = try await first.id(of: sample("one", author: "Ada Lovelace"))
    let unread = try await first.id(of: sample("two"))
    let pages = try await first.id(of: .numbered(3))
    _ = try await first.client.call("documents/setPosition", ["id": pages, "page": 2])
    for page in [0, 2] {
      _ = try await first.client.call("documents/setMemo", ["id": pages, "page": json(page), "text": "a memo"])
    }
    await first.stop()
    try OldLibraries.execute(
      """
      DROP TRIGGER documentShownRemoved; DROP TABLE documentShown;
      DROP TRIGGER documentArrivalRemoved; DROP TABLE documentArrival; DROP TABLE documentRule;
      DROP INDEX documentByType;
      DROP TRIGGER documentPropertyUpdated;
      DROP TRIGGER documentPropertyDeleted; DROP TABLE documentProperty; ALTER TABLE document DROP COLUMN properties;
      DROP TABLE documentMarks; DROP TABLE documentTag; DROP INDEX documentByReading; DROP TABLE watchedFolder; DROP TABLE watchedFile;
      ALTER TABLE document DROP COLUMN author; ALTER TABLE document DROP COLUMN tags;
      ALTER TABLE document DROP COLUMN lastReadAt;
      DROP INDEX documentByCitationKey; ALTER TABLE document DROP COLUMN citationKey;
      ALTER TABLE document DROP COLUMN bibliography; ALTER TABLE document DROP COLUMN imported;
      ALTER TABLE highlight DROP COLUMN kind;
      ALTER TABLE highlight DROP COLUMN shape; ALTER TABLE highlight DROP COLUMN picture;
      ALTER TABLE bookmark DROP COLUMN title;
      ALTER TABLE documentReading DROP COLUMN duration; ALTER TABLE documentReading DROP COLUMN pages;
      DELETE FROM grdb_migrations WHERE identifier >= 'documents/009' AND identifier < 'documents/~';
      """, in: LibraryFolder(folder.file("library")))

    let bench = try await DocumentBench(in: folder, clock: clock)
    #expect(try await bench.client.call("documents/get", ["id": id])["author"] == "Ada Lovelace")
    let other = try await bench.client.call("documents/get", ["id": unread])
    #expect(other["author"] == nil && other["tags"] == [] && other["lastReadAt"] == nil)
    let read = try await bench.client.call("documents/get", ["id": pages])
    #expect(read["lastReadAt"] == .string(clock.now.description))
    #expect(read["memoCount"] == 2 && read["bookmarkCount"] == 0 && other["memoCount"] == 0)
    _ = try await bench.client.call("documents/update", ["id": id, "tags": ["mine"]])
    #expect(try await bench.client.call("documents/list", ["tag": "mine"]).items.map(\.id) == [id])
    await bench.stop()
  }
}
