import Client
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Sync: files of documents") struct SharedFilesTests {
  private static let day: Int64 = 86_400_000
  private static let sample = SamplePDF(["The reading club", "meets on Fridays"], ["Second page"])

  /// The files below `pieces/` of a target, with their sizes.
  private static func pieces(of place: TemporaryFolder) throws -> [String: Int] {
    var pieces: [String: Int] = [:]
    guard let files = FileManager.default.enumerator(atPath: place.file("pieces")) else { return [:] }
    while let name = files.nextObject() as? String {
      guard files.fileAttributes?[.type] as? FileAttributeType == .typeRegular else { continue }
      pieces[place.file("pieces/" + name)] = (files.fileAttributes?[.size] as? NSNumber)?.intValue
    }
    return pieces
  }

  @Test(
    "a document is on the other device with its file, text and marks, and so are later marks and the reading position")
  func document() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    try await laptop.call(
      "documents/add", ["id": "d", "data": .string(Self.sample.base64), "title": "Club", "tags": ["x"]])
    try await laptop.call(
      "documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"], "note": "Go"])
    try await laptop.call("documents/setMemo", ["id": "d", "page": 1, "text": "Ask about it"])
    try await laptop.call("documents/setBookmark", ["id": "d", "page": 1, "bookmarked": true])
    try await laptop.run()
    try await phone.run()
    let document = try await phone.client.indexed("d")
    #expect(document["state"] == "ready" && document["title"] == "Club" && document["tags"] == ["x"])
    let bytes = try Data(contentsOf: URL(filePath: document["file"]?.stringValue ?? ""))
    #expect(Array(bytes) == Self.sample.bytes)
    #expect(try await phone.call("documents/text", ["id": "d", "page": 0])["text"].text.contains("Fridays"))
    let highlights = try await phone.call("documents/highlights", ["id": "d"]).items
    #expect(highlights.map { $0["text"] } == ["The reading club"] && highlights.first?["note"] == "Go")
    #expect(try await phone.call("documents/memos", ["id": "d"]).items.map { $0["text"] } == ["Ask about it"])
    #expect(try await phone.call("documents/bookmarks", ["id": "d"]).items.map { $0["page"] } == [1])
    #expect(try await phone.call("search/query", ["text": "Fridays"]).description.contains("\"d\""))

    try await phone.call("documents/setPosition", ["id": "d", "page": 1, "y": 0.5])
    try await phone.call("documents/toggleHighlight", ["id": "d", "page": 1, "lines": ["Second page"]])
    try await phone.call("documents/setMemo", ["id": "d", "page": 1, "text": ""])
    try await exchange(devices)
    let read = try await laptop.call("documents/get", ["id": "d"])
    #expect(read["position"] == ["page": 1, "y": 0.5] && read["highlightCount"] == 2 && read["memoCount"] == 0)
    #expect(try await laptop.contents() == phone.contents())
    for device in devices {
      #expect(try await device.call("changes/conflicts").items.isEmpty)
      #expect(try await device.didNothing())
      let status = try await device.call("sync/status")
      #expect(status["waitingFiles"] == 0 && status["filesElsewhere"] == 0)
      await device.stop()
    }
  }

  @Test("a reference is on the other device, which waits for no file of it; a file that it gets later follows")
  func reference() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let entry = Data("@book{club, title = {Club}, author = {Han, Ann}}\n".utf8).base64EncodedString()
    try await laptop.call("documents/importBibliography", ["data": .string(entry), "add": true])
    try await exchange(devices)
    let reference = try #require(try await phone.call("documents/list").items.first)
    #expect(reference["state"] == "noFile" && reference["title"] == "Club" && reference["citationKey"] == "club")
    for device in devices {
      let status = try await device.call("sync/status")
      #expect(status["waitingFiles"] == 0 && status["filesElsewhere"] == 0, "\(status)")
    }
    try await phone.call("documents/refresh", ["id": reference.id, "data": .string(Self.sample.base64)])
    try await exchange(devices)
    let whole = try await laptop.client.indexed(reference.id)
    #expect(whole["state"] == "ready" && whole["pageCount"] == 2)
    #expect(try await laptop.contents() == phone.contents())
    for device in devices { await device.stop() }
  }

  @Test("a place sees neither the bytes of a document nor its hash")
  func secrecy() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    let document = try await devices[0].call("documents/add", ["data": .string(Self.sample.base64)])
    try await devices[0].run()
    let pieces = try Self.pieces(of: place)
    #expect(pieces.count == 1)
    for path in pieces.keys {
      #expect(!path.contains(document["hash"]?.text.prefix(8) ?? "-"))
      let bytes = try Data(contentsOf: URL(filePath: path))
      #expect(bytes.starts(with: Data("CPSY".utf8)) && bytes.range(of: Data("%PDF".utf8)) == nil)
    }
    await devices[0].stop()
  }

  @Test("with files = opened a document states where its file is, and the first page that is asked for fetches it")
  func opened() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place, fetchesAllFiles: false)
    let (laptop, phone) = (devices[0], devices[1])
    try await laptop.call("documents/add", ["id": "d", "data": .string(Self.sample.base64), "title": "Club"])
    try await laptop.call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    try await exchange(devices)
    let document = try await phone.call("documents/get", ["id": "d"])
    #expect(document["state"] == "elsewhere" && document["file"] == nil && document["pageCount"] == 2)
    #expect(try await phone.call("documents/highlights", ["id": "d"]).items.map { $0["text"] } == ["The reading club"])
    #expect(try await phone.call("sync/status")["filesElsewhere"] == 1)
    // What has no file here is no damage, and is in no backup; an archive says so.
    #expect(try await phone.call("library/check")["findings"] == [])
    try await phone.call("library/backup", ["path": .string(phone.daemon.folder.file("backup"))])
    let archive = phone.daemon.folder.file("archive.tar")
    try await phone.call("library/export", ["path": .string(archive)])
    let imported = try await TestDaemon.started(in: TemporaryFolder())
    let reader = try await imported.client()
    _ = try await reader.call("library/import", ["path": .string(archive)])
    #expect(try await reader.call("documents/get", ["id": "d"])["state"] == "elsewhere")
    #expect(try await reader.failure("documents/page", ["id": "d", "page": 0])?.kind == "elsewhere")
    await imported.stop()

    let refused = try await phone.client.failure("documents/page", ["id": "d", "page": 0])
    #expect(refused?.kind == "elsewhere" && refused?.message.contains("Club") == true)
    while true {
      let heard = phone.client.received.count
      if try await phone.client.indexed("d")["state"] == "ready" { break }
      _ = try await phone.client.firstReceived(from: heard) { frame in
        if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
      }
    }
    #expect(try await phone.call("documents/page", ["id": "d", "page": 0])["page"] == 0)
    for device in devices { await device.stop() }
  }

  @Test("a fetch that broke off goes on, and what is missing or damaged at the place is put there again within a week")
  func pieces() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let (laptop, phone) = (devices[0], devices[1])
    let filler = String(repeating: "% nothing is drawn by this line\n", count: 300_000)
    let large = SamplePDF(pages: [SamplePDF.Page(content: filler)])
    let path = laptop.daemon.folder.file("large.pdf")
    try Data(large.bytes).write(to: URL(filePath: path))
    try await laptop.call("documents/add", ["id": "d", "path": .string(path), "title": "Large"])
    try await laptop.run()
    let sizes = try Self.pieces(of: place)
    #expect(sizes.count == 2)
    let (first, last) = (
      try #require(sizes.max { $0.value < $1.value }), try #require(sizes.min { $0.value < $1.value })
    )
    try FileManager.default.removeItem(atPath: last.key)
    try await phone.run()
    #expect(try await phone.call("documents/get", ["id": "d"])["state"] == "elsewhere")
    // The first piece is not fetched again.
    try Data("damaged".utf8).write(to: URL(filePath: first.key))
    laptop.daemon.clock.advance(milliseconds: 8 * Self.day)
    try await laptop.run()
    #expect(try Self.pieces(of: place) == sizes)
    try Data("damaged".utf8).write(to: URL(filePath: first.key))
    try await phone.run()
    #expect(try await phone.client.indexed("d")["state"] == "ready")
    #expect(
      try await phone.call("documents/get", ["id": "d"])["hash"] == laptop.call("documents/get", ["id": "d"])["hash"])
    laptop.daemon.clock.advance(milliseconds: 8 * Self.day)
    try await laptop.run()

    // A third device cannot read the damaged piece. It stays where it is, and is overwritten by those who have the file.
    var damaged = try Data(contentsOf: URL(filePath: first.key))
    damaged[1_000] ^= 1
    try damaged.write(to: URL(filePath: first.key))
    let server = try await SharedDevice(at: place.path)
    try await server.call("sync/setUp", ["code": try #require(laptop.call("sync/code")["code"]), "name": "server"])
    #expect(try await server.call("documents/get", ["id": "d"])["state"] == "elsewhere")
    for _ in 0..<4 {
      #expect(try Self.pieces(of: place) == sizes)
      server.daemon.clock.advance(milliseconds: Self.day / 2)
      try await server.run()
    }
    #expect(try Self.pieces(of: place).count == 3)
    laptop.daemon.clock.advance(milliseconds: 8 * Self.day)
    try await laptop.run()
    #expect(try Self.pieces(of: place) == sizes)
    server.daemon.clock.advance(milliseconds: Self.day)
    try await server.run()
    #expect(try await server.client.indexed("d")["state"] == "ready")
    for device in devices + [server] { await device.stop() }
  }

  @Test("the pieces of a removed document go after a month, the others stay")
  func sweep() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    let laptop = devices[0]
    try await laptop.call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await laptop.run()
    let kept = try Self.pieces(of: place)
    try await laptop.call("documents/add", ["id": "e", "data": .string(SamplePDF(["Other"]).base64)])
    try await laptop.run()
    #expect(try Self.pieces(of: place).count == 2)
    try await laptop.call("documents/remove", ["id": "e"])
    for days in [8, 8, 8, 8] as [Int64] {
      laptop.daemon.clock.advance(milliseconds: days * Self.day)
      try await laptop.run()
      #expect(try Self.pieces(of: place).count == 2)
    }
    laptop.daemon.clock.advance(milliseconds: 8 * Self.day)
    try await laptop.run()
    #expect(try Self.pieces(of: place) == kept)
    await laptop.stop()
  }

  @Test("with a new key the files of documents lie there once more under it, and those of the old one go after a month")
  func renewed() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    let laptop = devices[0]
    try await laptop.call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await laptop.run()
    let old = try Self.pieces(of: place)
    let code = try #require(try await laptop.call("sync/renew")["code"])
    try await laptop.run()
    #expect(try Self.pieces(of: place).count == 2)
    let phone = try await SharedDevice(at: place.path)
    try await phone.call("sync/setUp", ["code": code, "name": "phone"])
    #expect(try await phone.client.indexed("d")["state"] == "ready")
    for _ in 0..<5 {
      laptop.daemon.clock.advance(milliseconds: 8 * Self.day)
      try await laptop.run()
    }
    let new = try Self.pieces(of: place)
    #expect(new.count == 1 && Set(new.keys).isDisjoint(with: old.keys))
    for device in [laptop, phone] { await device.stop() }
  }

  @Test("a PDF that two devices added is one document with the marks of both")
  func samePDF() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    for (device, id) in zip(devices, ["d", "e"] as [JSONValue]) {
      try await device.call("documents/add", ["id": id, "data": .string(Self.sample.base64), "title": "Club"])
    }
    try await devices[0].call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    try await devices[1].call("documents/addHighlight", ["id": "e", "page": 1, "lines": ["Second page"]])
    for _ in 0..<2 { try await exchange(devices) }
    for device in devices {
      #expect(try await device.call("documents/list").items.map { $0["id"] } == ["d"])
      let texts = try await device.call("documents/highlights", ["id": "d"]).items.map { $0["text"] }
      #expect(texts == ["The reading club", "Second page"])
      #expect(try await device.call("documents/text", ["id": "d", "page": 0])["text"].text.contains("Fridays"))
    }
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("a page that two devices bookmark and write a note on has one bookmark, and one note with both texts")
  func samePage() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await exchange(devices)
    _ = try await devices[1].client.indexed("d")
    for (device, text) in zip(devices, ["one", "two"] as [JSONValue]) {
      try await device.call("documents/setBookmark", ["id": "d", "page": 0, "bookmarked": true])
      try await device.call("documents/setMemo", ["id": "d", "page": 0, "text": text])
    }
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("documents/bookmarks", ["id": "d"]).items.count == 1)
      let memos = try await device.call("documents/memos", ["id": "d"]).items.map { $0["text"].text }
      #expect(memos.count == 1 && memos[0].contains("one") && memos[0].contains("two"))
    }
    #expect(try await devices[0].contents() == devices[1].contents())
    for device in devices { await device.stop() }
  }

  @Test("a memo that one device only wrote stays, although another device wrote and changed one on the same page")
  func editedMemo() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await exchange(devices)
    _ = try await devices[1].client.indexed("d")
    try await devices[1].call("documents/setMemo", ["id": "d", "page": 0, "text": "one"])
    try await devices[0].call("documents/setMemo", ["id": "d", "page": 0, "text": "two"])
    try await devices[0].run()
    try await devices[0].call("documents/setMemo", ["id": "d", "page": 0, "text": "two changed"])
    try await exchange(devices)
    for device in devices {
      let memos = try await device.call("documents/memos", ["id": "d"]).items.map { $0["text"].text }
      #expect(memos.count == 1 && memos[0].contains("one") && memos[0].contains("two changed"))
      #expect(try await device.call("changes/conflicts").items.map { $0["field"] } == ["text"])
      await device.stop()
    }
  }

  @Test("a highlight on a device brings back the document that another one has removed, and its file stays")
  func removed() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    try await devices[0].call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await exchange(devices)
    _ = try await devices[1].client.indexed("d")
    try await devices[0].call("documents/remove", ["id": "d"])
    try await devices[1].call("documents/addHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]])
    try await exchange(devices)
    for device in devices {
      #expect(try await device.call("documents/text", ["id": "d", "page": 0])["text"].text.contains("Fridays"))
      #expect(try await device.call("documents/highlights", ["id": "d"]).items.count == 1)
    }
    #expect(try await devices[0].contents() == devices[1].contents())
    // Its file stays for devices that do not have it yet.
    for _ in 0..<6 {
      for device in devices {
        device.daemon.clock.advance(milliseconds: 8 * Self.day)
        try await device.run()
        #expect(try Self.pieces(of: place).count == 1)
      }
    }
    for device in devices { await device.stop() }
  }

  @Test("a protected document is there, and can be read once its file was added with the password")
  func protected() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let phone = devices[1]
    try await devices[0].call(
      "documents/add",
      ["id": "d", "data": .string(Data(SamplePDF.encrypted).base64EncodedString()), "password": "pässwört"])
    try await exchange(devices)
    let document = try await phone.call("documents/get", ["id": "d"])
    #expect(document["isProtected"] == true && document["state"] == "ready")
    #expect(try await phone.client.failure("documents/page", ["id": "d", "page": 0])?.kind == "passwordRequired")
    let added = try await phone.call(
      "documents/add", ["path": try #require(document["file"]), "password": "pässwört"])
    #expect(added["id"] == "d" && added["existing"] == true)
    #expect(try await phone.call("documents/text", ["id": "d", "page": 0])["text"].text.hasPrefix("secret"))
    for device in devices { await device.stop() }
  }

  @Test("a file that an entry shows is on the other device, and is fetched when it is shown with files = opened")
  func embedded() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop"], at: place)
    let data = JSONValue.string(Data("A list of birds".utf8).base64EncodedString())
    let file = try await devices[0].call("files/add", ["data": data, "name": "birds.txt"])
    let id = try #require(file["id"])
    try await devices[0].call("diary/add", ["id": "e", "text": .string("Walk\n\n\(file["markdown"]?.text ?? "")")])
    try await devices[0].run()
    for fetchesAllFiles in [true, false] {
      let phone = try await SharedDevice(at: place.path, fetchesAllFiles: fetchesAllFiles)
      try await phone.call("sync/setUp", ["code": try #require(devices[0].call("sync/code")["code"]), "name": "phone"])
      #expect(try await phone.call("files/get", ["id": id])["name"] == "birds.txt")
      if !fetchesAllFiles {
        let heard = phone.client.received.count
        #expect(try await phone.client.failure("files/content", ["id": id, "inline": true])?.kind == "elsewhere")
        _ = try await phone.client.firstReceived(from: heard) { frame in
          if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
        }
      }
      #expect(try await phone.call("files/content", ["id": id, "inline": true])["data"] == data)
      await phone.stop()
    }
    await devices[0].stop()
  }

  @Test("devices with random marks of one document, which some of them remove, end equal", arguments: 0..<4)
  func random(seed: Int) async throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone", "server"], at: place)
    try await devices[0].call("documents/add", ["id": "d", "data": .string(Self.sample.base64)])
    try await exchange(devices)
    for device in devices { _ = try await device.client.indexed("d") }
    for _ in 0..<40 {
      let device = devices.randomElement(using: &random)!
      device.daemon.clock.advance(milliseconds: Int64.random(in: 0...100_000, using: &random))
      let page = JSONValue.integer(Int64.random(in: 0...1, using: &random))
      let word = JSONValue.string("w\(Int.random(in: 0..<1_000, using: &random))")
      let edits: [(String, JSONValue)] = [
        ("documents/toggleHighlight", ["id": "d", "page": 0, "lines": ["The reading club"]]),
        ("documents/toggleHighlight", ["id": "d", "page": 1, "lines": ["Second page"]]),
        ("documents/setMemo", ["id": "d", "page": page, "text": word]),
        ("documents/setMemo", ["id": "d", "page": page, "text": ""]),
        ("documents/toggleBookmark", ["id": "d", "page": page]),
        ("documents/setPosition", ["id": "d", "page": page]),
        ("documents/update", ["id": "d", "title": word]), ("documents/update", ["id": "d", "tags": [word]]),
        ("documents/remove", ["id": "d"]), ("changes/undo", [:]), ("sync/run", [:]), ("sync/run", [:]),
      ]
      let edit = edits.randomElement(using: &random)!
      // Many are refused: the document is not there.
      _ = try await device.client.failure(edit.0, edit.1)
    }
    for _ in 0..<2 { try await exchange(devices) }
    let contents = try await devices[0].contents()
    let marks = try await Self.marks(of: devices[0])
    for device in devices {
      #expect(try await device.contents() == contents, "seed \(seed)")
      #expect(try await Self.marks(of: device) == marks, "seed \(seed)")
      #expect(try await device.didNothing())
      await device.stop()
    }
  }

  /// The pages and texts of a document's memos and bookmarks; nil if it was removed.
  private static func marks(of device: SharedDevice) async throws -> [[String]]? {
    if try await device.client.failure("documents/get", ["id": "d"]) != nil { return nil }
    var marks: [[String]] = []
    for method in ["documents/memos", "documents/bookmarks"] {
      let items = try await device.call(method, ["id": "d"]).items
      marks.append(items.map { "\($0["id"] ?? .null) \($0["page"] ?? .null) \($0["text"] ?? .null)" }.sorted())
    }
    return marks
  }

  @Test("subscriptions and their rules are shared, and their removal takes the posts here along")
  func sources() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let feed =
      "<rss version='2.0'><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>"
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/rss+xml")]) }
    let url = JSONValue.string(server.origin + "/feed")
    try await devices[0].call("boards/addSource", ["id": "s", "kind": "feed", "url": url])
    let source: JSONValue = "s"
    try await devices[0].call("boards/addRule", ["text": "One", "sources": [source], "read": true])
    try await exchange(devices)
    let shared = try await devices[1].call("boards/sources").items
    #expect(shared.map { $0["id"] } == [source] && shared.first?["url"] == url)
    #expect(try await devices[1].call("boards/rules").items.map { $0["sources"] } == [[source]])
    try await devices[1].call("boards/refresh", ["source": source])
    #expect(try await devices[1].call("boards/posts", ["all": true]).items.count == 1)
    try await devices[0].call("boards/removeSource", ["id": source])
    try await exchange(devices)
    #expect(try await devices[1].call("boards/sources").items.isEmpty)
    #expect(try await devices[1].call("boards/posts", ["all": true]).items.isEmpty)
    for device in devices { await device.stop() }
  }

  @Test("sources that exchange their URLs, or pass them on in a row, have them on the other device too")
  func exchangedSources() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let feed =
      "<rss version='2.0'><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>"
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    func move(_ id: String, to path: String) async throws {
      try await devices[0].call(
        "boards/updateSource", ["id": .string(id), "url": .string(server.origin + "/" + path)])
    }
    // What the phone shows has the times at which the laptop wrote it.
    devices[1].daemon.clock.advance(milliseconds: 3_600_000)
    func hours(_ device: SharedDevice) async throws -> [Substring] {
      try await device.call("boards/sources").items.map { $0["updatedAt"].text.prefix(13) }
    }
    func expect(_ paths: [String]) async throws {
      try await exchange(devices)
      let written = try await hours(devices[0])
      #expect(try await hours(devices[1]) == written && written.first?.count == 13)
      for device in devices {
        let sources = try await device.call("boards/sources").items.sorted { $0["id"].text < $1["id"].text }
        #expect(sources.map { $0["url"].text } == paths.map { server.origin + "/" + $0 })
        #expect(sources.map { $0["id"].text } == ["a", "b", "c"])
      }
    }
    for id in ["a", "b", "c"] {
      let url = JSONValue.string(server.origin + "/" + id)
      try await devices[0].call("boards/addSource", ["id": .string(id), "kind": "feed", "url": url])
    }
    try await expect(["a", "b", "c"])
    for (id, path) in [("c", "d"), ("b", "c"), ("a", "b")] { try await move(id, to: path) }
    try await expect(["b", "c", "d"])
    for (id, path) in [("a", "x"), ("b", "b"), ("a", "c")] { try await move(id, to: path) }
    try await expect(["c", "b", "d"])
    for (id, path) in [("a", "x"), ("b", "y"), ("c", "b"), ("a", "d"), ("b", "c")] { try await move(id, to: path) }
    try await expect(["d", "c", "b"])
    for device in devices {
      #expect(try await device.didNothing())
      await device.stop()
    }
  }

  @Test("a URL that one source gives up and another one gets makes them no one source, also after a removal")
  func movedSource() async throws {
    let place = TemporaryFolder()
    let devices = try await SharedDevice.group(["laptop", "phone"], at: place)
    let feed =
      "<rss version='2.0'><channel><title>News</title><item><title>One</title><guid>1</guid></item></channel></rss>"
    let server = try ScriptedServer { _ in .text(feed, [("Content-Type", "application/rss+xml")]) }
    defer { server.stop() }
    let (old, new) = (JSONValue.string(server.origin + "/old"), JSONValue.string(server.origin + "/new"))
    func sources(_ device: SharedDevice) async throws -> [[JSONValue?]] {
      try await device.call("boards/sources").items.map { [$0["id"], $0["url"]] }.sorted { $0[0].text < $1[0].text }
    }
    try await devices[0].call("boards/addSource", ["id": "m", "kind": "feed", "url": old])
    try await exchange(devices)
    try await devices[0].call("boards/updateSource", ["id": "m", "url": new])
    try await devices[0].call("boards/addSource", ["id": "a", "kind": "feed", "url": old])
    try await exchange(devices)
    for device in devices { #expect(try await sources(device) == [["a", old], ["m", new]]) }

    try await devices[0].call("boards/removeSource", ["id": "m"])
    try await devices[0].call("boards/addSource", ["id": "z", "kind": "feed", "url": new])
    try await exchange(devices)
    for device in devices {
      #expect(try await sources(device) == [["a", old], ["z", new]])
      await device.stop()
    }
  }
}
