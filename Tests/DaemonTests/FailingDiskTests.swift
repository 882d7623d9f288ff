import Client
import Foundation
import TestSupport
import Testing
import Wire

/// A disk that fails is neither full nor does it make the library damaged.
@Suite(.timeLimit(.minutes(10))) struct FailingDiskTests {
  /// Lets these calls of a daemon fail as on a disk that is broken, until it is ended.
  private func failing(_ calls: String, of daemon: DaemonProcess) async throws -> ChildProcess {
    let tracer = try ChildProcess(
      "/usr/bin/strace",
      ["-f", "-p", String(daemon.pid), "-o", "/dev/null", "-e", "trace=\(calls)", "-e", "inject=\(calls):error=EIO"],
      environment: [:], folder: "/")
    let line = await tracer.errorLine()
    #expect(line?.contains("attached") == true, "\(line ?? "strace said nothing")")
    return tracer
  }

  @Test("a write and a read that the disk refuses are told as its errors, and nothing is lost once it works again")
  func told() async throws {
    let folder = TemporaryFolder()
    let daemon = try await DaemonProcess(in: folder)
    let client = try await daemon.client()
    let kept = try await client.call("toys/add", ["title": "kept"])
    let writing = try await failing("pwrite64,fsync,fdatasync", of: daemon)
    let refused = try await client.failure("toys/add", ["title": "refused"])
    #expect(refused?.kind == "ioError" && refused?.data?["key"] == "error.ioError", "\(String(describing: refused))")
    writing.kill(SIGTERM)
    _ = await writing.ended()
    #expect(try await client.call("toys/waitAndCount").count == 1)
    _ = try await client.call("toys/add", ["title": "added"])
    // More than a start reads.
    try await client.calls("toys/add", (0..<500).map { ["title": .string("toy \($0)")] })
    await daemon.stop()

    // The connection that writes has read no toy yet; those that read map the library, and need no call for it.
    let again = try await DaemonProcess(in: folder)
    let reader = try await again.client()
    let reading = try await failing("pread64", of: again)
    let unread = try await reader.failure("toys/update", ["id": try #require(kept["id"]), "title": "changed"])
    #expect(unread?.kind == "ioError", "\(String(describing: unread))")
    reading.kill(SIGTERM)
    _ = await reading.ended()
    #expect(try await reader.call("toys/waitAndCount").count == 502)
    #expect(try await reader.call("toys/get", ["id": try #require(kept["id"])])["title"] == "kept")
    #expect(try await reader.call("library/check")["findings"] == [])
    await again.stop()
  }
}
