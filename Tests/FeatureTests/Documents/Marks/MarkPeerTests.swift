import Client
import Foundation
import TestSupport
import Testing
import Wire

/// The annotations of an exported copy as PyMuPDF reads and draws them.
@Suite("Documents: marks beside PyMuPDF", .timeLimit(.minutes(10))) struct MarkPeerTests {
  private static let root = URL(filePath: #filePath).appending(path: "../../../../..").standardized
  /// Where `scripts/test` installs it.
  private static let packages = root.appending(path: ".build/python").path

  /// Writes each annotation of the first page: its type, comment, color, rectangle and lines in points from the top left
  /// of the page, and how many pixels in its rectangle have its color.
  private static let reading = """
    import json, sys
    sys.path.insert(0, sys.argv[1])
    import pymupdf
    document = pymupdf.open(sys.argv[2])
    assert not document.is_repaired
    page = document[0]
    picture = page.get_pixmap(matrix=pymupdf.Matrix(2, 2))
    found = []
    for annotation in page.annots():
        color = [round(255 * part) for part in annotation.colors["stroke"]]
        rect = annotation.rect * page.rotation_matrix
        pixels = 0
        for y in range(max(0, int(2 * rect.y0)), min(picture.height, int(2 * rect.y1))):
            for x in range(max(0, int(2 * rect.x0)), min(picture.width, int(2 * rect.x1))):
                pixels += max(abs(a - b) for a, b in zip(picture.pixel(x, y), color)) < 8
        vertices = annotation.vertices or []
        lines = vertices if vertices and isinstance(vertices[0], list) else []
        lines = [[c for p in line for c in pymupdf.Point(p) * page.rotation_matrix] for line in lines]
        found.append({"type": annotation.type[1], "comment": annotation.info["content"], "color": color,
            "rect": list(rect), "lines": lines, "pixels": pixels})
    print(json.dumps(found))
    """

  @Test("every kind has its type, comment, color and place in PyMuPDF, which draws it", arguments: [0, 90])
  func annotations(rotation: Int) async throws {
    let isThere = FileManager.default.fileExists(atPath: Self.packages + "/pymupdf/__init__.py")
    try #require(isThere, "scripts/test installs it from Tests/python-packages.txt")
    let bench = try await DocumentBench()
    let page = SamplePDF.Page(["first line here", "second line", "third"], rotation: rotation)
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    let client = bench.client
    _ = try await client.call(
      "documents/addMark",
      ["id": id, "page": 0, "area": ["x": 300, "y": 300, "width": 100, "height": 50], "color": "#ff0000"])
    _ = try await client.call(
      "documents/addMark",
      ["id": id, "page": 0, "strokes": [[310, 410, 350, 450]], "color": "#0000ff", "note": "손으로"])
    _ = try await client.call(
      "documents/addMark", ["id": id, "page": 0, "point": ["x": 500, "y": 500], "note": "A note"])
    for (line, kind) in zip(["first line here", "second line", "third"], ["underline", "strikeOut", "squiggly"]) {
      _ = try await client.call(
        "documents/addHighlight",
        ["id": id, "page": 0, "lines": [.string(line)], "kind": .string(kind), "color": "#00aa00"])
    }
    let path = bench.daemon.folder.file("copy.pdf")
    _ = try await client.call("documents/export", ["id": id, "format": "pdf", "path": .string(path)])
    await bench.stop()

    let script = bench.daemon.folder.file("read.py")
    try Self.reading.write(toFile: script, atomically: true, encoding: .utf8)
    let environment = ProcessInfo.processInfo.environment.filter { ["HOME", "PATH"].contains($0.key) }
    let python = try ChildProcess(
      "python3", ["-B", script, Self.packages, path], environment: environment, folder: bench.daemon.folder.path)
    let result = await python.end()
    try #require(result.status == 0, "\(result.errors.suffix(3_000))")
    let found = try JSONParser.parse(Array(result.output.utf8)).arrayValue ?? []
    #expect(
      Set(found.map { $0["type"].text }) == ["Square", "Ink", "Text", "Underline", "StrikeOut", "Squiggly"])
    func one(_ type: String) throws -> JSONValue { try #require(found.first { $0["type"].text == type }) }
    let (square, ink, note) = (try one("Square"), try one("Ink"), try one("Text"))
    #expect(square["color"] == [255, 0, 0] && (square["pixels"]?.integerValue ?? 0) > 500)
    #expect(ink["comment"] == "손으로" && ink["color"] == [0, 0, 255] && (ink["pixels"]?.integerValue ?? 0) > 120)
    #expect(note["comment"] == "A note")
    let line = ink["lines"]?[0]?.numbers ?? []
    #expect(zip(line, [310, 410, 350, 450]).allSatisfy { abs($0 - $1) < 0.2 } && line.count == 4, "\(ink)")
    let rect = square["rect"]?.numbers ?? []
    #expect(zip(rect, [300, 300, 400, 350]).allSatisfy { abs($0 - $1) < 2.5 } && rect.count == 4, "\(square)")
    for type in ["Underline", "StrikeOut", "Squiggly"] {
      #expect((try one(type)["pixels"]?.integerValue ?? 0) > 30, "\(type)")
    }
  }
}
