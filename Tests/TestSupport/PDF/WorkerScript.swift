import Foundation
import PDF

/// A shell script that poses as a worker and says what a hijacked one might.
package final class WorkerScript: Sendable {
  package enum Step: Sendable {
    /// Waits for a request; at the daemon's end the script ends too.
    case hear
    case say(WorkerReply)
    case sayBytes([UInt8])
    /// Writes to stderr.
    case complain(bytes: Int)
    /// Ends by this signal.
    case end(signal: Int)

    package static func fail(_ failure: WorkerFailure) -> Step { .say(.failed(failure)) }
  }

  /// All protections, as an honest worker reports them.
  package static let hello = Step.say(
    .hello(Protections(landlock: 7, seccomp: true, limits: true, noNewPrivileges: true, endsWithDaemon: true)))

  package let path: String

  package init(_ steps: [Step]) throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "worker-\(UUID().uuidString)")
    path = file.path
    let lines = steps.map { step in
      switch step {
      case .hear: "test -n \"$(head -c 1 <&3 | od)\" || exit"
      case .say(let reply): Self.printing(reply.encoded())
      case .sayBytes(let bytes): Self.printing(bytes)
      case .complain(let bytes): "head -c \(bytes) /dev/zero | tr '\\0' x >&2"
      case .end(let signal): "kill -\(signal) $$"
      }
    }
    // Waits at its end until it is killed.
    let script = (["#!/bin/sh"] + lines + ["exec cat <&3"]).joined(separator: "\n")
    try Data(script.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// One write, so one message.
  private static func printing(_ bytes: [UInt8]) -> String {
    let escaped = bytes.map { "\\" + String($0, radix: 8).leftPadded(to: 3) }.joined()
    return "printf '\(escaped)' >&3"
  }
}

extension String {
  fileprivate func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}
