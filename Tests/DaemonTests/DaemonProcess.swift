import Client
import Foundation
import TestSupport
import Wire

/// A daemon in a process of its own (`TestDaemonProgram`), which can be killed.
final class DaemonProcess: Sendable {
  struct NotReady: Error {
    var result: ChildProcess.Result
  }

  let folder: TemporaryFolder
  private let process: ChildProcess

  /// - Parameters:
  ///   - log: with it, under strace: what it wrote, synced, renamed and sent, in order, goes into that file.
  ///   - disk: in whose namespace it runs.
  init(in folder: TemporaryFolder, traced log: String? = nil, on disk: HeldDisk? = nil) async throws {
    self.folder = folder
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "TestDaemonProgram").path
    let tracer = [
      "/usr/bin/strace", "-f", "-y", "-xx", "-s", "131072", "-o", log ?? "",
      "-e",
      "trace=openat,fsync,fdatasync,syncfs,pwrite64,ftruncate,sendto,sendmsg,writev,write,"
        + "rename,renameat,renameat2,link,mkdir,mkdirat",
    ]
    let words = (disk?.entering ?? []) + (log == nil ? [] : tracer) + [program, folder.path]
    process = try ChildProcess(
      words[0], Array(words.dropFirst()), environment: ProcessInfo.processInfo.environment, folder: folder.path)
    // A process that ends before it is ready ends its output, too.
    guard await process.line() == "ready" else { throw NotReady(result: await process.end()) }
  }

  var pid: pid_t { process.pid }

  /// Its own memory, without the program's pages, of which ever more come in as it does new things.
  func residentKiB() throws -> Int { try statusKiB("RssAnon") }

  /// The most that was ever resident, files included.
  func mostResidentKiB() throws -> Int { try statusKiB("VmHWM") }

  private func statusKiB(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0
  }

  func client(name: String = "test") async throws -> Client {
    let client = try await Client.connect(
      socket: folder.file("s"), record: true, whenFailed: DeclaredErrors.check)
    _ = try await client.call("initialize", ["clientInfo": ["name": .string(name)]])
    client.notify("initialized", [:])
    return client
  }

  /// As a power cut ends it, but for what the kernel still holds.
  func kill() async {
    process.kill(SIGKILL)
    _ = await process.ended()
  }

  /// As its owner ends it.
  func stop() async {
    _ = await process.end()
  }
}
