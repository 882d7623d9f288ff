import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("A disk that is full", .timeLimit(.minutes(10)), .enabled(if: SmallDisk.isAvailable))
struct FullDiskTests {
  private static let png = Data([0x89, 0x50, 0x4E, 0x47])
  private static let pngEnd = Data([0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82])

  /// Whether a command failed since the disk is full, and nothing else.
  private func isFull(_ home: CommandLineHome, _ arguments: String...) async throws -> Bool {
    let result = try await home.run(["call"] + arguments)
    guard result.status != 0 else { return false }
    #expect(result.status == commonplace.ExitStatus.diskFull.rawValue, "\(result)")
    return true
  }

  private func serve(_ home: CommandLineHome, _ disks: [SmallDisk]) async throws -> ChildProcess {
    let daemon = try home.start(["serve"], smallDisks: disks)
    let line = try #require(await daemon.errorLine())
    #expect(line.hasPrefix("Serving "), "\(line)")
    return daemon
  }

  @Test("a copy or an attachment that does not fit leaves nothing, the file that was there stays, and the source too")
  func exports() async throws {
    let home = CommandLineHome()
    let disk = SmallDisk(home.work + "/small", bytes: 1 << 20)
    let daemon = try await serve(home, [disk])
    var sample = SamplePDF.carrying
    sample.objects[1] = SamplePDF.stream(String(repeating: "figures\n", count: 400_000), "/Type/EmbeddedFile")
    let file = home.work + "/a.pdf"
    try Data(sample.bytes).write(to: URL(filePath: file))
    let id = try #require(try await home.call("documents/add", "path=\(file)")["id"]?.stringValue)
    let hash = try #require(try await home.call("documents/get", "id=\(id)")["hash"]?.stringValue)
    _ = try await home.call("documents/addHighlight", "id=\(id)", "page=0", #"lines:=["first"]"#)
    _ = try await home.call("documents/export", "id=\(id)", "format=markdown", "path=\(disk.path)/notes.md")
    let notes = try #require(disk.files(of: daemon.pid)["notes.md"])
    for path in ["\(disk.path)/new.pdf", "\(disk.path)/notes.md"] {
      #expect(try await isFull(home, "documents/export", "id=\(id)", "format=pdf", "path=\(path)", "overwrite:=true"))
      #expect(
        try await isFull(
          home, "documents/saveAttachment", "id=\(id)", "attachment=0", "path=\(path)", "overwrite:=true"))
      #expect(disk.files(of: daemon.pid) == ["notes.md": notes])
    }
    #expect(try Blobs.hash(path: home.library.blobs + "/\(hash.prefix(2))/\(hash.dropFirst(2))").hash == hash)
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(sample.bytes))
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.library.parts) == [])
    // There is room elsewhere.
    let copy = home.work + "/copy.pdf"
    #expect(
      try await home.call("documents/export", "id=\(id)", "format=pdf", "path=\(copy)")["added"]?.integerValue == 1)
    #expect(try Data(contentsOf: URL(filePath: copy)).starts(with: sample.bytes))
    daemon.kill(SIGTERM)
    _ = await daemon.ended()
  }

  @Test("a library whose disk is full says so, keeps what it has, and has room again for what it then saves")
  func library() async throws {
    let home = CommandLineHome()
    let disk = SmallDisk(home.library.parts, bytes: 1 << 20)
    let file = home.work + "/a.pdf"
    var sample = SamplePDF.carrying
    sample.objects[1] = SamplePDF.stream(String(repeating: "figures\n", count: 400_000), "/Type/EmbeddedFile")
    try Data(sample.bytes).write(to: URL(filePath: file))
    let id = try #require(try await home.call("documents/add", "path=\(file)")["id"]?.stringValue)
    _ = try await home.call("documents/addHighlight", "id=\(id)", "page=0", #"lines:=["first"]"#)
    try await home.run(["stop"])
    let daemon = try await serve(home, [disk])
    let target = home.work + "/out"
    #expect(try await isFull(home, "documents/export", "id=\(id)", "format=pdf", "path=\(target)"))
    #expect(try await isFull(home, "documents/saveAttachment", "id=\(id)", "attachment=0", "path=\(target)"))
    #expect(try await isFull(home, "documents/export", "id=\(id)", "format=pdf", "path=\(target)"))
    #expect(disk.files(of: daemon.pid) == [:])
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.work).sorted() == ["a.pdf"])
    // Who looks later sees it: once for each method, however often it was refused.
    let told = try await home.call("session/status")["lastErrors"]?.arrayValue?.compactMap(\.stringValue) ?? []
    for method in ["documents/export", "documents/saveAttachment"] {
      #expect(told.count { $0.contains("error a disk is full: \(method) could not write") } == 1, "\(told)")
    }
    #expect(try await home.call("library/check")["ok"] == true)
    daemon.kill(SIGTERM)
    _ = await daemon.ended()
  }

  @Test("pictures that do not fit leave no half of one, those before them stay, and what was drawn ahead makes room")
  func pictures() async throws {
    let home = CommandLineHome()
    try home.configure("[pdf]\nahead = false\n")
    let caches = SmallDisk(try #require(home.environment["HOME"]) + "/.cache", bytes: 512 << 10)
    let memory = SmallDisk("/dev/shm", bytes: 12 << 20)
    let daemon = try await serve(home, [caches, memory])
    let file = home.work + "/a.pdf"
    let lines = (0..<20).map { "line \($0) of a page with some words in it" }
    try Data(SamplePDF(pages: (0..<40).map { _ in .init(lines) }).bytes).write(to: URL(filePath: file))
    let id = try #require(try await home.call("documents/add", "path=\(file)")["id"]?.stringValue)
    for (disk, format, ending) in [(caches, "png", ".png"), (memory, "raw", ".raw")] {
      var sizes: [Int64] = []
      for page in 0..<40 {
        let result = try await home.run(
          ["call", "documents/render", "id=\(id)", "page=\(page)", "width=1000", "format=\(format)"])
        guard result.status == 0 else {
          #expect(result.status == commonplace.ExitStatus.diskFull.rawValue, "\(result)")
          break
        }
        sizes.append(try JSONParser.parse(result.output)["size"]?.integerValue ?? 0)
      }
      #expect(!sizes.isEmpty && sizes.count < 40)
      let files = disk.files(of: daemon.pid).filter {
        // The thumbnail of the document may have found room too.
        $0.key.hasSuffix(ending) && !$0.key.contains("thumbnails/")
      }
      #expect(files.values.map { Int64($0.count) }.sorted() == sizes.sorted())
      if format == "png" {
        #expect(files.values.allSatisfy { $0.prefix(4) == Self.png && $0.suffix(8) == Self.pngEnd })
      }
    }
    #expect(try await home.call("session/status")["workers"]?["crashes"] == 0)
    daemon.kill(SIGTERM)
    _ = await daemon.ended()

    // Each page that is asked for brings two that nobody asked for: these go, and pages come for as long as without
    // them.
    try home.configure("[pdf]\nahead = true\n")
    let again = try await serve(home, [caches])
    var drawn = 0
    for page in stride(from: 1, to: 40, by: 3) {
      guard try await !isFull(home, "documents/render", "id=\(id)", "page=\(page)", "width=1000") else { break }
      drawn += 1
    }
    #expect(drawn > 2)
    again.kill(SIGTERM)
    _ = await again.ended()
  }
}
