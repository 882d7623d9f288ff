import Link
import Synchronization

/// Wakes one loop after commits, if anybody there waits for them: to be woken costs a loop as much as a small read. One
/// call a loop, none while one is on its way.
///
/// `isWanted` is set on the loop and read by the writer. Whoever sets it looks at the ring afterwards, and the writer
/// looks here after it has appended to the ring; so one of the two sees the other:
///
///     loop      isWanted = true ──► look at the ring
///     writer    append to the ring ──► isWanted?
final class CommitBell: Sendable {
  private let wanted = Atomic(false)
  private let isDue = Atomic(false)

  var isWanted: Bool {
    get { wanted.load(ordering: .sequentiallyConsistent) }
    set { wanted.store(newValue, ordering: .sequentiallyConsistent) }
  }

  /// Called by the writer after a group of commits.
  func ring(at host: Confined<Host>) {
    guard isWanted, !isDue.exchange(true, ordering: .acquiringAndReleasing) else { return }
    host.execute { [self] host in
      isDue.store(false, ordering: .sequentiallyConsistent)
      host.tellAll()
    }
  }
}
