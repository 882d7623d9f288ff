import Client
import Foundation
import TestSupport
import Testing
import Wire

/// The seed's view-model tests with a mock repository, as requests to a daemon: ten cases.
@Suite("Documents: the seed's view models") struct SeedViewModelTests {
  @Test("P33 creating with a title and a valid URL succeeds and the list has it")
  func create() async throws {
    let bench = try await DocumentBench()
    let server = try ScriptedServer { .file(Data(SamplePDF(["x"]).bytes), to: $0) }
    let url = server.origin + "/x.pdf"
    _ = try await bench.client.call("documents/add", ["title": "x", "url": .string(url)])
    #expect(try await bench.everything().map { [$0["title"].text, $0["url"].text] } == [["x", url]])
    await bench.stop()
  }

  @Test("P33 creating with an empty title fails and the list stays empty")
  func createWithoutTitle() async throws {
    try await expectRefusal(["title": "", "url": "https://example.org/a.pdf"])
  }

  @Test("P33 creating with an empty URL fails and the list stays empty")
  func createWithoutURL() async throws {
    try await expectRefusal(["title": "a", "url": ""])
  }

  @Test("P33 creating with what is no URL fails and the list stays empty")
  func createWithInvalidURL() async throws {
    try await expectRefusal(["title": "a", "url": "nonsense"])
  }

  @Test("P33 creating with what is no PDF fails and the list stays empty")
  func createWithoutPDF() async throws {
    try await expectRefusal(["title": "a", "data": "bm8gcGRm"])
  }

  @Test("P33 a list of several is read in the order created")
  func read() async throws {
    let bench = try await DocumentBench()
    for title in ["one", "two", "three"] { try await bench.add(SamplePDF([title]), title: title) }
    #expect(try await bench.titles() == ["one", "two", "three"])
    await bench.stop()
  }

  @Test("P33 P8 deleting removes that one, and deleting what is not there fails and changes nothing")
  func delete() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "one")
    try await bench.add(SamplePDF(["two"]), title: "two")
    #expect(try await bench.client.call("documents/remove", ["id": id])["removed"] == id)
    #expect(try await bench.titles() == ["two"])
    let error = try await bench.client.failure("documents/remove", ["id": id])
    #expect(error?.kind == "notFound")
    #expect(try await bench.titles() == ["two"])
    await bench.stop()
  }

  @Test("P33 P30 updating changes the title, and updating what is not there fails")
  func update() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["one"]), title: "one")
    let updated = try await bench.client.call("documents/update", ["id": id, "title": "better"])
    #expect(updated["title"] == "better")
    #expect(try await bench.titles() == ["better"])
    #expect(try await bench.client.failure("documents/update", ["id": "0192", "title": "x"])?.kind == "notFound")
    let stale = try await bench.client.failure("documents/update", ["id": id, "title": "x", "ifRevision": 1])
    #expect(stale?.kind == "conflict" && stale?.data?["current"]?["title"] == "better")
    await bench.stop()
  }

  @Test("P33 P9 searching gives the titles that begin so, and all for an empty text")
  func search() async throws {
    let bench = try await DocumentBench()
    for title in ["Swift", "swimming", "Rust"] { try await bench.add(SamplePDF([title]), title: title) }
    #expect(try await bench.titles(["query": "SWI"]) == ["Swift", "swimming"])
    #expect(try await bench.titles(["query": ""]) == ["Swift", "swimming", "Rust"])
    await bench.stop()
  }

  @Test("P33 P15 bookmarking a page twice leaves it as it was")
  func bookmark() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3))
    let page: JSONValue = ["id": id, "page": 1]
    #expect(try await bench.client.call("documents/toggleBookmark", page)["bookmarked"] == true)
    #expect(try await bench.client.call("documents/page", page)["bookmarked"] == true)
    #expect(try await bench.client.call("documents/toggleBookmark", page)["bookmarked"] == false)
    #expect(try await bench.client.call("documents/page", page)["bookmarked"] == false)
    await bench.stop()
  }

  private func expectRefusal(_ params: JSONValue) async throws {
    let bench = try await DocumentBench()
    #expect(try await bench.client.failure("documents/add", params) != nil)
    #expect(try await bench.everything().isEmpty)
    #expect(try await bench.client.call("session/sync").clock == 0)
    await bench.stop()
  }
}
