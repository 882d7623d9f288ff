import Store
import Synchronization

/// Holds the proof of ownership until the daemon releases it.
final class OwnershipBox: Sendable {
  private let ownership: Mutex<Ownership?>

  init(_ ownership: consuming Ownership) {
    self.ownership = Mutex(ownership)
  }

  func announce(_ owner: Owner) {
    ownership.withLock { ownership in
      let taken = ownership.take()
      taken?.announce(owner)
      ownership = consume taken
    }
  }

  func giveUp() {
    ownership.withLock { $0 = nil }
  }

  /// Makes sure that the lock is still held, see `Ownership.hold`.
  ///
  /// - Throws: `StoreError.inUse` when another process holds it, or `cannotUseFile`.
  func hold() throws(StoreError) {
    try ownership.withLock { ownership throws(StoreError) in
      guard var taken = ownership.take() else { return }
      do throws(StoreError) {
        try taken.hold()
      } catch {
        ownership = consume taken
        throw error
      }
      ownership = consume taken
    }
  }
}
