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

  private static func isYellow(_ color: Raster.Color) -> Bool { color.red > 200 && color.green > 150 && color.blue < 180 }

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
    let highlight = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["marked line"]])
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
    let id = try await bench.id(of: .korean("한국어 문법"))
    for (encoding, length) in [("utf-8", 9), ("utf-16", 3), ("utf-32", 3)] {
      let client = try await bench.daemon.client(positionEncoding: encoding)
      let reply = try await client.call("documents/text", ["id": id, "page": 0, "detail": "words"])
      #expect(reply["text"].text.hasPrefix("한국어 문법"))
      #expect(reply["words"]?[0]?["length"] == json(length))
      #expect(reply["words"]?[1]?["offset"] == json(length + 1))
    }
    let quad = try await bench.client.call("documents/text", ["id": id, "page": 0, "detail": "characters"])["characters"]![0]!
    let n = quad["quad"]!.numbers
    let center: JSONValue = ["x": .number((n[0] + n[2]) / 2), "y": .number((n[1] + n[5]) / 2)]
    let word = try await bench.client.call(
      "documents/select", ["id": id, "page": 0, "from": center, "to": center, "granularity": "word"])
    #expect(word["text"] == "한국어")
    let line = try await bench.client.call("documents/toggleHighlight", ["id": id, "page": 0, "lines": ["국어 문"]])
    #expect(line["added"]?[0]?["prefix"] == "한" && line["added"]?[0]?["suffix"].text.hasPrefix("법") == true)
    await bench.stop()
  }

  @Test("of two columns one line is selected, and not what stands level with it")
  func columns() async throws {
    let bench = try await DocumentBench()
    let left = (0..<8).map { "1 0 0 1 50 \(700 - 20 * $0) Tm (left words of line \($0)) Tj" }
    let right = (0..<8).map { "1 0 0 1 330 \(700 - 20 * $0) Tm (right words of line \($0)) Tj" }
    let page = SamplePDF.Page(content: "BT /Latin 12 Tf " + (left + right).joined(separator: " ") + " ET")
    let id = try await bench.id(of: SamplePDF(pages: [page]))
    let line = try await bench.client.call(
      "documents/select",
      ["id": id, "page": 0, "from": ["x": 340, "y": 128], "to": ["x": 345, "y": 128], "granularity": "line"])
    #expect(line["text"] == "right words of line 2")
    let two = try await bench.client.call(
      "documents/toggleHighlight",
      ["id": id, "page": 0, "from": ["x": 50, "y": 128], "to": ["x": 300, "y": 148]])
    #expect(two["added"]?[0]?["lines"].list.map { $0["text"] } == ["left words of line 2", "left words of line 3"])
    await bench.stop()
  }
}
