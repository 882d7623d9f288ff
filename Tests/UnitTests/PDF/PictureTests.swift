import Foundation
import PDF
import TestSupport
import Testing

@Suite("Pictures of pages")
struct PictureTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  private static let words = ["alpha Needle omega"]

  /// The same words where the displayed page's upper left is, whatever the rotation: 530 by 600 points are shown.
  private static func page(rotated rotation: Int) -> SamplePDF.Page {
    SamplePDF.Page(words, cropBox: [50, 100, 580, 700], rotation: rotation, origin: (120, 400))
  }

  @Test("A PNG has the pixels that the raw picture has, in grey and in colour", arguments: [1, 2, 3, 10, 331])
  func encoding(width: Int) async throws {
    let colours = "1 0 0 rg 100 100 200 50 re f 0 0.4 0.9 RG 3 w 90 90 m 500 700 l S "
    let sample = SamplePDF(pages: [
      SamplePDF.Page(Self.words), SamplePDF.Page(content: colours + "BT /Latin 24 Tf 72 700 Td (Words) Tj ET"),
    ])
    let source = try bench.source(sample)
    for (page, channels) in [(0, 1), (1, 3)] {
      let png = try await bench.draw(source, PictureRequest(page: page, size: .width(width)))
      let raw = try await bench.draw(source, PictureRequest(page: page, size: .width(width), format: .raw))
      #expect(png == raw)
      #expect(png.width == width)
      // Narrow pictures have lost their thin colours.
      if width > 300 {
        #expect(png.channels == channels)
      }
    }
  }

  @Test("Nothing of a picture is seen in the next, whatever the sizes of both")
  func nextPicture() async throws {
    let dark = "0.1 0.2 0.3 rg 0 0 600 800 re f"
    let source = try bench.source(
      SamplePDF(pages: [
        SamplePDF.Page(content: dark), SamplePDF.Page(Self.words), SamplePDF.Page(height: 90, content: ""),
      ]
      ))
    let requests = [(0, 300), (1, 300), (0, 200), (2, 300), (1, 200), (0, 100), (1, 310)].map { page, width in
      PictureRequest(page: page, size: .width(width), format: .raw)
    }
    for request in requests where request.page > 0 {
      let alone = try await PDFBench().draw(source, request)
      for other in requests {
        _ = try await bench.draw(source, other)
        #expect(try await bench.draw(source, request) == alone)
      }
    }
  }

  @Test("A page too wide for deflate to look back a row is still drawn right")
  func wide() async throws {
    let source = try bench.source(
      SamplePDF(pages: [SamplePDF.Page(height: 4, content: "0 0 1 rg 0 0 300 2 re f")]))
    let png = try await bench.draw(source, PictureRequest(page: 0, size: .width(12_000)))
    let raw = try await bench.draw(source, PictureRequest(page: 0, size: .width(12_000), format: .raw))
    #expect(png == raw)
    #expect(png.channels == 3)
  }

  @Test("The ink of a word lies in its boxes, whatever the page's rotation and crop", arguments: [0, 90, 180, 270])
  func placement(rotation: Int) async throws {
    let source = try bench.source(SamplePDF(pages: [Self.page(rotated: rotation)]))
    let info = try await bench.pool.inspect(source)
    let shown = info.pages[0]
    #expect(shown.rotation == rotation)
    let isUpright = rotation % 180 == 0
    #expect(shown.width == (isUpright ? 530 : 600))
    #expect(shown.height == (isUpright ? 600 : 530))

    let text = try await bench.pool.extract(source, pages: 0..<1)[0]
    #expect(text.text.trimmingCharacters(in: .newlines) == Self.words[0])
    let picture = try await bench.draw(source, PictureRequest(page: 0, size: .scale(1)))
    let regions = (0..<18).map { text.region(at: $0) }
    var outside = 0
    for y in 0..<picture.height {
      for x in 0..<picture.width where picture[x, y].brightness < 128 {
        let isInside = regions.contains { region in
          (region.x - 1...region.x + region.width + 1).contains(Double(x))
            && (region.y - 1...region.y + region.height + 1).contains(Double(y))
        }
        if !isInside { outside += 1 }
      }
    }
    #expect(outside == 0)
    // And each letter has ink of its own in its box.
    for (index, letter) in Self.words[0].enumerated() where letter != " " {
      #expect(darkest(in: regions[index], of: picture, scale: 1) < 128, "\(letter)")
    }
  }

  @Test("A mark colours the paper and leaves the letters dark", arguments: [0, 90])
  func marks(rotation: Int) async throws {
    let source = try bench.source(SamplePDF(pages: [Self.page(rotated: rotation)]))
    let text = try await bench.pool.extract(source, pages: 0..<1)[0]
    let first = text.region(at: 6)
    let last = text.region(at: 11)
    let left = min(first.x, last.x)
    let top = min(first.y, last.y)
    let right = max(first.x + first.width, last.x + last.width)
    let bottom = max(first.y + first.height, last.y + last.height)
    let mark = PictureRequest.Mark(
      quad: [left, top, right, top, right, bottom, left, bottom], color: .init(red: 255, green: 212, blue: 0))
    let plain = try await bench.draw(source, PictureRequest(page: 0, size: .scale(1)))
    let marked = try await bench.draw(source, PictureRequest(page: 0, size: .scale(1), marks: [mark]))
    let quad = Region(x: left, y: top, width: right - left, height: bottom - top)
    #expect(darkest(in: quad, of: marked, scale: 1) <= darkest(in: quad, of: plain, scale: 1))
    var coloured = 0
    for y in 0..<plain.height {
      for x in 0..<plain.width {
        let isInside =
          (left + 1..<right - 1).contains(Double(x)) && (top + 1..<bottom - 1).contains(Double(y))
        if isInside, plain[x, y] == Raster.Color(255, 255, 255) {
          #expect(marked[x, y] == Raster.Color(255, 212, 0))
          coloured += 1
        }
        let isOutside =
          !(left - 1...right + 1).contains(Double(x)) || !(top - 1...bottom + 1).contains(Double(y))
        if isOutside {
          #expect(marked[x, y] == plain[x, y])
        }
      }
    }
    #expect(coloured > 300)
  }

  @Test("A region is the same part of the whole picture")
  func region() async throws {
    let source = try bench.source(SamplePDF(pages: [SamplePDF.Page(Self.words)]))
    let whole = try await bench.draw(source, PictureRequest(page: 0, size: .scale(2)))
    let part = try await bench.draw(
      source, PictureRequest(page: 0, size: .scale(2), region: Region(x: 70, y: 60, width: 120, height: 50)))
    #expect(part.width == 240 && part.height == 100)
    for y in 0..<part.height {
      for x in 0..<part.width {
        #expect(part[x, y] == whole[x + 140, y + 120])
      }
    }
  }

  @Test("Korean whose font is not embedded is read and drawn")
  func korean() async throws {
    let source = try bench.source(SamplePDF.korean("안녕세계"))
    let text = try await bench.pool.extract(source, pages: 0..<1)[0]
    #expect(text.text.trimmingCharacters(in: .newlines) == "안녕세계")
    #expect(text.placement == .characters)
    let picture = try await bench.draw(source, PictureRequest(page: 0, size: .scale(2)))
    for index in 0..<4 {
      #expect(darkest(in: text.region(at: index), of: picture, scale: 2) < 128)
    }
  }

  @Test("A picture that would be too large is refused with its size and the limit")
  func tooLarge() async throws {
    let source = try bench.source(SamplePDF(pages: [SamplePDF.Page(Self.words)]))
    let path = bench.newPath()
    for size in [PictureRequest.Size.width(20_000), .width(40_000), .scale(100)] {
      await #expect {
        _ = try await bench.pool.render(source, PictureRequest(page: 0, size: size), into: path)
      } throws: { error in
        guard case .pictureTooLarge(_, limit: 50_000_000) = error as? WorkerFailure else { return false }
        return !FileManager.default.fileExists(atPath: path)
      }
    }
  }

  @Test("A page that is not there is named, and leaves no file")
  func missingPage() async throws {
    let source = try bench.source(SamplePDF(pages: [SamplePDF.Page(Self.words)]))
    let path = bench.newPath()
    await #expect(throws: WorkerFailure.pageUnavailable(page: 7)) {
      _ = try await bench.pool.render(source, PictureRequest(page: 7, size: .width(100)), into: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
    await #expect(throws: WorkerFailure.pageUnavailable(page: 1)) {
      _ = try await bench.pool.extract(source, pages: 0..<2)
    }
  }

  @Test("A file that is there already is not written")
  func existingFile() async throws {
    let source = try bench.source(SamplePDF(pages: [SamplePDF.Page(Self.words)]))
    let path = bench.newPath()
    try Data("mine".utf8).write(to: URL(filePath: path))
    await #expect(throws: WorkerFailure.outputError(errno: EEXIST)) {
      _ = try await bench.pool.render(source, PictureRequest(page: 0, size: .width(100)), into: path)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
  }

  private func darkest(in region: Region, of picture: Raster, scale: Double) -> Int {
    let columns = Int(region.x * scale)..<min(picture.width, Int((region.x + region.width) * scale) + 1)
    let rows = Int(region.y * scale)..<min(picture.height, Int((region.y + region.height) * scale) + 1)
    return rows.flatMap { y in columns.map { picture[$0, y].brightness } }.min() ?? 255
  }
}
