import Client
import Foundation
import Store
import Synchronization
import TestSupport
import Testing
import Wire

@Suite("Documents: files and folders") struct AddFilesTests {
  private static func outcomes(_ report: JSONValue) -> [String: String] {
    Dictionary(
      report["files"].list.map { (($0["path"].text as NSString).lastPathComponent, $0["outcome"].text) },
      uniquingKeysWith: { "\($0) \($1)" })
  }

  @Test("a folder is added with the folders in it; links and hidden files are left alone, and one report says it all")
  func folder() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    try folder.write("a.pdf", SamplePDF(["alpha"]))
    try folder.write("B.PDF", SamplePDF(["beta"]))
    try folder.write("sub/deep/c.pdf", SamplePDF(["gamma"]))
    try folder.write("sub/same.pdf", SamplePDF(["alpha"]))
    try folder.write("sub/broken.pdf", Data("no PDF at all".utf8))
    try folder.write("sub/locked.pdf", Data(SamplePDF.encrypted))
    try folder.write("notes.txt", Data("notes".utf8))
    try folder.write(".hidden.pdf", SamplePDF(["hidden"]))
    try folder.write(".git/d.pdf", SamplePDF(["hidden too"]))
    try folder.link("link.pdf", to: folder.file("a.pdf"))
    try folder.link("sub/loop", to: folder.path)
    let report = try await bench.client.call(
      "documents/addFiles", ["paths": [.string(folder.path), .string(folder.file("gone"))], "tags": ["papers"]])
    #expect(
      Self.outcomes(report) == [
        "a.pdf": "added", "B.PDF": "added", "c.pdf": "added", "same.pdf": "existing", "broken.pdf": "refused",
        "locked.pdf": "refused", "gone": "refused",
      ])
    #expect(report["added"] == 3 && report["existing"] == 1 && report["refused"] == 3 && report["total"] == 7)
    #expect(report["ignored"] == 5 && report["unlisted"] == nil && report["changed"] == nil, "\(report)")
    let refused = report["files"].list.prefix(3)
    #expect(refused.map { $0["kind"] } == ["notFound", "notPDF", "passwordRequired"])
    #expect(refused.allSatisfy { !$0["reason"].text.isEmpty && $0["id"] == nil }, "\(refused)")
    let documents = try await bench.everything()
    #expect(Set(documents.map { $0["title"].text }) == ["a", "B", "c"])
    #expect(documents.allSatisfy { $0["tags"] == ["papers"] })
    let same = try #require(documents.first { $0["title"] == "a" })
    #expect(same["origins"] == [.string(folder.file("a.pdf")), .string(folder.file("sub/same.pdf"))])
    // So few are one commit, and one step of undo.
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.everything() == [])
    await bench.stop()
  }

  @Test("`documents/add` of a folder says which method adds folders")
  func hint() async throws {
    let bench = try await DocumentBench()
    let failure = try await bench.client.failure("documents/add", ["path": .string(bench.daemon.folder.path)])
    #expect(failure?.kind == "notAllowed" && failure?.message.contains("documents/addFiles") == true)
    await bench.stop()
  }

  @Test("the same folder again adds nothing and changes nothing")
  func again() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for name in ["a", "b"] { try folder.write("\(name).pdf", SamplePDF([name])) }
    let paths: JSONValue = ["paths": [.string(folder.path)]]
    #expect(try await bench.client.call("documents/addFiles", paths)["added"] == 2)
    let again = try await bench.client.call("documents/addFiles", paths)
    #expect(again["existing"] == 2 && again["total"] == 2 && again["changed"] == false, "\(again)")
    await bench.stop()
  }

  @Test("patterns and `recursive` say which files of folders are added; a named file is always tried")
  func options() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for name in ["one.pdf", "two.PDF", "three.bin", "sub/four.pdf"] { try folder.write(name, SamplePDF([name])) }
    func added(_ params: JSONObject) async throws -> Set<String> {
      var params = params
      if params["paths"] == nil { params["paths"] = [.string(folder.path)] }
      let report = try await bench.client.call("documents/addFiles", .object(params))
      return Set(Self.outcomes(report).filter { $0.value != "refused" }.keys)
    }
    #expect(try await added(["recursive": false]) == ["one.pdf", "two.PDF"])
    #expect(try await added(["patterns": ["t*.pdf", "?our.*"]]) == ["two.PDF", "four.pdf"])
    #expect(try await added(["paths": [.string(folder.file("three.bin"))]]) == ["three.bin"])
    for (params, field): (JSONObject, JSONValue) in [
      (["patterns": ["a/b"]], "patterns[0]"), (["patterns": []], "patterns"), (["paths": []], "paths"),
      (["paths": ["relative.pdf"]], "paths[0]"), (["tags": ["a\nb"]], "tags[0]"),
    ] {
      var params = params
      if params["paths"] == nil { params["paths"] = [.string(folder.path)] }
      let failure = try await bench.client.failure("documents/addFiles", .object(params))
      #expect(failure?.code == -32602 && failure?.data?["field"] == field, "\(params)")
    }
    await bench.stop()
  }

  @Test("many files are several commits, told with progress, and the counts add up")
  func many() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for number in 1...45 { try folder.write("\(number).pdf", SamplePDF(["number \(number)"])) }
    let heard = Mutex<[String]>([])
    let report = try await bench.client.call("documents/addFiles", ["paths": [.string(folder.path)]]) { value in
      heard.withLock { $0.append(value["message"].text) }
    }
    #expect(report["added"] == 45 && report["total"] == 45 && report["files"].list.count == 45)
    #expect(report["changed"] == nil)
    #expect(heard.withLock { $0.contains { $0.wholeMatch(of: /45 of 45: \d+\.pdf/) != nil } })
    let log = try await bench.client.call("changes/log").items
    #expect(log.count == 3, "\(log)")
    await bench.stop()
  }

  @Test("a cancelled request keeps the files of its commits, and the same request adds the others")
  func cancelled() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for number in 1...20 { try folder.write("a-\(number).pdf", SamplePDF(["number \(number)"])) }
    // Its text is not extracted before the request is cancelled.
    try folder.write("b.pdf", .endless)
    let paths: JSONValue = ["paths": [.string(folder.path)]]
    let (reached, signal) = AsyncStream.makeStream(of: String.self)
    let pending = bench.client.send("documents/addFiles", paths) { value in
      guard value["message"].text.hasPrefix("21 of 21") else { return }
      signal.yield(value["message"].text)
      signal.finish()
    }
    // The name of the file, for which a line has room.
    for await message in reached { #expect(message == "21 of 21: b.pdf") }
    pending.cancel()
    await #expect {
      _ = try await pending.value()
    } throws: {
      ($0 as? RemoteError)?.code == -32800
    }
    #expect(try await bench.everything().count == 20)
    try folder.write("b.pdf", SamplePDF(["the last"]))
    let again = try await bench.client.call("documents/addFiles", paths)
    #expect(again["added"] == 1 && again["existing"] == 20 && again["total"] == 21, "\(again)")
    await bench.stop()
  }

  @Test("when a commit fails, the report has the files added before it, and refuses its own and those after it")
  func failedCommit() async throws {
    let place = TemporaryFolder()
    try await DocumentBench(in: place).stop()
    try OldLibraries.execute(
      """
      CREATE TRIGGER failing BEFORE INSERT ON document WHEN NEW.title = '30' OR NEW.title = 'z'
      BEGIN SELECT RAISE(ABORT, 'no room'); END
      """, in: LibraryFolder(place.file("library")))
    let bench = try await DocumentBench(in: place)
    let folder = try FileFolder("papers", in: place)
    for number in 1...45 { try folder.write("\(number).pdf", SamplePDF(["number \(number)"])) }
    let report = try await bench.client.call("documents/addFiles", ["paths": [.string(folder.path)]])
    #expect(report["added"] == 20 && report["refused"] == 25 && report["total"] == 45, "\(report)")
    #expect(report["files"]?[0].map { !$0["reason"].text.isEmpty } == true)
    #expect(try await bench.everything().count == 20)
    // The last commit too.
    let last = try FileFolder("last", in: place)
    for number in 51...71 { try last.write("\(number).pdf", SamplePDF(["number \(number)"])) }
    try last.write("z.pdf", SamplePDF(["last"]))
    let other = try await bench.client.call("documents/addFiles", ["paths": [.string(last.path)]])
    #expect(other["added"] == 20 && other["refused"] == 2, "\(other)")
    await bench.stop()
  }

  @Test("a confined client names no file outside of its folders, and none behind a link")
  func confined() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    let other = try FileFolder("other", in: bench.daemon.folder)
    try folder.write("a.pdf", SamplePDF(["alpha"]))
    try other.write("b.pdf", SamplePDF(["beta"]))
    try folder.link("link.pdf", to: other.file("b.pdf"))
    try folder.link("sub", to: other.path)
    let real = folder.real
    _ = try await bench.client.call("session/confine", ["folders": [.string(real)]])
    for path in [other.file("b.pdf"), real + "/link.pdf", real + "/sub/b.pdf"] {
      let failure = try await bench.client.failure("documents/add", ["path": .string(path)])
      #expect(["notAllowed", "notFound"].contains(failure?.kind), "\(path): \(String(describing: failure))")
    }
    let report = try await bench.client.call(
      "documents/addFiles", ["paths": [.string(real), .string(other.path), .string(real + "/sub")]])
    #expect(report["added"] == 1 && report["refused"] == 2, "\(report)")
    let export = try await bench.client.failure(
      "library/export", ["path": .string(real + "/sub/library.tar")])
    #expect(export?.kind == "notFound", "\(String(describing: export))")
    #expect(try FileManager.default.contentsOfDirectory(atPath: other.path) == ["b.pdf"])
    _ = try await bench.client.call("library/export", ["path": .string(real + "/library.tar")])
    _ = try await bench.client.call("library/backup", ["path": .string(real + "/backup")])
    // A file that the daemon itself names is none of the client's.
    let id = report["files"].list.first { $0["outcome"] == "added" }?["id"] ?? .null
    let copy = try await bench.client.call("documents/export", ["id": id, "format": "pdf", "inline": true])
    #expect(!copy["data"].text.isEmpty)
    // Another connection is free.
    let free = try await bench.daemon.client()
    #expect(try await free.call("documents/add", ["path": .string(other.file("b.pdf"))])["title"] == "b")
    await bench.stop()
  }

  @Test("of a confined client's folder the closed part is reported, and the rest is added")
  func closedFolder() async throws {
    let bench = try await DocumentBench()
    let folder = try FileFolder("papers", in: bench.daemon.folder)
    for name in ["a.pdf", "sub/b.pdf", "sub/closed/c.pdf", "sub/closed/deep/d.pdf"] {
      try folder.write(name, SamplePDF([name]))
    }
    let real = folder.real
    _ = try await bench.client.call(
      "session/confine", ["folders": [.string(real)], "closed": [.string(real + "/sub//closed/")]])
    let report = try await bench.client.call(
      "documents/addFiles", ["paths": [.string(real), .string(real + "//sub//closed/c.pdf")]])
    #expect(report["added"] == 2 && report["refused"] == 2 && report["total"] == 4, "\(report)")
    let refused = report["files"].list.prefix(2)
    #expect(refused.map { $0["kind"] } == ["notAllowed", "notAllowed"])
    #expect(
      Set(refused.map { $0["path"].text }) == [real + "/sub/closed", real + "//sub//closed/c.pdf"], "\(refused)")
    #expect(try await Set(bench.titles()) == ["a", "b"])
    await bench.stop()
  }
}
