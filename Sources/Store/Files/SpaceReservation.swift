import Glibc

/// A file beside the library that reserves disk space: it is deleted when a failed write has to be rolled back. It
/// exists only during a long write; one that a crash has left is deleted at the next start.
struct SpaceReservation: Sendable {
  let path: String

  init(_ folder: LibraryFolder) {
    path = folder.path + "/reserve"
  }

  /// Makes the file at least this large.
  ///
  /// - Throws: `StoreError.diskFull`, and the file is unchanged. A file system that cannot reserve space is no error.
  func grow(to bytes: Int64, library: String) throws(StoreError) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else {
      if errno == ENOSPC || errno == EDQUOT { throw .diskFull(path: library) }
      return
    }
    defer { close(file) }
    var information = stat()
    guard fstat(file, &information) == 0, Int64(information.st_size) < bytes else { return }
    let code = posix_fallocate(file, 0, off_t(bytes))
    guard code != 0 else { return }
    ftruncate(file, information.st_size)
    if code == ENOSPC || code == EDQUOT { throw .diskFull(path: library) }
  }

  func giveUp() {
    unlink(path)
  }
}
