import Daemon
import Foundation
import Store
import TestSupport
import Testing
import Wire

@testable import SQLite
@testable import commonplace

/// What reaches a terminal, and whom the command line speaks to.
@Suite struct SteeringTests {
  private static let steering = "a\u{1B}]0;title\u{7}b\u{9B}31mc\u{202E}d\u{200F}e\u{7F}f"

  @Test("nothing that somebody else wrote steers the terminal through a sentence, and lines stay lines")
  func sentences() {
    let plain = Terminal.plain("one\n" + Self.steering)
    #expect(plain.unicodeScalars.allSatisfy { $0 == "\n" || $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) })
    #expect(plain.hasPrefix("one\na\\u{1b}]0;title"))
    #expect(!plain.unicodeScalars.contains { [0x202E, 0x200F].contains($0.value) })
    #expect(Terminal.plain("제목 \u{1F468}\u{200D}\u{1F469}") == "제목 \u{1F468}\u{200D}\u{1F469}")
  }

  @Test("JSON on a terminal is the same value without a byte that steers it")
  func json() throws {
    let value: JSONValue = ["text": .string(Self.steering + "\u{2028}\n")]
    let shown = Terminal.steerless(json: value.description)
    #expect(shown.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x7F })
    #expect(try JSONParser.parse(Array(shown.utf8)) == value)
  }

  @Test("a member of an archive whose name steers the terminal is named without that")
  func error() async throws {
    let home = CommandLineHome()
    let path = home.work + "/\u{1B}[31mred\u{9B}.zip"
    let result = try await home.run(["call", "diary/import", "format=dayone", "path=\(path)"])
    #expect(result.status != 0)
    #expect(!result.errors.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x9B }, "\(result)")
    try await home.run(["stop"])
  }

  @Test(
    "where a daemon's socket is gone and cannot be made anew it is said at once, with what helps",
    .timeLimit(.minutes(10)))
  func socketGone() async throws {
    let home = CommandLineHome()
    _ = try await home.call("session/status")
    // No folder can be made where a file stands.
    let folder = URL(filePath: home.socket).deletingLastPathComponent()
    let parent = folder.deletingLastPathComponent()
    try Data().write(to: parent.appending(path: "file"))
    // In one step: the daemon makes a folder that is gone anew at once.
    let descriptor = open(parent.path, O_RDONLY | O_DIRECTORY)
    try #require(exchangeFiles("file", folder.lastPathComponent, in: descriptor))
    close(descriptor)
    let started = ContinuousClock.now
    let refused = try await home.run(["call", "session/status"])
    #expect(refused.status == 3 && refused.errors.contains("its socket \(home.socket) is gone"), "\(refused)")
    // It waits as long as a daemon may take to make its socket anew, and not until the deadline of one that starts.
    let waited = ContinuousClock.now - started
    #expect(waited >= Reach.patience && waited < Reach.deadline, "\(waited)")
    #expect(try await home.run(["stop"]).status == 0)
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    _ = try await home.call("session/status")
    try await home.run(["stop"])
  }

  @Test("a process that a lock file names and that does not hold the library is never asked to end")
  func unproven() async throws {
    let home = CommandLineHome()
    try home.library.prepare()
    let ownership = try Ownership.take(home.library)
    let bystander = try ChildProcess("/bin/sleep", ["100"], environment: [:], folder: "/")
    let owner = Owner(
      pid: bystander.pid, socket: home.socket, version: "0.0.9", epoch: "e", isAutomatic: true)
    ownership.announce(owner)
    #expect(!Dismissal.isProven(owner, of: home.library))
    var proven = owner
    proven.pid = getpid()
    #expect(Dismissal.isProven(proven, of: home.library))
    let place = try Place(Paths.Options(library: home.library.path))
    let failure = #expect(throws: Failure.self) { try Dismissal(place: place, owner: owner).run() }
    #expect(failure?.status == .noDaemon)
    #expect(kill(bystander.pid, 0) == 0)
    kill(bystander.pid, SIGKILL)
    #expect(await bystander.ended().status == 128 + SIGKILL)
    _ = consume ownership
  }

  @Test("a member of a zip whose name steers the terminal is named in the sentence without that")
  func member() async throws {
    let home = CommandLineHome()
    let path = home.work + "/a.zip"
    let script = """
      import sys, zipfile
      with zipfile.ZipFile(sys.argv[1], "w") as z:
          z.writestr("../\\x1b]0;PWNED\\x07\\x1b[31mJournal.json", "{")
      """
    let zip = try ChildProcess("/usr/bin/python3", ["-c", script, path], environment: home.environment, folder: "/")
    #expect(await zip.ended().status == 0)
    let result = try await home.run(["call", "diary/import", "format=dayone", "path=\(path)"])
    #expect(result.status != 0 && !result.errors.isEmpty)
    for text in [result.output, result.errors] {
      #expect(!text.unicodeScalars.contains { $0.value == 0x1B || $0.value == 0x07 }, "\(result)")
    }
    try await home.run(["stop"])
  }

  @Test(
    "a socket at which another user listens is told nothing",
    .enabled(if: geteuid() == 0, "Only root can be two users."))
  func foreignSocket() async throws {
    let home = CommandLineHome()
    let folder = "/tmp/commonplace-\(UUID())"
    mkdir(folder, 0o777)
    chmod(folder, 0o777)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let path = folder + "/theirs"
    // Prints what it hears until the end, after a line that says that it listens.
    let script = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print("listening", file=sys.stderr, flush=True)
      c, _ = s.accept(); print(len(c.recv(1000)), flush=True)
      """
    let listener = try ChildProcess(
      "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "python3", "-c", script, path],
      environment: home.environment, folder: "/")
    #expect(await listener.errorLine() == "listening")
    let result = try await home.run(["call", "--socket", path, "diary/add", "text=secret"])
    #expect(result.status == commonplace.ExitStatus.socket.rawValue, "\(result)")
    #expect(result.errors.contains("Another user"))
    #expect(await listener.ended().output == "0\n")
  }
}
