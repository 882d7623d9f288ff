import Glibc
import Store
import Wire

/// A regular file that a client named. It is opened once, and all checks and reads use the open descriptor.
package struct GivenFile: ~Copyable {
  package let path: String
  package let descriptor: Int32
  package let size: Int
  private let limit: Int

  /// - Parameters:
  ///   - folder: an open folder, if the path is the name of a file in it.
  ///   - limit: the most bytes that the file may have.
  /// - Throws: `FileFailure`, or `RPCError` of the kind `tooLarge`.
  package init(opening path: String, in folder: Int32 = AT_FDCWD, limit: Int, followingLinks: Bool = true) throws {
    // Non-blocking, so that a named pipe does not hold the thread for ever; it is refused right below.
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    try self.init(openat(folder, path, flags), path: path, limit: limit)
  }

  /// Opens a file by the path that a client named, within the client's `FileConfinement`.
  ///
  /// - Throws: as `init(opening:in:limit:followingLinks:)`.
  package init(named path: String, limit: Int, followingLinks: Bool = true) throws {
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followingLinks ? 0 : O_NOFOLLOW)
    try self.init(FileConfinement.open(path, flags), path: path, limit: limit)
  }

  private init(_ descriptor: Int32, path: String, limit: Int) throws {
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    do {
      size = try Self.size(of: descriptor, path: path, limit: limit)
    } catch {
      close(descriptor)
      throw error
    }
    self.path = path
    self.descriptor = descriptor
    self.limit = limit
  }

  private static func size(of descriptor: Int32, path: String, limit: Int) throws -> Int {
    var information = stat()
    guard fstat(descriptor, &information) == 0 else { throw FileFailure(path: path, errno) }
    guard information.st_mode & S_IFMT == S_IFREG else {
      throw RPCError(.notAllowed, text: Text("file.notRegular", ["path": path]))
    }
    let size = Int(information.st_size)
    guard size <= limit else { throw tooLarge(limit) }
    return size
  }

  deinit { close(descriptor) }

  package static func tooLarge(_ limit: Int) -> RPCError {
    RPCError(.tooLarge, text: Text("file.tooLarge", ["limit": String(limit >> 20)]))
  }

  /// Reads its bytes in chunks.
  ///
  /// - Throws: `FileFailure`, `RPCError` of the kind `tooLarge`, and whatever `body` throws.
  package func forEachPart(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    var total = 0
    while true {
      let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { throw FileFailure(path: path, errno) }
      if count == 0 { return }
      total += count
      // A file may grow while it is read.
      guard total <= limit else { throw Self.tooLarge(limit) }
      try buffer.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }
  }

  /// All of its bytes.
  ///
  /// - Throws: `FileFailure`, or `RPCError` of the kind `tooLarge`.
  package func bytes() throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(size)
    try forEachPart { bytes.append(contentsOf: $0) }
    return bytes
  }
}

/// A newly created file that only this user can read.
package struct NewFile: ~Copyable {
  package let path: String
  private let descriptor: Int32

  /// - Parameter folder: an open folder, if the path is the name of a file in it.
  /// - Throws: `FileFailure`, also if the file exists.
  package init(at path: String, in folder: Int32 = AT_FDCWD) throws {
    let descriptor = openat(folder, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileFailure(path: path, errno) }
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  /// - Throws: `FileFailure`.
  package func write(_ bytes: UnsafeRawBufferPointer) throws {
    var written = 0
    while written < bytes.count {
      let now = Glibc.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
      guard now > 0 else { throw FileFailure(path: path, errno) }
      written += now
    }
    if written > 0 { FileWrites.note() }
  }

  /// - Throws: `FileFailure`.
  package func write(_ bytes: [UInt8]) throws {
    try bytes.withUnsafeBytes { try write($0) }
  }

  /// Syncs the written bytes to disk.
  ///
  /// - Throws: `FileFailure`.
  package func sync() throws {
    guard fsync(descriptor) == 0 else { throw FileFailure(path: path, errno) }
  }
}

extension RPCError {
  /// The error of a file that could not be read or written, for clients.
  package init(_ failure: FileFailure) {
    self.init(
      failure,
      otherwise: RPCError(
        failure.isMissing ? .notFound : failure.errno == EEXIST ? .exists : .notAllowed,
        text: Text("file.unreadable", ["path": failure.path, "reason": failure.reason])))
  }

  /// The error of a cause in the system and not in the file: too many open files, a failing disk, a full disk. The
  /// mapping for all files is defined here.
  ///
  /// - Parameters:
  ///   - failure: its path may be empty if users do not know the file.
  ///   - otherwise: the error for any other failure of this file.
  package init(_ failure: FileFailure, otherwise: @autoclosure () -> RPCError) {
    if failure.isOutOfDescriptors {
      self = .tooManyFiles
    } else if failure.isOfDisk {
      self.init(
        .ioError,
        text: failure.path.isEmpty ? Text("file.diskError") : Text("error.ioError", ["path": failure.path]))
    } else if failure.isDiskFull {
      self.init(.diskFull, text: Text("error.diskFull", ["path": failure.path]))
    } else {
      self = otherwise()
    }
  }
}
