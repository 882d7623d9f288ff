import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: LaTeX sources") struct TypesetSourceTests {
  private static let synced = """
    SyncTeX Version:1
    Input:1:./main.tex
    Content:
    {1
    (1,9:4736286,6578176:13156352,526254,131563
    g1,7:6000000,6578176
    )
    }1
    Postamble:
    """

  @Test("a point of a PDF leads to its source and back, by the file that LaTeX has left beside it")
  func bothWays() async throws {
    let bench = try await DocumentBench()
    let folder = bench.daemon.folder.file("paper")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let path = folder + "/main.pdf"
    let sample = SamplePDF(pages: [.init(["A line of text."])])
    try Data(sample.bytes).write(to: URL(filePath: path))
    let id = try #require(try await bench.client.call("documents/add", ["path": .string(path)])["id"])
    let source: JSONObject = ["file": .string(folder + "/main.tex"), "line": 7]
    let point: JSONValue = ["id": id, "page": 0, "x": 90, "y": 98]
    #expect(try await bench.client.failure("documents/locateSource", point)?.kind == "notFound")
    #expect(try await bench.client.failure("documents/fromSource", .object(source))?.kind == "notFound")

    try Data(Self.synced.utf8).write(to: URL(filePath: folder + "/main.synctex"))
    let missing = try await bench.client.call("documents/locateSource", point)
    #expect(missing["file"] == nil && missing["line"] == nil, "\(missing)")
    try Data("\n".utf8).write(to: URL(filePath: folder + "/main.tex"))
    let found = try await bench.client.call("documents/locateSource", point)
    #expect(found["file"] == .string(folder + "/main.tex") && found["line"] == 7 && found["changed"] == nil)
    let empty = try await bench.client.call("documents/locateSource", ["id": id, "page": 0, "x": 90, "y": 700])
    #expect(empty["file"] == nil && empty["line"] == nil)
    let place = try await bench.client.call("documents/fromSource", .object(source))
    #expect(place["id"] == id && place["page"] == 0 && place["line"] == 7 && place["boxes"].list.count == 1)
    var other = source
    other["file"] = .string(folder + "/other.tex")
    #expect(try await bench.client.failure("documents/fromSource", .object(other))?.kind == "notFound")

    // LaTeX has run again: the PDF is another one than the document's.
    try Data(sample.bytes + [0x0A]).write(to: URL(filePath: path))
    #expect(try await bench.client.call("documents/fromSource", .object(source))["changed"] == true)
    // A packed file comes first, and one that is damaged is not passed over.
    try Data([0x1F, 0x8B, 8, 0]).write(to: URL(filePath: folder + "/main.synctex.gz"))
    #expect(try await bench.client.failure("documents/locateSource", point)?.kind == "corrupt")
    await bench.stop()
  }

  @Test("a document that was added as bytes has no file beside which a source could be found")
  func withoutFile() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(["A line."])]))
    let failure = try await bench.client.failure("documents/locateSource", ["id": id, "page": 0, "x": 0, "y": 0])
    #expect(failure?.kind == "notFound")
    await bench.stop()
  }
}
