import Client
import Contract
import Foundation
import TestSupport
import Testing
import Wire

@Suite("Diary: the mirror folder") struct MirrorTests {
  private func mirror(_ path: String, of client: Client) async throws -> JSONValue {
    try await client.call("diary/mirror", ["path": .string(path)])
  }

  /// A diary with entries of these ids, each of which says `text of …`, and its mirror.
  private func mirrored(_ ids: String...) async throws -> (bench: DiaryBench, path: String) {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    for id in ids { try await bench.add("text of \(id)", id: id) }
    _ = try await mirror(path, of: bench.client)
    return (bench, path)
  }

  /// What the files say, by name; the marker is left out.
  private func files(in path: String) throws -> [String: String] {
    var files: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where !name.hasPrefix(".") {
      let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
      let body = String(text.split(separator: "---\n", omittingEmptySubsequences: false).last ?? "")
      files[name] = text.contains("finalNewline: no\n") ? String(body.dropLast()) : body
    }
    return files
  }

  @Test("every entry is a file, and follows what is added, changed, moved, removed and taken back without being asked")
  func follows() async throws {
    let bench = try await DiaryBench()
    try await bench.add("one\r\n", id: "a")
    let path = bench.daemon.folder.file("mirror")
    let state = try await mirror(path, of: bench.client)
    #expect(
      state["state"] == "current" && state["files"] == 1 && state["changed"] == nil
        && state["path"]?.stringValue == path)
    #expect(try files(in: path) == ["2026-11-21-a.md": "one\r\n"])
    try await bench.add("two", id: "b")
    try await bench.add("three", id: "c")
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "one, changed"])
    _ = try await bench.client.call("diary/update", ["id": "b", "day": "2020-01-02"])
    _ = try await bench.client.call("diary/remove", ["id": "c"])
    // Ending waits for what was to be written.
    #expect(try await bench.client.call("diary/mirror", ["path": .null])["state"] == "off")
    #expect(try files(in: path) == ["2026-11-21-a.md": "one, changed", "2020-01-02-b.md": "two"])
    // Ended, it stands still, and goes on where it is begun again.
    _ = try await bench.client.call("diary/update", ["id": "b", "day": "2026-11-21"])
    #expect(try await bench.client.call("diary/mirror")["state"] == "off")
    #expect(try files(in: path).keys.sorted() == ["2020-01-02-b.md", "2026-11-21-a.md"])
    #expect(try await mirror(path, of: bench.client)["files"] == 2)
    #expect(try files(in: path).keys.sorted() == ["2026-11-21-a.md", "2026-11-21-b.md"])
    _ = try await bench.client.call("changes/undo")
    #expect(try await bench.client.call("diary/mirror")["state"] == "current")
    #expect(try files(in: path).keys.sorted() == ["2020-01-02-b.md", "2026-11-21-a.md"])
    await bench.stop()
  }

  @Test("the mirror of a confined client stays confined in later passes, and under the next daemon")
  func confined() async throws {
    let folder = TemporaryFolder()
    let root = URL(filePath: folder.path).resolvingSymlinksInPath().path
    let (inside, outside) = (root + "/inside", root + "/outside")
    for path in [inside + "/sub", outside] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }
    let bench = try await DiaryBench(in: folder)
    try await bench.add("one", id: "a")
    let client = try await bench.daemon.client()
    _ = try await client.call("session/confine", ["folders": [.string(inside)]])
    for path in [outside + "/mirror", inside + "/../outside/mirror"] {
      let failure = try await client.failure("diary/mirror", ["path": .string(path)])
      #expect(failure?.kind == "notFound", "\(path): \(String(describing: failure))")
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside) == [])
    let path = inside + "/sub/mirror"
    #expect(try await mirror(path, of: client)["files"] == 1)
    // The folder is the same, and a link leads to it.
    try FileManager.default.moveItem(atPath: inside + "/sub", toPath: outside + "/sub")
    try FileManager.default.createSymbolicLink(atPath: inside + "/sub", withDestinationPath: outside + "/sub")
    try await bench.add("two", id: "b")
    #expect(try await bench.client.call("diary/mirror")["state"] == "paused")
    await bench.stop()

    let again = try await DiaryBench(in: folder)
    #expect(try await again.client.call("diary/mirror")["state"] == "paused")
    #expect(try files(in: outside + "/sub/mirror").count == 1)
    // Somebody who is not confined may name it.
    #expect(try await mirror(path, of: again.client)["files"] == 2)
    #expect(try files(in: outside + "/sub/mirror").count == 2)
    await again.stop()
  }

  @Test("a confined client replaces and ends only the mirror that it made itself")
  func otherMirror() async throws {
    let folder = TemporaryFolder()
    let root = URL(filePath: folder.path).resolvingSymlinksInPath().path
    let bench = try await DiaryBench(in: folder)
    let client = try await bench.daemon.client()
    _ = try await client.call("session/confine", ["folders": [.string(root)]])
    let (mine, theirs) = (root + "/mine", root + "/theirs")
    #expect(try await mirror(mine, of: bench.client)["state"] == "current")
    for path in [.string(theirs), .string(mine), .null] as [JSONValue] {
      let failure = try await client.failure("diary/mirror", ["path": path])
      #expect(failure?.kind == "notAllowed" && failure?.data?["key"] == "file.otherSetting", "\(path)")
    }
    #expect(!FileManager.default.fileExists(atPath: theirs))
    #expect(try await client.call("diary/mirror")["path"] == .string(mine))
    _ = try await bench.client.call("diary/mirror", ["path": .null])
    #expect(try await mirror(theirs, of: client)["state"] == "current")
    #expect(try await client.call("diary/mirror", ["path": .null])["state"] == "off")
    await bench.stop()
  }

  @Test("the folder is a new one; what is there already is not touched")
  func newFolder() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mine")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    let failure = try await bench.client.failure("diary/mirror", ["path": .string(path)])
    #expect(failure?.data?["kind"] == "exists" && failure?.data?["key"] == "file.exists")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    #expect(try await bench.client.call("diary/mirror")["state"] == "off")
    let lost = bench.daemon.folder.file("no/such")
    #expect(try await bench.client.failure("diary/mirror", ["path": .string(lost)])?.data?["kind"] == "notFound")
    #expect(try await bench.client.failure("diary/mirror", ["path": "relative"])?.data?["field"] == "path")
    await bench.stop()
  }

  @Test("a folder that was removed, or replaced by another without the marker, pauses the mirror and is not written to")
  func paused() async throws {
    let bench = try await DiaryBench(locale: "ko")
    let path = bench.daemon.folder.file("mirror")
    try await bench.add("one", id: "a")
    _ = try await mirror(path, of: bench.client)
    try FileManager.default.moveItem(atPath: path, toPath: path + "-away")
    try await bench.add("two", id: "b")
    let gone = try await bench.client.call("diary/mirror")
    #expect(gone["state"] == "paused" && gone["display"].text.contains("표시가 없습니다"))
    #expect(!FileManager.default.fileExists(atPath: path))
    // An unmounted file system leaves an empty folder; a link may lead anywhere.
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    #expect(try await bench.client.call("diary/mirror")["state"] == "paused")
    #expect(try FileManager.default.contentsOfDirectory(atPath: path).isEmpty)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + "-away")
    #expect(try await bench.client.call("diary/mirror")["state"] == "paused")
    #expect(try files(in: path + "-away").count == 1)
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.moveItem(atPath: path + "-away", toPath: path)
    #expect(try await bench.client.call("diary/mirror")["state"] == "current")
    #expect(try files(in: path).count == 2)
    // Who names the path again is told what stands there, and begins anew where there is nothing.
    try FileManager.default.removeItem(atPath: path + "/.commonplace-mirror")
    let failure = try await bench.client.failure("diary/mirror", ["path": .string(path)])
    #expect(failure?.data?["kind"] == "exists")
    #expect(try await bench.client.call("diary/mirror")["state"] == "paused")
    try FileManager.default.removeItem(atPath: path)
    #expect(try await bench.client.call("diary/mirror")["state"] == "paused")
    #expect(try await mirror(path, of: bench.client)["state"] == "current")
    #expect(try files(in: path).count == 2)
    await bench.stop()
  }

  @Test("what somebody wrote into a file while the daemon was down is kept, and an import takes it over")
  func edited() async throws {
    let (bench, path) = try await mirrored("a", "b", "c")
    await bench.stop()
    for id in ["a", "b"] {
      let file = "\(path)/2026-11-21-\(id).md"
      let written = try String(contentsOfFile: file, encoding: .utf8)
      try Data("\(written.dropLast()), edited\n".utf8).write(to: URL(filePath: file))
    }
    try FileManager.default.removeItem(atPath: "\(path)/2026-11-21-c.md")
    let next = try await DiaryBench(in: bench.daemon.folder)
    _ = try await next.client.call("diary/update", ["id": "b", "text": "b, changed here"])
    let state = try await next.client.call("diary/mirror")
    #expect(state["files"] == 3 && state["edited"] == ["2026-11-21-a.md"])
    #expect(state["display"].text.hasPrefix("1 file differs from the diary: 2026-11-21-a.md."))
    let found = try files(in: path)
    #expect(found["2026-11-21-a.md"] == "text of a, edited" && found["2026-11-21-b.md"] == "b, changed here")
    #expect(found["2026-11-21-c.md"] == "text of c" && found.count == 4)
    // The file that had to make way is named, for as long as the diary has not what it says.
    let aside = try #require(found.first { $0.key.hasPrefix("2026-11-21-b.edited-") })
    #expect(aside.value == "text of b, edited" && state["setAside"] == [.string(aside.key)])
    #expect(state["display"].text.contains("1 edited file was set aside"))
    #expect(state["display"].text.contains(aside.key))
    let report = try await next.client.call("diary/import", ["path": .string(path), "format": "markdown"])
    #expect(
      report["updated"] == 1 && report["conflicts"] == 1 && report["notes"].list.map { $0["reason"] } == ["conflict"])
    #expect(Set(try await next.titles()) == ["text of a, edited", "b, changed here", "text of c"])
    let after = try await next.client.call("diary/mirror")
    #expect(after["files"] == 3 && after["edited"] == nil && after["changed"] == false)
    #expect(after["setAside"] == nil && after["display"] == nil)
    // The edits are in the library, so only the one that was put aside before is beside the three.
    #expect(try files(in: path).count == 4)
    await next.stop()
  }

  @Test("a file that was saved in another encoding is put aside as it is, and told of")
  func otherEncoding() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    try await bench.add("산책", id: "a")
    _ = try await mirror(path, of: bench.client)
    // In EUC-KR, as an old editor writes it.
    let bytes = Data("---\nid: a\n---\n".utf8) + Data([0xBB, 0xEA, 0xC3, 0xA5, 0x0A])
    try bytes.write(to: URL(filePath: "\(path)/2026-11-21-a.md"))
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "changed"])
    let state = try await bench.client.call("diary/mirror")
    let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".md") }.sorted()
    let aside = try #require(names.first { $0.contains(".edited-") }, "\(names)")
    #expect(names.count == 2 && state["setAside"] == [.string(aside)], "\(state)")
    #expect(try Data(contentsOf: URL(filePath: "\(path)/\(aside)")) == bytes)
    await bench.stop()
  }

  @Test("what somebody wrote above the text of a file is kept too: another day, a line of their own")
  func editedMatter() async throws {
    let (bench, path) = try await mirrored("a", "b")
    for (id, old, new) in [("a", "day: 2026-11-21", "day: 2026-11-20"), ("b", "---\nid: b", "---\naim: x\nid: b")] {
      let file = "\(path)/2026-11-21-\(id).md"
      let written = try String(contentsOfFile: file, encoding: .utf8)
      try Data(written.replacing(old, with: new).utf8).write(to: URL(filePath: file))
    }
    let edited = try await bench.client.call("diary/mirror")["edited"].list.map(\.text)
    #expect(Set(edited) == ["2026-11-21-a.md", "2026-11-21-b.md"])
    for id in ["a", "b"] { _ = try await bench.client.call("diary/update", ["id": .string(id), "text": "changed"]) }
    #expect(try await bench.client.call("diary/mirror")["edited"] == nil)
    let names = try files(in: path).keys.sorted()
    #expect(names.map { $0.contains(".edited-") } == [true, false, true, false], "\(names)")
    let aside = try names.filter { $0.contains(".edited-") }.map {
      try String(contentsOfFile: "\(path)/\($0)", encoding: .utf8)
    }
    #expect(aside[0].contains("day: 2026-11-20\n") && aside[1].contains("aim: x\n"))
    await bench.stop()
  }

  @Test("a file that was put aside brings its text once, however often the folder is imported that has both by then")
  func editedTwice() async throws {
    let (bench, path) = try await mirrored("a")
    let file = "\(path)/2026-11-21-a.md"
    let written = try String(contentsOfFile: file, encoding: .utf8)
    try Data("\(written.dropLast()), edited\n".utf8).write(to: URL(filePath: file))
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "a, changed here"])
    for (round, conflicts) in [1, 0, 0].enumerated() {
      #expect(try await bench.client.call("diary/mirror")["state"] == "current")
      let report = try await bench.client.call("diary/import", ["path": .string(path), "format": "markdown"])
      #expect(report["added"] == 0, "\(round) \(report)")
      #expect(report["notes"].list.count { $0["reason"] == "conflict" } == conflicts, "\(round) \(report)")
    }
    #expect(try await bench.titles() == ["a, changed here"])
    await bench.stop()
  }

  @Test("no link in the folder is followed: what it leads to stays as it is")
  func links() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    let outside = bench.daemon.folder.file("outside")
    try Data("outside".utf8).write(to: URL(filePath: outside))
    try await bench.add("one", id: "a")
    _ = try await mirror(path, of: bench.client)
    let file = "\(path)/2026-11-21-a.md"
    try FileManager.default.removeItem(atPath: file)
    try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: outside)
    _ = try await bench.client.call("diary/update", ["id": "a", "text": "two"])
    #expect(try await bench.client.call("diary/mirror")["state"] == "current")
    #expect(try String(contentsOfFile: outside, encoding: .utf8) == "outside")
    #expect(try files(in: path)["2026-11-21-a.md"] == "two")
    await bench.stop()
  }

  @Test("a copy of the library does not write into the mirror of the first")
  func copies() async throws {
    let bench = try await DiaryBench()
    let path = bench.daemon.folder.file("mirror")
    try await bench.add("one", id: "a")
    _ = try await mirror(path, of: bench.client)
    let folder = TemporaryFolder()
    _ = try await bench.client.call("library/backup", ["path": .string(folder.file("library"))])
    let copy = try await DiaryBench(in: folder)
    try await copy.add("of the copy")
    #expect(try await copy.client.call("diary/mirror")["state"] == "paused")
    #expect(try files(in: path).count == 1)
    await copy.stop()
    await bench.stop()
  }
}
