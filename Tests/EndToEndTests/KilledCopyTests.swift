import Foundation
import Store
import TestSupport
import Testing
import Wire

@Suite("A copy of a document whose daemon or worker is killed", .timeLimit(.minutes(10)))
struct KilledCopyTests {
  /// When the process is killed: while the worker writes, while the copy is compared, at the first sign of the copy's
  /// name, and when nobody knows where it is.
  private enum Moment: CaseIterable {
    case begun, written, compared, proven
  }

  private let home = CommandLineHome()
  private var target: String { home.work + "/copy.pdf" }

  /// Large enough to be killed in the middle: some 24 MiB, of which poppler copies each byte by itself.
  private static let bytes: Data = {
    var sample = SamplePDF.carrying
    sample.objects[1] = SamplePDF.stream(String(repeating: "figures\n", count: 3 << 20), "/Type/EmbeddedFile")
    return Data(sample.bytes)
  }()

  private func add() async throws -> (id: String, blob: String, hash: String) {
    let file = home.work + "/a.pdf"
    try Self.bytes.write(to: URL(filePath: file))
    let id = try #require(try await home.call("documents/add", "path=\(file)")["id"]?.stringValue)
    let hash = try #require(try await home.call("documents/get", "id=\(id)")["hash"]?.stringValue)
    _ = try await home.call("documents/addHighlight", "id=\(id)", "page=0", #"lines:=["first"]"#)
    return (id, home.library.blobs + "/\(hash.prefix(2))/\(hash.dropFirst(2))", hash)
  }

  private func names(in folder: String, ending: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(ending) }
  }

  private func size(_ path: String) -> Int {
    var information = stat()
    return lstat(path, &information) == 0 ? Int(information.st_size) : -1
  }

  private func isReached(_ moment: Moment) -> Bool {
    let parts = home.library.parts
    let copy = names(in: home.work, ending: ".part").first.map { size(home.work + "/" + $0) } ?? -1
    return switch moment {
    case .begun: names(in: parts, ending: ".tmp").contains { size(parts + "/" + $0) > 0 }
    case .written: copy >= 0
    case .compared: copy > 1 << 20
    case .proven: copy > 0 && names(in: parts, ending: ".tmp").isEmpty
    }
  }

  /// Waits for the moment in an export; true if it came before the end.
  private func wait(for moment: Moment, in export: ChildProcess) async -> Bool {
    while !isReached(moment) {
      if export.hasEnded { return false }
      if size(target) > 0, names(in: home.work, ending: ".part").isEmpty { return false }
      await Task.yield()
    }
    return true
  }

  private func checkTarget(old: Data?) throws {
    let bytes = FileManager.default.contents(atPath: target)
    guard bytes != old else { return }
    let whole = try #require(bytes)
    #expect(whole.count > Self.bytes.count && whole.prefix(Self.bytes.count) == Self.bytes)
    #expect(String(decoding: whole.suffix(1_024), as: UTF8.self).contains("%%EOF"))
  }

  @Test(
    "the daemon: the source is as it was, the copy is whole or not there, and the next daemon removes what was left")
  func daemon() async throws {
    let (id, blob, hash) = try await add()
    var interrupted = 0
    for (round, moment) in (Moment.allCases + Moment.allCases).enumerated() {
      let old = round < Moment.allCases.count ? nil : Data("what was there before".utf8)
      if let old { try old.write(to: URL(filePath: target)) } else { unlink(target) }
      let export = try home.start(
        ["call", "documents/export", "id=\(id)", "format=pdf", "path=\(target)", "overwrite:=\(old != nil)"])
      interrupted += await wait(for: moment, in: export) ? 1 : 0
      let owner = try #require(await home.killDaemon())
      _ = await export.ended()
      try checkTarget(old: old)
      #expect(try Blobs.hash(path: blob).hash == hash)
      // The next daemon is started by the next command, and tidies up behind its back.
      #expect(try await home.call("documents/get", "id=\(id)")["hash"]?.stringValue == hash)
      #expect(home.owner?.pid != owner.pid)
      while !names(in: home.work, ending: ".part").isEmpty
        || ![".tmp", ".part", ".export"].allSatisfy({ names(in: home.library.parts, ending: $0).isEmpty })
      {
        await Task.yield()
      }
      #expect(try await home.call("library/check")["ok"] == true)
    }
    #expect(interrupted > 0)
    unlink(target)
    _ = try await home.call("documents/export", "id=\(id)", "format=pdf", "path=\(target)")
    try checkTarget(old: nil)
    #expect(FileManager.default.fileExists(atPath: target))
  }

  @Test("the worker: the request says so, nothing is left, the source is as it was, and the next copy is whole")
  func worker() async throws {
    let (id, blob, hash) = try await add()
    for _ in 0..<2 {
      let export = try home.start(["call", "documents/export", "id=\(id)", "format=pdf", "path=\(target)"])
      // An export that ended before it was seen to begin is whole, and is checked as that.
      _ = await wait(for: .begun, in: export)
      let workers = try await home.call("session/status")["workers"]?["running"]?.arrayValue ?? []
      for worker in workers where worker["isBusy"] == true {
        kill(pid_t(worker["pid"]?.integerValue ?? 0), SIGKILL)
      }
      let result = await export.end()
      if result.status != 0 {
        #expect(result.errors.contains("crash"), "\(result)")
        #expect(!FileManager.default.fileExists(atPath: target))
      }
      try checkTarget(old: nil as Data?)
      #expect(try Blobs.hash(path: blob).hash == hash)
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.library.parts) == [])
      #expect(names(in: home.work, ending: ".part").isEmpty)
      unlink(target)
    }
    _ = try await home.call("documents/export", "id=\(id)", "format=pdf", "path=\(target)")
    try checkTarget(old: nil)
    #expect(FileManager.default.fileExists(atPath: target))
  }
}
