import Glibc
import Link
import NIOPosix
import Threads
import Wire

/// The way to the daemon of the library: its socket, and `commonplace`, which finds it and starts it if none runs.
actor Library {
  private let options: Options
  private var socket: String?
  private var search: Task<Result<String, BridgeFailure>, Never>?

  init(_ options: Options) {
    self.options = options
  }

  /// A connection to the daemon, which belongs to the caller. A daemon is started if none runs.
  ///
  /// - Throws: `BridgeFailure` with the sentence of the command line.
  func connect() async throws(BridgeFailure) -> Int32 {
    if let socket, let descriptor = try? UnixSocket.connect(socket) { return descriptor }
    let found = try await find()
    do throws(UnixSocket.Failure) {
      return try UnixSocket.connect(found)
    } catch {
      throw .daemonEnded
    }
  }

  /// The socket at which a daemon listens.
  ///
  /// - Throws: `BridgeFailure` with the sentence of the command line.
  func reach() async throws(BridgeFailure) -> String {
    if let socket, let descriptor = try? UnixSocket.connect(socket) {
      close(descriptor)
      return socket
    }
    return try await find()
  }

  /// All who wait for a daemon at the same time wait for one search.
  private func find() async throws(BridgeFailure) -> String {
    let search = search ?? Task { [options] in await Self.ask(options) }
    self.search = search
    let result = await search.value
    // Another one may have begun since.
    if self.search == search { self.search = nil }
    socket = try? result.get()
    return try result.get()
  }

  private static func ask(_ options: Options) async -> Result<String, BridgeFailure> {
    let arguments = ["serve", "--background", "--until-idle", "--socket-only"] + options.library
    let ran: (output: String, errors: String, status: Int32)
    do {
      ran = try await NIOThreadPool.singleton.runIfActive { try Process.run(options.commonplace, arguments) }
    } catch {
      let number = (error as? Spawn.Failure)?.errno ?? ENOENT
      let key = number == ENOENT ? "web.noProgram" : "command.failed"
      return .failure(.system(key, number, ["path": options.commonplace]))
    }
    guard ran.status == 0 else {
      return .failure(BridgeFailure(status: ran.status, words: .said(sentence(ran.errors))))
    }
    return .success(String(ran.output.prefix { $0 != "\n" }))
  }

  /// Without the program's name, which is put before it again.
  private static func sentence(_ said: String) -> String {
    let line = said.split(separator: "\n").first ?? ""
    return String(line.hasPrefix("commonplace: ") ? line.dropFirst("commonplace: ".count) : line)
  }
}
