import PDF
import TestSupport
import Testing

@Suite("Pages that cairo cannot draw")
struct SplashTests {
  /// A letter that is a drawing of 100 by 100 points, whose box says that it is a thousand times as large: cairo would
  /// make a picture of that size, and refuses.
  private static var huge: SamplePDF { huge(x: 100, width: 612) }

  private static func huge(x: Int, width: Int) -> SamplePDF {
    let font = SamplePDF.firstOwnObject
    var sample = SamplePDF(pages: [
      SamplePDF.Page(
        ["unused"], width: width,
        content: "BT /Huge 1 Tf \(x) 500 Td (a) Tj ET BT /Latin 24 Tf \(x) 400 Td (Words) Tj ET")
    ])
    sample.objects = [
      """
      <</Type/Font/Subtype/Type3/FontBBox[0 0 100000 100000]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97\
      /Widths[1000]/CharProcs<</a \(font + 1) 0 R>>/Encoding<</Type/Encoding/Differences[97/a]>>/Resources<<>>>>
      """,
      SamplePDF.stream("1000 0 0 0 100000 100000 d1 0 0 100 100 re f"),
    ]
    sample.resources = "/Font<</Huge \(font) 0 R/Latin 4 0 R>>"
    return sample
  }

  @Test("A page with a letter too large for cairo is drawn, in its place, whole and in part, with its marks")
  func huge() async throws {
    let bench = try PDFBench()
    let source = try bench.source(Self.huge)
    let mark = PictureRequest.Mark(
      quad: [300, 300, 340, 300, 340, 320, 300, 320], color: .init(red: 255, green: 212, blue: 0))
    let whole = try await bench.draw(source, PictureRequest(page: 0, size: .scale(1), marks: [mark]))
    #expect(whole.width == 612 && whole.height == 792)
    // The letter's lower left corner is 500 points above the page's lower edge.
    #expect(whole[150, 242] == Raster.Color(0, 0, 0) && whole[103, 289] == Raster.Color(0, 0, 0))
    #expect(whole[196, 195] == Raster.Color(0, 0, 0) && whole[96, 242] == Raster.Color(255, 255, 255))
    #expect(whole[150, 296] == Raster.Color(255, 255, 255) && whole[150, 188] == Raster.Color(255, 255, 255))
    #expect(whole[320, 310] == Raster.Color(255, 212, 0))
    let words = (100..<180).contains { x in (370..<394).contains { y in whole[x, y].brightness < 64 } }
    #expect(words)

    let part = try await bench.draw(
      source, PictureRequest(page: 0, size: .scale(2), region: Region(x: 90, y: 180, width: 130, height: 120)))
    #expect(part.width == 260 && part.height == 240)
    #expect(part[10, 60] == Raster.Color(255, 255, 255) && part[30, 60] == Raster.Color(0, 0, 0))
    #expect(part[30, 10] == Raster.Color(255, 255, 255))
  }

  @Test("A part of such a page that is further away than a picture's coordinates go is refused, and the worker lives")
  func farAway() async throws {
    let bench = try PDFBench()
    let source = try bench.source(Self.huge(x: 400_000, width: 900_000))
    let far = PictureRequest(
      page: 0, size: .scale(10_000), region: Region(x: 400_000, y: 242, width: 0.01, height: 0.01))
    await #expect(throws: WorkerFailure.undrawable(page: 0)) { try await bench.draw(source, far) }
    let near = PictureRequest(page: 0, size: .scale(2), region: Region(x: 399_990, y: 180, width: 130, height: 120))
    #expect(try await bench.draw(source, near).width == 260)
    #expect(bench.pool.status.restarts == 0)
  }
}
