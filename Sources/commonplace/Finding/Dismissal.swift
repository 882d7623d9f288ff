import Glibc
import Store
import Wire

/// Asks a daemon to finish what it has begun and to end, and waits until it has.
struct Dismissal {
  let place: Place
  let owner: Owner

  /// What a daemon may take for all the steps of its end.
  static let deadline: Duration = .seconds(30)
  /// Between two looks at a daemon that ends by itself.
  private static let pause: Int32 = 5

  /// Throws where it is not ours to end, or where it has not ended in time.
  func run(until end: ContinuousClock.Instant = .now + Self.deadline) throws(Failure) {
    // It holds the lock, so the number is its own and nobody else's; one that has ended just now needs no signal.
    guard kill(owner.pid, SIGTERM) == 0 || errno == ESRCH else {
      throw place.voice.failure(.failed, Text("command.failed", ["reason": String(cString: strerror(errno))]))
    }
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
}
