import Glibc
import Kit
import Store
import Wire

/// The secret of the space on this machine: a file of mode 0600 outside of the library, so that no backup, export or
/// copy of the library contains it.
///
///     $XDG_STATE_HOME/commonplace/sync/4f2a…    CP-0V3Q8-…
///
/// While the key is changed it has a second line with the new one: whichever of the two opens the space is in use.
struct SecretFile: Sendable {
  private let stateFolder: String
  private let folder: String
  let path: String

  init(_ services: Services) {
    stateFolder = services.stateFolder
    folder = services.stateFolder + "/sync"
    // A hash, since the library's id may be chosen by an attacker.
    path = folder + "/" + Blobs.hash(of: Array(services.library.identity.id.utf8)).prefix(32)
  }

  /// - Returns: the secret in use, and one that may be from now on; empty if there is none.
  /// - Throws: `CancellationError`.
  func read() async throws -> [SpaceSecret] {
    try await onThread { _ in
      guard let bytes = try? GivenFile(opening: path, limit: 256, followingLinks: false).bytes() else { return [] }
      return String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap {
        try? SpaceSecret(code: String($0))
      }
    }
  }

  /// - Throws: `FileFailure`, `CancellationError`.
  func write(_ secrets: [SpaceSecret]) async throws {
    try await onThread { _ in
      try replace(path, with: Array(secrets.map(\.code).joined(separator: "\n").utf8))
    }
  }

  /// Writes a file of this folder; either the old or the new one is there after a crash, and the new one once this returns.
  ///
  /// - Throws: `FileFailure`.
  func replace(_ path: String, with bytes: [UInt8]) throws {
    guard mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw FileFailure(path: folder, errno) }
    let temporary = path + ".tmp"
    unlink(temporary)
    do {
      let file = try NewFile(at: temporary)
      try file.write(bytes)
      try file.sync()
    }
    guard rename(temporary, path) == 0 else { throw FileFailure(path: path, errno) }
    // The folder may be new, too.
    for folder in [folder, stateFolder] { try Self.sync(folder) }
  }

  private static func sync(_ folder: String) throws {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw FileFailure(path: folder, errno) }
    defer { close(descriptor) }
    // Some file systems have nothing to sync for a folder.
    guard fsync(descriptor) == 0 || errno == EINVAL else { throw FileFailure(path: folder, errno) }
  }

  func remove() { unlink(path) }
}
