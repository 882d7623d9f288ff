import Glibc
import Synchronization
import Wire

/// Asks the disk of a library whether it still works.
///
/// SQLite tells no causes: a write that the disk refused is SQLITE_IOERR_WRITE, as one for which there is no room, and a
/// page that the disk cannot read is SQLITE_CORRUPT, as one that is wrong. What people do about them is not the same.
enum DiskTrial {
  /// How long an answer holds: the whole library is read for it.
  private static let pause: Duration = .seconds(60)
  private static let last = Mutex<(path: String, failed: Bool, at: ContinuousClock.Instant)?>(nil)

  /// A file without a name (open(2)), which Glibc's module does not have.
  private static let temporaryFile = 0o20_000_000 | O_DIRECTORY

  /// Whether a little file can be written and synced beside the library's.
  static func failsToWrite(_ folder: LibraryFolder) -> Bool {
    let descriptor = open(folder.path, O_RDWR | temporaryFile | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return isOfDisk(errno) }
    defer { close(descriptor) }
    var byte: UInt8 = 1
    return pwrite(descriptor, &byte, 1, 0) < 0 && isOfDisk(errno) || fdatasync(descriptor) != 0 && isOfDisk(errno)
  }

  /// Whether the library's files can be read to their ends.
  static func failsToRead(_ folder: LibraryFolder) -> Bool {
    last.withLock { last in
      let now = ContinuousClock.now
      if let last, sameBytes(last.path, folder.path), now - last.at < pause { return last.failed }
      let failed = [folder.database, folder.database + "-wal"].contains(where: failsToRead)
      last = (folder.path, failed, now)
      return failed
    }
  }

  private static func failsToRead(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return isOfDisk(errno) }
    defer { close(descriptor) }
    var offset: off_t = 0
    return withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 4_096) { buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 && isOfDisk(errno) }
        offset += off_t(count)
      }
    }
  }

  /// Whether an error of the kernel says that a device fails.
  static func isOfDisk(_ errno: Int32) -> Bool { errno == EIO || errno == ENXIO || errno == EREMOTEIO }
}
