import Client
import Foundation
import Kit
import TestSupport
import Testing
import Wire

@Suite("Documents: pictures drawn ahead and superseded") struct PictureAheadTests {
  /// The files of all pictures in the cache folder.
  private static func files(_ bench: DocumentBench) -> Set<String> {
    let folder = URL(filePath: bench.daemon.folder.file("caches/pictures")).resolvingSymlinksInPath().path
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return Set(names.filter { $0.hasSuffix(".png") }.map { "\(folder)/\($0)" })
  }

  private static func draw(_ client: Client, _ id: JSONValue, _ page: Int, _ more: JSONObject = [:]) async throws
    -> JSONValue
  {
    var params: JSONObject = ["id": id, "page": json(page), "width": 200]
    for member in more.members { params[member.key] = member.value }
    return try await client.call("documents/render", .object(params))
  }

  private static func isAmong(_ files: Set<String>, _ picture: JSONValue) -> Bool {
    files.contains(URL(filePath: picture["path"].text).resolvingSymlinksInPath().path)
  }

  /// Waits until there are so many whole pictures: a name is there before its file is whole, so all must be answered.
  private static func until(_ count: Int, _ bench: DocumentBench) async throws -> Set<String> {
    while true {
      let found = files(bench)
      let status = try await bench.client.call("session/status")
      let isBusy = status["workers"]?["running"].list.contains { $0["isBusy"] == true } ?? false
      if found.count >= count, !isBusy { return found }
      await Task.yield()
    }
  }

  @Test(
    "the next page and the previous one are drawn while the reader rests, with their marks, and found when asked for")
  func ahead() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(6))
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 3, "lines": ["page number 4"]])
    _ = try await Self.draw(bench.client, id, 2)
    let drawn = try await Self.until(3, bench)
    #expect(drawn.count == 3)
    // Others ask: the reader's own next request would end what is drawn ahead for it, and a worker is idle a moment
    // before its picture is kept.
    let others = try await (bench.daemon.client(name: "next"), bench.daemon.client(name: "previous"))
    let next = try await Self.draw(others.0, id, 3)
    #expect(Self.isAmong(drawn, next))
    #expect(Self.isAmong(drawn, try await Self.draw(others.1, id, 1)))
    let raster = try Raster(png: [UInt8](Data(contentsOf: URL(filePath: next["path"].text))))
    let isMarked = (0..<raster.height).contains { y in
      (0..<raster.width).contains { raster[$0, y].red > 200 && raster[$0, y].blue < 100 }
    }
    #expect(isMarked)
    // Another size, or without marks, is another picture.
    #expect(!Self.isAmong(drawn, try await Self.draw(bench.client, id, 3, ["width": 201])))
    #expect(!Self.isAmong(drawn, try await Self.draw(bench.client, id, 3, ["marks": false])))
    await bench.stop()
  }

  @Test("a mark that comes after a page was drawn ahead is in the picture that is asked for")
  func marksSince() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(3))
    _ = try await Self.draw(bench.client, id, 0)
    let drawn = try await Self.until(2, bench)
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 1, "lines": ["page number 2"]])
    #expect(!Self.isAmong(drawn, try await Self.draw(bench.client, id, 1)))
    await bench.stop()
  }

  @Test("a reader who turns page after page gets each of them, in whatever direction and from however many clients")
  func turning() async throws {
    let bench = try await DocumentBench()
    let other = try await bench.daemon.client(name: "other")
    let id = try await bench.id(of: .numbered(30))
    for page in Array(0..<30) + (0..<30).reversed() {
      let one = try await Self.draw(bench.client, id, page)
      let two = try await other.call("documents/render", ["id": id, "page": json(29 - page), "width": 200])
      #expect(one["width"] == 200 && two["width"] == 200)
    }
    let status = try await bench.client.call("session/status")
    #expect(status["workers"]?["crashes"] == 0 && status["workers"]?["timeouts"] == 0)
    await bench.stop()
  }

  @Test(
    "nothing is drawn ahead of a part of a page, or where config.toml says so, and without a cache each is drawn anew")
  func off() async throws {
    for (isOn, part) in [(true, true), (false, false)] {
      let bench = try await DocumentBench { settings in
        settings.configure { $0.pictures.drawsAhead = isOn }
      }
      let id = try await bench.id(of: .numbered(9))
      let region: JSONObject = part ? ["region": ["x": 0, "y": 0, "width": 100, "height": 100]] : [:]
      for page in [1, 4, 7] { _ = try await Self.draw(bench.client, id, page, region) }
      #expect(try await Self.until(3, bench).count == 3)
      await bench.stop()
    }
    let bench = try await DocumentBench { settings in
      settings.configure { $0.pictures.limit = 0 }
    }
    let id = try await bench.id(of: .numbered(3))
    let first = try await Self.draw(bench.client, id, 1)
    #expect(try await Self.draw(bench.client, id, 1)["path"] != first["path"])
    #expect(FileManager.default.isReadableFile(atPath: first["path"].text), "it was handed out and stays")
    #expect(Self.files(bench).count == 2)
    await bench.stop()
  }

  @Test(
    "of one view only the newest request is drawn: those that wait are answered superseded, and so is one that runs")
  func view() async throws {
    let bench = try await DocumentBench { settings in
      settings.workers.workers = 1
      // Its text is tried when it is added, and takes all of this.
      settings.workers.timeout = .seconds(10)
    }
    let id = try await bench.id(of: .endless)
    func ask(_ page: Int, _ width: Int, _ view: String?) -> PendingReply {
      var params: JSONObject = ["id": id, "page": json(page), "width": json(width)]
      if let view { params["view"] = .string(view) }
      return bench.client.send("documents/render", .object(params))
    }
    // Another view keeps the document's worker busy.
    let hanging = ask(0, 100, "left")
    while try await bench.client.call("session/status")["workers"]?["running"].list.first?["isBusy"] != true {
      await Task.yield()
    }
    let old = ask(1, 300, "right")
    let unseen = ask(1, 301, nil)
    let new = ask(1, 302, "right")
    await #expect { _ = try await old.value() } throws: { ($0 as? RemoteError)?.kind == "superseded" }
    // The reader has left the page that is being drawn, too.
    let left = ask(1, 303, "left")
    await #expect { _ = try await hanging.value() } throws: { ($0 as? RemoteError)?.kind == "superseded" }
    #expect(try await new.value()["width"] == 302)
    #expect(try await unseen.value()["width"] == 301)
    #expect(try await left.value()["width"] == 303)
    await bench.stop()
  }

  @Test("a folder of pictures that was removed is made again")
  func emptied() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(1))
    let first = try await Self.draw(bench.client, id, 0)
    try FileManager.default.removeItem(atPath: bench.daemon.folder.file("caches"))
    let second = try await Self.draw(bench.client, id, 0)
    #expect(second["path"] != first["path"] && second["size"] == first["size"])
    await bench.stop()
  }

  @Test("a picture that is too large is refused with the limit, whatever the page's size, before a worker is asked")
  func bounds() async throws {
    let bench = try await DocumentBench()
    let pages = [(1, 1), (14_400, 14_400), (1, 14_400), (200, 300)].map {
      SamplePDF.Page(["a"], width: $0.0, height: $0.1)
    }
    let id = try await bench.id(of: SamplePDF(pages: pages))
    for (page, size) in [
      (0, ["width": 1_000]), (0, ["scale": 0.001]), (1, ["width": 7_000]), (2, ["width": 1]), (2, ["width": 2]),
      (3, ["scale": 0.001]), (3, ["scale": 100, "region": ["x": 500_000, "y": -90, "width": 0.01, "height": 0.01]]),
    ] as [(Int, JSONObject)] {
      var params = size
      params["id"] = id
      params["page"] = json(page)
      let picture = try await bench.client.call("documents/render", .object(params))
      #expect((picture["width"]?.integerValue ?? 0) >= 1 && (picture["height"]?.integerValue ?? 0) >= 1)
    }
    for wrong in [["width": 0], ["width": 32_767], ["scale": 0], ["scale": 1_001]] as [JSONObject] {
      var params = wrong
      params["id"] = id
      params["page"] = 0
      #expect(try await bench.client.failure("documents/render", .object(params))?.code == -32_602, "\(wrong)")
    }
    await bench.stop()
    // None of these needs a worker.
    let daemon = try await DocumentBench(in: bench.daemon.folder) { $0.workers.executable = "/nonexistent" }
    for (page, size) in [
      (0, ["scale": 1_000, "region": ["x": 0, "y": 0, "width": 100, "height": 100]]), (1, ["width": 8_000]),
      (1, ["scale": 1]), (2, ["width": 1_000]), (2, ["width": 3]), (3, ["width": 30_000]), (3, ["scale": 1_000]),
    ] as [(Int, JSONObject)] {
      var params = size
      params["id"] = id
      params["page"] = json(page)
      let error = try await daemon.client.failure("documents/render", .object(params))
      #expect(error?.kind == "tooLarge", "page \(page), \(size)")
      #expect(error?.data?["mostPixels"] == 50_000_000 && error?.data?["longestSide"] == 32_766)
      #expect((error?.data?["pixels"]?.integerValue ?? 0) > 0 && error?.data?["advice"]?.text.isEmpty == false)
    }
    await daemon.stop()
  }
}
