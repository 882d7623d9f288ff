import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

/// A copy of a document with its marks as annotations.
@Suite("Documents: export as PDF") struct PDFCopyTests {
  /// A document with a highlight of two lines, one with a note, and a memo.
  private static func marked(_ bench: DocumentBench) async throws -> JSONValue {
    let id = try await bench.id(of: SamplePDF(["first line here", "second line"], ["another page"]), title: "marked")
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["line here", "second line"], "color": "#ff375f"])
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 1, "lines": ["another"], "note": "한글 (note)\nof two lines"])
    _ = try await bench.client.call("documents/setMemo", ["id": id, "page": 1, "text": "Who wrote this?"])
    return id
  }

  private static func export(_ bench: DocumentBench, _ id: JSONValue, to path: String) async throws -> JSONValue {
    try await bench.client.call("documents/export", ["id": id, "format": "pdf", "path": .string(path)])
  }

  /// The marks without what belongs to one library.
  private static func marks(_ bench: DocumentBench, _ id: JSONValue) async throws -> [JSONValue] {
    let highlights = try await bench.client.call("documents/highlights", ["id": id]).items.map { mark -> JSONValue in
      [
        "id": mark["id"]!, "page": mark["page"]!, "text": mark["text"]!, "color": mark["color"]!,
        "note": mark["note"] ?? .null, "lines": mark["lines"]!, "imported": mark["imported"] ?? .null,
      ]
    }
    let memos = try await bench.client.call("documents/memos", ["id": id]).items.map { memo -> JSONValue in
      ["id": memo["id"]!, "page": memo["page"]!, "text": memo["text"]!]
    }
    return highlights.sorted { $0["id"].text < $1["id"].text } + memos
  }

  @Test("export to PDF and import, ten libraries over: the same ids, texts, places and notes, and no doubles")
  func tenTimes() async throws {
    let first = try await DocumentBench()
    let id = try await Self.marked(first)
    let marks = try await Self.marks(first, id)
    #expect(marks.count == 3)
    var path = first.daemon.folder.file("0.pdf")
    let written = try await Self.export(first, id, to: path)
    #expect(written["added"] == 3 && written["present"] == 0 && written["unplaced"] == 0)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.starts(with: SamplePDF(["first line here", "second line"], ["another page"]).bytes))
    #expect((try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    for round in 1...10 {
      let bench = try await DocumentBench()
      let copy = try await bench.client.call("documents/add", ["path": .string(path)])["id"]!
      let report = try await bench.client.call("documents/importMarks", ["id": copy])
      #expect(report["added"] == 2 && report["memos"] == 1, "round \(round)")
      #expect(try await Self.marks(bench, copy) == marks, "round \(round)")
      #expect(try await bench.client.call("documents/importMarks", ["id": copy])["known"] == 3)
      let next = first.daemon.folder.file("\(round).pdf")
      let again = try await Self.export(bench, copy, to: next)
      // Nothing is new: the copy of the copy is the copy.
      #expect(again["added"] == 0 && again["changed"] == 0 && again["present"] == 3, "round \(round)")
      #expect(try Data(contentsOf: URL(filePath: next)) == bytes)
      path = next
      await bench.stop()
    }
    await first.stop()
  }

  @Test("the copy of a large document begins with all of its bytes")
  func large() async throws {
    let bench = try await DocumentBench()
    var sample = SamplePDF(["first line here"])
    // No two parts of it are the same.
    sample.objects = [SamplePDF.stream((0..<100_000).map(String.init).joined(separator: " "))]
    let id = try await bench.id(of: sample)
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["line here"]])
    let path = bench.daemon.folder.file("large.pdf")
    #expect(try await Self.export(bench, id, to: path)["added"] == 1)
    #expect(try Data(contentsOf: URL(filePath: path)).starts(with: sample.bytes))
    await bench.stop()
  }

  @Test("the corners of a mark are in the order of its text, which may run up or down the page")
  func corners() async throws {
    let bench = try await DocumentBench()
    let content = """
      BT /Latin 24 Tf 1 0 0 1 72 700 Tm (across) Tj 0 1 -1 0 100 200 Tm (upwards) Tj 0 -1 1 0 300 600 Tm (downwards) Tj ET
      """
    let id = try await bench.id(of: SamplePDF(pages: [.init(content: content)]), title: "turned")
    for word in ["across", "upwards", "downwards"] {
      _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": [.string(word)]])
    }
    let path = bench.daemon.folder.file("turned.pdf")
    #expect(try await Self.export(bench, id, to: path)["added"] == 3)
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
    // Each mark stands there twice: as poppler wrote it, and with its appearance.
    let quads = Set(
      text.matches(of: /\/QuadPoints\s*\[([^\]]*)\]/).map { match in
        match.output.1.split(separator: " ").compactMap { Double($0) }
      })
    #expect(quads.count == 3 && quads.allSatisfy { $0.count == 8 })
    for quad in quads {
      // From the first corner to the second as the text goes, from the first to the third as its lines follow.
      let (along, below) = ((quad[2] - quad[0], quad[3] - quad[1]), (quad[4] - quad[0], quad[5] - quad[1]))
      let isAcross = quad[1] > 650
      let isUpwards = !isAcross && quad[0] < 200
      if isAcross {
        #expect(along.0 > 50 && along.1 == 0 && below.0 == 0 && below.1 < 0, "\(quad)")
      } else if isUpwards {
        #expect(along.0 == 0 && along.1 > 50 && below.0 > 0 && below.1 == 0, "\(quad)")
      } else {
        #expect(along.0 == 0 && along.1 < -50 && below.0 < 0 && below.1 == 0, "\(quad)")
      }
    }
    await bench.stop()
  }

  @Test("in the library of the document a copy is a document of its own, whose marks come once")
  func sameLibrary() async throws {
    let bench = try await DocumentBench()
    let id = try await Self.marked(bench)
    let path = bench.daemon.folder.file("copy.pdf")
    _ = try await Self.export(bench, id, to: path)
    let copy = try await bench.client.call("documents/add", ["path": .string(path)])["id"]!
    #expect(copy != id)
    for round in 0..<10 {
      let report = try await bench.client.call("documents/importMarks", ["id": copy])
      #expect(report["added"] == (round == 0 ? 2 : 0) && report["known"] == (round == 0 ? 0 : 3))
      let next = bench.daemon.folder.file("copy-\(round).pdf")
      #expect(try await Self.export(bench, copy, to: next)["added"] == 0)
      #expect(try await bench.client.call("documents/add", ["path": .string(next)])["id"] == copy)
    }
    for document in [copy, id] { #expect(try await Self.marks(bench, document).count == 3) }
    await bench.stop()
  }

  @Test("a copy is made and proven without another process, however many pages are marked")
  func processes() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(120))
    _ = try await bench.indexed(id)
    for page in [0, 1, 40, 41, 119] {
      _ = try await bench.client.call(
        "documents/addHighlight", ["id": id, "page": json(page), "lines": [.string("page number \(page + 1)")]])
    }
    func workers() async throws -> (pids: Set<Int64>, restarts: JSONValue?) {
      let status = try await bench.client.call("session/status")["workers"]
      let pids = status?["running"].list.compactMap { $0["pid"]?.integerValue } ?? []
      return (Set(pids), status?["restarts"])
    }
    func export(_ name: String) async throws {
      let path = bench.daemon.folder.file(name)
      let written = try await Self.export(bench, id, to: path)
      #expect(written["added"] == 5 && written["unplaced"] == 0)
      #expect(written["hash"]?.stringValue == (try Blobs.hash(path: path).hash))
    }
    try await export("first.pdf")
    let before = try await workers()
    try await export("second.pdf")
    let after = try await workers()
    #expect(before.pids == after.pids && before.restarts == after.restarts && !after.pids.isEmpty)

    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(bench.daemon.folder.file("second.pdf"))])
    _ = try await other.client.call("documents/importMarks", ["id": copy["id"]!])
    #expect(try await Self.marks(other, copy["id"]!) == Self.marks(bench, id))
    await other.stop()
    await bench.stop()
  }

  @Test("a mark that was put on another page is written there, though the file has it elsewhere, and comes once")
  func placedElsewhere() async throws {
    let first = try await DocumentBench()
    let id = try await first.id(of: SamplePDF(["first line here"], ["another page"]))
    let mark = try await first.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["first"]])["id"]!
    var path = first.daemon.folder.file("copy.pdf")
    _ = try await Self.export(first, id, to: path)
    await first.stop()

    let second = try await DocumentBench()
    let copy = try await second.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await second.indexed(copy)
    _ = try await second.client.call("documents/importMarks", ["id": copy])
    _ = try await second.client.call("documents/placeHighlight", ["id": mark, "page": 1, "lines": ["another"]])
    path = second.daemon.folder.file("placed.pdf")
    let written = try await Self.export(second, copy, to: path)
    #expect(written["added"] == 1 && written["present"] == 0)
    await second.stop()

    let third = try await DocumentBench()
    let last = try await third.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await third.client.call("documents/importMarks", ["id": last])
    #expect(try await third.client.call("documents/highlights", ["id": last]).items.map { $0["id"] } == [mark])
    await third.stop()
  }

  @Test("a protected document without marks asks for its password before it is copied")
  func unmarked() async throws {
    let folder = TemporaryFolder()
    var bench = try await DocumentBench(in: folder)
    let data = JSONValue.string(Data(SamplePDF.locked).base64EncodedString())
    let id = try await bench.client.call("documents/add", ["data": data, "password": "open"])["id"]!
    await bench.stop()
    bench = try await DocumentBench(in: folder)
    let path = bench.daemon.folder.file("locked.pdf")
    let params: JSONObject = ["id": id, "format": "pdf", "path": .string(path)]
    #expect(try await bench.client.failure("documents/export", .object(params))?.kind == "passwordRequired")
    #expect(!FileManager.default.fileExists(atPath: path))
    var known = params
    known["password"] = "open"
    #expect(try await bench.client.call("documents/export", .object(known))["added"] == 0)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(SamplePDF.locked))
    await bench.stop()
  }

  @Test("what was changed here is changed in the copy, and what others wrote stays in it")
  func changed() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .annotated)
    _ = try await bench.client.call("documents/importMarks", ["id": id])
    let marks = try await bench.client.call("documents/highlights", ["id": id]).items
    let note = try #require(marks.first { $0["imported"]?["kind"] == "note" })
    _ = try await bench.client.call(
      "documents/updateHighlight", ["id": note["id"]!, "note": "Answered", "color": "#0000ff"])
    let path = bench.daemon.folder.file("changed.pdf")
    let written = try await Self.export(bench, id, to: path)
    #expect(written["added"] == 0 && written["changed"] == 1 && written["present"] == 6)
    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await other.client.call("documents/importMarks", ["id": copy])
    let copied = try await other.client.call("documents/highlights", ["id": copy]).items
    #expect(copied.count == 6)
    let answered = try #require(copied.first { $0["note"] == "Answered" })
    #expect(answered["color"] == "#0000ff" && answered["imported"]?["author"] == "Bob")
    await other.stop()
    await bench.stop()
  }

  @Test(
    "a highlight lies on its words however its page is turned and cropped", arguments: [0, 90, 180, 270], [false, true])
  func turned(rotation: Int, isCropped: Bool) async throws {
    let bench = try await DocumentBench()
    let page = SamplePDF.Page(
      ["alpha Needle omega"], cropBox: isCropped ? [50, 100, 580, 730] : nil, rotation: rotation)
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    let made = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["Needle"]])
    let path = bench.daemon.folder.file("turned.pdf")
    _ = try await Self.export(bench, id, to: path)
    let copy = try await bench.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await bench.client.call("documents/importMarks", ["id": copy])
    let found = try await bench.client.call("documents/highlights", ["id": copy]).items
    #expect(found.map { $0["text"] } == ["Needle"] && found[0]["lines"] == made["lines"])

    // As a picture: drawn by poppler from the file alone, the words are yellow, and the words beside them are not.
    let picture = try await bench.client.call(
      "documents/render", ["id": copy, "page": 0, "scale": 1, "marks": false])
    let raster = try Raster(png: [UInt8](Data(contentsOf: URL(filePath: picture["path"].text))))
    func isYellow(_ quad: [Double]) -> Bool {
      let (left, right) = (min(quad[0], quad[4]), max(quad[0], quad[4]))
      let (top, bottom) = (min(quad[1], quad[5]), max(quad[1], quad[5]))
      var yellow = 0
      var all = 0
      for y in Int(top) + 2..<Int(bottom) - 2 {
        for x in Int(left) + 2..<Int(right) - 2 where x < raster.width && y < raster.height {
          let color = raster[x, y]
          all += 1
          if color.red > 200, color.blue < 100 { yellow += 1 }
        }
      }
      return 2 * yellow > all
    }
    #expect(isYellow(made["lines"]?[0]?["quad"]?.numbers ?? []))
    let words = try await bench.client.call("documents/text", ["id": copy, "page": 0, "detail": "words"])["words"].list
    #expect(words.map { isYellow($0["quad"]?.numbers ?? []) } == [false, true, false])
    await bench.stop()
  }

  @Test("a file that forbids it, one that is signed and one that had to be repaired are not written into unasked")
  func refused() async throws {
    let bench = try await DocumentBench()
    let folder = bench.daemon.folder
    func failure(_ id: JSONValue, _ more: JSONObject = [:]) async throws -> RemoteError? {
      var params: JSONObject = ["id": id, "format": "pdf", "path": .string(folder.file("refused.pdf"))]
      for member in more.members { params[member.key] = member.value }
      return try await bench.client.failure("documents/export", .object(params))
    }
    let data = JSONValue.string(Data(SamplePDF.encrypted).base64EncodedString())
    let forbidden = try await bench.client.call("documents/add", ["data": data, "password": "pässwört"])["id"]!
    #expect(try await failure(forbidden)?.kind == "notAllowed")

    let signed = try await bench.id(of: .signed)
    _ = try await bench.client.call("documents/setMemo", ["id": signed, "page": 0, "text": "Signed"])
    let asked = try await failure(signed)
    #expect(asked?.kind == "signed" && asked?.data?["signatures"] == 1)
    #expect(try await failure(signed, ["confirm": "guess"])?.kind == "signed")
    #expect(!FileManager.default.fileExists(atPath: folder.file("refused.pdf")))
    let confirm = try #require(asked?.data?["confirm"])
    #expect(try await failure(signed, ["confirm": confirm]) == nil)
    #expect(try Data(contentsOf: URL(filePath: folder.file("refused.pdf"))).starts(with: SamplePDF.signed.bytes))
    #expect(try await failure(signed, ["confirm": confirm])?.kind == "exists")
    #expect(try await failure(signed, ["confirm": confirm, "overwrite": true]) == nil)

    // What was asked about one document is no answer about another.
    let longer = JSONValue.string(Data(SamplePDF.signed.bytes + Array("% longer\n".utf8)).base64EncodedString())
    let other = try await bench.client.call("documents/add", ["data": longer])["id"]!
    let refused = try await failure(other, ["confirm": confirm, "overwrite": true])
    #expect(refused?.kind == "signed" && refused?.data?["confirm"] != confirm)

    let whole = SamplePDF(["one"]).bytes
    let end = try #require(whole.firstRange(of: Array("startxref".utf8)))
    let cut = Data(whole[..<end.lowerBound]).base64EncodedString()
    let repaired = try await bench.client.call("documents/add", ["data": .string(cut)])
    #expect(repaired["repaired"] == true)
    #expect(try await failure(repaired["id"]!, ["overwrite": true])?.kind == "corrupt")
    #expect(try await failure("none")?.kind == "notFound")
    await bench.stop()
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".part") }
    #expect(left == [])
  }

  @Test("a protected document stays as encrypted in its copy, with the names of its marks")
  func protected() async throws {
    let bench = try await DocumentBench()
    let data = JSONValue.string(Data(SamplePDF.locked).base64EncodedString())
    let id = try await bench.client.call("documents/add", ["data": data, "password": "open", "index": true])["id"]!
    let made = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["words"], "note": "my remark"])
    #expect(try await bench.client.call("documents/importMarks", ["id": id])["added"] == 1)
    let path = bench.daemon.folder.file("locked.pdf")
    let written = try await Self.export(bench, id, to: path)
    #expect(written["added"] == 1 && written["present"] == 1)
    let bytes = try Data(contentsOf: URL(filePath: path))
    #expect(bytes.range(of: Data("my remark".utf8)) == nil && bytes.starts(with: SamplePDF.locked))
    let other = try await DocumentBench()
    #expect(try await other.client.failure("documents/add", ["path": .string(path)])?.kind == "passwordRequired")
    let copy = try await other.client.call(
      "documents/add", ["path": .string(path), "password": "open", "index": true])["id"]!
    #expect(try await other.client.call("documents/importMarks", ["id": copy])["added"] == 2)
    let found = try await other.client.call("documents/highlights", ["id": copy]).items
    let highlight = try #require(found.first { $0["id"] == made["id"] })
    #expect(highlight["text"] == "words" && highlight["note"] == "my remark" && highlight["imported"] == nil)
    let note = try #require(found.first { $0["note"] == "whispered" })
    #expect(note["imported"]?["author"] == "Ann")
    await other.stop()
    await bench.stop()
  }
}
