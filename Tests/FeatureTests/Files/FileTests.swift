import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Files: photos in texts", .timeLimit(.minutes(10))) struct FileTests {
  private func add(_ bench: DocumentBench, _ data: String, name: String = "walk") async throws -> JSONValue {
    try await bench.client.call("files/add", ["data": .string(data), "name": .string(name)])
  }

  private func blobs(_ bench: DocumentBench) -> Int {
    Blobs(folder: bench.daemon.folder.file("library/blobs")).all().count
  }

  @Test("a file is stored once under the hash of its bytes, and tells its type, its size as shown, and its day")
  func added() async throws {
    let bench = try await DocumentBench()
    let photo = try await add(bench, SamplePicture.jpeg, name: "walk.jpg")
    let bytes = [UInt8](Data(base64Encoded: SamplePicture.jpeg) ?? Data())
    #expect(photo.id == .string(Blobs.hash(of: bytes)) && photo["size"] == json(bytes.count))
    #expect(photo["mediaType"] == "image/jpeg" && photo["takenOn"] == "2020-12-22")
    #expect(photo["width"] == 20 && photo["height"] == 40, "the camera was held upright")
    #expect(photo["markdown"] == .string("![walk.jpg](commonplace:/files/\(photo.id.text))") && photo["uses"] == 0)
    let again = try await add(bench, SamplePicture.jpeg, name: "other.jpg")
    #expect(again["name"] == "walk.jpg" && again["changed"] == false)
    bench.daemon.clock.advance(milliseconds: 1)
    let path = bench.daemon.folder.file("a [1].bin")
    try Data("unknown".utf8).write(to: URL(filePath: path))
    let other = try await bench.client.call("files/add", ["path": .string(path)])
    #expect(other["mediaType"] == "application/octet-stream" && other["width"] == nil)
    #expect(other["name"] == "a [1].bin" && other["markdown"]?.text.hasPrefix("![a 1.bin](") == true)
    #expect(try await bench.client.call("files/list").items.map { $0["name"] } == ["a [1].bin", "walk.jpg"])
    #expect(try await bench.client.call("search/query", ["text": "walk", "remember": false])["total"] == 1)
    let content = try await bench.client.call("files/content", ["id": photo.id, "inline": true])
    #expect(content["data"] == .string(SamplePicture.jpeg))
    #expect(FileManager.default.contents(atPath: content["path"].text) == Data(bytes))
    for params: JSONObject in [
      ["data": ""], ["path": .string(bench.daemon.folder.file("none"))], ["path": .string(bench.daemon.folder.path)],
    ] {
      #expect(try await bench.client.failure("files/add", .object(params)) != nil, "\(params)")
    }
    await bench.stop()
  }

  @Test(
    "an attached file is shown in the text, as one step of undo, in entries, notes and cards alike",
    arguments: [("diary", "text"), ("notes", "text"), ("projects", "body")])
  func attached(collection: String, field: String) async throws {
    let bench = try await DocumentBench()
    var added: JSONObject = [field: "A walk\r\n\r\nRiver\r\nHome"]
    if field == "body" { added["title"] = "Walk" }
    let item = try await bench.client.call("\(collection)/add", .object(added))
    func attach(_ more: JSONObject) async throws -> JSONValue {
      var params = more
      (params["id"], params["data"], params["name"]) = (item.id, .string(SamplePicture.png), "map.png")
      return try await bench.client.call("\(collection)/attach", .object(params))
    }
    let attached = try await attach(["after": "River"])
    let files = try await bench.client.call("files/list", ["collection": .string(collection), "id": item.id]).items
    let file = try #require(files.first)
    let embed = file["markdown"]?.text ?? ""
    #expect(files.count == 1 && file["uses"] == 1)
    #expect(attached[field] == .string("A walk\r\n\r\nRiver\r\n\(embed)\r\nHome"))
    let links = try await bench.client.call("links/to", ["collection": "files", "id": file.id])
    #expect(links.items.map(\.id) == [item.id])
    // The same bytes again are no second file.
    #expect(try await attach([:])[field]?.text.hasSuffix("Home\r\n\(embed)") == true)
    #expect(try await bench.client.call("files/list")["total"] == 1)
    _ = try await bench.client.call("changes/undo")
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("\(collection)/get", ["id": item.id])[field] == item[field])
    #expect(try await bench.client.call("files/list")["total"] == 0)
    // The bytes stay for a redo.
    _ = try await bench.client.call("changes/redo")
    #expect(
      try await bench.client.call("files/content", ["id": file.id, "inline": true])["data"]
        == .string(SamplePicture.png))
    for after in ["none of it", "R\u{0}", "e"] {
      let params: JSONObject = ["id": item.id, "data": "YQ==", "after": .string(after)]
      #expect(
        try await bench.client.failure("\(collection)/attach", .object(params))?.data?["field"] == "after", "\(after)")
    }
    #expect(try await bench.client.failure("\(collection)/attach", ["id": "none", "data": "YQ=="])?.kind == "notFound")
    await bench.stop()
  }

  @Test("undoing an addition is refused while another text shows the file, and its bytes survive every sweep")
  func inUse() async throws {
    let bench = try await DocumentBench()
    let photo = try await add(bench, SamplePicture.png)
    let other = try await bench.daemon.client(name: "other")
    let entry = try await other.call("diary/add", ["text": .string("River\n\(photo["markdown"]?.text ?? "")")])
    let refused = try await bench.client.failure("changes/undo", [:])
    #expect(refused?.kind == "conflict" && refused?.message.contains("River") == true, "\(String(describing: refused))")
    // A text that went leaves the file, until unused ones are removed.
    _ = try await other.call("diary/remove", ["id": entry.id])
    #expect(try await other.call("files/list", ["unused": true])["total"] == 1)
    #expect(try await other.call("files/removeUnused", ["dryRun": true])["count"] == 1)
    #expect(try await other.call("files/removeUnused")["removed"] == 1)
    #expect(try await other.call("files/removeUnused")["removed"] == 0)
    bench.daemon.clock.advance(milliseconds: 2 * Store.sweptAge)
    _ = try await other.call("library/check")
    #expect(blobs(bench) == 1)
    _ = try await other.call("changes/undo")
    _ = try await other.call("changes/undo")
    #expect(try await other.call("files/list", ["collection": "diary", "id": entry.id]).items.map(\.id) == [photo.id])
    #expect(try await other.call("files/removeUnused")["removed"] == 0)
    await bench.stop()
  }

  /// Red at the left of what is shown, or at the top of the photo that was turned; white elsewhere.
  private static let pictures: [(data: String, width: Int, height: Int, isTurned: Bool)] = [
    (SamplePicture.png, 256, 128, false), (SamplePicture.palette, 256, 128, false),
    (SamplePicture.gray, 256, 128, false), (SamplePicture.jpeg, 128, 256, true),
  ]

  @Test(
    "a worker draws thumbnails of photos, turned as the camera was held, with alpha on white paper", arguments: 0..<4)
  func thumbnails(number: Int) async throws {
    let sample = Self.pictures[number]
    let bench = try await DocumentBench()
    let file = try await add(bench, sample.data)
    let thumbnail = try await bench.client.call("files/thumbnail", ["id": file.id])
    #expect(thumbnail["width"] == json(sample.width) && thumbnail["height"] == json(sample.height))
    #expect(thumbnail["placeholder"] == false)
    let path = thumbnail["path"].text
    let raster = try Raster(png: [UInt8](Data(contentsOf: URL(filePath: path))))
    let (dark, light) =
      sample.isTurned
      ? (raster[64, 40], raster[64, 216]) : (raster[40, 64], raster[216, 64])
    #expect(dark.green < 140 && light.brightness > 240, "\(dark) \(light)")
    #expect(try await bench.client.call("files/thumbnail", ["id": file.id])["path"] == .string(path))
    let large = try await bench.client.call("files/thumbnail", ["id": file.id, "size": "large", "inline": true])
    #expect(max(large["width"]?.integerValue ?? 0, large["height"]?.integerValue ?? 0) == 1_024)
    #expect(large["data"] != nil)
    await bench.stop()
  }

  @Test("a file without a picture, or with a broken one, has a placeholder; a PDF shows its first page")
  func placeholders() async throws {
    let bench = try await DocumentBench()
    let png = Array(Data(base64Encoded: SamplePicture.png) ?? Data())
    let broken: [[UInt8]] = [
      Array("text".utf8), Array(png.prefix(40)), Array(png.prefix(50)) + [0xFF, 0xFF, 0xFF, 0xFF],
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 20, 0, 40, 3, 1, 2, 3], [0xFF, 0xD8, 0xFF, 0xE1, 0xFF, 0xFF],
    ]
    for bytes in broken {
      let file = try await add(bench, Data(bytes).base64EncodedString())
      let thumbnail = try await bench.client.call("files/thumbnail", ["id": file.id])
      // A worker may draw what is there of a broken picture.
      #expect(thumbnail["placeholder"] == true || thumbnail["path"] != nil, "\(bytes)")
    }
    let gif = try await add(bench, Data(Array("GIF89a".utf8) + [2, 0, 3, 0, 0, 0, 0]).base64EncodedString())
    let moving = try await bench.client.call("files/thumbnail", ["id": gif.id])
    #expect(moving["width"] == 2 && moving["height"] == 3 && moving["path"]?.text.contains("/blobs/") == true)
    let pdf = try await add(bench, SamplePDF(pages: [.init(["one"], width: 600, height: 300)]).base64)
    #expect(try await bench.client.call("files/thumbnail", ["id": pdf.id])["height"] == 128)
    #expect(try await bench.client.failure("files/thumbnail", ["id": "none"])?.kind == "notFound")
    await bench.stop()
  }

  @Test("files are part of archives and backups, and an archive whose file has another name is refused")
  func archives() async throws {
    let bench = try await DocumentBench()
    let photo = try await add(bench, SamplePicture.jpeg)
    let archive = bench.daemon.folder.file("library.tar")
    #expect(try await bench.client.call("library/export", ["path": .string(archive)])["blobs"] == 1)
    let other = try await DocumentBench()
    _ = try await other.client.call("library/import", ["path": .string(archive)])
    #expect(try await other.client.call("files/get", ["id": photo.id])["takenOn"] == "2020-12-22")
    let content = try await other.client.call("files/content", ["id": photo.id, "inline": true])
    #expect(content["data"] == .string(SamplePicture.jpeg))
    await bench.stop()
    await other.stop()
  }
}
