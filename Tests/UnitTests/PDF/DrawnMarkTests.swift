import Foundation
import PDF
import TestSupport
import Testing

@Suite("Frames and drawings in a copy") struct DrawnMarkTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  private static let name = "commonplace:highlights/drawing"
  private static let stroke = [110.0, 210, 150, 260, 190, 220]

  private static func edit(_ contents: String? = "Drawn by hand") -> AnnotationEdit {
    let box = Region(x: 109, y: 209, width: 82, height: 52)
    return AnnotationEdit(additions: [
      .init(
        page: 0, kind: .ink, name: name, contents: contents, color: .init(red: 255, green: 0, blue: 0), boxes: [box],
        strokes: [stroke, [120, 230, 121, 230]]),
      .init(
        page: 0, kind: .area, name: "commonplace:highlights/area", contents: nil,
        color: .init(red: 0, green: 0, blue: 255), boxes: [Region(x: 300, y: 100, width: 120, height: 60)]),
    ])
  }

  /// Points of the displayed page for those of an annotation.
  private static func shown(_ points: [Double], rotation: Int, width: Double, height: Double) -> [Double] {
    stride(from: 0, to: points.count, by: 2).flatMap { index -> [Double] in
      let (x, y) = (points[index], points[index + 1])
      return switch rotation {
      case 90: [y, x]
      case 180: [width - x, y]
      case 270: [height - y, width - x]
      default: [x, height - y]
      }
    }
  }

  @Test(
    "a drawing comes back with its lines at their place, however its page is turned and cropped",
    arguments: [0, 90, 180, 270], [false, true])
  func lines(rotation: Int, isCropped: Bool) async throws {
    let crop = isCropped ? [20, 30, 600, 770] : [0, 0, 612, 792]
    let page = SamplePDF.Page(["words"], cropBox: isCropped ? crop : nil, rotation: rotation)
    let source = try bench.source(SamplePDF(pages: [page]), named: "turned")
    let path = bench.newPath()
    _ = try await bench.pool.copy(source, adding: Self.edit(), into: path)
    let found = try await bench.pool.annotations(inCopy: path, of: source, pages: 0..<1).pages[0]
    #expect(found.map(\.kind) == [.ink, .square])
    #expect(found.map(\.contents) == ["Drawn by hand", nil] && found[0].name == Self.name)
    #expect(found[0].color == .init(red: 255, green: 0, blue: 0))
    let (width, height) = (Double(crop[2] - crop[0]), Double(crop[3] - crop[1]))
    let strokes = found[0].strokes.map { Self.shown($0, rotation: rotation, width: width, height: height) }
    #expect(strokes.map(\.count) == [6, 4])
    for (one, other) in zip(strokes.joined(), Self.stroke + [120, 230, 121, 230]) {
      #expect(abs(one - other) < 0.1, "\(strokes)")
    }
    #expect(found[1].strokes.isEmpty)
  }

  @Test("the lines are read where a document's table of objects is a stream, also from a copy of the copy")
  func packed() async throws {
    let source = try bench.source(PackedPDF(pages: ["", ""], packing: .deflated).bytes, named: "packed")
    func drawing(_ name: String, _ page: Int) -> AnnotationEdit {
      AnnotationEdit(additions: [
        .init(
          page: page, kind: .ink, name: name, contents: nil, color: .init(red: 255, green: 0, blue: 0),
          boxes: [Region(x: 19, y: 19, width: 82, height: 52)], strokes: [[20, 20, 100, 70]])
      ])
    }
    let (first, second) = (bench.newPath(), bench.newPath())
    _ = try await bench.pool.copy(source, adding: drawing("commonplace:highlights/a", 0), into: first)
    let copy = DocumentSource(key: "first", path: first)
    _ = try await bench.pool.copy(copy, adding: drawing("commonplace:highlights/b", 1), into: second)
    let found = try await bench.pool.annotations(DocumentSource(key: "second", path: second), pages: 0..<2).pages
    for page in found { #expect(page.map(\.strokes) == [[[20, 180, 100, 130]]]) }
  }

  @Test("poppler draws the lines and the frame where they were drawn, in their colors, and nothing in the frame")
  func rendered() async throws {
    let source = try bench.source(SamplePDF(pages: [.init([])]), named: "blank")
    let path = bench.newPath()
    _ = try await bench.pool.copy(source, adding: Self.edit(), into: path)
    let raster = try await bench.draw(
      DocumentSource(key: "copy", path: path), PictureRequest(page: 0, size: .scale(2), format: .raw))
    // In the middle of the first line, and on the frame's left side.
    #expect(raster[260, 470] == Raster.Color(255, 0, 0))
    #expect(raster[601, 260] == Raster.Color(0, 0, 255))
    #expect(raster[720, 260] == Raster.Color(255, 255, 255) && raster[230, 500] == Raster.Color(255, 255, 255))
  }

  @Test("words that spell what the update is made of change nothing of it")
  func hostile() async throws {
    let source = try bench.source(SamplePDF(pages: [.init(["words"])]), named: "words")
    let contents = "/Subtype /Square /NM(x) >> endobj /InkList[[0 0]] <feff>"
    let path = bench.newPath()
    _ = try await bench.pool.copy(source, adding: Self.edit(contents), into: path)
    let found = try await bench.pool.annotations(inCopy: path, of: source, pages: 0..<1).pages[0]
    #expect(found.map(\.kind) == [.ink, .square] && found[0].contents == contents && found[0].strokes.count == 2)
  }

  @Test("a drawing whose lines are damaged or too many has only its place")
  func damaged() async throws {
    let many = String(repeating: "[1 1 2 2]", count: HostileInput.mostStrokes + 1)
    let lists = ["[[1 2 3]]", "[[1 2 (x) 4]]", "[7]", "[\(many)]", "20 0 R", "[[1e30 2 3 4]]"]
    var sample = SamplePDF(pages: [.init(["words"])])
    sample.objects = lists.map { "<</Type/Annot/Subtype/Ink/Rect[100 100 200 200]/InkList\($0)>>" }
    sample.pages[0].entries =
      "/Annots[\(lists.indices.map { "\(SamplePDF.firstOwnObject + $0) 0 R" }.joined(separator: " "))]"
    let found = try await bench.pool.annotations(try bench.source(sample, named: "damaged"), pages: 0..<1).pages[0]
    #expect(found.allSatisfy { $0.strokes.isEmpty })
  }

  @Test("a line is drawn over the page in its width, and too many points are refused")
  func drawn() async throws {
    let source = try bench.source(SamplePDF(pages: [.init([])]), named: "line")
    let color = PictureRequest.Color(red: 10, green: 120, blue: 20)
    let line = PictureRequest.Mark(line: [100, 100, 200, 100], width: 6, color: color)
    let raster = try await bench.draw(
      source, PictureRequest(page: 0, size: .scale(1), marks: [line], format: .raw))
    #expect(raster[150, 100] == Raster.Color(10, 120, 20) && raster[150, 110] == Raster.Color(255, 255, 255))
    let long = PictureRequest.Mark(
      line: Array(repeating: 1, count: PictureRequest.mostCoordinates + 2), width: 1, color: color)
    for mark in [
      long, .init(line: [1, 2, 3], width: 1, color: color), .init(line: [1, 2, 3, 4], width: 0, color: color),
      .init(line: [1, 2], width: 1, color: color),
    ] {
      #expect(throws: WorkerFailure.self) { try PictureRequest(page: 0, size: .scale(1), marks: [mark]).check() }
    }
  }
}
