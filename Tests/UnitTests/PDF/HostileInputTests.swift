import Foundation
import PDF
import TestSupport
import Testing

@Suite("What a hijacked worker may say")
struct HostileInputTests {
  private static let info = DocumentInfo(
    identifier: .init(permanent: String(repeating: "ab", count: 16), update: String(repeating: "01", count: 16)),
    title: "제목", author: "Ada", isEncrypted: true, permissions: [.print], signatures: 2,
    pages: [
      PageInfo(width: 612, height: 792, rotation: 90, label: "iv"),
      PageInfo(width: 0, height: 0, isBroken: true),
    ])

  private static let text = PageText(
    page: 4, text: "a가", placement: .characters,
    boxes: [
      CharacterBox(left: 0, top: 1, right: 2, bottom: 3), CharacterBox(left: -4, top: 5, right: 6, bottom: 7),
    ], unit: 1 / 16)

  private static func bytes(_ write: (inout ByteWriter) -> Void) -> [UInt8] {
    var writer = ByteWriter()
    write(&writer)
    return writer.bytes
  }

  private func isBadReply(_ body: () throws -> Void) -> Bool {
    do {
      try body()
      return false
    } catch WorkerFailure.badReply {
      return true
    } catch {
      return false
    }
  }

  @Test("What an honest worker writes is read as it was")
  func honest() throws {
    #expect(try HostileInput.documentInfo(Self.bytes { $0.write(Self.info) }) == Self.info)
    #expect(try HostileInput.pageTexts(Self.bytes { $0.write(Self.text) }, of: 4..<5) == [Self.text])
    // Nothing follows.
    #expect(isBadReply { _ = try HostileInput.documentInfo(Self.bytes { $0.write(Self.info) } + [0]) })
    #expect(isBadReply { _ = try HostileInput.pageTexts(Self.bytes { $0.write(Self.text) } + [0], of: 4..<5) })
  }

  @Test("What is beside the pages is read as it was written, and cut off anywhere it is refused")
  func contents() throws {
    let outline = Outline(
      items: [
        .init(title: "1", depth: 0, isOpen: true, target: LinkTarget(.page, page: 3, x: 1, y: 2, zoom: 1.5)),
        .init(title: "1.1", depth: 1, isOpen: false, target: LinkTarget(.uri, text: "https://example.org")),
      ], isCut: true)
    let links = [PageLink(area: Region(x: 1, y: 2, width: 3, height: 4), target: LinkTarget(.action, text: "NextPage"))]
    var metadata = DocumentMetadata()
    metadata.title = "제목"
    metadata.created = 0
    metadata.layout = .oneColumn
    metadata.xmp = "<x/>"
    metadata.fonts = [.init(name: "Helvetica", type: "Type 1", isEmbedded: false, isSubset: true)]
    let files = EmbeddedFiles(files: [.init(name: "a", note: "b", size: 3, created: 4, page: 5)], isCut: false)
    let annotations = [
      Annotation(
        kind: .underline, index: 2, name: "n", contents: "c", author: "a", subject: "s", modified: "m",
        color: .init(red: 1, green: 2, blue: 3), isHidden: true, place: [1, 2, 3, 4], quads: [[1, 2, 3, 4, 5, 6, 7, 8]])
    ]
    let all: [([UInt8], ([UInt8]) throws -> Bool)] = [
      (Self.bytes { $0.write(outline) }, { try HostileInput.outline($0) == outline }),
      (Self.bytes { $0.write(links) }, { try HostileInput.links($0, of: 0..<1) == [links] }),
      (Self.bytes { $0.write(metadata) }, { try HostileInput.metadata($0) == metadata }),
      (Self.bytes { $0.write(files) }, { try HostileInput.embeddedFiles($0) == files }),
      (
        Self.bytes {
          $0.write(7 as UInt32)
          $0.write(annotations)
        }, { try HostileInput.annotations($0, of: 0..<1) == PageAnnotations(pageCount: 7, pages: [annotations]) }
      ),
    ]
    for (bytes, read) in all {
      #expect(try read(bytes))
      for length in 0..<bytes.count {
        #expect(isBadReply { _ = try read(Array(bytes[..<length])) })
      }
      #expect(isBadReply { _ = try read(bytes + [0]) })
    }
  }

  @Test("An outline deeper than its parents, a place that is nowhere and a kind that does not exist are refused")
  func impossibleContents() {
    let target = LinkTarget(.page, page: 0)
    let jump = Outline(items: [.init(title: "", depth: 1, isOpen: true, target: target)], isCut: false)
    let infinite = Outline(
      items: [.init(title: "", depth: 0, isOpen: true, target: LinkTarget(.page, page: 0, x: .infinity))], isCut: false)
    let pageless = Outline(items: [.init(title: "", depth: 0, isOpen: true, target: LinkTarget(.page))], isCut: false)
    for outline in [jump, infinite, pageless] {
      #expect(isBadReply { _ = try HostileInput.outline(Self.bytes { $0.write(outline) }) })
    }
    let nowhere = Annotation(kind: .ink, index: 0, place: [.nan, 0, 0, 0])
    #expect(
      isBadReply {
        let bytes = Self.bytes {
          $0.write(1 as UInt32)
          $0.write([nowhere])
        }
        _ = try HostileInput.annotations(bytes, of: 0..<1)
      })
  }

  @Test("An edit is read as it was written")
  func edits() throws {
    let edit = AnnotationEdit(
      additions: [
        .init(
          page: 1, kind: .squiggly, name: "n", contents: "c", color: .init(red: 1, green: 2, blue: 3),
          boxes: [Region(x: 1, y: 2, width: 3, height: 4)])
      ], changes: [.init(page: 1, index: 2, contents: nil, color: .init(red: 4, green: 5, blue: 6))])
    #expect(try AnnotationEdit(decoding: edit.encoded()) == edit)
    for length in 0..<edit.encoded().count {
      #expect(throws: ByteReader.Malformed.self) { try AnnotationEdit(decoding: Array(edit.encoded()[..<length])) }
    }
  }

  @Test("A table or text cut off anywhere, or with more behind it, is refused")
  func cutOff() throws {
    let table = Self.bytes { $0.write(Self.info) }
    let text = Self.bytes { $0.write(Self.text) }
    for length in 0..<table.count {
      #expect(isBadReply { _ = try HostileInput.documentInfo(Array(table[..<length])) })
    }
    for length in 0..<text.count {
      #expect(isBadReply { _ = try HostileInput.pageTexts(Array(text[..<length]), of: 4..<5) })
    }
    #expect(isBadReply { _ = try HostileInput.documentInfo(table + [0]) })
    #expect(isBadReply { _ = try HostileInput.pageTexts(text + text, of: 4..<5) })
  }

  @Test("Any byte may be any other: what is read then still keeps every promise")
  func mutations() throws {
    let table = Self.bytes { $0.write(Self.info) }
    let text = Self.bytes { $0.write(Self.text) }
    for place in 0..<max(table.count, text.count) {
      for value in [0, 1, 2, 127, 128, 192, 255] as [UInt8] {
        var bytes = table
        if place < bytes.count {
          bytes[place] = value
          if let info = try? HostileInput.documentInfo(bytes) {
            for page in info.pages {
              #expect(page.isBroken || (page.width > 0 && page.width <= 1e6 && page.height > 0 && page.height <= 1e6))
              #expect([0, 90, 180, 270].contains(page.rotation))
            }
          }
        }
        bytes = text
        if place < bytes.count {
          bytes[place] = value
          if let read = try? HostileInput.pageTexts(bytes, of: 4..<5) {
            #expect(read[0].boxes.isEmpty || read[0].boxes.count == read[0].text.unicodeScalars.count)
            #expect(!read[0].text.utf8.contains(0))
            #expect(read[0].unit.isFinite && read[0].unit > 0)
          }
        }
      }
    }
  }

  @Test("Sizes, rotations and identifiers out of range are refused", arguments: 0..<7)
  func ranges(number: Int) {
    var info = Self.info
    switch number {
    case 0: info.pages[0].width = .nan
    case 1: info.pages[0].height = .infinity
    case 2: info.pages[0].width = -1
    case 3: info.pages[0].width = 1e9
    case 4: info.pages[0].rotation = 360
    case 5: info.identifier?.update = String(repeating: "x", count: 32)
    default: info.title = String(repeating: "t", count: 5_000)
    }
    #expect(isBadReply { _ = try HostileInput.documentInfo(Self.bytes { $0.write(info) }) })
  }

  @Test(
    "Text with U+0000 or marks of direction, boxes that do not fit it, and other pages are refused", arguments: 0..<8)
  func texts(number: Int) {
    var text = Self.text
    switch number {
    case 0: text.text = "a\0"
    case 1: text.text = "a\u{202B}"
    case 2: text.boxes.removeLast()
    case 3: text.boxes[0].right = -1
    case 4: text.boxes[1].top = 100
    case 5: text.unit = .nan
    case 6: text.placement = .unknown
    default: text.page = 5
    }
    #expect(isBadReply { _ = try HostileInput.pageTexts(Self.bytes { $0.write(text) }, of: 4..<5) })
  }

  @Test("Text that is not UTF-8 is refused")
  func notUTF8() throws {
    var bytes = Self.bytes { $0.write(Self.text) }
    let letter = try #require(bytes.firstIndex(of: 0xea))
    bytes[letter + 1] = 0x20
    #expect(isBadReply { _ = try HostileInput.pageTexts(bytes, of: 4..<5) })
  }

  @Test("A count that promises more than there is takes no memory")
  func largeCount() {
    let bytes = Self.bytes { writer in
      writer.write(4 as UInt32)
      writer.write(1 as UInt8)
      writer.write(0.0625)
      writer.write("")
      writer.write(12_000_000 as UInt32)
    }
    #expect(isBadReply { _ = try HostileInput.pageTexts(bytes, of: 4..<5) })
  }

  @Test("A picture's file must be what the reply says and the request wants")
  func pictures() throws {
    let header: [UInt8] =
      [137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 100, 0, 0, 0, 50, 8, 2, 0, 0, 0]
    let request = PictureRequest(page: 0, size: .width(100))
    let picture = Picture(width: 100, height: 50, bytes: 900)
    try HostileInput.check(picture, for: request, fileSize: 900, beginning: header)
    #expect(isBadReply { try HostileInput.check(picture, for: request, fileSize: 901, beginning: header) })
    #expect(isBadReply { try HostileInput.check(picture, for: request, fileSize: 900, beginning: []) })
    let other = Picture(width: 100, height: 51, bytes: 900)
    #expect(isBadReply { try HostileInput.check(other, for: request, fileSize: 900, beginning: header) })
    let wider = PictureRequest(page: 0, size: .width(101))
    #expect(isBadReply { try HostileInput.check(picture, for: wider, fileSize: 900, beginning: header) })
    let raw = PictureRequest(page: 0, size: .width(100), format: .raw)
    #expect(isBadReply { try HostileInput.check(picture, for: raw, fileSize: 900, beginning: header) })
    let large = Picture(width: 32_000, height: 32_000, bytes: 900)
    let free = PictureRequest(page: 0, size: .scale(1))
    #expect(isBadReply { try HostileInput.check(large, for: free, fileSize: 900, beginning: header) })
  }

  @Test(
    "An answer that is none, or to another question, is refused and its worker killed",
    arguments: [
      WorkerScript.Step.sayBytes([1]), .sayBytes([9, 9, 9]), .sayBytes(Array(repeating: 0xff, count: 600)),
      .say(.drawn(Picture(width: 1, height: 1, bytes: 1))), .say(.written(bytes: 0)), WorkerScript.hello,
    ])
  func answers(step: WorkerScript.Step) async throws {
    let script = try WorkerScript([WorkerScript.hello, .hear, step])
    let bench = try PDFBench(executable: script.path)
    let source = try bench.source(SamplePDF(pages: []))
    await #expect {
      _ = try await bench.pool.inspect(source)
    } throws: { error in
      if case .badReply = error as? WorkerFailure { true } else { false }
    }
    #expect(bench.pool.status.workers.allSatisfy { $0.document == nil })
  }

  @Test("A result that is shorter than announced is refused")
  func shortResult() async throws {
    let script = try WorkerScript([
      WorkerScript.hello, .hear, .say(.opened(pageCount: 1)), .hear, .say(.written(bytes: 1_000)),
    ])
    let bench = try PDFBench(executable: script.path)
    let source = try bench.source(SamplePDF(pages: []))
    await #expect(throws: WorkerFailure.badReply("another length than announced")) {
      _ = try await bench.pool.inspect(source)
    }
  }
}
