import CStore
import Glibc

/// A folder that stays open while files are written into it.
///
/// Open it before anything is written: the kernel reports later write errors of the disk to this descriptor.
package struct OpenFolder: ~Copyable, Sendable {
  private let path: String
  private let descriptor: Int32

  /// - Throws: `FileFailure` if the path is no folder that can be opened; a symbolic link is none.
  package init(opening path: String) throws {
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    self.path = path
  }

  deinit { close(descriptor) }

  /// Syncs all files of the folder to disk, with everything else pending for that disk. For many files: syncing each of
  /// them would wait for the disk as often.
  ///
  /// - Throws: `FileFailure`.
  package func syncAll() throws {
    guard cp_disk_sync(descriptor) == 0 else { throw FileFailure(path: path, errno) }
  }
}
