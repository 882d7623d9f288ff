import FoundationEssentials
import Glibc
import Store
import Wire

/// Asks a daemon to finish what it has begun and to end, and waits until it has.
struct Dismissal {
  let place: Place
  let owner: Owner

  /// What a daemon may take for all the steps of its end.
  static let deadline: Duration = .seconds(30)
  /// What a daemon may take from its lock to its name in it.
  private static let patience: Duration = .seconds(2)
  /// Between two looks at a daemon that ends by itself.
  private static let pause: Int32 = 5

  /// Throws where it is not ours to end, or where it has not ended in time.
  func run(until end: ContinuousClock.Instant = .now + Self.deadline) throws(Failure) {
    // One that has let go of the lock ends by itself. A daemon that was just started has not stated yet who it is.
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

  /// Whether it still has the lock or its socket. Both may be another daemon's already, which somebody has started since.
  private var isThere: Bool {
    let now = Ownership.owner(of: place.folder)
    if Ownership.isHeld(place.folder) { return now?.pid == owner.pid }
    // A daemon that was killed leaves its socket, and nobody is there to take it away.
    return kill(owner.pid, 0) == 0 && access(owner.socket, F_OK) == 0
  }

  /// Whether the process of the owner's number has the lock file open, as only the owner has it for long. The file may
  /// name a process of another container, or one that was killed, and the number may be anybody's here.
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
