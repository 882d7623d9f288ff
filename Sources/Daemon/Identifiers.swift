import Contract
import Synchronization

/// The generator of ids of a process.
package final class Identifiers: Sendable {
  private let uuids = Mutex(UUIDs())
  private let now: @Sendable () -> Instant

  package init(now: @escaping @Sendable () -> Instant) {
    self.now = now
  }

  package func next() -> String {
    let now = now()
    return uuids.withLock { uuids in
      var random = SystemRandomNumberGenerator()
      return uuids.next(at: now, using: &random)
    }
  }
}
