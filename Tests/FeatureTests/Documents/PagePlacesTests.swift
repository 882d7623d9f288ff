import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import Documents
@testable import Kit

@Suite("Documents: where pages lie") struct PagePlacesTests {
  @Test("The row of one page tells those of the others of its file, and of too many files none is known")
  func rows() {
    let places = PagePlaces()
    #expect(places.row(of: 3, of: "a") == nil)
    places.note(45, of: 3, of: "a")
    #expect(places.row(of: 0, of: "a") == 42 && places.row(of: 9, of: "a") == 51 && places.row(of: 0, of: "b") == nil)
    for number in 1..<10_000 { places.note(Int64(number), of: 0, of: "\(number)") }
    places.note(50, of: 3, of: "a")
    #expect(places.row(of: 0, of: "a") == 47 && places.row(of: 0, of: "7") == 7)
    places.note(1, of: 0, of: "one more")
    #expect(places.row(of: 0, of: "a") == nil && places.row(of: 0, of: "one more") == 1)
  }

  @Test("A page is found with its places, whatever row was known of it")
  func wrongRows() async throws {
    let bench = try await QueryBench()
    for (id, line) in [("river", "a slow river"), ("lake", "a deep lake")] {
      let sample = SamplePDF(["Nothing here."], [line])
      _ = try await bench.client.call(
        "documents/add", ["data": .string(sample.base64), "title": "Waters", "id": .string(id)])
      _ = try await bench.client.indexed(.string(id))
    }
    let services = bench.daemon.daemon.services
    let caller = FeatureCaller.daemon(services)
    let rows = try await services.library.read(as: caller) { snapshot in
      var rows: [(hash: String, first: Int64)] = []
      try snapshot.db.each("SELECT hash, rowid FROM pdfPage WHERE page = 0", []) { row in
        rows.append((row.text(0), row.integer(1)))
      }
      return rows
    }
    try #require(rows.count == 2)
    let before = try await bench.ask("slow in:documents").items
    #expect(before.count == 1 && before[0]["quads"].list.count == 1 && before[0]["snippet"] == "a slow river")
    for (hash, first) in rows { #expect(services.pagePlaces.row(of: 0, of: hash) ?? first == first) }
    // That of the other file, of the page before, and of none.
    for wrong in [Int64](rows.map(\.first)) + [rows[0].first - 1, -7, 1 << 40] {
      for (hash, _) in rows { services.pagePlaces.note(wrong, of: 0, of: hash) }
      #expect(try await bench.ask("slow in:documents").items == before)
    }
    // A file that goes and comes again has rows of its own.
    _ = try await bench.client.call("documents/remove", ["id": "river"])
    #expect(try await bench.ask("slow in:documents").items.isEmpty)
    await bench.stop()
  }
}
