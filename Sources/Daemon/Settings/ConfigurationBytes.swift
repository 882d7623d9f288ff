import Glibc
import Wire

/// The bytes of `config.toml` and the stamp of exactly the file from which they were read.
struct ConfigurationBytes {
  let bytes: [UInt8]
  let stamp: Stamp

  /// Detects that a file has changed without reading it: `config.toml`, and the files of secrets that it names.
  struct Stamp: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    /// The time of the file's last status change. Unlike the modification time it is updated with the permissions,
    /// which may make the file readable, and programs that copy times cannot set it back.
    private let seconds: Int
    private let nanoseconds: Int
    let size: Int

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      seconds = status.st_ctim.tv_sec
      nanoseconds = status.st_ctim.tv_nsec
      size = Int(status.st_size)
    }

    /// nil if the file does not exist.
    init?(of path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      self.init(status)
    }
  }

  /// nil if the file does not exist.
  static func read(_ path: String) throws(ConfigurationError) -> ConfigurationBytes? {
    // Non-blocking, since opening a named pipe would wait for its writer.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw unreadable(String(cString: strerror(errno)))
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(String(cString: strerror(errno))) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw ConfigurationError(line: nil, text: Text("configuration.notFile"))
    }
    // The file defines commands that are run and origins that get requests.
    guard status.st_uid == geteuid() || status.st_uid == 0, status.st_mode & 0o022 == 0 else {
      throw ConfigurationError(line: nil, text: Text("configuration.notOwn"))
    }
    switch BoundedFile.read(descriptor, limit: Configuration.longestFile) {
    case .success(let bytes): return ConfigurationBytes(bytes: bytes, stamp: Stamp(status))
    case .failure(.tooLong):
      let limit = String(Configuration.longestFile)
      throw ConfigurationError(line: nil, text: Text("configuration.tooLong", ["limit": limit]))
    case .failure(.system(let number)): throw unreadable(String(cString: strerror(number)))
    }
  }

  private static func unreadable(_ reason: String) -> ConfigurationError {
    ConfigurationError(line: nil, text: Text("configuration.unreadable", ["reason": reason]))
  }
}

/// Reads an open file to its end, but at most up to a limit.
enum BoundedFile {
  enum Failure: Error {
    case tooLong
    case system(errno: Int32)
  }

  static func read(_ descriptor: Int32, limit: Int) -> Result<[UInt8], Failure> {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: min(limit + 1, 64 << 10))
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return .failure(.system(errno: errno)) }
      guard count > 0 else { return .success(bytes) }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { return .failure(.tooLong) }
    }
  }
}
