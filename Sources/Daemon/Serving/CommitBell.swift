import Link
import Synchronization

/// Wakes one loop after commits, if a client there waits for them: waking costs a loop as much as a small read. At most
/// one call per loop is in flight.
///
/// `isWanted` is set on the loop and read by the writer. The loop checks the ring after setting it, and the writer
/// checks it after appending to the ring; so one of the two sees the other:
///
///     loop      isWanted = true ──► check the ring
///     writer    append to the ring ──► isWanted?
final class CommitBell: Sendable {
  private let wanted = Atomic(false)
  private let isDue = Atomic(false)

  var isWanted: Bool {
    get { wanted.load(ordering: .sequentiallyConsistent) }
    set { wanted.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Called by the writer after a group of commits.
  func ring(at host: Confined<LoopContext>) {
    guard isWanted, !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    host.execute { [self] host in
      isDue.store(false, ordering: .sequentiallyConsistent)
      host.notifyAll()
    }
  }
}
