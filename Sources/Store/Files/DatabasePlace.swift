import Glibc

/// The file that is open, and the path at which it was. A library that was moved or removed goes on to live in our open
/// descriptors: writes would be acknowledged and be found by nobody.
struct DatabasePlace: Sendable {
  private let path: String
  private let identity: Identity?

  private struct Identity: Equatable {
    var device: dev_t
    var file: ino_t

    init?(_ path: String) {
      var information = stat()
      guard stat(path, &information) == 0 else { return nil }
      device = information.st_dev
      file = information.st_ino
    }
  }

  init(_ path: String) {
    self.path = path
    identity = Identity(path)
  }

  /// Whether the open file is still what is found at its path.
  var isThere: Bool { Identity(path) == identity }
}
