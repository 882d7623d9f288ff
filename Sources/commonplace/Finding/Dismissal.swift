import FoundationEssentials
import Glibc
import Store
import Wire

/// Requests a daemon to finish its work and exit, and waits until it has.
struct Dismissal {
  let place: Place
  let owner: Owner

  /// The time limit for all steps of a daemon's shutdown.
  static let deadline: Duration = .seconds(30)
  /// The time limit between a daemon's lock and its name in it.
  private static let patience: Duration = .seconds(2)
  /// Milliseconds between two checks of a daemon that exits by itself.
  private static let pause: Int32 = 5

  /// - Throws: `Failure` if the daemon may not be stopped by us, or has not exited in time.
  func run(until end: ContinuousClock.Instant = .now + Self.deadline) throws(Failure) {
    // A daemon that has released the lock exits by itself. A daemon that was just started has not written its
    // identity yet.
    let proof = min(end, .now + Self.patience)
    while Ownership.isHeld(place.folder), isThere, !Self.isProven(owner, of: place.folder) {
      guard ContinuousClock.now < proof else {
        throw place.voice.failure(.noDaemon, Text("command.ownerUnproven", ["pid": String(owner.pid)]))
      }
      poll(nil, 0, Self.pause)
    }
    guard Self.isProven(owner, of: place.folder) else { return try wait(until: end) }
    guard kill(owner.pid, SIGTERM) == 0 || errno == ESRCH else {
      throw place.voice.failure(.failed, Text("command.failed", ["reason": String(cString: strerror(errno))]))
    }
    try wait(until: end)
  }

  private func wait(until end: ContinuousClock.Instant) throws(Failure) {
    while isThere {
      guard ContinuousClock.now < end else {
        throw place.voice.failure(.noDaemon, Text("command.daemonStays", ["pid": String(owner.pid)]))
      }
      poll(nil, 0, Self.pause)
    }
  }

  /// Whether it still has the lock or its socket. Both may belong to another daemon already, which was started since.
  private var isThere: Bool {
    let now = Ownership.owner(of: place.folder)
    if Ownership.isHeld(place.folder) { return now?.pid == owner.pid }
    // A killed daemon leaves its socket, which no process removes.
    return kill(owner.pid, 0) == 0 && access(owner.socket, F_OK) == 0
  }

  /// Whether the process with the owner's pid has the lock file open, as only the owner has for long. The file may
  /// name a process of another container, or a killed one, and the pid may belong to any process here.
  static func isProven(_ owner: Owner, of folder: LibraryFolder) -> Bool {
    var wanted = stat()
    guard stat(folder.lock, &wanted) == 0 else { return false }
    let descriptors = "/proc/\(owner.pid)/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: descriptors)) ?? []).contains { name in
      var file = stat()
      return stat("\(descriptors)/\(name)", &file) == 0 && file.st_ino == wanted.st_ino && file.st_dev == wanted.st_dev
    }
  }
}
