import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Files: in imports, exports and mirrors") struct FileExchangeTests {
  private static let photo = Data(base64Encoded: SamplePicture.jpeg) ?? Data()
  private static var hash: String { Blobs.hash(of: [UInt8](photo)) }
  private static var link: String { "commonplace:/files/\(hash)" }

  private func write(_ files: [String: Data], into bench: DiaryBench, as name: String = "folder") throws -> String {
    let root = bench.daemon.folder.file(name)
    for (path, data) in files {
      let file = URL(filePath: root + "/" + path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: file)
    }
    return root
  }

  @Test("Day One comes whole: photos where the text shows them, others at its end, once for the same bytes")
  func dayOne() async throws {
    let bench = try await DiaryBench()
    let date = "\"creationDate\": \"2020-12-22T15:35:33Z\", \"timeZone\": \"Asia/Seoul\""
    let entries = [
      "{\"uuid\": \"A1\", \(date), \"text\": \"![](dayone-moment://AB12)\\n\\nA walk\", \"photos\": "
        + "[{\"md5\": \"0F\", \"type\": \"jpeg\", \"identifier\": \"AB12\", \"filename\": \"IMG_1.jpg\"}]}",
      "{\"uuid\": \"A2\", \(date), \"text\": \"Song\", \"audios\": [{\"md5\": \"a1\", \"identifier\": \"C\"}], "
        + "\"photos\": [{\"md5\": \"0f\", \"identifier\": \"D\"}]}",
      "{\"uuid\": \"A3\", \(date), \"text\": \"![](dayone-moment:/video/V)\", \"videos\": "
        + "[{\"md5\": \"77\", \"identifier\": \"V\"}]}",
      "{\"uuid\": \"A4\", \(date), \"photos\": [{\"md5\": \"0f\", \"identifier\": \"D\"}]}",
    ]
    var zip = SampleZip()
    // Photos may be before the journal.
    zip.add("photos/0f.jpeg", [UInt8](Self.photo))
    zip.add("Journal.json", "{\"entries\": [\(entries.joined(separator: ", "))]}")
    zip.add("audios/a1.m4a", [0, 0, 0, 8] + Array("ftypM4A ".utf8))
    func take(_ more: JSONObject = [:]) async throws -> JSONValue {
      var params = more
      (params["data"], params["format"]) = (.string(Data(zip.bytes).base64EncodedString()), "dayone")
      return try await bench.client.call("diary/import", .object(params))
    }
    let rehearsed = try await take(["dryRun": true])
    #expect(rehearsed["added"] == 4)
    #expect(try await bench.client.call("files/list")["total"] == 0)
    let report = try await take()
    #expect(report["added"] == 4 && report["notes"].list.map { $0["reason"] } == ["attachments"], "\(report)")
    let files = try await bench.client.call("files/list").items
    #expect(Set(files.map { $0["name"].text }) == ["IMG_1.jpg", "a1.m4a"] && files.map { $0["uses"] }.contains(3))
    var texts: [String] = []
    for item in try await bench.client.call("diary/list").items {
      texts.append(try await bench.get(item.id)["text"].text)
    }
    #expect(texts.contains("![](\(Self.link))\n\nA walk") && texts.contains("![](\(Self.link))"))
    #expect(texts.contains { $0.hasPrefix("Song\n\n![](commonplace:/files/") && $0.contains(Self.hash) })
    #expect(texts.contains("![](dayone-moment:/video/V)"), "what the archive lacks stays as it is")
    #expect(try await take()["known"] == 4)
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("files/list")["total"] == 0)
    await bench.stop()
  }

  @Test("a folder of Markdown brings the files that it shows, and none from outside it")
  func markdown() async throws {
    let bench = try await DiaryBench()
    let text = """
      A walk
      ![river](../photos/my%20walk.jpg) [a scan](scan.bin) ![[my walk.jpg|so]] ![](https://a.example/x.png)
      ![](../../outside.jpg) ![](/etc/hostname) ![](link.jpg) ![](missing.png) [[2020-12-23]] [next](2020-12-24.md)
      """
    let root = try write(
      [
        "days/2020-12-22.md": Data(text.utf8), "photos/my walk.jpg": Self.photo, "days/scan.bin": Data("scan".utf8),
        "days/2020-12-24.md": Data("next".utf8),
      ], into: bench)
    _ = try write(["outside.jpg": Data("outside".utf8)], into: bench, as: ".")
    let outside = bench.daemon.folder.file("outside.jpg")
    try FileManager.default.createSymbolicLink(atPath: root + "/days/link.jpg", withDestinationPath: outside)
    let report = try await bench.client.call("diary/import", ["path": .string(root), "format": "markdown"])
    #expect(report["added"] == 2 && report["notes"].list.map { $0["reason"] } == ["attachments"], "\(report)")
    let items = try await bench.client.call("diary/list", ["sort": "oldest"]).items
    let scan = Blobs.hash(of: Array("scan".utf8))
    let expected = """
      A walk
      ![river](\(Self.link)) [a scan](commonplace:/files/\(scan)) ![so](\(Self.link)) ![](https://a.example/x.png)
      ![](../../outside.jpg) ![](/etc/hostname) ![](link.jpg) ![](missing.png) [[2020-12-23]] [next](2020-12-24.md)
      """
    #expect(try await bench.get(items[0].id)["text"].text == expected)
    #expect(try await bench.client.call("files/list")["total"] == 2)
    let again = try await bench.client.call("diary/import", ["path": .string(root), "format": "markdown"])
    #expect(again["known"] == 2 && again["added"] == 0 && again["updated"] == 0, "\(again)")
    await bench.stop()
  }

  @Test(
    "an exported folder has the files beside the texts, and another library reads both back byte for byte",
    arguments: ["diary", "notes"])
  func exported(collection: String) async throws {
    let bench = try await DiaryBench()
    let text = "A walk\n\n![river](\(Self.link)) and `![](\(Self.link))`"
    let item = try await bench.client.call("\(collection)/add", ["text": .string(text)])
    _ = try await bench.client.call("files/add", ["data": .string(SamplePicture.jpeg), "name": "walk.jpg"])
    let path = bench.daemon.folder.file("export")
    _ = try await bench.client.call("\(collection)/export", ["path": .string(path), "format": "markdown"])
    #expect(FileManager.default.contents(atPath: "\(path)/files/\(Self.hash).jpg") == Self.photo)
    let name = try #require(FileManager.default.contentsOfDirectory(atPath: path).first { $0.hasSuffix(".md") })
    let file = try String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
    #expect(file.contains("![river](files/\(Self.hash).jpg)"), "\(file)")
    let same = try await bench.client.call("\(collection)/import", ["path": .string(path)])
    #expect(same["known"] == 1 && same["updated"] == 0 && same["notes"] == [], "\(same)")
    let other = try await DiaryBench()
    #expect(try await other.client.call("\(collection)/import", ["path": .string(path)])["added"] == 1)
    #expect(try await other.client.call("\(collection)/get", ["id": item.id])["text"] == .string(text))
    #expect(try await other.client.call("files/get", ["id": .string(Self.hash)])["takenOn"] == "2020-12-22")
    // A photo that was edited in the folder is another file.
    try Data("edited".utf8).write(to: URL(filePath: "\(path)/files/\(Self.hash).jpg"))
    let edited = try await other.client.call("\(collection)/import", ["path": .string(path)])
    #expect(edited["updated"] == 1, "\(edited)")
    let changed = try await other.client.call("\(collection)/get", ["id": item.id])["text"].text
    #expect(
      changed.hasPrefix("A walk\n\n![river](commonplace:/files/\(Blobs.hash(of: Array("edited".utf8))))"), "\(changed)")
    await bench.stop()
    await other.stop()
  }

  @Test("the mirror has the files that entries show, and loses those that none shows any more")
  func mirrored() async throws {
    let bench = try await DiaryBench()
    try await bench.add("A walk", id: "a")
    _ = try await bench.client.call(
      "diary/attach", ["id": "a", "data": .string(SamplePicture.jpeg), "name": "walk.jpg"])
    let path = bench.daemon.folder.file("mirror")
    func mirror() async throws -> JSONValue { try await bench.client.call("diary/mirror", ["path": .string(path)]) }
    #expect(try await mirror()["state"] == "current")
    let photo = "\(path)/files/\(Self.hash).jpg"
    #expect(FileManager.default.contents(atPath: photo) == Self.photo)
    let file = try String(contentsOfFile: "\(path)/2026-11-21-a.md", encoding: .utf8)
    #expect(file.contains("![walk.jpg](files/\(Self.hash).jpg)"))
    #expect(try await mirror()["edited"] == nil)
    // The mirror's files are imported without a change.
    let report = try await bench.client.call("diary/import", ["path": .string(path)])
    #expect(report["known"] == 1 && report["updated"] == 0, "\(report)")
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "A walk"])
    #expect(try await mirror()["state"] == "current")
    #expect(!FileManager.default.fileExists(atPath: photo))
    // A link in place of the folder is not followed.
    try FileManager.default.removeItem(atPath: path + "/files")
    let elsewhere = bench.daemon.folder.file("elsewhere")
    try FileManager.default.createDirectory(atPath: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(atPath: path + "/files", withDestinationPath: elsewhere)
    _ = try await bench.client.call("changes/undo")
    #expect(try await mirror()["state"] == "paused")
    #expect(try FileManager.default.contentsOfDirectory(atPath: elsewhere).isEmpty)
    await bench.stop()
  }

  @Test("an Obsidian vault brings its pictures by name from any of its folders, and says which are missing")
  func vault() async throws {
    let bench = try await DiaryBench()
    let root = try write(
      [
        "notes/Dune.md": Data("Sand ![[walk.jpg]] ![[none.png]]".utf8), "attachments/deep/walk.jpg": Self.photo,
        ".obsidian/walk.jpg": Data("hidden".utf8),
      ], into: bench)
    let report = try await bench.client.call("notes/import", ["path": .string(root)])
    #expect(report["added"] == 1 && report["notes"].list.map { $0["reason"] } == ["attachments"], "\(report)")
    let note = try #require(try await bench.client.call("notes/list").items.first)
    let text = try await bench.client.call("notes/get", ["id": note.id])["text"].text
    #expect(text == "# Dune\n\nSand ![walk.jpg](\(Self.link)) ![[none.png]]", "\(text)")
    await bench.stop()
  }
}
