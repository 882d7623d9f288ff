import Foundation
import Store
import TestSupport
import Testing

@Suite("A socket of systemd", .timeLimit(.minutes(10)))
struct ActivationTests {
  /// Binds the socket as systemd does, under its name, waits for a client, and starts the daemon with the socket as its
  /// descriptor 3.
  private static let activation = """
    import ctypes, os, select, socket, sys
    ctypes.CDLL(None).prctl(15, b"systemd", 0, 0, 0)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(sys.argv[1])
    listening.listen(16)
    print("listening", flush=True)
    select.select([listening], [], [])
    child = os.fork()
    if child == 0:
        os.dup2(listening.fileno(), 3)
        os.set_inheritable(3, True)
        os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
        os.execv(sys.argv[2], [sys.argv[2], "serve", "--until-idle"])
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """

  private func systemd(_ home: CommandLineHome) async throws -> ChildProcess {
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "commonplace")
      .path
    let systemd = try ChildProcess(
      "/usr/bin/python3", ["-c", Self.activation, home.socket, program], environment: home.environment,
      folder: home.work)
    #expect(await systemd.line() == "listening")
    return systemd
  }

  @Test(
    "is left alone by a shell with other folders than systemd's",
    arguments: ["XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"])
  func otherFolders(variable: String) async throws {
    let home = CommandLineHome(isNoon: true)
    let systemd = try await systemd(home)
    let environment = [variable: home.work + "/folders"]
    let library =
      variable == "XDG_DATA_HOME" ? LibraryFolder(home.work + "/folders/commonplace") : home.library
    let written = try await home.run(["note", "A walk"], changing: environment)
    let owner = Ownership.owner(of: library)
    defer { if let owner { kill(owner.pid, SIGKILL) } }
    #expect(written.status == 0 && owner?.socket == library.path + "/run/s", "\(written)")
    let read = try await home.run(["today"], changing: environment)
    #expect(read.output.contains("A walk"), "\(read)")
    // systemd has started nothing.
    #expect(home.isOwned == (variable != "XDG_DATA_HOME"))
    systemd.kill(SIGKILL)
    _ = await systemd.ended()
  }

  @Test("is refused if systemd's daemon serves another library than the shell's")
  func otherHome() async throws {
    let home = CommandLineHome()
    let systemd = try await systemd(home)
    let refused = try await home.run(["note", "A walk"], changing: ["HOME": home.work])
    #expect(refused.status == 2 && refused.errors.contains("serves another library"), "\(refused)")
    #expect(try await home.call("diary/list")["total"] == 0)
    #expect(!FileManager.default.fileExists(atPath: home.work + "/.local/share/commonplace"))
    #expect(try await home.run(["stop"]).status == 0)
    #expect(await systemd.end().status == 0)
  }

  @Test("is served by the daemon that it was handed to, and is there after its end")
  func served() async throws {
    let home = CommandLineHome()
    let systemd = try await systemd(home)
    let status = try await home.call("session/status")
    let pid = status["server"]?["pid"]?.integerValue
    #expect(pid != nil && pid == home.owner.map { Int64($0.pid) }, "\(status)")
    // And the next client finds the same.
    #expect(try await home.call("session/status")["server"]?["pid"]?.integerValue == pid)
    #expect(home.owner?.socket == home.socket && home.owner?.isAutomatic == true)
    #expect(try await home.run(["stop"]).status == 0)
    #expect(await systemd.end().status == 0)
    #expect(FileManager.default.fileExists(atPath: home.socket))
    // Nobody listens there any more, so the next client starts a daemon of its own.
    #expect(try await home.call("session/status")["server"]?["pid"]?.integerValue != pid)
  }
}
