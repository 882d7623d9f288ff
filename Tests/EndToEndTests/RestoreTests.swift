import Foundation
import Glibc
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("commonplace restore", .timeLimit(.minutes(10)))
struct RestoreTests {
  @Test("makes a library of a backup or an archive, and never replaces one")
  func restores() async throws {
    let home = CommandLineHome()
    try Data(SamplePDF(pages: [.init(["again"])]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    _ = try await home.call("documents/add", "path=paper.pdf")
    _ = try await home.call("diary/add", "text=A walk")
    #expect(try await home.run(["backup", "backup"]).status == 0)
    _ = try await home.call("library/export", "path=library.tar")
    let refused = try await home.run(["restore", "backup"])
    #expect(refused.status == 5 && refused.errors.contains("exists and is not empty"), "\(refused)")
    #expect(try await home.run(["stop"]).status == 0)
    let files = FileManager.default
    // An empty folder is as good as none.
    try files.createDirectory(atPath: home.work + "/empty", withIntermediateDirectories: true)
    for (backup, library) in [("backup", "new/library"), ("library.tar", "other"), ("backup", "empty")] {
      let restored = try await home.run(["restore", backup, "--library", library])
      #expect(restored.status == 0, "\(restored)")
      let list = try await home.run(["call", "diary/list", "--library", library])
      #expect(try JSONParser.parse(list.output)["total"] == 1, "\(list)")
      let check = try await home.run(["check", "--library", library])
      #expect(check.status == 0, "\(check)")
      #expect(try await home.run(["stop", "--library", library]).status == 0)
    }
    #expect(try files.contentsOfDirectory(atPath: home.work + "/new") == ["library"])
  }

  @Test("takes the newest of the copies with one name, names its date, and takes the first one if told so")
  func newest() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/add", "text=First")
    #expect(try await home.run(["backup", "backups"]).status == 0)
    _ = try await home.call("diary/add", "text=Second")
    let copied = try await home.run(["backup", "backups"])
    let newest = try #require(try JSONParser.parse(copied.output)["path"]?.stringValue)
    // As by "cp -r", which gives the oldest copy the newest files; a name alone makes no copy.
    let database = home.work + "/backups/library.sqlite"
    let later: [FileAttributeKey: Any] = [.modificationDate: Date(timeIntervalSinceNow: 3_600)]
    try FileManager.default.setAttributes(later, ofItemAtPath: database)
    try FileManager.default.createDirectory(
      atPath: home.work + "/backups-2199-01-01-000000", withIntermediateDirectories: true)
    let first = home.work + "/backups"
    for (words, backup, total) in [
      (["backups"], newest, 2), (["backups", "--exact"], first, 1), ([newest], newest, 2),
      (["backups", newest, "--exact"], newest, 2),
    ] {
      let library = "restored-\(UUID().uuidString)"
      let restored = try await home.run(["restore"] + words + ["--library", library])
      let report = try JSONParser.parse(restored.output)
      #expect(restored.status == 0 && report["backup"]?.stringValue == backup, "\(restored)")
      #expect(report["backedUpAt"]?.stringValue?.hasPrefix("20") == true, "\(restored)")
      let list = try await home.run(["call", "diary/list", "--library", library])
      #expect(try JSONParser.parse(list.output)["total"] == .integer(Int64(total)), "\(list)")
      #expect(try await home.run(["stop", "--library", library]).status == 0)
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: first).sorted()
    #expect(files == ["blobs", "library.sqlite", "parts"])
    let shown = try await home.startOnTerminal(["restore", "backups", "--library", "shown"]).ended()
    #expect(shown.status == 0 && shown.output.contains("The backup of 20"), "\(shown)")
    #expect(shown.output.contains(newest), "\(shown)")
  }

  @Test("takes the newest of plain copies of a library that was not closed, and changes none of them")
  func unclosed() async throws {
    let home = CommandLineHome()
    let files = FileManager.default
    let copies = ["copy", "copy-2026-11-27-083000"].map { home.work + "/" + $0 }
    for copy in copies {
      _ = try await home.call("diary/add", "text=A walk")
      _ = try #require(await home.killDaemon())
      try files.createDirectory(atPath: copy, withIntermediateDirectories: false)
      for name in ["library.sqlite", "library.sqlite-wal"] {
        try files.copyItem(atPath: home.library.path + "/" + name, toPath: copy + "/" + name)
      }
    }
    let bytes = { try copies.flatMap { try [$0 + "/library.sqlite", $0 + "/library.sqlite-wal"].map(Self.bytes) } }
    let before = try bytes()
    let restored = try await home.run(["restore", "copy", "--library", "new"])
    #expect(restored.status == 0, "\(restored)")
    #expect(try JSONParser.parse(restored.output)["backup"] == .string(copies[1]))
    let list = try await home.run(["call", "diary/list", "--library", "new"])
    #expect(try JSONParser.parse(list.output)["total"] == 2, "\(list)")
    #expect(try await home.run(["stop", "--library", "new"]).status == 0)
    #expect(try bytes() == before)
    for copy in copies {
      #expect(try files.contentsOfDirectory(atPath: copy).sorted() == ["library.sqlite", "library.sqlite-wal"])
    }
  }

  private static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

  @Test(
    "passes over a newer copy that another user has created, or links to",
    .enabled(if: geteuid() == 0, "only root can give files to another user"))
  func stranger() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/add", "text=First")
    #expect(try await home.run(["backup", "backups"]).status == 0)
    _ = try await home.call("diary/add", "text=Second")
    for name in ["theirs", "other"] { #expect(try await home.run(["backup", name]).status == 0) }
    let (planted, link) = (home.work + "/backups-2030-01-01-000000", home.work + "/backups-2030-01-01-000001")
    #expect(rename(home.work + "/theirs", planted) == 0 && lchown(planted, 65_534, 65_534) == 0)
    #expect(symlink(home.work + "/other", link) == 0 && lchown(link, 65_534, 65_534) == 0)
    let first = home.work + "/backups"
    #expect(BackupFamily.newest(of: [first], isExact: false) == first)
    // As a shell expands a pattern.
    #expect(BackupFamily.newest(of: [first, planted, link], isExact: true) == first)
    // As one's own, both are newer.
    #expect(lchown(link, 0, 0) == 0)
    #expect(BackupFamily.newest(of: [first], isExact: false) == link)
    // Another user's backup is followed by their own copies.
    #expect(lchown(first, 65_534, 65_534) == 0)
    #expect(BackupFamily.newest(of: [first], isExact: false) == planted)
  }

  @Test("names the commands that replace a library, which then do, and a new empty library is reported")
  func replaced() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/add", "text=A walk")
    #expect(try await home.run(["backup", "backups"]).status == 0)
    _ = try await home.call("diary/add", "text=Another")
    let refused = try await home.run(["restore", "backups"])
    let line = try #require(refused.errors.firstMatch(of: /commonplace stop && mv .* && commonplace restore .*backups/))
    let replaced = try await home.startOnTerminal(
      script: "commonplace() { \"$commonplace\" \"$@\"; }; \(line.output)"
    ).ended()
    #expect(replaced.status == 0, "\(refused) \(replaced)")
    #expect(try await home.call("diary/list")["total"] == 1)
    #expect(try await home.run(["stop"]).status == 0)
    try FileManager.default.moveItem(atPath: home.library.path, toPath: home.library.path + ".other")
    let script = """
      "$commonplace" today
      "$commonplace" today
      """
    let shown = try await home.startOnTerminal(script: script).ended()
    #expect(shown.output.ranges(of: "A new, empty library was created at \(home.library.path)").count == 1, "\(shown)")
  }

  @Test("brings a removed item back, by its number in the list of removed items or by its id")
  func removedItem() async throws {
    let home = CommandLineHome()
    var ids: [String] = []
    for title in ["Return the book", "Water the figs"] {
      ids.append(
        try #require(try await home.call("projects/add", "title=\(title)", "deadline:=null")["id"]?.stringValue))
    }
    for id in ids { _ = try await home.call("projects/remove", "id=\(id)") }
    let shown = try await home.startOnTerminal(
      script: """
        "$commonplace" call changes/removed --locale en
        "$commonplace" restore %2
        """
    ).ended()
    #expect(shown.status == 0 && shown.output.contains("Water the figs"), "\(shown)")
    #expect(try await home.call("projects/get", "id=\(ids[0])")["title"] == "Return the book")
    let reply = try await home.run(["restore", ids[1]])
    #expect(reply.status == 0 && reply.output.contains("Water the figs"), "\(reply)")
    #expect(try await home.run(["restore", ids[1]]).status == 5)
  }

  @Test(
    "fails if the disk does, and leaves nothing",
    .enabled(if: access("/usr/bin/strace", X_OK) == 0, "strace is not installed: scripts/install does it"))
  func failingDisk() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/add", "text=A walk")
    #expect(try await home.run(["backup", "backup"]).status == 0)
    #expect(try await home.run(["call", "library/export", "path=library.tar"]).status == 0)
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "commonplace")
      .path
    for backup in ["backup", "library.tar"] {
      let failed = await
        (try ChildProcess(
          "/usr/bin/strace",
          ["-f", "-qq", "-o", "/dev/null", "-e", "trace=syncfs", "-e", "inject=syncfs:error=EIO"]
            + [program, "restore", backup, "--library", "new"],
          environment: home.environment, folder: home.work)).end()
      #expect(failed.status != 0 && failed.errors.contains("Input/output error"), "\(failed)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: home.work).sorted() == ["backup", "library.tar"])
    }
  }

  @Test("removes the partial copy of a killed restore, and no other folder")
  func stale() async throws {
    let home = CommandLineHome()
    _ = try await home.call("diary/add", "text=A walk")
    #expect(try await home.run(["backup", "backup"]).status == 0)
    let ended = try home.start(["stop"])
    _ = await ended.end()
    let kept = ["new.\(getpid()).partial", "new.x.partial", "newer.\(ended.pid).partial"]
    for name in kept + ["new.\(ended.pid).partial"] {
      try FileManager.default.createDirectory(atPath: home.work + "/" + name, withIntermediateDirectories: true)
    }
    let restored = try await home.run(["restore", "backup", "--library", "new"])
    #expect(restored.status == 0, "\(restored)")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: home.work).sorted() == (kept + ["backup", "new"]).sorted())
  }

  @Test("a damaged backup and one that is none leave nothing")
  func damaged() async throws {
    let home = CommandLineHome()
    try Data(SamplePDF(pages: [.init(["again"])]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    let document = try await home.call("documents/add", "path=paper.pdf")
    #expect(try await home.run(["backup", "backup"]).status == 0)
    let hash = try #require(document["hash"]?.stringValue)
    try Data("other".utf8).write(
      to: URL(filePath: home.work + "/backup/blobs/\(hash.prefix(2))/\(hash.dropFirst(2))"))
    let refused = try await home.run(["restore", "backup", "--library", "new"])
    #expect(refused.status == 12 && refused.errors.contains("is damaged; nothing was restored"), "\(refused)")
    let none = try await home.run(["restore", "nothing", "--library", "new"])
    #expect(none.status == 4 && none.errors.contains("is not a backup"), "\(none)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: home.work).sorted() == ["backup", "paper.pdf"])
  }
}
