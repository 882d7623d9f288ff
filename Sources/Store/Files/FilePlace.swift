import Glibc

/// An open file and the path at which it was opened. A file that was moved, deleted or replaced lives on in its open
/// descriptors: writes to it would be acknowledged and then lost, and a lock on it excludes nobody.
struct FilePlace: Sendable {
  private let path: String
  private let identity: Identity?

  private struct Identity: Equatable {
    var device: dev_t
    var file: ino_t

    init(_ information: stat) {
      device = information.st_dev
      file = information.st_ino
    }

    init?(path: String) {
      var information = stat()
      guard stat(path, &information) == 0 else { return nil }
      self.init(information)
    }
  }

  init(_ path: String) {
    self.path = path
    identity = Identity(path: path)
  }

  /// - Parameter descriptor: the file that was opened at `path`.
  init(_ path: String, descriptor: Int32) {
    self.path = path
    var information = stat()
    identity = fstat(descriptor, &information) == 0 ? Identity(information) : nil
  }

  /// Whether the path still leads to the open file.
  var isThere: Bool { Identity(path: path) == identity }
}
