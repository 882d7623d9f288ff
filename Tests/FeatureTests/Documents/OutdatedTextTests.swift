import Client
import Foundation
import PDF
import TestSupport
import Testing
import Wire

@Suite("Documents: text that an earlier extractor version extracted")
struct OutdatedTextTests {
  @Test("It stays in use until it is extracted again after a start; texts that are the same stay as they are")
  func outdated() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["zebra crossing"], ["giraffe"], ["lion tamer"]))
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 0, "text": "striped"])
    await bench.stop()
    // As an earlier version stored it: two words in one.
    try KeepingTests.database(bench.daemon).write { db in
      try db.execute(
        """
        UPDATE pdfPage SET text = replace(text, 'zebra crossing', 'zebracrossing'), placement = 2, boxes = x''
        WHERE page = 0;
        UPDATE pdfPage SET text = replace(text, 'lion tamer', 'liontamer'), placement = 2, boxes = x'' WHERE page = 2;
        UPDATE pdf SET extractorVersion = 0;
        """)
    }
    let again = try await DocumentBench(in: bench.daemon.folder)
    func text(_ page: Int64) async throws -> String {
      try await again.client.call("documents/text", ["id": id, "page": .integer(page)])["text"].text
    }
    #expect(try await text(0).hasPrefix("zebracrossing"))
    #expect(try await again.client.call("documents/get", ["id": id])["state"] == "ready")
    let heard = again.client.received.count
    again.daemon.daemon.startBackgroundWork()
    _ = try await again.client.firstReceived(from: heard) { frame in
      if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
    }
    #expect(try await text(0).hasPrefix("zebra crossing"))
    #expect(try await text(2).hasPrefix("lion tamer"))
    let hits = try await again.client.call("documents/find", ["id": id, "text": "zebra crossing"]).items
    #expect(hits.count == 1 && hits[0]["quads"].list.count == 1)
    await again.stop()
    let database = try KeepingTests.database(again.daemon)
    #expect(try KeepingTests.found("zebra", in: database) == [1])
    #expect(try KeepingTests.found("giraffe", in: database) == [2])
    let versions = try database.read { try $0.integers("SELECT extractorVersion FROM pdf") }
    #expect(versions == [Int64(PageText.extractorVersion)])
  }
}
