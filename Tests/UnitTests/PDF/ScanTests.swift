import Foundation
import PDF
import SQLite
import TestSupport
import Testing

@Suite("Pages that are one scanned image")
struct ScanTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  private static let whole = [PictureRequest(page: 0, size: .width(50)), PictureRequest(page: 0, size: .scale(1.37))]
  /// - Parameter large: a scale at which a pixel of the image is more than one of the picture, but not yet a square.
  private static func requests(large: Double) -> [PictureRequest] {
    whole + [
      PictureRequest(page: 0, size: .scale(1.5), region: Region(x: 10.3, y: 20.6, width: 50, height: 31.4)),
      PictureRequest(page: 0, size: .scale(large), region: Region(x: 30, y: 20, width: 20.2, height: 30)),
    ]
  }
  private static let jpeg = ScanPDF(.patches())
  private static func stencil(_ parameters: String = "") -> ScanPDF {
    changed(ScanPDF(fax: parameters)) {
      $0.form = $0.form.replacingOccurrences(of: "/ColorSpace/DeviceGray", with: "/ImageMask true")
    }
  }
  private static func profiled(gamma: Double) -> ScanPDF {
    changed(ScanPDF(.patches(), colors: "[/ICCBased 6 0 R]")) {
      $0.streams = [("/N 3", SampleProfile.rgb(gamma: gamma))]
    }
  }
  private static let hidden = "BT /T 12 Tf 3 Tr 10 40 Td (hidden) Tj ET"
  private static let font = "/Font<</T<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"

  /// What each of so many equal parts is on the average.
  private static func means(_ line: [Int], _ count: Int) -> [Double] {
    let step = Double(line.count) / Double(count)
    return (0..<count).map { part in
      let (from, end) = (Double(part) * step, Double(part + 1) * step)
      return line.enumerated().reduce(0) { sum, pixel in
        sum + Double(pixel.element) * max(0, min(end, Double(pixel.offset + 1)) - max(from, Double(pixel.offset)))
      } / step
    }
  }

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

  /// Just as wide that a place too few for a row would lie behind what the allocator gave.
  @Test("A fax of any width is shown as poppler shows it, up to its right edge", arguments: [90, 98, 106, 122, 202])
  func widths(columns: Int) async throws {
    // White rows, each a bit of one, and the end of the fax.
    let rows = [UInt8](repeating: 0xFF, count: 8) + [0x00, 0x10, 0x01]
    try await expectAlike(
      Self.changed(ScanPDF(fax: "")) {
        $0.width = columns
        $0.image = rows
        $0.form = $0.form.replacingOccurrences(of: "/Columns 96", with: "/Columns \(columns)")
      })
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
        $0.content =
          "/Perceptual ri 1 w 0 J 0 G \(String(repeating: "q ", count: 63))/Span <</MCID 0>> BDC \(image) EMC"
        $0.form += "/Intent/Saturation"
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

  @Test(
    "However the file is written, its scan is shown as poppler shows it", arguments: ScanPDF.Layout.allCases)
  func written(layout: ScanPDF.Layout) async throws {
    for scan in [Self.jpeg, ScanPDF(fax: "")] {
      try await expectAlike(Self.changed(scan) { $0.layout = layout })
    }
  }

  @Test("A JPEG in a second packing, and one in the colours of a profile, are shown as poppler shows them")
  func packed() async throws {
    try await expectAlike(
      Self.changed {
        $0.form = $0.form.replacingOccurrences(of: "/Filter/DCTDecode", with: "/Filter[/FlateDecode/DCTDecode]")
        $0.image = ObjectsPDF.deflated($0.image)
      })
    try await expectAlike(Self.profiled(gamma: 2.2))
    // Here it matters that poppler converts colours before it mixes them.
    #expect(try await !draw(Self.profiled(gamma: 1), Self.whole[0]).isScan)
  }

  @Test("A large JPEG that is made very small has its edges where the image has them", arguments: [60, 120, 300])
  func small(width: Int) async throws {
    let bars = BlockJPEG.bars(columns: 250, rows: 50)
    var scan = ScanPDF(bars)
    scan.media = (100, 20)
    scan.content = "q 100 0 0 20 0 0 cm /Image Do Q"
    let request = PictureRequest(page: 0, size: .width(width))
    // Where more than 16 pixels become one, cairo looks at 16 of them.
    if width >= 120 { try await expectAlike(scan, [request]) }

    let drawn = try await draw(scan, request)
    #expect(drawn.isScan)
    let lines = try #require(bars.lines)
    var differences: [Double] = []
    let (columns, rows) = (Self.means(lines.columns, width), Self.means(lines.rows, drawn.raster.height))
    for (y, row) in rows.enumerated() {
      for (x, column) in columns.enumerated() {
        differences.append(abs(Double(drawn.raster[x, y].brightness) - (128 + row + column)))
      }
    }
    #expect(differences.reduce(0, +) / Double(differences.count) <= 1)
    // A quarter of a JPEG is not quite the mean of its squares of four pixels.
    #expect(differences.max() ?? 0 <= 12)
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
      changed {
        $0.resources = "/ExtGState<</Half<</CA .5>>>>"
        $0.content = "/Half gs \($0.content)"
      },
      changed {
        $0.resources = "/ExtGState<</Half<</BM/Multiply>>>>"
        $0.content = "/Half gs \($0.content)"
      },
      changed {
        $0.resources = "/ExtGState<</Half<</SMask<</S/Alpha>>>>>>"
        $0.content = "/Half gs \($0.content)"
      },
      changed {
        $0.resources = "/ExtGState<</Half<</TR/Identity>>>>"
        $0.content = "/Half gs \($0.content)"
      },
      changed { $0.content = "/AbsoluteColorimetric ri \($0.content)" },
      changed { $0.content += " Q" },
      changed { $0.content += " 1" },
      changed { $0.content = String(repeating: "q ", count: 64) + $0.content },
      changed { $0.form += "/Intent/AbsoluteColorimetric" },
      changed { $0.form += "/Unknown 1" },
      changed { $0.page = "/Annots[<</Type/Annot/Subtype/Square/Rect[10 10 50 50]/C[1 0 0]>>]" },
      changed {
        $0.form += "/SMask 6 0 R"
        $0.streams = [
          ("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", [100])
        ]
      },
      changed { $0.form += "/Mask[0 10 0 10 0 10]" },
      changed { $0.form += "/Decode[1 0 1 0 1 0]" },
      changed(ScanPDF(.patches(isGrey: true))) { $0.form += "/Decode[1 0]" },
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

  @Test(
    "The pages before one are counted as they are, not as it is said of them",
    arguments: [
      // As many kids as pages, but one is a node of two and one of none.
      (kids: [3, 4, 5], first: "/Kids[6 0 R 7 0 R]/Count 2", last: "/Type/Pages/Kids[]/Count 0", page: 1, shown: 7),
      // A node of one page that says it has two.
      (kids: [3, 4, 5, 8], first: "/Kids[6 0 R]/Count 2", last: "/Type/Page/Contents 10 0 R", page: 2, shown: 5),
    ])
  func counted(kids: [Int], first: String, last: String, page: Int, shown: Int) async throws {
    func content(_ page: Int) -> String { "/Contents \(page == shown ? 10 : 9) 0 R" }
    var file = ObjectsPDF()
    file.add("/Type/Catalog/Pages 2 0 R")
    file.add(
      """
      /Type/Pages/Kids[\(kids.map { "\($0) 0 R " }.joined())]/Count 3/MediaBox[0 0 100 80]\
      /Resources<</XObject<</Image 11 0 R>>>>
      """)
    file.add("/Type/Pages/Parent 2 0 R\(first)")
    file.add("/Type/Page/Parent 2 0 R\(content(4))")
    file.add("/Parent 2 0 R\(last)")
    for page in [6, 7] { file.add("/Type/Page/Parent 3 0 R\(content(page))") }
    file.add("/Type/Pages/Parent 2 0 R/Kids[]/Count 0")
    file.add("", Array("q 20 0 0 20 80 0 cm /Image Do Q".utf8))
    let fax = ScanPDF(fax: "")
    file.add("", Array(fax.content.utf8))
    file.add("/Type/XObject/Subtype/Image/Width \(fax.width)/Height \(fax.height)\(fax.form)", fax.image)
    let drawn = try await draw(file.bytes, PictureRequest(page: page, size: .width(96)))
    #expect(drawn.isScan)
    #expect(drawn.raster[24, 16].brightness < 10)
  }

  @Test("An image that lies nowhere, since numbers overflow, is left to poppler")
  func nowhere() async throws {
    let large = "10000000000000000000"
    let less = large.dropLast()
    let small = ".0000000000000000001"
    func scaled(_ scale: String) -> String { String(repeating: "\(scale) 0 0 \(scale) 0 0 cm ", count: 16) }
    for image in [Self.jpeg, ScanPDF(fax: "")] {
      let scan = Self.changed(image) {
        $0.content =
          "q \(scaled(large))1 0 0 1 \(large) \(large) cm 1 0 0 1 -\(less) -\(less) cm \(scaled(small))\($0.content) Q"
      }
      // cairo refuses the matrix, and Splash draws the page without it.
      #expect(await failure(scan) == failure(scan.drawnByPoppler))
    }
  }

  @Test(
    "A stream of objects that says of itself what lies in it leaves the page to poppler",
    arguments: ["Length", "N", "First"])
  func turning(name: String) async throws {
    let scan = Self.changed {
      $0.resources = "/ExtGState 6 0 R"
      $0.content = "/Plain gs \($0.content)"
    }
    var file = scan.file
    file.add("/Kind/None")
    #expect(try await !draw(file.packed([6], [name: "6 0 R"]), Self.whole[0]).isScan)
  }

  @Test(
    "Later generations of objects, and tables in thousands of parts, leave the page to poppler",
    arguments: [
      ("/Contents 4 0 R", "/Contents 4 1 R"), ("4 0 obj", "4 1 obj"), (" 00000 n", " 00001 n"),
      ("xref\n0", "xref\n" + String(repeating: "0 0\n", count: 3_000) + "0"),
    ])
  func doubtful(old: String, new: String) async throws {
    let file = try #require(String(bytes: Self.jpeg.bytes, encoding: .isoLatin1))
    let changed = try #require(file.replacingOccurrences(of: old, with: new).data(using: .isoLatin1))
    #expect(try await draw([UInt8](file.data(using: .isoLatin1) ?? Data()), Self.whole[0]).isScan)
    #expect(try await !draw([UInt8](changed), Self.whole[0]).isScan)
  }

  @Test("An image that could not be decoded is not tried again for another part of its page")
  func failed() async throws {
    let scan = Self.changed { $0.image.removeLast($0.image.count / 2) }
    let top = PictureRequest(page: 0, size: .scale(1.5), region: Region(x: 0, y: 0, width: 100, height: 10))
    #expect(try await draw(scan, top).isScan)
    let source = try bench.source(scan.bytes, named: UUID().uuidString)
    #expect(try await !draw(source, Self.whole[0]).isScan)
    #expect(try await !draw(source, top).isScan)
  }

  /// Compares the pictures with poppler's: no channel differs by more than two on the average, and the edges of squares
  /// lie in the same pixels.
  ///
  /// - Parameter requests: those that suit the image, if none are named. Each has to find a scan.
  private func expectAlike(
    _ scan: ScanPDF, _ requests: [PictureRequest]? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let isFax = scan.form.contains("CCITTFaxDecode")
    // A worker for each, and not for each picture.
    let sources = try [scan, scan.drawnByPoppler].map { try bench.source($0.bytes, named: UUID().uuidString) }
    for request in requests ?? Self.requests(large: isFax ? 2.4 : 4) {
      let own = try await draw(sources[0], request)
      let poppler = try await draw(sources[1], request)
      #expect(own.isScan, "\(request)", sourceLocation: sourceLocation)
      #expect(!poppler.isScan, sourceLocation: sourceLocation)
      #expect(own.raster.bytes.count == poppler.raster.bytes.count, sourceLocation: sourceLocation)
      let differences = zip(own.raster.bytes, poppler.raster.bytes).map { abs(Int($0) - Int($1)) }
      let mean = Double(differences.reduce(0, +)) / Double(differences.count)
      #expect(mean <= 2, "\(request)", sourceLocation: sourceLocation)
      #expect(differences.max() ?? 0 <= 60, "\(request)", sourceLocation: sourceLocation)
    }
  }

  /// What is said where there is no picture.
  private func failure(_ scan: ScanPDF) async -> String? {
    do {
      _ = try await draw(scan, Self.whole[1])
      return nil
    } catch {
      return "\(error)"
    }
  }

  private func draw(_ scan: ScanPDF, _ request: PictureRequest) async throws -> (raster: Raster, isScan: Bool) {
    try await draw(scan.bytes, request)
  }

  private func draw(_ file: [UInt8], _ request: PictureRequest) async throws -> (raster: Raster, isScan: Bool) {
    try await draw(bench.source(file, named: UUID().uuidString), request)
  }

  private func draw(
    _ source: DocumentSource, _ request: PictureRequest
  ) async throws -> (raster: Raster, isScan: Bool) {
    var request = request
    request.format = .raw
    let path = bench.newPath()
    let picture = try await bench.pool.render(source, request, into: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    return (Raster(raw: bytes, width: picture.width, height: picture.height), picture.isScan)
  }
}
