import Synchronization

/// The number of clients, on all loops, that wait for a reply.
final class WaitingClients: Sendable {
  private let count = Atomic(0)

  func enter() { count.add(1, ordering: .relaxed) }
  func leave() { count.subtract(1, ordering: .relaxed) }

  /// - Parameter isCounted: whether the asking client is one of them.
  func includesOthers(than isCounted: Bool) -> Bool { count.load(ordering: .relaxed) > (isCounted ? 1 : 0) }
}
