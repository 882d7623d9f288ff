import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import commonplace

@Suite("What keeps a library from being served is one sentence and a status of its own", .timeLimit(.minutes(10)))
struct FailureTests {
  /// Every way to a daemon tells the same: one of its own, one that is started, one inside of the command.
  private static let ways = [
    ["serve"], ["serve", "--stdio", "--private"], ["connect"], ["call", "session/ping"], ["check"],
  ]

  /// Those of them that make a library where a path is named at which there is none.
  private static let makingWays = [["serve"], ["serve", "--stdio", "--private"], ["connect"]]

  private func expect(
    _ status: commonplace.ExitStatus, _ words: String, of home: CommandLineHome, _ options: [String] = [],
    by ways: [[String]] = ways, changing environment: [String: String?] = [:]
  ) async throws {
    for way in ways {
      let result = try await home.run(way + options, changing: environment)
      #expect(result.status == status.rawValue, "\(way): \(result)")
      #expect(result.output == "", "\(way)")
      #expect(result.errors.contains(words), "\(way): \(result.errors)")
      #expect(result.errors.hasPrefix("commonplace: "), "\(way): \(result.errors)")
      #expect(result.errors.split(separator: "\n").count == 1, "\(way): \(result.errors)")
      #expect(!home.isOwned, "\(way)")
    }
  }

  @Test("a library of a newer version")
  func newer() async throws {
    let home = CommandLineHome()
    try await home.run(["check"])
    try OldLibraries.addMigration("diary/999", to: home.library)
    try await expect(.newerLibrary, "diary/999", of: home)
  }

  @Test("a damaged library file, which is left as it is")
  func broken() async throws {
    let home = CommandLineHome()
    try await home.run(["check"])
    let rubbish = String(repeating: "this was a library once\n", count: 1_000)
    try rubbish.write(toFile: home.library.database, atomically: false, encoding: .utf8)
    try await expect(.brokenLibrary, home.library.path, of: home)
    #expect(try String(contentsOfFile: home.library.database, encoding: .utf8) == rubbish)
  }

  @Test("a library file of which the end is missing, which is left as it is")
  func cut() async throws {
    let home = CommandLineHome()
    try await home.run(["check"])
    let half = try Data(contentsOf: URL(filePath: home.library.database)).count / 2
    #expect(truncate(home.library.database, off_t(half)) == 0)
    try await expect(.brokenLibrary, "the end of library.sqlite is missing", of: home)
    #expect(try Data(contentsOf: URL(filePath: home.library.database)).count == half)
  }

  @Test("a folder that cannot be used")
  func unusableFolder() async throws {
    let home = CommandLineHome()
    try "".write(toFile: home.work + "/file", atomically: true, encoding: .utf8)
    try await expect(.readOnly, "file/library", of: home, ["--library", "file/library"])
    try await expect(.readOnly, "work/file cannot be used: Not a directory.", of: home, ["--library", "file"])
  }

  @Test("a library that cannot be written")
  func readOnly() async throws {
    let home = CommandLineHome(obeysModes: true)
    try await home.run(["check"])
    chmod(home.library.database, 0o400)
    try await expect(.readOnly, home.library.path, of: home)
  }

  @Test("a folder into which nothing may be put")
  func closedFolder() async throws {
    let home = CommandLineHome(obeysModes: true)
    let folder = home.work + "/closed"
    #expect(mkdir(folder, 0o500) == 0)
    try await expect(.readOnly, folder, of: home, ["--library", folder + "/library"], by: Self.makingWays)
  }

  @Test("a path at which there is no library: only who serves it makes one there")
  func noLibrary() async throws {
    let home = CommandLineHome()
    let path = home.work + "/libary"
    for way in [
      ["call", "session/ping"], ["call", "projects/add", "title=x"], ["check"], ["backup", "copy"], ["watch"],
    ] {
      let result = try await home.run(way + ["--library", "libary"])
      #expect(result.status == 4, "\(way): \(result)")
      #expect(result.errors.contains("There is no library at \(path)"), "\(result.errors)")
      #expect(result.errors.contains("commonplace serve --library \(path)"), "\(result.errors)")
      #expect(!FileManager.default.fileExists(atPath: path) && !home.isOwned, "\(way)")
    }
    #expect(try await home.run(["serve", "--background", "--library", "libary"]).status == 0)
    #expect(try await home.run(["call", "session/ping", "--library", "libary"]).status == 0)
    #expect(try await home.run(["stop", "--library", "libary"]).status == 0)
  }

  @Test("a configuration that may not be read")
  func closedConfiguration() async throws {
    let home = CommandLineHome(obeysModes: true)
    try home.configure("[network]\noffline = true\n")
    chmod(home.configuration, 0)
    try await expect(.configuration, "config.toml cannot be read: Permission denied.", of: home)
  }

  @Test("a file that may not be read is told by its name, and a log that may not be written stops nobody")
  func closedFiles() async throws {
    let home = CommandLineHome(obeysModes: true)
    try Data(SamplePDF(pages: [.init(["One line."])]).bytes).write(to: URL(filePath: home.work + "/paper.pdf"))
    chmod(home.work + "/paper.pdf", 0)
    let refused = try await home.run(["call", "documents/add", "path=paper.pdf"])
    #expect(refused.status == 8 && refused.errors.contains(home.work + "/paper.pdf"), "\(refused)")
    #expect(refused.errors.contains("Permission denied"), "\(refused)")
    #expect(try await home.run(["stop"]).status == 0)

    chmod(home.log, 0o400)
    chmod(home.work + "/paper.pdf", 0o400)
    let added = try await home.call("documents/add", "path=paper.pdf")
    #expect(added["pageCount"] == 1)
  }

  @Test("a mistake in config.toml")
  func configuration() async throws {
    let home = CommandLineHome()
    try home.configure("[network]\nofline = true\n")
    try await expect(.configuration, "offline", of: home)
  }

  @Test("a path that no socket can have")
  func longSocket() async throws {
    let home = CommandLineHome()
    let deep = String(repeating: "deep/", count: 30)
    for way in [["serve"], ["connect"], ["call", "session/ping"]] {
      let result = try await home.run(way + ["--library", deep])
      #expect(result.status == 2, "\(way): \(result)")
      #expect(result.errors.contains("107"), "\(way): \(result.errors)")
    }
    // One that needs no socket may lie there.
    try await home.run(["check"])
    let place = URL(filePath: home.work + "/" + deep)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: URL(filePath: home.library.path), to: place)
    #expect(try await home.run(["check", "--library", deep]).status == 0)
  }

  @Test("a lock that a killed daemon left is no obstacle")
  func leftLock() async throws {
    let home = CommandLineHome()
    _ = try await home.call("session/status")
    _ = try #require(await home.killDaemon())
    #expect(try await home.run(["check"]).status == 0)
    #expect(try await home.run(["call", "session/ping"]).status == 0)
  }

  @Test("an empty HOME does no harm while the folders are named")
  func noHome() async throws {
    let home = CommandLineHome()
    let folders = ["DATA", "CACHE", "STATE", "CONFIG"].map { ("XDG_\($0)_HOME", home.work + "/" + $0) }
    var environment = Dictionary(uniqueKeysWithValues: folders.map { ($0.0, Optional($0.1)) })
    environment["HOME"] = ""
    let result = try await home.run(["check"], changing: environment)
    #expect(result.status == 0, "\(result)")
    #expect(FileManager.default.fileExists(atPath: home.work + "/DATA/commonplace/library.sqlite"))
  }

  @Test("every failure of a library has a status that no other has")
  func statuses() {
    let owner = Owner(pid: 1, socket: "/s", version: "1", epoch: "e", isAutomatic: false)
    let errors: [(StoreError, commonplace.ExitStatus)] = [
      (.broken(path: "/l", reason: "r"), .brokenLibrary), (.cannotUseFolder(path: "/l", reason: "r"), .readOnly),
      (.diskFull(path: "/l"), .diskFull), (.failing(path: "/l"), .ioError), (.inUse(owner: owner), .libraryInUse),
      (.inUse(owner: nil), .libraryInUse),
      (.networkFileSystem(path: "/l"), .readOnly), (.newer(path: "/l", unknown: ["a"]), .newerLibrary),
      (.noRoomForSteps(path: "/l", needed: 2, free: 1), .diskFull), (.readOnly(path: "/l"), .readOnly),
    ]
    for (error, status) in errors {
      let rpc = error.rpcError
      #expect(commonplace.ExitStatus(code: rpc.code, kind: rpc.kind?.rawValue, key: rpc.text.key) == status)
    }
    // A damaged document is not a damaged library.
    #expect(commonplace.ExitStatus(code: 1, kind: "corrupt", key: "error.corrupt") == .file)
    // A file that may not be read has one status, whether it is added or imported.
    for key in ["documents.fileError", "file.unreadable", "file.notRegular"] {
      #expect(commonplace.ExitStatus(code: 1, kind: "notAllowed", key: key) == .file)
    }
    #expect(commonplace.ExitStatus(code: 1, kind: "notAllowed", key: "sync.off") == .conflict)
    #expect(commonplace.ExitStatus(code: RPCError.Code.cancelled, kind: nil, key: nil) == .cancelled)
    #expect(commonplace.ExitStatus(code: RPCError.Code.cancelled, kind: "superseded", key: nil) == .busy)
    // A daemon that ends is gone in a moment; what was asked of it was not wrong.
    #expect(RPCError.endings.count == 3)
    for error in RPCError.endings {
      #expect(error.isOfEnd, "\(error)")
      #expect(commonplace.ExitStatus(code: error.code, kind: nil, key: error.text.key) == .noDaemon, "\(error)")
    }
    let wrong = RPCError.invalidRequest("method")
    #expect(commonplace.ExitStatus(code: wrong.code, kind: nil, key: wrong.text.key) == .usage)
  }

  /// Scripts rely on these numbers.
  private static let statusOfKind: [String: Int32] = [
    "ambiguous": 5, "badResponse": 7, "busy": 6, "conflict": 5, "corrupt": 8, "diskFull": 14, "elsewhere": 7,
    "exists": 5,
    "httpStatus": 7, "internalError": 1, "invalidURL": 2, "ioError": 17, "libraryInUse": 10, "newerLibrary": 11,
    "notAllowed": 5,
    "noFile": 8, "notFound": 4, "notPDF": 8, "nothingToUndo": 5, "passwordRequired": 8, "rateLimited": 7,
    "readOnly": 13,
    "refusedAddress": 7, "sandboxUnavailable": 8, "signed": 8, "superseded": 6, "timedOut": 6, "tooLarge": 8,
    "unauthorized": 7, "unreachable": 7, "workerCrashed": 8,
  ]

  @Test("every kind of error has its number, and so has every code that comes without a kind")
  func kinds() {
    for kind in ErrorKind.allCases {
      let status = commonplace.ExitStatus(code: RPCError.Code.typed, kind: kind.rawValue, key: nil)
      #expect(status.rawValue == Self.statusOfKind[kind.rawValue], "\(kind)")
    }
    #expect(Self.statusOfKind.count == ErrorKind.allCases.count)
    let codes: [(Int, Int32)] = [
      (RPCError.Code.parseError, 1), (RPCError.Code.invalidRequest, 2), (RPCError.Code.methodNotFound, 2),
      (RPCError.Code.invalidParams, 2), (RPCError.Code.internalError, 1), (RPCError.Code.busy, 6),
      (RPCError.Code.cancelled, 130), (7, 1),
    ]
    for (code, status) in codes {
      #expect(commonplace.ExitStatus(code: code, kind: nil, key: nil).rawValue == status, "\(code)")
    }
  }
}
