import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: pictures and places") struct PictureTests {
  private static func raster(_ picture: JSONValue) throws -> Raster {
    try Raster(png: [UInt8](Data(contentsOf: URL(filePath: picture["path"].text))))
  }

  /// How many pixels of a box, in points at this scale, have that color: blue is what highlights take from yellow.
  private static func share(
    of raster: Raster, in box: (left: Double, top: Double, right: Double, bottom: Double), scale: Double,
    where fits: (Raster.Color) -> Bool
  ) -> Double {
    var all = 0
    var fitting = 0
    for y in Int(box.top * scale) + 2..<Int(box.bottom * scale) - 2 {
      for x in Int(box.left * scale) + 2..<Int(box.right * scale) - 2 {
        all += 1
        if fits(raster[x, y]) { fitting += 1 }
      }
    }
    return Double(fitting) / Double(max(1, all))
  }

  private static func isYellow(_ color: Raster.Color) -> Bool {
    color.red > 200 && color.green > 150 && color.blue < 180
  }

  @Test(
    "P18 P20 what is selected is what is colored, on pages rotated and cropped, and on them the quads select it again",
    arguments: [0, 90, 180, 270])
  func geometry(rotation: Int) async throws {
    let bench = try await DocumentBench()
    let page = SamplePDF.Page(
      ["alpha", "Needle omega"], cropBox: [50, 100, 580, 700], rotation: rotation, origin: (120, 400))
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    let shown = try await bench.client.call("documents/page", ["id": id, "page": 0])
    let isTurned = rotation % 180 != 0
    #expect(shown["width"] == (isTurned ? 600 : 530) && shown["height"] == (isTurned ? 530 : 600))
    #expect(shown["rotation"] == json(rotation))
    let words = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "words"])
    let offset = words["text"].text.range(of: "Needle")!.lowerBound.utf16Offset(in: words["text"].text)
    let needle = try #require(words["words"].list.first { $0["offset"] == json(offset) }?["quad"])
    let added = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 0, "quads": [needle]])
    #expect(added["added"]?[0]?["text"] == "Needle")
    let picture = try Self.raster(try await bench.client.call("documents/render", ["id": id, "page": 0, "scale": 2]))
    let n = needle.numbers
    let box = (left: min(n[0], n[4]), top: min(n[1], n[5]), right: max(n[0], n[4]), bottom: max(n[1], n[5]))
    #expect(Self.share(of: picture, in: box, scale: 2, where: Self.isYellow) > 0.5)
    #expect(Self.share(of: picture, in: box, scale: 2) { $0.brightness < 100 } > 0.02, "the letters show through")
    let outside = (left: box.left, top: box.bottom + 40, right: box.right, bottom: box.bottom + 60)
    #expect(Self.share(of: picture, in: outside, scale: 2, where: Self.isYellow) == 0)
    let plain = try Self.raster(
      try await bench.client.call("documents/render", ["id": id, "page": 0, "scale": 2, "marks": false]))
    #expect(Self.share(of: plain, in: box, scale: 2, where: Self.isYellow) == 0)
    let center: JSONValue = ["x": .number((box.left + box.right) / 2), "y": .number((box.top + box.bottom) / 2)]
    let selected = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": center, "to": center, "granularity": "word"])
    #expect(selected["text"] == "Needle")
    let off = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "quads": [selected["lines"]![0]!["quad"]!]])
    #expect(off["added"] == [] && off["removed"].list.count == 1)
    await bench.stop()
  }

  @Test("a new color makes a new picture, the same again the same file, and inline and raw have the same pixels")
  func pictures() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(["marked line"]))
    let highlight = try await bench.client.call(
      "documents/addHighlight", ["id": id, "page": 0, "lines": ["marked line"]])
    let params: JSONObject = ["id": id, "page": 0, "width": 306]
    let first = try await bench.client.call("documents/render", .object(params))
    #expect(first["width"] == 306 && first["height"] == 396)
    #expect(try await bench.client.call("documents/render", .object(params))["path"] == first["path"])
    _ = try await bench.client.call("documents/updateHighlight", ["id": highlight["id"]!, "color": "#0000ff"])
    var inline = params
    inline["inline"] = true
    let second = try await bench.client.call("documents/render", .object(inline))
    #expect(second["path"] != first["path"])
    #expect(FileManager.default.isReadableFile(atPath: first["path"].text), "it was handed out and stays")
    let file = try Data(contentsOf: URL(filePath: second["path"].text))
    #expect(second["data"] == .string(file.base64EncodedString()))
    #expect(try Self.raster(second) != Self.raster(first))
    var raw = params
    raw["format"] = "raw"
    let mapped = try await bench.client.call("documents/render", .object(raw))
    #expect(mapped["stride"] == json(306 * 4) && mapped["path"].text.hasPrefix("/dev/shm/"))
    let pixels = [UInt8](try Data(contentsOf: URL(filePath: mapped["path"].text)))
    #expect(try Raster(raw: pixels, width: 306, height: 396) == Self.raster(second))
    // The cache folder is the user's to empty.
    unlink(second["path"].text)
    let third = try await bench.client.call("documents/render", .object(params))
    #expect(try Self.raster(third) == Raster(png: [UInt8](file)))
    let big = try await bench.client.failure("documents/render", ["id": id, "page": 0, "scale": 40])
    #expect(big?.kind == "tooLarge")
    let part = try await bench.client.call(
      "documents/render", ["id": id, "page": 0, "scale": 1, "region": ["x": 72, "y": 70, "width": 50, "height": 30]])
    #expect(part["width"] == 50 && part["height"] == 30)
    await bench.stop()
    #expect(!FileManager.default.fileExists(atPath: mapped["path"].text))
  }

  @Test("pictures stay for a minute and while their client is there; beyond 256 MiB the others go, the oldest first")
  func bounded() async throws {
    let clock = TestClock()
    let bench = try await DocumentBench(clock: clock)
    let id = try await bench.id(of: SamplePDF(["large"]))
    let leaver = try await bench.daemon.client(name: "leaver")
    func draw(_ client: Client, _ width: Int) async throws -> String {
      let picture = try await client.call(
        "documents/render", ["id": id, "page": 0, "width": json(width), "format": "raw"])
      clock.advance(milliseconds: 1)
      return picture["path"].text
    }
    func isThere(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }
    // Some 58 MiB each.
    let leased = try await draw(bench.client, 3_400)
    var left: [String] = []
    for width in 3_401...3_404 { left.append(try await draw(leaver, width)) }
    #expect(left.allSatisfy(isThere), "younger than a minute")
    clock.advance(milliseconds: 61_000)
    _ = try await draw(bench.client, 10)
    #expect(left.allSatisfy(isThere), "its client is there")
    await leaver.close()
    while try await bench.client.call("session/status")["clients"].list.count > 1 { await Task.yield() }
    _ = try await draw(bench.client, 11)
    #expect(isThere(leased))
    #expect(left.map(isThere) == [false, true, true, true])
    await bench.stop()
    #expect(!isThere(leased))
  }

  @Test("Hebrew is selected in reading order, and what is highlighted is colored where it stands")
  func rightToLeft() async throws {
    let bench = try await DocumentBench()
    // Visual order on paper: the last letter of the word is the leftmost.
    let letters = Array("שלום").map { String($0) }
    let glyphs = letters.reversed().map { letter in
      let code = String(letter.unicodeScalars.first!.value, radix: 16)
      return String(repeating: "0", count: 4 - code.count) + code
    }
    var sample = SamplePDF(pages: [.init(content: "BT /Hebrew 24 Tf 72 700 Td <\(glyphs.joined())> Tj ET")])
    let font = SamplePDF.firstOwnObject
    let mapping = """
      /CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /X def /CMapType 2 def
      1 begincodespacerange <0000> <FFFF> endcodespacerange
      1 beginbfrange <0000> <FFFF> <0000> endbfrange endcmap end end
      """
    sample.objects = [
      "<</Type/Font/Subtype/Type0/BaseFont/Nothing/Encoding/Identity-H/DescendantFonts[\(font + 1) 0 R]/ToUnicode \(font + 3) 0 R>>",
      """
      <</Type/Font/Subtype/CIDFontType2/BaseFont/Nothing/DW 600/FontDescriptor \(font + 2) 0 R\
      /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>
      """,
      "<</Type/FontDescriptor/FontName/Nothing/Flags 4/FontBBox[0 0 600 800]/ItalicAngle 0/Ascent 800/Descent 0/StemV 80>>",
      SamplePDF.stream(mapping),
    ]
    sample.resources = "/Font<</Hebrew \(font) 0 R>>"
    let id = try await bench.id(of: sample)
    let reply = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "characters"])
    #expect(reply["text"].text.hasPrefix("שלום"))
    let x = reply["characters"].list.prefix(4).map { min($0["quad"]!.numbers[0], $0["quad"]!.numbers[2]) }
    #expect(x == x.sorted(by: >), "the first letter stands rightmost")
    let n = reply["characters"]![0]!["quad"]!.numbers
    let first: JSONValue = ["x": .number((n[0] + n[2]) / 2), "y": .number((n[1] + n[5]) / 2)]
    let added = try await bench.client.call(
      "documents/toggleHighlight", ["id": id, "page": 0, "from": first, "to": first])
    #expect(added["added"]?[0]?["text"] == "ש")
    let picture = try Self.raster(try await bench.client.call("documents/render", ["id": id, "page": 0, "scale": 2]))
    let box = (left: min(n[0], n[2]), top: min(n[1], n[5]), right: max(n[0], n[2]), bottom: max(n[1], n[5]))
    #expect(Self.share(of: picture, in: box, scale: 2) { $0.blue < 180 } > 0.9)
    #expect(picture[Int(box.left * 2) - 6, Int(box.top + box.bottom)].blue > 200)
    await bench.stop()
  }

  @Test("one picture that several ask for is drawn for all of them, though one of them is cancelled")
  func sharedPicture() async throws {
    let bench = try await DocumentBench()
    let other = try await bench.daemon.client(name: "other")
    let id = try await bench.id(of: SamplePDF(["shared"]))
    for width in 200..<210 {
      let params: JSONValue = ["id": id, "page": 0, "width": json(width)]
      let one = bench.client.send("documents/render", params)
      let two = other.send("documents/render", params)
      one.cancel()
      #expect(try await two.value()["width"] == json(width))
      _ = try? await one.value()
    }
    await bench.stop()
  }

  @Test("offsets are counted as the client counts, Korean is read whole, and a run of it is one word")
  func korean() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .korean("한국어는 언어"))
    for (encoding, length) in [("utf-8", 12), ("utf-16", 4), ("utf-32", 4)] {
      let client = try await bench.daemon.client(positionEncoding: encoding)
      let reply = try await client.call("documents/text", ["id": id, "page": 0, "detail": "words"])
      // A blank as wide as a letter is a gap to poppler.
      #expect(reply["text"].text.hasPrefix("한국어는\n언어"))
      #expect(reply["words"]?[0]?["length"] == json(length))
      #expect(reply["words"]?[1]?["offset"] == json(length + 1))
    }
    let quad = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "characters"])[
      "characters"]![0]!
    let n = quad["quad"]!.numbers
    let center: JSONValue = ["x": .number((n[0] + n[2]) / 2), "y": .number((n[1] + n[5]) / 2)]
    let word = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": center, "to": center, "granularity": "word"])
    #expect(word["text"] == "한국어는")
    let line = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["국어는 언"]])
    #expect(line["added"]?[0]?["prefix"] == "한" && line["added"]?[0]?["suffix"].text.hasPrefix("어") == true)
    #expect(line["added"]?[0]?["lines"].list.map { $0["text"] } == ["국어는", "언"])
    await bench.stop()
  }

  @Test("a drag that stays in a margin selects nothing, and one that begins or ends there takes lines to their ends")
  func margins() async throws {
    let bench = try await DocumentBench()
    // Lines at 92, 122 and 152 from the top, then nothing to the end of the page.
    let id = try await bench.id(of: SamplePDF(["the first line", "the second line", "third"]))
    func select(_ from: (Double, Double), _ to: (Double, Double), _ granularity: String = "character") async throws
      -> String
    {
      func point(_ place: (Double, Double)) -> JSONValue { ["x": .number(place.0), "y": .number(place.1)] }
      var texts: Set<String> = []
      for (a, b) in [(from, to), (to, from)] {
        let reply = try await bench.client.call(
          "documents/select",
          ["id": id, "page": 0, "from": point(a), "to": point(b), "granularity": .string(granularity)])
        texts.insert(reply["text"].text)
      }
      #expect(texts.count == 1, "the way back selects the same")
      return texts.first ?? ""
    }
    for granularity in ["character", "word", "line"] {
      #expect(try await select((300, 500), (400, 700), granularity) == "", "below the text")
      #expect(try await select((10, 80), (40, 90), granularity) == "", "left of a line")
      #expect(try await select((500, 85), (560, 95), granularity) == "", "right of a line")
      #expect(try await select((50, 5), (500, 30), granularity) == "", "above the text")
    }
    #expect(try await select((30, 85), (560, 88)) == "the first line")
    #expect(try await select((30, 88), (30, 118)) == "the first line")
    #expect(try await select((5, 5), (600, 780)) == "the first line\nthe second line\nthird")
    #expect(try await select((75, 115), (300, 600), "word") == "the second line\nthird")
    // Level with a short line, far to its right: not the longer line above it.
    #expect(try await select((30, 145), (560, 147)) == "third")
    // Between two lines is still on the nearest letter.
    #expect(try await select((75, 99), (75, 99), "word") == "the")
    let nothing = try await bench.client.failure(
      "documents/toggleHighlight",
      ["id": id, "page": 0, "from": ["x": 300, "y": 500], "to": ["x": 400, "y": 700]])
    #expect(nothing?.kind == "notFound")
    await bench.stop()
  }

  @Test("of two columns one line is selected, and not what stands level with it")
  func columns() async throws {
    let bench = try await DocumentBench()
    let left = (0..<8).map { "1 0 0 1 50 \(700 - 14 * $0) Tm (left words of line \($0)) Tj" }
    let right = (0..<8).map { "1 0 0 1 330 \(700 - 14 * $0) Tm (right words of line \($0)) Tj" }
    let page = SamplePDF.Page(content: "BT /Latin 12 Tf " + (left + right).joined(separator: " ") + " ET")
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    let line = try await bench.client.call(
      "documents/select",
      ["id": id, "page": 0, "from": ["x": 340, "y": 116], "to": ["x": 345, "y": 116], "granularity": "line"])
    #expect(line["text"] == "right words of line 2")
    let two = try await bench.client.call(
      "documents/toggleHighlight",
      ["id": id, "page": 0, "from": ["x": 50, "y": 116], "to": ["x": 200, "y": 130]])
    #expect(two["added"]?[0]?["lines"].list.map { $0["text"] } == ["left words of line 2", "left words of line 3"])
    // From the gap between the columns, nearer to the right one.
    let gap = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": ["x": 320, "y": 116], "to": ["x": 600, "y": 116]])
    #expect(gap["text"] == "right words of line 2")
    await bench.stop()
  }
}
