import Client
import Foundation
import TestSupport
import Testing
import Wire

/// What other programs draw for the marks of a copy.
@Suite("Documents: appearances of exported marks") struct AppearanceTests {
  /// The file's objects that are not packed, the newest of each number.
  private static func objects(_ path: String) throws -> [String: String] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: Unicode.ASCII.self)
    var objects: [String: String] = [:]
    for match in text.matches(of: /(?s)(\d+) 0 obj(.*?)endobj/) {
      objects[String(match.output.1)] = String(match.output.2)
    }
    return objects
  }

  private static func numbers(_ name: String, in object: String) throws -> [Double] {
    let list = try #require(
      try Regex("/\(name)\\s*\\[([^\\]]*)\\]", as: (Substring, Substring).self).firstMatch(in: object))
    return list.output.1.split(separator: " ").compactMap { Double($0) }
  }

  private static func export(_ bench: DocumentBench, _ id: JSONValue, to name: String) async throws -> String {
    let path = bench.daemon.folder.file(name)
    _ = try await bench.client.call("documents/export", ["id": id, "format": "pdf", "path": .string(path)])
    return path
  }

  /// The form that draws each highlight of a file.
  private static func forms(_ path: String) throws -> [(mark: String, form: String)] {
    let objects = try objects(path)
    return try objects.values.filter { $0.contains(/\/Subtype\s*\/Highlight/) }.map { mark in
      let number = try #require(mark.firstMatch(of: /\/AP\s*<<\s*\/N (\d+) 0 R/), "\(mark)").output.1
      return (mark, try #require(objects[String(number)]))
    }
  }

  private static func expectForms(_ path: String, count: Int) throws {
    let forms = try forms(path)
    #expect(forms.count == count)
    for (mark, form) in forms {
      #expect(form.contains("/Type/XObject/Subtype/Form") && form.contains("/BM/Multiply") && !form.contains("/Group"))
      // What it is drawn in is the mark's place, so that it is neither moved nor scaled.
      let (place, box) = (try numbers("Rect", in: mark), try numbers("BBox", in: form))
      #expect(zip(place, box).allSatisfy { abs($0 - $1) < 0.01 } && box[0] < box[2] && box[1] < box[3])
      // As many areas as quads, within the place, in the mark's color.
      let quads = try numbers("QuadPoints", in: mark)
      let points = form.matches(of: /([-\d.]+) ([-\d.]+) [ml]/)
      #expect(points.count == quads.count / 2 && form.matches(of: /h f/).count == quads.count / 8)
      for point in points {
        let (x, y) = (try #require(Double(point.output.1)), try #require(Double(point.output.2)))
        #expect((box[0] - 0.01...box[2] + 0.01).contains(x) && (box[1] - 0.01...box[3] + 0.01).contains(y))
      }
      let paint = try #require(form.firstMatch(of: /([\d.]+) ([\d.]+) ([\d.]+) rg/)).output
      let color = [paint.1, paint.2, paint.3].compactMap { Double($0) }
      #expect(zip(try numbers("C", in: mark), color).allSatisfy { abs($0 - $1) < 0.01 })
    }
  }

  @Test("each highlight has a form that draws it in its place, behind the document's own bytes")
  func forms() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["first line here", "second line"], ["another page"])
    let id = try await bench.id(of: sample)
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["line here", "second line"], "color": "#ff375f"])
    // A note that spells what ends an object and a table.
    _ = try await bench.client.call(
      "documents/addHighlight",
      ["id": id, "page": 1, "lines": ["another"], "note": ">> endobj (startxref 1) %%EOF /AP << /N 1 0 R >>"])
    let path = try await Self.export(bench, id, to: "copy.pdf")
    #expect(try Data(contentsOf: URL(filePath: path)).starts(with: sample.bytes))
    let forms = try Self.forms(path)
    #expect(forms.count == 2 && forms.contains { $0.form.matches(of: /h f/).count == 2 })
    try Self.expectForms(path, count: 2)

    // The tables lead to them: nothing had to be repaired, and the marks are what they were.
    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(path)])
    #expect(copy["repaired"] != true)
    _ = try await other.client.call("documents/importMarks", ["id": copy["id"]!])
    let notes = try await other.client.call("documents/highlights", ["id": copy["id"]!]).items.compactMap { $0["note"] }
    #expect(notes == [">> endobj (startxref 1) %%EOF /AP << /N 1 0 R >>"])
    // A mark whose color has changed gets another form.
    let marks = try await other.client.call("documents/highlights", ["id": copy["id"]!]).items
    let red = try #require(marks.first { $0["color"] == "#ff375f" })
    _ = try await other.client.call("documents/updateHighlight", ["id": red["id"]!, "color": "#0000ff"])
    let changed = try await Self.export(other, copy["id"]!, to: "changed.pdf")
    #expect(try Data(contentsOf: URL(filePath: changed)).starts(with: Data(contentsOf: URL(filePath: path))))
    try Self.expectForms(changed, count: 2)
    #expect(try Self.forms(changed).contains { $0.form.contains("0.000 0.000 1.000 rg") })
    await other.stop()
    await bench.stop()
  }

  @Test("a document whose table of objects is a stream gets another one", .enabled(if: !CorpusFiles.all.isEmpty))
  func streams() async throws {
    let bench = try await DocumentBench()
    let file = try #require(CorpusFiles.file("object-streams.pdf"))
    let id = try await bench.client.call("documents/add", ["path": .string(file.path)])["id"]!
    let text = try await bench.client.call("documents/text", ["id": id, "page": 0])["text"].text
    let line = try #require(text.split(separator: "\n").first { $0.count > 5 })
    let made = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": [.string(String(line))]])
    let path = try await Self.export(bench, id, to: "copy.pdf")
    try Self.expectForms(path, count: 1)
    let copy = try await bench.client.call("documents/add", ["path": .string(path)])
    #expect(copy["repaired"] != true)
    _ = try await bench.client.call("documents/importMarks", ["id": copy["id"]!])
    let marks = try await bench.client.call("documents/highlights", ["id": copy["id"]!]).items
    #expect(marks.map { $0["lines"] } == [made["lines"]])
    await bench.stop()
  }

  @Test("an encrypted document's marks stay without one: nothing of them is written in the clear")
  func encrypted() async throws {
    let bench = try await DocumentBench()
    let data = JSONValue.string(Data(SamplePDF.locked).base64EncodedString())
    let id = try await bench.client.call("documents/add", ["data": data, "password": "open"])["id"]!
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["words"]])
    let path = try await Self.export(bench, id, to: "locked.pdf")
    #expect(try Self.objects(path).values.allSatisfy { !$0.contains("/Subtype/Form") })
    await bench.stop()
  }

  @Test(
    "the corners of a mark follow text that is turned in any way, also on a turned page, and come back the same",
    arguments: [0, 90, 180, 270])
  func turned(rotation: Int) async throws {
    let bench = try await DocumentBench()
    let content = """
      BT /Latin 24 Tf 1 0 0 1 150 500 Tm (across) Tj 0 1 -1 0 100 200 Tm (upwards) Tj 0 -1 1 0 400 600 Tm (downwards) Tj \
      -1 0 0 -1 300 250 Tm (reversed) Tj ET
      """
    let id = try await bench.id(of: SamplePDF(pages: [.init(rotation: rotation, content: content)]))
    let ways = ["across": (1.0, 0.0), "upwards": (0.0, 1.0), "downwards": (0.0, -1.0), "reversed": (-1.0, 0.0)]
    var made: [String: JSONValue] = [:]
    for word in ways.keys {
      made[word] = try await bench.client.call(
        "documents/addHighlight", ["id": id, "page": 0, "lines": [.string(word)], "note": .string(word)])
    }
    let path = try await Self.export(bench, id, to: "turned.pdf")
    try Self.expectForms(path, count: ways.count)
    for (mark, _) in try Self.forms(path) {
      let quad = try Self.numbers("QuadPoints", in: mark)
      let (x, y) = ((quad[0] + quad[6]) / 2, (quad[1] + quad[7]) / 2)
      let word = x > 350 ? "downwards" : x < 130 ? "upwards" : y > 400 ? "across" : "reversed"
      let way = try #require(ways[word])
      // In the unturned page: from the first corner to the second as the text goes, and to the third at its feet.
      let (along, below) = ((quad[2] - quad[0], quad[3] - quad[1]), (quad[4] - quad[0], quad[5] - quad[1]))
      #expect(along.0 * way.0 + along.1 * way.1 > 60, "\(word) \(quad)")
      #expect(below.0 * way.1 - below.1 * way.0 > 15 && abs(below.0 * way.0 + below.1 * way.1) < 0.1, "\(word) \(quad)")
    }
    let other = try await DocumentBench()
    let copy = try await other.client.call("documents/add", ["path": .string(path)])["id"]!
    _ = try await other.client.call("documents/importMarks", ["id": copy])
    let found = try await other.client.call("documents/highlights", ["id": copy]).items
    #expect(found.count == ways.count)
    for mark in found {
      #expect(mark["text"] == mark["note"] && mark["lines"] == made[mark["note"].text]?["lines"], "\(mark)")
    }
    await other.stop()
    await bench.stop()
  }

  @Test("a highlight of words from right to left lies the right way up")
  func rightToLeft() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .rightToLeft(["הספר הגדול הזה", "עמוד 15 של הספר"]))
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["הספר הגדול הזה"]])
    let path = try await Self.export(bench, id, to: "hebrew.pdf")
    let quad = try Self.numbers("QuadPoints", in: try #require(try Self.forms(path).first).mark)
    #expect(quad[2] > quad[0] && quad[5] < quad[1])
    await bench.stop()
  }
}
