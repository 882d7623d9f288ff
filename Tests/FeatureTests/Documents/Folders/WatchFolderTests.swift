import Client
import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("Documents: watched folders", .timeLimit(.minutes(10))) struct WatchFolderTests {
  /// Scans of its own wait for a tick.
  private struct Watch {
    let bench: DocumentBench
    let folder: FileFolder
    let tick: AsyncStream<Void>.Continuation

    init(in place: TemporaryFolder = TemporaryFolder()) async throws {
      let (ticks, tick) = AsyncStream<Void>.makeStream()
      self.tick = tick
      bench = try await DocumentBench(in: place) { settings in
        settings.pause = { _ in
          for await _ in ticks { return }
        }
      }
      folder = try FileFolder("papers", in: place)
    }

    /// Scans at once.
    func scan(_ params: JSONObject = [:]) async throws -> JSONValue {
      var params = params
      params["path"] = .string(folder.path)
      return try await bench.client.call("documents/watch", .object(params))
    }

    /// Waits until the library has documents of these titles.
    func until(_ titles: Set<String>) async throws {
      while true {
        let heard = bench.client.received.count
        if try await Set(bench.titles()) == titles { return }
        _ = try await bench.client.firstReceived(from: heard) { frame in
          if case .single(.notification("changes/didCommit", _)) = frame { true } else { false }
        }
      }
    }
  }

  @Test("what appears is added, what changes is refreshed with its marks, what vanishes is reported and stays")
  func changes() async throws {
    let watch = try await Watch()
    let (bench, folder) = (watch.bench, watch.folder)
    try folder.write("a.pdf", SamplePDF(["alpha", "a line to keep"]))
    try folder.write("sub/b.pdf", SamplePDF(["beta"]))
    try folder.write("broken.pdf", Data("half of a".utf8))
    let first = try await watch.scan(["tags": ["watched"]])
    #expect(first["state"] == "watching" && first["count"] == 2 && first["missing"] == 0 && first["refused"] == 1)
    #expect(first["refusedFiles"]?[0]?["kind"] == "notPDF" && first["scannedAt"] != nil)
    let documents = try await bench.everything()
    #expect(documents.map { $0["title"] } == ["a", "b"] && documents.allSatisfy { $0["tags"] == ["watched"] })
    let id = documents[0].id
    _ = try await bench.client.call("documents/addHighlight", ["id": id, "page": 0, "lines": ["a line to keep"]])

    try folder.write("a.pdf", SamplePDF(["something new"], ["alpha", "a line to keep"]))
    try folder.write("broken.pdf", SamplePDF(["whole"]))
    try folder.remove("sub/b.pdf")
    let second = try await watch.scan()
    #expect(second["count"] == 2 && second["missing"] == 1 && second["refused"] == 0)
    #expect(second["missingFiles"] == [.string(folder.file("sub/b.pdf"))])
    let changed = try await bench.client.call("documents/get", ["id": id])
    #expect(changed["pageCount"] == 2 && changed["highlightCount"] == 1)
    #expect(try await bench.client.call("documents/highlights", ["id": id]).items[0]["page"] == 1)
    #expect(Set(try await bench.titles()) == ["a", "b", "broken"])

    // It comes back, and another gets another name: neither is missing or added.
    try folder.write("sub/b.pdf", SamplePDF(["beta"]))
    try folder.move("a.pdf", to: "renamed.pdf")
    let third = try await watch.scan()
    #expect(third["count"] == 3 && third["missing"] == 0, "\(third)")
    #expect(Set(try await bench.titles()) == ["a", "b", "broken"])
    // What the watch did is no step of undo; the last step is the highlight, which has moved since.
    #expect(try await bench.client.failure("changes/undo")?.kind == "conflict")
    await bench.stop()
  }

  @Test("folders are scanned at intervals, and from the start of the next daemon on")
  func intervals() async throws {
    let place = TemporaryFolder()
    let watch = try await Watch(in: place)
    _ = try await watch.scan()
    try watch.folder.write("a.pdf", SamplePDF(["alpha"]))
    watch.tick.yield()
    watch.tick.yield()
    try await watch.until(["a"])
    await watch.bench.stop()
    try watch.folder.write("b.pdf", SamplePDF(["beta"]))

    let again = try await Watch(in: place)
    again.bench.daemon.daemon.startBackgroundWork()
    try await again.until(["a", "b"])
    // The scan ends after its commits.
    _ = try await again.scan()
    let folders = try await again.bench.client.call("documents/watched").items
    #expect(folders.map { $0["path"] } == [.string(again.folder.path)] && folders[0]["count"] == 2)
    _ = try await again.bench.client.call("documents/unwatch", ["path": .string(again.folder.path + "/")])
    #expect(try await again.bench.client.call("documents/watched").items == [])
    #expect(try await again.bench.titles().count == 2)
    await again.bench.stop()
  }

  @Test("a folder that vanishes pauses with the reason, and goes on when it is back")
  func paused() async throws {
    let watch = try await Watch()
    try watch.folder.write("a.pdf", SamplePDF(["alpha"]))
    _ = try await watch.scan()
    try FileManager.default.moveItem(atPath: watch.folder.path, toPath: watch.folder.path + "-away")
    let failure = try await watch.bench.client.failure("documents/watch", ["path": .string(watch.folder.path)])
    #expect(failure?.kind == "notFound")
    watch.tick.yield()
    watch.tick.yield()
    var folder: JSONValue = .null
    while folder["state"] != "paused" {
      folder = try await watch.bench.client.call("documents/watched").items[0]
      await Task.yield()
    }
    #expect(folder["reason"].text.contains(watch.folder.path) && folder["count"] == 1 && folder["missing"] == 0)
    #expect(try await watch.bench.titles() == ["a"])
    try FileManager.default.moveItem(atPath: watch.folder.path + "-away", toPath: watch.folder.path)
    let back = try await watch.scan()
    #expect(back["state"] == "watching" && back["reason"] == nil && back["count"] == 1)
    await watch.bench.stop()
  }

  @Test("a document that somebody removed does not come back, and other patterns are other files")
  func removed() async throws {
    let watch = try await Watch()
    for name in ["a.pdf", "b.pdf"] { try watch.folder.write(name, SamplePDF([name])) }
    _ = try await watch.scan()
    let id = try await watch.bench.everything()[0].id
    _ = try await watch.bench.client.call("documents/remove", ["id": id])
    try watch.folder.write("a.pdf", SamplePDF(["changed"]))
    #expect(try await watch.scan()["count"] == 1)
    #expect(try await watch.bench.titles() == ["b"])
    let fewer = try await watch.scan(["patterns": ["b*"]])
    #expect(fewer["count"] == 1 && fewer["missing"] == 0 && fewer["patterns"] == ["b*"])
    await watch.bench.stop()
  }

  @Test("what is no folder is refused, and a copy of the library reads no file")
  func refused() async throws {
    let place = TemporaryFolder()
    let watch = try await Watch(in: place)
    try watch.folder.write("a.pdf", SamplePDF(["alpha"]))
    let client = watch.bench.client
    let file = try await client.failure("documents/watch", ["path": .string(watch.folder.file("a.pdf"))])
    #expect(file?.kind == "notAllowed")
    let pattern = try await client.failure(
      "documents/watch", ["path": .string(watch.folder.path), "patterns": ["a/b"]])
    #expect(pattern?.data?["field"] == "patterns[0]")
    #expect(try await client.failure("documents/unwatch", ["path": "/nowhere"])?.kind == "notFound")
    #expect(try await client.call("documents/watched").items == [])
    _ = try await watch.scan()
    await watch.bench.stop()
    try OldLibraries.execute(
      "UPDATE watchedFolder SET epoch = 'another'; DELETE FROM watchedFile", in: LibraryFolder(place.file("library")))
    try watch.folder.write("b.pdf", SamplePDF(["beta"]))

    let copy = try await Watch(in: place)
    copy.bench.daemon.daemon.startBackgroundWork()
    var folder: JSONValue = .null
    while folder["state"] != "paused" {
      folder = try await copy.bench.client.call("documents/watched").items[0]
      await Task.yield()
    }
    #expect(folder["reason"].text.contains("copy"))
    #expect(try await copy.bench.titles() == ["a"])
    #expect(try await copy.scan()["count"] == 2)
    await copy.bench.stop()
  }

  @Test("the watch of a confined client stays confined in later scans, and under the next daemon")
  func confined() async throws {
    let place = TemporaryFolder()
    let watch = try await Watch(in: place)
    let (folder, other) = (watch.folder, try FileFolder("other", in: place))
    try folder.write("a.pdf", SamplePDF(["alpha"]))
    try folder.write("closed/c.pdf", SamplePDF(["gamma"]))
    try other.write("b.pdf", SamplePDF(["beta"]))
    let real = folder.real
    let client = try await watch.bench.daemon.client()
    _ = try await client.call(
      "session/confine", ["folders": [.string(real)], "closed": [.string(real + "/closed")]])
    #expect(try await client.failure("documents/watch", ["path": .string(other.real)])?.kind == "notAllowed")
    let first = try await client.call("documents/watch", ["path": .string(real)])
    #expect(first["count"] == 1 && first["refused"] == 1, "\(first)")
    #expect(first["refusedFiles"]?[0]?["path"] == .string(real + "/closed"))
    // A link takes the place of the folder.
    try FileManager.default.moveItem(atPath: real, toPath: real + "-away")
    try FileManager.default.createSymbolicLink(atPath: real, withDestinationPath: other.real)
    watch.tick.yield()
    watch.tick.yield()
    try await Self.untilPaused(watch.bench)
    #expect(try await watch.bench.titles() == ["a"])
    await watch.bench.stop()

    let again = try await Watch(in: place)
    again.bench.daemon.daemon.startBackgroundWork()
    try await Self.untilPaused(again.bench)
    #expect(try await again.bench.titles() == ["a"])
    // A link that somebody watches who is not confined is followed.
    #expect(try await again.bench.client.call("documents/watch", ["path": .string(real)])["state"] == "watching")
    #expect(try await Set(again.bench.titles()) == ["a", "b"])
    await again.bench.stop()
  }

  @Test("a confined client changes and ends only the watch that it made itself")
  func otherWatch() async throws {
    let place = TemporaryFolder()
    let watch = try await Watch(in: place)
    try watch.folder.write("a.pdf", SamplePDF(["alpha"]))
    let path = JSONValue.string(watch.folder.real)
    let watched: JSONValue = ["path": path, "tags": ["mine"]]
    let client = try await watch.bench.daemon.client()
    _ = try await client.call("session/confine", ["folders": [path]])
    let other = try await watch.bench.daemon.client()
    _ = try await other.call("session/confine", ["folders": [.string(place.path), path]])
    func refuses(_ client: Client) async throws {
      for (method, params) in [
        ("documents/watch", ["path": path, "tags": ["other"]]), ("documents/unwatch", ["path": path]),
      ]
        as [(String, JSONValue)]
      {
        let failure = try await client.failure(method, params)
        #expect(failure?.kind == "notAllowed" && failure?.data?["key"] == "file.otherSetting", "\(method)")
      }
      #expect(try await watch.bench.client.call("documents/watched").items.map { $0["tags"] } == [["mine"]])
    }
    _ = try await watch.bench.client.call("documents/watch", watched)
    try await refuses(client)
    // Nobody confines the user.
    _ = try await watch.bench.client.call("documents/unwatch", ["path": path])
    _ = try await client.call("documents/watch", ["path": path])
    _ = try await client.call("documents/watch", watched)
    try await refuses(other)
    _ = try await client.call("documents/unwatch", ["path": path])
    #expect(try await watch.bench.client.call("documents/watched").items.isEmpty)
    await watch.bench.stop()
  }

  /// Waits until the only watched folder is paused.
  private static func untilPaused(_ bench: DocumentBench) async throws {
    while try await bench.client.call("documents/watched").items[0]["state"] != "paused" { await Task.yield() }
  }

  @Test("names that differ in composition only are two files")
  func composition() async throws {
    let watch = try await Watch()
    let names = ["\u{E9}", "e\u{301}"]
    for (number, name) in names.enumerated() {
      try watch.folder.write("\(name).pdf", SamplePDF(["number \(number)"]))
      try watch.folder.write("\(name)-broken.pdf", Data("half of a".utf8))
    }
    let first = try await watch.scan()
    #expect(first["count"] == 2 && first["refused"] == 2)
    try watch.folder.remove("\(names[1]).pdf")
    let second = try await watch.scan()
    #expect(second["count"] == 1 && second["missing"] == 1)
    #expect(second["missingFiles"]?[0].map { Array($0.text.utf8) } == Array(watch.folder.file("\(names[1]).pdf").utf8))
    await watch.bench.stop()
  }

  @Test("a changed copy of a file is a document of its own, and the first keeps its bytes and marks")
  func copies() async throws {
    let watch = try await Watch()
    let (bench, folder) = (watch.bench, watch.folder)
    let paper = SamplePDF(["a line to keep"])
    try folder.write("paper.pdf", paper)
    try folder.write("v2.pdf", paper)
    #expect(try await watch.scan()["count"] == 2)
    let before = try #require(try await bench.everything().first)
    _ = try await bench.client.call(
      "documents/addHighlight", ["id": before.id, "page": 0, "lines": ["a line to keep"]])
    try folder.write("v2.pdf", SamplePDF(["second version"]))
    #expect(try await watch.scan()["count"] == 2)
    #expect(try await bench.titles() == ["paper", "v2"])
    let kept = try await bench.client.call("documents/get", ["id": before.id])
    #expect(kept["hash"] == before["hash"] && kept["highlightCount"] == 1)
    // It is the only file of its document now.
    try folder.write("paper.pdf", SamplePDF(["third version"], ["a line to keep"]))
    _ = try await watch.scan()
    #expect(try await bench.titles() == ["paper", "v2"])
    #expect(try await bench.client.call("documents/get", ["id": before.id])["pageCount"] == 2)
    // A renamed file still is its document's.
    try folder.move("paper.pdf", to: "renamed.pdf")
    _ = try await watch.scan()
    try folder.write("renamed.pdf", SamplePDF(["a line to keep"], ["fourth"], ["version"]))
    _ = try await watch.scan()
    #expect(try await bench.client.call("documents/get", ["id": before.id])["pageCount"] == 3)
    await bench.stop()
  }

  @Test("a document that was given as bytes or from another place keeps them when a copy in the folder changes")
  func otherOrigin() async throws {
    let watch = try await Watch()
    let (bench, folder) = (watch.bench, watch.folder)
    let other = try FileFolder("downloads", in: bench.daemon.folder)
    try other.write("placed.pdf", SamplePDF(["placed"]))
    let placed = try await bench.client.call("documents/add", ["path": .string(other.file("placed.pdf"))])
    let given = try await bench.add(SamplePDF(["given"]), title: "given")
    for name in ["placed", "given"] { try folder.write("\(name).pdf", SamplePDF([name])) }
    #expect(try await watch.scan()["count"] == 2)
    #expect(try await bench.titles().count == 2)
    for name in ["placed", "given"] { try folder.write("\(name).pdf", SamplePDF([name, "changed"])) }
    #expect(try await watch.scan()["count"] == 2)
    #expect(try await bench.titles().count == 4)
    for document in [placed, given] {
      let now = try await bench.client.call("documents/get", ["id": document.id])
      #expect(now["hash"] == document["hash"])
    }
    await bench.stop()
  }

  @Test("the end of a watch ends its scan: nothing is added after the reply, and it is not watched again")
  func unwatchWhileScanning() async throws {
    let watch = try await Watch()
    let (bench, folder) = (watch.bench, watch.folder)
    for number in 1...200 { try folder.write("\(number).pdf", SamplePDF(["number \(number)"])) }
    let (progress, report) = AsyncStream<Void>.makeStream()
    let scan = Task {
      try await bench.client.call("documents/watch", ["path": .string(folder.path)]) { value in
        // Of reports that come fast a client gets the newest, so not every number.
        if value["message"].text.contains(" of 200: ") { report.yield() }
      }
    }
    for await _ in progress { break }
    _ = try await bench.client.call("documents/unwatch", ["path": .string(folder.path)])
    let count = try await bench.client.call("documents/list")["total"]
    await #expect(throws: (any Error).self) { try await scan.value }
    #expect(try await bench.client.call("documents/list")["total"] == count && count != 200)
    #expect(try await bench.client.call("documents/watched").items == [])
    // Its rows are gone too: no file is known, so none is missing.
    for number in 1...199 { try folder.remove("\(number).pdf") }
    let again = try await watch.scan()
    #expect(again["count"] == 1 && again["missing"] == 0 && again["state"] == "watching")
    await bench.stop()
  }
}
