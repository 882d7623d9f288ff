import Glibc

/// Free space on a disk.
enum FreeSpace {
  /// Bytes that this user may still write on the disk of a folder; nil if the system does not report it.
  static func bytes(at path: String) -> Int64? {
    var information = statvfs()
    // A pseudo file system reports no blocks at all.
    guard statvfs(path, &information) == 0, information.f_blocks > 0 else { return nil }
    let bytes = UInt64(information.f_bavail).multipliedReportingOverflow(by: UInt64(information.f_frsize))
    return bytes.overflow ? .max : Int64(clamping: bytes.partialValue)
  }
}
