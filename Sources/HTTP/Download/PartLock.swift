import Glibc
import Synchronization

/// The lock of a finished download's part: prevents another download from writing to the file while the caller still
/// reads or moves it. Released explicitly, or with the last reference.
package final class PartLock: Sendable {
  private let descriptor: Mutex<Int32>

  init(_ descriptor: Int32) {
    self.descriptor = Mutex(descriptor)
  }

  deinit { giveUp() }

  package func giveUp() {
    descriptor.withLock { descriptor in
      PartLock.unlock(descriptor)
      descriptor = -1
    }
  }

  /// A child process holds copies of our descriptors until its exec, and with them every lock that was not released
  /// explicitly.
  static func unlock(_ descriptor: Int32) {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
