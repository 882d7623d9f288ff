import FoundationEssentials
import Glibc

/// The part file of a download, open and locked until it is released.
struct PartFile: ~Copyable {
  let path: String
  /// In bytes; the offset of the next write.
  private(set) var size: Int
  private var descriptor: Int32

  /// Opens or creates the file.
  ///
  /// - Throws: `partInUse` if another download has locked it, `diskFull`, `fileError`.
  init(_ path: String) throws(HTTPFailure) {
    (descriptor, size) = try Self.openAndLock(path)
    self.path = path
  }

  private static func openAndLock(_ path: String) throws(HTTPFailure) -> (descriptor: Int32, size: Int) {
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .file(errno) }
    var status = stat()
    let failure: HTTPFailure
    // The lock belongs to the open file and is released with it, even if the process is killed.
    if flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      failure = errno == EWOULDBLOCK ? .partInUse : .file(errno)
    } else if fstat(descriptor, &status) != 0 || lseek(descriptor, 0, SEEK_END) < 0 {
      failure = .file(errno)
    } else if status.st_mode & S_IFMT != S_IFREG {
      failure = .fileError(errno: EINVAL)
    } else {
      return (descriptor, Int(status.st_size))
    }
    close(descriptor)
    throw failure
  }

  deinit { PartLock.unlock(descriptor) }

  /// Closes and unlocks the file, which then cannot be used any more. Explicit, because the network thread may retain
  /// the sink a moment longer than the call, and the lock must not block the next call for the same part.
  mutating func release() {
    PartLock.unlock(descriptor)
    descriptor = -1
  }

  /// Returns the lock of the complete file, which cannot be used here any more.
  mutating func handOver() -> PartLock {
    defer { descriptor = -1 }
    return PartLock(descriptor)
  }

  /// Appends bytes. Bytes that were written before a failure count.
  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(HTTPFailure) {
    let (count, failure) = writeAll(descriptor, bytes)
    size += count
    guard failure == 0 else { throw .file(failure) }
  }

  /// Empties the file; its record is deleted first, so that no record ever describes other bytes.
  mutating func empty() throws(HTTPFailure) {
    PartRecord.remove(part: path)
    guard size > 0 else { return }
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else { throw .file(errno) }
    size = 0
  }

  /// When the file was last written.
  var modified: Date {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return .distantPast }
    return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
  }

  /// The first bytes, at most `count`.
  func head(_ count: Int) throws(HTTPFailure) -> Data {
    var data = Data(count: min(count, size))
    let read = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, 0) }
    guard read == data.count else { throw .file(read < 0 ? errno : EIO) }
    return data
  }

  /// Syncs the bytes to disk.
  func sync() throws(HTTPFailure) {
    guard fsync(descriptor) == 0 else { throw .file(errno) }
  }

  /// Deletes a part and its record.
  static func remove(_ path: String) {
    PartRecord.remove(part: path)
    unlink(path)
  }
}
