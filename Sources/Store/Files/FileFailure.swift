import Glibc

/// An error of a system call on a file.
package struct FileFailure: Error, Equatable {
  package var path: String
  package var errno: Int32

  package init(path: String, _ errno: Int32) {
    self.path = path
    self.errno = errno
  }

  package var reason: String { String(cString: strerror(errno)) }
  package var isMissing: Bool { errno == ENOENT || errno == ENOTDIR }
  /// The process or the system has reached its limit of open files.
  package var isOutOfDescriptors: Bool { errno == EMFILE || errno == ENFILE }
  package var isOfDisk: Bool { Self.isOfDisk(errno) }
  package var isDiskFull: Bool { errno == ENOSPC || errno == EDQUOT || errno == EFBIG }

  /// Whether an errno reports a device error.
  static func isOfDisk(_ errno: Int32) -> Bool { errno == EIO || errno == ENXIO || errno == EREMOTEIO }
}
