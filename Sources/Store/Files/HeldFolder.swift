import CStore
import Glibc

/// A folder that is held open while it is filled.
///
/// To be opened before anything is written into it: what the disk refuses from then on is told to this descriptor.
package struct HeldFolder: ~Copyable, Sendable {
  private let path: String
  private let descriptor: Int32

  package init(opening path: String) throws {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    self.path = path
  }

  deinit { close(descriptor) }

  /// What was written into all files of the folder is on the disk, with whatever else waits for that disk. For many files:
  /// each by itself would wait for the disk as often as there are files.
  package func syncAll() throws {
    guard cp_disk_sync(descriptor) == 0 else { throw FileFailure(path: path, errno) }
  }
}
