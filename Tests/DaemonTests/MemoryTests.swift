import Client
import Foundation
import Link
import TestSupport
import Testing
import Wire

/// What the daemon holds after a storm.
@Suite(.serialized, .timeLimit(.minutes(10))) struct MemoryTests {
  /// Waits in another process until the memory is small enough again; false after five minutes.
  private func falls(_ daemon: DaemonProcess, below kibibytes: Int) async throws -> Bool {
    let script = """
      end=$((SECONDS + 300))
      while [ "$(awk '/^RssAnon/ { print $2 }' /proc/\(daemon.pid)/status)" -gt \(kibibytes) ]; do
        [ $SECONDS -lt $end ] || exit 1
        sleep 0.2
      done
      """
    let process = try ChildProcess("/bin/bash", ["-c", script], environment: ["PATH": "/usr/bin:/bin"], folder: "/")
    return await process.ended().status == 0
  }

  @Test("memory after thousands of connections and a flood of frames comes back to what an idle daemon holds")
  func givenBack() async throws {
    let daemon = try await DaemonProcess(in: TemporaryFolder())
    let client = try await daemon.client()
    _ = try await client.call("session/sync")
    let idle = try daemon.residentKiB()
    for _ in 0..<20 {
      let sockets = try (0..<200).map { _ in try RawSocket(connectingTo: daemon.folder.file("s")) }
      for socket in sockets {
        socket.write(Framing.headers.frame(MessageBytes.request(id: .integer(1), method: "session/ping", params: [:])))
      }
      for socket in sockets { _ = try await socket.readSome() }
    }
    let afterConnections = try daemon.residentKiB()
    let isBack = try await falls(daemon, below: idle * 3 / 2)
    let left = try daemon.residentKiB()
    #expect(isBack, "\(idle) KiB idle, \(afterConnections) after connections, \(left) in the end")
    for _ in 0..<100 {
      let replies = (0..<1_000).map { client.send("toys/get", ["id": .string("none \($0)")]) }
      for reply in replies { _ = try? await reply.value() }
    }
    let afterFlood = try daemon.residentKiB()
    let isBackAgain = try await falls(daemon, below: idle * 3 / 2)
    let leftAgain = try daemon.residentKiB()
    #expect(isBackAgain, "\(idle) KiB idle, \(afterFlood) after frames, \(leftAgain) in the end")
    print("memory: \(idle) KiB idle, \(afterConnections) after connections, \(afterFlood) after frames")
    await client.close()
    await daemon.stop()
  }
}
