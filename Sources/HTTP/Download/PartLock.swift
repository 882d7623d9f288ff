import Glibc
import Synchronization

/// The lock of a part whose download is over: no other download begins to write to that file while whoever asked for it
/// still looks at it, or makes something else of it. Given up by name, or with the last who knows it.
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

  /// A program that is being started holds our descriptors until it is loaded, and with them every lock that was not
  /// given up by name.
  static func unlock(_ descriptor: Int32) {
    guard descriptor >= 0 else { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }
}
