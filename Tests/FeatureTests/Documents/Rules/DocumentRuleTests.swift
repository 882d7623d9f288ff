import Client
import Foundation
import Kit
import TestSupport
import Testing
import Wire

@testable import Documents
@testable import Store

@Suite("Documents: rules") struct DocumentRuleTests {
  private static let bill = [["ACME corporation", "invoice of November"], ["to be paid by Friday"]]

  private func sample(_ pages: [[String]], author: String? = nil) -> SamplePDF {
    var sample = SamplePDF(pages: pages.map { .init($0) })
    if let author { (sample.title, sample.information) = ("Bill", "/Author(\(author))") }
    return sample
  }

  private func rule(_ bench: DocumentBench, _ params: JSONObject) async throws {
    _ = try await bench.client.call("documents/addRule", .object(params))
  }

  /// A document after its rules have run.
  private func arrived(_ bench: DocumentBench, _ sample: SamplePDF, title: String? = nil) async throws -> JSONValue {
    _ = try await bench.indexed(try await bench.id(of: sample, title: title))
    return try await bench.client.call("documents/list", ["sort": "added"]).items.last ?? .null
  }

  @Test("a document that arrives gets the tags and properties of the rules that match its pages; its own stay")
  func arrival() async throws {
    let bench = try await DocumentBench()
    try await rule(bench, ["text": "invoice paid", "tags": ["bills"], "properties": ["correspondent": "ACME"]])
    try await rule(
      bench, ["text": "acme NOT draft", "tags": ["Bills", "acme"], "properties": ["correspondent": "other"]])
    try await rule(bench, ["text": "tag:acme", "tags": ["later"]])
    let bill = try await arrived(bench, sample(Self.bill))
    #expect(bill["tags"] == ["bills", "acme"] && bill["properties"] == ["correspondent": "ACME"])
    let draft = try await arrived(bench, sample(Self.bill + [["a draft"]]))
    #expect(draft["tags"] == ["bills"])
    let other = try await arrived(bench, sample([["a paper about rivers"]]))
    #expect(other["tags"] == [] && other["properties"] == nil)
    #expect(try await bench.client.call("documents/list", ["tag": "bills"]).items.count == 2)
    // What a rule did is one change of the document's history, and its removal leaves it.
    for item in try await bench.client.call("documents/rules").items {
      _ = try await bench.client.call("documents/removeRule", ["id": item.id])
    }
    #expect(try await bench.client.call("documents/get", ["id": bill.id])["tags"] == ["bills", "acme"])
    await bench.stop()
  }

  @Test("a long document is tagged once its last page is read, also if the daemon ended before")
  func long() async throws {
    let bench = try await DocumentBench()
    try await rule(bench, ["text": "\"page number 150\"", "tags": ["long"]])
    let id = try await bench.id(of: .numbered(150))
    #expect(try await tagged("long", id, bench.client)["tags"] == ["long"])
    let second = try await bench.id(of: .numbered(150, salt: "a "))
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    again.daemon.daemon.startBackgroundWork()
    #expect(try await tagged("long", second, again.client)["tags"] == ["long"])
    await again.stop()
  }

  @Test("a long document whose text is stored already is tagged too: added again, or by a daemon that ended before")
  func storedBefore() async throws {
    let bench = try await DocumentBench()
    try await rule(bench, ["text": "\"page number 150\"", "tags": ["long"]])
    let first = try await bench.id(of: .numbered(150))
    _ = try await tagged("long", first, bench.client)
    _ = try await bench.client.call("documents/remove", ["id": first])
    let second = try await bench.id(of: .numbered(150))
    #expect(try await tagged("long", second, bench.client)["state"] == "ready")
    _ = try await bench.client.call("documents/update", ["id": second, "tags": []])
    await bench.stop()
    // As if the daemon had ended after the last page was stored.
    try OldLibraries.execute(
      "INSERT INTO documentArrival SELECT id, NULL FROM document",
      in: LibraryFolder(bench.daemon.folder.file("library")))
    let again = try await DocumentBench(in: bench.daemon.folder)
    again.daemon.daemon.startBackgroundWork()
    #expect(try await tagged("long", second, again.client)["state"] == "ready")
    await again.stop()
  }

  @Test("what rules do once the text is complete is a version of its own, and a title that was set meanwhile stays")
  func changedMeanwhile() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3))
    try await rule(bench, ["text": "\"page number 3\"", "tags": ["bills"], "retitle": "{title}, {day}"])
    let given = try await bench.client.call("documents/update", ["id": id, "tags": ["x"], "title": "Mine"])
    await bench.stop()
    // As if it had been changed before its last page was read.
    try OldLibraries.execute(
      """
      INSERT INTO documentArrival SELECT id, 'The title of the file' FROM document;
      UPDATE pdfPage SET text = NULL, length = NULL, placement = NULL, unit = NULL, boxes = NULL WHERE page = 2;
      """, in: LibraryFolder(bench.daemon.folder.file("library")))
    let again = try await DocumentBench(in: bench.daemon.folder)
    again.daemon.daemon.startBackgroundWork()
    let document = try await tagged("bills", id, again.client)
    #expect(document["tags"] == ["x", "bills"] && document["title"] == "Mine")
    let history = try await again.client.call("changes/history", ["collection": "documents", "id": id]).items
    #expect(history.first?["clock"] == document["revision"] && history.first?["clock"] != .integer(given.clock))
    #expect(try await again.client.failure("changes/undo", ["clock": .integer(given.clock)])?.kind == "conflict")
    #expect(try await again.client.call("documents/get", ["id": id])["tags"] == ["x", "bills"])
    await again.stop()
  }

  /// Waits until a document has a tag.
  private func tagged(_ tag: JSONValue, _ id: JSONValue, _ client: Client) async throws -> JSONValue {
    while true {
      let heard = client.received.count
      let document = try await client.call("documents/get", ["id": id])
      if document["tags"].list.contains(tag) { return document }
      _ = try await client.firstReceived(from: heard) { frame in
        if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
      }
    }
  }

  @Test("a rule gives a title to a document that came without one, if the document has all that the title names")
  func titles() async throws {
    let bench = try await DocumentBench()
    try await rule(bench, ["text": "invoice", "retitle": "{author}, {title} ({day})"])
    let named = try await arrived(bench, sample(Self.bill, author: "ACME"))
    #expect(named["title"] == "ACME, Bill (2026-11-21)")
    let given = try await arrived(bench, sample([["an invoice"]], author: "ACME"), title: "Mine")
    #expect(given["title"] == "Mine")
    var nobody = sample([["another invoice"]])
    nobody.title = "Nobody's"
    #expect(try await arrived(bench, nobody)["title"] == "Nobody's")
    await bench.stop()
  }

  @Test("rules are applied to stored documents in one step of undo; a dry run reports them and changes nothing")
  func applied() async throws {
    let bench = try await DocumentBench()
    let bill = try await arrived(bench, sample(Self.bill, author: "ACME"))
    _ = try await arrived(bench, sample([["a paper about rivers"]]))
    try await rule(bench, ["id": "r", "title": "Bills", "text": "invoice", "tags": ["bills"], "retitle": "{day}"])
    try await rule(bench, ["id": "s", "text": "rivers", "properties": ["shelf": "B 12"]])
    let dry = try await bench.client.call("documents/applyRules", ["dryRun": true])
    #expect(dry["documents"] == 2 && dry["count"] == 2)
    #expect(dry["rules"].list.map { $0["rule"] } == ["r", "s"] && dry["rules"].list.map { $0["changed"] } == [1, 1])
    #expect(dry["rules"]?[0]?["samples"] == [["id": bill["id"] ?? .null, "title": "Bill"]])
    #expect(try await bench.client.call("documents/get", ["id": bill.id])["tags"] == [])
    #expect(try await bench.client.call("documents/applyRules", ["id": "r"])["count"] == 1)
    let tagged = try await bench.client.call("documents/get", ["id": bill.id])
    #expect(tagged["tags"] == ["bills"] && tagged["title"] == "Bill")
    #expect(try await bench.client.call("documents/applyRules")["count"] == 1)
    #expect(try await bench.client.call("documents/applyRules")["count"] == 0)
    for _ in 0..<2 { _ = try await bench.client.call("changes/undo") }
    #expect(try await bench.client.call("documents/get", ["id": bill.id])["tags"] == [])
    #expect(try await bench.client.failure("documents/applyRules", ["id": "none"])?.kind == "notFound")
    await bench.stop()
  }

  @Test("a slice without time handles one document all the same, with the rules that the first slice has parsed")
  func slices() async throws {
    let bench = try await DocumentBench()
    _ = try await arrived(bench, sample(Self.bill))
    _ = try await arrived(bench, sample([["another invoice"]]))
    try await rule(bench, ["text": "invoice", "tags": ["bills"]])
    let services = bench.daemon.daemon.services
    let params = ApplyDocumentRules.Params(id: nil, dryRun: true)
    var position: ApplyDocumentRules.Position?
    for count in 1...2 {
      let before = position
      let slice = try await services.library.write(as: FeatureCaller.daemon(services), label: "test") { transaction in
        transaction.keepSilent()
        transaction.beginSlice(rows: 0, mostRows: 0, within: .zero, othersWait: { true })
        return try ApplyDocumentRules.run(params, from: before, in: transaction)
      }
      if case .more(let next) = slice { position = next }
      #expect(position?.documents == count && position?.changed == count && position?.queries?.rules.count == 1)
    }
    await bench.stop()
  }

  @Test(
    "a rule that does nothing, cannot match or has an unknown placeholder is refused by its field",
    arguments: [
      (["text": "a"], "tags"), (["text": "is:open", "tags": ["a"]], "text"), (["text": "(", "tags": ["a"]], "text"),
      (["text": "a", "retitle": "{name}"], "retitle"), (["text": "a", "properties": ["b": 1]], "properties.b"),
    ] as [(JSONObject, String)])
  func refused(params: JSONObject, field: String) async throws {
    let bench = try await DocumentBench()
    let failure = try await bench.client.failure("documents/addRule", .object(params))
    #expect(failure?.code == -32602 && failure?.data?["field"] == .string(field), "\(String(describing: failure))")
    #expect(try await bench.client.call("documents/rules").items == [])
    await bench.stop()
  }

  @Test("a list shows what a rule does, and the same rule again is the one that is there")
  func listed() async throws {
    let bench = try await DocumentBench()
    let params: JSONObject = [
      "id": "r", "text": "invoice", "tags": ["a", "b"], "properties": ["shelf": "B 12"], "retitle": "{title}",
    ]
    for _ in 0..<2 { try await rule(bench, params) }
    let items = try await bench.client.call("documents/rules").items
    #expect(items.map { $0["display"]?["title"] } == ["invoice"])
    #expect(items[0]["display"]?["actions"] == "tag a, b, set shelf to B 12, title {title}")
    let failure = try await bench.client.failure("documents/addRule", ["id": "r", "text": "other", "tags": ["a"]])
    #expect(failure?.kind == "exists")
    _ = try await bench.client.call("documents/updateRule", ["id": "r", "tags": [], "properties": .null])
    let last = try await bench.client.failure("documents/updateRule", ["id": "r", "retitle": .null])
    #expect(last?.data?["field"] == "tags")
    await bench.stop()
  }
}
