import Client
import Foundation
import TestSupport
import Testing
import Wire

/// The marks of an exported copy: their appearance streams, and the pixels that pdftoppm (poppler-utils) renders for them.
@Suite("Documents: appearances of exported marks") struct AppearanceTests {
  /// A page rendered by pdftoppm, one pixel a point.
  private struct Rendering {
    let width: Int
    let height: Int
    private let bytes: ArraySlice<UInt8>

    init(_ path: String, page: Int) throws {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/env")
      process.arguments = ["pdftoppm", "-r", "72", "-f", "\(page + 1)", "-l", "\(page + 1)", path]
      let output = Pipe()
      process.standardOutput = output
      try process.run()
      let all = [UInt8](try output.fileHandleForReading.readToEnd() ?? Data())
      process.waitUntilExit()
      // "P6", the width, the height and 255, with white space behind each.
      let words = all.prefix(40).split(maxSplits: 4, omittingEmptySubsequences: true) { $0 == 0x20 || $0 == 0x0A }
      try #require(process.terminationStatus == 0 && words.count == 5 && words[0].elementsEqual("P6".utf8))
      width = try #require(Int(String(decoding: words[1], as: UTF8.self)))
      height = try #require(Int(String(decoding: words[2], as: UTF8.self)))
      bytes = all.suffix(3 * width * height)
      try #require(bytes.count == 3 * width * height)
    }

    func color(_ x: Int, _ y: Int) -> [Int] {
      let start = bytes.startIndex + 3 * (y * width + x)
      return bytes[start..<start + 3].map(Int.init)
    }
  }

  /// The box of each quad of a file's highlights, in pixels of an unrotated page.
  private static func boxes(_ path: String, height: Int) throws -> [(x: ClosedRange<Double>, y: ClosedRange<Double>)] {
    try forms(path).flatMap { mark, _ in
      let quads = try numbers("QuadPoints", in: mark)
      return stride(from: 0, to: quads.count - 7, by: 8).map { start in
        let x = stride(from: start, to: start + 8, by: 2).map { quads[$0] }
        let y = stride(from: start + 1, to: start + 8, by: 2).map { Double(height) - quads[$0] }
        return (x.min()!...x.max()!, y.min()!...y.max()!)
      }
    }
  }
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

  @Test("another program draws each highlight in its place and color, leaves the words dark and the rest as it was")
  func rendered() async throws {
    let bench = try await DocumentBench()
    let sample = SamplePDF(["first line here", "second line"])
    let id = try await bench.id(of: sample)
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["line here", "second line"], "color": "#ff375f"])
    let path = try await Self.export(bench, id, to: "copy.pdf")
    let original = bench.daemon.folder.file("original.pdf")
    try Data(sample.bytes).write(to: URL(filePath: original))
    let (before, after) = (try Rendering(original, page: 0), try Rendering(path, page: 0))
    try #require(before.width == after.width && before.height == after.height)
    let boxes = try Self.boxes(path, height: after.height)
    #expect(boxes.count == 2)
    var inside = Array(repeating: (white: 0, marked: 0, dark: 0, lost: 0), count: boxes.count)
    var changedOutside = 0
    for y in 0..<after.height {
      for x in 0..<after.width {
        let (old, new) = (before.color(x, y), after.color(x, y))
        let (left, top) = (Double(x), Double(y))
        if let box = boxes.firstIndex(where: {
          $0.x.contains(left) && $0.x.contains(left + 1) && $0.y.contains(top) && $0.y.contains(top + 1)
        }) {
          if old == [255, 255, 255] {
            inside[box].white += 1
            if zip(new, [255, 55, 95]).allSatisfy({ abs($0 - $1) <= 3 }) { inside[box].marked += 1 }
          } else if old.max()! < 64 {
            inside[box].dark += 1
            if new.max()! >= 64 { inside[box].lost += 1 }
          }
        } else if old != new,
          !boxes.contains(where: {
            $0.x.lowerBound - 2 < left && left < $0.x.upperBound + 1 && $0.y.lowerBound - 2 < top
              && top < $0.y.upperBound + 1
          })
        {
          changedOutside += 1
        }
      }
    }
    #expect(changedOutside == 0)
    for box in inside {
      #expect(box.white > 500 && box.marked == box.white && box.dark > 20 && box.lost == 0, "\(box)")
    }
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

  @Test("a highlight of one letter close below another line lies level, as its own line does")
  func closeLines() async throws {
    let bench = try await DocumentBench()
    let content = "BT /Latin 24 Tf 100 500 Td (M) Tj 0 -20 Td (W) Tj ET"
    let id = try await bench.id(of: SamplePDF(pages: [.init(content: content)]))
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["W"]])
    let path = try await Self.export(bench, id, to: "close.pdf")
    let quad = try Self.numbers("QuadPoints", in: try #require(try Self.forms(path).first).mark)
    #expect(quad[2] - quad[0] > 15 && abs(quad[3] - quad[1]) < 0.1 && quad[1] - quad[5] > 15, "\(quad)")
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
