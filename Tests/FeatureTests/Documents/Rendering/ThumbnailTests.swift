import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Documents: thumbnails", .timeLimit(.minutes(10))) struct ThumbnailTests {
  /// The files of all thumbnails in the cache folder.
  private static func files(_ bench: DocumentBench) -> [String] {
    let folder = bench.daemon.folder.file("caches/thumbnails")
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return names.filter { $0.hasSuffix(".png") }.map { "\(folder)/\($0)" }
  }

  private static func show(_ bench: DocumentBench, _ id: JSONValue, _ more: JSONObject = [:]) async throws -> JSONValue
  {
    var params: JSONObject = ["id": id]
    for member in more.members { params[member.key] = member.value }
    return try await bench.client.call("documents/thumbnail", .object(params))
  }

  @Test("a thumbnail is a PNG of the first page, drawn once, found by the next daemon, and drawn again when missing")
  func picture() async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: SamplePDF(pages: [.init(["one"], width: 600, height: 300), .init(["two"])]))
    let picture = try await Self.show(bench, id)
    #expect(picture["width"] == 256 && picture["height"] == 128 && picture["data"] == nil)
    let path = picture["path"].text
    let raster = try Raster(png: [UInt8](Data(contentsOf: URL(filePath: path))))
    #expect(raster.width == 256 && raster.height == 128)
    #expect(picture["size"] == json(try Data(contentsOf: URL(filePath: path)).count))
    let inline = try await Self.show(bench, id, ["inline": true])
    #expect(Data(base64Encoded: inline["data"].text) == FileManager.default.contents(atPath: path))
    try FileManager.default.removeItem(atPath: path)
    #expect(try await Self.show(bench, id)["path"] == .string(path))
    #expect(FileManager.default.fileExists(atPath: path))
    try FileManager.default.removeItem(atPath: bench.daemon.folder.file("caches/thumbnails"))
    #expect(try await Self.show(bench, id)["path"] == .string(path))
    await bench.stop()

    let written = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
    let again = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await Self.show(again, id)["path"] == .string(path))
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == written)
    _ = try await again.client.call("documents/remove", ["id": id])
    while FileManager.default.fileExists(atPath: path) { await Task.yield() }
    await again.stop()
  }

  @Test("it is drawn with the first index, of a short document and of a long one", arguments: [1, 30])
  func ahead(pages: Int) async throws {
    let bench = try await DocumentBench()
    let id = try await bench.id(of: .numbered(pages))
    while Self.files(bench).isEmpty { await Task.yield() }
    let path = try await Self.show(bench, id)["path"].text
    #expect(Self.files(bench).map { ($0 as NSString).lastPathComponent } == [(path as NSString).lastPathComponent])
    await bench.stop()
  }

  @Test("those of files and folders are there with the report")
  func ofFolder() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for number in 1...5 { try folder.write("\(number).pdf", .numbered(20, salt: "\(number) ")) }
    _ = try await bench.client.call("documents/addFiles", ["paths": [.string(folder.path)]])
    #expect(Self.files(bench).count == 5)
    await bench.stop()
  }

  @Test("that of a protected document lies in no cache folder and wants the password")
  func protected() async throws {
    let bench = try await DocumentBench()
    let data = Data(SamplePDF.encrypted).base64EncodedString()
    let id = try await bench.client.call("documents/add", ["data": .string(data), "password": "pässwört"]).id
    let picture = try await Self.show(bench, id)
    #expect(picture["path"].text.hasPrefix("/dev/shm/"))
    #expect(Self.files(bench) == [])
    await bench.stop()
    let again = try await DocumentBench(in: bench.daemon.folder)
    #expect(try await again.client.failure("documents/thumbnail", ["id": id])?.kind == "passwordRequired")
    #expect(try await again.client.failure("documents/thumbnail", ["id": "nowhere"])?.kind == "notFound")
    await again.stop()
  }

  @Test("the first thumbnails of a daemon, requested at once, are all drawn")
  func concurrentFirst() async throws {
    let bench = try await DocumentBench()
    var ids: [JSONValue] = []
    for number in 1...12 { ids.append(try await bench.id(of: SamplePDF(["number \(number)"]))) }
    for id in ids { _ = try await Self.show(bench, id) }
    let files = Self.files(bench)
    let folder = try #require(files.first.map { ($0 as NSString).deletingLastPathComponent })
    await bench.stop()
    for file in files { try FileManager.default.removeItem(atPath: file) }
    // The folder takes long to read.
    for number in 1...4_000 { try Data().write(to: URL(filePath: "\(folder)/other-\(number)")) }
    let again = try await DocumentBench(in: bench.daemon.folder)
    try await withThrowingTaskGroup { group in
      for id in ids { group.addTask { try await Self.show(again, id)["path"].text } }
      for try await path in group { #expect(FileManager.default.fileExists(atPath: path)) }
    }
    await again.stop()
  }
}
