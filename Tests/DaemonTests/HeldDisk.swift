import Foundation
import TestSupport

/// A small disk in a namespace that outlives the daemons on it, so that one can be killed and the next one finds what is
/// there; and a file on it that takes room away.
final class HeldDisk: Sendable {
  struct NotMade: Error {
    var line: String?
  }

  private let holder: ChildProcess
  private let path: String

  /// - Parameter path: the folder that becomes the disk.
  init(_ path: String, bytes: Int) async throws {
    self.path = path
    let script = "mkdir -p '\(path)' && mount -t tmpfs -o size=\(bytes),mode=0700 none '\(path)' && echo ready && cat"
    holder = try ChildProcess(
      "/usr/bin/unshare", ["-rm", "/bin/sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"], folder: "/")
    let line = await holder.line()
    guard line == "ready" else { throw NotMade(line: line) }
  }

  /// The command that runs another one where the disk is.
  var entering: [String] {
    ["/usr/bin/nsenter", "-t", String(holder.pid), "-U", "-m", "--preserve-credentials", "--"]
  }

  /// The folder as it is seen from outside.
  var outside: String { "/proc/\(holder.pid)/root\(path)" }

  var freeBytes: Int {
    var information = statvfs()
    return statvfs(outside, &information) == 0 ? Int(information.f_bavail) * Int(information.f_frsize) : 0
  }

  /// Takes all room but so many bytes, as another program does that fills the disk.
  func fill(leaving bytes: Int = 0) {
    let filler = open(outside + "/filler", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard filler >= 0 else { return }
    defer { close(filler) }
    // A daemon that writes meanwhile may be faster, and what is not there cannot be taken: once more with less.
    while case let room = freeBytes - bytes, room > 0 {
      var information = stat()
      fstat(filler, &information)
      guard posix_fallocate(filler, information.st_size, off_t(room)) != 0 else { return }
    }
  }

  func makeRoom() {
    unlink(outside + "/filler")
  }

  func release() async {
    _ = await holder.end()
  }
}
