import Foundation
import PDF
import TestSupport
import Testing

@Suite("What lies in a document beside its pages")
struct ContentsTests {
  private let bench: PDFBench

  init() throws {
    bench = try PDFBench()
  }

  @Test("An outline is listed in its order, with names resolved, and what is missing said to be broken")
  func outline() async throws {
    let outline = try await bench.pool.outline(try bench.source(.described))
    #expect(!outline.isCut)
    #expect(outline.items.map(\.title) == ["One", "Outside", "Named", "Missing"])
    #expect(outline.items.map(\.depth) == [0, 1, 0, 0])
    #expect(outline.items.map(\.isOpen) == [true, false, false, false])
    #expect(outline.items[0].target == LinkTarget(.page, page: 0, x: 72, y: 700, zoom: 2))
    #expect(outline.items[1].target == LinkTarget(.uri, text: "https://example.org/a?b=1"))
    // From the corner of the crop box, which lies at 50, 100.
    #expect(outline.items[2].target == LinkTarget(.page, page: 1, y: 400))
    #expect(outline.items[3].target == LinkTarget(.broken, text: "missing"))
    #expect(
      try await bench.pool.outline(try bench.source(SamplePDF(pages: [.init(["one"])]), named: "none")).items == [])
  }

  @Test("An outline that is a hundred thousand deep is cut at its bound, and one that goes round ends")
  func deepOutline() async throws {
    let depth = 100_000
    var deep = SamplePDF(pages: [.init(["deep"])])
    deep.objects = (0..<depth).map { level in
      let child = level + 1 < depth ? "/First \(21 + level) 0 R/Last \(21 + level) 0 R" : ""
      return "<</Title(\(level))/Parent \(19 + level) 0 R\(child)/Count 1>>"
    }
    deep.catalog = "/Outlines 20 0 R"
    let outline = try await bench.pool.outline(try bench.source(deep, named: "deep"))
    #expect(outline.isCut)
    #expect(outline.items.map(\.depth) == Array(0..<HostileInput.deepestOutline))

    var round = SamplePDF(pages: [.init(["round"])])
    round.objects = [
      "<</Type/Outlines/First 21 0 R/Last 22 0 R/Count 2>>",
      "<</Title(a)/Parent 20 0 R/Next 22 0 R/First 21 0 R/Last 21 0 R>>",
      "<</Title(b)/Parent 20 0 R/Prev 21 0 R/Next 21 0 R>>",
    ]
    round.catalog = "/Outlines 20 0 R"
    let circle = try await bench.pool.outline(try bench.source(round, named: "round"))
    #expect(circle.items.count <= HostileInput.mostOutlineItems)
    #expect(circle.items.first?.title == "a")
  }

  @Test("Links lie where they are displayed and lead where they say")
  func links() async throws {
    let links = try await bench.pool.links(try bench.source(.described), pages: 0..<2)
    #expect(links.map(\.count) == [2, 0])
    let inside = try #require(links[0].first { $0.target.kind == .page })
    #expect(inside.area == Region(x: 72, y: 172, width: 128, height: 20))
    #expect(inside.target == LinkTarget(.page, page: 1, x: 50, y: 500))
    let outside = try #require(links[0].first { $0.target.kind == .uri })
    #expect(outside.target.text == "https://example.org/out")
  }

  @Test("Everything that a document says of itself is told")
  func metadata() async throws {
    let said = try await bench.pool.metadata(try bench.source(.described))
    #expect(said.title == "Described" && said.author == "Ada" && said.subject == "A subject")
    #expect(said.keywords == "one, two" && said.creator == "A hand" && said.producer == "Another")
    #expect(said.created == 1_795_257_900 && said.modified == 1_795_257_900)
    #expect(said.version == "PDF-1.4")
    #expect(said.layout == .twoColumnLeft && said.mode == .outlines)
    #expect(said.xmp?.contains("x:xmpmeta") == true)
    #expect(!said.isLinearized && !said.isTagged && !said.hasScripts && !said.isEncrypted)
    #expect(said.permissions == .all && said.signatures == 0 && said.attachments == 0)
    #expect(said.fonts.map(\.name) == ["Helvetica", "HYSMyeongJo-Medium"])
    #expect(said.fonts.map(\.isEmbedded) == [false, false])
    let signed = try await bench.pool.metadata(try bench.source(.signed, named: "signed"))
    #expect(signed.signatures == 1)
  }

  @Test("Files within a document are listed with the names that they claim, and written byte for byte")
  func embeddedFiles() async throws {
    let source = try bench.source(.carrying)
    let files = try await bench.pool.embeddedFiles(source)
    #expect(files.files.map(\.name) == ["../../evil.sh", "pinned.txt"])
    #expect(files.files.map(\.page) == [nil, 1])
    #expect(files.files.map(\.note) == ["Figures", nil] && files.files[0].size == 5)
    for (index, content) in ["hello", "pinned bytes"].enumerated() {
      let path = bench.newPath()
      #expect(try await bench.pool.save(embeddedFile: index, of: source, into: path) == content.utf8.count)
      #expect(try String(contentsOfFile: path, encoding: .utf8) == content)
    }
    let path = bench.newPath()
    await #expect(throws: WorkerFailure.self) {
      _ = try await bench.pool.save(embeddedFile: 2, of: source, into: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("Of more than a thousand files within a document the first thousand are listed, and that there are more")
  func mostEmbeddedFiles() async throws {
    for (count, isCut) in [(HostileInput.mostEmbeddedFiles - 2, false), (HostileInput.mostEmbeddedFiles + 2, true)] {
      var sample = SamplePDF.carrying
      let names = (0..<count).map { "(\($0)) 20 0 R" }.joined(separator: " ")
      sample.catalog = "/Names<</EmbeddedFiles<</Names[\(names)]>>>>"
      let files = try await bench.pool.embeddedFiles(bench.source(sample, named: "\(count)"))
      // Of those that are all listed, one is pinned to a page.
      #expect(files.files.count == (isCut ? HostileInput.mostEmbeddedFiles : count + 1), "\(count)")
      #expect(files.isCut == isCut && files.files.last?.page == (isCut ? nil : 1), "\(count)")
    }
  }

  @Test("Annotations come with all that they say, in the file's order")
  func annotations() async throws {
    let found = try await bench.pool.annotations(try bench.source(.annotated), pages: 0..<1)
    #expect(found.pageCount == 1)
    let annotations = try #require(found.pages.first)
    #expect(
      annotations.map(\.kind) == [.highlight, .highlight, .highlight, .underline, .text, .ink, .text, .link])
    #expect(annotations[0].name == "a-1" && annotations[0].author == "Ann")
    #expect(annotations[0].contents == "What is\rthis?" && annotations[0].modified == "D:20261121104500Z")
    #expect(annotations[0].color == .init(red: 255, green: 0, blue: 0))
    #expect(annotations[0].quads == [[70, 722, 260, 722, 70, 694, 260, 694]])
    #expect(annotations[4].subject == "Remark" && annotations[4].place == [500, 700, 520, 720])
    #expect(annotations.map(\.isHidden) == [false, false, false, false, false, false, true, false])
  }

  private static let edit = AnnotationEdit(
    additions: [
      .init(
        page: 0, kind: .highlight, name: "commonplace:highlights/a", contents: "한글 (note)",
        color: .init(red: 255, green: 214, blue: 10), boxes: [Region(x: 72, y: 70, width: 100, height: 24)]),
      .init(
        page: 0, kind: .note, name: "commonplace:memos/b", contents: "memo",
        color: .init(red: 255, green: 214, blue: 10), boxes: [Region(x: 580, y: 8, width: 20, height: 20)]),
    ], changes: [.init(page: 0, index: 0, contents: "Changed", color: .init(red: 0, green: 0, blue: 255))])

  @Test("A copy begins with the document, and has new annotations under their names beside the changed one")
  func copy() async throws {
    let original = SamplePDF.annotated.bytes
    let source = try bench.source(.annotated)
    let path = bench.newPath()
    let size = try await bench.pool.copy(source, adding: Self.edit, into: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.count == size && bytes.starts(with: original) && size > original.count)
    let again = try await bench.pool.annotations(DocumentSource(key: "copy", path: path), pages: 0..<1)
    let annotations = try #require(again.pages.first)
    #expect(annotations.count == 10)
    #expect(annotations[0].contents == "Changed" && annotations[0].author == "Ann" && annotations[0].name == "a-1")
    #expect(annotations[0].color == .init(red: 0, green: 0, blue: 255))
    let added = annotations.filter { $0.name?.hasPrefix("commonplace:") == true }
    #expect(added.map(\.name) == ["commonplace:highlights/a", "commonplace:memos/b"])
    #expect(added.map(\.author) == [nil, nil] && added.map(\.contents) == ["한글 (note)", "memo"])
    #expect(added[0].quads == [[72, 722, 172, 722, 72, 698, 172, 698]] && added[0].kind == .highlight)
    #expect(added[1].place == [580, 764, 600, 784] && added[1].kind == .text)
    // The worker that wrote it has not changed its own document.
    #expect(try await bench.pool.annotations(source, pages: 0..<1).pages[0].count == 8)
  }

  @Test("A copy is looked into by the worker that has its document, as a file of its own, and no other is started")
  func copyRead() async throws {
    let source = try bench.source(.annotated)
    let path = bench.newPath()
    _ = try await bench.pool.copy(source, adding: Self.edit, into: path)
    try await bench.until { $0.spares == 1 }
    let before = bench.pool.status
    let found = try await bench.pool.annotations(inCopy: path, of: source, pages: 0..<1)
    #expect(found.pageCount == 1)
    #expect(
      found.pages[0].compactMap(\.name).suffix(2) == ["commonplace:highlights/a", "commonplace:memos/b"])
    #expect(found.pages[0][0].contents == "Changed")
    #expect(try await bench.pool.annotations(source, pages: 0..<1).pages[0].count == 8)
    let after = bench.pool.status
    #expect(after.workers.map(\.pid) == before.workers.map(\.pid) && after.restarts == before.restarts)

    // What is not there, or is no PDF, is said to be so, and the document goes on.
    await #expect(throws: WorkerFailure.unreadable(errno: ENOENT)) {
      _ = try await bench.pool.annotations(inCopy: bench.newPath(), of: source, pages: 0..<1)
    }
    let other = try bench.source(Array("no PDF".utf8), named: "other")
    await #expect(throws: WorkerFailure.notPDF) {
      _ = try await bench.pool.annotations(inCopy: other.path, of: source, pages: 0..<1)
    }
    #expect(try await bench.pool.annotations(source, pages: 0..<1).pages[0].count == 8)
    // The same copy again, and once more after it was written anew: nothing is remembered of it.
    let second = AnnotationEdit(additions: [Self.edit.additions[1]])
    unlink(path)
    _ = try await bench.pool.copy(source, adding: second, into: path)
    let again = try await bench.pool.annotations(inCopy: path, of: source, pages: 0..<1)
    #expect(again.pages[0].compactMap(\.name).suffix(1) == ["commonplace:memos/b"] && again.pages[0].count == 9)
  }

  @Test("A copy of a document of megabytes begins with all of them, and its table leads to what was added")
  func longCopy() async throws {
    var sample = SamplePDF.carrying
    sample.objects[1] = SamplePDF.stream(String(repeating: "figures\n", count: 300_000), "/Type/EmbeddedFile")
    let source = try bench.source(sample, named: "long")
    let path = bench.newPath()
    let edit = AnnotationEdit(additions: Self.edit.additions)
    let size = try await bench.pool.copy(source, adding: edit, into: path)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    #expect(bytes.count == size && bytes.starts(with: sample.bytes))
    #expect((1...20_000).contains(size - sample.bytes.count))
    let copy = DocumentSource(key: "copy", path: path)
    let found = try await bench.pool.annotations(copy, pages: 0..<1)
    #expect(
      found.pages[0].compactMap(\.name).suffix(2) == ["commonplace:highlights/a", "commonplace:memos/b"])
    // A copy of the copy rests on both tables.
    let next = bench.newPath()
    let third = AnnotationEdit.Addition(
      page: 0, kind: .note, name: "commonplace:memos/c", contents: nil, color: .init(red: 0, green: 0, blue: 0),
      boxes: [Region(x: 10, y: 10, width: 20, height: 20)])
    _ = try await bench.pool.copy(copy, adding: AnnotationEdit(additions: [third]), into: next)
    #expect(try Data(contentsOf: URL(filePath: next)).starts(with: bytes))
    let names = try await bench.pool.annotations(inCopy: next, of: copy, pages: 0..<1).pages[0].compactMap(\.name)
    #expect(names.filter { $0.hasPrefix("commonplace:") }.count == 3)
  }

  @Test("A document behind rubbish has no copy, since poppler would leave the rubbish out")
  func shifted() async throws {
    let source = try bench.source(Array("rubbish\n".utf8) + SamplePDF.annotated.bytes, named: "shifted")
    let path = bench.newPath()
    await #expect(throws: WorkerFailure.corrupt(reason: "shifted")) {
      _ = try await bench.pool.copy(source, adding: Self.edit, into: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A kind of annotation is told by the name of its case")
  func kindNames() {
    #expect(Annotation.Kind.allCases.map(\.name) == Annotation.Kind.allCases.map { "\($0)" })
    #expect(Annotation.Kind.allCases.map { Int($0.rawValue) } == Array(Annotation.Kind.allCases.indices))
  }

  @Test("Where there is no room for the whole copy, the copy fails, though poppler says that it saved it")
  func fullDisk() async throws {
    let source = try bench.source(.annotated)
    _ = try await bench.pool.annotations(source, pages: 0..<1)
    let worker = try #require(bench.pool.status.workers.first { $0.document != nil })
    let limit = try Process.run(
      URL(filePath: "/usr/bin/prlimit"), arguments: ["--pid", String(worker.pid), "--fsize=1024:1024"])
    limit.waitUntilExit()
    try #require(limit.terminationStatus == 0)
    let path = bench.newPath()
    await #expect(throws: WorkerFailure.outputError(errno: EFBIG)) {
      _ = try await bench.pool.copy(source, adding: Self.edit, into: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test("A document without the permission is not written into")
  func forbidden() async throws {
    let source = try bench.source(SamplePDF.encrypted, named: "encrypted", password: "pässwört")
    let path = bench.newPath()
    await #expect(throws: WorkerFailure.self) {
      _ = try await bench.pool.copy(source, adding: Self.edit, into: path)
    }
    #expect(!FileManager.default.fileExists(atPath: path))
  }
}
