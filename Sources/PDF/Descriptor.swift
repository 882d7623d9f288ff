import CSandbox
import Glibc

/// An open file descriptor, closed with its last reference.
package final class Descriptor: Sendable {
  package let number: Int32
  /// A worker may retain a file that it was given, and the kernel does not count memory files as memory of any process.
  private let isMemory: Bool

  package init(_ number: Int32, isMemory: Bool = false) {
    self.number = number
    self.isMemory = isMemory
  }

  deinit {
    if isMemory { process_retire_memory_file(number) }
    close(number)
  }

  /// Opens a document for reading. Only a regular file is opened: a pipe could block for ever, and a link in an
  /// external library could refer to any file.
  static func document(at path: String) throws(WorkerFailure) -> Descriptor {
    let number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | O_NOFOLLOW)
    guard number >= 0 else { throw .unreadable(errno: errno) }
    let descriptor = Descriptor(number)
    var status = stat()
    guard fstat(number, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw .unreadable(errno: EINVAL)
    }
    return descriptor
  }

  /// Creates a private file. An existing one is an error, so that nothing is written through a link.
  static func newFile(at path: String) throws(WorkerFailure) -> Descriptor {
    let number = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard number >= 0 else { throw .outputError(errno: errno) }
    return Descriptor(number)
  }

  /// A file in memory, for results of any size.
  static func memory() throws(WorkerFailure) -> Descriptor {
    let number = process_memory_file("commonplace-pdf")
    guard number >= 0 else { throw .outputError(errno: -number) }
    return Descriptor(number, isMemory: true)
  }

  /// A file in memory with these bytes, to be read from its beginning.
  static func memory(holding bytes: [UInt8]) throws(WorkerFailure) -> Descriptor {
    let file = try memory()
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(file.number, $0.baseAddress! + written, $0.count - written, off_t(written))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .outputError(errno: errno) }
      written += count
    }
    return file
  }

  /// Allocates memory for `count` bytes in advance without changing the file's size. If there is none, the later write
  /// fails.
  func makeReady(_ count: Int) {
    process_make_ready(number, off_t(count))
  }

  package var size: Int {
    var status = stat()
    return fstat(number, &status) == 0 ? Int(status.st_size) : -1
  }

  /// The bytes that a worker wrote; the file must have exactly the announced length.
  func result(_ count: Int) throws(WorkerFailure) -> [UInt8] {
    let bytes = bytes(count)
    guard bytes.count == count, size == count else { throw .badReply("another length than announced") }
    return bytes
  }

  /// Copies the first `count` bytes, or fewer at the end. A copy, never a mapping: the worker could still change the
  /// file while it is being checked.
  package func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      filled = 0
      while filled < count {
        let read = pread(number, buffer.baseAddress! + filled, count - filled, off_t(filled))
        if read < 0, errno == EINTR { continue }
        guard read > 0 else { break }
        filled += read
      }
    }
  }
}
