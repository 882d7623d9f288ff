import Glibc
import Synchronization
import Wire

/// Tests whether the disk of a library still works.
///
/// SQLite reports no causes: a write error of the disk is SQLITE_IOERR_WRITE, like a write without disk space, and a
/// page that cannot be read is SQLITE_CORRUPT, like a damaged page. The user has to do something else for each.
enum DiskTrial {
  /// How long a result is cached: the test reads the whole library.
  private static let pause: Duration = .seconds(60)
  private static let last = Mutex<(path: String, failed: Bool, at: ContinuousClock.Instant)?>(nil)

  /// `O_TMPFILE` (open(2)), which Glibc's module does not have.
  private static let temporaryFile = 0o20_000_000 | O_DIRECTORY

  /// Whether writing and syncing a small file beside the library's fails with a device error.
  static func failsToWrite(_ folder: LibraryFolder) -> Bool {
    let descriptor = open(folder.path, O_RDWR | temporaryFile | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return FileFailure.isOfDisk(errno) }
    defer { close(descriptor) }
    var byte: UInt8 = 1
    return (pwrite(descriptor, &byte, 1, 0) < 0 || fdatasync(descriptor) != 0) && FileFailure.isOfDisk(errno)
  }

  /// Whether reading the library's files to their ends fails with a device error.
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
    guard descriptor >= 0 else { return FileFailure.isOfDisk(errno) }
    defer { close(descriptor) }
    var offset: off_t = 0
    return withUnsafeTemporaryAllocation(byteCount: 1 << 20, alignment: 4_096) { buffer in
      while true {
        let count = pread(descriptor, buffer.baseAddress, buffer.count, offset)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count < 0 && FileFailure.isOfDisk(errno) }
        offset += off_t(count)
      }
    }
  }
}
