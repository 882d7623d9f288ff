import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// Marks that other programs left in a file.
@Suite("Documents: marks of a file") struct ImportMarksTests {
  @Test("every kind comes with its words, author and place, the text under it in reading order; again nothing comes")
  func kinds() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .annotated)
    let report = try await bench.client.call("documents/importMarks", ["id": id])
    #expect(report["added"] == 6 && report["memos"] == 0 && report["known"] == 0)
    #expect(report["left"] == [["kind": "hidden", "count": 1], ["kind": "link", "count": 1]])
    let marks = try await bench.client.call("documents/highlights", ["id": id]).items
    func mark(_ kind: String) -> [JSONValue] { marks.filter { $0["imported"]?["kind"]?.stringValue == kind } }
    #expect(mark("highlight").map { $0["text"] } == Array(repeating: "first line here", count: 3))
    #expect(Set(mark("highlight").map { $0["color"].text }) == ["#ff0000", "#00ff00"])
    let noted = try #require(mark("highlight").first { $0["note"] != nil })
    #expect(noted["note"] == "What is\nthis?" && noted["imported"]?["author"] == "Ann")
    #expect(noted["imported"]?["modifiedAt"] == "2026-11-21T10:45:00.000Z")
    #expect(mark("underline").map { $0["text"] } == ["second"])
    let note = try #require(mark("note").first)
    #expect(note["note"] == "A note" && note["imported"]?["author"] == "Bob" && note["lines"] == [])
    #expect(note["imported"]?["subject"] == "Remark")
    #expect(note["imported"]?["quad"]?.numbers == [500, 72, 520, 72, 520, 92, 500, 92])
    #expect(mark("ink").map { $0["note"] } == ["Drawn"])
    #expect(mark("ink")[0]["strokes"]?[0]?.numbers == [100, 692, 200, 592])
    #expect(marks.allSatisfy { $0["kind"] == $0["imported"]?["kind"] })

    for _ in 0..<10 {
      let again = try await bench.client.call("documents/importMarks", ["id": id])
      #expect(again["added"] == 0 && again["known"] == 6 && again["differing"] == [])
    }
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items == marks)

    // What the reader says now stays, and the file's words are told.
    _ = try await bench.client.call("documents/updateHighlight", ["id": note["id"]!, "note": "Mine"])
    let differing = try await bench.client.call("documents/importMarks", ["id": id])["differing"].list
    #expect(differing == [["collection": "highlights", "id": note["id"]!, "page": 0, "contents": "A note"]])

    // One step back, and they come again with the same ids.
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items == [])
    #expect(try await bench.client.call("documents/importMarks", ["id": id])["added"] == 6)
    let ids = try await bench.client.call("documents/highlights", ["id": id]).items.map { $0["id"].text }
    #expect(ids.sorted() == marks.map { $0["id"].text }.sorted())
    await bench.stop()
  }

  @Test("in a library that is older than kinds an imported mark has that of its annotation, and its place")
  func older() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .annotated)
    _ = try await bench.client.call("documents/importMarks", ["id": id])
    let marks = try await bench.client.call("documents/highlights", ["id": id]).items
    await bench.stop()
    try OldLibraries.execute(
      """
      ALTER TABLE highlight DROP COLUMN kind; ALTER TABLE highlight DROP COLUMN shape;
      ALTER TABLE highlight DROP COLUMN picture; DELETE FROM grdb_migrations WHERE identifier = 'documents/013';
      """, in: LibraryFolder(bench.daemon.library))
    let again = try await DocumentBench(in: bench.daemon.folder)
    let found = try await again.client.call("documents/highlights", ["id": id]).items
    for mark in marks {
      let same = try #require(found.first { $0["id"] == mark["id"] })
      #expect(same["kind"] == mark["kind"] && same["quad"] == mark["quad"] && same["lines"] == mark["lines"])
    }
    await again.stop()
  }

  @Test("a mark on a page without text keeps its place")
  func withoutText() async throws {
    var sample = SamplePDF(pages: [.init(content: "0 0 100 100 re f")])
    sample.objects = [
      "<</Type/Annot/Subtype/Highlight/Rect[10 10 90 30]/QuadPoints[10 30 90 30 10 10 90 10]/Contents(Look)>>"
    ]
    sample.pages[0].entries = "/Annots[20 0 R]"
    let bench = try await DocumentBench()
    let id = try await bench.id(of: sample)
    _ = try await bench.client.call("documents/importMarks", ["id": id])
    let marks = try await bench.client.call("documents/highlights", ["id": id]).items
    #expect(marks.map { $0["note"] } == ["Look"] && marks.map { $0["text"] } == [""])
    #expect(marks[0]["lines"]?[0]?["quad"]?.numbers == [10, 762, 90, 762, 90, 782, 10, 782])
    await bench.stop()
  }

  @Test("two files with the same annotations give each of their documents its own marks, which come once")
  func sameInTwoFiles() async throws {
    let bench = try await DocumentBench()
    var marks: [[JSONValue]] = []
    for author in ["Ann", "Bob"] {
      var sample = SamplePDF.annotated
      sample.information = "/Author(\(author))"
      let id = try await bench.id(of: sample)
      let added = try await bench.client.call("documents/importMarks", ["id": id])["added"]
      let again = try await bench.client.call("documents/importMarks", ["id": id])
      #expect(again["added"] == 0 && again["known"] == added, "\(again)")
      marks.append(try await bench.client.call("documents/highlights", ["id": id]).items)
    }
    #expect(!marks[0].isEmpty)
    #expect(marks[0].map { $0["text"].text }.sorted() == marks[1].map { $0["text"].text }.sorted())
    #expect(Set(marks[0].map(\.id.text)).isDisjoint(with: marks[1].map(\.id.text)))
    await bench.stop()
  }

  @Test("each annotation of a file is counted once: as added, as a memo, as known or as left")
  func identity() async throws {
    let rect = "/Rect[70 664 160 692]"
    let quad = "\(rect)/QuadPoints[70 692 155 692 70 664 155 664]"
    let shapes = [
      "Highlight\(quad)", "Highlight\(quad)", "Underline\(quad)", "Squiggly\(quad)",
      "StrikeOut\(quad)", "Text\(rect)/Contents(A note)", "Text\(rect)", "FreeText\(rect)/DA(/F 9 Tf)/Contents(Free)",
      "Line\(rect)/L[70 664 160 692]", "Square\(rect)", "Circle\(rect)",
      "Polygon\(rect)/Vertices[70 664 160 664 100 692]",
      "PolyLine\(rect)/Vertices[70 664 160 664]", "Stamp\(rect)/Name/Draft", "Caret\(rect)",
      "Ink\(rect)/InkList[[70 664 160 692]]", "Popup\(rect)", "FileAttachment\(rect)/FS(notes.txt)", "Text\(rect)/F 2",
      "Link\(rect)/A<</S/URI/URI(https://example.org/)>>", "Widget\(rect)/FT/Tx/T(field)",
      "Text/Rect[9000 9000 9020 9020]/Contents(Far off)", "Text/Rect[0 0 0 0]/Contents(Flat)", "Strange\(rect)",
    ]
    var sample = SamplePDF(pages: [.init(["first line here"]), .init(["second"])])
    sample.objects = shapes.map { "<</Type/Annot/Subtype/\($0)>>" }
    let (middle, end) = (20 + 12, 20 + shapes.count)
    sample.pages[0].entries = "/Annots[\((20..<middle).map { "\($0) 0 R" }.joined(separator: " "))]"
    sample.pages[1].entries = "/Annots[\((middle..<end).map { "\($0) 0 R" }.joined(separator: " "))]"
    let bench = try await DocumentBench()
    let id = try await bench.id(of: sample)
    for round in 0..<3 {
      let report = try await bench.client.call("documents/importMarks", ["id": id])
      let counts = ["added", "memos", "known"].compactMap { report[$0]?.integerValue }
      let left = report["left"].list.compactMap { $0["count"]?.integerValue }
      #expect((counts + left).reduce(0, +) == Int64(shapes.count), "\(report)")
      #expect((report["added"] == 0) == (round > 0), "\(report)")
      let marks = try await bench.client.call("documents/highlights", ["id": id]).items
      if round == 0, let first = marks.first {
        _ = try await bench.client.call("documents/updateHighlight", ["id": first["id"]!, "note": "Mine"])
      }
    }
    await bench.stop()
  }
}
