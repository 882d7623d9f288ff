import Client
import Foundation
import TestSupport
import Wire

/// A daemon in a process of its own (`TestDaemonProgram`), which can be killed.
final class DaemonProcess {
  let folder: TemporaryFolder
  private let process = Process()
  private let input = Pipe()

  /// With `log`, under strace: what it wrote, synced, renamed and sent, in order, goes into that file.
  init(in folder: TemporaryFolder, traced log: String? = nil) throws {
    self.folder = folder
    let program = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
      .appending(path: "TestDaemonProgram").path
    let tracer = [
      "/usr/bin/strace", "-f", "-y", "-xx", "-s", "65536", "-o", log ?? "",
      "-e", "trace=fsync,fdatasync,pwrite64,ftruncate,sendto,sendmsg,writev,write,rename,renameat,renameat2",
    ]
    let words = (log == nil ? [] : tracer) + [program, folder.path]
    process.executableURL = URL(filePath: words[0])
    process.arguments = Array(words.dropFirst())
    process.standardInput = input
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    // A process that ends before it is ready ends its output, too.
    guard output.fileHandleForReading.availableData == Data("ready\n".utf8) else { throw CocoaError(.executableLoad) }
  }

  var pid: pid_t { process.processIdentifier }

  func client(name: String = "test") async throws -> Client {
    let client = try await Client.connect(socket: folder.file("s"), record: true)
    _ = try await client.call("initialize", ["clientInfo": ["name": .string(name)]])
    client.notify("initialized", [:])
    return client
  }

  /// As a power cut ends it, but for what the kernel still holds.
  func kill() {
    Glibc.kill(pid, SIGKILL)
    process.waitUntilExit()
  }

  /// As its owner ends it.
  func stop() {
    try? input.fileHandleForWriting.close()
    process.waitUntilExit()
  }
}
