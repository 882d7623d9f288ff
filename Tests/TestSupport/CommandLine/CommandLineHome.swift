import Foundation
import Store
import Wire

/// A user with a home folder of their own and nothing else, who runs `commonplace`.
///
/// Nothing that they run can touch the real home: the environment holds only what is here. When the test is over the
/// daemon that they left is killed.
package final class CommandLineHome: Sendable {
  private let folder = TemporaryFolder()
  private let obeysModes: Bool
  private let zone: String

  /// - Parameters:
  ///   - obeysModes: Whether the modes of files hold for this user even if the tests are run by root, as they hold for
  ///     everybody else. The kernel lets a process do without a right of root's, and its children with it.
  ///   - isNoon: Whether it is about noon where this user is, for a test in which no day may end.
  ///   - hasLibrary: Whether they have a library, as a daemon that has ended left it, with nothing in it. To make its
  ///     tables takes a daemon longer than all the rest of its start, and this process has them.
  package init(obeysModes: Bool = false, isNoon: Bool = false, hasLibrary: Bool = false) {
    self.obeysModes = obeysModes && geteuid() == 0
    zone = isNoon ? Self.zoneOfNoon : "Etc/UTC"
    for name in ["work", "run"] {
      mkdir(folder.file(name), 0o700)
    }
    // What is wrong with the place the daemon says.
    if hasLibrary { try? Store.makeEmpty(in: library, state: folder.file(".local/state/commonplace")) }
  }

  deinit {
    if let owner = Ownership.owner(of: library), Ownership.isHeld(library) { kill(owner.pid, SIGKILL) }
  }

  package var environment: [String: String] {
    [
      "HOME": folder.path, "XDG_RUNTIME_DIR": folder.file("run"), "PATH": "/usr/bin:/bin", "LANG": "en_US.UTF-8",
      "TZ": zone,
    ]
  }

  /// Where it is noon or a little later. The signs of these names are those of POSIX: west of Greenwich it is plus.
  private static var zoneOfNoon: String {
    let hour = time(nil) / 3_600 % 24
    return hour < 12 ? "Etc/GMT-\(12 - hour)" : "Etc/GMT+\(hour - 12)"
  }

  /// The folder in which commands run.
  package var work: String { folder.file("work") }
  package var library: LibraryFolder { LibraryFolder(folder.file(".local/share/commonplace")) }
  package var socket: String { folder.file("run/commonplace.sock") }
  package var log: String { folder.file(".local/state/commonplace/log") }
  package var caches: String { folder.file(".cache/commonplace") }
  package var configuration: String { folder.file(".config/commonplace/config.toml") }

  /// The daemon that says that it owns the library.
  package var owner: Owner? { Ownership.owner(of: library) }
  package var isOwned: Bool { Ownership.isHeld(library) }

  /// Kills the daemon, and returns when nothing of it is left: a killed process loses its lock and its sockets one
  /// after the other, and may still take a command that it never answers. The value is what it was; nil if there is
  /// none.
  package func killDaemon() async -> Owner? {
    guard let owner else { return nil }
    kill(owner.pid, SIGKILL)
    while Self.holdsFiles(owner.pid) { await Task.yield() }
    return owner
  }

  /// Whether a process has threads, which share its files, but for a first one that has ended and waits to be
  /// collected.
  private static func holdsFiles(_ pid: pid_t) -> Bool {
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task")) ?? []
    guard threads.count == 1 else { return !threads.isEmpty }
    // The state stands behind the name, which is in parentheses.
    let fields = (try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8))?.split(separator: ") ").last ?? ""
    return !["", "Z", "X"].contains(fields.prefix(1))
  }

  /// Writes `config.toml`.
  package func configure(_ text: String) throws {
    let folder = URL(filePath: configuration).deletingLastPathComponent().path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    try text.write(toFile: configuration, atomically: true, encoding: .utf8)
  }

  /// Changes the version that the lock file says, in place: the file is the one that the daemon holds.
  package func pretendOwnerVersion(_ version: String) throws {
    let text = try String(contentsOfFile: library.lock, encoding: .utf8)
    let lines = text.split(separator: "\n").map { $0.hasPrefix("version ") ? "version \(version)" : $0 }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let descriptor = open(library.lock, O_WRONLY | O_TRUNC)
    defer { close(descriptor) }
    _ = write(descriptor, bytes, bytes.count)
  }

  /// Starts a command and does not wait for it.
  package func start(_ arguments: [String], changing environment: [String: String?] = [:]) throws -> ChildProcess {
    var variables = self.environment
    for (name, value) in environment { variables[name] = value }
    guard obeysModes else {
      return try ChildProcess(Self.commonplace, arguments, environment: variables, folder: work)
    }
    let without = ["--bounding-set=-dac_override,-dac_read_search", Self.commonplace]
    return try ChildProcess("/usr/bin/setpriv", without + arguments, environment: variables, folder: work)
  }

  /// Starts a command to which these folders are disks of their own with so few bytes, and to nobody else; see
  /// ``SmallDisk``.
  package func start(_ arguments: [String], smallDisks disks: [SmallDisk]) throws -> ChildProcess {
    let mounts = disks.map {
      "mkdir -p '\($0.path)' && mount -t tmpfs -o size=\($0.bytes),mode=0700 none '\($0.path)' && "
    }
    return try ChildProcess(
      "/usr/bin/unshare",
      ["-rm", "/bin/sh", "-c", mounts.joined() + "exec \"$0\" \"$@\"", Self.commonplace] + arguments,
      environment: environment, folder: work)
  }

  /// Starts a command in a shell, with what a shell can do to its input and output.
  package func start(_ arguments: [String], redirecting redirection: String) throws -> ChildProcess {
    try ChildProcess(
      "/bin/bash", ["-c", "\"$0\" \"$@\" \(redirection)", Self.commonplace] + arguments, environment: environment,
      folder: work)
  }

  /// Starts a command on a terminal of its own; what it writes there, errors too, is the output.
  package func startOnTerminal(_ arguments: [String]) throws -> ChildProcess {
    let words = ([Self.commonplace] + arguments).map { "'\($0)'" }.joined(separator: " ")
    return try ChildProcess(
      "/usr/bin/script", ["-q", "-e", "-c", words, "/dev/null"], environment: environment, folder: work)
  }

  /// Runs lines of bash on a terminal of their own, in which `"$commonplace"` is the command.
  package func startOnTerminal(script: String) throws -> ChildProcess {
    let file = folder.file("terminal.sh")
    try "commonplace='\(Self.commonplace)'\n\(script)\n".write(toFile: file, atomically: true, encoding: .utf8)
    return try ChildProcess(
      "/usr/bin/script", ["-q", "-e", "-c", "exec /bin/bash '\(file)'", "/dev/null"], environment: environment,
      folder: work)
  }

  /// Runs a command to its end.
  @discardableResult
  package func run(
    _ arguments: [String], input: String = "", changing environment: [String: String?] = [:]
  ) async throws -> ChildProcess.Result {
    let process = try start(arguments, changing: environment)
    process.write(input)
    return await process.end()
  }

  /// What a call answers; its errors are in the test's report if it answers nothing.
  package func call(_ arguments: String...) async throws -> JSONValue {
    let result = try await run(["call"] + arguments)
    guard result.status == 0 else { throw Refused(result: result) }
    return try JSONParser.parse(result.output)
  }

  package struct Refused: Error {
    package var result: ChildProcess.Result
  }

  /// The program that was built together with the tests, which lies beside their bundle.
  package static let commonplace: String = {
    let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    return folder.appending(path: "commonplace").path
  }()
}
