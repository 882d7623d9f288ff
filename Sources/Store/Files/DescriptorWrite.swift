import Glibc

/// Writes whole buffers into open files: the system may take a part of one, as before a disk is full.
enum DescriptorWrite {
  /// - Parameter path: for the error.
  /// - Throws: `FileFailure`.
  static func all(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32, path: String) throws {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, bytes.baseAddress! + done, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw FileFailure(path: path, errno) }
      done += count
    }
  }
}
