import Client
import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@Suite("Documents: linked files") struct LinkedDocumentTests {
  private static let sample = SamplePDF(["The reading club", "meets on Fridays"], ["Second page"])
  private static let second = SamplePDF(["A new beginning"], ["The reading club", "meets on Mondays"])

  /// A daemon, and a folder of the reader's own beside its library.
  private struct Bench {
    let bench: DocumentBench
    let folder: FileFolder

    init(in place: TemporaryFolder = TemporaryFolder()) async throws {
      bench = try await DocumentBench(in: place)
      folder = try FileFolder("papers", in: place)
    }

    var client: Client { bench.client }

    @discardableResult
    func link(_ name: String, id: String = "d") async throws -> JSONValue {
      try await client.call("documents/add", ["id": .string(id), "path": .string(folder.file(name)), "link": true])
    }

    func get(_ id: String = "d") async throws -> JSONValue {
      try await client.call("documents/get", ["id": .string(id)])
    }

    func render(_ page: Int = 0) async throws -> RemoteError? {
      do {
        _ = try await client.call(
          "documents/render", ["id": "d", "page": json(page), "scale": .number(0.5 + Double(page))])
        return nil
      } catch let error as RemoteError {
        return error
      }
    }

    /// The files in the library's folder of blobs.
    var blobs: [String] {
      let folder = bench.daemon.folder.file("library/blobs")
      let all = (FileManager.default.enumerator(atPath: folder)?.allObjects as? [String]) ?? []
      return all.filter { $0.count > 40 }
    }

    func metadata(_ name: String) throws -> [String] {
      var information = stat()
      #expect(stat(folder.file(name), &information) == 0)
      return [
        "\(information.st_ino)", "\(information.st_mode)", "\(information.st_mtim)", "\(information.st_ctim)",
      ]
    }
  }

  @Test("its bytes stay in the reader's file, which is read and marked as any other document, and never written")
  func stays() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    let path = bench.folder.file("club.pdf")
    let before = try bench.metadata("club.pdf")
    let added = try await bench.link("club.pdf")
    #expect(added["linked"] == .string(path) && added["title"] == "club" && added["pageCount"] == 2)
    #expect(bench.blobs.isEmpty, "\(bench.blobs)")
    let document = try await bench.bench.indexed("d")
    #expect(document["state"] == "ready" && document["file"] == .string(path))
    #expect(try await bench.render() == nil)
    _ = try await bench.client.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    #expect(try await bench.client.call("search/query", ["text": "Fridays"]).description.contains("\"d\""))
    let copy = bench.folder.file("marked.pdf")
    let exported = try await bench.client.call(
      "documents/export", ["id": "d", "format": "pdf", "path": .string(copy)])
    #expect(exported["added"] == 1, "\(exported)")
    // Nothing of it is swept, and nothing of it is damage.
    let checked = try await bench.client.call("library/check", ["repair": true])
    #expect(checked["findings"] == [], "\(checked)")
    #expect(try await bench.get()["state"] == "ready")
    _ = try await bench.client.call("documents/remove", ["id": "d"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get()["linked"] == .string(path))
    #expect(try await bench.render(1) == nil)
    #expect(try bench.metadata("club.pdf") == before)
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(Self.sample.bytes))
    await bench.bench.stop()
  }

  @Test("renamed, or moved into a folder beside it, it is found again by its bytes, and reported at its new place")
  func moved() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    try bench.folder.write("other.pdf", Self.second)
    try await bench.link("club.pdf")
    try bench.folder.move("club.pdf", to: "Reading Club (2019).pdf")
    #expect(try await bench.render() == nil)
    #expect(try await bench.get()["linked"] == .string(bench.folder.file("Reading Club (2019).pdf")))
    // A copy on another file system is another inode.
    try bench.folder.write("sub/deep/club.pdf", Self.sample)
    try bench.folder.remove("Reading Club (2019).pdf")
    #expect(try await bench.render(1) == nil)
    #expect(try await bench.get()["linked"] == .string(bench.folder.file("sub/deep/club.pdf")))
    #expect(try await bench.get()["state"] == "ready")
    await bench.bench.stop()
  }

  @Test("gone, it is `missing`, keeps its text and marks, and is whole again when it is back or linked anew")
  func missing() async throws {
    let bench = try await Bench()
    let away = try FileFolder("elsewhere", in: bench.bench.daemon.folder)
    try bench.folder.write("club.pdf", Self.sample)
    try await bench.link("club.pdf")
    _ = try await bench.bench.indexed("d")
    _ = try await bench.client.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    try FileManager.default.moveItem(atPath: bench.folder.file("club.pdf"), toPath: away.file("club.pdf"))
    let error = try #require(try await bench.render())
    #expect(error.kind == "noFile" && error.message.contains(bench.folder.file("club.pdf")), "\(error)")
    let document = try await bench.get()
    #expect(document["state"] == "missing" && document["highlightCount"] == 1)
    #expect(document["linked"] == .string(bench.folder.file("club.pdf")))
    #expect(try await bench.client.call("documents/text", ["id": "d", "page": 0])["text"].text.contains("Fridays"))
    #expect(try await bench.client.call("search/query", ["text": "Fridays"]).description.contains("\"d\""))
    // Back at its place.
    try FileManager.default.moveItem(atPath: away.file("club.pdf"), toPath: bench.folder.file("club.pdf"))
    #expect(try await bench.render() == nil)
    #expect(try await bench.get()["state"] == "ready")
    // At another place, which is given: by the document, or by adding it there.
    try FileManager.default.moveItem(atPath: bench.folder.file("club.pdf"), toPath: away.file("a.pdf"))
    #expect(try await bench.render(1)?.kind == "noFile")
    let path = JSONValue.string(away.file("a.pdf"))
    let refreshed = try await bench.client.call("documents/refresh", ["id": "d", "path": path])
    #expect(refreshed["refreshed"] == false)
    #expect(try await bench.get()["linked"] == path)
    #expect(try await bench.render(1) == nil)
    try FileManager.default.moveItem(atPath: away.file("a.pdf"), toPath: bench.folder.file("b.pdf"))
    let again = try await bench.client.call(
      "documents/addFiles", ["paths": [.string(bench.folder.path)], "link": true])
    #expect(again["existing"] == 1 && again["added"] == 0)
    let found = try await bench.get()
    #expect(found["linked"] == .string(bench.folder.file("b.pdf")) && found["state"] == "ready")
    #expect(bench.blobs.isEmpty)
    await bench.bench.stop()
  }

  @Test("a file with other bytes is not read: it is `changed` until a refresh takes it in and moves the marks")
  func changed() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    let hash = try await bench.link("club.pdf")["hash"]
    _ = try await bench.bench.indexed("d")
    _ = try await bench.client.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    // Written in place, as by a viewer that stores its own marks.
    let file = try FileHandle(forUpdating: URL(filePath: bench.folder.file("club.pdf")))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(Self.second.bytes))
    try file.close()
    #expect(try await bench.render()?.kind == "noFile")
    #expect(try await bench.get()["state"] == "changed")
    let failure = try await bench.client.failure(
      "documents/export", ["id": "d", "format": "pdf", "path": .string(bench.folder.file("copy.pdf"))])
    #expect(failure?.kind == "noFile" && failure?.message.contains("documents/refresh") == true, "\(failure as Any)")
    let refreshed = try await bench.client.call("documents/refresh", ["id": "d"])
    #expect(refreshed["refreshed"] == true && refreshed["counts"]?["moved"] == 1, "\(refreshed)")
    let document = try await bench.bench.indexed("d")
    #expect(document["hash"] != hash && document["state"] == "ready")
    #expect(document["linked"] == .string(bench.folder.file("club.pdf")))
    #expect(try await bench.client.call("documents/text", ["id": "d", "page": 1])["text"].text.contains("Mondays"))
    #expect(bench.blobs.isEmpty)
    // One undo restores the document of the old bytes, which are nowhere any more; nothing else is shown as them.
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.get()["hash"] == hash)
    #expect(try await bench.render()?.kind == "noFile")
    await bench.bench.stop()
  }

  @Test("a file that was only touched or written again with the same bytes is read as before")
  func touched() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    let hash = try await bench.link("club.pdf")["hash"]
    try bench.folder.write("club.pdf", Self.sample)
    #expect(try await bench.render() == nil)
    let document = try await bench.get()
    #expect(document["hash"] == hash && document["state"] != "changed")
    await bench.bench.stop()
  }

  @Test("added again without `link` the library has its bytes, and needs the reader's file no more")
  func copied() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    try await bench.link("club.pdf")
    let copied = try await bench.client.call("documents/add", ["path": .string(bench.folder.file("club.pdf"))])
    #expect(copied["id"] == "d" && copied["existing"] == true && copied["linked"] == nil)
    try bench.folder.remove("club.pdf")
    #expect(try await bench.render() == nil)
    #expect(bench.blobs.count == 1)
    // What the library has already is not linked over.
    try bench.folder.write("club.pdf", Self.sample)
    #expect(try await bench.link("club.pdf", id: "e")["linked"] == nil)
    await bench.bench.stop()
  }

  @Test("a link, a folder, a pipe, a file of the library, bytes and URLs are refused, and nothing is read of them")
  func refused() async throws {
    let bench = try await Bench()
    try bench.folder.write("club.pdf", Self.sample)
    try bench.folder.write("notes.pdf", Data("no PDF at all".utf8))
    try bench.folder.link("link.pdf", to: bench.folder.file("club.pdf"))
    #expect(mkfifo(bench.folder.file("pipe.pdf"), 0o600) == 0)
    for (name, kind) in [
      "link.pdf": "notAllowed", "pipe.pdf": "notAllowed", "": "notAllowed", "gone.pdf": "notFound",
      "notes.pdf": "notPDF",
    ] {
      let error = try await bench.client.failure(
        "documents/add", ["path": .string(bench.folder.file(name)), "link": true])
      #expect(error?.kind == kind, "\(name): \(error as Any)")
    }
    let own = try await bench.bench.add(Self.second, id: "own")
    let blob = try await bench.get("own")["file"] ?? .null
    let inside = try await bench.client.failure("documents/add", ["path": blob, "link": true])
    #expect(inside?.kind == "notAllowed" && inside?.message.contains(blob.text) == true, "\(inside as Any) \(own)")
    for (field, source) in ["data": Self.sample.base64, "url": "http://127.0.0.1:1/a.pdf"] {
      let error = try await bench.client.failure("documents/add", [field: .string(source), "link": true])
      #expect(error?.data?["field"] == "link", "\(error as Any)")
    }
    #expect(try await bench.bench.titles().count == 1)
    #expect(bench.blobs.count == 1)
    // A reader's file that becomes something else is never opened as it.
    try await bench.link("club.pdf")
    try bench.folder.remove("club.pdf")
    #expect(mkfifo(bench.folder.file("club.pdf"), 0o600) == 0)
    #expect(try await bench.render()?.kind == "noFile")
    try bench.folder.remove("club.pdf")
    try bench.folder.write("other.pdf", Self.sample)
    try bench.folder.link("club.pdf", to: bench.folder.file("other.pdf"))
    _ = try await bench.client.call("documents/refresh", ["id": "d"])
    #expect(try await bench.get()["linked"] == .string(bench.folder.file("other.pdf")))
    await bench.bench.stop()
  }

  @Test("a backup has its place, or on request its bytes, and an archive has it without them")
  func carried() async throws {
    let place = TemporaryFolder()
    let bench = try await Bench(in: place)
    try bench.folder.write("club.pdf", Self.sample)
    try bench.folder.write("gone.pdf", Self.second)
    try await bench.link("club.pdf")
    try await bench.link("gone.pdf", id: "e")
    try bench.folder.remove("gone.pdf")
    let plain = try await bench.client.call("library/backup", ["path": .string(place.file("plain"))])
    #expect(plain["blobs"] == 0 && plain["linked"] == 2 && plain["items"] == 2, "\(plain)")
    let full = try await bench.client.call("library/backup", ["path": .string(place.file("full")), "linked": true])
    #expect(full["blobs"] == 1 && full["linked"] == 1, "\(full)")
    _ = try await bench.client.call("library/export", ["path": .string(place.file("archive"))])
    await bench.bench.stop()
    for (name, isLinked) in ["plain": true, "full": false] {
      let copy = TemporaryFolder()
      try FileManager.default.moveItem(atPath: place.file(name), toPath: copy.file("library"))
      let restored = try await DocumentBench(in: copy)
      let document = try await restored.client.call("documents/get", ["id": "d"])
      #expect((document["linked"] != nil) == isLinked && document["state"] == "ready", "\(document)")
      _ = try await restored.client.call("documents/render", ["id": "d", "page": 0, "width": 50])
      #expect(try await restored.client.call("library/check")["findings"] == [])
      await restored.stop()
    }
    let other = try await DocumentBench()
    _ = try await other.client.call("library/import", ["path": .string(place.file("archive"))])
    let document = try await other.client.call("documents/get", ["id": "d"])
    #expect(document["state"] == "elsewhere" && document["linked"] == nil && document["file"] == nil)
    await other.stop()
  }

  @Test("another device gets the document with its marks and without its bytes, until they are added there")
  func shared() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let folder = try FileFolder("papers", in: laptop.daemon.folder)
    try folder.write("club.pdf", Self.sample)
    try await laptop.call("documents/add", ["id": "d", "path": .string(folder.file("club.pdf")), "link": true])
    _ = try await laptop.client.indexed("d")
    try await laptop.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    try await exchange(devices)
    let received = try await phone.call("documents/get", ["id": "d"])
    #expect(received["state"] == "elsewhere" && received["highlightCount"] == 1 && received["linked"] == nil)
    #expect(!FileManager.default.fileExists(atPath: place.file("pieces")))
    // The laptop waits for nothing: its bytes are at their place.
    #expect(try await laptop.call("sync/status")["filesElsewhere"] == 0)
    let there = try FileFolder("mine", in: phone.daemon.folder)
    try there.write("same.pdf", Self.sample)
    let added = try await phone.call("documents/add", ["path": .string(there.file("same.pdf")), "link": true])
    #expect(added["id"] == "d" && added["linked"] == .string(there.file("same.pdf")))
    #expect(try await phone.call("documents/text", ["id": "d", "page": 0])["text"].text.contains("Fridays"))
    try await exchange(devices)
    #expect(try await laptop.call("documents/get", ["id": "d"])["linked"] == .string(folder.file("club.pdf")))
    for device in devices { await device.stop() }
  }
}
