import Foundation
import PDF
import TestSupport
import Testing

@Suite("Pages that are one scanned image")
struct ScanTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  private static let whole = [PictureRequest(page: 0, size: .width(50)), PictureRequest(page: 0, size: .scale(1.37))]
  private static let requests =
    whole + [
      PictureRequest(page: 0, size: .scale(1.5), region: Region(x: 10.3, y: 20.6, width: 50, height: 31.4)),
      PictureRequest(page: 0, size: .scale(4), region: Region(x: 30, y: 20, width: 20.2, height: 30)),
    ]
  private static let jpeg = ScanPDF(.patches())
  private static func stencil(_ parameters: String = "") -> ScanPDF {
    changed(ScanPDF(fax: parameters)) {
      $0.form = $0.form.replacingOccurrences(of: "/ColorSpace/DeviceGray", with: "/ImageMask true")
    }
  }
  private static let hidden = "BT /T 12 Tf 3 Tr 10 40 Td (hidden) Tj ET"
  private static let font = "/Font<</T<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"

  private static func changed(_ scan: ScanPDF = jpeg, _ change: (inout ScanPDF) -> Void) -> ScanPDF {
    var scan = scan
    change(&scan)
    return scan
  }

  @Test("A JPEG is shown as poppler shows it, turned and cut as the page is", arguments: [0, 90, 180, 270, -90])
  func turned(rotation: Int) async throws {
    for crop in ["", "/CropBox[10.3 5.6 90 70.2]"] {
      try await expectAlike(Self.changed { $0.page = "/Rotate \(rotation)\(crop)" })
    }
  }

  @Test(
    "A JPEG is shown as poppler shows it, wherever the content puts it",
    arguments: [
      "-100 0 0 80 100 0", "100 0 0 -80 0 80", "0 80 -100 0 100 0", "0 -80 100 0 0 80", "50.7 0 0 60.3 20.2 10.8",
      "130 0 0 100 -10.2 -15.7",
    ])
  func placed(matrix: String) async throws {
    for page in ["", "/Rotate 90"] {
      try await expectAlike(
        Self.changed {
          $0.content = "q \(matrix) cm /Image Do Q"
          $0.page = page
        })
    }
  }

  @Test("Grey JPEGs, and faxes of either sense, are shown as poppler shows them")
  func greys() async throws {
    try await expectAlike(ScanPDF(.patches(isGrey: true)))
    for sense in ["/BlackIs1 true", "/BlackIs1 false", ""] {
      let fax = ScanPDF(fax: sense)
      try await expectAlike(fax)
      try await expectAlike(Self.changed(fax) { $0.form += "/Decode[1 0]" })
      try await expectAlike(Self.changed(fax) { $0.page = "/Rotate 270/CropBox[10.3 5.6 90 70.2]" })
      try await expectAlike(Self.changed(fax) { $0.content = "q 130.4 0 0 100.3 -10.2 -15.7 cm /Image Do Q" })
    }
    let black = try await draw(ScanPDF(fax: ""), PictureRequest(page: 0, size: .width(96)))
    let white = try await draw(ScanPDF(fax: "/BlackIs1 true"), PictureRequest(page: 0, size: .width(96)))
    #expect(black.raster[24, 16].brightness < 10 && black.raster[50, 16].brightness > 245)
    #expect(white.raster[24, 16].brightness > 245 && white.raster[50, 16].brightness < 10)
  }

  @Test("A fax that is a stencil of black ink is shown as poppler shows it")
  func stencils() async throws {
    for sense in ["/BlackIs1 true", ""] {
      try await expectAlike(Self.stencil(sense))
      try await expectAlike(
        Self.changed(Self.stencil(sense)) {
          $0.form += "/Decode[1 0]"
          $0.content = "0 0 0 rg q 50.7 0 0 60.3 20.2 10.8 cm /Image Do Q"
        })
    }
  }

  @Test("What is not seen beside the image leaves it a scan")
  func unseen() async throws {
    let image = Self.jpeg.content
    try await expectAlike(
      Self.changed {
        $0.resources = Self.font
        $0.content = "/Artifact BMC q 0 0 100 80 re W n \(image) Q EMC \(Self.hidden)"
      })
    try await expectAlike(Self.changed { $0.content = "q 20.5 10.5 50 60 re W* n \(image) Q" })
    try await expectAlike(
      Self.changed {
        $0.resources = "/ExtGState<</Plain<</ca 1/BM/Normal/SMask/None>>>>"
        $0.content = "/Plain gs \(image)"
      })
    try await expectAlike(
      Self.changed {
        $0.content = "q 2 0 0 2 0 0 cm /Form Do Q"
        $0.streams = [
          (
            "/Type/XObject/Subtype/Form/BBox[0 0 180 150]/Matrix[.5 0 0 .5 0 0]/Resources<</XObject<</Image 5 0 R>>>>",
            Array(image.utf8)
          )
        ]
      })
  }

  @Test("A mark is drawn on a scan")
  func marks() async throws {
    let mark = PictureRequest.Mark(
      quad: [10, 10, 30, 10, 30, 20, 10, 20], color: .init(red: 255, green: 212, blue: 0))
    let request = PictureRequest(page: 0, size: .scale(1), marks: [mark])
    let drawn = try await draw(ScanPDF(fax: "/BlackIs1 true"), request)
    #expect(drawn.isScan)
    #expect(bench.pool.status.scans == 1)
    let page = try bench.source(SamplePDF(pages: [.init(["a line"])]), named: "no scan")
    _ = try await bench.pool.render(page, request, into: bench.newPath())
    #expect(bench.pool.status.scans == 1)
    #expect(drawn.raster[15, 15] == Raster.Color(255, 212, 0))
  }

  @Test(
    "What is seen beside the image, or through it, is drawn by poppler",
    arguments: [
      changed {
        $0.resources = font
        $0.content += hidden.replacingOccurrences(of: "3 Tr", with: "0 Tr")
      },
      changed {
        $0.resources = "/Font<</T<</Type/Font/Subtype/Type3>>>>"
        $0.content += hidden
      },
      changed { $0.content += " 10 10 20 20 re f" },
      changed { $0.content = "10 20 50 60 re g n \($0.content)" },
      changed { $0.content += " q 10 0 0 10 0 0 cm /Image Do Q" },
      changed { $0.content = "/OC /Layer BDC \($0.content) EMC" },
      changed { $0.content = "q 100 10 0 80 0 0 cm /Image Do Q" },
      changed { $0.content = "q 10 10 m 50 70 l 90 10 l h W n \($0.content) Q" },
      changed {
        $0.resources = "/ExtGState<</Half<</ca .5>>>>"
        $0.content = "/Half gs \($0.content)"
      },
      changed { $0.page = "/Annots[<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/C[1 0 0]>>]" },
      changed {
        $0.form += "/SMask 6 0 R"
        $0.streams = [
          ("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", [100])
        ]
      },
      changed { $0.form += "/Mask[0 10 0 10 0 10]" },
      changed { $0.form += "/Decode[1 0 1 0 1 0]" },
      changed { $0.form += "/DecodeParms<</ColorTransform 0>>" },
      changed(stencil()) { $0.content = "1 0 0 rg \($0.content)" },
      changed(stencil()) { $0.content = "/Pattern cs \($0.content)" },
      changed(ScanPDF(fax: "")) { $0.form = $0.form.replacingOccurrences(of: "/K -1", with: "/K 0") },
      changed(ScanPDF(fax: "/EncodedByteAlign true")) { _ in },
    ])
  func seen(scan: ScanPDF) async throws {
    #expect(try await !draw(scan, Self.whole[0]).isScan)
  }

  @Test(
    "A damaged image, or another one than is said, is drawn by poppler",
    arguments: [
      changed { $0.image.removeLast($0.image.count / 2) },
      changed { $0.image.replaceSubrange(400..<410, with: [0xff, 0xd0, 0, 0, 0, 0, 0, 0, 0, 0]) },
      changed { $0.width -= 1 },
      changed { $0.height += 8 },
      ScanPDF(.patches(isGrey: true), colors: "/DeviceRGB"),
      ScanPDF(.patches(), colors: "[/ICCBased 5 0 R]"),
      changed(ScanPDF(fax: "")) { $0.image.removeLast(30) },
      changed(ScanPDF(fax: "")) {
        $0.form = $0.form.replacingOccurrences(of: "/Rows 64", with: "")
        $0.height = 80
      },
    ])
  func damaged(scan: ScanPDF) async throws {
    #expect(try await !draw(scan, Self.whole[0]).isScan)
  }

  @Test("A picture in which the image's pixels are squares is drawn by poppler")
  func enlarged() async throws {
    let request = PictureRequest(page: 0, size: .scale(9), region: Region(x: 0, y: 0, width: 10, height: 10))
    #expect(try await !draw(Self.jpeg, request).isScan)
  }

  /// Compares the picture with poppler's: no channel differs by more than two on the average, and the edges of squares lie in
  /// the same pixels.
  private func expectAlike(
    _ scan: ScanPDF, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var count = 0
    for request in Self.requests {
      let own = try await draw(scan, request)
      let poppler = try await draw(scan.drawnByPoppler, request)
      // An image that does not reach into the region is not drawn at all.
      count += own.isScan ? 1 : 0
      #expect(!poppler.isScan, sourceLocation: sourceLocation)
      #expect(own.raster.bytes.count == poppler.raster.bytes.count, sourceLocation: sourceLocation)
      let differences = zip(own.raster.bytes, poppler.raster.bytes).map { abs(Int($0) - Int($1)) }
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean <= 2, "\(request)", sourceLocation: sourceLocation)
      #expect(differences.max() ?? 0 <= 60, "\(request)", sourceLocation: sourceLocation)
    }
    #expect(count >= Self.whole.count, sourceLocation: sourceLocation)
  }

  private func draw(_ scan: ScanPDF, _ request: PictureRequest) async throws -> (raster: Raster, isScan: Bool) {
    var request = request
    request.format = .raw
    let path = bench.newPath()
    let source = try bench.source(scan.bytes, named: UUID().uuidString)
    let picture = try await bench.pool.render(source, request, into: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return (Raster(raw: bytes, width: picture.width, height: picture.height), picture.isScan)
  }
}
