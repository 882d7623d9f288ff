import Glibc
import NIOCore

/// An open file below a folder, for reading. It is closed with its last reference.
final class StoredFile: Sendable {
  let size: Int
  /// Differs between any two states of the file.
  let tag: String
  private let descriptor: Int32

  /// Opens `name`, such as `covers/0192/0f34.jpg`, below `folder`, without following a link on the way.
  ///
  /// Nil if there is no such regular file, or if the name leads elsewhere.
  init?(_ name: String, in folder: String) {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." && !$0.utf8.contains(0) }) else {
      return nil
    }
    var current = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    for (index, part) in parts.enumerated() where current >= 0 {
      let isLast = index == parts.count - 1
      let next = openat(
        current, String(part), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | (isLast ? 0 : O_DIRECTORY))
      close(current)
      current = next
    }
    guard current >= 0 else { return nil }
    var status = stat()
    guard fstat(current, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(current)
      return nil
    }
    descriptor = current
    size = Int(status.st_size)
    let time = status.st_mtim
    tag =
      "\"\([Int(status.st_ino), size, time.tv_sec, time.tv_nsec].map { String($0, radix: 16) }.joined(separator: "-"))\""
  }

  /// Opens the file at an absolute path that lies below one of the folders.
  convenience init?(at path: String, below folders: [String]) {
    for folder in folders where path.hasPrefix(folder + "/") {
      self.init(String(path.dropFirst(folder.count + 1)), in: folder)
      return
    }
    return nil
  }

  deinit { close(descriptor) }

  /// The bytes in the range; nil if they cannot be read, or are not there any more.
  func read(_ range: Range<Int>) -> ByteBuffer? {
    var bytes = ByteBufferAllocator().buffer(capacity: range.count)
    while bytes.readableBytes < range.count {
      let missing = range.count - bytes.readableBytes
      var count = 0
      bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: missing) { [offset = bytes.readableBytes] room in
        count = pread(descriptor, room.baseAddress!, missing, off_t(range.lowerBound + offset))
        return max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
    }
    return bytes
  }
}
