import Foundation

/// Where the parts of one library lie. Everything in it is the user's alone.
///
///     <library>/library.sqlite   what the user owns, and its change log
///     <library>/blobs/ab/cdef…   files by their SHA-256
///     <library>/parts/           downloads that are under way or can be resumed
///     <library>/lock             who owns the library now
///     <library>/run/s            the socket, where there is no runtime folder
package struct LibraryFolder: Sendable, Equatable {
  package let path: String

  package init(_ path: String) {
    self.path = path
  }

  package var database: String { path + "/library.sqlite" }
  package var blobs: String { path + "/blobs" }
  package var parts: String { path + "/parts" }
  package var lock: String { path + "/lock" }
  package var run: String { path + "/run" }

  /// Makes the folders that are missing, readable by nobody else, and refuses a place where locks or `mmap` lie.
  package func prepare() throws(StoreError) {
    for folder in [path, blobs, parts] {
      do {
        try FileManager.default.createDirectory(
          atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      } catch {
        throw .cannotUseFolder(path: folder, reason: errorSentence(error))
      }
    }
    // A folder that was there before keeps its old permissions; a library is private all the same.
    chmod(path, 0o700)
    if isOnNetwork { throw .networkFileSystem(path: path) }
  }

  /// SQLite's WAL needs memory shared by all processes, and `flock` a kernel that both sides share.
  private var isOnNetwork: Bool {
    var information = statfs()
    guard statfs(path, &information) == 0 else { return false }
    let magic = UInt32(truncatingIfNeeded: information.f_type)
    let networks: Set<UInt32> = [
      0x6969,  // NFS
      0x517B,  // SMB
      0xFF53_4D42,  // CIFS
      0xFE53_4D42,  // SMB2
      0x0102_1997,  // 9p
      0x00C3_6400,  // Ceph
      0x5346_414F,  // AFS
      0x7375_7245,  // Coda
    ]
    return networks.contains(magic)
  }
}

func errorSentence(_ error: any Error) -> String {
  let error = error as NSError
  if let underlying = error.userInfo[NSUnderlyingErrorKey] as? NSError, underlying.domain == NSPOSIXErrorDomain {
    return String(cString: strerror(Int32(underlying.code)))
  }
  return error.localizedDescription
}
